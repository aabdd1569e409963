"""What two texts settle otherwise: for one matter one names Postgres and the other MongoDB, in one turn of speech.

Where a matter has one value by the verb that is used (what was chosen for it, where it is kept, who leads it, the bound
from which it holds), two values are worth a look. The network that reads both is of little use here: it gave «we picked
GraphQL for the public API» beside «we picked REST …» a conflict of 0.08, and «it depends on Postgres» beside «it
depends on Redis» one of 0.92, though what may be many («supports», «depends on») is named one after the other.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from weft.reason.clause import root
from weft.reason.seconding import on_one_level
from weft.reason.sentences import phrases
from weft.reason.version import differing_version
from weft.text import STOP_WORDS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

__all__ = ["differing_choice", "named_beside", "said_otherwise"]

_READ_MAX: Final = 8_000  # characters of a text: of two passages
_WORD: Final = r"[^\s,;:!?()\[\]«»“”\"]*[^\s,;:!?.()\[\]«»“”\"]"
_START: Final = r"(?:\A|(?<=[:,]\s)|(?<=\n)|(?<=\band\s))"
_END: Final = (
    r"(?=\s*(?:[.,:](?!\d)|[;!?()\n«»“”\"]|\Z)|\s(?:because|since|as it|and|but|so|which|that|until|while|when|where|if"
    r"|over|instead|rather|now|from|in order|today|again|once|first|only|always|before|after)\b)"
)
_NAME: Final = rf"(?P<value>{_WORD}(?: {_WORD}){{0,2}}?)"
_VALUE: Final = rf"(?P<value>{_WORD}(?: {_WORD}){{0,4}}?)"
_BEHIND: Final = rf"(?P<matter>{_WORD}(?: {_WORD}){{0,4}}?)"
_MATTER: Final = rf"(?P<matter>(?:{_WORD} ){{1,6}}?)"

_CHOSEN: Final = re.compile(
    r"\b(?:ch(?:oo|o)se|chosen|pick(?:ed|s)?|select(?:ed|s)?|adopt(?:ed|s)?|us(?:e|es|ing)|(?:go(?:es|ing)?|went) with"
    r"|(?:settled?|decided?|standardi[sz]ed?|agreed) on|(?:decided|chose|agreed) to (?:use|adopt|go with)"
    rf"|opt(?:ed)? for|(?:switch|migrat|mov)(?:ed|ing) to) {_NAME}"
    rf"(?: (?:over|instead of|rather than) {_WORD}(?: {_WORD})?)? (?:for|as) {_BEHIND}{_END}",
    re.IGNORECASE,
)
_SETTLED: Final = re.compile(
    r"\b(?:we|they|team|group|board) (?:have |has )?"
    rf"(?P<matter>standardi[sz]ed? on|settled? on|deploys? with|build with|switched to|migrated to) {_NAME}{_END}",
    re.IGNORECASE,
)
_PLACED: Final = re.compile(
    rf"{_START}{_MATTER}(?:is|are) (?:now |always |all |only )?(?!(?:us|caus|need|affect|follow|translat)ed\b)"
    r"(?P<verb>[a-z]{1,11}(?:ed|en|ilt|ept|eld|ent|ade|un|ead|old|aid|awn|ung)|done|set|put)"
    rf" (?P<how>in|on|with|by|to|at|as|through|via) {_VALUE}{_END}",
    re.IGNORECASE,
)
_STANDS: Final = re.compile(
    rf"{_START}{_MATTER}(?P<verb>runs?|lives?|go(?:es)?|sits?|stays?|defaults?|points?|reports?|listens?|belongs?)"
    rf" (?P<how>in|on|to|with|at) {_VALUE}{_END}",
    re.IGNORECASE,
)
_BOUND: Final = re.compile(
    rf"{_START}{_MATTER}(?P<how>above|below|over|under|beyond|after|before)"
    rf" (?P<value>\d[\d.,:]*(?<![.,:])(?: ?(?:[^\W\d_]{{1,20}}|%|°C))?){_END}",
    re.IGNORECASE,
)
_LED: Final = re.compile(
    rf"{_START}(?P<value>[^\W\d_]\w{{1,30}}) (?P<verb>leads|owns|maintains|chairs|heads|manages)"
    rf" {_BEHIND}{_END}",
    re.IGNORECASE,
)
_MANY: Final = re.compile(
    rf"{_START}{_MATTER}(?:(?:is|are) )?(?:also )?(?P<verb>depends? on|supports?|accepts?|includes?|contains?|provides?"
    r"|offers?|handles?|covers?|affects?|likes?|knows?|speaks?|owns?|leads?|maintains?|manages?|visit(?:s|ed)|met"
    r"|join(?:s|ed)|sells? to|(?:used|needed|required|translated|read|known|visited|shown|available)"
    rf" (?:by|for|in|into|to|on|at)) {_VALUE}{_END}",
    re.IGNORECASE,
)
_TURNS: Final = (_CHOSEN, _SETTLED, _PLACED, _STANDS, _BOUND, _LED)
_ONLY: Final = re.compile(r"\b(?:only|just|solely|exclusively|nothing but)\b", re.IGNORECASE)
_REASON: Final = re.compile(r"\b(?:because|since|as|so)\b", re.IGNORECASE)
_REFERRING: Final = re.compile(r"(?:the|this|that|these|those|its|their|his|her) \w+ ?\Z", re.IGNORECASE)
_WITHIN: Final = frozenset({"in", "on", "at"})
_BARE: Final = re.compile(r"[\w+#*.-]*[\w+#*]")


class _Choice(NamedTuple):
    """What a clause says of a matter: how the two are written, the roots of the value, and what stands around them.

    The turn is left out because «over» in «Go over Rust» sets no bound, and reasons because they may be of any time.
    """

    of: str
    form: str
    value: frozenset[str]
    around: str


_Matter = tuple[str, frozenset[str]]
"""By which turn of speech something is said, and of what, by its roots."""


def said_otherwise(one: str, other: str) -> str:
    """Return what tells that two texts name one thing in two versions, or settle one matter otherwise; else nothing."""
    return differing_version(one, other) or differing_choice(one, other)


def differing_choice(one: str, other: str) -> str:
    """Return what tells that two texts settle one matter otherwise («one says Postgres, the other MongoDB»).

    Empty where they do not, where either names several values for it, and where the two do not speak on one level: what
    is weighed, or was so once, stands beside what is. Whether both may hold is not said: the later may take the place
    of the earlier, and now and then a matter has two values after all.
    """
    here = _settled(one)
    there = _settled(other) if here else {}
    apart = (matter for matter in here if matter in there and _are_apart(here[matter], there[matter]))
    return next((f"one says {here[matter].form}, the other {there[matter].form}" for matter in apart), "")


def named_beside(one: str, other: str) -> bool:
    """Return whether two texts name two of what may be many, in one turn: «it supports Chrome», «it supports Firefox».

    Not where only a number sets them apart, nor where either says «only».
    """
    if _ONLY.search(one) or _ONLY.search(other):
        return False
    here, there = (dict(_choices(text[:_READ_MAX], (_MANY,))) for text in (one, other))
    return any(matter in there and _are_two(here[matter].value, there[matter].value) for matter in here)


def _are_two(one: frozenset[str], other: frozenset[str]) -> bool:
    return all(any(not each[0].isdigit() for each in mine - yours) for mine, yours in ((one, other), (other, one)))


def _are_apart(one: _Choice, other: _Choice) -> bool:
    """Whether each names what the other does not («Postgres» and «Postgres 16» may be one), on one level."""
    return bool(one.value - other.value) and bool(other.value - one.value) and on_one_level(one.around, other.around)


@lru_cache(maxsize=256)
def _settled(text: str) -> Mapping[_Matter, _Choice]:
    """Return what ``text`` settles, where it names one value for a matter.

    Behind its first clause «the film» is one that was spoken of before, and other texts may mean another by it.
    """
    found: dict[_Matter, dict[frozenset[str], _Choice]] = {}
    clauses = (each for sentence in phrases(text[:_READ_MAX]) for each in sentence.split(";"))
    for place, clause in enumerate(clauses):
        for matter, choice in _choices(clause.strip(), _TURNS):
            if matter[1] and (place == 0 or not _REFERRING.match(choice.of)):
                found.setdefault(matter, {})[choice.value] = choice
    return {matter: choice for matter, told in found.items() if len(told) == 1 for choice in told.values()}


def _choices(clause: str, turns: Sequence[re.Pattern[str]]) -> Iterator[tuple[_Matter, _Choice]]:
    for at, turn in enumerate(turns):
        for match in turn.finditer(clause):
            said = match.groupdict("")
            how = said.get("how", "").lower()
            of, form = said["matter"], said["value"]
            behind = _REASON.split(clause[match.end() :], maxsplit=1)[0]
            choice = _Choice(of, form, _roots(form), f"{clause[: match.start()]}{of} {form}{behind}")
            key = f"{at} {root(said.get('verb', '').lower())} {'in' if how in _WITHIN else how}"
            if choice.value:
                yield (key, _roots(of)), choice


def _roots(words: str) -> frozenset[str]:
    return frozenset(root(each) for each in _BARE.findall(words.lower()) if each not in STOP_WORDS)
