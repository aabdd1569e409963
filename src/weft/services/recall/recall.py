"""The reading verbs: search, fetch, context, status, map and log."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

from weft.model import Page, SearchRequest
from weft.services.recall.context import Bearing
from weft.services.recall.fetching import Fetching
from weft.services.recall.mapping import Drawing
from weft.services.recall.standing import Overview
from weft.services.recall.telling import Telling
from weft.services.search.meant import LOOKED_AT, meant
from weft.services.search.neighbourhood import hang_together
from weft.services.search.searching import Searching
from weft.services.synthesis.bridge_hint import BridgeHints
from weft.vocabulary import NAME_MAX

if TYPE_CHECKING:
    from collections.abc import Sequence

    from weft.errors import Candidate
    from weft.model import (
        Call,
        ContextRequest,
        Contexts,
        Counts,
        Fetched,
        GraphMap,
        Hit,
        Hits,
        Logged,
        LogRequest,
        MapRequest,
        Standing,
        TextPart,
    )
    from weft.services.recall.ports import RecallPorts
    from weft.services.recall.standing import Mirror

__all__ = ["Recall"]


class Recall:
    """Reads the graph. Nothing here writes, except that what was read is counted as used, outside the graph.

    ``mirror`` is the graph as files, where it is kept so.
    """

    def __init__(self, ports: RecallPorts, *, mirror: Mirror | None = None) -> None:
        store, shelf, words, vectors = ports.store, ports.shelf, ports.words, ports.vectors
        log, usage, embedder = ports.log, ports.usage, ports.embedder
        self._store = store
        self._usage = usage
        self._searching = Searching(store=store, shelf=shelf, words=words, vectors=vectors, log=log, embedder=embedder)
        self._hints = BridgeHints(store=store, vectors=vectors, usage=usage, calibration=embedder.calibration)
        self._fetching = Fetching(store=store, shelf=shelf, log=log)
        self._bearing = Bearing(
            store=store, shelf=shelf, vectors=vectors, embedder=embedder, words=words, searching=self._searching
        )
        self._overview = Overview(store=store, shelf=shelf, log=log, usage=usage, embedder=embedder, mirror=mirror)
        self._telling = Telling(store=store, shelf=shelf, log=log)
        self._drawing = Drawing(store=store, shelf=shelf, log=log)

    def search(self, request: SearchRequest, call: Call) -> Hits:
        """Return a page of nodes that answer ``request.query``, best first, each with its grounds.

        Mode hybrid joins meaning, words, names and the graph around the best; semantic is meaning alone; keyword wants
        every word and scores as seed 004 does. Any text is a valid query; the empty one lists what the filter lets in,
        newest first. ``total`` counts all that were ranked: candidates are bounded (40 by meaning and 40 by words,
        more on deeper pages), so in a large graph it is not how many nodes bear on the query. What only meaning speaks
        for, with a similarity under 0.50, is not ranked but counted in ``near_misses``. Superseded nodes sink. A
        misspelt word that no text holds is read as one that some do; ``warning`` says so.

        Raises:
            InvalidArgument: unknown mode, kind or status, or a value out of bounds.
            NotFound, Ambiguous: ``related_to`` names no node, or several.
        """
        hits = self._searching.search(request, call)
        self._usage.touch([hit.node.id for hit in hits.hits], at=call.at)
        return hits

    def hinted(self, hits: Hits, request: SearchRequest, call: Call) -> Hits:
        """Return what ``request`` found, with whether its two best are connected and, if there is news, a bridge.

        A verb of its own, for a caller is told of a pair once: who does not show the hint must not use it up. A search
        in the past gives neither, one by keyword no bridge.
        """
        if request.as_of is not None:
            return hits
        told = replace(hits, connected=self._connected(hits.hits))
        return told if request.mode == "keyword" else replace(told, bridge_hint=self._hints.hint(hits.hits, call))

    def _connected(self, hits: Sequence[Hit]) -> bool:
        return any(hang_together(self._store, one.node.id, other.node.id) for one, other in pairwise(hits[:2]))

    def meant(self, reference: str, call: Call) -> tuple[Candidate, ...]:
        """Return nodes that ``reference``, which names none, may have meant: at most three, the likest first."""
        asked = SearchRequest(query=reference[:NAME_MAX], page=Page(limit=LOOKED_AT))
        return meant(reference, (hit.node for hit in self._searching.search(asked, call).hits))

    def fetch(self, id: str, call: Call, *, detail: str = "concise", depth: int = 1) -> Fetched:  # noqa: A002
        """Return the node that ``id`` names (id, handle, title, alias or id prefix) with all that hangs on it.

        Relations are seen from both ends with the node at the other one; evidence comes with its whole source, so that
        a quote can be shown in its context. At most 200 relations, 100 pieces of evidence, 50 mentions and 100 farther
        neighbours (``depth`` 2..5) are read.

        Raises:
            InvalidArgument: ``detail`` is unknown or ``depth`` out of range.
            NotFound, Ambiguous: ``id`` names no node, or several.
        """
        fetched = self._fetching.fetch(id, detail=detail, depth=depth)
        self._usage.touch([fetched.node.id], at=call.at)
        return fetched

    def text(self, id: str, call: Call, *, offset: int = 0) -> TextPart:  # noqa: A002, ARG002 - as fetch; verbs take a call
        """Return the text of the node that ``id`` names from character ``offset`` on, ``TEXT_PART_MAX`` at most.

        Raises:
            InvalidArgument: ``offset`` is negative.
            NotFound, Ambiguous: ``id`` names no node, or several.
        """
        return self._fetching.text(id, offset=offset)

    def context(self, request: ContextRequest, call: Call) -> Contexts:
        """Return the nodes that bear on the work at hand, most relevant first.

        Candidates come from indexes: what refers to the files or their folders, what a search with the task finds
        first (as many as are asked for), what was written in the caller's session; with neither files nor a task, and
        nothing written in the session yet, what is newest.

        Raises:
            InvalidArgument: a text is too long or the limit lies outside 1..100.
        """
        found = self._bearing.context(request, call)
        self._usage.touch([each.node.id for each in found.nodes], at=call.at)
        return found

    def status(self, call: Call, *, detail: str = "concise") -> Standing:  # noqa: ARG002 - verbs take a call
        """Return how the graph stands: counts, hubs, orphans, communities and health.

        Raises:
            InvalidArgument: an unknown ``detail``.
        """
        return self._overview.standing(detail=detail)

    def counts(self, call: Call) -> Counts:  # noqa: ARG002 - verbs take a call
        """Return how much of what the graph holds; unlike :meth:`status`, at no cost that grows with it."""
        return self._overview.counts()

    def map(self, request: MapRequest, call: Call) -> GraphMap:  # noqa: ARG002 - verbs take a call
        """Return the nodes with the most relations that match ``request``, and the relations among them.

        At most 500 nodes, most related first, the newest where they are alike, and 2,000 relations, the surest. Where
        over 200,000 nodes match, the newest 200,000 are compared. Superseded nodes count, forgotten ones do not.

        Raises:
            InvalidArgument: the limit lies outside 1..500, or the kind is not known.
        """
        return self._drawing.map(request)

    def log(self, request: LogRequest, call: Call) -> Logged:  # noqa: ARG002 - verbs take a call
        """Return a page of what was written, batch by batch, newest first: by whom, what, and what is left of it.

        A batch stands in the log where its last change does, and is told whole. A filter by who, through what or when
        walks over at most 100,000 positions of the log; ``stopped_at`` says where that ended it, and ``next_before``
        goes on. A reader that is held to some ontologies is told of the changes that it sees.

        Raises:
            InvalidArgument: the limit lies outside 1..100, or ``before`` is no position.
            NotFound, Ambiguous: ``node`` names no node, or several; of a forgotten one the whole id names it.
        """
        return self._telling.log(request)
