"""What a capture tells of a note that says much the same of one matter, with another outcome or of something else.

    python bench/restated.py

Each row of ``restated.jsonl`` beside this file has two notes in much the same words. In half of them (``differ``) the
second settles the matter of the first otherwise (another tool, place, owner or bound), so that one wants to know which
holds; in the other half both hold beside each other (another scope, a further one of several, another event, a plan). A
language model wrote them from a brief alone, a fresh one for each part; those of ``seen`` were looked at while
:mod:`weft.reason.choosing` was written, those of ``unseen`` after it stood.

Each pair has a graph of its own, where nothing else is near.
"""

from __future__ import annotations

import json
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

import weft
from weft.model import CaptureRequest

ROWS = Path(__file__).with_suffix(".jsonl")
TOLD = ("conflicts", "differing", "near_duplicates")

Row = dict[str, Any]


def main() -> None:
    """Print of each part and half under what the second note's capture tells of the first."""
    rows = [json.loads(line) for line in ROWS.read_text("utf-8").splitlines()]
    for part in ("seen", "unseen"):
        for differ, name in ((True, "settles it otherwise"), (False, "holds beside it")):
            kept = [row for row in rows if (row["part"], row["differ"]) == (part, differ)]
            found = Counter(told(row) for row in kept)
            print(f"{part}: of {len(kept)} where the second {name}, told: {dict(sorted(found.items()))}")


def told(row: Row) -> str:
    """Return the field under which the capture of the second note tells of the first, or that it tells nothing."""
    with tempfile.TemporaryDirectory() as folder, weft.open(f"{folder}/notes.db") as graph:
        for content in (row["one"], row["other"]):
            outcome = graph.capture.capture(CaptureRequest(content=content, kind="claim"), graph.call("capture"))
    return next((field for field in TOLD if getattr(outcome, field)), "nothing")


if __name__ == "__main__":
    main()
