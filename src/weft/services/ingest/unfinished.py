"""What an ingest that ended early left undone: new nodes that nobody has yet seen together with what stands.

The batch of a document keeps, beside what it writes, a receipt under the id of the document's text: which nodes are
new, and the mark of the call that wrote it. A call that comes to its end keeps a receipt under its mark. Where that is
missing, the next call that meets the document makes up for it. The receipts are nobody's, so that anybody may.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from weft.errors import Conflict
from weft.identity import new_id
from weft.model import Batch, Receipt

if TYPE_CHECKING:
    from collections.abc import Sequence

    from weft.model import Call, Source
    from weft.ports import Store

__all__ = ["Unseen", "finish", "opened", "unseen"]

_TOOL: Final = "ingest to its end"


@dataclass(frozen=True, slots=True, kw_only=True)
class Unseen:
    """The ``nodes`` of one document that a call, by its ``mark``, wrote and did not come to see; empty: none."""

    nodes: tuple[str, ...] = ()
    mark: str = ""


def opened(source: Source, nodes: Sequence[str], mark: str) -> Receipt | None:
    """Return what is kept with the text ``source`` until the call of this mark has seen its new ``nodes``."""
    return _receipt(source.id, mark, tuple(nodes)) if nodes else None


def unseen(store: Store, source: Source | None) -> Unseen:
    """Return what the call that wrote the text ``source`` left undone; nothing where it came to its end."""
    kept = store.receipt(actor="", tool=_TOOL, key=source.id) if source is not None else None
    mark = json.loads(kept.answer) if kept is not None else ""
    if kept is None or store.receipt(actor="", tool=_TOOL, key=mark) is not None:
        return Unseen()
    return Unseen(nodes=kept.subjects, mark=mark)


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
