"""What speaks for a text's leaning to one side of a claim, and how much.

Written by scripts/train_leaning.py from SciFact (CC BY 4.0, ODC-By), ConjNLI (MIT) and WikiContradict (MIT, CC BY-SA).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["CONFLICT_MIN", "INTERCEPTS", "SCALES", "SUPPORT_MIN", "WEIGHTS"]

SCALES: Final[Mapping[str, tuple[float, float]]] = {
    "similarity": (0.7486, 0.0940),
    "lead": (-0.0656, 0.0632),
    "first": (0.3107, 0.4628),
    "cosine": (0.5988, 0.1383),
    "turned": (-0.0154, 0.0330),
    "turned_held": (-0.0071, 0.0201),
    "held": (0.4082, 0.2237),
    "held_once": (0.3523, 0.2120),
    "shared": (0.1699, 0.1615),
    "length": (2.7898, 0.3987),
    "hedged": (0.1671, 0.3730),
    "denied": (0.0594, 0.1517),
    "opposed": (0.0322, 0.1148),
    "pointing": (0.0770, 0.1819),
    "pole": (0.0117, 0.0789),
    "odd": (0.0536, 0.1527),
    "any_denied": (0.0380, 0.1002),
    "any_opposed": (0.0215, 0.0744),
    "any_pointing": (0.0483, 0.1281),
    "any_pole": (0.0087, 0.0559),
    "any_odd": (0.0359, 0.1074),
    "any_level": (0.0123, 0.0519),
}
"""Mean and spread of each sign over what was learned from."""

WEIGHTS: Final[Mapping[str, Mapping[str, float]]] = {
    "conflicts": {
        "similarity": 0.0971,
        "lead": 0.5727,
        "first": 0.7573,
        "cosine": 0.1185,
        "turned": 0.1171,
        "turned_held": 0.0822,
        "held": 0.2500,
        "held_once": 0.1258,
        "shared": 0.0270,
        "length": 0.0533,
        "hedged": -0.0663,
        "denied": 0.1188,
        "opposed": 0.0068,
        "pointing": 0.0599,
        "pole": 0.0051,
        "odd": 0.0824,
        "any_denied": 0.0592,
        "any_opposed": 0.1493,
        "any_pointing": 0.0349,
        "any_pole": 0.0540,
        "any_odd": 0.1132,
        "any_level": 0.0305,
    },
    "supports": {
        "similarity": 0.0734,
        "lead": 0.5996,
        "first": 0.7662,
        "cosine": 0.1035,
        "turned": 0.0414,
        "turned_held": 0.0371,
        "held": 0.4560,
        "held_once": 0.2629,
        "shared": -0.0620,
        "length": 0.1693,
        "hedged": -0.0188,
        "denied": -0.0022,
        "opposed": -0.0670,
        "pointing": 0.0709,
        "pole": -0.0909,
        "odd": -0.0617,
        "any_denied": 0.0312,
        "any_opposed": 0.0752,
        "any_pointing": 0.1391,
        "any_pole": 0.0440,
        "any_odd": 0.0176,
        "any_level": 0.1397,
    },
}
"""Of each scaled sign, beside leaning to neither side."""

INTERCEPTS: Final[Mapping[str, float]] = {"conflicts": -3.1884, "supports": -2.8186}

CONFLICT_MIN: Final = 0.168
SUPPORT_MIN: Final = 0.280
"""The likelihoods from which a side is marked as likely: best by F1 over the claims learned from."""
