"""Trails: the right way, found in few questions, in one order."""

from __future__ import annotations

import random
import time
from collections import deque
from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from weft.reason.walk import Way, trails

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Row = tuple[str, str, str, float, bool]


class Graph:
    """A graph in memory that counts what it is asked."""

    def __init__(self, *relations: str | tuple[str, str, float, bool]) -> None:
        self.rows: dict[str, list[Row]] = {}
        self.questions: list[tuple[str, ...]] = []
        for number, relation in enumerate(relations):
            a, b, weight, conflict = (*relation, 0.8, False) if isinstance(relation, str) else relation
            self.rows.setdefault(a, []).append((a, b, f"r{number}", weight, conflict))
            self.rows.setdefault(b, []).append((b, a, f"r{number}", weight, conflict))

    def neighbours(self, nodes: Sequence[str]) -> Iterable[Row]:
        """Answer for a batch of nodes, and remember the question."""
        self.questions.append(tuple(nodes))
        return [row for node in nodes for row in self.rows.get(node, [])]

    def ways(self, start: str, end: str, *, hops_max: int = 6, alternatives: int = 2) -> tuple[Way, ...]:
        """Return the trails from ``start`` to ``end``."""
        return trails([start], [end], self.neighbours, hops_max=hops_max, frontier_max=2000, alternatives=alternatives)


def test_the_shortest_way_is_found_and_its_steps_are_told() -> None:
    """Nodes and relations of the way, in walking order."""
    (way,) = Graph("ab", "bc", "cd", "xy").ways("a", "d")
    assert way.nodes == ("a", "b", "c", "d")
    assert [(pace.start, pace.end, pace.key) for pace in way.paces] == [
        ("a", "b", "r0"),
        ("b", "c", "r1"),
        ("c", "d", "r2"),
    ]


def test_an_isolated_start_gives_no_way_and_one_question() -> None:
    """Nothing leaves it, so nothing more is asked."""
    graph = Graph("bc")
    assert graph.ways("a", "c") == ()
    assert len(graph.questions) == 1


def test_a_node_is_reached_from_itself_without_a_step() -> None:
    """Start and end may be one."""
    assert Graph("ab").ways("a", "a") == (Way(nodes=("a",)),)


def test_hops_are_bounded() -> None:
    """A way of four relations is not found within three."""
    graph = Graph("ab", "bc", "cd", "de")
    assert graph.ways("a", "e", hops_max=3) == ()
    assert len(graph.ways("a", "e", hops_max=4)) == 1


def test_conflict_steps_are_avoided_where_another_way_exists() -> None:
    """A longer way without refutation is taken, and no alternative refutes."""
    graph = Graph(("a", "z", 0.9, True), "ab", "bc", "cz")
    ways = graph.ways("a", "z")
    assert [way.nodes for way in ways] == [("a", "b", "c", "z")]
    assert ways[0].conflicts == 0


def test_conflict_steps_are_walked_and_marked_where_nothing_else_connects() -> None:
    """The only way holds a refutation: it is told, and says so; nothing is asked twice."""
    graph = Graph("ab", ("b", "c", 0.9, True), "cd")
    (way,) = graph.ways("a", "d")
    assert way.nodes == ("a", "b", "c", "d")
    assert [pace.conflict for pace in way.paces] == [False, True, False]
    asked = [node for question in graph.questions for node in question]
    assert len(asked) == len(set(asked))


def test_alternatives_share_no_inner_node_where_they_can() -> None:
    """Three separate ways come best first: shorter, then stronger."""
    graph = Graph("ab", "bz", ("a", "c", 0.9, False), ("c", "z", 0.9, False), "ad", "de", "ez")
    ways = graph.ways("a", "z")
    assert [way.nodes for way in ways] == [("a", "c", "z"), ("a", "b", "z"), ("a", "d", "e", "z")]


def test_an_alternative_beside_a_direct_relation_is_found() -> None:
    """A direct relation has no inner node to avoid, and yet another way is told."""
    assert [way.nodes for way in Graph("az", "ab", "bz").ways("a", "z")] == [("a", "z"), ("a", "b", "z")]


def test_a_bottleneck_still_leaves_alternatives_that_differ_in_a_node() -> None:
    """All ways pass through m; the other one differs before it."""
    ways = Graph("ab", "ac", "bm", "cm", "mz").ways("a", "z")
    assert [way.nodes for way in ways] == [("a", "b", "m", "z"), ("a", "c", "m", "z")]


def test_one_question_a_level_and_side() -> None:
    """A way of six relations takes at most six questions, each node in one of them only."""
    graph = Graph("ab", "bc", "cd", "de", "ef", "fg")
    assert len(graph.ways("a", "g")) == 1
    assert len(graph.questions) <= 6
    asked = [node for question in graph.questions for node in question]
    assert len(asked) == len(set(asked))


def test_a_relation_that_only_one_end_tells_of_connects() -> None:
    """The middle node hides a relation (it has too many to tell); its other end tells of it."""
    graph = Graph("am", "mz")
    graph.rows["m"] = [row for row in graph.rows["m"] if row[1] != "z"]
    assert [way.nodes for way in graph.ways("a", "z")] == [("a", "m", "z")]


def test_several_starts_and_ends_give_the_nearest_pair() -> None:
    """Free text may match more than one node an end."""
    graph = Graph("ab", "bc", "cz", "yz")
    ways = trails(["a", "y"], ["z"], graph.neighbours, hops_max=6, frontier_max=100)
    assert ways[0].nodes == ("y", "z")


def test_a_frontier_is_bounded_to_the_strongest() -> None:
    """Of a hub's many neighbours only the strongest few are followed."""
    weak = [("hub", f"n{number:03}", 0.1, False) for number in range(300)]
    graph = Graph(*weak, ("hub", "strong", 0.9, False), "az", ("strong", "z", 0.9, False))
    ways = trails(["hub"], ["a"], graph.neighbours, hops_max=6, frontier_max=5)
    assert ways[0].nodes == ("hub", "strong", "z", "a")
    assert max(map(len, graph.questions)) <= 5


def _distance(rows: dict[str, list[Row]], start: str, end: str, *, conflicts: bool) -> int | None:
    far, queue = {start: 0}, deque([start])
    while queue:
        node = queue.popleft()
        for _, other, _, _, conflict in rows.get(node, []):
            if other not in far and (conflicts or not conflict):
                far[other] = far[node] + 1
                queue.append(other)
    return far.get(end)


relations = st.lists(
    st.tuples(
        st.sampled_from("abcdefgh"), st.sampled_from("abcdefgh"), st.sampled_from([0.2, 0.5, 0.9]), st.booleans()
    ),
    max_size=14,
)


@given(relations, st.integers(min_value=1, max_value=6))
def test_every_way_is_real_and_the_first_is_shortest(drawn: list[tuple[str, str, float, bool]], hops_max: int) -> None:
    """Steps exist and join up; the length is that of a plain breadth-first search; ways differ."""
    graph = Graph(*drawn)
    ways = graph.ways("a", "h", hops_max=hops_max)
    plain = _distance(graph.rows, "a", "h", conflicts=False)
    shortest = plain if plain is not None and plain <= hops_max else _distance(graph.rows, "a", "h", conflicts=True)
    if shortest is None or shortest > hops_max:
        assert ways == ()
        return
    assert len(ways[0].paces) == shortest
    assert len({way.nodes for way in ways}) == len(ways)
    for way in ways:
        assert len(way.paces) <= hops_max
        assert len(set(way.nodes)) == len(way.nodes)
        assert all(pace in {row for rows in graph.rows.values() for row in rows} for pace in way.paces)
        joins = [(pace.start, pace.end) for pace in way.paces]
        assert joins == list(zip(way.nodes, way.nodes[1:], strict=False))


@given(relations, st.randoms(use_true_random=False))
def test_the_order_of_relations_changes_nothing(
    drawn: list[tuple[str, str, float, bool]], shuffler: random.Random
) -> None:
    """The same graph told in another order gives the same trails."""
    graph, other = Graph(*drawn), Graph(*drawn)
    for rows in other.rows.values():
        shuffler.shuffle(rows)
    assert graph.ways("a", "h") == other.ways("a", "h")


def test_ten_thousand_nodes_and_six_hops_take_well_under_a_second() -> None:
    """10,000 nodes, 50,000 relations, drawn with a fixed seed; twenty trails."""
    draw = random.Random(7)
    names = [f"n{number:05}" for number in range(10_000)]
    graph = Graph(
        *((draw.choice(names), draw.choice(names), draw.random(), draw.random() < 0.05) for _ in range(50_000))
    )
    began = time.thread_time()
    found = [graph.ways(draw.choice(names), draw.choice(names)) for _ in range(20)]
    assert time.thread_time() - began < 20
    assert all(ways and len(ways[0].paces) <= 6 for ways in found)
