"""HTML as Markdown: title, headings, paragraphs, lists, quotes, code and tables; nothing is fetched or run.

Scripts, styles, navigation, forms' controls and what the page hides are left out. The parser is the standard library's,
which takes quadratic time on some broken pages: whoever reads pages of strangers bounds the time of the process.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Final, TypeAlias

from weft.formats.rendered import Page, Rendered, code, heading, item, linked, paragraph, table

__all__ = ["decoded", "render"]

_Attributes: TypeAlias = "list[tuple[str, str | None]]"

_VOID: Final = frozenset(
    ("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr")
)
_DROPPED: Final = frozenset(
    (
        *("script", "style", "template", "noscript", "svg", "math", "iframe", "object", "canvas", "audio", "video"),
        *("nav", "select", "button", "textarea", "datalist", "dialog", "map", "frameset", "noembed"),
    )
)
_HEADINGS: Final = {f"h{level}": level for level in range(1, 7)}
_LISTS: Final = frozenset(("ul", "ol", "menu"))
_CELLS: Final = frozenset(("td", "th"))
_BLOCKS: Final = frozenset(
    (
        *("address", "article", "aside", "blockquote", "body", "caption", "center", "dd", "details", "dir", "div"),
        *("dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "header", "hr", "html", "legend", "li"),
        *("main", "p", "pre", "section", "summary", "table", "tbody", "tfoot", "thead", "tr", *_HEADINGS, *_LISTS),
    )
)
# An element whose end may be left out ends where one of these begins.
_ENDED_BY: Final = {
    "p": _BLOCKS,
    "li": frozenset(("li",)),
    "dt": frozenset(("dt", "dd")),
    "dd": frozenset(("dt", "dd")),
    "tr": frozenset(("tr",)),
    "td": frozenset(("td", "th", "tr")),
    "th": frozenset(("td", "th", "tr")),
}
_MARKS: Final = {"b": "**", "strong": "**", "dfn": "**", "code": "`", "kbd": "`", "samp": "`", "tt": "`"}
_HIDDEN_STYLE: Final = re.compile(r"(?:display\s*:\s*none|visibility\s*:\s*hidden)", re.IGNORECASE)
_ROLES: Final = frozenset(("navigation", "search"))
_CONTROLS: Final = frozenset(("mw-editsection",))  # «[edit]» in each heading of a MediaWiki
_CLASS_MAX: Final = 2_000  # characters
_CHARSET: Final = re.compile(rb"<meta[^>]{0,200}charset\s*=\s*[\"']?\s*([A-Za-z0-9_.:-]{1,40})", re.IGNORECASE)
_CHARSET_WITHIN: Final = 2_048  # bytes in which a page says how it is written
_TITLE_MAX: Final = 300


def render(body: bytes) -> Rendered:
    """Return the page in ``body`` as Markdown. A page without a first heading is headed by its title."""
    reader = _Reader()
    reader.feed(decoded(body))
    reader.close()
    return reader.finish()


def decoded(body: bytes) -> str:
    """Return the text of a page: in the encoding that it names, else UTF-8, else Windows-1252 as browsers assume."""
    named = _CHARSET.search(body[:_CHARSET_WITHIN])
    marked = "utf-16" if body[:2] in {b"\xff\xfe", b"\xfe\xff"} else "utf-8-sig"
    for encoding in (marked, named[1].decode("ascii") if named else ""):
        try:
            return body.decode(encoding)
        except (UnicodeDecodeError, LookupError):
            continue
    return body.decode("cp1252", errors="replace")


@dataclass(slots=True)
class _Grid:
    """A table that is being read: its rows, and whether it lies in a cell of another."""

    rows: list[list[str]] = field(default_factory=list)


class _Reader(HTMLParser):
    """Turns tags into blocks. ``_words`` is the block at hand; it ends where any block begins or ends."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._page = Page()
        self._words: list[str] = []
        self._title: list[str] | None = None
        self._named = ""
        self._kind = "p"
        self._term = ""
        self._lists = 0
        self._quotes = 0
        self._grids: list[_Grid] = []
        self._headed = False
        self._link: tuple[str, int] | None = None
        self._dropping = ""
        self._depth = 0

    def finish(self) -> Rendered:
        """Return what was read."""
        self._flush()
        while self._grids:
            self._end_table()
        if self._named and not self._headed:
            self._page.blocks.insert(0, heading(self._named, level=1))
        return self._page.rendered()

    def handle_starttag(self, tag: str, attrs: _Attributes) -> None:
        """Begin a block or a mark, or leave the element out with all it holds."""
        if self._dropping and not self._resumes(tag):
            self._depth += tag == self._dropping
            return
        if tag not in _VOID and (tag in _DROPPED or _is_hidden(attrs)):
            self._dropping, self._depth = tag, 1
            return
        if tag == "title" and not self._named:
            self._title = []
        elif tag in _BLOCKS or tag in _CELLS:
            self._flush()
            self._open(tag)
        else:
            self._inline(tag, attrs)

    def handle_startendtag(self, tag: str, attrs: _Attributes) -> None:
        """Read an element that ends itself as one without content."""
        self.handle_starttag(tag, attrs)
        if tag not in _VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        """End a block or a mark, or what was left out."""
        if self._dropping:
            self._depth -= tag == self._dropping
            self._dropping = self._dropping if self._depth else ""
        elif tag == "title" and self._title is not None:
            self._named, self._title = " ".join("".join(self._title).split())[:_TITLE_MAX], None
        elif tag in _BLOCKS or tag in _CELLS:
            self._flush()
            self._shut(tag)
        elif tag == "a":
            self._end_link()
        elif tag in _MARKS:
            self._mark(_MARKS[tag])

    def handle_data(self, data: str) -> None:
        """Read words."""
        if self._title is not None:
            self._title.append(data)
        elif not self._dropping:
            self._words.append(data)

    def _resumes(self, tag: str) -> bool:
        """Return whether ``tag`` ends the element that is left out, whose own end was not written."""
        if self._depth == 1 and tag in _ENDED_BY.get(self._dropping, ()):
            self._dropping, self._depth = "", 0
            return True
        return False

    def _open(self, tag: str) -> None:
        self._lists += tag in _LISTS
        self._quotes += tag == "blockquote"
        if tag == "table":
            self._grids.append(_Grid())
        elif tag == "tr" and self._grids:
            self._grids[-1].rows.append([])
        elif tag in _CELLS and self._grids:
            self._grids[-1].rows = self._grids[-1].rows or [[]]
            self._grids[-1].rows[-1].append("")
        if tag in _HEADINGS or tag in {"li", "dt", "dd", "pre"}:
            self._kind = tag

    def _shut(self, tag: str) -> None:
        self._lists = max(0, self._lists - (tag in _LISTS))
        self._quotes = max(0, self._quotes - (tag == "blockquote"))
        if tag == "table" and self._grids:
            self._end_table()
        if tag in {"li", "dl", "ul", "ol", "pre"} or tag in _HEADINGS:
            self._kind = "p"

    def _inline(self, tag: str, attributes: _Attributes) -> None:
        if tag in _MARKS:
            self._mark(_MARKS[tag])
        elif tag == "br":
            self._words.append("\n" if self._kind == "pre" else " ")
        elif tag == "a":
            self._end_link()
            self._link = (dict(attributes).get("href") or "", len(self._words))

    def _mark(self, mark: str) -> None:
        if self._kind != "pre" and not self._grids and self._kind not in _HEADINGS:
            self._words.append(mark)

    def _end_link(self) -> None:
        if self._link is not None:
            target, start = self._link
            said = "".join(self._words[start:])
            del self._words[start:]
            self._words.append(linked(said, target) if self._kind != "pre" else said)
            self._link = None

    def _flush(self) -> None:
        """End the block at hand."""
        self._end_link()
        said = "".join(self._words)
        self._words.clear()
        if self._kind == "pre" and not self._grids:
            self._page.add(code(said))
            return
        said = _tidy(said)
        if not said:
            return
        if self._grids:
            self._in_cell(said)
        else:
            self._page.add(self._block(said))

    def _block(self, said: str) -> str:
        kind, term = self._kind, self._term
        if kind == "dt":
            self._term = said.replace("*", "")
            return paragraph(f"**{term}**") if term else ""
        self._term = ""
        if kind in _HEADINGS:
            self._headed = self._headed or kind == "h1"
            return heading(said, level=_HEADINGS[kind])
        if kind == "dd" and term:
            return paragraph(f"**{term}**: {said}")
        if kind == "li":
            self._kind = "p"
            return item(said, depth=max(0, self._lists - 1))
        return f"> {paragraph(said)}" if self._quotes else paragraph(said)

    def _in_cell(self, said: str) -> None:
        rows = self._grids[-1].rows
        if rows and rows[-1]:
            rows[-1][-1] = f"{rows[-1][-1]} {said}".strip()
        else:
            rows.append([said])

    def _end_table(self) -> None:
        """Write the table, or add what it says to the cell of the one around it."""
        grid = self._grids.pop()
        if self._grids:
            self._in_cell(" ".join(cell for row in grid.rows for cell in row if cell))
        else:
            self._page.add(table(grid.rows))


def _is_hidden(attributes: _Attributes) -> bool:
    given = dict(attributes)
    hidden = "hidden" in given or (given.get("aria-hidden") or "").strip().lower() == "true"
    hidden = hidden or (given.get("role") or "").strip().lower() in _ROLES
    hidden = hidden or not _CONTROLS.isdisjoint((given.get("class") or "")[:_CLASS_MAX].split())
    return hidden or bool(_HIDDEN_STYLE.search((given.get("style") or "")[:2_000]))


def _tidy(said: str) -> str:
    """Return the words of a block on one line, without marks that hold nothing."""
    line = " ".join(said.split())
    for mark in ("**", "`"):
        if line.count(mark) % 2 or line.replace(mark, "").strip() == "":
            line = line.replace(mark, "")
        line = re.sub(rf"(?:{re.escape(mark)}\s*){{2}}(?=\s|\Z)", "", line) if f"{mark}{mark}" in line else line
    return " ".join(line.split())
