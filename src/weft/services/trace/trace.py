"""The verbs that follow relations: trails between two nodes, and where the graph stands on a claim."""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby, product
from typing import TYPE_CHECKING, Final

from weft.model import Challenged, Scope, Traced
from weft.services.drafting import refuse_outside, required, scope_named, several
from weft.services.trace.ends import Ends
from weft.services.trace.trailing import Trailing
from weft.vocabulary import ALTERNATIVES_MAX, HOPS_MAX, QUERY_MAX

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from weft.model import Call, Match, TraceRequest, Trail
    from weft.ports import Embedder, Shelf, Store, Usage, Vectors
    from weft.services.search.matching import Matching
    from weft.services.trace.challenge import Challenger
    from weft.vocabulary import Vocabulary

__all__ = ["Trace"]

DEFAULT_LIMIT: Final = 10


class Trace:
    """Finds ways through the graph, and stands for and against a claim as ``challenger`` does."""

    def __init__(
        self,
        *,
        store: Store,
        shelf: Shelf,
        vectors: Vectors,
        usage: Usage,
        embedder: Embedder,
        matching: Matching,
        challenger: Challenger,
    ) -> None:
        self._store = store
        self._usage = usage
        self._ends = Ends(store=store, vectors=vectors, embedder=embedder, matching=matching)
        self._trailing = Trailing(store=store, shelf=shelf)
        self._challenger = challenger

    def trace(self, request: TraceRequest, call: Call) -> Traced:
        """Return the best trail between two ends, and others; where there is none, what comes nearest.

        An end is a node by id, handle, title or alias, else one of the three that a search with it finds first among
        those as like it as 0.50 or holding every word of it. Pairs of such nodes are tried best first, of those that
        are as like the nearest, and those of one and the same node last; relations are walked in both directions. Only
        where no pair is connected by relations do mentions count, and each step says so. Where the pair that is
        connected has fewer other ways than are asked for, those of the next pairs follow, which begin or end at another
        match. In the scope learned a trail runs along learned relations, whatever they join.

        Raises:
            InvalidArgument: an end is blank, a bound is out of range, or a relation type or the scope is unknown.
            NotFound: an end is the id of no node that is there.
        """
        asked = _checked(request, self._store.vocabulary)
        starts = self._ends.matches(asked.start, _joined(asked.scope), call, field="start")
        ends = self._ends.matches(asked.end, _joined(asked.scope), call, field="end")
        best_start, best_end = (next(iter(found), None) for found in (starts, ends))
        pairs = _pairs(starts, ends)
        for mentions in (False, True):
            for at, (start, end), found in self._connected(pairs, asked, mentions=mentions):
                self._usage.touch([step.node.id for step in found[0].steps], at=call.at)
                rest = (pair for pair in pairs[at:] if pair != (start, end))
                ways = self._further(found, rest, asked, mentions=mentions)
                return Traced(start_match=start, end_match=end, trail=ways[0], alternatives=ways[1:])
        return Traced(
            start_match=best_start,
            end_match=best_end,
            trail=None,
            nearest=self._nearest(asked, best_start, best_end),
        )

    def challenge(self, claim: str, call: Call, *, limit: int = DEFAULT_LIMIT, scope: Scope = Scope.ALL) -> Challenged:
        """Return what supports ``claim``, what conflicts with it, and what is close but undecided.

        Raises:
            InvalidArgument: the claim is blank or too long, ``limit`` lies outside 1..100, the scope is unknown, or
                the judge that a program brought answered something else than one verdict a text.
            NotFound: it is the id of no node that is there.
        """
        answer = self._challenger.challenge(claim, limit=limit, scope=scope_named(scope))
        read = (*answer.supports, *answer.conflicts, *answer.to_judge)
        self._usage.touch([side.node.id for side in read], at=call.at)
        return answer

    def _connected(
        self, pairs: Sequence[tuple[Match, Match]], asked: TraceRequest, *, mentions: bool
    ) -> Iterator[tuple[int, tuple[Match, Match], tuple[Trail, ...]]]:
        """Return where pairs begin that are as like as one that is connected, the nearest of these, and its ways.

        Two nodes of one name are as likely meant; a person means the one that is a step away.
        """
        for _, tied in groupby(enumerate(pairs), key=lambda each: _likeness(each[1])):
            places = list(tied)
            ways = [
                (pair, self._trailing.between(pair[0].id, pair[1].id, asked, mentions=mentions)) for _, pair in places
            ]
            joined = [each for each in ways if each[1]]
            if joined:
                yield (places[0][0], *min(joined, key=lambda each: len(each[1][0].steps)))

    def _further(
        self, found: tuple[Trail, ...], pairs: Iterable[tuple[Match, Match]], asked: TraceRequest, *, mentions: bool
    ) -> tuple[Trail, ...]:
        """Return ``found`` with ways between the next ``pairs``, until there are as many as are asked for."""
        ways = list(found)
        while len(ways) <= asked.alternatives and (pair := next(iter(pairs), None)) is not None:
            if pair[0].id != pair[1].id:
                fresh = self._trailing.between(pair[0].id, pair[1].id, asked, mentions=mentions)
                ways += [way for way in fresh if not any(_repeats(way, each) for each in ways)]
        return tuple(ways[: asked.alternatives + 1])

    def _nearest(self, asked: TraceRequest, start: Match | None, end: Match | None) -> tuple[Match, ...]:
        if start is None or end is None:
            return self._ends.below(asked.start if start is None else asked.end, _joined(asked.scope))
        reached = self._trailing.reached(start.id, asked)
        others = [each for each in (start.id, *reached) if each != end.id]
        return self._ends.likest(end.id, others, _joined(asked.scope))


def _checked(request: TraceRequest, vocabulary: Vocabulary) -> TraceRequest:
    refuse_outside(request.hops_max, 1, HOPS_MAX, field="max_hops")
    refuse_outside(request.alternatives, 0, ALTERNATIVES_MAX, field="alternatives")
    return replace(
        request,
        start=required(request.start, field="start", limit=QUERY_MAX).strip(),
        end=required(request.end, field="end", limit=QUERY_MAX).strip(),
        types=tuple(vocabulary.type_named(each).name for each in several(request.types, field="types")),
        scope=scope_named(request.scope),
    )


def _joined(scope: Scope) -> Scope:
    """Return which nodes relations of this scope may join: what was learned joins what documents say."""
    return Scope.ALL if scope is Scope.LEARNED else scope


def _repeats(one: Trail, other: Trail) -> bool:
    """Return whether a trail tells nothing more than another: it passes an end of that one, or runs along within it."""
    mine, shown = ([step.node.id for step in each.steps] for each in (one, other))
    if {shown[0], shown[-1]}.intersection(mine[1:-1]):
        return True
    return any(shown[at : at + len(mine)] in (mine, mine[::-1]) for at in range(len(shown) - len(mine) + 1))


def _pairs(starts: Sequence[Match], ends: Sequence[Match]) -> list[tuple[Match, Match]]:
    """Return the pairs of matches, the likest first, one node twice last: that trail has no steps."""
    return sorted(product(starts, ends), key=_likeness)


def _likeness(pair: tuple[Match, Match]) -> tuple[bool, float]:
    return pair[0].id == pair[1].id, -(pair[0].similarity + pair[1].similarity)
