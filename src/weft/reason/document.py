"""A document as the rest of the house sees it, whatever format it was written in.

All offsets are characters of :attr:`Document.text`, which is kept exactly as it was given.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field
from typing import Any

__all__ = ["Block", "Document", "Problem", "Section", "unmarked"]

_MARKS = re.compile(r"(?<=[\r\n])[ \t]*(?:>[ \t]?)+|[ \t]\^[A-Za-z0-9-]+(?=[ \t]*(?:[\r\n]|\Z))")
"""The marks of a quotation where a line begins, and the mark of a block (`` ^id``) where one ends."""


def unmarked(text: str) -> str:
    """Return ``text`` with the marks that are no words of it blanked; every word keeps its place.

    They are those of a quotation or a callout, but for the first line's, and those of blocks (`` ^id``).
    """
    return _MARKS.sub(lambda mark: " " * len(mark[0]), text)


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A heading and what it governs: from ``start``, where the heading begins, to ``end``.

    ``end`` is where the next heading of the same or a higher rank begins (``level`` 1 is highest, 6 lowest), so a
    section holds its subsections. ``heading`` is plain text; the body begins at ``body_start``.
    """

    level: int
    heading: str
    start: int
    end: int
    body_start: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A stretch of running text, without the marker of its list item.

    ``kind`` is paragraph, item (of a list), title (of a callout), quote, aside (an example or a question set apart),
    code, table or html. In one that lies in a quotation or a callout the marks ``>`` of its further lines still stand;
    :meth:`Document.prose` has its words alone. ``section`` is the place of the innermost
    section in :attr:`Document.sections`, −1 before the first heading. ``line`` counts from 1.
    """

    kind: str
    start: int
    end: int
    line: int
    section: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """Something that could not be read: ``line`` counts from 1, ``message`` says what was found there."""

    line: int
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A text with its structure.

    ``front`` holds what its front matter says, or the fields that its text begins with, by names in small letters,
    strings only at the leaves; ``front_end`` is where these end.

    ``name`` is what the document is called where it comes from (a path below its root). ``body_start`` is where the
    text after the front matter begins; fields without marks around them are text.
    """

    name: str
    text: str
    title: str
    front: dict[str, Any] = field(default_factory=dict)
    front_end: int = 0
    body_start: int = 0
    sections: tuple[Section, ...] = ()
    blocks: tuple[Block, ...] = ()
    problems: tuple[Problem, ...] = ()

    def section_at(self, place: int) -> int:
        """Return the place in ``sections`` of the innermost one that holds ``place``, −1 before the first."""
        return bisect_right(self.sections, place, key=lambda section: section.start) - 1

    def prose(self, block: Block) -> str:
        """Return the text of ``block`` as :func:`unmarked` gives it."""
        return unmarked(self.text[block.start : block.end])
