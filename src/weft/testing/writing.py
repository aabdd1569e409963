"""What every store must do when it is written to."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from weft.errors import Conflict, InvalidArgument, PermissionDenied, StaleRead
from weft.model import (
    ClaimNumber,
    Mention,
    Origin,
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
from weft.testing.graphs import GraphContract
from weft.testing.making import (
    AT,
    a_batch,
    a_node,
    a_receipt,
    a_relation,
    a_source,
    a_suggestion,
    an_evidence,
    changed,
    joined,
    retired,
    saved,
    whole,
)

if TYPE_CHECKING:
    from pathlib import Path

    from weft.testing.graphs import Kept

__all__ = ["WriteContract"]


class WriteContract(GraphContract):
    """The promises of :meth:`weft.ports.Store.commit`."""

    def test_a_batch_is_there_at_once_and_after_opening_again(self, tmp_path: Path) -> None:
        kept = self.open(tmp_path)
        boils, melts = a_node("Water boils"), a_node("Ice melts")
        relation = a_relation(boils, melts)
        done = kept.store.commit(a_batch(saved(boils), saved(melts), SaveRelation(relation=relation, expect=0)))
        assert (done.seq_first, done.seq_last) == (1, 3)
        for graph in (kept, self.open(tmp_path)):
            assert graph.store.nodes([melts.id, boils.id]) == {melts.id: melts, boils.id: boils}
            assert graph.store.relations([boils.id]) == (relation,)
            graph.close()

    def test_operations_of_a_batch_may_come_in_any_order(self, kept: Kept) -> None:
        one, two, source = a_node(), a_node("Ice melts"), a_source()
        evidence = an_evidence(one.id, source)
        operations = (
            joined(one, two),
            SaveEvidence(evidence=evidence),
            saved(two),
            saved(one),
            SaveSource(source=source),
        )
        kept.store.commit(a_batch(*operations))
        assert len(kept.store.relations([two.id])) == len(kept.store.evidence([one.id])) == 1

    def test_an_empty_batch_takes_no_position(self, kept: Kept) -> None:
        done = kept.store.commit(a_batch())
        assert (done.seq_first, done.seq_last, kept.log.head()) == (0, 0, 0)

    @pytest.mark.parametrize("expect", [0, 2])
    def test_a_write_planned_on_another_version_is_stale_and_leaves_no_trace(self, kept: Kept, expect: int) -> None:
        node = a_node()
        self.write(kept, node)
        late = SaveNode(node=replace(node, version=expect + 1), expect=expect, passages=(whole(node),))
        self.untouched(kept, a_batch(saved(a_node("Ice melts")), late), StaleRead)

    def test_a_write_over_what_was_never_there_is_stale(self, kept: Kept) -> None:
        one, two = a_node(), a_node("Ice melts")
        self.write(kept, one, two)
        relation = replace(a_relation(one, two), version=2)
        self.untouched(kept, a_batch(SaveRelation(relation=relation, expect=1)), StaleRead)
        self.untouched(kept, a_batch(RemoveRelation(id="none", expect=1)), StaleRead)
        self.untouched(kept, a_batch(RemoveEvidence(id="none", expect=1)), StaleRead)

    def test_a_version_grows_by_one_and_birth_never_changes(self, kept: Kept) -> None:
        node = a_node()
        self.write(kept, node)
        self.untouched(kept, a_batch(SaveNode(node=replace(node, version=3), expect=1)), InvalidArgument)
        self.untouched(kept, a_batch(SaveNode(node=changed(node, created_by="eve"), expect=1)), InvalidArgument)

    def test_a_relation_is_unique_by_ends_and_type(self, kept: Kept) -> None:
        one, two = a_node(), a_node("Ice melts")
        self.write(kept, one, two)
        kept.store.commit(
            a_batch(joined(one, two, "supports"), joined(one, two, "extends"), joined(two, one, "extends"))
        )
        assert len(kept.store.relations([one.id])) == 3
        self.untouched(kept, a_batch(joined(one, two, "supports")), StaleRead)

    def test_a_relation_is_strengthened_in_place_and_removed_by_id(self, kept: Kept) -> None:
        one, two = a_node(), a_node("Ice melts")
        relation = a_relation(one, two, confidence=0.5, scores=(("similarity", 0.75),), rule="near")
        self.write(kept, one, two)
        kept.store.commit(a_batch(SaveRelation(relation=relation, expect=0)))
        stronger = replace(relation, confidence=0.9, version=2)
        kept.store.commit(a_batch(SaveRelation(relation=stronger, expect=1)))
        assert kept.store.relations([two.id]) == (stronger,)
        self.untouched(kept, a_batch(RemoveRelation(id=relation.id, expect=1)), StaleRead)
        kept.store.commit(a_batch(RemoveRelation(id=relation.id, expect=2)))
        assert kept.store.relations([one.id, two.id]) == ()
        assert kept.store.counts().relations == 0

    def test_no_relation_ends_at_a_node_that_is_gone(self, kept: Kept) -> None:
        one, two = a_node(), a_node("Ice melts")
        self.write(kept, one, two)
        self.untouched(kept, a_batch(joined(one, a_node("never saved"))), StaleRead)
        kept.store.commit(a_batch(SaveNode(node=retired(two), expect=1)))
        self.untouched(kept, a_batch(joined(one, two)), StaleRead)

    def test_evidence_needs_its_source(self, kept: Kept) -> None:
        node = a_node()
        self.write(kept, node)
        self.untouched(kept, a_batch(SaveEvidence(evidence=an_evidence(node.id, a_source()))), InvalidArgument)

    def test_a_relation_joins_two_nodes(self, kept: Kept) -> None:
        node = a_node()
        self.untouched(kept, a_batch(saved(node), joined(node, node)), InvalidArgument)

    def test_a_node_is_not_retired_under_a_relation_that_came_meanwhile(self, kept: Kept) -> None:
        one, two = a_node(), a_node("Ice melts")
        self.write(kept, one, two)
        relation = joined(one, two)
        kept.store.commit(a_batch(relation))
        gone = SaveNode(node=retired(two), expect=1)
        self.untouched(kept, a_batch(gone), StaleRead)
        kept.store.commit(a_batch(gone, RemoveRelation(id=relation.relation.id, expect=1)))
        assert kept.store.counts().retired == 1

    def test_only_what_stands_at_the_end_of_a_batch_must_agree(self, kept: Kept) -> None:
        one, two = a_node(), a_node("Ice melts")
        relation = joined(one, two)
        gone, back = SaveNode(node=retired(two), expect=1), saved(changed(retired(two), retired=None))
        fleeting = joined(two, one)
        unmade = RemoveRelation(id=fleeting.relation.id, expect=1)
        kept.store.commit(a_batch(saved(one), saved(two), relation, gone, back, fleeting, unmade))
        assert kept.store.relations([two.id]) == (relation.relation,)
        assert kept.store.counts().retired == 0

    def test_a_vector_of_another_length_or_of_no_number_is_refused(self, kept: Kept) -> None:
        node = a_node()
        for vector in (np.ones(3, np.float32), np.ones((8, 1), np.float32), np.full(8, np.nan, np.float32)):
            passage = replace(whole(node), vector=vector)
            self.untouched(kept, a_batch(SaveNode(node=node, expect=0, passages=(passage,))), InvalidArgument)

    def test_a_number_out_of_range_is_refused(self, kept: Kept) -> None:
        for confidence in (-0.1, 1.1, float("nan"), float("inf")):
            self.untouched(kept, a_batch(saved(a_node(confidence=confidence))), InvalidArgument)

    def test_new_content_needs_new_passages(self, kept: Kept) -> None:
        node = a_node()
        self.write(kept, node)
        self.untouched(kept, a_batch(SaveNode(node=changed(node, content="Other."), expect=1)), InvalidArgument)
        kept.store.commit(a_batch(SaveNode(node=retired(node), expect=1)))
        back = changed(retired(node), retired=None)
        self.untouched(kept, a_batch(SaveNode(node=back, expect=2)), InvalidArgument)
        kept.store.commit(a_batch(saved(back)))
        assert kept.store.counts().passages == 1

    def test_passages_are_replaced_and_a_retired_node_has_none(self, kept: Kept) -> None:
        node = a_node()
        halves = (replace(whole(node), end=5), replace(whole(node), start=5))
        kept.store.commit(a_batch(SaveNode(node=node, expect=0, passages=halves)))
        assert kept.store.counts().passages == 2
        second = changed(node, content="Short.")
        kept.store.commit(a_batch(saved(second)))
        assert kept.store.counts().passages == 1
        kept.store.commit(a_batch(SaveNode(node=changed(second, tags=("physics",)), expect=2)))
        assert kept.store.counts().passages == 1
        kept.store.commit(a_batch(saved(retired(changed(second)))))
        assert kept.store.counts().passages == 0

    def test_a_receipt_is_kept_with_its_batch_and_its_key_works_once(self, kept: Kept) -> None:
        receipt = a_receipt("k", subjects=("a", "b"))
        kept.store.commit(a_batch(saved(a_node()), receipt=receipt))
        assert kept.store.receipt(actor="ada", tool="capture", key="k") == receipt
        assert kept.store.receipt(actor="bob", tool="capture", key="k") is None
        self.untouched(kept, a_batch(saved(a_node("Ice melts")), receipt=receipt), Conflict)

    def test_a_refused_batch_leaves_no_receipt(self, kept: Kept) -> None:
        self.untouched(kept, a_batch(RemoveRelation(id="none", expect=1), receipt=a_receipt("k")), StaleRead)
        assert kept.store.receipt(actor="ada", tool="capture", key="k") is None

    def test_a_suggestion_of_the_same_thing_is_never_made_twice(self, kept: Kept) -> None:
        one, two = a_node(), a_node("Ice melts")
        self.write(kept, one, two)
        first = a_suggestion("one-two", one, two, score=0.5)
        kept.store.commit(a_batch(SaveSuggestion(suggestion=first)))
        head = kept.log.head()
        kept.store.commit(a_batch(SaveSuggestion(suggestion=a_suggestion("one-two", one, two, score=0.9))))
        assert kept.log.head() == head
        decided = replace(first, state=SuggestionState.DISMISSED, decided_at=AT, decided_by="bob", version=2)
        kept.store.commit(a_batch(SaveSuggestion(suggestion=decided, expect=1)))
        kept.store.commit(a_batch(SaveSuggestion(suggestion=a_suggestion("one-two", one, two))))
        assert kept.store.suggestions(SuggestionQuery(state="dismissed")) == ((decided,), 1)
        assert kept.store.suggestions(SuggestionQuery()) == ((), 0)

    def test_a_batch_sees_what_it_has_done_to_a_relation_and_a_suggestion(self, kept: Kept) -> None:
        one, two = a_node(), a_node("Ice melts")
        self.write(kept, one, two)
        first, second = a_relation(one, two), a_relation(one, two, confidence=0.5)
        stronger = replace(second, confidence=0.7, version=2)
        same = [SaveSuggestion(suggestion=a_suggestion("one-two", one, two)) for _ in range(2)]
        kept.store.commit(a_batch(SaveRelation(relation=first, expect=0)))
        kept.store.commit(
            a_batch(
                RemoveRelation(id=first.id, expect=1),
                SaveRelation(relation=second, expect=0),
                SaveRelation(relation=stronger, expect=1),
                *same,
            )
        )
        assert kept.store.relations([one.id]) == (stronger,)
        assert kept.store.suggestions(SuggestionQuery())[1] == 1
        self.untouched(kept, a_batch(SaveRelation(relation=stronger, expect=1)), StaleRead)

    def test_a_vote_is_one_an_actor_and_the_last_counts(self, kept: Kept) -> None:
        vote = Vote(learned_id="learned_1", actor="ada", value=1, reason="", at=AT)
        other = replace(vote, value=-1, reason="it failed")
        kept.store.commit(a_batch(SaveVote(vote=vote)))
        kept.store.commit(a_batch(SaveVote(vote=other), SaveVote(vote=replace(vote, actor="bob"))))
        changes = kept.log.since(0, limit=10)
        assert [change.action.value for change in changes] == ["create", "update", "create"]
        self.untouched(kept, a_batch(SaveVote(vote=replace(vote, value=2))), InvalidArgument)

    def test_numbers_of_a_series_are_taken_one_by_one(self, kept: Kept) -> None:
        kept.store.commit(a_batch(ClaimNumber(name="learned", value=1)))
        kept.store.commit(a_batch(ClaimNumber(name="learned", value=2), ClaimNumber(name="other", value=1)))
        for value in (1, 2, 4):
            self.untouched(kept, a_batch(ClaimNumber(name="learned", value=value)), StaleRead)
        assert kept.store.facts()["series"] == {"learned": 3, "other": 2}

    def test_a_text_of_a_document_is_stale_where_another_came_first(self, kept: Kept) -> None:
        first, second, third = a_source(), a_source(), a_source()
        kept.store.commit(a_batch(SaveSource(source=first, after="")))
        for after in ("", second.id):
            self.untouched(kept, a_batch(SaveSource(source=second, after=after)), StaleRead)
        kept.store.commit(a_batch(SaveSource(source=second, after=first.id)))
        kept.store.commit(a_batch(SaveSource(source=third)))

    def test_what_thinks_writes_no_name_that_nobody_registered(self, kept: Kept) -> None:
        one, two = a_node(), a_node("Ice melts")
        kept.store.commit(a_batch(saved(one), saved(two)))
        named = (saved(a_node(kind="recipe")), saved(changed(one, kind="recipe")), joined(one, two, type="rebuts"))
        for write in named:
            self.untouched(kept, a_batch(write), InvalidArgument)
        kept.store.commit(a_batch(*named, spares_documents=False))
        again = changed(changed(one, kind="recipe"), title="Water boils hot")
        kept.store.commit(a_batch(SaveNode(node=again, expect=2)))

    def test_threads_that_write_at_once_lose_nothing(self, kept: Kept) -> None:
        nodes = [a_node(f"Claim {number}") for number in range(40)]
        with ThreadPoolExecutor(8) as pool:
            done = list(pool.map(lambda node: kept.store.commit(a_batch(saved(node))), nodes))
        assert sorted(each.seq_first for each in done) == list(range(1, 41))
        assert kept.store.nodes([node.id for node in nodes]) == {node.id: node for node in nodes}

    def test_a_reader_cannot_write_whatever_the_call_says(self, tmp_path: Path) -> None:
        self.write(self.open(tmp_path), a_node())
        for kept, tier in ((self.open(tmp_path, tier=Tier.READER), Tier.CURATOR), (self.open(tmp_path), Tier.READER)):
            self.untouched(kept, a_batch(saved(a_node("Ice melts")), tier=tier), PermissionDenied)
            self.untouched(kept, a_batch(ClaimNumber(name="a", value=1), tier=tier), PermissionDenied)

    def test_a_contributor_writes_but_takes_nothing_away_and_decides_nothing(self, kept: Kept) -> None:
        one, two, source = a_node(), a_node("Ice melts"), a_source()
        relation, evidence = a_relation(one, two), an_evidence(one.id, source)
        suggestion = a_suggestion("one-two", one, two)
        mentions = SaveMentions(node=one.id, outgoing=(Mention(node=one.id, target=two.id, name="ice"),))
        writes = (
            saved(one),
            saved(two),
            SaveRelation(relation=relation, expect=0),
            SaveSource(source=source),
            mentions,
        )
        more = (SaveEvidence(evidence=evidence), SaveSuggestion(suggestion=suggestion), ClaimNumber(name="a", value=1))
        kept.store.commit(a_batch(*writes, *more, tier=Tier.CONTRIBUTOR, receipt=a_receipt("k")))
        kept.store.commit(a_batch(saved(changed(one, title="Water boils hot")), tier=Tier.CONTRIBUTOR))
        decided = replace(suggestion, state=SuggestionState.ACCEPTED, decided_by="ada", decided_at=AT, version=2)
        for refused in (
            RemoveRelation(id=relation.id, expect=1),
            RemoveEvidence(id=evidence.id, expect=1),
            SaveNode(node=retired(two), expect=1),
            SaveSuggestion(suggestion=decided, expect=1),
            SaveSuggestion(suggestion=replace(decided, id="other", dedup="other", version=1)),
        ):
            self.untouched(kept, a_batch(refused, tier=Tier.CONTRIBUTOR), PermissionDenied)

    def test_a_refusal_names_the_tier_that_is_needed(self, kept: Kept) -> None:
        one, two = a_node(), a_node("Ice melts")
        relation = joined(one, two)
        kept.store.commit(a_batch(saved(one), saved(two), relation))
        for refused in (RemoveRelation(id=relation.relation.id, expect=1), SaveNode(node=retired(one), expect=1)):
            with pytest.raises(PermissionDenied, match="librarian"):
                kept.store.commit(a_batch(refused, tier=Tier.CONTRIBUTOR))

    def test_nothing_that_thinks_takes_away_what_a_document_said(self, kept: Kept) -> None:
        one, two, source = a_node(origin=Origin.DOCUMENT), a_node("Ice melts"), a_source()
        relation, evidence = a_relation(one, two, origin=Origin.DOCUMENT), an_evidence(two.id, source)
        writes = (saved(one), saved(two), SaveRelation(relation=relation, expect=0))
        kept.store.commit(a_batch(*writes, SaveSource(source=source), SaveEvidence(evidence=evidence)))
        removals = (
            RemoveEvidence(id=evidence.id, expect=1),
            SaveEvidence(evidence=replace(evidence, quote="Ice", version=2), expect=1),
            SaveRelation(relation=replace(relation, origin=Origin.MANUAL, version=2), expect=1),
            RemoveRelation(id=relation.id, expect=1),
            SaveNode(node=retired(one), expect=1),
        )
        for removal in removals:
            self.untouched(kept, a_batch(removal), PermissionDenied)
        kept.store.commit(a_batch(removals[0], *removals[3:], tier=Tier.LIBRARIAN, spares_documents=False))
        assert kept.store.counts().retired == 1
