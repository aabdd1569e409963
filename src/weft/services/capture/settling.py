"""Open questions that a new text settles: whether a node contradicts or repeats one that it does not any more."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from weft.model import Page, SuggestionKind, SuggestionQuery, SuggestionState, Tier
from weft.services.capture.comparing import JUDGED_MAX
from weft.services.suggesting import closed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from weft.model import Call, Node, SaveSuggestion, Suggestion
    from weft.ports import Store
    from weft.services.capture.comparing import Compared
    from weft.services.nearness import Neighbour

__all__ = ["guess", "settled", "told_kind"]

_ASKED_MAX: Final = 200  # open questions about one node that are looked through, the weightiest
_WHY: Final = "the text that it asks about was changed"
_NAMED: Final = "another kind was named"


def settled(
    store: Store, node: Node, near: Sequence[Neighbour], compared: Compared, call: Call
) -> tuple[SaveSuggestion, ...]:
    """Return what closes the open questions whether ``node`` contradicts or repeats what its new text does not.

    ``near`` are its nearest nodes and ``compared`` what was made of them: of one that is near and was not judged nobody
    knows. A caller who may not decide questions closes none.
    """
    if call.tier < Tier.LIBRARIAN:
        return ()
    found = {
        SuggestionKind.CONFLICT: {each.node.id for each in compared.conflicts},
        SuggestionKind.DUPLICATE: {each.id for each in compared.near_duplicates},
    }
    unjudged = {each.node.id for each in near[JUDGED_MAX:]}
    query = SuggestionQuery(kinds=tuple(found), subject=node.id, page=Page(limit=_ASKED_MAX))
    return tuple(
        closed(item, SuggestionState.DISMISSED, call, why=_WHY)
        for item in store.suggestions(query)[0]
        if (found[item.kind] | unjudged).isdisjoint(item.subjects)
    )


def guess(store: Store, node: Node) -> Suggestion | None:
    """Return the open question whether ``node`` is of the kind that it was taken for, or None."""
    query = SuggestionQuery(kinds=(SuggestionKind.CLASSIFICATION,), subject=node.id, page=Page(limit=1))
    return next(iter(store.suggestions(query)[0]), None)


def told_kind(asked: Suggestion, call: Call) -> tuple[SaveSuggestion, ...]:
    """Return what closes the question ``asked``, since another kind was named; for who may not decide it nothing."""
    return (closed(asked, SuggestionState.DISMISSED, call, why=_NAMED),) if call.tier >= Tier.LIBRARIAN else ()
