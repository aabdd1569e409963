"""Calibration: the anchors mean what they say, the map always rises, and bad data are refused."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from weft.embed import bundle
from weft.embed.calibrate import NODES_MIN, even_odds, fit, from_graph, random_cosines
from weft.errors import InvalidArgument
from weft.vocabulary import NEAR_DUPLICATE, OBVIOUS, REASONABLE, UNRELATED

LEVELS = (0.0, UNRELATED, REASONABLE, OBVIOUS, NEAR_DUPLICATE, 1.0)


def scored(seed: int, *, floor: float = 0.0, count: int = 3000) -> tuple[np.ndarray, np.ndarray]:
    """Cosines that follow scores loosely, on a scale that begins at ``floor``."""
    draw = np.random.default_rng(seed)
    scores = draw.uniform(0, 5, count)
    cosines = floor + (1 - floor) * np.clip(scores / 5 + draw.normal(0, 0.1, count), 0, 1)
    return cosines, scores


def chance(seed: int, *, middle: float = 0.1, spread: float = 0.1) -> np.ndarray:
    """Cosines of random pairs."""
    return np.random.default_rng(seed).normal(middle, spread, 5000).clip(-1, 0.99)


def vectors(seed: int, *, count: int = 300, common: float = 0.0) -> np.ndarray:
    """Random directions that share ``common`` of one direction, as models with a high floor do."""
    draw = np.random.default_rng(seed)
    return draw.normal(size=(count, 48)) + common * np.ones(48)


def test_the_anchors_are_where_the_data_put_them() -> None:
    """Shares of random pairs for the lower two, even odds of the people's verdict for the upper two."""
    random, (cosines, scores) = chance(1), scored(2)
    calibration = fit(random, cosines, scores)
    assert (random < calibration.cosine(UNRELATED)).mean() == pytest.approx(0.95, abs=0.002)
    assert (random < calibration.cosine(REASONABLE)).mean() == pytest.approx(0.99, abs=0.002)
    for level, score in ((OBVIOUS, 3.5), (NEAR_DUPLICATE, 4.5)):
        around = np.abs(cosines - calibration.cosine(level)) < 0.05
        assert (scores[around] >= score).mean() == pytest.approx(0.5, abs=0.12)


@settings(max_examples=30, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    middle=st.floats(-0.2, 0.7),
    spread=st.floats(0.0, 0.2),
    floor=st.floats(0.0, 0.8),
)
def test_the_map_always_rises_and_its_inverse_brings_one_back(
    seed: int, middle: float, spread: float, floor: float
) -> None:
    """For any data that leave room: six rising points, and cosine is the inverse of similarity."""
    try:
        calibration = fit(chance(seed, middle=middle, spread=spread), *scored(seed, floor=floor))
    except InvalidArgument:
        assert middle + 3 * spread > 0.9, "only random pairs near 1 leave no room"
        return
    places, levels = zip(*calibration.points, strict=True)
    assert levels == LEVELS
    assert all(before < after for before, after in pairwise(places))
    for level in np.linspace(0, 1, 21):
        assert calibration.similarity(calibration.cosine(float(level))) == pytest.approx(level, abs=1e-6)


def test_even_odds_are_where_the_verdict_turns() -> None:
    """Two groups that do not overlap are parted between them; likewise with many more on one side."""
    cosines = np.concatenate([np.linspace(0.1, 0.5, 50), np.linspace(0.7, 0.9, 50)])
    assert 0.5 < even_odds(cosines, cosines > 0.6) < 0.7
    draw = np.random.default_rng(0)
    many = draw.uniform(0, 1, 20_000)
    verdicts = draw.uniform(0, 1, 20_000) < 1 / (1 + np.exp(-12 * (many - 0.8)))
    assert even_odds(many, verdicts) == pytest.approx(0.8, abs=0.01)


def test_random_pairs_are_pairs_of_different_rows_and_always_the_same() -> None:
    """Rows that are unit axes have cosine 0 with each other and 1 with themselves."""
    assert not random_cosines(np.eye(50)).any()
    assert (random_cosines(vectors(1), seed=4) == random_cosines(vectors(1), seed=4)).all()
    assert (random_cosines(vectors(1), seed=4) != random_cosines(vectors(1), seed=5)).any()


def test_random_cosines_do_not_depend_on_the_lengths_of_vectors() -> None:
    """An endpoint's vectors need not have length 1."""
    longer = vectors(1) * np.random.default_rng(2).uniform(0.1, 9, (300, 1))
    assert np.allclose(random_cosines(longer), random_cosines(vectors(1)))


@pytest.mark.parametrize("common", [0.0, 1.0, 2.0])
def test_a_graph_calibrates_a_model_with_any_floor(common: float) -> None:
    """On a model where unrelated texts score high already, they are as unrelated as on any other."""
    calibration = from_graph(vectors(3, common=common), like=bundle.calibration())
    cosines = random_cosines(vectors(3, common=common), seed=9)
    likeness = np.array([calibration.similarity(float(cosine)) for cosine in cosines])
    assert (likeness < UNRELATED).mean() == pytest.approx(0.95, abs=0.01)
    assert (likeness < REASONABLE).mean() == pytest.approx(0.99, abs=0.005)


def test_a_graphs_upper_anchors_lie_as_far_along_as_the_bundled_models() -> None:
    """No people scored the graph's pairs, so the way from 0.70 to 1 is divided as it is there."""
    like = bundle.calibration()
    fitted = from_graph(vectors(3), like=like)
    for level in (OBVIOUS, NEAR_DUPLICATE):
        there, here = (
            (one.cosine(level) - one.cosine(REASONABLE)) / (1 - one.cosine(REASONABLE)) for one in (like, fitted)
        )
        assert here == pytest.approx(there, abs=1e-4)


def test_the_shipped_map_rises_through_the_six_levels() -> None:
    """And treats opposite texts, which lie at 0.94, as no near-duplicates."""
    shipped = bundle.calibration()
    places, levels = zip(*shipped.points, strict=True)
    assert levels == LEVELS
    assert list(places) == sorted(set(places))
    assert shipped.similarity(0.94) < NEAR_DUPLICATE


@pytest.mark.parametrize(
    ("given_vectors", "said"),
    [
        (np.ones((NODES_MIN, 8)), "too alike"),
        (np.eye(NODES_MIN - 1), f"at least {NODES_MIN}"),
        (np.zeros((NODES_MIN, 8)), "all zero"),
        (np.full((NODES_MIN, 8), math.nan), "not finite"),
        (np.ones(NODES_MIN), "matrix"),
    ],
)
def test_vectors_that_cannot_be_calibrated_on_are_refused(given_vectors: np.ndarray, said: str) -> None:
    """The message says what is the matter with them."""
    with pytest.raises(InvalidArgument, match=said):
        from_graph(given_vectors, like=bundle.calibration())


def test_scores_that_say_nothing_are_refused() -> None:
    """All alike, upside down, or too few random pairs."""
    cosines, scores = scored(1)
    with pytest.raises(InvalidArgument, match="either side"):
        fit(chance(1), cosines, np.full_like(scores, 5.0))
    with pytest.raises(InvalidArgument, match="higher score"):
        fit(chance(1), cosines, 5 - scores)
    with pytest.raises(InvalidArgument, match="1000 random pairs"):
        fit(chance(1)[:100], cosines, scores)
