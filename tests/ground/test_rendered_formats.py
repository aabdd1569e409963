"""HTML, PDF and DOCX as Markdown: what is kept, what is left out, and that hostile files end soon and harm nobody."""

from __future__ import annotations

import sys
import time
import zipfile
from io import BytesIO
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import papers
from weft.errors import InvalidArgument, Unavailable
from weft.formats import docx, html, pdf
from weft.formats.markdown import parse
from weft.formats.rendered import RENDERED_MAX, code, heading, item, linked, paragraph, table
from weft.services.rendering.apart import Limits, rendered

if TYPE_CHECKING:
    from collections.abc import Callable

HOSTILE_LINES = [
    "# x",
    "- x",
    "1. x",
    "> x",
    "| a |",
    "```",
    "~~~",
    "---",
    "===",
    "<b>",
    "[a]: b",
    "* * *",
    "+ x",
    "12) y",
]


@pytest.mark.parametrize("line", HOSTILE_LINES)
def test_words_that_look_like_markup_stay_a_paragraph(line: str) -> None:
    """Whatever a paragraph begins with, Markdown reads it as one, and its words come back."""
    text = f"{paragraph(f'{line} and more')}\n"
    (block,) = parse(text, name="x").blocks
    assert (block.kind, parse(text, name="x").sections) == ("paragraph", ())


@settings(max_examples=300, deadline=None)
@given(st.lists(st.text(max_size=40), max_size=6))
def test_any_words_make_blocks_of_their_own_kind(words: list[str]) -> None:
    """A paragraph never becomes a heading, a list or code, and never swallows the next one."""
    said = [line for line in (" ".join(each.split()) for each in words) if any(map(str.isalnum, line))]
    blocks = parse("\n\n".join(paragraph(each) for each in said), name="x")
    assert {block.kind for block in blocks.blocks} <= {"paragraph"}
    assert not blocks.sections


def test_html_keeps_what_is_read_and_drops_what_is_not() -> None:
    """Headings, lists, definitions, tables, quotes and code; no script, style, navigation or hidden part."""
    page = html.render(
        papers.html(
            "<script>var a = '<p>evil</p>'</script><style>p { color: red }</style><nav><a href=x>menu</a></nav>"
            "<h2>Terms &amp; parts</h2><p>A <b>saga</b> is a sequence of local\ntransactions, "
            "<a href='../o.html#p'>see</a> <a href='https://x.org'>web</a>.<p hidden>secret<p>After it."
            "<div style='display:none'>no<div>no</div></div><span aria-hidden=true>icon</span>"
            "<ul><li>one<ul><li>deep</ul><li>two</ul><dl><dt>Leap<dd>How far it jumps.</dl>"
            "<table><tr><th>a<th>b<tr><td>1|2<td><p>x<p>y</table><pre>\n one\n  two</pre>"
            "<blockquote><p>said</blockquote>",
            title="My page",
        )
    )
    assert page.text.split("\n\n") == [
        "# My page",
        "## Terms & parts",
        "A **saga** is a sequence of local transactions, [see](../o.html) web.",
        "After it.",
        "- one",
        "  - deep",
        "- two",
        "**Leap**: How far it jumps.",
        "| a | b |\n| --- | --- |\n| 1\\|2 | x y |",
        "```\n one\n  two\n```",
        "> said\n",
    ]


def test_html_drops_what_a_page_only_steers_by() -> None:
    """Navigation that is marked by its role, and the «[edit]» in each heading of Wikipedia."""
    page = html.render(
        b"<div role='navigation'><ul><li>Home</ul></div><h1>Pump</h1><h2>History"
        b"<span class='mw-editsection'>[<a href='/w'>edit</a>]</span></h2><p>It is old."
    )
    assert page.text.split("\n\n") == ["# Pump", "## History", "It is old.\n"]


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("caf\u00e9".encode(), "café"),
        (b'<meta charset="iso-8859-1"><p>caf\xe9', "café"),
        (b"<p>caf\xe9", "café"),
        (b"\xef\xbb\xbf<p>caf\xc3\xa9", "café"),
        ("<p>café".encode("utf-16"), "café"),
        (b'<meta charset="no-such-thing"><p>caf\xc3\xa9', "café"),
    ],
)
def test_pages_are_read_in_the_encoding_they_are_written_in(body: bytes, words: str) -> None:
    """As they say, else UTF-8, else as browsers guess."""
    assert html.render(body).text.strip() == words


def test_pdf_pages_headings_and_paragraphs() -> None:
    """Lines are joined to paragraphs, broken words too; larger letters are headings; what repeats is left out."""
    body = papers.pdf(
        [
            ["Weft Weekly", (20, "Message queues"), "", "A saga is a sequence of local trans-", "actions.", "", "1"],
            ["Weft Weekly", (14, "Costs"), "Delivery through the queue is slower than a", "direct call.", "", "2"],
            ["Weft Weekly", "• first thing", "• second thing", "", "3"],
        ]
    )
    text = pdf.render(body).text
    assert text.split("\n\n") == [
        "<!-- page 1 -->",
        "# Message queues",
        "A saga is a sequence of local transactions.",
        "<!-- page 2 -->",
        "## Costs",
        "Delivery through the queue is slower than a direct call.",
        "<!-- page 3 -->",
        "- first thing",
        "- second thing\n",
    ]
    starts = pdf.page_starts(text)
    assert [pdf.page_at(starts, text.index(words)) for words in ("saga", "Costs", "second")] == [1, 2, 3]
    assert "page" not in pdf.without_pages(text)
    assert pdf.page_starts("# A text of its own\n\n<!-- page 1 -->\n") == []


def test_the_top_and_foot_of_a_page_are_looked_for_a_few_times(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many of its lines stand at the top of others: looking goes through the whole page."""
    looked, edges = [], vars(pdf)["_edges"]
    monkeypatch.setattr(pdf, "_edges", lambda page: looked.append(len(page)) or edges(page))
    text = pdf.render(papers.pdf([[*["Same words."] * 200, f"Page {number} ends."] for number in range(3)])).text
    assert len(looked) <= 3 * 4
    assert text.count("Same words.") == 3 * (200 - 3)
    assert "ends" not in text


def test_docx_headings_lists_tables_and_tracked_changes() -> None:
    """Styles are headings, numbering is a list; insertions are read, deletions and hidden runs are not."""
    inserted = (
        "<w:p><w:ins><w:r><w:t>Put in.</w:t></w:r></w:ins><w:del><w:r><w:delText>Out.</w:delText></w:r></w:del></w:p>"
    )
    hidden = "<w:p><w:r><w:rPr><w:vanish/></w:rPr><w:t>secret</w:t></w:r><w:r><w:t>Shown.</w:t></w:r></w:p>"
    controlled = f"<w:sdt><w:sdtContent>{papers.paragraph('In a control.')}</w:sdtContent></w:sdt>"
    body = papers.docx(
        papers.heading("Queues"),
        papers.paragraph("**Backpressure**: a signal."),
        papers.listed("one"),
        papers.listed("deep", 1),
        papers.table([["a", "b"], ["1", "2"]]),
        papers.heading("Part", 2),
        inserted,
        hidden,
        controlled,
        title="Not used",
    )
    assert docx.render(body).text.split("\n\n") == [
        "# Queues",
        "**Backpressure**: a signal.",
        "- one",
        "  - deep",
        "| a | b |\n| --- | --- |\n| 1 | 2 |",
        "## Part",
        "Put in.",
        "Shown.",
        "In a control.\n",
    ]


def test_a_title_heads_what_has_no_heading() -> None:
    """From the properties of the file."""
    assert docx.render(papers.docx(papers.paragraph("Text."), title="A report")).text == "# A report\n\nText.\n"
    text = pdf.render(papers.pdf([["Some text on a page."]], title="A whole report")).text
    assert parse(text, name="x.pdf").title == "A whole report"


def test_docx_takes_a_level_without_a_list_and_the_list_0_for_no_list() -> None:
    """Word's own subtitle has the former; the latter takes a paragraph out of the list of its style."""
    styles = (
        f'<w:styles xmlns:w="{papers.W}"><w:style w:type="paragraph" w:styleId="Subtitle"><w:name w:val="Subtitle"/>'
        '<w:pPr><w:numPr><w:ilvl w:val="1"/></w:numPr></w:pPr></w:style><w:style w:type="paragraph" w:styleId="Points">'
        '<w:name w:val="Points"/><w:pPr><w:numPr><w:numId w:val="3"/></w:numPr></w:pPr></w:style></w:styles>'
    )
    body = papers.docx(
        papers.paragraph("For the year", properties='<w:pStyle w:val="Subtitle"/>'),
        papers.paragraph("One", properties='<w:pStyle w:val="Points"/>'),
        papers.paragraph("Two", properties='<w:pStyle w:val="Points"/><w:numPr><w:numId w:val="0"/></w:numPr>'),
        more={"word/styles.xml": styles.encode()},
    )
    assert docx.render(body).text == "For the year\n\n- One\n\nTwo\n"


def _zipped(**parts: bytes) -> bytes:
    out = BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name.replace("__", "/"), content)
    return out.getvalue()


BROKEN: list[tuple[str, Callable[[], bytes], str]] = [
    ("pdf", lambda: b"", "broken"),
    ("pdf", lambda: b"%PDF-1.7\nnothing", "broken"),
    ("pdf", lambda: papers.pdf([["Words."]])[:200], "broken"),
    ("pdf", lambda: papers.pdf([[""]]), "without text"),
    ("pdf", lambda: papers.pdf_of([papers.inflating(200 * papers.MIB)]), "without text"),
    ("pdf", lambda: papers.pdf_of([papers.inflating(200 * papers.MIB, filters=2)]), "without text"),
    ("docx", lambda: b"PK\x03\x04", "broken"),
    ("docx", lambda: _zipped(other=b"x"), "no word/document.xml"),
    ("docx", lambda: papers.docx(document=b"<w:document"), "broken"),
    ("docx", lambda: papers.docx(document=b"<w:document>" + b" " * 60_000_000 + b"</w:document>"), "unpacks to"),
    (
        "docx",
        lambda: papers.docx(document=b'<!DOCTYPE x [<!ENTITY a "aa">]><w:document>&a;</w:document>'),
        "document type",
    ),
    (
        "docx",
        lambda: papers.docx(
            document='<?xml version="1.0" encoding="utf-16"?><!DOCTYPE x [<!ENTITY a "a">]><x/>'.encode("utf-16")
        ),
        "document type",
    ),
    ("docx", lambda: _zipped(**{f"p{number}": b"" for number in range(docx.ENTRIES_MAX + 1)}), "more than"),
]
"""The kind of a file, what makes it, and why it is refused."""


@pytest.mark.parametrize(
    ("kind", "make", "why"), BROKEN, ids=[f"{kind}-{at}" for at, (kind, _, _) in enumerate(BROKEN)]
)
def test_broken_files_and_bombs_are_refused_with_their_reason(kind: str, make: Callable[[], bytes], why: str) -> None:
    """Within seconds, in a process of its own, and this one is none the worse."""
    body, began = make(), time.perf_counter()
    with pytest.raises(InvalidArgument, match=why):
        rendered(kind, body)
    assert time.perf_counter() - began < 30


def test_an_encrypted_pdf_says_so() -> None:
    """One that opens without a password is read; one that asks for it is not."""
    import pypdf

    for password, opens in (("", True), ("secret", False)):
        writer = pypdf.PdfWriter(clone_from=BytesIO(papers.pdf([["Words on a page."]])))
        writer.encrypt(user_password=password, owner_password="owner", algorithm="RC4-128")  # noqa: S106 - a test's
        out = BytesIO()
        writer.write(out)
        if opens:
            assert "Words on a page." in rendered("pdf", out.getvalue()).text
        else:
            with pytest.raises(InvalidArgument, match="encrypted"):
                rendered("pdf", out.getvalue())


def test_a_page_that_stops_the_parser_is_given_up() -> None:
    """The standard library takes minutes for this page; the process is ended when its seconds are spent."""
    began = time.perf_counter()
    with pytest.raises(InvalidArgument, match="more than 1 s"):
        rendered("html", b"<a " * 100_000, limits=Limits(cpu_s=1, wall_s=30))
    assert time.perf_counter() - began < 25


def test_a_file_that_eats_memory_is_given_up() -> None:
    """A page of nine megabytes, in less memory than its copies take; with more it is read."""
    page = b"<p>" + b"word " * 1_800_000
    with pytest.raises(InvalidArgument, match="MB to read"):
        rendered("html", page, limits=Limits(memory_bytes=60_000_000))
    assert rendered("html", page).problems


def test_what_is_longer_than_is_kept_is_cut_and_said() -> None:
    """The first two million characters stay."""
    page = rendered("html", b"<p>" + b"word " * 100 + b"<p>".join([b"word " * 2_000] * 300))
    assert 1_900_000 < len(page.text) <= RENDERED_MAX + 1
    assert page.problems == (f"only the first {RENDERED_MAX:,} characters were read",)


def test_pages_beyond_the_bound_are_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """So many pages are read, and the rest is told."""
    monkeypatch.setattr(pdf, "PAGES_MAX", 2)
    found = pdf.render(papers.pdf([["One."], ["Two."], ["Three."]]))
    assert "Three" not in found.text
    assert found.problems == ("only the first 2 of 3 pages were read",)


def test_a_missing_library_is_named_with_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    """The error says what to install."""
    monkeypatch.setitem(sys.modules, "pypdf", None)
    with pytest.raises(Unavailable, match="pypdf") as caught:
        pdf.render(papers.pdf([["One."]]))
    assert "weft-graph[ingest]" in caught.value.hint


def test_the_reading_process_writes_nothing_and_asks_nobody() -> None:
    """The fence in it refuses files, programs and connections; the twin without it would not."""
    from weft.services.rendering.child import _fence

    for event, arguments in (
        ("open", ("x", "w", 0)),
        ("socket.connect", ()),
        ("subprocess.Popen", ()),
        ("os.system", ()),
    ):
        with pytest.raises(PermissionError):
            _fence(event, arguments)
    _fence("open", ("x", "rb", 0))
    _fence("import", ("x",))


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=300))
def test_any_bytes_at_all_are_read_or_refused(body: bytes) -> None:
    """No renderer meets bytes that it does not answer."""
    html.render(body)
    for renderer in (docx.render, pdf.render):
        with pytest.raises(InvalidArgument):
            renderer(body)


def test_small_blocks() -> None:
    """What each kind of block comes to, and empty ones come to nothing."""
    assert (heading("  A  b ", level=9), heading("", level=1)) == ("###### A b", "")
    assert (item("x", depth=9), item(" ", depth=0), code(" \n"), table([["", " "]])) == ("          - x", "", "", "")
    assert code("a ``` b") == "````\na ``` b\n````"
    assert [linked("x", target) for target in ("a.md#b", "https://x", "a b", "")] == ["[x](a.md)", "x", "x", "x"]
