"""The reading verbs over an open desk, for the tests of search, fetch, context, status, trace, challenge and ingest."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from engine import memory_at
from services.desk import ENTAILMENT, INTENT
from weft.embed import open_embedder
from weft.model import SearchRequest, Tier
from weft.services.ingest.ingest import Ingest, IngestPorts
from weft.services.recall.ports import RecallPorts
from weft.services.recall.recall import Recall
from weft.services.search.matching import Matching
from weft.services.search.searching import Searching
from weft.services.trace.challenge import Challenger
from weft.services.trace.trace import Trace

if TYPE_CHECKING:
    from pathlib import Path

    from services.conftest import Desk
    from weft.model import Hits
    from weft.ports import Chat, Judge, Usage
    from weft.services.ingest.web import Web


@cache
def usage_of(folder: Path) -> Usage:
    """Return the memory of use in ``folder``, the same each time: another one would learn of a use a moment later."""
    return memory_at(folder / "notes.db", open_embedder(), tier=Tier.CURATOR)


def recall_of(desk: Desk, folder: Path) -> Recall:
    """Return the reading verbs over ``desk``."""
    return Recall(recall_ports_of(desk, folder))


def recall_ports_of(desk: Desk, folder: Path) -> RecallPorts:
    """Return what the reading verbs over ``desk`` stand on."""
    return RecallPorts(
        store=desk.store,
        shelf=desk.shelf,
        words=desk.words,
        vectors=desk.vectors,
        log=desk.log,
        usage=usage_of(folder),
        embedder=desk.embedder,
    )


def trace_of(desk: Desk, folder: Path) -> Trace:
    """Return the verbs that follow relations over ``desk``."""
    return Trace(
        store=desk.store,
        shelf=desk.shelf,
        vectors=desk.vectors,
        usage=usage_of(folder),
        embedder=desk.embedder,
        matching=matching_of(desk),
        challenger=challenger_of(desk),
    )


def challenger_of(desk: Desk, *, judge: Judge | None = None) -> Challenger:
    """Return what holds a claim against ``desk``, by the built-in judge where no other is given."""
    return Challenger(
        store=desk.store,
        words=desk.words,
        vectors=desk.vectors,
        embedder=desk.embedder,
        entailment=ENTAILMENT,
        judge=judge,
    )


def matching_of(desk: Desk) -> Matching:
    """Return what finds the nodes that a phrase means over ``desk``."""
    store, words, vectors, embedder = desk.store, desk.words, desk.vectors, desk.embedder
    searching = Searching(store=store, shelf=desk.shelf, words=words, vectors=vectors, log=desk.log, embedder=embedder)
    return Matching(store=store, words=words, vectors=vectors, embedder=embedder, searching=searching)


def ingest_of(desk: Desk, *, chat: Chat | None = None, web: Web | None = None) -> Ingest:
    """Return the verb that takes in documents over ``desk``; by rules and from disk alone where nothing is given."""
    ports = IngestPorts(
        store=desk.store,
        shelf=desk.shelf,
        upkeep=desk.upkeep,
        words=desk.words,
        vectors=desk.vectors,
        embedder=desk.embedder,
        entailment=ENTAILMENT,
        intent=INTENT,
        chat=chat,
    )
    return Ingest(ports, home="notes", web=web)


def titles(hits: Hits) -> list[str]:
    """Return the titles of the hits, best first."""
    return [hit.node.title for hit in hits.hits]


def asked(query: str, **fields: object) -> SearchRequest:
    """Return a search request for ``query``."""
    return SearchRequest(query=query, **fields)
