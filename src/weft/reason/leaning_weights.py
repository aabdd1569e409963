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
    "lead": (-0.0996, 0.0943),
    "first": (0.2681, 0.4430),
    "cosine": (0.5394, 0.1401),
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
    "opposed": (0.0140, 0.0757),
    "pointing": (0.0371, 0.1299),
    "pole": (0.0034, 0.0413),
    "odd": (0.0695, 0.1779),
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
        "similarity": 0.0284,
        "lead": 0.7085,
        "first": 0.8928,
        "cosine": 0.0017,
        "turned": 0.1304,
        "turned_held": 0.0006,
        "held": 0.3195,
        "held_once": 0.0911,
        "shared": -0.1284,
        "length": -0.1305,
        "hedged": -0.0795,
        "ruled_out": 0.9903,
        "entailed": 0.1568,
        "denied": 0.0182,
        "opposed": 0.0229,
        "pointing": 0.0244,
        "pole": 0.0067,
        "odd": 0.0036,
        "any_denied": 0.0224,
        "any_opposed": 0.0693,
        "any_pointing": 0.0163,
        "any_pole": 0.0215,
        "any_odd": 0.0921,
        "any_level": 0.0300,
    },
    "supports": {
        "similarity": 0.0356,
        "lead": 0.6859,
        "first": 0.9205,
        "cosine": 0.0872,
        "turned": 0.0732,
        "turned_held": -0.0056,
        "held": 0.4083,
        "held_once": 0.1912,
        "shared": -0.1787,
        "length": 0.0324,
        "hedged": -0.0554,
        "ruled_out": 0.1484,
        "entailed": 0.9608,
        "denied": -0.0184,
        "opposed": 0.0149,
        "pointing": 0.0454,
        "pole": -0.1048,
        "odd": -0.0692,
        "any_denied": 0.0293,
        "any_opposed": 0.0266,
        "any_pointing": 0.0856,
        "any_pole": 0.0672,
        "any_odd": 0.0410,
        "any_level": 0.0685,
    },
}
"""Of each scaled sign, beside leaning to neither side."""

INTERCEPTS: Final[Mapping[str, float]] = {"conflicts": -4.1485, "supports": -4.1408}

CONFLICT_MIN: Final = 0.170
SUPPORT_MIN: Final = 0.260
"""The likelihoods from which a side is marked as likely: best by F1 over the claims learned from."""
