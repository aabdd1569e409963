"""Hubs, orphans and communities of small graphs whose shape is plain to see."""

from __future__ import annotations

import random
import time

from hypothesis import given
from hypothesis import strategies as st

from weft.reason.shape import Hub, shape


def clique(*nodes: str) -> list[tuple[str, str, str]]:
    """Return a relation between every two of ``nodes``."""
    return [(a, b, "relates_to") for a in nodes for b in nodes if a < b]


def test_two_circles_of_friends_are_two_communities() -> None:
    """One relation between two cliques joins them to one component, not to one community."""
    found = shape("abcdwxyz?", [*clique(*"abcd"), *clique(*"wxyz"), ("d", "w", "uses")])
    assert sorted(map(sorted, found.communities)) == [list("abcd"), list("wxyz")]
    assert found.orphans == ("?",)
    assert [hub.id for hub in found.hubs[:2]] == ["d", "w"]
    assert found.hubs[0] == Hub(id="d", degree=4)


def test_several_relations_between_two_nodes_count_once() -> None:
    """A hub is related to many nodes, not many times to one."""
    found = shape("ab", [("a", "b", "uses"), ("b", "a", "supports"), ("a", "a", "uses"), ("a", "gone", "uses")])
    assert found.hubs == (Hub(id="a", degree=1), Hub(id="b", degree=1))


def test_an_empty_graph_has_no_shape() -> None:
    """Nothing in, nothing out."""
    found = shape([], [])
    assert (found.hubs, found.orphans, found.communities) == ((), (), ())


def test_hubs_are_bounded() -> None:
    """As many as were asked for, most related first."""
    found = shape("abcdef", [("a", other, "uses") for other in "bcdef"], hubs_max=1)
    assert found.hubs == (Hub(id="a", degree=5),)


@given(st.lists(st.tuples(st.sampled_from("abcdefg"), st.sampled_from("abcdefg"), st.just("uses")), max_size=20))
def test_every_node_is_in_one_place(pairs: list[tuple[str, str, str]]) -> None:
    """A node is an orphan or in at most one community, and the order of the relations changes nothing."""
    found = shape("abcdefg", pairs)
    members = [node for group in found.communities for node in group]
    assert len(members) == len(set(members))
    assert not set(members) & set(found.orphans)
    assert set(found.orphans) == set("abcdefg") - {end for a, b, _ in pairs if a != b for end in (a, b)}
    assert shape("gfedcba", list(reversed(pairs))) == found


def test_a_hundred_thousand_relations_take_seconds() -> None:
    """Linear in nodes and relations."""
    draw = random.Random(5)
    ids = [f"n{number}" for number in range(20_000)]
    pairs = [(draw.choice(ids), draw.choice(ids), "uses") for _ in range(100_000)]
    began = time.thread_time()
    shape(ids, pairs)
    assert time.thread_time() - began < 30
