"""Bridges between bodies of knowledge: are the pairs that authors joined ranked first among all pairs across?

Each group of documents (``domain``, ``sig`` or ``ontology``) is captured as an ontology of its own: the first 2,000
characters, numbers masked. Every two ontologies are asked for bridges and the answers joined by score. BM25 and the
embedding rank every pair across, by the same characters; of each ranking as many pairs count as Weft answers with.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
from anchors import bm25
from captures import Text, held
from linking import READ, masked

from weft.model import BridgeRequest
from weft.vocabulary import LIST_MAX

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from anchors import Anchors
    from sets import DataSet, Row

GROUPS = ("domain", "sig", "ontology")
DEPTH = 20


def group_of(row: Row) -> str:
    """Return the body of knowledge that a document belongs to, or nothing."""
    return next((str(row[name]) for name in GROUPS if row.get(name)), "")


def measured(data: DataSet, anchors: Anchors, keep: Path) -> dict[str, Any]:
    """Return average precision and precision at 20 of each ranking; nothing where authors joined no two groups."""
    chosen = [(row, text[:READ]) for row, text in zip(data.nodes, masked(data), strict=True) if group_of(row)]
    nodes, texts = [row for row, _ in chosen], [f"{row['title']}. {text}"[:READ] for row, text in chosen]
    joined = {frozenset((row["source"], row["target"])) for row in data.relations}
    one, other = np.triu_indices(len(nodes), 1)
    groups = np.array([group_of(row) for row in nodes])
    across = groups[one] != groups[other]
    one, other = one[across], other[across]
    ends = [frozenset((nodes[a]["id"], nodes[b]["id"])) for a, b in zip(one, other, strict=True)]
    drawn = np.array([pair in joined for pair in ends], bool)
    if not drawn.any():
        return {}
    words, vectors = _standard(bm25(texts, texts)), anchors.vectors(texts)
    found = _asked(data, chosen, keep)
    weft = np.array([found.get(pair, -1.0) for pair in ends])
    scores = {"BM25": (words + words.T)[one, other], "embedding": (vectors @ vectors.T)[one, other], "Weft": weft}
    return {
        "pairs": len(drawn),
        "drawn": int(drawn.sum()),
        "answered": len(found),
        "systems": {name: _figures(values, drawn, len(found)) for name, values in scores.items()},
    }


def rows(name: str, figures: dict[str, Any]) -> list[str]:
    """Return the lines of one set."""
    systems = figures["systems"].items()
    return [
        f"{name:22} {figures['drawn']:5} {measure:8}"
        + "".join(f"{who} {each[measure]:.1f}   " for who, each in systems)
        for measure in ("AP", f"P@{DEPTH}")
    ]


def _standard(scores: Any) -> Any:  # noqa: ANN401 - an array of floats
    return (scores - scores.mean(1, keepdims=True)) / (scores.std(1, keepdims=True) + 1e-9)


def _asked(data: DataSet, chosen: Sequence[tuple[Row, str]], keep: Path) -> dict[frozenset[str], float]:
    texts = [Text(row=row["id"], content=text, title=row["title"], ontology=group_of(row)) for row, text in chosen]
    found: dict[frozenset[str], float] = {}
    with held(f"{data.name} groups", texts, keep) as full:
        known = full.rows
        for one, other in combinations(sorted({text.ontology for text in texts}), 2):
            request = BridgeRequest(ontology1=one, ontology2=other, limit=LIST_MAX, include_existing=True)
            for each in full.graph.synthesize.bridge(request, full.graph.call("bridge")).candidates:
                found[frozenset((known[each.concept1.id], known[each.concept2.id]))] = each.score
    return found


def _figures(scores: Any, drawn: Any, depth: int) -> dict[str, float]:  # noqa: ANN401 - arrays
    order = drawn[np.argsort(-scores, kind="stable")[:depth]]
    precisions = np.cumsum(order) / np.arange(1, len(order) + 1)
    return {
        "AP": 100 * float((precisions * order).sum() / max(1, drawn.sum())),
        f"P@{DEPTH}": 100 * float(order[:DEPTH].mean()) if len(order) else 0.0,
    }
