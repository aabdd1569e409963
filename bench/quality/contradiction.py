"""Verdicts: what is called a conflict, what support, and what is left to the caller, against people's labels.

Through the library as a user would: the texts are captured, each claim is held against the graph by ``challenge``. Of
labelled pairs the group is read in which the labelled text lands; where whole collections are labelled, all that lands
in a group is. Collections leave much unlabelled, so their precision is a lower bound.

Two answers are told apart. What is *called* a conflict is decided, and should be one. What is *marked* is left to be
judged, with the side it is likely on. Both are told beside a surface model: a logistic regression over likeness, shared
words, denials and numbers, fitted on the pairs of the same set that are not reported, which the judge never sees. How
Weft's marks were learned, from the unreported halves of four sets: ``docs/explanation/judging.md``.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from anchors import Anchors
from captures import Text, held
from graphs import filled
from retrieval import text_of
from sets import OTHER, half, parts
from surface import CLASSES, Surface

from weft.vocabulary import LIST_MAX, QUERY_MAX

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from graphs import Filled
    from sets import DataSet, Half, Row

    from weft.model import Challenged

    Found = set[tuple[str, str]]

SIDES = {"conflicts": ("refutes", "contradicts"), "supports": ("supports",)}
LABELLED = {"conflicts": "contradiction", "supports": "entailment"}
SYSTEMS = ("called", "called or marked", "surface model")
NEAREST = 10  # candidates of the surface model
FIRST = 3  # of what is left to judge, how many a hurried caller reads
SENTENCE = re.compile(r"(?<=[.!?])\s+")


def measured(data: DataSet, which: Half, keep: Path) -> dict[str, Any]:
    """Return what became of labelled pairs, of labelled collections, or of both."""
    found: dict[str, Any] = {}
    if _of_half(data, which):
        found["pairs"] = _pairs(data, which, keep)
    if any(row["type"] in (*SIDES["conflicts"], *SIDES["supports"]) for row in data.relations) and data.nodes:
        found["collection"] = _collection(data, which, keep)
    return {name: each for name, each in found.items() if each}


def rows(name: str, figures: dict[str, Any]) -> list[str]:
    """Return the lines of one set."""
    lines = []
    if pairs := figures.get("pairs"):
        head = f"{name:22} {pairs['contradictions']:5} of {pairs['pairs']} pairs contradict: "
        lines.append(f"{head}{pairs['agreement']} agreements called conflict, abstained {pairs['abstained']:.1f} %")
        lines += _lines(pairs["systems"])
    for group, each in figures.get("collection", {}).items():
        head = f"{name:22} {each['gold']:5} {group}, all texts: "
        lines.append(
            f"{head}with what is left to judge R {each['recall_left']:.1f}; the first {FIRST} of it hold "
            f"{each['first']:.1f} % of all as ordered, {each['first_by_likeness']:.1f} % by likeness"
        )
        lines += _lines(each["systems"])
    return lines


def _lines(systems: Mapping[str, Mapping[str, float]]) -> Iterator[str]:
    for system, each in systems.items():
        shown = f"P {each['precision']:5.1f} R {each['recall']:5.1f} F1 {each['f1']:5.1f}"
        yield f"{'':28} {system:17} {shown} ({each['called']:.0f})"


def figures_of(right: int, called: int, gold: int) -> dict[str, float]:
    """Return how many were called, and precision, recall and F1 in percent of ``right`` ones among ``gold``."""
    return {
        "called": called,
        "precision": 100 * right / max(1, called),
        "recall": 100 * right / max(1, gold),
        "f1": 200 * right / max(1, called + gold),
    }


# ---- labelled pairs


def _pairs(data: DataSet, which: Half, keep: Path) -> dict[str, Any]:
    labelled = _of_half(data, which)
    texts = [Text(row=text, content=text) for text in dict.fromkeys(row["a"] for row in labelled)]
    with held(f"{data.name} {which}", texts, keep) as full:
        landed = []
        for row in labelled:
            answer = full.graph.trace.challenge(row["b"], full.graph.call("challenge"), limit=LIST_MAX)
            landed.append(_landed(answer, full.nodes[row["a"]]))
    counts = Counter((row["label"], *each) for row, each in zip(labelled, landed, strict=True))
    gold = sum(count for (label, *_), count in counts.items() if label == "contradiction")
    called = {key: count for key, count in counts.items() if key[1] == "conflicts"}
    marked = {key: count for key, count in counts.items() if "conflicts" in key[1:]}
    return {
        "pairs": len(labelled),
        "contradictions": gold,
        "agreement": sum(count for (label, *_), count in called.items() if label == "entailment"),
        "abstained": 100 * sum(1 for group, _ in landed if group not in SIDES) / max(1, len(landed)),
        "supports": {label: counts[label, "supports", ""] for label in CLASSES},
        "systems": {
            SYSTEMS[0]: _of_label(called, gold),
            SYSTEMS[1]: _of_label(marked, gold),
        }
        | ({SYSTEMS[2]: surface} if (surface := _surface_pairs(data, which, labelled, keep)) else {}),
    }


def _of_half(data: DataSet, which: Half) -> list[Row]:
    """Return the labelled pairs of a half; those that name a question of the set (``question|text``) go with it."""
    labelled = [row for row in data.pairs if row.get("label") in CLASSES]
    if not _of_questions(labelled):
        return half(labelled, which)
    asked = {row["id"] for row in data.queries}
    # Questions that nothing answers are halved too.
    first = {row["id"].split("|")[0]: row for row in reversed(labelled)}
    others = [row | {"id": name} for name, row in reversed(first.items()) if name not in asked]
    kept = {row["id"] for rows_of in (data.queries, others) for row in half(rows_of, which)}
    return [row for row in labelled if row["id"].split("|")[0] in kept]


def _landed(answer: Challenged, node: str) -> tuple[str, str]:
    """Return the group that a text lands in, and the side it is marked as likely on where it is left to be judged."""
    for group in (*SIDES, "to_judge"):
        for side in getattr(answer, group):
            if side.node.id == node:
                return group, side.leaning.likely if side.leaning else ""
    return "none", ""


def _of_label(counted: Mapping[tuple[str, ...], int], gold: int) -> dict[str, float]:
    right = sum(count for (label, *_), count in counted.items() if label == "contradiction")
    return figures_of(right, sum(counted.values()), gold)


def _surface_pairs(data: DataSet, which: Half, labelled: Sequence[Row], keep: Path) -> dict[str, float]:
    """Return the surface model's figures on pairs; each half is scored by the model of the other."""
    anchors = Anchors(keep)
    right = called = 0
    for part in parts(_labelled(data), which):
        rows_of = [row for row in _of_half(data, part) if which != "all" or row in labelled]
        model = _model(anchors, data, part)
        if not model or not rows_of:
            return {}
        sides = model.chances([(row["a"], row["b"]) for row in rows_of]).argmax(axis=1)
        hits = [row["label"] for row, side in zip(rows_of, sides, strict=True) if CLASSES[side] == "contradiction"]
        called, right = called + len(hits), right + hits.count("contradiction")
    return figures_of(right, called, sum(row["label"] == "contradiction" for row in labelled))


def _labelled(data: DataSet) -> list[Row]:
    """Return the rows that halves are made of: the questions that pairs name, or the pairs."""
    labelled = [row for row in data.pairs if row.get("label") in CLASSES]
    return data.queries if data.queries and _of_questions(labelled) else labelled


def _of_questions(labelled: Sequence[Row]) -> bool:
    return bool(labelled) and all("|" in row["id"] for row in labelled)


def _model(anchors: Anchors, data: DataSet, part: Half) -> Surface | None:
    """Return the surface model that was fitted on the other half than ``part``, if that holds pairs of two classes."""
    learned = _of_half(data, OTHER[part])
    if len({row["label"] for row in learned}) < 2:
        return None
    return Surface(anchors, [(row["a"], row["b"]) for row in learned], [row["label"] for row in learned])


# ---- labelled collections


@dataclass(frozen=True)
class Landed:
    """What landed where, as (text, claim): by group and mark, and what is left to judge, in two orders."""

    called: dict[str, Found]
    marked: dict[str, Found]
    left: Found
    first: Found
    likest: Found


def _collection(data: DataSet, which: Half, keep: Path) -> dict[str, Any]:
    claims, drawn = _claims(data, which)
    landed = Landed({group: set() for group in SIDES}, {group: set() for group in SIDES}, set(), set(), set())
    with filled(data, keep) as full:
        for claim, said in claims.items():
            answer = full.graph.trace.challenge(said, full.graph.call("challenge"), limit=LIST_MAX)
            _sort(landed, answer, claim, full)
    has_pairs = any(row.get("label") in CLASSES for row in data.pairs) and bool(data.queries)
    surface = _surface(data, which, keep) if has_pairs else {}
    found = {}
    for group, types in SIDES.items():
        gold = {pair for pair, type_ in drawn.items() if type_ in types}
        if gold:
            found[group] = _of_group(landed, group, gold, surface.get(group))
    return found


def _sort(landed: Landed, answer: Challenged, claim: str, full: Filled) -> None:
    for group in SIDES:
        for side in getattr(answer, group):
            landed.called[group].update((row, claim) for row in full.rows.get(side.node.id, ()))
    for side in answer.to_judge:
        pairs = {(row, claim) for row in full.rows.get(side.node.id, ())}
        landed.left.update(pairs)
        if side.leaning and side.leaning.likely:
            landed.marked[side.leaning.likely].update(pairs)
    likest = sorted(answer.to_judge, key=lambda side: -side.similarity)
    for order, kept in ((answer.to_judge, landed.first), (likest, landed.likest)):
        kept.update((row, claim) for side in order[:FIRST] for row in full.rows.get(side.node.id, ()))


def _of_group(landed: Landed, group: str, gold: Found, surface: dict[str, float] | None) -> dict[str, Any]:
    called = landed.called[group]
    both = called | landed.marked[group]
    systems = {
        SYSTEMS[0]: figures_of(len(called & gold), len(called), len(gold)),
        SYSTEMS[1]: figures_of(len(both & gold), len(both), len(gold)),
    }
    return {
        "gold": len(gold),
        "recall_left": 100 * len((called | landed.left) & gold) / max(1, len(gold)),
        "first": 100 * len(landed.first & gold) / max(1, len(gold)),
        "first_by_likeness": 100 * len(landed.likest & gold) / max(1, len(gold)),
        "systems": systems | ({SYSTEMS[2]: surface} if surface else {}),
    }


def _claims(data: DataSet, which: Half) -> tuple[dict[str, str], Mapping[tuple[str, str], str]]:
    """Return the claims that are asked, and what people hold between (text, claim): questions, or nodes themselves."""
    said = {row["id"]: (row["text"].strip() or row["title"])[:QUERY_MAX] for row in data.nodes}
    if data.queries:
        asked = {row["id"]: row["text"] for row in half(data.queries, which)}
        between = [row for row in data.relations if row["source"] in said and row["target"] in asked]
        return asked, {(row["source"], row["target"]): row["type"] for row in between}
    drawn: dict[tuple[str, str], str] = {}
    for row in half([row for row in data.relations if row["source"] in said and row["target"] in said], which):
        drawn |= {(row["source"], row["target"]): row["type"], (row["target"], row["source"]): row["type"]}
    return {claim: said[claim] for _, claim in drawn}, drawn


def _surface(data: DataSet, which: Half, keep: Path) -> dict[str, dict[str, float]]:
    """Return the surface model's figures over the ten nearest texts; marks are chosen on the other half."""
    anchors = Anchors(keep)
    found = {}
    for group in SIDES:
        right = called = gold = 0
        for part in parts(data.queries, which):
            model, other = _model(anchors, data, part), OTHER[part]
            if not model or not _claims(data, part)[0] or not _claims(data, other)[0]:
                return {}
            scores, hits, held_there = _scored(anchors, model, data, other, group)
            order = np.argsort(-scores, kind="stable")
            best = int(np.argmax(2 * np.cumsum(hits[order]) / (np.arange(1, len(order) + 1) + held_there)))
            scores_here, hits_here, held_here = _scored(anchors, model, data, part, group)
            over = scores_here >= scores[order][best]
            right, called, gold = right + int(hits_here[over].sum()), called + int(over.sum()), gold + held_here
        found[group] = figures_of(right, called, gold)
    return found


def _scored(anchors: Anchors, model: Surface, data: DataSet, part: Half, group: str) -> tuple[Any, Any, int]:
    """Return the scores of the nearest texts of all claims of a half, which of them are gold, and how many gold are."""
    claims, drawn = _claims(data, part)
    gold = {pair for pair, type_ in drawn.items() if type_ in SIDES[group]}
    nodes = data.nodes
    near = anchors.vectors(list(claims.values())) @ anchors.vectors([text_of(row) for row in nodes]).T
    pairs, keys = [], []
    for (claim, said), row in zip(claims.items(), near, strict=True):
        for place in np.argsort(-row, kind="stable")[:NEAREST]:
            pairs.append((sentence_of(nodes[place]["text"], said), said))
            keys.append((nodes[place]["id"], claim))
    scores = model.chances(pairs)[:, CLASSES.index(LABELLED[group])]
    return scores, np.array([key in gold for key in keys]), len(gold)


def sentence_of(text: str, claim: str) -> str:
    """Return the sentence of ``text`` that shares most words with ``claim``."""
    wanted = set(claim.lower().split())
    return max(SENTENCE.split(text), key=lambda said: len(wanted.intersection(said.lower().split())))
