"""The tags of what a document says: those that its front matter names, and those that stand in its text."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from weft.formats.tags import inline_tags, with_tags

if TYPE_CHECKING:
    from collections.abc import Sequence

    from weft.model import Node
    from weft.reason.extract import Draft
    from weft.services.ingest.given import Given

__all__ = ["tagged", "written"]


def tagged(given: Given, drafts: Sequence[Draft]) -> tuple[Draft, ...]:
    """Return ``drafts`` with the tags that stand in the text of each, where the document was written as Markdown.

    Of the document and its parts that is the whole text, of what it states the words that were quoted.
    """
    if not given.is_markdown:
        return tuple(drafts)
    return tuple(
        replace(draft, tags=with_tags(draft.tags, inline_tags(_text(draft, whole=place == 0))))
        for place, draft in enumerate(drafts)
    )


def written(given: Given, node: Node) -> tuple[str, ...]:
    """Return the tags that stand in the text of ``node`` now, where that is of a document written as Markdown."""
    return inline_tags(node.content) if given.is_markdown else ()


def _text(draft: Draft, *, whole: bool) -> str:
    return draft.content if whole or draft.rule == "part" else draft.quote
