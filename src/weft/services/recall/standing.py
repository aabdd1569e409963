"""How the graph stands: counts, hubs, orphans, communities, and whether its parts are sound."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final, Protocol

from weft.model import Standing
from weft.services.drafting import refuse_unknown
from weft.services.recall.fetching import DETAILS
from weft.services.recall.shaping import PAIRS_READ_MAX, Shaping
from weft.services.recall.wanting import verdict, wants

if TYPE_CHECKING:
    from collections.abc import Mapping

    from weft.model import Counts, Node
    from weft.ports import Embedder, Log, Shelf, Store, Usage
    from weft.reason.shape import Shape

__all__ = ["Mirror", "Overview"]

HUBS_MAX: Final = {"concise": 5, "detailed": 20}
COMMUNITIES_MAX: Final = {"concise": 5, "detailed": 20}
MEMBERS_MAX: Final = 5  # named of a community, the most related first


class Mirror(Protocol):
    """The graph as files that people read and edit, where it is kept so."""

    def health(self) -> dict[str, Any]:
        """Return whether there are any, where they lie, and what waits, JSON-ready."""


class Overview:
    """Looks at the graph as a whole. The shape is kept until relations change."""

    def __init__(
        self,
        *,
        store: Store,
        shelf: Shelf,
        log: Log,
        usage: Usage,
        embedder: Embedder,
        mirror: Mirror | None = None,
    ) -> None:
        self._store = store
        self._log = log
        self._usage = usage
        self._embedder = embedder
        self._mirror = mirror
        self._shaping = Shaping(shelf=shelf, log=log, hubs_max=HUBS_MAX["detailed"])

    def counts(self) -> Counts:
        """Return how much of what the graph holds."""
        return self._store.counts()

    def standing(self, *, detail: str) -> Standing:
        """Return how the graph stands; ``detail`` is concise or detailed (more hubs and communities, tallies of use).

        Raises:
            InvalidArgument: an unknown ``detail``.
        """
        refuse_unknown(detail, DETAILS, field="detail")
        head = self._log.head()
        counts = self._store.counts()
        found = self._shaping.shape(head, counts.relations)
        nodes = self._store.nodes(_shown(found, detail))
        health = self._health(counts, head, detail)
        waiting = wants(counts, health["vault"])
        return Standing(
            verdict=verdict(waiting),
            wants=waiting,
            counts=asdict(counts),
            hubs=tuple(
                {**_named(nodes[hub.id]), "degree": hub.degree}
                for hub in found.hubs[: HUBS_MAX[detail]]
                if hub.id in nodes
            ),
            orphans=max(0, counts.nodes - found.related),
            communities=tuple(_community(members, nodes) for members in found.communities[: COMMUNITIES_MAX[detail]]),
            health=health,
        )

    def _health(self, counts: Counts, head: int, detail: str) -> dict[str, Any]:
        health: dict[str, Any] = {
            **self._store.facts(),
            "log_head": head,
            "passages": counts.passages,
            "model_loaded": self._embedder.name,
            "model_dimension": self._embedder.dimension,
            "vault": self._mirror.health() if self._mirror is not None else {"on": False},
        }
        if counts.relations > PAIRS_READ_MAX:
            health["shape"] = f"hubs, orphans and communities are read from the first {PAIRS_READ_MAX} relations"
        if detail == "detailed":
            health["usage"] = dict(self._usage.tallies())
        return health


def _shown(found: Shape, detail: str) -> list[str]:
    members = [each for group in found.communities[: COMMUNITIES_MAX[detail]] for each in group[:MEMBERS_MAX]]
    return list(dict.fromkeys([*(hub.id for hub in found.hubs), *members]))


def _named(node: Node) -> dict[str, Any]:
    return {"id": node.id, "title": node.title, "kind": node.kind, "ontology": node.ontology}


def _community(members: tuple[str, ...], nodes: Mapping[str, Node]) -> dict[str, Any]:
    named = [nodes[each] for each in members[:MEMBERS_MAX] if each in nodes]
    return {
        "size": len(members),
        "title": named[0].title if named else "",
        "members": [{"id": node.id, "title": node.title} for node in named],
    }
