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
    "first": (0.5883, 0.4921),
    "cosine": (0.6413, 0.1386),
    "turned": (-0.0159, 0.0507),
    "turned_held": (-0.0071, 0.0305),
    "held": (0.4939, 0.2406),
    "held_once": (0.4541, 0.2432),
    "shared": (0.2426, 0.1828),
    "length": (2.4625, 0.5310),
    "hedged": (0.1243, 0.3299),
    "ruled_out": (-1.8586, 3.6957),
    "entailed": (-2.2111, 3.5566),
    "denied": (0.1315, 0.2525),
    "opposed": (0.0259, 0.1103),
    "pointing": (0.0675, 0.1850),
    "pole": (0.0077, 0.0651),
    "odd": (0.1161, 0.2468),
    "any_denied": (0.0888, 0.1930),
    "any_opposed": (0.0173, 0.0738),
    "any_pointing": (0.0440, 0.1353),
    "any_pole": (0.0054, 0.0456),
    "any_odd": (0.0808, 0.1921),
    "any_level": (0.0115, 0.0602),
}
"""Mean and spread of each sign over what was learned from."""

WEIGHTS: Final[Mapping[str, Mapping[str, float]]] = {
    "conflicts": {
        "similarity": 0.0549,
        "lead": 0.5159,
        "first": 0.7351,
        "cosine": 0.0810,
        "turned": 0.0857,
        "turned_held": 0.0339,
        "held": 0.1160,
        "held_once": 0.0662,
        "shared": -0.1437,
        "length": -0.0357,
        "hedged": -0.0308,
        "ruled_out": 0.9684,
        "entailed": 0.2353,
        "denied": 0.0575,
        "opposed": 0.0117,
        "pointing": 0.0220,
        "pole": -0.0326,
        "odd": 0.0780,
        "any_denied": 0.0208,
        "any_opposed": 0.0904,
        "any_pointing": 0.0119,
        "any_pole": 0.0560,
        "any_odd": 0.0932,
        "any_level": 0.0702,
    },
    "supports": {
        "similarity": 0.0743,
        "lead": 0.5222,
        "first": 0.7192,
        "cosine": 0.0870,
        "turned": 0.0444,
        "turned_held": 0.0188,
        "held": 0.2952,
        "held_once": 0.1181,
        "shared": -0.1967,
        "length": 0.1556,
        "hedged": 0.0070,
        "ruled_out": 0.2172,
        "entailed": 0.9834,
        "denied": 0.0017,
        "opposed": -0.0524,
        "pointing": 0.0461,
        "pole": -0.1201,
        "odd": -0.0672,
        "any_denied": 0.0352,
        "any_opposed": 0.0648,
        "any_pointing": 0.0856,
        "any_pole": 0.0668,
        "any_odd": 0.0365,
        "any_level": 0.1175,
    },
}
"""Of each scaled sign, beside leaning to neither side."""

INTERCEPTS: Final[Mapping[str, float]] = {"conflicts": -1.9562, "supports": -1.7264}

CONFLICT_MIN: Final = 0.231
SUPPORT_MIN: Final = 0.277
"""The likelihoods from which a side is marked as likely: best by F1 over the claims learned from."""
