"""Whether the index files are those of the graph: a look that changes nothing."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from weft.index.manifest import NAME, open_entry, read_manifest
from weft.index.segment import Unusable

if TYPE_CHECKING:
    from pathlib import Path

    from weft.index.feed import PassageFeed

__all__ = ["faults"]


def faults(folder: Path, feed: PassageFeed, *, behind_max: int) -> dict[str, str]:
    """Return what is wrong with the files in ``folder``, by ``unusable``, ``behind`` or ``leftover``; empty: nothing.

    ``behind_max`` is how many rows of passages may have come after the files.
    """
    if folder.is_dir() and not os.access(folder, os.R_OK | os.X_OK):
        return {}  # of another user, who alone can say; here vectors are compared exactly
    found: dict[str, str] = {}
    named: set[str] = set()
    head = feed.head()
    if (folder / NAME).exists():
        try:
            manifest = read_manifest(folder, feed, head)
            named = {entry.file for entry in manifest.entries}
            for entry in manifest.entries:
                open_entry(folder, entry, manifest.dimension)
            if head.row - manifest.row > behind_max:
                found["behind"] = f"{head.row - manifest.row} passages came after the search index was made"
        except Unusable as error:
            found["unusable"] = f"The search index cannot be used: {error}"
    elif head.row > behind_max:
        found["behind"] = f"There is no search index of {head.row} passages"
    if "unusable" not in found and (left := sorted(p.name for p in folder.glob("vectors-*") if p.name not in named)):
        found["leftover"] = f"Files of the search index are left over: {', '.join(left[:5])}"
    return found
