"""What finding costs: words, vectors and names at three sizes, beside the bare kernels they stand on.

python bench/search_kernels.py [--sizes 1000 20000 100000] [--keep FOLDER]

Texts follow Zipf's law, vectors lie in clusters. A question holds three words that are rare where its text comes from
and three common ones. Absolute times are printed with the ratio to the bare kernel on the same data in the same run.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import statistics
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from bridges import CLUSTERS, DIMENSION, clustered
from weft.identity import new_id
from weft.index import Sizes, open_index
from weft.model import Batch, Call, Filter, Node, Passage, SaveNode, Tier
from weft.store import Opened, open_sqlite
from weft.store.passages import SqlPassages
from weft.store.shelf import SqlShelf
from weft.store.words import SqlWords
from weft.text import grams, terms

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    import numpy.typing as npt

VOCABULARY = 60_000
TOPIC_WORDS = 40
NOW = datetime(2026, 1, 1, tzinfo=UTC)
ROUNDS = 200
LIMIT = 50
OPEN = Filter()
FILTERS = {"a fifth passes": Filter(ontologies=("o1",)), "1 in 400 passes": Filter(session="s7")}


@dataclass(frozen=True, kw_only=True)
class Texts:
    """A made-up language: ``words`` from common to rare, ``bounds`` to draw by, ``topics``: words that go together."""

    words: list[str]
    bounds: npt.NDArray[np.float64]
    topics: npt.NDArray[np.int64]


def language(dice: np.random.Generator) -> Texts:
    """Return the language; word frequencies follow Zipf's law with exponent 1."""
    syllables = [a + b for a in "bcdfghklmnprstvz" for b in ("a", "e", "i", "o", "u", "an", "er", "in", "ol", "ut")]
    picks = dice.integers(0, len(syllables), (VOCABULARY * 2, 3))
    words = list(dict.fromkeys("".join(syllables[at] for at in pick) for pick in picks))[:VOCABULARY]
    bounds = np.cumsum(1.0 / np.arange(1, VOCABULARY + 1))
    topics = dice.integers(500, VOCABULARY, (CLUSTERS, TOPIC_WORDS))
    return Texts(words=words, bounds=bounds / bounds[-1], topics=topics)


def written(texts: Texts, count: int, dice: np.random.Generator) -> Iterator[tuple[str, str, int]]:
    """Yield (title, content, topic): 60 to 110 words, a third of them of the topic."""
    for number in range(count):
        topic = int(dice.integers(CLUSTERS))
        length = int(dice.integers(60, 110))
        drawn = np.searchsorted(texts.bounds, dice.random(length))
        own = dice.random(length) < 1 / 3
        drawn[own] = dice.choice(texts.topics[topic], int(own.sum()))
        title = " ".join(texts.words[at] for at in dice.choice(texts.topics[topic], 3))
        yield f"{title} {number}", " ".join(texts.words[at] for at in drawn), topic


def asked(texts: Texts, contents: list[str], count: int) -> list[str]:
    """Return questions: three of a text's rarer words and three of the twenty commonest."""
    dice = random.Random(3)
    rank = {word: at for at, word in enumerate(texts.words)}
    found = []
    for content in dice.sample(contents, min(count, len(contents))):
        rarer = sorted(set(content.split()), key=lambda word: rank[word])[-20:]
        mixed = dice.sample(rarer, 3) + dice.sample(texts.words[:20], 3)
        dice.shuffle(mixed)
        found.append(" ".join(mixed))
    return found


def fill(opened: Opened, texts: Texts, vectors: npt.NDArray[np.float32], contents: list[str]) -> None:
    """Write one node for each vector."""
    dice = np.random.default_rng(1)
    call = Call(actor="bench", client="bench", tool="capture", tier=Tier.CURATOR, at=NOW)
    rows = zip(written(texts, len(vectors), dice), vectors, strict=True)
    while batch := list(islice(rows, 1000)):
        operations = []
        for (title, content, topic), vector in batch:
            contents.append(content)
            node = Node(
                id=new_id(NOW), kind="claim", title=title, content=content, ontology=f"o{topic % 5}",
                session=f"s{topic}", created_at=NOW, created_by="bench", modified_at=NOW, modified_by="bench",
            )  # fmt: skip
            passage = Passage(start=0, end=len(content), text=content, vector=vector)
            operations.append(SaveNode(node=node, expect=0, passages=(passage,)))
        opened.store.commit(Batch(id=new_id(NOW), call=call, operations=tuple(operations)))


def timed(work: Callable[[Any], object], given: Sequence[Any]) -> tuple[float, float]:
    """Return p50 and p95 of ``work`` in ms, after a tenth of it has been done once to warm up."""
    for each in given[: max(3, len(given) // 10)]:
        work(each)
    taken = []
    for each in given:
        start = time.perf_counter()
        work(each)
        taken.append((time.perf_counter() - start) * 1e3)
    return statistics.median(taken), sorted(taken)[int(len(taken) * 0.95)]


def told(what: str, ours: tuple[float, float], bare: tuple[float, float] | None = None, more: str = "") -> None:
    """Print one line."""
    ratio = f"   bare {bare[0]:8.3f} ms   × {ours[0] / bare[0]:5.2f}" if bare else ""
    print(f"  {what:46s} p50 {ours[0]:8.3f}   p95 {ours[1]:8.3f} ms{ratio}   {more}", flush=True)


def words_bench(opened: Opened, questions: list[str]) -> None:
    """Words, beside FTS5 over all of the words joined by OR and ranked by its own BM25."""
    words = SqlWords(opened.database)
    every = [list(dict.fromkeys(terms(question))) for question in questions]

    def full(wanted: list[str]) -> list[int]:
        return [row[0] for row in opened.database.read("words_ranked", words=wanted, name_weight=2.0, limit=10)]

    def ask(question: str, wanted: Filter) -> object:
        return words.search(question, filter=wanted, limit=LIMIT)

    some = questions[:60]
    bare = timed(full, every[:60])
    ours = timed(lambda question: ask(question, OPEN), questions)
    agreed = []
    for question, wanted in zip(some, every, strict=False):
        true = {place[1] for place in opened.database.read("passages_found", rows=full(wanted))}
        found = {hit.node for hit in words.search(question, filter=OPEN, limit=10)}
        agreed.append(len(true & found) / max(len(true), 1))
    told("words.search (bare: FTS5 OR, BM25)", ours, bare, f"top 10 shared: {statistics.mean(agreed):.2f}")
    for what, wanted in FILTERS.items():
        told(f"words.search, {what}", timed(lambda question, w=wanted: ask(question, w), questions))
    told("words.search, common words only", timed(lambda question: ask(question, OPEN), common(questions)))
    told("words.holding", timed(lambda question: words.holding(question, filter=OPEN, limit=10), questions))
    told("words.phrase", timed(lambda question: words.phrase(question, filter=OPEN, limit=10), questions))


def common(questions: list[str]) -> list[str]:
    """Return questions of six of those words that stand in most questions."""
    counts = Counter(" ".join(questions).split())
    most = [word for word, _ in counts.most_common(20)]
    dice = random.Random(5)
    return [" ".join(dice.sample(most, 6)) for _ in range(40)]


def near_by(vectors: npt.NDArray[np.float32]) -> list[npt.NDArray[np.float32]]:
    """Return vectors to ask for, each close to one of ``vectors``."""
    dice = np.random.default_rng(4)
    made = vectors[dice.integers(0, len(vectors), ROUNDS)] + 0.02 * dice.standard_normal(
        (ROUNDS, DIMENSION), np.float32
    )
    return list((made / np.linalg.norm(made, axis=1, keepdims=True)).astype(np.float32))


def vectors_bench(opened: Opened, folder: Path, vectors: npt.NDArray[np.float32]) -> None:
    """Vectors, beside one matrix product, or one search of a bare usearch index."""
    name, asked_for = f"bench{len(vectors)}", near_by(vectors)
    feed = SqlPassages(opened.database)
    large = len(vectors) > Sizes().exact_max
    index = open_index(feed, folder=folder, name=name, dimension=DIMENSION)
    if large and not list(folder.glob(f"{name}.index/*.usearch")):
        start = time.perf_counter()
        assert index.rebuild()
        print(f"  index file built in {time.perf_counter() - start:.1f} s")
    before, start = resident(), time.perf_counter()
    index.nearest(asked_for[0], filter=OPEN, limit=10)
    first = (time.perf_counter() - start) * 1e3
    ours = timed(lambda vector: index.nearest(vector, filter=OPEN, limit=LIMIT), asked_for)
    grown = resident() - before
    if large:
        from usearch.index import Index

        usearch = Index.restore(next(folder.glob(f"{name}.index/*.usearch")), view=True)
        bare = timed(lambda vector: usearch.search(vector, LIMIT), asked_for)
    else:
        bare = timed(lambda vector: np.argpartition(np.vecdot(vectors, vector), -LIMIT)[-LIMIT:], asked_for)
    kept = vectors.astype(np.float16).astype(np.float32)
    recall = []
    for vector in asked_for[:50]:
        least = np.sort(kept @ vector)[-10] - 1e-4
        recall += [float(near.cosine >= least) for near in index.nearest(vector, filter=OPEN, limit=10)]
    kernel = "usearch" if large else "numpy, one thread"
    told(f"vectors.nearest (bare: {kernel})", ours, bare, f"recall@10 {statistics.mean(recall):.3f}")
    print(f"  first search {first:.1f} ms; resident +{grown:.0f} MB after {ROUNDS} searches")
    for what, wanted in (FILTERS | {"as of the middle": Filter(as_of=len(vectors) // 2)}).items():
        found = timed(lambda vector, w=wanted: index.nearest(vector, filter=w, limit=LIMIT), asked_for[:60])
        told(f"vectors.nearest, {what}", found)
    index.close()


def names_bench(opened: Opened, contents: list[str]) -> None:
    """Names in texts of about 90 words, beside the bare look-up of all its runs of words."""
    shelf = SqlShelf(opened.database)
    some = random.Random(6).sample(contents, min(ROUNDS, len(contents)))
    runs = [json.dumps([gram[0] for gram in grams(text)]) for text in some]

    def look(names: str) -> object:
        return opened.database.read("names_found", names=json.loads(names), per_name=4)

    bare = timed(look, runs)
    ours = timed(lambda text: shelf.named_in(text, limit=20), some)
    told("shelf.named_in (bare: the look-up)", ours, bare)


def resident() -> float:
    """Return the memory this process holds, in MB."""
    try:
        pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return pages * resource.getpagesize() / 2**20


def main() -> None:
    """Build each graph and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1_000, 20_000, 100_000])
    parser.add_argument("--keep", type=Path, help="where graphs are kept between runs")
    options = parser.parse_args()
    texts = language(np.random.default_rng(0))
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or Path(temporary)
        for size in options.sizes:
            vectors = clustered(size)
            path = folder / f"bench{size}.db"
            made = path.exists()
            opened = open_sqlite(
                path, tier=Tier.CURATOR, model="bench", dimension=DIMENSION, create=True, synchronous="OFF"
            )
            contents: list[str] = []
            start = time.perf_counter()
            if made:
                contents += [content for _, content, _ in written(texts, size, np.random.default_rng(1))]
            else:
                fill(opened, texts, vectors, contents)
            print(f"{size:,} texts ({time.perf_counter() - start:.0f} s to {'read' if made else 'write'} them)")
            words_bench(opened, asked(texts, contents, ROUNDS))
            vectors_bench(opened, folder, vectors)
            names_bench(opened, contents)
            opened.close()


if __name__ == "__main__":
    main()
