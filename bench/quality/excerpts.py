"""Pieces of documents as queries: does the document come first, and then what belongs with it?

The numbers by which documents name each other are masked. *Itself* is asked with a piece from anywhere in a document,
of 300 or 800 characters, *thinned* with three words in ten left out of it: how often the document is the first. *P@3*
and *R@5* are asked with a document's opening, the document itself left out of what is found: what authors related to it
among the first three and five. The anchors rank the whole documents.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import numpy as np
from captures import FOUND, held
from linking import P_DEPTH, R_DEPTH, WEFT, collections, folder_of, masked, pairs
from sets import half

from weft.model import Page, SearchRequest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from anchors import Anchors
    from captures import Text
    from sets import DataSet, Half

    from weft import Graph

    Asked = list[tuple[str, str]]  # a document's row, and what is asked with of it
    Found = dict[str, list[list[str]]]  # by system, the rows found for each that was asked, best first

LENGTHS = (300, 800)  # characters
LEFT_OUT = 0.3  # of the words of a thinned piece


def measured(data: DataSet, which: Half, anchors: Anchors, keep: Path) -> dict[str, Any]:
    """Return for each measure how many were asked and each system's value, in percent."""
    chosen, related = [row["id"] for row in half(data.nodes, which)], pairs(data)
    contents = {row["id"]: text for row, text in zip(data.nodes, masked(data), strict=True)}
    titles = {row["id"]: row["title"] for row in data.nodes}
    figures: dict[str, Any] = {}
    for length in LENGTHS:
        whole = pieces(data, which, length)
        openings = [(row, f"{titles[row]}. {contents[row]}"[:length]) for row in chosen if related.get(row)]
        for name, asked in (("itself", whole), ("thinned", [(row, thinned(row, text)) for row, text in whole])):
            figures[f"{name}, {length}"] = among(asked, answered(data, asked, anchors, keep), 1)
        found = answered(data, openings, anchors, keep)
        for name, values in _belonging(openings, found, related).items():
            figures[f"{name}, {length}"] = averaged(values, len(openings))
    return {"asked": figures} if any(each["documents"] for each in figures.values()) else {}


def rows(name: str, figures: dict[str, Any]) -> list[str]:
    """Return the lines of one set."""
    return [
        f"{name:22} {each['documents']:5} {measure:18}"
        + "".join(f"{who} {value:.1f}   " for who, value in each["systems"].items())
        for measure, each in figures["asked"].items()
        if each["documents"]
    ]


def averaged(values: Mapping[str, Sequence[float]], documents: int) -> dict[str, Any]:
    """Return how many documents were asked for, and the mean of each system's values in percent."""
    systems = {who: 100 * float(np.mean(each or [0.0])) for who, each in values.items()}
    return {"documents": documents, "systems": systems}


def among(asked: Asked, found: Found, most: int) -> dict[str, Any]:
    """Return how many documents were asked for, and how often each is among the first ``most``, in percent."""
    shown = {
        who: [float(row in ids[:most]) for (row, _), ids in zip(asked, each, strict=True)]
        for who, each in found.items()
    }
    return averaged(shown, len(asked))


def _piece(row: str, text: str, length: int) -> str:
    """Return a piece of ``text`` from a place that the row's id decides, beginning with a word."""
    start = random.Random(row).randrange(len(text) - length)
    return text[start : start + length].split(maxsplit=1)[-1]


def _belonging(asked: Asked, found: Found, related: Mapping[str, frozenset[str]]) -> dict[str, dict[str, list[float]]]:
    told: dict[str, dict[str, list[float]]] = {"P@3": {}, "R@5": {}}
    for who, each in found.items():
        others = [([id_ for id_ in ids if id_ != row], related[row]) for (row, _), ids in zip(asked, each, strict=True)]
        told["P@3"][who] = [len(wanted.intersection(ids[:P_DEPTH])) / P_DEPTH for ids, wanted in others]
        told["R@5"][who] = [len(wanted.intersection(ids[:R_DEPTH])) / len(wanted) for ids, wanted in others]
    return told


def pieces(data: DataSet, which: Half, length: int) -> Asked:
    """Return a piece of so many characters of each document that is at least twice as long."""
    contents = {row["id"]: text for row, text in zip(data.nodes, masked(data), strict=True)}
    chosen = [row["id"] for row in half(data.nodes, which) if len(contents[row["id"]]) >= 2 * length]
    return [(row, _piece(row, contents[row], length)) for row in chosen]


def thinned(row: str, text: str) -> str:
    """Return ``text`` without three words in ten, which the row's id decides."""
    chance = random.Random(row)
    return " ".join(word for word in text.split() if chance.random() >= LEFT_OUT)


def searched(graph: Graph, query: str) -> list[str]:
    """Return the nodes that a search finds, best first."""
    request = SearchRequest(query=query, page=Page(limit=FOUND))
    return [hit.node.id for hit in graph.recall.search(request, graph.call("search")).hits]


def answered(
    data: DataSet, asked: Asked, anchors: Anchors, keep: Path, *, ask: Callable[[Graph, str], Sequence[str]] = searched
) -> Found:
    """Return what each system finds for each that is asked, within the collection that it was taken from."""
    if not asked:
        return {}
    nodes = data.nodes
    whole = [f"{row['title']}. {text}" for row, text in zip(nodes, masked(data), strict=True)]
    folders = {row["id"]: folder_of(row) for row in nodes}
    found: Found = {}
    for name, scores in anchors.scores(whole, [text for _, text in asked]).items():
        ranked = ([nodes[place]["id"] for place in np.argsort(-values)] for values in scores)
        found[name] = [
            [id_ for id_ in ids if folders[id_] == folders[row]][:FOUND]
            for (row, _), ids in zip(asked, ranked, strict=True)
        ]
    weft = {row: ids for name, texts in collections(data).items() for row, ids in _found(name, texts, asked, keep, ask)}
    return found | {WEFT: [weft[row] for row, _ in asked]}


def _found(
    name: str, texts: Sequence[Text], asked: Asked, keep: Path, ask: Callable[[Graph, str], Sequence[str]]
) -> Iterator[tuple[str, list[str]]]:
    """Yield for each document of a collection what is found for its piece; of one text's rows, the first."""
    known = {text.row for text in texts}
    with held(name, texts, keep) as full:
        rows = full.rows
        for row, text in asked:
            if row in known:
                first = rows[full.nodes[row]]
                yield row, [row if rows[each] == first else rows[each] for each in ask(full.graph, text)]
