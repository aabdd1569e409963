"""Which nodes the table of kind pairs is tried on for a new one: those that its title and tags bring to mind.

The text of the new node is compared elsewhere; this is the second question, asked in few words. Measured on notes of
a few sentences it alone finds a pair now and then (0.73 where the texts are at 0.69), the text more often; a pair
counts with the higher of the two similarities. It costs 2 ms, mostly a second embedding, so that a capture asks it only
where the table alone links.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from weft.model import Filter
from weft.reason.pair import PAIR_FLOOR
from weft.vocabulary import PAIR_CANDIDATES_MAX

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy as np
    import numpy.typing as npt

    from weft.model import Near, Node
    from weft.ports import Embedder, Store, Vectors

__all__ = ["Pairing", "Reminder"]

_NEAR_MAX: Final = 20
"""Nodes that title and tags bring to mind at first; of those of the node's own kind none will be paired."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reminder:
    """What title and tags bring to mind: their vector, and the nodes nearest to it, of whatever kind."""

    vector: npt.NDArray[np.float32]
    near: tuple[Near, ...]


class Pairing:
    """Recalls by title and tags. Nothing here counts as a use of what is recalled."""

    def __init__(self, *, store: Store, vectors: Vectors, embedder: Embedder) -> None:
        self._store = store
        self._vectors = vectors
        self._embedder = embedder

    def remind(self, node: Node) -> Reminder:
        """Return what the title and tags of ``node`` bring to mind; its kind need not be known yet."""
        vector = self._embedder.embed([" ".join((node.title, *node.tags))])[0]
        return Reminder(vector=vector, near=self._vectors.nearest(vector, filter=Filter(), limit=_NEAR_MAX))

    def recalled(self, node: Node, reminder: Reminder) -> tuple[tuple[Node, float], ...]:
        """Return the standing nodes of other kinds, each with its similarity, nearest first.

        Only from the least similarity on that any pair needs (0.70). Where the nearest are nearly all of the kind of
        ``node``, those of other kinds are asked for by name, so that its like take nobody's place.
        """
        found = self._other(node, reminder.near)
        crowded = len(reminder.near) == _NEAR_MAX and len(found) < PAIR_CANDIDATES_MAX
        if crowded and self._similarity(reminder.near[-1]) >= PAIR_FLOOR:
            wanted = Filter(kinds=tuple(kind for kind in self._store.vocabulary.kinds if kind != node.kind))
            found = self._other(node, self._vectors.nearest(reminder.vector, filter=wanted, limit=PAIR_CANDIDATES_MAX))
        return found

    def _other(self, node: Node, near: Iterable[Near]) -> tuple[tuple[Node, float], ...]:
        alike = {each.node: similarity for each in near if (similarity := self._similarity(each)) >= PAIR_FLOOR}
        nodes = self._store.nodes(list(alike)) if alike else {}
        return tuple(
            (other, alike[other.id])
            for other in nodes.values()
            if other.kind != node.kind and other.retired is None and other.id != node.id
        )

    def _similarity(self, near: Near) -> float:
        return self._embedder.calibration.similarity(near.cosine)
