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
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from weft.identity import new_id
from weft.index import Sizes, open_index
from weft.model import Batch, Call, Filter, Node, Passage, SaveNode, Tier
from weft.store.opening import Opened, open_sqlite
from weft.store.passages import SqlitePassages
from weft.store.shelf import SqliteShelf
from weft.store.words import SqliteWords
from weft.text import grams, terms

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import numpy.typing as npt

DIMENSION = 384
CLUSTERS = 400
VOCABULARY = 60_000
TOPIC_WORDS = 40
NOW = datetime(2026, 1, 1, tzinfo=UTC)
ROUNDS = 200
LIMIT = 50


@dataclass(frozen=True, kw_only=True)
class Texts:
    """A made-up language: ``words`` from common to rare, ``bounds`` to draw them by, ``topics`` of words that go together."""

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


def clustered(count: int) -> npt.NDArray[np.float32]:
    """Return unit vectors (count, 384) around 400 centres, as close to them as texts of one topic are."""
    dice = np.random.default_rng(2)
    centres = dice.standard_normal((CLUSTERS, DIMENSION), np.float32)
    made = centres[dice.integers(0, CLUSTERS, count)] + 1.1 * dice.standard_normal((count, DIMENSION), np.float32)
    return made / np.linalg.norm(made, axis=1, keepdims=True)


def timed(work: list[Callable[[], object]]) -> tuple[float, float]:
    """Return p50 and p95 in ms, after a tenth of the work has been done once to warm up."""
    for each in work[: max(3, len(work) // 10)]:
        each()
    taken = []
    for each in work:
        start = time.perf_counter()
        each()
        taken.append((time.perf_counter() - start) * 1e3)
    return statistics.median(taken), sorted(taken)[int(len(taken) * 0.95)]


def told(what: str, ours: tuple[float, float], bare: tuple[float, float] | None = None, more: str = "") -> None:
    """Print one line."""
    ratio = f"   bare {bare[0]:8.3f} ms   × {ours[0] / bare[0]:5.2f}" if bare else ""
    print(f"  {what:46s} p50 {ours[0]:8.3f}   p95 {ours[1]:8.3f} ms{ratio}   {more}", flush=True)


def words_bench(opened: Opened, questions: list[str]) -> None:
    """Words, beside FTS5 over all of the words joined by OR and ranked by its own BM25."""
    words = SqliteWords(opened.database)
    match = [" OR ".join(f'"{word}"' for word in dict.fromkeys(terms(question))) for question in questions]

    def full(expression: str) -> list[int]:
        return [row[0] for row in opened.database.read("words_ranked", match=expression, name_weight=2.0, limit=10)]

    some = min(len(questions), 60)
    bare = timed([lambda each=each: full(each) for each in match[:some]])
    ours = timed([lambda each=each: words.search(each, filter=Filter(), limit=LIMIT) for each in questions])
    agreed = []
    for question, expression in zip(questions[:some], match, strict=False):
        true = {place[1] for place in opened.database.read("passages_found", rows=full(expression))}
        found = {hit.node for hit in words.search(question, filter=Filter(), limit=10)}
        agreed.append(len(true & found) / max(len(true), 1))
    told("words.search (bare: FTS5 OR, BM25)", ours, bare, f"top 10 shared: {statistics.mean(agreed):.2f}")
    wide = Filter(ontologies=("o1",))
    told(
        "words.search, a fifth passes",
        timed([lambda q=q: words.search(q, filter=wide, limit=LIMIT) for q in questions]),
    )
    narrow = Filter(session="s7")
    told(
        "words.search, 1 in 400 passes",
        timed([lambda q=q: words.search(q, filter=narrow, limit=LIMIT) for q in questions]),
    )
    told("words.search, six common words only", timed([lambda q=q: words.search(" ".join(q), filter=Filter(), limit=LIMIT) for q in common(questions)]))  # fmt: skip
    told("words.holding", timed([lambda q=q: words.holding(q, filter=Filter(), limit=10) for q in questions]))
    told("words.phrase", timed([lambda q=q: words.phrase(q, limit=10) for q in questions]))


def common(questions: list[str]) -> list[list[str]]:
    """Return six words at a time of those that stand in most questions."""
    counts: dict[str, int] = {}
    for word in " ".join(questions).split():
        counts[word] = counts.get(word, 0) + 1
    most = sorted(counts, key=lambda word: -counts[word])[:20]
    dice = random.Random(5)
    return [dice.sample(most, min(6, len(most))) for _ in range(40)]


def vectors_bench(opened: Opened, folder: Path, vectors: npt.NDArray[np.float32]) -> None:
    """Vectors, beside one matrix product, or one search of a bare usearch index."""
    feed = SqlitePassages(opened.database)
    dice = np.random.default_rng(4)
    queries = vectors[dice.integers(0, len(vectors), ROUNDS)] + 0.02 * dice.standard_normal(
        (ROUNDS, DIMENSION), np.float32
    )
    queries = (queries / np.linalg.norm(queries, axis=1, keepdims=True)).astype(np.float32)
    index = open_index(feed, folder=folder, name=f"bench{len(vectors)}", dimension=DIMENSION, sizes=Sizes())
    large = len(vectors) > Sizes().exact_max
    if large:
        start = time.perf_counter()
        index.nearest(queries[0], filter=Filter(), limit=10)
        print(f"  first search before there is a file: {(time.perf_counter() - start) * 1e3:.0f} ms")
        start = time.perf_counter()
        index.close()
        index = open_index(feed, folder=folder, name=f"bench{len(vectors)}", dimension=DIMENSION, sizes=Sizes())
        assert index.rebuild()
        print(f"  file built in {time.perf_counter() - start:.1f} s")
    before = resident()
    start = time.perf_counter()
    index.nearest(queries[0], filter=Filter(), limit=10)
    first = (time.perf_counter() - start) * 1e3
    bare = timed([lambda q=q: np.argpartition(vectors @ q, -LIMIT)[-LIMIT:] for q in queries])
    if large:
        from usearch.index import Index

        path = next((folder / f"bench{len(vectors)}.index").glob("*.usearch"))
        usearch = Index.restore(path, view=True)
        product = bare
        bare = timed([lambda q=q: usearch.search(q, LIMIT) for q in queries])
        told("one matrix product, float32", product)
    grown = resident()
    ours = timed([lambda q=q: index.nearest(q, filter=Filter(), limit=LIMIT) for q in queries])
    kept = vectors.astype(np.float16).astype(np.float32)
    ids = [
        row[0] for row in opened.database.read("few_ontologies", ontologies=[f"o{n}" for n in range(5)], limit=10**7)
    ]
    del ids
    recall = []
    for query in queries[:50]:
        true = np.sort(kept @ query)[-10:]
        found = [near.cosine for near in index.nearest(query, filter=Filter(), limit=10)]
        recall.append(float((np.array(found) >= true[0] - 1e-4).mean()))
    kernel = "usearch" if large else "numpy"
    told(f"vectors.nearest (bare: {kernel})", ours, bare, f"recall@10 {statistics.mean(recall):.3f}")
    print(f"  first search {first:.1f} ms; resident +{grown - before:.0f} MB after one search, +{resident() - before:.0f} MB after {ROUNDS} (both copies)")  # fmt: skip
    for what, some in (("a fifth passes", Filter(ontologies=("o1",))), ("1 in 400 passes", Filter(session="s7")), ("as of the middle", Filter(as_of=len(vectors) // 2))):  # fmt: skip
        told(f"vectors.nearest, {what}", timed([lambda q=q, f=some: index.nearest(q, filter=f, limit=LIMIT) for q in queries[:60]]))  # fmt: skip
    index.close()


def names_bench(opened: Opened, contents: list[str]) -> None:
    """Names in texts of about 90 words, beside the bare look-up of all its runs of words."""
    shelf = SqliteShelf(opened.database)
    some = random.Random(6).sample(contents, min(ROUNDS, len(contents)))
    runs = [json.dumps([gram[0] for gram in grams(text)]) for text in some]

    def look(names: str) -> object:
        return opened.database.read("names_found", names=json.loads(names), per_name=4)

    bare = timed([lambda names=names: look(names) for names in runs])
    ours = timed([lambda text=text: shelf.named_in(text, limit=20) for text in some])
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
            opened = open_sqlite(path, tier=Tier.CURATOR, model="bench", dimension=DIMENSION, create=True, synchronous="OFF")  # fmt: skip
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
