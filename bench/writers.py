"""Many processes on one graph at once: every capture acknowledged is there, for every process.

python bench/writers.py [--processes 8] [--captures 200]
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

WRITER = """
import sys
from weft.graph import open as open_graph
from weft.tools.gate import call, caller_of
path, name, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
with open_graph(path) as graph:
    caller = caller_of(graph.settings, client="bench", graph=graph.name)
    for number in range(count):
        made = call(graph, "capture", {"content": f"writer {name} wrote note {number}", "kind": "claim"}, caller)
        found = call(graph, "search", {"query": f"writer {name} wrote note {number}", "limit": 3}, caller)
        assert any(hit["id"] == made["id"] for hit in found["hits"]), (name, number)
    print("done", flush=True)
"""


def main() -> None:
    """Start the writers, wait, and count."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--processes", type=int, default=8)
    parser.add_argument("--captures", type=int, default=200)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        graph = str(Path(folder) / "bench.db")
        start = time.perf_counter()
        command = [sys.executable, "-c", WRITER, graph]
        running = [
            subprocess.Popen([*command, str(number), str(options.captures)], stdout=subprocess.PIPE)
            for number in range(options.processes)
        ]
        failed = sum(process.wait(1800) != 0 for process in running)
        elapsed = time.perf_counter() - start
        from weft.graph import open as open_graph

        with open_graph(graph) as opened:
            nodes = opened.store.counts().nodes
    wanted = options.processes * options.captures
    print(f"{options.processes} × {options.captures}: {nodes} of {wanted} nodes, {failed} processes failed")
    print(f"each capture found at once by its writer; {wanted / elapsed:.0f} captures and searches a second")
    sys.exit(nodes != wanted or failed > 0)


if __name__ == "__main__":
    main()
