"""Keeping a vault up to date while a server runs: one process a graph watches, the others stand by."""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING, Final

from filelock import FileLock, Timeout

from weft.errors import WeftError

if TYPE_CHECKING:
    import threading
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from weft.model import Call
    from weft.vault.vault import Vault

__all__ = ["Keeper"]

STAND_BY_S: Final = 2.0
"""How often a process asks whether nobody watches any more."""

LOOK_MS: Final = 250
"""How often the log is looked at; files tell by themselves."""

SETTLE_MS: Final = 120
"""How long files have to be quiet before they are read, at most half a second."""

DELETED_AFTER_S: Final = 3.0
"""How long the vault has to be quiet before missing files count as deleted: editors and git take files away for a
moment."""

FILES_EVERY_S: Final = 60.0
"""How often the files that nodes refer to are compared: they lie anywhere in the project, and nothing tells of them."""

TOLD_MAX: Final = 5  # things that were not read and are named in the log; the rest is counted

AGAIN_AFTER_S: Final = 1.0
"""How long a pass that could not finish is not tried again."""

log = logging.getLogger(__name__)


class _LeftBehind(Exception):
    """Another release has brought the graph up: one of its processes is to keep the vault."""


class Keeper:
    """Runs passes whenever files or graph changed, as long as it is the one process that watches.

    ``call`` gives the call of a pass, and ``during`` runs one, so that a server knows that it is busy. ``check`` marks
    what the files it refers to have outrun; it is asked at once and then every ``files_every_s`` seconds.
    """

    def __init__(
        self,
        vault: Vault,
        *,
        call: Callable[[], Call],
        during: Callable[[Callable[[], object]], object],
        check: Callable[[Call], object],
        files_every_s: float = FILES_EVERY_S,
    ) -> None:
        self._vault = vault
        self._call = call
        self._during = during
        self._check = check
        self._files_every_s = files_every_s
        self._files_due_s = 0.0
        self._told = ""
        self._patient_until_s = 0.0

    def run(self, stop: threading.Event) -> None:
        """Watch until ``stop`` is set, or another release brings the graph up; blocks."""
        try:
            self._stand_by(stop)
        except _LeftBehind:
            self._tell("another release of Weft has brought the graph up; this server keeps it no more")

    def _stand_by(self, stop: threading.Event) -> None:
        while not stop.is_set():
            root = self._root()
            if root is not None:
                lock = FileLock(self._vault.keeper_lock, timeout=0, mode=0o600)
                try:
                    lock.acquire()
                except (Timeout, OSError):
                    stop.wait(STAND_BY_S)
                    continue
                try:
                    self._watch(root, stop)
                finally:
                    lock.release()
            stop.wait(STAND_BY_S)

    def _root(self) -> Path | None:
        try:
            return self._vault.root()
        except WeftError as error:
            self._tell(error.message)
            return None

    def _watch(self, root: Path, stop: threading.Event) -> None:
        last, missing, passed = time.monotonic(), False, False
        for files_changed in self._changes(root, stop):
            if self._root() != root:
                return
            if not passed:  # not before there is a watch, or an edit between the two would be missed
                self._pass(deletions=True)
                passed = True
            self._look_at_files()
            behind = self._is_behind() and time.monotonic() > self._patient_until_s
            if files_changed:
                last, missing = time.monotonic(), True
            quiet = time.monotonic() - last > DELETED_AFTER_S
            if files_changed or behind or (missing and quiet):
                self._pass(deletions=missing and quiet)
                missing = missing and not quiet
        if not passed and not stop.is_set():
            self._pass(deletions=True)

    def _changes(self, root: Path, stop: threading.Event) -> Iterator[bool]:
        """Yield whether files changed, at least four times a second."""
        from watchfiles import watch

        def counts(_change: object, path: str) -> bool:
            return not path.endswith((".weft-new", ".weft-aside"))

        try:
            for changes in watch(
                root,
                watch_filter=counts,
                debounce=500,
                step=SETTLE_MS,
                stop_event=stop,
                rust_timeout=LOOK_MS,
                yield_on_timeout=True,
                raise_interrupt=False,
                recursive=True,
            ):
                yield bool(changes)
        except (OSError, RuntimeError) as error:
            self._tell(f"{root} cannot be watched: {error}")

    def _look_at_files(self) -> None:
        """Check the files that nodes refer to, where that is due; what is marked is mirrored by the next pass."""
        if time.monotonic() < self._files_due_s:
            return
        self._refuse_left()
        self._files_due_s = time.monotonic() + self._files_every_s
        try:
            self._during(lambda: self._check(self._call()))
        except WeftError as error:
            self._tell(error.message)

    def _is_behind(self) -> bool:
        try:
            return self._vault.is_behind()
        except WeftError as error:
            self._tell(error.message)
            return False

    def _pass(self, *, deletions: bool) -> None:
        """Run one pass; where something stays undone, the graph alone is no reason for another one at once."""
        self._refuse_left()
        try:
            told = self._during(lambda: self._vault.sync(self._call(), deletions=deletions))
        except WeftError as error:
            self._tell(error.message)
            self._patient_until_s = time.monotonic() + AGAIN_AFTER_S
            return
        if self._is_behind():
            self._patient_until_s = time.monotonic() + AGAIN_AFTER_S
        unread = getattr(told, "unread", ())
        more = len(unread) - TOLD_MAX
        rest = [f"and {more} more, which weft sync lists"] if more > 0 else []
        self._tell("; ".join([*(f"{each.path}: {each.reason}" for each in unread[:TOLD_MAX]), *rest]))

    def _refuse_left(self) -> None:
        """End where nothing that is edited would be taken in: whoever keeps the vault keeps newer servers from it.

        Raises:
            _LeftBehind: another release has brought the graph up.
        """
        if self._vault.is_left():
            raise _LeftBehind

    def _tell(self, message: str) -> None:
        """Log what is the matter, once for as long as it is."""
        if message and message != self._told:
            log.warning("vault: %s", message)
        self._told = message
