"""Tasks and ends: does a context hold what its task is about, and is the end of a trail taken for what it names?

A *paragraph* is 300 characters from anywhere in a document, with three words in ten left out of it; the other forms are
as in «Keywords as queries». As the task of a context of ten, told is how often its own document is among the first
*five* and among the *ten*: beside the task Weft weighs what a document is, how sure and how new it is and how many
relations it has, which is why the first is not told. As the *end* of a trail, told is how often it is taken for its own
document. The anchors rank the whole documents.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from excerpts import among, answered, pieces, thinned
from keywords import drawn

from weft.model import ContextRequest, TraceRequest

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from anchors import Anchors
    from excerpts import Asked
    from keywords import Query
    from sets import DataSet, Half

    from weft import Graph

LENGTH = 300  # characters of a paragraph
FIRST = 5
SHOWN = 10
TASKS = ("four words", "heading")
ENDS = ("one word", "two words", "four words", "heading")
NOWHERE = "qzx vwj"  # the other end of each trail, which nothing matches


def measured(data: DataSet, which: Half, anchors: Anchors, keep: Path) -> dict[str, Any]:
    """Return for each form how many were asked and how often each system shows the document, in percent."""
    asked = drawn(data, which)
    tasks = {form: _bare(asked.get(form, ())) for form in TASKS}
    tasks["paragraph"] = [(row, thinned(row, text)) for row, text in pieces(data, which, LENGTH)]
    figures = {}
    for form, each in tasks.items():
        found = answered(data, each, anchors, keep, ask=_context)
        figures[f"{form}, five"] = among(each, found, FIRST)
        figures[f"{form}, ten"] = among(each, found, SHOWN)
    for form in ENDS:
        each = _bare(asked.get(form, ()))
        figures[f"{form}, end"] = among(each, answered(data, each, anchors, keep, ask=_end), 1)
    kept = {measure: each for measure, each in figures.items() if each["documents"]}
    return {"asked": kept} if kept else {}


def _bare(queries: Sequence[Query]) -> Asked:
    return [(row, query) for row, query, _ in queries]


def _context(graph: Graph, task: str) -> Sequence[str]:
    found = graph.recall.context(ContextRequest(task=task, limit=SHOWN), graph.call("context"))
    return [each.node.id for each in found.nodes]


def _end(graph: Graph, phrase: str) -> Sequence[str]:
    found = graph.trace.trace(TraceRequest(start=phrase, end=NOWHERE), graph.call("trace")).start_match
    return [found.id] if found else []
