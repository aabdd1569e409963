"""How far two texts belong together: by the rare words both hold, by what they mean, and by one naming the other. Pure.

Words are compared by the cosine of their weights (the logarithm of how often a text holds them, times their rarity:
Salton and Buckley 1988), meaning by that of the mean of their passages' vectors. A title names its text also where its
words only stand here and there in the other: the share of them that do, by their weights. Measured on documents that
their authors had related (the even rows of five public sets, numbers masked): of the first three that BM25 finds 41 %
are related, of those that meaning finds 35 %, of those found by all of this together 50 %, without titles 47 %.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from weft.text import content_roots

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import numpy.typing as npt

__all__ = [
    "Bag",
    "Signs",
    "affinities",
    "bag",
    "believed",
    "brief",
    "containment",
    "counted",
    "covered",
    "joined",
    "nearest_first",
    "overlap",
    "overlaps",
    "shared",
    "telling",
]

_FEW_WORDS: Final = 500.0
"""What is added to the product of two bags' lengths: of texts of a few words, one that both hold says little.

A text of ten words has a length of about 9, one of two thousand characters of about 40. From 300 to 1,000 bridges are
ranked alike, and better than without.
"""

_NAMING: Final = 2.0
"""What one naming the other is worth, in standard deviations of the candidates'; 1.5 to 3 differ little.

As much again is worth a title of which every word stands in the other text, and a part of it in proportion.
"""

_FEW_IN_TITLE: Final = 3.0
"""What is added to the weight of a title's words: that a title of one common word stands in a text says little."""

_FEW_CONTAINED: Final = 10.0
"""What is added to the weight of a text's words: that one of five words is contained in another says little."""

_MEANING: Final = 0.20
_NAMED: Final = 0.15

# Of those nodes that were offered among the first five, which share was related: a logistic curve, fitted to the even
# rows of PEPs, BIPs, KEPs, decision records and notes whose licences allow it, each set weighing the same.
_SLOPE: Final = 0.46
_START: Final = -3.24

_STRANGERS: Final = 5
_STRANGE: Final = (0.0, 0.20)
"""Strangers that are counted among the candidates, with their overlap and cosine, so that one close candidate alone
stands out as well. The order they leave as it is."""


@dataclass(frozen=True, slots=True)
class Bag:
    """The words of a text by their roots, each with its weight, and the length of these weights together."""

    weights: Mapping[str, float]
    length: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Signs:
    """What speaks for a candidate: overlap of words (0..1), cosine of meaning, and whether it is named or names.

    ``titles`` (0..2) is how far the title of each of the two is :func:`covered` by the text of the other.
    """

    words: float = 0.0
    meaning: float = 0.0
    names: bool = False
    named: bool = False
    titles: float = 0.0


def counted(*texts: str) -> Counter[str]:
    """Return how often each word stands in ``texts``, by its root; stop words and single characters are left out."""
    return Counter(word for text in texts for word in content_roots(text) if len(word) > 1)


def bag(counts: Mapping[str, int], rarity: Mapping[str, float]) -> Bag:
    """Return the weights of the words that were ``counted``; ``rarity`` is 0 for what stands everywhere."""
    weights = {word: (1.0 + math.log(count)) * rarity.get(word, 0.0) for word, count in counts.items()}
    return Bag(weights, math.sqrt(sum(weight * weight for weight in weights.values())))


def overlap(one: Bag, other: Bag) -> float:
    """Return how far the words of two texts are the same (0..1), rare ones counting more."""
    few, many = sorted((one.weights, other.weights), key=len)
    both = sum(weight * many.get(word, 0.0) for word, weight in few.items())
    return both / (one.length * other.length + _FEW_WORDS)


def overlaps(one: Sequence[Bag], other: Sequence[Bag]) -> npt.NDArray[np.float32]:
    """Return the :func:`overlap` of every bag of ``one`` with every bag of ``other``, shape (n, m).

    It costs what the words cost that both sides hold, not n times m comparisons.
    """
    both = np.zeros((len(one), len(other)), np.float32)
    here, there = _holders(one), _holders(other)
    for word in here.keys() & there.keys():
        (rows, said), (columns, meant) = here[word], there[word]
        both[np.ix_(rows, columns)] += np.outer(said, meant)
    lengths = np.outer([each.length for each in one], [each.length for each in other]).astype(np.float32)
    found: npt.NDArray[np.float32] = both / (lengths + np.float32(_FEW_WORDS))
    return found


def covered(title: Iterable[str], of: Bag, by: Bag) -> float:
    """Return how far (0..1) the words of the ``title`` that ``of`` goes by stand in ``by`` too.

    ``title`` are roots, each once; they weigh what they weigh in the text whose title it is.
    """
    weights = [(of.weights.get(word, 0.0), word in by.weights) for word in title]
    return sum(weight for weight, held in weights if held) / (sum(weight for weight, _ in weights) + _FEW_IN_TITLE)


def containment(of: Bag, by: Bag) -> float:
    """Return how much (0..1) of the words of one text stand in another too, as often, whatever else that one says.

    Broder 1997; the weights are ours.
    """
    both = sum(min(weight, by.weights.get(word, 0.0)) for word, weight in of.weights.items())
    return both / (sum(of.weights.values()) + _FEW_CONTAINED)


_YEAR: Final = re.compile(r"(?:19|20)\d\d\Z")


def shared(one: Bag, other: Bag, most: int) -> list[str]:
    """Return the words that speak most for an overlap, the weightiest first; a year tells nobody what two are about."""
    words = (word for word in one.weights if not _YEAR.match(word))
    both = {word: one.weights[word] * other.weights.get(word, 0.0) for word in words}
    return [word for word in sorted(both, key=lambda word: (-both[word], word))[:most] if both[word] > 0.0]


def telling(of: Bag, most: int) -> list[str]:
    """Return the words that tell a text from others, the weightiest first."""
    return sorted(of.weights, key=lambda word: (-of.weights[word], word))[:most]


def affinities(signs: Mapping[str, Signs]) -> dict[str, float]:
    """Return how far each candidate belongs to the text they are candidates for, the most first.

    Words and meaning count as standard deviations from the mean of the candidates and a few strangers, since how far
    they reach differs from one collection to another; naming adds two for each direction, and so does a title whose
    words all stand in the other text.
    """
    found = {key: near + _NAMING * _named(signs[key]) for key, near in _nearness(signs).items()}
    return dict(sorted(found.items(), key=lambda item: (-item[1], item[0])))


def nearest_first(signs: Mapping[str, Signs]) -> list[str]:
    """Return the candidates by words and meaning alone, the nearest first."""
    near = _nearness(signs)
    return sorted(near, key=lambda key: (-near[key], key))


def _nearness(signs: Mapping[str, Signs]) -> dict[str, float]:
    words = _standard([each.words for each in signs.values()], _STRANGE[0])
    meaning = _standard([each.meaning for each in signs.values()], _STRANGE[1])
    return {key: said + meant for key, said, meant in zip(signs, words, meaning, strict=True)}


def brief(similarity: float, namings: int) -> float:
    """Return the affinity of two notes by their calibrated similarity (0..1) and names alone, on the same scale.

    Set by hand so that the likeness of a paraphrase (0.85) is worth a little more than one naming the other.
    """
    return 4.8 * similarity + 0.5 + 2.4 * namings


def believed(affinity: float) -> float:
    """Return how likely (0..1) authors relate two texts of this affinity, one of the first five of its candidates."""
    return 1.0 / (1.0 + math.exp(-(_SLOPE * max(-20.0, min(20.0, affinity)) + _START)))


def joined(signs: Signs) -> float:
    """Return how far two texts belong together, whatever else is looked at: comparable between any pairs.

    Words count most: authors who join texts of two collections write of the same things in the same words.
    """
    return signs.words + _MEANING * signs.meaning + _NAMED * (signs.names or signs.named)


def _named(signs: Signs) -> float:
    return signs.names + signs.named + signs.titles


def _standard(values: Sequence[float], strange: float) -> list[float]:
    """Return ``values`` as standard deviations from their mean, strangers included."""
    known = [*values, *[strange] * _STRANGERS]
    mean = sum(known) / len(known)
    spread = math.sqrt(sum((value - mean) ** 2 for value in known) / len(known))
    return [(value - mean) / spread if spread > 1e-9 else 0.0 for value in values]  # noqa: PLR2004 - nearly zero


def _holders(bags: Sequence[Bag]) -> dict[str, tuple[list[int], list[float]]]:
    """Return for each word the places of the bags that hold it, with its weight there."""
    found: dict[str, tuple[list[int], list[float]]] = {}
    for place, each in enumerate(bags):
        for word, weight in each.weights.items():
            if weight:
                places, weights = found.setdefault(word, ([], []))
                places.append(place)
                weights.append(weight)
    return found
