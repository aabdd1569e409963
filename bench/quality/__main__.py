"""How good the answers are, on real documents with real labels.

    python bench/quality --data FOLDER [--half report] [--only NAME,...] [--tables NAME,...]
                         [--json FILE] [--page FILE] [--keep FOLDER] [--reuse]

Measures every data set found at or below FOLDER in every way that its files allow (``search`` and the tables of
:mod:`knowledge`), prints each as it comes, and writes all of it to ``--page``; with ``--tables`` but ``search`` it puts
these anew in the page that is there. ``--half choose`` is for work on the
product: choices are made on one half of the rows and reported on the other. Graphs and vectors are kept in ``--keep``,
by the digest of their data and of the product's own code; with ``--reuse`` whatever code filled them.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import platform
import tempfile
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import knowledge
import retrieval
from anchors import NAMES, Anchors
from page import page, renewed
from sets import DataSet, data_sets, half, unknown

import weft

if TYPE_CHECKING:
    from collections.abc import Sequence

PACKAGES = ("numpy", "onnxruntime", "apsw", "PyStemmer", "bm25s")
SHOWN = ("R@5", "R@10", "nDCG@10")


def main() -> None:
    """Measure what is asked for, print it, and write it down."""
    asked = arguments()
    found = data_sets(asked.data)
    chosen = [data for data in found if not asked.only or data.name in asked.only.split(",")]
    if not chosen:
        raise SystemExit(
            f"{asked.data} holds no such data set; there are: {', '.join(d.name for d in found) or 'none'}."
        )
    for path in (asked.json, asked.page):
        if path:
            path.parent.mkdir(parents=True, exist_ok=True)  # before the work, not after it
    keep = asked.keep / ("reused" if asked.reuse else code())
    keep.mkdir(parents=True, exist_ok=True)
    for name in unknown(asked.data):
        print(f"{name}: no file of a form that is measured here", flush=True)
    tables = [name for name in asked.tables.split(",") if name]
    print(header(asked.half), flush=True)
    anchors = Anchors(asked.keep)
    digests = {data.name: data.digest for data in chosen}
    search, lost = searched(chosen, asked.half, anchors, keep) if not tables or "search" in tables else ({}, {})
    told, lost_too = knowledge.told(chosen, asked.half, asked.keep, keep, tables)
    lost = {name: said for name in digests if (said := [*lost.get(name, ()), *lost_too.get(name, ())])}
    if asked.json:
        kept = {"header": header(asked.half), "digests": digests, "search": search, "knowledge": told, "lost": lost}
        asked.json.write_text(json.dumps(kept, indent=1), encoding="utf-8")
    if asked.page:
        if tables and asked.page.is_file():
            written = renewed(asked.page.read_text(encoding="utf-8"), header(asked.half), search, told)
        else:
            written = page(header(asked.half), search, told, digests, lost)
        asked.page.write_text(written, encoding="utf-8")


def arguments() -> argparse.Namespace:
    """Return what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="a folder of data sets")
    parser.add_argument("--half", choices=("choose", "report", "all"), default="report")
    parser.add_argument("--only", default="", help="names of data sets, separated by commas")
    parser.add_argument("--tables", default="", help="search, or names of knowledge.TABLES, separated by commas")
    parser.add_argument("--json", type=Path, help="keep the figures in this file")
    parser.add_argument("--page", type=Path, help="write the tables to this page")
    parser.add_argument("--keep", type=Path, default=Path(tempfile.gettempdir()) / "weft-quality")
    parser.add_argument("--reuse", action="store_true", help="use graphs that other code filled, for work on search")
    return parser.parse_args()


def header(which: str) -> str:
    """Return what the figures were measured with."""
    packages = ", ".join(f"{name} {version(name)}" for name in PACKAGES)
    return (
        f"weft {weft.__version__} ({code()}), Python {platform.python_version()}, {packages}, {platform.system()} on"
        f" {platform.machine()} with {os.cpu_count()} cores; half: {which}"
    )


def code() -> str:
    """Return the first figures of the digest of the product's code: graphs that other code filled are not used."""
    said = hashlib.sha256()
    folder = Path(weft.__file__).parent
    for path in sorted(path for ending in ("py", "sql", "onnx", "txt") for path in folder.rglob(f"*.{ending}")):
        said.update(path.relative_to(folder).as_posix().encode() + path.read_bytes())
    return said.hexdigest()[:12]


def searched(
    chosen: Sequence[DataSet], which: str, anchors: Anchors, keep: Path
) -> tuple[dict[str, Any], dict[str, list[str]]]:
    """Return the figures of search for each set that has questions, and what could not be measured; print them."""
    figures: dict[str, Any] = {}
    lost: dict[str, list[str]] = {}
    print(f"\n{'search':22} {'n':>5} {'':8}" + "".join(f"{name:>13}" for name in (*NAMES, retrieval.WEFT)), flush=True)
    for data in chosen:
        if not data.holds("queries"):
            continue
        try:
            if half(data.queries, which):
                figures[data.name] = retrieval.measured(data, which, anchors, keep) | {"sha256": data.digest}
                print(rows(data, figures[data.name]), flush=True)
            else:
                lost[data.name] = [f"search: no question of the half {which!r} has an answer among the texts"]
        except Exception as problem:  # noqa: BLE001 - one set that cannot be measured is no reason to lose the others
            lost[data.name] = [f"search cannot be measured: {type(problem).__name__}: {problem}"]
        for said in lost.get(data.name, ()):
            print(f"{data.name:22} {said}", flush=True)
    return figures, lost


def rows(data: DataSet, figures: dict[str, Any]) -> str:
    """Return the lines of one set."""
    lines = []
    for number, measure in enumerate(SHOWN):
        name = f"{data.name:22} {figures['questions']:5}" if not number else " " * 28
        lines.append(f"{name} {measure:8}" + "".join(f"{each[measure]:13.1f}" for each in figures["systems"].values()))
    times = figures["search_ms"]
    return (
        "\n".join(lines) + f"   search {times['p50']:.1f} ms, p95 {times['p95']:.1f}; {times['ratio']:.1f} embeddings"
    )


if __name__ == "__main__":
    main()
