"""``project``: what a software project knows of itself, beside its code; the vocabulary of Autology."""

from __future__ import annotations

from typing import TYPE_CHECKING

from weft.tools.project import reading, writing

if TYPE_CHECKING:
    from weft.tools.row import Tool

__all__ = ["ROWS", "USAGE"]

USAGE = (
    "Project knowledge: autology_context brings what bears on the file or task at hand; autology_capture keeps a "
    "decision, convention or issue with the files it is about."
)

ROWS: tuple[Tool, ...] = (
    writing.CAPTURE,
    reading.QUERY,
    reading.STATUS,
    writing.UPDATE,
    writing.DELETE,
    writing.RELATE,
    writing.UNRELATE,
    reading.CONTEXT,
)
