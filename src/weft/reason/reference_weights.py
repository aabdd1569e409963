"""What speaks for a relation between numbered documents, and how much.

Written by scripts/train_references.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["SCALES", "WEIGHTS"]

SCALES: Final[Mapping[str, tuple[float, float]]] = {
    "back_gives_way": (0.0019, 0.0436),
    "closeness": (0.1728, 0.2145),
    "draws": (0.0313, 0.1717),
    "early": (0.0659, 0.2480),
    "later": (0.4812, 0.4996),
    "meaning": (0.5862, 0.1460),
    "names_it": (0.1038, 0.3050),
    "near": (-4.7172, 1.8901),
    "needs": (0.0030, 0.0548),
    "takes_over_early": (0.0015, 0.0388),
    "titles": (0.0770, 0.1411),
    "words": (0.1072, 0.0688),
}
"""Mean and spread of each over the documents that were learned from."""

WEIGHTS: Final[Mapping[str, Mapping[str, float]]] = {
    "requires": {
        "names_it": 0.8172,
        "draws": 0.2957,
        "needs": 0.0923,
        "near": 0.5856,
        "titles": -0.1914,
        "words": 0.2336,
        "later": 0.0854,
        "": -6.8841,
    },
    "supersedes": {
        "closeness": 0.5076,
        "later": 1.1058,
        "titles": 0.3138,
        "meaning": 0.9786,
        "early": 0.3112,
        "takes_over_early": 0.1138,
        "back_gives_way": 0.1067,
        "": -8.5534,
    },
}
"""A weight for each in spreads from the mean, and under an empty name the constant."""
