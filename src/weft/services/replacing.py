"""What took the place of what no longer holds: said wherever a superseded node is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from weft.model import Status, Titled

if TYPE_CHECKING:
    from collections.abc import Iterable

    from weft.model import Node
    from weft.ports import Store

__all__ = ["replacements"]


def replacements(store: Store, nodes: Iterable[Node], *, as_of: int | None = None) -> dict[str, Titled]:
    """Return, for each superseded node, what replaced it, where that is recorded.

    ``as_of`` is the change up to which relations count; None: as they are now.
    """
    old = [node.id for node in nodes if node.status is Status.SUPERSEDED]
    if not old:
        return {}
    relations = store.relations(old, types=("supersedes",), as_of=as_of)
    newer = store.nodes([each.source for each in relations])
    return {
        each.target: Titled(each.source, newer[each.source].title)
        for each in relations
        if each.target in old and each.source in newer
    }
