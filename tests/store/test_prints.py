"""The embedded memory of files keeps every promise of the shipped contract, and older graphs get one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from weft.model import Tier
from weft.store import open_sqlite
from weft.testing.making import DIMENSION
from weft.testing.prints import PrintsContract

if TYPE_CHECKING:
    from pathlib import Path

    from weft.store import Opened


class TestSqlite(PrintsContract):
    """A graph in one file."""

    def open(self, place: Path, *, tier: Tier = Tier.CURATOR) -> Opened:
        """Open the graph file at ``place``."""
        return open_sqlite(place / "graph.db", tier=tier, model="letters", dimension=DIMENSION, create=True)
