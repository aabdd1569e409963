"""Kinds of real documents: what a capture takes them for, by keywords alone and by keywords and wording.

Of the documents whose kind is one of Weft's, by their whole texts. Where a set holds one kind only, as the decision
records do, this says how often that kind is recognised, not how well kinds are told apart: ``bench/classify.py`` does.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from captures import held
from references import whole
from sets import half

from weft.reason.classify import classify
from weft.vocabulary import KINDS

if TYPE_CHECKING:
    from pathlib import Path

    from sets import DataSet, Half


def measured(data: DataSet, which: Half, keep: Path) -> dict[str, Any]:
    """Return how often the kind of a document is found, for the documents whose kind is one of Weft's, if any is."""
    rows = [row for row in half(data.nodes, which) if row.get("kind") in KINDS]
    if not rows:
        return {}
    name, texts = whole(data)
    with held(name, texts, keep) as full:
        answers = [full.answers[row["id"]] for row in rows]
    by_keywords = [classify(row["title"], row["text"] or row["title"]) for row in rows]
    wanted = [row["kind"] for row in rows]
    return {
        "documents": len(rows),
        "kinds": len(set(wanted)),
        "keywords": _share([each.kind for each in by_keywords], wanted),
        "sure": 100 * sum(each.confident for each in by_keywords) / len(rows),
        "both": _share([answer["kind"] for answer in answers], wanted),
        "taken_for": dict(Counter(answer["kind"] for answer in answers).most_common(5)),
    }


def rows(name: str, figures: dict[str, Any]) -> list[str]:
    """Return the line of one set."""
    line = (
        f"{name:22} {figures['documents']:5} documents of {figures['kinds']} kinds: right by keywords"
        f" {figures['keywords']:.1f} % (sure of {figures['sure']:.1f} %), as captured {figures['both']:.1f} %;"
        f" taken for {', '.join(f'{kind} {count}' for kind, count in figures['taken_for'].items())}"
    )
    return [line]


def _share(found: list[str], wanted: list[str]) -> float:
    return 100 * sum(one == other for one, other in zip(found, wanted, strict=True)) / max(1, len(wanted))
