"""What bears on the work at hand: candidates from indexes only, weighed by nine factors."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from weft.model import ContextNode, Contexts, Filter, Page, SearchRequest
from weft.reason.context import (
    Look,
    band,
    band_by_rank,
    bare_path,
    is_file_name,
    misspelt_path,
    path_ends,
    path_spellings,
    referring,
    relevance,
)
from weft.services.drafting import line, lines, refuse_outside
from weft.services.replacing import replacements, superseded_documents
from weft.services.search.correcting import Correcting
from weft.text import clean
from weft.vocabulary import LIST_MAX, REFERENCE_MAX, REFERENCES_MAX, TASK_MAX

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from weft.model import Call, ContextRequest, Node, Relation
    from weft.ports import Embedder, Shelf, Store, Vectors, Words
    from weft.services.search.searching import Searching

__all__ = ["Bearing"]

EACH_MAX: Final = 30
"""Candidates that a file or a session gives; of what the task finds, as many of the best as are asked for."""

PART_MAX: Final = 900
"""Characters of a long task's beginning, and of its end, that are looked at: a passage each."""

RELATIONS_COUNTED: Final = 10


@dataclass(slots=True)
class _Candidates:
    """Ids with the grounds on which they were found, how like the task they are, and where the task finds them."""

    why: dict[str, list[str]] = field(default_factory=dict)
    similarity: dict[str, float] = field(default_factory=dict)
    place: dict[str, int] = field(default_factory=dict)

    def add(self, ids: Iterable[str], *why: str) -> None:
        """Note that these were found because of ``why``."""
        for each in ids:
            self.why.setdefault(each, []).extend(why)

    def liken(self, id: str, similarity: float) -> None:  # noqa: A002 - the field's word
        """Note how like a part of the task one is; the part that it is most like counts."""
        self.similarity[id] = max(similarity, self.similarity.get(id, 0.0))


@dataclass(frozen=True, slots=True)
class _Weighed:
    """A node with its relevance, the factors that made it, and how many relations were counted."""

    node: Node
    points: float
    factors: tuple[tuple[str, float], ...]
    relations: int


class Bearing:
    """Finds what bears on a task, a file, or a session."""

    def __init__(
        self, *, store: Store, shelf: Shelf, vectors: Vectors, embedder: Embedder, words: Words, searching: Searching
    ) -> None:
        self._store = store
        self._shelf = shelf
        self._vectors = vectors
        self._embedder = embedder
        self._searching = searching
        self._correcting = Correcting(store=store, words=words, embedder=embedder)

    def context(self, request: ContextRequest, call: Call) -> Contexts:
        """Return the nodes that bear on ``request``; see :meth:`weft.services.recall.recall.Recall.context`."""
        asked, warning = self._read(request)
        found = self._candidates(asked, call)
        kept = self._weighed(asked, found, now=call.at)[: asked.limit]
        told = self._related([each.node.id for each in kept], asked.relations_max)
        nodes = [each.node for each in kept]
        replaced, within = replacements(self._store, nodes), superseded_documents(self._store, nodes)
        return Contexts(
            nodes=tuple(
                ContextNode(
                    node=each.node,
                    relevance=round(each.points, 4),
                    band=band(each.points),
                    band_by_rank=band_by_rank(place, len(kept)),
                    factors=each.factors,
                    relations=each.relations,
                    why=tuple(found.why[each.node.id]),
                    related=tuple(told[each.node.id]),
                    superseded_by=replaced.get(each.node.id),
                    superseded_document=within.get(each.node.id),
                )
                for place, each in enumerate(kept)
            ),
            warning=warning,
        )

    def _weighed(self, asked: ContextRequest, found: _Candidates, *, now: datetime) -> list[_Weighed]:
        """Return the candidates that stand, most relevant first, those alike as the task finds them."""
        nodes = [node for node in self._store.nodes(list(found.why)).values() if node.retired is None]
        related = self._relations([node.id for node in nodes])
        places = defaultdict(lambda: asked.limit, found.place)
        weighed = []
        for node in nodes:
            look = Look(
                node=node,
                request=asked,
                relations=related[node.id],
                similarity=found.similarity.get(node.id),
                place=places[node.id],
                now=now,
                vocabulary=self._store.vocabulary,
            )
            weighed.append(_Weighed(node, *relevance(look), related[node.id]))
        return sorted(weighed, key=lambda each: (-each.points, places[each.node.id], each.node.id))

    def _read(self, request: ContextRequest) -> tuple[ContextRequest, str]:
        """Return ``request`` with the task as it is read where words of it are misspelt, and what to tell of that.

        Files are named as nodes refer to them.
        """
        asked = _checked(request)
        task, warning = self._correcting.corrected(asked.task)
        recent = tuple(map(self._referred, asked.recent_files))
        return replace(asked, task=task, current_file=self._referred(asked.current_file), recent_files=recent), warning

    def _referred(self, file: str) -> str:
        """Return an absolute path by its longest end that leads to a node: an editor knows no root of a project."""
        ends = path_ends(file)
        known = (end for end in (file, *ends) if self._shelf.by_reference(path_spellings(end), limit=1))
        return next(known, file) if ends else file

    def _candidates(self, asked: ContextRequest, call: Call) -> _Candidates:
        found = _Candidates()
        for file in (asked.current_file, *asked.recent_files):
            if file:
                self._by_file(file, found)
        if asked.task:
            self._by_task(asked, call, found)
        if call.session:
            page = self._store.find(Filter(session=call.session), Page(limit=EACH_MAX))
            found.add((node.id for node in page.nodes), "written in this session")
        if not (found.why or asked.current_file or asked.recent_files or asked.task):
            found.add((node.id for node in self._store.find(Filter(), Page(limit=EACH_MAX)).nodes), "recent")
        self._compare(asked.task, found)
        return found

    def _by_file(self, file: str, found: _Candidates) -> None:
        """Add the nodes that refer to ``file``; where none does, those that refer to a file of that name.

        If it names folders, to one whose path is spelt nearly so: many files are called ``index.ts``.
        """
        near = self._shelf.by_reference(path_spellings(file), limit=EACH_MAX)
        for node in self._store.nodes(near).values():
            found.add((node.id,), referring(node.references, file))
        name = bare_path(file).rpartition("/")[2]
        named = () if near or not name else self._shelf.by_file_name(name, limit=EACH_MAX)
        if is_file_name(file):
            found.add(named, f"refers to a file named {file}")
            return
        for node in self._store.nodes(named).values():
            if meant := misspelt_path(node.references, file):
                found.add((node.id,), f"refers to {meant}, not to {file}")

    def _by_task(self, asked: ContextRequest, call: Call, found: _Candidates) -> None:
        """Add what a search with the task finds first: what holds some word of it may be most of the graph."""
        for part in _parts(asked.task):
            wanted = SearchRequest(query=part, page=Page(limit=asked.limit))
            for place, hit in enumerate(self._searching.search(wanted, call).hits):
                if hit.node.id not in found.place:  # the end of a task says of it what its beginning said
                    found.add((hit.node.id,), *hit.why)
                found.place[hit.node.id] = min(place, found.place.get(hit.node.id, place))
                if hit.similarity is not None:
                    found.liken(hit.node.id, hit.similarity)

    def _compare(self, task: str, found: _Candidates) -> None:
        """Compare with the task what was found by something else."""
        others = [each for each in found.why if each not in found.similarity]
        for vector in self._embedder.embed(_parts(task)) if task and others else ():
            for key, cosine in self._vectors.cosines(vector, others).items():
                found.liken(key, self._embedder.calibration.similarity(cosine))

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
