"""Questions to the nodes that answer them: the anchors on bare texts, Weft through its search.

How long a search takes is told beside the embedding of the same question alone, taken just before it: whatever else the
machine does falls on both, so that their ratio says more than either.
"""

from __future__ import annotations

import statistics
import time
from typing import TYPE_CHECKING, Any

import numpy as np
from graphs import filled
from measures import DEEPEST, scored
from sets import half

from weft.embed.minilm import MiniLM
from weft.model import Filter, Page, SearchRequest

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from anchors import Anchors, Scores
    from graphs import Filled
    from sets import DataSet, Half, Row

WEFT = "Weft"


def text_of(row: Row) -> str:
    """Return what an anchor reads of a node."""
    return f"{row['title']}. {row['text']}".strip(". ")


def measured(data: DataSet, which: Half, anchors: Anchors, keep: Path) -> dict[str, Any]:
    """Return for each system the measures over that half of the questions, and how long Weft's answers took."""
    questions = half(data.queries, which)
    wanted = [frozenset(row["relevant"]) for row in questions]
    systems = {name: scored(found, wanted) for name, found in _anchored(data, questions, anchors).items()}
    with filled(data, keep) as held:
        rankings, times = asked(questions, held)
    systems[WEFT] = scored(rankings, wanted)
    return {"questions": len(questions), "texts": len(data.nodes), "systems": systems, "search_ms": times}


def asked(questions: Sequence[Row], held: Filled) -> tuple[list[list[str]], dict[str, float]]:
    """Return the rows Weft finds for each question, best first, and what :func:`_told` says of the times."""
    rankings, searches, embeddings = [], [], []
    bare = MiniLM(cache=0)
    bare.embed_words(["warm up"])
    held.graph.recall.search(SearchRequest(query="warm up"), held.graph.call("search"))
    for question in questions:
        wanted = Filter(ontologies=(question["scope"],)) if question.get("scope") else Filter()
        request = SearchRequest(query=question["text"], filter=wanted, page=Page(limit=DEEPEST))
        started = time.perf_counter()
        bare.embed_words([question["text"]])
        embedded = time.perf_counter()
        hits = held.graph.recall.search(request, held.graph.call("search")).hits
        searches.append((time.perf_counter() - embedded) * 1000)
        embeddings.append((embedded - started) * 1000)
        rankings.append([row for hit in hits for row in held.rows.get(hit.node.id, ())])
    return rankings, _told(searches, embeddings)


def _told(searches: Sequence[float], embeddings: Sequence[float]) -> dict[str, float]:
    """Return median and 95th percentile of the searches, the median of the embeddings, in milliseconds, and a ratio.

    The ratio is the median over the questions of a search's time in its own question's embeddings.
    """
    return {
        "p50": statistics.median(searches),
        "p95": float(np.percentile(searches, 95)),
        "embedding": statistics.median(embeddings),
        "ratio": statistics.median(one / other for one, other in zip(searches, embeddings, strict=True)),
    }


def _anchored(data: DataSet, questions: Sequence[Row], anchors: Anchors) -> dict[str, list[list[str]]]:
    found: dict[str, dict[str, list[str]]] = {}
    for scope in dict.fromkeys(row.get("scope", "") for row in questions):
        nodes = [row for row in data.nodes if not scope or row.get("scope", "") == scope]
        inside = [row for row in questions if row.get("scope", "") == scope]
        for name, scores in anchors.scores([text_of(row) for row in nodes], [row["text"] for row in inside]).items():
            ranked = found.setdefault(name, {})
            ranked |= {row["id"]: best for row, best in zip(inside, _best(scores, nodes), strict=True)}
    return {name: [ranked[row["id"]] for row in questions] for name, ranked in found.items()}


def _best(scores: Scores, nodes: Sequence[Row]) -> list[list[str]]:
    order = np.argsort(-scores, axis=1, kind="stable")[:, :DEEPEST]
    return [[nodes[place]["id"] for place in row] for row in order]
