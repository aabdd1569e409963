"""Fit the bundled model's calibration and write it beside the model: ``python scripts/fit_calibration.py FOLDER``.

``FOLDER`` holds ``stsb/pairs.jsonl`` (rows with ``a``, ``b``, ``score`` 0–5, ``split``) and sets of documents, each a
``nodes.jsonl`` (rows with ``title`` and ``text``). Of each set at most 400 documents are drawn, one passage of each,
cut and titled as Weft does it; random pairs lie within one set, as they do within one graph, and all sets weigh alike.
The upper anchors are fitted on the train split; the report is on the dev split. Nothing of the texts is written, only
counts and hashes. The same data give the same file.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from weft import text
from weft.embed import bundle
from weft.embed.calibrate import fit, random_cosines
from weft.embed.minilm import NAME, MiniLM

if TYPE_CHECKING:
    from weft.model import Calibration

Row = dict[str, Any]

TARGET = Path(__file__).resolve().parent.parent / "src" / "weft" / "embed" / "data" / "minilm"
DOCUMENTS_MAX = 400
# Sets under licences that allow weights to be fitted on them: the folder, and the rows to take of it.
SETS: dict[str, dict[str, tuple[str, ...]]] = {
    "proposals/peps": {},
    "proposals/keps": {},
    "proposals/bips": {},
    "adrs": {"collection": ("kgs", "govukaws", "contentpub", "adrtools")},
    "vaults": {"vault": ("foam",)},
    "scifact": {},
    "multihop/hotpotqa": {},
    "multihop/musique": {},
    "multihop/2wiki": {},
}


def rows_of(path: Path) -> list[Row]:
    """Return the rows of a JSON Lines file."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def passages(rows: list[Row], draw: np.random.Generator) -> list[str]:
    """Return one passage each of some documents, with the title in front."""
    chosen = [rows[place] for place in draw.permutation(len(rows))[:DOCUMENTS_MAX]]
    found = []
    for row in chosen:
        spans = text.split(row["text"])
        start, end = spans[int(draw.integers(len(spans)))]
        found.append(f"{row['title']}\n{row['text'][start:end]}")
    return found


def chance(folder: Path, model: MiniLM, facts: Row) -> list[np.ndarray]:
    """Return the cosines of random pairs, one array a set."""
    cosines = []
    for name, wanted in SETS.items():
        path = folder / name / "nodes.jsonl"
        rows = [row for row in rows_of(path) if all(row[field] in values for field, values in wanted.items())]
        texts = passages(rows, np.random.default_rng(0))
        cosines.append(random_cosines(model.embed(texts)))
        facts[name] = {"documents": len(texts), "sha256": hashlib.sha256(path.read_bytes()).hexdigest()}
        print(f"{name:18s} {len(texts):4d} documents, random pairs: " + quantiles(cosines[-1]))
    return cosines


def quantiles(cosines: np.ndarray) -> str:
    """Return the quantiles that matter, in words."""
    return "1 % {:.3f}, median {:.3f}, 95 % {:.3f}, 99 % {:.3f}".format(*np.quantile(cosines, [0.01, 0.5, 0.95, 0.99]))


def scored(rows: list[Row], model: MiniLM) -> tuple[np.ndarray, np.ndarray]:
    """Return cosines and human scores of sentence pairs."""
    first, second = (model.embed([row[side] for row in rows]) for side in ("a", "b"))
    return (first * second).sum(axis=1).astype(np.float64), np.array([row["score"] for row in rows])


def report(calibration: Calibration, cosines: np.ndarray, scores: np.ndarray) -> None:
    """Print how people scored the pairs that reach each level."""
    similarities = np.array([calibration.similarity(float(cosine)) for cosine in cosines])
    for level in (0.5, 0.7, 0.85, 0.95):
        reached = scores[similarities >= level]
        shares = ", ".join(f"{score}+ {(reached >= score).mean():.0%}" for score in (2.5, 3.5, 4.0, 4.5))
        print(f"similarity ≥ {level:.2f}: {len(reached)} of {len(scores)} pairs; of these scored {shares}")
    for level, score in ((0.85, 3.5), (0.95, 4.5)):
        found = (similarities[scores >= score] >= level).mean()
        print(f"of the {(scores >= score).sum()} pairs scored {score}+, {found:.0%} reach {level}")


def main() -> None:
    """Fit, write, seal, report."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    model, facts = MiniLM(threads=2, cache=0), {}
    random = np.concatenate(chance(folder, model, facts))
    print(f"{'all':18s}                 random pairs: " + quantiles(random))
    path = folder / "stsb" / "pairs.jsonl"
    rows = rows_of(path)
    train = [row for row in rows if row["split"] == "train"]
    facts["stsb"] = {"pairs": len(train), "sha256": hashlib.sha256(path.read_bytes()).hexdigest()}
    calibration = fit(random, *scored(train, model))
    model_sha256 = hashlib.sha256((TARGET / "model.onnx").read_bytes()).hexdigest()
    content = {"model": NAME, "model_sha256": model_sha256, "points": calibration.points, "fitted_on": facts}
    (TARGET / "calibration.json").write_text(json.dumps(content, indent=2) + "\n", "utf-8")
    bundle.seal(TARGET)
    print("points (cosine, similarity): " + ", ".join(f"({x:.3f}, {y})" for x, y in calibration.points))
    report(calibration, *scored([row for row in rows if row["split"] == "dev"], model))


if __name__ == "__main__":
    main()
