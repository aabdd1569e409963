"""What looking after a graph must do. Subclass :class:`UpkeepContract` in your tests, fill in ``open``, run pytest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from weft.model import Leftovers, Origin, RemoveRelation, SaveEvidence, SaveSource, SaveSuggestion, SourceType
from weft.testing.making import a_node, a_source, a_suggestion, an_evidence, changed, joined, saved
from weft.testing.noting import NotingContract, Searched

if TYPE_CHECKING:
    from weft.ports import Upkeep

__all__ = ["UpkeepContract"]


class Kept(Searched, Protocol):
    """An open graph that can be looked after."""

    @property
    def upkeep(self) -> Upkeep:
        """Its upkeep."""
        ...


class UpkeepContract(NotingContract):
    """The promises of :class:`weft.ports.Upkeep`."""

    def test_an_ontology_s_counts_follow_every_write(self, kept: Kept) -> None:
        """Made, moved, retired, related and parted; a relation counts where it starts."""
        one, two = self.note(kept, "one", ontology="a"), self.note(kept, "two", ontology="a")
        three = self.note(kept, "three", ontology="b", origin=Origin.LEARNED)
        relation = joined(one, three)
        self.commit(kept, relation, joined(two, one), SaveSource(source=a_source(ontology="b")))
        assert self.counts(kept) == {"a": (2, 0, 2, 0), "b": (1, 1, 0, 1)}
        self.commit(kept, RemoveRelation(id=relation.relation.id, expect=1))
        moved = changed(two, ontology="b")
        self.commit(kept, saved(moved))
        assert self.counts(kept) == {"b": (2, 1, 1, 1), "a": (1, 0, 0, 0)}
        self.retire(kept, three)
        assert self.counts(kept)["b"] == (1, 1, 1, 0)

    def test_documents_are_told_by_the_folder_that_their_newest_text_came_from(self, kept: Kept) -> None:
        """A folder is no beginning of a name, and a text that came from elsewhere since takes its document along."""
        self.commit(
            kept,
            SaveSource(source=a_source("b.md", path="/docs/b.md")),
            SaveSource(source=a_source("a.md", path="/docs/deep/a.md", ontology="deep")),
            SaveSource(source=a_source("c.md", path="/docs-old/c.md")),
            SaveSource(source=a_source("told")),
        )
        both = (("b.md", "main", "/docs/b.md"), ("a.md", "deep", "/docs/deep/a.md"))
        assert kept.upkeep.documents("/docs") == kept.upkeep.documents("/docs/") == both
        assert kept.upkeep.documents("/docs/deep") == both[1:]
        self.commit(kept, SaveSource(source=a_source("b.md", path="/new/b.md", text="Water freezes at 0 °C.")))
        assert kept.upkeep.documents("/docs") == both[1:]

    def test_a_relation_may_be_written_before_the_node_it_starts_at(self, kept: Kept) -> None:
        """The operations of a batch come in any order."""
        one, two = a_node("one", ontology="a"), self.note(kept, "two", ontology="b")
        self.commit(kept, joined(one, two), saved(one))
        assert self.counts(kept) == {"a": (1, 0, 1, 0), "b": (1, 0, 0, 0)}

    def test_background_work_is_done_by_one_at_a_time(self, kept: Kept) -> None:
        """Whoever comes second is told at once; other work is free, and so is this when the first has done."""
        with kept.upkeep.claimed("sweeping") as first, kept.upkeep.claimed("sweeping") as second:
            assert (first, second) == (True, False)
            with kept.upkeep.claimed("mending") as other:
                assert other
        with kept.upkeep.claimed("sweeping") as again:
            assert again

    def test_orphans_are_what_nothing_joins_or_supports(self, kept: Kept) -> None:
        """But never what a document said."""
        alone, one, two, told = (self.note(kept, title) for title in ("alone", "one", "two", "told"))
        self.note(kept, "said", origin=Origin.DOCUMENT)
        source = a_source()
        self.commit(kept, joined(one, two), SaveSource(source=source))
        self.commit(kept, SaveEvidence(evidence=an_evidence(told.id, source)))
        also = self.note(kept, "also alone")
        assert kept.upkeep.leftovers("orphans", limit=9) == Leftovers(nodes=(alone, also))
        assert kept.upkeep.leftovers("orphans", limit=1).nodes == (alone,)

    def test_dangling_is_what_points_at_nothing(self, kept: Kept) -> None:
        """Evidence for a relation that is gone, an open suggestion about a forgotten node; the rest stands."""
        one, two = self.note(kept, "one"), self.note(kept, "two")
        relation, source = joined(one, two), a_source("User synthesis", type=SourceType.LEARNED)
        self.commit(kept, relation, SaveSource(source=source))
        loose = an_evidence(relation.relation.id, source)
        about = a_suggestion("about both", one, two)
        self.commit(kept, SaveEvidence(evidence=loose), SaveSuggestion(suggestion=about))
        assert kept.upkeep.leftovers("dangling", limit=9) == Leftovers()
        self.commit(kept, RemoveRelation(id=relation.relation.id, expect=1))
        self.retire(kept, two)
        assert kept.upkeep.leftovers("dangling", limit=9) == Leftovers(evidence=(loose,), suggestions=(about,))

    def test_what_was_given_for_forgotten_nodes_is_found(self, kept: Kept) -> None:
        """But not what a document says, nor what stands."""
        one, two = self.note(kept, "one"), self.note(kept, "two")
        learned, document = a_source("User synthesis", type=SourceType.LEARNED), a_source()
        self.commit(kept, SaveSource(source=learned), SaveSource(source=document))
        given = an_evidence(one.id, learned)
        others = (an_evidence(one.id, document), an_evidence(two.id, learned))
        self.commit(kept, *(SaveEvidence(evidence=each) for each in (given, *others)))
        assert kept.upkeep.leftovers("retired", limit=9) == Leftovers()
        self.retire(kept, one)
        assert kept.upkeep.leftovers("retired", limit=9) == Leftovers(evidence=(given,))

    def counts(self, kept: Kept) -> dict[str, tuple[int, int, int, int]]:
        """Return nodes, sources, relations and learned nodes of each ontology, in the order given."""
        return {
            each.name: (each.nodes, each.sources, each.relations, each.learned) for each in kept.upkeep.ontologies()
        }
