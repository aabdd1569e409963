"""The log, batch by batch, as an answer: what each batch did in words, and no more of them than one answer takes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from weft.model import Subject
from weft.tools.rendering import BUDGET, answer_text, clip, tidy

if TYPE_CHECKING:
    from collections.abc import Sequence

    from weft.model import Deed, LogEntry, Logged, LoggedSubject

__all__ = ["logged"]

TITLE_MAX: Final = 200  # characters of what names a thing that a batch changed
ROOM: Final = BUDGET - 1_000  # bytes for the batches, beside what is said of the page

_DONE: Final = {
    "create": "created",
    "update": "updated",
    "remove": "removed",
    "retire": "retired",
    "restore": "brought back",
}
_SEVERAL: Final = {Subject.EVIDENCE: "pieces of evidence"}
_ONE: Final = {Subject.EVIDENCE: "piece of evidence"}


def logged(result: Logged) -> dict[str, Any]:
    """Return a page of the log.

    A page whose batches do not fit into one answer is cut at its oldest ones; ``next_before`` goes on from there.
    """
    batches: list[dict[str, Any]] = []
    size = 0
    for entry in result.entries:
        row = tidy(_batch(entry))
        size += len(answer_text(row).encode()) + 1
        if batches and size > ROOM:
            return {"batches": batches, "next_before": batches[-1]["position"], "left_out": result.left_out or None}
        batches.append(row)
    return {
        "batches": batches,
        "next_before": result.next_before,
        "stopped_at": result.stopped_at,
        "left_out": result.left_out or None,
    }


def _batch(entry: LogEntry) -> dict[str, Any]:
    batch = entry.batch
    return {
        "batch": batch.batch,
        "position": batch.seq_last,
        "first_at": batch.first_at,
        "last_at": batch.last_at,
        "actor": batch.actor,
        "client": batch.client,
        "tool": batch.tool,
        "session": batch.session or None,
        "changes": batch.changes,
        "counts": [{"subject": subject, "action": deed, "count": count} for subject, deed, count in entry.counts],
        "summary": _summary(entry.counts) or f"{batch.changes:,} changes",
        "subjects": [_subject(each) for each in entry.subjects],
        "subjects_left_out": entry.subjects_left_out or None,
        "state": entry.state,
        "undone_by": entry.undone_by or None,
    }


def _summary(counts: Sequence[tuple[Subject, Deed, int]]) -> str:
    return ", ".join(f"{count:,} {_named(subject, count)} {_DONE[deed]}" for subject, deed, count in counts)


def _named(subject: Subject, count: int) -> str:
    return _ONE.get(subject, subject.value) if count == 1 else _SEVERAL.get(subject, f"{subject.value}s")


def _subject(row: LoggedSubject) -> dict[str, Any]:
    word = "type" if row.subject is Subject.RELATION else "kind"
    return {
        "id": row.id,
        "subject": row.subject,
        "action": row.deed,
        word: row.kind or None,
        "title": clip(row.title, TITLE_MAX),
        "source": row.source or None,
        "target": row.target or None,
    }
