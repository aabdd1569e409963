"""Which documents belong together: what a capture shows for a new one, beside what the anchors rank first.

The numbers by which documents name each other are masked. Each collection is a graph of its own; each document asked
for is forgotten and captured anew beside all others, and what its capture shows as related is read (*Weft*); before it
is captured, a search is asked with its first 2,000 characters (*Weft, search*). The anchors are asked with as many, as
the data's protocol has it, and once more, to be fair, with the whole text. Of the relations that the captures of all
documents, one after the other, *made* by themselves and *asked about* it is told how many join what authors related, by
a relation of whatever type; a type that authors draw rarely, or not at all, may be right all the same.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import numpy as np
from anchors import bm25
from captures import Again, Text, again, held
from sets import half

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from pathlib import Path

    from anchors import Anchors
    from sets import DataSet, Half, Row

WEFT = "Weft"
NUMBERED = re.compile(r"([A-Z]{2,6})-(\d{1,5})")
NUMBERS = r"(?i:\bADR)[ -]?0*\d{1,4}\b"  # what is masked where a set does not say
SEARCHED = "Weft, search"
WHOLE = "BM25, whole text"
READ = 2_000  # characters of a text that an anchor is asked with
P_DEPTH, R_DEPTH = 3, 5
MEASURES = (f"P@{P_DEPTH}", f"R@{R_DEPTH}")
DRAWN = {"made": "made", "asked about": "asked"}
BANDS = ((0.1, 0.3), (0.3, 0.5), (0.5, 0.7), (0.7, 0.85), (0.85, 1.01))


def measured(data: DataSet, which: Half, anchors: Anchors, keep: Path) -> dict[str, Any]:
    """Return what was found of one set, each system's mean over the documents that authors related to any."""
    nodes, texts = data.nodes, [f"{row['title']}. {text}" for row, text in zip(data.nodes, masked(data), strict=True)]
    related = pairs(data)
    asked = [row for row in half(nodes, which) if related.get(row["id"])]
    wanted = [related[row["id"]] for row in asked]
    places = {row["id"]: place for place, row in enumerate(nodes)}
    queries = [texts[places[row["id"]]] for row in asked]
    scores = dict(anchors.scores(texts, [query[:READ] for query in queries])) | {WHOLE: bm25(texts, queries)}
    systems = {}
    for name, values in scores.items():
        ranked = [_inside(row, [nodes[place] for place in np.argsort(-values[n])]) for n, row in enumerate(asked)]
        systems[name] = _scored(ranked, wanted)
    found = _again(data, asked, keep)
    systems[SEARCHED] = _scored([found[row["id"]].searched for row in asked], wanted)
    systems[WEFT] = _scored([[row for row, _ in found[row["id"]].shown] for row in asked], wanted)
    drawn = _drawn(data, {row["id"] for row in half(nodes, which)}, related, keep)
    return {"documents": len(asked), "systems": systems, "bands": _bands(found, related), "drawn": drawn}


def rows(name: str, figures: dict[str, Any]) -> list[str]:
    """Return the lines of one set."""
    lines = [
        f"{name:22} {figures['documents']:5} {measure:8}"
        + "".join(f"{who} {each[measure]:.1f}   " for who, each in figures["systems"].items())
        for measure in MEASURES
    ]
    bands = "  ".join(f"{band}: {each['right']}/{each['shown']}" for band, each in figures["bands"].items())
    drawn = ", ".join(f"{what} {each['right']}/{each['shown']}" for what, each in figures["drawn"].items())
    return [
        *lines,
        f"{name:22} {'':5} right of those shown at a confidence of  {bands}",
        f"{name:22} {'':5} right of the relations {drawn}",
    ]


def folder_of(row: Row) -> str:
    """Return the collection that a document is looked for in; a set without any is one."""
    return str(row.get("collection") or row.get("vault") or "")


def masked(data: DataSet) -> list[str]:
    """Return the texts without the numbers by which documents name each other."""
    path = data.folder / "meta.json"
    try:
        said = json.loads(path.read_text("utf-8-sig")) if path.is_file() else {}
        mask = re.compile(said.get("mask_regex") or _numbers(data))
    except (ValueError, AttributeError, TypeError, re.error):
        data.left_out["mask_regex of meta.json that cannot be read"] = 1
        mask = re.compile(_numbers(data))
    return [mask.sub(" ", row["text"]) or row["title"] for row in data.nodes]


def _numbers(data: DataSet) -> str:
    """Return what is masked where a set does not say: decision records' numbers, and those of its own series."""
    series = {match[1] for row in data.nodes if (match := NUMBERED.fullmatch(row["id"]))}
    return "|".join([NUMBERS, *(rf"(?i:\b{each})s?[ :#_`-]{{0,2}}0*\d{{1,5}}\b" for each in sorted(series))])


def pairs(data: DataSet) -> dict[str, frozenset[str]]:
    """Return for each document those that authors related to it, in either direction."""
    known = {row["id"] for row in data.nodes}
    found: dict[str, set[str]] = {}
    for row in data.relations:
        if row["source"] in known and row["target"] in known and row["source"] != row["target"]:
            found.setdefault(row["source"], set()).add(row["target"])
            found.setdefault(row["target"], set()).add(row["source"])
    return {row: frozenset(others) for row, others in found.items()}


def _inside(row: Row, ranked: Sequence[Row]) -> list[str]:
    return [each["id"] for each in ranked if each["id"] != row["id"] and folder_of(each) == folder_of(row)][:R_DEPTH]


def collections(data: DataSet) -> dict[str, list[Text]]:
    """Return the masked texts of each collection, a graph of its own, by the name that this is kept under."""
    texts: dict[str, list[Text]] = {}
    for row, text in zip(data.nodes, masked(data), strict=True):
        folder = folder_of(row)
        texts.setdefault(f"{data.name} {folder} masked".replace("  ", " "), []).append(
            Text(row=row["id"], content=text, title=row["title"], ontology=folder or data.name)
        )
    return texts


def _again(data: DataSet, asked: Sequence[Row], keep: Path) -> dict[str, Again]:
    """Return for each document asked for the rows that go with it."""
    ids = {row["id"] for row in asked}
    found: dict[str, Again] = {}
    for name, texts in collections(data).items():
        wanted = list({text.row: text for text in reversed(texts) if text.row in ids}.values())
        if wanted:
            found |= again(name, texts, wanted, keep)
    return found


def _drawn(
    data: DataSet, ids: Collection[str], related: Mapping[str, frozenset[str]], keep: Path
) -> dict[str, dict[str, int]]:
    """Return of the relations that the captures of ``ids`` made and asked about how many join what authors related."""
    told: dict[str, list[bool]] = {what: [] for what in DRAWN}
    for name, texts in collections(data).items():
        with held(name, texts, keep) as full:
            rows = full.rows
            for answer in full.answers.values():
                for what, named in DRAWN.items() if answer["row"] in ids else ():
                    ends = [(rows[source], rows[target]) for source, target, *_ in answer[named]]
                    told[what] += [target in related.get(source, ()) for source, target in ends]
    return {what: {"shown": len(each), "right": sum(each)} for what, each in told.items()}


def _scored(found: Sequence[Sequence[str]], wanted: Sequence[frozenset[str]]) -> dict[str, float]:
    precision = [len(want.intersection(ids[:P_DEPTH])) / P_DEPTH for ids, want in zip(found, wanted, strict=True)]
    recall = [len(want.intersection(ids[:R_DEPTH])) / len(want) for ids, want in zip(found, wanted, strict=True)]
    return {name: 100 * float(np.mean(each or [0])) for name, each in zip(MEASURES, (precision, recall), strict=True)}


def _bands(found: Mapping[str, Again], related: Mapping[str, frozenset[str]]) -> dict[str, dict[str, int]]:
    told = [(other in related[row], confidence) for row, each in found.items() for other, confidence in each.shown]
    return {
        f"{low:.2f}": {
            "shown": sum(low <= confidence < high for _, confidence in told),
            "right": sum(right and low <= confidence < high for right, confidence in told),
        }
        for low, high in BANDS
    }
