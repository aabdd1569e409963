"""What an ingest holds for one thing, what it asks about, and what it says where there is nothing, or it breaks off."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from services.readers import ingest_of
from weft.errors import NotFound, Unavailable
from weft.model import IngestRequest, Origin, Status, SuggestionKind, SuggestionQuery

if TYPE_CHECKING:
    from pathlib import Path

    from services.desk import Desk
    from weft.model import Ingested, Suggestion

MUST = "The oven must be preheated at 250 degrees before baking.\n"
MUST_NOT = "The oven must not be preheated at 250 degrees before baking.\n"


def _ingest(desk: Desk, root: Path, **texts: str) -> Ingested:
    """Take in documents of these names and texts, all in one folder."""
    root.mkdir(exist_ok=True)
    for name, text in texts.items():
        (root / f"{name}.md").write_text(text, encoding="utf-8")
    return ingest_of(desk).ingest(IngestRequest(roots=(root,)), desk.call(tool="ingest"))


def _open(desk: Desk) -> tuple[Suggestion, ...]:
    return desk.store.suggestions(SuggestionQuery())[0]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("ISO 9001 is a standard that describes quality management.", "ISO 9004"),
        ("Pump 12 is a device that moves water out of the cellar.", "Pump 14"),
        ("Gate Oslo is a door that opens when the train stands.", "Gate Bergen"),
        ("Graph view is a pane that shows the notes of a vault.", "Graph"),
    ],
)
def test_things_of_different_names_are_never_one(desk: Desk, tmp_path: Path, one: str, other: str) -> None:
    """However alike their definitions are, each has its own node and evidence."""
    name = one.partition(" is ")[0]
    told = _ingest(desk, tmp_path / "handbook", one=f"{one}\n", other=f"{one.replace(name, other)}\n")
    assert told.nodes_reused == 0
    concepts = {node.title: node.id for node in desk.standing() if node.kind == "concept"}
    assert set(concepts) == {name, other}
    for title, id_ in concepts.items():
        assert [each.quote.startswith(f"{title} is") for each in desk.store.evidence((id_,))] == [True]


SAID = "This replaces RFC-12, and so it depends on RFC 15."


def test_what_the_prose_of_numbered_documents_tells_waits_for_a_decision(desk: Desk, tmp_path: Path) -> None:
    """Nothing is related or superseded by itself; what a line states is, and then nothing is asked of those two."""
    told = _ingest(
        desk,
        tmp_path / "rfcs",
        queues="# RFC-12: Queues\n\nJobs wait in lists.\n",
        streams=f"# RFC-20: Streams\n\nJobs move to a log.\n\n{SAID}\n",
        broker="# RFC-15: A broker\n\nThree brokers run.\n",
    )
    assert (told.relations, told.questions) == (0, 2)
    asked = {each.proposal["relate"]["type"]: each for each in _open(desk)}
    one, other = (desk.node(each) for each in asked["supersedes"].subjects)
    assert (one.title, other.title, other.status) == ("RFC-20: Streams", "RFC-12: Queues", Status.ACTIVE)
    assert "This replaces RFC-12" in asked["supersedes"].summary
    assert {desk.node(each).title for each in asked["requires"].subjects} == {"RFC-20: Streams", "RFC-15: A broker"}
    stated = f"# RFC-31: Logs\n\nSupersedes: RFC-12\n\n{SAID}\n"
    assert _ingest(desk, tmp_path / "rfcs", logs=stated).questions == 1
    assert desk.node(other.id).status is Status.SUPERSEDED


@pytest.mark.parametrize("said", ["This does not replace RFC-12.", "See RFC-12.", "`This replaces RFC-12.`"])
def test_a_number_that_is_only_named_is_not_asked_about(desk: Desk, tmp_path: Path, said: str) -> None:
    """The twin: denied, mentioned, shown."""
    told = _ingest(desk, tmp_path, one="# RFC-12: Queues\n\nJobs wait.\n", two=f"# RFC-20: Streams\n\n{said}\n")
    assert (told.relations, told.questions) == (0, 0)


def test_a_document_that_comes_later_is_what_earlier_ones_tell_of(desk: Desk, tmp_path: Path) -> None:
    """Whichever is taken in first."""
    _ingest(desk, tmp_path, one="# RFC-20: Streams\n\nThis replaces RFC-12.\n")
    assert _ingest(desk, tmp_path, two="# RFC-12: Queues\n\nJobs wait.\n").questions == 1
    assert [each.proposal["relate"]["type"] for each in _open(desk)] == ["supersedes"]


def test_of_many_notes_on_numbered_things_none_is_known_already(desk: Desk, tmp_path: Path) -> None:
    """Their sentences differ in the number alone."""
    notes = {f"thing{place}": f"Thing {place} is a device that counts the water.\n" for place in range(1, 31)}
    told = _ingest(desk, tmp_path / "notes", **notes)
    assert (told.nodes_reused, told.nodes_made) == (0, 60)
    assert told.relations == 30  # each thing is part of the note that defines it


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Levain is a mix of flour and water that ferments.", "Levain is a mix of flour and water that ferments."),
        ("Levain is a mix of flour and water that ferments.", "Levains are mixes of flour and water that ferment."),
        (MUST, "Before baking, the oven must be preheated at 250 degrees."),
    ],
)
def test_the_same_thing_under_its_name_is_known(desk: Desk, tmp_path: Path, one: str, other: str) -> None:
    """The twin of the ones before: the second document adds its evidence to the node."""
    assert _ingest(desk, tmp_path / "kitchen", one=one, two=other).nodes_reused == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (MUST, "The oven must be preheated at 260 degrees before baking.\n"),
        (MUST, MUST_NOT),
        ("Levain is a mix of flour and 3 eggs.\n", "Levain is a mix of flour and 4 eggs.\n"),
    ],
)
def test_another_number_or_a_denial_is_never_the_same_statement(
    desk: Desk, tmp_path: Path, one: str, other: str
) -> None:
    """Both stand."""
    assert _ingest(desk, tmp_path / "kitchen", one=one, two=other).nodes_reused == 0


FOLDING = "# Folding\n\nFolding requires [Autolyse](autolyse.md).\n"
AUTOLYSE = "# Autolyse\n\nAutolyse is a rest of flour and water before salt is added.\n"


def test_what_a_document_states_is_not_inferred_once_more(desk: Desk, tmp_path: Path) -> None:
    """Neither in a kindred type nor of a concept that goes by the document's title."""
    _ingest(desk, tmp_path / "bread", folding=FOLDING, autolyse=AUTOLYSE)
    named = {node.id: node.title for node in desk.standing()}
    joined = [
        each
        for each in desk.store.relations(list(named))
        if (named[each.source], named[each.target]) == ("Folding", "Autolyse")
    ]
    assert [(each.type, each.origin) for each in joined] == [("requires", Origin.DOCUMENT)]


def test_what_no_document_states_by_a_link_is_inferred(desk: Desk, tmp_path: Path) -> None:
    """The twin of the one before: the sentence alone names the other."""
    _ingest(desk, tmp_path / "bread", folding=FOLDING.replace("(autolyse.md)", ""), autolyse=AUTOLYSE)
    assert {"depends_on"} <= {each.type for each in desk.store.relations([node.id for node in desk.standing()])}


def test_a_relation_seen_from_both_its_ends_is_made_once(desk: Desk, tmp_path: Path) -> None:
    """Though more new nodes lie between the two than the rules are tried on at once."""
    between = {f"note{place}": f"# Note {place}\n\nNothing much.\n" for place in range(110)}
    mirror = "A mirror is a copy of the graph on disk. It depends on the Watcher.\n"
    told = _ingest(desk, tmp_path / "notes", a=mirror, **between, zoom="Watcher is a process that looks for files.\n")
    assert told.nodes_made > 100
    concepts = {node.id: node.title for node in desk.standing() if node.kind == "concept"}
    joined = [(each.source, each.target) for each in desk.store.relations(list(concepts), types=("depends_on",))]
    inside = [(concepts[one], concepts[other]) for one, other in joined if {one, other} <= concepts.keys()]
    assert inside == [("mirror", "Watcher")]


def test_a_folder_without_a_document_is_told_from_one_that_is_not_there(desk: Desk, tmp_path: Path) -> None:
    """With the kinds of files that are read."""
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos" / "cat.png").write_bytes(b"\x89PNG")
    for path, said, advice in (
        ("photos", "photos holds no document that Weft reads", ".pdf"),
        ("phots", "there is nothing at", "spelling"),
    ):
        request = IngestRequest(paths=(tmp_path / path,), roots=(tmp_path,))
        with pytest.raises(NotFound, match=said) as refused:
            ingest_of(desk).ingest(request, desk.call(tool="ingest"))
        assert advice in refused.value.hint


def test_a_full_disk_leaves_what_is_in_and_says_how_much_that_is(desk: Desk, tmp_path: Path) -> None:
    """The store only knows of the batch that failed; the same call goes on from there."""
    texts = {"a": MUST, "b": "# Rye\n\nRye is a cereal that grows on poor soil.\n", "c": AUTOLYSE}

    def fill(done: int, total: int, _: str) -> None:
        if done == total - 1:
            raise Unavailable("The disk is full: nothing was written, and reading goes on.")

    request = IngestRequest(roots=(tmp_path,))
    for name, text in texts.items():
        (tmp_path / f"{name}.md").write_text(text, encoding="utf-8")
    with pytest.raises(Unavailable, match="2 of 3 documents are in, and kept") as broken:
        ingest_of(desk).ingest(request, replace(desk.call(tool="ingest"), progress=fill))
    assert "nothing was written" not in broken.value.message
    assert "goes on from there" in broken.value.hint
    again = ingest_of(desk).ingest(request, desk.call(tool="ingest"))
    assert (again.documents, again.unchanged) == (1, 2)


def test_a_full_disk_before_the_first_document_is_told_as_it_is(desk: Desk, tmp_path: Path) -> None:
    """The twin of the one before: nothing is in."""
    (tmp_path / "a.md").write_text(MUST, encoding="utf-8")

    def fill(_: int, __: int, ___: str) -> None:
        raise Unavailable("The disk is full: nothing was written, and reading goes on.")

    call = replace(desk.call(tool="ingest"), progress=fill)
    with pytest.raises(Unavailable, match=r"^The disk is full: nothing was written"):
        ingest_of(desk).ingest(IngestRequest(roots=(tmp_path,)), call)


def test_documents_that_contradict_each_other_are_a_question_for_review(desk: Desk, tmp_path: Path) -> None:
    """Counted in the answer, asked once, and taken back with the ingest's last batch."""
    told = _ingest(desk, tmp_path / "kitchen", one=MUST, two=MUST_NOT)
    (item,) = _open(desk)
    assert (told.questions, item.kind) == (1, SuggestionKind.CONFLICT)
    assert {desk.node(each).kind for each in item.subjects} == {"convention"}
    assert _ingest(desk, tmp_path / "kitchen", three="# Rye\n\nRye grows on poor soil.\n").questions == 0
    desk.curate.undo(told.batches[-1], desk.call())
    assert _open(desk) == ()


def test_a_document_that_contradicts_what_somebody_said_is_a_question_too(desk: Desk, tmp_path: Path) -> None:
    """What stands need not come from a document."""
    claim = desk.add(MUST, kind="convention").node
    assert _ingest(desk, tmp_path / "kitchen", two=MUST_NOT).questions == 1
    (item,) = _open(desk)
    assert claim.id in item.subjects


def test_what_one_document_says_of_both_sides_is_no_question(desk: Desk, tmp_path: Path) -> None:
    """The twin of the ones before: it weighs them itself. Nor are documents that agree."""
    told = _ingest(desk, tmp_path / "kitchen", one=f"{MUST}\n{MUST_NOT}", two="Rye is a cereal that grows in sand.\n")
    assert (told.questions, _open(desk)) == (0, ())


@pytest.mark.parametrize("text", [f"# Oven\n\n{MUST}", MUST])
def test_a_document_that_has_the_very_text_of_another_is_told(desk: Desk, tmp_path: Path, text: str) -> None:
    """Both are kept, since either file may change; it is told with the second, once, also in a later call."""
    copy = "read, but its text is that of one.md, word for word"
    first = _ingest(desk, tmp_path / "kitchen", one=text)
    told = _ingest(desk, tmp_path / "kitchen", two=text)
    assert (first.skipped, [name for name, _ in told.skipped]) == ((), ["two.md"])
    assert told.skipped[0][1].startswith(copy)
    assert len([node for node in desk.standing() if node.kind == "document"]) == 2
    assert _ingest(desk, tmp_path / "kitchen").skipped == ()


def test_a_document_that_is_nearly_another_is_not_told(desk: Desk, tmp_path: Path) -> None:
    """The twin of the one before: one number differs."""
    told = _ingest(desk, tmp_path / "kitchen", one=MUST, two=MUST.replace("250", "260"))
    assert told.skipped == ()
