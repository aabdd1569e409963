"""What a forked child comes by of the graphs that its parent has open, and lets go of before it does anything else.

The engine keeps in the memory of a process which locks that process holds. A forked child has the memory and none of
the locks: it would take a file that its parent has open for one that it holds itself, and what it wrote there would be
gone as soon as the parent closes the file (https://sqlite.org/howtocorrupt.html §2.6). What other threads held when
the process was forked nobody gives back in the child. So a fork waits until no call of the engine is under way, and
the child closes what it came by; then it may open the same file like any other process. A child of a process in which
a call went on and on uses the engine no more, and is told so.
"""

from __future__ import annotations

import os
import threading
import time
from typing import TYPE_CHECKING, Final, Protocol
from weakref import WeakSet

from weft.errors import Unavailable

if TYPE_CHECKING:
    from types import TracebackType

__all__ = ["EngineCall", "Held", "let_go_in_child", "refuse_child", "spoilt"]

_PATIENCE_S: Final = 2.0  # that a fork waits for calls under way: far above any but a backup's or a fold's
_POLL_S: Final = 0.0005


class Held(Protocol):
    """Something of this process that no child of it may go on with."""

    def let_go(self) -> None:
        """Give it up in the child, and leave the parent's as it is; does not raise."""
        ...


class _Forks:
    """The forks of this process: who is in a call, and what its children are to let go of."""

    def __init__(self) -> None:
        self.held: WeakSet[Held] = WeakSet()
        self.calling: dict[EngineCall, int] = {}  # with the thread that each is of
        self.spoilt = False
        self._kept: list[Held] = []
        self._begin()

    def _begin(self) -> None:
        self.under_way = 0
        self.over = threading.Event()
        self.over.set()

    def before(self) -> None:
        """Hold new calls off, and wait for those that other threads are in."""
        self.over.clear()
        self.under_way += 1
        until = time.monotonic() + _PATIENCE_S
        while self._others() and time.monotonic() < until:
            time.sleep(_POLL_S)

    def enter(self, call: EngineCall) -> None:
        """Count ``call`` in, once no fork is under way; a thread that a fork waits for is let go on."""
        me = threading.get_ident()
        self.calling[call] = me
        while self.under_way and list(self.calling.copy().values()).count(me) == 1:
            del self.calling[call]
            self.over.wait()
            self.calling[call] = me

    def _others(self) -> bool:
        me = threading.get_ident()
        return any(thread != me for thread in self.calling.copy().values())

    def in_parent(self) -> None:
        """Go on."""
        self.under_way -= 1
        if not self.under_way:
            self.over.set()

    def in_child(self) -> None:
        """Let go of all there is; where somebody was in a call, of all but the engine's own, which stay as they are."""
        self._begin()
        self.spoilt = self.spoilt or bool(self.calling)
        self._kept = [*self._kept, *self.held]
        for held in self._kept:
            held.let_go()
        if not self.spoilt:
            self._kept.clear()


_FORKS: Final = _Forks()

if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_FORKS.before, after_in_parent=_FORKS.in_parent, after_in_child=_FORKS.in_child)


class EngineCall:
    """A call of the engine, or several that belong together, as a block; it may be entered again within.

    Entering waits while the process is being forked. Used by one thread at a time.

    Raises:
        Unavailable: this process was forked in the midst of somebody's call.
    """

    __slots__ = ("_depth",)

    def __init__(self) -> None:
        if _FORKS.spoilt:
            raise Unavailable(
                "This process was forked while its parent was using a graph.",
                hint="Start it by multiprocessing's «spawn» or «forkserver», or fork while no call is under way.",
            )
        self._depth = 0

    def __enter__(self) -> None:
        if not self._depth:
            _FORKS.enter(self)
        self._depth += 1

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._depth -= 1
        if not self._depth:
            del _FORKS.calling[self]


def spoilt() -> bool:
    """Return whether this process must not use the engine: it was forked in the midst of somebody's call."""
    return _FORKS.spoilt


def let_go_in_child(held: Held) -> None:
    """Have every child of this process let go of ``held``, which is not kept alive by this."""
    _FORKS.held.add(held)


def refuse_child(process: int) -> None:
    """Refuse what belongs to another process than ``process``.

    Raises:
        Unavailable: this one was forked from it.
    """
    if os.getpid() != process:
        raise Unavailable("The graph was opened before this process was forked.", hint="Open it again here.")
