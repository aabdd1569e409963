"""A graph moved to another embedding model, in a file and in PostgreSQL: what is left when the model costs nothing.

::

    python bench/reembed.py                                   # 20,000 notes, from 384 numbers a vector to 768
    python bench/reembed.py --nodes 100000 --dimension 384

Printed for each engine: the whole, how much of it was keeping vectors and making look-ups, the switch, for which
writers wait, the longest single search by meaning while the move went on, and how much the file grew.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import threading
import time
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

sys.path[:1] = [str(Path(__file__).resolve().parents[i] / name) for i, name in ((1, "src"), (1, "tests"), (0, ""))]

from copying import DIMENSION, Texts, build  # noqa: E402 - found through the paths above
from postgres.cluster import Cluster  # noqa: E402
from weft.index import open_index  # noqa: E402
from weft.model import Calibration, Filter, Tier  # noqa: E402
from weft.ports import WholeTexts  # noqa: E402
from weft.services.keeping.reembedding import Reembedding  # noqa: E402
from weft.store import open_sqlite  # noqa: E402
from weft.store.copying import copy  # noqa: E402
from weft.store.postgres.opening import open_postgres  # noqa: E402
from weft.store.postgres.reembedding import moving_server  # noqa: E402
from weft.store.postgres.vectors import PostgresVectors  # noqa: E402
from weft.store.reembedding import moving_file  # noqa: E402
from weft.testing.making import a_call  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from weft.ports import Vectors
    from weft.services.keeping.reembedding import Move


class Dice(WholeTexts):
    """A model whose vectors mean nothing and cost nothing."""

    name = "dice"
    calibration = Calibration(points=((0.0, 0.0), (1.0, 1.0)))

    def __init__(self, dimension: int) -> None:
        self.dimension = dimension
        self._dice = np.random.default_rng(3)

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Return a vector a text."""
        drawn = self._dice.standard_normal((len(texts), self.dimension), dtype=np.float32)
        return drawn / np.linalg.norm(drawn, axis=1, keepdims=True)


class Timed:
    """A move that keeps what each of its steps took, in seconds."""

    def __init__(self, move: Move) -> None:
        self._move = move
        self.spent: dict[str, list[float]] = {}

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever a move has
        step = getattr(self._move, name)

        def run(*given: Any, **named: Any) -> Any:  # noqa: ANN401 - likewise
            started = time.perf_counter()
            try:
                return step(*given, **named)
            finally:
                self.spent.setdefault(name, []).append(time.perf_counter() - started)

        return run


def searched(vectors: Vectors, done: threading.Event, worst: list[float]) -> None:
    """Search by meaning until the move is ``done``, and keep the longest that it took once all was in memory."""
    texts = Texts(11)
    vectors.nearest(texts.vector(), filter=Filter(), limit=20)
    while not done.is_set():
        started = time.perf_counter()
        vectors.nearest(texts.vector(), filter=Filter(), limit=20)
        worst[0] = max(worst[0], time.perf_counter() - started)
        done.wait(0.01)


def told(engine: str, move: Move, vectors: Vectors, model: Dice) -> None:
    """Move, and print what it took; the searching ends before the switch."""
    timed, done, worst = Timed(move), threading.Event(), [0.0]
    switch = timed.switch

    def last() -> bool:
        done.set()
        searcher.join()
        return bool(switch())

    timed.switch = last
    searcher = threading.Thread(target=searched, args=(vectors, done, worst))
    searcher.start()
    started = time.perf_counter()
    moved = Reembedding(timed, model, remote=True).move(a_call())
    whole = time.perf_counter() - started
    kept, looked = (sum(timed.spent[name]) for name in ("put", "index"))
    print(
        f"{engine}: {moved.passages:,} passages in {whole:.1f} s: keeping vectors {kept:.1f} s,"
        f" look-ups {looked:.1f} s, the switch {timed.spent['switch'][-1]:.2f} s;"
        f" longest search meanwhile {worst[0] * 1e3:.0f} ms"
    )


def main() -> None:
    """Build a graph, copy it into a server, and move both."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nodes", type=int, default=20_000)
    parser.add_argument("--dimension", type=int, default=768)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, Cluster(fsync=True) as cluster:
        path, model = Path(folder) / "graph.db", Dice(given.dimension)
        build(path, nodes=given.nodes, words=40, relations=1)
        url = cluster.url(cluster.create_database())
        copy(path, url)
        before = path.stat().st_size
        wish = {"tier": Tier.READER, "model": "bench", "dimension": DIMENSION, "create": False}
        with closing(open_sqlite(path, **wish)) as opened, moving_file(path) as move:
            index = open_index(opened.passages, folder=path.parent, name="g", dimension=DIMENSION)
            index.rebuild()
            told("file", move, index, model)
        print(
            f"file: {before / given.nodes:,.0f} bytes a passage before, {path.stat().st_size / given.nodes:,.0f} after"
        )
        with closing(open_postgres(url, **wish)) as opened, moving_server(url) as move:
            told("database", move, PostgresVectors(opened.database, dimension=DIMENSION), model)


if __name__ == "__main__":
    main()
