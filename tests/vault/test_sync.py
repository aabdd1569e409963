"""What people do with files, and what becomes of it in the graph."""

from __future__ import annotations

import os
import shutil
import unicodedata
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from vault.shelf import desk
from weft.errors import InvalidArgument, PermissionDenied, Unavailable
from weft.model import SaveNode, SaveRelation, SaveSuggestion, Status, SuggestionState, Tier
from weft.testing.making import a_node, a_relation, changed, saved
from weft.vault.folder import digest_of
from weft.vault.place import place_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vault.shelf import Desk
    from weft.model import Node


@pytest.fixture
def graph(tmp_path: Path) -> Iterator[Desk]:
    """An empty graph with its vault on."""
    with desk(tmp_path) as held:
        yield held


@pytest.fixture
def pair(graph: Desk) -> tuple[Node, Node]:
    """Two mirrored nodes that a relation joins."""
    one, two = a_node("Water boils at 100 °C"), a_node("Steam is hot", kind="concept")
    graph.write(saved(one), saved(two), SaveRelation(relation=a_relation(one, two), expect=0))
    graph.sync()
    return one, two


def test_an_edited_text_becomes_a_change_by_vault(graph: Desk, pair: tuple[Node, Node]) -> None:
    """Only what was edited changes; the log says who did it, and undo takes it back, in the file too."""
    graph.edit(pair[0], "It was measured.", "It was measured twice.")
    told = graph.sync()
    node = graph.node(pair[0])
    assert (told.nodes_changed, told.conflicts, told.unread) == (1, (), ())
    assert (node.content, node.title, node.modified_by) == (
        "Water boils at 100 °C. It was measured twice.",
        pair[0].title,
        "vault",
    )
    assert graph.opened.log.history(node.id, limit=1)[0].actor == "vault"
    graph.undo(told.batches[0])
    graph.sync()
    assert "twice" not in graph.file(node).read_text()


def test_every_field_that_may_be_edited_is_read(graph: Desk, pair: tuple[Node, Node]) -> None:
    """Title, kind, tags, aliases, references, status, confidence, importance, ontology, citation, session."""
    file = graph.edit(pair[0], "confidence: 0.8\nimportance: 0.5\nontology: main\n", "ontology: physics\n")
    text = file.read_text().replace("type: claim", "type: Code Pattern").replace("title: Water", "title: 'Hot: water")
    text = text.replace("100 °C\n", "100 °C'\n", 1).replace("status: active", "status: superseded")
    more = "tags: [a, 'b: c', a]\naliases:\n- H2O\nreferences: [src/a.py]\ncitation: doi:1\nsession: s1\n"
    file.write_text(text.replace("origin:", f"{more}importance: 1\nconfidence: 1.0\nsearch_terms: [x]\norigin:"))
    told = graph.sync()
    node = graph.node(pair[0])
    assert told.unread == ()
    assert (node.title, node.kind, node.tags, node.aliases) == (
        "Hot: water boils at 100 °C",
        "code_pattern",
        ("a", "b: c"),
        ("H2O",),
    )
    assert (node.references, node.citation, node.session) == (("src/a.py",), "doi:1", "s1")
    assert (node.status, node.confidence, node.importance) == (Status.SUPERSEDED, 1.0, 1.0)
    assert (node.ontology, node.search_terms) == ("physics", ("x",))
    assert graph.file(node).parent.name == "code_patterns"
    assert not graph.sync().changed


@pytest.mark.usefixtures("pair")
def test_a_new_note_becomes_a_node_and_gets_its_id(graph: Desk) -> None:
    """Without an id it is new: its folder or its front matter says the kind, and its relations are made by title."""
    fresh = graph.root / "nodes" / "decisions" / "cool it.md"
    fresh.parent.mkdir(exist_ok=True)
    relations = "relations:\n- type: RELATED_TO\n  target: Steam is hot\n- {type: uses, target: Not there yet}\n"
    fresh.write_text(f"---\n# mine\ncolor: blue\n{relations}---\n# Cool it\n\nWith care.")
    told = graph.sync()
    node = graph.titled("Cool it")
    assert (told.nodes_made, told.relations_made) == (1, 1)
    assert [(each.path, "not there" in each.reason.lower()) for each in told.unread] == [
        ("nodes/decisions/cool it.md", True)
    ]
    assert (node.kind, node.content, node.created_by) == ("decision", "# Cool it\n\nWith care.", "vault")
    text = fresh.read_text()
    assert f"id: {node.id}\n" in text
    assert "color: blue\n" in text
    assert "target: Not there yet" in text
    graph.edit(node, "With care.", "With much care.")
    graph.write(saved(a_node("Not there yet")))
    assert graph.sync().relations_made == 1
    assert len(graph.relations(node)) == 2
    assert not graph.sync().changed


def test_a_note_beside_the_folder_of_notes_is_told_and_left_alone(graph: Desk) -> None:
    """Obsidian makes new ones there; a README is no note, and nor is what Obsidian keeps for itself."""
    for name in ("Stray.md", "README.md", ".obsidian/app.json", "board.canvas"):
        (graph.root / name).parent.mkdir(exist_ok=True)
        (graph.root / name).write_text("Text.")
    told = graph.sync()
    assert [(each.path, "move it there" in each.reason) for each in told.unread] == [("Stray.md", True)]
    assert (told.nodes_made, (graph.root / "Stray.md").read_text()) == (0, "Text.")


@pytest.mark.usefixtures("pair")
def test_a_relation_to_what_is_not_there_yet_is_made_when_it_is_there(graph: Desk) -> None:
    """Nobody edits a note for it: that the graph has a new node is reason enough to try again."""
    file = graph.root / "nodes" / "early.md"
    file.write_text("---\ntitle: Early\nrelations:\n- {type: uses, target: Late}\n---\nIt comes first.")
    graph.sync()
    graph.write(saved(a_node("Late")))
    told = graph.sync()
    assert (told.relations_made, told.unread) == (1, ())
    ((made,), late) = graph.relations(graph.titled("Early")), graph.titled("Late")
    assert (made.type, made.target) == ("uses", late.id)
    assert f"target: {late.id}" in graph.file(graph.titled("Early")).read_text()
    assert not graph.sync().changed


def test_an_id_of_another_system_becomes_a_handle(graph: Desk) -> None:
    """A record as cognitive-memory and Autology write it is taken in as it is, and relations find it by that id."""
    for name, id_, target in (("a", "decision-123", "component-456"), ("b", "component-456", "decision-123")):
        file = graph.root / "nodes" / f"{name}.md"
        file.parent.mkdir(exist_ok=True)
        file.write_text(
            f'---\nid: {id_}\ntype: decision\ntitle: "Note {name}"\nupdated: "2026-03-01T04:13:10.207790+00:00"\n'
            f"relations:\n  - type: affects\n    target: {target}\n    confidence: 0.85\n---\n\nText {name}"
        )
    told = graph.sync()
    node = graph.titled("Note a")
    assert (told.nodes_made, told.unread) == (2, ())
    assert (node.handles, node.modified_at.year) == (("decision-123",), 2026)
    assert {(each.type, each.confidence) for each in graph.relations(node)} == {("affects", 0.85)}
    assert len(graph.relations(node)) == 2


def test_a_note_of_the_open_knowledge_format_is_taken_in(graph: Desk) -> None:
    """Only ``type`` is asked for; its own keys are kept."""
    file = graph.root / "nodes" / "tables" / "orders.md"
    file.parent.mkdir(parents=True)
    front = "type: BigQuery Table\ndescription: all orders\nstatus: draft\n"
    front += "generated: {by: human:ann, at: 2026-01-02T03:04:05Z}\n"
    file.write_text(f"---\n{front}sources:\n- id: s1\n  resource: a.md\n---\n# Orders\n\nOne row an order.")
    assert graph.sync().unread == ()
    node = graph.titled("Orders")
    assert (node.status, node.modified_at.isoformat()) == (Status.NEEDS_REVIEW, "2026-01-02T03:04:05+00:00")
    assert "bigquery table" in node.tags
    text = file.read_text()
    assert "description: all orders\n" in text
    assert "sources:\n- id: s1\n  resource: a.md\n" in text
    assert "generated: {by: human:ann, at: 2026-01-02T03:04:05Z}\n" in text


def test_a_deleted_file_retires_its_node_and_undo_brings_both_back(graph: Desk, pair: tuple[Node, Node]) -> None:
    """Nothing is erased: the batch takes the node out with its relations, and undo puts all of it back."""
    graph.file(pair[0]).unlink()
    told = graph.sync()
    assert (told.nodes_retired, told.relations_removed) == (1, 1)
    assert graph.node(pair[0]).retired is not None
    assert "relations:" not in graph.file(pair[1]).read_text()
    graph.undo(told.batches[0])
    graph.sync()
    assert graph.file(pair[0]).exists()
    assert len(graph.relations(pair[0])) == 1
    assert not graph.sync().changed


def test_a_file_that_comes_back_brings_its_node_back(graph: Desk, pair: tuple[Node, Node]) -> None:
    """Another branch was looked at: the file went and came, and so do the node and its relation, ids and all."""
    file = graph.file(pair[0])
    text, relation = file.read_bytes(), graph.relations(pair[0])[0]
    file.unlink()
    graph.sync()
    file.write_bytes(text)
    told = graph.sync()
    assert (told.nodes_returned, told.unread) == (1, ())
    assert graph.node(pair[0]).retired is None
    assert graph.relations(pair[0])[0].id == relation.id
    assert not graph.sync().changed


def test_what_was_forgotten_in_the_graph_does_not_come_back_by_itself(graph: Desk, pair: tuple[Node, Node]) -> None:
    """An old copy of its file is reported and left alone."""
    file = graph.file(pair[1])
    text = file.read_bytes()
    graph.vault.sync(graph.call())
    from weft.services.forgetting import forget

    forget(graph.opened.store, graph.opened.shelf, pair[1].id, graph.call(), reason="wrong", confirm=True)
    graph.sync()
    assert not file.exists()
    file.write_bytes(text)
    told = graph.sync()
    assert "forgotten in the graph" in told.unread[0].reason
    assert graph.node(pair[1]).retired is not None
    assert file.read_bytes() == text


def test_a_note_that_lost_its_front_matter_stays_the_note_it_was(graph: Desk, pair: tuple[Node, Node]) -> None:
    """An editor that had not seen the id saves its own text: the text counts, everything else stays."""
    file = graph.file(pair[0])
    file.write_text("Only the text.\n")
    told = graph.sync()
    node = graph.node(pair[0])
    assert (told.nodes_made, told.nodes_changed, told.relations_removed, told.unread) == (0, 1, 0, ())
    assert (node.content, node.title, len(graph.relations(node))) == ("Only the text.", pair[0].title, 1)
    assert f"id: {node.id}\n" in file.read_text()
    file.write_text(file.read_text().replace("---\n\nOnly", "\n\nOnly").replace("Only the", "Half the"))
    assert "no end" in graph.sync().unread[0].reason
    assert graph.node(pair[0]).content == "Only the text."


def test_moves_and_renames_are_known_by_the_id(graph: Desk, pair: tuple[Node, Node]) -> None:
    """A note may lie and be called as people like; it stays there."""
    file = graph.file(pair[0])
    there = graph.root / "nodes" / "my own" / unicodedata.normalize("NFD", "Wärme.md")
    there.parent.mkdir()
    file.rename(there)
    told = graph.sync()
    assert (told.moved, told.nodes_retired, told.nodes_made, told.unread) == (1, 0, 0, ())
    graph.write(SaveNode(node=changed(graph.node(pair[0]), title="Water boils", kind="decision"), expect=1))
    graph.sync()
    assert graph.file(pair[0]) == there
    assert "title: Water boils\n" in there.read_text()
    assert not graph.sync().changed


def test_a_note_is_kept_up_under_the_longest_name_that_a_system_takes(graph: Desk, pair: tuple[Node, Node]) -> None:
    """Names are counted in bytes: 84 letters of Japanese are as many as may be, with nothing before or behind them."""
    file = graph.file(pair[0])
    there = file.rename(file.with_name(f"{'語' * 84}.md"))
    graph.sync()
    graph.write(SaveNode(node=changed(graph.node(pair[0]), title="Water boils"), expect=1))
    told = graph.sync()
    assert (told.unread, told.written) == ((), 1)
    assert "title: Water boils\n" in there.read_text()
    graph.edit(pair[0], "It was measured.", "It was guessed.")
    graph.write(saved(changed(graph.node(pair[0]), content="Water boils at 100 °C. It was calculated.")))
    (conflict,) = graph.sync().conflicts
    assert "It was guessed." in (graph.root / conflict.copy).read_text()
    assert "It was calculated." in there.read_text()


def test_a_copy_that_nobody_was_asked_about_is_asked_about(graph: Desk, pair: tuple[Node, Node]) -> None:
    """So it lies there where a pass was killed before it had asked, and the note was saved once more since."""
    body = graph.file(pair[0]).read_bytes().replace(b"measured", b"guessed")
    copy = f"conflicts/water-{digest_of(body)[:16]}.md"
    (graph.root / "conflicts").mkdir()
    (graph.root / copy).write_bytes(body)
    graph.sync()
    (item,) = graph.conflicts()
    assert copy in item.summary
    assert item.subjects == (pair[0].id,)
    assert not graph.sync().changed
    (graph.root / copy).write_text("Somebody works on it.")
    (graph.root / "conflicts" / "mine.md").write_bytes(body)
    graph.sync()
    assert graph.conflicts() == (item,)


def test_what_was_decided_on_a_copy_is_not_asked_again(graph: Desk, pair: tuple[Node, Node]) -> None:
    """Though the copy still lies there."""
    graph.edit(pair[0], "It was measured.", "It was guessed.")
    graph.write(saved(changed(graph.node(pair[0]), content="Water boils at 100 °C. It was calculated.")))
    graph.sync()
    (item,) = graph.conflicts()
    graph.write(SaveSuggestion(suggestion=replace(item, state=SuggestionState.DISMISSED, version=2), expect=1))
    graph.sync()
    assert graph.conflicts() == ()
    assert list((graph.root / "conflicts").glob("*.md"))


def test_a_copy_of_a_note_is_told_and_left_alone(graph: Desk, pair: tuple[Node, Node]) -> None:
    """Two files of one id: the one that was there stays the note."""
    file = graph.file(pair[0])
    copy = file.with_name("copy.md")
    copy.write_bytes(file.read_bytes().replace(b"measured", b"guessed"))
    told = graph.sync()
    assert "has the id of" in told.unread[0].reason
    assert "guessed" in copy.read_text()
    assert "guessed" not in graph.node(pair[0]).content


def test_both_sides_are_kept_where_both_changed(graph: Desk, pair: tuple[Node, Node]) -> None:
    """The note shows the graph's side, a copy keeps the other, and one item asks until the copy is gone."""
    graph.edit(pair[0], "It was measured.", "It was guessed.")
    node = changed(graph.node(pair[0]), content="Water boils at 100 °C. It was calculated.")
    graph.write(saved(node))
    told = graph.sync()
    (conflict,) = told.conflicts
    copy = graph.root / conflict.copy
    assert "It was guessed." in copy.read_text()
    assert "It was calculated." in graph.file(pair[0]).read_text()
    assert graph.node(pair[0]).content.endswith("It was calculated.")
    (item,) = graph.conflicts()
    assert conflict.copy in item.summary
    assert graph.vault.status().conflicts == 1
    assert not graph.sync().changed
    copy.unlink()
    graph.sync()
    assert graph.conflicts() == ()
    closed = graph.opened.log.history(item.id, limit=1)[0].after
    assert closed is not None
    assert closed["state"] == SuggestionState.DISMISSED.value


def test_changes_of_different_fields_are_brought_together(graph: Desk, pair: tuple[Node, Node]) -> None:
    """No conflict where each side changed something else."""
    graph.edit(pair[0], "It was measured.", "It was guessed.")
    graph.write(SaveNode(node=changed(graph.node(pair[0]), confidence=0.3), expect=1))
    told = graph.sync()
    assert told.conflicts == ()
    node = graph.node(pair[0])
    assert (node.confidence, node.content) == (0.3, "Water boils at 100 °C. It was guessed.")
    assert "confidence: 0.3\n" in graph.file(node).read_text()


def test_an_editor_that_saves_an_old_text_overwrites_nothing(graph: Desk, pair: tuple[Node, Node]) -> None:
    """The note says what it was edited from: what came since is a conflict, not lost, and its relations stay."""
    old = graph.file(pair[0]).read_text()
    third = a_node("Ice is cold")
    node = changed(graph.node(pair[0]), content="Water boils at 100 °C. It was calculated.")
    graph.write(saved(third), saved(node), SaveRelation(relation=a_relation(node, third), expect=0))
    graph.sync()
    graph.file(pair[0]).write_text(old.replace("It was measured.", "It was guessed."))
    told = graph.sync()
    assert len(told.conflicts) == 1
    assert graph.node(pair[0]).content.endswith("It was calculated.")
    assert len(graph.relations(node)) == 2
    graph.file(pair[0]).write_text(old)
    told = graph.sync()
    assert (told.conflicts, told.nodes_changed, told.relations_removed) == ((), 0, 0)
    assert "It was calculated." in graph.file(pair[0]).read_text()


def test_what_a_clone_changed_is_taken_where_nothing_changed_here(
    graph: Desk, pair: tuple[Node, Node], tmp_path: Path
) -> None:
    """As a pull brings it, with a revision that this graph never had; where that came since, it is still a conflict."""
    shutil.copytree(graph.root, tmp_path / "clone" / "vault")
    with desk(tmp_path / "clone") as clone:
        clone.sync()
        for node in pair:
            clone.edit(node, "It was measured.", "It was measured twice.")
        clone.sync()
        pulled = {graph.file(node): clone.file(node).read_text() for node in pair}
    later = graph.call().at + timedelta(hours=1)
    here = changed(graph.node(pair[1]), content="Steam is hot. It was guessed.", modified_at=later)
    graph.write(saved(here))
    graph.sync()
    for file, text in pulled.items():
        file.write_text(text)
    told = graph.sync()
    assert (told.nodes_changed, len(told.conflicts)) == (1, 1)
    assert graph.node(pair[0]).content.endswith("It was measured twice.")
    assert graph.node(pair[1]).content == here.content


def test_relations_are_edited_in_a_note(graph: Desk, pair: tuple[Node, Node]) -> None:
    """A line that is taken out takes the relation out, a new strength counts, and a new entry makes one."""
    graph.edit(pair[0], "strength: 0.8", "strength: 0.55")
    assert graph.sync().relations_changed == 1
    assert graph.relations(pair[0])[0].confidence == 0.55
    assert "strength: 0.55" in graph.file(pair[1]).read_text()
    text = graph.file(pair[1]).read_text()
    begin, end = text.index("relations:\n"), text.index("revision:")
    graph.file(pair[1]).write_text(text[:begin] + text[end:])
    told = graph.sync()
    assert told.relations_removed == 1
    assert graph.relations(pair[0]) == ()
    assert "relations:" not in graph.file(pair[0]).read_text()
    graph.edit(
        pair[0], "revision:", f"relations:\n- {{type: implies, target: {pair[1].id}, direction: incoming}}\nrevision:"
    )
    assert graph.sync().relations_made == 1
    (relation,) = graph.relations(pair[0])
    assert (relation.source, relation.type) == (pair[1].id, "implies")


def test_below_librarian_a_pass_takes_nothing_out(graph: Desk, pair: tuple[Node, Node]) -> None:
    """Deleting and unrelating by file need what they need everywhere; it is told, and the file comes back."""
    graph.file(pair[0]).unlink()
    told = graph.sync(tier=Tier.CONTRIBUTOR)
    assert "librarian" in told.unread[0].reason
    assert graph.node(pair[0]).retired is None
    with pytest.raises(PermissionDenied):
        graph.sync(tier=Tier.READER)


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (lambda body: body.replace(b"title: ", b"title: [", 1), "front matter"),
        (lambda body: body.replace(b"type: claim", b"type: nonsense", 1), "nonsense"),
        (lambda body: body.replace(b"confidence: 0.8", b"confidence: 7", 1), "no number"),
        (lambda body: body + b"\xff\xfe", "UTF-8"),
        (lambda _: b"", "empty"),
        (lambda body: body.replace(b"Water boils at 100 \xc2\xb0C. It was measured.", b""), "says nothing"),
        (lambda body: body + b"<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\n", "merge"),
        (lambda body: body.replace(b"status: active", b"status: active\nstatus: active"), "twice"),
        (lambda body: body.replace(b"id: ", b"x: &a 1\ny: *a\nid: ", 1), "anchors"),
    ],
)
def test_what_cannot_be_read_is_told_and_left_alone(graph: Desk, spoil, reason: str) -> None:  # type: ignore[no-untyped-def] # noqa: ANN001
    """The node stays as it was, the file too, whatever the graph does meanwhile; mended, it is read."""
    node = a_node("Water boils at 100 °C")
    graph.write(saved(node))
    graph.sync()
    file = graph.file(node)
    good = file.read_bytes()
    spoilt = spoil(good)
    file.write_bytes(spoilt)
    told = graph.sync()
    assert reason in told.unread[0].reason
    graph.write(SaveNode(node=changed(graph.node(node), confidence=0.1), expect=1))
    assert graph.sync().unread_total == 1
    assert file.read_bytes() == spoilt
    assert graph.node(node).content == node.content
    file.write_bytes(good.replace(b"measured", b"weighed"))
    assert graph.sync().unread == ()
    assert graph.node(node).content.endswith("weighed.")
    assert "confidence: 0.1\n" in file.read_text()


@pytest.mark.parametrize(
    "dress",
    [
        lambda text: "\ufeff" + text,
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text.rstrip("\n"),
        lambda text: unicodedata.normalize("NFD", text),
        lambda text: text + "\n\n",
        lambda text: text.replace("confidence: 0.8", "confidence: 0.80"),
    ],
)
def test_how_a_file_is_dressed_is_no_change(graph: Desk, dress) -> None:  # type: ignore[no-untyped-def] # noqa: ANN001
    """Byte order marks, line ends, the last newline, composed letters: the node stays as it is."""
    node = a_node("Café: 100 °C — 🥐", content="one --- two\n---\nthree: Café\n\n# four")
    graph.write(saved(node))
    graph.sync()
    file = graph.file(node)
    file.write_bytes(dress(file.read_text()).encode())
    told = graph.sync()
    assert (told.nodes_changed, told.conflicts, told.unread) == (0, (), ())
    assert graph.node(node) == node


def test_nothing_outside_the_vault_is_read_or_written(graph: Desk, tmp_path: Path) -> None:
    """Links, hard links and pipes are told; paths in front matter mean nothing."""
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.md").write_text("# Secret\n\nkeep out")
    nodes = graph.root / "nodes"
    nodes.mkdir(exist_ok=True)
    (nodes / "link.md").symlink_to(outside / "secret.md")
    (nodes / "folder").symlink_to(outside)
    os.link(outside / "secret.md", nodes / "hard.md")
    os.mkfifo(nodes / "pipe.md")
    (nodes / "sly.md").write_text("---\npath: ../../outside/x.md\nfile: /etc/passwd\n---\nSly text")
    told = graph.sync()
    assert sorted(each.path for each in told.unread) == [
        "nodes/folder", "nodes/hard.md", "nodes/link.md", "nodes/pipe.md",
    ]  # fmt: skip
    assert [node.content for node in graph.standing()] == ["Sly text"]
    assert sorted(path.name for path in outside.iterdir()) == ["secret.md"]


def test_a_relation_that_waits_in_a_note_is_told_until_it_is_made(graph: Desk) -> None:
    """A pass in which nothing else happens names it too; the pass that makes it is the last to tell."""
    note = graph.root / "nodes" / "claims" / "ice.md"
    note.parent.mkdir(parents=True)
    note.write_text("---\ntitle: Ice\nrelations:\n- type: supports\n  target: Steam\n---\n\nIt is cold.\n")
    for told in (graph.sync(), graph.sync(), graph.sync()):
        (waiting,) = told.unread
        assert "«Steam» names no node" in waiting.reason
    graph.write(saved(a_node("Steam")))
    made = graph.sync()
    assert (made.relations_made, made.unread) == (1, ())
    assert not graph.sync().unread


def test_a_folder_that_leads_out_is_never_written_through(graph: Desk, tmp_path: Path) -> None:
    """Somebody put a link where notes go: nothing is written there."""
    outside = tmp_path / "outside"
    outside.mkdir()
    (graph.root / "nodes").mkdir()
    (graph.root / "nodes" / "claims").symlink_to(outside)
    graph.write(saved(a_node("Water")))
    told = graph.sync()
    assert "symbolic link" in " ".join(each.reason for each in told.unread)
    assert list(outside.iterdir()) == []
    (graph.root / "nodes" / "claims").unlink()
    graph.sync()
    assert len(graph.notes()) == 1


def test_a_dry_run_tells_and_changes_nothing(graph: Desk, pair: tuple[Node, Node]) -> None:
    """Files and graph stay as they are; the pass that follows does what was told."""
    graph.edit(pair[0], "It was measured.", "It was guessed.")
    graph.file(pair[1]).unlink()
    (graph.root / "nodes" / "new.md").write_text("something new")
    files, head = graph.files(), graph.opened.log.head()
    told = graph.sync(dry_run=True)
    assert (told.nodes_made, told.nodes_changed, told.nodes_retired) == (1, 1, 1)
    assert (graph.files(), graph.opened.log.head()) == (files, head)
    done = graph.sync()
    assert (done.nodes_made, done.nodes_changed, done.nodes_retired) == (1, 1, 1)


def test_a_vault_that_is_not_there_retires_nothing(graph: Desk, pair: tuple[Node, Node]) -> None:
    """A disk that is not mounted, a folder that was moved: an error, and the nodes stand."""
    graph.root.rename(graph.root.with_name("elsewhere"))
    with pytest.raises(Unavailable):
        graph.sync()
    assert graph.node(pair[0]).retired is None


def test_all_notes_gone_at_once_retires_nothing(graph: Desk) -> None:
    """Ten and more that vanish together are not taken for a wish; it is told."""
    nodes = [a_node(f"Claim {at}") for at in range(12)]
    graph.write(*(saved(node) for node in nodes))
    graph.sync()
    for file in graph.notes():
        file.unlink()
    told = graph.sync()
    assert "all 12 notes are gone" in told.unread[0].reason
    assert len(graph.standing()) == 12


def test_a_source_never_changes(graph: Desk) -> None:
    """An edited source is told and left; deleted, it is written again."""
    from weft.model import SaveSource
    from weft.testing.making import a_source

    graph.write(SaveSource(source=a_source()))
    graph.sync()
    (file,) = (graph.root / "sources").glob("*.md")
    good = file.read_bytes()
    file.write_bytes(good.replace(b"sea level", b"any level"))
    assert "stays as it was said" in graph.sync().unread[0].reason
    file.unlink()
    graph.sync()
    assert file.read_bytes() == good


def test_a_record_that_came_by_git_is_taken_in_line_by_line(graph: Desk, pair: tuple[Node, Node]) -> None:
    """A broken line is told with its number, and takes nothing out; the others count."""
    (file,) = [path for path in (graph.root / "records").rglob("*.jsonl") if pair[0].id in path.name]
    line = file.read_text()
    other = line.replace('"supports"', '"refutes"').replace(graph.relations(pair[0])[0].id, "another-id")
    file.write_text("<<<<<<< HEAD\n" + other)
    told = graph.sync()
    assert [(each.line, each.path.startswith("records/")) for each in told.unread] == [(1, True)]
    assert {each.type for each in graph.relations(pair[0])} == {"supports", "refutes"}


def test_the_vault_is_off_until_it_is_turned_on(graph: Desk) -> None:
    """Off means off: nothing is mirrored, and the files stay."""
    graph.write(saved(a_node("Water")))
    graph.sync()
    graph.vault.turn_off(graph.call())
    with pytest.raises(InvalidArgument):
        graph.sync()
    assert len(graph.notes()) == 1
    assert not graph.vault.status().on


def test_a_vault_is_never_the_graphs_own_folder(tmp_path: Path) -> None:
    """The database lies outside of what goes into git."""
    with desk(tmp_path / ".weft", root=tmp_path / "vault") as graph, pytest.raises(InvalidArgument):
        graph.vault.turn_on(tmp_path / ".weft" / "notes", graph.call())


def test_two_graphs_never_share_a_vault_unasked(tmp_path: Path) -> None:
    """The project's own graph has ``vault``, others add their names."""
    places = [
        place_of(tmp_path / folder / f"{name}.db")
        for folder, name in ((".weft", "graph"), (".weft", "b"), ("x", "graph"))
    ]
    assert [str(each.usual) for each in places] == ["vault", "vault-b", "vault-graph"]


def test_the_vault_of_a_graph_on_a_server_is_called_as_its_database(tmp_path: Path) -> None:
    """Cleaned, so that no name leads anywhere; what the file that stands for it is called tells nobody anything."""
    stands = tmp_path / ".weft" / "servers" / "0123456789abcdef.db"
    names = ("Team Notes", "../../etc", "größe_1", "", "/", "x" * 200)
    told = [str(place_of(stands, name).usual) for name in names]
    assert told[:3] == ["vault-team-notes", "vault-etc", "vault-größe-1"]
    assert told[3:5] == ["vault-0123456789abcdef"] * 2
    assert len(told[5]) < 80


def test_a_folder_that_bears_the_old_name_is_kept_to(tmp_path: Path) -> None:
    """So is the one that was chosen before; a folder of that name without the mark is none of ours."""
    place = place_of(tmp_path / ".weft" / "servers" / "0123456789abcdef.db", "notes")
    (tmp_path / "vault-0123456789abcdef").mkdir()
    assert str(place.usual) == "vault-notes"
    place.turn_on(Path("vault-0123456789abcdef"))
    assert str(place.usual) == "vault-0123456789abcdef"


def test_graphs_of_one_name_have_vaults_of_their_own(tmp_path: Path) -> None:
    """Two servers with a database of one name, and a file: whoever comes second has letters added, and keeps them."""
    one, two = (place_of(tmp_path / ".weft" / "servers" / f"{digest}.db", "notes") for digest in ("0" * 16, "1" * 16))
    assert one.turn_on(one.usual) == tmp_path / "vault-notes"
    second = two.turn_on(two.usual)
    assert second.name.startswith("vault-notes-")
    file = place_of(tmp_path / ".weft" / "notes.db")
    assert file.turn_on(file.usual).name.startswith("vault-notes-")
    (tmp_path / ".weft" / "notes.db").touch()
    assert len({str(each.usual) for each in (one, two, file)}) == 3
    one.turn_off()
    assert (one.usual, two.usual) == (Path("vault-notes"), Path(second.name))


def test_the_vault_of_a_graph_on_a_server_lies_in_the_project_too(tmp_path: Path) -> None:
    """Not among what the project's graphs keep for themselves; a file in a folder of that name has its own there."""
    remote, local = (place_of(tmp_path / folder / "servers" / "b.db") for folder in (".weft", "x"))
    assert remote.turn_on(remote.usual) == tmp_path / "vault-b"
    assert local.turn_on(local.usual) == tmp_path / "x" / "servers" / "vault-b"
    for within in ("notes", "servers/notes"):
        with pytest.raises(InvalidArgument):
            remote.turn_on(tmp_path / ".weft" / within)
