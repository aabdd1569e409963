"""The vault of a graph: turning it on and off, and bringing files and graph together."""

from __future__ import annotations

import os
import threading
from contextlib import contextmanager, nullcontext
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any, Final

from filelock import FileLock, Timeout, lock_descriptor

from weft.errors import InvalidArgument, Unavailable
from weft.model import Page, SuggestionKind, SuggestionQuery, Tier
from weft.services.capture.classifying import Classifier
from weft.vault.place import MARK, place_of
from weft.vault.ports import VaultPorts
from weft.vault.report import Synced, VaultStatus

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from weft.model import Call, Flaw
    from weft.reason.blanking import Blank
    from weft.vault.memory import Memory

__all__ = ["ACTOR", "Vault", "VaultPorts"]

ACTOR: Final = "vault"
"""Who made the changes that were read from files, as the log says it."""

_WAIT_S: Final = 60.0


class Vault:
    """Mirrors one graph. ``graph`` is its file: what the mirror keeps for itself lies beside that.

    ``name`` is what a graph on a server is called there; the file stands for it then.
    """

    def __init__(self, ports: VaultPorts, *, graph: Path, name: str = "") -> None:
        self._ports = ports
        self._place = place_of(graph, name)
        self._memory: tuple[Path, Memory] | None = None
        self._looked: tuple[Path, Memory] | None = None
        self._looking = threading.Lock()
        self._turn = FileLock(self._place.folder / "pass.lock", timeout=_WAIT_S, mode=0o600)
        self._classifier = Classifier(store=ports.store, embedder=ports.embedder)

    @property
    def keeper_lock(self) -> Path:
        """The lock file of the one process that watches the vault."""
        return self._place.folder / "keep.lock"

    def root(self) -> Path | None:
        """Return the vault's root folder, or None where it is off."""
        return self._place.root()

    def turn_on(self, folder: Path | None, call: Call) -> Path:
        """Mirror the graph at ``folder`` from now on; without one, in ``vault`` in the project's folder.

        Of other graphs than the project's own it is ``vault-`` and the name of the graph, or its database. A relative
        folder is read against the project's. Nothing is mirrored yet: see :meth:`sync`.

        Raises:
            PermissionDenied: the caller's tier is below curator.
            InvalidArgument, Unavailable: the folder cannot be a vault.
        """
        call.require(Tier.CURATOR, "vault on")
        return self._place.turn_on(self._place.usual if folder is None else folder)

    def turn_off(self, call: Call) -> None:
        """Mirror no more; the files stay.

        Raises:
            PermissionDenied: the caller's tier is below curator.
        """
        call.require(Tier.CURATOR, "vault off")
        self._place.turn_off()

    def status(self) -> VaultStatus:
        """Return how the vault stands. No note is opened: files that were edited are not counted.

        Raises:
            Unavailable: the setting cannot be read.
        """
        root = self._place.root()
        if root is None:
            return VaultStatus(on=False)
        notes, sources, cursor = self._counted(root)
        behind = max(0, self._ports.log.head() - cursor)
        query = SuggestionQuery(kinds=(SuggestionKind.FILE_CONFLICT,), page=Page(limit=1))
        return VaultStatus(
            on=True,
            root=str(root),
            notes=notes,
            sources=sources,
            behind=behind,
            waiting=self._waiting(cursor) if behind else 0,
            conflicts=self._ports.store.suggestions(query)[1],
            watched=self._is_watched(),
            problem="" if (root / MARK).is_file() else f"{root} is not there, or is no vault any more",
        )

    def health(self) -> dict[str, Any]:
        """Return how the vault stands, JSON-ready, and where that cannot be told, why not; it is never raised."""
        try:
            status = self.status()
        except Unavailable as error:
            return {"on": True, "problem": error.message}
        told = asdict(status) if status.on else {"on": False}
        return {name: value for name, value in told.items() if name != "problem" or value}

    def faults(self, call: Call) -> tuple[Flaw, ...]:
        """Return what does not agree between vault and graph; nothing is written. See :mod:`weft.vault.checkup`."""
        from weft.vault.checkup import faults

        return faults(self.status, lambda: self.compared(call))

    def _counted(self, root: Path) -> tuple[int, int, int]:
        """Return how many notes and sources are mirrored, and how far the log is; read anew when they were written.

        The memory is one of its own: a pass may be under way in another thread.
        """
        with self._looking:
            if self._looked is None or self._looked[0] != root:
                self._looked = (root, self._memory_of(root))
            memory = self._looked[1]
            memory.load()
            kinds = [entry.what for entry in memory.files.values()]
            return kinds.count("note"), kinds.count("source"), memory.cursor

    def _waiting(self, cursor: int) -> int:
        from weft.vault.writing import notes_waiting

        return notes_waiting(self._ports.log, cursor)

    def is_behind(self) -> bool:
        """Whether the graph changed since the last pass of this process."""
        return self._memory is None or self._ports.log.head() != self._memory[1].cursor

    def is_left(self) -> bool:
        """Whether another release has brought the graph up since it was opened here, so that nothing is taken in."""
        try:
            return bool(self._ports.store.facts().get("brought_up"))
        except Unavailable as error:
            return error.key == "brought_up"

    def sync(self, call: Call, *, dry_run: bool = False, deletions: bool = True) -> Synced:
        """Bring vault and graph together: what was edited in files is read, what changed in the graph is written.

        An edited note becomes a change by «vault», a new one a node, a deleted one retires its node (``deletions`` off
        leaves that to a later pass). What changed on both sides to something else is kept on both: the note shows the
        graph's side, its own text is kept under ``conflicts``, and a review item asks. What cannot be read is reported
        and left as it is. One pass runs at a time, in whatever process; it may be stopped anywhere and done again.

        Raises:
            InvalidArgument: the vault is off.
            PermissionDenied: the caller is a reader.
            Unavailable: the vault's folder is not there, the disk refuses, or another pass does not end.
        """
        call.require(Tier.CONTRIBUTOR, "sync")
        if dry_run:
            return self.compared(call)
        root = self._kept()
        with self._alone():
            return self._bring(root, self._remembered(root), call, dry_run=False, deletions=deletions)

    def compared(self, call: Call) -> Synced:
        """Return what :meth:`sync` would do; nothing is written, also not into what this process remembers.

        Raises:
            InvalidArgument: the vault is off.
            Unavailable: the vault's folder is not there, or another pass does not end.
        """
        root = self._kept()
        with self._alone():
            memory = self._memory_of(root)
            memory.load()
            return self._bring(root, memory, call, dry_run=True, deletions=True)

    def _kept(self) -> Path:
        root = self._place.root()
        if root is None:
            raise InvalidArgument("The vault is off.", hint="Turn it on with weft vault on.")
        return root

    def _bring(self, root: Path, memory: Memory, call: Call, *, dry_run: bool, deletions: bool) -> Synced:
        from weft.vault.syncing import Syncing

        by = replace(call, actor=ACTOR, receipt=None)
        syncing = Syncing(self._ports, memory, self._classifier)
        return syncing.bring(root, by, dry_run=dry_run, deletions=deletions)

    def erase(self, blank: Blank, call: Call) -> tuple[int, tuple[str, ...]]:
        """Take what ``blank`` names out of every file of the vault, once it is out of the graph.

        Return how many files were masked, moved or removed, and what may still hold it: files that cannot be read or
        written, and those of a vault that was turned off, which are left as they are.

        Raises:
            PermissionDenied: the caller's tier is below curator.
            Unavailable: another pass does not end, or the setting cannot be read.
        """
        call.require(Tier.CURATOR, "erase")
        root, left = self._place.root(), self._place.left()
        if root is None:
            return 0, () if left is None else self._left_behind(left, blank)
        from weft.vault.erasing import Erasing
        from weft.vault.folder import Folder

        with self._alone():
            erasing = Erasing(
                ports=self._ports,
                memory=self._remembered(root),
                classifier=self._classifier,
                folder=Folder(root),
                blank=blank,
            )
            return erasing.erase(replace(call, actor=ACTOR, receipt=None))

    def _left_behind(self, root: Path, blank: Blank) -> tuple[str, ...]:
        from weft.vault.erasing import remains

        with self._alone():
            memory = self._memory_of(root)
            memory.load()
            memory.lose(blank)
            return tuple(remains(root, blank))

    def _remembered(self, root: Path) -> Memory:
        if self._memory is None or self._memory[0] != root:
            self._memory = (root, self._memory_of(root))
        self._memory[1].load()
        return self._memory[1]

    def _memory_of(self, root: Path) -> Memory:
        from weft.vault import memory  # with all that reads notes: a graph without a vault never needs it

        return memory.Memory(self._place.folder / "memory.jsonl", root=str(root))

    @contextmanager
    def held(self) -> Iterator[None]:
        """Keep passes out, of whatever process, for the length of the block; this thread may run its own within.

        Where no vault is kept, or nobody knows where it lies, there is nothing to keep out.

        Raises:
            Unavailable: another pass does not end.
        """
        try:
            is_kept = self._place.root() is not None
        except Unavailable:
            is_kept = False
        with self._alone() if is_kept else nullcontext():
            yield

    @contextmanager
    def _alone(self) -> Iterator[None]:
        try:
            self._turn.acquire()
        except Timeout as error:
            said = "Another process is busy with the vault, and does not end."
            raise Unavailable(said, hint="Try again when it is over.") from error
        except OSError as error:
            raise Unavailable.by_system(f"{self._place.folder} cannot be written", error) from error
        try:
            yield
        finally:
            self._turn.release()

    def _is_watched(self) -> bool:
        try:
            descriptor = os.open(self.keeper_lock, os.O_RDONLY)
        except OSError:  # there is none, or it is none of this user's
            return False
        try:
            return not lock_descriptor(descriptor, blocking=False)
        finally:
            os.close(descriptor)
