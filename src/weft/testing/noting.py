"""Nodes of several passages, written and changed in one line, for the contracts of what finds them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from weft.model import Node, Passage, SaveNode
from weft.testing.graphs import GraphContract, Kept
from weft.testing.making import AT, DIMENSION, a_batch, a_node, changed, retired

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    import numpy.typing as npt

    from weft.model import Operation
    from weft.ports import Shelf, Words

__all__ = ["NotingContract", "Searched", "axis"]


class Searched(Kept, Protocol):
    """An open graph that can be searched."""

    @property
    def words(self) -> Words:
        """Its full text."""
        ...

    @property
    def shelf(self) -> Shelf:
        """Its shelf."""
        ...


def axis(at: int, *, towards: int = 0, by: float = 0.0) -> npt.NDArray[np.float32]:
    """Return the unit vector along axis ``at`` (0..7), leaning ``by`` to the axis ``towards``."""
    vector = np.zeros(DIMENSION, np.float32)
    vector[at] = 1.0
    vector[towards] += by
    return vector / np.float32(np.linalg.norm(vector))


class NotingContract(GraphContract):
    """Ways to write that the contracts of words, shelf and vectors share."""

    def commit(self, kept: Kept, *operations: Operation, at: datetime = AT) -> int:
        """Write one batch and return the log's position after it."""
        return kept.store.commit(a_batch(*operations, at=at)).seq_last

    def note(
        self,
        kept: Kept,
        title: str,
        *texts: str,
        vectors: Sequence[npt.NDArray[np.float32]] = (),
        words: Sequence[npt.NDArray[np.int8] | None] = (),
        **fields: Any,  # noqa: ANN401 - any field of a node
    ) -> Node:
        """Write a new node of these passages, ``words`` the vectors of theirs; without any, its title is its text."""
        node = a_node(title, content="\n".join(texts or (title,)), **fields)
        self.commit(kept, _saving(node, texts or (title,), vectors, words), at=node.modified_at)
        return node

    def rewrite(
        self,
        kept: Kept,
        node: Node,
        *texts: str,
        vectors: Sequence[npt.NDArray[np.float32]] = (),
        **fields: Any,  # noqa: ANN401 - any field of a node
    ) -> Node:
        """Write the node anew, of these passages."""
        anew = changed(node, content="\n".join(texts), **fields)
        self.commit(kept, _saving(anew, texts, vectors), at=anew.modified_at)
        return anew

    def retire(self, kept: Kept, node: Node) -> None:
        """Take the node out of the graph."""
        self.commit(kept, SaveNode(node=retired(node), expect=node.version, passages=None))


def _saving(
    node: Node,
    texts: Sequence[str],
    vectors: Sequence[npt.NDArray[np.float32]],
    words: Sequence[npt.NDArray[np.int8] | None] = (),
) -> SaveNode:
    passages, start = [], 0
    given = zip(texts, vectors or [axis(0)] * len(texts), words or [None] * len(texts), strict=True)
    for text, vector, own in given:
        passages.append(Passage(start=start, end=start + len(text), text=text, vector=vector, word_vectors=own))
        start += len(text) + 1
    return SaveNode(node=node, expect=node.version - 1, passages=tuple(passages))
