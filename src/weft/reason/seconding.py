"""What becomes of a verdict of the rules once a network has read the two texts at once.

The rules look at words: of what they call a conflict on notes one in six is agreement in other words («not open» and
«shut»), and they abstain where a denial may be meant of something else. The network reads the whole, and on texts
unlike those it learned from it calls conflict what merely differs. Where both see a conflict, nearly all are one.
``docs/explanation/judging.md`` has the figures; the marks were set on the notes of ``bench/judging.jsonl`` that are
called seen and on even rows of public sets.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final, NamedTuple

from weft.model import Verdict
from weft.reason.clause import read
from weft.reason.contrast import contrasted, elsewhere
from weft.reason.evidence import evidence
from weft.reason.foreign import legible
from weft.reason.judge import strays
from weft.reason.lexicon import words
from weft.text import terms
from weft.text.languages import language

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = [
    "AGREED",
    "CLASHING",
    "CONFIDENCE",
    "DIFFERING",
    "MUTUAL",
    "SHARED_MAX",
    "SURE",
    "clashing",
    "in_english",
    "on_one_level",
    "read_as",
    "seconded",
    "worth_reading",
]

SURE: Final = 0.93
"""The chance of a conflict from which a clash that the rules can name, but not place, is one."""

CONFIDENCE: Final = 0.9
"""Of a conflict that both see: nine in ten are one."""

CLASHING: Final = 0.5
"""The chance of a conflict, either way round, from which a clash that the rules can name is told on capture."""

DIFFERING: Final = 0.7
"""That, each way round, from which what the rules find nothing in is."""

AGREED: Final = 0.5
"""The chance of support from which a denial that the rules call a conflict is left open."""

MUTUAL: Final = 0.8
"""The chance of support, each way round, from which two texts that are very alike say the same."""

SHARED_MAX: Final = 0.7
"""The share of words held by both from which two texts differ in one or two: the network may overlook those."""

WORDS_MAX: Final = 45
"""Words up to which a text is read whole; of a longer one, which would be cut, the best evidence is read."""

_WEIGHED: Final = words(
    """
    unknown unverified proposal proposals proposed proposes propose suggestion reported reports verify tested plan plans
    planned wants wanted hopes hoped considering doubted wonders wondered asks asked
    """
)
"""Words beside the hedges of a clause by which a text weighs or reports what it does not state."""

_ONCE: Final = words("used formerly previously originally initially until till earlier once yesterday ago")
_BOUNDS: Final = words("above over below under")
_YEAR: Final = re.compile(r"\b(?:19|20)\d\d\b")
_WORD: Final = re.compile(r"[a-z]+")


def worth_reading(verdict: Verdict, claim: str, text: str) -> bool:
    """Return whether the network is asked: about a denial that is called a conflict, and a clash on the same matter."""
    if not in_english(claim, text):
        return False
    if verdict.verdict == "conflicts":
        return _is_denial_in_other_words(claim, text)
    return clashing(verdict, claim, text)


def clashing(verdict: Verdict, claim: str, text: str) -> bool:
    """Return whether the rules abstained over a clash between clauses that are about the same."""
    return verdict.verdict == "unsure" and bool(verdict.grounds) and not strays(claim, text)


def seconded(verdict: Verdict, chances: Sequence[float]) -> Verdict:
    """Return the verdict of the rules beside the network's ``chances`` (0..1) that the texts conflict, and agree.

    What turns an even number of times says the same: «with an index it is fast», «without one it is slow».
    """
    conflict, support = chances[0], chances[1]
    if verdict.verdict == "conflicts" and support >= AGREED:
        grounds = (*verdict.grounds, "but read as a whole both may hold")
        return Verdict(verdict="unsure", confidence=0.0, grounds=grounds)
    if verdict.verdict == "unsure" and conflict >= SURE and not _turns_back(verdict.clashes):
        grounds = (*verdict.grounds, f"read as a whole only one of them can hold ({conflict:.2f})")
        return replace(verdict, verdict="conflicts", confidence=CONFIDENCE, grounds=grounds)
    return verdict


def _turns_back(clashes: Sequence[str]) -> bool:
    """Whether clashes turn the sense and turn it back; another number does not turn it."""
    return bool(clashes) and len(clashes) % 2 == 0 and "number" not in clashes


def in_english(claim: str, text: str) -> bool:
    """Return whether both may be read by a network that learned English."""
    return legible(claim, text) and all(language(each) in {"", "en"} for each in (claim, text))


def read_as(claim: str, text: str) -> tuple[str, str]:
    """Return what the network is given of two texts: the shorter first, of long ones what bears on the other.

    So it does not matter which was there before.
    """
    mine, yours = _closest(text, claim), _closest(claim, text)
    one, other = sorted((mine, yours), key=lambda each: (len(each), each))
    return one, other


def on_one_level(claim: str, text: str) -> bool:
    """Return whether two texts speak of the same time, and both state or both ask, report or weigh.

    A question, a proposal and what was so once rule nothing out, however plainly they clash with what is. Nor, of short
    texts, does what is said of another time, of another thing, or with a word that leads elsewhere.
    """
    if _level(claim) != _level(text):
        return False
    if max(len(claim.split()), len(text.split())) > WORDS_MAX:
        return True
    return not elsewhere(claim, text) and not contrasted(read(claim).words, read(text).words)


class _Level(NamedTuple):
    asks: bool
    weighs: bool
    once: bool
    years: frozenset[str]
    bounds: frozenset[str]


def _level(text: str) -> _Level:
    clause, said = read(text), frozenset(_WORD.findall(text.lower()))
    return _Level(
        asks=clause.asks or "?" in text,
        weighs=clause.hedged or not said.isdisjoint(_WEIGHED),
        once=not said.isdisjoint(_ONCE),
        years=frozenset(_YEAR.findall(text)),
        bounds=said & _BOUNDS,
    )


def _closest(other: str, text: str) -> str:
    if len(text.split()) <= WORDS_MAX:
        return text
    found = evidence(other, text)
    return found[0].text if found else text


def _is_denial_in_other_words(claim: str, text: str) -> bool:
    """Return whether either denies something, and the two differ in more than that."""
    one, other = read_as(claim, text)
    mine, yours = set(terms(one)), set(terms(other))
    shared = len(mine & yours) / max(1, len(mine | yours))
    return shared < SHARED_MAX and any(read(each).denials for each in (one, other))
