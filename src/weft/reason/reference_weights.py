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
    "draws": (0.0309, 0.1702),
    "early": (0.0651, 0.2468),
    "later": (0.4807, 0.4996),
    "meaning": (0.5864, 0.1456),
    "names_it": (0.1031, 0.3041),
    "near": (-4.7162, 1.8910),
    "needs": (0.0030, 0.0548),
    "takes_over_early": (0.0014, 0.0375),
    "titles": (0.0770, 0.1411),
    "words": (0.1074, 0.0687),
}
"""Mean and spread of each over the documents that were learned from."""

WEIGHTS: Final[Mapping[str, Mapping[str, float]]] = {
    "requires": {
        "names_it": 0.7713,
        "draws": 0.2918,
        "needs": 0.0947,
        "near": 0.5844,
        "titles": -0.1886,
        "words": 0.2429,
        "later": 0.1017,
        "": -6.7907,
    },
    "supersedes": {
        "closeness": 0.5227,
        "later": 1.1288,
        "titles": 0.3136,
        "meaning": 1.0249,
        "early": 0.2796,
        "takes_over_early": 0.1070,
        "back_gives_way": 0.1031,
        "": -8.5811,
    },
}
"""A weight for each in spreads from the mean, and under an empty name the constant."""
