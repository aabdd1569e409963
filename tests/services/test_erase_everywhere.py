"""A secret that stands in every field of a graph is in no byte of it any more once it was erased."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from engine import graph_at, server
from services.planting import PLANTED, opened, planted, sync
from services.test_erase import holding
from store.soundness import faults
from weft.errors import Unavailable
from weft.model import Filter, Page

if TYPE_CHECKING:
    from pathlib import Path

    from weft.graph import Graph
    from weft.model import Flaw


def amiss(graph: Graph) -> list[Flaw]:
    """Return what the doctor finds, but for what waits in the vault."""
    return [each for each in graph.keeping.doctor(graph.call("doctor")).findings if each.part != "vault"]


@pytest.fixture
def leak(tmp_path: Path) -> str:
    """The id of the node that holds the secret in every field; graph and vault lie in ``tmp_path``."""
    (tmp_path / "project").mkdir()
    return planted(tmp_path / "project", graph_at(tmp_path / "graph.db"), tmp_path / "vault")


def named(folder: Path) -> list[str]:
    """Return the files of graph and vault that bear the secret in their names."""
    files = (path for path in folder.rglob("*") if path.suffix != ".cfg")  # that one is the project's own
    return sorted(path.name for path in files if PLANTED.lower() in path.name.lower())


def test_the_secret_stands_everywhere_before(tmp_path: Path, leak: str) -> None:
    """The twin: else the test below would look for what never was there."""
    assert leak
    held = set(holding(tmp_path, PLANTED))
    assert "memory.jsonl" in held
    assert "graph.db" in held or {"weft.receipt", "weft.change", "weft.source", "weft.token", "weft.tally"} <= held
    assert len([name for name in held if name.endswith((".md", ".jsonl"))]) > 8
    assert len(named(tmp_path)) > 3


def test_a_named_text_is_left_in_no_file_no_table_and_no_name(tmp_path: Path, leak: str) -> None:
    """Whatever field it stood in, in whatever case, with the vault and what was edited in it."""
    with opened(tmp_path / "project", graph_at(tmp_path / "graph.db")) as graph:
        done = graph.keeping.erase(leak, graph.call("erase"), reason="a leaked key", texts=(PLANTED,))
        assert done.finished
        assert done.left == ()
        assert done.blanked["vault_file"] > 0
        assert amiss(graph) == []
        told = sync(graph)
        assert [(each.path, each.reason) for each in told.unread if "own-" not in each.path] == []
        assert told.conflicts == ()
        assert sync(graph).written == 0
    assert holding(tmp_path, PLANTED) == []
    assert named(tmp_path) == []
    assert server or faults(tmp_path / "graph.db") == []


def test_what_cannot_be_reached_is_told(tmp_path: Path, leak: str) -> None:
    """A vault that was turned off is nobody's mirror any more: its files are named and left as they are."""
    with opened(tmp_path / "project", graph_at(tmp_path / "graph.db")) as graph:
        graph.vault.turn_off(graph.call("vault"))
        done = graph.keeping.erase(leak, graph.call("erase"), reason="a leaked key", texts=(PLANTED,))
        assert len(done.left) > 5
        assert all(each.startswith(str(tmp_path / "vault")) for each in done.left)
    assert not [name for name in holding(tmp_path, PLANTED) if not name.endswith((".md", ".jsonl"))]
    assert "memory.jsonl" not in holding(tmp_path, PLANTED)


def test_while_somebody_reads_the_vault_nothing_is_erased(
    tmp_path: Path, leak: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Or what was edited in a note might come into the graph with the secret, after it was taken out there."""
    monkeypatch.setattr("weft.vault.vault._WAIT_S", 0.2)
    place = graph_at(tmp_path / "graph.db")
    with opened(tmp_path / "project", place) as graph, opened(tmp_path / "project", place) as other:
        head = graph.log.head()
        with other.vault.held(), pytest.raises(Unavailable, match="busy with the vault"):
            graph.keeping.erase(leak, graph.call("erase"), reason="a leaked key", texts=(PLANTED,))
        assert graph.log.head() == head
        assert graph.keeping.erase(leak, graph.call("erase"), reason="a leaked key", texts=(PLANTED,)).left == ()


def test_a_vault_that_is_not_there_is_told(tmp_path: Path, leak: str) -> None:
    """The graph is without the secret all the same."""
    (tmp_path / "vault").rename(tmp_path / "away")
    with opened(tmp_path / "project", graph_at(tmp_path / "graph.db")) as graph:
        done = graph.keeping.erase(leak, graph.call("erase"), reason="a leaked key", texts=(PLANTED,))
        assert [each for each in done.left if "not there" in each]
        assert amiss(graph) == []


def test_a_node_is_erased_with_its_secret_and_without_what_others_are_called(tmp_path: Path, leak: str) -> None:
    """No text is named: the node's own notes, records, receipts and keys go, and other nodes keep what they say."""
    with opened(tmp_path / "project", graph_at(tmp_path / "graph.db")) as graph:
        done = graph.keeping.erase(leak, graph.call("erase"), reason="a leaked key")
        assert done.finished
        assert amiss(graph) == []
        assert not [
            path for path in (tmp_path / "vault").rglob("*") if leak[-8:] in path.name and "nodes" in path.parts
        ]
        assert "billing" in {node.ontology for node in graph.store.nodes((leak, *_standing(graph))).values()}
        assert not sync(graph).changed
    assert server or faults(tmp_path / "graph.db") == []


def _standing(graph: Graph) -> tuple[str, ...]:
    return tuple(node.id for node in graph.store.find(Filter(), Page(limit=100)).nodes)
