"""Status says how the vault stands, and the doctor what of it does not agree with the graph, and what mends it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import weft
from engine import graph_at
from weft.errors import Unavailable
from weft.model import CaptureRequest, Linking, UpdateRequest
from weft.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from weft.graph import Graph
    from weft.model import Flaw


@pytest.fixture
def graph(tmp_path: Path) -> Iterator[Graph]:
    """A graph with two nodes, and no vault yet."""
    settings = Settings(graph=graph_at(tmp_path / "graph.db"), actor="ann", home=str(tmp_path))
    with weft.open(settings=settings) as opened:
        told(opened, "Water boils at 100 degrees.")
        told(opened, "Ice melts at 0 degrees.")
        yield opened


@pytest.fixture
def notes(graph: Graph, tmp_path: Path) -> Path:
    """Its vault, turned on and in agreement."""
    root = graph.vault.turn_on(tmp_path / "notes", graph.call("vault"))
    synced(graph)
    return root


def told(graph: Graph, content: str) -> str:
    """Capture a text, and return its node's id."""
    wish = CaptureRequest(content=content, kind="general", linking=Linking.NONE)
    return graph.capture.capture(wish, graph.call("capture")).node.id


def synced(graph: Graph) -> None:
    """Bring vault and graph together."""
    graph.vault.sync(graph.call("sync"))


def vault_of(graph: Graph) -> dict[str, Any]:
    """Return what status says of the vault."""
    said: dict[str, Any] = graph.recall.status(graph.call("status")).health["vault"]
    return said


def faults(graph: Graph) -> dict[str, Flaw]:
    """Return what the doctor finds, by key; all of it is of the vault."""
    found = graph.keeping.doctor(graph.call("doctor")).findings
    assert {each.part for each in found} <= {"vault"}
    return {each.key: each for each in found}


def test_a_graph_without_a_vault_says_so_and_is_sound(graph: Graph) -> None:
    """Nothing is missing where nothing was asked for."""
    assert vault_of(graph) == {"on": False}
    assert faults(graph) == {}


def test_a_vault_that_agrees_is_told_with_its_place(graph: Graph, notes: Path) -> None:
    """Where it lies, how much it holds, and that nothing waits."""
    said = vault_of(graph)
    assert (said["on"], said["root"], said["notes"]) == (True, str(notes), 2)
    assert (said["waiting"], said["behind"], said["conflicts"], said["watched"]) == (0, 0, 0, False)
    assert "problem" not in said
    assert faults(graph) == {}


def test_notes_that_wait_to_be_written_are_counted_and_the_command_is_named(graph: Graph, notes: Path) -> None:
    """Each once, however often it changed; looking at it writes nothing."""
    fresh = told(graph, "Steam burns.")
    for importance in (0.6, 0.7):
        graph.capture.update(UpdateRequest(id=fresh, importance=importance), graph.call("update"))
    before = {path: path.read_bytes() for path in notes.rglob("*") if path.is_file()}
    assert (vault_of(graph)["waiting"], vault_of(graph)["behind"]) == (1, 3)
    found = faults(graph)["vault_behind"]
    assert "to be written" in found.what
    assert "weft sync" in found.remedy
    assert not found.derived
    assert {path: path.read_bytes() for path in notes.rglob("*") if path.is_file()} == before
    synced(graph)
    assert vault_of(graph)["waiting"] == 0
    assert faults(graph) == {}


def test_an_edited_note_is_found_by_the_doctor(graph: Graph, notes: Path) -> None:
    """Status opens no note, so that it stays cheap; the doctor does."""
    (note,) = [path for path in notes.rglob("*.md") if "Ice melts" in path.read_text("utf-8")]
    note.write_text(note.read_text("utf-8").replace("Ice melts at 0", "Snow melts at 0"), "utf-8")
    head = graph.log.head()
    assert "to be read" in faults(graph)["vault_behind"].what
    assert graph.log.head() == head
    synced(graph)
    assert faults(graph) == {}


def test_what_only_waits_is_told_and_is_no_fault(graph: Graph, notes: Path) -> None:
    """Notes to write, notes to read, and notes in conflict: the graph is sound with them; a broken file is a fault."""
    told(graph, "Steam burns.")
    assert (set(faults(graph)), sound(graph)) == ({"vault_behind"}, True)
    (note,) = [path for path in notes.rglob("*.md") if "Ice melts" in path.read_text("utf-8")]
    note.write_text(note.read_text("utf-8").replace("Ice melts at 0", "Snow melts at 0"), "utf-8")
    node = next(id_ for id_ in _ids(graph) if f"id: {id_}\n" in note.read_text("utf-8"))
    graph.capture.update(UpdateRequest(id=node, content="Ice melts at 32 °F."), graph.call("update"))
    synced(graph)
    assert (set(faults(graph)), sound(graph)) == ({"vault_conflicts"}, True)
    (notes / "nodes" / "broken.md").write_text("---\ntitle: [\n---\nNothing.\n", "utf-8")
    assert not sound(graph)


def sound(graph: Graph) -> bool:
    """Return what the doctor says of the whole graph."""
    return graph.keeping.doctor(graph.call("doctor")).sound


def test_what_cannot_be_read_and_what_nobody_decided_is_named(graph: Graph, notes: Path) -> None:
    """With the file, and with what to do."""
    (note,) = [path for path in notes.rglob("*.md") if "Ice melts" in path.read_text("utf-8")]
    note.write_text(note.read_text("utf-8").replace("Ice melts at 0", "Snow melts at 0"), "utf-8")
    node = next(id_ for id_ in _ids(graph) if f"id: {id_}\n" in note.read_text("utf-8"))
    graph.capture.update(UpdateRequest(id=node, content="Ice melts at 32 °F."), graph.call("update"))
    (notes / "nodes" / "broken.md").write_text("---\ntitle: [\n---\nNothing.\n", "utf-8")
    assert "changed on both sides" in faults(graph)["vault_behind"].what
    synced(graph)
    found = faults(graph)
    assert set(found) == {"vault_unread", "vault_conflicts"}
    assert "broken.md" in found["vault_unread"].what
    assert "weft review" in found["vault_conflicts"].remedy
    assert vault_of(graph)["conflicts"] == 1


def test_a_vault_that_is_not_there_is_a_finding_and_status_says_so(graph: Graph, notes: Path) -> None:
    """Also where the setting itself is damaged; status answers all the same."""
    notes.rename(notes.with_name("away"))
    assert "not there" in vault_of(graph)["problem"]
    assert "a vault that cannot be kept" in graph.recall.status(graph.call("status")).verdict
    assert "weft vault" in faults(graph)["vault_missing"].remedy
    (setting,) = notes.parent.rglob("vault.json")
    setting.write_text("{", "utf-8")
    assert "cannot be read" in vault_of(graph)["problem"]
    assert set(faults(graph)) == {"vault_setting"}


def _ids(graph: Graph) -> list[str]:
    from weft.model import Filter, Page

    return [node.id for node in graph.store.find(Filter(), Page(limit=10)).nodes]


def test_a_vault_whose_folder_may_not_be_written_is_told_so_and_not_as_busy(graph: Graph, notes: Path) -> None:
    """What cannot be locked is held by nobody: neither a pass nor a server is made up."""
    setting = graph.vault.keeper_lock.parent
    for name in ("pass.lock", "keep.lock", "vault.json.new"):
        (setting / name).unlink(missing_ok=True)
        (setting / name).mkdir()
    for change in (synced, lambda of: of.vault.turn_off(of.call("vault_off"))):
        with pytest.raises(Unavailable, match=f"{setting} cannot be written"):
            change(graph)
    with pytest.raises(Unavailable, match=r"since .*vault\.json\.new cannot be written"):
        graph.vault.turn_on(notes, graph.call("vault"))
    assert vault_of(graph)["watched"] is False
    assert "cannot be written" in faults(graph)["vault_busy"].what
