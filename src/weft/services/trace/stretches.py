"""The passages of close nodes as a claim is held against them: how similar each is, and what its words mean there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from weft.reason.evidence import STRETCHES_MAX, Stretch
from weft.services.passages import embedded_text
from weft.text import split

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    import numpy.typing as npt

    from weft.model import Embedded, Near, Node
    from weft.ports import Embedder, Vectors

__all__ = ["Stretches"]


class Stretches:
    """Tells the stretches of nodes from the vectors that their passages keep; nothing is embedded for it."""

    def __init__(self, vectors: Vectors, embedder: Embedder) -> None:
        self._vectors = vectors
        self._embedder = embedder

    def of(self, claim: Embedded, nodes: Sequence[Node]) -> dict[str, list[Stretch]]:
        """Return the six passages of each of these nodes that are nearest to ``claim``, nearest first.

        Of a node that would be cut otherwise now there are none; so there are no words of a passage that would, and
        none where the embedder gives no vectors of words.
        """
        vectors = self._vectors.of([each.id for each in nodes])
        found = {each.id: self._nearest(claim, each, vectors[each.id]) for each in nodes if each.id in vectors}
        meanings = self._meanings(found) if claim.words else {}
        titled = {each.id: each for each in nodes}
        return {
            key: [self._worded(each, titled[key], meanings.get((key, place))) for place, each in own.items()]
            for key, own in found.items()
            if own
        }

    def by(self, near: Near | None) -> list[Stretch]:
        """Return the one stretch by which a node was found, if it was."""
        return [Stretch(near.start, near.end, self._embedder.calibration.similarity(near.cosine))] if near else []

    def _nearest(self, claim: Embedded, node: Node, vectors: npt.NDArray[np.float32]) -> dict[int, Stretch]:
        """Return the nearest passages by their place in the node, nearest first."""
        spans = split(node.content)
        if len(spans) != len(vectors):
            return {}
        similarities = [self._embedder.calibration.similarity(cosine) for cosine in (vectors @ claim.vector).tolist()]
        nearest = sorted(range(len(spans)), key=lambda place: -similarities[place])[:STRETCHES_MAX]
        return {place: Stretch(*spans[place], similarities[place]) for place in nearest}

    def _meanings(self, found: Mapping[str, Mapping[int, Stretch]]) -> dict[tuple[str, int], npt.NDArray[np.int8]]:
        """Return the vectors of the words of these passages, by their node and their place in it."""
        rows = self._vectors.rows([*found])
        named = {
            rows[key][place]: (key, place)
            for key, own in found.items()
            for place in own
            if place < len(rows.get(key, ()))
        }
        vectors = self._vectors.words([*named], width=self._embedder.word_width)
        return {named[row]: words for row, words in vectors.items()}

    def _worded(self, stretch: Stretch, node: Node, vectors: npt.NDArray[np.int8] | None) -> Stretch:
        if vectors is None:
            return stretch
        words = self._embedder.words(embedded_text(node, stretch.start, stretch.end))
        known = len(words) == len(vectors)
        return stretch._replace(words=dict(zip(words, vectors, strict=True))) if known else stretch
