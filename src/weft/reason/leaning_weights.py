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
    "similarity": (0.6949, 0.1062),
    "lead": (-0.0996, 0.0943),
    "first": (0.2681, 0.4429),
    "cosine": (0.5403, 0.1397),
    "turned": (-0.0167, 0.0502),
    "turned_held": (-0.0042, 0.0208),
    "held": (0.3716, 0.2200),
    "held_once": (0.3153, 0.2101),
    "shared": (0.1633, 0.1382),
    "length": (2.4978, 0.5149),
    "hedged": (0.1426, 0.3497),
    "ruled_out": (-2.5234, 2.4821),
    "entailed": (-2.9366, 2.4630),
    "denied": (0.0920, 0.1879),
    "opposed": (0.0139, 0.0756),
    "pointing": (0.0373, 0.1302),
    "pole": (0.0034, 0.0413),
    "odd": (0.0697, 0.1782),
    "any_denied": (0.0522, 0.1310),
    "any_opposed": (0.0084, 0.0473),
    "any_pointing": (0.0215, 0.0887),
    "any_pole": (0.0024, 0.0284),
    "any_odd": (0.0430, 0.1287),
    "any_level": (0.0086, 0.0425),
}
"""Mean and spread of each sign over what was learned from."""

WEIGHTS: Final[Mapping[str, Mapping[str, float]]] = {
    "conflicts": {
        "similarity": 0.0871,
        "lead": 0.7131,
        "first": 0.8198,
        "cosine": -0.0104,
        "turned": 0.1280,
        "turned_held": 0.0123,
        "held": 0.3289,
        "held_once": -0.0043,
        "shared": -0.0968,
        "length": -0.0832,
        "hedged": -0.0564,
        "ruled_out": 0.9417,
        "entailed": 0.1053,
        "denied": 0.0096,
        "opposed": 0.0134,
        "pointing": 0.0292,
        "pole": 0.0120,
        "odd": 0.0009,
        "any_denied": 0.0249,
        "any_opposed": 0.0663,
        "any_pointing": 0.0063,
        "any_pole": 0.0141,
        "any_odd": 0.0847,
        "any_level": 0.0360,
    },
    "supports": {
        "similarity": 0.0932,
        "lead": 0.7000,
        "first": 0.8752,
        "cosine": 0.0497,
        "turned": 0.0989,
        "turned_held": -0.0061,
        "held": 0.4482,
        "held_once": 0.0853,
        "shared": -0.1436,
        "length": 0.0699,
        "hedged": -0.0330,
        "ruled_out": 0.2429,
        "entailed": 0.8263,
        "denied": -0.0209,
        "opposed": 0.0049,
        "pointing": 0.0474,
        "pole": -0.1051,
        "odd": -0.0467,
        "any_denied": 0.0280,
        "any_opposed": 0.0199,
        "any_pointing": 0.0719,
        "any_pole": 0.0605,
        "any_odd": 0.0159,
        "any_level": 0.0736,
    },
}
"""Of each scaled sign, beside leaning to neither side."""

INTERCEPTS: Final[Mapping[str, float]] = {"conflicts": -4.0209, "supports": -4.0532}

CONFLICT_MIN: Final = 0.224
SUPPORT_MIN: Final = 0.175
"""The likelihoods from which a side is marked as likely: best by F1 over the claims learned from."""
