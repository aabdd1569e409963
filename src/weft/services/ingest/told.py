"""What is stated already between things of these names: a rule that reads the same sentence need not say it again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from weft.model import Origin
from weft.text import fold

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from weft.model import Node, Relation
    from weft.ports import Store

__all__ = ["untold"]

_Key: TypeAlias = tuple[str, str, str]

_NAMESAKES_MAX: Final = 20  # nodes of one title that are looked at
_FAN: Final = 1_000  # relations read of one of them


def untold(store: Store, relations: Sequence[Relation]) -> list[Relation]:
    """Return ``relations``, found by rules, without those that somebody stated already, in the same or a kindred type.

    That is a type of the same family in the same direction, between two nodes of the same titles: a document and the
    concept it is about go by one name, and «A requires B» is said once. Mere likeness is left to who asks.
    """
    families = {name: each.family for name, each in store.vocabulary.types.items()}
    telling = [each for each in relations if families[each.type] != "likeness"]
    ends = store.nodes(list({end for each in telling for end in (each.source, each.target)}))
    wanted = {families[each.type] for each in telling}
    types = {name: family for name, family in families.items() if family in wanted}
    said = _said(store, ends, types) if telling else frozenset()
    return [each for each in relations if _key(each, ends, types) not in said]


def _said(store: Store, ends: Mapping[str, Node], types: Mapping[str, str]) -> frozenset[_Key]:
    """Return what is stated, by one of ``types``, from and to nodes that share a title with one of ``ends``."""
    named = dict(ends)
    for title in {node.title for node in ends.values()}:
        named |= {node.id: node for node in store.resolve(title, limit=_NAMESAKES_MAX)}
    stated = store.relations(list(named), types=list(types), per_node=_FAN)
    return frozenset(
        _key(each, named, types)
        for each in stated
        if each.origin is not Origin.INFERRED and each.source in named and each.target in named
    )


def _key(relation: Relation, nodes: Mapping[str, Node], families: Mapping[str, str]) -> _Key:
    """Return the titles of both ends (empty: not among ``nodes``) and the family of the type (empty: another)."""
    source, target = (nodes.get(end) for end in (relation.source, relation.target))
    return (
        fold(source.title) if source else "",
        fold(target.title) if target else "",
        families.get(relation.type, ""),
    )
