"""Whether a query is keywords, whose holders are meant: a name, an identifier, a few terms, a number, a day."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from weft.text import content_roots, numbers, root, terms

if TYPE_CHECKING:
    from collections.abc import Sequence

    from weft.model import WordHit

__all__ = ["words_decide"]

_FEW: Final = 3  # words, of which one node must hold all
_SHORT: Final = 5  # words beside a number
_HOLDERS_MAX: Final = 3
_NUMBER_HOLDERS_MAX: Final = 5
_DIGITS_LEAST: Final = 2


def words_decide(query: str, held: Sequence[WordHit], *, whole: bool) -> bool:
    """Return whether words decide what answers ``query``, rather than meaning.

    ``held`` are the nodes that hold words of it, ``whole`` says that these are all. Words decide where one node holds
    all of at most three words, and all holders are known or one of the words has three at most; and where a number has
    five holders at most and the query has five words at most. Longer questions with a rare number are claims as often,
    which other texts say in other words: those of the public sets lost by it.
    """
    words = sum(bool(content_roots(chunk)) for chunk in query.split())
    if not 0 < words <= _SHORT:
        return False
    holders = Counter(each for hit in held for each in set(map(root, hit.terms)))
    if any(0 < holders[each] <= _NUMBER_HOLDERS_MAX for each in _numbers(query)):
        return True
    wanted = set(content_roots(query))
    together = words <= _FEW and any(wanted.issubset(map(root, hit.terms)) for hit in held)
    return together and (whole or any(holders[each] <= _HOLDERS_MAX for each in wanted))


def _numbers(query: str) -> tuple[str, ...]:
    return (*numbers(query), *(each for each in terms(query) if sum(map(str.isdigit, each)) >= _DIGITS_LEAST))
