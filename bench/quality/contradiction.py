"""Verdicts: what is called a conflict, what support, and what is left to the caller, against people's labels.

Through the library as a user would: the texts are captured, each claim is held against the graph by ``challenge``. Of
labelled pairs the group is read in which the labelled text lands; where whole collections are labelled, all that lands
in a group is. Collections leave much unlabelled, so their precision is a lower bound.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from captures import Text, held
from graphs import filled
from sets import half

from weft.vocabulary import LIST_MAX

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from captures import Held
    from sets import DataSet, Half, Row

GROUPS = ("conflicts", "supports", "to_judge")
LABELS = ("contradiction", "entailment", "neutral")
SIDES = {"conflicts": ("refutes", "contradicts"), "supports": ("supports",)}


def measured(data: DataSet, which: Half, keep: Path) -> dict[str, Any]:
    """Return what became of labelled pairs, of labelled collections, or of both."""
    found: dict[str, Any] = {}
    if any(row.get("label") in LABELS for row in data.pairs):
        found["pairs"] = _pairs(data, which, keep)
    if any(row["type"] in (*SIDES["conflicts"], *SIDES["supports"]) for row in data.relations):
        found["collection"] = _collection(data, which, keep)
    return found


def rows(name: str, figures: dict[str, Any]) -> list[str]:
    """Return the lines of one set."""
    lines = []
    if pairs := figures.get("pairs"):
        lines.append(
            f"{name:22} {pairs['pairs']:5} pairs       conflict P {pairs['precision']:.1f} R {pairs['recall']:.1f} of "
            f"{pairs['contradictions']} ({pairs['called']} called); agreement called conflict {pairs['agreement']}; "
            f"left to judge {pairs['left']:.1f} % of the contradictions, abstained {pairs['abstained']:.1f} %"
        )
    for group, each in figures.get("collection", {}).items():
        lines.append(
            f"{name:22} {each['gold']:5} {group:11} P {each['precision']:.1f} R {each['recall']:.1f} "
            f"F1 {each['f1']:.1f}; with what is left to judge R {each['recall_left']:.1f}"
        )
    return lines


def _pairs(data: DataSet, which: Half, keep: Path) -> dict[str, Any]:
    labelled = [row for row in half(data.pairs, which) if row.get("label") in LABELS]
    texts = [Text(row=text, content=text) for text in dict.fromkeys(row["a"] for row in labelled)]
    counts: Counter[tuple[str, str]] = Counter()
    with held(f"{data.name} {which}", texts, keep) as full:
        for row in labelled:
            counts[row["label"], _landed(full, row)] += 1
    called = sum(counts[label, "conflicts"] for label in LABELS)
    contradictions = sum(counts["contradiction", group] for group in (*GROUPS, "none"))
    right = counts["contradiction", "conflicts"]
    undecided = sum(counts[label, group] for label in LABELS for group in ("to_judge", "none"))
    return {
        "pairs": len(labelled),
        "contradictions": contradictions,
        "called": called,
        "agreement": counts["entailment", "conflicts"],
        "precision": 100 * right / max(1, called),
        "recall": 100 * right / max(1, contradictions),
        "left": 100 * counts["contradiction", "to_judge"] / max(1, contradictions),
        "abstained": 100 * undecided / max(1, len(labelled)),
        "supports": {label: counts[label, "supports"] for label in LABELS},
    }


def _landed(full: Held, row: Row) -> str:
    """Return the group that a pair's text lands in when its claim is held against the graph."""
    answer = full.graph.trace.challenge(row["b"], full.graph.call("challenge"), limit=LIST_MAX)
    node = full.nodes[row["a"]]
    for group in GROUPS:
        if any(side.node.id == node for side in getattr(answer, group)):
            return group
    return "none"


def _collection(data: DataSet, which: Half, keep: Path) -> dict[str, Any]:
    claims, drawn = _claims(data, which)
    found: dict[str, set[tuple[str, str]]] = {group: set() for group in GROUPS}
    with filled(data, keep) as full:
        for claim, said in claims.items():
            answer = full.graph.trace.challenge(said, full.graph.call("challenge"), limit=LIST_MAX)
            for group in GROUPS:
                landed = (row for side in getattr(answer, group) for row in full.rows.get(side.node.id, ()))
                found[group] |= {(row, claim) for row in landed}
    return {
        group: _figures(found[group], found["to_judge"], {pair for pair, side in drawn.items() if side in sides})
        for group, sides in SIDES.items()
        if any(side in sides for side in drawn.values())
    }


def _claims(data: DataSet, which: Half) -> tuple[dict[str, str], Mapping[tuple[str, str], str]]:
    """Return the claims that are asked, and what people hold between (text, claim): questions, or nodes themselves."""
    if data.holds("queries"):
        asked = {row["id"]: row["text"] for row in half(data.queries, which)}
        return asked, {(row["source"], row["target"]): row["type"] for row in data.relations if row["target"] in asked}
    said = {row["id"]: row["text"] for row in data.nodes}
    drawn: dict[tuple[str, str], str] = {}
    for row in half(data.relations, which):
        drawn[row["source"], row["target"]] = drawn[row["target"], row["source"]] = row["type"]
    return {claim: said[claim] for _, claim in drawn}, drawn


def _figures(found: set[tuple[str, str]], left: set[tuple[str, str]], gold: set[tuple[str, str]]) -> dict[str, float]:
    right = len(found & gold)
    precision, recall = 100 * right / max(1, len(found)), 100 * right / max(1, len(gold))
    return {
        "gold": len(gold),
        "called": len(found),
        "precision": precision,
        "recall": recall,
        "f1": 2 * precision * recall / (precision + recall) if right else 0.0,
        "recall_left": 100 * len((found | left) & gold) / max(1, len(gold)),
    }
