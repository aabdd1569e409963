"""A document as it was handed in, and what the rules find in it."""

from __future__ import annotations

import hashlib
from bisect import bisect_right
from dataclasses import dataclass, replace
from functools import partial
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final

from weft.formats.markdown import parse
from weft.formats.pdf import page_at, page_starts, without_pages
from weft.reason.extract import extract
from weft.services.documents import READABLE
from weft.services.ingest.parts import whole
from weft.services.ingest.stating import Quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from weft.model import Call
    from weft.reason.document import Document
    from weft.reason.extract import Draft, DraftRelation, Extracted
    from weft.vocabulary import Vocabulary

__all__ = ["Given", "Reading", "pausing", "read"]

_MARKDOWN: Final = (".md", ".markdown")


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """A document as it was handed in: its ``name`` and ``ontology`` together tell it from others.

    ``file`` is its name as its folder spells it (empty: as ``name``). ``problems`` say what of the file is not in the
    text, one sentence each.
    """

    name: str
    ontology: str
    text: str
    path: str = ""
    file: str = ""
    problems: tuple[str, ...] = ()

    @property
    def digest(self) -> str:
        """The SHA-256, in hex, of the text."""
        return hashlib.sha256(self.text.encode()).hexdigest()

    @property
    def is_markdown(self) -> bool:
        """Whether somebody wrote it as Markdown: its file says so, or it came from no file."""
        suffix = PurePosixPath(self.path or self.name).suffix.lower()
        return suffix in _MARKDOWN or (not self.path and suffix not in READABLE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A document with what was found in it; ``starts`` are the places where its blocks begin, ``pages`` its pages.

    A document without pages has none there. ``problems`` say what was not read, one sentence each. ``asked`` says that
    a model read it too.
    """

    given: Given
    document: Document
    found: Extracted
    starts: Sequence[int]
    pages: Sequence[int] = ()
    problems: tuple[str, ...] = ()
    asked: bool = False

    def place(self, said: Draft | DraftRelation, source: str) -> Quoted:
        """Return where ``said`` stands in the text that is kept under the id ``source``.

        Its paragraph is that of the text, counted from 0; in a text with pages it is the page, counted from 1.
        """
        paragraph = max(0, bisect_right(self.starts, said.start) - 1)
        if self.pages:
            paragraph = page_at(self.pages, said.start)
        return Quoted(source=source, paragraph=paragraph, start=said.start, end=said.end, quote=said.quote)


def pausing(call: Call) -> Callable[[], None]:
    """Return what long work on one document calls between its parts: there who asked may leave, by raising."""
    return _go_on if call.progress is None else partial(call.progress, 0, 0, "reading")


def read(given: Given, vocabulary: Vocabulary, *, between: Callable[[], None] | None = None) -> Reading:
    """Return what the rules find in a document; a kind that it gives itself is one that ``vocabulary`` knows.

    ``between`` is called between small parts of it, and may raise to end the reading.

    Raises:
        InvalidArgument: the text is too long to be read.
    """
    document = parse(given.text, name=given.name)
    found = whole(extract(document, vocabulary, between=between), document)
    pages = page_starts(given.text)
    problems = (*given.problems, *(f"line {each.line}: {each.message}" for each in document.problems))
    return Reading(
        given=given,
        document=document,
        found=_unpaged(found) if pages else found,
        starts=[block.start for block in document.blocks],
        pages=pages,
        problems=problems,
    )


def _go_on() -> None:
    """Nobody listens."""


def _unpaged(found: Extracted) -> Extracted:
    """Return ``found`` with the numbers of pages left out of the texts, though not of the quotes."""
    return replace(found, nodes=tuple(replace(each, content=without_pages(each.content)) for each in found.nodes))
