"""Documents longer than a node may be: what is left over becomes further nodes, so that every line can be found."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from weft.reason.extract import Draft, DraftRelation, Extracted
from weft.vocabulary import CONTENT_MAX

if TYPE_CHECKING:
    from weft.reason.document import Document

__all__ = ["whole"]

_QUOTE_MAX: Final = 2_000
_OVERLAP_MAX: Final = 2_000  # characters that are looked back over for a line's beginning to cut at


def whole(found: Extracted, document: Document) -> Extracted:
    """Return ``found`` with a draft for each further stretch of a text that one node cannot hold.

    The first node holds the beginning. Each part is part of the document; it begins at a line's beginning, so a little
    of the text before the cut may stand in both.
    """
    start = len(document.text) - len(document.text[document.body_start :].lstrip()) + CONTENT_MAX
    nodes, relations = list(found.nodes), list(found.relations)
    end = len(document.text.rstrip())
    while start < end:
        start = _line_start(document.text, start)
        stop = min(start + CONTENT_MAX, end)
        relations.append(_belonging(document, len(nodes), start))
        nodes.append(_part(document, found.nodes[0], len(nodes) - len(found.nodes) + 2, start, end=stop))
        start = stop
    return Extracted(nodes=tuple(nodes), relations=tuple(relations))


def _line_start(text: str, place: int) -> int:
    found = text.rfind("\n", place - _OVERLAP_MAX, place)
    return found + 1 if found >= 0 else place


def _part(document: Document, itself: Draft, number: int, start: int, *, end: int) -> Draft:
    quote = document.text[start : min(end, start + _QUOTE_MAX)]
    return Draft(
        kind=itself.kind,
        title=f"{itself.title} (part {number})",
        content=document.text[start:end],
        start=start,
        end=start + len(quote),
        quote=quote,
        tags=itself.tags,
        confidence=itself.confidence,
        rule="part",
    )


def _belonging(document: Document, index: int, start: int) -> DraftRelation:
    return DraftRelation(
        source_index=index,
        target_index=0,
        type="part_of",
        reasoning="The document is longer than one node may be.",
        quote=document.text[start : start + 1],
        start=start,
        end=start + 1,
        confidence=1.0,
        rule="stated_in",
    )
