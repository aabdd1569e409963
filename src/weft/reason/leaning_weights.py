"""What speaks for a text's leaning to one side of a claim, and how much.

Written by scripts/train_leaning.py from SciFact (CC BY 4.0, ODC-By), ConjNLI (MIT), WikiContradict (MIT, CC BY-SA) and
the notes of bench/judging.jsonl.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["CONFLICT_MIN", "INTERCEPTS", "SCALES", "SUPPORT_MIN", "WEIGHTS"]

SCALES: Final[Mapping[str, tuple[float, float]]] = {
    "similarity": (0.7726, 0.0875),
    "lead": (-0.0369, 0.0568),
    "first": (0.5885, 0.4921),
    "cosine": (0.6413, 0.1387),
    "turned": (-0.0159, 0.0507),
    "turned_held": (-0.0071, 0.0305),
    "held": (0.4940, 0.2406),
    "held_once": (0.4542, 0.2432),
    "shared": (0.2426, 0.1828),
    "length": (2.4624, 0.5310),
    "hedged": (0.1245, 0.3301),
    "ruled_out": (-1.4019, 2.9716),
    "entailed": (-1.9040, 3.0040),
    "denied": (0.1316, 0.2526),
    "opposed": (0.0259, 0.1103),
    "pointing": (0.0674, 0.1850),
    "pole": (0.0078, 0.0651),
    "odd": (0.1160, 0.2468),
    "any_denied": (0.0889, 0.1930),
    "any_opposed": (0.0173, 0.0738),
    "any_pointing": (0.0440, 0.1353),
    "any_pole": (0.0054, 0.0456),
    "any_odd": (0.0808, 0.1921),
    "any_level": (0.0115, 0.0602),
}
"""Mean and spread of each sign over what was learned from."""

WEIGHTS: Final[Mapping[str, Mapping[str, float]]] = {
    "conflicts": {
        "similarity": 0.0473,
        "lead": 0.5232,
        "first": 0.7460,
        "cosine": 0.0753,
        "turned": 0.0852,
        "turned_held": 0.0399,
        "held": 0.1224,
        "held_once": 0.0717,
        "shared": -0.1420,
        "length": -0.0453,
        "hedged": -0.0276,
        "ruled_out": 0.9940,
        "entailed": 0.1987,
        "denied": 0.0616,
        "opposed": 0.0060,
        "pointing": 0.0194,
        "pole": -0.0395,
        "odd": 0.0783,
        "any_denied": 0.0249,
        "any_opposed": 0.0933,
        "any_pointing": 0.0093,
        "any_pole": 0.0593,
        "any_odd": 0.0936,
        "any_level": 0.0709,
    },
    "supports": {
        "similarity": 0.0674,
        "lead": 0.5283,
        "first": 0.7315,
        "cosine": 0.0830,
        "turned": 0.0422,
        "turned_held": 0.0164,
        "held": 0.2914,
        "held_once": 0.1227,
        "shared": -0.1811,
        "length": 0.1430,
        "hedged": 0.0074,
        "ruled_out": 0.2315,
        "entailed": 0.9845,
        "denied": 0.0056,
        "opposed": -0.0566,
        "pointing": 0.0411,
        "pole": -0.1252,
        "odd": -0.0649,
        "any_denied": 0.0356,
        "any_opposed": 0.0639,
        "any_pointing": 0.0834,
        "any_pole": 0.0682,
        "any_odd": 0.0395,
        "any_level": 0.1164,
    },
}
"""Of each scaled sign, beside leaning to neither side."""

INTERCEPTS: Final[Mapping[str, float]] = {"conflicts": -1.9703, "supports": -1.7584}

CONFLICT_MIN: Final = 0.251
SUPPORT_MIN: Final = 0.275
"""The likelihoods from which a side is marked as likely: best by F1 over the claims learned from."""
