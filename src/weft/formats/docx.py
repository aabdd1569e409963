"""DOCX as Markdown: headings, paragraphs, lists and tables of the main text, tracked insertions in, deletions out.

Only the parts that hold text are unpacked, each within its bound, by the standard library: a library for writing such
files would load every picture, and leaves out what stands in content controls and tracked insertions. Text boxes,
notes, comments, headers and footers are not read.
"""

from __future__ import annotations

import re
import zlib
from dataclasses import dataclass, field
from io import BytesIO
from typing import TYPE_CHECKING, Final
from xml.etree import ElementTree as ET
from zipfile import BadZipFile, LargeZipFile, ZipFile, ZipInfo

from weft.errors import InvalidArgument
from weft.formats.rendered import Page, Rendered, heading, item, linked, paragraph, table

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["ENTRIES_MAX", "PART_MAX_BYTES", "RATIO_MAX", "render"]

PART_MAX_BYTES: Final = 30_000_000
"""What one part may unpack to."""

RATIO_MAX: Final = 200
"""How many times its size a part of over a megabyte may unpack to; text of real reports reaches 20 to 40."""

ENTRIES_MAX: Final = 10_000
DEPTH_MAX: Final = 40
_RATIO_FROM_BYTES: Final = 1_000_000
_STYLES_MAX: Final = 5_000
_BASED_MAX: Final = 10  # styles that a style may stand on, one after the other

_W: Final = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_STRICT: Final = "{http://purl.oclc.org/ooxml/wordprocessingml/main}"
_RELATED: Final = re.compile(r"\{[^}]{0,200}relationships\}id\Z")
_DOCTYPE: Final = re.compile(rb"<!(?:DOCTYPE|ENTITY)", re.IGNORECASE)
_HEADING: Final = re.compile(r"\Aheading ([1-9])\Z", re.IGNORECASE)
_GROUPS: Final = frozenset(("sdt", "sdtContent", "customXml", "smartTag", "ins", "moveTo", "fldSimple", "dir", "bdo"))
_LEVELS: Final = frozenset("012345")
_BREAKS: Final = {"tab": " ", "br": " ", "cr": " ", "noBreakHyphen": "-"}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Style:
    """A style of paragraphs: its name, the one it stands on, its outline level (0: a body's) and whether it lists."""

    name: str = ""
    based: str = ""
    level: int = 0
    lists: bool = False
    depth: int = 0


@dataclass(slots=True, kw_only=True)
class _Context:
    """What the parts beside the text say: styles by id, targets of links by id."""

    styles: dict[str, _Style] = field(default_factory=dict)
    links: dict[str, str] = field(default_factory=dict)


def render(body: bytes) -> Rendered:
    """Return the DOCX in ``body`` as Markdown.

    Raises:
        InvalidArgument: it is no such file, is broken or encrypted, or unpacks to more than it may.
    """
    try:
        with ZipFile(BytesIO(body)) as archive:
            return _read(archive)
    except (BadZipFile, LargeZipFile, zlib.error, ET.ParseError, EOFError, NotImplementedError) as error:
        raise InvalidArgument(f"document: no DOCX, or a broken one ({type(error).__name__})") from error


def _read(archive: ZipFile) -> Rendered:
    listed = archive.infolist()
    if len(listed) > ENTRIES_MAX:
        raise InvalidArgument(f"document: a DOCX of more than {ENTRIES_MAX:,} parts")
    parts = {entry.filename: entry for entry in listed}
    name = next((name for name in ("word/document.xml", "word/document2.xml") if name in parts), "")
    if not name:
        raise InvalidArgument("document: no DOCX: it holds no word/document.xml")
    root = _part(archive, parts[name])
    context = _Context(
        styles=_styles(_optional(archive, parts, "word/styles.xml")),
        links=_links(_optional(archive, parts, f"word/_rels/{name.removeprefix('word/')}.rels")),
    )
    page = Page()
    body = next((child for child in root if _name(child) == "body"), root)
    for block in _blocks(body, context, depth=0):
        page.add(block)
    title = _title(_optional(archive, parts, "docProps/core.xml"))
    if title and not any(block.startswith("# ") for block in page.blocks):
        page.blocks.insert(0, heading(title, level=1))
    return page.rendered()


def _part(archive: ZipFile, entry: ZipInfo) -> ET.Element:
    """Return a part of the file, unpacked and parsed; a document type, which no such part may have, is refused."""
    if entry.flag_bits & 1:
        raise InvalidArgument("document: an encrypted DOCX")
    most = max(_RATIO_FROM_BYTES, entry.compress_size * RATIO_MAX)
    if entry.file_size > min(most, PART_MAX_BYTES):
        raise InvalidArgument(f"document: a DOCX whose {entry.filename[:60]} unpacks to {entry.file_size:,} bytes")
    with archive.open(entry) as stream:
        body = stream.read(PART_MAX_BYTES + 1)
    if _DOCTYPE.search(body.replace(b"\0", b"")):  # also where each letter takes two bytes
        raise InvalidArgument("document: a DOCX with a document type, which none may have")
    return ET.fromstring(body)  # noqa: S314 - no document type, so no entities; bounded in size


def _optional(archive: ZipFile, parts: dict[str, ZipInfo], name: str) -> ET.Element | None:
    return _part(archive, parts[name]) if name in parts else None


def _name(element: ET.Element) -> str:
    """Return the bare name of an element of the text; empty for those of other vocabularies."""
    tag = element.tag
    return tag.removeprefix(_W).removeprefix(_STRICT) if tag.startswith((_W, _STRICT)) else ""


def _value(element: ET.Element | None, attribute: str = "val") -> str:
    if element is None:
        return ""
    return element.get(f"{_W}{attribute}") or element.get(f"{_STRICT}{attribute}") or ""


def _child(element: ET.Element | None, *path: str) -> ET.Element | None:
    for name in path:
        element = next((child for child in element if _name(child) == name), None) if element is not None else None
    return element


def _styles(root: ET.Element | None) -> dict[str, _Style]:
    found: dict[str, _Style] = {}
    for element in (root if root is not None else ())[:_STYLES_MAX]:
        properties = _child(element, "pPr")
        found[_value(element, "styleId")] = _Style(
            name=_value(_child(element, "name")),
            based=_value(_child(element, "basedOn")),
            level=_outline(properties),
            lists=_numbered(properties) is True,
        )
    return found


def _outline(properties: ET.Element | None) -> int:
    """Return the level of a heading, 1 to 6; 0 for the body."""
    said = _value(_child(properties, "outlineLvl"))
    return int(said) + 1 if said in _LEVELS else 0


def _numbered(properties: ET.Element | None) -> bool | None:
    """Return whether a paragraph or a style belongs to a list; None: it does not say. The list 0 is none."""
    given = _child(properties, "numPr", "numId")
    return None if given is None else _value(given) != "0"


def _links(root: ET.Element | None) -> dict[str, str]:
    return {each.get("Id", ""): each.get("Target", "") for each in (root if root is not None else ())}


def _title(root: ET.Element | None) -> str:
    for element in root if root is not None else ():
        if element.tag.endswith("}title"):
            return " ".join((element.text or "").split())
    return ""


def _blocks(parent: ET.Element, context: _Context, *, depth: int) -> Iterator[str]:
    """Yield the blocks below ``parent``; groups are looked into, down to a bound."""
    if depth > DEPTH_MAX:
        return
    for element in parent:
        name = _name(element)
        if name == "p":
            yield _paragraph(element, context)
        elif name == "tbl":
            yield table([_row(row, context, depth=depth) for row in _rows(element)])
        elif name in _GROUPS:
            yield from _blocks(element, context, depth=depth + 1)


def _rows(grid: ET.Element) -> Iterator[ET.Element]:
    for element in grid:
        if _name(element) == "tr" and _child(element, "trPr", "del") is None:
            yield element
        elif _name(element) in _GROUPS:
            yield from (row for row in element.iter() if _name(row) == "tr")


def _row(row: ET.Element, context: _Context, *, depth: int) -> list[str]:
    return [" ".join(_cell(cell, context, depth=depth + 1)) for cell in row if _name(cell) in {"tc", "sdt"}]


def _cell(cell: ET.Element, context: _Context, *, depth: int) -> Iterator[str]:
    """Yield what a cell says, its tables too, as words without blocks."""
    if depth > DEPTH_MAX:
        return
    for element in cell:
        name = _name(element)
        if name == "p":
            yield _words(element, context)
        elif name in {"tbl", "tr", "tc"} or name in _GROUPS:
            yield from _cell(element, context, depth=depth + 1)


def _paragraph(element: ET.Element, context: _Context) -> str:
    words = _words(element, context)
    properties = _child(element, "pPr")
    style = _styled(_value(_child(properties, "pStyle")), context)
    level = _outline(properties) or style.level
    if level and words:
        return heading(words.replace("**", ""), level=level)
    numbered = _numbered(properties)
    if numbered or (style.lists and numbered is None):
        given = _value(_child(properties, "numPr", "ilvl"))
        return item(words, depth=int(given) if given.isdecimal() and len(given) == 1 else style.depth)
    return f"> {paragraph(words)}" if style.name.lower() in {"quote", "intense quote"} and words else paragraph(words)


def _styled(name: str, context: _Context) -> _Style:
    """Return what a style comes to with the styles it stands on: heading level, list or neither."""
    first = style = context.styles.get(name, _Style(name=name))
    for _ in range(_BASED_MAX):
        named = _HEADING.match(style.name)
        level = style.level or (int(named[1]) if named else 0) or (style.name.lower() == "title")
        if level or style.lists or style.name.lower().startswith("list "):
            depth = int(first.name[-1]) - 1 if first.name[-1:].isdecimal() else 0
            return _Style(name=first.name, level=level, lists=not level, depth=max(0, depth))
        if not style.based:
            break
        style = context.styles.get(style.based, _Style())
    return _Style(name=first.name)


def _words(element: ET.Element, context: _Context) -> str:
    """Return the words of a paragraph; bold runs keep their mark, links to other documents their target."""
    parts = _runs(element, context, depth=0)
    return " ".join(re.sub(r"\*\*(\s*)\*\*", r"\1", "".join(parts)).split())


def _runs(parent: ET.Element, context: _Context, *, depth: int) -> Iterator[str]:
    if depth > DEPTH_MAX:
        return
    for element in parent:
        name = _name(element)
        if name == "r":
            yield _run(element)
        elif name == "hyperlink":
            target = next((value for key, value in element.attrib.items() if _RELATED.search(key)), "")
            yield linked("".join(_runs(element, context, depth=depth + 1)), context.links.get(target, ""))
        elif name in _GROUPS:
            yield from _runs(element, context, depth=depth + 1)


def _run(element: ET.Element) -> str:
    properties = _child(element, "rPr")
    hidden = _child(properties, "vanish")
    if hidden is not None and _value(hidden) not in {"0", "false"}:
        return ""
    said = "".join((child.text or "") if _name(child) == "t" else _BREAKS.get(_name(child), "") for child in element)
    bold = _child(properties, "b")
    if bold is None or _value(bold) in {"0", "false"} or not said.strip():
        return said
    return f"{said[: len(said) - len(said.lstrip())]}**{said.strip()}**{said[len(said.rstrip()) :]}"
