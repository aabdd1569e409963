"""What captures take texts for: notes of every kind that nothing was learned from, and sets whose kind is plain.

    python bench/classify.py [--data FOLDER]

The notes (``classify.jsonl`` beside this file) and those that are jotted down (``jotted.jsonl``: chat lines, tables,
outlines, settings, a word or two, each with its form) were written for the purpose, apart from those that the
classifier learned from; none is nearer to one of these than a cosine of 0.80. Some may be of a second kind as well.
Of FOLDER the rows are read that are reported on, at most 300 a set: what an encyclopedia says and abstracts say are
concepts, decision records decisions, turns of a chat nothing of all this. The kind that keywords alone tell stands
beside.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parent / "quality"))

from sets import DataSet, half

import weft
from weft.model import CaptureRequest
from weft.reason.classify import classify
from weft.vocabulary import TITLE_MAX

NOTES = Path(__file__).with_suffix(".jsonl")
JOTTED = NOTES.with_name("jotted.jsonl")
ROWS_MAX = 300
SETS = {
    "adrs": "decision",
    "cranfield": "concept",
    "locomo": "general",
    "multihop/2wiki": "concept",
    "multihop/hotpotqa": "concept",
    "scifact": "concept",
}
CLAIMS = ("climatefever", "scifact")


class Text(NamedTuple):
    """A text, and the kinds that it may be of, the likelier first."""

    title: str
    content: str
    kinds: tuple[str, ...]


class Told(NamedTuple):
    """The kinds that a text may be of, what keywords take it for, and what a capture does, with its confidence."""

    kinds: tuple[str, ...]
    keywords: str
    captured: str
    confidence: float


def told(texts: list[Text]) -> list[Told]:
    """Capture texts in a graph of their own."""
    found = []
    with tempfile.TemporaryDirectory() as folder, weft.open(Path(folder) / "kinds.db") as graph:
        for title, content, kinds in texts:
            answer = graph.capture.capture(CaptureRequest(title=title, content=content), graph.call())
            by_keywords = classify(title, content).kind
            found.append(Told(kinds, by_keywords, answer.node.kind, answer.classification.confidence))
    return found


def notes(path: Path) -> list[Text]:
    """Return the notes of a file."""
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    return [Text("", row["text"], (row["kind"], *filter(None, [row.get("also")]))) for row in rows]


def sets(folder: Path) -> dict[str, list[Text]]:
    """Return the texts of the sets that FOLDER has, and the claims that are asked of some."""
    found = {}
    for name, kind in SETS.items():
        if (folder / name / "nodes.jsonl").exists():
            rows = [row for row in half(DataSet(name, folder / name).nodes, "report") if row["text"]][:ROWS_MAX]
            found[name] = [Text(row["title"][:TITLE_MAX], row["text"], (kind,)) for row in rows]
    for name in CLAIMS:
        if (folder / name / "queries.jsonl").exists():
            asked = half(DataSet(name, folder / name).queries, "report")[:ROWS_MAX]
            found[f"claims of {name}"] = [Text("", row["text"], ("claim",)) for row in asked]
    return found


def share(rows: list[Told], which: str) -> str:
    """Return how many of the rows have a kind of their own in that column, in percent."""
    return f"{100 * sum(getattr(row, which) in row.kinds for row in rows) / max(1, len(rows)):5.1f}"


def line(name: str, rows: list[Told]) -> str:
    """Return the figures of some texts."""
    sure = [row for row in rows if row.confidence >= 0.6]
    most = ", ".join(f"{kind} {count}" for kind, count in Counter(row.captured for row in rows).most_common(3))
    return (
        f"{name:24} {len(rows):4}  keywords {share(rows, 'keywords')}  captured {share(rows, 'captured')}"
        f"  confident {100 * len(sure) / max(1, len(rows)):5.1f}, right of these {share(sure, 'captured')}  {most}"
    )


def main() -> None:
    """Print a line for each kind of note, all notes of a file, and each set."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path)
    folder = parser.parse_args().data
    for path, name in ((NOTES, "all notes"), (JOTTED, "all jotted notes")):
        found = told(notes(path))
        for kind in sorted({row.kinds[0] for row in found}):
            print(line(kind, [row for row in found if row.kinds[0] == kind]))
        print(line(name, found))
    for name, texts in (sets(folder) if folder else {}).items():
        print(line(name, told(texts)))


if __name__ == "__main__":
    main()
