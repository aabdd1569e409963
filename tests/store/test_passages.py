"""What the index reads: passages as they stand, as they stood, and what tells one graph from another."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import pytest

from index.world import World, unit
from weft.model import Filter, Origin, Scope, Status
from weft.store.passages import condition_of, few_nodes

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MADE = unit(np.random.default_rng(0).standard_normal((20, 8)).astype(np.float32))


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    """An empty graph."""
    world = World(tmp_path / "graph.db")
    yield world
    world.close()


def test_the_head_moves_with_every_change_of_a_passage(world: World) -> None:
    """And with nothing else, so that equal heads mean equal passages."""
    feed = world.opened.passages
    heads = [feed.head()]
    node = world.add("one", MADE[:2])
    heads.append(feed.head())
    world.change(node.id, MADE[:1])
    heads.append(feed.head())
    world.retire(node.id)
    heads.append(feed.head())
    assert len(set(heads)) == 4
    assert all(one.row <= next_one.row and one.ended <= next_one.ended for one, next_one in pairwise(heads))
    assert heads[0].model == "made up/8"


def test_standing_passages_are_read_in_pieces(world: World) -> None:
    """In the order in which they were written, without those that have ended."""
    feed = world.opened.passages
    nodes = world.crowd(MADE)
    world.retire(nodes[3].id)
    rows, row = [], 0
    while len((piece := feed.standing(row, limit=6)).rows):
        assert np.array_equal(piece.vectors, MADE[piece.rows - 1])
        rows += piece.rows.tolist()
        row = rows[-1]
    assert rows == [at for at in range(1, 21) if at != 4]
    assert feed.ended(0, row=0) == (4,)
    assert feed.ended(0, row=4) == ()
    assert feed.ended(feed.head().ended, row=0) == ()


def test_a_digest_tells_passages_apart(world: World, tmp_path: Path) -> None:
    """By what they are; that they have ended since is no difference."""
    nodes = world.crowd(MADE)
    feed = world.opened.passages
    proof = feed.proof([1, 5, 20])
    assert proof != feed.proof([1, 5, 19])
    world.retire(nodes[4].id)
    assert feed.proof([20, 1, 5]) == proof
    other = World(tmp_path / "other.db")
    other.crowd(MADE)
    assert other.opened.passages.proof([1, 5, 20]) != proof
    other.close()


@pytest.mark.parametrize(
    "wanted",
    [
        Filter(kinds=("decision",)),
        Filter(ontologies=("side",)),
        Filter(tags=("rare",)),
        Filter(tags=("common", "rare")),
        Filter(status="needs_review"),
        Filter(session="noon"),
        Filter(learned_id="learned_1"),
        Filter(scope=Scope.LEARNED),
        Filter(kinds=("claim",), session="noon", confidence_min=0.5),
    ],
    ids=str,
)
def test_a_narrow_filter_is_answered_from_an_index(world: World, wanted: Filter) -> None:
    """Its nodes are read, and no others; that a wider field stands beside it does not matter."""
    world.crowd(np.repeat(MADE, 10, axis=0), tags=("common",))
    kinds = {"kind": "decision"} if wanted.kinds == ("decision",) else {}
    node = world.add(
        "narrow",
        MADE[:2],
        ontology="side",
        tags=("common", "rare"),
        status=Status.NEEDS_REVIEW,
        session="noon",
        learned_id="learned_1",
        origin=Origin.LEARNED,
        **kinds,
    )
    few = world.opened.passages.few(wanted, limit=5)
    assert few is not None
    assert set(few.nodes) == {node.id}
    assert np.array_equal(few.vectors, MADE[:2])


@pytest.mark.parametrize(
    "wanted", [Filter(kinds=("claim",)), Filter(tags=("common",)), Filter(confidence_min=0.99), Filter()], ids=str
)
def test_a_wide_filter_is_not(world: World, wanted: Filter) -> None:
    """Nor one that no index answers; reading stops at the bound."""
    world.crowd(MADE, tags=("common",))
    assert world.opened.passages.few(wanted, limit=5) is None
    assert few_nodes(world.opened.database, wanted, limit=5) is None


def test_in_the_past_only_ids_are_narrow(world: World) -> None:
    """What a node was like then is not indexed; which passages it had is known."""
    node = world.add("one", MADE[:1], session="noon")
    then = max(world.past)
    world.change(node.id, MADE[1:2], session="night")
    feed = world.opened.passages
    assert feed.few(Filter(session="noon", as_of=then), limit=5) is None
    few = feed.few(Filter(within=(node.id,), as_of=then), limit=5)
    assert few is not None
    assert np.array_equal(few.vectors, MADE[:1])
    assert feed.few(Filter(within=("another",), as_of=then), limit=5).nodes == ()


def test_filters_become_conditions_by_name(world: World) -> None:
    """No text of a filter is ever SQL."""
    nasty = "x' OR 1=1 --"
    world.add("one", MADE[:1])
    wanted = Filter(kinds=(nasty,), ontologies=(nasty,), tags=(nasty,), status=nasty, session=nasty, within=(nasty,))
    assert nasty not in "".join(condition_of(wanted).parts)
    assert world.opened.passages.placed([1], wanted).rows == ()
    assert world.opened.passages.placed([1], Filter()).rows == (1,)
