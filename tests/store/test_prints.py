"""The embedded memory of files keeps every promise of the shipped contract, and older graphs get one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from weft.model import SaveNode, Tier
from weft.store import migrate, open_sqlite
from weft.testing.making import DIMENSION, a_batch, a_node
from weft.testing.prints import PrintsContract

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from weft.store import Opened


class TestSqlite(PrintsContract):
    """A graph in one file."""

    def open(self, place: Path, *, tier: Tier = Tier.CURATOR) -> Opened:
        """Open the graph file at ``place``."""
        return open_sqlite(place / "graph.db", tier=tier, model="letters", dimension=DIMENSION, create=True)


def test_a_graph_of_the_first_schema_counts_what_it_held_already(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its bands of confidence are filled as it is opened; its files are unknown until somebody looks."""
    path = tmp_path / "graph.db"
    first = {1: migrate.migrations("sqlite")[1]}
    with monkeypatch.context() as older:
        older.setattr(migrate, "migrations", lambda _: first)
        graph = open_sqlite(path, tier=Tier.CURATOR, model="letters", dimension=DIMENSION, create=True)
        node = a_node("one", confidence=0.6, references=("a.py",))
        graph.store.commit(
            a_batch(*(SaveNode(node=each, expect=0, passages=()) for each in (node, a_node("two", confidence=0.2))))
        )
        graph.close()
    graph = open_sqlite(path, tier=Tier.CURATOR, model="letters", dimension=DIMENSION, create=False)
    assert graph.store.counts().nodes_by_confidence == {"medium": 1, "low": 1}
    assert graph.prints.of_nodes([node.id]) == ()
    assert [id_ for _, id_ in graph.prints.referring(0, limit=9)] == [node.id]
    graph.close()
