"""Files that are not there any more: notes whose nodes are retired, and what is written again."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from weft.model import RemoveRelation, SaveMentions, SaveNode
from weft.services.forgetting import retired, unasked

if TYPE_CHECKING:
    from collections.abc import Sequence

    from weft.model import Node, Operation
    from weft.vault.memory import Mirrored
    from weft.vault.passing import Pass

__all__ = ["Gone"]

_SURELY: Final = 10
"""Notes from which on the loss of all at once is not taken for their deletion: a disk or a folder may be missing."""

_WHY: Final = "its file in the vault was deleted"


class Gone:
    """Looks for files that were mirrored and are not there."""

    def __init__(self, run: Pass) -> None:
        self._run = run
        self.sources: list[str] = []

    def look(self, *, deletions: bool) -> None:
        """Retire the nodes whose notes were deleted, all in one batch; have other files that are gone written again."""
        run = self._run
        missing = [entry for entry in run.memory.files.values() if self._is_missing(entry)]
        notes = [entry for entry in missing if entry.what == "note"]
        for entry in missing:
            if entry.what != "note":
                run.memory.drop(entry.path)
                self._again(entry)
        if notes and deletions:
            self._deleted(notes)
        elif not run.dry_run:
            for entry in notes:
                self._wait(entry)

    def _is_missing(self, entry: Mirrored) -> bool:
        run = self._run
        if entry.path in run.scan.files or entry.path in run.held:
            return False
        unseen = any(f"{entry.path}/".startswith(f"{path}/") for path, _ in run.scan.refused)
        return not unseen and not run.folder.exists(entry.path)

    def _wait(self, entry: Mirrored) -> None:
        """Leave a missing note for a later pass: neither retired nor written; if it comes back, it is read anew."""
        self._run.blocked.add(entry.path)
        self._run.memory.keep(replace(entry, digest=""))

    def _again(self, entry: Mirrored) -> None:
        if entry.what == "source":
            self.sources.append(entry.id)
        elif entry.what == "record":
            self.sources.append(entry.id)
            self._run.touch((entry.id,))

    def _deleted(self, notes: Sequence[Mirrored]) -> None:
        run = self._run
        held = sum(entry.what == "note" for entry in run.memory.files.values())
        standing = run.ports.store.nodes([entry.id for entry in notes])
        doomed = [(entry, standing[entry.id]) for entry in notes if self._stands(entry, standing)]
        if len(notes) == held and held >= _SURELY:
            run.report.refuse(
                "nodes",
                f"all {held} notes are gone; nothing was retired. Bring them back, or turn the vault off and on",
            )
            return
        if doomed and not run.may_remove:
            run.report.refuse("nodes", f"{len(doomed)} notes were deleted; to retire their nodes needs a librarian")
            return
        fates = [(entry, node, self._changed(entry, node)) for entry, node in doomed]
        self._retire([(entry, node) for entry, node, changed in fates if not changed])
        for entry, node, changed in fates:
            if changed:
                run.report.refuse(
                    entry.path, f"was deleted, but «{node.title}» was changed meanwhile; it is there again"
                )
                self._lost(entry)
                run.touch((node.id,))

    def _stands(self, entry: Mirrored, standing: dict[str, Node]) -> bool:
        """Whether there is a node to retire; where there is none, the file is forgotten."""
        node = standing.get(entry.id)
        if node is not None and node.retired is None:
            return True
        self._lost(entry)
        return False

    def _changed(self, entry: Mirrored, node: Node) -> bool:
        return node.version != entry.version

    def _retire(self, doomed: Sequence[tuple[Mirrored, Node]]) -> None:
        run = self._run
        relations = {each.id: each for _, node in doomed for each in run.relations_of(node.id)}
        operations: list[Operation] = [RemoveRelation(id=each.id, expect=each.version) for each in relations.values()]
        for _, node in doomed:
            operations.append(SaveMentions(node=node.id, outgoing=()))
            operations.append(SaveNode(node=retired(node, run.call, why=_WHY), expect=node.version))
        operations += unasked(run.ports.store, [node.id for _, node in doomed], run.call)
        run.commit(operations)
        run.report.count("nodes_retired", len(doomed))
        run.report.count("relations_removed", len(relations))
        run.touch(end for each in relations.values() for end in (each.source, each.target))
        for entry, _ in doomed:
            self._lost(entry)

    def _lost(self, entry: Mirrored) -> None:
        if not self._run.dry_run:
            self._run.memory.drop(entry.path)
