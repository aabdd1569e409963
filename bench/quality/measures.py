"""How good a ranking is, as shares of 0 to 1."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

DEEPEST = 10


def recall(found: Sequence[str], relevant: frozenset[str], depth: int) -> float:
    """Return the share of ``relevant`` among the first ``depth``."""
    return len(relevant.intersection(found[:depth])) / len(relevant)


def gain(found: Sequence[str], relevant: frozenset[str]) -> float:
    """Return nDCG@10 with one grade of relevance (Järvelin and Kekäläinen 2002)."""
    got = sum(1 / math.log2(place + 2) for place, id_ in enumerate(found[:DEEPEST]) if id_ in relevant)
    return got / sum(1 / math.log2(place + 2) for place in range(min(DEEPEST, len(relevant))))


MEASURES: Mapping[str, Callable[[Sequence[str], frozenset[str]], float]] = {
    "R@5": lambda found, relevant: recall(found, relevant, 5),
    "R@10": lambda found, relevant: recall(found, relevant, 10),
    "nDCG@10": gain,
}


def scored(rankings: Sequence[Sequence[str]], wanted: Sequence[frozenset[str]]) -> dict[str, float]:
    """Return each measure's mean over all questions, as a percentage."""
    return {
        name: 100 * sum(map(measure, rankings, wanted)) / len(rankings) if rankings else 0.0
        for name, measure in MEASURES.items()
    }
