"""Operators' verbs that are no tools of ``core``: which tier they need and how their answers read."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from weft.model import Ingested, Undone

__all__ = ["OPERATIONS", "Operation"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """The tier that a verb needs, by name, and its answer's JSON-ready form."""

    needs: str
    reshape: Callable[[Any], dict[str, Any]]


def _undone(result: Undone) -> dict[str, Any]:
    return {
        "batch": result.batch,
        "reverted": result.reverted,
        "conflicts": result.conflicts,
        "undo_batch": result.undo_batch or None,
    }


def _ingested(result: Ingested) -> dict[str, Any]:
    return {
        "documents": result.documents,
        "unchanged": result.unchanged,
        "nodes_made": result.nodes_made,
        "nodes_reused": result.nodes_reused,
        "nodes_updated": result.nodes_updated,
        "relations": result.relations,
        "evidence": result.evidence,
        "marked": result.marked,
        "skipped": [{"path": path, "reason": reason} for path, reason in result.skipped],
        "batches": result.batches,
    }


OPERATIONS: Mapping[str, Operation] = MappingProxyType(
    {
        "undo": Operation(needs="librarian", reshape=_undone),
        "ingest": Operation(needs="contributor", reshape=_ingested),
    }
)
