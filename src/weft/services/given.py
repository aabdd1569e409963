"""A document as it was handed in, and what the rules find in it."""

from __future__ import annotations

import hashlib
from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING

from weft.formats.markdown import parse
from weft.reason.extract import extract
from weft.services.parts import whole
from weft.services.stating import Quoted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from weft.reason.document import Document
    from weft.reason.extract import Draft, DraftRelation, Extracted

__all__ = ["Given", "Reading", "read"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """A document as it was handed in: its ``name`` and ``ontology`` together tell it from others."""

    name: str
    ontology: str
    text: str
    path: str = ""

    @property
    def digest(self) -> str:
        """The SHA-256, in hex, of the text."""
        return hashlib.sha256(self.text.encode()).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A document with what the rules found in it; ``starts`` are the places where its blocks begin."""

    given: Given
    document: Document
    found: Extracted
    starts: Sequence[int]

    def place(self, said: Draft | DraftRelation, source: str) -> Quoted:
        """Return where ``said`` stands in the text that is kept under the id ``source``."""
        paragraph = max(0, bisect_right(self.starts, said.start) - 1)
        return Quoted(source=source, paragraph=paragraph, start=said.start, end=said.end, quote=said.quote)


def read(given: Given) -> Reading:
    """Return what the rules find in a document.

    Raises:
        InvalidArgument: the text is too long to be read.
    """
    document = parse(given.text, name=given.name)
    starts = [block.start for block in document.blocks]
    return Reading(given=given, document=document, found=whole(extract(document), document), starts=starts)
