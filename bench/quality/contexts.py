"""Tasks: is the document that a task is about among what bears on it?

A *paragraph* is 300 characters from anywhere in a document, with three words in ten left out of it; *four words* and a
*heading* are as in «Keywords as queries». Each is the task of a context of ten; told is how often its own document is
among the first *five* and among the *ten*. The anchors rank the whole documents. Weft weighs also what a document is,
how sure and how new it is and how many relations it has, which is why the first is not told.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from excerpts import answered, averaged, pieces, thinned
from keywords import drawn

from weft.model import ContextRequest

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from anchors import Anchors
    from excerpts import Asked
    from sets import DataSet, Half

    from weft import Graph

LENGTH = 300  # characters of a paragraph
FIRST = 5
SHOWN = 10
FORMS = ("four words", "heading")


def measured(data: DataSet, which: Half, anchors: Anchors, keep: Path) -> dict[str, Any]:
    """Return for each form how many were asked and how often each system shows the document, in percent."""
    figures = {}
    for form, asked in _forms(data, which):
        found = answered(data, asked, anchors, keep, ask=_context)
        for name, most in (("five", FIRST), ("ten", SHOWN)):
            shown = {
                who: [float(row in ids[:most]) for (row, _), ids in zip(asked, each, strict=True)]
                for who, each in found.items()
            }
            figures[f"{form}, {name}"] = averaged(shown, len(asked))
    return {"asked": figures} if figures else {}


def _forms(data: DataSet, which: Half) -> Iterator[tuple[str, Asked]]:
    paragraphs = [(row, thinned(row, text)) for row, text in pieces(data, which, LENGTH)]
    if paragraphs:
        yield "paragraph", paragraphs
    asked = drawn(data, which)
    for form in FORMS:
        if asked.get(form):
            yield form, [(row, query) for row, query, _ in asked[form]]


def _context(graph: Graph, task: str) -> Sequence[str]:
    found = graph.recall.context(ContextRequest(task=task, limit=SHOWN), graph.call("context"))
    return [each.node.id for each in found.nodes]
