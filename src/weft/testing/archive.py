"""What an archive must do. Subclass :class:`ArchiveContract` in your tests, fill in ``open``, and run pytest."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Protocol

from weft.model import (
    ClaimNumber,
    Node,
    Retired,
    SaveEvidence,
    SaveNode,
    SaveSource,
    SaveSuggestion,
    SaveVote,
    Subject,
    Vote,
)
from weft.testing.graphs import GraphContract, Kept
from weft.testing.making import (
    AT,
    a_batch,
    a_node,
    a_source,
    a_suggestion,
    an_evidence,
    joined,
    retired,
    saved,
)

if TYPE_CHECKING:
    from weft.model import Operation
    from weft.model.codec import Value
    from weft.ports import Archive, Moment

__all__ = ["ArchiveContract", "Archived"]


class Archived(Kept, Protocol):
    """An open graph that copies can be made of."""

    @property
    def archive(self) -> Archive:
        """Its archive."""
        ...


class ArchiveContract(GraphContract):
    """The promises of :class:`weft.ports.Archive` and :class:`weft.ports.Moment`."""

    def test_every_kind_of_value_is_read_page_by_page_in_order_of_its_key(self, kept: Archived) -> None:
        held = self._filled(kept)
        with kept.archive.moment() as moment:
            for subject, values in held.items():
                for limit in (1, 2, 100):
                    found = self._paged(moment, subject, limit)
                    assert sorted(map(repr, found)) == sorted(map(repr, values)), subject
                    assert all(_key(one) < _key(two) for one, two in pairwise(found)), subject

    def test_single_values_are_found_by_id_and_unknown_ids_left_out(self, kept: Archived) -> None:
        for subject, values in self._filled(kept).items():
            wanted = {f"{each.learned_id}/{each.actor}" if isinstance(each, Vote) else each.id: each for each in values}
            assert kept.archive.values(subject, [*wanted, "unknown", "a/b", ""]) == wanted
            assert kept.archive.values(subject, []) == {}

    def test_a_moment_does_not_see_what_is_written_after_it_began(self, kept: Archived) -> None:
        self._filled(kept)
        with kept.archive.moment() as moment:
            head = moment.head()
            before = self._paged(moment, Subject.NODE, 2)
            self.write(kept, a_node("later"))
            assert self._paged(moment, Subject.NODE, 2) == before
            assert moment.head() == head < kept.log.head()
            assert moment.changes(head, limit=9) == ()
        with kept.archive.moment() as moment:
            assert len(self._paged(moment, Subject.NODE, 2)) == len(before) + 1

    def test_a_moment_tells_the_log_and_the_last_numbers_of_series(self, kept: Archived) -> None:
        self._filled(kept)
        self.commit(
            kept, ClaimNumber(name="b", value=1), ClaimNumber(name="a", value=1), ClaimNumber(name="a", value=2)
        )
        with kept.archive.moment() as moment:
            assert moment.changes(0, limit=1000) == kept.log.since(0, limit=1000)
            assert moment.changes(2, limit=2) == kept.log.since(2, limit=2)
            assert list(moment.series().items()) == [("a", 2), ("b", 1)]

    def test_a_moment_tells_what_lies_around_nodes_and_what_they_rest_on(self, kept: Archived) -> None:
        one, two = (node for node in self._filled(kept)[Subject.NODE][:2] if isinstance(node, Node))
        with kept.archive.moment() as moment:
            assert set(moment.nodes([one.id, "unknown"])) == {one.id}
            assert [each.source for each in moment.relations([one.id], per_node=9)] == [one.id]
            ((evidence, document, path),) = moment.grounds([one.id, two.id])
            assert (evidence.subject, document, path) == (one.id, "boiling.md", "docs/boiling.md")

    def test_the_handles_of_who_left_are_told_with_where_they_went(self, kept: Archived) -> None:
        stays = a_node("stays", handles=("tool:1",))
        gone = a_node("gone", handles=("tool:2", "other:2"))
        merged = a_node("merged", handles=("tool:3",))
        self.write(kept, stays, gone, merged)
        for node, into in ((gone, ""), (merged, stays.id)):
            self.commit(kept, SaveNode(node=retired(node, into=into), expect=1))
        assert kept.archive.retired("tool:") == {
            "tool:2": Retired(node=gone.id, merged_into=""),
            "tool:3": Retired(node=merged.id, merged_into=stays.id),
        }
        assert kept.archive.retired("tool:%") == {}

    def commit(self, kept: Archived, *operations: Operation) -> None:
        """Write one batch."""
        kept.store.commit(a_batch(*operations))

    def _paged(self, moment: Moment, subject: Subject, limit: int) -> list[Value]:
        found: list[Value] = []
        while page := moment.page(subject, _key(found[-1]) if found else (), limit=limit):
            assert len(page) <= limit
            found += page
        return found

    def _filled(self, kept: Archived) -> dict[Subject, list[Value]]:
        """Write a little of everything and return it by kind."""
        one, two, three = (a_node(title) for title in ("one", "two", "three"))
        source = a_source(path="docs/boiling.md")
        relations = [joined(one, two), joined(two, three)]
        evidence = [an_evidence(one.id, source), an_evidence(relations[0].relation.id, source)]
        suggestions = [a_suggestion(dedup, one) for dedup in ("x", "y")]
        votes = [
            Vote(learned_id=f"l{at}", actor=who, value=1, reason="", at=AT) for at in (1, 2) for who in ("a/b", "c")
        ]
        self.write(kept, one, two, three)
        self.commit(kept, SaveSource(source=source), *relations, *(SaveEvidence(evidence=each) for each in evidence))
        self.commit(kept, *(SaveSuggestion(suggestion=each) for each in suggestions))
        self.commit(kept, *(SaveVote(vote=each) for each in votes))
        four = a_node("four")
        gone = retired(four)
        self.commit(kept, saved(four))
        self.commit(kept, SaveNode(node=gone, expect=1))
        return {
            Subject.NODE: [one, two, three, gone],
            Subject.RELATION: [each.relation for each in relations],
            Subject.SOURCE: [source],
            Subject.EVIDENCE: [*evidence],
            Subject.SUGGESTION: [*suggestions],
            Subject.VOTE: [*votes],
        }


def _key(value: Value) -> tuple[str, ...]:
    return (value.learned_id, value.actor) if isinstance(value, Vote) else (value.id,)
