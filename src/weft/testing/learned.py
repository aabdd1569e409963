"""What a memory of learned items must do. Subclass :class:`LearnedContract`, fill in ``open``, and run pytest."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any, Protocol

import pytest

from weft.errors import InvalidArgument, StaleRead
from weft.model import (
    ClaimNumber,
    LearnedQuery,
    Origin,
    Page,
    RemoveEvidence,
    RemoveRelation,
    ReserveNumbers,
    SaveEvidence,
    SaveRelation,
    SaveSource,
    SaveVote,
    SourceType,
    Vote,
)
from weft.testing.graphs import GraphContract, Kept
from weft.testing.making import AT, a_batch, a_node, a_relation, a_source, an_evidence, retired, saved

if TYPE_CHECKING:
    from weft.model import Evidence, Node, Relation
    from weft.ports import Learned

__all__ = ["LearnedContract", "Remembering"]


class Remembering(Kept, Protocol):
    """An open graph that tells what was learned."""

    @property
    def learned(self) -> Learned:
        """What was learned."""
        ...


class LearnedContract(GraphContract):
    """The promises of :class:`weft.ports.Learned`."""

    def learn(
        self,
        kept: Remembering,
        number: int,
        ends: tuple[Node, Node],
        **fields: Any,  # noqa: ANN401 - any field of evidence
    ) -> tuple[Relation, Evidence]:
        """Write a learned relation between two nodes, number ``number`` of its day, with its evidence."""
        learned_id = f"learned_2026-03-01_{number:03d}"
        relation = a_relation(ends[0], ends[1], "bridges", origin=Origin.LEARNED, learned_id=learned_id)
        text = f"evidence {number}"
        source = a_source("User synthesis", type=SourceType.LEARNED, text=text)
        given: dict[str, Any] = {"quote": text, "end": len(text), "similarity": 0.8, "leap": "MEDIUM"}
        given |= {"created_at": AT + timedelta(seconds=number), "learned_id": learned_id} | fields
        evidence = an_evidence(relation.id, source, **given)
        operations = (SaveRelation(relation=relation, expect=0), SaveSource(source=source))
        kept.store.commit(a_batch(*operations, SaveEvidence(evidence=evidence)))
        return relation, evidence

    def ends(self, kept: Remembering) -> tuple[Node, Node, Node]:
        """Write three nodes of three ontologies."""
        nodes = tuple(a_node(name, ontology=name) for name in ("physics", "kitchen", "music"))
        self.write(kept, *nodes)
        return nodes[0], nodes[1], nodes[2]

    def test_items_are_whole_and_come_in_the_order_asked_for(self, kept: Remembering) -> None:
        one, two, three = self.ends(kept)
        first, grounds = self.learn(kept, 1, (one, two))
        second, _ = self.learn(kept, 2, (two, three))
        found = kept.learned.items([second.learned_id, "learned_2026-03-01_009", first.learned_id])
        assert list(found) == [second.learned_id, first.learned_id]
        item = found[first.learned_id]
        assert (item.relations, item.evidence, item.concept) == ((first,), grounds, None)

    def test_a_concept_is_part_of_its_item_and_not_once_it_is_retired(self, kept: Remembering) -> None:
        one, *_ = self.ends(kept)
        concept = a_node("idea", origin=Origin.LEARNED, learned_id="learned_2026-03-01_001")
        relation = a_relation(concept, one, "synthesized_from", learned_id=concept.learned_id)
        source = a_source("AI synthesis", type=SourceType.LEARNED)
        evidence = an_evidence(concept.id, source, learned_id=concept.learned_id)
        writes = (saved(concept), SaveRelation(relation=relation, expect=0), SaveSource(source=source))
        kept.store.commit(a_batch(*writes, SaveEvidence(evidence=evidence)))
        item = kept.learned.items([concept.learned_id])[concept.learned_id]
        assert (item.relations, item.evidence, item.concept) == ((relation,), evidence, concept)
        assert kept.learned.find(LearnedQuery()).total == 1
        kept.store.commit(a_batch(RemoveRelation(id=relation.id, expect=1), saved(retired(concept))))
        assert kept.learned.items([concept.learned_id]) == {}
        assert kept.learned.find(LearnedQuery()).total == 0

    def test_two_items_of_one_relation_have_their_own_evidence(self, kept: Remembering) -> None:
        one, two, _ = self.ends(kept)
        relation, grounds = self.learn(kept, 1, (one, two))
        source = a_source("User synthesis", type=SourceType.LEARNED, text="more")
        other = an_evidence(relation.id, source, learned_id="learned_2026-03-01_002", creator="bob")
        kept.store.commit(a_batch(SaveSource(source=source), SaveEvidence(evidence=other)))
        both = (relation.learned_id, other.learned_id)
        found = kept.learned.items(both)
        assert [(item.relations, item.evidence) for item in found.values()] == [
            ((relation,), grounds),
            ((relation,), other),
        ]
        for learned_id in both:
            assert kept.learned.named(learned_id, limit=9) == (learned_id,)
            (item,) = kept.learned.find(LearnedQuery(learned_id=learned_id, ontology="kitchen")).items
            assert item.learned_id == learned_id
        assert kept.learned.named("learned_2026", limit=9) == both
        assert kept.learned.find(LearnedQuery()).total == len(both)
        assert [item.learned_id for item in kept.learned.find(LearnedQuery(creator="bob")).items] == [both[1]]

    def test_each_filter_restricts_and_together_they_all_do(self, kept: Remembering) -> None:
        one, two, three = self.ends(kept)
        self.learn(kept, 1, (one, two), creator="ada", similarity=0.9, leap="LOW")
        self.learn(kept, 2, (two, three), creator="bob", similarity=0.6, leap="HIGH")
        self.learn(kept, 3, (three, one), creator="ada", similarity=0.7, leap="MEDIUM")

        def numbers(**fields: Any) -> list[str]:  # noqa: ANN401 - any field of a query
            found = kept.learned.find(LearnedQuery(**fields))
            assert found.total == len(found.items)
            return [item.learned_id[-1] for item in found.items]

        assert numbers() == ["3", "2", "1"]
        assert numbers(creator="ada") == ["3", "1"]
        assert numbers(ontology="kitchen") == ["2", "1"]
        assert numbers(ontology="music", creator="ada") == ["3"]
        assert numbers(leap="HIGH") == ["2"]
        assert numbers(similarity_min=0.7) == ["3", "1"]
        assert numbers(learned_id="learned_2026-03-01_002") == ["2"]
        assert numbers(learned_id="learned_2026-03-01_00") == []
        assert numbers(ontology="nowhere") == []

    def test_the_total_does_not_depend_on_the_page(self, kept: Remembering) -> None:
        one, two, three = self.ends(kept)
        for number, pair in enumerate(((one, two), (two, three), (three, one)), start=1):
            self.learn(kept, number, pair)
        found = kept.learned.find(LearnedQuery(page=Page(limit=1, offset=1)))
        assert ([item.learned_id[-1] for item in found.items], found.total) == (["2"], 3)
        assert kept.learned.find(LearnedQuery(page=Page(limit=5, offset=3))).items == ()
        for page in (Page(limit=0), Page(offset=-1)):
            with pytest.raises(InvalidArgument):
                kept.learned.find(LearnedQuery(page=page))

    def test_an_item_is_named_by_its_id_its_beginning_and_its_relation(self, kept: Remembering) -> None:
        one, two, three = self.ends(kept)
        first, _ = self.learn(kept, 1, (one, two))
        second, _ = self.learn(kept, 2, (two, three))
        both = (first.learned_id, second.learned_id)
        assert kept.learned.named(first.learned_id, limit=9) == both[:1]
        assert kept.learned.named("learned_2026-03", limit=9) == both
        assert kept.learned.named("learned_2026-03", limit=1) == both[:1]
        assert kept.learned.named(second.id, limit=9) == both[1:]
        for nothing in ("", "learned_2027", one.id, "%", "' OR 1=1 --"):
            assert kept.learned.named(nothing, limit=9) == ()

    def test_the_last_vote_of_an_actor_counts(self, kept: Remembering) -> None:
        one, two, _ = self.ends(kept)
        relation, _ = self.learn(kept, 1, (one, two))
        cast = [("ada", 1, 1), ("bob", 1, 2), ("ada", -1, 3)]
        votes = [
            Vote(learned_id=relation.learned_id, actor=actor, value=value, reason="", at=AT + timedelta(seconds=at))
            for actor, value, at in cast
        ]
        for vote in votes:
            kept.store.commit(a_batch(SaveVote(vote=vote)))
        assert kept.learned.votes([relation.learned_id, "x"]) == {relation.learned_id: (votes[1], votes[2])}

    def test_what_was_ever_said_under_an_id_is_remembered(self, kept: Remembering) -> None:
        one, two, _ = self.ends(kept)
        relation, evidence = self.learn(kept, 1, (one, two))
        assert kept.learned.ever([relation.learned_id]) == {relation.learned_id: ("evidence 1",)}
        kept.store.commit(a_batch(RemoveRelation(id=relation.id, expect=1), RemoveEvidence(id=evidence.id, expect=1)))
        assert kept.learned.ever([relation.learned_id, "x"]) == {relation.learned_id: ("evidence 1",)}

    def test_reserved_numbers_are_given_out_no_more(self, kept: Remembering) -> None:
        def follows(number: int) -> bool:
            return bool(kept.store.facts()["series"].get("learned_2026-03-01", 1) == number)

        kept.store.commit(a_batch(ReserveNumbers(name="learned_2026-03-01", value=7, expect=0)))
        assert follows(8)
        for value, expect, error in ((9, 0, StaleRead), (3, 7, InvalidArgument)):
            refused = ReserveNumbers(name="learned_2026-03-01", value=value, expect=expect)
            self.untouched(kept, a_batch(refused), error)
        with pytest.raises(StaleRead):
            kept.store.commit(a_batch(ClaimNumber(name="learned_2026-03-01", value=7)))
        kept.store.commit(a_batch(ClaimNumber(name="learned_2026-03-01", value=8)))
        assert follows(9)
