"""What Weft is compared with: BM25 alone, the embedding alone, and the two joined by reciprocal rank.

BM25 is the Lucene form (k1 1.2, b 0.75) with English stop words and Snowball stems; the embedding is the bundled model
on title and text, each text one vector; the join is the usual one with k = 60 (Cormack, Clarke, Büttcher 2009).
"""

from __future__ import annotations

import hashlib
import os
from typing import TYPE_CHECKING, TypeAlias

import bm25s
import numpy as np
import numpy.typing as npt
import Stemmer

from weft.embed import open_embedder

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

Scores: TypeAlias = "npt.NDArray[np.float32]"

CONSTANT = 60
STEMMER = Stemmer.Stemmer("english")
NAMES = ("BM25", "embedding", "rank fusion")


class Anchors:
    """Scores of questions against texts; vectors are kept in the folder ``keep``."""

    def __init__(self, keep: Path) -> None:
        self._keep = keep
        self._embedder = open_embedder(None)

    def scores(self, texts: Sequence[str], questions: Sequence[str]) -> dict[str, Scores]:
        """Return for each anchor the scores, shape (questions, texts); higher is better."""
        words = bm25(texts, questions)
        meaning = self.vectors(questions) @ self.vectors(texts).T
        return dict(zip(NAMES, (words, meaning, fused(words, meaning)), strict=True))

    def vectors(self, texts: Sequence[str]) -> Scores:
        """Return one vector a text, shape (texts, dimension)."""
        name = hashlib.sha256("\0".join((self._embedder.name, *texts)).encode()).hexdigest()[:16]
        path = self._keep / f"{name}.npy"
        if not path.is_file():
            part = path.with_suffix(f".{os.getpid()}")  # a run that is broken off leaves no half of a file
            with part.open("wb") as file:
                np.save(file, self._embedder.embed(texts))
            part.replace(path)
        vectors: Scores = np.load(path)
        return vectors


def bm25(texts: Sequence[str], questions: Sequence[str]) -> Scores:
    """Return BM25 scores, shape (questions, texts)."""
    index = bm25s.BM25(method="lucene", k1=1.2, b=0.75)
    index.index(_words(texts), show_progress=False)
    found = np.zeros((len(questions), len(texts)), np.float32)
    for row, words in enumerate(_words(questions)):
        known = [word for word in words if word in index.vocab_dict]
        if known:
            found[row] = index.get_scores(known)
    return found


def fused(first: Scores, second: Scores) -> Scores:
    """Return the reciprocal-rank fusion of two score matrices."""
    return sum((1 / (CONSTANT + 1 + _ranks(each)) for each in (first, second)), np.zeros_like(first))


def _words(texts: Sequence[str]) -> list[list[str]]:
    cut: list[list[str]] = bm25s.tokenize(
        list(texts), stopwords="en", stemmer=STEMMER, return_ids=False, show_progress=False
    )
    return cut


def _ranks(scores: Scores) -> Scores:
    order = np.argsort(-scores, axis=1, kind="stable")
    ranks = np.empty_like(order)
    np.put_along_axis(ranks, order, np.arange(scores.shape[1])[None, :], axis=1)
    return ranks.astype(np.float32)
