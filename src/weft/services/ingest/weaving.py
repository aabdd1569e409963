"""The second pass over documents: what they say of each other, and what the rules see between their nodes."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from weft.model import Passage, SaveMentions, SaveNode, SaveRelation, SaveSuggestion
from weft.services.capture.linking import Beside, Linker
from weft.services.ingest.places import Places, once
from weft.services.ingest.questioning import Questions
from weft.services.ingest.stating import Statements
from weft.services.ingest.told import untold
from weft.services.nearness import neighbours
from weft.services.planning import Plan, settle
from weft.services.seconding import Seconded
from weft.text import split
from weft.vocabulary import MENTIONS_MAX, RELATION_TYPES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from weft.model import Call, Node, Operation, Relation, Suggestion
    from weft.services.ingest.intake import IngestPorts
    from weft.services.ingest.stating import Pending
    from weft.services.nearness import Neighbour

__all__ = ["Seen", "Weaving", "Woven"]

NEAR_MAX: Final = 8
PROBES_MAX: Final = 2
"""Passages of a node that neighbours are looked for by: its opening says what it is about."""

_FAN: Final = 1_000  # relations read of one node to see what joins it already
_PAGES: Final = frozenset({"document"})
_UNLINKED: Final = frozenset({"claim"})
"""Kinds that no rule of the seven is about, as documents: linking them would cost time and add only likeness."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Woven:
    """What was written, and in which batch (empty: nothing)."""

    relations: int = 0
    evidence: int = 0
    questions: int = 0
    batch: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What is seen between nodes: automatic ``relations`` by their ends and type, ``questions`` by their dedup."""

    relations: dict[tuple[str, str, str], Relation] = field(default_factory=dict)
    questions: dict[str, Suggestion] = field(default_factory=dict)

    def add(self, more: Seen) -> None:
        """Take in what ``more`` holds beside."""
        for key, relation in more.relations.items():
            self.relations.setdefault(key, relation)
        self.questions.update(more.questions)


class Weaving:
    """Joins the nodes of documents that are all in the graph now."""

    def __init__(self, ports: IngestPorts) -> None:
        self._store = ports.store
        self._shelf = ports.shelf
        self._vectors = ports.vectors
        self._embedder = ports.embedder
        self._linker = Linker(store=ports.store, shelf=ports.shelf, intent=ports.intent)
        self._questions = Questions(ports.store, ports.shelf, Seconded(ports.entailment))

    def state(self, pending: Sequence[Pending], call: Call) -> Woven:
        """Write, in one batch, the stated relations whose other end has come; what is still missing is left out."""
        return settle(self._store, replace(call, receipt=None), lambda batch: self._stated(pending, call, batch))

    def see(self, ids: Sequence[str], call: Call) -> Seen:
        """Return what is seen between these nodes and others, each once; writes nothing."""
        seen = Seen()
        for node in self._store.nodes(ids).values():
            if node.retired is not None:
                continue
            if node.kind in _PAGES:
                seen.questions.update((each.dedup, each) for each in self._questions.told(node, call))
            else:
                near = self._near(node)
                seen.questions.update((each.dedup, each) for each in self._questions.about(node, near, call))
                relations = () if node.kind in _UNLINKED else self._related(node, near, call)
                for each in relations:
                    seen.relations.setdefault((each.source, each.target, each.type), each)
        return seen

    def save(self, relations: Sequence[Relation], call: Call) -> Woven:
        """Write these automatic relations in one batch."""
        return settle(self._store, replace(call, receipt=None), lambda batch: self.saving(relations, batch))

    def saving(self, relations: Sequence[Relation], batch: str, *, questions: Sequence[Suggestion] = ()) -> Plan[Woven]:
        """Return how these automatic relations are written, those that add something, and ``questions`` with them."""
        added = self._adding(relations)
        operations: tuple[Operation, ...] = (
            *(SaveRelation(relation=each, expect=0) for each in added),
            *(SaveSuggestion(suggestion=each) for each in questions),
        )
        woven = Woven(relations=len(added), questions=len(questions), batch=batch if operations else "")
        return Plan(operations=operations, answer=woven, subjects=())

    def _adding(self, relations: Sequence[Relation]) -> list[Relation]:
        """Return those of ``relations`` that add something, each once.

        Mere likeness adds nothing to what is joined already, and no rule to what somebody stated.
        """
        ends = list({end for each in relations for end in (each.source, each.target)})
        standing = self._store.relations(ends, per_node=_FAN) if ends else ()
        joined = {frozenset((each.source, each.target)) for each in standing}
        typed = {(frozenset((each.source, each.target)), each.type) for each in standing}
        kept: dict[tuple[str, str, str], Relation] = {}
        for each in untold(self._store, relations):
            pair = frozenset((each.source, each.target))
            likeness = RELATION_TYPES[each.type].family == "likeness"
            if (pair, each.type) not in typed and not (likeness and pair in joined):
                kept.setdefault((each.source, each.target, each.type), each)
        return list(kept.values())

    def _stated(self, pending: Sequence[Pending], call: Call, batch: str) -> Plan[Woven]:
        saves: dict[str, SaveNode] = {}
        statements = Statements(self._store, call, saves)
        nodes = self._store.nodes(list({each.node for each in pending}))
        places = Places(self._store, self._shelf)
        led = []
        for each in pending:
            node = nodes.get(each.node)
            if node is not None and node.retired is None:
                found = places.lead(node, each.said, each.place, fresh={})
                led += [found] if found.ends[1] != each.led else []
        for found in once(led):
            if found.other is not None:
                statements.state(found.node, found.other, found.said, found.place)
        operations = (*saves.values(), *statements.operations)
        woven = Woven(relations=statements.made, evidence=statements.evidence, batch=batch if operations else "")
        return Plan(operations=operations, answer=woven, subjects=())

    def _near(self, node: Node) -> tuple[Neighbour, ...]:
        vectors = self._vectors.of((node.id,)).get(node.id)
        probes = () if vectors is None else vectors[:PROBES_MAX]
        found = neighbours(
            self._store,
            self._vectors,
            self._embedder.calibration,
            content=node.content,
            passages=[
                Passage(start=span.start, end=span.end, text="", vector=vector)
                for span, vector in zip(split(node.content), probes, strict=False)
            ],
            limit=NEAR_MAX,
        )
        return tuple(each for each in found if each.node.id != node.id)

    def _related(self, node: Node, near: Sequence[Neighbour], call: Call) -> tuple[Relation, ...]:
        held = self._shelf.mentions((node.id,), per_node=MENTIONS_MAX)
        mentions = SaveMentions(
            node=node.id,
            outgoing=tuple(each for each in held if each.node == node.id),
            incoming=tuple(each for each in held if each.node != node.id),
        )
        return self._linker.link(node, Beside(near=near, mentions=mentions), call).relations
