"""How like a text of evidence is to what it is said to join."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from weft import text
from weft.errors import Unavailable
from weft.services.nearness import alike

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy.typing as npt

    from weft.model import Node
    from weft.ports import Embedder, Vectors

    Rows = npt.NDArray[np.float32]

__all__ = ["Weighing", "stretches"]


def stretches(evidence: str) -> list[str]:
    """Return the passages of ``evidence`` that are embedded: it is as like to a node as the likest of them."""
    return [evidence[start:end] for start, end in text.split(evidence)]


class Weighing:
    """Compares evidence with nodes, on the calibrated scale."""

    def __init__(self, *, vectors: Vectors, embedder: Embedder) -> None:
        self._vectors = vectors
        self._embedder = embedder

    def embedded(self, texts: Sequence[str]) -> tuple[Rows, ...]:
        """Return the vectors of each text's passages, shape (passages, dimension), in one call of the embedder.

        Raises:
            Unavailable: they could not be embedded.
        """
        cut = [stretches(each) for each in texts]
        flat = [stretch for each in cut for stretch in each]
        rows = self._embedder.embed(flat) if flat else np.zeros((0, self._embedder.dimension), np.float32)
        found, start = [], 0
        for each in cut:
            found.append(rows[start : start + len(each)])
            start += len(each)
        return tuple(found)

    def similarities(
        self, evidence: Rows, nodes: Sequence[Node], *, fresh: Mapping[str, Rows] | None = None
    ) -> tuple[float, ...]:
        """Return the calibrated similarity (0..1) of ``evidence`` to each node, by its best passage.

        ``fresh`` holds vectors of nodes that are about to be written.

        Raises:
            Unavailable: a node has no vector yet; that is not a similarity of zero.
        """
        found = {**self._vectors.of([node.id for node in nodes]), **(fresh or {})}
        bare = [node.title for node in nodes if not len(found.get(node.id, ()))]
        if bare:
            raise Unavailable(
                f"No vector yet for {', '.join(f'«{title}»' for title in bare)}: evidence cannot be compared with it.",
                hint="Consider capturing its text anew, or embedding the graph again.",
            )
        calibration = self._embedder.calibration
        return tuple(alike(evidence, found[node.id], calibration) for node in nodes)
