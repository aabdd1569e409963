"""Markdown: from a text to its title, front matter, sections and blocks, with offsets into the very text.

Blocks are those of CommonMark; a paragraph that begins with a tag is html, and one with a ruler of columns is a table.
A callout (``> [!note] Title``) is a quotation in its form only: its title is a block, what follows is text like any.
Inline markup is not parsed: only headings need their plain words, and the inline rules are what hostile texts slow
down.
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, Final

from markdown_it import MarkdownIt

from weft.errors import InvalidArgument
from weft.formats import front_matter, preamble
from weft.formats.notion import titled
from weft.reason.document import Block, Document, Problem, Section
from weft.text import plain

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markdown_it.token import Token

__all__ = ["TEXT_MAX", "Block", "Document", "Problem", "Section", "parse", "tokens"]

TEXT_MAX: Final = 2_000_000
TITLE_MAX: Final = 200

_LINE_END = re.compile(r"\r\n|\r|\n")
_MARKER = re.compile(r"[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?[ \t>]*)*")
_COLUMN = r"[ \t]*+:?-++:?[ \t]*+"  # no white space is given back: there may be as much of it as there is text
_RULER = re.compile(rf"^[ \t>]*+(?:\|{_COLUMN}(?:\|{_COLUMN})*\|?|{_COLUMN}(?:\|{_COLUMN})+\|?)[ \t\r]*$", re.MULTILINE)
_CALLOUT = re.compile(r"[ \t>]*\[!(?P<type>[^\[\]|\n]{1,50})(?:\|[^\[\]\n]{0,100})?\][+-]?(?![(\[+:-])[ \t]*")
_QUOTATIONS: Final = frozenset({"quote", "cite"})
_ASIDES: Final = frozenset({"example", "question", "help", "faq", "todo"})
"""Types of callouts that hold somebody else's words, or none that state anything.

The types and their other names: https://help.obsidian.md/callouts
"""

_APART: Final = frozenset({"quote", "aside"})
_BLOCK_MARK = re.compile(r"(?<![ \t])[ \t]+\^[A-Za-z0-9-]+[ \t]*\Z")
_CONTAINERS = frozenset({"list_item_open", "blockquote_open"})
_CLOSINGS = frozenset({"list_item_close", "blockquote_close"})
_CODE = frozenset({"fence", "code_block"})


def parse(text: str, *, name: str) -> Document:
    """Return the structure of ``text``, which is called ``name`` (a path or a title).

    Fields that a text begins with (:mod:`weft.formats.preamble`) count as its front matter where it has no other.
    The title is the front matter's, else a heading: the one that the text begins with at level 1, else the only one of
    the highest level that there is, which below level 1 has to be what the text begins with. Other headings are those
    of sections, as in notes that go by the name of their file; then the name without folder and suffix is the title.
    Line ends may be of any kind, a byte order mark may lead, the last newline may be missing; all offsets are into
    ``text`` as given.

    Raises:
        InvalidArgument: ``text`` is longer than 2,000,000 characters.
    """
    if len(text) > TEXT_MAX:
        raise InvalidArgument(f"document: {len(text):,} characters, at most {TEXT_MAX:,} are read.")
    matter = front_matter.read(text)
    fields = matter if matter.front or matter.problems else preamble.read(text, matter.body_start)
    lines = _line_starts(text, matter.body_start)
    found = tokens(text[matter.body_start :])
    front: dict[str, Any] = {}
    for property_, value in fields.front.items():
        front.setdefault(property_.lower(), value)
    sections = _sections(found, lines, end=len(text))
    return Document(
        name=name,
        text=text,
        title=_given(front.get("title")) or _headed(text, matter.body_start, sections) or _stem(name),
        front=front,
        front_end=fields.body_start,
        body_start=matter.body_start,
        sections=sections,
        blocks=_blocks(text, found, lines=lines, sections=sections),
        problems=matter.problems,
    )


def tokens(text: str) -> list[Token]:
    """Return the blocks of ``text``, which has no front matter, as the parser tells them; inline markup is left raw."""
    return _parser().parse(text)


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False})
    parser.core.ruler.enableOnly(["normalize", "block"])
    return parser


def _line_starts(text: str, body_start: int) -> list[int]:
    """Return where each line of the body begins, and the end of the text twice: a parser's last line may lie there."""
    ends = [match.end() for match in _LINE_END.finditer(text, body_start)]
    return [body_start, *ends, len(text), len(text)]


def _sections(found: Sequence[Token], lines: Sequence[int], *, end: int) -> tuple[Section, ...]:
    headings = [
        (
            int(token.tag[1:]),
            plain(_BLOCK_MARK.sub("", found[at + 1].content))[:TITLE_MAX],
            lines[token.map[0]],
            lines[token.map[1]],
        )
        for at, token in enumerate(found)
        if token.type == "heading_open" and token.level == 0 and token.map
    ]
    sections: list[Section] = []
    ends: dict[int, int] = {}
    for level, heading, start, body_start in reversed(headings):
        until = min((place for rank, place in ends.items() if rank <= level), default=end)
        sections.append(Section(level=level, heading=heading, start=start, end=until, body_start=body_start))
        ends = {rank: place for rank, place in ends.items() if rank < level} | {level: start}
    return tuple(reversed(sections))


def _blocks(
    text: str, found: Sequence[Token], *, lines: Sequence[int], sections: Sequence[Section]
) -> tuple[Block, ...]:
    blocks: list[Block] = []
    around = ["paragraph"]
    section = -1
    first_line = len(_LINE_END.findall(text, 0, lines[0])) + 1
    for at, token in enumerate(found):
        if token.type in _CONTAINERS:
            around.append(_container(found, at, around[-1]))
        elif token.type in _CLOSINGS:
            around.pop()
        kind = "code" if token.type in _CODE else around[-1] if token.type == "paragraph_open" else ""
        if kind and token.map:
            start, end = lines[token.map[0]], lines[token.map[1]]
            while section + 1 < len(sections) and sections[section + 1].start <= start:
                section += 1
            line = token.map[0] + first_line
            opens = kind != "code" and found[at - 1].type == "blockquote_open"
            if opens and (callout := _CALLOUT.match(text, start, end)):
                title, start = callout.end(), lines[token.map[0] + 1]
                own = "title" if kind == "callout" else kind
                blocks += _block(text, own, span=(title, start), line=line, section=section)
                line += 1
            blocks += _block(text, kind, span=(start, end), line=line, section=section)
    return tuple(blocks)


def _container(found: Sequence[Token], at: int, outer: str) -> str:
    """Return what paragraphs within a list item or a quotation are; in somebody else's words all is theirs."""
    if found[at].type == "list_item_open":
        return outer if outer in _APART else "item"
    callout = _CALLOUT.match(found[at + 2].content) if found[at + 1].type == "paragraph_open" else None
    if callout is None or outer == "quote":
        return "quote"
    named = callout["type"].strip().lower()
    if named in _QUOTATIONS:
        return "quote"
    return "aside" if named in _ASIDES or outer == "aside" else "callout"


def _block(text: str, kind: str, *, span: tuple[int, int], line: int, section: int) -> list[Block]:
    """Return the block of this kind that stands in ``span``, or none where only marks do."""
    start, end = span[0], span[0] + len(text[span[0] : span[1]].rstrip())
    if kind != "code":
        marker = _MARKER.match(text, start, end) if kind != "paragraph" else None
        start = marker.end() if marker else start
        start = end - len(text[start:end].lstrip())
        kind = _looks(text, start, end=end) or ("paragraph" if kind == "callout" else kind)
    return [Block(kind=kind, start=start, end=end, line=line, section=section)] if end > start else []


def _looks(text: str, start: int, *, end: int) -> str:
    """Return ``html`` or ``table`` where a paragraph is one."""
    if text[start : start + 1] == "<" and not text.startswith("<http", start):
        return "html"
    return "table" if _RULER.search(text, start, end) else ""


def _given(title: object) -> str:
    return " ".join(title.split())[:TITLE_MAX] if isinstance(title, str) else ""


def _headed(text: str, body_start: int, sections: Sequence[Section]) -> str:
    """Return the heading that stands for the whole text, or nothing where headings only part it."""
    named = [section for section in sections if section.heading]
    level = min((section.level for section in named), default=0)
    highest = [section for section in named if section.level == level]
    if not highest:
        return ""
    opens = not _uncommented(text[body_start : highest[0].start]).strip("\ufeff \t\r\n")
    stands = (level == 1 and opens) or (len(highest) == 1 and (level == 1 or opens))
    return highest[0].heading[:TITLE_MAX] if stands else ""


def _uncommented(text: str) -> str:
    """Return ``text`` without comments: licences stand in them, orders to linters, and where a page of a PDF begins."""
    kept: list[str] = []
    place = 0
    while (start := text.find("<!--", place)) >= 0 and (end := text.find("-->", start)) >= 0:
        kept.append(text[place:start])
        place = end + len("-->")
    return "".join((*kept, text[place:]))


def _stem(name: str) -> str:
    return titled(PurePosixPath(name.replace("\\", "/")).stem or name)[:TITLE_MAX]
