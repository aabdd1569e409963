"""``memory``: what an agent learned, kept, joined by itself and recalled; the vocabulary of cognitive-memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from weft.tools.memory import reading, writing

if TYPE_CHECKING:
    from weft.tools.row import Tool

__all__ = ["ROWS", "USAGE"]

USAGE = (
    "Memory: memory_recall brings back what was learned before; memory_store keeps a problem, fix or decision and "
    "joins it to what it belongs to. Recalling keeps a memory fresh."
)

ROWS: tuple[Tool, ...] = (
    writing.STORE,
    reading.RECALL,
    reading.GET,
    writing.UPDATE,
    writing.DELETE,
    writing.RELATE,
    reading.RELATED,
    reading.EDGES,
)
