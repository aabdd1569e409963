"""A graph that holds a data set, filled as a user would fill it: one capture a text, through the library."""

from __future__ import annotations

import hashlib
import json
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from captures import alone

import weft
from weft.model import CaptureRequest
from weft.vocabulary import TITLE_MAX

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from sets import DataSet

    from weft.graph import Graph

SHOWN_EVERY = 500  # captures between two signs of life


@dataclass(frozen=True)
class Filled:
    """An open graph and which rows each of its nodes stands for: rows of the very same text share one node."""

    graph: Graph
    rows: dict[str, list[str]]
    nodes: dict[str, str]


@contextmanager
def filled(data: DataSet, keep: Path) -> Iterator[Filled]:
    """Open the graph of ``data`` in the folder ``keep``, filling it first where it is not there or not whole."""
    name = hashlib.sha256(f"{data.name}\n{data.digest}".encode()).hexdigest()[:16]
    path, done = keep / f"{name}.db", keep / f"{name}.json"
    with weft.open(str(path)) as graph, alone(keep / f"{name}-lock"):
        if not done.is_file():  # what a run that was broken off left is answered as existing, and changes no figure
            part = keep / f"{name}.part"
            part.write_text(json.dumps(_fill(graph, data)), encoding="utf-8")
            part.replace(done)
        nodes: dict[str, str] = json.loads(done.read_text(encoding="utf-8"))
        rows: dict[str, list[str]] = {}
        for row, node in nodes.items():
            rows.setdefault(node, []).append(row)
        yield Filled(graph=graph, rows=rows, nodes=nodes)


def ontology_of(row: dict[str, str], data: DataSet) -> str:
    """Return the body of knowledge that a row belongs to: its scope, or its collection, or the whole set."""
    return row.get("scope") or row.get("collection") or row.get("vault") or row.get("sig") or data.name


def _fill(graph: Graph, data: DataSet) -> dict[str, str]:
    made = {}
    for number, row in enumerate(data.nodes, start=1):
        request = CaptureRequest(
            content=row["text"] or row["title"], title=row["title"][:TITLE_MAX], ontology=ontology_of(row, data)
        )
        call = graph.call("capture", session=row.get("session", ""))
        made[row["id"]] = graph.capture.capture(request, call).node.id
        if number % SHOWN_EVERY == 0 or number == len(data.nodes):
            print(f"\r{data.name}: {number} of {len(data.nodes)} captured", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return made
