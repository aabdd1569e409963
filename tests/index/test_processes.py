"""Several processes on one graph: what one has written, every other finds at its next search."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import numpy as np

from index.world import World, unit
from weft.model import Filter

if TYPE_CHECKING:
    from pathlib import Path

# Answers each line «seed» with whether the node whose vector that seed gives is nearest to it.
READER = """
import sys
from pathlib import Path
import numpy as np
from weft.index import Sizes, open_index
from weft.model import Filter, Tier
from weft.store import open_sqlite

path, sizes = Path(sys.argv[1]), Sizes(exact_max=int(sys.argv[2]), tail_max=int(sys.argv[2]))
opened = open_sqlite(path, tier=Tier.READER, model="made up", dimension=8, create=False)
index = open_index(opened.passages, folder=path.parent, name=path.stem, dimension=8, sizes=sizes)
print("ready", flush=True)
for line in sys.stdin:
    vector = np.random.default_rng(int(line)).standard_normal(8).astype(np.float32)
    vector /= np.linalg.norm(vector)
    near = index.nearest(vector, filter=Filter(), limit=1)
    print(near[0].node if near and near[0].cosine > 0.999 else "", flush=True)
index.close()
opened.close()
"""


class Reader:
    """A process that searches."""

    def __init__(self, path: Path, exact_max: int) -> None:
        command = [sys.executable, "-c", READER, str(path), str(exact_max)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout
        assert self.process.stdout.readline() == "ready\n"

    def find(self, seed: int) -> str:
        """Return the node that it finds where the seed's vector lies; empty: none."""
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(f"{seed}\n")
        self.process.stdin.flush()
        return self.process.stdout.readline().strip()

    def end(self) -> None:
        """End it, and see that it ended well."""
        assert self.process.stdin
        self.process.stdin.close()
        assert self.process.wait(60) == 0
        assert self.process.stdout
        self.process.stdout.close()


def vector_of(seed: int) -> np.ndarray:
    """Return the vector of a seed, as one row."""
    return unit(np.random.default_rng(seed).standard_normal((1, 8)).astype(np.float32))


def test_what_one_process_writes_the_others_find_at_once(tmp_path: Path) -> None:
    """Three readers, one that builds files all the time, see each write, each change and each removal."""
    world = World(tmp_path / "graph.db")
    nodes = {seed: world.add(f"n{seed}", vector_of(seed)).id for seed in range(20)}
    readers = [Reader(world.path, exact_max) for exact_max in (20_000, 20_000, 8)]
    for seed in range(20, 60):
        nodes[seed] = world.add(f"n{seed}", vector_of(seed)).id
        assert [reader.find(seed) for reader in readers] == [nodes[seed]] * 3
        if seed % 3 == 0:
            world.change(nodes[seed], vector_of(seed + 1000))
            assert [reader.find(seed) for reader in readers] == [""] * 3
            assert [reader.find(seed + 1000) for reader in readers] == [nodes[seed]] * 3
        if seed % 5 == 1:
            world.retire(nodes[seed - 20])
            assert [reader.find(seed - 20) for reader in readers] == [""] * 3
    for reader in readers:
        reader.end()
    own = world.index()
    assert own.nearest(vector_of(59)[0], filter=Filter(), limit=1)[0].node == nodes[59]
    world.close()
