"""Markdown: structure with offsets that hold, and front matter that is read safely or refused aloud."""

from __future__ import annotations

import time
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from weft.errors import InvalidArgument
from weft.formats.markdown import Document, parse
from weft.text import plain

NOTE = """---
title: Keys --- and how they turn
tags: [auth, security]
status: no
since: 2024-01-02
at: 12:30:00
---
# Key rotation

Keys turn every hour. 🎉 So
tokens do not live long.

- first *item*
  - [x] nested item

> A quote
> of two lines.

## Details

| a | b |
|---|---|
| 1 | 2 |

```py
# no heading
```

Setext heading
--------------

<div>raw</div>

1. last"""


def shown(document: Document) -> list[tuple[str, str]]:
    """Return kind and text of each block."""
    return [(block.kind, document.text[block.start : block.end]) for block in document.blocks]


def test_a_note_is_read_whole() -> None:
    """Title, front matter, sections and blocks of a note with everything in it."""
    document = parse(NOTE, name="notes/keys.md")
    assert document.title == "Keys --- and how they turn"
    assert document.front["tags"] == ["auth", "security"]
    assert document.problems == ()
    headings = [(section.level, section.heading) for section in document.sections]
    assert headings == [(1, "Key rotation"), (2, "Details"), (2, "Setext heading")]
    assert shown(document) == [
        ("paragraph", "Keys turn every hour. 🎉 So\ntokens do not live long."),
        ("item", "first *item*"),
        ("item", "nested item"),
        ("quote", "A quote\n> of two lines."),
        ("table", "| a | b |\n|---|---|\n| 1 | 2 |"),
        ("code", "```py\n# no heading\n```"),
        ("html", "<div>raw</div>"),
        ("item", "last"),
    ]


CALLOUTS = """> [!note] A title
> Keys turn every hour. So
> tokens do not live long.
>
> - first
> > deeper

> [!WARNING]- Only a title

> [!tip|wide]
> Without a title.
> > [!info] Nested
> > Within.
> >
> > > somebody else

> [!quote] Who said it
> Theirs.
>
> - theirs too

> [!faq]+ Does it?
> It may.

> [!no](a.md) is a link.

> plain
> - listed
"""


def test_a_callout_is_text_with_a_title_and_no_quotation() -> None:
    """But for one that says it is a quotation; examples and questions are set apart, lists in quotations are quoted."""
    assert shown(parse(CALLOUTS, name="x")) == [
        ("title", "A title"),
        ("paragraph", "Keys turn every hour. So\n> tokens do not live long."),
        ("item", "first"),
        ("quote", "deeper"),
        ("title", "Only a title"),
        ("paragraph", "Without a title."),
        ("title", "Nested"),
        ("paragraph", "Within."),
        ("quote", "somebody else"),
        ("quote", "Who said it"),
        ("quote", "Theirs."),
        ("quote", "theirs too"),
        ("aside", "Does it?"),
        ("aside", "It may."),
        ("quote", "[!no](a.md) is a link."),
        ("quote", "plain"),
        ("quote", "listed"),
    ]


def test_blocks_of_a_callout_know_their_lines() -> None:
    """The title stands on the first, the text begins on the next."""
    assert [block.line for block in parse("a\n\n> [!note] T\n> b\n> c\n", name="x").blocks] == [1, 3, 4]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("> [!note] T\n> one\n> two ^id", "one\n  two    "),
        ("> [!a]\n> > [!b]\n> > one\r\n> > two", "one\r\n    two"),
        ("- one\n  two ^a-1 \n", "one\n  two     "),
        ("one ^two three x^2", "one ^two three x^2"),
        ("one ^first\ntwo", "one       \ntwo"),
    ],
)
def test_the_words_of_a_block_stand_where_they_stood(text: str, words: str) -> None:
    """Marks of a callout, and those that links lead to, are spaces."""
    document = parse(text, name="x")
    block = document.blocks[-1]
    assert document.prose(block) == words
    assert len(words) == block.end - block.start


def test_a_heading_is_called_without_the_mark_of_its_block() -> None:
    """A link leads to it by the one or the other."""
    assert parse("# Keys ^k1\n\ntext", name="x").title == "Keys"


def test_front_matter_is_strings_as_written() -> None:
    """No dates, no truth values, no base-60 numbers."""
    assert parse(NOTE, name="x").front == {
        "title": "Keys --- and how they turn",
        "tags": ["auth", "security"],
        "status": "no",
        "since": "2024-01-02",
        "at": "12:30:00",
    }


def test_a_section_holds_its_subsections() -> None:
    """It ends where the next heading of its rank begins."""
    text = "# A\na\n## B\nb\n# C\nc\n"
    sections = parse(text, name="x").sections
    assert [text[section.start : section.end] for section in sections] == ["# A\na\n## B\nb\n", "## B\nb\n", "# C\nc\n"]
    assert [text[section.body_start : section.end] for section in sections] == ["a\n## B\nb\n", "b\n", "c\n"]


def test_blocks_know_their_section_and_line() -> None:
    """−1 before the first heading; lines count from 1, front matter included."""
    document = parse("---\nid: x\n---\nintro\n\n# A\n\nbody\n", name="x")
    assert [(block.section, block.line) for block in document.blocks] == [(-1, 4), (0, 8)]


@pytest.mark.parametrize("ends", ["\r\n", "\r"])
def test_any_line_ends_and_a_byte_order_mark_read_the_same(ends: str) -> None:
    """Offsets are into the text as given."""
    given_text = "\ufeff" + NOTE.replace("\n", ends)
    document, usual = parse(given_text, name="x"), parse(NOTE, name="x")
    assert document.text == given_text
    assert document.front == usual.front
    assert [section.heading for section in document.sections] == [section.heading for section in usual.sections]
    assert [text.replace(ends, "\n") for _, text in shown(document)] == [text for _, text in shown(usual)]
    assert [block.line for block in document.blocks] == [block.line for block in usual.blocks]


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("## Second\n\n# First *one*", "First one"),
        ("## `code` [link](u.md)\n\ntext", "code link"),
        ("text\n\n## References", "0007-use-queues"),
        ("text\n\n### Settings\n\n#### Size", "0007-use-queues"),
        ("![badge](b.svg)\n\n# First\n\n## Second", "First"),
        ("## Only\n\n### One\n\n### Two", "Only"),
        ("# First\n\ntext\n\n# Second", "First"),
        ("<!-- a remark -->\n# First\n\ntext", "First"),
        ("text\n\n# First\n\n# Second", "0007-use-queues"),
        ("text\n\n## Limits\n\n## Questions", "0007-use-queues"),
        ("## Limits\n\n### How many\n\n## Questions", "0007-use-queues"),
        ("text only", "0007-use-queues"),
        ("---\ntitle: [a]\n---\ntext", "0007-use-queues"),
    ],
)
def test_titles(text: str, title: str) -> None:
    """Front matter, a heading for the whole, name: headings that part a note of Obsidian's are none of its titles."""
    assert parse(text, name="docs/0007-use-queues.md").title == title


@pytest.mark.parametrize(
    "head",
    [
        "BIP: 3\nTitle: The process\nRequires: 12,\n  124\n\n",
        "<pre>\n  BIP: 3\n  Title: The process\n  Requires: 12,\n    124\n</pre>\n\n",
        "```\r\n  BIP: 3\r\n  Title: The process\r\n  Requires: 12, 124\r\n```\r\n",
        "\ufeffTitle: The process\nBIP: 3\nRequires: 12, 124\nTitle: Another\n\n",
    ],
)
def test_fields_that_a_text_begins_with_are_its_front_matter_and_stay_text(head: str) -> None:
    """As proposals have them: for numbers, titles and relations they count, and search finds what stands in them."""
    document = parse(head + "# Abstract\n\nText.\n", name="bip-0003.md")
    assert document.front == {"bip": "3", "title": "The process", "requires": "12, 124"}
    assert document.title == "The process"
    assert document.text[document.front_end :].strip() == "# Abstract\n\nText."
    assert document.body_start == head.startswith("\ufeff")


@pytest.mark.parametrize(
    "head",
    [
        "Title: alone\n\n",
        "Note: this\nTitle: that\n\n",
        "Title: this\nBIP: 3\nand a sentence that goes on\n\n",
        "<pre>\nBIP: 3\nTitle: never closed\n\n",
        "Title: long\nBIP: 3\nAbstract: " + "x" * 2_001 + "\n\n",
        "Title: many\n" + "".join(f"a{number}: b\n" for number in range(100)) + "\n",
    ],
)
def test_what_only_looks_like_fields_is_text(head: str) -> None:
    """The twin: one field, prose between them, no end, more than anybody writes."""
    document = parse(head + "# Abstract\n\nText.\n", name="note.md")
    assert (document.front, document.front_end) == ({}, 0)


@pytest.mark.parametrize(
    ("body", "line", "said"),
    [
        ("a: 1\nb: [1\n", 4, ""),
        ("a: &x 1\n", 2, "anchors"),
        ("a: 1\nb: *x\n", 3, "anchors"),
        ("a: !!python/object/apply:os.system [ls]\n", 2, "tags"),
        ("a: 1\nb: 2\na: 3\n", 4, "'a' stands there twice"),
        ("? [a]\n: 1\n", 2, "plain name"),
        ("a: " + "[" * 21 + "]" * 21 + "\n", 2, "20 levels"),
        ("".join(f"k{number}: v\n" for number in range(1001)), 1001, "2,000 values"),
        ("a: " + "x" * 70_000 + "\n", 2, "65,536"),
        ("a: \x07\n", 2, "character"),
        ("a: \ud800\n", 2, "character"),
        ("%YAML 1.1\n", 3, ""),
    ],
)
def test_refused_front_matter_names_its_line_and_leaves_nothing(body: str, line: int, said: str) -> None:
    """Never silent, never half read; the body is read all the same."""
    document = parse(f"---\n{body}---\n# Title\n", name="x")
    assert document.front == {}
    (problem,) = document.problems
    assert problem.line == line
    assert said in problem.message
    assert document.title == "Title"


def test_lines_between_rules_that_are_no_mapping_are_text() -> None:
    """A text that begins with a thematic break keeps its words, and the reading is reported."""
    document = parse("---\nJust words.\n\n---\nMore.", name="x")
    assert document.front == {}
    assert [text for _, text in shown(document)] == ["Just words.", "More."]
    assert len(document.problems) == 1


def test_front_matter_without_an_end_is_text() -> None:
    """And so is a mark that is not exactly three dashes."""
    for text in ["---\na: 1\n", "---\na: 1\n----\n", " ---\na: 1\n---\n"]:
        document = parse(text, name="x")
        assert document.front == {}
        assert "a: 1" in " ".join(words for _, words in shown(document)) or document.sections


def test_empty_front_matter_is_no_problem() -> None:
    """Nothing said, nothing refused."""
    document = parse("---\n---\ntext", name="x")
    assert (document.front, document.problems) == ({}, ())


def test_a_text_beyond_the_bound_is_refused() -> None:
    """The one error, with the limit in it."""
    with pytest.raises(InvalidArgument, match="2,000,000"):
        parse("x" * 2_000_001, name="x")


@pytest.mark.parametrize(
    ("markup", "words"),
    [
        ("**bold** and *it* and `code`", "bold and it and code"),
        ("a [link](x.md) ![image](y.png)", "a link image"),
        ("[[target|shown]] and [[note]]", "shown and note"),
        ("snake_case_name and 2 * 3 * 4", "snake_case_name and 2 * 3 * 4"),
        ("<https://x.org> \\* star", "https://x.org * star"),
        ("[one](a(b).md) [two](<c d.md> 'e') [three](f g.md)", "one two [three](f g.md)"),
    ],
)
def test_plain_words(markup: str, words: str) -> None:
    """What a reader sees."""
    assert plain(markup) == words


pieces = st.sampled_from(
    [
        "# ",
        "---\n",
        "a: b\n",
        "\n",
        "\n\n",
        "- ",
        "1. ",
        "> ",
        "[!note] ",
        " ^a",
        "```\n",
        "|-|-|\n",
        "text ",
        "[a](b)",
        "\r\n",
        "\ufeff",
        "\t",
    ]
)
markdowns = st.text(max_size=200) | st.lists(pieces | st.text(max_size=5), max_size=40).map("".join)


@settings(max_examples=2000, deadline=None)
@given(markdowns)
def test_no_text_breaks_the_reader_and_all_offsets_hold(text: str) -> None:
    """Blocks lie in order, apart and within the text, begin and end with something visible; sections nest."""
    document = parse(text, name="x")
    assert document.text == text
    for block in document.blocks:
        part = text[block.start : block.end]
        assert part
        assert part.strip() == part or block.kind == "code"
        assert block.line >= 1
        assert len(document.prose(block)) == len(part)
    assert all(one.end <= other.start for one, other in pairwise(document.blocks))
    assert document.body_start <= document.front_end <= len(text)
    for section in document.sections:
        assert document.body_start <= section.start < section.body_start <= section.end <= len(text)
    for one, other in pairwise(document.sections):
        assert one.start < other.start
        assert other.end <= one.end or one.end <= other.start


def test_hostile_texts_take_linear_time() -> None:
    """Hundreds of thousands of characters of one pattern."""
    hostile = ["> " * 100_000, "- " * 100_000, "[" * 200_000, "# " + "*a_b`[x](y)" * 5000, "a|b\n-|-\n" * 10_000]
    hostile += [
        "- a\n" * 20_000,
        "# a\n" * 20_000,
        "[a]: b\n" * 20_000,
        "`" * 200_000,
        "> [!note] a\n\n" * 20_000,
        "> [!" + "note " * 40_000,
        "---\n" + "[" * 60_000 + "\n---\n",
        "title: a\n" * 50_000,
        "title: a\n" + " b\n" * 100_000,
        "title:" + " \n" * 100_000,
        "\n" * 200_000 + "<pre>",
    ]
    began = time.thread_time()
    for text in hostile:
        parse(text, name="x")
    assert time.thread_time() - began < 30


@pytest.mark.parametrize("before", ["<!-- page 1 -->\n\n", "<!-- a licence,\nof two lines -->\n<!-- lint: off -->\n"])
def test_a_heading_that_only_comments_precede_is_the_title(before: str) -> None:
    """Also where others share its level: in a PDF's text each page begins with a comment."""
    assert parse(f"{before}# Pump\n\nText.\n\n# Parts\n\nA valve.", name="p.pdf").title == "Pump"


def test_a_comment_without_an_end_is_text() -> None:
    """So it precedes the heading."""
    assert parse("<!-- begun\n\n# Pump\n\n# Parts\n", name="p.md").title == "p"
