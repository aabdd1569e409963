"""Documents of other formats on their way to Markdown, read by a process of their own within limits.

Parsers of HTML, PDF and DOCX have had endless loops and memory bombs again and again, and a graph is not to go down
with the file of a stranger. So the bytes go to a short-lived process that may use so much time and memory and no more,
and that opens no connection; what comes back is text.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["FORMATS", "SIZE_MAX_BYTES"]

FORMATS: Final[Mapping[str, str]] = MappingProxyType(
    {".html": "html", ".htm": "html", ".xhtml": "html", ".pdf": "pdf", ".docx": "docx"}
)
"""The formats that are rendered, by the suffix of a file."""

SIZE_MAX_BYTES: Final[Mapping[str, int]] = MappingProxyType({"html": 10_000_000, "pdf": 50_000_000, "docx": 50_000_000})
"""The largest file of each format that is read."""
