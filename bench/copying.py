"""A graph copied from a file into PostgreSQL and back: nodes a second, and what either side spends on a node.

::

    python bench/copying.py                          # 20,000 notes of 40 words, one relation each
    python bench/copying.py --nodes 100000 --words 92 --relations 3

Printed for each way: nodes a second with everything in it (carrying, words, all look-ups, comparing), the time that a
processor of Weft and of the server works on a node, and for the database what each table and its indexes take a node.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import psutil
import psycopg

sys.path[:1] = [str(Path(__file__).resolve().parents[1] / folder) for folder in ("src", "tests")]

from postgres.cluster import Cluster  # noqa: E402 - found through the paths above
from weft.model import Passage, SaveNode, Tier  # noqa: E402
from weft.store import open_sqlite  # noqa: E402
from weft.store.copying import Place, copy  # noqa: E402
from weft.testing.making import a_batch, a_node, joined  # noqa: E402

DIMENSION = 384
VOCABULARY = 50_000
BATCH = 200
SIZES = """
    SELECT relname, pg_table_size(oid), pg_indexes_size(oid) FROM pg_class
    WHERE relnamespace = 'weft'::regnamespace AND relkind = 'r' ORDER BY 2 DESC
"""


class Texts:
    """Draws texts whose words are as common as words are (Zipf), and vectors that lie in clusters."""

    def __init__(self, seed: int) -> None:
        self._dice = np.random.default_rng(seed)
        letters = self._dice.integers(97, 123, (VOCABULARY, 10), dtype=np.uint8)
        lengths = self._dice.integers(3, 10, VOCABULARY)
        self._words = [bytes(word[:length]).decode() for word, length in zip(letters, lengths, strict=True)]
        self._sums = np.cumsum(1 / np.arange(1, VOCABULARY + 1))
        self._centres = self._dice.standard_normal((2_000, DIMENSION)).astype(np.float32)

    def text(self, words: int) -> str:
        """Return a text of so many words."""
        places = np.searchsorted(self._sums, self._dice.random(words) * self._sums[-1])
        return " ".join(self._words[min(place, VOCABULARY - 1)] for place in places)

    def vector(self) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
        """Return a vector of length 1."""
        vector = self._centres[self._dice.integers(len(self._centres))]
        vector = vector + np.float32(0.6) * self._dice.standard_normal(DIMENSION).astype(np.float32)
        return vector / np.linalg.norm(vector)


def build(path: Path, *, nodes: int, words: int, relations: int) -> None:
    """Make a graph of so many nodes in a file; each has relations to some of the last ones."""
    texts, graph = Texts(7), open_sqlite(path, tier=Tier.CURATOR, model="bench", dimension=DIMENSION, create=True)
    last = []
    for start in range(0, nodes, BATCH):
        fresh = [
            a_node(texts.text(7), content=texts.text(words - 7), ontology=f"o{place % 20}")
            for place in range(start, min(nodes, start + BATCH))
        ]
        passages = [Passage(start=0, end=len(node.content), text="", vector=texts.vector()) for node in fresh]
        saves = [SaveNode(node=node, expect=0, passages=(one,)) for node, one in zip(fresh, passages, strict=True)]
        last = [*last[-BATCH:], *fresh]
        ends = ((node, last[at - 1 - step]) for at, node in enumerate(last) for step in range(relations))
        known = {node.id for node in fresh}
        graph.store.commit(a_batch(*saves, *(joined(one, other) for one, other in ends if one.id in known)))
    graph.close()


def spent(server: psutil.Process) -> float:
    """Return the processor time of the server and of all that it has started, in seconds."""
    times = server.cpu_times()
    total = times.user + times.system + times.children_user + times.children_system
    for child in server.children(recursive=True):
        try:
            total += sum(child.cpu_times()[:2])
        except psutil.NoSuchProcess:
            continue
    return float(total)


def told(way: str, source: Place, target: Place, nodes: int, server: psutil.Process) -> None:
    """Copy, and print what it took."""
    wall, own, its = time.perf_counter(), time.process_time(), spent(server)
    copied = copy(source, target)
    wall, own, its = time.perf_counter() - wall, time.process_time() - own, spent(server) - its
    each = 1e6 / nodes
    print(f"{way}: {nodes / wall:,.0f} nodes/s, Weft {own * each:.0f} µs a node, the server {its * each:.0f} µs a node")
    if not copied.same:
        raise SystemExit(f"{way}: what came out is not what went in")


def main() -> None:
    """Build a graph, copy it both ways, and tell what it takes where."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nodes", type=int, default=20_000)
    parser.add_argument("--words", type=int, default=40)
    parser.add_argument("--relations", type=int, default=1)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, Cluster() as cluster:
        first, last = Path(folder) / "first.db", Path(folder) / "last.db"
        build(first, nodes=given.nodes, words=given.words, relations=given.relations)
        url = cluster.url(cluster.create_database())
        server = psutil.Process(int((cluster.folder / "data" / "postmaster.pid").read_text().split()[0]))
        told("file to database", first, url, given.nodes, server)
        told("database to file", url, last, given.nodes, server)
        print(f"file: {first.stat().st_size / given.nodes:,.0f} bytes a node")
        with psycopg.connect(url) as connection:
            for name, table, indexes in connection.execute(SIZES).fetchall():
                print(f"{name}: {table / given.nodes:,.0f} bytes a node, indexes {indexes / given.nodes:,.0f}")


if __name__ == "__main__":
    main()
