"""What was done lately, and by whom: the log read backwards, batch by batch."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from weft.errors import InvalidArgument, NotFound
from weft.identity import meant
from weft.model import (
    COUNTED_MAX,
    Action,
    BatchState,
    Deed,
    LogEntry,
    Logged,
    LoggedSubject,
    LogQuery,
    Page,
    Subject,
)
from weft.model.times import in_utc, just_before
from weft.services.drafting import refuse_outside
from weft.services.naming import resolve
from weft.services.recall.remaining import Remains, remaining
from weft.vocabulary import LIST_MAX

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from datetime import datetime

    from weft.model import Change, LoggedBatch, LogRequest, Node, Touched
    from weft.ports import Log, Shelf, Store

__all__ = ["LOOKED_MAX", "LOOKED_S", "READ_MAX", "ROUND_MAX", "SUBJECTS_SHOWN_MAX", "Telling"]

SUBJECTS_SHOWN_MAX: Final = 5
LOOKED_MAX: Final = 100_000
"""Positions of the log that one call walks over in search of batches; where that ends it, the answer says so."""

LOOKED_S: Final = 1.0
"""Seconds after which no further round begins: as long as a person's thought is not broken off (Nielsen 1993, chapter
5), and well beyond what :data:`LOOKED_MAX` takes where no rules hide anything."""

ROUND_MAX: Final = 10_000
"""Positions that are walked over at once; a batch that is larger is stepped over whole."""

READ_MAX: Final = 20_000
"""Changes of all batches of one page together; a page that would hold more is shorter."""

RELATIONS_MAX: Final = 1_000
"""Relations of one node whose batches are looked for, the strongest."""

_ERASE: Final = "erase"  # what it takes out no undo brings back
_TITLE_MAX: Final = 60  # characters of each end of a relation
_ORDER: Final = {subject: place for place, subject in enumerate(Subject)}


class Telling:
    """Reads the log for people. Every look has a bound, and says where the bound ended it.

    ``clock`` counts seconds.
    """

    def __init__(self, *, store: Store, shelf: Shelf, log: Log, clock: Callable[[], float] = time.monotonic) -> None:
        self._store = store
        self._shelf = shelf
        self._log = log
        self._clock = clock

    def log(self, request: LogRequest) -> Logged:
        """Return a page of the batches that ``request`` asks for, newest first.

        Raises:
            InvalidArgument: the limit lies outside 1..100, or ``before`` is no position.
            NotFound, Ambiguous: ``node`` names no node, or several; of a forgotten one the whole id names it.
        """
        refuse_outside(request.limit, 1, LIST_MAX, field="limit")
        if request.before is not None and request.before < 1:
            raise InvalidArgument(f"before must be a position in the log, 1 or more, got {request.before}.")
        query, left_out = self._query(request)
        found, lowest = self._found(query)
        page = _bounded(found[: request.limit])
        next_before, stopped_at = None, None
        if len(page) < len(found):
            next_before = page[-1].seq_last
        elif lowest > query.after + 1:
            next_before = lowest
            stopped_at = self._time_at(lowest) if len(page) < request.limit else None
        return Logged(entries=self._entries(page), next_before=next_before, stopped_at=stopped_at, left_out=left_out)

    def _query(self, request: LogRequest) -> tuple[LogQuery, str]:
        """Return what to look for, and what of it is not looked for. The query wants one batch more than the page."""
        end = self._log.head() if request.until is None else self._log.position(in_utc(request.until, field="until"))
        query = LogQuery(
            before=end + 1 if request.before is None else min(request.before, end + 1),
            after=0 if request.since is None else self._log.position(just_before(in_utc(request.since, field="since"))),
            limit=request.limit + 1,
            actor=request.actor,
            client=request.client,
            tool=request.tool,
            session=request.session,
        )
        return (query, "") if not request.node.strip() else self._about(query, request.node)

    def _about(self, query: LogQuery, reference: str) -> tuple[LogQuery, str]:
        node = self._named(reference)
        relations = self._store.relations((node.id,), per_node=RELATIONS_MAX)
        about = replace(query, node=node.id, subjects=(node.id, *(relation.id for relation in relations)))
        if len(relations) < RELATIONS_MAX:
            return about, ""
        total = self._shelf.relations_paged(Page(limit=1), node=node.id).total
        if total <= len(relations):
            return about, ""
        return (
            about,
            f"of {total} relations that stand at this node, only the {len(relations)} strongest are looked for",
        )

    def _named(self, reference: str) -> Node:
        try:
            return resolve(self._store, reference, field="node")
        except NotFound:
            wanted = meant(reference)
            gone = self._store.nodes((wanted,)).get(wanted)
            if gone is None:
                raise
            return gone

    def _found(self, query: LogQuery) -> tuple[list[LoggedBatch], int]:
        """Return the batches that were found, up to the query's limit, and the lowest position that was looked at."""
        if query.subjects:
            return list(self._log.batches(query)), query.after + 1
        found: list[LoggedBatch] = []
        floor, lowest, room = query.after + 1, query.before, LOOKED_MAX
        began = self._clock()
        while len(found) < query.limit and lowest > floor and room > 0:
            if lowest < query.before and self._clock() - began >= LOOKED_S:
                break
            upper, lowest = lowest, max(floor, lowest - min(ROUND_MAX, room))
            room -= upper - lowest
            wanted = replace(query, before=upper, after=lowest - 1, limit=query.limit - len(found))
            ahead = self._log.batches(wanted)
            found += ahead
            if ahead and ahead[-1].unbroken:
                lowest = max(floor, min(lowest, ahead[-1].seq_first))
        return found, lowest

    def _time_at(self, position: int) -> datetime | None:
        changes = self._log.since(position - 1, limit=1)
        return changes[0].at if changes else None

    def _entries(self, page: Sequence[LoggedBatch]) -> tuple[LogEntry, ...]:
        touched: dict[str, list[Touched]] = {each.batch: [] for each in page if each.changes <= COUNTED_MAX}
        counts = self._log.counted(list(touched)) if touched else {}
        for each in self._log.touched(list(touched)) if touched else ():
            touched[each.batch].append(each)
        shown = {batch: _foremost(subjects) for batch, subjects in touched.items()}
        told = self._told([each for subjects in shown.values() for each in subjects])
        lasting = {each.batch for each in page if each.tool == _ERASE}
        left = dict.fromkeys((each.batch for each in page), Remains(BatchState.UNKNOWN))
        left |= remaining(self._log, {batch: () if batch in lasting else each for batch, each in touched.items()})
        return tuple(
            LogEntry(
                batch=each,
                counts=tuple(sorted(counts.get(each.batch, ()), key=lambda count: _ORDER[count[0]])),
                subjects=tuple(told[one.batch, one.id] for one in shown.get(each.batch, ())),
                subjects_left_out=len(touched.get(each.batch, ())) - len(shown.get(each.batch, ())),
                state=left[each.batch].state,
                undone_by=left[each.batch].undone_by,
            )
            for each in page
        )

    def _told(self, shown: Sequence[Touched]) -> dict[tuple[str, str], LoggedSubject]:
        changes = {change.seq: change for change in self._log.at([each.last for each in shown])} if shown else {}
        lasts = [(each, changes[each.last]) for each in shown]
        ends = {end for each, change in lasts if each.subject is Subject.RELATION for end in _ends(change)}
        nodes = self._store.nodes(list(ends)) if ends else {}
        return {(each.batch, each.id): _subject(each, change, nodes) for each, change in lasts}


def _bounded(found: Iterable[LoggedBatch]) -> list[LoggedBatch]:
    """Return the first of these that hold no more than ``READ_MAX`` changes that are looked into; one at least."""
    page: list[LoggedBatch] = []
    room = READ_MAX
    for each in found:
        room -= each.changes if each.changes <= COUNTED_MAX else 0
        if page and room < 0:
            break
        page.append(each)
    return page


def _foremost(subjects: Iterable[Touched]) -> list[Touched]:
    """Return the subjects that say most of a batch: its nodes first, each kind of them in the order of the log."""
    return sorted(subjects, key=lambda each: (_ORDER[each.subject], each.first))[:SUBJECTS_SHOWN_MAX]


def _value(change: Change) -> Mapping[str, Any]:
    return change.after or change.before or {}


def _ends(change: Change) -> tuple[str, str]:
    return str(_value(change).get("source", "")), str(_value(change).get("target", ""))


def _subject(touched: Touched, change: Change, nodes: Mapping[str, Node]) -> LoggedSubject:
    source, target = _ends(change) if touched.subject is Subject.RELATION else ("", "")
    kinds = {Subject.NODE: "kind", Subject.RELATION: "type"}
    return LoggedSubject(
        id=touched.id,
        subject=touched.subject,
        deed=Deed.CREATE if touched.made and change.action is not Action.REMOVE else _deed(change),
        title=_TITLES[touched.subject](_value(change), nodes),
        kind=str(_value(change).get(kinds.get(touched.subject, ""), "")),
        source=source,
        target=target,
    )


def _deed(change: Change) -> Deed:
    if change.subject is Subject.NODE and change.before and change.after:
        was, is_now = change.before.get("retired"), change.after.get("retired")
        if bool(was) != bool(is_now):
            return Deed.RETIRE if is_now else Deed.RESTORE
    return Deed(change.action.value)


def _relation_title(value: Mapping[str, Any], nodes: Mapping[str, Node]) -> str:
    source, target = (_short(nodes[end].title if end in nodes else end) for end in (value["source"], value["target"]))
    return f"{source} –{value['type']}→ {target}"


def _short(title: str) -> str:
    return title if len(title) <= _TITLE_MAX else title[:_TITLE_MAX].rstrip() + "…"


_TITLES: Final[Mapping[Subject, Callable[[Mapping[str, Any], Mapping[str, Node]], str]]] = {
    Subject.NODE: lambda value, _: str(value["title"]),
    Subject.RELATION: _relation_title,
    Subject.SOURCE: lambda value, _: str(value["document"]),
    Subject.EVIDENCE: lambda value, _: f"«{' '.join(str(value['quote']).split())}»",
    Subject.SUGGESTION: lambda value, _: str(value["summary"]),
    Subject.VOTE: lambda value, _: f"{value['value']:+d} for {value['learned_id']}",
}
