"""Names of files and folders that Notion exports: a page's title with the page's id behind it."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["titled"]

_ID: Final = re.compile(r"(?<=\S) [0-9a-f]{32}\Z")


def titled(name: str) -> str:
    """Return ``name``, of a folder or of a file without its suffix, without a page's id at its end."""
    return _ID.sub("", name)
