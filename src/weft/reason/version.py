"""Versions of one text, told by their titles: «Metadata for Packages 1.2» takes the place of «… 1.1».

Of the proposals of three communities that are such versions, each with the one before, authors had written down of
eight in nine that the later replaces the earlier (by hand), though few say so in their texts.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

from weft.model import Status
from weft.reason.finding import Finding, shown
from weft.text import fold

if TYPE_CHECKING:
    from collections.abc import Iterable

    from weft.model import Node

__all__ = ["LATER_VERSION", "succession", "versions"]

LATER_VERSION: Final = "later_version"
"""The name of this rule."""

_CONFIDENCE: Final = 0.8

_NUMBER: Final = re.compile(
    r"(?:(?<=[\s(\[,:–—-])|\A)(?P<word>v(?:er(?:sion|\.)?|\.)?|rev(?:ision|\.)?|edition)?\s?"
    r"(?P<number>\d{1,3}(?:\.\d{1,3}){0,3})[)\]]?\s*\Z",
    re.IGNORECASE,
)
_HAS_VERSIONS: Final = re.compile(
    r"\b(?:releas\w+|change\s?logs?|what['’]?s new|news|announc\w+|upgrad\w+|migrat\w+|minutes|meetings?|stand-?ups?"
    r"|reports?|status|weekly|daily|weeks?|days?|diary|journal|log|sprints?|retro\w*|milestones?)\b"
    r"|\b(?:to|from|for|of|on|in|at|with|since|before|after|until)\s*\Z",
    re.IGNORECASE,
)
"""Titles of what comes out anew and stays as it was, or tells of something that has versions."""

_WORDS_MIN: Final = 3
"""Words of a name beside which a bare «1.2» counts as a version: «Python 3.11» is a thing, «Section 1.2» a part."""


class _Version(NamedTuple):
    name: str
    number: tuple[int, ...]


def versions(new: Node, others: Iterable[Node]) -> tuple[Node, ...]:
    """Return those of ``others`` that are another version of what ``new`` is: one name in one ontology, two numbers."""
    own = _version(new.title)
    if own is None:
        return ()
    return tuple(
        each
        for each in others
        if each.id != new.id
        and each.ontology == new.ontology
        and (other := _version(each.title)) is not None
        and other.name == own.name
        and other.number != own.number
    )


def succession(new: Node, found: Iterable[Node]) -> tuple[Finding, ...]:
    """Return that ``new`` takes the place of the version right before it of those ``found``, and the next that of it.

    ``found`` are other :func:`versions` of it; those that are superseded already are left out, and of two that have one
    number neither is before the other.
    """
    standing = (each for each in found if each.status is not Status.SUPERSEDED)
    line = sorted((new, *standing), key=lambda each: (_number(each), each.id))
    return tuple(
        _finding(later, earlier)
        for earlier, later in pairwise(line)
        if new in (earlier, later) and _number(earlier) < _number(later)
    )


def _finding(later: Node, earlier: Node) -> Finding:
    return Finding(
        rule=LATER_VERSION,
        source_id=later.id,
        target_id=earlier.id,
        type="supersedes",
        confidence=_CONFIDENCE,
        reasoning=f"By their titles «{shown(later.title)}» is a later version of «{shown(earlier.title)}».",
        scores=((LATER_VERSION, 1.0),),
        action="suggest",
    )


def _number(node: Node) -> tuple[int, ...]:
    told = _version(node.title)
    return told.number if told else ()


@lru_cache(maxsize=4096)
def _version(title: str) -> _Version | None:
    """Return what a title names and in which version, the first where it tells of none; None: it has none."""
    found = _NUMBER.search(title)
    if found is None or not (found["word"] or "." in found["number"]):
        return _of_name(title, (1,))
    name = title[: found.start()]
    if not found["word"] and len(name.split()) < _WORDS_MIN:
        return None
    return _of_name(name, tuple(map(int, found["number"].split("."))))


def _of_name(name: str, number: tuple[int, ...]) -> _Version | None:
    folded = fold(name).strip(" ,:([–—-")
    return None if not folded or _HAS_VERSIONS.search(name) else _Version(folded, _plain(number))


def _plain(number: tuple[int, ...]) -> tuple[int, ...]:
    """Return the number without noughts at its end: 2.0 is 2."""
    while len(number) > 1 and not number[-1]:
        number = number[:-1]
    return number
