"""Near-duplicates: which texts a capture tells to be said already, and how many opposites it falls for.

The pairs are captured one text after the other into one graph; a pair counts as flagged where the capture of either
text names the other's node as a near-duplicate, or finds it to be the very same text. A set of claims and the
counter-claims that were made of them by putting one word for another (``claim_counterclaim.jsonl``) is the trap:
whatever is flagged there is wrong.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from captures import Text, held
from sets import half

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from sets import DataSet, Half, Row

SAME = 4.5  # the score from which people say that two texts say the same
TRAP = "claim_counterclaim.jsonl"


def measured(data: DataSet, which: Half, keep: Path) -> dict[str, Any]:
    """Return the figures of one set: of what is flagged, how much is wanted, and the reverse."""
    path = data.folder / TRAP
    trap = [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.is_file() else []
    pairs = half(trap or [row for row in data.pairs if _is_scored(row)], which)
    flagged = _flagged(f"{data.name} duplicates {which}", pairs, keep) if pairs else []
    wanted = [_wanted(row) for row in pairs]
    right = sum(map(all, zip(flagged, wanted, strict=True)))
    return {
        "pairs": len(pairs),
        "wanted": sum(wanted),
        "flagged": sum(flagged),
        "share": 100 * sum(flagged) / max(1, len(pairs)),
        "precision": 100 * right / max(1, sum(flagged)),
        "recall": 100 * right / max(1, sum(wanted)),
        "f1": 200 * right / max(1, sum(flagged) + sum(wanted)),
    }


def rows(name: str, figures: dict[str, Any]) -> list[str]:
    """Return the line of one set."""
    if not figures["wanted"]:
        return [f"{name:22} {figures['pairs']:5} opposites   flagged {figures['share']:.1f} %"]
    line = (
        f"{name:22} {figures['pairs']:5} pairs       P {figures['precision']:.1f} R {figures['recall']:.1f} "
        f"F1 {figures['f1']:.1f}"
    )
    return [line]


def _is_scored(row: Row) -> bool:
    return bool({"score", "relatedness", "duplicate"} & row.keys())


def _wanted(row: Row) -> bool:
    if "duplicate" in row:
        return bool(row["duplicate"])
    if "relatedness" in row:
        return bool(row["relatedness"] >= SAME and row["label"] == "entailment")
    return bool(row.get("score", 0.0) >= SAME)


def _flagged(name: str, pairs: Sequence[Row], keep: Path) -> list[bool]:
    said = dict.fromkeys(text for row in pairs for text in (row["a"], row["b"]))
    with held(name, [Text(row=text, content=text) for text in said], keep) as full:
        same = {frozenset((answer["node"], other)) for answer in full.answers.values() for other in answer["same"]}
        ends = [(full.nodes[row["a"]], full.nodes[row["b"]]) for row in pairs]
    return [one == other or frozenset((one, other)) in same for one, other in ends]
