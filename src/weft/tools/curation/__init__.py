"""``curation``: concepts made and kept with care, by tools that hint at what to do first; after ADR-003."""

from __future__ import annotations

from typing import TYPE_CHECKING

from weft.tools.curation import mending, reading, writing

if TYPE_CHECKING:
    from weft.tools.row import Tool

__all__ = ["ROWS", "USAGE"]

USAGE = (
    "Curation: search_concepts before create_concept; flag_similar_concepts before merge_concepts. "
    "PREREQUISITE_SUGGESTED is advice: the same call again goes on."
)

ROWS: tuple[Tool, ...] = (
    reading.SEARCH,
    reading.DETAILS,
    reading.RELATED,
    reading.ONTOLOGIES,
    writing.CREATE,
    writing.RELATE,
    writing.EVIDENCE,
    writing.INGEST,
    mending.FLAG,
    mending.MERGE,
    mending.UNMERGE,
    mending.PRUNE,
)
