"""Whose turn it is to write: writers of all threads and processes queue here before they ask the engine for its lock.

The engine's own waiting is by back-off, so late comers overtake and the unlucky wait long. Here all poll one lock file,
and who has waited longer asks more often: nearly first come, first served. The lock ends with its holder.
"""

from __future__ import annotations

import os
import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from weft.errors import Unavailable
from weft.store.forking import let_go_in_child

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["Turn", "claimed", "file_of"]

# 16 processes writing: worst wait 0.12 s, as with a blocking lock; 0.25 s polling evenly, 1.1 s with the engine alone.
_POLL_S, _POLL_MIN_S, _AGEING_S = 0.002, 0.0001, 0.01


def file_of(path: Path) -> tuple[int, int]:
    """Return which file ``path`` names just now; (0, 0) where there is none. A file that replaces it is another."""
    try:
        found = path.stat()
    except OSError:
        return 0, 0
    return found.st_dev, found.st_ino


@contextmanager
def claimed(path: Path) -> Iterator[bool]:
    """Hold the lock file ``path`` for the block, and tell whether it was free; nobody waits for it.

    Raises:
        Unavailable: the file cannot be used.
    """
    from filelock import FileLock, Timeout

    lock = FileLock(path, timeout=0, mode=0o600)
    try:
        lock.acquire()
    except Timeout:
        yield False
        return
    except OSError as error:
        raise Unavailable.by_system(f"The lock file {path} cannot be used", error) from error
    try:
        yield True
    finally:
        lock.release()


class Turn:
    """The right to write one graph: at most one thread of one process holds it. ``path`` is the lock file's."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._thread = threading.Lock()
        self._descriptor = -1
        self._closed = False
        let_go_in_child(self)

    @contextmanager
    def taken(self, timeout_s: float) -> Iterator[None]:
        """Hold the right for the length of the block.

        Raises:
            Unavailable: it did not come within ``timeout_s``, the graph is closed, or the lock file cannot be used.
        """
        started = time.monotonic()
        if not self._thread.acquire(timeout=timeout_s):
            raise self._late(timeout_s)
        try:
            self._wait(started, timeout_s)
            try:
                yield
            finally:
                self._pass_on()
        finally:
            self._thread.release()

    def close(self) -> None:
        """Wait for whoever holds the right here, then end. The file stays: without it the queue would split in two."""
        self._closed = True
        with self._thread:
            if self._descriptor >= 0:
                os.close(self._descriptor)
                self._descriptor = -1

    def let_go(self) -> None:
        """End in a forked child: the lock is the parent's, and would outlive it there."""
        self._closed = True
        self._thread = threading.Lock()
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def __del__(self) -> None:
        if self._descriptor >= 0:
            os.close(self._descriptor)

    def _wait(self, started: float, timeout_s: float) -> None:
        from filelock import lock_descriptor

        if self._closed:
            raise Unavailable("The graph is closed.", hint="Open it again.")
        try:
            if self._descriptor < 0:
                self._descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
            while not lock_descriptor(self._descriptor, blocking=False):
                waited_s = time.monotonic() - started
                if waited_s > timeout_s:
                    raise self._late(timeout_s)
                time.sleep(max(_POLL_MIN_S, _POLL_S / (1 + waited_s / _AGEING_S)))
        except OSError as error:
            raise Unavailable.by_system(f"The lock file {self._path} cannot be used", error) from error

    def _pass_on(self) -> None:
        from filelock import unlock_descriptor

        unlock_descriptor(self._descriptor)

    def _late(self, timeout_s: float) -> Unavailable:
        return Unavailable(
            f"Another process has been writing to {self._path.with_suffix('')} for more than {timeout_s:g} s.",
            hint="Nothing was written. Try again when it is done.",
        )
