"""Passages whose kept vector is not the one that the bundled model gives: an older release embedded them otherwise.

A few are embedded again, evenly spread. Endpoints are not asked: that costs whoever runs them, and what they answer
need not be the same twice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from weft.services.passages import embedded_anew

if TYPE_CHECKING:
    from collections.abc import Sequence

    from weft.model import Call, Embedded
    from weft.services.keeping.rooms import KeepingRooms

__all__ = ["LOOKED_MAX", "Sameness"]

LOOKED_MAX: Final = 64
"""Nodes of which the newest passage is embedded again: half a second, up to a few where the texts are long."""

_SAME_MIN: Final = 0.98
"""The cosine from which two vectors are one: rounded to half precision, on another processor, it is 0.999 and more."""

_AT_ONCE: Final = 64


class Sameness:
    """Compares what is kept with what the model gives."""

    def __init__(self, rooms: KeepingRooms) -> None:
        self._rooms = rooms

    def looked(self) -> tuple[int, int]:
        """Return how many passages were embedded again, and how many of these had another vector."""
        if self._rooms.remote:
            return 0, 0
        every = [self._rooms.health.rows_of(node) for node in self._rooms.health.spread(LOOKED_MAX)]
        newest = [max(rows) for rows in every if rows]
        return len(newest), len(self._others(newest))

    def mend(self, call: Call) -> None:
        """Keep the model's own vectors for all passages that have others, of every node that stands."""
        nodes = self._rooms.health.spread()
        for start in range(0, len(nodes), _AT_ONCE):
            rows = [row for node in nodes[start : start + _AT_ONCE] for row in self._rooms.health.rows_of(node)]
            for first in range(0, len(rows), _AT_ONCE):
                if others := self._others(rows[first : first + _AT_ONCE]):
                    self._rooms.health.revector(others, tier=call.tier)
            if call.progress is not None:
                call.progress(start, len(nodes), "embedding")

    def _others(self, rows: Sequence[int]) -> dict[int, Embedded]:
        """Return those of ``rows`` whose kept vector is another, embedded again."""
        fresh = embedded_anew(self._rooms.health.given(rows), self._rooms.embedder)
        kept = self._rooms.health.vectors(rows)
        return {row: each for row, each in fresh.items() if float(np.dot(kept[row], each.vector)) < _SAME_MIN}
