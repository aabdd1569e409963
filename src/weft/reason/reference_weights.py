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
    "back_opening": (0.0229, 0.1496),
    "back_points_on": (0.0027, 0.0520),
    "closeness": (0.1728, 0.2145),
    "differs": (0.0023, 0.0480),
    "draws": (0.0309, 0.1702),
    "early": (0.0652, 0.2468),
    "gives_way": (0.0035, 0.0592),
    "later": (0.4816, 0.4997),
    "leads": (0.0440, 0.2051),
    "meaning": (0.5822, 0.1468),
    "named": (0.1041, 0.3412),
    "named_back": (0.1000, 0.3387),
    "names_it": (0.1031, 0.3041),
    "near": (-4.7178, 1.8912),
    "needed_back": (0.0031, 0.0557),
    "needs": (0.0030, 0.0548),
    "opening": (0.0207, 0.1423),
    "replaces": (0.0011, 0.0332),
    "share": (0.0280, 0.1162),
    "takes_over": (0.0050, 0.0707),
    "takes_over_early": (0.0014, 0.0375),
    "titles": (0.0770, 0.1413),
    "words": (0.1075, 0.0687),
}
"""Mean and spread of each over the documents that were learned from."""

WEIGHTS: Final[Mapping[str, Mapping[str, float]]] = {
    "requires": {
        "named": 0.2120,
        "names_it": 0.5880,
        "opening": 0.0794,
        "early": -0.0540,
        "share": -0.0719,
        "leads": -0.0627,
        "draws": 0.2539,
        "needs": 0.0926,
        "needed_back": -0.0368,
        "titles": -0.1202,
        "later": 0.0760,
        "near": 0.4319,
        "named_back": 0.0700,
        "takes_over": -0.1385,
        "gives_way": -0.1294,
        "words": 0.2027,
        "meaning": -0.0091,
        "closeness": 0.0364,
        "": -6.4855,
    },
    "supersedes": {
        "named": -0.0321,
        "names_it": 0.0952,
        "opening": 0.0234,
        "early": 0.2832,
        "share": -0.0332,
        "takes_over_early": 0.1056,
        "replaces": 0.0131,
        "takes_over": 0.0015,
        "differs": 0.0252,
        "back_gives_way": 0.0990,
        "back_points_on": 0.0304,
        "gives_way": -0.0364,
        "titles": 0.3078,
        "later": 0.5091,
        "near": -0.0593,
        "back_opening": 0.0196,
        "words": 0.1038,
        "meaning": 0.4362,
        "closeness": 0.4791,
        "": -7.4871,
    },
}
"""A weight for each in spreads from the mean, and under an empty name the constant."""
