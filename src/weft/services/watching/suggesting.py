"""The suggestions that watching makes, each kind worded once. Accepting most of them only records that they were seen.

A ``dedup`` says what the finding is about: the same one is asked once, however often it is found again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from weft.model import SuggestionKind
from weft.reason.compare import leap
from weft.services.learned.conflicts import CONFLICT_SCORE
from weft.services.suggesting import suggestion

if TYPE_CHECKING:
    from datetime import datetime

    from weft.model import Call, LearnedItem, Node, Relation, Suggestion, Tally
    from weft.services.learned.conflicts import Opposition

__all__ = ["RULE", "bridge", "drifted", "idle", "lapsed", "opposed"]

RULE: Final = "bridge_candidate"
"""The rule under which a relation is kept that came up by itself and was accepted."""

_IDLE_SCORE: Final = 0.3
_DIGITS: Final = 4


def drifted(
    relation: Relation,
    node: Node,
    side: tuple[float, float],
    mean: tuple[float | None, float | None],
    call: Call,
) -> Suggestion:
    """Return the question whether what was learned holds: its evidence's likeness to ``node`` fell.

    ``side`` is that likeness when the item was made and now, ``mean`` that over all ends, where ``node`` counts in it.
    """
    was, now = side
    level = leap((now,)).level
    return suggestion(
        call,
        kind=SuggestionKind.DRIFT,
        dedup=f"drift:{relation.learned_id}:{node.id}:{level}",
        subjects=(relation.source, relation.target),
        summary=(
            f"The text of «{node.title}» changed: the evidence of {relation.learned_id} is now {now:.2f} like it, "
            f"{was:.2f} when it was made. The {relation.type} may not hold any more."
        ),
        grounds={
            "relation": relation.id,
            "learned_id": relation.learned_id,
            "changed": node.id,
            "similarity_was": round(was, _DIGITS),
            "similarity": round(now, _DIGITS),
            "leap_was": leap((was,)).level,
            "leap": level,
            **_means(mean),
        },
        score=round(was - now, _DIGITS),
    )


def _means(mean: tuple[float | None, float | None]) -> dict[str, float]:
    names = zip(("mean_was", "mean"), mean, strict=True)
    return {name: round(value, _DIGITS) for name, value in names if value is not None}


def opposed(item: LearnedItem, found: Opposition, call: Call) -> Suggestion:
    """Return the question which holds: a learned item, or a relation of other origin that speaks against it."""
    other = found.relation
    return suggestion(
        call,
        kind=SuggestionKind.CONFLICT,
        dedup=f"learned:{item.learned_id}:{other.id}",
        subjects=(other.source, other.target),
        summary=f"{item.learned_id} contradicts a relation of origin {other.origin.value}: {found.why}.",
        grounds={"learned_ids": [item.learned_id], "relation": other.id, "origin": other.origin.value},
        score=CONFLICT_SCORE,
    )


def lapsed(item: LearnedItem, rests_on: str, why: str, call: Call) -> Suggestion:
    """Return the question whether a learned item holds, since the node ``rests_on`` does not any more."""
    ends = dict.fromkeys(end for each in item.relations for end in (each.source, each.target))
    return suggestion(
        call,
        kind=SuggestionKind.DRIFT,
        dedup=f"lapsed:{item.learned_id}:{rests_on}",
        subjects=tuple(ends) or (rests_on,),
        summary=f"{item.learned_id} may not hold any more: {why}. Consider deleting it; dismiss this to keep it.",
        grounds={"learned_id": item.learned_id, "rests_on": rests_on},
        score=CONFLICT_SCORE,
    )


def idle(item: LearnedItem, tally: Tally, since: datetime, call: Call) -> Suggestion:
    """Return the question whether a learned item is worth keeping that nobody used since then."""
    ends = dict.fromkeys(end for each in item.relations for end in (each.source, each.target))
    days = (call.at - since).days
    return suggestion(
        call,
        kind=SuggestionKind.WEAK_BRIDGE,
        dedup=f"weak_bridge:{item.learned_id}",
        subjects=tuple(ends),
        summary=(
            f"{item.learned_id} has a strength of {tally.strength:.2f} and was not used for {days} days. "
            "Consider deleting it; dismiss this to keep it."
        ),
        grounds={
            "learned_id": item.learned_id,
            "strength": tally.strength,
            "unused_days": days,
            "uses": tally.uses,
            "votes": {"up": tally.up, "down": tally.down},
        },
        score=round(_IDLE_SCORE * (1.0 - tally.strength), _DIGITS),
    )


def bridge(one: Node, other: Node, similarity: float, call: Call) -> Suggestion:
    """Return the question whether two close nodes of two ontologies belong together; accepting relates them."""
    near = round(similarity, _DIGITS)
    why = f"close in meaning ({near:.2f}) across {one.ontology} and {other.ontology}"
    source, target = sorted((one.id, other.id))
    return suggestion(
        call,
        kind=SuggestionKind.BRIDGE,
        dedup=f"bridge:{source}:{target}",
        subjects=(one.id, other.id),
        summary=f"«{one.title}» ({one.ontology}) and «{other.title}» ({other.ontology}) may belong together: {why}.",
        grounds={"similarity": near, "leap": leap((similarity,)).level},
        proposal={
            "relate": {
                "source": one.id,
                "target": other.id,
                "type": "bridges",
                "reasoning": why[0].upper() + why[1:] + ".",
                "confidence": near,
                "rule": RULE,
                "scores": [["similarity", near]],
            }
        },
        score=near,
    )
