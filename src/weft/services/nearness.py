"""Which nodes lie near a node or a text, on the calibrated scale."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from weft.model import Filter, Match

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import numpy.typing as npt

    from weft.model import Calibration, Near, Node, Passage
    from weft.ports import Store, Vectors

__all__ = ["Neighbour", "alike", "match", "mean", "neighbours"]

_PROBES_MAX: Final = 3
"""How many passages of a long text are looked up: its opening says what it is about."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Neighbour:
    """A node near another: the calibrated ``similarity`` of their two nearest passages, and these passages' texts."""

    node: Node
    similarity: float
    passage: str
    own_passage: str


def neighbours(
    store: Store,
    vectors: Vectors,
    calibration: Calibration,
    *,
    content: str,
    passages: Sequence[Passage],
    limit: int,
    filter: Filter | None = None,  # noqa: A002 - the field's word
) -> tuple[Neighbour, ...]:
    """Return up to ``limit`` nodes nearest to the node of this ``content`` and ``passages``, nearest first."""
    best: dict[str, tuple[Near, Passage]] = {}
    for passage in passages[:_PROBES_MAX]:
        for near in vectors.nearest(passage.vector, filter=filter or Filter(), limit=limit):
            if near.node not in best or near.cosine > best[near.node][0].cosine:
                best[near.node] = (near, passage)
    ranked = sorted(best.values(), key=lambda pair: (-pair[0].cosine, pair[0].node))[:limit]
    nodes = store.nodes([near.node for near, _ in ranked])
    return tuple(
        Neighbour(
            node=nodes[near.node],
            similarity=calibration.similarity(near.cosine),
            passage=nodes[near.node].content[near.start : near.end] or nodes[near.node].title,
            own_passage=content[passage.start : passage.end],
        )
        for near, passage in ranked
        if near.node in nodes and nodes[near.node].retired is None
    )


def alike(a: npt.NDArray[np.float32], b: npt.NDArray[np.float32], calibration: Calibration) -> float:
    """Return the calibrated similarity of two nodes' passage vectors, shapes (n, dimension) and (m, dimension).

    That of their two nearest passages; 0.0 where one has none.
    """
    if not len(a) or not len(b):
        return 0.0
    return calibration.similarity(float(np.max(a @ b.T)))


def mean(vectors: Iterable[npt.NDArray[np.float32]]) -> npt.NDArray[np.float32]:
    """Return the mean of one vector or more, made to length 1: what a text of several passages means as a whole."""
    found: npt.NDArray[np.float32] = np.mean(np.stack(list(vectors)), axis=0)
    return found / max(float(np.linalg.norm(found)), 1e-9)


def match(node: Node, similarity: float) -> Match:
    """Return ``node`` as what a text was matched to, at this calibrated similarity (1.0: it was named)."""
    return Match(id=node.id, title=node.title, similarity=round(similarity, 4))
