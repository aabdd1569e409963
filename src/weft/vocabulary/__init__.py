"""The words the graph is written in: kinds of nodes, types of relations, and the bounds of both. Data, not code.

Names are stored in lower case with underscores. :func:`kind_named` and :func:`relation_type_named` read any spelling
of them; every other name is refused here, so that no free text ever travels on as a kind or a type.
"""

from __future__ import annotations

from weft.vocabulary.kinds import KIND_FAMILIES, KINDS, PROJECT_KINDS, Kind
from weft.vocabulary.limits import *  # noqa: F403
from weft.vocabulary.lookup import kind_named, relation_type_named
from weft.vocabulary.relation_types import RELATION_FAMILIES, RELATION_TYPES, RelationType

__all__ = [  # noqa: PLE0604, F405 - the limits' names are listed beside them
    "KINDS",
    "KIND_FAMILIES",
    "PROJECT_KINDS",
    "RELATION_FAMILIES",
    "RELATION_TYPES",
    "Kind",
    "RelationType",
    "kind_named",
    "relation_type_named",
]
