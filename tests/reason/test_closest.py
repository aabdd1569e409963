"""The closest pairs of two sets of vectors: what is found, at what cost, and that it is the same each time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from weft.reason.closest import closest

if TYPE_CHECKING:
    import numpy.typing as npt

    from weft.reason.closest import Closest

    Matrix = npt.NDArray[np.float32]


def _unit(rows: Matrix) -> Matrix:
    made: Matrix = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
    return made


def _clustered(count: int, *, seed: int, dimension: int = 64, clusters: int = 50) -> Matrix:
    centres = np.random.default_rng(7).standard_normal((clusters, dimension))
    dice = np.random.default_rng(seed)
    return _unit(centres[dice.integers(0, clusters, count)] + dice.standard_normal((count, dimension)))


def _pairs(found: Closest) -> list[tuple[int, int]]:
    return list(zip(found.one.tolist(), found.other.tolist(), strict=True))


@given(st.integers(1, 12), st.integers(1, 12), st.integers(0, 1000))
@settings(max_examples=60, deadline=None)
def test_of_small_sets_nothing_is_missed(n: int, m: int, seed: int) -> None:
    """The nearest pair is the first, cosines are true, fall, and no pair comes twice."""
    dice = np.random.default_rng(seed)
    one, other = _unit(dice.standard_normal((n, 8))), _unit(dice.standard_normal((m, 8)))
    found = closest(one, other)
    cosines = one @ other.T
    assert found.cosines[0] == pytest.approx(cosines.max(), abs=1e-5)
    assert np.allclose(found.cosines, cosines[found.one, found.other], atol=1e-5)
    assert (np.diff(found.cosines) <= 0).all()
    assert len(set(_pairs(found))) == len(found.one)


def test_of_large_sets_nearly_all_of_the_nearest_pairs_are_found_for_a_fraction_of_the_cost() -> None:
    """At 2 × 2,000: at least 95 of the true nearest hundred, for less than half of the comparisons."""
    one, other = _clustered(2_000, seed=1), _clustered(2_000, seed=2)
    cosines = one @ other.T
    nearest = np.argpartition(cosines.ravel(), -100)[-100:]
    true = {(int(at) // 2_000, int(at) % 2_000) for at in nearest}
    found = closest(one, other)
    assert len(true & set(_pairs(found))) >= 95
    assert found.compared < cosines.size / 2


def test_the_share_that_is_compared_falls_as_sets_grow() -> None:
    """Never all pairs: at twice the size the share is clearly smaller."""
    shares = []
    for size in (500, 1_000, 2_000, 4_000):
        found = closest(_clustered(size, seed=1), _clustered(size, seed=2))
        shares.append(found.compared / size**2)
    assert shares == sorted(shares, reverse=True)
    assert shares[-1] < shares[0] / 2


def test_the_same_input_gives_the_same_pairs() -> None:
    """No randomness: two runs agree in every pair and cosine."""
    one, other = _clustered(300, seed=1), _clustered(700, seed=2)
    first, again = closest(one, other), closest(one, other)
    assert _pairs(first) == _pairs(again)
    assert (first.cosines == again.cosines).all()


def test_a_thousand_copies_of_one_text_do_not_compare_all_with_all() -> None:
    """They all lie in one cell, which is read in part; the answer is bounded and as good."""
    same = np.repeat(_unit(np.ones((1, 16), np.float32)), 3_000, axis=0)
    found = closest(same, same)
    assert found.compared < 3_000**2 / 2
    assert np.allclose(found.cosines, 1.0, atol=1e-5)


@pytest.mark.parametrize(("n", "m"), [(0, 5), (5, 0), (0, 0)])
def test_an_empty_set_has_no_pairs(n: int, m: int) -> None:
    """Nothing is compared, and nothing fails."""
    found = closest(np.zeros((n, 4), np.float32), np.zeros((m, 4), np.float32))
    assert (_pairs(found), found.compared) == ([], 0)
