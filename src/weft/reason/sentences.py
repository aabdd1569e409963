"""Where sentences begin and end, with exact offsets."""

from __future__ import annotations

import re
from typing import Final

from weft.text import Span
from weft.text.punctuation import CLOSING, STOPS

__all__ = ["phrases", "sentences"]

_PART: Final = re.compile(r"\n\s*\n|\n(?=[ \t]*(?:[-*+>|#]|\d+[.)])\s)")
_HEADING: Final = re.compile(r"^(#[^\n]*)\n", re.MULTILINE)

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
    parts = _PART.split(_HEADING.sub(r"\1\n\n", text))
    return tuple(part[span.start : span.end] for part in parts for span in sentences(part, 0, end=len(part)))


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
