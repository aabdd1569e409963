"""What every log must tell."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from weft.errors import Ambiguous
from weft.model import (
    Action,
    Filter,
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
