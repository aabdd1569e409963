"""Graphs that hold a data set in one of several forms, with what the captures themselves answered.

``search`` keeps its own graphs (:mod:`graphs`); here titles, texts and bodies of knowledge are given by the caller, and
what a capture shows (relations, suggestions, near-duplicates) is kept beside the graph.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import shutil
import sys
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import weft
from weft.model import CaptureRequest, Page, SearchRequest
from weft.vocabulary import QUERY_MAX, TITLE_MAX

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from weft.graph import Graph
    from weft.model import Captured

SHOWN_EVERY = 200  # captures between two signs of life
FOUND = 20  # hits that are asked for


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
def alone(path: Path) -> Iterator[None]:
    """Keep other runs away meanwhile: two that fill one graph would take it from under each other."""
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


@contextmanager
def held(name: str, texts: Sequence[Text], keep: Path) -> Iterator[Held]:
    """Open the graph of ``texts``, filling it first where it is not there or not whole."""
    key = hashlib.sha256("\0".join(map(repr, (name, *texts))).encode()).hexdigest()[:16]
    path, done = keep / f"{key}.db", keep / f"{key}.captures.json"
    with alone(keep / f"{key}-lock"):
        if not done.is_file():
            for part in keep.glob(f"{key}.*"):
                shutil.rmtree(part) if part.is_dir() else part.unlink()
            with weft.open(str(path)) as graph:
                part = done.with_suffix(".part")  # a run that is broken off leaves no half of a file
                part.write_text(json.dumps(_fill(graph, name, texts)), encoding="utf-8")
                part.replace(done)
    with weft.open(str(path)) as graph:
        answers: dict[str, dict[str, Any]] = json.loads(done.read_text(encoding="utf-8"))
        yield Held(graph=graph, nodes={row: answer["node"] for row, answer in answers.items()}, answers=answers)


@contextmanager
def aside(path: Path) -> Iterator[Graph]:
    """Open a copy of the graph at ``path``, to be written to."""
    with tempfile.TemporaryDirectory() as folder:
        for part in path.parent.glob(f"{path.stem}.*"):
            (shutil.copytree if part.is_dir() else shutil.copy)(part, Path(folder) / part.name)
        with weft.open(str(Path(folder) / path.name)) as graph:
            yield graph


@dataclass(frozen=True)
class Again:
    """Rows that go with a text which is not there yet.

    ``shown`` are those that its capture shows as related, with the confidence, ``searched`` those that a search for its
    opening finds, best first.
    """

    shown: list[tuple[str, float]]
    searched: list[str]


def again(name: str, texts: Sequence[Text], asked: Sequence[Text], keep: Path) -> dict[str, Again]:
    """Return for each of the ``asked`` the rows that go with it, all other ``texts`` being there.

    One after the other is forgotten, searched for and captured anew, in a copy of the graph.
    """
    with held(name, texts, keep) as full:
        path, nodes = full.graph.path, dict(full.nodes)
    with aside(path) as graph:
        return _again(graph, name, nodes, asked)


def _again(graph: Graph, name: str, nodes: dict[str, str], asked: Sequence[Text]) -> dict[str, Again]:
    rows: dict[str, list[str]] = {}  # rows of the very same text share one node
    for row, node in nodes.items():
        rows.setdefault(node, []).append(row)
    found = {}
    for number, text in enumerate(asked, start=1):
        same = rows.pop(nodes[text.row])
        graph.capture.forget(nodes[text.row], graph.call("forget"), reason="captured anew", confirm=True)
        hits = [hit.node.id for hit in graph.recall.search(_opening(text), graph.call("search")).hits]
        searched = [*same, *(row for node in hits for row in rows.get(node, ()))]
        answer = _captured(graph, text)
        rows[answer["node"]] = same
        nodes |= dict.fromkeys(same, answer["node"])
        twins = [(row, 1.0) for row in same]  # a capture beside them would answer with the node they share
        shown = [(row, sure) for node, sure in answer["related"] for row in rows.get(node, ())]
        found[text.row] = Again(
            shown=[each for each in (*twins, *shown) if each[0] != text.row],
            searched=[row for row in searched if row != text.row],
        )
        _shown(f"{name}, anew", number, len(asked))
    return found


def _opening(text: Text) -> SearchRequest:
    return SearchRequest(query=f"{text.title}. {text.content}"[:QUERY_MAX], page=Page(limit=FOUND))


def _captured(graph: Graph, text: Text) -> dict[str, Any]:
    request = CaptureRequest(
        content=text.content, title=text.title[:TITLE_MAX], ontology=text.ontology, aliases=text.aliases
    )
    return _answer(graph.capture.capture(request, graph.call("capture")))


def _shown(name: str, number: int, of: int) -> None:
    if number % SHOWN_EVERY == 0 or number == of:
        print(f"\r{name}: {number} of {of} captured", end="" if number < of else "\n", file=sys.stderr, flush=True)


def _fill(graph: Graph, name: str, texts: Sequence[Text]) -> dict[str, dict[str, Any]]:
    found = {}
    for number, text in enumerate(texts, start=1):
        key = text.row if text.row not in found else f"{text.row} ({number})"  # some sets use an id twice
        found[key] = {"row": text.row} | _captured(graph, text)
        _shown(name, number, len(texts))
    return found


def _answer(captured: Captured) -> dict[str, Any]:
    """Return what a capture showed: relations made or suggested, nodes told to be the same or to conflict."""
    made = [(each.source, each.target, each.type, each.confidence, each.rule) for each in captured.relations]
    asked = [each.proposal["relate"] for each in captured.suggestions if "relate" in each.proposal]
    guesses = [guess for each in captured.related for guess in each.guesses]
    return {
        "node": captured.node.id,
        "kind": captured.node.kind,
        "made": made,
        "asked": [
            (wish["source"], wish["target"], wish["type"], wish["confidence"], wish.get("rule", "")) for wish in asked
        ],
        "related": [(each.id, each.confidence) for each in captured.related],
        "guessed": [(guess.source, guess.target, guess.type, guess.confidence) for guess in guesses],
        "same": [each.id for each in captured.near_duplicates],
        "conflicts": [side.node.id for side in captured.conflicts],
        "existing": captured.existing,
        "method": captured.classification.method,
    }
