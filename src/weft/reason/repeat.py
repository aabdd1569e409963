"""Whether one text repeats another: the same matter in the same turns of speech. Likeness alone cannot tell.

One word put for another leaves two claims as alike as a repetition (cosines of 0.94 on average, where somebody made
counter-claims that way), so what is compared is what each text says: nothing that carries subject matter may stand on
one side only, no quantity, no denial, no hedge and none of the small words that turn a sentence. Long texts may differ
in a few words, and one may go on after the other ends.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from weft.reason.clause import read
from weft.reason.lexicon import ALL, DENIALS, HEDGES, TURNING
from weft.reason.statement import statements

if TYPE_CHECKING:
    from weft.reason.clause import Clause

__all__ = ["repeats"]

LONG_MIN: Final = 30
"""Words of subject matter from which a text is long: there a word in twenty may be another one, on either side."""

OTHER_SHARE: Final = 0.05
ADDED_SHARE: Final = 0.5  # words of subject matter that further sentences may add to a short text, for each of its own
SHARED_MIN: Final = 2  # words of subject matter in common: of fewer nothing can be said

_NUMERICAL: Final = 6  # digits to which two bounds of a quantity are compared


def repeats(one: str, other: str) -> bool:
    """Return whether ``one`` says what ``other`` says: for merging, so that a wrong yes costs more than a wrong no.

    Which of the two comes first does not matter. Of 60 sentences that are read of either, each may be compared with
    each.
    """
    here, there = _parts(one), _parts(other)
    whole, whole_other = _Said(here), _Said(there)
    if len(whole.matter & whole_other.matter) < SHARED_MIN or whole.asks != whole_other.asks:
        return False
    less, more = sorted((whole, whole_other), key=lambda each: len(each.matter))
    if len(less.matter) >= LONG_MIN:
        return _within(less, more)
    return _same(whole, whole_other) or _goes_on(*sorted((here, there), key=len))


class _Said:
    """What a text holds, sentence upon sentence."""

    __slots__ = ("asks", "counts", "matter", "turns")

    def __init__(self, clauses: list[Clause]) -> None:
        self.matter = frozenset[str]().union(*(each.content for each in clauses))
        self.turns = sorted(turn for each in clauses for turn in _turns(each))
        self.counts = {
            (each.unit, round(each.low, _NUMERICAL), round(each.high, _NUMERICAL))
            for clause in clauses
            for each in clause.quantities
        }
        self.asks = any(each.asks for each in clauses)


def _parts(text: str) -> list[Clause]:
    return [read(each) for each in statements(text)] or [read(text)]


def _same(here: _Said, there: _Said) -> bool:
    return here.matter == there.matter and here.turns == there.turns and here.counts == there.counts


def _goes_on(less: list[Clause], more: list[Clause]) -> bool:
    """Whether the one of more sentences says all that the other does, and little else."""
    added = _Said(more).matter - _Said(less).matter
    if len(less) == len(more) or len(added) > ADDED_SHARE * len(_Said(less).matter):
        return False
    held = [_Said([each]) for each in more]
    return all(any(_same(_Said([each]), other) for other in held) for each in less)


def _within(less: _Said, more: _Said) -> bool:
    """Whether the shorter of two long texts is said by the longer, but for a few words; it denies nothing else."""
    shared = less.matter & more.matter
    few = len(less.matter - shared) <= OTHER_SHARE * len(shared)
    return few and less.counts <= more.counts and not set(less.turns) - set(more.turns)


def _turns(clause: Clause) -> list[str]:
    forms = (word.form for word in clause.words)
    return ["all" if form in ALL else form for form in forms if form in TURNING or form in DENIALS or form in HEDGES]
