"""One pass over a vault, from the first look at its files to what is remembered of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from weft.errors import Unavailable
from weft.vault.conflicts import Conflicts
from weft.vault.folder import Folder
from weft.vault.gone import Gone
from weft.vault.names import NODES, RECORDS, SOURCES, VOCABULARY
from weft.vault.notes import Notes
from weft.vault.passing import Pass
from weft.vault.place import MARK
from weft.vault.records import Records
from weft.vault.report import Report
from weft.vault.ties import Ties
from weft.vault.writing import Changed, Writing, changed_since

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from weft.model import Call
    from weft.services.capture.classifying import Classifier
    from weft.vault.folder import Stamp
    from weft.vault.memory import Memory
    from weft.vault.ports import VaultPorts
    from weft.vault.report import Synced

__all__ = ["Syncing"]


class Syncing:
    """Brings one vault and its graph together. Whoever calls it is the only one who does so now."""

    def __init__(self, ports: VaultPorts, memory: Memory, classifier: Classifier) -> None:
        self._ports = ports
        self._memory = memory
        self._classifier = classifier

    def bring(self, root: Path, call: Call, *, dry_run: bool, deletions: bool, again: Sequence[str] = ()) -> Synced:
        """Run one pass; see :meth:`weft.vault.vault.Vault.sync`.

        ``again`` are ids of nodes and sources whose files are looked at whether or not the log tells of them.
        """
        memory = self._memory
        if not (root / MARK).is_file():
            raise Unavailable(f"{root} is not there, or is no vault any more.", hint="Turn it on again: weft vault on.")
        folder = Folder(root)
        self._ports.store.vocabulary.refresh()  # another process may have registered something
        run = Pass(
            ports=self._ports,
            folder=folder,
            memory=memory,
            report=Report(root=str(root), dry_run=dry_run),
            call=call,
            scan=folder.scan(),
            dry_run=dry_run,
            vocabulary=self._ports.store.vocabulary,
        )
        if run.scan.leftovers and not dry_run:
            for leftover in run.scan.leftovers:
                folder.discard(leftover)
            run.scan = folder.scan()
        for path, reason in run.scan.refused:
            run.refuse(path, reason)
        if memory.cursor > self._ports.log.head():
            memory.reach(0)  # the graph was brought back from an older copy
        found = changed_since(run, Changed(nodes={}, sources={}, cursor=memory.cursor))
        run.since = frozenset(found.nodes)
        gone = self._read(run, deletions=deletions)
        run.touch(again)
        gone.sources += again
        self._write(run, found, gone)
        run.report.count("files", len(run.scan.files))
        return run.report.answer()

    def _read(self, run: Pass, *, deletions: bool) -> Gone:
        edited = [path for path, stamp in run.scan.files.items() if not _is_known(run, path, stamp)]
        records = Records(run)
        conflicts = Conflicts(run)
        records.read_vocabulary([path for path in edited if path == VOCABULARY])
        records.read_sources([path for path in edited if path.startswith(f"{SOURCES}/")])
        Notes(run, self._classifier, conflicts).read([path for path in edited if path.startswith(f"{NODES}/")])
        records.read([path for path in edited if path.startswith(f"{RECORDS}/") and path != VOCABULARY])
        Ties(run).read()
        gone = Gone(run)
        gone.look(deletions=deletions)
        if not run.dry_run:
            conflicts.ask()
            conflicts.settle()
        return gone

    def _write(self, run: Pass, found: Changed, gone: Gone) -> None:
        if not run.dry_run:
            changed_since(run, found)
        nodes = list(dict.fromkeys([*found.nodes, *run.dirty]))
        sources = list(dict.fromkeys([*found.sources, *gone.sources]))
        Writing(run).write(nodes, sources)
        if not run.dry_run:
            run.folder.settle()
            run.memory.reach(found.cursor if not run.failures else run.memory.cursor)
            run.memory.save()


def _is_known(run: Pass, path: str, stamp: Stamp) -> bool:
    entry = run.memory.files.get(path)
    return entry is not None and entry.is_now(stamp)
