"""The index finds what a plain comparison of everything finds: now, in the past, under filters, in every size."""

from __future__ import annotations

import tempfile
import threading
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from index.world import TINY, World, agrees, clustered, nearest, unit
from weft.errors import InvalidArgument
from weft.index import Sizes
from weft.model import Filter, Origin, Scope, Status
from weft.store.filters import matches

KINDS, ONTOLOGIES, TAGS = ("claim", "decision"), ("main", "side"), ("a", "b", "c")
SIZES = {
    "in memory": Sizes(few_max=0),
    "few at a time": Sizes(few_max=3),
    "in files": TINY,
    "by scanning": Sizes(exact_max=10_000, memory_max=0, few_max=0, gone_max=0),
}

vectors = st.lists(st.lists(st.integers(-4, 4), min_size=8, max_size=8).filter(any), min_size=1, max_size=3)
fields = st.fixed_dictionaries(
    {
        "kind": st.sampled_from(KINDS),
        "ontology": st.sampled_from(ONTOLOGIES),
        "tags": st.sets(st.sampled_from(TAGS)).map(lambda tags: tuple(sorted(tags))),
        "confidence": st.sampled_from((0.3, 0.6, 0.9)),
        "session": st.sampled_from(("", "noon", "night")),
        "status": st.sampled_from(tuple(Status)),
        "origin": st.sampled_from((Origin.MANUAL, Origin.LEARNED)),
    }
)
steps = st.lists(
    st.one_of(
        st.tuples(st.just("add"), vectors, fields),
        st.tuples(st.just("change"), vectors, fields),
        st.tuples(st.just("retire"), st.just(None), st.just(None)),
        st.tuples(st.just("rebuild"), st.just(None), st.just(None)),
    ),
    min_size=3,
    max_size=14,
)
filters = st.builds(
    Filter,
    kinds=st.sets(st.sampled_from(KINDS), max_size=2).map(tuple),
    ontologies=st.sets(st.sampled_from(ONTOLOGIES), max_size=1).map(tuple),
    tags=st.sets(st.sampled_from(TAGS), max_size=2).map(tuple),
    status=st.sampled_from(("", "active", "superseded")),
    confidence_min=st.sampled_from((0.0, 0.5, 0.8)),
    session=st.sampled_from(("", "noon")),
    scope=st.sampled_from(tuple(Scope)),
)


def play(
    world: World, script: list[tuple[str, list[list[int]] | None, dict[str, object] | None]], sizes: Sizes
) -> None:
    """Write what the script says, asking an index after each step, so that it must follow."""
    index = world.index(sizes)
    for at, (what, rows, given_fields) in enumerate(script):
        made = unit(np.array(rows, np.float32)) if rows else np.empty((0, 8), np.float32)
        standing = sorted(world.held)
        if what == "add":
            world.add(f"n{at}", made, **given_fields)
        elif what == "change" and standing:
            world.change(standing[at % len(standing)], made, **given_fields)
        elif what == "retire" and standing:
            world.retire(standing[at % len(standing)])
        elif what == "rebuild":
            index.rebuild()
        ask = unit(np.eye(1, 8, at % 8, dtype=np.float32))[0]
        found = index.nearest(ask, filter=Filter(), limit=3)
        assert agrees(found, nearest(world.held, ask, Filter(), 3)), (what, at)


@pytest.mark.parametrize("sizes", SIZES.values(), ids=SIZES)
@given(script=steps, wanted=filters, ask=vectors, limit=st.integers(1, 5))
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_a_filtered_search_equals_comparing_everything(
    sizes: Sizes, script: list[tuple[str, None, None]], wanted: Filter, ask: list[list[int]], limit: int
) -> None:
    """Whatever was written, changed and retired, and whatever the filter."""
    with tempfile.TemporaryDirectory() as folder:
        world = World(Path(folder) / "graph.db")
        play(world, script, sizes)
        vector = unit(np.array(ask[0], np.float32))
        some = replace(wanted, within=tuple(sorted(world.held)[::2])) if limit == 2 else wanted
        found = world.index(sizes).nearest(vector, filter=some, limit=limit)
        world.close()
        assert agrees(found, nearest(world.held, vector, some, limit))


@pytest.mark.parametrize("sizes", SIZES.values(), ids=SIZES)
@given(script=steps, wanted=filters, ask=vectors, then=st.integers(0, 13))
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_a_search_in_the_past_misses_nothing_that_stood_then(
    sizes: Sizes, script: list[tuple[str, None, None]], wanted: Filter, ask: list[list[int]], then: int
) -> None:
    """All that stood and passed then is among the answers, with the cosine it had; the rest is the caller's to drop."""
    with tempfile.TemporaryDirectory() as folder:
        world = World(Path(folder) / "graph.db")
        play(world, script, sizes)
        seq, held = list(world.past.items())[then % len(world.past)] if world.past else (0, {})
        vector = unit(np.array(ask[0], np.float32))
        some = replace(wanted, within=tuple(sorted(held)[::2])) if then % 3 == 0 else wanted
        found = world.index(sizes).nearest(vector, filter=replace(some, as_of=seq), limit=100)
        world.close()
        assert {near.node for near in found} <= set(held)
        kept = [near for near in found if matches(held[near.node][0], some)]
        assert agrees(kept, nearest(held, vector, some, 100))


def test_a_large_graph_is_searched_through_files_and_found_as_well(tmp_path: Path) -> None:
    """Recall@10 is 0.95 or more on clustered vectors of the real dimension, with files and without."""
    world = World(tmp_path / "graph.db", dimension=384)
    made = clustered(6_000, 384)
    world.crowd(made)
    index = world.index(Sizes(exact_max=1_000, tail_max=1_000))
    assert index.rebuild()
    world.crowd(made[:50] * -1)  # after the file
    dice = np.random.default_rng(5)
    asked = unit(made[dice.integers(0, len(made), 60)] + 0.03 * dice.standard_normal((60, 384), np.float32))
    hits = 0
    for vector in asked:
        found = index.nearest(vector, filter=Filter(), limit=10)
        hits += sum(near.cosine >= np.sort(made @ vector)[-10] - 1e-4 for near in found)
    assert hits / 600 >= 0.95
    assert index.nearest(-made[7], filter=Filter(), limit=1)[0].cosine > 0.999
    world.close()


def test_a_node_of_many_passages_counts_once_by_its_best(tmp_path: Path) -> None:
    """So a long document does not crowd the others out, and the place is that of the nearest passage."""
    world = World(tmp_path / "graph.db")
    ask = unit(np.eye(1, 8, dtype=np.float32))[0]
    close = unit(np.tile(ask, (200, 1)) + 0.05 * np.random.default_rng(1).standard_normal((200, 8), np.float32))
    close[140] = ask
    long = world.add("long", close, texts=[f"part {at:03}" for at in range(200)])
    far = [world.add(f"far {at}", unit(np.roll(np.eye(1, 8, dtype=np.float32) + 0.2, at + 1))) for at in range(3)]
    for sizes in SIZES.values():
        found = world.index(sizes).nearest(ask, filter=Filter(), limit=4)
        assert found[0].node == long.id
        assert {near.node for near in found} == {long.id, *(node.id for node in far)}
        assert long.content[found[0].start : found[0].end] == "part 140"
    world.close()


def test_vectors_of_nodes_are_given_in_the_order_of_their_text(tmp_path: Path) -> None:
    """Unknown and retired nodes are left out."""
    world = World(tmp_path / "graph.db")
    made = unit(np.random.default_rng(2).standard_normal((3, 8)).astype(np.float32))
    node = world.add("three", made)
    gone = world.add("gone", made[:1])
    world.retire(gone.id)
    given_back = world.index().of([node.id, gone.id, "unknown", node.id])
    assert list(given_back) == [node.id]
    assert np.array_equal(given_back[node.id], made)
    world.close()


def test_a_vector_of_another_length_is_refused(tmp_path: Path) -> None:
    """The message names both; in an empty graph too."""
    world = World(tmp_path / "graph.db")
    with pytest.raises(InvalidArgument, match=r"\(5,\).*8"):
        world.index().nearest(np.ones(5, np.float32), filter=Filter(), limit=3)
    assert world.index().nearest(np.ones(8, np.float32), filter=Filter(), limit=3) == ()
    assert world.index().nearest(np.ones(8, np.float32), filter=Filter(), limit=0) == ()
    world.close()


def test_opening_reads_nothing_and_makes_nothing(tmp_path: Path) -> None:
    """A server's start does not depend on the size of the graph."""
    world = World(tmp_path / "graph.db")
    world.index(TINY).close()
    assert not (tmp_path / "graph.index").exists()
    world.close()


def test_threads_of_one_server_search_while_it_writes(tmp_path: Path) -> None:
    """Four threads ask for what stands; each finds it, whatever is written and built meanwhile."""
    world = World(tmp_path / "graph.db")
    made = unit(np.random.default_rng(3).standard_normal((300, 8)).astype(np.float32))
    nodes = world.crowd(made[:40])
    index = world.index(TINY)
    failures: list[str] = []
    done = threading.Event()

    def ask(thread: int) -> None:
        at = thread
        while not done.is_set():
            at = (at + 1) % 40
            found = index.nearest(made[at], filter=Filter(), limit=3)
            if nodes[at].id not in {near.node for near in found if near.cosine > 0.999}:
                failures.append(f"{at}: {found}")
                return

    threads = [threading.Thread(target=ask, args=(thread,)) for thread in range(4)]
    for thread in threads:
        thread.start()
    for at in range(40, 300, 4):
        world.crowd(made[at : at + 4])
    done.set()
    for thread in threads:
        thread.join(30)
    world.close()
    assert not failures


@pytest.mark.parametrize("sizes", SIZES.values(), ids=SIZES)
def test_what_has_been_overwritten_is_found_where_it_stood(tmp_path: Path, sizes: Sizes) -> None:
    """The old passage answers for the past, the new one for now; a far ended one does not stand in a near one's way."""
    world = World(tmp_path / "graph.db")
    axes = unit(np.eye(8, dtype=np.float32) + 0.05)
    moved = world.add("moved", axes[:1])
    far = [world.add(f"far {at}", axes[7:]) for at in range(6)]
    near = [world.add(f"near {at}", unit(axes[:1] + 0.02 * at * axes[1:2])) for at in range(1, 90)]
    then = max(world.past)
    world.change(moved.id, axes[3:4])
    for node in far:
        world.change(node.id, axes[4:5])
    index = world.index(sizes)
    index.rebuild()
    past = index.nearest(axes[0], filter=Filter(as_of=then), limit=3)
    assert [each.node for each in past] == [moved.id, near[0].id, near[1].id]
    assert [each.node for each in index.nearest(axes[0], filter=Filter(), limit=2)] == [near[0].id, near[1].id]
    only = Filter(as_of=then, confidence_min=0.1, kinds=("claim",))
    assert agrees(index.nearest(axes[7], filter=only, limit=6), nearest(world.past[then], axes[7], Filter(), 6))
    world.close()


def test_an_ended_passage_never_settles_what_nearer_ones_have_not(tmp_path: Path) -> None:
    """The nearest forty do not pass, the ended three are far: those in between are the answer."""
    world = World(tmp_path / "graph.db")
    axes = unit(np.eye(8, dtype=np.float32) + 0.05)
    for at in range(40):
        world.add(f"decision {at}", unit(axes[:1] + 0.001 * at * axes[1:2]), kind="decision")
    between = [world.add(f"claim {at}", unit(axes[:1] + axes[1 + at : 2 + at])) for at in range(3)]
    far = [world.add(f"far {at}", axes[7:]) for at in range(3)]
    then = max(world.past)
    for node in far:
        world.change(node.id, axes[6:7])
    for sizes in SIZES.values():
        found = world.index(sizes).nearest(axes[0], filter=Filter(kinds=("claim",), as_of=then), limit=3)
        assert {near.node for near in found} == {node.id for node in between}
    world.close()
