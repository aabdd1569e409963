"""Likeness among finds: the best give to what is much like them, by how like it is, and to the nearest only."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from weft.model import Calibration
from weft.reason.resemblance import LIKE_FROM, LIKE_MAX, resembling

AS_IT_IS = Calibration(points=((0.0, 0.0), (1.0, 1.0)))
STEEPER = Calibration(points=((0.0, 0.0), (0.5, 0.8), (1.0, 1.0)))


def at(cosine: float) -> np.ndarray:
    """Return a vector of length 1 with this cosine to the first axis."""
    return np.array([cosine, math.sqrt(1.0 - cosine**2)], np.float32)


def test_a_find_is_given_more_the_more_it_is_like_the_best() -> None:
    """Nothing at the bar, half of what there is halfway to the same text, all of it for the same."""
    vectors = {"best": at(1.0), "same": at(1.0), "half": at(0.8), "bar": at(LIKE_FROM - 1e-6), "far": at(0.1)}
    found = resembling({"best": 1.0}, {"best"}, vectors, AS_IT_IS)
    assert {each: given.weight for each, given in found.items()} == pytest.approx({"same": 1.0, "half": 0.5}, abs=1e-5)
    assert {given.to for given in found.values()} == {"best"}


def test_each_of_the_best_gives_its_share_and_is_given_what_it_is_like() -> None:
    """The share of all of the best, whether the others speak or not; most of it is told."""
    vectors = {"one": at(1.0), "two": at(1.0), "like": at(1.0)}
    both = resembling({"one": 3.0, "two": 1.0}, {"one", "two"}, vectors, AS_IT_IS)
    assert {each: (round(given.weight, 4), given.to) for each, given in both.items()} == {
        "like": (1.0, "one"),
        "two": (0.75, "one"),
        "one": (0.25, "two"),
    }
    alone = resembling({"one": 3.0, "two": 1.0}, {"two"}, vectors, AS_IT_IS)
    assert {each: round(given.weight, 4) for each, given in alone.items()} == {"like": 0.25, "one": 0.25}


def test_only_the_nearest_are_spoken_for() -> None:
    """Ten, of however many: where everything is alike, likeness says nothing."""
    vectors = {"best": at(1.0)} | {f"{number:02}": at(0.99 - number / 100) for number in range(20)}
    found = resembling({"best": 1.0}, {"best"}, vectors, AS_IT_IS)
    assert sorted(found) == [f"{number:02}" for number in range(LIKE_MAX)]


def test_likeness_is_measured_on_the_calibrated_scale() -> None:
    """A model whose cosines lie low is as good as another."""
    vectors = {"best": at(1.0), "like": at(0.5)}
    assert resembling({"best": 1.0}, {"best"}, vectors, AS_IT_IS) == {}
    assert resembling({"best": 1.0}, {"best"}, vectors, STEEPER)["like"].weight == pytest.approx(0.5, abs=1e-5)


def test_what_has_no_vector_says_nothing_and_is_given_nothing() -> None:
    """As a find that only its title holds; and no find at all."""
    assert resembling({"best": 1.0}, {"best"}, {"other": at(1.0)}, AS_IT_IS) == {}
    assert resembling({}, set(), {"other": at(1.0)}, AS_IT_IS) == {}
    assert resembling({"best": 1.0}, {"best"}, {}, AS_IT_IS) == {}


@given(
    st.dictionaries(st.sampled_from("abcdef"), st.floats(0.01, 10.0), min_size=1, max_size=4),
    st.dictionaries(st.sampled_from("abcdefgh"), st.floats(0.0, 1.0)),
)
def test_weights_lie_between_nothing_and_one(best: dict[str, float], cosines: dict[str, float]) -> None:
    """Whatever is like whatever; and nobody is given anything by itself."""
    found = resembling(best, set(best), {each: at(cosine) for each, cosine in cosines.items()}, AS_IT_IS)
    for each, given_ in found.items():
        assert 0.0 < given_.weight <= 1.0 + 1e-6
        assert given_.to != each
        assert given_.to in best
