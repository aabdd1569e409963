"""Documents of other formats as Markdown: what a renderer returns, and how each kind of block is written.

The Markdown is what is kept of a document and quoted from. It is parsed like any other, so a text read again later
shows the same headings, lists and tables, whatever the file was.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["NESTING_MAX", "RENDERED_MAX", "Page", "Rendered", "code", "heading", "item", "linked", "paragraph", "table"]

RENDERED_MAX: Final = 2_000_000
"""Characters of Markdown that are kept of one document: as many as a Markdown document may have."""

NESTING_MAX: Final = 6
"""Levels of a list that are shown; what lies deeper stands on the last."""

_ESCAPED: Final = re.compile(r"(?=#{1,6}(?:\s|\Z)|[-+*](?:\s|\Z)|[-=_*]{3}|>|\||`{3}|~{3}|<|\[[^\]]{1,200}\]:)")
_NUMBERED: Final = re.compile(r"(\d{1,9})([.)])(?=\s|\Z)")
_LINKED: Final = re.compile(r"[^\s()<>\[\]:?]{1,300}\Z")


@dataclass(frozen=True, slots=True, kw_only=True)
class Rendered:
    """A document as Markdown; ``problems`` say what of it was left out, one sentence each."""

    text: str
    problems: tuple[str, ...] = ()


@dataclass(slots=True, kw_only=True)
class Page:
    """Markdown that grows block by block, up to its bound; ``full`` says that something was left out."""

    blocks: list[str] = field(default_factory=list)
    full: bool = False
    _size: int = 0

    def add(self, block: str) -> None:
        """Add a block, if it says anything and there is room."""
        if not block.strip() or self.full:
            return
        room = RENDERED_MAX - self._size - 2
        if len(block) > room:
            self.full, block = True, block[: max(0, room)].rsplit(" ", 1)[0]
        self._size += len(block) + 2
        self.blocks.append(block)

    def rendered(self, *problems: str) -> Rendered:
        """Return the Markdown; that it was cut is one of its problems."""
        cut = (f"only the first {RENDERED_MAX:,} characters were read",) if self.full else ()
        return Rendered(text="\n\n".join(self.blocks) + "\n" if self.blocks else "", problems=(*problems, *cut))


def paragraph(words: str) -> str:
    """Return ``words`` as one line that Markdown reads as a paragraph, whatever it begins with."""
    line = " ".join(words.split())
    return _NUMBERED.sub(r"\1\\\2", f"\\{line}" if _ESCAPED.match(line) else line, count=1) if line else ""


def heading(words: str, *, level: int) -> str:
    """Return a heading of ``level`` 1 to 6, empty where it says nothing."""
    line = " ".join(words.split()).rstrip("# ")
    return f"{'#' * min(max(level, 1), 6)} {line}" if line else ""


def item(words: str, *, depth: int) -> str:
    """Return the item of a list; ``depth`` counts from 0."""
    line = paragraph(words)
    return f"{'  ' * min(depth, NESTING_MAX - 1)}- {line}" if line else ""


def code(text: str) -> str:
    """Return ``text`` as a block of code, its lines kept."""
    longest = max((len(run) for run in re.findall("`{3,}", text)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}\n{text.strip(chr(10))}\n{fence}" if text.strip() else ""


def table(rows: Sequence[Sequence[str]]) -> str:
    """Return a table, its first row as the head; rows that are shorter are filled up."""
    said = [[" ".join(cell.split()).replace("|", "\\|") for cell in row] for row in rows if any(map(str.strip, row))]
    if not said:
        return ""
    width = max(map(len, said))
    lines = [f"| {' | '.join([*row, *[''] * (width - len(row))])} |" for row in said]
    return "\n".join([lines[0], f"|{' --- |' * width}", *lines[1:]])


def linked(words: str, target: str) -> str:
    """Return a link to another document beside this one; other links are their words alone."""
    label = " ".join(words.split()).replace("[", "(").replace("]", ")")
    path, _, _ = target.strip().partition("#")
    return f"[{label}]({path})" if label and _LINKED.match(path) else words
