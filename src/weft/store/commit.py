"""The one way to write: a batch becomes durable as a whole, with its lines in the log and its receipt, or not at all.

What can be worked out without the graph (encodings, words, vectors) is worked out before the write lock is taken.
"""

from __future__ import annotations

from threading import Event
from typing import TYPE_CHECKING

from weft.errors import Conflict, PermissionDenied, StaleRead
from weft.model import Committed, Tier
from weft.store.moved import refuse_moved
from weft.store.plans import plan_of
from weft.store.writes import Pen, apply

if TYPE_CHECKING:
    from weft.model import Batch, Receipt
    from weft.store.engine import Database

__all__ = ["Commits"]


class Commits:
    """Writes batches to one database; ``written`` is set by each, for whoever waits for that."""

    def __init__(self, database: Database) -> None:
        self.written = Event()
        self._database = database
        self._dimension = 0

    def commit(self, batch: Batch) -> Committed:
        """Write the whole batch durably, log it and keep its receipt, or write nothing.

        Operations are applied in the order given, at the lower of the call's tier and the connection's. At the end no
        relation may touch a node that is not there or retired. A batch of nothing returns when all that can be read
        lasts as what was acknowledged does: what another has written may be seen before that.

        Raises:
            StaleRead: an operation's ``expect`` no longer holds, or a relation would end at a node that is gone.
            Conflict: the receipt's key is taken.
            InvalidArgument: a value breaks a rule of the graph, or changes what never changes.
            PermissionDenied: the tier does not reach an operation.
            Unavailable: the disk is full or failing, or others kept the graph busy for 30 s.
        """
        if not batch.operations and batch.receipt is None:
            self._database.assure()
            return Committed(batch=batch.id, seq_first=0, seq_last=0)
        reach = min(batch.call.tier, self._database.tier)
        if reach < Tier.CONTRIBUTOR:
            raise PermissionDenied(f"Writing needs tier {Tier.CONTRIBUTOR.label}; this call reaches as {reach.label}.")
        plans = [plan_of(operation, self._dimension_now) for operation in batch.operations]
        with self._database.writer(reach, spares=batch.spares_documents) as writer:
            pen = Pen(writer, batch)
            seq = pen.seq
            if batch.receipt is not None:
                _keep(batch.receipt, batch.id, pen)
            for plan in plans:
                apply(pen, plan)
            _check_ends(pen)
        self.written.set()
        first, last = (seq + 1, pen.seq) if pen.seq > seq else (0, 0)
        return Committed(batch=batch.id, seq_first=first, seq_last=last)

    def _dimension_now(self, wanted: int) -> int:
        """Return the length of the graph's vectors, read anew when ``wanted`` differs: a graph can be re-embedded.

        Raises:
            Unavailable: it has been since it was opened here.
        """
        if self._dimension != wanted:
            refuse_moved(self._database, self._database.embedding)
            self._dimension = int(dict(self._database.read("meta_values"))["dimension"])
        return self._dimension


def _keep(receipt: Receipt, batch: str, pen: Pen) -> None:
    if pen.repeats:
        raise Conflict(
            f"The idempotency key {receipt.key!r} of {receipt.tool} is taken by a call that finished meanwhile.",
            hint="Look the receipt up: it holds that call's answer.",
            key="receipt_taken",
        )
    pen.writer.put(
        "receipt_insert",
        actor=receipt.actor,
        tool=receipt.tool,
        key=receipt.key,
        digest=receipt.digest,
        answer=receipt.answer,
        subjects=list(receipt.subjects),
        batch=batch,
    )


def _check_ends(pen: Pen) -> None:
    ends = sorted({end for both in pen.joined.values() for end in both})
    if ends and (fallen := pen.writer.read("nodes_fallen", ids=ends)):
        raise StaleRead(f"A relation would end at {fallen[0][0]}, which is not there or retired.")
    if pen.retired and (held := pen.writer.read("nodes_held", ids=sorted(pen.retired))):
        raise StaleRead(f"Node {held[0][0]} cannot be retired while relations touch it; one was made meanwhile.")
