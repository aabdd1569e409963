"""What becomes of nodes whose document says them no more: they stay, and wait for a review."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from weft.model import SaveNode, SaveSuggestion, Status, SuggestionKind
from weft.services.relating import touched
from weft.services.suggesting import suggestion

if TYPE_CHECKING:
    from weft.model import Call, Node, Operation, Source

__all__ = ["marked"]


def marked(node: Node, source: Source, call: Call) -> tuple[Operation, ...]:
    """Return what marks ``node``, which rested on an earlier text of the document ``source``, as in need of review.

    Nothing is deleted: accepting the suggestion says that the node no longer holds, dismissing it keeps it.
    """
    after = touched(replace(node, status=Status.NEEDS_REVIEW), call)
    question = suggestion(
        call,
        kind=SuggestionKind.STALE,
        dedup=f"vanished:{node.id}:{source.digest}",
        subjects=(node.id,),
        summary=f"«{source.document}» does not say «{node.title}» any more.",
        grounds={"document": source.document, "source": source.id},
        proposal={"status": {"id": node.id, "status": Status.SUPERSEDED.value}},
        score=node.confidence,
    )
    return SaveNode(node=after, expect=node.version), SaveSuggestion(suggestion=question)
