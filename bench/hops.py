"""Search for questions of two and three hops: 547 more than the public sets have, over the same texts.

    python bench/hops.py --data FOLDER [--keep FOLDER]

FOLDER holds the sets of ``bench/quality``, whose texts are captured; the questions are those of ``hops.jsonl`` beside
this file, a row {set, text, relevant, answer, comparison}. A language model wrote them from two or three texts that
share a name, of which the question holds the first alone («In which town was the builder of the mill born?»), or that
are to be compared. They are easier than people's, which start from facts and not from texts; but there are seven times
as many, so that less can be told from chance. What a hop adds to the text that leads to it was weighed by them, so they
are no measure of how good the search is, only of what changes it.

Printed a set, in percent: recall@5 and nDCG@10 of BM25, the embedding, rank fusion and Weft.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent / "quality"))

from anchors import Anchors
from retrieval import measured
from sets import DataSet, Row, data_sets

ROWS = Path(__file__).with_suffix(".jsonl")


def main() -> None:
    """Print a line a set."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--keep", type=Path, default=Path(tempfile.gettempdir()) / "weft-hops")
    options = parser.parse_args()
    rows = [json.loads(line) for line in ROWS.read_text("utf-8").splitlines()]
    options.keep.mkdir(parents=True, exist_ok=True)
    anchors = Anchors(options.keep)
    for data in data_sets(options.data):
        asked = [row for row in rows if row["set"] == data.name]
        if asked:
            figures = measured(with_questions(data, asked, options.keep), "all", anchors, options.keep)
            told = (f"{name} {each['R@5']:.1f}, {each['nDCG@10']:.1f}" for name, each in figures["systems"].items())
            print(f"{data.name:20} {figures['questions']:3}   {'   '.join(told)}", flush=True)


def with_questions(data: DataSet, asked: list[Row], keep: Path) -> DataSet:
    """Return a set of the texts of ``data`` with these questions, written to ``keep``."""
    folder = keep / "hops" / data.name
    folder.mkdir(parents=True, exist_ok=True)
    for name, held in (("nodes", data.nodes), ("queries", [row | {"id": f"{at}"} for at, row in enumerate(asked)])):
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in held), "utf-8")
    return DataSet(name=data.name, folder=folder)


if __name__ == "__main__":
    main()
