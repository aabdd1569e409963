"""What an import finds where it arrives: ids that are taken, nodes that its items join, names that mean others here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from uuid import UUID

import numpy as np

from weft import text
from weft.identity import new_id
from weft.model import SaveVote, Vote
from weft.services import drafting
from weft.services.learned.connecting import Drawn
from weft.services.learned.numbering import LEARNED, SYNTHESIS, Numbers, parts_of
from weft.vocabulary import NAME_MAX, REASON_MAX

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from weft.model import Call, Node, Passage, PortableEnd, PortableItem
    from weft.ports import Learned, Store

__all__ = ["Arrivals", "Skipped"]

_NAMESAKES_MAX: Final = 20  # nodes of one title that an end is looked for among


class Skipped(Exception):
    """Why an item is not taken in; never leaves the import."""


class Arrivals:
    """One plan of an import: what it has drawn up, and what it may still take."""

    def __init__(
        self,
        store: Store,
        learned: Learned,
        items: Sequence[PortableItem],
        *,
        creators: Mapping[str, str],
        call: Call,
    ) -> None:
        self.drawn = Drawn(numbers=Numbers(store, call))
        self._store = store
        self._creators = creators
        self._call = call
        ids = sorted({item.learned_id for item in items if item.learned_id})
        self._standing = learned.items(ids)
        self._ever = learned.ever([each for each in ids if each not in self._standing])
        self._taken: set[str] = set()
        self._handles: set[str] = set()
        for item in items:
            self._reserve(item)

    def _reserve(self, item: PortableItem) -> None:
        """Keep the numbers that come in with ``item`` from being given out here."""
        ids = (item.learned_id, item.concept.handle if item.concept else "")
        for found in map(parts_of, ids if item.learned_id not in self._standing else ()):
            if found is not None:
                self.drawn.numbers.reserve(*found)

    def admit(self, item: PortableItem) -> None:
        """Let ``item`` in.

        Raises:
            Skipped: its id is none, or it is here already, or its id is another's.
        """
        handle = item.concept.handle if item.concept else ""
        _check_form(item.learned_id, LEARNED)
        _check_form(handle, SYNTHESIS)
        evidence = item.evidence.strip()
        standing = self._standing.get(item.learned_id)
        if standing is not None:
            same = standing.evidence is not None and standing.evidence.quote == evidence
            raise Skipped("it is here already" if same else "its id is here already, with other evidence")
        if item.learned_id in self._taken:
            raise Skipped("it stands in the text twice")
        if item.learned_id in self._ever and evidence not in self._ever[item.learned_id]:
            raise Skipped("its id was used here before, by something that was deleted since")
        if handle and self._store.resolve(handle, limit=1):
            raise Skipped(f"{handle} is another concept here")
        self._taken |= {item.learned_id} - {""}

    def creator(self, name: str) -> str:
        """Return the name that ``name`` has here."""
        return self._creators.get(name, name)

    def since(self, at: datetime | None) -> datetime:
        """Return when an item was made: the time that it says, unless that is to come."""
        return min(at, self._call.at) if at is not None else self._call.at

    def id_for(self, wanted: str) -> str:
        """Return the id of a concept that arrives: its own, unless that is none or was used here."""
        try:
            free = str(UUID(wanted)) == wanted and not self._store.nodes((wanted,))
        except ValueError:
            free = False
        return wanted if free and wanted not in self.drawn.nodes else new_id(self._call.at)

    def handles_for(self, wanted: str) -> tuple[str, ...]:
        """Return the handle of a concept that arrives; none (it gets the next one), where another arrived with it.

        It is so where two concepts were merged: both items are told of the one that stayed.
        """
        return () if not wanted or wanted in self._handles else (wanted,)

    def end(self, end: PortableEnd) -> Node:
        """Return the node that ``end`` names: by its id or handle, else by its title, in its ontology if that tells.

        Raises:
            Skipped: it names none, or several.
        """
        arrived = [node for node in self.drawn.nodes.values() if end.id in (node.id, *node.handles)]
        found = arrived or (list(self._store.resolve(end.id, limit=2)) if end.id else [])
        if not found:
            named = [node for node in self.drawn.nodes.values() if text.fold(node.title) == text.fold(end.title)]
            named += self._store.resolve(end.title, limit=_NAMESAKES_MAX) if end.title else ()
            found = [node for node in named if node.ontology == end.ontology] or named
        shown = f"«{(end.title or end.id)[:80]}»" + (f" ({end.ontology[:80]})" if end.ontology else "")
        if len({node.id for node in found}) != 1:
            raise Skipped(f"{shown} names several nodes here" if found else f"{shown} is not in this graph")
        return self.drawn.latest(found[0])

    def made(self, node: Node, passages: Sequence[Passage]) -> None:
        """Remember a concept that arrived, so that later items can join it."""
        self.drawn.nodes[node.id] = node
        self._handles |= set(node.handles)
        self.drawn.vectors[node.id] = np.stack([each.vector for each in passages])

    def vote(self, learned_id: str, item: PortableItem) -> None:
        """Draw up the votes that ``item`` brings, the last of each actor."""
        last = {self.creator(each.actor.strip()): each for each in item.votes if each.actor.strip()}
        for actor, each in last.items():
            vote = Vote(
                learned_id=learned_id,
                actor=drafting.line(actor, field="votes.actor", limit=NAME_MAX),
                value=each.value,
                reason=text.clean(each.reason, field="votes.reason", limit=REASON_MAX),
                at=self.since(each.at),
            )
            self.drawn.operations.append(SaveVote(vote=vote))


def _check_form(id_: str, series: str) -> None:
    found = parts_of(id_) if id_ else ("", 0)
    if found is None or not found[0].startswith(series if id_ else ""):
        raise Skipped(f"{id_[:60]!a} is no id of the form {series}_YYYY-MM-DD_NNN")
