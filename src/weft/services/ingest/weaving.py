"""The second pass over documents: what they say of each other, and what the rules see between their nodes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from weft.model import Passage, SaveMentions, SaveNode, SaveRelation
from weft.services.capture.linking import Linker
from weft.services.ingest.stating import Statements, meant
from weft.services.nearness import neighbours
from weft.services.planning import Plan, settle
from weft.vocabulary import MENTIONS_MAX, RELATION_TYPES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from weft.model import Call, Node, Relation
    from weft.ports import Embedder, Shelf, Store, Vectors
    from weft.services.ingest.stating import Pending

__all__ = ["Weaving", "Woven"]

NEAR_MAX: Final = 8
PROBES_MAX: Final = 2
"""Passages of a node that neighbours are looked for by: its opening says what it is about."""

_FAN: Final = 1_000  # relations read of one node to see what joins it already
_UNLINKED: Final = frozenset({"document", "claim"})
"""Kinds that no rule of the seven is about: linking them would cost time and add only likeness."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Woven:
    """What was written, and in which batch (empty: nothing)."""

    relations: int = 0
    evidence: int = 0
    batch: str = ""


class Weaving:
    """Joins the nodes of documents that are all in the graph now."""

    def __init__(self, *, store: Store, shelf: Shelf, vectors: Vectors, embedder: Embedder) -> None:
        self._store = store
        self._shelf = shelf
        self._vectors = vectors
        self._embedder = embedder
        self._linker = Linker(store=store, shelf=shelf)

    def state(self, pending: Sequence[Pending], call: Call) -> Woven:
        """Write, in one batch, the stated relations whose other end has come; what is still missing is left out."""
        return settle(self._store, replace(call, receipt=None), lambda batch: self._stated(pending, call, batch))

    def infer(self, ids: Sequence[str], call: Call) -> list[Relation]:
        """Return the automatic relations of these nodes, each once; writes nothing."""
        found: dict[tuple[str, str, str], Relation] = {}
        for node in self._store.nodes(ids).values():
            if node.kind not in _UNLINKED and node.retired is None:
                for relation in self._found(node, call):
                    found.setdefault((relation.source, relation.target, relation.type), relation)
        return list(found.values())

    def save(self, relations: Sequence[Relation], call: Call) -> Woven:
        """Write these automatic relations in one batch."""
        return settle(self._store, replace(call, receipt=None), lambda batch: self.saving(relations, batch))

    def saving(self, relations: Sequence[Relation], batch: str) -> Plan[Woven]:
        """Return how these automatic relations are written, those that add something."""
        operations = tuple(SaveRelation(relation=each, expect=0) for each in self._adding(relations))
        woven = Woven(relations=len(operations), batch=batch if operations else "")
        return Plan(operations=operations, answer=woven, subjects=())

    def _adding(self, relations: Sequence[Relation]) -> list[Relation]:
        """Return those of ``relations`` that add something: mere likeness adds nothing to what is joined already."""
        ends = list({end for each in relations for end in (each.source, each.target)})
        standing = self._store.relations(ends, per_node=_FAN) if ends else ()
        joined = {frozenset((each.source, each.target)) for each in standing}
        typed = {(frozenset((each.source, each.target)), each.type) for each in standing}
        kept = []
        for each in relations:
            pair = frozenset((each.source, each.target))
            likeness = RELATION_TYPES[each.type].family == "likeness"
            if (pair, each.type) not in typed and not (likeness and pair in joined):
                kept.append(each)
        return kept

    def _stated(self, pending: Sequence[Pending], call: Call, batch: str) -> Plan[Woven]:
        saves: dict[str, SaveNode] = {}
        statements = Statements(self._store, call, saves)
        nodes = self._store.nodes(list({each.node for each in pending}))
        for each in pending:
            node = nodes.get(each.node)
            other = meant(self._store, each.said.target_name, by=node, fresh={}) if node else None
            if node is not None and other is not None and node.retired is None:
                statements.state(node, other, each.said, each.place)
        operations = (*saves.values(), *statements.operations)
        woven = Woven(relations=statements.made, evidence=statements.evidence, batch=batch if operations else "")
        return Plan(operations=operations, answer=woven, subjects=())

    def _found(self, node: Node, call: Call) -> tuple[Relation, ...]:
        vectors = self._vectors.of((node.id,)).get(node.id)
        probes = () if vectors is None else vectors[:PROBES_MAX]
        near = neighbours(
            self._store,
            self._vectors,
            self._embedder.calibration,
            content="",
            passages=[Passage(start=0, end=0, text="", vector=vector) for vector in probes],
            limit=NEAR_MAX,
        )
        held = self._shelf.mentions((node.id,), per_node=MENTIONS_MAX)
        mentions = SaveMentions(
            node=node.id,
            outgoing=tuple(each for each in held if each.node == node.id),
            incoming=tuple(each for each in held if each.node != node.id),
        )
        others = [each for each in near if each.node.id != node.id]
        return self._linker.link(node, near=others, mentions=mentions, stated=frozenset(), call=call).relations
