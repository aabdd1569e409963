"""Hubs and communities of small graphs whose shape is plain to see, and of one that is too large to go through."""

from __future__ import annotations

import hashlib
import random
import time
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from weft.reason import louvain, louvain_at_once
from weft.reason.network import Network
from weft.reason.shape import NODE_BY_NODE_MAX, Hub, Shape, shape

Triple = tuple[str, str, str]
TRIPLES = st.tuples(st.sampled_from("abcdefg"), st.sampled_from("abcdefg"), st.sampled_from(("uses", "supports")))


def shaped(relations: list[Triple], *, hubs_max: int = 10) -> Shape:
    """Return the shape of these relations."""
    return shape(Network.of(relations), hubs_max=hubs_max)


def clique(*nodes: str) -> list[Triple]:
    """Return a relation between every two of ``nodes``."""
    return [(a, b, "relates_to") for a in nodes for b in nodes if a < b]


def drawn(seed: int) -> list[Triple]:
    """Return relations of a random graph of up to 400 nodes, some of which have many; the same seed gives the same."""
    draw = random.Random(seed)
    count = draw.choice((3, 8, 30, 120, 400))
    ids = [f"n{draw.randrange(10**9):09d}{number}" for number in range(count)]
    types = ("uses", "supports")

    def one() -> Triple:
        return draw.choice(ids), ids[min(int(draw.expovariate(4 / count)), count - 1)], draw.choice(types)

    made = [one() for _ in range(draw.randrange(1, count * 3))]
    return [each for each in made if each[0] != each[1]]


def topics(count: int, *, size: int, across: float) -> list[Triple]:
    """Return relations of ``count`` nodes, six a node, within topics of ``size`` nodes but for a part ``across``."""
    draw = random.Random(5)
    made = []
    for number in range(count):
        for _ in range(3):
            near = number // size * size + draw.randrange(size)
            other = draw.randrange(count) if draw.random() < across else near
            if other != number:
                made.append((f"n{number:06d}", f"n{other:06d}", "uses"))
    return made


def modularity(network: Network, labels: np.ndarray) -> float:
    """Return how much more lies within the groups than would by chance (Newman 2006)."""
    ids, ends = network.ends()
    degrees = np.bincount(ends.ravel(), minlength=len(ids))
    shares = np.bincount(labels, degrees) / degrees.sum()
    return float((labels[ends[:, 0]] == labels[ends[:, 1]]).mean() - (shares**2).sum())


def test_two_circles_of_friends_are_two_communities() -> None:
    """One relation between two cliques joins them to one component, not to one community."""
    found = shaped([*clique(*"abcd"), *clique(*"wxyz"), ("d", "w", "uses")])
    assert sorted(map(sorted, found.communities)) == [list("abcd"), list("wxyz")]
    assert found.related == 8
    assert [hub.id for hub in found.hubs[:2]] == ["d", "w"]
    assert found.hubs[0] == Hub(id="d", degree=4)


def test_several_relations_between_two_nodes_count_once() -> None:
    """A hub is related to many nodes, not many times to one, and not to itself."""
    found = shaped([("a", "b", "uses"), ("b", "a", "supports"), ("a", "a", "uses"), ("c", "c", "uses")])
    assert found.hubs == (Hub(id="a", degree=1), Hub(id="b", degree=1))
    assert found.related == 2


def test_an_empty_graph_has_no_shape() -> None:
    """Nothing in, nothing out, with either method."""
    assert shaped([]) == Shape(hubs=(), communities=(), related=0)
    assert len(louvain_at_once.grouped(Network.of([]).ends()[1], 0)) == 0


def test_hubs_are_bounded() -> None:
    """As many as were asked for, most related first."""
    found = shaped([("a", other, "uses") for other in "bcdef"], hubs_max=1)
    assert found.hubs == (Hub(id="a", degree=5),)


@given(st.lists(TRIPLES, max_size=20))
def test_every_node_is_in_one_place(relations: list[Triple]) -> None:
    """Who is related to another is in one community, and the order of the relations changes nothing."""
    found = shaped(relations)
    members = [node for group in found.communities for node in group]
    assert sorted(members) == sorted({end for a, b, _ in relations if a != b for end in (a, b)})
    assert found.related == len(members)
    assert shaped(list(reversed(relations))) == found


def test_small_graphs_have_the_shape_that_they_always_had() -> None:
    """Sixty random graphs; the digest is of what the first version, which held dictionaries alone, said of them."""
    digest = hashlib.sha256()
    for seed in range(60):
        found = shaped(drawn(seed), hubs_max=20)
        digest.update(repr(([(hub.id, hub.degree) for hub in found.hubs], found.communities)).encode())
    assert digest.hexdigest() == "b7e67eab5ef2a7a9002ea42b0d796603bb9f31e907be4c17519501352d7c4536"


@given(st.lists(TRIPLES, max_size=20), st.lists(st.tuples(TRIPLES, st.booleans()), max_size=20), st.integers(1, 2))
def test_changes_lead_to_the_network_that_is_read_anew(
    relations: list[Triple], told: list[tuple[Triple, bool]], times: int
) -> None:
    """New nodes and types, what goes, what is told twice or was never there: the shape depends on what stands alone."""
    standing = dict(told)
    changed = Network.of(relations)
    for _ in range(times):
        changed = changed.changed(standing)
    wanted = (set(relations) | {each for each, stands in standing.items() if stands}) - {
        each for each, stands in standing.items() if not stands
    }
    assert len(changed) == len(wanted)
    assert shape(changed) == shaped(sorted(wanted))


def test_a_large_graph_falls_into_its_topics() -> None:
    """Above what is gone through node by node, too: a community holds one topic, but for a few of both."""
    found = shaped(topics(NODE_BY_NODE_MAX + 5_000, size=500, across=0.1))
    owned = [Counter(int(node[1:]) // 500 for node in members).most_common(1)[0] for members in found.communities]
    assert abs(len(found.communities) - 50) <= 2
    assert len({topic for topic, _ in owned}) >= 48
    assert sum(count for _, count in owned) > 0.9 * found.related


@pytest.mark.parametrize(("size", "across"), [(20, 0.3), (100, 0.2), (1_000, 0.2), (4_000, 1.0)])
def test_moving_many_at_once_finds_as_good_communities(size: int, across: float) -> None:
    """Or nearly: modularity is at most 0.01 less. Nobody is left alone, and the answer is the same again."""
    network = Network.of(topics(4_000, size=size, across=across))
    ids, ends = network.ends()
    one, many = louvain.grouped(ends, len(ids)), louvain_at_once.grouped(ends, len(ids))
    assert modularity(network, many) > modularity(network, one) - 0.01
    assert np.bincount(many).min() > 1
    assert np.array_equal(many, louvain_at_once.grouped(ends, len(ids)))


def test_pairs_and_stars_are_found_whole_however_many_move_at_once() -> None:
    """Two nodes that have only each other do not pass by each other; a hub does not lose its rays."""
    pairs = np.arange(200_000).reshape(-1, 2)
    assert set(np.bincount(louvain_at_once.grouped(pairs, 200_000))) == {2}
    stars = np.array([(number // 50 * 50, number) for number in range(4_000) if number % 50])
    assert np.bincount(louvain_at_once.grouped(stars, 4_000)).tolist() == [50] * 80


def test_a_hundred_thousand_relations_take_seconds() -> None:
    """Linear in nodes and relations, with either method."""
    draw = random.Random(5)
    for count in (NODE_BY_NODE_MAX, 40_000):
        ids = [f"n{number}" for number in range(count)]
        began = time.thread_time()
        shaped([(draw.choice(ids), draw.choice(ids), "uses") for _ in range(100_000)])
        assert time.thread_time() - began < 30
