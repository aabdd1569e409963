"""Codecs of other systems' files: any text at all is read or told about, quickly, and never raises."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from weft.formats import aci, autology, basic_memory, cognitive_memory, mem0, memory_server, obsidian, tables
from weft.formats.foreign import Parsed, number, time_of
from weft.formats.tags import inline_tags
from weft.formats.wiki import references, without_code

if TYPE_CHECKING:
    from collections.abc import Callable

CODECS: dict[str, Callable[[str], Parsed]] = {
    "memory-server": memory_server.parse,
    "mem0": mem0.parse,
    "csv": tables.parse,
    "aci": aci.parse_relations,
    "autology index": autology.parse_index,
    "autology": lambda text: autology.parse(text, name="nodes/x.md"),
    "cognitive-memory": lambda text: cognitive_memory.parse(text, name="solutions/x.md"),
    "edges": lambda text: cognitive_memory.parse(text, name="edges/x.md"),
    "basic-memory": lambda text: basic_memory.parse(text, name="a/x.md"),
    "obsidian": lambda text: obsidian.parse(text, name="a/x.md"),
}
PIECES = (
    "---",
    "[[",
    "]]",
    "|",
    "#",
    "`",
    "```",
    "%%",
    "{",
    "}",
    "[",
    "]",
    '"',
    ",",
    ";",
    ":",
    "(",
    ")",
    "=",
    "-",
    "'",
    "&",
    "*",
    "!!",
    "~~~",
    "::",
    "\\u0000",
    "1e999",
    "NaN",
    "null",
    "true",
)
PIECES += (
    "\n",
    "\r\n",
    "\ufeff",
    "\x00",
    "\u2028",
    "\t",
    "🥐",
    "- ",
    "---\n",
    "tags: ",
    "title: ",
    "relations:",
    "&a ",
)
PIECES += ("id", "type", "name", "entity", "results", "source", "target", "a")
HOSTILE = st.lists(st.sampled_from(PIECES) | st.text(max_size=5), max_size=60).map("".join)


@pytest.mark.parametrize("name", CODECS)
@settings(max_examples=60, deadline=None)
@given(text=HOSTILE)
def test_any_text_is_read_or_told_about(name: str, text: str) -> None:
    """Values come out or problems with lines that exist; nothing is raised."""
    found = CODECS[name](text)
    last = max(text.count("\n"), len(text.splitlines())) + 1
    assert all(0 <= each.line <= last for each in found.problems)
    assert all(each.key and each.content for each in found.records)
    assert all(each.confidence is None or 0 <= each.confidence <= 1 for each in found.records)


@pytest.mark.parametrize("name", CODECS)
@pytest.mark.parametrize(
    "text",
    [
        "[[" * 50_000,
        "[" * 100_000,
        "{" * 100_000,
        "- [a](" * 20_000,
        "#" * 100_000,
        "`" * 100_000,
        "%%" * 50_000,
        '"' * 100_000,
        "---\n" * 25_000,
        "---\na: " + "[" * 50_000 + "\n---\n",
        "a::" * 30_000,
        "- x [[" * 20_000,
        "[x](" + "a" * 100_000 + ".md",
        ("`a" * 999 + "\n") * 50,
        "9" * 100_000,
        '{"name": ' + "9" * 100_000 + "}",
    ],
    ids=range(16),
)
def test_no_text_takes_long(name: str, text: str) -> None:
    """A hundred thousand characters of one sign end within two seconds."""
    began = time.thread_time()
    CODECS[name](text)
    assert time.thread_time() - began < 2


@pytest.mark.parametrize(
    ("value", "share"),
    [
        ("1", 1.0), ("1.0", 1.0), (1, 1.0), (0, 0.0), ("0.25", 0.25), ("2", None), ("-0.1", None), ("", None),
        (True, None), (None, None), ("nan", None), ("inf", None), ([], None), ("high", None), (10**400, None),
    ],
)  # fmt: skip
def test_a_confidence_is_a_number_of_zero_to_one_however_it_is_written(value: object, share: float | None) -> None:
    """``1`` and ``1.0`` are the same; what is none is None."""
    assert number(value) == share


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("2026-02-08T10:00:00Z", "2026-02-08T10:00:00+00:00"),
        ("2026-02-08T10:00:00-07:00", "2026-02-08T17:00:00+00:00"),
        ("2026-02-08T10:00:00.123456", "2026-02-08T10:00:00.123456+00:00"),
        ("2026-02-08", "2026-02-08T00:00:00+00:00"),
        ("Tuesday, May 13th 2025, 5:59:02 pm", "2025-05-13T17:59:02+00:00"),
        ("January 15, 2024 12:04 AM", "2024-01-15T00:04:00+00:00"),
        ("15.01.2024 13:05", "2024-01-15T13:05:00+00:00"),
        ("01/02/2024", None),
        ("31.02.2024", None),
        ("Mayhem 3, 2024", None),
        ("May 3, 2024 25:00", None),
        ("yesterday", None),
        ("0001-01-01T00:00:00+14:00", None),
        ("9999-99-99", None),
        ("", None),
        (5, None),
    ],
)
def test_a_time_comes_out_in_utc_or_not_at_all(value: object, told: str | None) -> None:
    """Without a zone it is taken for UTC."""
    found = time_of(value)
    assert (found.isoformat() if found else None) == told


def test_references_are_found_as_editors_read_them() -> None:
    """Headings, blocks, shown words, embeds, files with spaces; not in code, not across lines, no addresses."""
    text = (
        "[[A]] [[B|shown]] [[C#h]] [[D^b]] ![[E]] [f](sub/F%20x.md) [g](<G.md>) [h](https://h.org/H.md)\n"
        "[i](a(1).md) [j](<b c (2).md#d> 'e') [k](l(m.md) [n](o p.md) [q](<https://h.org/r s.md>)\n"
        "`[[no]]` ``[[no]]`` [[un\nclosed]] [[]] [[ ]] \\[[I]]\n~~~\n[[no]]\n~~~\n    [[J]]\nfield:: [[K]]\n"
    )
    found = [(each.name, each.line, each.field) for each in references(without_code(text), first_line=5)]
    names = ["A", "B", "C", "D", "E", "sub/F x.md", "G.md"]
    more = [("a(1).md", 6, ""), ("b c (2).md", 6, ""), ("I", 8, ""), ("J", 12, ""), ("K", 13, "field")]
    assert found == [*((name, 5, "") for name in names), *more]


def test_attached_files_are_no_notes() -> None:
    """A vault of pictures would report each as a relation to a note that is not there; the twin is an embedded note."""
    text = "![[plan.png]] ![[Talk.MP3|200]] [[paper.pdf#page=3]] [[Board.canvas]] ![[A.B]] [[v1.2]]\n"
    assert [each.name for each in references(text)] == ["A.B", "v1.2"]


def test_tags_are_words_behind_a_hash() -> None:
    """Nested ones and those of other scripts too; no number, no heading, no anchor in an address."""
    text = "#one two#no (#three/deep) #2024 #y2024 # heading\n## also\nx.org/#no #日本 #a-b,#c;"
    assert inline_tags(text) == ("one", "three/deep", "y2024", "日本", "a-b", "c")


def test_a_line_of_a_relation_is_near_its_dash() -> None:
    """So that a report leads to it."""
    text = "---\nid: x\ntags:\n- a\nrelations:\n- target: y\n  type: SOLVES\n- target: z\n---\nText."
    found = cognitive_memory.parse(text, name="fixes/x.md")
    assert [(each.target, each.line) for each in found.ties] == [("y", 6)]
    assert [each.line for each in found.problems] == [8]


def test_a_json_document_tells_the_line_where_it_breaks() -> None:
    """And the line of an object that says too little."""
    text = json.dumps({"results": [{"id": "a", "memory": "x"}, {"id": "b"}]}, indent=1)
    assert [each.line for each in mem0.parse(text).problems] == [7]
    assert mem0.parse(text[:-9]).problems[0].line == 8
