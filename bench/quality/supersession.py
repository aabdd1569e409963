"""Which document does a new one take the place of? The first that is told, and the right way round.

Asked is every document that its authors say replaces another. The anchors rank the others by likeness, numbers masked;
of Weft the likeliest relation *supersedes* counts that the capture of the newer document made, suggested or guessed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from linking import READ, WEFT, folder_of, masked
from references import TYPES, answered
from sets import half

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from anchors import Anchors
    from sets import DataSet, Half

NAME = "supersedes"


def measured(data: DataSet, which: Half, anchors: Anchors, keep: Path) -> dict[str, Any]:
    """Return R@1 of each system over pairs (newer, older)."""
    places = {row["id"]: place for place, row in enumerate(data.nodes)}
    sources = {row["id"] for row in half(data.nodes, which)}
    drawn = [
        (row["source"], row["target"])
        for row in data.relations
        if row["type"] in TYPES[NAME] and row["source"] in sources and row["target"] in places
    ]
    if not drawn:
        return {}
    texts = [f"{row['title']}. {text}" for row, text in zip(data.nodes, masked(data), strict=True)]
    folders = np.array([folder_of(row) for row in data.nodes])
    systems = {}
    for name, scores in anchors.scores(texts, [texts[places[source]][:READ] for source, _ in drawn]).items():
        right = 0
        for values, (source, target) in zip(scores, drawn, strict=True):
            others = np.where(folders == folders[places[source]], values, -np.inf)
            others[places[source]] = -np.inf
            right += int(others.argmax()) == places[target]
        systems[name] = 100 * right / len(drawn)
    first = _first(answered(data, keep))
    systems[WEFT] = 100 * sum(first.get(source) == target for source, target in drawn) / len(drawn)
    return {"pairs": len(drawn), "systems": systems}


def rows(name: str, figures: dict[str, Any]) -> list[str]:
    """Return the line of one set."""
    values = "".join(f"{who} {value:.1f}   " for who, value in figures["systems"].items())
    return [f"{name:22} {figures['pairs']:5} R@1     {values}"]


def _first(told: Mapping[tuple[str, str, str], tuple[float, str]]) -> dict[str, str]:
    best: dict[str, tuple[float, str]] = {}
    for (source, target, relation_type), (confidence, _) in told.items():
        if relation_type == NAME and confidence > best.get(source, (0.0, ""))[0]:
            best[source] = (confidence, target)
    return {source: target for source, (_, target) in best.items()}
