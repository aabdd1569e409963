"""The rules behind the analyses: what follows from what, where a conflict starts, who stands with whom."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from weft.model import Relation
from weft.reason.arguing import Clash, Web, composed, foundations, rests
from weft.reason.entail import implied
from weft.reason.lacking import islands, open_loops, speaks_of_amounts, states_a_figure, unsupported
from weft.reason.meeting import meetings, reached
from weft.reason.positions import positions
from weft.reason.roots import roots
from weft.vocabulary import STANDARD

if TYPE_CHECKING:
    import random
    from collections.abc import Iterable

AT = datetime(2026, 3, 2, tzinfo=UTC)
TYPES = ("supports", "refutes", "extends", "implies", "contradicts", "relates_to", "causes")
ARROWS = st.lists(
    st.tuples(st.sampled_from("abcdef"), st.sampled_from(TYPES), st.sampled_from("abcdef")).filter(
        lambda row: row[0] != row[2]
    ),
    max_size=14,
    unique=True,
)


def _relations(*said: str) -> list[Relation]:
    """Return relations from sentences such as «a implies b»."""
    return [_relation(*each.split()) for each in said]


def _relation(source: str, type_: str, target: str) -> Relation:
    return Relation(
        id=f"{source} {type_} {target}",
        source=source,
        target=target,
        type=type_,
        reasoning="",
        created_at=AT,
        created_by="ada",
    )


def _web(*said: str) -> Web:
    return Web.of(_relations(*said))


def _follows(web: Web, starts: Iterable[str], ends: Iterable[str] = ()) -> set[str]:
    return {f"{each.source} {each.type} {each.target}" for each in implied(web, set(starts), set(ends), hops_max=6)}


@pytest.mark.parametrize(
    ("first", "second", "whole"),
    [
        ("implies", "implies", "implies"),
        ("extends", "extends", "extends"),
        ("causes", "causes", "causes"),
        ("supports", "supports", "supports"),
        ("implies", "supports", "supports"),
        ("extends", "implies", "supports"),
        ("supports", "refutes", ""),
        ("relates_to", "relates_to", ""),
        ("uses", "uses", ""),
        ("causes", "implies", ""),
        ("made_up", "implies", ""),
    ],
)
def test_two_relations_in_a_row_come_to_what_the_table_says(first: str, second: str, whole: str) -> None:
    """Transitive types carry over; what speaks for a ground speaks for the thing; nothing else follows."""
    assert composed(STANDARD.type(first), STANDARD.type(second)) == whole


@pytest.mark.parametrize(
    ("said", "follows"),
    [
        (("a implies b", "b implies c"), {"a implies c"}),
        (("a supports b", "b implies c"), {"a supports c"}),
        (("a implies b", "b refutes c"), {"a refutes c"}),
        (("a supports b", "b contradicts c"), {"a refutes c"}),
        (("a implies b", "b contradicts c"), {"a contradicts c"}),
        (("a refutes b", "c implies b"), {"a refutes c"}),
        (("a refutes b", "c supports b"), set()),
        (("a refutes b", "b refutes c"), set()),
        (("a implies b", "b relates_to c"), set()),
        (("b implies a", "b implies c"), set()),
        (("a implies b", "b implies c", "a implies c"), set()),
        (("a implies b", "b implies c", "a refutes c"), set()),
        (("a implies b", "b implies c", "c implies a"), {"a implies c", "b implies a"}),
    ],
)
def test_what_follows_from_two_steps(said: tuple[str, ...], follows: set[str]) -> None:
    """For and against; and what does not: attacking evidence or an attack, mere likeness, what is there."""
    assert _follows(_web(*said), "a") == follows


def test_an_implicit_contradiction_is_seen_from_either_claim() -> None:
    """Both imply what cannot be true together; told once."""
    web = _web("p implies x", "q implies y", "x contradicts y")
    assert _follows(web, "p") & {"p contradicts q", "q contradicts p"} == {"p contradicts q"}
    assert _follows(web, "q", "p") == {"q contradicts p"}


def test_evidence_against_is_found_from_the_claim_it_hits() -> None:
    """What speaks for a refutation speaks against what that refutes, and what implies it."""
    web = _web("e supports r", "r refutes d", "s implies d")
    assert _follows(web, "s") == {"r refutes s", "e refutes s"}


@given(ARROWS)
def test_every_step_of_what_follows_leads_on_from_the_one_before(rows: list[tuple[str, str, str]]) -> None:
    """From the source to the target, over two or more recorded relations; and it is not recorded itself."""
    web = Web.of([_relation(*row) for row in rows])
    for each in implied(web, set("abcdef"), hops_max=6):
        node = each.source
        for step in each.steps:
            assert node in (step.source, step.target)
            node = step.other_end(node)
        assert node == each.target
        assert len(each.steps) >= 2
        assert not any(
            row.type == each.type for row in web.between(each.source, each.target) if row.source == each.source
        )
        assert 0 < each.confidence <= 1


@given(ARROWS, st.randoms(use_true_random=False))
def test_what_follows_does_not_depend_on_the_order_of_relations(
    rows: list[tuple[str, str, str]], chance: random.Random
) -> None:
    """The same graph, the same findings."""
    shuffled = [_relation(*row) for row in rows]
    chance.shuffle(shuffled)
    assert implied(Web.of(shuffled), set("ab"), hops_max=6) == implied(
        Web.of([_relation(*row) for row in rows]), set("ab"), hops_max=6
    )


@given(ARROWS)
def test_of_implications_alone_exactly_the_closure_follows(rows: list[tuple[str, str, str]]) -> None:
    """Every node reached over two steps or more and not in one, and no other."""
    direct = {(source, target) for source, _, target in rows}
    web = Web.of([_relation(source, "implies", target) for source, target in direct])
    reach = {node: {target for source, target in direct if source == node} for node in "abcdef"}
    for _ in range(6):
        reach = {node: near | {far for mid in near for far in reach[mid]} for node, near in reach.items()}
    wanted = {
        (source, target)
        for source, ends in reach.items()
        for target in ends
        if source != target and (source, target) not in direct
    }
    assert {(each.source, each.target) for each in implied(web, set("abcdef"), hops_max=6)} == wanted


@pytest.mark.parametrize(
    ("said", "pair"),
    [
        ("a supports b", ("b", "a")),
        ("a implies b", ("b", "a")),
        ("a extends b", ("a", "b")),
        ("a depends_on b", ("a", "b")),
        ("a refutes b", None),
        ("a relates_to b", None),
    ],
)
def test_which_end_rests_on_which(said: str, pair: tuple[str, str] | None) -> None:
    """A conclusion on its premise, a building on its ground."""
    assert rests(_relations(said)[0]) == pair


def test_foundations_lead_up_to_the_node_they_carry() -> None:
    """With the relations between, and an end in circles."""
    web = _web("a implies b", "c extends b", "b supports a")
    found = foundations(web, "c", depth_max=6)
    assert {node: [row.id for row in way] for node, way in found.items()} == {
        "c": [],
        "b": ["c extends b"],
        "a": ["a implies b", "c extends b"],
    }


def _roots(web: Web, *pairs: tuple[str, str]) -> list[tuple[tuple[str, str], tuple[str, str]]]:
    return [(root.premises, root.claims) for root in roots(web, pairs, web.clashes(), depth_max=6)]


def test_the_root_is_the_earliest_clash_beneath_two_claims() -> None:
    """Not the clash of the claims themselves where their premises clash already."""
    web = _web(
        "x implies a", "a implies p", "y implies b", "b implies q", "x contradicts y", "a refutes b", "p refutes q"
    )
    assert _roots(web, ("p", "q")) == [(("x", "y"), ("p", "q"))]
    assert _roots(_web("p refutes q"), ("p", "q")) == [(("p", "q"), ("p", "q"))]
    assert _roots(_web("x implies p", "y implies q"), ("p", "q")) == []


def test_a_claim_whose_own_premises_clash_is_its_own_conflict() -> None:
    """Held against itself."""
    web = _web("x supports p", "y supports p", "x contradicts y")
    assert _roots(web, ("p", "p")) == [(("x", "y"), ("p", "p"))]


def test_roots_end_in_circles_of_reasons() -> None:
    """Premises that carry one another are walked once."""
    web = _web("a implies p", "p implies a", "b implies q", "q implies b", "a contradicts b")
    assert _roots(web, ("p", "q")) == [(("a", "b"), ("p", "q"))]


def test_sides_are_who_speaks_with_whom_and_common_ground_belongs_to_none() -> None:
    """Evidence stands with its claim; what both imply, or what speaks for both, is shared."""
    web = _web(
        "p contradicts q",
        "e supports p",
        "f supports e",
        "g supports q",
        "k supports p",
        "k supports q",
        "p implies m",
        "q implies m",
    )
    found = positions(web, web.clashes(), hops_max=3)
    assert [set(side.members) for side in found.sides] == [{"p", "e", "f"}, {"q", "g"}]
    assert {each.node for each in found.common} == {"k", "m"}


def test_what_refutes_an_opponent_is_a_side_of_its_own() -> None:
    """It does not thereby support the claim."""
    web = _web("k refutes c", "e refutes k")
    found = positions(web, web.clashes(), hops_max=3)
    assert sorted(side.members for side in found.sides) == [("c",), ("e",), ("k",)]


def test_poles_that_speak_for_one_another_are_one_side_unless_they_clash() -> None:
    """Two attacks from one camp are one camp."""
    web = _web("a supports b", "a refutes x", "b refutes y")
    sides = {side.members for side in positions(web, web.clashes(), hops_max=3).sides}
    assert ("a", "b") in sides
    torn = _web("a supports b", "a contradicts b")
    assert {side.members for side in positions(torn, torn.clashes(), hops_max=3).sides} == {("a",), ("b",)}


def test_a_meeting_is_the_nearest_node_that_both_reach() -> None:
    """What lies on the way to it, or behind it, is no other meeting; refutations are not walked."""
    web = _web("h implies a", "h implies b", "z implies h", "a refutes b")
    (found,) = meetings(web, reached(web, {"a"}, hops_max=3), reached(web, {"b"}, hops_max=3))
    assert (found.node, found.resting, found.degree) == ("h", -1, 3)
    (built,) = meetings(
        web2 := _web("w extends a", "w extends b"),
        reached(web2, {"a"}, hops_max=3),
        reached(web2, {"b"}, hops_max=3),
    )
    assert (built.node, built.resting) == ("w", 1)


def test_a_premise_is_bare_where_nothing_speaks_for_it() -> None:
    """Not where it rests on something, is grounded elsewise, or carries nothing."""
    web = _web("a implies b", "b implies c", "d supports c", "x refutes a", "e relates_to c")
    found = unsupported(web, "abcde", {"d"})
    assert [each.node for each in found] == ["a"]
    assert [row.id for row in found[0].attacks] == ["x refutes a"]


def test_a_loop_is_open_until_its_end_leads_back() -> None:
    """Alike ends, two steps or more, and no way back."""
    alike = {frozenset("ad"): 0.9}

    def likeness(one: str, other: str) -> float:
        return alike.get(frozenset((one, other)), 0.1)

    web = _web("a implies b", "b implies c", "c implies d")
    (loop,) = open_loops(web, "abcd", likeness, similarity_min=0.7, hops_max=6)
    assert (loop.start, loop.end) == ("a", "d")
    closed = _web("a implies b", "b implies c", "c implies d", "d implies a")
    assert open_loops(closed, "abcd", likeness, similarity_min=0.7, hops_max=6) == ()


def test_islands_are_joined_over_any_node() -> None:
    """Two units of a subject are one group where something else joins them."""
    web = _web("a supports x", "x supports b", "c supports d")
    assert islands(web, "abcd") == (("a", "b"), ("c", "d"))


@pytest.mark.parametrize(
    ("text", "amount", "figure"),
    [
        ("Permafrost releases large amounts of methane.", True, False),
        ("Beyond a tipping point it goes on.", True, False),
        ("Hunger fell by 42 percent.", False, True),
        ("Temperatures are rising by 2 °C.", True, True),
        ("The Great Wall is in China.", False, False),
        ("It was found in 1984.", False, False),
    ],
)
def test_amounts_and_figures_are_told_apart(text: str, *, amount: bool, figure: bool) -> None:
    """Who says «much» owes a number; a year is none."""
    assert speaks_of_amounts(text) is amount
    assert states_a_figure(text) is figure


def test_a_clash_of_a_relation_keeps_what_it_says() -> None:
    """Its type, its reasoning and that it is recorded."""
    (clash,) = _web("a refutes b").clashes()
    assert clash == Clash(one="a", other="b", type="refutes", reasoning="", confidence=0.8, recorded=True)
