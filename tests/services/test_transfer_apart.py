"""Two folders or files whose ids are the same: neither is written over by the other, and each is known again."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from services.travel import lay, port
from weft.model import SaveNode
from weft.testing.making import a_batch, changed, retired, saved

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from services.travel import Port


@pytest.fixture
def graph(tmp_path: Path) -> Iterator[Port]:
    """An empty graph."""
    with port(tmp_path / "graph.db") as opened:
        yield opened


def texts(graph: Port) -> dict[tuple[str, str], str]:
    """Return the text of every node by its ontology and title."""
    nodes = graph.opened.store.nodes(
        [node.id for title in ("Home", "Emma", "Bob") for node in graph.opened.store.resolve(title, limit=9)]
    )
    return {(node.ontology, node.title): node.content for node in nodes.values()}


def test_notes_of_two_vaults_may_have_one_name(graph: Port, tmp_path: Path) -> None:
    """The second vault's note is one of its own, comes in once, and is updated by its own vault alone."""
    private = lay(tmp_path / "private", {"Home.md": "The rent is due.", "Rent.md": "[[Home]]"})
    work = lay(tmp_path / "work", {"Home.md": "The team meets.", "Team.md": "[[Home]]"})
    graph.bring(private, "obsidian")
    assert graph.bring(work, "obsidian").nodes_made == 2
    assert texts(graph) == {("private", "Home"): "The rent is due.", ("work", "Home"): "The team meets."}
    assert graph.node("obsidian:Home").ontology == "private"
    assert graph.node("obsidian:work:Home").ontology == "work"
    team = graph.node("Team").id
    (relation,) = [each for each in graph.relations() if team in {each.source, each.target}]
    assert graph.node("obsidian:work:Home").id in {relation.source, relation.target}
    for place in (private, work):
        assert graph.bring(place, "obsidian").nodes_known == 2
    lay(work, {"Home.md": "The team meets on Mondays."})
    assert graph.bring(work, "obsidian").nodes_updated == 1
    assert texts(graph)["private", "Home"] == "The rent is due."
    assert texts(graph)["work", "Home"] == "The team meets on Mondays."


def test_rows_of_two_tables_may_have_one_number(graph: Port, tmp_path: Path) -> None:
    """Row 2 of the people is not what has become of row 2 of the books."""
    place = lay(
        tmp_path / "tables",
        {
            "books.csv": "id,title,text\n1,Moby Dick,A whale.\n2,Emma,A match maker.\n",
            "people.csv": "id,title,text\n1,Ada,Writes code.\n2,Bob,Cooks.\n",
        },
    )
    graph.bring(place / "books.csv", "csv")
    assert graph.bring(place / "people.csv", "csv").nodes_made == 2
    assert texts(graph) == {("books", "Emma"): "A match maker.", ("people", "Bob"): "Cooks."}


def test_what_was_forgotten_of_one_vault_does_not_keep_another_s_out(graph: Port, tmp_path: Path) -> None:
    """It stays forgotten itself."""
    private = lay(tmp_path / "private", {"Home.md": "The rent is due."})
    work = lay(tmp_path / "work", {"Home.md": "The team meets."})
    graph.bring(private, "obsidian")
    graph.opened.store.commit(a_batch(SaveNode(node=retired(graph.node("Home")), expect=1)))
    assert graph.bring(work, "obsidian").nodes_made == 1
    assert graph.bring(private, "obsidian").nodes_forgotten == 1
    assert texts(graph) == {("work", "Home"): "The team meets."}


def test_a_vault_that_was_renamed_is_the_same_one(graph: Port, tmp_path: Path) -> None:
    """Its notes stand here, but for those that changed: these are updated, beside those of a second vault too."""
    notes = {"Home.md": "The rent is due.", "Emma.md": "A friend.", "Bob.md": "A cook."}
    graph.bring(lay(tmp_path / "private", {"Home.md": "Another house."}), "obsidian")
    graph.bring(lay(tmp_path / "2025", notes), "obsidian")
    came = graph.bring(lay(tmp_path / "2026", {**notes, "Home.md": "The rent is paid."}), "obsidian")
    assert (came.nodes_known, came.nodes_updated, came.nodes_made) == (2, 1, 0)
    assert texts(graph)["2025", "Home"] == "The rent is paid."
    assert texts(graph)["private", "Home"] == "Another house."


def test_a_node_that_was_put_into_another_ontology_here_is_still_that_of_its_note(graph: Port, tmp_path: Path) -> None:
    """Moving it is a change made here, so its text is kept."""
    place = lay(tmp_path / "private", {"Home.md": "The rent is due."})
    graph.bring(place, "obsidian")
    graph.opened.store.commit(a_batch(saved(changed(graph.node("Home"), ontology="money"))))
    lay(place, {"Home.md": "The rent is paid."})
    came = graph.bring(place, "obsidian")
    assert (came.nodes_made, came.nodes_kept) == (0, 1)


def test_a_later_export_under_another_name_brings_only_what_is_new(graph: Port, tmp_path: Path) -> None:
    """However much has come to it; what changed since is updated."""
    rows = [f"0000-{at},Row {at},Text {at}\n" for at in range(40)]
    place = lay(
        tmp_path / "tables",
        {
            "in-2024.csv": "id,title,text\n" + "".join(rows[:10]),
            "in-2026.csv": "id,title,text\n0000-0,Row 0,Other words\n" + "".join(rows[1:]),
        },
    )
    graph.bring(place / "in-2024.csv", "csv")
    came = graph.bring(place / "in-2026.csv", "csv")
    assert (came.nodes_known, came.nodes_updated, came.nodes_made) == (9, 1, 30)


def test_two_vaults_may_share_their_templates(graph: Port, tmp_path: Path) -> None:
    """What both have word for word is there once; a note of one name and another text is not written over."""
    shared = {f"Templates/T{at}.md": f"Template {at}." for at in range(5)}
    notes = {f"N{at}.md": f"Note {at}." for at in range(20)}
    graph.bring(lay(tmp_path / "private", {**shared, **notes, "Home.md": "The rent is due."}), "obsidian")
    others = {f"W{at}.md": "Work." for at in range(20)}
    came = graph.bring(lay(tmp_path / "work", {**shared, **others, "Home.md": "The team meets."}), "obsidian")
    assert (came.nodes_known, came.nodes_updated, came.nodes_made) == (5, 0, 21)


def test_what_was_imported_and_undone_comes_in_again_and_what_was_forgotten_then_does_not(
    graph: Port, tmp_path: Path
) -> None:
    """Who takes an import back has forgotten nothing; the newest of two nodes that left says what holds."""
    place = lay(tmp_path / "vault", {"Home.md": "The rent is due."})
    for made in (1, 1):
        assert graph.bring(place, "obsidian").nodes_made == made
        leaving = a_batch(SaveNode(node=retired(graph.node("Home")), expect=1))
        graph.opened.store.commit(replace(leaving, call=graph.call(tool="undo")))
    assert graph.bring(place, "obsidian").nodes_made == 1
    graph.opened.store.commit(a_batch(SaveNode(node=retired(graph.node("Home")), expect=1)))
    came = graph.bring(place, "obsidian")
    assert (came.nodes_made, came.nodes_forgotten) == (0, 1)
