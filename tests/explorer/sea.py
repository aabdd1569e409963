"""A small graph of the sea and of orchards for the explorer to show: every page has something on it."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

import weft
from weft.model import CaptureRequest, Linking, UpdateRequest

if TYPE_CHECKING:
    from pathlib import Path

    from weft import Connection, Graph

__all__ = ["BAY", "LOGS", "OLD_AT", "fill"]

OLD_AT: Final = datetime(2024, 3, 1, 12, tzinfo=UTC)
"""When the lighthouse had its first lamp; a day later it had another."""

LOGS: Final = 23
"""Entries of the harbour's log, more than two pages of a search hold."""

BAY: Final = """# Ice in the bay

**Fast ice**: sea ice that is fastened to the shore, and does not move with the wind.

We decided to close the harbour while the fast ice is thicker than a hand, because boats are crushed in it.
"""

NODES: Final = (
    ("Herring return", "claim", "sea", "Herring spawn in shallow bays each spring, and return to where they hatched."),
    ("Herring roam", "claim", "sea", "Herring never return to where they hatched; they spawn where it is warm."),
    ("Plankton blooms", "concept", "sea", "Plankton blooms when the light of spring reaches deep water."),
    ("Herring follow plankton", "claim", "sea", "Shoals of herring go wherever there is plankton to eat."),
    ("Warm currents", "concept", "sea", "A warm current carries what lives in it far to the north."),
    ("Tides turn twice", "claim", "sea", "The tide turns twice a day, and every harbour lives by it."),
    ("Nets are mended", "procedure", "sea", "Nets are mended on the quay before the boats leave."),
    ("Vines are pruned", "procedure", "orchard", "A vine is pruned in winter, while its sap is low."),
    ("Bees carry pollen", "claim", "orchard", "Bees carry the pollen from one blossom of the orchard to the next."),
    ("Frost kills blossom", "claim", "orchard", "A night of frost in April kills the blossom of the apple trees."),
)
RELATIONS: Final = (
    ("Plankton blooms", "causes", "Herring follow plankton", "Where it blooms, there is food."),
    ("Herring follow plankton", "supports", "Herring return", "The bays bloom each spring."),
    ("Herring roam", "contradicts", "Herring return", "Both cannot be."),
    ("Warm currents", "affects", "Plankton blooms", "It brings what plankton needs."),
    ("Frost kills blossom", "affects", "Bees carry pollen", "Without blossom there is nothing to carry."),
)
TWINS: Final = (
    ("Lost anchors", "Lost anchors are marked with red buoys until a diver has lifted them from the ground."),
    ("Anchors lost", "Until a diver has lifted them from the ground, lost anchors are marked with red buoys."),
)


def fill(folder: Path) -> None:
    """Make the graph ``sea.db`` in ``folder``, as Ann would."""
    with weft.connect(str(folder / "sea.db"), actor="ann") as sea:
        _lamp(sea.graph)
        for title, kind, ontology, content in NODES:
            sea.capture(
                content, title=title, kind=kind, ontology=ontology, tags=["fish"] if title == "Herring return" else []
            )
        for source, type_, target, reasoning in RELATIONS:
            sea.relate(source, target=target, type=type_, reasoning=reasoning)
        for title, content in TWINS:
            sea.capture(content, title=title, kind="convention", ontology="sea")
        sea.ingest(text=BAY, document="bay.md", ontology="bay")
        _hub(sea)
        _logs(sea.graph)
        _bar(sea)


def _bar(sea: Connection) -> None:
    """Have one sounding of the bar take the place of another."""
    for title, depth in (("The bar", "four"), ("The bar, sounded anew", "three")):
        content = f"The bar before the river lies {depth} fathoms deep."
        sea.graph.capture.capture(
            CaptureRequest(content=content, title=title, kind="claim", ontology="chart", linking=Linking.NONE),
            sea.graph.call("capture"),
        )
    sea.relate("The bar, sounded anew", target="The bar", type="supersedes", reasoning="The river brought sand.")


def _hub(sea: Connection) -> None:
    """Relate the harbour to so many boats that it is drawn in two columns."""
    sea.capture("The harbour has room for fourteen boats.", title="The harbour", kind="concept", ontology="fleet")
    for number in range(14):
        sea.graph.capture.capture(
            CaptureRequest(
                content=f"Boat {number} lies at mooring {number * 3}.",
                title=f"Boat {number}",
                kind="concept",
                ontology="fleet",
                linking=Linking.NONE,
            ),
            sea.graph.call("capture"),
        )
        sea.relate(f"Boat {number}", target="The harbour", type="part_of", reasoning="It lies there.")


def _logs(graph: Graph) -> None:
    for number in range(LOGS):
        entry = CaptureRequest(
            content=f"Entry {number}: the harbour counted {number * 7 + 3} crates of cod.",
            title=f"Harbour log {number}",
            kind="session",
            ontology="log",
            tags=("cod",),
            linking=Linking.NONE,
        )
        graph.capture.capture(entry, graph.call("capture", session="harbour"))


def _lamp(graph: Graph) -> None:
    """Have the lighthouse change its lamp in the past."""
    then = replace(graph.call("capture"), at=OLD_AT)
    lamp = CaptureRequest(
        content="The lighthouse burns whale oil.", title="The lamp", kind="configuration", ontology="light"
    )
    made = graph.capture.capture(lamp, then)
    later = replace(graph.call("update"), at=OLD_AT.replace(day=2))
    graph.capture.update(UpdateRequest(id=made.node.id, content="The lighthouse has an electric lamp."), later)
