"""Which file an import may read: one below a folder that was allowed at the start, as for documents."""

from __future__ import annotations

from typing import TYPE_CHECKING

from weft.errors import InvalidArgument
from weft.services.documents import DocumentFile, read

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

__all__ = ["text_at"]


def text_at(path: str, roots: Sequence[Path]) -> str:
    """Return the text of the file at ``path``, absolute or relative to one of the folders ``roots``.

    Raises:
        InvalidArgument: no folder is allowed, it lies in none of them, is hidden, does not exist, or is no text.
    """
    if not roots:
        raise InvalidArgument(
            "path: no folder is allowed, so no file is read.",
            hint="Give the text itself, or start the server with WEFT_ROOTS.",
        )
    try:
        places = [(root.resolve(), root.resolve() / path) for root in roots]
        real = [(root, place.parent.resolve() / place.name) for root, place in places]
        inside = [place for root, place in real if place.is_relative_to(root) and not _hidden(place, root)]
        found = next((place for place in inside if place.is_file()), None)
    except OSError as error:
        raise InvalidArgument(f"path: {path[:200]} cannot be read: {error.strerror}.") from None
    if found is None:
        why = "there is no such file" if inside else "it lies in none of them, or is hidden"
        listed = ", ".join(str(root) for root in roots)
        raise InvalidArgument(f"path: {path[:200]} cannot be read below {listed}: {why}.", hint="Give the text itself.")
    return read(DocumentFile(path=found, name=found.name, folder=found.parent.name))


def _hidden(place: Path, root: Path) -> bool:
    return any(part.startswith(".") for part in place.relative_to(root).parts)
