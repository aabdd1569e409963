"""What every log must tell."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from weft.errors import Ambiguous
from weft.model import (
    Action,
    Call,
    Deed,
    Filter,
    LogQuery,
    Page,
    RemoveEvidence,
    RemoveRelation,
    SaveEvidence,
    SaveNode,
    SaveRelation,
    SaveSource,
    SaveSuggestion,
    SaveVote,
    Subject,
    Tier,
    Vote,
)
from weft.model.codec import to_data, value_from
from weft.testing.graphs import GraphContract
from weft.testing.making import (
    AT,
    a_batch,
    a_node,
    a_relation,
    a_source,
    a_suggestion,
    an_evidence,
    changed,
    retired,
    saved,
)

if TYPE_CHECKING:
    from weft.testing.graphs import Kept

__all__ = ["LogContract"]

HOUR = timedelta(hours=1)


class LogContract(GraphContract):
    """The promises of :class:`weft.ports.Log`."""

    def test_a_new_log_is_empty(self, kept: Kept) -> None:
        assert kept.log.head() == kept.log.position(AT) == 0
        assert kept.log.since(0, limit=10) == kept.log.batch("none") == kept.log.history("none", limit=10) == ()

    def test_every_change_tells_who_when_through_what_and_what_it_was_before(self, kept: Kept) -> None:
        node = a_node()
        self.write(kept, node)
        second = changed(node, title="Water boils at 99 °C")
        batch = a_batch(saved(second))
        kept.store.commit(batch)
        made, update = kept.log.since(0, limit=10)
        call = batch.call
        assert (made.seq, made.action, made.before, made.after) == (1, Action.CREATE, None, to_data(node))
        assert (update.seq, update.action, update.before, update.after) == (
            2,
            Action.UPDATE,
            made.after,
            to_data(second),
        )
        assert (update.actor, update.client, update.tool, update.session) == ("ada", "test", "capture", "morning")
        assert (update.at, update.batch, update.subject, update.subject_id) == (
            call.at,
            batch.id,
            Subject.NODE,
            node.id,
        )

    def test_everything_that_was_can_be_made_again_from_the_log(self, kept: Kept) -> None:
        one, two, source = a_node(handles=("one",), tags=("a",)), a_node("Ice melts"), a_source()
        relation = a_relation(one, two, scores=(("similarity", 0.5),), valid_from=AT)
        evidence, suggestion = an_evidence(one.id, source, similarity=0.5), a_suggestion("a", one, two)
        vote = Vote(learned_id="learned_1", actor="ada", value=1, reason="", at=AT)
        saves = (saved(one), saved(two), SaveRelation(relation=relation, expect=0), SaveSource(source=source))
        kept.store.commit(a_batch(*saves, SaveEvidence(evidence=evidence), SaveSuggestion(suggestion=suggestion)))
        gone = (RemoveRelation(id=relation.id, expect=1), RemoveEvidence(id=evidence.id, expect=1))
        last = (*gone, SaveNode(node=retired(one), expect=1), SaveVote(vote=vote))
        kept.store.commit(a_batch(*last, spares_documents=False))
        changes = kept.log.since(0, limit=100)
        made = [value_from(change.subject, change.after) for change in changes[:6] if change.after is not None]
        assert made == [one, two, relation, source, evidence, suggestion]
        taken = [value_from(change.subject, change.before) for change in changes[6:9] if change.before is not None]
        assert taken == [relation, evidence, one]
        assert [change.action for change in changes[6:]] == [Action.REMOVE, Action.REMOVE, Action.UPDATE, Action.CREATE]
        assert changes[9].after == to_data(vote)

    def test_positions_are_dense_and_pages_go_on_where_the_last_ended(self, kept: Kept) -> None:
        for number in range(7):
            self.write(kept, a_node(f"Claim {number}"))
        pages = [kept.log.since(start, limit=3) for start in (0, 3, 6, 7)]
        assert [[change.seq for change in page] for page in pages] == [[1, 2, 3], [4, 5, 6], [7], []]
        assert kept.log.head() == 7

    def test_time_never_runs_backwards(self, kept: Kept) -> None:
        for hours in (2, 0, 1, 3):
            kept.store.commit(a_batch(saved(a_node()), at=AT + hours * HOUR))
        assert [change.at - AT for change in kept.log.since(0, limit=9)] == [2 * HOUR, 2 * HOUR, 2 * HOUR, 3 * HOUR]

    def test_a_time_is_resolved_to_the_last_change_by_then(self, kept: Kept) -> None:
        for hours in (0, 0, 1):
            kept.store.commit(a_batch(saved(a_node()), at=AT + hours * HOUR))
        wanted = {AT - HOUR: 0, AT: 2, AT + HOUR / 2: 2, AT + HOUR: 3, AT + 9 * HOUR: 3}
        assert {at: kept.log.position(at) for at in wanted} == wanted

    def test_a_batch_is_found_by_an_unambiguous_beginning(self, kept: Kept) -> None:
        batch = a_batch(saved(a_node()), saved(a_node("Ice melts")))
        kept.store.commit(batch)
        self.write(kept, a_node("Steam rises"))
        assert [change.seq for change in kept.log.batch(batch.id)] == [1, 2]
        assert kept.log.batch(f" {batch.id[:-1]} ") == kept.log.batch(batch.id)
        with pytest.raises(Ambiguous) as caught:
            kept.log.batch(batch.id[:4])
        assert batch.id in [candidate.id for candidate in caught.value.candidates]

    def test_each_batch_is_found_once_where_its_last_change_lies(self, kept: Kept) -> None:
        batches = [a_batch(*(saved(a_node(f"Claim {each}")) for each in range(size))) for size in (1, 3, 2)]
        for batch in batches:
            kept.store.commit(batch)
        found = kept.log.batches(LogQuery(before=7))
        assert [each.batch for each in found] == [each.id for each in reversed(batches)]
        assert [(each.seq_first, each.seq_last, each.changes) for each in found] == [(5, 6, 2), (2, 4, 3), (1, 1, 1)]
        assert all(each.unbroken for each in found)
        within = {(4, 1): (), (2, 1): (), (1, 0): (), (0, 0): (), (7, 4): found[:1]}
        within |= {(6, 0): found[1:], (5, 1): found[1:2]}
        for (before, after), wanted in within.items():
            assert kept.log.batches(LogQuery(before=before, after=after)) == wanted, (before, after)
        assert kept.log.batches(LogQuery(before=7, limit=2)) == found[:2]

    def test_a_batch_that_goes_on_later_stands_at_its_end_and_is_told_whole(self, kept: Kept) -> None:
        batch = a_batch(saved(a_node()))
        kept.store.commit(batch)
        self.write(kept, a_node("Ice melts"))
        kept.store.commit(replace(batch, operations=(saved(a_node("Steam rises")),)))
        first, second = kept.log.batches(LogQuery(before=9))
        assert (first.batch, first.seq_first, first.seq_last, first.changes) == (batch.id, 1, 3, 2)
        assert (first.unbroken, second.unbroken) == (False, True)
        assert kept.log.batches(LogQuery(before=3)) == (second,)

    def test_a_batch_tells_who_made_it_and_is_found_by_that(self, kept: Kept) -> None:
        call = Call(actor="eve", client="mcp", tool="relate", tier=Tier.CURATOR, at=AT + HOUR, session="noon")
        batch = replace(a_batch(saved(a_node())), call=call)
        self.write(kept, a_node("Ice melts"))
        kept.store.commit(batch)
        self.write(kept, a_node("Steam rises"))
        (found,) = kept.log.batches(LogQuery(before=9, actor="eve"))
        assert (found.batch, found.actor, found.client, found.tool) == (batch.id, "eve", "mcp", "relate")
        assert (found.session, found.first_at, found.last_at) == ("noon", call.at, call.at)
        for name, value in (("client", "mcp"), ("tool", "relate"), ("session", "noon")):
            assert kept.log.batches(LogQuery(before=9, **{name: value})) == (found,)  # type: ignore[arg-type]
            assert not kept.log.batches(LogQuery(before=9, **{name: "other"}))  # type: ignore[arg-type]
        assert not kept.log.batches(LogQuery(before=9, actor="eve", tool="capture"))

    def test_batches_about_a_node_are_those_of_its_subjects_and_of_relations_that_left_it(self, kept: Kept) -> None:
        one, two, three = a_node(), a_node("Ice melts"), a_node("Steam rises")
        relation, other = a_relation(two, one), a_relation(two, three)
        batches = [a_batch(saved(one)), a_batch(saved(two), saved(three))]
        batches += [a_batch(SaveRelation(relation=each, expect=0)) for each in (relation, other)]
        batches += [a_batch(RemoveRelation(id=each.id, expect=1)) for each in (relation, other)]
        for batch in batches:
            kept.store.commit(batch)
        wanted = {one.id: [4, 2, 0], two.id: [5, 4, 3, 2, 1], three.id: [5, 3, 1]}
        for node, places in wanted.items():
            found = kept.log.batches(LogQuery(before=99, node=node, subjects=(node,)))
            assert [each.batch for each in found] == [batches[place].id for place in places]
        assert not kept.log.batches(LogQuery(before=99, node="", subjects=("unknown",)))
        narrowed = kept.log.batches(LogQuery(before=6, after=3, limit=1, node=one.id, subjects=(one.id,)))
        assert [each.batch for each in narrowed] == [batches[2].id]

    def test_what_a_batch_did_is_counted_with_nodes_that_leave_and_return(self, kept: Kept) -> None:
        one, two = a_node(), a_node("Ice melts")
        relation = a_relation(one, two)
        made = a_batch(saved(one), saved(two), SaveRelation(relation=relation, expect=0))
        second, gone = changed(one, title="Water boils at 99 °C"), retired(two)
        left = a_batch(saved(second), RemoveRelation(id=relation.id, expect=1), SaveNode(node=gone, expect=1))
        back = a_batch(saved(changed(gone, retired=None)))
        for batch in (made, left, back):
            kept.store.commit(batch)
        counted = kept.log.counted([made.id, left.id, back.id, "unknown"])
        node, joined = Subject.NODE, Subject.RELATION
        assert counted == {
            made.id: ((node, Deed.CREATE, 2), (joined, Deed.CREATE, 1)),
            left.id: ((node, Deed.UPDATE, 1), (joined, Deed.REMOVE, 1), (node, Deed.RETIRE, 1)),
            back.id: ((node, Deed.RESTORE, 1),),
            "unknown": (),
        }
        assert kept.log.counted([]) == {}

    def test_what_a_batch_touched_is_told_with_the_newest_change_of_each(self, kept: Kept) -> None:
        one, two = a_node(), a_node("Ice melts")
        first, second = a_batch(saved(one), saved(two)), a_batch(saved(changed(one)))
        for batch in (first, second):
            kept.store.commit(batch)
        told = kept.log.touched([second.id, first.id, "unknown"])
        assert [(each.batch, each.id, each.made) for each in told] == [
            (first.id, one.id, True),
            (first.id, two.id, True),
            (second.id, one.id, False),
        ]
        assert [(each.first, each.last, each.newest) for each in told] == [(1, 1, 3), (2, 2, 2), (3, 3, 3)]
        assert kept.log.touched([]) == ()

    def test_changes_are_read_by_their_positions(self, kept: Kept) -> None:
        for number in range(4):
            self.write(kept, a_node(f"Claim {number}"))
        whole = kept.log.since(0, limit=9)
        assert kept.log.at([3, 1, 9, 3]) == (whole[0], whole[2])
        assert kept.log.at([]) == ()

    def test_history_is_newest_first(self, kept: Kept) -> None:
        node = a_node()
        self.write(kept, node, a_node("Ice melts"))
        kept.store.commit(a_batch(saved(changed(node))))
        assert [change.seq for change in kept.log.history(node.id, limit=9)] == [3, 1]
        assert [change.seq for change in kept.log.history(node.id, limit=1)] == [3]

    def test_nodes_stand_in_the_past_as_they_stood(self, kept: Kept) -> None:
        node = a_node(tags=("old",))
        self.write(kept, node)
        second = changed(node, tags=("new",))
        kept.store.commit(a_batch(saved(second)))
        kept.store.commit(a_batch(SaveNode(node=retired(second), expect=2)))
        stood = {0: {}, 1: {node.id: node}, 2: {node.id: second}, 3: {}}
        assert {seq: kept.log.nodes_as_of([node.id, "unknown"], seq) for seq in stood} == stood
        totals = {seq: kept.store.find(Filter(tags=("old",), as_of=seq), Page()).total for seq in stood}
        assert totals == {0: 0, 1: 1, 2: 0, 3: 0}
