"""What people think of a learned item, and how strong it is for all that is known."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from weft import text
from weft.errors import InvalidArgument
from weft.model import Rated, SaveSuggestion, SaveVote, Tally, Vote
from weft.reason.strength import strength
from weft.services.learned.conflicts import contested, oppositions_of
from weft.services.learned.identifying import item_named
from weft.services.planning import Plan
from weft.services.relating import between
from weft.vocabulary import REASON_MAX

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from weft.model import Call, LearnedItem, Operation, Relation
    from weft.ports import Learned, Store, Usage

__all__ = ["VOTES", "Rating", "carriers"]

VOTES: Final = {"up": 1, "down": -1}


class Rating:
    """Counts votes, use and conflicts of learned items."""

    def __init__(self, *, store: Store, learned: Learned, usage: Usage) -> None:
        self._store = store
        self._learned = learned
        self._usage = usage

    def plan(self, reference: str, vote: str, reason: str, call: Call, batch: str) -> Plan[Rated]:
        """Return what writes the caller's vote, in place of the one they gave before.

        Where the votes come to oppose each other, the item waits in review.

        Raises:
            NotFound, Ambiguous: the item is not named.
            InvalidArgument: ``vote`` is neither up nor down, or nothing is left of the item but its concept.
        """
        if vote not in VOTES:
            raise InvalidArgument(f"vote must be {' or '.join(VOTES)}, got {vote[:60]!r}.")
        why = text.clean(reason, field="reason", limit=REASON_MAX).strip()
        item = item_named(self._store, self._learned, reference)
        if item.evidence is None:
            raise InvalidArgument(f"learned_id {item.learned_id}: only its concept is left, with nothing to vote on.")
        cast = Vote(learned_id=item.learned_id, actor=call.actor, value=VOTES[vote], reason=why, at=call.at)
        before = self._learned.votes((item.learned_id,)).get(item.learned_id, ())
        tally = self._tally(item, (*(each for each in before if each.actor != call.actor), cast), self._uses((item,)))
        operations: list[Operation] = [SaveVote(vote=cast)]
        if tally.contested:
            operations.append(SaveSuggestion(suggestion=contested(item, tally.up, tally.down, call)))
        answer = Rated(learned_id=item.learned_id, vote=vote, tally=tally, batch=batch)
        return Plan(operations=tuple(operations), answer=answer, subjects=(item.evidence.id,))

    def tallies(self, items: Sequence[LearnedItem]) -> dict[str, Tally]:
        """Return how each of these items is thought of, by learned id."""
        votes = self._learned.votes([item.learned_id for item in items])
        uses = self._uses(items)
        return {item.learned_id: self._tally(item, votes.get(item.learned_id, ()), uses) for item in items}

    def _tally(self, item: LearnedItem, votes: Sequence[Vote], uses: Mapping[str, tuple[int, datetime]]) -> Tally:
        up = sum(each.value > 0 for each in votes)
        down = len(votes) - up
        conflicts = len(oppositions_of(self._store, item, self._joined(item)))
        used = min((uses[node][0] if node in uses else 0 for node in carriers(item)), default=0)
        similarity = item.evidence.similarity if item.evidence is not None else None
        value = strength(similarity=similarity or 0.0, uses=used, up=up, down=down, conflicts=conflicts)
        return Tally(up=up, down=down, strength=round(value, 4), conflicts=conflicts, uses=used)

    def _joined(self, item: LearnedItem) -> tuple[Relation, ...]:
        if item.concept is not None or not item.relations:
            return ()
        return between(self._store, item.relations[0].source, item.relations[0].target)

    def _uses(self, items: Sequence[LearnedItem]) -> Mapping[str, tuple[int, datetime]]:
        return self._usage.uses(sorted({node for item in items for node in carriers(item)}))


def carriers(item: LearnedItem) -> tuple[str, ...]:
    """Return the nodes whose use counts as the item's: its concept, else both ends, of which the less used counts."""
    if item.concept is not None:
        return (item.concept.id,)
    return tuple(dict.fromkeys(end for each in item.relations for end in (each.source, each.target)))
