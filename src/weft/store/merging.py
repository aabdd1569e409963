"""Full text kept in few pieces: every commit leaves one behind, and a look-up asks them all.

FTS5 merges pieces while it writes, four of a size at a time, so that some fifteen lie side by side at 5,000 texts, and
each word of a query and each name is looked for in all of them. So pieces are merged further while nobody writes: two
of a size are enough then, in steps of a few milliseconds. Of a search over 5,183 abstracts this takes off a sixth.
"""

from __future__ import annotations

import threading
from contextlib import suppress
from typing import TYPE_CHECKING, Final
from weakref import finalize

from weft.errors import WeftError
from weft.model import Tier

if TYPE_CHECKING:
    from weft.store.database import Database
    from weft.store.sqlite import Connection

__all__ = ["QUIET_S", "Merging"]

QUIET_S: Final = 0.25  # without a write, before merging begins
_STEP_PAGES: Final = 32  # written in one transaction: 2 to 4 ms, for which others may have to wait
_ENOUGH: Final = 2  # pieces of a size that are merged
_ANY: Final = 2  # changes of a step that merges; the demand itself is one
_LAST_STEPS: Final = 8  # when the graph is closed: a process that writes one thing and ends leaves nothing behind
_TURN_S: Final = 0.5  # that a step waits for whoever writes; a graph that is closed must not wait long
_CLOSING_S: Final = 5.0


class Merging:
    """Merges pieces of full text in a thread of its own, ``quiet_s`` seconds after the last write of this process.

    ``written`` is set by every write. Nothing is done for a database that this process may only read. Where this is
    forgotten unclosed, the thread ends as if it had been closed.
    """

    def __init__(self, database: Database, written: threading.Event, *, quiet_s: float = QUIET_S) -> None:
        self._tending = _Tending(database, written, quiet_s)
        self._thread = threading.Thread(target=self._tending.run, name="weft-words", daemon=True)
        if database.tier >= Tier.CONTRIBUTOR:
            self._thread.start()
        finalize(self, self._tending.end).atexit = False

    def close(self) -> None:
        """Merge a little where this process has written since it last merged, and end."""
        self._tending.end()
        if self._thread.is_alive():
            self._thread.join(_CLOSING_S)


class _Tending:
    """What the thread does; it knows nothing of who began it, and so keeps nobody alive but the database."""

    def __init__(self, database: Database, written: threading.Event, quiet_s: float) -> None:
        self._database = database
        self._written = written
        self._quiet_s = quiet_s
        self._closing = threading.Event()
        self._left = False
        self._told = False

    def end(self) -> None:
        """Have the thread merge a little where there is anything to merge, and end."""
        self._left = self._written.is_set()
        self._closing.set()
        self._written.set()

    def run(self) -> None:
        """Merge whenever nobody has written for a while, until the end."""
        self._written.wait()
        while not self._closing.is_set() or self._left:
            self._written.clear()
            self._left = False
            if self._closing.wait(self._quiet_s) or not self._written.is_set():
                with suppress(WeftError):  # the disk is full, or others write without a pause: after the next write
                    self._merge()
            if not self._closing.is_set():
                self._written.wait()

    def _merge(self) -> None:
        """Merge step by step until nothing is left to do or somebody writes; a few steps where the graph is closed.

        No tier may write to the full text past its triggers, so this takes a connection without a guard.
        """
        last = _LAST_STEPS
        with self._database.apart() as connection:
            while last and self._step(connection):
                if self._closing.is_set():
                    last -= 1
                elif self._written.is_set():
                    return

    def _step(self, connection: Connection) -> bool:
        """Merge a little, and return whether there was anything to merge."""
        with self._database.turn(_TURN_S), connection.transaction():
            if not self._told:
                connection.run("words_merged_from", pieces=_ENOUGH)
            before = connection.read("changes_made")[0][0]
            connection.run("words_merge", pages=_STEP_PAGES)
            made = connection.read("changes_made")[0][0] - before
        self._told = True
        return bool(made >= _ANY)
