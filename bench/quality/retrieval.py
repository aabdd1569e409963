"""Questions to the nodes that answer them: the anchors on bare texts, Weft through its search."""

from __future__ import annotations

import statistics
import time
from typing import TYPE_CHECKING, Any

import numpy as np
from graphs import filled
from measures import DEEPEST, scored
from sets import half

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
    """Return the rows Weft finds for each question, best first, and the median and 95th percentile in milliseconds."""
    rankings, times = [], []
    held.graph.recall.search(SearchRequest(query="warm up"), held.graph.call("search"))
    for question in questions:
        wanted = Filter(ontologies=(question["scope"],)) if question.get("scope") else Filter()
        request = SearchRequest(query=question["text"], filter=wanted, page=Page(limit=DEEPEST))
        started = time.perf_counter()
        hits = held.graph.recall.search(request, held.graph.call("search")).hits
        times.append((time.perf_counter() - started) * 1000)
        rankings.append([row for hit in hits for row in held.rows.get(hit.node.id, ())])
    return rankings, {"p50": statistics.median(times), "p95": float(np.percentile(times, 95))}


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
