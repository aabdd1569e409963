"""A graph of hand-made nodes with vectors of our choosing, so that what must be found is known beforehand."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from weft.index import Index, Sizes, open_index
from weft.model import Node, Passage, SaveNode, Tier
from weft.store import open_sqlite
from weft.store.filters import matches
from weft.testing.making import a_batch, a_node, changed, retired

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    import numpy.typing as npt

    from weft.model import Filter, Near, Operation
    from weft.store import Opened

    Matrix = npt.NDArray[np.float32]

# Small enough that a graph of a few passages has files, and a tail after them.
TINY = Sizes(exact_max=4, tail_max=4, memory_max=1_000, few_max=0, gone_max=1_000)


def unit(vectors: Matrix) -> Matrix:
    """Return the rows at length 1, in the precision in which they are stored."""
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return (vectors / lengths).astype(np.float16).astype(np.float32)


def clustered(count: int, dimension: int, *, clusters: int = 40, seed: int = 0) -> Matrix:
    """Return unit vectors around some centres, as texts of some topics lie."""
    dice = np.random.default_rng(seed)
    centres = dice.standard_normal((clusters, dimension), np.float32)
    return unit(centres[dice.integers(0, clusters, count)] + dice.standard_normal((count, dimension), np.float32))


Held = dict[str, tuple[Node, "Matrix"]]


@dataclass
class World:
    """An open graph; ``held`` is each node that stands, with its passages' vectors, and ``past`` that at positions."""

    path: Path
    dimension: int = 8
    held: Held = field(default_factory=dict)
    past: dict[int, Held] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.opened: Opened = open_sqlite(
            self.path, tier=Tier.CURATOR, model="made up", dimension=self.dimension, create=True, synchronous="OFF"
        )
        self._opened_indexes: list[Index] = []

    def index(self, sizes: Sizes | None = None) -> Index:
        """Return an index of the graph, closed with it."""
        index = open_index(
            self.opened.passages, folder=self.path.parent, name=self.path.stem, dimension=self.dimension, sizes=sizes
        )
        self._opened_indexes.append(index)
        return index

    def close(self) -> None:
        """Close the graph and its indexes."""
        for index in self._opened_indexes:
            index.close()
        self.opened.close()

    def add(self, title: str, vectors: Matrix, texts: Sequence[str] = (), **fields: Any) -> Node:  # noqa: ANN401
        """Write a new node of one passage a vector; ``texts`` are theirs, in order."""
        texts = texts or tuple(f"{title} {at}" for at in range(len(vectors)))
        node = a_node(title, content="\n".join(texts), **fields)
        self._save((node, vectors, texts))
        return node

    def crowd(self, vectors: Matrix, **fields: Any) -> list[Node]:  # noqa: ANN401
        """Write one node for each vector, 500 at a time."""
        nodes = [a_node(f"n{at}", content=f"n{at}", **fields) for at in range(len(vectors))]
        for start in range(0, len(nodes), 500):
            some = zip(nodes[start : start + 500], vectors[start : start + 500, np.newaxis], strict=True)
            self._save(*((node, rows, (node.title,)) for node, rows in some))
        return nodes

    def change(self, id_: str, vectors: Matrix, texts: Sequence[str] = (), **fields: Any) -> None:  # noqa: ANN401
        """Write the node anew."""
        texts = texts or tuple(f"changed {at}" for at in range(len(vectors)))
        self._save((changed(self.held[id_][0], content="\n".join(texts), **fields), vectors, texts))

    def retire(self, id_: str) -> None:
        """Take the node out."""
        node = self.held.pop(id_)[0]
        self._commit(SaveNode(node=retired(node), expect=node.version, passages=None))

    def _save(self, *written: tuple[Node, Matrix, Sequence[str]]) -> None:
        for node, vectors, _ in written:
            self.held[node.id] = (node, vectors)
        self._commit(*(saving(node, vectors, texts) for node, vectors, texts in written))

    def _commit(self, *operations: Operation) -> None:
        committed = self.opened.store.commit(replace(a_batch(*operations), spares_documents=False))
        self.past[committed.seq_last] = dict(self.held)


def saving(node: Node, vectors: Matrix, texts: Sequence[str]) -> SaveNode:
    """Return the wish to write ``node`` with these passages."""
    passages, start = [], 0
    for vector, text in zip(vectors, texts, strict=True):
        passages.append(Passage(start=start, end=start + len(text), text=text, vector=vector))
        start += len(text) + 1
    return SaveNode(node=node, expect=node.version - 1, passages=tuple(passages))


def nearest(held: Mapping[str, tuple[Node, Matrix]], vector: Matrix, wanted: Filter, limit: int) -> dict[str, float]:
    """Return node → cosine as a search must answer, worked out the plain way."""
    passing = {id_: vectors for id_, (node, vectors) in held.items() if matches(node, wanted)}
    cosines = {id_: min(1.0, float((vectors @ vector).max())) for id_, vectors in passing.items()}
    return dict(sorted(cosines.items(), key=lambda pair: (-pair[1], pair[0]))[:limit])


def agrees(found: Sequence[Near], wanted: Mapping[str, float]) -> bool:
    """Return whether an answer is the wanted one: as many, as near, and each as near as it says."""
    if len(found) != len(wanted):
        return False
    close = np.allclose([near.cosine for near in found], sorted(wanted.values(), reverse=True), atol=1e-4)
    return bool(close) and all(abs(wanted[near.node] - near.cosine) < 1e-4 for near in found if near.node in wanted)
