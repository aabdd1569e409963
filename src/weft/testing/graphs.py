"""What the contracts of a graph stand on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import pytest

from weft.model import Tier
from weft.testing.making import a_batch, saved

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from weft.model import Batch, Node
    from weft.ports import Log, Store

__all__ = ["GraphContract", "Kept"]


class Kept(Protocol):
    """An open graph."""

    @property
    def store(self) -> Store:
        """The graph."""
        ...

    @property
    def log(self) -> Log:
        """Its log."""
        ...

    def close(self) -> None:
        """Close it."""
        ...


class GraphContract:
    """What the contracts of a graph have in common: how one is opened, written to, and found untouched."""

    def open(self, place: Path, *, tier: Tier = Tier.CURATOR) -> Kept:
        """Open the one graph that lies at ``place``, making it first when it is not there."""
        raise NotImplementedError

    @pytest.fixture
    def kept(self, tmp_path: Path) -> Iterator[Kept]:
        """An open graph."""
        kept = self.open(tmp_path)
        yield kept
        kept.close()

    def write(self, kept: Kept, *nodes: Node) -> None:
        """Save new nodes."""
        kept.store.commit(a_batch(*(saved(node) for node in nodes)))

    def untouched(self, kept: Kept, batch: Batch, error: type[Exception]) -> None:
        """Assert that the batch is refused and leaves no trace."""
        before = kept.store.counts(), kept.log.head()
        with pytest.raises(error):
            kept.store.commit(batch)
        assert (kept.store.counts(), kept.log.head()) == before
