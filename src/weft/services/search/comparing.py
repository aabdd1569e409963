"""What was found, compared with the query word by word: each by itself, and beside what leads to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from weft.reason.late import added, answers, matched_in_both
from weft.services.search.candidates import Adding
from weft.text import root, terms

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    import numpy.typing as npt

    from weft.model import Embedded, Near, WordHit
    from weft.ports import Vectors
    from weft.services.search.candidates import Candidates
    from weft.services.search.view import View

__all__ = ["Comparing"]

APART_MAX: Final = 900
"""Characters between two passages that are compared with a question as one: the length of a passage.

A long text has some passage for each of a question's words: with any two of it, of what people ask of documents four
more came first and six fewer, with these three more and two fewer (two vaults, decision records, two sets of proposals;
``bench/quality --tables asked --half choose``).
"""


class Comparing:
    """Compares passages with a query by the vectors of their words."""

    def __init__(self, vectors: Vectors) -> None:
        self._vectors = vectors

    def compare(self, asked: Embedded, rarities: Mapping[str, float], found: Candidates) -> None:
        """Tell how well the passages that were found answer the query.

        Where that which holds most words is another one near it, both are asked. A word of which no rarity is known,
        since the model cuts words otherwise, counts as a rare one.
        """
        if asked.word_vectors is None or not asked.words:
            return
        passages = {node: hit.passage for node, hit in found.hits.items()}
        worded = {node: hit.passage for node, hit in found.held.items() if _stands_near(hit, found.hits[node])}
        known = self._vectors.words([*passages.values(), *worded.values()], width=asked.word_vectors.shape[1])
        texts, others = ({node: known[each] for node, each in of.items() if each in known} for of in (passages, worded))
        rarest = max(rarities.values(), default=1.0)
        found.rarities = [rarities.get(next(map(root, terms(word)), ""), rarest) for word in asked.words]
        found.answered = answers(asked.word_vectors, texts)
        found.late = matched_in_both(found.answered, found.rarities, answers(asked.word_vectors, others))

    def add(self, asked: Embedded, found: Candidates, best: str, view: View) -> None:
        """Tell how much of the query what the graph and names lead to answers beside what leads there and the best."""
        led = found.led if found.answered else {}
        # Only what stands now has passages by its id: what the past brings in is left as it is.
        fresh = [each for each in led if each not in found.answered] if view.filter.as_of is None else []
        answered = found.answered | self._openings(asked, fresh)
        leading = dict.fromkeys(seed for seeds in led.values() for seed in seeds)
        beside = {seed: added(answered, found.rarities, {seed, best}, found.measured) for seed in leading}
        for each, seeds in led.items():
            told = [Adding(weight=beside[seed][each], to=seed) for seed in seeds if each in beside[seed]]
            if told:
                found.adding[each] = max(told)

    def _openings(self, asked: Embedded, ids: Sequence[str]) -> dict[str, npt.NDArray[np.float32]]:
        """Return how near the openings of these nodes come to each word of the query."""
        if asked.word_vectors is None or not ids:
            return {}
        first = {rows[0]: each for each, rows in self._vectors.rows(ids).items()}
        known = self._vectors.words(list(first), width=asked.word_vectors.shape[1])
        return answers(asked.word_vectors, {first[row]: words for row, words in known.items()})


def _stands_near(one: WordHit, other: Near | WordHit) -> bool:
    """Return whether these are two passages of a text with one more between them at most."""
    first, second = sorted(((one.start, one.end), (other.start, other.end)))
    return first < second and second[0] - first[1] <= APART_MAX
