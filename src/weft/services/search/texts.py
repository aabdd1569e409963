"""A query that is itself a text, a paragraph or a page: how far each candidate belongs with it.

A question is answered by a passage. A text is about something as a whole, and so is what belongs with it: the words and
the meaning of both are compared whole, as those of a text that is captured are (:mod:`weft.reason.affinity`). Before
all that comes what the text was taken from: a passage that holds much of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from weft.reason.affinity import Signs, affinities, containment, counted, covered, overlap
from weft.reason.sentences import sentences
from weft.services.bags import bags, spelled, telling_words, worded_nodes
from weft.services.nearness import mean
from weft.text import split
from weft.text.punctuation import ASKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    import numpy.typing as npt

    from weft.ports import Embedder, Vectors, Words
    from weft.reason.affinity import Bag
    from weft.services.search.view import View

__all__ = ["COMPARED_MAX", "LOOKED_INTO_MAX", "PARAGRAPH_MIN", "TEXT_MIN", "Texts", "is_text"]

TEXT_MIN: Final = 400
"""Characters from which on a query is a text, whatever it says.

Of 2,091 questions of seven public sets one is longer. Several questions put as one find by passages and as a text, by
recall@10, of chat turns 31.2 and 30.1 with 420 characters, 19.2 and 19.3 with 840.
"""

PARAGRAPH_MIN: Final = 200
"""Characters from which on two sentences or more are a text, if none of them asks.

Of the same questions two are. Two or three claims put as one find by passages and as a text, by recall@10, of claims
on the climate 32.5 and 33.4 (245 characters), 23.2 and 24.9 (368), of abstracts 64.3 and 66.4 (267); questions to a
chat, which ask, 40.6 and 37.1 (262). Asked with the first 300 characters of documents that their authors related (the
even rows of five sets), of the first three 35.8 and 38.3 % are related, with 200 characters 36.9 and 36.5 %; of what is
related 55.7 and 57.8 %, 56.5 and 58.0 %, are among the first five. With 150 characters as many are.
"""

COMPARED_MAX: Final = 15
"""Candidates by meaning, and by words, that are compared whole; with 30 of each the first 400 characters find less."""

LOOKED_INTO_MAX: Final = 5
"""Candidates by meaning, and by words, whose passage is looked into for the text itself."""

_HOLDING_LEAST: Final = 0.5
"""How much of the text a node holds in one place that it may have been taken from; from 0.3 on it differs little."""

_AROUND: Final = 0.5
"""How far around a passage is looked, in lengths of the text: it may have been cut in the middle of it."""

_READ_MAX: Final = 60_000
"""Characters read of all candidates; with a third of it 1.3 points less of what is related are among the first five."""


def is_text(query: str) -> bool:
    """Return whether a query is a text rather than a question: a long one, or a short paragraph that asks nothing."""
    if not PARAGRAPH_MIN <= len(query) < TEXT_MIN:
        return len(query) >= TEXT_MIN
    return ASKING.isdisjoint(query) and len(sentences(query, 0, end=len(query))) > 1


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

    def holding(self, text: str, own: Bag, places: Mapping[str, tuple[int, int]], view: View) -> dict[str, float]:
        """Return how much (0..1) of ``text``, whose ``own`` words these are, nodes hold in one place: where it is much.

        ``places`` are from where to where a passage stands in a node's content, by the node's id.
        """
        reach = int(_AROUND * len(text))
        around = {
            id_: node.content[max(0, places[id_][0] - reach) : places[id_][1] + reach]
            for id_, node in view.nodes(places).items()
        }
        read = bags(self._words, {id_: counted(said) for id_, said in around.items()})
        held = {id_: containment(own, bag) for id_, bag in read.items()}
        return {id_: much for id_, much in held.items() if much >= _HOLDING_LEAST}
