"""What becomes of nodes and relations that their document states no more: they stay, and wait for a review."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from weft.model import SaveNode, SaveSuggestion, Status, SuggestionKind
from weft.services.relating import touched
from weft.services.suggesting import suggestion

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from weft.model import Call, Node, Operation, Relation, Source

__all__ = ["marked", "unsaid"]

_ASKED_MAX: Final = 500  # relations of one question
_NAMED_MAX: Final = 3  # relations that a question spells out


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


def unsaid(
    document: Node, relations: Sequence[Relation], nodes: Mapping[str, Node], source: Source, call: Call
) -> tuple[SaveSuggestion, ...]:
    """Return the one question whether ``relations``, which the text ``source`` states no more, are to go; of none none.

    ``nodes`` are their ends. Accepting removes those that the document has not stated again meanwhile.
    """
    if not relations:
        return ()
    asked = relations[:_ASKED_MAX]
    said = "; ".join(
        f"{_title(nodes, each.source)} {each.type.replace('_', ' ')} {_title(nodes, each.target)}"
        for each in asked[:_NAMED_MAX]
    )
    more = f"; and {len(relations) - _NAMED_MAX} more" if len(relations) > _NAMED_MAX else ""
    question = suggestion(
        call,
        kind=SuggestionKind.STALE,
        dedup=f"unsaid:{document.id}:{source.digest}",
        subjects=(document.id,),
        summary=f"«{source.document}» does not say any more: {said}{more}.",
        grounds={"document": source.document, "source": source.id},
        proposal={"unrelate": {"relations": [[each.source, each.target, each.type] for each in asked]}},
        score=max(each.confidence for each in relations),
    )
    return (SaveSuggestion(suggestion=question),)


def _title(nodes: Mapping[str, Node], id_: str) -> str:
    return f"«{nodes[id_].title}»" if id_ in nodes else id_
