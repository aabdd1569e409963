"""The lossless form: what goes out comes back byte for byte, and what is damaged on the way is told."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import a_folder
from services.travel import port
from weft.errors import InvalidArgument, PermissionDenied
from weft.model import (
    ClaimNumber,
    ImportRequest,
    Mention,
    Origin,
    Page,
    RemoveEvidence,
    RemoveRelation,
    SaveEvidence,
    SaveMentions,
    SaveNode,
    SaveRelation,
    SaveSource,
    SaveSuggestion,
    SaveVote,
    SuggestionQuery,
    SuggestionState,
    Tier,
    Vote,
)
from weft.testing.making import (
    AT,
    a_batch,
    a_node,
    a_source,
    a_suggestion,
    an_evidence,
    changed,
    joined,
    retired,
    saved,
)

if TYPE_CHECKING:
    from pathlib import Path

    from services.travel import Port
    from weft.model import Node, Operation

TEXT = st.text(
    st.characters(exclude_categories=("Cs",), exclude_characters="\x00", include_characters="\"'\\\n\r\u2028\x85🥐é"),
    max_size=30,
)
NAME = TEXT.filter(lambda text: bool(text.strip()))
SHARE = st.floats(0, 1)


def commit(into: Port, *operations: Operation, minutes: int = 0) -> None:
    """Write one batch, some minutes after the first."""
    into.opened.store.commit(a_batch(*operations, at=AT + timedelta(minutes=minutes), spares_documents=False))


@st.composite
def _nodes(draw: st.DrawFn) -> list[Node]:
    return [
        a_node(
            draw(NAME),
            content=draw(TEXT),
            tags=tuple(draw(st.lists(NAME, max_size=3, unique=True))),
            aliases=tuple(draw(st.lists(NAME, max_size=2, unique=True))),
            confidence=draw(SHARE),
            ontology=draw(NAME),
            origin=draw(st.sampled_from(Origin)),
            citation=draw(TEXT),
        )
        for _ in range(draw(st.integers(1, 4)))
    ]


@st.composite
def _history(draw: st.DrawFn) -> list[list[Operation]]:
    """Batches that make, change, join, part, retire, suggest, decide and vote."""
    nodes = draw(_nodes())
    batches: list[list[Operation]] = [[saved(node)] for node in nodes]
    first, last = nodes[0], nodes[-1]
    source = a_source(draw(NAME), text=draw(TEXT), path=draw(TEXT))
    evidence = an_evidence(first.id, source, quote=draw(TEXT), similarity=draw(st.none() | SHARE))
    batches.append([SaveSource(source=source), SaveEvidence(evidence=evidence)])
    if first is not last:
        relation = joined(first, last, reasoning=draw(TEXT), scores=((draw(NAME), draw(SHARE)),))
        stronger = replace(relation.relation, confidence=draw(SHARE), version=2)
        batches.append([relation, SaveVote(vote=Vote(learned_id="l/1", actor=draw(NAME), value=-1, reason="", at=AT))])
        batches.append([SaveRelation(relation=stronger, expect=1)])
        if draw(st.booleans()):
            batches.append([RemoveRelation(id=stronger.id, expect=2)])
            stronger = replace(stronger, version=1)
            batches.append([SaveRelation(relation=stronger, expect=0)])
        if draw(st.booleans()):
            batches.append([RemoveRelation(id=stronger.id, expect=stronger.version)])
            batches.append([saved(retired(last))])
            if draw(st.booleans()):
                batches.append([saved(replace(changed(retired(last)), retired=None))])
    batches.append([saved(changed(first, title=draw(NAME), content=draw(TEXT)))])
    suggestion = a_suggestion(draw(NAME), first, summary=draw(TEXT), grounds={"why": draw(TEXT)})
    batches.append([SaveSuggestion(suggestion=suggestion), ClaimNumber(name=draw(NAME), value=1)])
    decided = replace(
        suggestion, state=SuggestionState.DISMISSED, decided_at=AT, decided_by="ada", decided_why="no", version=2
    )
    batches.append([SaveSuggestion(suggestion=decided, expect=1)])
    if draw(st.booleans()):
        batches.append([RemoveEvidence(id=evidence.id, expect=1)])
    return batches


@settings(max_examples=20, deadline=None)
@given(_history())
def test_any_graph_goes_out_and_comes_back_byte_for_byte(history: list[list[Operation]]) -> None:
    """Ids, versions, times, evidence, decisions, votes and the log: a copy of the copy is the copy."""
    there_and_back(history)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(_history())
def test_many_graphs_go_out_and_come_back_byte_for_byte(history: list[list[Operation]]) -> None:
    """The same of three times as many."""
    there_and_back(history)


def there_and_back(history: list[list[Operation]]) -> None:
    """Write ``history`` into a graph, and hold that its copy, and the copy of that, is the same."""
    with a_folder() as folder, port(folder / "one.db") as one, port(folder / "two.db") as two:
        for minutes, operations in enumerate(history):
            commit(one, *operations, minutes=minutes)
        text = one.text()
        (folder / "copy.jsonl").write_text(text, encoding="utf-8", newline="")
        came = two.bring(folder / "copy.jsonl", "jsonl")
        assert came.unread == ()
        assert came.changes == one.opened.log.head()
        assert two.text() == text
        again = two.bring(folder / "copy.jsonl", "jsonl")
        assert (again.changes, again.nodes_made, again.unread) == (0, 0, ())
        assert two.text() == text


def some_graph(into: Port) -> tuple[Node, Node]:
    """Write two nodes that are related and rest on a document; the second has three versions."""
    one, two = a_node("Kettle"), a_node("Water boils", content="Water boils in the kettle.")
    source = a_source()
    commit(into, saved(one), saved(two), SaveSource(source=source))
    commit(into, joined(one, two), SaveEvidence(evidence=an_evidence(two.id, source)), minutes=1)
    second = changed(two, content="Water boils at 100 °C.", modified_at=AT + timedelta(minutes=2))
    commit(into, saved(second), minutes=2)
    commit(into, saved(changed(second, title="Water boils at 100 °C")), minutes=3)
    return one, two


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """A lossless copy of a small graph."""
    with port(tmp_path / "source.db") as source:
        some_graph(source)
        (tmp_path / "copy.jsonl").write_text(source.text(), encoding="utf-8", newline="")
    return tmp_path / "copy.jsonl"


def test_the_past_can_be_read_in_the_copy(tmp_path: Path, copied: Path) -> None:
    """The log's positions, batches and times are those of the graph it came from; so is what stood at a time."""
    with port(tmp_path / "source.db") as source, port(tmp_path / "copy.db") as copy:
        copy.bring(copied, "jsonl")
        assert copy.opened.log.since(0, limit=99) == source.opened.log.since(0, limit=99)
        node = copy.node("Water boils at 100 °C")
        (then,) = copy.opened.log.nodes_as_of([node.id], copy.opened.log.position(AT)).values()
        assert (then.title, then.version, node.version) == ("Water boils", 1, 3)


def test_mentions_and_uses_come_back(tmp_path: Path) -> None:
    """What is derived is derived anew; how often a node was used travels along."""
    with port(tmp_path / "one.db") as one, port(tmp_path / "two.db") as two:
        kettle, water = some_graph(one)
        again = changed(one.node(water.id), content="The Kettle whistles.")
        commit(one, saved(again), minutes=4)
        one.ports.usage.touch([kettle.id], at=AT)
        one.ports.usage.touch([kettle.id], at=AT)
        (tmp_path / "copy.jsonl").write_text(one.text(), encoding="utf-8", newline="")
        two.bring(tmp_path / "copy.jsonl", "jsonl")
        assert two.ports.usage.uses([kettle.id]) == {kettle.id: (2, AT)}
        said = Mention(node=water.id, target=kettle.id, name="kettle")
        assert said in two.opened.shelf.mentions([water.id], per_node=9)
        assert two.text() == one.text()


def test_a_vote_that_was_undone_comes_back_as_it_stands(tmp_path: Path) -> None:
    """Undoing puts the earlier vote back, with its time: in the log the older one follows the newer."""
    up = Vote(learned_id="l/1", actor="ada", value=1, reason="", at=AT)
    down = replace(up, value=-1, at=AT + timedelta(minutes=1))
    with port(tmp_path / "one.db") as one, port(tmp_path / "two.db") as two:
        for minutes, vote in enumerate((up, down, up)):
            commit(one, SaveVote(vote=vote), minutes=minutes)
        (tmp_path / "copy.jsonl").write_text(one.text(), encoding="utf-8", newline="")
        assert two.bring(tmp_path / "copy.jsonl", "jsonl").unread == ()
        assert two.text() == one.text()


def test_a_later_copy_brings_only_what_is_new(tmp_path: Path, copied: Path) -> None:
    """The same graph exported twice: the second import writes the changes in between, no others."""
    with port(tmp_path / "source.db") as source, port(tmp_path / "copy.db") as copy:
        copy.bring(copied, "jsonl")
        commit(source, saved(a_node("Teapot")), minutes=9)
        copied.write_text(source.text(), encoding="utf-8", newline="")
        came = copy.bring(copied, "jsonl")
        assert (came.changes, came.changes_known, came.nodes_made) == (1, 7, 1)
        assert copy.text() == source.text()


def test_what_was_changed_here_meanwhile_is_left_so_and_told(tmp_path: Path, copied: Path) -> None:
    """Neither side overwrites the other."""
    with port(tmp_path / "source.db") as source, port(tmp_path / "copy.db") as copy:
        copy.bring(copied, "jsonl")
        kettle = copy.node("Kettle")
        commit(copy, saved(changed(kettle, title="Our kettle")), minutes=5)
        commit(source, saved(changed(kettle, title="Their kettle")), minutes=6)
        copied.write_text(source.text(), encoding="utf-8", newline="")
        came = copy.bring(copied, "jsonl")
        assert copy.node(kettle.id).title == "Our kettle"
        assert any("changed here meanwhile" in each.reason and each.line for each in came.unread)
        assert came.nodes_kept == 1


def test_what_was_taken_out_here_stays_out(tmp_path: Path, copied: Path) -> None:
    """A relation removed after the import does not come back with the next one."""
    with port(tmp_path / "copy.db") as copy:
        copy.bring(copied, "jsonl")
        (relation,) = copy.relations()
        commit(copy, RemoveRelation(id=relation.id, expect=1), minutes=5)
        copy.bring(copied, "jsonl")
        assert copy.relations() == ()


def test_a_copy_joins_a_graph_that_holds_something(tmp_path: Path, copied: Path) -> None:
    """Ids, versions and times stay; positions of the log go on from what was there."""
    with port(tmp_path / "source.db") as source, port(tmp_path / "copy.db") as copy:
        commit(copy, saved(a_node("Here first")))
        copy.bring(copied, "jsonl")
        there, here = source.standing(), copy.standing()
        assert here == there | {"Here first": here["Here first"]}
        assert copy.opened.log.head() == source.opened.log.head() + 1


def test_a_dry_run_tells_and_writes_nothing(tmp_path: Path, copied: Path) -> None:
    """The counts are those of the real run."""
    with port(tmp_path / "copy.db") as copy:
        told = copy.bring(copied, "jsonl", dry_run=True)
        assert copy.opened.log.head() == 0
        done = copy.bring(copied, "jsonl")
        assert (told.nodes_made, told.relations_made, told.changes) == (
            done.nodes_made,
            done.relations_made,
            done.changes,
        )


def spoilt(copied: Path, line: int, text: bytes) -> None:
    """Put ``text`` in the place of a line (from 1)."""
    lines = copied.read_bytes().splitlines(keepends=True)
    lines[line - 1] = text
    copied.write_bytes(b"".join(lines))


@pytest.mark.parametrize(
    "text",
    [
        b"{\n",
        b"\xff\xfe\n",
        b"[]\n",
        b'{"change": {}}\n',
        b'{"node": {"id": 5}}\n',
        b'{"novelty": 1}\n',
        b"[" * 100_000 + b"\n",
        b'{"change": null}\n',
        b'{"node": []}\n',
        b'{"series": {"name": "x", "value": true}}\n',
        b'{"weft": 1}\n',
    ],
)
def test_one_broken_line_is_told_with_its_number_and_stops_nothing(tmp_path: Path, copied: Path, text: bytes) -> None:
    """What it said is brought in from what stands at the end of the file."""
    with port(tmp_path / "source.db") as source, port(tmp_path / "copy.db") as copy:
        spoilt(copied, 2, text)
        came = copy.bring(copied, "jsonl")
        assert any(each.line == 2 for each in came.unread)
        assert set(copy.standing()) == set(source.standing())
        assert len(copy.relations()) == 1
        kettle = copy.node("Kettle")
        assert replace(kettle, version=1) == replace(source.node("Kettle"), version=1)


def test_a_file_that_was_cut_off_is_known(tmp_path: Path, copied: Path) -> None:
    """Whatever is there comes in; that something is missing is told."""
    lines = copied.read_bytes().splitlines(keepends=True)
    copied.write_bytes(b"".join(lines[:-3]) + lines[-3][:20])
    with port(tmp_path / "copy.db") as copy:
        came = copy.bring(copied, "jsonl")
        assert any("cut off" in each.reason for each in came.unread)
        assert "Kettle" in copy.standing()


def test_a_line_too_few_is_counted(tmp_path: Path, copied: Path) -> None:
    """The last line says how many there were."""
    lines = copied.read_bytes().splitlines(keepends=True)
    copied.write_bytes(b"".join(lines[:-2] + lines[-1:]))
    with port(tmp_path / "copy.db") as copy:
        assert any("could be read" in each.reason for each in copy.bring(copied, "jsonl").unread)


def test_a_mark_and_foreign_line_ends_do_no_harm(tmp_path: Path, copied: Path) -> None:
    """A byte order mark, CRLF and a missing last newline, as editors leave them."""
    text = copied.read_bytes()
    copied.write_bytes(b"\xef\xbb\xbf" + text.replace(b"\n", b"\r\n").rstrip())
    with port(tmp_path / "copy.db") as copy:
        assert copy.bring(copied, "jsonl").unread == ()
        assert copy.text().encode() == text


@pytest.mark.parametrize("text", ["", "{}\n", '{"weft": 99}\n', '{"type":"entity","name":"x"}\n', '{"weft": "1"}\n'])
def test_a_file_of_another_form_is_refused(tmp_path: Path, text: str) -> None:
    """Also one of a newer form; nothing is written."""
    (tmp_path / "file.jsonl").write_text(text, encoding="utf-8")
    with port(tmp_path / "copy.db") as copy:
        with pytest.raises(InvalidArgument, match=r"lossless|form"):
            copy.bring(tmp_path / "file.jsonl", "jsonl")
        assert copy.opened.log.head() == 0


def test_values_that_weft_never_writes_are_refused(tmp_path: Path, copied: Path) -> None:
    """An unknown kind, a time without a zone, a confidence of two, a relation to itself."""
    with port(tmp_path / "source.db") as source:
        node = json.loads(next(line for line in source.text().split("\n") if line.startswith('{"node"')))["node"]
    odd = [
        node | {"id": "a", "kind": "spell"},
        node | {"id": "b", "created_at": "2026-01-01T00:00:00"},
        node | {"id": "c", "confidence": 2.0},
        node | {"id": "d", "confidence": True},
        node | {"id": "e", "title": "\ud800"},
    ]
    head, *rest = copied.read_text(encoding="utf-8").splitlines(keepends=True)
    lines = [json.dumps({"node": each}) + "\n" for each in odd]
    copied.write_text("".join((head, *lines, *rest)), encoding="utf-8")
    with port(tmp_path / "copy.db") as copy:
        came = copy.bring(copied, "jsonl")
        assert {each.line for each in came.unread if each.line in range(2, 7)} == {2, 3, 4, 5, 6}
        assert copy.opened.store.counts().nodes == 2


def test_only_a_curator_imports(tmp_path: Path, copied: Path) -> None:
    """The verb itself says so, whatever face asks."""
    with port(tmp_path / "copy.db", tier=Tier.LIBRARIAN) as copy, pytest.raises(PermissionDenied, match="curator"):
        copy.transfer.import_(ImportRequest(path=copied, format="jsonl"), copy.call(tier=Tier.LIBRARIAN))


def test_a_suggestion_decided_there_is_decided_here(tmp_path: Path) -> None:
    """A decision travels with who made it and why."""
    with port(tmp_path / "one.db") as one, port(tmp_path / "two.db") as two:
        kettle, _ = some_graph(one)
        open_one = a_suggestion("x", kettle)
        commit(one, SaveSuggestion(suggestion=open_one), minutes=4)
        done = replace(open_one, state=SuggestionState.ACCEPTED, decided_at=AT, decided_by="bob", version=2)
        commit(one, SaveSuggestion(suggestion=done, expect=1), minutes=5)
        (tmp_path / "copy.jsonl").write_text(one.text(), encoding="utf-8", newline="")
        two.bring(tmp_path / "copy.jsonl", "jsonl")
        ((held,), total) = two.opened.store.suggestions(
            SuggestionQuery(state=SuggestionState.ACCEPTED, page=Page(limit=9))
        )
        assert (held, total) == (done, 1)


def test_derived_mentions_of_a_merge_do_not_stop_the_copy(tmp_path: Path) -> None:
    """A node merged away, with its mentions cleared, comes back merged away."""
    with port(tmp_path / "one.db") as one, port(tmp_path / "two.db") as two:
        keep, merge = a_node("Keep"), a_node("Merge")
        commit(one, saved(keep), saved(merge))
        gone = SaveNode(node=retired(merge, into=keep.id), expect=1)
        commit(one, SaveMentions(node=merge.id, outgoing=()), gone, minutes=1)
        (tmp_path / "copy.jsonl").write_text(one.text(), encoding="utf-8", newline="")
        two.bring(tmp_path / "copy.jsonl", "jsonl")
        assert two.node(merge.id).id == keep.id
        assert two.text() == one.text()
