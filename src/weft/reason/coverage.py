"""How much of a claim each sentence of a text holds, and which few of them hold most of it together."""

from __future__ import annotations

import math
import re
from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from weft.text import content_roots

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    import numpy.typing as npt

    from weft.model import Embedded

__all__ = ["Coverage", "by_meaning", "by_roots"]

_DIGITS: Final = 9  # to which sums are told apart: those of like rows may differ in the last
_WORD: Final = re.compile(r"[^\W_]+")


class Coverage(NamedTuple):
    """How far each sentence holds each word of a claim, and what these words weigh.

    ``held`` has the shape (sentences, words), −1..1; ``weights`` (words,), 0..1 and 1 in all. A word weighs more the
    fewer sentences hold it (inverse document frequency, Robertson and Spärck Jones 1976, a sentence for a document).
    """

    held: npt.NDArray[np.float64]
    weights: npt.NDArray[np.float64]

    def shares(self) -> npt.NDArray[np.float64]:
        """Return how much of the claim each sentence holds, shape (sentences,)."""
        return self.held @ self.weights

    def best(self, worth: npt.NDArray[np.float64], count: int) -> list[int]:
        """Return the places of ``count`` sentences, each taken for what it adds to those before it, best first.

        What a sentence is worth by itself, shape (sentences,), is added; of equals the later is taken. To take what
        adds most is at worst 1 − 1/e of the best choice (Nemhauser, Wolsey and Fisher 1978).
        """
        taken: list[int] = []
        covered = np.zeros(len(self.weights))
        for _ in range(min(count, len(worth))):
            added = np.round(np.maximum(self.held - covered, 0.0) @ self.weights + worth, _DIGITS)
            added[taken] = -np.inf
            taken.append(len(added) - 1 - int(np.argmax(added[::-1])))
            covered = np.maximum(covered, self.held[taken[-1]])
        return taken


def by_roots(claim: Collection[str], sentences: Sequence[Collection[str]]) -> Coverage:
    """Return what sentences hold of a claim in the same words; both are given as the roots of their words."""
    words = list(dict.fromkeys(claim))
    held = [[word in said for word in words] for said in map(set, sentences)]
    return Coverage(np.array(held, np.float64).reshape(len(sentences), len(words)), _weights(words, sentences))


def by_meaning(
    claim: Embedded, sentences: Sequence[str], vectors: Sequence[Mapping[str, npt.NDArray[np.int8]] | None]
) -> Coverage | None:
    """Return what sentences hold of a claim in words that mean much the same where they stand.

    ``vectors`` has, for each sentence, those of the words about it in lower case, as :class:`weft.model.Embedded` has
    them; a word is held as far as the nearest of the sentence lies to it (late interaction, Khattab and Zaharia 2020).
    None where those of the claim or about a sentence are not known.
    """
    known = [each for each in vectors if each is not None]
    if claim.word_vectors is None or not claim.words or len(known) < len(vectors):
        return None
    words = claim.word_vectors.astype(np.float64)
    near = [_nearest(words, *each) for each in zip(sentences, known, strict=True)]
    roots = [next(iter(content_roots(word)), word) for word in claim.words]
    length = np.square(words).sum(axis=1).mean()
    return Coverage(np.stack(near) / length, _weights(roots, [content_roots(each) for each in sentences]))


def _nearest(
    claim: npt.NDArray[np.float64], sentence: str, vectors: Mapping[str, npt.NDArray[np.int8]]
) -> npt.NDArray[np.float64]:
    """Return, for each word of the claim, how near the nearest word of the sentence is; 0 where it has none."""
    rows = [vectors[word] for word in _WORD.findall(sentence.lower()) if word in vectors]
    return np.max(claim @ np.stack(rows).T, axis=1) if rows else np.zeros(len(claim))


def _weights(words: Sequence[str], sentences: Sequence[Collection[str]]) -> npt.NDArray[np.float64]:
    found = Counter(word for said in sentences for word in set(said))
    weights = np.array([math.log((len(sentences) + 1) / (found[word] + 0.5)) for word in words])
    return weights / (weights.sum() or 1.0)
