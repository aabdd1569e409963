"""What changed lately: every batch once, by whom, what it did, and what is left of it."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta
from itertools import count
from typing import TYPE_CHECKING

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from engine import a_folder
from services.desk import START, opened
from weft.errors import Ambiguous, Conflict, InvalidArgument, NotFound
from weft.model import (
    Batch,
    BatchState,
    CaptureRequest,
    Deed,
    LogRequest,
    RelationWish,
    SaveNode,
    SaveSource,
    SaveSuggestion,
    SaveVote,
    Subject,
    UpdateRequest,
    Vote,
)
from weft.services.recall import remaining, telling
from weft.services.recall.telling import Telling
from weft.testing.making import a_batch, a_source, a_suggestion, changed

if TYPE_CHECKING:
    from services.desk import Desk
    from weft.model import LogEntry, Logged
    from weft.ports import Embedder

HOUR = timedelta(hours=1)
SECOND = timedelta(seconds=1)


def told(desk: Desk, **asked: object) -> Logged:
    """Return what the log tells of this graph."""
    reader = Telling(store=desk.store, shelf=desk.shelf, log=desk.log)
    return reader.log(LogRequest(**asked))


def entry(desk: Desk, batch: str) -> LogEntry:
    """Return what the log tells of one batch."""
    return next(each for each in told(desk, limit=100).entries if each.batch.batch == batch)


def state(desk: Desk, batch: str) -> tuple[BatchState, str]:
    """Return what is left of a batch, and which undo wrote all of it last."""
    found = entry(desk, batch)
    return found.state, found.undone_by


def undo(desk: Desk, batch: str) -> str:
    """Take a batch back and return the batch of that."""
    return desk.curate.undo(batch, desk.call(tool="undo", actor="grace")).undo_batch


def batches(page: Logged) -> list[str]:
    """Return the ids of the batches of a page."""
    return [each.batch.batch for each in page.entries]


def test_the_newest_batch_comes_first_with_who_made_it_and_what_it_did(desk: Desk) -> None:
    """Counts in the order nodes, relations, the rest; a relation is named by its ends."""
    target = desk.add("Violins are made of spruce.", title="Violins", kind="claim")
    wish = RelationWish(type="uses", target=target.node.id)
    call = desk.call(session="morning", actor="eve")
    made = desk.capture.capture(
        desk_request("Herring migrate north in spring.", title="Herring", relations=(wish,)), call
    )
    first, second = told(desk).entries
    assert (first.batch.batch, second.batch.batch) == (made.batch, target.batch)
    assert (first.batch.actor, first.batch.client, first.batch.tool, first.batch.session) == (
        "eve",
        "test",
        "capture",
        "morning",
    )
    assert first.batch.first_at == first.batch.last_at == call.at
    assert first.counts[:2] == ((Subject.NODE, Deed.CREATE, 1), (Subject.RELATION, Deed.CREATE, 1))
    assert sum(count for _, _, count in first.counts) == first.batch.changes
    node, relation = first.subjects[:2]
    assert (node.id, node.title, node.kind, node.deed) == (made.node.id, "Herring", "claim", Deed.CREATE)
    assert (relation.title, relation.kind) == ("Herring –uses→ Violins", "uses")
    assert (relation.source, relation.target) == (made.node.id, target.node.id)
    assert (first.state, first.undone_by) == (BatchState.STANDS, "")


def desk_request(content: str, **fields: object) -> CaptureRequest:
    """Return the wish to capture a claim."""
    return CaptureRequest(content=content, kind="claim", **fields)


def test_a_forgotten_node_is_told_as_retired_and_as_restored_when_it_returns(desk: Desk) -> None:
    """Both are updates in the log, which nobody looks for when something is gone."""
    made = desk.add("Herring migrate north in spring.", title="Herring", kind="claim")
    gone = desk.capture.forget(made.node.id, desk.call(tool="forget"), confirm=True)
    back = undo(desk, gone.batch)
    for batch, deed in ((made.batch, Deed.CREATE), (gone.batch, Deed.RETIRE), (back, Deed.RESTORE)):
        (subject,) = [each for each in entry(desk, batch).subjects if each.subject is Subject.NODE]
        assert (subject.deed, subject.title) == (deed, "Herring")
        assert (Subject.NODE, deed, 1) in entry(desk, batch).counts


def test_what_was_undone_is_told_with_the_undo_that_brings_it_back(desk: Desk) -> None:
    """And stands again after that."""
    made = desk.add("Herring migrate north in spring.", kind="claim")
    undone = undo(desk, made.batch)
    assert state(desk, made.batch) == (BatchState.UNDONE, undone)
    assert state(desk, undone) == (BatchState.STANDS, "")
    again = undo(desk, undone)
    assert state(desk, made.batch) == (BatchState.STANDS, "")
    assert state(desk, undone) == (BatchState.UNDONE, again)


def test_superseding_that_was_undone_is_told_so(desk: Desk) -> None:
    """Of the newer node it set the time alone: that does not stand for a part of it that is left."""
    old, new = (desk.add(text, kind="claim").node.id for text in ("Herring migrate.", "Violins are of spruce."))
    related = desk.join(new, old, "supersedes")
    assert state(desk, related.batch) == (BatchState.STANDS, "")
    again = undo(desk, related.batch)
    assert state(desk, related.batch) == (BatchState.UNDONE, again)


def test_what_was_put_back_by_hand_is_undone_by_nobody(desk: Desk) -> None:
    """Nothing of it is left all the same; only an undo is named as one."""
    made = desk.add("Herring migrate north in spring.", kind="claim")
    desk.capture.forget(made.node.id, desk.call(tool="forget"), confirm=True)
    assert state(desk, made.batch) == (BatchState.UNDONE, "")
    with pytest.raises(Conflict):
        undo(desk, made.batch)


def test_what_was_put_back_partly_by_hand_is_undone_by_nobody(desk: Desk) -> None:
    """The undo wrote the rest alone, so that taking it back brings back that part, and not the batch."""
    one = desk.add("Herring migrate north in spring.", kind="claim").node.id
    other = desk.add("Violins are made of spruce.", kind="claim").node.id
    desk.join(one, other, "extends")
    gone = desk.capture.forget(one, desk.call(tool="forget"), confirm=True)
    back = undo(desk, gone.batch)
    desk.relate.unrelate(one, other, "extends", desk.call(tool="unrelate"))
    assert state(desk, back) == (BatchState.PARTLY, "")
    again = undo(desk, back)
    assert state(desk, back) == (BatchState.UNDONE, "")
    undo(desk, again)
    assert state(desk, back) == (BatchState.PARTLY, "")


def test_what_was_written_over_is_overtaken_and_an_undo_is_refused(desk: Desk) -> None:
    """As the log says, so does the undo."""
    node = desk.add("Herring migrate north in spring.", kind="claim").node
    update = desk.capture.update(UpdateRequest(id=node.id, importance=0.9), desk.call(tool="update"))
    desk.capture.update(UpdateRequest(id=node.id, importance=0.1), desk.call(tool="update"))
    assert state(desk, update.batch) == (BatchState.OVERTAKEN, "")
    with pytest.raises(Conflict):
        undo(desk, update.batch)


def test_what_stands_in_part_is_told_so(desk: Desk) -> None:
    """An undo takes that part back, and leaves the rest to review."""
    target = desk.add("Violins are made of spruce.", kind="claim").node
    wish = RelationWish(type="uses", target=target.id)
    made = desk.add("Herring migrate north in spring.", kind="claim", relations=(wish,))
    desk.capture.update(UpdateRequest(id=made.node.id, importance=0.9), desk.call(tool="update"))
    assert state(desk, made.batch) == (BatchState.PARTLY, "")
    assert desk.curate.undo(made.batch, desk.call(tool="undo")).conflicts


def test_what_no_undo_takes_back_is_told_so(desk: Desk) -> None:
    """A source, a first vote; a second vote can be taken back."""
    vote = Vote(learned_id="learned_1", actor="ada", value=1, reason="", at=START)
    first = a_batch(SaveSource(source=a_source()), SaveVote(vote=vote))
    second = a_batch(SaveVote(vote=replace(vote, value=-1)))
    for batch in (first, second):
        desk.store.commit(batch)
    assert state(desk, first.id) == (BatchState.NOTHING, "")
    assert state(desk, second.id) == (BatchState.STANDS, "")
    undone = undo(desk, second.id)
    assert state(desk, second.id) == (BatchState.UNDONE, undone)


def test_a_question_that_was_decided_since_does_not_count_unless_there_is_nothing_else(desk: Desk) -> None:
    """An undo leaves a decided suggestion as it is; one that it closes itself is taken back."""
    one = desk.add("Herring migrate north in spring.", kind="claim").node
    asked = a_suggestion("herring", one)
    alone = a_batch(SaveSuggestion(suggestion=asked))
    desk.store.commit(alone)
    assert state(desk, alone.id) == (BatchState.STANDS, "")
    undone = undo(desk, alone.id)
    assert state(desk, alone.id) == (BatchState.UNDONE, undone)
    again = replace(asked, id=alone.id, dedup="again")
    mixed = a_batch(SaveSuggestion(suggestion=again), SaveNode(node=changed(one, title="Herring"), expect=1))
    desk.store.commit(mixed)
    desk.store.commit(a_batch(SaveSuggestion(suggestion=replace(again, version=2, decided_why="no"), expect=1)))
    assert state(desk, mixed.id) == (BatchState.STANDS, "")


@settings(max_examples=5, deadline=None)
@given(data=st.data())
def test_pages_joined_are_the_whole_log_each_batch_once(data: st.DataObject, embedder: Embedder) -> None:
    """Whatever the size of a page, and of the rounds in which the log is walked over."""
    sizes = data.draw(st.lists(st.integers(1, 6), min_size=1, max_size=12))
    with a_folder() as folder, opened(folder / "notes.db", embedder) as desk:
        for size in sizes:
            made = [desk.add(f"Claim {desk.log.head()} {each}.", kind="claim") for each in range(size % 2 + 1)]
            desk.join(made[0].node.id, desk.add("Violins are of spruce.", kind="claim").node.id)
        wanted = list(dict.fromkeys(change.batch for change in reversed(desk.log.since(0, limit=10_000))))
        whole = told(desk, limit=100)
        assert batches(whole) == wanted
        assert whole.next_before is None
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(telling, "ROUND_MAX", data.draw(st.integers(1, 9)))
            patch.setattr(telling, "LOOKED_MAX", data.draw(st.integers(1, 40)))
            patch.setattr(telling, "READ_MAX", data.draw(st.integers(1, 40)))
            assert joined(desk, data.draw(st.integers(1, 5))) == list(whole.entries)


def joined(desk: Desk, limit: int, **asked: object) -> list[LogEntry]:
    """Return all pages of the log, one behind the other."""
    found: list[LogEntry] = []
    page = told(desk, limit=limit, **asked)
    for _ in range(1_000):
        assert len(page.entries) <= limit
        found += page.entries
        if page.next_before is None:
            return found
        page = told(desk, limit=limit, before=page.next_before, **asked)
    raise AssertionError("the pages have no end")


@settings(max_examples=5, deadline=None)
@given(data=st.data())
def test_each_of_any_batches_that_is_undone_shows_as_undone(data: st.DataObject, embedder: Embedder) -> None:
    """And none of the others does; the undo of the undo brings all of them back."""
    with a_folder() as folder, opened(folder / "notes.db", embedder) as desk:
        nodes = [desk.add(f"Herring number {each} migrate north.", kind="claim") for each in range(4)]
        made = [
            desk.capture.update(UpdateRequest(id=each.node.id, importance=0.9), desk.call(tool="update")).batch
            for each in nodes[:2]
        ]
        made.append(desk.join(nodes[2].node.id, nodes[3].node.id, "extends").batch)
        made.append(desk.add("Violins are made of spruce.", kind="claim").batch)
        chosen = data.draw(st.lists(st.sampled_from(made), unique=True, min_size=1))
        undone = {batch: undo(desk, batch) for batch in chosen}
        for batch in made:
            wanted = (BatchState.UNDONE, undone[batch]) if batch in undone else (BatchState.STANDS, "")
            assert state(desk, batch) == wanted
        for batch in chosen:
            undo(desk, undone[batch])
        assert {state(desk, batch) for batch in made} == {(BatchState.STANDS, "")}


DEEDS = ("update", "relate", "unrelate", "forget", "undo")


@settings(max_examples=15, deadline=None)
@given(deeds=st.lists(st.tuples(st.sampled_from(DEEDS), st.integers(0, 9)), max_size=8), chosen=st.integers(0, 99))
@example(deeds=[("relate", 0), ("forget", 0), ("undo", 0), ("unrelate", 0)], chosen=1)
def test_the_state_is_what_an_undo_finds(deeds: list[tuple[str, int]], chosen: int, embedder: Embedder) -> None:
    """Whatever was done before: what is said to stand goes back, what is said not to is refused.

    The undo is named where all of it stood: of what stood in part, something else had put back the rest.
    """
    with a_folder() as folder, opened(folder / "notes.db", embedder) as desk:
        ids = [desk.add(f"{word} are made of spruce.", kind="claim").node.id for word in ("Violins", "Masts", "Oars")]
        for deed, number in deeds:
            done(desk, deed, number, ids)
        entries = told(desk, limit=100).entries
        picked = entries[chosen % len(entries)]
        try:
            undone = desk.curate.undo(picked.batch.batch, desk.call(tool="undo", actor="grace"))
        except Conflict as error:
            held = re.search("related it since|forgotten since|same type since", error.message)
            assert held or picked.state in {BatchState.UNDONE, BatchState.OVERTAKEN, BatchState.NOTHING}
        else:
            assert picked.state in {BatchState.STANDS, BatchState.PARTLY}
            assert picked.state is BatchState.PARTLY or "changed it later" not in " ".join(undone.conflicts)
            named = undone.undo_batch if picked.state is BatchState.STANDS else ""
            assert undone.conflicts or state(desk, picked.batch.batch) == (BatchState.UNDONE, named)


def done(desk: Desk, deed: str, number: int, ids: list[str]) -> None:
    """Do one deed, where it can be done."""
    one, other = ids[number % 3], ids[(number + 1) % 3]
    call = desk.call(tool=deed)
    try:
        if deed == "update":
            desk.capture.update(UpdateRequest(id=one, importance=(0.2, 0.9)[number % 2]), call)
        elif deed == "relate":
            desk.join(one, other, "extends")
        elif deed == "unrelate":
            desk.relate.unrelate(one, other, "extends", call)
        elif deed == "forget":
            desk.capture.forget(one, call, confirm=True)
        else:
            entries = told(desk, limit=100).entries
            desk.curate.undo(entries[number % len(entries)].batch.batch, call)
    except (Conflict, InvalidArgument, NotFound):
        return


def test_a_page_stays_what_it_is_while_others_write(desk: Desk) -> None:
    """What is new comes above it."""
    for number in range(4):
        desk.add(f"Herring number {number} migrate north.", kind="claim")
    first = told(desk, limit=2)
    second = told(desk, limit=2, before=first.next_before)
    desk.add("Violins are made of spruce.", kind="claim")
    assert batches(told(desk, limit=2, before=first.next_before)) == batches(second)
    assert len(told(desk, limit=100, before=10_000).entries) == 5


def test_the_log_is_narrowed_by_who_through_what_and_when(desk: Desk) -> None:
    """Each filter alone and all together; times include their moment."""
    for number, actor in enumerate(("ada", "eve", "eve")):
        call = desk.call(actor=actor, session=f"s{number}", tool=f"t{number}")
        desk.capture.capture(desk_request(f"Herring number {number} migrate north."), call)
    third, second, first = batches(told(desk))
    assert batches(told(desk, actor="eve")) == [third, second]
    assert batches(told(desk, session="s1")) == batches(told(desk, tool="t1")) == [second]
    assert batches(told(desk, client="test")) == [third, second, first]
    assert batches(told(desk, actor="eve", tool="t0")) == []
    assert batches(told(desk, since=START + SECOND)) == [third, second]
    assert batches(told(desk, until=START + SECOND)) == [second, first]
    assert batches(told(desk, since=START + SECOND, until=START + SECOND)) == [second]
    assert batches(told(desk, since=START + HOUR)) == batches(told(desk, until=START - HOUR)) == []
    assert batches(told(desk, since=START.replace(year=1))) == [third, second, first]


def test_where_a_search_ends_at_its_bound_it_says_how_far_it_looked(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And goes on from there, until what is sought is found."""
    rare = desk.capture.capture(desk_request("Herring migrate north in spring."), desk.call(actor="rare"))
    for number in range(4):
        desk.add(f"Violin number {number} is made of spruce.", kind="claim")
    monkeypatch.setattr(telling, "LOOKED_MAX", 3)
    page = told(desk, actor="rare")
    assert (page.entries, page.next_before) == ((), desk.log.head() - 2)
    (change,) = desk.log.at([desk.log.head() - 2])
    assert page.stopped_at == change.at
    assert [each.batch.batch for each in joined(desk, 5, actor="rare")] == [rare.batch]
    assert told(desk, limit=1, actor="ada").stopped_at is None


def test_where_a_search_takes_too_long_it_says_how_far_it_looked(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever makes a round slow: one is made in any case, so that pages joined come to the end of the log."""
    rare = desk.capture.capture(desk_request("Herring migrate north in spring."), desk.call(actor="rare"))
    for number in range(4):
        desk.add(f"Violin number {number} is made of spruce.", kind="claim")
    monkeypatch.setattr(telling, "ROUND_MAX", 1)
    hours = count()
    slow = Telling(store=desk.store, shelf=desk.shelf, log=desk.log, clock=lambda: 3_600.0 * next(hours))
    page = slow.log(LogRequest(actor="rare"))
    assert (page.entries, page.next_before) == ((), desk.log.head())
    assert page.stopped_at == desk.log.at([desk.log.head()])[0].at
    looks = 1
    while not page.entries:
        page = slow.log(LogRequest(actor="rare", before=page.next_before))
        looks += 1
    assert (batches(page), looks) == ([rare.batch], desk.log.head() - entry(desk, rare.batch).batch.seq_last + 1)
    quick = Telling(store=desk.store, shelf=desk.shelf, log=desk.log, clock=lambda: 0.0)
    assert batches(quick.log(LogRequest(actor="rare"))) == [rare.batch]


def test_a_batch_that_is_larger_than_a_round_is_stepped_over(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """It costs one round, and what lies below is found at once."""
    first = desk.add("Herring migrate north in spring.", kind="claim")
    large = a_batch(*(SaveSuggestion(suggestion=a_suggestion(f"s{each}", first.node)) for each in range(40)))
    desk.store.commit(large)
    monkeypatch.setattr(telling, "ROUND_MAX", 5)
    monkeypatch.setattr(telling, "LOOKED_MAX", 10)
    page = told(desk)
    assert batches(page) == [large.id, first.batch]
    assert (page.entries[0].batch.changes, page.entries[0].counts) == (40, ((Subject.SUGGESTION, Deed.CREATE, 40),))
    assert len(page.entries[0].subjects) == telling.SUBJECTS_SHOWN_MAX
    assert page.entries[0].subjects_left_out == 35


def test_a_batch_that_is_too_large_is_told_by_its_size_alone(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its state is not known, which is not said to be anything else."""
    first = desk.add("Herring migrate north in spring.", kind="claim")
    large = a_batch(*(SaveSuggestion(suggestion=a_suggestion(f"s{each}", first.node)) for each in range(8)))
    desk.store.commit(large)
    monkeypatch.setattr(telling, "COUNTED_MAX", 7)
    found = entry(desk, large.id)
    assert (found.batch.changes, found.counts, found.subjects, found.state) == (8, (), (), BatchState.UNKNOWN)
    assert entry(desk, first.batch).state is BatchState.STANDS


def test_what_takes_too_much_comparing_is_not_guessed(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """The newest batches are compared first."""
    old, new = (desk.add(f"Herring number {each} migrate north.", kind="claim") for each in range(2))
    for each in (old, new):
        desk.capture.update(UpdateRequest(id=each.node.id, importance=0.9), desk.call(tool="update"))
    monkeypatch.setattr(remaining, "COMPARED_MAX", 2)
    assert state(desk, new.batch)[0] in {BatchState.PARTLY, BatchState.OVERTAKEN}
    monkeypatch.setattr(remaining, "COMPARED_MAX", 1)
    assert state(desk, new.batch)[0] in {BatchState.PARTLY, BatchState.OVERTAKEN}
    assert state(desk, old.batch) == (BatchState.UNKNOWN, "")


def test_the_log_of_a_node_holds_its_relations_and_reaches_what_is_gone(desk: Desk) -> None:
    """By title, and by the whole id once it is forgotten; a relation that was removed is still there with its maker."""
    one = desk.add("Herring migrate north in spring.", title="Herring", kind="claim")
    other = desk.add("Violins are made of spruce.", kind="claim")
    related = desk.join(one.node.id, other.node.id, "extends")
    assert batches(told(desk, node="herring")) == [related.batch, one.batch]
    apart = desk.relate.unrelate(one.node.id, other.node.id, "extends", desk.call(tool="unrelate"))
    gone = desk.capture.forget(one.node.id, desk.call(tool="forget"), confirm=True)
    assert batches(told(desk, node=one.node.id)) == [gone.batch, apart.batch, related.batch, one.batch]
    assert batches(told(desk, node=other.node.id)) == [apart.batch, related.batch, other.batch]
    assert [each.batch.batch for each in joined(desk, 1, node=one.node.id)] == batches(told(desk, node=one.node.id))
    with pytest.raises(NotFound):
        told(desk, node="nowhere")


def test_the_relations_of_a_hub_that_are_not_looked_for_are_told(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is cut silently."""
    hub = desk.add("Herring migrate north in spring.", title="Herring", kind="claim").node
    for number in range(3):
        other = desk.add(f"Violin number {number} is made of spruce.", kind="claim").node
        desk.join(hub.id, other.id, "extends")
    assert told(desk, node=hub.id).left_out == ""
    monkeypatch.setattr(telling, "RELATIONS_MAX", 2)
    assert "of 3 relations" in told(desk, node=hub.id).left_out


def test_what_is_malformed_is_refused(desk: Desk) -> None:
    """A limit, a position, a name that several nodes have."""
    for asked in ({"limit": 0}, {"limit": 101}, {"before": 0}):
        with pytest.raises(InvalidArgument):
            told(desk, **asked)
    for number in range(2):
        desk.add(f"Herring number {number} migrate north.", title="Herring", kind="claim")
    with pytest.raises(Ambiguous):
        told(desk, node="Herring")


def test_an_empty_log_has_an_empty_page(desk: Desk) -> None:
    """Nothing is older than nothing."""
    assert told(desk) == told(desk, before=7) == told(desk, actor="ada")
    assert (told(desk).entries, told(desk).next_before, told(desk).stopped_at) == ((), None, None)


def test_a_batch_in_two_parts_is_told_whole_and_once(desk: Desk) -> None:
    """As a log that came over from another graph in pieces may hold one."""
    node = desk.add("Herring migrate north in spring.", kind="claim").node
    parts = a_batch(SaveNode(node=changed(node, title="Herring"), expect=1))
    desk.store.commit(parts)
    between = desk.add("Violins are made of spruce.", kind="claim")
    desk.store.commit(Batch(id=parts.id, call=parts.call, operations=(SaveSource(source=a_source()),)))
    page = told(desk)
    assert batches(page)[:2] == [parts.id, between.batch]
    assert (page.entries[0].batch.changes, len(page.entries)) == (2, 3)
    assert [each.batch.batch for each in joined(desk, 1)] == batches(page)
