"""Whether a query is keywords, whose holders are meant: a name, an identifier, a few terms, a number, a day."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from weft.text import compounds, content_roots, numbers, root, terms, worded

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from weft.model import WordHit

__all__ = ["Covered", "covered", "words_decide"]

_FEW: Final = 2  # words, both of which a few nodes hold
_SHORT: Final = 5  # words beside a number
_TOGETHER_MAX: Final = 30  # nodes
_NUMBER_HOLDERS_MAX: Final = 5
_DIGITS_LEAST: Final = 2


@dataclass(frozen=True, slots=True)
class Covered:
    """What nodes hold of a query: the rarities of its words, summed, by node id, and for ``whole`` those of all."""

    sums: Mapping[str, float]
    whole: float

    @property
    def shares(self) -> dict[str, float]:
        """What share of the query's words (0..1) each node holds, by how rare they are."""
        return {node: each / self.whole for node, each in self.sums.items()} if self.whole else {}

    @property
    def together(self) -> Mapping[str, float]:
        """The sums where a few nodes hold all words; empty where none does, and where thirty do."""
        holders = sum(each == self.whole for each in self.sums.values()) if self.whole else 0
        return self.sums if 0 < holders < _TOGETHER_MAX else {}


def covered(query: str, held: Sequence[WordHit], rarities: Mapping[str, float]) -> Covered:
    """Return what the nodes that hold words of ``query`` (``held``) hold of it.

    ``rarities`` are by root; a word of which none is known counts as the rarest. A name with its number is held in one
    word too (*UTF-8* in *utf8*).
    """
    wanted = _wanted(query, rarities)
    roots = {term: frozenset(map(root, terms(term))) for term in {term for hit in held for term in hit.terms}}
    said = {hit.node: frozenset[str]().union(*(roots[term] for term in hit.terms)) for hit in held}
    sums = {node: math.fsum(each.rarity for each in wanted if each.stands_among(some)) for node, some in said.items()}
    return Covered(sums, math.fsum(each.rarity for each in wanted))


def words_decide(query: str, held: Sequence[WordHit], *, together: bool) -> bool:
    """Return whether words decide what answers ``query``, rather than meaning.

    ``held`` are the nodes that hold words of it, and ``together`` says that a few of them hold all. Words decide where
    that is so and the query has two words at most; and where a number has five holders at most and the query has five
    words at most. Longer questions with a rare number are claims as often, which other texts say in other words: those
    of the public sets lost by it.
    """
    words = len(_words(query))
    if not 0 < words <= _SHORT:
        return False
    holders = Counter(each for hit in held for each in set(map(root, hit.terms)))
    rare = any(0 < holders[each] <= _NUMBER_HOLDERS_MAX for each in _numbers(query))
    return rare or (together and words <= _FEW)


class _Wanted(NamedTuple):
    """A word of a query: the roots of its parts, those that it may have as one word, and how rare it is."""

    parts: frozenset[str]
    whole: frozenset[str]
    rarity: float

    def stands_among(self, roots: frozenset[str]) -> bool:
        """Return whether these are the roots of this word, among others."""
        return roots.issuperset(self.parts) or not roots.isdisjoint(self.whole)


def _wanted(query: str, rarities: Mapping[str, float]) -> list[_Wanted]:
    rarest = max(rarities.values(), default=1.0)
    return [
        _Wanted(
            parts=parts,
            whole=frozenset(map(root, compounds(word))),
            rarity=max(rarities.get(part, rarest) for part in parts),
        )
        for parts, word in _words(query).items()
    ]


def _words(query: str) -> dict[frozenset[str], str]:
    """Return the words of ``query`` that mean something, each once, by the roots of their parts."""
    return {parts: word for word in worded(query) if (parts := frozenset(content_roots(word)))}


def _numbers(query: str) -> tuple[str, ...]:
    return (*numbers(query), *(each for each in terms(query) if sum(map(str.isdigit, each)) >= _DIGITS_LEAST))
