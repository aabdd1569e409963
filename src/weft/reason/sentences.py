"""Where sentences begin and end, with exact offsets."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from weft.text import Span
from weft.text.punctuation import CLOSING, STOPS

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["phrases", "phrasing", "sentences"]

_PART: Final = re.compile(r"\n\s*\n|\n(?=[ \t]*(?:[-*+>|#]|\d+[.)])\s)")
_HEADING: Final = re.compile(r"^#[^\n]*\n", re.MULTILINE)

# After a stop that means nothing else no space needs to follow. What closes a bracket or a quotation there is still the
# sentence's, and so is a mark that opens as well as it closes, where nothing is left for it to open. A row of stops is
# tried as a whole, from its first one on: there may be as many as there are characters.
_END: Final = re.compile(
    rf"(?<![.!?…])[.!?…]++[\"'`\u201c\]*_{CLOSING}]{{0,4}}(?=\s)"
    rf"|[{STOPS}]+[\]{CLOSING}]{{0,4}}(?:[\"'*_`\u201c]{{1,4}}(?=\s|\Z))?"
)
# After these a full stop ends no sentence; nor does it after a single letter (initials, «e.g.»).
_ABBREVIATIONS: Final = frozenset(
    (
        "al",
        "approx",
        "ca",
        "cf",
        "dr",
        "eq",
        "etc",
        "fig",
        "incl",
        "mr",
        "mrs",
        "ms",
        "no",
        "prof",
        "resp",
        "sec",
        "st",
        "vs",
    )
)
_LAST_WORD: Final = re.compile(r"(\w*)[^\w]*\Z")
_WORD_MAX: Final = 20


def sentences(text: str, start: int, *, end: int) -> tuple[Span, ...]:
    """Return the sentences of ``text[start:end]``, without the white space around them. Linear.

    A full stop after an abbreviation or a single letter, or before a small letter, ends none.
    """
    found: list[Span] = []
    begin = start
    for match in _END.finditer(text, start, end):
        if _ends(text, match, end=end):
            found.append(_trimmed(text, begin, end=match.end()))
            begin = match.end()
    found.append(_trimmed(text, begin, end=end))
    return tuple(span for span in found if span.end > span.start)


def phrases(text: str) -> tuple[str, ...]:
    """Return the sentences of a whole text; a heading, a paragraph and an item of a list each end one. Linear."""
    return tuple(text[span.start : span.end] for span in phrasing(text))


def phrasing(text: str) -> tuple[Span, ...]:
    """Return where the :func:`phrases` of ``text`` stand in it."""
    found: list[Span] = []
    for start, end in _between(_PART, text, 0, end=len(text)):
        for begin, stop in _between(_HEADING, text, start, end=end):
            found += sentences(text, begin, end=stop)
    return tuple(found)


def _between(mark: re.Pattern[str], text: str, start: int, *, end: int) -> Iterator[tuple[int, int]]:
    """Yield the stretches of ``text[start:end]`` that end where a mark does, and what is left behind the last."""
    begin = start
    for found in mark.finditer(text, start, end):
        yield begin, found.end()
        begin = found.end()
    yield begin, end


def _ends(text: str, match: re.Match[str], *, end: int) -> bool:
    if match.group()[0] != ".":
        return True
    following = text[match.end() : min(match.end() + _WORD_MAX, end)].lstrip()
    if following[:1].islower():
        return False
    word = _LAST_WORD.search(text[max(0, match.start() - _WORD_MAX) : match.start()])
    last = word.group(1).lower() if word else ""
    return last not in _ABBREVIATIONS and not (len(last) == 1 and last.isalpha())


def _trimmed(text: str, start: int, *, end: int) -> Span:
    piece = text[start:end]
    begin = start + len(piece) - len(piece.lstrip())
    return Span(begin, max(begin, start + len(piece.rstrip())))
