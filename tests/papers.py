"""Documents in other formats for the tests of taking in, written byte by byte: PDF, DOCX, HTML."""

from __future__ import annotations

import io
import zipfile
import zlib
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = [
    "docx",
    "file_of",
    "heading",
    "html",
    "inflating",
    "listed",
    "paragraph",
    "pdf",
    "pdf_of",
    "stream",
    "table",
]

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
TYPES = "http://schemas.openxmlformats.org/package/2006/content-types"
RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


MIB = 1 << 20


def html(body: str, *, title: str = "") -> bytes:
    """Return a page with this body."""
    return f"<!doctype html><html><head><title>{title}</title></head><body>{body}</body></html>".encode()


def pdf(pages: Sequence[Sequence[str | tuple[float, str]]], *, title: str = "") -> bytes:
    """Return a PDF whose pages hold these lines, top down; a pair gives the size of the letters, else 11 points.

    An empty line is a gap.
    """
    return pdf_of([stream(_drawn(lines)) for lines in pages], info=f"<< /Title ({title}) >>" if title else "")


def _drawn(lines: Iterable[str | tuple[float, str]]) -> bytes:
    drawn, height = [], 780.0
    for line in lines:
        size, words = line if isinstance(line, tuple) else (11.0, line)
        height -= size * 1.3
        said = words.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
        if said:
            drawn.append(f"BT /F1 {size} Tf 1 0 0 1 60 {height:.1f} Tm ({said}) Tj ET")
    return "\n".join(drawn).encode("cp1252")


def stream(content: bytes, *, filters: int = 1) -> bytes:
    """Return a stream object with ``content`` packed so many times."""
    for _ in range(filters):
        content = zlib.compress(content, 9)
    return _stream_of(content, filters)


def inflating(total: int, *, filters: int = 1) -> bytes:
    """Return a stream object that inflates to ``total`` bytes, whole MiB of blanks, packed so many times.

    One MiB is packed, and stands there as often as it takes: to pack two gigabytes takes seconds.
    """
    blanks, times = b" " * MIB, total // MIB
    packing = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    packed = packing.compress(blanks) + packing.flush(zlib.Z_FULL_FLUSH)
    check = 1
    for _ in range(times):
        check = zlib.adler32(blanks, check)
    content = b"\x78\xda" + packed * times + packing.flush() + check.to_bytes(4, "big")
    for _ in range(filters - 1):
        content = zlib.compress(content, 9)
    return _stream_of(content, filters)


def _stream_of(packed: bytes, filters: int) -> bytes:
    named = " ".join(["/FlateDecode"] * filters)
    head = f"<< /Length {len(packed)} /Filter [{named}] >>".encode()
    return head + b"\nstream\n" + packed + b"\nendstream"


def pdf_of(contents: Sequence[bytes], *, info: str = "", trailer: str = "") -> bytes:
    """Return a PDF with a page for each of these stream objects."""
    count = len(contents)
    kids = " ".join(f"{4 + 2 * number} 0 R" for number in range(count))
    objects = {
        1: b"<< /Type /Catalog /Pages 2 0 R >>",
        2: f"<< /Type /Pages /Kids [{kids}] /Count {count} >>".encode(),
        3: b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    }
    for number, content in enumerate(contents):
        page = 4 + 2 * number
        objects[page] = (
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents {page + 1} 0 R "
            "/Resources << /Font << /F1 3 0 R >> >> >>"
        ).encode()
        objects[page + 1] = content
    if info:
        objects[max(objects) + 1] = info.encode()
        trailer += f" /Info {max(objects)} 0 R"
    return file_of(objects, trailer)


def file_of(objects: dict[int, bytes], trailer: str = "") -> bytes:
    """Return a PDF of these objects by their numbers; 1 is its catalogue."""
    out, places = io.BytesIO(), {}
    out.write(b"%PDF-1.7\n")
    for number in sorted(objects):
        places[number] = out.tell()
        out.write(b"%d 0 obj\n%b\nendobj\n" % (number, objects[number]))
    start = out.tell()
    out.write(b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1))
    for number in sorted(places):
        out.write(b"%010d 00000 n \n" % places[number])
    out.write(f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R{trailer} >>\nstartxref\n{start}\n%%EOF\n".encode())
    return out.getvalue()


def paragraph(words: str, *, properties: str = "") -> str:
    """Return a paragraph; words between asterisks are bold."""
    runs = []
    for number, part in enumerate(words.split("**")):
        bold = "<w:rPr><w:b/></w:rPr>" if number % 2 else ""
        runs.append(f'<w:r>{bold}<w:t xml:space="preserve">{escape(part)}</w:t></w:r>')
    held = f"<w:pPr>{properties}</w:pPr>" if properties else ""
    return f"<w:p>{held}{''.join(runs)}</w:p>"


def heading(words: str, level: int = 1) -> str:
    """Return a heading in the style that Word calls so."""
    return paragraph(words, properties=f'<w:pStyle w:val="Heading{level}"/>')


def listed(words: str, depth: int = 0) -> str:
    """Return the item of a list."""
    return paragraph(words, properties=f'<w:numPr><w:ilvl w:val="{depth}"/><w:numId w:val="1"/></w:numPr>')


def table(rows: Sequence[Sequence[str]]) -> str:
    """Return a table."""
    cells = ("".join(f"<w:tc>{paragraph(cell)}</w:tc>" for cell in row) for row in rows)
    return f"<w:tbl>{''.join(f'<w:tr>{row}</w:tr>' for row in cells)}</w:tbl>"


def docx(*blocks: str, title: str = "", more: dict[str, bytes] | None = None, document: bytes = b"") -> bytes:
    """Return a DOCX with these blocks; ``more`` are further parts, ``document`` stands in for the main one."""
    styles = "".join(
        f'<w:style w:type="paragraph" w:styleId="Heading{level}"><w:name w:val="heading {level}"/></w:style>'
        for level in range(1, 5)
    )
    open_, shut = f'<w:document xmlns:w="{W}" xmlns:r="{OFFICE}"><w:body>', "</w:body></w:document>"
    body = f'<?xml version="1.0"?>{open_}{"".join(blocks)}{shut}'
    core = (
        '<?xml version="1.0"?><cp:coreProperties xmlns:cp="urn:core" xmlns:dc="http://purl.org/dc/elements/1.1/">'
        f"<dc:title>{escape(title)}</dc:title></cp:coreProperties>"
    )
    parts = {
        "[Content_Types].xml": f'<?xml version="1.0"?><Types xmlns="{TYPES}"/>'.encode(),
        "_rels/.rels": (
            f'<?xml version="1.0"?><Relationships xmlns="{RELATIONS}"><Relationship Id="rId1" '
            f'Type="{OFFICE}/officeDocument" Target="word/document.xml"/></Relationships>'
        ).encode(),
        "word/document.xml": document or body.encode(),
        "word/styles.xml": f'<?xml version="1.0"?><w:styles xmlns:w="{W}">{styles}</w:styles>'.encode(),
        "docProps/core.xml": core.encode(),
        **(more or {}),
    }
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return out.getvalue()
