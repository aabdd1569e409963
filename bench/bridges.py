"""What a search for bridges costs between two ontologies of 1,000, 5,000 and 20,000 nodes, and what it finds.

python bench/bridges.py [--sizes 1000 2000 5000 20000] [--rounds 5]

Vectors lie in clusters that both ontologies share. Beside each answer stands the truth: the nearest pairs when every
node is compared with every other. Recall is the share of the true nearest 10, 100 and 1,000 pairs that were walked to.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from weft.identity import new_id
from weft.index import Index, open_index
from weft.model import Batch, BridgeRequest, Calibration, Call, Filter, Node, Passage, SaveNode, Scope, Tier
from weft.services.synthesis.across import across
from weft.services.synthesis.bridge import Bridging
from weft.store import Opened, open_sqlite

if TYPE_CHECKING:
    import numpy.typing as npt

    Vectors = npt.NDArray[np.float32]

DIMENSION = 384
CLUSTERS = 400
NOW = datetime(2026, 1, 1, tzinfo=UTC)
SIDES = ("harbours", "railways")
BATCH = 2_000
CALL = Call(actor="bench", client="bench", tool="bridge", tier=Tier.CURATOR, at=NOW)
CALIBRATION = Calibration(points=((0.0, 0.0), (1.0, 1.0)))
BEST = (10, 100, 1_000)


def clustered(count: int) -> Vectors:
    """Return unit vectors (count, 384) around 400 centres, as close to them as texts of one topic are."""
    dice = np.random.default_rng(2)
    centres = dice.standard_normal((CLUSTERS, DIMENSION), np.float32)
    made = centres[dice.integers(0, CLUSTERS, count)] + 1.1 * dice.standard_normal((count, DIMENSION), np.float32)
    return made / np.linalg.norm(made, axis=1, keepdims=True)


def fill(opened: Opened, vectors: Vectors) -> None:
    """Write one node a vector, by turns into the two ontologies."""
    for start in range(0, len(vectors), BATCH):
        operations = tuple(
            saving(start + at, vector, SIDES[(start + at) % 2])
            for at, vector in enumerate(vectors[start : start + BATCH])
        )
        opened.store.commit(Batch(id=new_id(NOW), call=CALL, operations=operations))


def saving(number: int, vector: Vectors, ontology: str) -> SaveNode:
    """Return the write of one node."""
    content = f"Entry {number} of the register of {ontology}."
    node = Node(
        id=new_id(NOW), kind="concept", title=f"{ontology} {number}", content=content, ontology=ontology,
        created_at=NOW, created_by="bench", modified_at=NOW, modified_by="bench",
    )  # fmt: skip
    passage = Passage(start=0, end=len(content), text=content, vector=vector)
    return SaveNode(node=node, expect=0, passages=(passage,))


def truth(index: Index) -> list[set[tuple[str, str]]]:
    """Return the nearest 10, 100 and 1,000 pairs of all."""
    sides = [index.openings(Filter(ontologies=(name,)), limit=10**6, per_node=1) for name in SIDES]
    one, other = (side for side in sides if side is not None)
    most = min(BEST[-1], len(one.nodes) * len(other.nodes))
    rows: list[tuple[float, int, int]] = []
    for start in range(0, len(one.nodes), BATCH):
        cosines = one.vectors[start : start + BATCH] @ other.vectors.T
        flat = np.argpartition(cosines.ravel(), -most)[-most:]
        at, column = np.divmod(flat, len(other.nodes))
        rows += zip(cosines.ravel()[flat].tolist(), (at + start).tolist(), column.tolist(), strict=True)
    rows = sorted(rows, reverse=True)[:most]
    return [{(one.nodes[at], other.nodes[column]) for _, at, column in rows[:count]} for count in BEST]


def measure(folder: Path, size: int, rounds: int) -> None:
    """Build a graph of two times ``size`` nodes, and print what a search for bridges in it takes and finds."""
    opened = open_sqlite(
        folder / f"{size}.db", tier=Tier.CURATOR, model="bench", dimension=DIMENSION, create=True, synchronous="OFF"
    )
    start = time.perf_counter()
    fill(opened, clustered(2 * size))
    built = time.perf_counter() - start
    index = open_index(opened.passages, folder=folder, name=str(size), dimension=DIMENSION)
    bridging = Bridging(
        store=opened.store, shelf=opened.shelf, words=opened.words, vectors=index, calibration=CALIBRATION
    )
    request = BridgeRequest(ontology1=SIDES[0], ontology2=SIDES[1], similarity_min=0.5)
    taken = []
    for _ in range(rounds):
        start = time.perf_counter()
        found = bridging.bridge(request, CALL)
        taken.append(time.perf_counter() - start)
    walked = across(opened.store, index, dict.fromkeys(SIDES, size), CALL, scope=Scope.ALL)
    pairs = {frozenset(pair) for pair in walked.pairs}
    start = time.perf_counter()
    nearest = truth(index)
    exhaustive = time.perf_counter() - start
    recall = [len({frozenset(pair) for pair in true} & pairs) / len(true) for true in nearest]
    print(
        f"  2 × {size:6,}: p50 {statistics.median(taken):.2f} s, worst {max(taken):.2f} s; "
        f"looked up {found.searched:,} of {found.total:,} nodes; {walked.compared / 1e6:.1f} of {size**2 / 1e6:.0f} "
        f"million comparisons; recall@10 {recall[0]:.2f}, @100 {recall[1]:.2f}, @1000 {recall[2]:.2f} "
        f"(built in {built:.1f} s, all pairs compared in {exhaustive:.1f} s)",
        flush=True,
    )
    index.close()
    opened.close()


def main() -> None:
    """Measure each size."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1_000, 2_000, 5_000, 20_000])
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    print(f"bridges between two ontologies, {options.rounds} rounds each")
    with tempfile.TemporaryDirectory() as folder:
        for size in options.sizes:
            measure(Path(folder), size, options.rounds)


if __name__ == "__main__":
    main()
