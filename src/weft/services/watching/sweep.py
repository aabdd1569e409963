"""The sweep: a bounded look over what was learned and what is new, whose findings are written as suggestions."""

from __future__ import annotations

import math
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from weft.errors import Conflict, PermissionDenied, Unavailable
from weft.model import LearnedQuery, Page, SaveSuggestion, Tier, Watched
from weft.services.learned.conflicts import oppositions_of, suggested
from weft.services.learned.rating import Rating, carriers
from weft.services.planning import Plan, settle
from weft.services.relating import between
from weft.services.watching import suggesting
from weft.services.watching.drift import Drifting
from weft.services.watching.lapse import lapses
from weft.services.watching.newcomers import Newcomers
from weft.vocabulary import REASONABLE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from weft.model import Call, LearnedItem, Node, Suggestion, Tally
    from weft.ports import Upkeep
    from weft.services.learned.learn import LearnPorts

__all__ = ["CALLER", "EVENT", "Watching"]

CALLER: Final = "weft"
EVENT: Final = "swept"
"""Under which names it is noted when the last sweep was, and how far the log had come then."""

PAUSE: Final = timedelta(days=1)
"""How long the next sweep waits; a graph that did not change meanwhile is swept after ``PAUSE_IDLE``."""

PAUSE_IDLE: Final = timedelta(days=7)

ITEMS_MAX: Final = 200
"""Learned items that one sweep looks at: the next so many each day, and all again when it has been round."""

IDLE_WEAK: Final = timedelta(days=30)
IDLE_ANY: Final = timedelta(days=180)
"""After how long without use a weak item (strength under 0.70), or any, is asked about."""

_EACH_MAX: Final = 10  # suggestions of a kind


class Watching:
    """Watches over learned knowledge. It suggests, and changes nothing else."""

    def __init__(self, ports: LearnPorts, *, upkeep: Upkeep) -> None:
        self._ports = ports
        self._upkeep = upkeep
        self._rating = Rating(store=ports.store, learned=ports.learned, usage=ports.usage)
        self._drifting = Drifting(store=ports.store, vectors=ports.vectors, embedder=ports.embedder)
        self._newcomers = Newcomers(store=ports.store, vectors=ports.vectors, calibration=ports.embedder.calibration)
        self._swept_at: datetime | None = None

    def sweep_if_due(self, call: Call) -> Watched | None:
        """Sweep, at most once a day and only what may have changed; None where it was not due or not possible.

        A reader never sweeps, for it would write. Of all processes on a graph one sweeps, and nobody waits for it. What
        hinders a sweep hinders nothing else.
        """
        if call.tier < Tier.CONTRIBUTOR or not self._due(call):
            return None
        try:
            with self._upkeep.claimed(EVENT) as ours:
                return self._swept(call) if ours else None
        except (Conflict, PermissionDenied, Unavailable):
            return None

    def _swept(self, call: Call) -> Watched | None:
        """Sweep unless another has done that while it was asked whether it is due."""
        if not self._due(call):
            return None
        self._swept_at = call.at
        return self.sweep(call)

    def sweep(self, call: Call) -> Watched:
        """Look over the next 200 learned items and the newest 200 nodes, and suggest what is found, in one batch.

        Drift of what its ends were changed under, ends that were superseded, refuted or forgotten, contradictions
        between what was learned and what else is known of the same nodes, items that are weak or of no use, and up to
        five bridges. The same finding is written once.

        Raises:
            PermissionDenied: the tier is below contributor.
            Unavailable: evidence could not be embedded.
        """
        made = replace(call, tool="watch", receipt=None, progress=None)
        items, total = self._items(made)
        found = {
            "drift": [*lapses(self._ports.store, items, self._nodes(items), made), *self._drift(items, made)],
            "conflicts": self._opposed(items, made),
            "weak": self._idle(items, made),
            "bridges": self._newcomers.found(made),
        }
        before = self._ports.store.counts().suggestions_open
        operations = tuple(SaveSuggestion(suggestion=each) for kind in found.values() for each in kind[:_EACH_MAX])
        batch = settle(self._ports.store, made, lambda batch: Plan(operations=operations, answer=batch, subjects=()))
        self._note(call)
        return Watched(
            looked_at=len(items),
            learned=total,
            drift=len(found["drift"]),
            conflicts=len(found["conflicts"]),
            weak=len(found["weak"]),
            bridges=len(found["bridges"]),
            suggested=self._ports.store.counts().suggestions_open - before,
            batch=batch if operations else "",
        )

    def _due(self, call: Call) -> bool:
        usage = self._ports.usage
        if self._swept_at is not None and call.at - self._swept_at < PAUSE:
            return False
        if usage.noted(caller=CALLER, event=EVENT, since=call.at - PAUSE):
            return False
        last = usage.noted(caller=CALLER, event=EVENT, since=call.at - PAUSE_IDLE)
        return last[:1] != (str(self._ports.log.head()),)

    def _note(self, call: Call) -> None:
        head = str(self._ports.log.head())
        self._ports.usage.note(caller=CALLER, event=EVENT, subject=head, at=call.at)
        self._swept_at = call.at

    def _items(self, call: Call) -> tuple[tuple[LearnedItem, ...], int]:
        """Return today's learned items, and how many there are in all."""
        total = self._ports.learned.find(LearnedQuery(page=Page(limit=1))).total
        pages = max(1, math.ceil(total / ITEMS_MAX))
        page = Page(limit=ITEMS_MAX, offset=call.at.toordinal() % pages * ITEMS_MAX)
        return self._ports.learned.find(LearnedQuery(page=page)).items, total

    def _drift(self, items: Sequence[LearnedItem], call: Call) -> list[Suggestion]:
        return self._drifting.standing(items, self._nodes(items), call)

    def _nodes(self, items: Sequence[LearnedItem]) -> Mapping[str, Node]:
        ends = {end for item in items for each in item.relations for end in (each.source, each.target)}
        return self._ports.store.nodes(sorted(ends))

    def _opposed(self, items: Sequence[LearnedItem], call: Call) -> list[Suggestion]:
        made: list[Suggestion] = []
        for item in items:
            for relation in item.relations[:1]:
                joined = between(self._ports.store, relation.source, relation.target)
                found = oppositions_of(self._ports.store, item, joined)
                made += suggested(item.learned_id, (relation.source, relation.target), found, call)
                made += [suggesting.opposed(item, each, call) for each in found if not each.relation.learned_id]
        return made

    def _idle(self, items: Sequence[LearnedItem], call: Call) -> list[Suggestion]:
        old = [item for item in items if item.evidence and call.at - item.evidence.created_at >= IDLE_WEAK]
        uses = self._ports.usage.uses(sorted({end for item in old for end in carriers(item)}))
        since = {item.learned_id: _last_use(item, uses) for item in old}
        unused = [item for item in old if call.at - since[item.learned_id] >= IDLE_WEAK]
        tallies = self._rating.tallies(unused)
        return [
            suggesting.idle(item, tallies[item.learned_id], since[item.learned_id], call)
            for item in sorted(unused, key=lambda item: tallies[item.learned_id].strength)
            if _is_of_no_use(tallies[item.learned_id], call.at - since[item.learned_id])
        ]


def _last_use(item: LearnedItem, uses: Mapping[str, tuple[int, datetime]]) -> datetime:
    """Return when the item was last of use: who goes over a bridge uses both its ends."""
    made = item.evidence.created_at if item.evidence else item.relations[0].created_at
    return max(made, min((uses[end][1] if end in uses else made for end in carriers(item)), default=made))


def _is_of_no_use(tally: Tally, idle: timedelta) -> bool:
    return idle >= IDLE_ANY or (tally.strength < REASONABLE and idle >= IDLE_WEAK)
