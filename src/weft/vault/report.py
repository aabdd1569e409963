"""What a pass over the vault came to, and how the vault stands."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from weft.model import Unread

__all__ = ["Conflict", "Report", "Synced", "VaultStatus"]

LISTED_MAX: Final = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflict:
    """A note and its node that both changed: the node, the note's path, and where the note's text is kept."""

    node: str
    title: str
    path: str
    copy: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Synced:
    """What became of a pass over the vault; of a dry run, what would.

    ``nodes_*`` and ``relations_*`` were read into the graph, ``written``, ``moved`` and ``removed`` are files.
    ``unread`` lists at most 1,000 entries; ``unread_total`` counts all.
    """

    root: str
    dry_run: bool
    files: int = 0
    nodes_made: int = 0
    nodes_changed: int = 0
    nodes_retired: int = 0
    nodes_returned: int = 0
    relations_made: int = 0
    relations_changed: int = 0
    relations_removed: int = 0
    others_made: int = 0
    written: int = 0
    moved: int = 0
    removed: int = 0
    conflicts: tuple[Conflict, ...] = ()
    unread: tuple[Unread, ...] = ()
    unread_total: int = 0
    batches: tuple[str, ...] = ()

    @property
    def changed(self) -> bool:
        """Whether anything was read in or written out."""
        came = self.nodes_made + self.nodes_changed + self.nodes_retired + self.nodes_returned + self.others_made
        came += self.relations_made + self.relations_changed + self.relations_removed
        return bool(came + self.written + self.moved + self.removed)


@dataclass(frozen=True, slots=True, kw_only=True)
class VaultStatus:
    """How the vault stands: whether it is on, where it lies, how many files are mirrored, and how far it lags.

    ``behind`` counts changes of the graph that are not mirrored yet, ``waiting`` the notes that they concern (of the
    first 1,000 changes); ``conflicts`` are open ones; ``watched`` says whether a process keeps it now. ``problem`` says
    why files and graph cannot be brought together now; empty: they can.
    """

    on: bool
    root: str = ""
    notes: int = 0
    sources: int = 0
    behind: int = 0
    waiting: int = 0
    conflicts: int = 0
    watched: bool = False
    problem: str = ""


@dataclass(slots=True, kw_only=True)
class Report:
    """Counts up while a pass runs; the fields are those of :class:`Synced`."""

    root: str
    dry_run: bool
    counts: dict[str, int] = field(default_factory=dict)
    unread_total: int = 0
    _unread: list[Unread] = field(default_factory=list)
    _conflicts: list[Conflict] = field(default_factory=list)
    _batches: dict[str, None] = field(default_factory=dict)

    def count(self, name: str, by: int = 1) -> None:
        """Add to a count of :class:`Synced`."""
        if by:
            self.counts[name] = self.counts.get(name, 0) + by

    def refuse(self, path: str, reason: str, line: int = 0) -> None:
        """Note something that was not read, or not written."""
        self.unread_total += 1
        if len(self._unread) < LISTED_MAX:
            self._unread.append(Unread(path=path, line=line, reason=reason))

    def conflict(self, conflict: Conflict) -> None:
        """Note a conflict."""
        if len(self._conflicts) < LISTED_MAX:
            self._conflicts.append(conflict)

    def wrote(self, batch: str) -> None:
        """Note a batch; the first thousand are listed."""
        if batch and len(self._batches) < LISTED_MAX:
            self._batches[batch] = None

    def answer(self) -> Synced:
        """Return the counts as the verb's answer."""
        return Synced(
            root=self.root,
            dry_run=self.dry_run,
            conflicts=tuple(self._conflicts),
            unread=tuple(self._unread),
            unread_total=self.unread_total,
            batches=tuple(self._batches),
            **self.counts,
        )
