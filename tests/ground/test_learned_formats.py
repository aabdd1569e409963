"""Learned knowledge as text: what is written as JSON or CSV comes back whole, and no text breaks out of its place."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from weft.errors import InvalidArgument
from weft.formats.learned import as_csv, as_cypher, as_json, as_markdown
from weft.model import PortableConcept, PortableEnd, PortableItem, PortableVote

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
SAID = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=30)
NASTY = st.sampled_from(("=1+1", "'quoted", "+x", "@cmd", '"', "a,b", "a\nb", "\r\n", "\\u0027", "\\", "-", "\t", "''"))
WORDS = st.one_of(TEXT, NASTY)
TIMES = st.one_of(st.none(), st.datetimes(min_value=datetime(1900, 1, 1), timezones=st.just(UTC)))  # noqa: DTZ001
ENDS = st.builds(PortableEnd, id=st.one_of(SAID, NASTY), title=WORDS, ontology=WORDS)
CONCEPTS = st.builds(
    PortableConcept,
    id=SAID,
    handle=WORDS,
    title=WORDS,
    ontology=WORDS,
    search_terms=st.lists(WORDS, max_size=3).map(tuple),
)
VOTES = st.builds(PortableVote, actor=WORDS, value=st.sampled_from((1, -1)), reason=WORDS, at=TIMES)
SHARED = {
    "evidence": WORDS,
    "creator": WORDS,
    "created_at": TIMES,
    "similarity": st.one_of(st.none(), st.floats(0, 1)),
    "leap": st.sampled_from(("", "LOW", "MEDIUM", "HIGH")),
}
RELATIONS = st.builds(
    PortableItem,
    learned_id=WORDS,
    type=st.sampled_from(("bridges", "supports", "learned_connection")),
    ends=st.tuples(ENDS, ENDS),
    votes=st.lists(VOTES, max_size=2).map(tuple),
    **SHARED,
)
SYNTHESES = st.builds(
    PortableItem,
    learned_id=SAID,
    type=st.just(""),
    ends=st.lists(ENDS, min_size=2, max_size=3).map(tuple),
    concept=CONCEPTS,
    votes=st.lists(VOTES, max_size=2).map(tuple),
    **SHARED,
)
ITEMS = st.lists(
    st.one_of(RELATIONS, SYNTHESES), max_size=4, unique_by=lambda item: (item.concept is None, item.learned_id)
)

BRIDGE = PortableItem(
    learned_id="learned_2025-10-06_001",
    type="bridges",
    ends=(
        PortableEnd(id="a", title="Sensible Transparency", ontology="Governed Agility"),
        PortableEnd(id="b", title="Signal Transparency", ontology="Role Based Intelligence"),
    ),
    evidence="Both emphasize transparency through signals",
    creator="aaron",
    created_at=datetime(2025, 10, 6, 16, 30, tzinfo=UTC),
    similarity=0.89,
    leap="LOW",
)


@given(ITEMS)
def test_json_comes_back_whole(items: list[PortableItem]) -> None:
    """Votes, times and search terms too."""
    assert as_json.parse(as_json.render(items)).items == tuple(items)


@given(ITEMS)
def test_a_table_comes_back_whole_but_for_the_votes(items: list[PortableItem]) -> None:
    """Line breaks, quotes and what looks like a formula included."""
    back = as_csv.parse(as_csv.render(items))
    assert back.faults == ()
    assert set(back.items) == {replace(item, votes=()) for item in items}


@given(ITEMS)
def test_no_cell_of_a_table_is_a_formula(items: list[PortableItem]) -> None:
    """Nothing that a spreadsheet would run starts a cell."""
    for row in csv.reader(io.StringIO(as_csv.render(items), newline="")):
        assert not any(cell.startswith(("=", "+", "-", "@", "\t", "\r")) for cell in row)


def _unquoted(statement: str) -> str:
    r"""Return a Cypher statement with its quoted texts taken out, read as Neo4j does: ``\\uXXXX`` first."""
    import re

    unfolded = re.sub(r"\\u([0-9a-fA-F]{4})", lambda found: chr(int(found[1], 16)), statement)
    return re.sub(r'"(?:[^"\\]|\\.)*"', "", unfolded, flags=re.DOTALL)


@given(st.lists(RELATIONS, min_size=1, max_size=2))
@example([replace(BRIDGE, evidence=";", creator="\\\x1f")])
@example([replace(BRIDGE, evidence=";", creator="\\u0022")])
def test_no_text_breaks_out_of_a_cypher_statement(items: list[PortableItem]) -> None:
    """With its quotations taken out, each item's statements are the same whatever its texts say."""
    plain = [as_cypher.render([BRIDGE]).replace("BRIDGES", item.type.upper()) for item in items]
    for item, wanted in zip(items, plain, strict=True):
        left = _unquoted(as_cypher.render([item]))
        assert left.count(";") == _unquoted(wanted).count(";")
        assert "DELETE" not in left
        assert '"' not in left


def test_cypher_writes_the_plans_schema() -> None:
    """Concepts, a source of type LEARNED, the relation with its learned id."""
    text = as_cypher.render([BRIDGE])
    assert 'MERGE (s:Source {source_id: "learned_2025-10-06_001"})' in text
    assert 's.document = "User synthesis", s.paragraph = 0' in text
    assert 's.type = "LEARNED"' in text
    assert '-[r:BRIDGES {learned_id: "learned_2025-10-06_001"}]->' in text


def test_a_type_that_is_none_never_becomes_part_of_a_statement() -> None:
    """It is the one name that is not quoted."""
    with pytest.raises(InvalidArgument, match="no relation type"):
        as_cypher.render([replace(BRIDGE, type="x]->() DETACH DELETE (n) //")])


@given(st.lists(RELATIONS, min_size=1, max_size=3))
def test_every_item_is_one_section_of_the_page_and_nothing_in_it_is_markup(items: list[PortableItem]) -> None:
    """Headings, links, images and HTML that a text holds stay text."""
    tokens = MarkdownIt().parse(as_markdown.render(items))
    headings = [token.tag for token in tokens if token.type == "heading_open"]
    assert headings == ["h1", *["h2"] * len(items)]
    inner = [each.type for token in tokens for each in token.children or ()]
    assert not {"link_open", "image", "html_inline", "code_inline", "em_open", "strong_open"} & set(inner)
    assert not any(token.type in {"html_block", "fence", "code_block"} for token in tokens)


def test_the_page_reads_like_the_plan() -> None:
    """Ends, type, evidence as a quotation, and where it comes from."""
    text = as_markdown.render([BRIDGE]).replace("\\", "")
    assert (
        "## Sensible Transparency (Governed Agility) — BRIDGES — Signal Transparency (Role Based Intelligence)" in text
    )
    assert "> Both emphasize transparency through signals" in text
    assert "learned_2025-10-06_001 · by aaron · 2025-10-06 · leap LOW · similarity 0.89" in text


def test_a_malformed_item_is_told_and_the_others_are_read() -> None:
    """By its id, or its place."""
    text = as_json.render([BRIDGE])[:-4].rstrip() + ', 7, {"learned_id": "x", "from": {}, "to": {}, "evidence": "y"}]}'
    parsed = as_json.parse(text)
    assert parsed.items == (BRIDGE,)
    assert parsed.faults == (("item 2", "item must be an object"), ("x", "from has neither id nor label"))


@pytest.mark.parametrize("text", ["", "[", "{}", '"x"', "[" * 50_000, '{"learned_knowledge": 1}'])
def test_what_is_no_document_is_refused(text: str) -> None:
    """In words."""
    with pytest.raises(InvalidArgument, match="text"):
        as_json.parse(text)


@pytest.mark.parametrize(
    "text", ["", "a\n", "evidence\nx\n", "evidence,evidence,relationship_type\n", 'evidence,relationship_type\n"x']
)
def test_what_is_no_table_is_refused(text: str) -> None:
    """With the columns that are known, or the line."""
    with pytest.raises(InvalidArgument, match=r"[Cc]olumns|line"):
        as_csv.parse(text)


@pytest.mark.parametrize("terms", ["[" * 90_000, "9" * 9_000, '{"a": 1}', "a, b"])
def test_search_terms_that_are_no_list_are_told(terms: str) -> None:
    """However deeply a hostile table nests them; the other items are read."""
    made = PortableConcept(id="c", handle="h", title="Signals", ontology="Roles", search_terms=("sign",))
    concept = PortableItem(learned_id="x", type="", ends=BRIDGE.ends, concept=made, evidence="Both.", creator="aaron")
    rows = list(csv.reader(io.StringIO(as_csv.render([BRIDGE, concept]), newline="")))
    column = rows[0].index("search_terms")
    for row in rows[1:]:
        row[column] = terms if row[column] else ""
    text = io.StringIO(newline="")
    csv.writer(text).writerows(rows)
    parsed = as_csv.parse(text.getvalue())
    assert parsed.items == (BRIDGE,)
    assert [said for _, said in parsed.faults] == ["search_terms must be a JSON list of texts"]


def test_an_apostrophe_that_keeps_no_formula_from_being_one_is_a_part_of_the_cell() -> None:
    """A table that somebody wrote by hand may say «'tis»; only what was put in front of a formula is taken off."""
    table = "from_label,to_label,relationship_type,evidence\r\n'tis,'=1+1,bridges,Because.\r\n"
    (item,) = as_csv.parse(table).items
    assert [end.title for end in item.ends] == ["'tis", "=1+1"]
