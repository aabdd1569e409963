"""Calls that wait for a worker, taken in turns of those who ask: nobody waits behind all that another one asked for.

Who asks is known where a request comes in, and its work is begun far below that. So it is noted beside the request, in
its context, which MCP hands on with each message.
"""

from __future__ import annotations

import threading
from collections import Counter, deque
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["Turns", "asked_by", "who_asks"]

T = TypeVar("T")
_asking: ContextVar[str] = ContextVar("weft_asking", default="")


@contextmanager
def asked_by(who: str) -> Iterator[None]:
    """Have what is begun in the block wait in the turns of ``who``: a credential's owner, or an address."""
    token = _asking.set(who)
    try:
        yield
    finally:
        _asking.reset(token)


def who_asks() -> str:
    """Return whose turns what is begun here waits for; empty: the server's own."""
    return _asking.get()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Call(Generic[T]):
    who: str
    work: Callable[[], T]
    answer: Future[T] = field(default_factory=Future)

    def run(self) -> None:
        if not self.answer.set_running_or_notify_cancel():
            return
        try:
            result = self.work()
        except BaseException as error:  # noqa: BLE001 - whoever waits for the answer is told
            self.answer.set_exception(error)
            del self  # the error keeps this frame, which would keep the error
        else:
            self.answer.set_result(result)


class Turns:
    """At most ``workers`` calls at once, in threads, and ``each`` of one asker. Safe for threads.

    Of those who wait, the one whose last turn is the longest ago is next, with the oldest of its calls. So a single
    call waits for at most one of each other asker's; and where ``each`` is less than ``workers``, one asker alone
    makes nobody wait, however long its calls take.
    """

    def __init__(self, workers: int, *, each: int) -> None:
        self._pool = ThreadPoolExecutor(workers, thread_name_prefix="weft-call")
        self._each = each
        self._free = workers
        self._running: Counter[str] = Counter()
        self._waiting: dict[str, deque[_Call[Any]]] = {}
        self._lock = threading.Lock()

    @property
    def waiting(self) -> int:
        """How many calls wait for a worker."""
        with self._lock:
            return sum(map(len, self._waiting.values()))

    def submit(self, who: str, work: Callable[[], T]) -> Future[T]:
        """Have ``work`` done when it is the turn of ``who``; cancelled before that, it is forgotten at once."""
        call = _Call(who=who, work=work)
        with self._lock:
            self._waiting.setdefault(who, deque()).append(call)
            begun = self._begun()
        if begun is not None:
            self._pool.submit(self._work, begun)
        if begun is not call:
            call.answer.add_done_callback(partial(self._forget, who))
        return call.answer

    def _work(self, call: _Call[Any] | None) -> None:
        while call is not None:
            call.run()
            with self._lock:
                self._free += 1
                self._running -= Counter([call.who])
                call = self._begun()

    def _begun(self) -> _Call[Any] | None:
        """Return the call whose turn it is, and count it as running; None: there is none, or no worker for it."""
        who = next((who for who in self._waiting if self._running[who] < self._each), None) if self._free else None
        if who is None:
            return None
        calls = self._waiting.pop(who)
        call = calls.popleft()
        if calls:
            self._waiting[who] = calls
        self._free -= 1
        self._running[who] += 1
        return call

    def _forget(self, who: str, answer: Future[Any]) -> None:
        if not answer.cancelled():
            return
        with self._lock:
            left = deque(call for call in self._waiting.get(who, ()) if call.answer is not answer)
            if left:
                self._waiting[who] = left
            else:
                self._waiting.pop(who, None)
