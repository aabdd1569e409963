"""What every store must answer."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from weft.errors import InvalidArgument
from weft.model import (
    Filter,
    Mention,
    Origin,
    Page,
    RemoveRelation,
    SaveEvidence,
    SaveMentions,
    SaveNode,
    SaveRelation,
    SaveSource,
    SaveSuggestion,
    Scope,
    SourceType,
    Status,
    SuggestionKind,
    SuggestionQuery,
)
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
    joined,
    retired,
    saved,
)

if TYPE_CHECKING:
    from weft.testing.graphs import Kept

__all__ = ["ReadContract"]

ALL = Page(limit=100)


class ReadContract(GraphContract):
    """The promises of :class:`weft.ports.Store`'s reads."""

    def test_unknown_ids_are_left_out_and_the_order_asked_is_kept(self, kept: Kept) -> None:
        nodes = [a_node(f"Claim {number}") for number in range(3)]
        self.write(kept, *nodes)
        wanted = [nodes[2].id, "unknown", nodes[0].id]
        assert list(kept.store.nodes(wanted)) == [nodes[2].id, nodes[0].id]
        assert kept.store.nodes([]) == {}

    def test_a_name_is_resolved_by_the_first_way_that_answers(self, kept: Kept) -> None:
        cache = a_node("Cache", aliases=("Store of Copies",), handles=("the-cache",))
        other = a_node("the-cache")
        self.write(kept, cache, other, a_node("CACHE"), a_node("Idle"))
        for reference in (cache.id, "The-Cache ", "Cache", "store of copies"):
            assert kept.store.resolve(reference, limit=5) == (cache,), reference
        assert len(kept.store.resolve("cache", limit=5)) == 2
        assert len(kept.store.resolve("cache", limit=1)) == 1
        assert kept.store.resolve("nowhere", limit=5) == kept.store.resolve(cache.id[:7], limit=5) == ()
        assert cache in kept.store.resolve(cache.id[:8], limit=5)
        assert kept.store.resolve(cache.id[:35], limit=5)[0].id.startswith(cache.id[:35])

    @pytest.mark.parametrize(
        "text", ["", " ", "'; DROP TABLE node; --", "%", "_", "\u2019", "a" * 5000, "0\x000", "node:*"]
    )
    def test_any_text_may_be_asked_for(self, kept: Kept, text: str) -> None:
        self.write(kept, a_node())
        assert kept.store.resolve(text, limit=5) == ()
        found = kept.store.find(Filter(ontologies=(text,), tags=(text,), session=text, learned_id=text), ALL)
        assert found.total == 0

    def test_a_merged_node_answers_by_the_one_it_went_into(self, kept: Kept) -> None:
        first, second, third = (a_node(name) for name in ("Alpha", "Beta", "Gamma"))
        self.write(kept, first, second, third)
        kept.store.commit(a_batch(SaveNode(node=retired(first, into=second.id), expect=1)))
        kept.store.commit(a_batch(SaveNode(node=retired(second, into=third.id), expect=1)))
        assert kept.store.resolve(first.id, limit=5) == (third,)
        assert kept.store.resolve("Alpha", limit=5) == ()

    def test_a_retired_node_is_out_of_every_read_but_its_own_id(self, kept: Kept) -> None:
        node = a_node(handles=("boiling",), tags=("physics",), aliases=("Boiling",))
        self.write(kept, node)
        kept.store.commit(a_batch(SaveNode(node=retired(node), expect=1)))
        for reference in (node.id, node.title, "boiling", node.id[:9]):
            assert kept.store.resolve(reference, limit=5) == ()
        assert kept.store.find(Filter(), ALL).total == kept.store.find(Filter(tags=("physics",)), ALL).total == 0
        assert kept.store.nodes([node.id])[node.id].retired is not None
        counts = kept.store.counts()
        assert (counts.nodes, counts.retired, counts.passages, counts.nodes_by_kind) == (0, 1, 0, {})

    def test_pages_are_newest_first_with_the_true_total(self, kept: Kept) -> None:
        nodes = [a_node(f"Claim {number}") for number in range(5)]
        self.write(kept, *nodes)
        newest = tuple(reversed(nodes))
        assert kept.store.find(Filter(), ALL).nodes == newest
        page = kept.store.find(Filter(), Page(limit=2, offset=1))
        assert (page.nodes, page.total) == (newest[1:3], 5)
        assert kept.store.find(Filter(), Page(limit=2, offset=9)).nodes == ()

    @pytest.mark.parametrize("page", [Page(limit=0), Page(limit=-1), Page(offset=-1)], ids=str)
    def test_a_page_that_is_none_is_refused(self, kept: Kept, page: Page) -> None:
        with pytest.raises(InvalidArgument):
            kept.store.find(Filter(), page)
        with pytest.raises(InvalidArgument):
            kept.store.suggestions(SuggestionQuery(page=page))

    def test_every_field_of_a_filter_restricts_alone_and_together(self, kept: Kept) -> None:
        chosen = a_node(
            kind="decision",
            ontology="energy",
            tags=("heat", "sea"),
            status=Status.NEEDS_REVIEW,
            confidence=0.9,
            session="noon",
            origin=Origin.LEARNED,
            learned_id="learned_1",
            modified_at=AT + timedelta(hours=1),
        )
        self.write(kept, chosen, a_node("Ice melts", tags=("heat",), confidence=0.3), a_node("Steam", kind="concept"))
        whole = Filter(
            kinds=("decision", "issue"),
            ontologies=("energy", "air"),
            tags=("sea", "heat", "sea"),
            tags_alike=(("Heat", "heat", "heat"), ("sea", "lake")),
            status="needs_review",
            confidence_min=0.85,
            since=chosen.modified_at,
            session="noon",
            scope=Scope.LEARNED,
            learned_id="learned_1",
            within=(chosen.id, "other"),
        )
        fields = [name for name in Filter.__slots__ if name != "as_of"]
        filters = [whole, *(Filter(**{name: getattr(whole, name)}) for name in fields)]
        filters += [Filter(kinds=("decision",)), Filter(ontologies=("energy",)), Filter(kinds=("decision",), status="")]
        for each in filters:
            assert kept.store.find(each, ALL).nodes == (chosen,), each
            assert kept.store.find(each, ALL).total == 1, each
            assert kept.store.find(replace(each, as_of=kept.log.head()), ALL).nodes == (chosen,), each

    def test_documents_are_everything_that_was_not_learned(self, kept: Kept) -> None:
        learned, manual = a_node(origin=Origin.LEARNED), a_node("Ice melts")
        self.write(kept, learned, manual)
        assert kept.store.find(Filter(scope=Scope.DOCUMENTS), ALL).nodes == (manual,)
        assert kept.store.find(Filter(status="active"), ALL).total == 2

    def test_a_changed_node_is_found_by_what_it_is_now(self, kept: Kept) -> None:
        node = a_node("Old", tags=("old",), aliases=("Former",))
        self.write(kept, node)
        now = changed(node, title="New", tags=("new",), aliases=(), kind="concept", ontology="other")
        kept.store.commit(a_batch(SaveNode(node=now, expect=1)))
        assert kept.store.resolve("New", limit=5) == (now,)
        assert kept.store.resolve("Old", limit=5) == kept.store.resolve("Former", limit=5) == ()
        assert kept.store.find(Filter(tags=("old",)), ALL).total == 0
        assert kept.store.find(Filter(tags=("new",), kinds=("concept",), ontologies=("other",)), ALL).total == 1

    def test_relations_are_seen_from_both_ends_strongest_first_each_once(self, kept: Kept) -> None:
        one, two, three = (a_node(name) for name in ("One", "Two", "Three"))
        strong, weak = a_relation(one, two, confidence=0.9), a_relation(three, one, "extends", confidence=0.2)
        middle = a_relation(two, three, confidence=0.5)
        saves = (SaveRelation(relation=relation, expect=0) for relation in (weak, strong, middle))
        kept.store.commit(a_batch(saved(one), saved(two), saved(three), *saves))
        assert kept.store.relations([one.id]) == (strong, weak)
        assert kept.store.relations([one.id, two.id, one.id, three.id]) == (strong, middle, weak)
        assert kept.store.relations([one.id, two.id], types=["extends", "unknown"]) == (weak,)
        assert kept.store.relations([]) == kept.store.relations(["unknown"]) == ()

    def test_of_a_hub_only_the_strongest_relations_come(self, kept: Kept) -> None:
        hub, leaves = a_node("Hub"), [a_node(f"Leaf {number}") for number in range(20)]
        self.write(kept, hub, *leaves)
        relations = [
            a_relation(*((hub, leaf) if number % 2 else (leaf, hub)), confidence=number / 20)
            for number, leaf in enumerate(leaves)
        ]
        kept.store.commit(a_batch(*(SaveRelation(relation=relation, expect=0) for relation in relations)))
        strongest = tuple(reversed(relations[-5:]))
        for as_of in (None, kept.log.head()):
            assert kept.store.relations([hub.id], per_node=5, as_of=as_of) == strongest
        assert set(kept.store.relations([hub.id, leaves[0].id], per_node=5)) == {*strongest, relations[0]}

    def test_relations_as_they_stood_come_back_with_what_was_removed(self, kept: Kept) -> None:
        one, two = a_node(), a_node("Ice melts")
        relation = a_relation(one, two, confidence=0.4)
        self.write(kept, one, two)
        made = kept.store.commit(a_batch(SaveRelation(relation=relation, expect=0))).seq_last
        stronger = replace(relation, confidence=0.8, version=2)
        strengthened = kept.store.commit(a_batch(SaveRelation(relation=stronger, expect=1))).seq_last
        removed = kept.store.commit(a_batch(RemoveRelation(id=relation.id, expect=2))).seq_last
        stood = {made - 1: (), made: (relation,), strengthened: (stronger,), removed: ()}
        for seq, expected in stood.items():
            for end in (one, two):
                assert kept.store.relations([end.id], as_of=seq) == expected, seq
        assert kept.store.relations([one.id], as_of=made, types=["extends"]) == ()

    def test_evidence_and_sources_are_found_by_what_they_are_for(self, kept: Kept) -> None:
        node, old, new = a_node(), a_source(), a_source(text="Water boils at 99 °C.")
        learned = a_source("User synthesis", type=SourceType.LEARNED, text="Both hold.")
        first, second = an_evidence(node.id, old), an_evidence(node.id, new, similarity=0.5, leap="HIGH")
        sources = (SaveSource(source=source) for source in (old, new, learned))
        kept.store.commit(a_batch(*sources, SaveEvidence(evidence=first), SaveEvidence(evidence=second), saved(node)))
        assert kept.store.evidence([node.id, "unknown"]) == (first, second)
        assert kept.store.sources([new.id, "unknown"]) == {new.id: new}
        assert kept.store.source_of("boiling.md", "main") == new
        assert kept.store.source_of("boiling.md", "other") is None
        assert kept.store.counts().sources == 3

    def test_evidence_moves_with_a_merge(self, kept: Kept) -> None:
        one, two, source = a_node(), a_node("Ice melts"), a_source()
        evidence = an_evidence(one.id, source)
        kept.store.commit(a_batch(saved(one), saved(two), SaveSource(source=source), SaveEvidence(evidence=evidence)))
        moved = replace(evidence, subject=two.id, version=2)
        kept.store.commit(a_batch(SaveEvidence(evidence=moved, expect=1)))
        assert (kept.store.evidence([one.id]), kept.store.evidence([two.id])) == ((), (moved,))

    def test_suggestions_come_best_first_by_kind_subject_and_state(self, kept: Kept) -> None:
        one, two = a_node(), a_node("Ice melts")
        low = a_suggestion("low", one, two, score=0.2)
        high = a_suggestion("high", two, kind=SuggestionKind.DUPLICATE, score=0.8)
        kept.store.commit(a_batch(saved(one), saved(two), *(SaveSuggestion(suggestion=each) for each in (low, high))))
        assert kept.store.suggestions(SuggestionQuery()) == ((high, low), 2)
        assert kept.store.suggestions(SuggestionQuery(page=Page(limit=1, offset=1))) == ((low,), 2)
        assert kept.store.suggestions(SuggestionQuery(kinds=(SuggestionKind.DUPLICATE,))) == ((high,), 1)
        assert kept.store.suggestions(SuggestionQuery(subject=one.id)) == ((low,), 1)
        assert kept.store.suggestions(SuggestionQuery(state="accepted")) == ((), 0)
        assert kept.store.suggestions(SuggestionQuery(dedups=("low", "never", "low"))) == ((low,), 1)

    def test_the_counts_are_what_a_count_would_give(self, kept: Kept) -> None:
        one, two, three = a_node(), a_node("Ice melts", kind="concept"), a_node("Steam", ontology="air")
        self.write(kept, one, two, three)
        kept.store.commit(a_batch(joined(one, two), joined(two, three, "extends", origin=Origin.INFERRED)))
        mentions = (
            Mention(node=one.id, target=two.id, name="ice"),
            Mention(node=three.id, target=one.id, name="water"),
        )
        kept.store.commit(a_batch(SaveMentions(node=one.id, outgoing=mentions[:1], incoming=mentions[1:])))
        kept.store.commit(a_batch(saved(changed(three, status=Status.SUPERSEDED))))
        counts = kept.store.counts()
        assert (counts.nodes, counts.relations, counts.mentions, counts.passages) == (3, 2, 2, 3)
        assert counts.nodes_by_kind == {"claim": 2, "concept": 1}
        assert counts.nodes_by_ontology == {"main": 2, "air": 1}
        assert counts.nodes_by_status == {"active": 2, "superseded": 1}
        assert counts.nodes_by_origin == {"manual": 3}
        assert counts.relations_by_type == {"supports": 1, "extends": 1}
        assert counts.relations_by_origin == {"manual": 1, "inferred": 1}

    def test_the_facts_name_the_graph_its_engine_and_its_model(self, kept: Kept) -> None:
        facts = kept.store.facts()
        assert facts.keys() == {"name", "schema", "engine", "model", "dimension", "series"}
        assert facts["dimension"] == 8
        assert facts["series"] == {}

    def test_times_and_texts_come_back_as_they_went_in(self, kept: Kept) -> None:
        odd = "line\nline\t«quoted» 'single' \"double\" \\ 🙂 注意 é e\u0301"
        node = a_node(odd, content=odd, created_at=AT + timedelta(microseconds=1), citation=odd, tags=(odd,))
        other = a_node("other")
        relation = a_relation(node, other, reasoning=odd, valid_from=AT, valid_to=AT + timedelta(days=1))
        kept.store.commit(a_batch(saved(node), saved(other), SaveRelation(relation=relation, expect=0)))
        assert kept.store.nodes([node.id])[node.id] == node
        assert kept.store.relations([node.id]) == (relation,)
        assert node in kept.store.resolve(odd, limit=5)
