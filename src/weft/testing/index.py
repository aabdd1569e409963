"""What nearest neighbours must do. Subclass :class:`VectorsContract`, fill in ``open`` and ``vectors``, run pytest."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import numpy as np
import pytest

from weft.errors import InvalidArgument
from weft.model import Filter, SaveNode, Scope, Status
from weft.testing.making import AT, DIMENSION, changed
from weft.testing.noting import NotingContract, axis

if TYPE_CHECKING:
    from weft.ports import Vectors
    from weft.testing.graphs import Kept

__all__ = ["VectorsContract"]

ALL = Filter()


class VectorsContract(NotingContract):
    """The promises of :class:`weft.ports.Vectors`, over vectors of eight numbers."""

    def vectors(self, kept: Kept) -> Vectors:
        """Return the vectors of the open graph; called more than once, as other processes would."""
        raise NotImplementedError

    def test_the_nearest_come_first_with_their_cosines(self, kept: Kept) -> None:
        nodes = [
            self.note(kept, f"n{at}", vectors=[axis(0, towards=1, by=by)]) for at, by in enumerate((0.9, 0.0, 0.3))
        ]
        found = self.vectors(kept).nearest(axis(0), filter=ALL, limit=2)
        assert [near.node for near in found] == [nodes[1].id, nodes[2].id]
        assert [round(near.cosine, 2) for near in found] == [1.0, 0.96]

    def test_a_node_counts_once_by_its_nearest_passage(self, kept: Kept) -> None:
        long = self.note(kept, "long", "far", "near", "beside", vectors=[axis(5), axis(0), axis(0, towards=1, by=0.1)])
        other = self.note(kept, "other", vectors=[axis(0, towards=1, by=0.5)])
        found = self.vectors(kept).nearest(axis(0), filter=ALL, limit=5)
        assert [near.node for near in found] == [long.id, other.id]
        assert long.content[found[0].start : found[0].end] == "near"

    def test_what_was_just_written_is_found_and_what_was_just_ended_is_not(self, kept: Kept) -> None:
        first, second = self.vectors(kept), self.vectors(kept)
        node = self.note(kept, "one", vectors=[axis(0)])
        assert first.nearest(axis(0), filter=ALL, limit=1)[0].cosine > 0.99
        anew = self.rewrite(kept, node, "changed", vectors=[axis(1)])
        assert second.nearest(axis(0), filter=ALL, limit=1)[0].cosine < 0.01
        assert first.nearest(axis(1), filter=ALL, limit=1)[0].cosine > 0.99
        self.retire(kept, anew)
        assert first.nearest(axis(1), filter=ALL, limit=1) == second.nearest(axis(1), filter=ALL, limit=1) == ()

    def test_filters_come_before_the_limit(self, kept: Kept) -> None:
        for at in range(30):
            self.note(kept, f"n{at}", vectors=[axis(0)])
        node = self.note(
            kept,
            "last",
            vectors=[axis(1)],
            kind="decision",
            ontology="side",
            tags=("a", "b"),
            session="noon",
            confidence=0.99,
            status=Status.NEEDS_REVIEW,
            learned_id="learned_1",
            modified_at=AT + timedelta(hours=1),
        )
        vectors = self.vectors(kept)
        for wanted in (
            Filter(kinds=("decision", "concept")),
            Filter(ontologies=("side",)),
            Filter(tags=("b", "a")),
            Filter(tags_alike=(("B", "b"), ("a", "A"))),
            Filter(session="noon"),
            Filter(confidence_min=0.95),
            Filter(since=AT + timedelta(hours=1)),
            Filter(since=AT + timedelta(minutes=1), kinds=("decision",)),
            Filter(status="needs_review"),
            Filter(learned_id="learned_1"),
            Filter(within=(node.id,), scope=Scope.DOCUMENTS),
        ):
            assert [near.node for near in vectors.nearest(axis(0), filter=wanted, limit=1)] == [node.id], wanted
        assert vectors.nearest(axis(0), filter=Filter(scope=Scope.LEARNED), limit=1) == ()
        assert vectors.nearest(axis(0), filter=Filter(since=AT + timedelta(hours=2)), limit=1) == ()

    def test_the_past_is_searched_as_it_stood(self, kept: Kept) -> None:
        node = self.note(kept, "one", vectors=[axis(0)], kind="decision", modified_at=AT + timedelta(minutes=1))
        then = kept.log.head()
        self.retire(kept, self.rewrite(kept, node, "changed", vectors=[axis(1)], kind="claim"))
        self.note(kept, "later", vectors=[axis(0)])
        vectors = self.vectors(kept)
        for wanted in (
            Filter(as_of=then),
            Filter(as_of=then, kinds=("decision",)),
            Filter(as_of=then, since=AT + timedelta(minutes=1)),
            Filter(as_of=then, within=(node.id,)),
        ):
            found = vectors.nearest(axis(0), filter=wanted, limit=5)
            assert [(near.node, round(near.cosine, 2)) for near in found] == [(node.id, 1.0)], wanted
        assert vectors.nearest(axis(0), filter=Filter(as_of=then, within=("another",)), limit=5) == ()

    def test_vectors_of_nodes_come_in_the_order_of_their_text(self, kept: Kept) -> None:
        node = self.note(kept, "three", "one", "two", "three", vectors=[axis(2), axis(0), axis(1)])
        gone = self.note(kept, "gone")
        self.retire(kept, gone)
        given = self.vectors(kept).of([node.id, gone.id, "unknown", node.id])
        assert list(given) == [node.id]
        assert np.allclose(given[node.id], np.stack([axis(2), axis(0), axis(1)]), atol=1e-3)

    def test_passages_of_nodes_come_in_the_order_of_their_text_and_are_named_as_what_is_found(self, kept: Kept) -> None:
        node = self.note(kept, "three", "one", "two", "three", vectors=[axis(2), axis(0), axis(1)])
        other, gone = self.note(kept, "other", vectors=[axis(3)]), self.note(kept, "gone")
        self.retire(kept, gone)
        vectors = self.vectors(kept)
        named = [vectors.nearest(axis(at), filter=ALL, limit=1)[0].passage for at in (2, 0, 1, 3)]
        given = vectors.rows([node.id, gone.id, "unknown", other.id, node.id])
        assert given == {node.id: tuple(named[:3]), other.id: (named[3],)}
        assert vectors.rows([]) == {}
        self.retire(kept, other)
        assert vectors.rows([other.id]) == {}

    def test_nodes_are_compared_by_their_nearest_passage(self, kept: Kept) -> None:
        long = self.note(kept, "long", "far", "near", vectors=[axis(5), axis(0, towards=1, by=0.3)])
        short = self.note(kept, "short", vectors=[-axis(0)])
        gone = self.note(kept, "gone", vectors=[axis(0)])
        self.retire(kept, gone)
        vectors = self.vectors(kept)
        found = vectors.cosines(axis(0), [short.id, gone.id, "unknown", long.id, short.id])
        assert {node: round(cosine, 2) for node, cosine in found.items()} == {long.id: 0.96, short.id: -1.0}
        near = vectors.nearest(axis(0), filter=ALL, limit=2)
        assert found == pytest.approx({each.node: each.cosine for each in near}, abs=1e-6)
        assert vectors.cosines(axis(0), []) == {}

    def test_words_have_the_vectors_that_came_with_their_passage(self, kept: Kept) -> None:
        first, second = np.arange(6, dtype=np.int8).reshape(2, 3), np.full((1, 3), -7, np.int8)
        node = self.note(
            kept,
            "long",
            "two words",
            "one",
            "of before",
            "—",
            vectors=[axis(0), axis(1), axis(2), axis(3)],
            words=[first, second, None, np.empty((0, 3), np.int8)],
        )
        vectors = self.vectors(kept)
        rows = [vectors.nearest(axis(at), filter=ALL, limit=1)[0].passage for at in range(4)]
        assert len({*rows}) == 4
        found = vectors.words([*rows, 999_999], width=3)
        assert {row: each.tolist() for row, each in found.items()} == {
            rows[0]: first.tolist(),
            rows[1]: second.tolist(),
            rows[3]: [],
        }
        assert vectors.words([], width=3) == {}
        self.commit(kept, SaveNode(node=changed(node, title="renamed"), expect=node.version, passages=None))
        (near,) = vectors.nearest(axis(0), filter=ALL, limit=1)
        assert near.passage not in rows
        assert vectors.words([near.passage], width=3)[near.passage].tolist() == first.tolist()

    def test_a_passage_has_the_vector_it_was_kept_with_after_its_node_has_changed_too(self, kept: Kept) -> None:
        node = self.note(kept, "long", "one", "two", vectors=[axis(0), axis(1)])
        vectors = self.vectors(kept)
        rows = [vectors.nearest(axis(at), filter=ALL, limit=1)[0].passage for at in range(2)]
        self.commit(kept, SaveNode(node=changed(node, title="renamed"), expect=node.version, passages=None))
        (near,) = vectors.nearest(axis(0), filter=ALL, limit=1)
        found = vectors.passages([rows[1], near.passage, 999_999])
        assert {row: int(each.argmax()) for row, each in found.items()} == {rows[1]: 1, near.passage: 0}
        assert all(each.shape == axis(0).shape for each in found.values())
        assert vectors.passages([]) == {}

    def test_openings_are_the_first_passages_of_all_that_stand_and_pass(self, kept: Kept) -> None:
        long = self.note(kept, "long", "one", "two", "three", vectors=[axis(2), axis(0), axis(1)], ontology="side")
        short = self.note(kept, "short", vectors=[axis(3)], ontology="side")
        self.note(kept, "elsewhere", vectors=[axis(4)])
        self.retire(kept, self.note(kept, "gone", vectors=[axis(5)], ontology="side"))
        vectors, side = self.vectors(kept), Filter(ontologies=("side",))
        found = vectors.openings(side, limit=2, per_node=2)
        assert found is not None
        held = {(node, int(row.argmax())) for node, row in zip(found.nodes, found.vectors, strict=True)}
        assert held == {(long.id, 2), (long.id, 0), (short.id, 3)}
        assert found.vectors.shape == (3, DIMENSION)
        assert vectors.openings(side, limit=1, per_node=2) is None
        empty = vectors.openings(Filter(ontologies=("nowhere",)), limit=1, per_node=2)
        assert empty is not None
        assert empty.nodes == ()

    def test_a_vector_of_another_length_is_refused(self, kept: Kept) -> None:
        vectors = self.vectors(kept)
        for shape in ((DIMENSION + 1,), (1, DIMENSION), (0,)):
            with pytest.raises(InvalidArgument):
                vectors.nearest(np.ones(shape, np.float32), filter=ALL, limit=3)
        assert vectors.nearest(axis(0), filter=ALL, limit=3) == ()
        assert vectors.nearest(axis(0), filter=ALL, limit=0) == ()
