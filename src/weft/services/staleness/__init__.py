"""Whether nodes have been outrun by the files that they refer to."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from weft.model import Checked, SaveFilePrints, Status, Titled
from weft.services.planning import Plan, settle
from weft.services.staleness.place import Place
from weft.services.staleness.watch import Findings, Watch

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from weft.model import Call, FilePrint, Node, Operation
    from weft.ports import Prints, Store

__all__ = ["Findings", "Place", "Staleness", "Watch"]

PAGE: Final = 200
"""Nodes looked at in one go."""

NAMED_MAX: Final = 1_000
"""Nodes of one file that a check of single files looks at, the newest."""

_SUBJECTS_MAX: Final = 100  # that a receipt names


class Staleness:
    """Compares the files that nodes refer to with what they were, and marks the nodes that they have outrun."""

    def __init__(self, *, store: Store, prints: Prints, watch: Watch) -> None:
        self._store = store
        self._prints = prints
        self._watch = watch

    def named(self, reference: str) -> str:
        """Return a path that leads below the root folder as a path from there, anything else as it is.

        Editors name files by absolute paths, nodes by paths from the project's folder. The disk is not looked at.
        """
        return self._watch.place.named(reference) if self._watch.place else reference

    def check(self, call: Call, *, files: Sequence[str] = ()) -> Checked:
        """Mark every node of which a file changed, and take the mark off where that is over; of ``files``, only those.

        A node whose file differs from what it was when the node was written gets the status needs_review and one review
        item that says why; a superseded one is left alone. Doing it again changes nothing. Once its files are as they
        were, the status returns and the item is closed (for a caller below librarian it stays open, and says that it is
        settled). Without ``files`` every node with references is looked at, and references that were not watched so far
        are watched from now on. All marks are written in one batch, which one undo takes back.

        Raises:
            PermissionDenied: something is to be written, and the caller is a reader.
        """
        known: dict[str, str | None] = {}
        tally = {"nodes": 0, "taken": 0, "unwatched": 0, "elsewhere": 0}
        suspects: list[str] = []
        for nodes in self._named(files) if files else self._every():
            if not files:
                self._take(nodes, call, tally)
            changed = self._watch.changes(nodes, known)
            suspects += [node.id for node in nodes if changed[node.id] or node.status is Status.NEEDS_REVIEW]
            tally["nodes"] += len(nodes)
            call.report(tally["nodes"], 0, f"{len(known)} files compared")

        def plan(batch: str) -> Plan[Checked]:
            found = self._watch.plan(tuple(self._store.nodes(suspects).values()), call, known)
            answer = Checked(
                files=len(known),
                outdated=tuple(found.outdated),
                settled=tuple(Titled(node.id, node.title) for node in found.settled),
                batch=batch if found.operations else "",
                **tally,
            )
            return Plan(operations=tuple(found.operations), answer=answer, subjects=tuple(suspects[:_SUBJECTS_MAX]))

        return settle(self._store, call, plan)

    def _named(self, files: Sequence[str]) -> Iterator[list[Node]]:
        ids = self._watch.beside(files, limit=NAMED_MAX)
        for start in range(0, len(ids), PAGE):
            yield list(self._store.nodes(ids[start : start + PAGE]).values())

    def _every(self) -> Iterator[list[Node]]:
        """Yield all nodes that refer to anything, a page at a time; none where no root folder is given."""
        after = 0
        while self._watch.place and (page := self._prints.referring(after, limit=PAGE)):
            yield list(self._store.nodes([id_ for _, id_ in page]).values())
            after = page[-1][0]

    def _take(self, nodes: Sequence[Node], call: Call, tally: dict[str, int]) -> None:
        """Watch the references of these nodes that were not watched so far."""
        held: dict[str, list[FilePrint]] = {node.id: [] for node in nodes}
        for each in self._prints.of_nodes(list(held)):
            held[each.node].append(each)
        writes: list[Operation] = []
        for node in nodes:
            watched = {each.reference for each in held[node.id]}
            missing = [reference for reference in node.references if reference not in watched]
            fresh = self._watch.taken(node.id, missing)
            writes += [SaveFilePrints(node=node.id, prints=(*held[node.id], *fresh))] if fresh else []
            tally["taken"] += len(fresh)
            tally["unwatched"] += len(missing) - len(fresh)
            tally["elsewhere"] += sum(not self._watch.is_here(each) for each in held[node.id])
        aside = replace(call, receipt=None)
        settle(self._store, aside, lambda _: Plan(operations=tuple(writes), answer=None, subjects=()))
