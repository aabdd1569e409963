"""How the graph changes: who is calling, what is to be written together, and what the log keeps of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum, StrEnum
from typing import TYPE_CHECKING, Any, TypeAlias

from weft.errors import InvalidArgument, PermissionDenied
from weft.model.times import in_utc

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime

    from weft.model.knowledge import Evidence, Mention, Node, Passage, Relation, Source, Suggestion
    from weft.model.staleness import FilePrint

__all__ = [
    "Action",
    "Batch",
    "Call",
    "Change",
    "ClaimNumber",
    "Committed",
    "Operation",
    "Progress",
    "Receipt",
    "ReceiptRequest",
    "RemoveEvidence",
    "RemoveRelation",
    "ReserveNumbers",
    "SaveEvidence",
    "SaveFilePrints",
    "SaveMentions",
    "SaveNode",
    "SaveRelation",
    "SaveSource",
    "SaveSuggestion",
    "SaveVote",
    "Subject",
    "Tier",
    "Vote",
]


class Tier(IntEnum):
    """What a caller may do; each tier holds the ones before it."""

    READER = 1
    CONTRIBUTOR = 2
    LIBRARIAN = 3
    CURATOR = 4

    @property
    def label(self) -> str:
        """The tier's name as people write it: ``reader`` … ``curator``."""
        return self.name.lower()

    @classmethod
    def named(cls, said: Tier | str) -> Tier:
        """Return the tier that ``said`` is, or names.

        Raises:
            InvalidArgument: it is none.
        """
        names = {tier.label: tier for tier in cls}
        found = said if isinstance(said, Tier) else names.get(said.lower()) if isinstance(said, str) else None
        if found is None:
            raise InvalidArgument(f"tier: must be one of {', '.join(names)}, not {said!a:.60}")
        return found


class Action(StrEnum):
    """What a change did to its subject."""

    CREATE = "create"
    UPDATE = "update"
    REMOVE = "remove"


class Subject(StrEnum):
    """What a change was about."""

    NODE = "node"
    RELATION = "relation"
    SOURCE = "source"
    EVIDENCE = "evidence"
    SUGGESTION = "suggestion"
    VOTE = "vote"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceiptRequest:
    """A wish to have this call answered once only.

    ``key`` is the caller's, ``digest`` covers tool, arguments and actor, and ``seal`` turns the verb's result into the
    JSON text that a repetition is answered with; the store writes it in the transaction of the change.
    """

    key: str
    digest: str
    seal: Callable[[Any], str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """The remembered answer of a successful call under (``actor``, ``tool``, ``key``); ``answer`` is JSON text."""

    key: str
    tool: str
    actor: str
    digest: str
    answer: str
    subjects: tuple[str, ...] = ()


Progress: TypeAlias = "Callable[[int, int, str], None]"
"""Told (done, total, message) on long work; it may raise to give the work up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """Who calls, through what, with what reach, and when: handed down by the gate with every verb.

    ``tier`` and ``actor`` come from the credential or the start-up flags, never from an argument. ``caller`` is whose
    history counts for hints. ``progress`` is told how far long work is. ``at`` is kept in UTC; without a zone it is so
    already.
    """

    actor: str
    client: str
    tool: str
    tier: Tier
    at: datetime
    session: str = ""
    caller: str = ""
    receipt: ReceiptRequest | None = None
    progress: Progress | None = None

    def __post_init__(self) -> None:
        """Make the time one that can be compared with those of the graph."""
        object.__setattr__(self, "at", in_utc(self.at))

    def require(self, tier: Tier, what: str) -> None:
        """Refuse ``what``, which needs ``tier``, to a caller who does not reach that far.

        Raises:
            PermissionDenied: the caller's tier is below ``tier``.
        """
        if self.tier < tier:
            raise PermissionDenied(f"{what} needs the tier {tier.label}; this caller is a {self.tier.label}")

    def report(self, done: int, total: int, message: str) -> None:
        """Tell how far long work is, where somebody wants to know; whoever is told may raise, to cancel it."""
        if self.progress is not None:
            self.progress(done, total, message)


@dataclass(frozen=True, slots=True, kw_only=True)
class SaveNode:
    """Write ``node``; it must stand at version ``expect`` now (0: it must not exist), else StaleRead.

    ``passages`` replace the node's open passages; None leaves them. A retired node has none, whatever is given.
    """

    node: Node
    expect: int
    passages: tuple[Passage, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SaveRelation:
    """Write ``relation``.

    It must stand at version ``expect`` now (0: no such source, target and type), else StaleRead.
    """

    relation: Relation
    expect: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoveRelation:
    """Take the relation ``id`` out of the graph; the log keeps it. Needs a librarian."""

    id: str
    expect: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SaveSource:
    """Write a source; sources never change.

    ``after`` is the id of the newest source of the same document and ontology that must stand now (empty: none), else
    StaleRead; None: whatever stands.
    """

    source: Source
    after: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SaveEvidence:
    """Write a piece of evidence that must stand at version ``expect`` now (0: new), else StaleRead."""

    evidence: Evidence
    expect: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoveEvidence:
    """Take the evidence ``id`` out; the log keeps it. Needs a librarian."""

    id: str
    expect: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SaveMentions:
    """Replace the mentions found in ``node``'s text (``outgoing``) and add those of its names elsewhere (``incoming``).

    Derived: not in the log.
    """

    node: str
    outgoing: tuple[Mention, ...]
    incoming: tuple[Mention, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SaveFilePrints:
    """Replace what the files looked like that ``node`` refers to. Derived: not in the log."""

    node: str
    prints: tuple[FilePrint, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SaveSuggestion:
    """Write a suggestion. With ``expect`` 0 one of the same ``dedup`` that stands already wins, nothing is written."""

    suggestion: Suggestion
    expect: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Vote:
    """One actor's word (+1 or −1) on a learned item; the last one counts."""

    learned_id: str
    actor: str
    value: int
    reason: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class SaveVote:
    """Write or replace the actor's vote."""

    vote: Vote


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimNumber:
    """Take number ``value`` of the series ``name`` (``learned_2026-11-21``).

    It must be the next one, else StaleRead.
    """

    name: str
    value: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ReserveNumbers:
    """Give out no number up to ``value`` of the series ``name`` from now on: they came in from elsewhere.

    The last number that was given out must be ``expect`` now (0: none), else StaleRead.
    """

    name: str
    value: int
    expect: int


Operation: TypeAlias = (
    SaveNode
    | SaveRelation
    | RemoveRelation
    | SaveSource
    | SaveEvidence
    | RemoveEvidence
    | SaveMentions
    | SaveFilePrints
    | SaveSuggestion
    | SaveVote
    | ClaimNumber
    | ReserveNumbers
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """What is written together, or not at all.

    ``spares_documents`` is on for everything that thinks: the engine then refuses to remove or retire anything of
    origin ``document``. Only verbs of deletion and undo switch it off.
    """

    id: str
    call: Call
    operations: tuple[Operation, ...]
    receipt: Receipt | None = None
    spares_documents: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Committed:
    """A batch that is durable: its id and the log positions it took (``seq_first`` .. ``seq_last``, 0 if none)."""

    batch: str
    seq_first: int
    seq_last: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One row of the log. ``before`` and ``after`` are the subject's fields as JSON-ready data; None: it was not."""

    seq: int
    at: datetime
    actor: str
    client: str
    tool: str
    session: str
    batch: str
    subject: Subject
    subject_id: str
    action: Action
    before: Mapping[str, Any] | None = field(default=None)
    after: Mapping[str, Any] | None = field(default=None)
