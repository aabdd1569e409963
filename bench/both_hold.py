"""What is called a conflict of pairs of notes that may both hold, or say the same, and of pairs that cannot both hold.

    python bench/both_hold.py

Each row of ``both_hold.jsonl`` beside this file has two notes, their label (``contra``: both cannot be right; ``same``;
``ok``: both may hold) and a kind. A language model wrote them. Those of ``seen`` were aimed, with the rules of the
judge in view, at what it takes for a conflict and at what it takes for the same, and were looked at while
:mod:`weft.reason.contrast` was written; those of ``unseen`` were written from a brief alone, and scored after it stood.
Judged both ways round, by the rules and the network; taken for the same is what may be merged unasked.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

from weft.embed import open_entailment
from weft.reason.repeat import repeats
from weft.services.seconding import Seconded

ROWS = Path(__file__).with_suffix(".jsonl")
LIKE = 0.9  # the similarity that all pairs are taken to have


def main() -> None:
    """Print of each part and label how many pairs are called a conflict, told or called, and taken for the same."""
    judge = Seconded(open_entailment())
    found: Counter[tuple[str, str, str]] = Counter()
    for row in map(json.loads, ROWS.read_text("utf-8").splitlines()):
        pairs = ((row["one"], row["other"]), (row["other"], row["one"]))
        verdicts = [(judge.judge(one, [other], [LIKE])[0], one, other) for one, other in pairs]
        called = any(verdict.verdict == "conflicts" for verdict, *_ in verdicts)
        told = called or any(judge.differ(*each) for each in verdicts)
        key = row["part"], row["label"]
        found.update({(*key, "pairs"): 1, (*key, "called"): called, (*key, "told"): told})
        found[*key, "same"] += repeats(row["one"], row["other"])
    for part, label in sorted({key[:2] for key in found}):
        said = ", ".join(f"{what} {found[part, label, what]}" for what in ("called", "told", "same"))
        print(f"{part}, {label}: of {found[part, label, 'pairs']} {said}")


if __name__ == "__main__":
    main()
