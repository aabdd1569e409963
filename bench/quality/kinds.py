"""Kinds of real documents: what a capture takes them for, by keywords alone and with likeness to exemplars."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from captures import Text, held
from linking import READ, folder_of, masked
from sets import half

from weft.reason.classify import classify
from weft.vocabulary import KINDS

if TYPE_CHECKING:
    from pathlib import Path

    from sets import DataSet, Half


def measured(data: DataSet, which: Half, keep: Path) -> dict[str, Any]:
    """Return how often the kind of a document is found, for the documents whose kind is one of Weft's."""
    texts = [
        Text(row=row["id"], content=text[:READ], title=row["title"], ontology=folder_of(row) or data.name)
        for row, text in zip(data.nodes, masked(data), strict=True)
    ]
    rows = [row for row in half(data.nodes, which) if row.get("kind") in KINDS]
    said = {text.row: text for text in texts}
    by_keywords = [classify(row["title"], said[row["id"]].content) for row in rows]
    with held(f"{data.name} masked", texts, keep) as full:
        answers = [full.answers[row["id"]] for row in rows]
    wanted = [row["kind"] for row in rows]
    return {
        "documents": len(rows),
        "keywords": _share([each.kind for each in by_keywords], wanted),
        "sure": 100 * sum(each.confident for each in by_keywords) / max(1, len(rows)),
        "both": _share([answer["kind"] for answer in answers], wanted),
        "taken_for": dict(Counter(answer["kind"] for answer in answers).most_common(5)),
    }


def rows(name: str, figures: dict[str, Any]) -> list[str]:
    """Return the line of one set."""
    line = (
        f"{name:22} {figures['documents']:5} kinds       right by keywords {figures['keywords']:.1f} % (sure of "
        f"{figures['sure']:.1f} %), as captured {figures['both']:.1f} %; taken for {figures['taken_for']}"
    )
    return [line]


def _share(found: list[str], wanted: list[str]) -> float:
    return 100 * sum(one == other for one, other in zip(found, wanted, strict=True)) / max(1, len(wanted))
