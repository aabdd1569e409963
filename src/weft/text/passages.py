"""Passages: where a text may be cut, and what of it is shown."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from weft.text.punctuation import CLOSERS, STOPS
from weft.text.scripts import PACKED
from weft.text.tokens import terms

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Span", "snippet", "split"]

CHARACTERS_MAX: Final = 900
WORDS_MAX: Final = 130
PASSAGES_MAX: Final = 500

_UNIT = re.compile(rf"[{PACKED}]{{1,2}}|(?:(?![{PACKED}])\S){{1,32}}")
_SENTENCE_ENDS = frozenset(f".!?…{STOPS}")
_HEADING, _PARAGRAPH, _LINE, _SENTENCE, _WORD, _INSIDE = 5, 4, 3, 2, 1, 0
# The fewest words a passage must hold before a break of that strength may end it.
_WORDS_MIN = {_HEADING: 30, _PARAGRAPH: 60, _LINE: 80, _SENTENCE: 80, _WORD: 1, _INSIDE: 1}


class Span(NamedTuple):
    """A stretch of a text: ``text[start:end]``, in characters."""

    start: int
    end: int


def split(text: str) -> tuple[Span, ...]:
    """Return the passages of ``text``: spans that follow on one another and together cover it.

    A passage holds about 90 to 130 words and at most 900 characters, and ends where the text itself pauses: before a
    heading, at the end of a paragraph, line or sentence, else between words, and only in a run of more than 32
    characters without space within it. There are at most 500; a text too long for that gets passages of twice the
    size, or four times, and so on. The empty text is one empty span.
    """
    units = tuple(match.span() for match in _UNIT.finditer(text))
    scale = 1
    while True:
        spans = _Packing(text, units, scale).spans()
        if len(spans) <= PASSAGES_MAX:
            return spans
        scale *= 2


@dataclass(frozen=True, slots=True)
class _Packing:
    """One attempt at passages of ``scale`` times the usual size; ``units`` are the words' places."""

    text: str
    units: tuple[tuple[int, int], ...]
    scale: int

    def spans(self) -> tuple[Span, ...]:
        """Return the passages, or the first 501 where there would be more."""
        text, units = self.text, self.units
        characters_max, words_max = CHARACTERS_MAX * self.scale, WORDS_MAX * self.scale
        spans: list[Span] = []
        start = first = 0
        while len(text) - start > characters_max or len(units) - first > words_max:
            last = first
            while last < len(units) and last - first <= words_max and units[last][0] - start <= characters_max:
                last += 1
            cut = self.best_cut(first, last - 1)
            # White space alone may be longer than a passage: then it is cut where the passage is full.
            end = units[cut][0] if cut > first else start + characters_max
            spans.append(Span(start, end))
            start, first = end, cut
            if len(spans) > PASSAGES_MAX:
                return tuple(spans)
        return (*spans, Span(start, len(text)))

    def best_cut(self, first: int, last: int) -> int:
        """Return the unit, ``last`` at most, before which a passage from ``first`` on ends best (``first``: none)."""
        best, strongest = first, -1
        for at in range(last, first, -1):
            strength = _strength(self.text, self.units[at - 1][1], start=self.units[at][0])
            if strength > strongest and at - first >= _WORDS_MIN[strength] * self.scale:
                best, strongest = at, strength
        return best


def _strength(text: str, end: int, *, start: int) -> int:
    """Return how strongly the text pauses between a unit that ends at ``end`` and the next, at ``start``."""
    gap = text[end:start]
    newlines = gap.count("\n")
    if newlines:
        if text[start] == "#":
            return _HEADING
        return _PARAGRAPH if newlines > 1 else _LINE
    tail = text[max(0, end - 4) : end].rstrip(CLOSERS)
    if tail[-1:] in _SENTENCE_ENDS and (gap or not tail.isascii()):
        return _SENTENCE
    return _WORD if gap else _INSIDE


_SNIPPET_WORD = re.compile(r"\S+")


def snippet(text: str, words: Sequence[str], *, start: int, end: int, limit: int = 240) -> str:
    """Return at most ``limit`` characters of ``text[start:end]`` on one line, where most of ``words`` stand.

    ``words`` are terms (see :func:`terms`). Cut sides carry an ellipsis, and the cut falls between words where there is
    one.
    """
    region = text[start:end]
    flat = " ".join(region.split())
    if len(flat) <= limit:
        return flat
    wanted = frozenset(words)
    places = [match.span() for match in _SNIPPET_WORD.finditer(flat)]
    held = [wanted.intersection(terms(flat[a:b])) if wanted else frozenset() for a, b in places]
    first = _densest(places, held, width=limit - 2)
    return _cut(flat, places[first][0], limit=limit)


def _densest(places: Sequence[tuple[int, int]], held: Sequence[frozenset[str]], *, width: int) -> int:
    """Return the first place of the window of ``width`` characters that holds the most different words, then most."""
    best, best_score = 0, (0, 0)
    counts: dict[str, int] = {}
    left = 0
    for right, found in enumerate(held):
        for word in found:
            counts[word] = counts.get(word, 0) + 1
        while places[right][1] - places[left][0] > width and left < right:
            for word in held[left]:
                counts[word] -= 1
            left += 1
        score = (sum(count > 0 for count in counts.values()), sum(counts.values()))
        if found and score > best_score:
            best, best_score = left, score
    return best


def _cut(flat: str, start: int, *, limit: int) -> str:
    before = "…" if start else ""
    room = limit - len(before)
    if len(flat) - start <= room:
        return before + flat[start:]
    piece = flat[start : start + room - 1]
    space = piece.rfind(" ")
    return before + (piece[:space] if space > room // 2 else piece) + "…"
