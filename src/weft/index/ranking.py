"""The best passage of each node, over as many helpings of passages as it takes."""

from __future__ import annotations

from heapq import nlargest
from typing import TYPE_CHECKING

import numpy as np

from weft.model import Near

if TYPE_CHECKING:
    import numpy.typing as npt

    from weft.index.feed import Places

__all__ = ["Ranking"]


class Ranking:
    """Collects passages and keeps the ``limit`` nodes whose best passage is nearest to ``vector`` (dimension,)."""

    def __init__(self, vector: npt.NDArray[np.float32], limit: int) -> None:
        self.vector = vector
        self.limit = limit
        self._best: dict[str, tuple[float, int, int, int]] = {}

    def add(self, places: Places) -> None:
        """Take these passages in."""
        if not places.rows:
            return
        cosines = np.clip(np.vecdot(places.vectors, self.vector), -1.0, 1.0)
        order = np.argsort(-cosines, kind="stable")
        seen: set[str] = set()
        for at, cosine in zip(order.tolist(), cosines[order].tolist(), strict=True):
            node = places.nodes[at]
            if node not in seen:
                seen.add(node)
                if node not in self._best or cosine > self._best[node][0]:
                    self._best[node] = (cosine, places.starts[at], places.ends[at], places.rows[at])
                if len(seen) >= self.limit:
                    break

    def settled(self, floor: float) -> bool:
        """Return whether no passage with a cosine below ``floor`` could change the outcome."""
        if len(self._best) < self.limit:
            return False
        return nlargest(self.limit, (cosine for cosine, *_ in self._best.values()))[-1] >= floor

    def best(self) -> tuple[Near, ...]:
        """Return the nodes, nearest first; equals in the order of their ids."""
        first = sorted(self._best.items(), key=lambda item: (-item[1][0], item[0]))[: self.limit]
        return tuple(Near(node, *found) for node, found in first)
