"""Notes that were written, edited, copied or brought along become nodes, or changes of nodes."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Final

from weft.errors import InvalidArgument, WeftError
from weft.formats import vault_note, vault_record
from weft.formats.vault_note import EDITABLE
from weft.model import CaptureRequest, Node, SaveNode, Status, Subject
from weft.model.codec import node_from
from weft.services.capture.revising import SPOKEN
from weft.services.mentioning import mentions, mentions_anew
from weft.services.passages import embed
from weft.services.relating import touched
from weft.services.watching.drift import Drifting
from weft.vault import shaping
from weft.vault.folder import digest_of
from weft.vault.memory import Mirrored, revisions
from weft.vault.names import record_path
from weft.vault.passing import Seen

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from weft.formats.vault_note import Note
    from weft.model import Operation, Passage
    from weft.services.capture.classifying import Classifier
    from weft.vault.conflicts import Conflicts
    from weft.vault.passing import Pass

__all__ = ["Notes"]

_AT_ONCE: Final = 100  # nodes of one batch
_WRITERS: Final = 8  # files that are written at once: each waits for the disk
_HISTORY: Final = 200  # changes of a node among which the one is looked for that a note shows
_EMBEDDED: Final = frozenset({"title", "content", "search_terms"})


class Notes:
    """Reads the notes of one pass."""

    def __init__(self, run: Pass, classifier: Classifier, conflicts: Conflicts) -> None:
        self._run = run
        self._ports = run.ports
        self._classifier = classifier
        self._conflicts = conflicts
        self._drifting = Drifting(store=run.ports.store, vectors=run.ports.vectors, embedder=run.ports.embedder)
        self._ids: dict[str, str] = {}
        self._made: list[str] = []

    def read(self, paths: Sequence[str]) -> None:
        """Read these files, a hundred at a time, into the graph; what cannot be read is reported."""
        for start in range(0, len(paths), _AT_ONCE):
            self._run.call.report(start, len(paths), paths[start])
            seen = [each for path in paths[start : start + _AT_ONCE] if (each := self._see(path)) is not None]
            self._sort([each for each in seen if self._is_first(each)])
        self._mention()

    def _see(self, path: str) -> Seen | None:
        run = self._run
        try:
            body, stamp = run.folder.read(path)
            text = body.decode("utf-8-sig")
        except InvalidArgument as error:
            run.refuse(path, error.message)
            return None
        except UnicodeDecodeError as error:
            run.refuse(path, "not UTF-8 from this line on", line=body.count(b"\n", 0, error.start) + 1)
            return None
        digest = digest_of(body)
        run.held[path] = digest
        entry = run.memory.files.get(path)
        if entry is not None and entry.digest == digest:
            run.memory.keep(replace(entry, stamp=stamp, looked_ns=run.now_ns()))
            self._ids[entry.id] = path
            return None
        note = vault_note.parse(text)
        for problem in note.problems:
            run.refuse(path, problem.message, problem.line)
        if not text.strip():
            run.refuse(path, "is empty")
        elif entry is not None and not note.id and not note.problems:
            note = self._nameless(entry, note, text)
        return None if path in run.blocked else Seen(path=path, digest=digest, stamp=stamp, note=note, entry=entry)

    def _nameless(self, entry: Mirrored, note: Note, text: str) -> Note:
        """Return a known file's note that names no id, as the note it was: whoever saved it had not seen its id yet.

        What it does not name stays as it is. One that was cut off in its front matter is reported.
        """
        if text.startswith("---") and not note.has_front:
            self._run.refuse(entry.path, "its front matter has no end")
        unsaid = tuple(name for name in EDITABLE if name not in note.fields or (name == "tags" and not note.named))
        return replace(note, fields={**note.fields, "id": entry.id}, left_out=unsaid, revision="")

    def _is_first(self, seen: Seen) -> bool:
        """Whether this is the one file of its id; a second one is reported and left."""
        id_ = seen.note.id
        if not id_:
            return True
        known = self._run.memory.of("note", id_)
        other = known.path if known is not None else self._ids.get(id_, seen.path)
        if other != seen.path and other in self._run.scan.files:
            self._run.refuse(
                seen.path, f"has the id of {other}; take the line of the id out and it becomes a node of its own"
            )
            return False
        self._ids[id_] = seen.path
        return True

    def _sort(self, seen: Sequence[Seen]) -> None:
        standing = self._ports.store.nodes([each.note.id for each in seen if each.note.id])
        fresh: list[tuple[Seen, Node]] = []
        for each in seen:
            node = standing.get(each.note.id)
            try:
                if node is not None:
                    self._known(self._moved(each), node)
                elif (made := self._new(each)) is not None:
                    fresh.append((each, made))
            except WeftError as error:
                self._run.refuse(each.path, error.message)
        self._make(fresh)

    def _moved(self, seen: Seen) -> Seen:
        """Return ``seen`` with what is remembered of it, also where it lay elsewhere."""
        entry = self._run.memory.of("note", seen.note.id)
        if entry is None or entry.path == seen.path:
            return replace(seen, entry=entry)
        here = replace(entry, path=seen.path, stamp=seen.stamp, looked_ns=self._run.now_ns(), at_home=False)
        self._run.report.count("moved")
        self._run.memory.keep(here)
        return replace(seen, entry=here)

    def _known(self, seen: Seen, node: Node) -> None:
        if seen.entry is not None and seen.entry.digest == seen.digest:
            return
        if node.retired is not None:
            self._returned(seen, node)
            return
        base, trusted = self._base(seen, node)
        difference = shaping.compare(seen.note, base, node, self._run.vocabulary)
        if difference.clashes:
            self._conflicts.keep(seen, node, f"{', '.join(difference.clashes)} changed on both sides")
            return
        if difference.changes:
            self._change(node, replace(node, **difference.changes), frozenset(difference.changes))
        self._agree(seen, node)
        self._run.tied.append((node.id, seen, trusted))

    def _base(self, seen: Seen, node: Node) -> tuple[dict[str, str] | None, bool]:
        """Return what the note said before it was edited, and whether that is what it was known to say last.

        The note's ``revision`` tells it; an older one is found by its time. One that this graph never had comes from a
        clone: where the graph stands as it did when note and graph agreed last, and was changed before that, only the
        note was changed since. None: nobody knows.
        """
        entry, note = seen.entry, seen.note
        if entry is not None and note.revision in (entry.revision, ""):
            return entry.said, bool(note.revision)
        if entry is not None and note.revision in entry.earlier:
            return _prints_of(self._version(node, entry.earlier[note.revision])), False
        modified = note.fields.get("modified_at")
        if modified == node.modified_at:
            return _prints_of(node), False
        shown = next((each for each in self._past(node.id) if each.modified_at == modified), None)
        if shown is None and entry is not None and entry.version == node.version and _is_later(modified, node):
            return entry.said, False
        return _prints_of(shown), False

    def _version(self, node: Node, version: int) -> Node | None:
        if node.version == version:
            return node
        return next((each for each in self._past(node.id) if each.version == version), None)

    def _past(self, id_: str) -> Iterator[Node]:
        for change in self._ports.log.history(id_, limit=_HISTORY):
            if change.subject is Subject.NODE and change.after is not None:
                yield node_from(change.after)

    def _change(self, before: Node, wanted: Node, names: frozenset[str]) -> None:
        """Write what a note changed, as one batch."""
        run, ports = self._run, self._ports
        run.report.count("nodes_changed")
        if run.dry_run:
            return
        if "status" not in names and SPOKEN.intersection(names) and ports.watch.released(before):
            wanted = replace(
                wanted, status=Status.ACTIVE
            )  # who speaks of it anew settles what its files were marked for
        after = touched(wanted, run.call)
        passages: tuple[Passage, ...] | None = None
        operations: list[Operation] = []
        if _EMBEDDED.intersection(names):
            (passages,) = embed((after,), ports.embedder)
            operations += self._drifting.planned(after, passages, run.call)
        if "aliases" in names or _EMBEDDED.intersection(names):
            operations += mentions_anew(ports.shelf, ports.words, before, after)
        if SPOKEN.intersection(names):
            prints = ports.watch.taken(after.id, after.references)
            operations += ports.watch.spoken(before, after, prints, run.call)
        run.commit((SaveNode(node=after, expect=before.version, passages=passages), *operations))
        run.touch((after.id,))

    def _returned(self, seen: Seen, node: Node) -> None:
        """Bring a node back whose file was deleted and is there again; what was forgotten otherwise stays so."""
        run, told = self._run, node.retired
        if told is None or told.by != run.call.actor or told.merged_into:
            run.refuse(
                seen.path, f"«{node.title}» was forgotten in the graph; undo that, or take the id out of the file"
            )
            return
        changes = shaping.compare(
            replace(seen.note, revision=""), None, replace(node, retired=None), self._run.vocabulary
        ).changes
        run.report.count("nodes_returned")
        back = touched(replace(node, retired=None, **changes), run.call)
        if not run.dry_run:
            (passages,) = embed((back,), self._ports.embedder)
            run.commit((SaveNode(node=back, expect=node.version, passages=passages),))
            self._agree(seen, back)
            self._made.append(node.id)
            run.touch((node.id,))
        run.tied.append((node.id, replace(seen, entry=None), False))

    def _new(self, seen: Seen) -> Node | None:
        """Return the node that a note becomes which the graph does not know; None: it is known by another id."""
        run, note = self._run, seen.note
        if note.id and shaping.ours(note):
            return shaping.restored(note, self._recorded(note.id), run.call, run.vocabulary, home=self._ports.home)
        if note.id and (known := self._ports.store.resolve(note.id, limit=1)):
            run.refuse(seen.path, f"its id is that of «{known[0].title}», whose note lies elsewhere")
            return None
        return shaping.shaped(note, seen.path, run.call, run.vocabulary, home=self._ports.home, kind="")

    def _recorded(self, id_: str) -> Node | None:
        """Return what the record of a node says of it, where its note leaves something out."""
        try:
            body, _ = self._run.folder.read(record_path(id_))
            values, _ = vault_record.parse(body.decode("utf-8"), self._run.vocabulary)
        except (InvalidArgument, UnicodeDecodeError):
            return None
        return next((value for _, value in values if isinstance(value, Node) and value.id == id_), None)

    def _make(self, fresh: Sequence[tuple[Seen, Node]]) -> None:
        """Write new nodes; a note without an id gets it first, so that it becomes one node whatever happens then."""
        run = self._run
        run.report.count("nodes_made", len(fresh))
        if not fresh or run.dry_run:
            return
        passages = embed([node for _, node in fresh], self._ports.embedder)
        known = [
            node if node.kind else replace(node, kind=self._classified(node, cut))
            for (_, node), cut in zip(fresh, passages, strict=True)
        ]
        with ThreadPoolExecutor(_WRITERS) as writers:
            marked = list(writers.map(self._marked, [seen for seen, _ in fresh], known))
        run.folder.settle()
        self._count_marked([seen for seen, _ in fresh], marked)
        self._commit_all(
            [
                (seen, SaveNode(node=node, expect=0, passages=cut))
                for seen, node, cut in zip(marked, known, passages, strict=True)
                if seen is not None
            ]
        )

    def _count_marked(self, before: Sequence[Seen], after: Sequence[Seen | None]) -> None:
        for was, seen in zip(before, after, strict=True):
            if seen is None:
                self._run.report.count("nodes_made", -1)
            elif seen is not was:
                self._run.report.count("written")
                self._run.held[seen.path] = seen.digest
                if not (seen.note.entries or seen.note.left_out):
                    self._run.fresh.add(seen.note.id)

    def _commit_all(self, made: Sequence[tuple[Seen, SaveNode]]) -> None:
        run = self._run
        try:
            run.commit([save for _, save in made])
        except WeftError:
            if len(made) > 1:
                for each in made:
                    self._commit_all((each,))
                return
            raise
        for seen, save in made:
            self._agree(seen, save.node)
            self._made.append(save.node.id)
            run.touch((save.node.id,))
            run.tied.append((save.node.id, seen, False))

    def _classified(self, node: Node, passages: tuple[Passage, ...]) -> str:
        return self._classifier.classify(CaptureRequest(content=node.content, title=node.title), passages).kind

    def _marked(self, seen: Seen, node: Node) -> Seen | None:
        """Write a node's id into its note, unless it stands there; None: the file changed meanwhile."""
        if seen.note.id == node.id:
            return seen
        text = vault_note.render(node, seen.note.entries, extra=seen.note.extra, named=seen.note.named)
        body = text.encode()
        stamp = self._run.folder.write(seen.path, body, expect=seen.digest)
        if stamp is None:
            return None
        return replace(seen, digest=digest_of(body), stamp=stamp, note=vault_note.parse(text))

    def _agree(self, seen: Seen, node: Node) -> None:
        """Remember that this file was read; what it says of relations is read afterwards."""
        if self._run.dry_run:
            return
        before = seen.entry
        self._run.touch((node.id,))
        self._run.memory.keep(
            Mirrored(
                path=seen.path,
                what="note",
                id=node.id,
                digest=seen.digest,
                stamp=seen.stamp,
                looked_ns=self._run.now_ns(),
                version=node.version,
                revision=seen.note.revision,
                earlier=revisions(before),
                said=shaping.prints(seen.note),
                edges=before.edges if before is not None else {},
                pending=before.pending if before is not None else (),
                extra=seen.note.extra,
                tags=seen.note.named,
                at_home=before.at_home if before is not None else False,
            )
        )

    def _mention(self) -> None:
        """Look up whose names stand in the texts of the new nodes, and theirs in others."""
        if self._run.dry_run:
            return
        for start in range(0, len(self._made), 2 * _AT_ONCE):
            nodes = self._ports.store.nodes(self._made[start : start + 2 * _AT_ONCE]).values()
            found: Iterable[Operation] = [mentions(self._ports.shelf, self._ports.words, node) for node in nodes]
            self._run.commit(tuple(found), attempts=5)


def _is_later(modified: object, node: Node) -> bool:
    return isinstance(modified, datetime) and modified > node.modified_at


def _prints_of(node: Node | None) -> dict[str, str] | None:
    return None if node is None else shaping.prints(vault_note.shown(node))
