"""The log read batch by batch: what is asked of it, what it tells of each batch, and what is left of one."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from datetime import datetime

    from weft.model.change import Subject

__all__ = [
    "COUNTED_MAX",
    "BatchState",
    "Deed",
    "LogEntry",
    "LogQuery",
    "LogRequest",
    "Logged",
    "LoggedBatch",
    "LoggedSubject",
    "Touched",
]

COUNTED_MAX: Final = 10_000
"""Changes of a batch up to which it is looked into; of a larger one only the size is told."""


class Deed(StrEnum):
    """What a change did, told more closely than by its action: a node that is retired or restored is updated too."""

    CREATE = "create"
    UPDATE = "update"
    REMOVE = "remove"
    RETIRE = "retire"
    RESTORE = "restore"


class BatchState(StrEnum):
    """What is left of a batch, as the log alone can tell.

    Sources, votes given for the first time, and suggestions that were decided later do not count: an undo leaves them.
    STANDS: all that it changed is as the batch left it. PARTLY: some of it is. UNDONE: all of it is as it was before,
    whoever did that. OVERTAKEN: none of it is as the batch left it, and something newer was written. NOTHING: it wrote
    nothing that can be taken back. UNKNOWN: there was too much to compare.
    """

    STANDS = "stands"
    PARTLY = "partly"
    UNDONE = "undone"
    OVERTAKEN = "overtaken"
    NOTHING = "nothing"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class LogRequest:
    """Which batches are wanted: ``limit`` (1..100) of those below the position ``before`` (None: from the newest on).

    ``actor``, ``client``, ``tool`` and ``session`` are compared exactly, empty: any. ``since`` and ``until`` include
    their moment, of UTC where it has no zone. ``node`` names a node: batches that changed it, or a relation at it.
    """

    before: int | None = None
    limit: int = 20
    actor: str = ""
    client: str = ""
    tool: str = ""
    session: str = ""
    since: datetime | None = None
    until: datetime | None = None
    node: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LogQuery:
    """Which batches to look for: those whose last change lies between ``after`` and ``before``, both left out.

    ``limit`` is 1 or more. With ``subjects`` only batches that changed one of these count, or a relation at the node
    ``node`` that does not stand any more.
    """

    before: int
    after: int = 0
    limit: int = 20
    actor: str = ""
    client: str = ""
    tool: str = ""
    session: str = ""
    node: str = ""
    subjects: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedBatch:
    """One batch as the log has it. Where it stands, who made it, through what and when, are its last change's."""

    batch: str
    seq_first: int
    seq_last: int
    first_at: datetime
    last_at: datetime
    actor: str
    client: str
    tool: str
    session: str
    changes: int

    @property
    def unbroken(self) -> bool:
        """Whether no change of another batch lies between its own."""
        return self.seq_last - self.seq_first + 1 == self.changes


@dataclass(frozen=True, slots=True, kw_only=True)
class Touched:
    """One subject of a batch: where its ``first`` and ``last`` change there lie, and its ``newest`` of all.

    ``made`` is true where the batch made it.
    """

    batch: str
    subject: Subject
    id: str
    made: bool
    first: int
    last: int
    newest: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedSubject:
    """One thing that a batch changed. ``title`` is what the batch left of it, of a relation «A –type→ B».

    ``kind`` is a node's kind or a relation's type; ``source`` and ``target`` are a relation's ends.
    """

    id: str
    subject: Subject
    deed: Deed
    title: str
    kind: str = ""
    source: str = ""
    target: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LogEntry:
    """One batch, some of what it changed, and what is left of it.

    ``counts`` are (subject, deed, how many changes), nodes and relations first. Of a batch of more than
    :data:`COUNTED_MAX` changes neither they nor its subjects are told. ``subjects_left_out`` is how many more things it
    changed. ``undone_by`` is the undo that wrote all of its subjects last, where one did.
    """

    batch: LoggedBatch
    counts: tuple[tuple[Subject, Deed, int], ...]
    subjects: tuple[LoggedSubject, ...]
    subjects_left_out: int
    state: BatchState
    undone_by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Logged:
    """A page of batches, newest first. ``next_before`` goes on from there; None: nothing older matches.

    ``stopped_at`` is how far back was looked, where the bound of one look ended it before the page was full.
    ``left_out`` says which relations of a node were not looked for.
    """

    entries: tuple[LogEntry, ...]
    next_before: int | None = None
    stopped_at: datetime | None = None
    left_out: str = ""
