"""Versions: of one text, told by its title («Metadata for Packages 1.2» takes the place of «… 1.1»), and of a thing.

Of Python's proposals eight are such versions with one before; of seven the authors had written down that it replaces
that one (by hand), though few say so in their texts.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

from weft.model import Status
from weft.reason.finding import Finding, shown
from weft.reason.quantity import UNITS
from weft.text import STOP_WORDS, fold

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from weft.model import Node

__all__ = ["LATER_VERSION", "differing_version", "succession", "versions"]

LATER_VERSION: Final = "later_version"
"""The name of this rule."""

_CONFIDENCE: Final = 0.8

_NUMBER: Final = re.compile(
    r"(?:(?<=[\s(\[,:–—-])|\A)(?P<word>v(?:er(?:sion|\.)?|\.)?|rev(?:ision|\.)?|edition)?\s?"
    r"(?P<number>\d{1,3}(?:\.\d{1,3}){0,3})[)\]]?\s*\Z",
    re.IGNORECASE,
)
_OF_THING: Final = re.compile(
    r"(?<![\w.])(?:(?P<bare>version) (?=\d)|(?P<name>[^\W\d_][\w+#-]{0,40}) (?=v\d|\d+\.\d))"
    r"(?P<version>v?\d{1,4}(?:\.\d{1,4}){0,3})(?![\w%]|\.\d)(?:\s(?P<unit>[^\W\d_]+))?",
    re.IGNORECASE,
)
_HAS_VERSIONS: Final = re.compile(
    r"\b(?:releas\w+|change\s?logs?|what['’]?s new|news|announc\w+|upgrad\w+|migrat\w+|minutes|meetings?|stand-?ups?"
    r"|reports?|status|weekly|daily|weeks?|days?|diary|journal|log|sprints?|retro\w*|milestones?"
    r"|calls?|talks?|interviews?|visits?|experiments?|trials?|runs?)\b"
    r"|\b(?:to|from|for|of|on|in|at|with|since|before|after|until"
    r"|sections?|chapters?|clauses?|articles?|paragraphs?|parts?|rates?|ratios?|factors?|levels?|thresholds?)\s*\Z",
    re.IGNORECASE,
)
"""Titles of what comes out anew and stays as it was, or tells of something that has versions, parts or a measure."""

_DAY: Final = re.compile(r"\.0\d")
"""A part that begins with nought: «12.05» is a day in May."""
_READ_MAX: Final = 20_000  # characters of a text

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


def differing_version(one: str, other: str) -> str:
    """Return what tells that two texts name one thing in two versions («one says Python 3.11, the other Python 3.12»).

    Empty where they do not. Whether both may hold is not said: «Python 3.12» may come beside «Python 3.11» or for it.
    """
    here = _things(one)
    there = _things(other) if here else {}
    apart = (name for name in here if name in there and here[name][0] != there[name][0])
    return next((f"one says {here[name][1]}, the other {there[name][1]}" for name in apart), "")


@lru_cache(maxsize=256)
def _things(text: str) -> Mapping[str, tuple[tuple[int, ...], str]]:
    """Return what ``text`` names in one version, by its folded name, with the version and how both are written."""
    found: dict[str, set[tuple[tuple[int, ...], str]]] = {}
    for match in _OF_THING.finditer(text[:_READ_MAX]):
        name = match["bare"] or match["name"]
        if fold(match["unit"] or "") not in UNITS:
            number = tuple(map(int, match["version"].lstrip("vV").split(".")))
            found.setdefault(fold(name), set()).add((_plain(number), f"{name} {match['version']}"))
    alone = {name: told for name, told in found.items() if len({number for number, _ in told}) == 1}
    return {name: min(told) for name, told in alone.items() if name not in STOP_WORDS}


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
    if not found["word"] and (len(name.split()) < _WORDS_MIN or _DAY.search(found["number"])):
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
