"""An empty graph is laid once by the store itself; the file of it is copied wherever a test asks for another one.

To lay the tables of a graph takes longer than most tests take for all else. The tests of the store lay every graph
anew, and so do the processes that tests start.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

from weft.store import opening

if TYPE_CHECKING:
    from weft.store.opening import _Wish

__all__ = ["LAID_ANEW", "laid_once"]

LAID_ANEW: Final = opening._lay  # noqa: SLF001 - what the store does of itself
"""Lays the tables of an empty graph, as the product does."""


@lru_cache(maxsize=32)
def _empty(wish: _Wish) -> bytes:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "graph.db"
        LAID_ANEW(path, wish)
        return path.read_bytes()


def laid_once(fresh: Path, wish: _Wish) -> None:
    """Write the file that :data:`LAID_ANEW` makes for ``wish`` to ``fresh``."""
    empty = _empty(wish)
    fresh.touch(mode=0o600)
    fresh.write_bytes(empty)
