"""The strength of learned knowledge: bounded, monotone, and the similarity where nothing else is known."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from weft.errors import InvalidArgument
from weft.reason.strength import strength

FRACTIONS = st.floats(0.0, 1.0)
COUNTS = st.integers(0, 1_000)
SEEN = st.fixed_dictionaries(
    {"similarity": FRACTIONS, "uses": COUNTS, "up": COUNTS, "down": COUNTS, "conflicts": COUNTS}
)


@given(FRACTIONS)
def test_with_nothing_observed_it_is_the_similarity(similarity: float) -> None:
    """Of the evidence to what it joins."""
    assert strength(similarity=similarity) == pytest.approx(similarity)


@given(SEEN)
def test_it_lies_between_nothing_and_certainty(seen: dict[str, float]) -> None:
    """Whatever is observed."""
    assert 0.0 <= strength(**seen) <= 1.0


@given(SEEN, st.sampled_from([("up", 1), ("uses", 1), ("down", -1), ("conflicts", -1)]))
def test_each_observation_moves_it_its_own_way(seen: dict[str, float], moved: tuple[str, int]) -> None:
    """A vote for and a use never lower it, a vote against and a conflict never raise it."""
    name, way = moved
    more = strength(**(seen | {name: seen[name] + 1}))
    assert way * (more - strength(**seen)) >= -1e-12


@given(SEEN, FRACTIONS)
def test_better_evidence_is_never_weaker(seen: dict[str, float], other: float) -> None:
    """All else being equal."""
    low, high = sorted((seen["similarity"], other))
    assert strength(**(seen | {"similarity": low})) <= strength(**(seen | {"similarity": high})) + 1e-12


@given(FRACTIONS, st.integers(0, 10**9))
def test_all_the_use_there_is_weighs_less_than_one_vote(similarity: float, uses: int) -> None:
    """What is popular is shown more: use alone proves little."""
    assert strength(similarity=similarity, uses=uses) <= strength(similarity=similarity, up=1) + 1e-12


def test_the_formula_gives_the_figures_of_the_page() -> None:
    """0.86 and three votes for, one against, ten uses, one conflict: worked out by hand."""
    assert strength(similarity=0.9, up=1) == pytest.approx(4.6 / 5)
    assert strength(similarity=0.9, down=2) == pytest.approx(3.6 / 6)
    wanted = (4 * 0.86 + 3 + 0.5) / (4 + 3 + 0.5 + 1 + 2)
    assert strength(similarity=0.86, uses=10, up=3, down=1, conflicts=1) == pytest.approx(wanted)


@pytest.mark.parametrize("wrong", [{"similarity": 1.1}, {"similarity": 0.5, "up": -1}, {"similarity": float("nan")}])
def test_what_is_no_observation_is_refused(wrong: dict[str, float]) -> None:
    """A similarity outside its scale, a negative count."""
    with pytest.raises(InvalidArgument, match="similarity"):
        strength(**wrong)
