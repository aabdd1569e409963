"""Passages whose kept vector is not the one that the bundled model gives: an older release embedded them otherwise.

A few are embedded again, evenly spread. Endpoints are not asked: that costs whoever runs them, and what they answer
need not be the same twice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from weft.services.passages import embedded_anew

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy.typing as npt

    from weft.model import Call, Embedded
    from weft.services.keeping.ports import KeepingPorts

__all__ = ["LOOKED_MAX", "Sameness"]

LOOKED_MAX: Final = 64
"""Nodes of which the first passage is embedded again: a seventh of a second for notes, two for texts that fill it."""

_SAME_MIN: Final = 0.98
"""The cosine from which two vectors are one: rounded to half precision, on another processor, it is 0.999 and more."""

_AT_ONCE: Final = 64


class Sameness:
    """Compares what is kept with what the model gives."""

    def __init__(self, ports: KeepingPorts) -> None:
        self._ports = ports

    def looked(self) -> tuple[int, int]:
        """Return how many passages were embedded again, and how many of these had another vector."""
        kept = {} if self._ports.remote else self._ports.health.sample(LOOKED_MAX)
        return len(kept), len(self._others(kept))

    def mend(self, call: Call) -> None:
        """Keep the model's own vectors for all passages that have others, those that ended too."""
        done, row, count = 0, 0, self._ports.health.count()
        while kept := self._ports.health.vectors(row, limit=_AT_ONCE):
            if others := self._others(kept):
                self._ports.health.revector(others, tier=call.tier)
            done, row = done + len(kept), max(kept)
            call.report(done, count, "embedding")

    def _others(self, kept: Mapping[int, npt.NDArray[np.float32]]) -> dict[int, Embedded]:
        """Return, by row, what has another vector than is ``kept`` where it is embedded again."""
        fresh = embedded_anew(self._ports.health.given(list(kept)), self._ports.embedder) if kept else {}
        return {row: each for row, each in fresh.items() if float(np.dot(kept[row], each.vector)) < _SAME_MIN}
