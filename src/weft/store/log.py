"""The append-only log, read: changes in commit order, and the past that they tell."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from weft.errors import Ambiguous, Candidate
from weft.model import Deed, Subject
from weft.model.codec import node_from, time_text
from weft.store.engine import AFTER_ALL
from weft.store.rows import change_of, logged_batch_of, touched_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from weft.model import Change, LoggedBatch, LogQuery, Node, Touched
    from weft.store.engine import Database

__all__ = ["SqlLog"]

_CANDIDATES = 5
_CONDITIONS = (("actor", "if_actor"), ("client", "if_client"), ("tool", "if_tool"), ("session", "if_in_session"))


class SqlLog:
    """The :class:`weft.ports.Log` of a graph in SQL."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def head(self) -> int:
        """Return the position of the last change (0: none)."""
        rows = self._database.read("change_head")
        return int(rows[0][0]) if rows else 0

    def since(self, seq: int, *, limit: int) -> tuple[Change, ...]:
        """Return the changes after ``seq``, oldest first."""
        return tuple(change_of(row) for row in self._database.read("changes_since", seq=seq, limit=limit))

    def batch(self, batch: str) -> tuple[Change, ...]:
        """Return the changes of a batch, oldest first; an unambiguous prefix of the id will do.

        Raises:
            Ambiguous: several batches begin so.
        """
        wanted = batch.strip()
        found = self._database.read("batches_by_prefix", first=wanted, last=wanted + AFTER_ALL, limit=_CANDIDATES)
        names = [row[0] for row in found]
        if len(names) > 1 and wanted not in names:
            raise Ambiguous(
                f"Several batches begin with {wanted!r}.",
                candidates=tuple(Candidate(id=name, title="") for name in names),
            )
        exact = wanted if wanted in names or not names else names[0]
        return tuple(change_of(row) for row in self._database.read("changes_of_batch", batch=exact))

    def history(self, subject_id: str, *, limit: int) -> tuple[Change, ...]:
        """Return the changes of one subject, newest first."""
        rows = self._database.read("changes_of_subject", subject_id=subject_id, limit=limit)
        return tuple(change_of(row) for row in rows)

    def batches(self, query: LogQuery) -> tuple[LoggedBatch, ...]:
        """Return the batches whose last change lies within ``query``, newest first, each once."""
        said = {name: str(getattr(query, name)) for name, _ in _CONDITIONS}
        values: dict[str, Any] = {name: value for name, value in said.items() if value}
        where = tuple(condition for name, condition in _CONDITIONS if name in values)
        values |= {"before": query.before, "after": query.after, "limit": query.limit}
        if query.subjects:
            values |= {"subjects": list(query.subjects), "node": query.node}
        rows = self._database.read("batches_about" if query.subjects else "batches_between", where=where, **values)
        return tuple(logged_batch_of(row) for row in rows)

    def counted(self, batches: Sequence[str]) -> dict[str, tuple[tuple[Subject, Deed, int], ...]]:
        """Return how often each of these batches did what to which kind of subject, in the order of the log."""
        counts: dict[str, tuple[tuple[Subject, Deed, int], ...]] = dict.fromkeys(batches, ())
        for batch, subject, deed, count in self._database.read("batches_counted", ids=list(batches)):
            counts[batch] += ((Subject(subject), Deed(deed), count),)
        return counts

    def touched(self, batches: Sequence[str]) -> tuple[Touched, ...]:
        """Return each subject that these batches changed, in the order of their first changes there."""
        return tuple(touched_of(row) for row in self._database.read("batches_touched", ids=list(batches)))

    def at(self, positions: Sequence[int]) -> tuple[Change, ...]:
        """Return the changes at these positions, oldest first, each once; positions without one are left out."""
        return tuple(change_of(row) for row in self._database.read("changes_at", rows=list(positions)))

    def position(self, at: datetime) -> int:
        """Return the position of the last change made at or before ``at`` (0: none)."""
        rows = self._database.read("change_at", at=time_text(at))
        return int(rows[0][0]) if rows else 0

    def nodes_as_of(self, ids: Sequence[str], seq: int) -> dict[str, Node]:
        """Return the nodes as they stood at ``seq``; those not yet made or already retired then are left out."""
        stood = (
            node_from(json.loads(row[0]))
            for row in self._database.read("nodes_as_of", ids=list(ids), seq=seq)
            if row[0]
        )
        return {node.id: node for node in stood if node.retired is None}
