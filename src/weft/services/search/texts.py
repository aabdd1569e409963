"""A query that is itself a text, a paragraph or a page: how far each candidate belongs with it.

A question is answered by a passage. A text is about something as a whole, and so is what belongs with it: the words and
the meaning of both are compared whole, as those of a text that is captured are (:mod:`weft.reason.affinity`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from weft.reason.affinity import Signs, affinities, counted, covered, overlap
from weft.services.bags import bags, spelled, telling_words, worded_nodes
from weft.services.nearness import mean
from weft.text import split

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    import numpy.typing as npt

    from weft.ports import Embedder, Vectors, Words
    from weft.reason.affinity import Bag
    from weft.services.search.view import View

__all__ = ["COMPARED_MAX", "TEXT_MIN", "Texts"]

TEXT_MIN: Final = 400
"""Characters from which on a query is a text.

Of 2,442 questions of seven public sets one is longer. Asked with the first 400, 800 and 2,000 characters of documents
that their authors related (the even rows of five sets), of the first three 37, 37 and 39 % are related where passages
are compared, 40, 41 and 42 % where whole texts are; of what is related 57, 60 and 61 %, and 60, 63 and 65 %, are among
the first five. Several questions put as one find, by recall@10, of chat turns 40.6 and 37.4 with 260 characters, 31.2
and 30.1 with 420, 19.2 and 19.3 with 840; of claims 18.9 and 19.9 with 490, of abstracts 50.9 and 54.8 with 450.
"""

COMPARED_MAX: Final = 15
"""Candidates by meaning, and by words, that are compared whole; with 30 of each the first 400 characters find less."""

_READ_MAX: Final = 60_000
"""Characters read of all candidates; with a third of it 1.3 points less of what is related are among the first five."""


class Texts:
    """Compares a text that is asked for with nodes as wholes."""

    def __init__(self, *, words: Words, vectors: Vectors, embedder: Embedder) -> None:
        self._words = words
        self._vectors = vectors
        self._embedder = embedder

    def meaning(self, text: str) -> npt.NDArray[np.float32]:
        """Return the mean vector of the passages of ``text``, of length 1."""
        return mean(self._embedder.embed([text[start:end] for start, end in split(text)]))

    def bag(self, text: str) -> Bag:
        """Return the words of ``text``, each with its weight in this graph."""
        return bags(self._words, {"": counted(text)})[""]

    def telling(self, text: str, own: Bag) -> str:
        """Return the words that tell ``text``, whose ``own`` these are, from others: the query to look it up by."""
        return telling_words(own, spelled(text))

    def belonging(self, own: Bag, vector: npt.NDArray[np.float32], ids: Sequence[str], view: View) -> dict[str, float]:
        """Return how far each of ``ids`` belongs with the text of these words and this meaning, the most first.

        What the view keeps out is left out.
        """
        read = worded_nodes(self._words, view.nodes(ids), characters_max=_READ_MAX)
        vectors = self._vectors.of(list(read.nodes))
        return affinities(
            {
                id_: Signs(
                    words=overlap(own, read.bags[id_]),
                    titles=covered(counted(node.title), read.bags[id_], own),
                    meaning=float(vector @ mean(vectors[id_])) if len(vectors.get(id_, ())) else 0.0,
                )
                for id_, node in read.nodes.items()
            }
        )
