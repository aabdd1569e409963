"""How like two things are, and how far a synthesis leaps from what it joins."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeVar

from weft.errors import InvalidArgument
from weft.vocabulary import OBVIOUS, REASONABLE

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence

    import numpy as np
    import numpy.typing as npt

__all__ = ["GAP_WIDE", "Leap", "cosine", "fell", "jaccard", "leap"]

GAP_WIDE: Final = 0.15
"""Above this distance between the likest and the least like side, evidence is about one side only.

It is the width of the MEDIUM band (0.70 to 0.85): with a wider gap the two sides cannot lie in neighbouring bands by
chance of the cut alone.
"""

_DIGITS: Final = 6  # similarities carry less than this; rounding keeps 0.8 and 0.9 from averaging to 0.8500000000000001

_Item = TypeVar("_Item", bound="Hashable")


@dataclass(frozen=True, slots=True, kw_only=True)
class Leap:
    """How far a synthesis leaps: ``level`` LOW (obvious), MEDIUM (reasonable) or HIGH (unusual).

    ``mean`` and ``minimum`` of the similarities (0..1) between the evidence and what it joins, ``gap`` from the least
    to the most similar, and a ``warning`` (empty: nothing to say).
    """

    level: str
    mean: float
    minimum: float
    gap: float
    warning: str = ""


def cosine(a: npt.NDArray[np.float32], b: npt.NDArray[np.float32]) -> float:
    """Return the cosine (−1..1) of two vectors of shape (dimension,), of any length but zero.

    Raises:
        InvalidArgument: the dimensions differ, or a vector has length zero, so that it points nowhere.
    """
    if a.shape != b.shape:
        raise InvalidArgument(f"vector: dimensions differ, {a.shape} and {b.shape}.")
    lengths = float(a @ a) * float(b @ b)
    if not lengths > 0.0:
        raise InvalidArgument("vector: a vector of length zero is like nothing; embed the text first.")
    return max(-1.0, min(1.0, float(a @ b) / math.sqrt(lengths)))


def jaccard(a: Iterable[_Item], b: Iterable[_Item]) -> float:
    """Return the share (0..1) of items that both hold among all that either holds; 0 when both are empty."""
    one, other = frozenset(a), frozenset(b)
    either = one | other
    return len(one & other) / len(either) if either else 0.0


def leap(similarities: Sequence[float]) -> Leap:
    """Return the leap of evidence that has these ``similarities`` (0..1) to the things it joins.

    The arithmetic mean decides: from 0.85 LOW, from 0.70 MEDIUM, below HIGH; both bounds belong to the better band.

    Raises:
        InvalidArgument: there are no similarities, or one is not a number in 0..1.
    """
    if not similarities or not all(0.0 <= each <= 1.0 for each in similarities):
        raise InvalidArgument(f"similarities: need one or more numbers from 0 to 1, got {list(similarities)}.")
    mean = round(math.fsum(similarities) / len(similarities), _DIGITS)
    minimum = min(similarities)
    gap = round(max(similarities) - minimum, _DIGITS)
    level = _level(mean)
    warning = _warning(level, mean=mean, gap=gap, sides=len(similarities))
    return Leap(level=level, mean=mean, minimum=minimum, gap=gap, warning=warning)


def fell(was: float, now: float) -> bool:
    """Return whether a similarity (0..1) that ``was`` has fallen into a lower band, or by more than a band's width.

    The second counts within the lowest band, which is four times as wide as the one above it.
    """
    order = ("LOW", "MEDIUM", "HIGH")
    return order.index(_level(now)) > order.index(_level(was)) or was - now > GAP_WIDE


def _level(mean: float) -> str:
    if mean >= OBVIOUS:
        return "LOW"
    return "MEDIUM" if mean >= REASONABLE else "HIGH"


def _warning(level: str, *, mean: float, gap: float, sides: int) -> str:
    parts = []
    if level == "HIGH":
        parts.append(
            f"Unusual connection - low semantic similarity detected: {mean:.2f} on average, under {REASONABLE:.2f}."
        )
    if gap > GAP_WIDE and sides > 2:  # noqa: PLR2004 - a relation has two ends
        parts.append(f"The evidence fits one of the {sides} better than another by {gap:.2f}: it may not be about all.")
    elif gap > GAP_WIDE:
        parts.append(f"The evidence fits one end better than the other by {gap:.2f}: it may be about one end only.")
    return " ".join(parts)
