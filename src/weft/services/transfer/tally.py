"""What has become of an import so far."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from weft.model import Imported, Unread

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["UNREAD_MAX", "Tally"]

UNREAD_MAX: Final = 1_000
"""Entries that are listed; all are counted."""

_BATCHES_MAX: Final = 1_000
_SHOWN_MAX: Final = 500


@dataclass(slots=True, kw_only=True)
class Tally:
    """Counts up while an import runs; the fields are those of :class:`weft.model.Imported`."""

    format: str
    dry_run: bool
    nodes_made: int = 0
    nodes_updated: int = 0
    nodes_known: int = 0
    nodes_kept: int = 0
    nodes_forgotten: int = 0
    nodes_absent: int = 0
    relations_made: int = 0
    relations_removed: int = 0
    relations_known: int = 0
    changes: int = 0
    changes_known: int = 0
    unread_total: int = 0
    _unread: list[Unread] = field(default_factory=list)
    _absent: list[str] = field(default_factory=list)
    _batches: dict[str, None] = field(default_factory=dict)

    def refuse(self, path: str, line: int, reason: str) -> None:
        """Note something that was not taken in."""
        self.unread_total += 1
        if len(self._unread) < UNREAD_MAX:
            self._unread.append(Unread(path=_shown(path), line=line, reason=_shown(reason)))

    def refuse_all(self, entries: Iterable[Unread]) -> None:
        """Note all of these."""
        for each in entries:
            self.refuse(each.path, each.line, each.reason)

    def miss(self, handles: Iterable[str]) -> None:
        """Note these nodes, whose files are gone."""
        for each in handles:
            self.nodes_absent += 1
            if len(self._absent) < UNREAD_MAX:
                self._absent.append(each)

    def wrote(self, batch: str) -> None:
        """Note a batch; the first thousand are listed."""
        if len(self._batches) < _BATCHES_MAX:
            self._batches[batch] = None

    def answer(self) -> Imported:
        """Return the tally as the verb's answer."""
        return Imported(
            format=self.format,
            dry_run=self.dry_run,
            nodes_made=self.nodes_made,
            nodes_updated=self.nodes_updated,
            nodes_known=self.nodes_known,
            nodes_kept=self.nodes_kept,
            nodes_forgotten=self.nodes_forgotten,
            nodes_absent=self.nodes_absent,
            absent=tuple(self._absent),
            relations_made=self.relations_made,
            relations_removed=self.relations_removed,
            relations_known=self.relations_known,
            changes=self.changes,
            changes_known=self.changes_known,
            unread=tuple(self._unread),
            unread_total=self.unread_total,
            batches=tuple(self._batches),
        )


def _shown(text: str) -> str:
    """Return ``text`` as it may be printed: names of files and foreign words may hold signs that steer a terminal."""
    return "".join(letter if letter.isprintable() else "\ufffd" for letter in text[:_SHOWN_MAX])
