"""What to ask of a graph one does not know: questions made from what it holds, by fixed rules."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from weft.model import Filter, Page
from weft.text import plain

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from weft.graph import Graph
    from weft.model import Node

__all__ = ["STRUCTURE", "Questions", "opposite", "questions_of"]

STRUCTURE: Final = frozenset({"part_of", "derived_from"})
"""Relations that only say which document holds what: true, and nothing to tell."""

LOOKED_AT: Final = 300
PAIRS: Final = 2_000
CLAIMS_TRIED: Final = 12
TITLE_WORDS_MAX: Final = 4  # of a concept that is asked about
REACH_MIN, REACH_MAX = 2, 4  # relations between the ends of a trail that is worth showing
SENTENCE_MIN, SENTENCE_MAX = 30, 140

_VERB = re.compile(r"\b(is|are|was|were|must|should|can|may|will|has|have|does|do)\b(?! not\b)(?!n't)")
_NEGATED = re.compile(r"\b(is|are|was|were|must|should|can|may|will|has|have|does|do) not\b|\b(can)not\b")
_MARKUP = re.compile(r"[\[\]|`<>*#:]")
_DECIDED = re.compile(r"^We (?:decided to|decided on|chose to|chose) (.{8,80}?)(?: because| so that|[;:,.])")
_PART = re.compile(r"^(?:\S+\s+){1,4}(?:that|which|who)\b")  # «Options that are passed on.»: no sentence to turn
_KINDS: Final = {"convention": 0, "decision": 1, "claim": 2}


@dataclass(frozen=True, slots=True, kw_only=True)
class Questions:
    """A search, two ends of a trail by their ids or titles, and claims to try, with the words that introduce one."""

    search: str
    start: str
    end: str
    claims: tuple[str, ...]
    claim_is: str


def opposite(sentence: str) -> str | None:
    """Return ``sentence`` with its first verb negated, or un-negated; None where it has no verb to turn."""
    if _NEGATED.search(sentence):
        return _NEGATED.sub(lambda found: found.group(1) or found.group(2), sentence, count=1)
    turned, count = _VERB.subn(r"\1 not", sentence, count=1)
    return turned if count else None


def questions_of(graph: Graph) -> Questions:
    """Return questions about ``graph``: something it explains, a trail that goes far, and opposites of what it says."""
    found = graph.store.find(Filter(), Page(limit=LOOKED_AT)).nodes
    pairs = graph.shelf.relation_pairs(PAIRS)
    start, end = _far_ends(graph, pairs) or (found[0].id, found[-1].id)
    claims = tuple(_turned(found))[:CLAIMS_TRIED]
    return Questions(
        search=_subject(found, Counter(end for source, target, _ in pairs for end in (source, target))),
        start=start,
        end=end,
        claims=claims or (found[0].title,),
        claim_is="A sentence that was read, turned around" if claims else "The title of something that was read",
    )


def _subject(nodes: Sequence[Node], degrees: Mapping[str, int]) -> str:
    """Return what to search for: why something was decided, else what the best related concept is, else a title."""
    for node in nodes:
        decided = _DECIDED.match(plain(node.content))
        if decided:
            return f"why {decided.group(1)}"
    concepts = [node for node in nodes if node.kind == "concept" and _is_defined(node)]
    if concepts:
        return f"what is {max(concepts, key=lambda node: (degrees.get(node.id, 0), node.id)).title}"
    return max(nodes, key=lambda node: (degrees.get(node.id, 0), node.id)).title


def _is_defined(node: Node) -> bool:
    """Whether a node reads «TITLE is …», so that «what is TITLE» can be asked of it."""
    named = len(node.title.split()) <= TITLE_WORDS_MAX and not _MARKUP.search(node.title)
    return named and f"{node.title} is ".casefold() in plain(node.content).casefold()[: len(node.title) + 10]


def _far_ends(graph: Graph, pairs: Sequence[tuple[str, str, str]]) -> tuple[str, str] | None:
    """Return two nodes of different titles some relations apart, along relations that tell something if they can be."""
    related = {frozenset(pair[:2]) for pair in pairs}
    nodes = graph.store.nodes(tuple({end for pair in related for end in pair}))
    titles = {key: node.title.casefold() for key, node in nodes.items()}
    told = [pair for pair in pairs if pair[2] not in STRUCTURE]
    ways = [way for among in (told, pairs) for way in _ways_among(among, titles)]
    apart = [way for way in ways if way[2] >= REACH_MIN and frozenset(way[:2]) not in related]
    return next((way[:2] for way in (*apart, *ways)), None)


def _ways_among(pairs: Sequence[tuple[str, str, str]], titles: Mapping[str, str]) -> list[tuple[str, str, int]]:
    """Return ends with how far apart they are, the farthest first; each begins as far from a hub as it gets."""
    beside: dict[str, set[str]] = {}
    for source, target, _ in pairs:
        beside.setdefault(source, set()).add(target)
        beside.setdefault(target, set()).add(source)
    hubs = sorted(beside, key=lambda node: (-len(beside[node]), node))[:CLAIMS_TRIED]
    ways = [(start, *_farthest(beside, start, titles)) for start in (_farthest(beside, hub, titles)[0] for hub in hubs)]
    return sorted((way for way in ways if way[2]), key=lambda way: -way[2])


def _farthest(beside: Mapping[str, set[str]], start: str, titles: Mapping[str, str]) -> tuple[str, int]:
    """Return a node of another title as far from ``start`` as is asked about, the first of several, and how far."""
    seen, level, best = {start}, [start], (start, 0)
    for reach in range(1, REACH_MAX + 1):
        level = sorted({other for node in level for other in beside[node]} - seen)
        seen.update(level)
        best = next(((node, reach) for node in level if titles.get(node) != titles.get(start)), best)
    return best


def _turned(nodes: Sequence[Node]) -> Iterator[str]:
    """Yield opposites of sentences that were read: rules and decisions first, mere definitions last."""
    said = [(node, _first_sentence(node)) for node in nodes if node.kind in _KINDS]
    fit = [each for each in said if SENTENCE_MIN <= len(each[1]) <= SENTENCE_MAX and _is_plain(each[1])]
    for _, text in sorted(fit, key=lambda each: (" is " in each[1], _KINDS[each[0].kind], each[0].id)):
        turned = opposite(text)
        if turned:
            yield turned


def _is_plain(sentence: str) -> bool:
    return not _MARKUP.search(sentence) and not _PART.match(sentence)


def _first_sentence(node: Node) -> str:
    return re.split(r"(?<=[.!?])\s", plain(node.content), maxsplit=1)[0]
