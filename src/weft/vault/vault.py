"""The vault of a graph: turning it on and off, and bringing files and graph together."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from filelock import FileLock, Timeout

from weft.errors import InvalidArgument, PermissionDenied, Unavailable
from weft.model import Page, SuggestionKind, SuggestionQuery, Tier
from weft.services.classifying import Classifier
from weft.vault.place import place_of
from weft.vault.report import Synced, VaultStatus
from weft.vault.rooms import VaultPorts

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from weft.model import Call
    from weft.vault.memory import Memory

__all__ = ["ACTOR", "Vault", "VaultPorts"]

ACTOR: Final = "vault"
"""Who made the changes that were read from files, as the log says it."""

_WAIT_S: Final = 60.0


class Vault:
    """Mirrors one graph. ``graph`` is its file: what the mirror keeps for itself lies beside that."""

    def __init__(self, ports: VaultPorts, *, graph: Path) -> None:
        self._ports = ports
        self._place = place_of(graph)
        self._memory: tuple[Path, Memory] | None = None
        self._classifier = Classifier(embedder=ports.embedder)

    @property
    def keeper_lock(self) -> Path:
        """The lock file of the one process that watches the vault."""
        return self._place.folder / "keep.lock"

    def root(self) -> Path | None:
        """Return the vault's root folder, or None where it is off."""
        return self._place.root()

    def turn_on(self, folder: Path | None, call: Call) -> Path:
        """Mirror the graph at ``folder`` from now on; without one, in ``vault`` in the project's folder.

        A relative folder is read against the project's. Nothing is mirrored yet: see :meth:`sync`.

        Raises:
            PermissionDenied: the caller's tier is below curator.
            InvalidArgument, Unavailable: the folder cannot be a vault.
        """
        _reach(call, Tier.CURATOR)
        return self._place.turn_on(self._place.usual if folder is None else folder)

    def turn_off(self, call: Call) -> None:
        """Mirror no more; the files stay.

        Raises:
            PermissionDenied: the caller's tier is below curator.
        """
        _reach(call, Tier.CURATOR)
        self._place.turn_off()

    def status(self) -> VaultStatus:
        """Return how the vault stands."""
        root = self._place.root()
        if root is None:
            return VaultStatus(on=False)
        memory = self._memory_of(root)  # one of its own: a pass may be under way in another thread
        memory.load()
        kinds = [entry.what for entry in memory.files.values()]
        query = SuggestionQuery(kinds=(SuggestionKind.FILE_CONFLICT,), page=Page(limit=1))
        return VaultStatus(
            on=True,
            root=str(root),
            notes=kinds.count("note"),
            sources=kinds.count("source"),
            behind=max(0, self._ports.log.head() - memory.cursor),
            conflicts=self._ports.store.suggestions(query)[1],
            watched=self._is_watched(),
        )

    def is_behind(self) -> bool:
        """Whether the graph changed since the last pass of this process."""
        return self._memory is None or self._ports.log.head() != self._memory[1].cursor

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
        _reach(call, Tier.CONTRIBUTOR)
        root = self._place.root()
        if root is None:
            raise InvalidArgument("The vault is off.", hint="Turn it on with weft vault on.")
        with self._alone():
            from weft.vault.syncing import Syncing

            syncing = Syncing(self._ports, self._remembered(root), self._classifier)
            return syncing.bring(root, replace(call, actor=ACTOR, receipt=None), dry_run=dry_run, deletions=deletions)

    def _remembered(self, root: Path) -> Memory:
        if self._memory is None or self._memory[0] != root:
            self._memory = (root, self._memory_of(root))
        self._memory[1].load()
        return self._memory[1]

    def _memory_of(self, root: Path) -> Memory:
        from weft.vault import memory  # with all that reads notes: a graph without a vault never needs it

        return memory.Memory(self._place.folder / "memory.jsonl", root=str(root))

    @contextmanager
    def _alone(self) -> Iterator[None]:
        lock = FileLock(self._place.folder / "pass.lock", timeout=_WAIT_S, mode=0o600)
        try:
            lock.acquire()
        except (Timeout, OSError) as error:
            raise Unavailable("Another process is busy with the vault, and does not end.", hint="Try again.") from error
        try:
            yield
        finally:
            lock.release()

    def _is_watched(self) -> bool:
        lock = FileLock(self.keeper_lock, timeout=0, mode=0o600)
        try:
            lock.acquire()
        except (Timeout, OSError):
            return True
        lock.release()
        return False


def _reach(call: Call, needed: Tier) -> None:
    if call.tier < needed:
        raise PermissionDenied(f"This needs the tier {needed.label}; the call is a {call.tier.label}'s.")
