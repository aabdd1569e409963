"""What a batch did to each of its subjects, all its changes taken together: the ground of undoing and of parting."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from weft.model import Subject
from weft.model.codec import to_data, value_from

if TYPE_CHECKING:
    from collections.abc import Sequence

    from weft.model import Change
    from weft.model.codec import Value

__all__ = ["WRITTEN", "Turn", "alike", "turns", "value_after"]

WRITTEN: Final = frozenset({"version", "modified_at", "modified_by"})
"""The fields of a value that tell who wrote it last."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """What a batch did to one subject; ``before`` or ``after`` None: the subject was not there.

    ``seq`` is the position of its last change in the batch.
    """

    subject: Subject
    id: str
    before: Value | None
    after: Value | None
    seq: int


def turns(changes: Sequence[Change]) -> list[Turn]:
    """Return what was done to each subject, nodes first, so that relations know which ends return."""
    first: dict[str, Change] = {}
    last: dict[str, Change] = {}
    for change in changes:
        first.setdefault(change.subject_id, change)
        last[change.subject_id] = change
    found = [
        Turn(
            subject=opening.subject,
            id=id_,
            before=None if opening.before is None else value_from(opening.subject, opening.before),
            after=value_after(last[id_]),
            seq=last[id_].seq,
        )
        for id_, opening in first.items()
    ]
    return sorted(found, key=lambda turn: turn.subject is not Subject.NODE)


def value_after(change: Change) -> Value | None:
    """Return the subject as the change left it; None: it was removed."""
    return None if change.after is None else value_from(change.subject, change.after)


def alike(one: Value | None, other: Value | None) -> bool:
    """Whether two states say the same, whoever wrote them: what was done later and taken back again does not count."""
    return _said(one) == _said(other)


def _said(value: Value | None) -> dict[str, Any] | None:
    if value is None:
        return None
    return {name: part for name, part in to_data(value).items() if name not in WRITTEN}
