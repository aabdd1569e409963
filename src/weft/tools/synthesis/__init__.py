"""``synthesis``: connections and concepts that no document states, after the Learned Knowledge Synthesis plan."""

from __future__ import annotations

from typing import TYPE_CHECKING

from weft.tools.synthesis import carrying, reading, writing

if TYPE_CHECKING:
    from weft.tools.row import Tool

__all__ = ["ROWS", "USAGE"]

USAGE = (
    "Synthesis keeps what no document states: find_bridge_candidates proposes, create_learned_relationship and "
    "create_synthesis_concept keep it with evidence, list and rate review it."
)

ROWS: tuple[Tool, ...] = (
    reading.FIND_BRIDGES,
    writing.CONNECT,
    writing.CONCEIVE,
    writing.UPDATE,
    writing.DELETE,
    reading.LIST,
    writing.CONNECT_ALL,
    writing.RATE,
    carrying.EXPORT,
    carrying.IMPORT,
)
