"""What is left of batches: whether what each did still stands, was put back, or was written over.

Told from the log alone, by what an undo goes by: a subject whose newest change is the batch's own is as the batch left
it. Where a newer one is there, what it left is compared with what the batch found and with what it left. Whether an
undo meets anything else in the way, such as a relation somebody made since, is not looked at.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from weft.model import BatchState, Node, Subject, Suggestion
from weft.model.codec import value_from
from weft.services.turns import alike, value_after

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from weft.model import Change, Touched
    from weft.model.codec import Value
    from weft.ports import Log

__all__ = ["COMPARED_MAX", "Remains", "remaining"]

COMPARED_MAX: Final = 1_000
"""Subjects with a newer change that are compared in one call; batches of more are not known."""

_UNDO: Final = "undo"
_LEFT, _BACK, _OVER = "left", "back", "over"  # as the batch left it; as it was before; written over
_SAME = "same"  # the batch set its time alone


class Remains(NamedTuple):
    """What is left of a batch, and the undo that wrote all of it last; empty: none did."""

    state: BatchState
    undone_by: str = ""


def remaining(log: Log, touched: Mapping[str, Sequence[Touched]]) -> dict[str, Remains]:
    """Return, for each batch, what is left of it.

    ``touched`` holds all subjects of each batch, the batches that matter most first: once ``COMPARED_MAX`` subjects
    were compared, the state of a batch that takes more is UNKNOWN.
    """
    weighed: dict[str, list[Touched]] = {}
    room = COMPARED_MAX
    for batch, group in touched.items():
        subjects = [each for each in group if _counts(each)]
        moved = sum(each.newest != each.last for each in subjects)
        if moved <= room:
            room -= moved
            weighed[batch] = subjects
    changes = _read(log, [each for subjects in weighed.values() for each in subjects])
    known = {batch: _state(subjects, changes) for batch, subjects in weighed.items()}
    return {batch: known.get(batch, Remains(BatchState.UNKNOWN)) for batch in touched}


def _counts(touched: Touched) -> bool:
    """Whether an undo takes this back at all: sources stay, and so does a vote that was given for the first time."""
    return touched.subject is not Subject.SOURCE and not (touched.subject is Subject.VOTE and touched.made)


def _read(log: Log, subjects: Iterable[Touched]) -> dict[int, Change]:
    places = {place for each in subjects if each.newest != each.last for place in (each.first, each.last, each.newest)}
    return {change.seq: change for change in log.at(sorted(places))} if places else {}


def _state(subjects: Sequence[Touched], changes: Mapping[int, Change]) -> Remains:
    weighed = [(_stands(each, changes), each) for each in subjects]
    found = [each for each in weighed if each[0] != _SAME]
    found = [each for each in found if each[0] == _LEFT or each[1].subject is not Subject.SUGGESTION] or found
    ways = {way for way, _ in found}
    if not ways:
        return Remains(BatchState.NOTHING)
    if _LEFT in ways:
        return Remains(BatchState.STANDS if ways == {_LEFT} else BatchState.PARTLY)
    if _OVER in ways:
        return Remains(BatchState.OVERTAKEN)
    return Remains(BatchState.UNDONE, _undone_by([changes[each.newest] for _, each in found]))


def _stands(touched: Touched, changes: Mapping[int, Change]) -> str:
    if touched.newest == touched.last:
        return _LEFT
    newest, before = changes[touched.newest], changes[touched.first].before
    standing, after = value_after(newest), value_after(changes[touched.last])
    if before is not None and alike(value_from(touched.subject, before), after):
        return _SAME
    if alike(standing, after):
        return _LEFT
    if before is None:
        return _BACK if _gone(standing, newest) else _OVER
    return _BACK if alike(standing, value_from(touched.subject, before)) else _OVER


def _gone(standing: Value | None, newest: Change) -> bool:
    """Whether what a batch made is not there any more: a node is retired then, and a suggestion closed by an undo."""
    if isinstance(standing, Node):
        return standing.retired is not None
    return standing is None or (isinstance(standing, Suggestion) and newest.tool == _UNDO)


def _undone_by(newest: Sequence[Change]) -> str:
    batches = {change.batch for change in newest}
    undone = len(batches) == 1 and all(change.tool == _UNDO for change in newest)
    return batches.pop() if undone else ""
