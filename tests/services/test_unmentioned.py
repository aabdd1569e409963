"""The doctor sees texts that name a node without a mention being kept, and nothing where ordinary use left some out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from engine import execute_at, graph_at
from weft import open as open_graph
from weft.model import CaptureRequest, Filter, Linking, Page
from weft.services.keeping import naming
from weft.settings import Settings

if TYPE_CHECKING:
    from pathlib import Path

    from weft.graph import Graph
    from weft.model import Examined

TEXTS = {"Glaze": "It melts in the kiln.", "Kiln": "It holds the heat.", "Heat": "It comes from ash, see Kiln."}


def opened(folder: Path) -> Graph:
    """Open the graph in ``folder``."""
    return open_graph(settings=Settings(graph=graph_at(folder / "notes.db"), actor="ann"))


def examined(folder: Path, *, repair: bool = False) -> Examined:
    """Return what the doctor says."""
    with opened(folder) as graph:
        return graph.keeping.doctor(graph.call("doctor"), repair=repair)


def mentioned(folder: Path) -> set[tuple[str, str]]:
    """Return whose text names whom, by titles, as it is kept."""
    with opened(folder) as graph:
        titles = {node.id: node.title for node in graph.store.find(Filter(), Page(limit=50)).nodes}
        kept = graph.shelf.mentions(list(titles), per_node=50)
    return {(titles[each.node], titles[each.target]) for each in kept}


@pytest.fixture
def named(tmp_path: Path) -> Path:
    """A graph of three texts that name each other."""
    with opened(tmp_path) as graph:
        for title, content in TEXTS.items():
            graph.capture.capture(CaptureRequest(title=title, content=content), graph.call("capture"))
    return tmp_path


def test_a_name_that_no_mention_was_kept_of_is_seen_and_made_up_for(named: Path) -> None:
    """All that were there come back, none besides; while they are all there, nothing is found."""
    before = mentioned(named)
    assert before == {("Glaze", "Kiln"), ("Heat", "Kiln"), ("Kiln", "Heat")}
    assert examined(named).findings == ()
    execute_at(named / "notes.db", "DELETE FROM mention")
    (found,) = examined(named).findings
    assert (found.key, found.derived, found.what.split(" ")[0]) == ("mentions_lacking", True, "3")
    assert mentioned(named) == set()
    assert examined(named, repair=True).sound
    assert mentioned(named) == before
    assert examined(named).findings == ()


def test_a_name_that_may_have_been_left_out_in_ordinary_use_is_no_finding(named: Path) -> None:
    """A common one links only what is written after it; one that a forgotten node had was not its own once."""
    with opened(named) as graph:
        for number in range(52):
            wish = CaptureRequest(title=f"Firing {number}", content=f"Cone {number} of soda.", linking=Linking.NONE)
            graph.capture.capture(wish, graph.call("capture"))
        late = CaptureRequest(title="Soda", content="It is a salt.", linking=Linking.NONE)
        graph.capture.capture(late, graph.call("capture"))
        gone = graph.capture.capture(CaptureRequest(title="Heat", content="Warmth."), graph.call("capture"))
        graph.capture.forget(gone.node.id, graph.call("forget"), confirm=True)
    assert not any(target == "Soda" for _, target in mentioned(named))
    assert examined(named).findings == ()
    execute_at(named / "notes.db", "DELETE FROM mention WHERE name = 'Heat' OR name = 'heat'")
    assert examined(named).findings == ()


def test_only_a_sample_of_a_large_graph_is_looked_at_and_all_of_it_repaired(
    named: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The finding says how many; the repair reads every text."""
    before = mentioned(named)
    monkeypatch.setattr(naming, "LOOKED_MAX", 1)
    execute_at(named / "notes.db", "DELETE FROM mention")
    (found,) = examined(named).findings
    assert "in the 1 texts looked at" in found.what
    assert examined(named, repair=True).sound
    assert mentioned(named) == before
