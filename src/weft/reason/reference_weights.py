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
    "back_opening": (0.0229, 0.1495),
    "back_points_on": (0.0027, 0.0520),
    "closeness": (0.1727, 0.2145),
    "differs": (0.0023, 0.0480),
    "draws": (0.0309, 0.1702),
    "early": (0.0651, 0.2468),
    "gives_way": (0.0035, 0.0592),
    "later": (0.4807, 0.4996),
    "leads": (0.0440, 0.2050),
    "meaning": (0.5864, 0.1456),
    "named": (0.1041, 0.3412),
    "named_back": (0.1000, 0.3386),
    "names_it": (0.1031, 0.3041),
    "near": (-4.7162, 1.8910),
    "needed_back": (0.0031, 0.0557),
    "needs": (0.0030, 0.0548),
    "opening": (0.0207, 0.1423),
    "replaces": (0.0011, 0.0332),
    "share": (0.0280, 0.1162),
    "takes_over": (0.0050, 0.0707),
    "takes_over_early": (0.0014, 0.0375),
    "titles": (0.0770, 0.1411),
    "words": (0.1074, 0.0687),
}
"""Mean and spread of each over the documents that were learned from."""

WEIGHTS: Final[Mapping[str, Mapping[str, float]]] = {
    "requires": {
        "named": 0.2114,
        "names_it": 0.5879,
        "opening": 0.0788,
        "early": -0.0539,
        "share": -0.0738,
        "leads": -0.0638,
        "draws": 0.2541,
        "needs": 0.0926,
        "needed_back": -0.0367,
        "titles": -0.1222,
        "later": 0.0770,
        "near": 0.4305,
        "named_back": 0.0669,
        "takes_over": -0.1392,
        "gives_way": -0.1293,
        "words": 0.1956,
        "meaning": -0.0093,
        "closeness": 0.0530,
        "": -6.4853,
    },
    "supersedes": {
        "named": -0.0320,
        "names_it": 0.0957,
        "opening": 0.0216,
        "early": 0.2823,
        "share": -0.0321,
        "takes_over_early": 0.1062,
        "replaces": 0.0120,
        "takes_over": 0.0022,
        "differs": 0.0251,
        "back_gives_way": 0.0990,
        "back_points_on": 0.0301,
        "gives_way": -0.0350,
        "titles": 0.3090,
        "later": 0.5098,
        "near": -0.0583,
        "back_opening": 0.0199,
        "words": 0.1049,
        "meaning": 0.4257,
        "closeness": 0.4802,
        "": -7.4828,
    },
}
"""A weight for each in spreads from the mean, and under an empty name the constant."""
