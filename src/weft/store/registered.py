"""Kinds and relation types as the transaction of a write sees them: a name may have been taken away since it was read.

What thinks writes none that nobody registered. What undoes, moves, merges or restores may bring back what was there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from weft.errors import InvalidArgument
from weft.model import SaveNode, SaveRelation
from weft.vocabulary import STANDARD

if TYPE_CHECKING:
    from collections.abc import Container

    from weft.model import Batch

__all__ = ["own_names", "refuse_unregistered"]

_KIND: Final = "kind"
_TYPE: Final = "relation_type"


def own_names(batch: Batch) -> bool:
    """Return whether ``batch`` saves anything of a kind or relation type that is no standard one, and must know it."""
    if not batch.spares_documents:
        return False
    kinds = {each.node.kind for each in batch.operations if isinstance(each, SaveNode)}
    types = {each.relation.type for each in batch.operations if isinstance(each, SaveRelation)}
    return not (kinds <= STANDARD.kinds.keys() and types <= STANDARD.types.keys())


def refuse_unregistered(own: Container[str], *, kind: str = "", type: str = "") -> None:  # noqa: A002 - the field's word
    """Refuse a kind or relation type that is neither standard nor among the keys ``own`` of the configuration.

    Raises:
        InvalidArgument: nobody registered it, or it was removed meanwhile.
    """
    for shelf, name, standard in ((_KIND, kind, STANDARD.kinds), (_TYPE, type, STANDARD.types)):
        if name and name not in standard and f"{shelf}.{name}" not in own:
            raise InvalidArgument(
                f"{shelf.removeprefix('relation_')}: {name} is not registered, or was removed just now.",
                hint="weft vocabulary lists what the graph knows, and registers a name.",
            )
