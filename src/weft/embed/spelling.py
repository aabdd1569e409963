"""What stands for a text, or the part of it, whose script the network cannot read: the letters it is written in.

The bundled network was made for English. A word of another script falls into single letters, or becomes the one token
that stands for everything unknown, and two texts of such tokens lie near each other whatever they say: half of all
random pairs in Russian at a similarity of 0.70. As far as a text is so, its vector is made of the groups of three
letters in its words instead, each at two places chosen by a hash (hash kernel: Weinberger et al. 2009). Texts of the
same words, in whatever forms, lie near each other then, and others do not.
"""

from __future__ import annotations

import math
import unicodedata
from collections import Counter
from functools import lru_cache
from hashlib import blake2b
from typing import TYPE_CHECKING, Final

import numpy as np

from weft.text import terms

if TYPE_CHECKING:
    import numpy.typing as npt
    from tokenizers import Encoding

__all__ = ["UNKNOWN", "in_pieces", "spelled", "understood"]

UNKNOWN: Final = "[UNK]"

_GROUP: Final = 3
"""Letters a group. With whole words or groups of four beside them, meaning alone finds fewer."""

_ENOUGH: Final = 0.8
"""The share of a text from which all of it counts as read. Of the messages of 90 languages, those in Latin letters have
0.87 and more, Chinese 0.28, and all others 0.15 and less."""


def understood(text: str, encoding: Encoding) -> float:
    """Return how far (0..1) the network reads ``text``, of which the tokenizer made ``encoding``: 1 for English.

    The share of its letters, digits and symbols that stand in a piece :func:`in_pieces` calls one, over 0.8 at most.
    """
    if text.isascii():
        return 1.0
    pieces = [_written(text[start:end]) for start, end in encoding.offsets]
    every = sum(map(len, pieces))
    known = sum(len(piece) for piece, token in zip(pieces, encoding.tokens, strict=True) if in_pieces(piece, token))
    return min(1.0, known / every / _ENOUGH) if every else 1.0


def in_pieces(piece: str, token: str) -> bool:
    """Return whether the network has a ``token`` for this ``piece`` of a text that means something by itself.

    A single letter of another alphabet does not, and what is unknown does not.
    """
    return token != UNKNOWN and (piece.isascii() or len(piece) > 1)


def spelled(text: str, vector: npt.NDArray[np.float32], share: float) -> npt.NDArray[np.float32]:
    """Return ``vector`` where the network reads all of ``text`` (``share`` is 1), and else what joins it with letters.

    Shapes (d,), length 1 each. The cosine of two such vectors is about what the network says of the parts it reads plus
    how many groups of letters the others share, weighed by these parts.
    """
    letters = _letters(text, len(vector)) if share < 1.0 else None
    if letters is None:
        return vector
    joined: npt.NDArray[np.float32] = math.sqrt(share) * vector + math.sqrt(1.0 - share) * letters
    return joined / np.float32(np.linalg.norm(joined))


def _letters(text: str, dimension: int) -> npt.NDArray[np.float32] | None:
    """Return the groups of letters in ``text`` as one vector of length 1; None: it has none."""
    made = np.zeros(dimension, np.float32)
    for group, count in Counter(group for term in terms(text) for group in _groups(term)).items():
        weight = 1.0 + math.log(count)
        for place, sign in _places(group, dimension):
            made[place] += sign * weight
    length = float(np.linalg.norm(made))
    return made / length if length else None


def _groups(term: str) -> list[str]:
    whole = f" {term} "
    return [whole[at : at + _GROUP] for at in range(len(whole) - _GROUP + 1)]


@lru_cache(maxsize=16_384)
def _places(group: str, dimension: int) -> tuple[tuple[int, int], ...]:
    """Return where a group is counted, and with which sign, the same on every machine."""
    drawn = blake2b(group.encode(), digest_size=8).digest()
    halves = (int.from_bytes(drawn[:4], "big"), int.from_bytes(drawn[4:], "big"))
    return tuple((half // 2 % dimension, 1 if half % 2 else -1) for half in halves)


def _written(piece: str) -> str:
    """Return the letters, marks and digits of ``piece``, and its symbols beyond ASCII."""
    return "".join(each for each in piece if each.isalnum() or (not each.isascii() and _is_symbol(each)))


def _is_symbol(character: str) -> bool:
    return unicodedata.category(character)[0] in "MS"
