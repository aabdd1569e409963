"""Whether a query is keywords, whose holders are meant: a name, an identifier, a few terms, a number, a day."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from weft.text import compounds, content_roots, numbers, root, terms, worded

if TYPE_CHECKING:
    from collections.abc import Sequence

    from weft.model import WordHit

__all__ = ["holding_all", "words_decide"]

_FEW: Final = 3  # words, all of which a few nodes hold
_SHORT: Final = 5  # words beside a number
_TOGETHER_MAX: Final = 30  # nodes
_NUMBER_HOLDERS_MAX: Final = 5
_DIGITS_LEAST: Final = 2


def holding_all(query: str, held: Sequence[WordHit]) -> frozenset[str]:
    """Return which of the nodes that hold words of ``query`` (``held``) hold all of them; none where thirty do.

    A name with its number is held in one word too (*UTF-8* in *utf8*).
    """
    wanted = [(content_roots(word), [*map(root, compounds(word))]) for word in _words(query)]
    roots = {term: frozenset(map(root, terms(term))) for term in {term for hit in held for term in hit.terms}}
    said = {hit.node: frozenset[str]().union(*(roots[term] for term in hit.terms)) for hit in held}
    together = frozenset(
        node
        for node, some in said.items()
        if wanted and all(some.issuperset(parts) or not some.isdisjoint(whole) for parts, whole in wanted)
    )
    return together if len(together) < _TOGETHER_MAX else frozenset()


def words_decide(query: str, held: Sequence[WordHit], *, together: bool) -> bool:
    """Return whether words decide what answers ``query``, rather than meaning.

    ``held`` are the nodes that hold words of it, and ``together`` says that a few of them hold all. Words decide where
    that is so and the query has three words at most; and where a number has five holders at most and the query has five
    words at most. Longer questions with a rare number are claims as often, which other texts say in other words: those
    of the public sets lost by it.
    """
    words = len(_words(query))
    if not 0 < words <= _SHORT:
        return False
    holders = Counter(each for hit in held for each in set(map(root, hit.terms)))
    rare = any(0 < holders[each] <= _NUMBER_HOLDERS_MAX for each in _numbers(query))
    return rare or (together and words <= _FEW)


def _words(query: str) -> list[str]:
    return [word for word in worded(query) if content_roots(word)]


def _numbers(query: str) -> tuple[str, ...]:
    return (*numbers(query), *(each for each in terms(query) if sum(map(str.isdigit, each)) >= _DIGITS_LEAST))
