"""One pass over the vault: what is at hand while files and graph are compared."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from weft.formats.vault_note import ENTRIES_MAX, Entry
from weft.model import Tier
from weft.services.planning import Plan, settle
from weft.services.relating import attached

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from weft.formats.vault_note import Note
    from weft.model import Call, Node, Operation, Relation
    from weft.vault.folder import Folder, Scan, Stamp
    from weft.vault.memory import Memory, Mirrored
    from weft.vault.ports import VaultPorts
    from weft.vault.report import Report
    from weft.vocabulary import Vocabulary

__all__ = ["Pass", "Seen", "entries_of"]

_DESCRIPTION_MAX: Final = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """A note as it was read in this pass; ``entry`` is what is remembered of it, None: nothing."""

    path: str
    digest: str
    stamp: Stamp
    note: Note
    entry: Mirrored | None = None


@dataclass(slots=True, kw_only=True)
class Pass:
    """One pass. ``blocked`` are paths that are not to be written, ``dirty`` the nodes whose files are to be.

    ``since`` are the nodes that the graph changed since the last pass. ``held`` is the digest that each file was seen
    with. ``removed`` are relations that this pass took out, ``failures`` files that the disk refused. ``fresh`` are
    nodes whose notes were just written.
    """

    ports: VaultPorts
    folder: Folder
    memory: Memory
    report: Report
    call: Call
    scan: Scan
    dry_run: bool
    vocabulary: Vocabulary
    blocked: set[str] = field(default_factory=set)
    dirty: dict[str, None] = field(default_factory=dict)
    since: frozenset[str] = frozenset()
    held: dict[str, str] = field(default_factory=dict)
    fresh: set[str] = field(default_factory=set)
    failures: int = 0
    removed: set[str] = field(default_factory=set)
    tied: list[tuple[str, Seen, bool]] = field(default_factory=list)

    @property
    def may_remove(self) -> bool:
        """Whether the caller may retire nodes and take relations out."""
        return self.call.tier >= Tier.LIBRARIAN

    def refuse(self, path: str, reason: str, line: int = 0) -> None:
        """Report a file, and leave it as it is in this pass."""
        self.blocked.add(path)
        self.report.refuse(path, reason, line)

    def commit(self, operations: Sequence[Operation], *, attempts: int = 1) -> None:
        """Write these together, unless this is a dry run."""
        if operations and not self.dry_run:
            call = replace(self.call, receipt=None)

            def plan(batch: str) -> Plan[str]:
                return Plan(operations=tuple(operations), answer=batch, subjects=(), spares_documents=False)

            self.report.wrote(settle(self.ports.store, call, plan, attempts=attempts))

    def touch(self, nodes: Iterable[str]) -> None:
        """Have the files of these nodes written at the end."""
        self.dirty |= dict.fromkeys(nodes)

    def now_ns(self) -> int:
        """Return the time by the clock that files are stamped with."""
        return time.time_ns()

    def relations_of(self, node: str) -> tuple[Relation, ...]:
        """Return all relations of a node, strongest first."""
        return attached(self.ports.store, node)


def entries_of(node: Node, relations: Sequence[Relation], pending: Sequence[Entry]) -> tuple[Entry, ...]:
    """Return the relations of ``node`` as its note shows them, in order of their age: the strongest hundred."""
    strongest = sorted(relations[:ENTRIES_MAX], key=lambda each: (each.created_at, each.id))
    shown = [
        Entry(
            type=each.type,
            target=each.other_end(node.id),
            incoming=each.source != node.id,
            strength=each.confidence,
            edge_id=each.id,
            description=" ".join(each.reasoning.split())[:_DESCRIPTION_MAX],
        )
        for each in strongest
    ]
    return (*shown, *pending)
