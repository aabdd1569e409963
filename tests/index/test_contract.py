"""The embedded index keeps every promise of the shipped contract, in memory, in files, and by scanning."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from index.world import TINY
from weft.index import Index, Sizes, open_index
from weft.model import Tier
from weft.store import open_sqlite
from weft.testing.index import VectorsContract
from weft.testing.making import DIMENSION

if TYPE_CHECKING:
    from collections.abc import Iterator

    from weft.store import Opened


class TestInMemory(VectorsContract):
    """As small graphs are searched."""

    sizes = Sizes()

    @pytest.fixture(autouse=True)
    def closing(self) -> Iterator[None]:
        """Close every index that a test opens."""
        self.indexes: list[Index] = []
        yield
        for index in self.indexes:
            index.close()

    def open(self, place: Path, *, tier: Tier = Tier.CURATOR) -> Opened:
        """Open the graph file at ``place``."""
        return open_sqlite(place / "graph.db", tier=tier, model="letters", dimension=DIMENSION, create=True)

    def vectors(self, kept: Opened) -> Index:
        """Return another index of the same graph."""
        path = Path(kept.database.path)
        self.indexes.append(
            open_index(kept.passages, folder=path.parent, name=path.stem, dimension=DIMENSION, sizes=self.sizes)
        )
        return self.indexes[-1]


class TestInFiles(TestInMemory):
    """As large graphs are searched, at a size of five."""

    sizes = TINY

    def vectors(self, kept: Opened) -> Index:
        """Return another index of the same graph, its files made anew."""
        index = super().vectors(kept)
        index.rebuild()
        return index


class TestByScanning(TestInMemory):
    """As a large graph is searched before it has files."""

    sizes = Sizes(memory_max=0, few_max=0, gone_max=0, exact_max=1_000_000)
