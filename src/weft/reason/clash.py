"""Where two clauses on one matter speak against each other: denial, opposite poles, orders, numbers, swapped roles."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import takewhile
from typing import TYPE_CHECKING, Final, Literal

from weft.reason.clause import Denial, Word, root
from weft.reason.lexicon import ALL, BETWEEN, DENIALS, IRREGULAR, LIGHT_PREDICATES, PREDICATES, SOME
from weft.reason.opposites import DATES, ORDERS, SCALES
from weft.reason.quantity import DAY, agree
from weft.reason.roles import MORE, POLES, overlap, role

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from weft.reason.clause import Clause
    from weft.reason.quantity import Quantity

__all__ = ["Clash", "clashes", "denied_alone", "told_in_both", "unfolded"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Clash:
    """One way in which two clauses differ in what they hold.

    ``kind`` is denial, pole, order, number or role; ``ground`` says it in words; ``apart`` are the roots that differ
    and so need no partner on the other side. ``sure`` is false where the difference may be none: a part denied, an
    attribute that another thing may have. ``narrow`` says which clause (0 or 1) must hold nothing that the other
    lacks for the clash to count (None: either); ``counted`` that both must hold nearly the same; ``unit`` of what the
    numbers are, where they have one.
    """

    kind: Literal["denial", "pole", "order", "number", "role"]
    ground: str
    apart: frozenset[str] = frozenset()
    sure: bool = True
    narrow: Literal[0, 1] | None = None
    counted: bool = False
    unit: str = ""


def unfolded(one: Clause, other: Clause) -> Clause:
    """Return ``one`` with *unsafe* read as a denial of *safe* where ``other`` speaks of *safe*."""
    turned = {form: base for form, base in one.turned if base in other.content and form not in other.content}
    if not turned:
        return one
    return replace(
        one,
        words=tuple(word._replace(root=turned.get(word.root, word.root)) for word in one.words),
        content=one.content.difference(turned).union(turned.values()),
        denials=(
            *(_turned_denial(denial, turned) for denial in one.denials),
            *(_turn(one, form, base) for form, base in turned.items()),
        ),
    )


def _turned_denial(denial: Denial, turned: Mapping[str, str]) -> Denial:
    return denial._replace(reach=denial.reach.union(turned[form] for form in denial.reach.intersection(turned)))


def _turn(clause: Clause, turned: str, base: str) -> Denial:
    word = next(each for each in clause.words if each.root == turned)
    return Denial(word.form, frozenset({base}), noun=not _is_said_of(clause, word), place=word.place)


def clashes(one: Clause, other: Clause) -> tuple[Clash, ...]:
    """Return every clash between two unfolded clauses; which comes first only changes the wording of the grounds."""
    roles = _roles(one, other)
    if roles is not None:
        return roles
    return (
        *_poles(one, other),
        *_orders(one, other),
        *_dates(one, other),
        *_denials(one, other),
        *_numbers(one, other),
    )


# ---- opposite poles


_PAST: Final = frozenset({"was", "were", "had"})


def _poles(one: Clause, other: Clause) -> Iterator[Clash]:
    here, there = _said(one), _said(other)
    used: set[str] = set()
    for (scale, sign), word in here.items():
        opposite = there.get((scale, -sign))
        if opposite is None or (scale, -sign) in here or (scale, sign) in there:
            continue
        if not used.isdisjoint((word.root, opposite.root)):
            continue
        used |= {word.root, opposite.root}
        yield Clash(
            kind="pole",
            ground=f"one says {word.form}, the other {opposite.form}",
            apart=frozenset({word.root, opposite.root}),
            sure=not _before(one, word).isdisjoint(_before(other, opposite))
            and _is_meant(one, word, SCALES[scale][0])
            and _is_meant(other, opposite, SCALES[scale][0])
            and _is_measured_alike(one, word, other, opposite),
        )


def _is_measured_alike(one: Clause, word: Word, other: Clause, opposite: Word) -> bool:
    """Whether two opposites are of one time, and not comparisons («more than») of which roles tell nothing.

    «A is slower than B» and «B is the quicker» agree, and so may «was open for a year» and «is closed».
    """
    if _PAST.isdisjoint(each.form for each in one.words) != _PAST.isdisjoint(each.form for each in other.words):
        return False
    compared = [any(each.form == "than" for each in clause.words) for clause in (one, other)]
    if not any(compared) or not _is_comparative(word) or not _is_comparative(opposite):
        return True
    here, there = role(one), role(other)
    return here is not None and there is not None and here.key == there.key


def _is_comparative(word: Word) -> bool:
    return word.form in MORE or word.form.endswith("er")


def _is_meant(clause: Clause, word: Word, kind: str) -> bool:
    """Whether ``word`` says plainly where its subject stands: not denied, not as what merely can be, not in passing."""
    if any(word.root in denial.reach for denial in clause.denials):
        return False
    if clause.able and kind not in {"manner", "exclusive"}:
        return False
    return kind in {"verb", "manner"} or _is_said_of(clause, word)


def _before(clause: Clause, word: Word) -> frozenset[str]:
    """Return the content before ``word``: its subject, if it has one. Orders («Close the file») have none."""
    return frozenset(each.root for each in clause.words[: word.place] if each.content)


def _said(clause: Clause) -> dict[tuple[int, int], Word]:
    return {place: word for word in clause.words for place in POLES.get(word.root, ())}


def _is_said_of(clause: Clause, word: Word) -> bool:
    for before in reversed(clause.words[: word.place]):
        if before.form in PREDICATES:
            return True
        if before.form not in BETWEEN:
            return False
    return False


# ---- orders of growth

_ORDER_OF: Final[Mapping[str, int]] = {root(form): place for place, forms in enumerate(ORDERS) for form in forms}
_GROWS: Final = frozenset(map(root, ("scale", "grow", "run", "cost", "take", "in", "rise", "increase", "require")))
_GROWTH: Final = frozenset(map(root, ("time", "space", "complexity", "cost", "memory", "growth", "runtime", "order")))
_GROWTH_WORDS: Final = (_GROWS | _GROWTH | frozenset(map(root, ("need", "have")))) - {root("in"), root("memory")}


def _orders(one: Clause, other: Clause) -> Iterator[Clash]:
    here, there = _ordered(one), _ordered(other)
    if len(here) == len(there) == 1 and here.keys() != there.keys():
        (word,), (opposite,) = here.values(), there.values()
        yield Clash(
            kind="order",
            ground=f"one says {word.form}, the other {opposite.form}",
            apart=_GROWTH_WORDS | {word.root, opposite.root},
            sure=_is_growth(one, word) and _is_growth(other, opposite),
        )


def _ordered(clause: Clause) -> dict[int, Word]:
    return {_ORDER_OF[word.root]: word for word in clause.words if word.root in _ORDER_OF}


def _is_growth(clause: Clause, word: Word) -> bool:
    before, after = clause.words[: word.place][-1:], clause.words[word.place + 1 :][:1]
    return (
        word.form.endswith(("ly", ")"))
        or _is_said_of(clause, word)
        or any(each.root in _GROWS for each in before)
        or any(each.root in _GROWTH for each in after)
    )


# ---- dates

_DATE_OF: Final[Mapping[str, int]] = {root(name): row for row, names in enumerate(DATES) for name in names}


def _dates(one: Clause, other: Clause) -> Iterator[Clash]:
    if all(any(each.unit == DAY for each in clause.quantities) for clause in (one, other)):
        return  # days say more than their months
    here, there = _dated(one), _dated(other)
    for row in here.keys() & there.keys():
        if here[row].keys().isdisjoint(there[row]):
            mine, yours = next(iter(here[row].values())), next(iter(there[row].values()))
            yield Clash(
                kind="number",
                ground=f"one says {mine}, the other {yours}",
                apart=frozenset({*here[row], *there[row]}),
                sure=len(here[row]) == len(there[row]) == 1,
                counted=True,
            )


def _dated(clause: Clause) -> dict[int, dict[str, str]]:
    found: dict[int, dict[str, str]] = {}
    for word in clause.words:
        if word.root in _DATE_OF:
            found.setdefault(_DATE_OF[word.root], {})[word.root] = word.form
    return found


# ---- denial


def _denials(one: Clause, other: Clause) -> Iterator[Clash]:
    shared = _sayable(one) & _sayable(other)
    here = [denial for denial in denied_alone(one, other) if not denial.reach.isdisjoint(shared)]
    there = [denial for denial in denied_alone(other, one) if not denial.reach.isdisjoint(shared)]
    if len(here) % 2 == len(there) % 2:
        return
    denier, denials = (0, here) if len(here) > len(there) else (1, there)
    denial = denials[0]
    yield Clash(
        kind="denial",
        ground=_denial_ground(denial, (one, other)[denier], (other, one)[denier]),
        sure=len(here) + len(there) == 1 and _is_whole(denial, (one, other)[denier], (other, one)[denier]),
        narrow=0 if denier == 0 else 1,
        counted=denial.noun,
    )


def denied_alone(one: Clause, other: Clause) -> list[Denial]:
    """Return the denials of ``one`` that ``other`` does not hold as well: «without cover crops» may stand in both."""
    held = {(denial.cue, denial.reach) for denial in other.denials}
    return [denial for denial in one.denials if (denial.cue, denial.reach) not in held]


def _sayable(clause: Clause) -> frozenset[str]:
    return clause.content.union(word.root for word in clause.words if word.form in LIGHT_PREDICATES)


_NAMED_MAX: Final = 3  # words of one name: «risk of fire» is none, «garbage collector» is
_PARTICIPLE: Final = ("ed", "en", "wn")
_WRITTEN: Final[Mapping[str, str]] = {"insteadof": "instead of", "notall": "in part"}
_BE: Final = frozenset({"is", "are", "was", "were", "be", "been", "being", "am"})


def _denial_ground(denial: Denial, denier: Clause, stater: Clause) -> str:
    """Return the ground of a denial: the words denied, if they can be told, and the cue as a reader knows it."""
    if denial.cue not in DENIALS and denial.cue != "over":
        said = next((word.form for word in stater.words if word.root in denial.reach), "")
        return f"one says {denial.cue}, the other {said}"
    if denial.cue == "notshown":
        return "one says that it is not shown, the other states it"
    named = _denied(denial, denier)
    known = {word.root for word in stater.words}
    if not named or any(word.root not in known for word in named):
        return "one denies what the other states"
    words = " ".join(word.form for word in named)
    return f"one denies «{words}» ({_WRITTEN.get(denial.cue, denial.cue)}), the other states it"


def _denied(denial: Denial, clause: Clause) -> Sequence[Word]:
    """Return what a denial is of: the verb or participle after it, else the words that follow in one run.

    Nothing where that cannot be told: before a run of words that may begin with a subject («no user reads …»), or
    where no auxiliary says whether a verb or a participle follows («isn't code reviewed»).
    """
    before, after = clause.words[: denial.place], clause.words[denial.place + 1 :]
    start = next((at for at, word in enumerate(after) if word.content or word.form in LIGHT_PREDICATES), len(after))
    run = list(takewhile(lambda word: word.content or word.form in LIGHT_PREDICATES, after[start:]))[:_NAMED_MAX]
    participle = [word for word in run if word.form in IRREGULAR or word.form.endswith(_PARTICIPLE)][:1]
    if any(word.form in _BE for word in (*before[-1:], *after[:start])):
        return participle or run
    if denial.noun or denial.cue in {"no", "notall"}:
        return (run[:1] if denial.cue == "notall" else run) if before else ()
    return () if participle and participle != run[:1] else run[:1]


def _is_whole(denial: Denial, denier: Clause, stater: Clause) -> bool:
    """Whether a denial leaves no room for the other: «some do not» and «not all do» deny only «all do»."""
    if denial.cue == "notshown" or (stater.able and not denier.able):
        return False
    ahead = takewhile(lambda word: word.form != denial.cue, denier.words)
    in_part = denial.partial or any(word.form in SOME for word in ahead)
    return not in_part or any(word.form in ALL for word in stater.words)


# ---- numbers


def _numbers(one: Clause, other: Clause) -> Iterator[Clash]:
    for unit in sorted({quantity.unit for quantity in one.quantities}):
        here, there = _current(one, unit), _current(other, unit)
        if there and not any(agree(mine, yours) for mine in here for yours in there):
            yield Clash(
                kind="number",
                ground=f"one says {here[0].form}, the other {there[0].form}",
                sure=len(here) == len(there) == 1 and not (here[0].condition or there[0].condition),
                counted=unit.startswith("of ") or unit == DAY,
                unit=unit,
            )


def told_in_both(unit: str, one: Clause, other: Clause) -> bool:
    """Return whether two sentences name the same quantities of ``unit``, whatever clause of each names which."""
    here, there = ([each for each in said.quantities if each.unit == unit] for said in (one, other))
    return all(any(agree(mine, yours) for yours in there) for mine in here) and all(
        any(agree(mine, yours) for mine in here) for yours in there
    )


def _current(clause: Clause, unit: str) -> list[Quantity]:
    """Return the quantities of ``unit`` without those told as what was, where others say what is."""
    found = [quantity for quantity in clause.quantities if quantity.unit == unit]
    return [quantity for quantity in found if not quantity.former] or found


# ---- swapped roles


def _roles(one: Clause, other: Clause) -> tuple[Clash, ...] | None:
    """Return the clash of two comparisons along one scale, nothing where they agree, None where there are none."""
    here, there = role(one), role(other)
    if here is None or there is None or here.key != there.key:
        return None
    if not here.sign or not there.sign:
        return ()
    straight = overlap(here.left, there.left) and overlap(here.right, there.right)
    crossed = overlap(here.left, there.right) and overlap(here.right, there.left)
    if straight == crossed:
        return ()
    if straight == (here.sign == there.sign):
        return None if here.sign == there.sign else ()
    if one.denials or other.denials:
        return ()
    ground = "the two compare the same things the other way round"
    return (Clash(kind="role", ground=ground, apart=frozenset({here.cue, there.cue})),)
