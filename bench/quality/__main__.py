"""How good the answers are, on real documents with real labels.

    python bench/quality --data FOLDER [--half report] [--only NAME,...] [--json FILE] [--page FILE] [--keep FOLDER]

Prints one table, a row a data set found below FOLDER, and writes it to ``--page``. ``--half choose`` is for work on the
product: choices are made on one half of the rows and reported on the other. Graphs and vectors are kept in ``--keep``,
by the digest of their data: remove it after a change to how texts are stored.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import tempfile
from importlib.metadata import version
from pathlib import Path
from typing import Any

import knowledge
import retrieval
from anchors import NAMES, Anchors
from page import page
from sets import DataSet, data_sets, half

import weft

PACKAGES = ("numpy", "onnxruntime", "apsw", "PyStemmer", "bm25s")
FEWEST = 2  # questions that a percentile can be taken of
SHOWN = ("R@5", "R@10", "nDCG@10")


def main() -> None:
    """Measure what is asked for and print it."""
    asked = arguments()
    asked.keep.mkdir(parents=True, exist_ok=True)
    chosen = [data for data in data_sets(asked.data) if not asked.only or data.name in asked.only.split(",")]
    print(header(asked.half))
    anchors = Anchors(asked.keep)
    figures: dict[str, Any] = {}
    print(f"\n{'search':22} {'n':>5} {'':8}" + "".join(f"{name:>13}" for name in (*NAMES, retrieval.WEFT)), flush=True)
    for data in chosen:
        if data.holds("nodes", "queries") and len(half(data.queries, asked.half)) >= FEWEST:
            figures[data.name] = retrieval.measured(data, asked.half, anchors, asked.keep) | {"sha256": data.digest}
            print(rows(data, figures[data.name]), flush=True)
    told = knowledge.told(chosen, asked.half, anchors, asked.keep)
    if asked.page:
        written = page(header(asked.half), figures) + knowledge.section(told, NAMES)
        asked.page.write_text(written, encoding="utf-8")
    if asked.json:
        kept = {"header": header(asked.half), "search": figures, "knowledge": told}
        asked.json.write_text(json.dumps(kept, indent=1), encoding="utf-8")


def arguments() -> argparse.Namespace:
    """Return what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="a folder of data sets")
    parser.add_argument("--half", choices=("choose", "report", "all"), default="report")
    parser.add_argument("--only", default="", help="names of data sets, separated by commas")
    parser.add_argument("--json", type=Path, help="keep the figures in this file")
    parser.add_argument("--page", type=Path, help="write the tables to this page")
    parser.add_argument("--keep", type=Path, default=Path(tempfile.gettempdir()) / "weft-quality")
    return parser.parse_args()


def header(which: str) -> str:
    """Return what the figures were measured with."""
    packages = ", ".join(f"{name} {version(name)}" for name in PACKAGES)
    return (
        f"weft {weft.__version__}, Python {platform.python_version()}, {packages}, {platform.machine()} with"
        f" {os.cpu_count()} cores; half: {which}"
    )


def rows(data: DataSet, figures: dict[str, Any]) -> str:
    """Return the lines of one data set."""
    lines = []
    for number, measure in enumerate(SHOWN):
        name = f"{data.name:22} {figures['questions']:5}" if not number else " " * 28
        lines.append(f"{name} {measure:8}" + "".join(f"{each[measure]:13.1f}" for each in figures["systems"].values()))
    times = figures["search_ms"]
    return "\n".join(lines) + f"   search {times['p50']:.1f} ms, p95 {times['p95']:.1f}"


if __name__ == "__main__":
    main()
