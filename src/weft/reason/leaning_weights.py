"""What speaks for a text's leaning to one side of a claim, and how much.

Written by scripts/train_leaning.py from SciFact (CC BY 4.0, ODC-By), ConjNLI (MIT), WikiContradict (MIT, CC BY-SA),
the claims of bench/quality/claims.jsonl on documents (MIT, Apache-2.0, public domain) and the notes of
bench/judging.jsonl.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["CONFLICT_MIN", "INTERCEPTS", "SCALES", "SUPPORT_MIN", "WEIGHTS"]

SCALES: Final[Mapping[str, tuple[float, float]]] = {
    "similarity": (0.6949, 0.1061),
    "lead": (-0.0995, 0.0942),
    "first": (0.2681, 0.4430),
    "cosine": (0.5394, 0.1400),
    "turned": (-0.0168, 0.0503),
    "turned_held": (-0.0042, 0.0208),
    "held": (0.3707, 0.2201),
    "held_once": (0.3141, 0.2102),
    "shared": (0.1636, 0.1382),
    "length": (2.4858, 0.5117),
    "hedged": (0.1432, 0.3503),
    "ruled_out": (-2.2443, 2.8370),
    "entailed": (-2.8335, 2.7099),
    "denied": (0.0915, 0.1874),
    "opposed": (0.0140, 0.0759),
    "pointing": (0.0371, 0.1299),
    "pole": (0.0035, 0.0418),
    "odd": (0.0696, 0.1780),
    "any_denied": (0.0518, 0.1308),
    "any_opposed": (0.0084, 0.0473),
    "any_pointing": (0.0213, 0.0885),
    "any_pole": (0.0024, 0.0284),
    "any_odd": (0.0429, 0.1286),
    "any_level": (0.0085, 0.0422),
}
"""Mean and spread of each sign over what was learned from."""

WEIGHTS: Final[Mapping[str, Mapping[str, float]]] = {
    "conflicts": {
        "similarity": 0.0279,
        "lead": 0.7117,
        "first": 0.8921,
        "cosine": 0.0006,
        "turned": 0.1305,
        "turned_held": 0.0005,
        "held": 0.3189,
        "held_once": 0.0915,
        "shared": -0.1281,
        "length": -0.1303,
        "hedged": -0.0794,
        "ruled_out": 0.9906,
        "entailed": 0.1569,
        "denied": 0.0184,
        "opposed": 0.0174,
        "pointing": 0.0237,
        "pole": 0.0035,
        "odd": 0.0031,
        "any_denied": 0.0221,
        "any_opposed": 0.0730,
        "any_pointing": 0.0167,
        "any_pole": 0.0245,
        "any_odd": 0.0926,
        "any_level": 0.0300,
    },
    "supports": {
        "similarity": 0.0333,
        "lead": 0.6941,
        "first": 0.9188,
        "cosine": 0.0854,
        "turned": 0.0728,
        "turned_held": -0.0058,
        "held": 0.4089,
        "held_once": 0.1911,
        "shared": -0.1775,
        "length": 0.0335,
        "hedged": -0.0556,
        "ruled_out": 0.1485,
        "entailed": 0.9611,
        "denied": -0.0187,
        "opposed": 0.0203,
        "pointing": 0.0463,
        "pole": -0.0942,
        "odd": -0.0679,
        "any_denied": 0.0295,
        "any_opposed": 0.0243,
        "any_pointing": 0.0850,
        "any_pole": 0.0631,
        "any_odd": 0.0400,
        "any_level": 0.0686,
    },
}
"""Of each scaled sign, beside leaning to neither side."""

INTERCEPTS: Final[Mapping[str, float]] = {"conflicts": -4.1494, "supports": -4.1438}

CONFLICT_MIN: Final = 0.170
SUPPORT_MIN: Final = 0.259
"""The likelihoods from which a side is marked as likely: best by F1 over the claims learned from."""
