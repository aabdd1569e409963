"""Tags in the text of a note: read, followed when they come and go, and never written twice."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from vault.shelf import desk
from weft.formats import vault_note
from weft.reason.blanking import Blank
from weft.testing.making import a_node, changed, saved
from weft.vault import shaping
from weft.vault.folder import digest_of
from weft.vault.memory import Memory, Mirrored

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from vault.shelf import Desk
    from weft.model import Node

BODY = (
    "# Key rotation\n\nKeys turn every hour, see #123. #project/alpha\n\n    #include <keys.h>\n\n[more](#no) #Auth\n"
)


@pytest.fixture
def graph(tmp_path: Path) -> Iterator[Desk]:
    """An empty graph with its vault on."""
    with desk(tmp_path) as held:
        yield held


def _written(graph: Desk, text: str) -> Path:
    file = graph.root / "nodes" / "keys.md"
    file.parent.mkdir(exist_ok=True)
    file.write_text(text, encoding="utf-8")
    told = graph.sync()
    assert (told.nodes_made, told.unread) == (1, ())
    return file


def _node(graph: Desk) -> Node:
    (node,) = graph.standing()
    return node


def _front(file: Path) -> tuple[str, str]:
    """Return the front matter of a file and its text."""
    _, front, body = file.read_text("utf-8").split("---\n", 2)
    return front, body


def test_the_tags_of_a_text_become_the_nodes_and_the_file_keeps_its_words(graph: Desk) -> None:
    """They stand in the text, so the front matter does not repeat them; nothing more is done."""
    file = _written(graph, BODY)
    assert _node(graph).tags == ("project/alpha", "Auth")
    front, body = _front(file)
    assert "tags" not in front
    assert body == f"\n{BODY}"
    assert not graph.sync().changed


def test_a_tag_comes_and_goes_with_the_text(graph: Desk) -> None:
    """By hand, one edit at a time; undo takes it back on both sides."""
    file = _written(graph, BODY)
    graph.edit(_node(graph), "#Auth", "#Auth and #new")
    graph.sync()
    assert _node(graph).tags == ("project/alpha", "Auth", "new")
    graph.edit(_node(graph), " #project/alpha", "")
    told = graph.sync()
    assert _node(graph).tags == ("Auth", "new")
    assert "tags" not in _front(file)[0]
    graph.undo(told.batches[0])
    graph.sync()
    assert _node(graph).tags == ("project/alpha", "Auth", "new")
    assert "#project/alpha" in file.read_text("utf-8")
    assert "tags" not in _front(file)[0]
    assert not graph.sync().changed


def test_a_tag_that_the_front_matter_names_too_stays_in_both(graph: Desk) -> None:
    """Whoever wrote it there meant it: it goes when it stands in neither."""
    file = _written(graph, f"---\ntags: [auth, other]\n---\n{BODY}")
    assert _node(graph).tags == ("auth", "other", "project/alpha")
    assert "tags:\n- auth\n- other\n" in _front(file)[0]
    graph.edit(_node(graph), " #Auth", "")
    graph.sync()
    assert _node(graph).tags == ("auth", "other", "project/alpha")
    graph.edit(_node(graph), "- auth\n", "")
    graph.sync()
    assert _node(graph).tags == ("other", "project/alpha")


def test_a_tag_taken_out_of_the_front_matter_stays_while_the_text_has_it(graph: Desk) -> None:
    """And is not written back there."""
    file = _written(graph, f"---\ntags: [Auth]\n---\n{BODY}")
    assert "tags:\n- Auth\n" in _front(file)[0]
    graph.edit(_node(graph), "tags:\n- Auth\n", "")
    graph.sync()
    assert set(_node(graph).tags) == {"project/alpha", "Auth"}
    assert "tags" not in _front(file)[0]
    assert not graph.sync().changed


def test_what_the_graph_says_of_tags_is_said_in_the_front_matter(graph: Desk) -> None:
    """One more is named there; one that was taken off the node while the text still has it is said to be none."""
    file = _written(graph, BODY)
    node = _node(graph)
    graph.write(saved(changed(node, tags=("Auth", "more"))))
    graph.sync()
    front, body = _front(file)
    assert "tags:\n- more\nuntagged:\n- project/alpha\n" in front
    assert body == f"\n{BODY}"
    assert not graph.sync().changed
    graph.edit(node, "Keys turn", "All keys turn")
    graph.sync()
    assert set(_node(graph).tags) == {"Auth", "more"}
    graph.edit(node, "untagged:\n- project/alpha\n", "")
    graph.sync()
    assert set(_node(graph).tags) == {"Auth", "more", "project/alpha"}
    assert "untagged" not in _front(file)[0]
    assert not graph.sync().changed


def test_a_text_that_nobody_edits_tags_nothing(graph: Desk) -> None:
    """An agent wrote «#channel» and gave no tag: the mirror does not make one, whatever else changes of the node."""
    node = a_node("Ask first", content="Ask in #channel first.")
    graph.write(saved(node))
    graph.sync()
    assert "untagged:\n- channel\n" in _front(graph.file(node))[0]
    graph.edit(node, "confidence: 0.8", "confidence: 0.9")
    graph.sync()
    assert (graph.node(node).tags, graph.node(node).confidence) == ((), 0.9)
    graph.edit(node, "Ask in #channel", "Ask in #channel, with a #tag,")
    graph.sync()
    assert graph.node(node).tags == ("tag",)


def test_tags_that_both_sides_changed_are_brought_together(graph: Desk) -> None:
    """The graph gave one while somebody wrote another into the text: that is no conflict; in the front matter it is."""
    _written(graph, BODY)
    node = _node(graph)
    graph.write(saved(changed(node, tags=(*node.tags, "given"))))
    graph.edit(node, "#Auth", "#new")
    told = graph.sync()
    assert told.conflicts == ()
    assert set(_node(graph).tags) == {"project/alpha", "given", "new"}
    graph.write(saved(changed(_node(graph), tags=("project/alpha", "new", "theirs"))))
    graph.edit(node, "- given", "- mine")
    assert len(graph.sync().conflicts) == 1


def test_a_note_that_lost_its_front_matter_keeps_its_tags(graph: Desk) -> None:
    """What is written in its text counts, as everywhere."""
    file = _written(graph, f"---\ntags: [kept]\n---\n{BODY}")
    file.write_text(BODY.replace("#Auth", "#new"), encoding="utf-8")
    graph.sync()
    assert set(_node(graph).tags) == {"kept", "project/alpha", "new"}
    assert not graph.sync().changed


def test_more_tags_than_a_node_keeps_are_cut_and_no_note_is_refused(graph: Desk) -> None:
    """The first fifty; that the others are none is said, and a pass later nothing has changed."""
    file = _written(graph, "# Many\n\n" + " ".join(f"#t{number}x" for number in range(60)) + "\n")
    assert len(_node(graph).tags) == 50
    assert "untagged:\n- t50x\n" in _front(file)[0]
    graph.edit(_node(graph), "#t0x ", "")
    told = graph.sync()
    assert (told.unread, told.conflicts) == ((), ())
    assert len(_node(graph).tags) == 49
    assert not graph.sync().changed


@pytest.mark.parametrize(
    ("tags", "content"),
    [
        (("b", "a"), "Text #a #c."),
        (("a",), "Text #A and #a."),
        (("A", "a"), "Text #a."),
        (("#a",), "Text #a."),
        ((), "Text " + " ".join(f"#t{number}x" for number in range(300))),
        (("no", "1.0"), "Text #no #yes #null #1e9x."),
    ],
)
def test_the_graph_comes_back_from_its_notes(tmp_path: Path, tags: tuple[str, ...], content: str) -> None:
    """In whatever relation tags and text stand."""
    with desk(tmp_path / "here") as graph:
        node = a_node("Note", content=content, tags=tags)
        graph.write(saved(node))
        graph.sync()
        files = graph.files()
        assert not graph.sync().changed
        assert graph.node(node).tags == tags
    shutil.copytree(tmp_path / "here" / "vault", tmp_path / "there" / "vault")
    with desk(tmp_path / "there") as copy:
        assert copy.sync().unread == ()
        assert copy.files() == files
        assert set(copy.node(node).tags) == set(tags)
        assert len(copy.node(node).tags) == len(tags)


def mirrored_before(graph: Desk, folder: Path) -> tuple[Node, Path]:
    """Write a note as an older mirror did, and make the memory of it one of that mirror's."""
    node = a_node("Note", content="Text #here and #there.", tags=("here", "given"))
    graph.write(saved(node))
    graph.sync()
    file = graph.file(node)
    file.write_text(vault_note.render(node, (), named=None).replace("untagged:\n- there\n", ""), encoding="utf-8")
    memory = next(folder.rglob("memory.jsonl"))
    memory.write_text(_as_before(memory.read_text("utf-8"), file.read_bytes()), encoding="utf-8")
    return node, file


def test_a_memory_of_before_is_read_and_its_notes_stay_as_they_are(tmp_path: Path) -> None:
    """An older mirror wrote every tag into the front matter, and knew of none in the text: one is read on an edit."""
    with desk(tmp_path) as graph:
        node, file = mirrored_before(graph, tmp_path)
    with desk(tmp_path) as graph:
        graph.write(saved(changed(graph.node(node), confidence=0.7)))
        graph.sync()
        assert graph.node(node).tags == ("here", "given")
        assert "tags:\n- here\n- given\n" in _front(file)[0]


def test_a_tag_that_an_older_mirror_did_not_read_is_read_when_its_note_is_edited(tmp_path: Path) -> None:
    """Whatever of it was edited."""
    with desk(tmp_path) as graph:
        node, _ = mirrored_before(graph, tmp_path)
        graph.edit(node, "Text", "A text")
    with desk(tmp_path) as graph:
        graph.sync()
        assert graph.node(node).tags == ("here", "given", "there")
        assert not graph.sync().changed


def test_a_tag_that_is_erased_is_not_remembered(tmp_path: Path) -> None:
    """The memory keeps the tags of front matters, and loses what is taken out."""
    memory = Memory(tmp_path / "memory.jsonl", root="vault")
    kept = Mirrored(
        path="a.md", what="note", id="a", digest="d", stamp=(1, 1, 1, 1), looked_ns=1, tags=("hunter2-key",)
    )
    memory.keep(kept)
    memory.save()
    assert "hunter2-key" in (tmp_path / "memory.jsonl").read_text("utf-8")
    memory.blank(Blank(id="", whole=("hunter2-key",)))
    memory.save()
    assert "hunter2-key" not in (tmp_path / "memory.jsonl").read_text("utf-8")


def _as_before(memory: str, body: bytes) -> str:
    """Return a memory as it was kept before tags of texts were read, in which the one note holds ``body``."""
    lines = [json.loads(line) for line in memory.splitlines()]
    for kept in (line["file"] for line in lines if line.get("file", {}).get("what") == "note"):
        note = vault_note.parse(body.decode())
        kept |= {"digest": digest_of(body), "revision": note.revision}
        del kept["tags"], kept["said"]["tags named"]
        kept["said"]["tags"] = shaping.prints(replace(note, fields={**note.fields, "tags": note.named}))["tags"]
    return "".join(json.dumps(line) + "\n" for line in lines)
