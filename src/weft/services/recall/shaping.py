"""The shape of the graph, kept until relations change, and then brought up to date by what the log tells."""

from __future__ import annotations

import threading
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from weft.model import Subject
from weft.reason.network import Network
from weft.reason.shape import Shape, shape

if TYPE_CHECKING:
    from collections.abc import Sequence

    from weft.model import Change
    from weft.ports import Log, Shelf

__all__ = ["PAIRS_READ_MAX", "Shaping"]

PAIRS_READ_MAX: Final = 400_000
"""Relations that the shape is read from; of a larger graph it is the shape of that part, and ``health`` says so."""

CHANGES_MAX: Final = 1_000  # after more than these all relations are read anew, which takes about as long


@dataclass(frozen=True, slots=True, kw_only=True)
class _Kept:
    """The relations as they stood at ``head`` or a little later, and their shape."""

    head: int
    network: Network
    shape: Shape


class Shaping:
    """Knows the shape of the graph. Safe for threads: who asks while it is worked out waits for it."""

    def __init__(self, *, shelf: Shelf, log: Log, hubs_max: int) -> None:
        self._shelf = shelf
        self._log = log
        self._hubs_max = hubs_max
        self._kept: _Kept | None = None
        self._keeping = threading.Lock()

    def shape(self, head: int, relations: int) -> Shape:
        """Return the shape at ``head`` of the log, or a little later; the graph holds so many ``relations``."""
        with self._keeping:
            kept = self._kept
            if kept is None or kept.head != head:
                kept = (kept and self._followed(kept, relations)) or self._read(head)
                self._kept = kept
            return kept.shape

    def _read(self, head: int) -> _Kept:
        network = Network.of(self._shelf.relation_pairs(PAIRS_READ_MAX))
        return _Kept(head=head, network=network, shape=shape(network, hubs_max=self._hubs_max))

    def _followed(self, kept: _Kept, relations: int) -> _Kept | None:
        """Return what was kept with the changes since; None where they do not lead to the relations that there are.

        The log may tell of changes that had been read already: telling them again changes nothing.
        """
        changes = self._log.since(kept.head, limit=CHANGES_MAX + 1) if relations <= PAIRS_READ_MAX else ()
        if not 1 <= len(changes) <= CHANGES_MAX:
            return None
        standing = _standing(changes)
        network = kept.network.changed(standing) if standing else kept.network
        if len(network) != relations:
            return None
        found = shape(network, hubs_max=self._hubs_max) if standing else kept.shape
        return replace(kept, head=changes[-1].seq, network=network, shape=found)


def _standing(changes: Sequence[Change]) -> dict[tuple[str, str, str], bool]:
    """Return the relations that these changes touched, and whether each stands after them."""
    standing: dict[tuple[str, str, str], bool] = {}
    for change in changes:
        if change.subject is Subject.RELATION:
            for data, stands in ((change.before, False), (change.after, True)):
                if data is not None:
                    standing[data["source"], data["target"], data["type"]] = stands
    return standing
