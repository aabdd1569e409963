"""Likeness among what was found: what is much like the best finds answers the same question more often than not.

That is the cluster hypothesis (Jardine and van Rijsbergen 1971), here over the first finds of one question, as Diaz
(2005) regularises the scores of a list. Where a few texts treat one matter in several words, the question holds those
of one of them.
"""

from __future__ import annotations

import math
from collections import defaultdict
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    import numpy.typing as npt

    from weft.model import Calibration

__all__ = ["LIKE_FROM", "LIKE_MAX", "Resembling", "resembling"]

LIKE_FROM: Final = 0.6
"""Calibrated similarity from which on two texts are so alike that one speaks for the other; from 0.5 to 0.7 little
differs, and with 0.8 half of what is won is lost."""

LIKE_MAX: Final = 10
"""How many others a find speaks for, the nearest: with five less is won, with all of them no more is."""


class Resembling(NamedTuple):
    """What a find is given for its likeness to the best ones: ``weight`` in 0..1, most of it for ``to``."""

    weight: float
    to: str


def resembling(
    best: Mapping[str, float],
    speaking: Collection[str],
    vectors: Mapping[str, npt.NDArray[np.float32]],
    calibration: Calibration,
) -> dict[str, Resembling]:
    """Return what those of ``vectors`` are given that are like one of the ``best``, which are given it too.

    ``best`` are the best finds with their weights (0 or more): the ``speaking`` ones give their share of all of them.
    ``vectors`` hold one of length 1 for each find, of the passage that it was found by. A find is given nothing at a
    similarity of 0.6 and the whole share at 1, by each of the best that it is among the ten nearest to.
    """
    whole = math.fsum(best.values())
    given: defaultdict[str, list[tuple[float, str]]] = defaultdict(list)
    known = [each for each in best if each in speaking and each in vectors]
    for each, similarities in _alike(known, vectors, calibration).items():
        for other, similarity in similarities.items():
            given[other].append((best[each] / whole * (similarity - LIKE_FROM) / (1.0 - LIKE_FROM), each))
    return {
        other: Resembling(weight=math.fsum(weight for weight, _ in some), to=max(some)[1])
        for other, some in given.items()
    }


def _alike(
    best: Sequence[str], vectors: Mapping[str, npt.NDArray[np.float32]], calibration: Calibration
) -> dict[str, dict[str, float]]:
    """Return for each of ``best`` the calibrated similarities of those nearest to it that are above the bar."""
    if not best:
        return {}
    names, least = list(vectors), calibration.cosine(LIKE_FROM)
    cosines = np.stack([vectors[each] for each in best]) @ np.stack(list(vectors.values())).T
    nearest = np.argsort(-cosines, axis=1, kind="stable")[:, : LIKE_MAX + 1]
    return {
        each: {
            names[at]: calibration.similarity(float(row[at]))
            for at in [at for at in order if names[at] != each][:LIKE_MAX]
            if row[at] > least
        }
        for each, row, order in zip(best, cosines, nearest.tolist(), strict=True)
    }
