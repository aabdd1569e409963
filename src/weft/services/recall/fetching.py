"""One node with all that hangs on it: relations both ways, evidence and its sources, mentions, history, neighbours."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from weft.errors import InvalidArgument, NotFound
from weft.model import Fetched, MentionSeen, Page, TextPart
from weft.services.drafting import refuse_outside, refuse_unknown
from weft.services.naming import name_batch, resolve
from weft.vocabulary import DEPTH_MAX, LIST_MAX

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from weft.model import Change, Evidence, Mention, Node, Relation, Source
    from weft.ports import Log, Shelf, Store

__all__ = ["DETAILS", "TEXT_PART_MAX", "Fetching"]

DETAILS: Final = ("concise", "detailed")
RELATIONS_MAX: Final = 200
EVIDENCE_MAX: Final = 100
MENTIONS_SHOWN_MAX: Final = 50
TEXT_PART_MAX: Final = 6_000  # characters: an answer holds them even where each takes four bytes
HISTORY_MAX: Final = {"concise": 5, "detailed": 50}
FAN_MAX: Final = 100  # relations that are followed from one node on the way to farther neighbours


class Fetching:
    """Reads one node whole. Every list has a bound; the strongest, first or newest are kept."""

    def __init__(self, *, store: Store, shelf: Shelf, log: Log) -> None:
        self._store = store
        self._shelf = shelf
        self._log = log

    def fetch(self, reference: str, *, detail: str, depth: int) -> Fetched:
        """Return the node that ``reference`` names and what hangs on it.

        ``detail`` is concise or detailed (a longer history, with the fields that changed); ``depth`` 2..5 adds the
        nodes that many relations away.

        Raises:
            InvalidArgument, NotFound, Ambiguous: as :func:`weft.services.naming.resolve`, or an unknown ``detail``, or
                a ``depth`` outside 1..5. Where the node was forgotten, the hint names the batch that brings it back.
        """
        refuse_unknown(detail, DETAILS, field="detail")
        refuse_outside(depth, 1, DEPTH_MAX, field="depth")
        node = self._named(reference)
        relations = self._relations(node)
        return Fetched(
            node=node,
            relations=relations,
            relation_count=self._count(node, relations),
            evidence=self._evidence(node, [relation for relation, _ in relations]),
            mentions=self._mentions(node),
            history=self._history(node, detail),
            neighbours=self._neighbours(node, [other for _, other in relations], depth),
        )

    def text(self, reference: str, *, offset: int) -> TextPart:
        """Return a part of the text of the node that ``reference`` names.

        Raises:
            InvalidArgument, NotFound, Ambiguous: as :meth:`fetch`, or ``offset`` is negative.
        """
        if offset < 0:
            raise InvalidArgument(f"offset must be 0 or more, got {offset}.")
        node = self._named(reference)
        end, length = offset + TEXT_PART_MAX, len(node.content)
        return TextPart(
            id=node.id,
            title=node.title,
            version=node.version,
            text=node.content[offset:end],
            length=length,
            next_offset=end if end < length else None,
        )

    def _named(self, reference: str) -> Node:
        try:
            return resolve(self._store, reference, field="id")
        except NotFound as missing:
            name_batch(missing, self._log)
            raise

    def _relations(self, node: Node) -> tuple[tuple[Relation, Node], ...]:
        found = self._store.relations((node.id,), per_node=RELATIONS_MAX)
        ends = [(relation, relation.other_end(node.id)) for relation in found]
        others = self._store.nodes([end for _, end in ends])
        return tuple((relation, others[end]) for relation, end in ends if end in others)

    def _count(self, node: Node, relations: Sequence[object]) -> int:
        if len(relations) < RELATIONS_MAX:
            return len(relations)
        return self._shelf.relations_paged(Page(limit=1), node=node.id).total

    def _evidence(self, node: Node, relations: Sequence[Relation]) -> tuple[tuple[Evidence, Source], ...]:
        found = self._store.evidence((node.id, *(relation.id for relation in relations)))
        kept = sorted(found, key=lambda each: each.subject != node.id)[:EVIDENCE_MAX]
        sources = self._store.sources(list({each.source for each in kept}))
        return tuple((each, sources[each.source]) for each in kept if each.source in sources)

    def _mentions(self, node: Node) -> tuple[MentionSeen, ...]:
        found = self._shelf.mentions((node.id,), per_node=MENTIONS_SHOWN_MAX)
        others = self._store.nodes([each.target if each.node == node.id else each.node for each in found])
        seen = (_seen(each, node, others) for each in found)
        return tuple(each for each in seen if each is not None)

    def _history(self, node: Node, detail: str) -> tuple[dict[str, Any], ...]:
        changes = self._log.history(node.id, limit=HISTORY_MAX[detail])
        return tuple(_row(change, detail) for change in changes)

    def _neighbours(self, node: Node, nearest: Iterable[Node], depth: int) -> tuple[tuple[Node, Relation], ...]:
        seen = {node.id, *(other.id for other in nearest)}
        level = [each for each in seen if each != node.id]
        found: dict[str, Relation] = {}
        for _ in range(depth - 1):
            level = self._farther(level, seen, LIST_MAX - len(found), found)
            seen.update(level)
        nodes = self._store.nodes(list(found))
        return tuple((nodes[each], relation) for each, relation in found.items() if each in nodes)

    def _farther(self, level: Sequence[str], seen: set[str], limit: int, found: dict[str, Relation]) -> list[str]:
        """Return the next level beyond ``level``, and note in ``found`` by which relation each was reached first."""
        reached: dict[str, Relation] = {}
        for relation in self._store.relations(level, per_node=FAN_MAX) if level else ():
            for end in (relation.source, relation.target):
                if end not in seen:
                    reached.setdefault(end, relation)
        kept = list(reached)[:limit]
        found.update((each, reached[each]) for each in kept)
        return kept


def _seen(mention: Mention, node: Node, others: Mapping[str, Node]) -> MentionSeen | None:
    """Return ``mention`` as ``node`` sees it; None where the other node is gone."""
    outgoing = mention.node == node.id
    other = others.get(mention.target if outgoing else mention.node)
    if other is None or other.retired is not None:
        return None
    return MentionSeen("mentions" if outgoing else "mentioned_in", other.id, other.title, mention.name)


def _row(change: Change, detail: str) -> dict[str, Any]:
    row = {
        "seq": change.seq,
        "at": change.at.isoformat(),
        "actor": change.actor,
        "client": change.client,
        "tool": change.tool,
        "action": change.action.value,
        "batch": change.batch,
    }
    return row if detail == "concise" else {**row, "changed": _changed(change)}


def _changed(change: Change) -> dict[str, Any]:
    """Return the fields that an update changed, each with what it was and what it became."""
    if change.before is None or change.after is None:
        return {}
    before, after = change.before, change.after
    return {
        name: [before.get(name), after.get(name)]
        for name in sorted({*before, *after})
        if before.get(name) != after.get(name)
    }
