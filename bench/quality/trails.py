"""Trails: are two documents joined by what their authors related, asked for by their titles?

What authors related is added to a copy of the graph that the captures made. Asked is from each document to one other at
each distance of two to five such relations, both by their titles (of those that no other document bears). Told is how
often both ends are taken for these documents, how often the trail between them is no longer than the authors' shortest
(relations that captures made may shorten it), and how many of its steps are authors' own.
"""

from __future__ import annotations

import random
from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from captures import aside, held
from linking import collections, pairs
from references import TYPES
from sets import half

from weft.model import RelateRequest, TraceRequest
from weft.vocabulary import HOPS_MAX, TITLE_MAX

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from captures import Held, Text
    from sets import DataSet, Half

    from weft import Graph
    from weft.model import Traced

NEAREST, FARTHEST = 2, 5
WHY = "Their authors say so."


def measured(data: DataSet, which: Half, keep: Path) -> dict[str, Any]:
    """Return how many trails were asked for, and the shares in percent; nothing where there are none."""
    related, starts = pairs(data), {row["id"] for row in half(data.nodes, which)}
    told: Counter[str] = Counter()
    for name, texts in collections(data).items():
        asked = list(_asked(texts, related, starts))
        if asked:
            with held(name, texts, keep) as full:
                path = full.graph.path
            with aside(path) as graph:
                _relate(graph, full, data)
                told += _walked(graph, full, asked, related)
    if not told["asked"]:
        return {}
    shares = {what: 100 * told[what] / told["asked"] for what in ("ends", "short")}
    return {"asked": told["asked"], **shares, "authors": 100 * told["authors"] / max(1, told["steps"])}


def rows(name: str, figures: dict[str, Any]) -> list[str]:
    """Return the line of one set."""
    said = (
        f"both ends right {figures['ends']:.1f} %   no longer than the shortest {figures['short']:.1f} %"
        f"   of its steps authors' {figures['authors']:.1f} %"
    )
    return [f"{name:22} {figures['asked']:5} {said}"]


def _asked(
    texts: list[Text], related: Mapping[str, frozenset[str]], starts: set[str]
) -> Iterator[tuple[Text, Text, int]]:
    """Yield start, end and distance: for each start and distance one end, which the start's id decides."""
    titles = Counter(text.title.casefold() for text in texts)
    called = {text.row: text for text in texts if text.title and titles[text.title.casefold()] == 1}
    for row in sorted(starts & called.keys() & related.keys()):
        for distance, far in _around(row, related).items():
            ends = sorted(far & called.keys())
            if ends:
                yield called[row], called[random.Random(f"{row} {distance}").choice(ends)], distance


def _around(row: str, related: Mapping[str, frozenset[str]]) -> dict[int, set[str]]:
    """Return which documents lie how many relations away, from ``NEAREST`` to ``FARTHEST``."""
    met, edge, found = {row}, {row}, {}
    for distance in range(1, FARTHEST + 1):
        edge = {other for each in edge for other in related[each]} - met
        met |= edge
        found[distance] = edge
    return {distance: edge for distance, edge in found.items() if distance >= NEAREST}


def _relate(graph: Graph, full: Held, data: DataSet) -> None:
    types = {drawn: name for name, all_of in TYPES.items() for drawn in all_of}
    for row in data.relations:
        source, target = full.nodes.get(row["source"]), full.nodes.get(row["target"])
        if source and target and source != target:
            wish = RelateRequest(
                source=source, target=target, type=types.get(row["type"], "relates_to"), reasoning=WHY, confidence=0.9
            )
            graph.relate.relate(wish, graph.call("relate"))


def _walked(
    graph: Graph, full: Held, asked: list[tuple[Text, Text, int]], related: Mapping[str, frozenset[str]]
) -> Counter[str]:
    told: Counter[str] = Counter()
    for start, end, distance in asked:
        wish = TraceRequest(start=start.title[:TITLE_MAX], end=end.title[:TITLE_MAX], hops_max=HOPS_MAX)
        found = graph.trace.trace(wish, graph.call("trace"))
        right = _ends(found) == (full.nodes[start.row], full.nodes[end.row])
        ids = [full.rows[step.node.id] for step in found.trail.steps] if found.trail else []
        told += Counter(asked=1, ends=right, short=bool(right and ids) and len(ids) - 1 <= distance)
        drawn = [other in related.get(row, ()) for row, other in pairwise(ids)]
        told += Counter(steps=len(drawn), authors=sum(drawn))
    return told


def _ends(found: Traced) -> tuple[str, str]:
    return tuple(match.id if match else "" for match in (found.start_match, found.end_match))  # type: ignore[return-value]
