"""A filter as conditions on the ``node`` table, by the names of entries in ``queries/conditions.sql``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from weft.model import Origin, Scope
from weft.model.codec import time_text

if TYPE_CHECKING:
    from weft.model import Filter, Node

__all__ = ["Where", "matches", "since_of", "where"]

_TALLIED = {"if_standing", "if_kind", "if_kinds", "if_ontology", "if_ontologies", "if_active", "if_marked"}
_TALLIED |= {"if_learned", "if_not_learned"}


class Where(NamedTuple):
    """``parts`` are the names of conditions, all of which must hold; ``values`` is what they bind."""

    parts: tuple[str, ...]
    values: dict[str, Any]

    @property
    def tallied(self) -> tuple[str, ...] | None:
        """The conditions without «standing» where the tally alone can count them, else None."""
        return tuple(part for part in self.parts if part != "if_standing") if set(self.parts) <= _TALLIED else None


def where(filter: Filter) -> Where:  # noqa: A002 - the field's word
    """Return the conditions of ``filter`` on nodes that stand now; ``filter.as_of`` is the caller's to look at.

    Use as ``database.read(name, where=w.parts, **w.values, …)`` on a query that has the table ``node`` and
    ``{{where}}``.
    """
    one_of = (("kind", "kinds", filter.kinds), ("ontology", "ontologies", filter.ontologies))
    parts, values = ["if_standing"], dict[str, Any]()
    for single, several, wanted in one_of:
        if len(wanted) == 1:
            parts.append(f"if_{single}")
            values[single] = wanted[0]
        elif wanted:
            parts.append(f"if_{several}")
            values[several] = list(wanted)
    tags = sorted(set(filter.tags))
    given: tuple[tuple[bool, str, dict[str, Any]], ...] = (
        (bool(tags), "if_tags", {"tags": tags, "tag_count": len(tags)}),
        (bool(filter.tags_alike), "if_tags_alike", _alike(filter)),
        (filter.status == "active", "if_active", {}),
        (filter.status not in ("", "active"), "if_marked", {"status": filter.status}),
        (filter.confidence_min > 0, "if_confident", {"confidence_min": filter.confidence_min}),
        (filter.since is not None, "if_since", since_of(filter)),
        (bool(filter.session), "if_session", {"session": filter.session}),
        (filter.scope is Scope.LEARNED, "if_learned", {}),
        (filter.scope is Scope.DOCUMENTS, "if_not_learned", {}),
        (bool(filter.learned_id), "if_learned_id", {"learned_id": filter.learned_id}),
        (bool(filter.within), "if_within", {"within": list(filter.within)}),
    )
    for wanted_here, part, bound in given:
        if wanted_here:
            parts.append(part)
            values |= bound
    return Where(tuple(parts), values)


def since_of(filter: Filter) -> dict[str, Any]:  # noqa: A002 - the field's word
    """Return what the conditions on the time of the last change bind; nothing where there is none."""
    return {"since": time_text(filter.since)} if filter.since is not None else {}


def _alike(filter: Filter) -> dict[str, Any]:  # noqa: A002 - the field's word
    """Return the groups of tags side by side: each tag, and the number of its group."""
    pairs = [(tag, group) for group, tags in enumerate(filter.tags_alike) for tag in dict.fromkeys(tags)]
    return {
        "alike": [tag for tag, _ in pairs],
        "alike_groups": [str(group) for _, group in pairs],
        "alike_count": len(filter.tags_alike),
    }


def matches(node: Node, filter: Filter) -> bool:  # noqa: A002 - the field's word
    """Return whether ``node``, as it stands or stood, meets ``filter`` (but for ``as_of``)."""
    learned = node.origin is Origin.LEARNED
    return node.retired is None and all(
        (
            not filter.kinds or node.kind in filter.kinds,
            not filter.ontologies or node.ontology in filter.ontologies,
            set(filter.tags) <= set(node.tags),
            all(not set(node.tags).isdisjoint(group) for group in filter.tags_alike),
            filter.status in ("", node.status.value),
            node.confidence >= filter.confidence_min,
            filter.since is None or node.modified_at >= filter.since,
            filter.session in ("", node.session),
            filter.scope is Scope.ALL or learned is (filter.scope is Scope.LEARNED),
            filter.learned_id in ("", node.learned_id),
            not filter.within or node.id in filter.within,
        )
    )
