"""The hint that two hits of different ontologies may belong together."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Any, Final

from weft.services.nearness import alike
from weft.vocabulary import OBVIOUS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from weft.model import Calibration, Hit, Node
    from weft.ports import Store, Vectors

__all__ = ["bridge_hint"]

_TOP: Final = 5  # hits that are compared with each other
_FAN: Final = 200


def bridge_hint(hits: Sequence[Hit], store: Store, vectors: Vectors, calibration: Calibration) -> dict[str, Any] | None:
    """Return the likest pair of top hits from two ontologies that no relation joins, or None.

    A pair counts from the calibrated similarity 0.85 on. JSON-ready: ``node1``, ``node2`` (id, title, ontology),
    ``similarity``.
    """
    nodes = [hit.node for hit in hits[:_TOP]]
    if len({node.ontology for node in nodes}) < 2:  # noqa: PLR2004 - it takes two
        return None
    passages = vectors.of([node.id for node in nodes])
    close = [
        (alike(passages[one.id], passages[other.id], calibration), one, other)
        for one, other in combinations(nodes, 2)
        if one.ontology != other.ontology and one.id in passages and other.id in passages
    ]
    close = sorted((each for each in close if each[0] >= OBVIOUS), key=lambda each: -each[0])
    return next((_hint(*each) for each in close if not _joined(store, each[1], each[2])), None)


def _joined(store: Store, one: Node, other: Node) -> bool:
    relations = store.relations((one.id,), per_node=_FAN)
    return any(other.id in (each.source, each.target) for each in relations)


def _hint(similarity: float, one: Node, other: Node) -> dict[str, Any]:
    return {
        "node1": {"id": one.id, "title": one.title, "ontology": one.ontology},
        "node2": {"id": other.id, "title": other.title, "ontology": other.ontology},
        "similarity": round(similarity, 4),
    }
