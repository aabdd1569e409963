"""Graphs that hold a data set in one of several forms, with what the captures themselves answered.

``search`` keeps its own graphs (:mod:`graphs`); here titles, texts and bodies of knowledge are given by the caller, and
what a capture shows (relations, suggestions, near-duplicates) is kept beside the graph.
"""

from __future__ import annotations

import hashlib
import json
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import weft
from weft.model import CaptureRequest
from weft.vocabulary import TITLE_MAX

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from weft.graph import Graph
    from weft.model import Captured

SHOWN_EVERY = 200  # captures between two signs of life


@dataclass(frozen=True)
class Text:
    """What is captured for one row: ``row`` is its id."""

    row: str
    content: str
    title: str = ""
    ontology: str = ""
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True)
class Held:
    """An open graph, the node of each row, and what each capture answered, in order."""

    graph: Graph
    nodes: dict[str, str]
    answers: dict[str, dict[str, Any]]

    @property
    def rows(self) -> dict[str, str]:
        """The row that each node stands for; of rows with the very same text, the first."""
        found: dict[str, str] = {}
        for answer in self.answers.values():
            found.setdefault(answer["node"], answer["row"])
        return found


@contextmanager
def held(name: str, texts: Sequence[Text], keep: Path) -> Iterator[Held]:
    """Open the graph of ``texts``, filling it first where it is not there or not whole."""
    key = hashlib.sha256("\0".join(map(repr, (name, *texts))).encode()).hexdigest()[:16]
    path, done = keep / f"{key}.db", keep / f"{key}.captures.json"
    if not done.is_file():
        for part in keep.glob(f"{key}.*"):
            part.unlink()
    with weft.open(str(path)) as graph:
        if not done.is_file():
            done.write_text(json.dumps(_fill(graph, name, texts)), encoding="utf-8")
        answers: dict[str, dict[str, Any]] = json.loads(done.read_text(encoding="utf-8"))
        yield Held(graph=graph, nodes={row: answer["node"] for row, answer in answers.items()}, answers=answers)


def _fill(graph: Graph, name: str, texts: Sequence[Text]) -> dict[str, dict[str, Any]]:
    found = {}
    for number, text in enumerate(texts, start=1):
        request = CaptureRequest(
            content=text.content, title=text.title[:TITLE_MAX], ontology=text.ontology, aliases=text.aliases
        )
        key = text.row if text.row not in found else f"{text.row} ({number})"  # some sets use an id twice
        found[key] = {"row": text.row} | _answer(graph.capture.capture(request, graph.call("capture")))
        if number % SHOWN_EVERY == 0 or number == len(texts):
            print(f"\r{name}: {number} of {len(texts)} captured", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return found


def _answer(captured: Captured) -> dict[str, Any]:
    """Return what a capture showed: relations made or suggested, nodes told to be the same or to conflict."""
    made = [(each.source, each.target, each.type, each.confidence, each.rule) for each in captured.relations]
    asked = [each.proposal["relate"] for each in captured.suggestions if "relate" in each.proposal]
    return {
        "node": captured.node.id,
        "kind": captured.node.kind,
        "made": made,
        "asked": [
            (wish["source"], wish["target"], wish["type"], wish["confidence"], wish.get("rule", "")) for wish in asked
        ],
        "same": [each.id for each in captured.near_duplicates],
        "conflicts": [side.node.id for side in captured.conflicts],
        "existing": captured.existing,
        "method": captured.classification.method,
    }
