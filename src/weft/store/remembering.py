"""The memory of use, wherever it lies: what waits to be written, and who writes it.

Readers write it too, so it lies outside the graph's transactions and tiers, and it never stands in the way: what is to
be written waits in memory, and a thread of its own writes it a moment later, much at once. Whoever asks has what waits
written first. When its place fails for good, a hint is lost, no more.
"""

from __future__ import annotations

import sys
import threading
from collections import deque
from contextlib import suppress
from dataclasses import asdict, fields
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeAlias, TypeVar
from weakref import ref

from weft.errors import Unavailable, WeftError
from weft.model import AuditEntry, HintCount
from weft.model.codec import json_text, time_from, time_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from datetime import datetime

__all__ = ["AUDITED_MAX", "WAIT_S", "Place", "Rows", "Slate", "Step", "UsageMemory"]

WAIT_S = 0.02
"""How long a call waits for the place of the memory, at most twice."""

AUDITED_MAX = 10_000
"""Calls of audited tools that are kept, the newest."""

_GATHER_S = 0.1
_AGAIN_MAX_S = 5.0
_PENDING_MAX = 10_000
_PENDING_MANY = 5_000
_NOTED_MAX = 200
_FOLDS_MAX = 50
_TEXT_BLANKS = ("usage_key_blank", "usage_caller_blank", "usage_offers_let_go")
_PEOPLE_BLANKS = ("usage_actor_blank", "usage_client_blank")

T = TypeVar("T")
Rows: TypeAlias = "list[tuple[Any, ...]]"


class Step(NamedTuple):
    """One statement to be run when the place is free."""

    name: str
    values: dict[str, Any]


class Slate(Protocol):
    """The place of the memory, in hand for a moment."""

    def write(self, steps: Sequence[Step]) -> None:
        """Run these steps, all or none.

        Raises:
            WeftError: none was run; where it is Unavailable, they may be later.
        """
        ...

    def read(self, name: str, values: Mapping[str, Any]) -> Rows:
        """Return the rows of the query ``name``.

        Raises:
            Unavailable: it cannot be read now.
        """
        ...


class Place(Protocol):
    """Where a memory of use lies. Safe for threads."""

    def use(self, work: Callable[[Slate], T], otherwise: T) -> T:
        """Return what ``work`` makes of the slate, or ``otherwise`` where that is not to be had soon.

        ``work`` runs once, later, or never.
        """
        ...

    def damage(self) -> str:
        """Return what is wrong with the place; empty: nothing, or it is not there."""
        ...

    def fold(self) -> bool:
        """Take what was let go out of the place for good, and return whether nothing of it is left."""
        ...

    def renew(self) -> None:
        """Begin with an empty place."""
        ...

    def close(self, last: Callable[[Slate], None] | None) -> None:
        """Do what is under way and then ``last``, if that does not take long, and be used no more."""
        ...


class UsageMemory:
    """The :class:`weft.ports.Usage` of a graph, and what tools and upkeep ask of it. Safe for threads and processes.

    No call waits 50 ms. Another process sees what is written here a tenth of a second later.
    """

    def __init__(self, place: Place) -> None:
        self._place = place
        self._lock = threading.Lock()
        self._pending: deque[Step] = deque(maxlen=_PENDING_MAX)
        self._under_way: tuple[Step, ...] = ()
        self._waiting = threading.Event()
        self._closing = threading.Event()
        self._writing: threading.Thread | None = None

    def touch(self, ids: Sequence[str], *, at: datetime) -> None:
        """Count one use of each of these nodes."""
        moment = time_text(at)
        self._remember([Step("usage_touch", {"node": id_, "at": moment}) for id_ in ids])

    def uses(self, ids: Sequence[str]) -> Mapping[str, tuple[int, datetime]]:
        """Return how often and when last each of these nodes was used; unused ones are left out."""
        rows = self._asked("usage_uses", ids=list(ids))
        return {node: (count, time_from(last)) for node, count, last in rows}

    def restore(self, uses: Mapping[str, tuple[int, datetime]]) -> None:
        """Take over what another memory knew of these nodes; where both know something, the larger counts."""
        known = ({"node": node, "count": count, "at": time_text(last)} for node, (count, last) in uses.items())
        self._remember([Step("usage_restore", values) for values in known])

    def note(self, *, caller: str, event: str, subject: str, at: datetime) -> None:
        """Remember that ``caller`` did ``event`` about ``subject``."""
        values = {"caller": caller, "event": event, "subject": subject, "at": time_text(at)}
        self._remember([Step("usage_note", values), Step("usage_count", {"event": event})])

    def noted(self, *, caller: str, event: str, since: datetime) -> tuple[str, ...]:
        """Return the subjects of ``event`` by ``caller`` since then, newest first, 200 at most."""
        key, moment = {"caller": caller, "event": event}, time_text(since)
        waiting = (*tuple(self._pending), *self._under_way)
        found: dict[str, str] = dict(self._asked("usage_noted", since=moment, limit=_NOTED_MAX, **key))
        for step in waiting:
            if step.name == "usage_note" and key.items() <= step.values.items() and step.values["at"] >= moment:
                subject = step.values["subject"]
                found[subject] = max(found.get(subject, ""), step.values["at"])
        return tuple(sorted(found, key=lambda subject: found[subject], reverse=True))[:_NOTED_MAX]

    def tallies(self) -> Mapping[str, int]:
        """Return how often each event happened, over all callers."""
        return dict(self._asked("usage_tallies"))

    def offered(self, *, caller: str, after: str, hints: Sequence[str], at: datetime) -> None:
        """Remember that ``caller`` was given these hints (tools, or keys of prerequisites) by the tool ``after``."""
        given = {"caller": caller, "after": after, "at": time_text(at)}
        self._remember([Step("usage_hint_offer", {**given, "hint": hint}) for hint in hints])

    def did(self, *, caller: str, hints: Sequence[str], since: datetime) -> None:
        """Count the hints that ``caller`` was given since then and has followed now, by doing what they offered."""
        values = {"caller": caller, "hints": list(hints), "since": time_text(since)}
        self._remember([Step("usage_hint_followed", values), Step("usage_hint_taken", values)])

    def hints(self, *, since: datetime) -> tuple[HintCount, ...]:
        """Return how often each hint was followed and ignored; one that is older than ``since`` was ignored."""
        values = {"since": time_text(since)}
        self._remember([Step("usage_hint_ignored", values), Step("usage_hint_expired", values)])
        return tuple(
            HintCount(after=after, hint=hint, followed=int(followed), ignored=int(ignored), open=int(left))
            for after, hint, followed, ignored, left in self._asked("usage_hints")
        )

    def audit(self, entry: AuditEntry) -> None:
        """Keep a call of an audited tool, done or refused."""
        self._remember([Step("usage_audit", {**asdict(entry), "at": time_text(entry.at)})])

    def audits(self, *, limit: int) -> tuple[AuditEntry, ...]:
        """Return the newest calls of audited tools, newest first."""
        names = [each.name for each in fields(AuditEntry)]
        rows = (dict(zip(names, row, strict=True)) for row in self._asked("usage_audits", limit=limit))
        return tuple(AuditEntry(**{**row, "at": time_from(row["at"])}) for row in rows)

    def damage(self) -> str:
        """Return what is wrong with the place of the memory; empty: nothing, or it is not there."""
        self._write()
        return self._place.damage()

    def erase(self, texts: Sequence[str], *, node: str, people: Sequence[str] = ()) -> None:
        """Let go of a node, of what callers looked for, and of what was recorded with one of ``texts`` in it.

        Who called, and through what, is let go where it holds one of ``people``.
        """
        steps = [Step("usage_let_go", {"node": node}), Step("usage_notes_let_go", {})]
        steps += [Step("usage_audit_blank", {"text": text, "quoted": json_text(text)[1:-1]}) for text in texts]
        steps += [Step(name, {"text": text}) for text in texts for name in _TEXT_BLANKS]
        steps += [Step(name, {"text": text}) for text in people for name in _PEOPLE_BLANKS]
        self._remember(steps)

    def fold(self) -> bool:
        """Take what was let go out of the place for good, and return whether nothing of it is left."""
        for _ in range(_FOLDS_MAX):
            self._write()
            if not self._pending and not self._under_way:
                return self._place.fold()
            self._closing.wait(WAIT_S)
        return False

    def renew(self) -> None:
        """Begin with an empty memory."""
        self._place.renew()

    def close(self) -> None:
        """Write what waits, if the place is free, and close it."""
        self._closing.set()
        self._waiting.set()
        if self._writing is not None and self._writing is not threading.current_thread():
            self._writing.join()
        self._place.close(self._written if self._pending else None)

    def __del__(self) -> None:
        if not self._closing.is_set() and not sys.is_finalizing():  # threads do not end where the process does
            self.close()

    def _remember(self, steps: list[Step]) -> None:
        """Have these steps written soon; at once where so many wait that the next ones might push some out."""
        self._pending.extend(steps)
        if len(self._pending) > _PENDING_MANY:
            self._write()
        elif not self._waiting.is_set():
            self._waiting.set()
            if self._writing is None:
                self._start()

    def _start(self) -> None:
        with self._lock:
            if self._writing is None and not self._closing.is_set():
                events = (self._waiting, self._closing)
                self._writing = threading.Thread(target=_write_often, args=(ref(self), *events), daemon=True)
                self._writing.name = "weft-usage"
                self._writing.start()

    def write_again(self, pause_s: float) -> float:
        """Write what waits, and return after how many seconds to look again; ``pause_s`` is what was waited now.

        What cannot be written is tried again, less and less often.
        """
        self._write()
        if not self._pending:
            return _GATHER_S
        self._waiting.set()
        return min(2 * pause_s, _AGAIN_MAX_S)

    def _write(self) -> None:
        if self._pending:
            self._place.use(self._written, None)

    def _asked(self, name: str, **values: Any) -> Rows:  # noqa: ANN401 - what the engine binds
        return self._place.use(partial(self._answered, name, values), [])

    def _answered(self, name: str, values: Mapping[str, Any], slate: Slate) -> Rows:
        self._written(slate)
        return slate.read(name, values)

    def _written(self, slate: Slate) -> None:
        """Write what waits; what cannot be written now waits on, and what never can be is let go."""
        waiting = self._under_way = tuple(self._drained())
        if not waiting:
            return
        try:
            slate.write(waiting)
        except Unavailable:
            self._pending.extendleft(reversed(waiting))
        except WeftError:  # one of them cannot be kept; the others can
            for step in waiting:
                with suppress(WeftError):
                    slate.write([step])
        finally:
            self._under_way = ()

    def _drained(self) -> Iterator[Step]:
        """Take what waits, one step at a time: other threads may add to it meanwhile, and nothing of theirs is lost."""
        with suppress(IndexError):
            while True:
                yield self._pending.popleft()


def _write_often(memory: ref[UsageMemory], waiting: threading.Event, closing: threading.Event) -> None:
    """Write what waits, a moment after the first of it came, until the memory is closed or nobody knows it any more."""
    pause_s = _GATHER_S
    while not closing.is_set():
        waiting.wait()
        closing.wait(pause_s)
        waiting.clear()
        if (found := memory()) is None:
            return
        pause_s = found.write_again(pause_s)
        del found
