"""Passages that may be hits, and what each is worth: from the best of them to the best nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from weft.model import WordHit

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from weft.store.question import Term

__all__ = ["HELD_WEIGHT", "Place", "Pool", "nodes_of"]

HELD_WEIGHT: Final = 1.2
"""What BM25 makes of a word that a passage of usual length holds once or twice, as a multiple of its rarity."""

_ELSEWHERE: Final = 1.5
"""What words count that another passage of the node holds, in parts of the words asked for.

Of documents asked for by two words that at most four hold each, wherever they stand, 85 % are the first so and 53 %
with none of it (means of five sets, the rows that nothing was chosen on). Where each word counts wholly, however many
are asked for, two to three in a hundred documents less are the first that are asked for by a sentence of theirs.
"""

Place: TypeAlias = tuple[int, str, int, int]
"""A passage: its row, its node's id, and its place in the node's content."""


class Pool:
    """Passages that may be hits, by row, and their scores by the ``words`` that they were found by."""

    def __init__(self, words: tuple[Term, ...]) -> None:
        self.words = words
        self.places: dict[int, Place] = {}
        self.scores: dict[int, float] = {}
        self._joined: set[int] = set()

    @property
    def nodes(self) -> tuple[str, ...]:
        """The nodes of the passages."""
        return nodes_of(self.places)

    def take(self, places: Mapping[int, Place], scores: Mapping[int, float], factor: float) -> None:
        """Add the passages that are not there yet, each with its score times ``factor`` (a score not given is 1)."""
        for row, place in places.items():
            if row not in self.places:
                self.places[row] = place
                self.scores[row] = factor * scores.get(row, 1.0)

    def join(self, places: Mapping[int, Place]) -> None:
        """Add the passages that are not there yet; every word that they hold is still to count."""
        self._joined |= places.keys() - self.places.keys()
        self.take(places, {}, 0.0)

    def best(self, held: Mapping[int, Sequence[int]], words: Sequence[Term], limit: int) -> tuple[WordHit, ...]:
        """Return the best ``limit`` nodes as hits at their best passage, best first.

        A node's score is that of its best passage, and something for the words that only others of its passages hold.
        ``held`` are the places in ``words`` of what each passage holds, first those that the passages were found by;
        the others count in each. Passages that hold nothing are no hits. Nodes that hold all are not cut off.
        """
        found_by = len(self.words)
        for row, some in held.items():
            due = some if row in self._joined else [at for at in some if at >= found_by]
            self.scores[row] += HELD_WEIGHT * sum([words[at].rarity for at in due])
        first: dict[str, int] = {}
        holds: dict[str, dict[int, None]] = {}  # of each node, the words of its best passage first
        for _, row in sorted([(self.scores[row], row) for row in held], reverse=True):
            node = self.places[row][1]
            first.setdefault(node, row)
            holds.setdefault(node, {}).update(dict.fromkeys(held[row]))
        share = HELD_WEIGHT * _ELSEWHERE / max(len(words), 1)
        scores = {
            node: self.scores[row] + share * sum([words[at].rarity for at in [*holds[node]][len(held[row]) :]])
            for node, row in first.items()
        }
        kept = sorted(first, key=lambda node: (len(holds[node]) < len(words), -scores[node], -first[node]))[:limit]
        order = sorted(kept, key=lambda node: (-scores[node], -first[node]))
        return tuple(self._hit(first[node], scores[node], [words[at].text for at in holds[node]]) for node in order)

    def _hit(self, row: int, score: float, terms: Sequence[str]) -> WordHit:
        _, node, start, end = self.places[row]
        return WordHit(node=node, score=score, terms=tuple(terms), start=start, end=end, passage=row)


def nodes_of(places: Mapping[int, Place]) -> tuple[str, ...]:
    """Return the nodes of these passages, each once, in their order."""
    return tuple(dict.fromkeys(place[1] for place in places.values()))
