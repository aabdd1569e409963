"""Calls that are ready to be made: what records a bridge that was noticed, and a verdict that is left to the caller."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from weft.tools import rendering
from weft.tools.rendering import Body, clip

if TYPE_CHECKING:
    from weft.model import BridgeHint, Challenged, ClaimSide

__all__ = ["bridge", "verdict"]

QUERY_SHOWN: Final = 120  # characters of a query that a reasoning repeats
_UNDECIDED: Final = {"contradicts": "contradicts", "supports": "supported_by"}  # and as the claim sees it


def bridge(hint: BridgeHint, query: str) -> Body:
    """Return the call that relates the two ends of a hint; its reasoning says how they came up (by ``query``)."""
    asked = f"for «{clip(query, QUERY_SHOWN)}»" if query else "among the newest"
    found = f"«{hint.one.title}» and «{hint.other.title}» came up together {asked}, and"
    ends = {"source": hint.one.id, "target": hint.other.id, "type": "bridges"}
    reasoning = f"{found} their texts lie at a similarity of {hint.similarity:.2f}."
    return {"tool": "relate", "arguments": {**ends, "reasoning": reasoning}}


def verdict(row: ClaimSide, result: Challenged) -> Body:
    """Return the call that records how a node stands to the claim, by the likelier of the verdicts ``type_choices``.

    What speaks for the claim or against it is the node. A claim that is captured with it sees that from its own end.
    """
    reasoning, likelier = "Judged by reading both texts.", rendering.likelier(row)
    if result.claim_node is not None:
        ends = {"source": row.node.id, "target": result.claim_node.id, "type": likelier, "reasoning": reasoning}
        return {"tool": "relate", "arguments": ends, "type_choices": tuple(_UNDECIDED)}
    wish = {"type": _UNDECIDED[likelier], "target": row.node.id, "reasoning": reasoning}
    arguments = {"content": result.claim, "kind": "claim", "relations": [wish]}
    return {"tool": "capture", "arguments": arguments, "type_choices": tuple(_UNDECIDED.values())}
