"""PDFs that were made to do harm: whatever is in them, the reading process ends within its time and its memory."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

import papers
from weft.errors import InvalidArgument
from weft.formats.pdf import PAGES_MAX
from weft.services.rendering.apart import Limits, rendered

if TYPE_CHECKING:
    from collections.abc import Callable

TIGHT = Limits(cpu_s=15, memory_bytes=400_000_000, wall_s=60)
"""Less than half of the memory that reading a PDF may take otherwise, and less time."""

WORDS = b"BT /F1 11 Tf 1 0 0 1 60 700 Tm (Water boils at 100 degrees.) Tj ET\n"
TREE = b"<< /Type /Pages /Kids [4 0 R] /Count 1 >>"
FONT = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding "
KNOWN = b"<< /Font << /F1 3 0 R >> "
GIB = 1 << 30


def one_page(
    content: bytes = b"",
    *,
    tree: bytes = TREE,
    resources: bytes = KNOWN + b">>",
    contents: bytes = b"5 0 R",
    font: bytes = FONT + b">>",
    more: dict[int, bytes] | None = None,
) -> bytes:
    """Return a PDF of one page: 2 is the tree, 3 the font, 4 the page and 5 its content."""
    page = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents %b /Resources %b >>" % (contents, resources)
    objects = {1: b"<< /Type /Catalog /Pages 2 0 R >>", 2: tree, 3: font, 4: page}
    return papers.file_of(objects | {5: content or papers.stream(WORDS)} | (more or {}))


def chained(count: int, *, endless: bool) -> bytes:
    """Return a PDF with so many tables of contents, each naming the one before; the first one the last, if endless."""
    out = bytearray(one_page())
    before = first = out.rindex(b"xref\n0")
    for number in range(count):
        place = len(out)
        first = place if not number else first
        out += b"xref\n0 0\ntrailer\n<< /Size 6 /Root 1 0 R /Prev %010d >>\n" % before
        before = place
    out += b"startxref\n%d\n%%%%EOF\n" % before
    if endless:
        place = out.index(b"/Prev ", first) + len(b"/Prev ")
        out[place : place + 10] = b"%010d" % before
    return bytes(out)


def many_in_many(depth: int) -> dict[int, bytes]:
    """Return levels of a page tree, each ten times the next one: 10 to the power of ``depth`` pages in a few bytes."""
    levels = {
        number: b"<< /Type /Pages /Count 1 /Kids [%b] >>" % (b"%d 0 R " % (number + 1) * 10)
        for number in range(6, 6 + depth)
    }
    return levels | {6 + depth: b"<< /Type /Page /Contents 5 0 R /Resources %b>> >>" % KNOWN}


def drawn_in_drawn(depth: int) -> dict[int, bytes]:
    """Return drawings, each of which draws the next one ten times."""
    head = b"<< /Type /XObject /Subtype /Form /BBox [0 0 1 1] /Resources << /XObject << /X %d 0 R >> >> /Length 60 >>"
    return {n: head % (n + 1) + b"\nstream\n" + b"/X Do " * 10 + b"\nendstream" for n in range(6, 6 + depth)}


NESTED = 50_000
ONWARD = b"<< /Type /Pages /Kids [6 0 R] /Count 1 >>"
RANGES = (
    b"begincmap 1 begincodespacerange <00000000> <FFFFFFFF> endcodespacerange "
    b"1 beginbfrange <00000000> <FFFFFFFF> <0041> endbfrange endcmap"
)
HOSTILE: dict[str, Callable[[], bytes]] = {
    "arrays in arrays in a page": lambda: one_page(resources=KNOWN + b"/X " + b"[" * NESTED + b"]" * NESTED + b" >>"),
    "dictionaries in a page": lambda: one_page(
        resources=KNOWN + b"/X " + b"<</A " * NESTED + b"1" + b">>" * NESTED + b" >>"
    ),
    "arrays in arrays in a content": lambda: one_page(papers.stream(WORDS + b"[" * NESTED + b"]" * NESTED + b" TJ")),
    "arrays that never end": lambda: one_page(papers.stream(WORDS + b"[" * NESTED)),
    "words that never end": lambda: one_page(papers.stream(WORDS + b"(" * NESTED)),
    "two gigabytes in two megabytes": lambda: one_page(papers.inflating(2 * GIB)),
    "two gigabytes in nine kilobytes": lambda: one_page(papers.inflating(2 * GIB, filters=2)),
    "a content ten thousand times": lambda: one_page(
        papers.stream(b" " * 1_000_000), contents=b"[" + b"5 0 R " * 10_000 + b"]"
    ),
    "a font of four billion letters": lambda: one_page(
        font=FONT + b"/ToUnicode 6 0 R >>", more={6: papers.stream(RANGES)}
    ),
    "a tree that is its own branch": lambda: one_page(tree=b"<< /Type /Pages /Kids [2 0 R] /Count 1 >>"),
    "two branches of each other": lambda: one_page(
        tree=ONWARD, more={6: b"<< /Type /Pages /Kids [2 0 R] /Count 1 /Parent 2 0 R >>"}
    ),
    "a tree of 10^20 pages": lambda: one_page(tree=ONWARD, more=many_in_many(20)),
    "a drawing of 10^20 drawings": lambda: one_page(
        papers.stream(WORDS + b"/X Do"), resources=KNOWN + b"/XObject << /X 6 0 R >> >>", more=drawn_in_drawn(20)
    ),
    "a length that is the stream's own": lambda: one_page(b"<< /Length 5 0 R >>\nstream\n" + WORDS + b"\nendstream"),
    "a count of a billion pages": lambda: one_page(tree=b"<< /Type /Pages /Kids [4 0 R] /Count 1000000000 >>"),
    "a chain of tables that ends in itself": lambda: chained(1_000, endless=True),
    "a chain of ten thousand tables": lambda: chained(10_000, endless=False),
    "ten megabytes of nothing": lambda: b"%PDF-1.7\n" + b"a" * 10_000_000,
}
"""By what is in them."""

READ = {"a count of a billion pages", "a drawing of 10^20 drawings", "a chain of ten thousand tables"}
"""Those that are read all the same: what is wrong with them is never looked at."""


@pytest.mark.parametrize("what", HOSTILE)
def test_a_pdf_that_was_made_to_do_harm_ends_in_time_and_in_little_memory(what: str) -> None:
    """With its reason, or its words; the process that asked is none the worse, and reads the next one."""
    body, began = HOSTILE[what](), time.perf_counter()
    said = _said(body)
    assert time.perf_counter() - began < TIGHT.wall_s
    assert said.startswith("document: a ") or "Water boils" in said
    assert what not in READ or "Water boils" in said


def _said(body: bytes) -> str:
    """Return the text of a PDF, or why it has none."""
    try:
        return rendered("pdf", body, limits=TIGHT).text
    except InvalidArgument as error:
        return error.message


def test_a_pdf_of_ten_thousand_pages_is_read_as_far_as_the_bound() -> None:
    """And the rest is told; pages that say nearly the same are no running heads where nothing else is there."""
    found = rendered("pdf", papers.pdf([[f"Page {number} of many."] for number in range(10_000)]), limits=TIGHT)
    assert found.problems == (f"only the first {PAGES_MAX:,} of 10,000 pages were read",)
    assert f"<!-- page {PAGES_MAX} -->" in found.text
    assert "Page 1999 of many." in found.text
    assert "Page 2000 of many." not in found.text


def test_a_pdf_that_takes_long_is_ended_and_its_twin_with_more_time_is_not() -> None:
    """The limit on time ends it, not its reader: with less to do, or more time, the same file is read."""
    slow = chained(160_000, endless=False)
    with pytest.raises(InvalidArgument, match="more than 1 s to read"):
        rendered("pdf", slow, limits=Limits(cpu_s=1, wall_s=30))
    assert "Water boils" in rendered("pdf", slow).text


def test_a_pdf_that_takes_much_memory_is_ended_and_its_twin_with_more_is_not() -> None:
    """As for time: nothing is wrong with the file but its size."""
    large = one_page(more={6: b"<< /Length 40000000 >>\nstream\n" + b" " * 40_000_000 + b"\nendstream"})
    with pytest.raises(InvalidArgument, match="MB to read"):
        rendered("pdf", large, limits=Limits(memory_bytes=100_000_000))
    assert "Water boils" in rendered("pdf", large).text
