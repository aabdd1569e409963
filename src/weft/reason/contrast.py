"""What stands between two statements in the same words: small words that lead elsewhere, and other times.

«We migrate to Mongo» and «We migrate from Mongo», «until 2027» and «from 2027», «can» and «must», «was» and «is» share
all that carries subject matter. And what holds at one time, of one thing, under one condition or of some is no denial
of what holds at another: «not on call this week» and «on call next week», «Ann» and «Ann's son», «ticket 81» and
«ticket 82», «some tests pass» and «some tests fail»; nor is a plan, or what somebody says, of what is.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from weft.reason.lexicon import words

if TYPE_CHECKING:
    from collections.abc import Iterable

    from weft.reason.clause import Clause, Word

__all__ = ["belongs_elsewhere", "contrasted", "elsewhere", "is_headed"]

_CONTRASTS: Final = tuple(
    (frozenset(one.split()), frozenset(other.split()))
    for one, other in (
        ("to into onto", "from"),
        ("until till", "from since"),
        ("before", "after during"),
        ("during", "after"),
        ("with", "against"),
        ("for", "against from"),
        ("with", "for"),
        ("can", "must"),
        ("was were", "is are"),
        ("had", "has have"),
        ("will", "is are was were"),
        ("mostly largely mainly partly partially", "fully entirely completely wholly"),
        ("somewhat slightly", "very extremely"),
        ("anyone anybody", "someone somebody"),
        ("need needs", "use uses used"),
    )
)
"""Of each pair a text that has the one where the other text has the other says something else."""

_DAY: Final = r"today|tonight|tomorrow|yesterday"
_TURN: Final = (
    r"(?:this|last|next|previous|coming|past)\s+"
    r"(?:week|month|year|quarter|sprint|season|semester|spring|summer|autumn|fall|winter|night|morning|weekend|release"
    r"|mon|tues|wednes|thurs|fri|satur|sun)(?:day)?"
)
_WHEN: Final = re.compile(rf"\b(?:{_DAY}|{_TURN})\b", re.IGNORECASE)
_ONCE: Final = re.compile(
    r"\b(?:used\s+to(?=\s+\w+\b(?<!ing))|formerly|previously|originally|initially|at\s+first|in\s+the\s+past"
    r"|as\s+a\s+(?:child|kid|student|teenager)|for\s+(?:many\s+)?years|back\s+then|in\s+those\s+days)\b",
    re.IGNORECASE,
)
_PLANNED: Final = re.compile(
    r"\b(?:will|shall|going\s+to|plans?\s+to|aims?\s+to|hopes?\s+to|intends?\s+to|wants?\s+to|(?:the|our)\s+(?:target|goal|aim)"
    r"|asked\s+for|(?:says?|said|thinks?|thought|told\s+\w+)\s+that|in\s+theory|in\s+principle|soon)\b|['\u2019]ll\b",
    re.IGNORECASE,
)
"""How a sentence says when it holds, that it held once, and that it does not say itself that it holds."""

_OWNED: Final = re.compile(r"(\w+)['\u2019]s\s+(\w+)")
_ACRONYM: Final = re.compile(r"(?<![\w-])[A-Z]{2,5}(?![\w-])")
_INSTANCE: Final = re.compile(
    r"\b(ticket|issue|bug|task|story|incident|case|request|pull request|pr|migration|invoice|order|build|run|room)\s+"
    r"(?:no\.?\s+)?#?(\d+)\b"
)
_SOME: Final = re.compile(
    r"\A\W*(?:some|several|half|parts?|many|certain|(?:one|two|three|few|most) of|\d+\s?% of)\b(?!\s+(?:one|thing))",
    re.IGNORECASE,
)
"""At the head of a sentence it speaks of some; «stores some of the sessions» speaks of the same ones, denied or not."""
_EXCEPT: Final = re.compile(
    r"\b(?:except|excepting|excluding|save for|apart from|other than"
    r"|but (?:on )?(?:mon|tues|wednes|thurs|fri|satur|sun)days?)\b",
    re.IGNORECASE,
)
_NO_MORE: Final = re.compile(
    r"\b(?:no|never|not|none|cannot)\b[^.;]{0,80}\b(?:more|less|fewer|longer|larger|greater|over|above|below|exceed\w*)\b"
    r"(?:\s+than)?\s+\W?\d",
    re.IGNORECASE,
)
_AT_MOST: Final = re.compile(
    r"\b(?:up to|at (?:most|least)|limit(?:ed)?|maxim(?:um|ally)|minimum|max|min|capped|no (?:more|less|fewer) than)\b",
    re.IGNORECASE,
)
_CONDITION: Final = re.compile(r"\b(?:when|while|if|whenever)\b(?P<said>[^,.;]+)", re.IGNORECASE)
_SAID_OF: Final = words("is are was were be has have had do does did will can must should not")
_WORD: Final = re.compile(r"\w+")


def contrasted(here: Iterable[Word], there: Iterable[Word]) -> bool:
    """Return whether a small word stands on one side only, and on the other only one that leads elsewhere."""
    mine, yours = ({word.form for word in side} for side in (here, there))
    only, others = mine - yours, yours - mine
    return any(
        (one & only and other & others and not other & mine and not one & yours)
        or (one & others and other & only and not other & yours and not one & mine)
        for one, other in _CONTRASTS
    )


def belongs_elsewhere(one: str, other: str) -> bool:
    """Return whether both say whose something is, and differ: «Bob is Ann's manager», «Ann is Bob's manager»."""
    mine, yours = ({owner for owner, _ in _OWNED.findall(each.casefold())} for each in (one, other))
    return bool(mine and yours and mine != yours)


def elsewhere(one: str, other: str) -> bool:
    """Return whether two statements that clash may both hold: of other times, things or conditions, or of some."""
    return (
        not _at_one_time(one, other)
        or _owns(one, other)
        or _owns(other, one)
        or _apart(_ACRONYM.findall(one), _ACRONYM.findall(other))
        or _apart(_numbered(one), _numbered(other))
        or (bool(_SOME.search(one)) and bool(_SOME.search(other)))
        or _on_conditions(one, other)
        or bool(_EXCEPT.search(one)) != bool(_EXCEPT.search(other))
        or _bounded(one, other)
        or _bounded(other, one)
    )


def _at_one_time(one: str, other: str) -> bool:
    """Whether two statements may speak of the same time, and neither alone of a plan, a report or of once."""
    here, there = _time(one), _time(other)
    return here[1:] == there[1:] and (not here[0] or not there[0] or here[0] == there[0])


def _owns(sentence: str, other: str) -> bool:
    """Whether the one speaks of something of whom the other speaks of: «Ann's son», «Ann»."""
    held = other.casefold()
    return any(
        re.search(rf"\b{re.escape(owner)}\b(?!['\u2019]s)", held) and not re.search(rf"\b{re.escape(owned)}\b", held)
        for owner, owned in _OWNED.findall(sentence.casefold())
    )


def _bounded(one: str, other: str) -> bool:
    """Whether the one denies more than a number, and the other has it for a bound: «never more than 50», «up to 50»."""
    return bool(_NO_MORE.search(one)) and bool(_AT_MOST.search(other)) and not _NO_MORE.search(other)


def _apart(here: Iterable[str], there: Iterable[str]) -> bool:
    """Whether each names what the other does not."""
    mine, yours = set(here), set(there)
    return bool(mine - yours and yours - mine)


def _numbered(text: str) -> list[str]:
    return [" ".join(each) for each in _INSTANCE.findall(text.lower())]


def _on_conditions(one: str, other: str) -> bool:
    """Whether both hold under a condition, and not under the same: «off when it is warm», «on when it is cold»."""
    here, there = _CONDITION.search(one), _CONDITION.search(other)
    if not here or not there:
        return False
    mine, yours = (set(_WORD.findall(each["said"].lower())) for each in (here, there))
    return bool(mine - yours and yours - mine)


def is_headed(clause: Clause, more: frozenset[str], shared: frozenset[str]) -> bool:
    """Whether a word that one clause alone has makes what both speak of a part of it: «repository», «repository wiki».

    It stands right behind a shared word, and before what is said of it or the end.
    """
    following = [word.form for word in clause.words[2:]]
    return any(
        first.root in shared
        and second.root in more
        and not second.form.endswith("ly")
        and (third in _SAID_OF or not third)
        for (first, second), third in zip(pairwise(clause.words), [*following, ""], strict=False)
    )


@lru_cache(maxsize=1024)
def _time(text: str) -> tuple[frozenset[str], bool, bool]:
    """Return the times that a text names, and whether it tells of once, and of what is planned or said."""
    when = frozenset(" ".join(each.lower().split()) for each in _WHEN.findall(text))
    return when, bool(_ONCE.search(text)), bool(_PLANNED.search(text))
