"""Tables: what is written is read again, and no cell is a formula."""

from __future__ import annotations

import csv
import io

from hypothesis import given, settings
from hypothesis import strategies as st

from weft.formats.tables import parse, render_nodes, render_relations
from weft.testing.making import a_node, a_relation

TEXT = st.text(
    st.characters(exclude_categories=("Cs",), exclude_characters="\x00", include_characters="=+-@'\";,\n\r\t")
)
WORD = TEXT.map(str.strip).filter(bool)


@settings(max_examples=200, deadline=None)
@given(title=WORD, content=WORD, tags=st.lists(WORD, max_size=4), confidence=st.floats(0, 1))
def test_a_node_comes_back_from_its_row(title: str, content: str, tags: list[str], confidence: float) -> None:
    """Whatever signs its texts hold: quotes, separators, line ends, formulas."""
    node = a_node(title, content=content, tags=tuple(tags), confidence=confidence)
    (record,) = parse("".join(render_nodes([node]))).records
    assert (record.key, record.title, record.content) == (node.id, title, content)
    assert (record.tags, record.confidence, record.kind) == (node.tags, confidence, node.kind)
    assert (record.created_at, record.modified_at) == (node.created_at, node.modified_at)


@settings(max_examples=100, deadline=None)
@given(reasoning=TEXT)
def test_a_relation_comes_back_from_its_row(reasoning: str) -> None:
    """Its ends are the ids of nodes."""
    relation = a_relation(a_node("a"), a_node("b"), reasoning=reasoning)
    (tie,) = parse("".join(render_relations([relation]))).ties
    assert (tie.source, tie.target, tie.type) == (relation.source, relation.target, relation.type)
    assert tie.reasoning == reasoning.strip()


@settings(max_examples=200, deadline=None)
@given(text=TEXT)
def test_no_cell_is_taken_for_a_formula(text: str) -> None:
    """A spreadsheet runs what begins with one of four signs."""
    node = a_node(text, content=text, tags=(text,), aliases=(text, "b"))
    rows = list(csv.reader(io.StringIO("".join(render_nodes([node])), newline="")))
    assert not any(cell.startswith(("=", "+", "-", "@")) for row in rows for cell in row)
