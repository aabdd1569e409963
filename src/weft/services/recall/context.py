"""What bears on the work at hand: candidates from indexes only, weighed by nine factors."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Final

from weft.model import ContextNode, Contexts, Filter, Page
from weft.reason.context import band, band_by_rank, bare_path, is_file_name, relevance
from weft.reason.why import named_parts, rejoined, without_parts
from weft.services.drafting import line, lines, refuse_outside
from weft.services.replacing import replacements
from weft.services.search.correcting import Correcting
from weft.text import clean, terms
from weft.vocabulary import LIST_MAX, REFERENCE_MAX, REFERENCES_MAX, TASK_MAX, UNRELATED

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from weft.model import Call, ContextRequest, Node, Relation
    from weft.ports import Embedder, Shelf, Store, Vectors, Words

__all__ = ["Bearing"]

EACH_MAX: Final = 30
"""Candidates that one index gives; the best of all are weighed."""

PART_MAX: Final = 900
"""Characters of a long task's beginning, and of its end, that are looked at: a passage each."""

RELATIONS_COUNTED: Final = 10


@dataclass(slots=True)
class _Candidates:
    """Ids with the grounds on which they were found, and how like the task they are."""

    why: dict[str, list[str]] = field(default_factory=dict)
    similarity: dict[str, float] = field(default_factory=dict)

    def add(self, ids: Iterable[str], why: str) -> None:
        """Note that these were found because of ``why``."""
        for each in ids:
            self.why.setdefault(each, []).append(why)


class Bearing:
    """Finds what bears on a task, a file, or a session."""

    def __init__(self, *, store: Store, shelf: Shelf, words: Words, vectors: Vectors, embedder: Embedder) -> None:
        self._store = store
        self._shelf = shelf
        self._words = words
        self._vectors = vectors
        self._embedder = embedder
        self._correcting = Correcting(store=store, words=words, embedder=embedder)

    def context(self, request: ContextRequest, call: Call) -> Contexts:
        """Return the nodes that bear on ``request``; see :meth:`weft.services.recall.recall.Recall.context`."""
        asked, warning = self._read(request)
        found = self._candidates(asked, call)
        nodes = {key: node for key, node in self._store.nodes(list(found.why)).items() if node.retired is None}
        related = self._relations(list(nodes))
        weigh = partial(relevance, request=asked, now=call.at, vocabulary=self._store.vocabulary)
        weighed = [
            (node, weigh(node, relations=related[key], similarity=found.similarity.get(key)))
            for key, node in nodes.items()
        ]
        weighed.sort(key=lambda pair: (-pair[1][0], -found.similarity.get(pair[0].id, 0.0), pair[0].id))
        kept = weighed[: asked.limit]
        told = self._related([node.id for node, _ in kept], asked.relations_max)
        replaced = replacements(self._store, (node for node, _ in kept))
        return Contexts(
            nodes=tuple(
                ContextNode(
                    node=node,
                    relevance=round(points, 4),
                    band=band(points),
                    band_by_rank=band_by_rank(place, len(kept)),
                    factors=factors,
                    relations=related[node.id],
                    why=tuple(found.why[node.id]),
                    related=tuple(told[node.id]),
                    superseded_by=replaced.get(node.id),
                )
                for place, (node, (points, factors)) in enumerate(kept)
            ),
            warning=warning,
        )

    def _read(self, request: ContextRequest) -> tuple[ContextRequest, str]:
        """Return ``request`` with the task as it is read where words of it are misspelt, and what to tell of that."""
        asked = _checked(request)
        task, warning = self._correcting.corrected(asked.task)
        return replace(asked, task=task), warning

    def _candidates(self, asked: ContextRequest, call: Call) -> _Candidates:
        found = _Candidates()
        for file in (asked.current_file, *asked.recent_files):
            if file:
                self._by_file(file, found)
        if asked.task:
            self._by_task(asked.task, found)
        if call.session:
            page = self._store.find(Filter(session=call.session), Page(limit=EACH_MAX))
            found.add((node.id for node in page.nodes), "written in this session")
        if not (found.why or asked.current_file or asked.recent_files or asked.task):
            found.add((node.id for node in self._store.find(Filter(), Page(limit=EACH_MAX)).nodes), "recent")
        return found

    def _by_file(self, file: str, found: _Candidates) -> None:
        """Add the nodes that refer to ``file``; where none does and it names no folder, to any file of that name."""
        paths = dict.fromkeys((file, bare_path(file)))
        near = self._shelf.by_reference(tuple(paths), limit=EACH_MAX)
        found.add(near, f"refers to {file}, a folder of it or a file beside it")
        if not near and is_file_name(file):
            found.add(self._shelf.by_file_name(bare_path(file), limit=EACH_MAX), f"refers to a file named {file}")

    def _by_task(self, task: str, found: _Candidates) -> None:
        parts = _parts(task)
        held = dict(self._held(" ".join(parts)))
        for vector in self._embedder.embed(parts):
            near = {each.node: each.cosine for each in self._vectors.nearest(vector, filter=Filter(), limit=EACH_MAX)}
            near |= self._vectors.cosines(vector, [each for each in held if each not in near])
            for key, cosine in near.items():
                alike = self._embedder.calibration.similarity(cosine)
                found.similarity[key] = max(alike, found.similarity.get(key, 0.0))
        found.add((key for key, alike in found.similarity.items() if alike >= UNRELATED), "close to the task")
        for key, words in held.items():
            found.add((key,), f"holds {', '.join(words)}")

    def _held(self, task: str) -> Iterator[tuple[str, Sequence[str]]]:
        """Yield the nodes that hold words of ``task``, and those words as they are told: runs and names whole."""
        hits = self._words.search(task, filter=Filter(), limit=EACH_MAX)
        cut = [hit.node for hit in hits if not all(map(str.isascii, hit.terms))]
        asked, named, nodes = terms(task), named_parts(task), self._store.nodes(cut) if cut else {}
        for hit in hits:
            node = nodes.get(hit.node)
            held = rejoined(hit.terms, asked, f"{node.title}\n{node.content}") if node else hit.terms
            yield hit.node, without_parts(held, named)

    def _related(self, ids: Sequence[str], most: int) -> dict[str, list[tuple[Relation, Node]]]:
        """Return the ``most`` strongest relations of each of these nodes, with the node at the other end."""
        told: dict[str, list[tuple[Relation, Node]]] = {each: [] for each in ids}
        found = self._store.relations(ids, per_node=most) if ids and most else ()
        nodes = self._store.nodes(list({end for each in found for end in (each.source, each.target)}))
        for relation in found:
            for end, other in ((relation.source, relation.target), (relation.target, relation.source)):
                if end in told and other in nodes and len(told[end]) < most:
                    told[end].append((relation, nodes[other]))
        return told

    def _relations(self, ids: Sequence[str]) -> Counter[str]:
        relations = self._store.relations(ids, per_node=RELATIONS_COUNTED) if ids else ()
        return Counter(end for each in relations for end in (each.source, each.target))


def _parts(task: str) -> list[str]:
    """Return what of ``task`` is compared: all of it, or its beginning (the goal) and its end (where it stands)."""
    return [task] if len(task) <= 2 * PART_MAX else [task[:PART_MAX], task[-PART_MAX:]]


def _checked(request: ContextRequest) -> ContextRequest:
    refuse_outside(request.limit, 1, LIST_MAX, field="limit")
    refuse_outside(request.relations_max, 0, LIST_MAX, field="relations_max")
    return replace(
        request,
        task=clean(request.task, field="task", limit=TASK_MAX).strip(),
        current_file=line(request.current_file, field="current_file", limit=REFERENCE_MAX),
        recent_files=lines(request.recent_files, field="recent_files", limit=REFERENCE_MAX, most=REFERENCES_MAX),
    )
