"""Records of another system become nodes and relations: each once, however often they come.

A node keeps, as a handle, the format and the id it had where it comes from (``obsidian:Folder/Note``). What is there
already is compared: it is left alone where it says the same, updated where the last hand on it was an import, and kept
where somebody changed it here. What was forgotten here stays forgotten. What has the id of something that came from
another place is a node of its own (:mod:`weft.services.transfer.elsewhere`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from weft.errors import Conflict, InvalidArgument
from weft.model import Node, SaveNode
from weft.services.drafting import line
from weft.services.mentioning import mentions
from weft.services.passages import embed
from weft.services.planning import Plan, settle
from weft.services.transfer.aside import parts
from weft.services.transfer.elsewhere import Elsewhere, same
from weft.services.transfer.shaping import shape

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from weft.formats.foreign import Record
    from weft.model import Call, Retired, SaveMentions
    from weft.services.transfer.aside import Aside, Incoming
    from weft.services.transfer.ports import TransferPorts
    from weft.services.transfer.tally import Tally

__all__ = ["TOOL", "Landing", "mention_all"]

TOOL: Final = "import"
"""What the log says of every change that an import makes."""

_MENTIONS_AT_ONCE: Final = 200
_UNDO: Final = "undo"
_HISTORY_MAX: Final = 50
_KEY_MAX: Final = 1_000
_COMPARED: Final = (
    "kind", "title", "content", "tags", "aliases", "references", "citation", "confidence", "importance", "status",
)  # fmt: skip
_COMPARED_OWN: Final = (*_COMPARED, "ontology", "origin")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Landed:
    """A node to be written, over version ``expect`` (0: new), and what it came from."""

    node: Node
    expect: int
    origin: Incoming


class Landing:
    """Writes the records of one import. ``format`` is part of every handle, ``kind`` what has no known kind becomes."""

    def __init__(self, ports: TransferPorts, call: Call, *, tally: Tally, ontology: str, kind: str) -> None:
        self._ports = ports
        self._call = replace(call, tool=TOOL, receipt=None)
        self._tally = tally
        self.ontology = ontology
        """What records belong to that name none of their own."""
        self._kind = kind
        self._prefix = f"{tally.format}:"
        self._retired: dict[str, Retired] = ports.archive.retired(self._prefix)
        self._elsewhere = Elsewhere(ports, prefix=self._prefix, records=())
        self.nodes: dict[str, Node] = {}
        """What each key stands for now, also where nothing had to be written; each without its text."""

    def land(self, incoming: Sequence[Incoming], aside: Aside) -> None:
        """Write these records, whose texts are ``aside``, as nodes; what cannot become one is reported."""
        fresh: list[str] = []
        done = 0
        records = (aside.whole(each).record for each in incoming if not each.record.id)
        self._elsewhere = Elsewhere(self._ports, prefix=self._prefix, records=records)
        for part in parts(incoming):
            self._call.report(done, len(incoming), part[0].path)
            landed = list(self._landed(map(aside.whole, part)))
            if not self._tally.dry_run:
                self._write(landed)
                fresh += [each.node.id for each in landed]
            done += len(part)
        mention_all(self._ports, fresh, self._call)

    def _landed(self, incoming: Iterable[Incoming]) -> Iterator[_Landed]:
        for each in incoming:
            key = each.record.key
            if key in self.nodes:
                self._tally.refuse(each.path, each.record.line, f"«{key[:80]}» was met before; the first one counts")
                continue
            try:
                node = self._shaped(each)
            except InvalidArgument as error:
                self._tally.refuse(each.path, each.record.line, error.message)
                continue
            landed = self._compared(node, each)
            if landed is not None:
                yield landed

    def _shaped(self, each: Incoming) -> Node:
        handle = self._prefix + line(each.record.key, field="id", limit=_KEY_MAX)
        shaped = shape(
            each.record,
            self._call,
            self._ports.store.vocabulary,
            handle=handle,
            ontology=self.ontology,
            kind=self._kind,
        )
        for loss in shaped.losses:
            self._tally.refuse(each.path, each.record.line, f"taken in, but {loss}")
        return shaped.node

    def _compared(self, node: Node, each: Incoming) -> _Landed | None:
        """Return what is to be written of ``node``, or None; what its key stands for is noted."""
        key = each.record.key
        node, standing, is_gone = self._standing(node, each.record)
        if standing is None and is_gone:
            self._tally.nodes_forgotten += 1
            return None
        if standing is None:
            self.nodes[key] = _named(node)
            self._tally.nodes_made += 1
            return _Landed(node=node, expect=0, origin=each)
        self.nodes[key] = _named(standing)
        if not _answers(standing, node, each.record) or _agrees(standing, node, each.record):
            self._tally.nodes_known += 1
            return None
        if not self._is_ours(standing):
            self._tally.nodes_kept += 1
            self._tally.refuse(each.path, each.record.line, f"«{standing.title}» was changed here; it was left so")
            return None
        self._tally.nodes_updated += 1
        after = _updated(standing, node, each.record)
        self.nodes[key] = _named(after)
        return _Landed(node=after, expect=standing.version, origin=each)

    def _standing(self, node: Node, record: Record) -> tuple[Node, Node | None, bool]:
        """Return ``node`` as it is called here, the node that stands for it, and whether it was here and left.

        What it was merged into stands for it too.
        """
        if record.id:
            held = self._ports.store.nodes((record.id,)).get(record.id)
            if held is None or held.retired is None:
                return node, held, False
            return node, self._merged(held.retired.merged_into), True
        found, gone = self._called(node)
        if self._is_another(node, record, found, gone):
            node = self._elsewhere.set_apart(node)
            found, gone = self._called(node)
        if found is None and gone is not None:
            return node, self._merged(gone.merged_into), True
        return node, found, False

    def _called(self, node: Node) -> tuple[Node | None, Retired | None]:
        """Return what bears the handle of ``node``, and what bore it and was forgotten or merged."""
        gone = self._retired.get(node.handles[0])
        return self._elsewhere.bearing(node.handles[0]), None if gone and self._is_undone(gone.node) else gone

    def _is_undone(self, id_: str) -> bool:
        """Whether a node left because its import was undone: nobody else had a hand in it, so nobody forgot it."""
        return {each.tool for each in self._ports.log.history(id_, limit=_HISTORY_MAX)} == {TOOL, _UNDO}

    def _is_another(self, node: Node, record: Record, found: Node | None, gone: Retired | None) -> bool:
        """Whether what bears the handle of ``node``, or bore it, came from another place."""
        if found is None:
            return gone is not None and self._elsewhere.holds(gone.node, node.ontology)
        if found.ontology == node.ontology or _agrees(found, node, record):
            return False
        return self._elsewhere.holds(found.id, node.ontology)

    def _merged(self, into: str) -> Node | None:
        merged = self._ports.store.resolve(into, limit=1) if into else ()
        return merged[0] if merged else None

    def _is_ours(self, node: Node) -> bool:
        last = self._ports.log.history(node.id, limit=1)
        return bool(last) and last[0].tool == TOOL

    def _write(self, landed: Sequence[_Landed]) -> None:
        if not landed:
            return
        passages = embed([each.node for each in landed], self._ports.embedder)
        operations = tuple(
            SaveNode(node=each.node, expect=each.expect, passages=cut)
            for each, cut in zip(landed, passages, strict=True)
        )

        def plan(batch: str) -> Plan[str]:
            return Plan(operations=operations, answer=batch, subjects=())

        try:
            self._tally.wrote(settle(self._ports.store, self._call, plan, attempts=1))
        except (InvalidArgument, Conflict) as error:
            if len(landed) == 1:
                self._withdraw(landed[0], error.message)
                return
            for each in landed:  # so that one bad record does not keep the others out
                self._write((each,))

    def _withdraw(self, landed: _Landed, why: str) -> None:
        """Count out a node that could not be written after all."""
        made = landed.expect == 0
        self._tally.nodes_made -= made
        self._tally.nodes_updated -= not made
        self.nodes.pop(landed.origin.record.key, None)
        self._tally.refuse(landed.origin.path, landed.origin.record.line, why)


def _named(node: Node) -> Node:
    """Return ``node`` as what relations name: of all the nodes of an import, the texts might be more than memory."""
    return replace(node, content="")


def mention_all(ports: TransferPorts, ids: Sequence[str], call: Call) -> None:
    """Look up whose names stand in the texts of these nodes and theirs in others, and write that down."""
    for start in range(0, len(ids), _MENTIONS_AT_ONCE):
        call.report(start, len(ids), "looking names up")
        nodes = ports.store.nodes(ids[start : start + _MENTIONS_AT_ONCE]).values()
        found: tuple[SaveMentions, ...] = tuple(
            mentions(ports.shelf, ports.words, node) for node in nodes if node.retired is None
        )

        def plan(batch: str, found: tuple[SaveMentions, ...] = found) -> Plan[str]:
            return Plan(operations=found, answer=batch, subjects=())

        settle(ports.store, call, plan)


def _answers(standing: Node, node: Node, record: Record) -> bool:
    """Whether the node is that of the record, and not one that it was merged into."""
    return standing.id == record.id if record.id else node.handles[0] in standing.handles[:1]


def _agrees(standing: Node, node: Node, record: Record) -> bool:
    names = _COMPARED_OWN if record.id else _COMPARED
    if record.id and not standing.content.strip():
        standing = replace(standing, content=standing.title)  # as it goes out
    return all(_same(getattr(node, name), getattr(standing, name)) for name in names)


def _updated(standing: Node, node: Node, record: Record) -> Node:
    changed = {name: getattr(node, name) for name in (_COMPARED_OWN if record.id else _COMPARED)}
    return replace(
        standing, **changed, modified_at=node.modified_at, modified_by=node.modified_by, version=standing.version + 1
    )


def _same(one: object, other: object) -> bool:
    return same(one, other) if isinstance(one, str) and isinstance(other, str) else one == other
