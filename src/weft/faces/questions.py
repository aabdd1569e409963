"""What to ask of a graph one does not know: questions made from what it holds, by fixed rules."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from weft.model import Filter, Page

if TYPE_CHECKING:
    from collections.abc import Sequence

    from weft.graph import Graph
    from weft.model import Node

__all__ = ["Questions", "opposite", "questions_of"]

LOOKED_AT = 300
PAIRS = 2_000
SENTENCE_MIN, SENTENCE_MAX = 30, 200

_VERB = re.compile(r"\b(is|are|was|were|must|should|can|may|will|has|have|does|do)\b(?! not\b)(?!n't)")
_NEGATED = re.compile(r"\b(is|are|was|were|must|should|can|may|will|has|have|does|do) not\b|\b(can)not\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class Questions:
    """A search, two ends of a trail, and a claim with the words that introduce it."""

    search: str
    start: str
    end: str
    claim: str
    claim_is: str


def opposite(sentence: str) -> str | None:
    """Return ``sentence`` with its first verb negated, or un-negated; None where it has no verb to turn."""
    if _NEGATED.search(sentence):
        return _NEGATED.sub(lambda found: found.group(1) or found.group(2), sentence, count=1)
    turned, count = _VERB.subn(r"\1 not", sentence, count=1)
    return turned if count else None


def questions_of(graph: Graph) -> Questions:
    """Return questions about ``graph``: its hub, a trail that goes far, and the opposite of a sentence it holds."""
    found = graph.store.find(Filter(), Page(limit=LOOKED_AT)).nodes
    titles = {node.id: node.title for node in found}
    start, end = _far_ends(graph, titles)
    claim, claim_is = _claim(found)
    return Questions(
        search=_subject(found, start),
        start=start or found[0].id,
        end=end or found[-1].id,
        claim=claim,
        claim_is=claim_is,
    )


def _subject(nodes: Sequence[Node], fallback: str) -> str:
    documents = [node for node in nodes if node.content.count("\n") > 1]
    longest = max(documents or nodes, key=lambda node: (len(node.content), node.id))
    return longest.title or fallback


def _far_ends(graph: Graph, titles: dict[str, str]) -> tuple[str, str]:
    """Return two nodes a few relations apart: the first found at the largest distance, up to four, from the hub."""
    beside: dict[str, set[str]] = {}
    for source, target, _ in graph.shelf.relation_pairs(PAIRS):
        if source in titles and target in titles:
            beside.setdefault(source, set()).add(target)
            beside.setdefault(target, set()).add(source)
    if not beside:
        return "", ""
    hub = max(beside, key=lambda node: (len(beside[node]), node))
    one = _farthest(beside, hub)
    return one, _farthest(beside, one)


def _farthest(beside: dict[str, set[str]], start: str) -> str:
    seen, level = {start}, [start]
    for _ in range(4):
        onward = sorted({other for node in level for other in beside[node]} - seen)
        if not onward:
            break
        seen.update(onward)
        level = onward
    return level[0]


def _claim(nodes: Sequence[Node]) -> tuple[str, str]:
    order = {"claim": 0, "convention": 1, "decision": 2}
    for node in sorted(nodes, key=lambda node: (order.get(node.kind, 9), node.id)):
        sentence = re.split(r"(?<=[.!?])\s", node.content.strip(), maxsplit=1)[0]
        turned = opposite(sentence) if SENTENCE_MIN <= len(sentence) <= SENTENCE_MAX else None
        if turned:
            return turned, "Turned around by the demo, the opposite of something that was read"
    return nodes[0].title, "The title of something that was read"
