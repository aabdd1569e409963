"""Leaning: an order for what is left to be judged, with likelihoods that behave, and never a verdict."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from weft.reason.leaning import Beside, features, lean, opposite
from weft.reason.leaning_weights import LIKELY_MIN, SCALES, WEIGHTS

CLAIM = "Regular watering increases the yield of tomatoes in dry summers."
BESIDE = Beside(
    sentences=("Watering did not increase the yield of tomatoes in a dry summer.",),
    similarity=0.88,
    lead=0.0,
    cosine=0.8,
    turned=0.05,
    chances=(0.8, 0.05, 0.15),
)
BOTH = Beside(
    sentences=("Regular watering changes the yield of tomatoes in dry summers.",),
    similarity=0.8,
    lead=0.0,
    cosine=0.6,
    turned=0.05,
    chances=(0.4, 0.5, 0.1),
)
FAR = Beside(
    sentences=("The greenhouse was painted green.",),
    similarity=0.7,
    lead=-0.2,
    cosine=0.2,
    turned=0.0,
    chances=(0.0, 0.0, 1.0),
)


def test_what_turns_the_claim_round_leans_to_conflict_and_what_says_it_to_support() -> None:
    """The twin says the same and is no nearer to the opposite."""
    against = lean(CLAIM, BESIDE)
    says = replace(BESIDE, sentences=("Watering increased the yield in dry summers.",), turned=-0.05)
    held = lean(CLAIM, replace(says, chances=(0.05, 0.8, 0.15)))
    assert against.conflicts > held.conflicts
    assert held.supports > against.supports
    assert against.likely == "conflicts"
    assert held.likely == "supports"


def test_what_has_nothing_to_do_with_the_claim_leans_to_no_side() -> None:
    """However it is worded."""
    found = lean(CLAIM, FAR)
    assert found.likely == ""
    assert found.conflicts + found.supports < lean(CLAIM, BESIDE).conflicts


def test_the_further_a_text_lies_behind_the_nearest_the_less_it_bears_on_the_claim() -> None:
    """Of texts alike in wording the nearest comes first."""
    leads = [lean(CLAIM, replace(BESIDE, lead=lead)) for lead in (0.0, -0.05, -0.1, -0.2)]
    bearing = [each.conflicts + each.supports for each in leads]
    assert bearing == sorted(bearing, reverse=True)


def test_a_network_that_reads_both_at_once_has_a_say() -> None:
    """All else alike, whichever side it finds likelier gains."""
    open_, against, held = (
        lean(CLAIM, replace(BOTH, chances=chances))
        for chances in ((0.01, 0.01, 0.98), (0.98, 0.01, 0.01), (0.01, 0.98, 0.01))
    )
    assert against.conflicts > open_.conflicts
    assert held.supports > open_.supports
    assert (open_.likely, against.likely, held.likely) == ("", "conflicts", "supports")


def test_a_sentence_further_down_counts_too() -> None:
    """Of three the strongest sign is taken: the text bears on the claim."""
    plain = replace(BESIDE, sentences=("Tomatoes were grown in summer.",))
    found, less = (
        lean(CLAIM, each) for each in (replace(plain, sentences=(*plain.sentences, *BESIDE.sentences)), plain)
    )
    assert found.conflicts + found.supports > less.conflicts + less.supports


@given(
    st.text(max_size=200),
    st.lists(st.text(max_size=200), min_size=1, max_size=5),
    st.floats(0, 1),
    st.floats(-1, 0),
    st.floats(-1, 1),
    st.tuples(st.floats(0, 1), st.floats(0, 1), st.floats(0, 1)),
)
def test_likelihoods_are_shares_of_one_whatever_is_read(
    claim: str, sentences: list[str], similarity: float, lead: float, cosine: float, chances: tuple[float, float, float]
) -> None:
    """Texts and claims are untrusted, and may be empty."""
    signs = {"similarity": similarity, "lead": lead, "cosine": cosine, "turned": -cosine / 2, "chances": chances}
    beside = Beside(sentences=tuple(sentences), **signs)
    found = lean(claim, beside)
    assert min(found.conflicts, found.supports) >= 0.0
    assert found.conflicts + found.supports <= 1.0001
    assert not found.likely or max(found.conflicts, found.supports) >= LIKELY_MIN
    assert all(map(math.isfinite, features(claim, beside).values()))


def test_the_likelier_side_is_named_from_the_mark_on() -> None:
    """Below it neither is; the likelier one is known all the same, for a verdict that is to be recorded."""
    found = lean(CLAIM, BOTH)
    assert found.likely == found.likelier == "supports"
    assert found.supports > found.conflicts >= found.likely_from == LIKELY_MIN
    less = replace(found, likely_from=found.supports + 0.01)
    assert (less.likely, less.likelier) == ("", "supports")
    assert replace(found, conflicts=found.supports).likely == "conflicts"


def test_every_sign_is_weighed_and_every_weight_has_its_sign() -> None:
    """Weights from another release of the signs would be silently wrong."""
    names = set(features(CLAIM, BESIDE))
    assert names == set(SCALES) == set(WEIGHTS["conflicts"]) == set(WEIGHTS["supports"])


def test_what_the_claim_alone_looks_like_is_no_sign() -> None:
    """A claim with a «no» in it is not refuted for that: beside a text that is far away nothing changes."""
    denied = "Regular watering does not increase the yield of tomatoes in dry summers."
    mine, other = features(CLAIM, FAR), features(denied, FAR)
    assert {name for name in mine if mine[name] != other[name]} <= {"held", "held_once", "shared"}


@pytest.mark.parametrize(
    ("claim", "turned"),
    [
        ("The cache is not cleared.", "The cache is cleared."),
        ("Coffee increases blood pressure.", "Coffee decreases blood pressure."),
        ("Coffee reduces sleep.", "Coffee raises sleep."),
        ("The server is written in Rust.", "The server is not written in Rust."),
        ("Birds fly.", "It is not true that birds fly."),
        ("", "It is not true that "),
    ],
)
def test_an_opposite_is_made_blindly(claim: str, turned: str) -> None:
    """It is compared with and never shown."""
    assert opposite(claim) == turned
