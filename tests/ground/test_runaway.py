"""Texts on which a pattern could run away: one mark, one letter or white space without end, and no end to find."""

from __future__ import annotations

import time
import tracemalloc
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from starlette.requests import Request

from weft.errors import InvalidArgument
from weft.faces import bodies
from weft.formats import (
    aci,
    autology,
    cognitive_memory,
    foreign,
    located_json,
    markdown,
    mem0,
    memory_server,
    okf,
    tables,
    vault_note,
    wiki,
)
from weft.reason import apart, clause, heading, lacking, sentences, told, wording
from weft.services.passages import title_of
from weft.text import Span
from weft.text.markup import without_marks

if TYPE_CHECKING:
    from collections.abc import Callable

LONG = 100_000
"""What a node may hold; documents may be twenty times as long."""

CONCEPT = (
    "---\ntype: Concept\ntitle: A\nweft_id: a\nsources:\n  - id: s\n    resource: b.md\n---\n\nA.\n\n# Evidence\n\n"
)

COLUMNS = ",".join(("title", *(f"c{number}" for number in range(LONG // 2))))


def asked(query: str) -> object:
    """Return the arguments of a request with this behind its question mark."""
    return bodies.query(Request({"type": "http", "headers": [], "query_string": query.encode()}))


READ: dict[str, tuple[Callable[[str], Any], str]] = {
    "stops that end no sentence": (lambda text: sentences.sentences(text, 0, end=len(text)), "." * LONG),
    "white space within a line that gives a title": (title_of, f"A{' ' * LONG}title"),
    "marks within a line that gives a title": (title_of, f"A{'*' * LONG}title"),
    "a letter that is no name with a number": (lambda text: apart.numbered_apart("ISO 9001", text), "a" * LONG),
    "a number that is no figure": (lacking.states_a_figure, "1" * LONG),
    "a number in groups that ends amiss": (lacking.states_a_figure, f"1{',000' * (LONG // 4)}00"),
    "a link that ends nowhere, in a line of its own": (heading.stated, f"Requires: {'[[' * 1_990}"),
    "marks before a sentence without end": (without_marks, f"{'- ' * LONG}{'# ' * LONG}x"),
    "signs of a ruled line that is none": (without_marks, f"A{chr(10)}{'-' * LONG} x{chr(10)}{'=' * LONG}x"),
    "brackets before a sentence's end": (without_marks, "[" * LONG),
    "white space within a term": (partial(wording.read_definition, glossary=False), f"**a{' ' * 20_000}b is a c d."),
    "a number in groups that measures nothing": (wording.read_statement, f"The cache holds {'1,' * 20_000} of it all."),
    "denials of nothing": (clause.read, "no, or " * 3_000),
    "what is preferred over nothing": (clause.read, "over " * 20_000),
    "an answer whose fence is not closed": (lambda text: told.told(text, "A.", Span(0, 2)), f"```{chr(10) * LONG}x"),
    "white space within a heading": (lambda text: markdown.parse(text, name="a.md"), f"# A{' ' * LONG}b\n"),
    "white space before a line that goes on": (lambda text: markdown.parse(text, name="a.md"), f"A\n{' ' * LONG}b\n"),
    "white space within a ruler": (lambda text: markdown.parse(text, name="a.md"), f"A\n-|-{' ' * LONG}b\n"),
    "quotes whose source is not closed": (lambda text: okf.parse(text, name="a.md"), f"{CONCEPT}* “{'”[^' * LONG}\n"),
    "sides of merges without end": (vault_note.parse, "<<<<<<< a\n" * (LONG // 20) + "=======\n" * (LONG // 20)),
    "references within a line": (lambda text: [*wiki.references(text)], f" {'[[a]]' * 20_000}{'x' * 15 * LONG}"),
    "columns without end": (tables.parse, f"{COLUMNS}\na\n"),
    "rows under many columns": (tables.parse, COLUMNS[:LONG] + "\na" * (LONG // 10)),
    "categories of a backup without end": (
        mem0.parse,
        f'{{"memories":[{"{}," * 2_000}{{}}],"categories":[{"{}," * 2_000}{{}}]}}',
    ),
    "relations above a long text": (
        lambda text: cognitive_memory.parse(text, name="a.md"),
        "---\nid: a\nrelations:\n" + "- {target: b, type: c}\n" * 390 + "---\n" + "A line.\n" * 2 * LONG,
    ),
    "arguments without end": (asked, "&".join(f"a{number}=1" for number in range(LONG // 5))),
}


@pytest.mark.parametrize("text", READ)
def test_a_text_on_which_a_pattern_could_run_away_is_read_at_once(text: str) -> None:
    """Each took from seven seconds to hours, and held everybody else up meanwhile; measured are hundredths."""
    read, said = READ[text]
    began = time.thread_time()
    read(said)
    assert time.thread_time() - began < 2


MANY = 400_000
"""Entries that take a megabyte or two, of which a file may hold 64."""

HEAPS: dict[str, tuple[Callable[[str], foreign.Parsed], str]] = {
    "lines that are no objects": (memory_server.parse, "1\n" * MANY),
    "lines of objects that say nothing": (memory_server.parse, "{}\n" * MANY),
    "memories that say nothing, a line each": (mem0.parse, "{}\n" * MANY),
    "memories that say nothing in one list": (mem0.parse, f"[{'{},' * MANY}{{}}]"),
    "numbers for memories": (mem0.parse, f"[{'1,' * MANY}1]"),
    "relations of an index that say nothing": (autology.parse_index, f"[{'[],' * MANY}[]]"),
    "relations beside units that say nothing": (aci.parse_relations, f"[{'1,' * MANY}1]"),
    "rows without a title": (tables.parse, "title,x\n" + ",a\n" * MANY),
    "rows": (tables.parse, "title\n" + "a\n" * MANY),
}


@pytest.mark.parametrize("file", HEAPS)
def test_a_heap_of_entries_is_refused_before_it_is_held(file: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The bounds are a hundredth of what they are, and so is what may be held: measured are 1.3 megabytes at most.

    Without them each took 30 to 300 megabytes here, and of a file of the size that is read sixty times as much. That
    the file was not read to its end is told, and first, since no more than a thousand problems are listed.
    """
    for bound in ("RECORDS_MAX", "RELATIONS_MAX", "BROKEN_MAX"):
        monkeypatch.setattr(foreign, bound, getattr(foreign, bound) // 100)
    monkeypatch.setattr(located_json, "VALUES_MAX", located_json.VALUES_MAX // 100)
    read, said = HEAPS[file]
    tracemalloc.start()
    found = read(said)
    held = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert held < 3_000_000
    assert len(found.records) <= foreign.RECORDS_MAX + 1
    assert len(found.problems) <= foreign.BROKEN_MAX + 1
    assert "not read from here on" in found.problems[0].message or "is read of one file" in found.problems[0].message


def test_a_file_is_read_to_its_end_where_most_of_it_says_something() -> None:
    """Behind ten thousand broken lines the good ones still come in."""
    said = "1\n" * 10_000 + '{"type":"entity","name":"Ada"}\n'
    found = memory_server.parse(said)
    assert [each.title for each in found.records] == ["Ada"]
    assert len(found.problems) == 10_000


def test_an_argument_that_is_given_twice_is_named() -> None:
    """The first of them."""
    with pytest.raises(InvalidArgument, match=r"^b: is given more than once"):
        asked("a=1&b=1&c=1&c=2&b=")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("<<<<<<< ours\nA\n=======\nB\n>>>>>>> theirs\n", 1),
        ("A\n<<<<<<< ours\n=======\n=======\nB\n>>>>>>> theirs\n", 2),
        ("=======\n>>>>>>> theirs\n<<<<<<< ours\n", 0),
        ("<<<<<<< ours\n>>>>>>> theirs\n=======\n", 0),
        ("<<<<<<< ours\n======= \n>>>>>>> theirs\n", 0),
    ],
)
def test_a_merge_that_was_not_settled_is_told_by_its_marks_in_their_order(text: str, line: int) -> None:
    """With the line on which it begins; line 0 stands for none here."""
    found = [each.line for each in vault_note.parse(text).problems if "merge" in each.message]
    assert found == ([line] if line else [])
