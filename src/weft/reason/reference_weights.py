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
    "closeness": (0.1727, 0.2145),
    "draws": (0.0315, 0.1723),
    "early": (0.0665, 0.2492),
    "later": (0.4812, 0.4996),
    "meaning": (0.5862, 0.1460),
    "names_it": (0.1041, 0.3053),
    "near": (-4.7176, 1.8897),
    "needs": (0.0030, 0.0548),
    "takes_over_early": (0.0015, 0.0388),
    "titles": (0.0769, 0.1411),
    "words": (0.1072, 0.0688),
}
"""Mean and spread of each over the documents that were learned from."""

WEIGHTS: Final[Mapping[str, Mapping[str, float]]] = {
    "requires": {
        "names_it": 0.8198,
        "draws": 0.2937,
        "needs": 0.0929,
        "near": 0.5791,
        "titles": -0.1876,
        "words": 0.2326,
        "later": 0.0811,
        "": -6.8795,
    },
    "supersedes": {
        "closeness": 0.5076,
        "later": 1.1061,
        "titles": 0.3161,
        "meaning": 0.9767,
        "early": 0.3098,
        "takes_over_early": 0.1140,
        "back_gives_way": 0.1067,
        "": -8.5523,
    },
}
"""A weight for each in spreads from the mean, and under an empty name the constant."""
