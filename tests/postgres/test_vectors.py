"""Nearest neighbours in PostgreSQL: the shipped contract, and the plain comparison that the index must nearly equal."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import pytest

from index.world import agrees, clustered, nearest, saving
from postgres.test_contract import Team
from weft.model import Filter, SaveNode, Tier
from weft.store.filters import matches
from weft.store.postgres.connection import bare
from weft.store.postgres.opening import open_postgres
from weft.store.postgres.vectors import PostgresVectors
from weft.testing.index import VectorsContract
from weft.testing.making import DIMENSION, a_batch, a_node, retired

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np
    import numpy.typing as npt

    from index.world import Held
    from postgres.cluster import Cluster
    from weft.store import Opened

NODES, LENGTH = 2_500, 24
KINDS = ("claim", "decision", "concept", "issue")


class TestVectors(Team, VectorsContract):
    """The vectors of a graph in a database."""

    def vectors(self, kept: Opened) -> PostgresVectors:
        """Return the vectors of the same graph once more."""
        return PostgresVectors(kept.database, dimension=DIMENSION)


class Crowd(NamedTuple):
    """A graph of many nodes, what it held in the middle and holds now, and questions."""

    vectors: PostgresVectors
    url: str
    middle: int
    then: Held
    now: Held
    asked: npt.NDArray[np.float32]


@pytest.fixture(scope="module")
def crowd(cluster: Cluster) -> Iterator[Crowd]:
    """Five thousand vectors, two a node; a few of the nodes have left since."""
    name = cluster.create_database()
    opened = open_postgres(cluster.url(name), tier=Tier.CURATOR, model="made up", dimension=LENGTH, create=True)
    made = clustered(2 * NODES + 50, LENGTH)
    pairs, asked = made[: 2 * NODES].reshape(NODES, 2, LENGTH), made[2 * NODES :]
    nodes = [
        a_node(f"n{at}", content="one\ntwo", kind=KINDS[at % 4], confidence=0.999 if at % 250 == 0 else 0.5)
        for at in range(NODES)
    ]
    held: Held = {node.id: (node, pair) for node, pair in zip(nodes, pairs, strict=True)}
    for at in range(0, NODES, 500):
        saves = (saving(node, held[node.id][1], ("one", "two")) for node in nodes[at : at + 500])
        middle = opened.store.commit(a_batch(*saves)).seq_last
    gone = list(held.values())[::50]
    opened.store.commit(
        a_batch(*(SaveNode(node=retired(node), expect=node.version, passages=None) for node, _ in gone))
    )
    left = {node.id for node, _ in gone}
    now = {id_: pair for id_, pair in held.items() if id_ not in left}
    yield Crowd(PostgresVectors(opened.database, dimension=LENGTH), cluster.url(name), middle, held, now, asked)
    opened.close()
    cluster.drop_database(name)


def recall(crowd: Crowd, wanted: Filter, held: Held) -> float:
    """Return which share of the ten nearest of ``held`` that pass is found."""
    found = 0
    for vector in crowd.asked:
        least = min(nearest(held, vector, wanted, 10).values()) - 1e-5
        found += sum(near.cosine >= least for near in crowd.vectors.nearest(vector, filter=wanted, limit=10))
    return found / (10 * len(crowd.asked))


@pytest.mark.parametrize("wanted", [Filter(), Filter(kinds=("decision",)), Filter(kinds=("claim", "concept"))], ids=str)
def test_the_index_finds_nearly_all_that_are_nearest(crowd: Crowd, wanted: Filter) -> None:
    """Under a filter too, whose nodes are too many to be read one by one."""
    assert recall(crowd, wanted, crowd.now) >= 0.95
    for vector in crowd.asked[:10]:
        found = crowd.vectors.nearest(vector, filter=wanted, limit=30)
        assert len({near.node for near in found}) == 30
        assert all(abs(near.cosine - float((crowd.now[near.node][1] @ vector).max())) < 1e-5 for near in found)
        assert [near.cosine for near in found] == sorted((near.cosine for near in found), reverse=True)


def test_the_past_is_found_nearly_whole(crowd: Crowd) -> None:
    """What has ended since is compared, what still stands found along the index."""
    assert recall(crowd, Filter(as_of=crowd.middle), crowd.then) >= 0.95


def test_what_no_index_leads_to_is_found_exactly(crowd: Crowd, monkeypatch: pytest.MonkeyPatch) -> None:
    """By comparing all passages: where hardly any node passes, and in a past that more have left than are read."""
    monkeypatch.setattr("weft.store.postgres.vectors._GONE_MAX", 10)
    for vector in crowd.asked[:10]:
        for wanted in (Filter(confidence_min=0.9), Filter(confidence_min=0.9, kinds=("claim",))):
            found = crowd.vectors.nearest(vector, filter=wanted, limit=30)
            assert agrees(found, nearest(crowd.now, vector, wanted, 30)), wanted
        for wanted in (Filter(), Filter(kinds=("claim",)), Filter(confidence_min=0.9)):
            past = {id_: pair for id_, pair in crowd.then.items() if matches(pair[0], wanted) or id_ not in crowd.now}
            found = crowd.vectors.nearest(vector, filter=replace(wanted, as_of=crowd.middle), limit=30)
            assert agrees(found, nearest(past, vector, Filter(), 30)), wanted


def test_a_lost_index_is_told_and_costs_time_only(crowd: Crowd) -> None:
    """All passages are compared then; with the index in its place again nothing is amiss."""
    assert crowd.vectors.faults() == {}
    with bare(crowd.url) as owner:
        (made,) = owner.execute("SELECT pg_get_indexdef('passage_by_vector'::regclass)")[0]
        owner.execute("DROP INDEX passage_by_vector")
        assert set(crowd.vectors.faults()) == {"unusable"}
        assert not crowd.vectors.rebuild()
        for vector in crowd.asked[:5]:
            found = crowd.vectors.nearest(vector, filter=Filter(), limit=10)
            assert agrees(found, nearest(crowd.now, vector, Filter(), 10))
        owner.execute(made)
    assert crowd.vectors.rebuild()
