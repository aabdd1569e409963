"""From raw cosine to similarity: fitting the monotone map that makes thresholds mean the same for every model.

Six points are set by data, with straight lines between them:

========== =============================================================================================
similarity cosine
========== =============================================================================================
0.00       99 % of random pairs lie above
0.50       95 % of random pairs lie below
0.70       99 % of random pairs lie below
0.85       people as likely as not say that the two make the same point (score of 3.5 or more out of 5)
0.95       people as likely as not say that the two say the same (4.5 or more)
1.00       1
========== =============================================================================================

«As likely as not» is where a logistic regression of the people's verdict on the cosine gives even odds. Unlike the
threshold with the fewest mistakes, which is the same point where the regression holds, it hardly moves with the sample.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from weft.errors import InvalidArgument
from weft.model import Calibration
from weft.vocabulary import NEAR_DUPLICATE, OBVIOUS, REASONABLE, UNRELATED

if TYPE_CHECKING:
    import numpy.typing as npt

    Floats = npt.NDArray[np.floating]

__all__ = ["NODES_MIN", "even_odds", "fit", "from_graph", "random_cosines"]

SIMILARITIES = (0.0, UNRELATED, REASONABLE, OBVIOUS, NEAR_DUPLICATE, 1.0)
SAME_POINT, SAME_THING = 3.5, 4.5
NODES_MIN = 100
"""With fewer vectors the 99th percentile of their random pairs says little."""

PAIRS_MIN = 1000
AXES, ROWS_MIN = 2, 2
STEP_MIN = 0.001
"""The least distance between two anchors: the map must rise everywhere."""


def random_cosines(vectors: Floats, *, pairs: int = 20_000, seed: int = 0) -> npt.NDArray[np.float64]:
    """Return the cosines of ``pairs`` random pairs of different rows of ``vectors``, shape (rows, dimension).

    Give one row a node, since two passages of one node are no random pair. The same seed draws the same pairs.

    Raises:
        InvalidArgument: fewer than two rows, or a row that is not finite or has no length.
    """
    rows = np.asarray(vectors, np.float64)
    if rows.ndim != AXES or len(rows) < ROWS_MIN:
        raise InvalidArgument(f"vectors must be a matrix of at least two rows, got shape {rows.shape}.")
    lengths = np.linalg.norm(rows, axis=1)
    if not (np.isfinite(lengths).all() and lengths.all()):
        raise InvalidArgument("vectors has a row that is not finite or is all zero.")
    rows = rows / lengths[:, None]
    draw = np.random.default_rng(seed)
    first = draw.integers(len(rows), size=pairs)
    second = (first + draw.integers(1, len(rows), size=pairs)) % len(rows)
    cosines: npt.NDArray[np.float64] = np.einsum("ij,ij->i", rows[first], rows[second])
    return cosines


def even_odds(cosines: Floats, verdicts: npt.NDArray[np.bool_]) -> float:
    """Return the cosine at which a logistic regression of ``verdicts`` gives even odds.

    A slight pull of the slope towards zero keeps it finite when the two groups do not overlap.

    Raises:
        InvalidArgument: all verdicts are the same, or likeness does not speak for the verdict.
    """
    if verdicts.all() or not verdicts.any():
        raise InvalidArgument("The scored pairs need some on either side of the boundary.")
    terms = np.stack([np.ones_like(cosines, np.float64), cosines], axis=1)
    weights, pull = np.zeros(2), np.array([0.0, 1e-3])
    for _ in range(50):
        chance = 1 / (1 + np.exp(-np.clip(terms @ weights, -30, 30)))
        slope = terms.T @ (verdicts - chance) - pull * weights
        curve = terms.T @ (terms * (chance * (1 - chance))[:, None]) + np.diag(pull + 1e-9)
        weights += np.linalg.solve(curve, slope)
    if weights[1] <= 0:
        raise InvalidArgument("Among the scored pairs, a higher cosine does not go with a higher score.")
    return float(-weights[0] / weights[1])


def fit(random: Floats, cosines: Floats, scores: Floats) -> Calibration:
    """Return the map for a model, from its cosines.

    ``random`` are cosines of random pairs, at least 1,000; ``cosines`` those of pairs that people gave ``scores``
    between 0 (nothing in common) and 5 (the same), as in STS-B.

    Raises:
        InvalidArgument: too few random pairs, or the anchors leave no room for a rising map.
    """
    same_point = even_odds(cosines, np.asarray(scores >= SAME_POINT))
    same_thing = even_odds(cosines, np.asarray(scores >= SAME_THING))
    return _rising([*_chance(random), same_point, same_thing])


def from_graph(vectors: Floats, *, like: Calibration, seed: int = 0) -> Calibration:
    """Return a map for another model from the vectors of a graph alone, one row a node.

    The lower anchors come from random pairs of the graph's own nodes. No people scored those, so the upper two are
    carried over from ``like``, the bundled model's map: they lie as far along the way from the 0.70 anchor to 1 as
    there.

    Raises:
        InvalidArgument: fewer than 100 nodes, an unusable vector, or vectors too alike for a rising map.
    """
    if len(vectors) < NODES_MIN:
        raise InvalidArgument(f"A calibration needs at least {NODES_MIN} nodes; there are {len(vectors)}.")
    chance = _chance(random_cosines(vectors, seed=seed))
    known = like.cosine(REASONABLE)
    shares = [(like.cosine(level) - known) / (1 - known) for level in (OBVIOUS, NEAR_DUPLICATE)]
    return _rising([*chance, *(chance[-1] + (1 - chance[-1]) * share for share in shares)])


def _chance(random: Floats) -> list[float]:
    """Return the cosines of the three lower anchors."""
    if len(random) < PAIRS_MIN:
        raise InvalidArgument(f"At least {PAIRS_MIN} random pairs are needed; there are {len(random)}.")
    return [float(cosine) for cosine in np.quantile(random, [0.01, 0.95, 0.99])]


def _rising(cosines: list[float]) -> Calibration:
    """Return the map through these cosines and 1, each pushed up to lie above the one before."""
    rising = [cosines[0]]
    for cosine in cosines[1:]:
        rising.append(max(cosine, rising[-1] + STEP_MIN))
    if rising[-1] > 1 - STEP_MIN:
        raise InvalidArgument("The vectors are too alike: the anchors leave no room for a rising map.")
    places = [round(cosine, 6) for cosine in (*rising, 1.0)]
    return Calibration(points=tuple(zip(places, SIMILARITIES, strict=True)))
