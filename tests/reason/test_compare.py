"""Cosine, overlap, and the leap of a synthesis with its bands and warnings."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from weft.errors import InvalidArgument
from weft.reason.compare import cosine, jaccard, leap

similarities = st.lists(st.floats(0.0, 1.0), min_size=1, max_size=20)


def vector(*values: float) -> np.ndarray:
    """Return a float32 vector."""
    return np.array(values, dtype=np.float32)


def test_cosine_does_not_depend_on_length() -> None:
    """Vectors of any length compare by direction alone."""
    assert cosine(vector(3, 0), vector(0.5, 0)) == pytest.approx(1.0)
    assert cosine(vector(2, 0), vector(0, 7)) == pytest.approx(0.0)
    assert cosine(vector(1, 1), vector(-2, -2)) == pytest.approx(-1.0)


def test_a_vector_of_length_zero_is_an_error_and_not_a_zero() -> None:
    """A missing embedding must not pass as dissimilarity."""
    with pytest.raises(InvalidArgument, match="length zero"):
        cosine(vector(0, 0), vector(1, 0))


def test_vectors_of_two_models_are_refused() -> None:
    """Different dimensions cannot be compared."""
    with pytest.raises(InvalidArgument, match="dimensions differ"):
        cosine(vector(1, 0), vector(1, 0, 0))


def test_jaccard_is_the_share_of_common_items() -> None:
    """Two of four; nothing of nothing is nothing; repeats do not count twice."""
    assert jaccard(["a", "b", "b", "c"], ["b", "c", "d"]) == 0.5
    assert jaccard([], []) == 0.0


@pytest.mark.parametrize(
    ("sides", "level"),
    [
        ([0.87, 0.84], "LOW"),
        ([0.85], "LOW"),
        ([0.86, 0.84], "LOW"),
        ([0.849], "MEDIUM"),
        ([0.70], "MEDIUM"),
        ([0.68, 0.72], "MEDIUM"),
        ([0.699], "HIGH"),
        ([0.0, 0.0], "HIGH"),
        ([1.0, 0.9, 0.6], "MEDIUM"),
    ],
)
def test_the_mean_decides_the_band_and_a_bound_belongs_to_the_better_band(sides: list[float], level: str) -> None:
    """0.87 and 0.84 make a LOW leap, as in the documented example; so does 0.85 itself."""
    assert leap(sides).level == level


def test_only_a_high_leap_warns_that_it_is_unusual() -> None:
    """The twin: reasonable and obvious ones do not."""
    assert "Unusual connection" in leap([0.6, 0.62]).warning
    assert leap([0.72, 0.74]).warning == ""
    assert leap([0.9, 0.95]).warning == ""


def test_a_wide_gap_warns_on_its_own() -> None:
    """Evidence that fits one end only is told apart from evidence that fits both poorly."""
    lopsided = leap([0.98, 0.75])
    assert lopsided.level == "LOW"
    assert "one end only" in lopsided.warning
    assert (lopsided.minimum, lopsided.gap) == (0.75, pytest.approx(0.23))
    assert leap([0.85, 0.70]).warning == ""


def test_of_three_that_are_joined_no_one_end_is_spoken_of() -> None:
    """A concept of several originals has no two ends; the evidence may leave any of them out."""
    warning = leap([0.9, 0.88, 0.7]).warning
    assert "one of the 3 better than another by 0.20" in warning
    assert "end" not in warning.split()


def test_a_high_leap_with_a_wide_gap_says_both() -> None:
    """Neither warning hides the other."""
    warning = leap([0.8, 0.3]).warning
    assert "Unusual connection" in warning
    assert "one end only" in warning


@pytest.mark.parametrize("sides", [[], [1.1], [-0.1], [math.nan], [0.5, math.inf]])
def test_what_is_no_similarity_is_refused(sides: list[float]) -> None:
    """Nothing, or a number outside 0..1, has no leap."""
    with pytest.raises(InvalidArgument):
        leap(sides)


@given(similarities)
def test_the_leap_does_not_depend_on_the_order_of_the_sides(sides: list[float]) -> None:
    """From and to can be swapped."""
    assert leap(sides) == leap(sides[::-1])


@given(similarities, st.floats(0.0, 1.0))
def test_more_similar_evidence_never_leaps_further(sides: list[float], better: float) -> None:
    """Raising a side never worsens the band."""
    order = ["LOW", "MEDIUM", "HIGH"]
    raised = [max(sides[0], better), *sides[1:]]
    assert order.index(leap(raised).level) <= order.index(leap(sides).level)


@given(st.lists(st.integers(0, 9)), st.lists(st.integers(0, 9)))
def test_jaccard_is_symmetric_and_a_share(one: list[int], other: list[int]) -> None:
    """It lies in 0..1 and does not care which comes first."""
    assert 0.0 <= jaccard(one, other) == jaccard(other, one) <= 1.0
