"""What becomes of nodes and relations that their document states no more: they stay, and wait for a review."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from weft.model import (
    Page,
    SaveNode,
    SaveSuggestion,
    Status,
    SuggestionKind,
    SuggestionQuery,
    SuggestionState,
    Tier,
)
from weft.services.relating import touched
from weft.services.suggesting import closed, suggestion

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from weft.model import Call, Node, Operation, Relation, Source
    from weft.ports import Store

__all__ = ["marked", "said_again", "unsaid"]

_ASKED_MAX: Final = 500  # relations of one question
_ITEMS_MAX: Final = 50  # questions about one node that are looked through, decided or not
_VANISHED: Final = "vanished"
_AGAIN: Final = "its document says it again"
_NAMED_MAX: Final = 3  # relations that a question spells out


def marked(node: Node, source: Source, call: Call) -> tuple[Operation, ...]:
    """Return what marks ``node``, which rested on an earlier text of the document ``source``, as in need of review.

    Nothing is deleted: accepting the suggestion says that the node no longer holds, dismissing it keeps it.
    """
    after = touched(replace(node, status=Status.NEEDS_REVIEW), call)
    question = suggestion(
        call,
        kind=SuggestionKind.STALE,
        dedup=f"{_VANISHED}:{node.id}:{source.id}",
        subjects=(node.id,),
        summary=f"«{source.document}» does not say «{node.title}» any more.",
        grounds={"document": source.document, "source": source.id},
        proposal={
            "status": {"id": node.id, "status": Status.SUPERSEDED.value, "from": Status.NEEDS_REVIEW.value},
        },
        score=node.confidence,
    )
    return SaveNode(node=after, expect=node.version), SaveSuggestion(suggestion=question)


def said_again(store: Store, nodes: Iterable[Node], call: Call) -> Iterator[tuple[Node, tuple[SaveSuggestion, ...]]]:
    """Yield those of ``nodes`` that had vanished from a document and are said again, as they hold again.

    With each goes what closes the question about it; not for a caller who may not decide it, and then accepting it
    changes nothing.
    """
    for node in nodes:
        if node.status is Status.ACTIVE:
            continue
        query = SuggestionQuery(kinds=(SuggestionKind.STALE,), subject=node.id, state="", page=Page(limit=_ITEMS_MAX))
        asked = [each for each in store.suggestions(query)[0] if each.dedup.startswith(f"{_VANISHED}:{node.id}:")]
        held = {SuggestionState.OPEN: Status.NEEDS_REVIEW, SuggestionState.ACCEPTED: Status.SUPERSEDED}
        if not any(held.get(each.state) is node.status for each in asked):
            continue
        still = [each for each in asked if each.state is SuggestionState.OPEN and call.tier >= Tier.LIBRARIAN]
        ended = tuple(closed(each, SuggestionState.DISMISSED, call, why=_AGAIN) for each in still)
        yield touched(replace(node, status=Status.ACTIVE), call), ended


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
