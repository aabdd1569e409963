"""Relations of another system become ours, once their nodes are there."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final

from weft.errors import InvalidArgument
from weft.model import Origin, RemoveRelation, SaveRelation, Subject
from weft.services.planning import Plan, settle
from weft.services.relating import Assertion, ordered, plan_relation, strengthened
from weft.services.transfer.landing import TOOL
from weft.services.transfer.shaping import origin_of, typed
from weft.text import fold, normalized
from weft.vocabulary import CONFIDENCE

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from weft.formats.foreign import Tie
    from weft.model import Call, Node, Relation
    from weft.services.transfer.aside import Incoming
    from weft.services.transfer.ports import TransferPorts
    from weft.services.transfer.tally import Tally

__all__ = ["Told", "Tying"]

_AT_ONCE: Final = 500
_FAN: Final = 1_000  # relations read of one node
_NAMED_MAX: Final = 20
_DEEP: Final = 20  # folders


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """A relation with the file it stands in."""

    path: str
    tie: Tie


class Tying:
    """Writes the relations of one import between ``nodes``, by key, and what the graph holds besides."""

    def __init__(
        self, ports: TransferPorts, call: Call, *, tally: Tally, nodes: Mapping[str, Node], incoming: Sequence[Incoming]
    ) -> None:
        self._ports = ports
        self._call = replace(call, tool=TOOL, receipt=None)
        self._tally = tally
        self._nodes = nodes
        self._keys = {node.id: key for key, node in nodes.items()}
        self._names = _names(nodes, incoming)
        self._ids: dict[tuple[str, str, str], str] = {}
        self._stated: set[tuple[str, str, str]] = set()

    def untie(self) -> None:
        """Take out the relations that an import made between these nodes, all of which were read, and none states now.

        What somebody confirmed or changed since stays.
        """
        ids = list(self._keys)
        for start in range(0, len(ids), _AT_ONCE):
            leaving = self._untied(ids[start : start + _AT_ONCE])
            self._stated.update(map(_key, leaving))  # the other end may come in a later part
            self._tally.relations_removed += len(leaving)

    def _untied(self, ids: Sequence[str]) -> Sequence[Relation]:
        if self._tally.dry_run:
            return self._left(ids)

        def plan(batch: str) -> Plan[tuple[str, Sequence[Relation]]]:
            leaving = self._left(ids)
            operations = tuple(RemoveRelation(id=each.id, expect=each.version) for each in leaving)
            return Plan(operations=operations, answer=(batch, leaving), subjects=())

        batch, leaving = settle(self._ports.store, self._call, plan)
        if leaving:
            self._tally.wrote(batch)
        return leaving

    def _left(self, ids: Sequence[str]) -> Sequence[Relation]:
        return [each for each in self._ports.store.relations(ids, per_node=_FAN) if self._is_left(each)]

    def _is_left(self, held: Relation) -> bool:
        if held.origin is not Origin.IMPORTED or _key(held) in self._stated:
            return False
        if not {held.source, held.target} <= self._keys.keys():
            return False
        last = self._ports.log.history(held.id, limit=1)
        return bool(last) and last[0].tool == TOOL

    def tie(self, told: Sequence[Told]) -> None:
        """Write these relations, those of five hundred together; one that leads nowhere is reported."""
        for start in range(0, len(told), _AT_ONCE):
            self._call.report(start, len(told), "relating")
            said = list(self._said(told[start : start + _AT_ONCE]))
            if self._tally.dry_run:
                self._plan(said, "")
            elif said:
                self._write(said)

    def _write(self, said: Sequence[Assertion]) -> None:
        before = self._tally.relations_made, self._tally.relations_known

        def plan(batch: str) -> Plan[str]:
            self._tally.relations_made, self._tally.relations_known = before  # a second plan counts anew
            return self._plan(said, batch)

        if batch := settle(self._ports.store, self._call, plan):
            self._tally.wrote(batch)

    def _said(self, told: Sequence[Told]) -> Iterator[Assertion]:
        for each in told:
            try:
                source, target = (self._meant(name, each) for name in (each.tie.source, each.tie.target))
            except InvalidArgument as error:
                self._tally.refuse(each.path, each.tie.line, error.message)
                continue
            if source is None or target is None:
                missing = each.tie.source if source is None else each.tie.target
                self._tally.refuse(each.path, each.tie.line, f"a relation to «{missing[:80]}», which is not there")
            elif source.id != target.id:
                yield from self._asserted(each, source, target)

    def _asserted(self, each: Told, source: Node, target: Node) -> Iterator[Assertion]:
        try:
            found = typed(each.tie, self._ports.store.vocabulary, source=source.title, target=target.title)
        except InvalidArgument as error:
            self._tally.refuse(each.path, each.tie.line, error.message)
            return
        ends = (target, source) if found.turned else (source, target)
        key = (*ordered(ends[0].id, ends[1].id, found.type), found.type.name)
        self._stated.add(key)
        if each.tie.id:
            self._ids[key] = each.tie.id
        yield Assertion(
            source=ends[0],
            target=ends[1],
            type=found.type,
            reasoning=found.reasoning,
            confidence=CONFIDENCE if each.tie.confidence is None else each.tie.confidence,
            origin=origin_of(each.tie.origin) if each.tie.id else Origin.IMPORTED,
        )

    def _plan(self, said: Sequence[Assertion], batch: str) -> Plan[str]:
        """Return what writes these relations: each pair and type once, with all that was said of it."""
        saves: dict[tuple[str, str, str], SaveRelation] = {}
        for each in said:
            key = (*ordered(each.source.id, each.target.id, each.type), each.type.name)
            if key in saves:
                saves[key] = _added(saves[key], each)
                continue
            planned = plan_relation(self._ports.store, each, self._call)
            self._tally.relations_made += planned.created
            self._tally.relations_known += not planned.created
            stands = planned.relation.version - 1 if planned.operations else planned.relation.version
            saves[key] = SaveRelation(relation=planned.relation, expect=stands)
        self._name(saves)
        changed = tuple(each for each in saves.values() if each.relation.version > each.expect)
        return Plan(operations=changed, answer=batch if changed else "", subjects=())

    def _name(self, saves: dict[tuple[str, str, str], SaveRelation]) -> None:
        """Give relations that are new the ids they had, where nothing here bears them."""
        wanted = {key: self._ids[key] for key, save in saves.items() if save.expect == 0 and key in self._ids}
        taken = self._ports.archive.values(Subject.RELATION, list(wanted.values())) if wanted else {}
        for key, id_ in wanted.items():
            if id_ not in taken and not self._ports.log.history(id_, limit=1):
                saves[key] = replace(saves[key], relation=replace(saves[key].relation, id=id_))

    def _meant(self, name: str, each: Told) -> Node | None:
        """Return the node of this key, path, name or title: of this import, else of the graph."""
        if name in self._nodes:
            return self._nodes[name]
        found = self._names.get(_folded(name), ())
        if found:
            return _nearest({self._keys[node.id]: node for node in found}, each.tie.source)
        handle = f"{self._tally.format}:{name}"
        here = [node for node in self._ports.store.resolve(handle, limit=_NAMED_MAX) if handle in node.handles]
        here = here or list(self._ports.store.resolve(name, limit=2))
        return here[0] if len(here) == 1 else None


def _key(held: Relation) -> tuple[str, str, str]:
    return held.source, held.target, held.type


def _names(nodes: Mapping[str, Node], incoming: Sequence[Incoming]) -> dict[str, tuple[Node, ...]]:
    """Return which nodes a name may mean: their keys, names, titles, aliases, and the ends of keys that are paths."""
    found: defaultdict[str, dict[str, Node]] = defaultdict(dict)
    for each in incoming:
        record = each.record
        node = nodes.get(record.key)
        if node is not None:
            for name in (*_ends(record.key), *record.names, node.title, *node.aliases):
                found[_folded(name)].setdefault(node.id, node)
    return {name: tuple(held.values()) for name, held in found.items()}


def _ends(path: str) -> Iterator[str]:
    """Yield a path and what is left of it as its folders go, one by one: ``a/b/c``, ``b/c``, ``c``."""
    parts = path.split("/")
    yield from ("/".join(parts[at:]) for at in range(len(parts)) if len(parts) - at <= _DEEP or not at)


def _folded(name: str) -> str:
    return fold(normalized("NFC", name)) or name


def _nearest(found: Mapping[str, Node], source: str) -> Node:
    """Return, of notes that share a name, the one in the folder of ``source``, else that of the shortest path."""
    folder = str(PurePosixPath(source).parent)
    beside = [key for key in found if str(PurePosixPath(key).parent) == folder]
    return found[min(beside or found, key=lambda key: (key.count("/"), key))]


def _added(save: SaveRelation, said: Assertion) -> SaveRelation:
    more = strengthened(save.relation, said)
    return replace(save, relation=replace(more, version=save.expect + 1)) if more != save.relation else save
