"""How well a reader with a large language model tells what authors of proposals drew, from the same texts: a bound.

    python bench/read_relations.py FOLDER

FOLDER is that of ``make quality``, with ``proposals/peps`` and ``proposals/bips``. Each row of
``scripts/train_references.jsonl`` is a document that a language model read whole, its header cut off as everywhere in
that data, and the relations that it thought its authors might have written there, each with its chance. It saw the
titles of all documents and no relation; it may remember some of them, for the proposals are public, so this is what
reading reaches at most. Read were, of the half that is chosen on, all documents that name another (the weights of
references are learned from these); of the half that is reported all that draw any relation, and 70 of the others, which
count for all of their kind. Documents that name no other are left out.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

READ = Path(__file__).parent.parent / "scripts" / "train_references.jsonl"
SETS = ("peps", "bips")
TYPES = {"requires": ("requires",), "replaces": ("replaces", "supersedes")}
HALVES = {"choose": 0, "report": 1}

Row = dict[str, Any]
Pair = tuple[str, str]


def rows(path: Path) -> list[Row]:
    """Return the rows of a file."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


def main() -> None:
    """Print precision, recall and F1 of each type and half, from a chance of one half on and where F1 is best."""
    folder = Path(sys.argv[1]) / "proposals"
    sets = [(rows(folder / name / "nodes.jsonl"), rows(folder / name / "relations.jsonl")) for name in SETS]
    read = {row["document"]: row["told"] for row in rows(READ)}
    for half, first in HALVES.items():
        nodes = [row for held, _ in sets for row in held[first::2]]
        known = {row["id"] for held, _ in sets for row in held}
        drawn = [row for _, held in sets for row in held if row["target"] in known]
        weights = weighed(nodes, {row["source"] for row in drawn}, set(read), known)
        for name, types in TYPES.items():
            pairs = ((row["source"], row["target"]) for row in drawn if row["type"] in types)
            wanted = {pair for pair in pairs if pair[0] in weights}
            told = {(source, to): chance for source in weights for type_, to, chance in read[source] if type_ == name}
            found = {least: rates(told, wanted, weights, least) for least in sorted({*told.values(), 0.5})}
            best = max(found, key=lambda least: found[least][2])
            for least in (0.5, best):
                figures = "P {:.0f} R {:.0f} F1 {:.0f}".format(*found[least])
                print(f"{half:6} {name:8} {len(wanted)} drawn; from a chance of {least:.2f} {figures}")


def weighed(nodes: list[Row], drawing: set[str], read: set[str], known: set[str]) -> dict[str, float]:
    """Return the documents that were read, each with how many it stands for."""
    silent = {row["id"] for row in nodes if row["id"] not in drawing and known & set(row.get("mentions") or ())}
    share = len(silent) / len(silent & read)
    return {row["id"]: 1.0 if row["id"] in drawing else share for row in nodes if row["id"] in read}


def rates(
    told: dict[Pair, float], wanted: set[Pair], weights: dict[str, float], least: float
) -> tuple[float, float, float]:
    """Return precision, recall and F1 (0..100) of what was told at a chance of ``least`` or more."""
    shown = [pair for pair, chance in told.items() if chance >= least]
    right = len(wanted & set(shown))
    count = sum(weights[source] for source, _ in shown)
    return 100 * right / max(1.0, count), 100 * right / max(1, len(wanted)), 200 * right / max(1.0, count + len(wanted))


if __name__ == "__main__":
    main()
