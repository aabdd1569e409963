"""What an ingest that ended early left undone: new nodes that nobody has yet seen together with what stands.

The batch of a document keeps, beside what it writes, a receipt under the id of the document's text: which nodes are
new, and the mark of the call that wrote it. A text that is read once more, by a model, has one more, with a number. A
call that comes to its end keeps a receipt under its mark. Where that is missing, the next call that meets the document
makes up for it. The receipts are nobody's, so that anybody may.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING, Final

from weft.errors import Conflict
from weft.identity import new_id
from weft.model import Batch, Receipt

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from weft.model import Call, Source
    from weft.ports import Store

__all__ = ["TAKEN", "Unseen", "finish", "opened", "unseen"]

TAKEN: Final = "receipt_taken"
"""The key of the error of a commit whose receipt another one has kept meanwhile."""

_TOOL: Final = "ingest to its end"


@dataclass(frozen=True, slots=True, kw_only=True)
class Unseen:
    """The ``nodes`` of one document that calls, by their ``marks``, wrote and did not come to see; empty: none."""

    nodes: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()


def opened(store: Store, source: Source, nodes: Sequence[str], mark: str) -> Receipt | None:
    """Return what is kept with the text ``source`` until the call of this mark has seen its new ``nodes``."""
    if not nodes:
        return None
    readings = sum(1 for _ in _kept(store, source))
    return _receipt(_key(source, readings), mark, tuple(nodes))


def unseen(store: Store, source: Source | None) -> Unseen:
    """Return what the calls that read the text ``source`` left undone; nothing where they came to their ends."""
    found = [(json.loads(kept.answer), kept.subjects) for kept in _kept(store, source)]
    left = [(mark, nodes) for mark, nodes in found if store.receipt(actor="", tool=_TOOL, key=mark) is None]
    return Unseen(nodes=tuple(node for _, nodes in left for node in nodes), marks=tuple(mark for mark, _ in left))


def _kept(store: Store, source: Source | None) -> Iterator[Receipt]:
    """Yield the receipts of the readings of a text that made nodes, the first reading first."""
    if source is None:
        return
    for reading in count():
        kept = store.receipt(actor="", tool=_TOOL, key=_key(source, reading))
        if kept is None:
            return
        yield kept


def _key(source: Source, reading: int) -> str:
    return f"{source.id} {reading}" if reading else source.id


def finish(store: Store, marks: Sequence[str], call: Call) -> None:
    """Keep that the calls of these marks came to their ends; that another has done so meanwhile is as well."""
    for mark in marks:
        batch = Batch(id=new_id(call.at), call=call, operations=(), receipt=_receipt(mark, "", ()))
        try:
            store.commit(batch)
        except Conflict:
            continue


def _receipt(key: str, answer: str, subjects: tuple[str, ...]) -> Receipt:
    return Receipt(key=key, tool=_TOOL, actor="", digest="", answer=json.dumps(answer), subjects=subjects)
