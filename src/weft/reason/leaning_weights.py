"""What speaks for a text's leaning to one side of a claim, and how much.

Written by scripts/train_leaning.py from SciFact (CC BY 4.0, ODC-By), ConjNLI (MIT), WikiContradict (MIT, CC BY-SA),
the claims of bench/quality/claims.jsonl on documents (MIT, Apache-2.0, public domain) and the notes of
bench/judging.jsonl.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["INTERCEPTS", "LIKELY_MIN", "SCALES", "WEIGHTS"]

SCALES: Final[Mapping[str, tuple[float, float]]] = {
    "similarity": (0.6945, 0.1062),
    "lead": (-0.1002, 0.0945),
    "first": (0.2684, 0.4431),
    "cosine": (0.5402, 0.1385),
    "turned": (-0.0170, 0.0497),
    "turned_held": (-0.0041, 0.0208),
    "held": (0.3828, 0.2201),
    "held_once": (0.3154, 0.2095),
    "shared": (0.1606, 0.1388),
    "length": (2.5894, 0.5197),
    "hedged": (0.1586, 0.3653),
    "ruled_out": (-2.2160, 3.0490),
    "entailed": (-2.9682, 2.9842),
    "denied": (0.0906, 0.1865),
    "opposed": (0.0142, 0.0759),
    "pointing": (0.0352, 0.1278),
    "pole": (0.0038, 0.0432),
    "odd": (0.0697, 0.1775),
    "any_denied": (0.0519, 0.1308),
    "any_opposed": (0.0084, 0.0472),
    "any_pointing": (0.0215, 0.0888),
    "any_pole": (0.0024, 0.0285),
    "any_odd": (0.0430, 0.1286),
    "any_level": (0.0088, 0.0424),
}
"""Mean and spread of each sign over what was learned from."""

WEIGHTS: Final[Mapping[str, Mapping[str, float]]] = {
    "conflicts": {
        "similarity": 0.0334,
        "lead": 0.6709,
        "first": 0.9642,
        "cosine": 0.0031,
        "turned": 0.1308,
        "turned_held": -0.0113,
        "held": 0.3030,
        "held_once": 0.1071,
        "shared": -0.0594,
        "length": -0.1439,
        "hedged": -0.0669,
        "ruled_out": 0.9359,
        "entailed": 0.1198,
        "denied": -0.0330,
        "opposed": 0.0110,
        "pointing": 0.0355,
        "pole": -0.0531,
        "odd": 0.0568,
        "any_denied": 0.0606,
        "any_opposed": 0.0804,
        "any_pointing": 0.0077,
        "any_pole": 0.0703,
        "any_odd": 0.0592,
        "any_level": 0.0186,
    },
    "supports": {
        "similarity": 0.0391,
        "lead": 0.7161,
        "first": 0.9448,
        "cosine": 0.1035,
        "turned": 0.0720,
        "turned_held": -0.0068,
        "held": 0.3812,
        "held_once": 0.2450,
        "shared": -0.1429,
        "length": -0.0202,
        "hedged": -0.0826,
        "ruled_out": 0.1200,
        "entailed": 0.9281,
        "denied": -0.0591,
        "opposed": 0.0304,
        "pointing": 0.0772,
        "pole": -0.1253,
        "odd": -0.0174,
        "any_denied": 0.0501,
        "any_opposed": 0.0241,
        "any_pointing": 0.0554,
        "any_pole": 0.0906,
        "any_odd": 0.0119,
        "any_level": 0.0561,
    },
}
"""Of each scaled sign, beside leaning to neither side."""

INTERCEPTS: Final[Mapping[str, float]] = {"conflicts": -4.1433, "supports": -4.1838}

LIKELY_MIN: Final = 0.170
"""The likelihood from which the likelier side is marked: best by F1 of both, a mean of the sets."""
