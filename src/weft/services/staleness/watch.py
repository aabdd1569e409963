"""Which nodes their files have outrun, and what is written about it: a status and a review item, or their end.

A node is outdated while a file that it refers to differs from what it was when the node last spoke of it. It stops
being so when the file is as before again, or when somebody changes what the node says or how it stands. A change that
was decided on is not asked about again; a further one is.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from weft.model import (
    Outdated,
    Page,
    SaveFilePrints,
    SaveNode,
    SaveSuggestion,
    Status,
    SuggestionKind,
    SuggestionQuery,
    SuggestionState,
    Tier,
)
from weft.services import suggesting
from weft.services.relating import touched
from weft.services.staleness.place import GONE

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from weft.model import Call, FilePrint, Node, Operation, Suggestion
    from weft.ports import Prints, Store
    from weft.services.staleness.place import Place

__all__ = ["FILES", "FILE_CHANGE", "MARKED_MAX", "Findings", "Watch"]

FILES: Final = "files"
"""Where the grounds of a review item keep the digests that it is about, by reference."""

FILE_CHANGE: Final = "hook_file_change"
"""The channel of a capture that tells of a changed file: the other nodes of that file are looked at with it."""

MARKED_MAX: Final = 50
"""Nodes of one file that a capture looks at, the newest; a check looks at all."""

_BEFORE: Final = "status_before"
_ITEMS_MAX: Final = 200  # review items of one node that are looked through


@dataclass(slots=True, kw_only=True)
class Findings:
    """What a look at files came to, with the operations that write it."""

    outdated: list[Outdated] = field(default_factory=list)
    settled: list[Node] = field(default_factory=list)
    operations: list[Operation] = field(default_factory=list)


@dataclass(slots=True, kw_only=True)
class _Items:
    """The review items about one node's files: the open ones, and the digests that were decided on, by reference."""

    open: list[Suggestion] = field(default_factory=list)
    decided: set[tuple[str, str]] = field(default_factory=set)


class Watch:
    """Compares files with their prints. Without a ``place`` nothing on disk is looked at, and nothing is found."""

    def __init__(self, *, store: Store, prints: Prints, place: Place | None) -> None:
        self._store = store
        self._prints = prints
        self.place = place

    def taken(self, node: str, references: Sequence[str]) -> tuple[FilePrint, ...]:
        """Return what the files look like now that a node refers to: as many as can be watched."""
        return self.place.prints(node, references) if self.place and references else ()

    def beside(self, references: Sequence[str], *, limit: int) -> tuple[str, ...]:
        """Return ids of the nodes that keep a print of one of the files that these references name, newest first."""
        if self.place is None:
            return ()
        return self._prints.of_files(self.place.key, self.place.files(references), limit=limit)

    def is_here(self, taken: FilePrint) -> bool:
        """Return whether a print was taken below this root, so that it can be compared."""
        return self.place is not None and taken.root == self.place.key

    def changes(self, nodes: Iterable[Node], known: dict[str, str | None]) -> dict[str, dict[str, str]]:
        """Return, for each node's id, which of its references lead to another file content now, with its digest.

        Each file is read once: ``known`` keeps the digests.
        """
        asked = {node.id: node for node in nodes}
        changed: dict[str, dict[str, str]] = {id_: {} for id_ in asked}
        place = self.place
        if place is None:
            return changed
        for each in self._prints.of_nodes(list(asked)):
            if not self.is_here(each) or each.reference not in asked[each.node].references:
                continue
            if each.file not in known:
                known[each.file] = place.digest(each.file)
            digest = known[each.file]
            if digest is not None and digest != each.digest:
                changed[each.node][each.reference] = digest
        return changed

    def plan(self, nodes: Sequence[Node], call: Call, known: dict[str, str | None]) -> Findings:
        """Return what is to be written about ``nodes``: marks on those that are outdated now, the end of other marks.

        A superseded node is not marked, and the marks it had end.
        """
        found = Findings()
        standing = {node.id: node for node in nodes if node.retired is None}
        for id_, changed in self.changes(standing.values(), known).items():
            node = standing[id_]
            if node.status is Status.SUPERSEDED:
                self._settle(node, self._items(node), "it is superseded", call, found)
            elif changed or node.status is Status.NEEDS_REVIEW:
                self._judge(node, changed, call, found)
        return found

    def told(self, node: Node, prints: tuple[FilePrint, ...], call: Call, *, aside: frozenset[str]) -> Findings:
        """Return what is written when ``node`` is captured: its files as they are now.

        Where it tells of a changed file, other nodes of that file are looked at too, and marked. ``aside`` are nodes
        that the same batch writes anyway.
        """
        found = Findings()
        if node.channel == FILE_CHANGE:
            ids = self.beside(node.references, limit=MARKED_MAX)
            others = self._store.nodes([id_ for id_ in ids if id_ not in aside])
            found = self.plan(tuple(others.values()), call, {})
        if prints:
            found.operations.insert(0, SaveFilePrints(node=node.id, prints=prints))
        return found

    def spoken(self, before: Node, after: Node, prints: tuple[FilePrint, ...], call: Call) -> tuple[Operation, ...]:
        """Return what is written when a node speaks anew: its files count as they are now, and its marks end.

        ``after`` is the node as it will be written by somebody else; see :meth:`released` for its status.
        """
        if not (before.references or after.references):
            return ()
        open_ = (item for item in self._items(after).open if item.grounds[FILES])
        ended = (_end(item, call, "it was changed after that") for item in open_)
        return (SaveFilePrints(node=after.id, prints=prints), *ended)

    def released(self, node: Node) -> bool:
        """Return whether ``node`` needs review for its files alone, so that it is active once these are settled."""
        if node.status is not Status.NEEDS_REVIEW or not node.references:
            return False
        return any(map(_marked_it, self._items(node).open))

    def confirmed(self, node: Node, said: Sequence[str], call: Call) -> tuple[Operation, ...]:
        """Return what is written when somebody says again what ``node`` says, naming the files ``said``.

        If one of them is a file of the node, it counts as if it were written now.
        """
        if not set(said).intersection(node.references):
            return ()
        prints = self.taken(node.id, node.references)
        if set(self._prints.of_nodes((node.id,))) == set(prints):
            return ()
        operations = self.spoken(node, node, prints, call)
        if not self.released(node):
            return operations
        active = touched(replace(node, status=Status.ACTIVE), call)
        return (SaveNode(node=active, expect=node.version), *operations)

    def _judge(self, node: Node, changed: Mapping[str, str], call: Call, found: Findings) -> None:
        items = self._items(node)
        fresh = {name: digest for name, digest in changed.items() if (name, digest) not in items.decided}
        standing = items.open[0] if items.open else None
        if not fresh:
            self._settle(node, items, "its files are as they were", call, found)
        elif standing is None:
            item = suggesting.outdated(node, fresh, call)
            found.operations.append(SaveSuggestion(suggestion=item))
            _mark(node, item, call, found)
        elif standing.grounds[FILES] != fresh:
            item = _told_anew(standing, suggesting.outdated(node, fresh, call))
            found.operations.append(SaveSuggestion(suggestion=item, expect=standing.version))
            if not standing.grounds[FILES]:  # it was settled, and nobody had the reach to close it
                _mark(node, item, call, found)

    def _settle(self, node: Node, items: _Items, why: str, call: Call, found: Findings) -> None:
        told = [item for item in items.open if item.grounds[FILES]]
        if not told:
            return
        if node.status is Status.NEEDS_REVIEW and any(map(_marked_it, told)):
            active = touched(replace(node, status=Status.ACTIVE), call)
            found.operations.append(SaveNode(node=active, expect=node.version))
        found.operations += [_end(item, call, why) for item in told]
        found.settled.append(node)

    def _items(self, node: Node) -> _Items:
        query = SuggestionQuery(kinds=(SuggestionKind.STALE,), subject=node.id, state="", page=Page(limit=_ITEMS_MAX))
        items = _Items()
        for item in self._store.suggestions(query)[0]:
            files: Any = item.grounds.get(FILES)
            if not isinstance(files, dict):
                continue
            if item.state is SuggestionState.OPEN:
                items.open.append(item)
            else:
                items.decided.update(files.items())
        return items


def _mark(node: Node, item: Suggestion, call: Call, found: Findings) -> None:
    if node.status is Status.ACTIVE:
        marked = touched(replace(node, status=Status.NEEDS_REVIEW), call)
        found.operations.append(SaveNode(node=marked, expect=node.version))
    files = item.grounds[FILES]
    found.outdated.append(
        Outdated(
            id=node.id,
            title=node.title,
            changed=tuple(name for name, digest in files.items() if digest != GONE),
            gone=tuple(name for name, digest in files.items() if digest == GONE),
            item=item.id,
            summary=item.summary,
        )
    )


def _told_anew(standing: Suggestion, now: Suggestion) -> Suggestion:
    """Return the open item ``standing`` as it would be told ``now``."""
    before = standing if standing.grounds[FILES] else now
    grounds = {**now.grounds, _BEFORE: before.grounds[_BEFORE]}
    return replace(standing, summary=now.summary, grounds=grounds, score=now.score, version=standing.version + 1)


def _marked_it(item: Suggestion) -> bool:
    """Whether the node was active until this item came, which still stands."""
    return bool(item.grounds[FILES]) and item.grounds.get(_BEFORE) == Status.ACTIVE.value


def _end(item: Suggestion, call: Call, why: str) -> Operation:
    """Return the end of a review item: dismissed, or, where the caller may decide nothing, told to be settled.

    Its digests go, so that the same change counts as a new one if it comes again.
    """
    ended = replace(
        item,
        grounds={**item.grounds, FILES: {}},
        summary=f"{item.summary} Settled: {why}.",
        version=item.version + 1,
    )
    if call.tier >= Tier.LIBRARIAN:
        ended = replace(
            ended,
            state=SuggestionState.DISMISSED,
            decided_at=call.at,
            decided_by=call.actor,
            decided_why=why,
        )
    return SaveSuggestion(suggestion=ended, expect=item.version)
