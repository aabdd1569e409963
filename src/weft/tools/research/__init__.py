"""``research``: claims, their sources and arguments, in the words of ACI, the Atomic Graph Researcher."""

from __future__ import annotations

from typing import TYPE_CHECKING

from weft.tools.research import reading, writing

if TYPE_CHECKING:
    from weft.tools.row import Tool

__all__ = ["ROWS", "USAGE"]

USAGE = (
    "Research: ingest_hypothesis keeps one claim a unit, connect_propositions joins them; find_contradictions, "
    "find_scientific_lineage and analyze_propositions derive the rest."
)

ROWS: tuple[Tool, ...] = (
    writing.INGEST,
    writing.CONNECT,
    reading.SEARCH,
    reading.LINEAGE,
    reading.CONTRADICTIONS,
    reading.LIST,
    reading.UNIT,
    writing.DELETE,
    reading.ANALYZE,
)
