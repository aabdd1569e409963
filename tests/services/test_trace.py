"""Trace: ways from one node to another."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import pytest

from services.readers import trace_of
from weft.errors import InvalidArgument, NotFound
from weft.identity import new_id
from weft.model import Scope, SynthesizeRequest, TraceRequest

if TYPE_CHECKING:
    from pathlib import Path

    from services.desk import Desk
    from weft.model import Node, Traced, Trail
    from weft.services.trace.trace import Trace


@pytest.fixture
def trace(desk: Desk, tmp_path: Path) -> Trace:
    """The verbs that follow relations, over the desk."""
    return trace_of(desk, tmp_path)


def _chain(desk: Desk, *names: str, type: str = "extends") -> list[Node]:  # noqa: A002 - the field's word
    nodes = [desk.add(f"{name} is a station.", title=name).node for name in names]
    for before, after in itertools.pairwise(nodes):
        desk.join(before.id, after.id, type)
    return nodes


def _asked(desk: Desk, trace: Trace, start: str, end: str, **fields: object) -> Traced:
    return trace.trace(TraceRequest(start=start, end=end, **fields), desk.call())


def _stops(trail: Trail | None) -> list[str]:
    return [step.node.title for step in trail.steps] if trail else []


def test_a_trail_says_every_step_and_its_direction(desk: Desk, trace: Trace) -> None:
    """Relations are walked both ways; each step carries the relation, and the last one none."""
    first, middle, last = _chain(desk, "Avon", "Brent", "Calder")
    forward = _asked(desk, trace, first.id, "Calder").trail
    assert forward is not None
    assert _stops(forward) == ["Avon", "Brent", "Calder"]
    assert forward.length == 2
    assert [step.direction for step in forward.steps] == ["forward", "forward", ""]
    assert [step.relation.type if step.relation else "" for step in forward.steps] == ["extends", "extends", ""]
    backward = _asked(desk, trace, last.id, first.id).trail
    assert backward is not None
    assert [step.direction for step in backward.steps] == ["backward", "backward", ""]
    assert backward.steps[1].node == middle


def test_a_named_end_matches_fully_and_a_described_one_by_its_likeness(desk: Desk, trace: Trace) -> None:
    """Free text is matched by meaning, from 0.50 on, and the answer says how well."""
    dose = desk.add("The physician prescribed medication for the illness.").node
    ice = desk.add("Glaciers carve deep valleys into soft rock.", title="Glaciers").node
    desk.join(dose.id, ice.id)
    traced = _asked(desk, trace, "doctor gives medicine to a sick patient", "glaciers")
    assert traced.trail is not None
    assert traced.start_match is not None
    assert traced.end_match is not None
    assert (traced.start_match.id, traced.end_match.id) == (dose.id, ice.id)
    assert 0.5 <= traced.start_match.similarity < 1.0
    assert traced.end_match.similarity == 1.0


def test_an_end_is_what_holds_its_words_however_little_else_it_has_of_them(desk: Desk, trace: Trace) -> None:
    """A name in a long text is like the whole of it by far less than 0.50; who holds one word of two is not meant."""
    runbook = desk.add(
        "Each night the tables are copied. The copies lie in two buildings. A restore is tried every month by the one"
        " who is on call, who writes down how long it took; the month after, that is compared.",
        title="Runbook of the night",
    ).node
    ice = desk.add("Glaciers carve deep valleys into soft rock.", title="Glaciers").node
    desk.join(runbook.id, ice.id)
    traced = _asked(desk, trace, "compared by month", "Glaciers")
    assert _stops(traced.trail) == ["Runbook of the night", "Glaciers"]
    assert traced.start_match is not None
    assert traced.start_match.similarity < 0.5
    assert _asked(desk, trace, "compared by penguins", "Glaciers").start_match is None


def test_the_next_best_match_is_tried_where_the_best_leads_nowhere(desk: Desk, trace: Trace) -> None:
    """An isolated node that is the best match does not hide the connected one beside it."""
    desk.add("A violin has four strings that are tuned in fifths.", title="Isolated violin")
    tied = desk.add("A violin has four strings tuned in fifths, a viola too.", title="Tied violin").node
    end = desk.add("Glaciers carve deep valleys into soft rock.", title="Glaciers").node
    desk.join(tied.id, end.id)
    traced = _asked(desk, trace, "A violin has four strings that are tuned in fifths", "Glaciers")
    assert _stops(traced.trail) == ["Tied violin", "Glaciers"]


def test_of_two_nodes_of_one_name_the_one_that_is_nearer_is_meant(desk: Desk, trace: Trace) -> None:
    """Whichever was written first; the longer way is another."""
    far, near = (
        desk.add(text, title="Gateway", kind=kind).node.id
        for text, kind in (
            ("What keeps the connections to phones.", "concept"),
            ("The gateway service is written in Go.", "component"),
        )
    )
    broker, index = (desk.add(f"About the {name}.", title=name, kind="concept").node.id for name in ("Broker", "Index"))
    desk.join(far, index, "part_of")
    desk.join(index, broker, "relates_to")
    desk.join(near, broker, "uses")
    found = trace.trace(TraceRequest(start="Gateway", end="Broker"), desk.call())
    assert found.trail is not None
    assert [step.node.id for step in found.trail.steps] == [near, broker]
    assert [step.node.id for step in found.alternatives[0].steps] == [far, index, broker]


def test_a_misspelt_end_is_the_node_that_was_meant(desk: Desk, trace: Trace) -> None:
    """Its title says which one was taken."""
    policy = desk.add("The retry policy of the client.").node
    other = desk.add("The timetable of the ferry to the island.").node
    traced = _asked(desk, trace, "retyr polciy", "tmietable of the fery")
    assert (traced.start_match, traced.end_match) != (None, None)
    assert [each.id for each in (traced.start_match, traced.end_match) if each] == [policy.id, other.id]


def test_isolated_nodes_are_not_connected_and_nothing_breaks(desk: Desk, trace: Trace) -> None:
    """No trail, both matches, and what comes nearest."""
    one = desk.add("Glaciers carve deep valleys into soft rock.", title="Glaciers").node
    two = desk.add("A violin has four strings.", title="Violin").node
    traced = _asked(desk, trace, one.id, two.id)
    assert traced.trail is None
    assert traced.alternatives == ()
    assert [match.id for match in traced.nearest] == [one.id]
    assert traced.start_match is not None
    assert traced.end_match is not None


def test_nearest_is_what_was_reached_and_is_most_like_the_end(desk: Desk, trace: Trace) -> None:
    """Where no way leads there, the stop that comes closest in meaning is shown first."""
    _, _, close = _chain(desk, "Avon", "Brent", "The fiddle string")
    desk.add("A violin has four strings.", title="Violin")
    traced = _asked(desk, trace, "Avon", "Violin")
    assert traced.trail is None
    assert traced.nearest[0].id == close.id


def test_an_end_that_matches_nothing_says_what_it_came_close_to(desk: Desk, trace: Trace) -> None:
    """Below 0.50 an end does not match, and the nodes below the bar are named with their similarity."""
    node = desk.add("Glaciers carve deep valleys into soft rock.", title="Glaciers").node
    traced = _asked(desk, trace, "Glaciers", "kubernetes autoscaling thresholds")
    assert traced.end_match is None
    assert traced.trail is None
    assert [match.id for match in traced.nearest] == [node.id]
    assert traced.nearest[0].similarity < 0.5


def test_an_end_that_is_the_id_of_no_node_is_told_and_not_matched_by_meaning(desk: Desk, trace: Trace) -> None:
    """Whatever is like an id in meaning is like it by chance; of a forgotten node it is said who forgot it."""
    here, gone = _chain(desk, "Avon", "Brent")
    desk.capture.forget(gone.id, desk.call(), confirm=True)
    with pytest.raises(NotFound, match=f"end «{gone.id}» names a node that ada forgot"):
        _asked(desk, trace, here.id, gone.id)
    with pytest.raises(NotFound, match=r"start «.*» names no node"):
        _asked(desk, trace, new_id(desk.call().at), here.id)


def test_a_node_reaches_itself_in_no_steps(desk: Desk, trace: Trace) -> None:
    """Both ends the same node: a trail of length 0."""
    (node,) = _chain(desk, "Avon")
    trail = _asked(desk, trace, node.id, "avon").trail
    assert trail is not None
    assert trail.length == 0
    assert _stops(trail) == ["Avon"]


def test_refuting_steps_are_avoided_or_marked(desk: Desk, trace: Trace) -> None:
    """The longer way without a contradiction wins; where there is none, the step is marked."""
    first, _, last = _chain(desk, "Avon", "Brent", "Calder")
    desk.join(first.id, last.id, "contradicts")
    assert _stops(_asked(desk, trace, first.id, last.id).trail) == ["Avon", "Brent", "Calder"]
    lone = desk.add("Dee is a station.", title="Dee").node
    desk.join(lone.id, last.id, "refutes")
    trail = _asked(desk, trace, "Dee", "Calder").trail
    assert trail is not None
    assert trail.steps[0].conflict


def test_bounds_and_types_are_kept(desk: Desk, trace: Trace) -> None:
    """Too few hops or the wrong types connect nothing; any spelling of the right type does."""
    first, *_, last = _chain(desk, "Avon", "Brent", "Calder", "Dee", type="depends_on")
    assert _asked(desk, trace, first.id, last.id, hops_max=2).trail is None
    assert _asked(desk, trace, first.id, last.id, types=("supports",)).trail is None
    assert _asked(desk, trace, first.id, last.id, hops_max=3, types=("DEPENDS-ON",)).trail is not None


def test_alternatives_are_other_ways(desk: Desk, trace: Trace) -> None:
    """As many as asked for, each different from the best."""
    first, _, last = _chain(desk, "Avon", "Brent", "Calder")
    for name in ("Dee", "Esk"):
        other = desk.add(f"{name} is a station.", title=name).node
        desk.join(first.id, other.id)
        desk.join(other.id, last.id)
    traced = _asked(desk, trace, first.id, last.id, alternatives=2)
    ways = [_stops(trail) for trail in (traced.trail, *traced.alternatives)]
    assert len({tuple(way) for way in ways}) == 3
    assert _asked(desk, trace, first.id, last.id, alternatives=0).alternatives == ()


def test_where_an_end_is_a_phrase_ways_from_its_other_matches_are_alternatives(desk: Desk, trace: Trace) -> None:
    """Until there are as many as asked for; what runs along a way that is shown already is none."""
    phrase = "A violin has four strings that are tuned in fifths"
    first = desk.add(f"{phrase}.", title="Violin").node
    second = desk.add("A viola has four strings that are tuned in fifths.", title="Viola").node
    third = desk.add("A cello has four strings that are tuned in fifths.", title="Cello").node
    (maple,) = _chain(desk, "Maple")
    spruce, end = _chain(desk, "Spruce", "Forests")
    desk.join(first.id, maple.id)
    desk.join(maple.id, end.id)
    desk.join(second.id, spruce.id)
    desk.join(third.id, first.id)
    traced = _asked(desk, trace, phrase, "Forests", alternatives=2)
    ways = [_stops(trail) for trail in (traced.trail, *traced.alternatives)]
    assert ways == [["Violin", "Maple", "Forests"], ["Viola", "Spruce", "Forests"]]
    assert traced.start_match is not None
    assert traced.start_match.id == first.id
    assert _asked(desk, trace, phrase, "Forests", alternatives=0).alternatives == ()
    assert _asked(desk, trace, first.id, "Forests", alternatives=2).alternatives == ()


def test_scope_leaves_learned_knowledge_out_or_in(desk: Desk, trace: Trace) -> None:
    """A way over a synthesis is no way for documents."""
    one = desk.add("A token bucket limits how many requests pass.", title="Token bucket", ontology="networks").node
    two = desk.add("A flow valve limits how much water passes.", title="Flow valve", ontology="plumbing").node
    desk.synthesize.synthesize(
        SynthesizeRequest(label="Throttling", bridges=(one.id, two.id), evidence="Both limit what passes in a second."),
        desk.call(),
    )
    assert _stops(_asked(desk, trace, one.id, two.id).trail) == ["Token bucket", "Throttling", "Flow valve"]
    assert _asked(desk, trace, one.id, two.id, scope=Scope.DOCUMENTS).trail is None
    learned = _asked(desk, trace, one.id, two.id, scope=Scope.LEARNED)
    assert _stops(learned.trail) == ["Token bucket", "Throttling", "Flow valve"]


def test_mentions_connect_only_where_nothing_else_does(desk: Desk, trace: Trace) -> None:
    """They are marked as such, and a relation takes their place at once."""
    marlow = desk.add("It runs in the cellar.", title="Marlow").node
    printing = desk.add("Invoices are printed by Marlow.", title="Invoice printing").node
    trail = _asked(desk, trace, printing.id, marlow.id).trail
    assert trail is not None
    assert (trail.steps[0].mentioned, trail.steps[0].relation, trail.steps[0].direction) == (True, None, "forward")
    assert trail.steps[0].name == "marlow"
    between = desk.add("Nothing of the kind.", title="Calder").node
    desk.join(printing.id, between.id)
    desk.join(between.id, marlow.id)
    longer = _asked(desk, trace, printing.id, marlow.id).trail
    assert _stops(longer) == ["Invoice printing", "Calder", "Marlow"]
    assert longer is not None
    assert not any(step.mentioned for step in longer.steps)


@pytest.mark.parametrize(
    "fields",
    [{"hops_max": 0}, {"hops_max": 11}, {"alternatives": 6}, {"types": ("likes",)}, {"start": " "}, {"end": ""}],
)
def test_values_out_of_bounds_are_refused(desk: Desk, trace: Trace, fields: dict[str, object]) -> None:
    """Each by its own name."""
    with pytest.raises(InvalidArgument, match=r"max_hops|alternatives|type|start|end"):
        trace.trace(TraceRequest(**{"start": "a", "end": "b", **fields}), desk.call())
