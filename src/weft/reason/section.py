"""Headings that take back what stands under them: of options that were rejected, aims that were left out, drawbacks.

*Users may set this for a whole cluster* says one thing by itself and the contrary under «Non-goals».
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING, Final, NamedTuple

from weft.text.markup import plain

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Section", "denies", "heading_over", "is_taken_back", "sections", "stretches", "turns_over"]

_LONGEST: Final = 80  # characters of a heading
_HEADING: Final = re.compile(
    rf"^\#{{1,6}}[ \t]+(?P<marked>\S[^\n]{{0,{_LONGEST}}}?)[ \t]*\#*$"
    rf"|(?:\A|(?<=\n\n))(?P<underlined>\S[^\n]{{1,{_LONGEST}}})\n(?P<line>[=\-~^\"'*+])(?P=line){{2,{_LONGEST}}}$"
    rf"|^={{1,6}}[ \t]*(?P<wiki>[^=\s][^=\n]{{0,{_LONGEST}}}?)[ \t]*={{1,6}}[ \t]*$"
    rf"|^(?P<bold>\*\*[^*\n]{{1,{_LONGEST}}}\*\*:?|__[^_\n]{{1,{_LONGEST}}}__:?)[ \t]*$",
    re.MULTILINE,
)
_TAKES_BACK: Final = re.compile(
    r"\b(?:reject\w*|declin\w*|discarded|non[- ]?goals?|(?:out of|not in) scope|alternatives?|considered|future"
    r"|deferred|postponed|cons|drawbacks?|negative|disadvantages?|downsides?|risks?|trade-?offs?)\b",
    re.IGNORECASE,
)
"""Wordings as decision records and proposals have them (MADR, Nygard, Kubernetes', Python's).

By hand, with the claims of ``bench/quality/claims.jsonl`` on the half that is chosen on: with these headings before
their sentences the network tells what a document says from what it rules out in 76.5 of 100, without in 75.5, and it
loses in none of four sets; with every heading it loses 0.9 in one.
"""


_TURNS_OVER: Final = re.compile(
    r"\b(?:reject\w*|declin\w*|discarded|non[- ]?goals?|(?:out of|not in) scope|alternatives?)\b", re.IGNORECASE
)
"""Those of them under which a text says what it does not mean to be so; a drawback or a risk is one all the same."""


_DENIES: Final = re.compile(
    r"\b(?:not|no|never|none|cannot|without|reject\w*|declin\w*|discarded|dropped|ruled out|out of scope)\b|n['’]t\b",
    re.IGNORECASE,
)


class Section(NamedTuple):
    """A stretch of a text from its heading on, ``text[start:body]``, to where the next begins; ``heading`` is plain."""

    start: int
    body: int
    heading: str


def sections(text: str) -> tuple[Section, ...]:
    """Return the sections of ``text`` in order: by headings (Markdown, wiki, underlined) and bold lines. Linear."""
    return tuple(Section(found.start(), found.end(), _words(found)) for found in _HEADING.finditer(text))


def heading_over(place: int, within: Sequence[Section]) -> str:
    """Return the heading that a sentence at ``place`` stands under, if that takes back what it says; else nothing."""
    at = bisect_right(within, place, key=lambda each: each.start) - 1
    if at < 0 or place < within[at].body or not _TAKES_BACK.search(within[at].heading):
        return ""
    return within[at].heading


def stretches(text: str) -> tuple[tuple[str, bool], ...]:
    """Return ``text`` in stretches, each with whether it stands under a heading that takes it back. Linear."""
    within = sections(text) if _TAKES_BACK.search(text) else ()
    starts = [0, *(each.start for each in within)]
    back = [False, *(bool(_TAKES_BACK.search(each.heading)) for each in within)]
    ends = [*starts[1:], len(text)]
    return tuple((text[start:end], each) for start, end, each in zip(starts, ends, back, strict=True))


def turns_over(heading: str) -> bool:
    """Return whether a text means that not to be so which it says under ``heading``."""
    return bool(_TURNS_OVER.search(heading))


def is_taken_back(sentence: str) -> bool:
    """Return whether a sentence stands behind a word that takes it back («Rejected: …») and does not deny itself."""
    label, colon, rest = sentence[: _LONGEST + 2].partition(": ")
    return bool(colon and _TAKES_BACK.search(label)) and not denies(rest + sentence[_LONGEST + 2 :])


def denies(sentence: str) -> bool:
    """Return whether a sentence says itself that something is not so, and needs no heading for it."""
    return bool(_DENIES.search(sentence))


def _words(found: re.Match[str]) -> str:
    return plain(found["marked"] or found["underlined"] or found["wiki"] or found["bold"]).rstrip(".: ")
