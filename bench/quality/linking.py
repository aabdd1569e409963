"""Relations between real documents: which are shown for a new one, of what type, which way round, and how sure.

Two questions. With the numbers of documents masked, which others does a document's own text find (the anchors rank
the same texts)? And with nothing masked, which typed relations do captures make or suggest? What authors did not draw
may hold all the same, so precision is told twice: against everything, and among documents whose authors draw relations
of that type at all.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import numpy as np
from captures import Text, held
from sets import half

from weft.model import Filter, Page, SearchRequest
from weft.vocabulary import QUERY_MAX

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from anchors import Anchors
    from captures import Held
    from sets import DataSet, Half, Row

WEFT = "Weft"
READ = 2_000  # characters of a text that is looked for
P_DEPTH, R_DEPTH = 3, 5
FOUND = 20  # hits and mentions that are looked through
TYPES = {"requires": ("requires",), "supersedes": ("replaces", "supersedes")}
BANDS = ((0.5, 0.65), (0.65, 0.75), (0.75, 0.85), (0.85, 1.01))


def measured(data: DataSet, which: Half, anchors: Anchors, keep: Path) -> dict[str, Any]:
    """Return what was found of one collection."""
    found: dict[str, Any] = {"related": _related(data, which, anchors, keep)}
    if any(row["type"] in names for row in data.relations for names in TYPES.values()):
        found["typed"] = _typed(data, which, keep)
    return found


def rows(name: str, figures: dict[str, Any]) -> list[str]:
    """Return the lines of one collection."""
    lines = []
    for measure in ("P@3", "R@5"):
        values = "".join(f"{each[measure]:13.1f}" for each in figures["related"]["systems"].values())
        lines.append(f"{name:22} {figures['related']['documents']:5} {measure:8}{values}")
    for relation_type, each in figures.get("typed", {}).get("types", {}).items():
        lines.append(
            f"{name:22} {each['drawn']:5} {relation_type:11} P {each['precision']:.1f} R {each['recall']:.1f} "
            f"F1 {each['f1']:.1f}; among documents that draw any: P {each['precision_drawing']:.1f} "
            f"F1 {each['f1_drawing']:.1f}; right way round {each['direction']:.1f}; R@1 {each['r1']:.1f}"
        )
    return lines


# ---- which documents belong together


def folder_of(row: Row) -> str:
    """Return the collection that a document is looked for in; a set without any is one."""
    return str(row.get("collection") or row.get("vault") or "")


def masked(data: DataSet) -> list[str]:
    """Return the texts without the numbers by which documents name each other."""
    path = data.folder / "meta.json"
    pattern = json.loads(path.read_text("utf-8")).get("mask_regex", "") if path.is_file() else ""
    mask = re.compile(pattern or r"(?i)\bADR[ -]?0*\d{1,4}\b")
    return [mask.sub(" ", row["text"]) or row["title"] for row in data.nodes]


def _related(data: DataSet, which: Half, anchors: Anchors, keep: Path) -> dict[str, Any]:
    nodes = data.nodes
    asked = half(nodes, which)
    texts = [f"{row['title']}. {text}" for row, text in zip(nodes, masked(data), strict=True)]
    related = _pairs(data)
    questions = [row for row in asked if related.get(row["id"])]
    places = {row["id"]: place for place, row in enumerate(nodes)}
    captured = [
        Text(row=row["id"], content=text[:READ], title=row["title"], ontology=folder_of(row) or data.name)
        for row, text in zip(nodes, masked(data), strict=True)
    ]
    systems = {}
    queries = [texts[places[row["id"]]][:READ] for row in questions]
    for name, scores in anchors.scores(texts, queries).items():
        found = [_inside(row, [nodes[i] for i in np.argsort(-scores[n])]) for n, row in enumerate(questions)]
        systems[name] = _scored(found, [related[row["id"]] for row in questions])
    with held(f"{data.name} masked", captured, keep) as full:
        found = [_searched(row, texts[places[row["id"]]], full, data) for row in questions]
    systems[WEFT] = _scored(found, [related[row["id"]] for row in questions])
    return {"documents": len(questions), "systems": systems}


def _pairs(data: DataSet) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for row in data.relations:
        found.setdefault(row["source"], set()).add(row["target"])
        found.setdefault(row["target"], set()).add(row["source"])
    return {row: frozenset(others - {row}) for row, others in found.items()}


def _inside(row: Row, ranked: Sequence[Row]) -> list[str]:
    return [each["id"] for each in ranked if each["id"] != row["id"] and folder_of(each) == folder_of(row)][:R_DEPTH]


def _searched(row: Row, text: str, full: Held, data: DataSet) -> list[str]:
    """Return the rows that Weft ties to a document: of what its text finds, those that name it or are named first."""
    wanted = Filter(ontologies=(folder_of(row) or data.name,))
    request = SearchRequest(query=text[:QUERY_MAX], filter=wanted, page=Page(limit=FOUND))
    hits = full.graph.recall.search(request, full.graph.call("search")).hits
    node = full.nodes[row["id"]]
    mentions = full.graph.shelf.mentions((node,), per_node=FOUND)
    tied = {end for mention in mentions for end in (mention.node, mention.target)}
    known = full.rows
    found = [known[hit.node.id] for hit in sorted(hits, key=lambda hit: hit.node.id not in tied)]
    return [each for each in found if each != row["id"]][:R_DEPTH]


def _scored(found: Sequence[Sequence[str]], wanted: Sequence[frozenset[str]]) -> dict[str, float]:
    precision = [len(want.intersection(ids[:P_DEPTH])) / P_DEPTH for ids, want in zip(found, wanted, strict=True)]
    recall = [len(want.intersection(ids[:R_DEPTH])) / len(want) for ids, want in zip(found, wanted, strict=True)]
    return {"P@3": 100 * float(np.mean(precision or [0])), "R@5": 100 * float(np.mean(recall or [0]))}


# ---- of what type


def _typed(data: DataSet, which: Half, keep: Path) -> dict[str, Any]:
    texts = [
        Text(
            row=row["id"],
            content=row["text"] or row["title"],
            title=row["title"],
            ontology=data.name,
            aliases=(row["id"], row["id"].replace("-", " ")),
        )
        for row in data.nodes
    ]
    with held(f"{data.name} whole", texts, keep) as full:
        row_of = full.rows
        shown: dict[tuple[str, str, str], float] = {}
        for answer in full.answers.values():
            for source, target, relation_type, confidence, _ in (*answer["made"], *answer["asked"]):
                key = (row_of.get(source, ""), row_of.get(target, ""), relation_type)
                shown[key] = max(confidence, shown.get(key, 0.0))
    sources = {row["id"] for row in half(data.nodes, which)}
    return {
        "types": {
            name: _type_figures(name, names, shown, data, sources)
            for name, names in TYPES.items()
            if any(row["type"] in names for row in data.relations)
        }
    }


def _type_figures(
    name: str, names: tuple[str, ...], shown: dict[tuple[str, str, str], float], data: DataSet, sources: set[str]
) -> dict[str, Any]:
    drawn = {(row["source"], row["target"]) for row in data.relations if row["type"] in names}
    drawn = {pair for pair in drawn if pair[0] in sources}
    drawing = {source for source, _ in drawn}
    found = {(source, target): c for (source, target, each), c in shown.items() if each == name and source in sources}
    among = [pair for pair in found if pair[0] in drawing]
    right = sum(pair in drawn for pair in found)
    turned = sum((target, source) in drawn for source, target in found)
    best = {
        source: max((pair for pair in found if pair[0] == source), key=found.__getitem__, default=("", ""))
        for source in drawing
    }
    recall = 100 * right / max(1, len(drawn))
    precision, drawing_precision = (100 * right / max(1, len(each)) for each in (found, among))
    return {
        "drawn": len(drawn),
        "shown": len(found),
        "right": right,
        "shown_drawing": len(among),
        "precision": precision,
        "recall": recall,
        "f1": _f1(precision, recall),
        "precision_drawing": drawing_precision,
        "f1_drawing": _f1(drawing_precision, recall),
        "direction": 100 * right / max(1, right + turned),
        "r1": 100 * sum(pair in drawn for pair in best.values()) / max(1, len(drawing)),
        "bands": {
            f"{low:.2f}": _band([pair for pair in found if low <= found[pair] < high], drawn, drawing)
            for low, high in BANDS
        },
    }


def _band(found: Sequence[tuple[str, str]], drawn: set[tuple[str, str]], drawing: set[str]) -> dict[str, int]:
    return {
        "shown": len(found),
        "shown_drawing": sum(pair[0] in drawing for pair in found),
        "right": sum(pair in drawn for pair in found),
    }


def _f1(precision: float, recall: float) -> float:
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0
