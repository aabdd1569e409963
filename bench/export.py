"""Peak memory and speed of a lossless export and of its import, at two sizes.

    python bench/export.py [RELATIONS …]      default: 100000 1000000

Each size is filled, exported and brought into an empty graph by a process of its own; peak resident memory is the
system's figure for that process, beside that of one which only opened the graph. Nodes carry short texts and a vector
of eight numbers, for this is about the graph, not about embedding.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from weft.identity import new_id
from weft.model import Batch, Call, ExportRequest, ImportRequest, SaveRelation, Tier
from weft.ports import WholeTexts
from weft.services.transfer import Transfer, TransferPorts
from weft.store import Opened, open_sqlite, open_usage
from weft.testing.making import DIMENSION, a_node, a_relation, saved

SIZES = (100_000, 1_000_000)
RELATIONS_A_NODE = 20
AT_ONCE = 5_000


class Ones(WholeTexts):
    """An embedder that costs nothing."""

    name = "ones"
    dimension = DIMENSION

    def embed(self, texts: list[str]) -> np.ndarray:
        """Return one row a text."""
        return np.full((len(texts), DIMENSION), DIMENSION**-0.5, np.float32)


def opened(path: Path) -> Opened:
    """Open the graph at ``path``; not synced, for no power is lost here."""
    return open_sqlite(path, tier=Tier.CURATOR, model="ones", dimension=DIMENSION, create=True, synchronous="OFF")


def call() -> Call:
    """Return a call, now."""
    return Call(actor="bench", client="bench", tool="bench", tier=Tier.CURATOR, at=datetime.now(UTC))


def transfer(graph: Opened, path: Path) -> Transfer:
    """Return the verb over an open graph."""
    ports = TransferPorts(
        store=graph.store,
        log=graph.log,
        archive=graph.archive,
        shelf=graph.shelf,
        words=graph.words,
        usage=open_usage(path.with_suffix(".usage.db")),
        embedder=Ones(),
        config=graph.config,
        home="bench",
    )
    return Transfer(ports)


def fill(folder: Path, relations: int) -> None:
    """Write nodes and relations, some thousands a batch."""
    graph = opened(folder / "graph.db")
    many = max(100, relations // RELATIONS_A_NODE)
    nodes = [a_node(f"Claim number {at}") for at in range(many)]
    for start in range(0, many, AT_ONCE):
        part = tuple(saved(node) for node in nodes[start : start + AT_ONCE])
        graph.store.commit(Batch(id=new_id(call().at), call=call(), operations=part))
    for start in range(0, relations, AT_ONCE):
        part = tuple(
            SaveRelation(relation=a_relation(nodes[at % many], nodes[(at % many + 1 + at // many) % many]), expect=0)
            for at in range(start, min(start + AT_ONCE, relations))
        )
        graph.store.commit(Batch(id=new_id(call().at), call=call(), operations=part))
    graph.close()


def work(step: str, folder: Path) -> None:
    """Do one step and print its seconds and the process's peak memory in MB."""
    name = "graph" if step in {"open", "export", "graphml"} else "copy"
    graph = opened(folder / f"{name}.db")
    verb = transfer(graph, folder / f"{name}.db")
    began = time.perf_counter()
    if step == "open":
        graph.store.counts()
    elif step == "import":
        verb.import_(ImportRequest(path=folder / "copy.jsonl", format="jsonl"), call())
    else:
        form, file = ("jsonl", "copy.jsonl") if step == "export" else ("graphml", "copy.graphml")
        verb.export(ExportRequest(path=folder / file, format=form), call())
    took_s = time.perf_counter() - began
    print(f"{took_s:.1f} {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024}")
    graph.close()


def measure(relations: int) -> None:
    """Print a line for each step at this size."""
    with TemporaryDirectory() as place:
        folder = Path(place)
        subprocess.run([sys.executable, __file__, "fill", place, str(relations)], check=True)
        for step in ("open", "export", "graphml", "import"):
            done = subprocess.run([sys.executable, __file__, step, place], check=True, capture_output=True, text=True)
            took_s, peak = done.stdout.split()
            file = folder / ("copy.graphml" if step == "graphml" else "copy.jsonl")
            size = f"{file.stat().st_size / 1e6:,.0f} MB file" if file.exists() else ""
            print(
                f"{relations:>9,} relations  {step:<8} {float(took_s):>7.1f} s  peak {peak:>5} MB  {size}", flush=True
            )


def main() -> int:
    """Measure the sizes asked for, or do one step of one."""
    match sys.argv[1:]:
        case ["fill", place, relations]:
            fill(Path(place), int(relations))
        case ["open" | "export" | "graphml" | "import" as step, place]:
            work(step, Path(place))
        case sizes:
            for size in sizes or map(str, SIZES):
                measure(int(size))
    return 0


if __name__ == "__main__":
    sys.exit(main())
