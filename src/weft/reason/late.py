"""Late interaction: a question and a text compared word by word, by what each word means where it stands.

For each word of the question the nearest word of the text counts, weighed by how rare the question's word is (Khattab
and Zaharia 2020, ColBERT; the weights are ours). What one vector of a whole passage has no room for is found so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeVar

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Mapping, Sequence

    import numpy.typing as npt

__all__ = [
    "ELSEWHERE",
    "RARITY_LEAST",
    "added",
    "answers",
    "closest_in_words",
    "known_of_most",
    "matched",
    "matched_in_both",
    "standing_out",
]

K = TypeVar("K", bound="Hashable")

RARITY_LEAST: Final = 0.01
"""What a word that stands everywhere weighs: something, where a question has no others."""

ELSEWHERE: Final = 0.4
"""How far a word counts that another passage answers better: by this share of how much better.

On one half of the questions on abstracts recall@5 goes by it from 81.8 to 82.5 and nDCG@10 from 76.1 to 76.6; texts of
one passage stay as they are (``bench/quality --half choose``).
"""

_GAIN_LEAST: Final = 0.02
_GAINS_APART: Final = 0.01
"""How much a text adds to an answer at least, and how far what texts add lies apart: where the first texts answer every
word, the others differ by thousandths of no meaning."""

_FLAT: Final = 1e-9


def answers(asked: npt.NDArray[np.int8], texts: Mapping[K, npt.NDArray[np.int8]]) -> dict[K, npt.NDArray[np.float32]]:
    """Return how near each text comes to each word of a question (about −1..1), shape (words of the question,).

    ``asked`` has a row a word of the question, and each text a row a word; texts without words are left out. All rows
    are about equally long.
    """
    told = {each: words for each, words in texts.items() if len(words)}
    if not told or not len(asked):
        return {}
    words = np.concatenate(list(told.values())).astype(np.float32)
    starts = np.cumsum([0, *(len(each) for each in told.values())][:-1])
    nearest = np.maximum.reduceat(asked.astype(np.float32) @ words.T, starts, axis=1)
    return dict(zip(told, (nearest / np.square(asked, dtype=np.float32).sum(axis=1).mean()).T, strict=True))


def matched(answered: Mapping[K, npt.NDArray[np.float32]], rarities: Sequence[float]) -> dict[K, float]:
    """Return how well each text answers a question word by word (−1..1), a mean over the question's words.

    ``answered`` is from :func:`answers`, ``rarities`` what each word of the question weighs (0 or more).
    """
    if not answered:
        return {}
    means = np.stack(list(answered.values())) @ _shares(rarities)
    return dict(zip(answered, means.tolist(), strict=True))


def matched_in_both(
    answered: Mapping[K, npt.NDArray[np.float32]],
    rarities: Sequence[float],
    others: Mapping[K, npt.NDArray[np.float32]],
) -> dict[K, float]:
    """Return what :func:`matched` makes of texts, some of them with what another passage of theirs answers beside.

    What a question asks may stand in two passages: a word that the other answers better counts by :data:`ELSEWHERE`.
    """
    alone = matched(answered, rarities)
    joined = {each: np.maximum(answered[each], other) for each, other in others.items() if each in answered}
    joint = matched(joined, rarities)
    return {each: one + ELSEWHERE * (joint.get(each, one) - one) for each, one in alone.items()}


def added(
    answered: Mapping[K, npt.NDArray[np.float32]],
    rarities: Sequence[float],
    beside: Collection[K],
    measured: Collection[K],
) -> dict[K, float]:
    """Return how much more of a question each text answers with those ``beside`` than these do by themselves.

    In standard deviations above the mean of those ``measured``. What adds next to nothing is left out, and all are
    where none of ``beside`` was compared. What a question asks in several steps no text answers by itself: of «the
    county that Ashby lies in» the note on Ashby says which, and of the county's leader another.
    """
    known = [answered[each] for each in beside if each in answered]
    if not known:
        return {}
    first = np.maximum.reduce(known)
    beyond = {each: np.maximum(near - first, 0.0) for each, near in answered.items() if each not in beside}
    gains = matched(beyond, rarities)
    others = np.array([gains[each] for each in measured if each in gains] or [0.0])
    mean, deviation = float(others.mean()), max(float(others.std()), _GAINS_APART)
    return {each: (gain - mean) / deviation for each, gain in gains.items() if gain >= _GAIN_LEAST}


def _shares(rarities: Sequence[float]) -> npt.NDArray[np.float32]:
    weights = np.maximum(np.asarray(rarities, np.float32), RARITY_LEAST)
    shares: npt.NDArray[np.float32] = weights / weights.sum()
    return shares


def known_of_most(late: Collection[str], measured: Collection[str]) -> bool:
    """Return whether :func:`matched` tells of at least half of those ``measured``, and of one.

    A few that it tells of among many that it does not, as of a graph that an older release wrote, could only be weighed
    against each other.
    """
    return 0 < len(measured) <= 2 * len(late)


def closest_in_words(late: Mapping[str, float], measured: Collection[str]) -> frozenset[str]:
    """Return those that answer a question's words a standard deviation better than the mean, or more."""
    return standing_out(late) if known_of_most(late, measured) else frozenset()


def standing_out(values: Mapping[str, float]) -> frozenset[str]:
    """Return those whose value lies a standard deviation above the mean of all, or more."""
    if not values:
        return frozenset()
    all_of_them = np.fromiter(values.values(), np.float64, len(values))
    bar = all_of_them.mean() + max(float(all_of_them.std()), _FLAT)
    return frozenset(each for each, value in values.items() if value >= bar)
