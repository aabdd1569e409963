"""Which passages hold words: looked up in the index of words, each way at a bounded cost."""

from __future__ import annotations

from typing import TYPE_CHECKING

from weft.store.hits import Place, nodes_of
from weft.store.passages import condition_of, few_nodes
from weft.store.question import Match

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from weft.model import Filter
    from weft.store.engine import Database
    from weft.store.question import Question, Term

__all__ = ["CHUNK", "LOOKED_MAX", "PASSAGES_MAX", "Postings", "roots_of"]

LOOKED_MAX = 10_000
CHUNK = 256
PASSAGES_MAX = 8_000  # of nodes that are looked at with all they say
_FEW_MAX = 1_000
_NO_CEILING = 1 << 62
_APART_MAX = 300  # holders of either word
_NODES_APART_MAX = 30
_PASSAGES_APART_MAX = 2_000


class Postings:
    """The index of words of a graph in SQL, as searches ask it."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def counted(self, roots: Iterable[str]) -> dict[str, int]:
        """Return in how many passages each of these roots ever stood, and under the empty word the last passage."""
        return dict(self._database.read("terms_counted", terms=list(roots)))

    def few(self, filter: Filter) -> dict[int, Place] | None:  # noqa: A002 - the field's word
        """Return the passages that pass a narrow filter; None: it is not narrow."""
        nodes = None if filter.as_of is not None else few_nodes(self._database, filter, limit=_FEW_MAX)
        if nodes is None:
            return None
        condition = condition_of(filter)
        places = condition.read(self._database, "rows_within", nodes=nodes, limit=PASSAGES_MAX + 1)
        return None if len(places) > PASSAGES_MAX else {place[0]: place for place in places}

    def placed(self, rows: Sequence[int], filter: Filter) -> dict[int, Place]:  # noqa: A002
        """Return those of ``rows`` that pass the filter, in their order."""
        condition = condition_of(filter)
        places = condition.kept(condition.read(self._database, "passages_found", rows=list(rows)))
        placed = {place[0]: place for place in places}
        return {row: placed[row] for row in rows if row in placed}

    def of(self, nodes: Sequence[str], *, limit: int = PASSAGES_MAX) -> dict[int, Place]:
        """Return up to ``limit`` passages that stand of the nodes of these ids."""
        places = self._database.read("rows_of", ids=list(nodes), limit=limit)
        return {place[0]: place for place in places}

    def held(self, words: Sequence[Term], rows: Sequence[int]) -> dict[int, list[int]]:
        """Return which of ``words`` each of ``rows`` holds: their places in ``words``, ascending."""
        held: dict[int, list[int]] = {}
        if rows:
            first, last = min(rows), max(rows)
            found = self._database.read("words_held", words=roots_of(words), rows=list(rows), first=first, last=last)
            for row, at in found:
                held.setdefault(row, []).append(at)
        return held

    def newest(self, match: Match, floor: int, filter: Filter, enough: int) -> dict[int, Place]:  # noqa: A002
        """Return the newest passages after row ``floor`` that match and pass the filter, of ``enough`` nodes."""
        found: dict[int, Place] = {}
        ceiling, looked, size = _NO_CEILING, 0, min(CHUNK, 2 * enough)
        while len(nodes_of(found)) < enough and looked < LOOKED_MAX:
            chunk = self._database.read(
                "words_newest",
                where=(match.condition,),
                words=list(match.words),
                phrase=match.phrase,
                floor=floor,
                ceiling=ceiling,
                limit=size,
            )
            found |= self.placed([row for (row,) in chunk], filter)
            if len(chunk) < size:
                break
            ceiling, looked, size = chunk[-1][0], looked + size, CHUNK
        return found

    def apart(self, asked: Question, filter: Filter) -> dict[int, Place]:  # noqa: A002
        """Return all passages of the newest nodes that hold the two rarest words, in one passage or in several.

        Of either word the newest 300 holders are looked at; what holds all words of a question is among the nodes that
        hold both. Nothing of a question of one word.
        """
        if not asked.known[1:]:
            return {}
        one, other = (self._holders(term, asked, filter) for term in asked.known[:2])
        return self.of([node for node in one if node in other][:_NODES_APART_MAX], limit=_PASSAGES_APART_MAX)

    def _holders(self, term: Term, asked: Question, filter: Filter) -> dict[str, None]:  # noqa: A002
        """Return the newest nodes that hold a word of a question."""
        places = self.newest(Match.all_of((term,)), asked.floor(term, _APART_MAX), filter, _APART_MAX)
        return dict.fromkeys(nodes_of(places))


def roots_of(words: Sequence[Term]) -> list[str]:
    """Return the roots of these words."""
    return [term.root for term in words]
