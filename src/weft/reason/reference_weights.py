"""What speaks for a relation between numbered documents, and how much.

Written by scripts/train_references.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["SCALES", "WEIGHTS"]

SCALES: Final[Mapping[str, tuple[float, float]]] = {
    "back_gives_way": (0.0020, 0.0447),
    "closeness": (0.1724, 0.2143),
    "draws": (0.0323, 0.1752),
    "early": (0.0668, 0.2496),
    "later": (0.4858, 0.4998),
    "meaning": (0.5857, 0.1461),
    "named_back": (0.1034, 0.3045),
    "names_it": (0.1061, 0.3080),
    "needed": (0.0212, 0.0859),
    "needs": (0.0032, 0.0565),
    "older": (6.4348, 2.0360),
    "past": (0.0098, 0.0901),
    "takes_over_early": (0.0015, 0.0387),
    "titles": (0.0768, 0.1410),
    "words": (0.1071, 0.0688),
}
"""Mean and spread of each over the documents that were learned from."""

WEIGHTS: Final[Mapping[str, Mapping[str, float]]] = {
    "requires": {
        "names_it": 0.9718,
        "draws": 0.1808,
        "needs": 0.0697,
        "past": -0.0894,
        "named_back": 0.2029,
        "older": -0.4573,
        "titles": -0.1661,
        "words": 0.2596,
        "needed": 0.3422,
        "": -7.3307,
    },
    "supersedes": {
        "closeness": 0.5159,
        "later": 1.0398,
        "titles": 0.3001,
        "meaning": 0.9222,
        "early": 0.3488,
        "takes_over_early": 0.1139,
        "back_gives_way": 0.1132,
        "": -8.5333,
    },
}
"""A weight for each in spreads from the mean, and under an empty name the constant."""
