"""A query in words, weighed: which of its words the graph knows, how common each is, and what that allows.

Words are looked up by their roots. A word of no meaning of its own (*the*, *of*) does not rank: it costs the most
postings of all. Roots in place of words and such words left out took recall@10 of words alone from .55 to .63 on chat
turns and from .41 to .47 on claims. Where a query has no other words, they do rank.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from weft.text import STOP_WORDS, root

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

__all__ = ["PASSED_MAX", "RANKED_MAX", "Match", "Question", "Term", "by_root", "rarity", "telling"]

# Recall@10 with at most so many postings ranked and the rest passed, on five public sets of 1,000 to 6,000 texts: .702
# with 250, .700 with 500 and 1,000, .699 with all; on 100,000 texts .60, .63, .65 and .68 with 1,000, 2,000, 3,000 and
# 5,000 (.68 with all). The longest texts ask for most.
RANKED_MAX = 5_000
RANKED_MIN = 250
RANKED_SHARE = 8
PASSED_MAX = 20_000
_RARITY_MIN = 1e-6


def by_root(terms: Iterable[str]) -> dict[str, str]:
    """Return the words of a query by their roots, each as it was asked first."""
    words: dict[str, str] = {}
    for term in terms:
        words.setdefault(root(term), term)
    return words


def telling(terms: Sequence[str]) -> Sequence[str]:
    """Return the terms that mean something by themselves, or all where none does."""
    return [term for term in terms if term not in STOP_WORDS] or terms


@dataclass(frozen=True, slots=True)
class Term:
    """A word as it was asked, and its root: in how many passages that ever stood, and its rarity as BM25 has it."""

    text: str
    root: str
    count: int
    rarity: float


class Match(NamedTuple):
    """What a passage must hold: the entry that asks for it, roots of words, rarest first, and those of a ``phrase``."""

    condition: str
    words: tuple[str, ...]
    phrase: str = ""

    @classmethod
    def all_of(cls, words: Sequence[Term]) -> Match:
        """Return that it holds all of ``words``, rarest first."""
        return cls("if_words_all", tuple(term.root for term in words))

    @classmethod
    def named(cls, words: Sequence[Term]) -> Match:
        """Return that its names hold all of ``words``, rarest first."""
        return cls("if_words_named", tuple(term.root for term in words))

    @classmethod
    def in_order(cls, words: Sequence[Term], roots: Iterable[str]) -> Match:
        """Return that it holds ``roots`` one after the other; ``words`` are the same, each once, rarest first."""
        return cls("if_words_phrase", tuple(term.root for term in words), " ".join(roots))


@dataclass(frozen=True, slots=True)
class Question:
    """The words of a query that the graph knows, rarest first; ``unknown`` more it does not. ``last``: last passage.

    ``code`` is of the language whose stems are among their roots; empty: none.
    """

    known: tuple[Term, ...]
    unknown: int
    last: int
    code: str = ""

    @classmethod
    def of(cls, words: Mapping[str, str], counts: Mapping[str, int], *, code: str = "") -> Question:
        """Return the question that ``words`` (by root) make; ``counts`` has the last passage under the empty word."""
        last = counts[""]
        known = (
            Term(word, root, counts[root], rarity(counts[root], last)) for root, word in words.items() if root in counts
        )
        rarest_first = tuple(sorted(known, key=lambda term: (term.count, term.root)))
        return cls(rarest_first, len(words) - len(rarest_first), last, code)

    @property
    def ranked_max(self) -> int:
        """How many postings are worth ranking: an eighth of the passages, but not too few and not too many."""
        return min(RANKED_MAX, max(RANKED_MIN, self.last // RANKED_SHARE))

    @property
    def passed_max(self) -> int:
        """How many postings of further words are worth passing: as many as there are passages, up to the most."""
        return min(PASSED_MAX, self.last)

    def rarest(self, postings_max: int, *, skip: int = 0) -> tuple[Term, ...]:
        """Return the rarest words after the first ``skip`` that have at most ``postings_max`` postings together."""
        taken, spent = [], 0
        for term in self.known[skip:]:
            spent += term.count
            if spent > postings_max:
                break
            taken.append(term)
        return tuple(taken)

    def together(self, passages_max: int) -> tuple[Term, ...]:
        """Return the fewest of the rarest words that, were they independent, stood together in so many passages."""
        expected = float(self.last)
        for taken, term in enumerate(self.known):
            if expected <= passages_max:
                return self.known[:taken]
            expected *= term.count / max(self.last, 1)
        return self.known

    def floor(self, term: Term, postings_max: int) -> int:
        """Return the row after which ``term`` has about ``postings_max`` postings (0: it has no more in all)."""
        return 0 if term.count <= postings_max else self.last - self.last * postings_max // term.count

    def share(self, rows: Sequence[int]) -> float:
        """Return which share of all passages lies between the first and the last of ``rows``; above 0."""
        return (max(rows) - min(rows) + 1) / max(self.last, 1) if rows else 1.0


def rarity(count: int, total: int) -> float:
    """Return how rare is what ``count`` of ``total`` passages hold, as BM25 has it; above 0."""
    return max(_RARITY_MIN, math.log((total - count + 0.5) / (count + 0.5))) if total > count else _RARITY_MIN
