"""The relations that whoever captures asks for."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from weft.model import Status
from weft.services.naming import resolve
from weft.services.relating import Assertion, ordered, plan_relation, superseding
from weft.vocabulary import CONFIDENCE

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from weft.model import Call, Node, Operation, Relation, RelationWish
    from weft.ports import Store

__all__ = ["Wishes", "wishes"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Wishes:
    """The relations that were asked for, what writes them, and the titles of their other ends, by id."""

    relations: tuple[Relation, ...] = ()
    operations: tuple[Operation, ...] = ()
    titles: Mapping[str, str] = field(default_factory=dict)

    @property
    def stated(self) -> frozenset[tuple[str, str, str]]:
        """The (source, target, type) of each."""
        return frozenset((each.source, each.target, each.type) for each in self.relations)

    @property
    def ends(self) -> frozenset[str]:
        """The ids of all nodes that take part."""
        return frozenset(end for each in self.relations for end in (each.source, each.target))


def wishes(store: Store, node: Node, wished: Sequence[RelationWish], call: Call) -> Wishes:
    """Return the relations of ``node`` that ``wished`` asks for; what it supersedes is marked so.

    Raises:
        InvalidArgument: a type is unknown, or a relation would join the node to itself.
        NotFound, Ambiguous: a target names no node, or several.
    """
    relations: dict[tuple[str, str, str], Relation] = {}
    operations: list[Operation] = []
    outdated: dict[str, Node] = {}
    titles: dict[str, str] = {}
    for said in _assertions(store, node, wished):
        titles |= {end.id: end.title for end in (said.source, said.target) if end.id != node.id}
        key = (*ordered(said.source.id, said.target.id, said.type), said.type.name)
        if key in relations:
            continue
        asserted = plan_relation(store, said, call)
        relations[key] = asserted.relation
        operations += asserted.operations
        if said.type.name == "supersedes" and said.target.status is not Status.SUPERSEDED:
            outdated[said.target.id] = said.target
    operations += [superseding(target, call) for target in outdated.values()]
    return Wishes(relations=tuple(relations.values()), operations=tuple(operations), titles=titles)


def _assertions(store: Store, node: Node, wished: Sequence[RelationWish]) -> Iterator[Assertion]:
    for wish in wished:
        backward, other = store.vocabulary.forward_of(wish.type), resolve(store, wish.target, field="relations.target")
        source, target = (other, node) if backward else (node, other)
        yield Assertion(
            source=source,
            target=target,
            type=backward or store.vocabulary.type(wish.type),
            reasoning=wish.reasoning,
            confidence=CONFIDENCE,
        )
