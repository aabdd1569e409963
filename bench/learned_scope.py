"""What learned knowledge costs those who search and trace, and what the suggestions cost that ride on a search.

python bench/learned_scope.py [--nodes 10000] [--relations 5] [--rounds 5] [--questions 100]

Two graphs hold the same nodes and relations; to the second, learned relations are added until they are a tenth of all,
each with its source and evidence. Every question is put to both in turn, so that noise hits both alike, and what is
printed is the ratio of the medians, round by round. Queries are not embedded, their vectors are given: what is compared
is the work on the graph.
"""

from __future__ import annotations

import argparse
import hashlib
import random
import statistics
import tempfile
import time
from collections import defaultdict
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from search_kernels import CLUSTERS, DIMENSION, NOW, asked, clustered, language, written
from weft.embed import open_embedder
from weft.identity import new_id
from weft.index import open_index
from weft.model import (
    Batch,
    Call,
    Evidence,
    Node,
    Origin,
    Passage,
    Relation,
    SaveEvidence,
    SaveNode,
    SaveRelation,
    SaveSource,
    SearchRequest,
    Source,
    SourceType,
    Tier,
    TraceRequest,
)
from weft.ports import WholeTexts
from weft.services.learned.learn import LearnPorts
from weft.services.recall.ports import RecallPorts
from weft.services.recall.recall import Recall
from weft.services.search.matching import Matching
from weft.services.search.searching import Searching
from weft.services.trace.trace import Trace
from weft.services.watching.sweep import Watching
from weft.store import Opened, open_sqlite, open_usage

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy.typing as npt

    from weft.model import Calibration, Operation

    Vectors = npt.NDArray[np.float32]

ACROSS = 0.25  # of them lead to another topic, as in a graph that hangs together
BATCH = 1_000
CALL = Call(actor="bench", client="bench", tool="bench", tier=Tier.CURATOR, at=NOW, caller="bench")


class Given(WholeTexts):
    """An embedder that is told beforehand what it will be asked."""

    name = "bench"
    dimension = DIMENSION

    def __init__(self, known: dict[str, Vectors], calibration: Calibration) -> None:
        self._known = known
        self.calibration = calibration

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of ``texts``; what was not told has the first of all."""
        return np.stack([self._known.get(text, next(iter(self._known.values()))) for text in texts])


@dataclass(frozen=True, kw_only=True)
class Room:
    """An open graph with the verbs that are measured."""

    opened: Opened
    recall: Recall
    trace: Trace
    watching: Watching


def nodes_of(count: int, vectors: Vectors) -> tuple[list[Node], list[int]]:
    """Return nodes of generated texts in five ontologies, and the topic of each."""
    nodes, topics = [], []
    for title, content, topic in written(language(np.random.default_rng(0)), count, np.random.default_rng(1)):
        node = Node(
            id=new_id(NOW), kind="concept", title=title, content=content, ontology=f"o{len(nodes) % 5}",
            created_at=NOW, created_by="bench", modified_at=NOW, modified_by="bench",
        )  # fmt: skip
        nodes.append(node)
        topics.append(topic)
    assert len(nodes) == len(vectors)
    return nodes, topics


def pairs_of(nodes: Sequence[Node], topics: Sequence[int], count: int, *, across: bool) -> list[tuple[str, str]]:
    """Return pairs of different nodes, of one topic or, ``across``, of any."""
    dice = random.Random(11 + across)
    mates = defaultdict(list)
    for node, topic in zip(nodes, topics, strict=True):
        mates[topic].append(node.id)
    found: dict[tuple[str, str], None] = {}
    while len(found) < count:
        at = dice.randrange(len(nodes))
        other = dice.choice(nodes).id if across else dice.choice(mates[topics[at]])
        if other != nodes[at].id:
            found[nodes[at].id, other] = None
    return list(found)


def relation(source: str, target: str, *, learned_id: str = "") -> Relation:
    """Return a relation, learned where it has a ``learned_id``."""
    return Relation(
        id=new_id(NOW), source=source, target=target, type="bridges" if learned_id else "uses", reasoning="bench",
        origin=Origin.LEARNED if learned_id else Origin.MANUAL, learned_id=learned_id, created_at=NOW,
        created_by="bench", scores=(("similarity", 0.8),) if learned_id else (),
    )  # fmt: skip


def learned(source: str, target: str, number: int) -> list[Operation]:
    """Return the writes of one learned relation with what it rests on."""
    made = relation(source, target, learned_id=f"learned_2026-01-01_{number:03d}")
    said = f"Both are known to matter to matter {number}."
    origin = Source(
        id=new_id(NOW), document="AI synthesis", ontology="o0", type=SourceType.LEARNED, text=said,
        digest=hashlib.sha256(said.encode()).hexdigest(), created_at=NOW, created_by="bench",
    )  # fmt: skip
    evidence = Evidence(
        id=new_id(NOW), subject=made.id, source=origin.id, paragraph=0, start=0, end=len(said), quote=said,
        type=SourceType.LEARNED, creator="bench", similarity=0.8, leap="MEDIUM", learned_id=made.learned_id,
        created_at=NOW,
    )  # fmt: skip
    return [SaveRelation(relation=made, expect=0), SaveSource(source=origin), SaveEvidence(evidence=evidence)]


def commit(opened: Opened, operations: Sequence[Operation]) -> None:
    """Write ``operations`` in batches."""
    for start in range(0, len(operations), BATCH):
        part = tuple(operations[start : start + BATCH])
        opened.store.commit(Batch(id=new_id(NOW), call=CALL, operations=part))


def room(path: Path, operations: Sequence[Operation], embedder: Given) -> Room:
    """Make a graph of ``operations`` and open its verbs."""
    opened = open_sqlite(
        path, tier=Tier.CURATOR, model=embedder.name, dimension=DIMENSION, create=True, synchronous="OFF"
    )
    commit(opened, operations)
    index = open_index(opened.passages, folder=path.parent, name=path.stem, dimension=DIMENSION)
    usage = open_usage(path.with_suffix(".usage.db"))
    shared = {"store": opened.store, "shelf": opened.shelf, "words": opened.words, "vectors": index, "usage": usage}
    looking = {"store": opened.store, "words": opened.words, "vectors": index, "embedder": embedder}
    searching = Searching(**looking, shelf=opened.shelf, log=opened.log)
    return Room(
        opened=opened,
        recall=Recall(RecallPorts(**shared, log=opened.log, embedder=embedder)),
        trace=Trace(**shared, embedder=embedder, matching=Matching(**looking, searching=searching)),
        watching=Watching(LearnPorts(**shared, log=opened.log, learned=opened.learned, embedder=embedder)),
    )


def compared(what: str, one: Callable[[int], object], other: Callable[[int], object], count: int, rounds: int) -> None:
    """Print the medians of both, and the ratio of the second to the first, over several rounds."""
    ratios, medians = [], []
    for at in range(min(20, count)):
        one(at), other(at)
    for turn in range(rounds):
        taken: tuple[list[float], list[float]] = ([], [])
        for at in range(count):
            for side in (0, 1) if (at + turn) % 2 else (1, 0):
                start = time.perf_counter()
                (one, other)[side](at)
                taken[side].append((time.perf_counter() - start) * 1e3)
        medians.append([statistics.median(each) for each in taken])
        ratios.append(medians[-1][1] / medians[-1][0])
    first, second = (statistics.median(column) for column in zip(*medians, strict=True))
    print(
        f"  {what:44s} {first:7.2f} → {second:7.2f} ms   × {statistics.median(ratios):.3f} "
        f"(rounds {', '.join(f'{ratio:.2f}' for ratio in ratios)})",
        flush=True,
    )


def measure(folder: Path, options: argparse.Namespace) -> None:
    """Build both graphs, and put the same questions to them."""
    vectors = clustered(options.nodes)
    nodes, topics = nodes_of(options.nodes, vectors)
    contents = [node.content for node in nodes]
    questions = asked(language(np.random.default_rng(0)), contents, options.questions)
    dice = random.Random(5)
    embedder = Given(
        {question: vectors[dice.randrange(len(vectors))] for question in questions}, open_embedder().calibration
    )
    base: list[Operation] = [
        SaveNode(node=node, expect=0, passages=(Passage(start=0, end=len(text), text=text, vector=vector),))
        for node, text, vector in zip(nodes, contents, vectors, strict=True)
    ]
    count = options.relations * len(nodes)
    far = int(ACROSS * count)
    pairs = pairs_of(nodes, topics, count - far, across=False)
    others = pairs_of(nodes, topics, far + count // 9, across=True)
    base += [SaveRelation(relation=relation(*pair), expect=0) for pair in dict.fromkeys([*pairs, *others[:far]])]
    extra = others[far:]
    added = [operation for number, pair in enumerate(extra, 1) for operation in learned(*pair, number)]
    bare, rich = room(folder / "bare.db", base, embedder), room(folder / "rich.db", [*base, *added], embedder)
    counts = rich.opened.store.counts()
    share = counts.relations_by_origin["learned"] / counts.relations
    print(f"{len(nodes):,} nodes, {counts.relations:,} relations, {share:.1%} of them learned; {CLUSTERS} topics")
    ask(bare, rich, questions, nodes, options)


def ask(bare: Room, rich: Room, questions: Sequence[str], nodes: Sequence[Node], options: argparse.Namespace) -> None:
    """Compare searching and tracing, with and without what was learned; then searching with and without suggestions."""
    dice = random.Random(6)
    ends = [(dice.choice(nodes).id, dice.choice(nodes).id) for _ in questions]
    size = len(questions), options.rounds
    requests = [SearchRequest(query=question) for question in questions]
    trails = [TraceRequest(start=start, end=end) for start, end in ends]
    compared(
        "search: without → with a tenth learned",
        lambda at: bare.recall.search(requests[at], CALL),
        lambda at: rich.recall.search(requests[at], CALL),
        *size,
    )
    compared(
        "trace: without → with a tenth learned",
        lambda at: bare.trace.trace(trails[at], CALL),
        lambda at: rich.trace.trace(trails[at], CALL),
        *size,
    )
    compared(
        "search: plain → with suggestions",
        lambda at: rich.recall.search(requests[at], CALL),
        lambda at: rich.recall.hinted(rich.recall.search(requests[at], CALL), requests[at], CALL),
        *size,
    )
    compared(
        "the same, each time for another caller",
        lambda at: rich.recall.search(requests[at], CALL),
        lambda at: rich.recall.hinted(
            rich.recall.search(requests[at], CALL), requests[at], replace(CALL, caller=str(time.perf_counter_ns()))
        ),
        *size,
    )
    start = time.perf_counter()
    found = rich.watching.sweep(CALL)
    print(f"  one sweep: {(time.perf_counter() - start) * 1e3:.0f} ms, looked at {found.looked_at} of {found.learned}")


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nodes", type=int, default=10_000)
    parser.add_argument("--relations", type=int, default=5, help="a node: with 10,000 nodes 50,000")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--questions", type=int, default=100)
    with tempfile.TemporaryDirectory() as folder:
        measure(Path(folder), parser.parse_args())


if __name__ == "__main__":
    main()
