"""Whether what bears an id came from the same place: two vaults both have a note «Home», two tables both a row 1."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final

from weft.model import Filter, Page
from weft.text import normalized

if TYPE_CHECKING:
    from collections.abc import Iterable

    from weft.formats.foreign import Record
    from weft.model import Node
    from weft.services.transfer.ports import TransferPorts

__all__ = ["Elsewhere", "same"]

_NAMED_MAX: Final = 20
_HISTORY_MAX: Final = 50
_SHARE: Final = 0.5
"""A folder that was renamed shares at least so much of its ids with what stands here, and of these so many alike."""


class Elsewhere:
    """Tells nodes of the folder or file that is imported from those that came from another one under the same ids.

    A node is of the same place if it is, or was once, of the ontology that what comes in goes to. A folder that was
    renamed, or a later export, goes to another one: it is known by the ids that it shares with one ontology here, half
    of the smaller of the two, if half of what they name is alike. ``records`` are gone through once at most.
    """

    def __init__(self, ports: TransferPorts, *, prefix: str, records: Iterable[Record]) -> None:
        self._ports = ports
        self._prefix = prefix
        self._records = records
        self._former: str | None = None

    def bearing(self, handle: str) -> Node | None:
        """Return the node that bears ``handle``."""
        named = self._ports.store.resolve(handle, limit=_NAMED_MAX)
        return next((each for each in named if handle in each.handles), None)

    def holds(self, id_: str, ontology: str) -> bool:
        """Whether the node of this id, which may have left, is of another place than what goes to ``ontology``."""
        changes = self._ports.log.history(id_, limit=_HISTORY_MAX)
        once = {each.after["ontology"] for each in changes if each.after and "ontology" in each.after}
        if not once or ontology in once:
            return False
        if self._former is None:
            self._former = self._former_name()
        return self._former not in once

    def set_apart(self, node: Node) -> Node:
        """Return ``node`` under a handle that names its place too: ``obsidian:Home`` as ``obsidian:work:Home``."""
        format_, _, key = node.handles[0].partition(":")
        apart = f"{self._former or node.ontology}:{key}"
        return replace(node, handles=(f"{format_}:{apart}", apart))

    def _former_name(self) -> str:
        """Return the ontology that what comes in was taken into under another name, or nothing."""
        names, alike = Counter[str](), Counter[str]()
        count = 0
        for record in self._records:  # read one by one: their texts might be more than memory
            count += 1
            node = self.bearing(f"{self._prefix}{record.key}")
            if node is not None:
                names[node.ontology] += 1
                alike[node.ontology] += _alike(node, record)
        name, shared = next(iter(names.most_common(1)), ("", 0))
        everything = self._ports.store.find(Filter(ontologies=(name,)), Page(limit=1)).total if name else 0
        is_known = alike[name] >= _SHARE * shared and shared >= _SHARE * min(count, everything)
        return name if is_known else ""


def _alike(node: Node, record: Record) -> bool:
    """Whether a node says the same as a record of its id, or has its title where that is not the id's own."""
    named = record.title and PurePosixPath(record.key).name != record.title == node.title
    return bool(named) or same(node.content, record.content)


def same(one: str, other: str) -> bool:
    """Whether two texts are one, however their accents are encoded."""
    return normalized("NFC", one).strip() == normalized("NFC", other).strip()
