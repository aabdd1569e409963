"""Whether one text repeats another, in its own words or in others. Likeness alone cannot tell.

One word put for another leaves two claims as alike as a repetition (cosines of 0.94 on average, where somebody made
counter-claims that way), so what is compared is what each text says. A repetition has the same matter in the same turns
of speech: nothing that carries subject matter may stand on one side only, no quantity, no denial, no hedge and none of
the small words that turn a sentence, nor one of those that lead elsewhere in place of another
(:mod:`weft.reason.contrast`). One part of a statement may stand elsewhere in it, but two may not change sides («A is
faster than B», «B is faster than A»). Long texts may differ in a few words, and one may go on after the other ends.

A rewording differs in several places: where all else stands word for word the same, the one place that differs is what
the text is about, but where the whole was put anew, very high likeness speaks. What it may not differ in are numbers,
names, denials and hedges. In one place it may differ where the two words mean the same, which a table says and likeness
cannot. An addition is a word more in the middle of the text («a dog runs», «a brown dog runs»); where a word stands for
another one, nothing was added.
"""

from __future__ import annotations

import re
from collections import Counter
from difflib import SequenceMatcher
from itertools import chain
from math import inf
from typing import TYPE_CHECKING, Final, NamedTuple

from weft.reason.alignment import align, in_order
from weft.reason.clause import read
from weft.reason.contrast import belongs_elsewhere, contrasted
from weft.reason.foreign import denials
from weft.reason.implicit import bounds
from weft.reason.lexicon import ALL, ARTICLES, DENIALS, HEDGES, OMITTABLE, TURNING
from weft.reason.roles import POLES
from weft.reason.statement import statements

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from weft.reason.clause import Clause, Word

__all__ = ["adds", "differs_in_places", "repeats", "rewords", "told_apart", "turned_round"]

LONG_MIN: Final = 30
"""Words of subject matter from which a text is long: there a word in twenty may be another one, on either side."""

OTHER_SHARE: Final = 0.05
ADDED_SHARE: Final = 0.5  # words of subject matter that further sentences may add to a short text, for each of its own
SHARED_MIN: Final = 2  # words of subject matter in common: of fewer nothing can be said

PLACES_MIN: Final = 2  # places in which a rewording differs …
PLACES_FREE: Final = 3  # … and from how many on one word may stand for one other in some
ORDER_MIN: Final = 0.5  # share of the subject matter that stands in the same order in both
KEPT_MIN: Final = 0.8  # share of the shared subject matter that stands in the same order: else roles may have changed
TURNS_MAX: Final = 1  # small words that turn a sentence and stand on one side only

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
    if denials(one) != denials(other) or _lead_elsewhere(one, other):
        return False
    if _changed_sides(here, there):
        return False
    less, more = sorted((whole, whole_other), key=lambda each: len(each.matter))
    if len(less.matter) >= LONG_MIN:
        return _within(less, more)
    if _changed_places(here, there):
        return False
    return _same(whole, whole_other) or _goes_on(*sorted((here, there), key=len))


def rewords(one: str, other: str) -> bool:
    """Return whether ``one`` may say in other words what ``other`` says: where the two are very alike, they are one.

    To be asked of short texts whose likeness is very high and in whose wording the judge found no clash; of long ones
    the answer is no. Which comes first does not matter. With similarity from 0.90 on (0.92 for :func:`adds`), these and
    :func:`repeats` flag 0.8 % of the counter-claims spoken of above, and of paraphrases from the news ten times what
    repetitions alone do.
    """
    here, there = sorted((_parts(one), _parts(other)), key=_in_order)
    if not _agree(one, other) or _turns_apart(here, there) > TURNS_MAX or _changed_sides(here, there):
        return False
    if _passives(here) == _passives(there) and in_order(_in_order(here), _in_order(there)) < KEPT_MIN:
        return False
    alike = bounds(_words(here)) == bounds(_words(there)) and not _is_half_told(_poles(here), _poles(there))
    return (alike and _put_anew(_in_order(here), _in_order(there))) or _in_synonyms(here, there)


def adds(one: str, other: str) -> bool:
    """Return whether two texts say the same but for at most one word of subject matter more, within one of them.

    To be asked as :func:`rewords` is, of texts that are still more alike. What comes last is what a text comes to, and
    may not be what was added.
    """
    here, there = sorted((_parts(one), _parts(other)), key=_in_order)
    if not _agree(one, other) or _turns_apart(here, there) or _changed_sides(here, there):
        return False
    laid = align(_words(here), _words(there))
    return laid.added in {(0, 0), (0, 1)} and laid.ends_alike and not laid.replaced


def differs_in_places(one: str, other: str) -> bool:
    """Return whether two short texts differ in several places, and in nothing that tells them apart by itself.

    That says nothing of what they say; it is where a network may (:meth:`weft.services.seconding.Seconded.same`). Of
    texts that differ in one place it is not asked: it takes many of the counter-claims spoken of above for the claims.
    """
    here, there = sorted((_parts(one), _parts(other)), key=_in_order)
    if not _agree(one, other) or _changed_sides(here, there):
        return False
    return len(_edits(SequenceMatcher(None, _in_order(here), _in_order(there), autojunk=False))) >= PLACES_MIN


def told_apart(one: str, other: str) -> bool:
    """Return whether two short texts, however alike, say different things by what stands in them.

    Another number or denial, a name of its own in each, or two that changed places. Of long texts nothing is said.
    """
    here, there = _parts(one), _parts(other)
    if max(len(_Said(here).matter), len(_Said(there).matter)) >= LONG_MIN:
        return False
    return not _agree(one, other) or _changed_sides(here, there) or _changed_places(here, there)


class _Said:
    """What a text holds, sentence upon sentence."""

    __slots__ = ("asks", "counts", "denials", "matter", "turns")

    def __init__(self, clauses: list[Clause]) -> None:
        self.matter = frozenset[str]().union(*(each.content for each in clauses))
        self.turns = sorted(turn for each in clauses for turn in _turns(each))
        self.counts = {
            (each.unit, round(each.low, _NUMERICAL), round(each.high, _NUMERICAL))
            for clause in clauses
            for each in clause.quantities
        }
        self.denials = sum(len(each.denials) for each in clauses)
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


# ---- order

_LISTING: Final = frozenset({"and", "or"})
_PARTING: Final = _LISTING | {","}
_SIDED: Final = frozenset({"from", "to", "than", "with", "without"})
_PASSIVE: Final = "by"
_ACTORS: Final[Mapping[str, str]] = {"i": "me", "we": "us", "he": "him", "they": "them"}
_PERSONS: Final = frozenset(
    {"i", "me", "my", "mine", "we", "us", "our", "ours", "you", "your", "yours"}
    | {"he", "him", "his", "she", "her", "hers", "they", "them", "their", "theirs"}
)


class _Order(NamedTuple):
    """What the order of a statement rests on: its words, and whose doing it is («by»).

    Joining words are left out, since they stay where they are when the words around them change places. In ``listed``
    the words of each list («A, B and C») stand sorted.
    """

    plain: tuple[str, ...]
    listed: tuple[str, ...]
    passive: int


def _changed_sides(here: list[Clause], there: list[Clause]) -> bool:
    """Whether a statement of the one stands in the other only with two of its parts in each other's place.

    So too where who acts in the one is acted on in the other: «we owe them», «they owe us».
    """
    if _acts(here, there) or _acts(there, here):
        return True
    for one in here:
        said = _Said([one])
        alike = [other for other in there if _same(said, _Said([other]))]
        if alike and all(turned_round(one, other) for other in alike):
            return True
    return False


def _acts(here: list[Clause], there: list[Clause]) -> bool:
    said, other = ({word.form for word in _words(clauses)} for clauses in (here, there))
    return any(
        actor in said and acted in other and actor not in other and acted not in said
        for actor, acted in _ACTORS.items()
    )


def _changed_places(here: list[Clause], there: list[Clause]) -> bool:
    """Whether two texts hold the same numbers of one unit, or the same persons, in another order.

    «83 % in 1970 and 51 % last year», «51 % in 1970 and 83 % last year».
    """
    mine, yours = _persons(here), _persons(there)
    return _numbered(here) != _numbered(there) or bool(mine and yours and mine != yours)


def _numbered(clauses: list[Clause]) -> dict[str, list[float]]:
    found: dict[str, list[float]] = {}
    for each in chain.from_iterable(clause.quantities for clause in clauses):
        found.setdefault(each.unit, []).append(round(each.low, _NUMERICAL))
    return found


def _persons(clauses: list[Clause]) -> list[str]:
    return [word.form for word in _words(clauses) if word.form in _PERSONS]


def turned_round(one: Clause, other: Clause) -> bool:
    """Return whether two statements in the same words differ in who stands where, as in «A is faster than B».

    Where one is a passive and the other is not, it is the same order that turns them: «A was bought by B», «A bought
    B». Of statements in other words the answer is no.
    """
    for joins in (_matters, _SIDED.__contains__, frozenset[str]().__contains__):
        here, there = _order(one, joins), _order(other, joins)
        if set(here.plain) == set(there.plain):
            if here.passive != there.passive:
                return here.plain == there.plain
            return not (
                _moved(_once(here.plain), _once(there.plain)) or _moved(_once(here.listed), _once(there.listed))
            )
    return False


def _matters(form: str) -> bool:
    """Whether a word is none of those that leave the sense as it is."""
    return form not in OMITTABLE or form in _SIDED


def _order(clause: Clause, joins: Callable[[str], bool]) -> _Order:
    groups: list[tuple[list[str], set[str]]] = []
    parting: set[str] = set()
    for word in clause.words:
        if word.form in _PARTING:
            parting.add(word.form)
        elif word.content and parting and groups:
            groups[-1][0].append(word.root)
            groups[-1][1].update(parting)
            parting = set()
        elif word.content or word.form in TURNING or word.form in DENIALS or joins(word.form):
            groups.append(([word.root if word.content else "all" if word.form in ALL else word.form], set()))
            parting = set()
        elif word.form not in ARTICLES:
            parting = set()  # «in blue at home and in white away» is no list of «home» and «white»
    return _Order(
        plain=tuple(each for words, _ in groups for each in words),
        listed=tuple(each for words, by in groups for each in (sorted(words) if by & _LISTING else words)),
        passive=sum(word.form == _PASSIVE for word in clause.words),
    )


def _once(words: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(words))


def _moved(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Whether two orders of the same words are one, or become one by moving one run of words."""
    start, end = 0, len(one)
    while start < end and one[start] == other[start]:
        start += 1
    while start < end and one[end - 1] == other[end - 1]:
        end -= 1
    here, there = one[start:end], other[start:end]
    return not here or any(here[at:] + here[:at] == there for at in range(1, len(here)))


# ---- rewording

_NUMBER: Final = re.compile(r"\d[\d.,]*\d|\d")
_NAME: Final = re.compile(r"(?<=[^.!?:\"“(\s] )[A-Z][\w'-]*")


def _digits(text: str) -> frozenset[str]:
    return frozenset(_NUMBER.findall(text))


def _names_apart(one: str, other: str) -> bool:
    """Whether each text names, in mid-sentence, what the other does not: one of them left out is a rewording."""
    here, there = one.casefold(), other.casefold()
    mine = any(name.casefold() not in there for name in _NAME.findall(one))
    return mine and any(name.casefold() not in here for name in _NAME.findall(other))


def _agree(one: str, other: str) -> bool:
    """Whether two short texts have the same numbers, denials and names, and both ask or neither does."""
    here, there = _Said(_parts(one)), _Said(_parts(other))
    if max(len(here.matter), len(there.matter)) >= LONG_MIN or here.asks != there.asks:
        return False
    if here.counts != there.counts or here.denials != there.denials or _digits(one) != _digits(other):
        return False
    if _lead_elsewhere(one, other):
        return False
    return denials(one) == denials(other) and not _names_apart(one, other)


def _lead_elsewhere(one: str, other: str) -> bool:
    """Whether two texts differ in where small words lead, or in whose something is."""
    return contrasted(_words(_parts(one)), _words(_parts(other))) or belongs_elsewhere(one, other)


def _turns_apart(here: list[Clause], there: list[Clause]) -> float:
    """Return how many small words that turn a sentence stand on one side only; where one is a hedge, without end."""
    turns, others = Counter(_Said(here).turns), Counter(_Said(there).turns)
    apart = (turns - others) + (others - turns)
    return inf if any(turn in HEDGES for turn in apart) else apart.total()


def _words(clauses: list[Clause]) -> list[Word]:
    return list(chain.from_iterable(each.words for each in clauses))


def _poles(clauses: list[Clause]) -> Counter[tuple[int, int]]:
    """Return how often each pole of a scale is named, as (scale, sign)."""
    return Counter(place for word in _words(clauses) for place in POLES.get(word.root, ()))


def _is_half_told(here: Counter[tuple[int, int]], there: Counter[tuple[int, int]]) -> bool:
    """Whether one of two texts that name both poles of a scale names one of them once more: it tells of a trade-off.

    «Raises the yield and lowers the protein» is not said by «lowers the yield».
    """
    return any({(scale, 1), (scale, -1)} <= (here | there).keys() for scale, _ in (here - there) | (there - here))


def _passives(clauses: list[Clause]) -> int:
    return sum(word.form == _PASSIVE for word in _words(clauses))


def _in_order(clauses: list[Clause]) -> list[str]:
    return [word.root for word in _words(clauses) if word.content]


def _in_synonyms(here: list[Clause], there: list[Clause]) -> bool:
    """Whether two texts say the same but that some words stand for others that mean the same."""
    laid = align(_words(here), _words(there))
    return laid.synonyms > 0 and laid.added == (0, 0) and not laid.replaced


def _edits(matcher: SequenceMatcher[str]) -> list[tuple[str, int, int, int, int]]:
    return [edit for edit in matcher.get_opcodes() if edit[0] != "equal"]


def _put_anew(one: list[str], other: list[str]) -> bool:
    """Whether two runs of subject matter differ in several places, and not merely by one word for one other each."""
    matcher = SequenceMatcher(None, one, other, autojunk=False)
    edits = _edits(matcher)
    if len(edits) < PLACES_MIN or matcher.ratio() < ORDER_MIN:
        return False
    here, there = set(one), set(other)
    swapped = any(
        i2 - i1 == j2 - j1 == 1 and one[i1] not in there and other[j1] not in here
        for tag, i1, i2, j1, j2 in edits
        if tag == "replace"
    )
    return len(edits) >= PLACES_FREE or not swapped
