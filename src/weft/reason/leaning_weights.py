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
    "ruled_out": (-2.1298, 2.8654),
    "entailed": (-2.7050, 2.7645),
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
        "similarity": 0.0277,
        "lead": 0.6659,
        "first": 0.9454,
        "cosine": 0.0033,
        "turned": 0.1314,
        "turned_held": -0.0146,
        "held": 0.2847,
        "held_once": 0.1173,
        "shared": -0.1171,
        "length": -0.1245,
        "hedged": -0.0661,
        "ruled_out": 0.9830,
        "entailed": 0.1448,
        "denied": -0.0314,
        "opposed": 0.0107,
        "pointing": 0.0327,
        "pole": -0.0525,
        "odd": 0.0485,
        "any_denied": 0.0683,
        "any_opposed": 0.0815,
        "any_pointing": 0.0129,
        "any_pole": 0.0722,
        "any_odd": 0.0714,
        "any_level": 0.0200,
    },
    "supports": {
        "similarity": 0.0456,
        "lead": 0.7081,
        "first": 0.9202,
        "cosine": 0.1142,
        "turned": 0.0673,
        "turned_held": -0.0103,
        "held": 0.3653,
        "held_once": 0.2479,
        "shared": -0.1832,
        "length": 0.0036,
        "hedged": -0.0781,
        "ruled_out": 0.1539,
        "entailed": 0.9433,
        "denied": -0.0626,
        "opposed": 0.0274,
        "pointing": 0.0718,
        "pole": -0.1242,
        "odd": -0.0218,
        "any_denied": 0.0581,
        "any_opposed": 0.0290,
        "any_pointing": 0.0634,
        "any_pole": 0.0929,
        "any_odd": 0.0186,
        "any_level": 0.0539,
    },
}
"""Of each scaled sign, beside leaning to neither side."""

INTERCEPTS: Final[Mapping[str, float]] = {"conflicts": -4.1578, "supports": -4.1739}

LIKELY_MIN: Final = 0.145
"""The likelihood from which the likelier side is marked: best by the F1 of both sides, a mean of the sets."""
