"""Who stands on which side of a comparison, and the words at the two poles of a scale that comparisons go along."""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING, Final, NamedTuple

from weft.reason.clause import root
from weft.reason.lexicon import ALL, NOUNS_IN_ER, PREDICATES
from weft.reason.opposites import ASYMMETRIC, SCALES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from weft.reason.clause import Clause, Word

__all__ = ["MORE", "POLES", "Role", "overlap", "role"]


def _pole_table() -> dict[str, tuple[tuple[int, int], ...]]:
    table: dict[str, list[tuple[int, int]]] = {}
    for scale, (_, upper, lower) in enumerate(SCALES):
        for sign, words in ((1, upper), (-1, lower)):
            for word in words.split():
                table.setdefault(root(word), []).append((scale, sign))
    return {word: tuple(dict.fromkeys(places)) for word, places in table.items()}


POLES: Final[Mapping[str, tuple[tuple[int, int], ...]]] = _pole_table()
"""The (scale, sign) of each root that stands at a pole of one."""


class Role(NamedTuple):
    """Who stands on which side of a comparison: along what (``key``), which way, and the word that says so."""

    key: str
    sign: int
    cue: str
    left: frozenset[str]
    right: frozenset[str]


_ASYMMETRIC: Final = frozenset(map(root, ASYMMETRIC))
MORE: Final[Mapping[str, int]] = {"more": 1, "less": -1, "fewer": -1}
_SHORTEST_COMPARATIVE: Final = 5
_JOINED: Final = frozenset({"and", "but", ",", ";"})  # what follows is compared no longer
_COMPARED_MAX: Final = 4  # words between a comparative and its «than»


def overlap(one: frozenset[str], other: frozenset[str]) -> bool:
    """Return whether two sides share half of what the lesser holds."""
    return 2 * len(one & other) >= min(len(one), len(other)) > 0


_BEING: Final = frozenset({"is", "are", "was", "were", "be", "been", "being", "get", "gets", "got"})
_ORDERED: Final[Mapping[str, int]] = {"before": 1, "after": -1}


def _is_told_of(clause: Clause, cue: Word) -> bool:
    """Whether «before» tells when something is done, and not what is spoken of: «backups before the upgrade are kept».

    Then more than a noun stands before it, and nothing is said of it behind; «before each deploy» is often.
    """
    ahead = sum(word.content for word in clause.words[: cue.place])
    behind = {word.form for word in clause.words[cue.place + 1 :]}
    return ahead > 1 and behind.isdisjoint(PREDICATES | ALL)


def role(clause: Clause) -> Role | None:
    """Return what a clause compares or puts in order, if it does; the sign is 0 where an order is no statement."""
    forms = frozenset(word.form for word in clause.words)
    for word in clause.words:
        if word.root in _ASYMMETRIC:
            return _sides(word.root, _voice(clause, word), clause, word, word.place)
        if word.form in _ORDERED and not forms >= _ORDERED.keys():
            return _sides("before", _ORDERED[word.form] * _is_told_of(clause, word), clause, word, word.place)
        if word.form == "than" and not clause.quantities:  # «shorter than 20 minutes» bounds
            return _comparison(clause, word.place)
    return None


def _voice(clause: Clause, verb: Word) -> int:
    """Return 1 where the verb's subject does it, -1 where it is done «by» somebody, and 0 where that is not told."""
    if any(each.form == "by" for each in clause.words[verb.place + 1 : verb.place + 2]):
        return -1
    return 0 if any(each.form in _BEING for each in clause.words[max(0, verb.place - 1) : verb.place]) else 1


def _comparison(clause: Clause, than: int) -> Role | None:
    """Return what is compared: by the word on a known scale that is nearest to ``than``, else by one in -er.

    What is compared may stand between («hotter water than»), and may end like a comparative itself.
    """
    near = clause.words[max(0, than - _COMPARED_MAX) : than][::-1]
    for word in near:
        if word.form in MORE:
            dimension = next((each.root for each in clause.words[word.place + 1 : than] if each.content), "amount")
            return _sides(dimension, MORE[word.form], clause, word, than)
        scales = POLES.get(word.root, ())
        if scales and (word.form.endswith("er") or word.form in {"better", "worse"}):
            return _sides(f"scale {scales[0][0]}", scales[0][1], clause, word, than)
    plain = (word for word in near if word.form.endswith("er") and word.form not in NOUNS_IN_ER)
    comparative = next((word for word in plain if len(word.form) >= _SHORTEST_COMPARATIVE), None)
    return _sides(comparative.root, 1, clause, comparative, than) if comparative else None


def _sides(key: str, sign: int, clause: Clause, cue: Word, right_start: int) -> Role | None:
    left = frozenset(word.root for word in clause.words[: cue.place] if word.content)
    behind = takewhile(lambda word: word.form not in _JOINED, clause.words[right_start + 1 :])
    right = frozenset(word.root for word in behind if word.content)
    # What stands on both sides («bigger models … small models») tells them apart no further.
    return Role(key, sign, cue.root, left - right, right - left) if left - right and right - left else None
