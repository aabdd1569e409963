"""From the numbers that the network gives for each token to one vector for each word that has a meaning of its own.

Compared word by word, a question finds what the one vector of a whole passage has no room for (late interaction:
Khattab and Zaharia 2020, ColBERT). A word cut into several tokens gets their mean, and one that comes again is kept
where it stands first: the others would take a third of the room, and find nothing more.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Final

import numpy as np

from weft.embed.spelling import in_pieces
from weft.text import STOP_WORDS

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt
    from tokenizers import Encoding

__all__ = ["WIDTH", "pooled", "told"]

WIDTH: Final = 48
"""Numbers a word. On the questions that were chosen on, 32 find half a point of recall less, and 64 no more."""

_LENGTH: Final = 127  # of a word's vector, in the steps of its whole numbers


def pooled(
    text: str, encoding: Encoding, states: npt.NDArray[np.float32]
) -> tuple[tuple[str, ...], npt.NDArray[np.int8]]:
    """Return the words of ``text`` in lower case and their vectors, shape (words, 48), each of about length 127.

    ``encoding`` is what the tokenizer made of the text, ``states`` (tokens, 48) what the network made of that.
    """
    kept = told(text, encoding)
    if not kept:
        return (), np.empty((0, WIDTH), np.int8)
    means = np.stack([states[tokens].sum(axis=0) for tokens in kept.values()])
    means *= _LENGTH / np.maximum(np.linalg.norm(means, axis=1, keepdims=True), 1e-6)
    return tuple(kept), np.rint(means).astype(np.int8)


def told(text: str, encoding: Encoding) -> dict[str, slice]:
    """Return the words of ``text`` that get a vector, in lower case, with the place of their tokens.

    Stop words are left out, unless there are no others, and so is whatever holds no letter and no digit, and every word
    of a script that the network cannot read.
    """
    found: dict[str, slice] = {}
    for word, tokens in _spans(text, encoding):
        found.setdefault(word, tokens)
    return {word: tokens for word, tokens in found.items() if word not in STOP_WORDS} or found


def _spans(text: str, encoding: Encoding) -> Iterator[tuple[str, slice]]:
    """Yield each word with the place of its tokens."""
    offsets, tokens = encoding.offsets, encoding.tokens  # made anew, as whole lists, whenever they are asked for
    for word, places in groupby(range(len(offsets)), key=encoding.word_ids.__getitem__):
        held = list(places)
        said = "" if word is None else text[offsets[held[0]][0] : offsets[held[-1]][1]].lower()
        pieces = ((text[slice(*offsets[place])], tokens[place]) for place in held)
        if any(map(str.isalnum, said)) and any(in_pieces(piece, token) for piece, token in pieces):
            yield said, slice(held[0], held[-1] + 1)
