"""What passages should hold, worked out from the log: their words and the form of their vectors."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

import numpy as np

from weft.model import Origin
from weft.store.plans import passage_values

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from weft.store.plans import Wording

__all__ = ["Sizes", "broken_vectors", "expected_words", "node_said", "varints", "words_said"]

Read: TypeAlias = "Callable[..., list[tuple[Any, ...]]]"

PAGE: Final = 500
_UNIT_ERROR_MAX: Final = 0.02  # a unit vector kept as 16-bit floats is off by less than 0.001
_MORE: Final = 0x80
_NO_WORDS: Final = {"name_words": "", "body_words": "", "terms": "[]"}


class Sizes:
    """How many words each passage has in the full text, read in order of the rows."""

    def __init__(self, read: Read) -> None:
        self._held: Iterator[tuple[int, bytes]] = _paged(read, "words_sizes")
        self._next = next(self._held, None)
        self._surplus = 0

    def of(self, row: int) -> tuple[int, ...] | None:
        """Return the counts of the columns of ``row``; rows are asked for in ascending order."""
        while self._next is not None and self._next[0] < row:
            self._surplus += 1
            self._next = next(self._held, None)
        if self._next is None or self._next[0] != row:
            return None
        packed = self._next[1]
        self._next = next(self._held, None)
        return varints(packed)

    def surplus(self) -> int:
        """Return how many rows of the full text nobody asked for."""
        return self._surplus + (self._next is not None) + sum(1 for _ in self._held)


def varints(packed: bytes) -> tuple[int, ...]:
    """Return the numbers that SQLite packed: seven bits a byte, the first ones highest."""
    numbers, number = [], 0
    for byte in packed:
        number = number << 7 | byte & 0x7F
        if byte < _MORE:
            numbers.append(number)
            number = 0
    return tuple(numbers)


def _paged(read: Read, name: str) -> Iterator[tuple[Any, ...]]:
    row = 0
    while page := read(name, row=row, limit=PAGE):
        yield from page
        row = page[-1][0]


def expected_words(read: Read) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield each passage's row and the words that it should have: none where the log does not tell.

    A passage's text is what the log says of its node at the change that brought the passage, so that the past is found
    by its own words.
    """
    at, node = 0, None
    for row, seq, ordinal, start, end in _paged(read, "passages_all"):
        if seq != at:  # the passages of a text come together
            lines = read("change_after", seq=seq)
            at, node = seq, node_said(lines[0][0] if lines else None)
        yield row, words_said(node, ordinal, start, end)


class Said(NamedTuple):
    """As much of a node as its words are cut from."""

    title: str
    aliases: tuple[str, ...]
    search_terms: tuple[str, ...]
    tags: tuple[str, ...]
    content: str
    origin: Origin


def node_said(text: str | None) -> Said | None:
    """Return what a line of the log made of a node; None where it tells of none."""
    try:
        data = json.loads(text or "null")
        aliases, search_terms, tags = (tuple(data.get(name, ())) for name in ("aliases", "search_terms", "tags"))
        origin = Origin(data.get("origin", Origin.MANUAL))
        return Said(data["title"], aliases, search_terms, tags, data["content"], origin)
    except (AttributeError, ValueError, KeyError, TypeError):
        return None


def words_said(node: Wording | None, ordinal: int, start: int, end: int) -> dict[str, Any]:
    """Return the words that a passage of ``node`` should have; none where no node is known."""
    return _NO_WORDS if node is None else passage_values(node, ordinal, start, end)


def broken_vectors(read: Read, told: Callable[[int], None] | None = None) -> list[int]:
    """Return the rows of the passages whose vector is of another length than the graph's, or none of length 1."""
    known: dict[str, str] = dict(read("meta_values"))
    size = 2 * int(known.get("dimension", 0))
    broken: list[int] = []
    row = 0
    while page := read("passage_vectors", row=row, limit=PAGE):
        whole = [(row, vector) for row, vector in page if len(vector) == size]
        broken += [row for row, vector in page if len(vector) != size]
        matrix = np.frombuffer(b"".join(vector for _, vector in whole), "<f2").reshape(len(whole), size // 2)
        off = ~(np.abs(np.linalg.norm(matrix.astype(np.float32), axis=1) - 1) < _UNIT_ERROR_MAX)
        broken += [row for (row, _), wrong in zip(whole, off.tolist(), strict=True) if wrong]
        row = page[-1][0]
        if told is not None:
            told(len(page))
    return broken
