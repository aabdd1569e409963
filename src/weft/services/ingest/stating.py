"""Relations that documents state: whom a name in a text means, and what is written when one relation is stated."""

from __future__ import annotations

import posixpath
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from weft.identity import new_id
from weft.model import Evidence, Origin, Relation, SaveEvidence, SaveNode, SaveRelation, SourceType, Status
from weft.services.relating import Assertion, made, ordered, plan_relation, touched
from weft.vocabulary import RELATION_TYPES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from weft.model import Call, Node, Operation
    from weft.ports import Store
    from weft.reason.extract import DraftRelation

__all__ = ["Pending", "Quoted", "Statements", "is_passing", "meant"]

_NAMED_MAX: Final = 20  # nodes of one name that are looked through
_SUFFIXES: Final = ("", ".md", ".markdown", ".txt", ".html", ".htm", ".pdf", ".docx")


@dataclass(frozen=True, slots=True, kw_only=True)
class Quoted:
    """Where a document says something: ``text[start:end]`` of the source, in its paragraph of that number."""

    source: str
    paragraph: int
    start: int
    end: int
    quote: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Pending:
    """A relation that a document states from ``node`` to something that is named, with the place that says so.

    ``led`` is the id of the document that it was taken to lead to, for want of the place in it; empty: nothing was.
    """

    node: str
    said: DraftRelation
    place: Quoted
    led: str = ""


class Statements:
    """Collects the relations that one batch states, each once, with the nodes that they change.

    ``saves`` are the nodes that the batch writes anyway, by id; what a relation changes of a node is added there.
    """

    def __init__(self, store: Store, call: Call, saves: dict[str, SaveNode]) -> None:
        self._store = store
        self._call = call
        self._saves = saves
        self._relations: dict[tuple[str, str, str], Relation] = {}
        self._operations: list[Operation] = []
        self.made = 0
        self.evidence = 0

    @property
    def stated(self) -> frozenset[str]:
        """The ids of the relations that are stated."""
        return frozenset(each.id for each in self._relations.values())

    @property
    def operations(self) -> tuple[Operation, ...]:
        """What writes the relations and their evidence, after the nodes."""
        return tuple(self._operations)

    def state(self, node: Node, other: Node, said: DraftRelation, place: Quoted | None) -> None:
        """Add the relation that ``said`` states between ``node`` and ``other``; it rests on ``place``, if any."""
        source, target = (other, node) if said.direction == "backward" else (node, other)
        relation_type = RELATION_TYPES[said.type]
        key = (*ordered(source.id, target.id, relation_type), relation_type.name)
        if source.id == target.id or key in self._relations:
            return
        assertion = Assertion(
            source=source,
            target=target,
            type=relation_type,
            reasoning=said.reasoning,
            confidence=said.confidence,
            origin=Origin.DOCUMENT,
            rule=said.rule,
        )
        relation = self._written(assertion)
        self._relations[key] = relation
        if place is not None:
            self._rest(relation, place)
        if relation_type.name == "supersedes":
            self._supersede(target)

    def _written(self, said: Assertion) -> Relation:
        """Return the relation as it will stand; between nodes that are only being made there is none to strengthen."""
        if self._is_fresh(said.source) or self._is_fresh(said.target):
            relation, operations = made(said, self._call), None
        else:
            planned = plan_relation(self._store, said, self._call)
            relation, operations = planned.relation, planned.operations
            self.made += planned.created
        if operations is None:
            operations = (SaveRelation(relation=relation, expect=0),)
            self.made += 1
        self._operations += operations
        return relation

    def _is_fresh(self, node: Node) -> bool:
        save = self._saves.get(node.id)
        return save is not None and save.expect == 0

    def _rest(self, relation: Relation, place: Quoted) -> None:
        held = self._store.evidence((relation.id,)) if relation.version > 1 else ()
        if any(each.quote == place.quote for each in held):
            return
        self._operations.append(SaveEvidence(evidence=evidence(relation.id, place, self._call)))
        self.evidence += 1

    def _supersede(self, target: Node) -> None:
        save = self._saves.get(target.id)
        standing = save.node if save else target
        if standing.status is Status.SUPERSEDED:
            return
        after = replace(standing, status=Status.SUPERSEDED)
        if save is not None:
            self._saves[target.id] = replace(save, node=after)
        else:
            self._saves[target.id] = SaveNode(node=touched(after, self._call), expect=target.version)


def evidence(subject: str, place: Quoted, call: Call) -> Evidence:
    """Return the evidence that ``subject``, a node's or a relation's id, rests on ``place``."""
    return Evidence(
        id=new_id(call.at),
        subject=subject,
        source=place.source,
        paragraph=place.paragraph,
        start=place.start,
        end=place.end,
        quote=place.quote,
        type=SourceType.DOCUMENT,
        creator=call.actor,
        created_at=call.at,
    )


def meant(store: Store, name: str, *, by: Node, fresh: Mapping[str, Node]) -> Node | None:
    """Return the node that ``name`` (a document's path, a title, a record's number) means in a text of ``by``.

    ``fresh`` are nodes that are only being made, by the names they will answer to. A node of the same ontology is meant
    rather than another, of several the one whose file lies in the same folder, and else the one document, which a link
    names rather than what it is about; else none.
    """
    if name in fresh:
        return fresh[name]
    file = _file_beside(store, name, by)
    if file is not None:
        return file
    for spelling in (f"{name}{suffix}" for suffix in _SUFFIXES):
        found = [node for node in store.resolve(spelling, limit=_NAMED_MAX) if node.id != by.id]
        near = [node for node in found if node.ontology == by.ontology] or found
        if near:
            return _one([node for node in near if _lies_beside(node, by)]) or _one(near)
    return None


def is_passing(node: Node, name: str, *, by: Node) -> bool:
    """Whether ``node`` is what ``name`` means in a text of ``by`` only as long as no nearer document is read.

    So it is with a title or a number that a document of another folder goes by, and not with a path.
    """
    at_path = not _is_bare(name) and node.ontology == by.ontology
    return bool(node.handles and by.handles) and not at_path and not _lies_beside(node, by)


def _file_beside(store: Store, name: str, by: Node) -> Node | None:
    """Return the document in the folder of ``by`` whose file has this name, which a path that was resolved is not."""
    folder = _folder(by)
    if not folder or not _is_bare(name):
        return None
    paths = (f"{folder}/{name}{suffix}" for suffix in _SUFFIXES[1:])
    found = (node for path in paths for node in store.resolve(path, limit=_NAMED_MAX))
    return next((node for node in found if node.id != by.id and _lies_beside(node, by)), None)


def _is_bare(name: str) -> bool:
    """Whether ``name`` is a title, a number, or a file's name without its ending, and no path."""
    return "/" not in name and not name.endswith(_SUFFIXES[1:])


def _lies_beside(node: Node, by: Node) -> bool:
    here = bool(node.handles and by.handles) and node.ontology == by.ontology
    return here and _folder(node) == _folder(by)


def _folder(node: Node) -> str:
    return posixpath.dirname(node.handles[0]) if node.handles else ""


def _one(nodes: Sequence[Node]) -> Node | None:
    """Return the one of ``nodes``, of several the one document, if there is one."""
    pages = [node for node in nodes if node.kind == "document"] if len(nodes) > 1 else nodes
    return pages[0] if len(pages) == 1 else None
