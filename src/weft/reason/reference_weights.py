"""What speaks for a relation between numbered documents, and how much.

Written by scripts/train_references.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["SCALES", "WEIGHTS"]

SCALES: Final[Mapping[str, tuple[float, float]]] = {
    "back_gives_way": (0.0103, 0.1012),
    "back_opening": (0.1241, 0.3297),
    "back_points_on": (0.0147, 0.1203),
    "differs": (0.0125, 0.1112),
    "draws": (0.1667, 0.3659),
    "early": (0.3511, 0.4773),
    "gives_way": (0.0191, 0.1367),
    "later": (0.5024, 0.5000),
    "leads": (0.2363, 0.4248),
    "named": (0.5619, 0.6097),
    "named_back": (0.5390, 0.6182),
    "names_it": (0.5563, 0.4968),
    "near": (-4.0826, 1.9213),
    "needed_back": (0.0169, 0.1288),
    "needs": (0.0163, 0.1267),
    "opening": (0.1121, 0.3155),
    "replaces": (0.0060, 0.0772),
    "share": (0.1507, 0.2331),
    "takes_over": (0.0272, 0.1627),
    "takes_over_early": (0.0076, 0.0870),
    "titles": (0.1128, 0.1720),
}
"""Mean and spread of each over the documents that were learned from."""

WEIGHTS: Final[Mapping[str, Mapping[str, float]]] = {
    "requires": {
        "named": 0.3788,
        "names_it": 0.8040,
        "opening": 0.2319,
        "early": -0.1573,
        "share": -0.1226,
        "leads": -0.1236,
        "draws": 0.5621,
        "needs": 0.2201,
        "needed_back": -0.0974,
        "titles": -0.2489,
        "later": -0.0782,
        "near": 0.5273,
        "named_back": 0.1631,
        "takes_over": -0.2607,
        "gives_way": -0.2440,
        "": -4.6436,
    },
    "supersedes": {
        "named": 0.0281,
        "names_it": 0.1454,
        "opening": 0.1365,
        "early": 0.5409,
        "share": 0.0558,
        "takes_over_early": 0.2043,
        "replaces": 0.0575,
        "takes_over": 0.0363,
        "differs": 0.0725,
        "back_gives_way": 0.2650,
        "back_points_on": 0.0125,
        "gives_way": -0.0300,
        "titles": 0.6922,
        "later": 0.6802,
        "near": 0.1114,
        "back_opening": 0.2071,
        "": -5.9187,
    },
}
"""A weight for each in spreads from the mean, and under an empty name the constant."""
