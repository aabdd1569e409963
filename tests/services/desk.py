"""A whole graph of real rooms for the writing verbs: an SQLite file and its indexes."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import TYPE_CHECKING

from engine import finder_at, opened_at
from weft.embed import open_entailment, open_intent
from weft.model import Call, CaptureRequest, Filter, Page, ReceiptRequest, RelateRequest, Tier
from weft.services.capture.capture import Capture
from weft.services.capture.ports import CapturePorts
from weft.services.relate import Relate
from weft.services.review.curate import Curate
from weft.services.synthesis.synthesize import Synthesize

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from weft.model import Captured, Node, Related
    from weft.ports import Embedder, Log, Shelf, Store, Upkeep, Vectors, Words

ENTAILMENT = open_entailment()
INTENT = open_intent()
"""One for all graphs of a process: it is loaded once, where it is first asked."""

START = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


@dataclass(frozen=True, kw_only=True)
class Desk:
    """An open graph with its writing verbs, and a clock that ticks one second a call."""

    store: Store
    log: Log
    shelf: Shelf
    upkeep: Upkeep
    words: Words
    vectors: Vectors
    embedder: Embedder
    capture: Capture
    relate: Relate
    synthesize: Synthesize
    curate: Curate
    ticks: Iterator[int]

    def call(self, *, actor: str = "ada", tier: Tier = Tier.CURATOR, session: str = "", tool: str = "capture") -> Call:
        """Return a call, one second after the one before."""
        at = START + timedelta(seconds=next(self.ticks))
        return Call(actor=actor, client="test", tool=tool, tier=tier, at=at, session=session)

    def keyed(self, key: str) -> Call:
        """Return a call that wishes for a receipt under ``key``; its answer is sealed as the answer's own words."""
        return replace(self.call(), receipt=ReceiptRequest(key=key, digest="d", seal=repr))

    def add(self, content: str, **fields: object) -> Captured:
        """Capture ``content``."""
        return self.capture.capture(CaptureRequest(content=content, **fields), self.call())

    def join(self, source: str, target: str, type: str = "relates_to", **fields: object) -> Related:  # noqa: A002
        """Relate two nodes."""
        wish = RelateRequest(source=source, target=target, type=type, reasoning="because", **fields)
        return self.relate.relate(wish, self.call(tool="relate"))

    def node(self, id_: str) -> Node:
        """Return the node of this id as it stands."""
        return self.store.nodes((id_,))[id_]

    def standing(self) -> tuple[Node, ...]:
        """Return every node that stands."""
        return self.store.find(Filter(), Page(limit=1000)).nodes

    def measure(self) -> tuple[int, ...]:
        """Return how much there is of everything, and the log's head: what no failed call may change."""
        counts = self.store.counts()
        return (
            counts.nodes,
            counts.relations,
            counts.sources,
            counts.passages,
            counts.suggestions_open,
            counts.retired,
            counts.mentions,
            self.log.head(),
        )


@contextmanager
def opened(path: Path, embedder: Embedder, *, tier: Tier = Tier.CURATOR) -> Iterator[Desk]:
    """Open the graph in ``path``, made if it is not there, with all writing verbs."""
    room = opened_at(path, embedder, tier=tier)
    vectors = finder_at(path, room, embedder)
    try:
        store, shelf, words = room.store, room.shelf, room.words
        reading = {"store": store, "shelf": shelf, "words": words}
        home = path.stem
        yield Desk(
            log=room.log,
            upkeep=room.upkeep,
            vectors=vectors,
            embedder=embedder,
            capture=Capture(
                CapturePorts(**reading, vectors=vectors, embedder=embedder, entailment=ENTAILMENT, intent=INTENT),
                home=home,
            ),
            relate=Relate(store=store),
            synthesize=Synthesize(**reading, vectors=vectors, embedder=embedder, home=home),
            curate=Curate(**reading, log=room.log, embedder=embedder),
            ticks=count(),
            **reading,
        )
    finally:
        vectors.close()
        room.close()
