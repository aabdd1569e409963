"""What verdicts are compared with: a logistic regression over how two texts look beside each other.

Likeness, shared words, words of denial and numbers: no more. It is fitted on the half of a set's own pairs that is not
reported, which Weft's judge never is; so it is an anchor in its favour.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from collections.abc import Sequence

    from anchors import Anchors

Matrix: TypeAlias = "npt.NDArray[np.float64]"

_DENIALS = """
    no not nobody nothing none never neither nor without cannot fails fail failed lack lacks lacking absence unable
    hardly fewer less decrease decreases decreased reduce reduces reduced
"""
DENIALS = frozenset(_DENIALS.split())
CLASSES = ("contradiction", "entailment", "neutral")
STEPS = 25
RIDGE = 1.0
WORD = re.compile(r"[a-z0-9']+")
NUMBER = re.compile(r"\d+(?:\.\d+)?")


class Surface:
    """The model, fitted on pairs (text, claim) and their labels; shapes are (pairs, 3) for the three classes."""

    def __init__(self, anchors: Anchors, pairs: Sequence[tuple[str, str]], labels: Sequence[str]) -> None:
        self._anchors = anchors
        table = self._table(pairs)
        self._mean, self._spread = table.mean(axis=0), table.std(axis=0) + 1e-9
        sides = np.array([CLASSES.index(label) for label in labels])
        counts = np.bincount(sides, minlength=len(CLASSES))
        weights = len(sides) / np.maximum(counts, 1)[sides] / len(CLASSES)
        self._learned = _fitted(self._scaled(table), sides, weights)

    def chances(self, pairs: Sequence[tuple[str, str]]) -> Matrix:
        """Return the likelihood of each class."""
        return _chances(self._scaled(self._table(pairs)), self._learned)

    def _scaled(self, table: Matrix) -> Matrix:
        scaled: Matrix = np.hstack([(table - self._mean) / self._spread, np.ones((len(table), 1))])
        return scaled

    def _table(self, pairs: Sequence[tuple[str, str]]) -> Matrix:
        texts = list(dict.fromkeys(text for pair in pairs for text in pair))
        place = {text: number for number, text in enumerate(texts)}
        vectors = self._anchors.vectors(texts)
        cosines = [float(vectors[place[text]] @ vectors[place[claim]]) for text, claim in pairs]
        return np.array([_looks(*pair, cosine) for pair, cosine in zip(pairs, cosines, strict=True)])


def _looks(text: str, claim: str, cosine: float) -> list[float]:
    one, other = (frozenset(WORD.findall(each.lower().replace("n't", " not"))) for each in (text, claim))
    shared, denied, denied_there = len(one & other), len(one & DENIALS), len(other & DENIALS)
    numbers, numbers_there = set(NUMBER.findall(text)), set(NUMBER.findall(claim))
    turned = float(bool(denied) != bool(denied_there))
    return [
        cosine,
        shared / max(1, len(one | other)),
        shared / max(1, len(other)),
        shared / max(1, len(one)),
        denied,
        denied_there,
        turned,
        turned * cosine,
        len(numbers_there - numbers),
        float(bool(numbers_there) and numbers_there <= numbers),
        np.log1p(len(one)),
        np.log1p(len(other)),
    ]


def _chances(table: Matrix, learned: Matrix) -> Matrix:
    scores = table @ learned
    scores = np.exp(scores - scores.max(axis=1, keepdims=True))
    likely: Matrix = scores / scores.sum(axis=1, keepdims=True)
    return likely


def _fitted(table: Matrix, sides: npt.NDArray[np.int_], weights: Matrix) -> Matrix:
    """Return multinomial weights with a small ridge, by Newton's method."""
    width = table.shape[1]
    learned, target = np.zeros((width, len(CLASSES))), np.eye(len(CLASSES))[sides]
    for _ in range(STEPS):
        likely = _chances(table, learned)
        slope = table.T @ ((likely - target) * weights[:, None]) + RIDGE * learned
        curve = RIDGE * np.eye(width * len(CLASSES))
        for one in range(len(CLASSES)):
            for other in range(len(CLASSES)):
                share = weights * likely[:, one] * ((one == other) - likely[:, other])
                rows, columns = (slice(each * width, (each + 1) * width) for each in (one, other))
                curve[rows, columns] += (table * share[:, None]).T @ table
        learned = learned - np.linalg.solve(curve, slope.T.ravel()).reshape(len(CLASSES), width).T
    return learned
