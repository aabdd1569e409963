"""Which nodes and relations a filter lets in, where they were reached by name or relation instead of an index."""

from __future__ import annotations

from typing import TYPE_CHECKING

from weft.model import Origin, Scope

if TYPE_CHECKING:
    from weft.model import Filter, Node

__all__ = ["admits", "in_scope"]


def in_scope(origin: Origin, scope: Scope) -> bool:
    """Return whether knowledge of this origin takes part: learned is what a synthesis made, documents all else."""
    return scope is Scope.ALL or (origin is Origin.LEARNED) == (scope is Scope.LEARNED)


def admits(filter: Filter, node: Node) -> bool:  # noqa: A002 - the field's word
    """Return whether ``node``, as it stood at ``filter.as_of``, matches every other field of ``filter``."""
    return (
        _admits_lists(filter, node)
        and filter.status in ("", node.status)
        and node.confidence >= filter.confidence_min
        and (filter.since is None or node.modified_at >= filter.since)
        and filter.session in ("", node.session)
        and filter.learned_id in ("", node.learned_id)
        and in_scope(node.origin, filter.scope)
        and (node.retired is None or filter.as_of is not None)
    )


def _admits_lists(filter: Filter, node: Node) -> bool:  # noqa: A002 - the field's word
    return (
        (not filter.kinds or node.kind in filter.kinds)
        and (not filter.ontologies or node.ontology in filter.ontologies)
        and set(filter.tags) <= set(node.tags)
        and all(not set(node.tags).isdisjoint(group) for group in filter.tags_alike)
        and (not filter.within or node.id in filter.within)
    )
