"""Fit which way a text leans that no judge decided on, and write it to ``src/weft/reason/leaning_weights.py``.

    python scripts/train_leaning.py FOLDER [--keep FOLDER]

FOLDER holds sets that allow it: ``scifact`` (claims CC BY 4.0, abstracts ODC-By), ``conjnli`` (MIT), ``wikicontradict``
(MIT, texts CC BY-SA), and of ``adrs``, ``vaults`` and ``proposals`` the documents under MIT and Apache-2.0 and those in
the public domain, with the claims of ``bench/quality/claims.jsonl``. Fitted on the claims of even rows, so that the odd
ones can be reported on, on those on documents that are not reported on, and on the notes of ``bench/judging.jsonl``
that are called seen. None of these claims has the entailment network learned from, whose chances are two of the signs.
Claims are held against a graph of the set as ``challenge`` does it, and what it leaves to be judged is learned from;
labelled pairs and notes count half. Filling the graphs takes ten minutes; ``--keep`` keeps them.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

import weft
from weft.embed import open_entailment
from weft.model import CaptureRequest, Filter, Scope
from weft.services.trace.challenge import READ_MAX, Challenger
from weft.vocabulary import TITLE_MAX, UNRELATED

if TYPE_CHECKING:
    from weft.graph import Graph

OUT = Path(__file__).parent.parent / "src" / "weft" / "reason" / "leaning_weights.py"
SIDES = {"refutes": 0, "contradicts": 0, "contradiction": 0, "supports": 1, "entailment": 1}
NEITHER = 2
PULL = 200.0  # towards 0, on scaled features: chosen by fivefold cross-validation over the claims of even rows
PAIR_WEIGHT = 0.5
NOTE_WEIGHT = 0.5
BENCH = Path(__file__).parent.parent / "bench"
NOTES, CLAIMS = BENCH / "judging.jsonl", BENCH / "quality" / "claims.jsonl"
FORMS = {"against": 0, "says": 1, "open": NEITHER}
DOCUMENTS = {
    "adrs": ("kgs-", "govuk", "content"),
    "vaults": ("foam",),
    "proposals/keps": ("",),
    "proposals/peps": ("",),
}
"""Sets of documents, and how the ids begin of those whose licence allows it."""

STEPS = 30
MARKS = np.arange(0.02, 0.8, 0.005)
HEAD = '''"""What speaks for a text's leaning to one side of a claim, and how much.

Written by scripts/train_leaning.py from SciFact (CC BY 4.0, ODC-By), ConjNLI (MIT), WikiContradict (MIT, CC BY-SA),
the claims of bench/quality/claims.jsonl on documents (MIT, Apache-2.0, public domain) and the notes of
bench/judging.jsonl.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["INTERCEPTS", "LIKELY_MIN", "SCALES", "WEIGHTS"]
'''


@dataclass(frozen=True)
class Rows:
    """What is learned from: features by name, side, weight, and how many of each side challenge did not even find."""

    found: list[dict[str, float]]
    sides: list[int]
    weights: list[float]
    wanted: tuple[int, int] = (0, 0)


def main() -> None:
    """Fit and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--keep", type=Path, default=Path(tempfile.gettempdir()) / "weft-leaning")
    asked = parser.parse_args()
    asked.keep.mkdir(parents=True, exist_ok=True)
    whole = [
        collection(asked.folder / "scifact", asked.keep, weight=1.0),
        *(documents(asked.folder / name, begins, asked.keep) for name, begins in DOCUMENTS.items()),
    ]
    parts = [
        *whole,
        collection(asked.folder / "wikicontradict", asked.keep, weight=PAIR_WEIGHT),
        pairs(asked.folder / "scifact"),
        pairs(asked.folder / "conjnli"),
        notes(asked.keep),
    ]
    names = list(whole[0].found[0])
    table = np.array([[row[name] for name in names] for part in parts for row in part.found])
    sides = np.array([side for part in parts for side in part.sides])
    weights = np.array([weight for part in parts for weight in part.weights])
    mean, spread = table.mean(axis=0), table.std(axis=0) + 1e-9
    learned = fitted((table - mean) / spread, sides, weights)
    scaled = [(np.array([[row[name] for name in names] for row in part.found]) - mean) / spread for part in whole]
    likely = [chances(rows, learned) for rows in scaled]
    found = np.mean([found_by(rows, part) for rows, part in zip(likely, whole, strict=True)], axis=0)
    best = int(np.argmax(found.mean(axis=0)))
    OUT.write_text(written(names, mean, spread, learned, float(MARKS[best])), encoding="utf-8")
    print(
        f"{len(table)} rows, mark {MARKS[best]:.3f}: F1 of conflicts and supports {found[:, best].round(3)}, to {OUT}"
    )


def read(path: Path) -> list[dict[str, Any]]:
    """Return the rows of a file."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


def collection(folder: Path, keep: Path, *, weight: float) -> Rows:
    """Return what challenge leaves to be judged, and which side people put it on.

    The claims are the questions of even rows; where there are none, both ends of the relations of even rows.
    """
    nodes = read(folder / "nodes.jsonl")
    relations = read(folder / "relations.jsonl")
    if (folder / "queries.jsonl").is_file():
        claims = {row["id"]: row["text"] for row in read(folder / "queries.jsonl")[::2]}
    else:
        ends = {row[end] for row in relations[::2] for end in ("source", "target")}
        claims = {row["id"]: row["text"] for row in nodes if row["id"] in ends}
        relations += [{**row, "source": row["target"], "target": row["source"]} for row in relations]
    drawn = {(row["source"], row["target"]): SIDES[row["type"]] for row in relations}
    held = [side for (_, claim), side in drawn.items() if claim in claims]
    rows = Rows([], [], [], (held.count(0), held.count(1)))
    with weft.open(str(keep / f"{folder.name}.db")) as graph:
        own = filled(graph, nodes, keep / f"{folder.name}.json")
        challenger = challenging(graph)
        for claim, said in claims.items():
            learn_from(rows, challenger, (claim, said), own, drawn, weight)
    return rows


def documents(folder: Path, begins: tuple[str, ...], keep: Path) -> Rows:
    """Return what is close to the claims on documents whose ids begin so, and on which side their own document is."""
    nodes = [row for row in read(folder / "nodes.jsonl") if row["id"].startswith(begins)]
    known = {row["id"] for row in nodes}
    claims = [row for row in read(CLAIMS) if row["document"] in known and row["split"] == "dev"]
    sides = [FORMS[row["form"]] for row in claims]
    rows = Rows([], [], [], (sides.count(0), sides.count(1)))
    with weft.open(str(keep / f"{folder.name}.db")) as graph:
        own = filled(graph, nodes, keep / f"{folder.name}.json")
        challenger = challenging(graph)
        for row, side in zip(claims, sides, strict=True):
            claim = row["text"]
            learn_from(rows, challenger, (claim, claim), own, {(row["document"], claim): side}, 1.0)
    return rows


def notes(keep: Path) -> Rows:
    """Return what is close to the claims of the notes, of which each says one thing: on which side its own note is."""
    seen = [row for row in read(NOTES) if row["part"] == "seen"]
    rows = Rows([], [], [])
    with weft.open(str(keep / "notes.db")) as graph:
        own = filled(graph, [{"id": row["a"], "text": row["a"], "title": ""} for row in seen], keep / "notes.json")
        challenger = challenging(graph)
        for row in seen:
            for field, side in (("a_says", 1), ("b_says", 0), ("neither", NEITHER)):
                for claim in row[field]:
                    learn_from(rows, challenger, (claim, claim), own, {(row["a"], claim): side}, NOTE_WEIGHT)
    return rows


def challenging(graph: Graph) -> Challenger:
    """Return what holds claims against the graph."""
    return Challenger(
        store=graph.store,
        words=graph.words,
        vectors=graph.vectors,
        embedder=graph.embedder,
        entailment=open_entailment(),
    )


def filled(graph: Graph, nodes: list[dict[str, Any]], ids: Path) -> dict[str, list[str]]:
    """Return the rows that each node of the graph stands for. They are captured once: ``ids`` keeps the answer."""
    if ids.is_file():
        known: dict[str, list[str]] = json.loads(ids.read_text("utf-8"))
        return known
    found: dict[str, list[str]] = {}
    for row in nodes:
        request = CaptureRequest(content=row["text"] or row["title"], title=row["title"][:TITLE_MAX])
        node = graph.capture.capture(request, graph.call("capture")).node.id
        found.setdefault(node, []).append(row["id"])
    ids.write_text(json.dumps(found), "utf-8")
    return found


def learn_from(
    rows: Rows,
    challenger: Challenger,
    claim: tuple[str, str],
    own: dict[str, list[str]],
    drawn: dict[tuple[str, str], int],
    weight: float,
) -> None:
    """Add what is close to one claim (id, text)."""
    from weft.reason.leaning import features

    close = [
        each
        for each in challenger.close(claim[1], Filter(scope=Scope.ALL))
        if each.similarity >= UNRELATED and claim[0] not in own[each.node.id]
    ]
    for node, beside in challenger.beside(claim[1], close[:READ_MAX]).items():
        sides = [drawn[row, claim[0]] for row in own[node] if (row, claim[0]) in drawn]
        rows.found.append(features(claim[1], beside))
        rows.sides.append(sides[0] if sides else NEITHER)
        rows.weights.append(weight)


def pairs(folder: Path) -> Rows:
    """Return the labelled pairs of even rows, or of the claims of even rows where pairs name theirs."""
    from weft.embed import open_embedder
    from weft.reason.evidence import Stretch, evidence, quoted
    from weft.reason.leaning import Beside, features, opposite

    embedder, entailment = open_embedder(None), open_entailment()
    labelled = read(folder / "pairs.jsonl")
    if (folder / "queries.jsonl").is_file():
        even = {row["id"] for row in read(folder / "queries.jsonl")[::2]}
        labelled = [row for row in labelled if row["id"].split("|")[0] in even]
    else:
        labelled = labelled[::2]
    rows = Rows([], [], [])
    for row in labelled:
        asked, told = embedder.embed_words([row["b"], row["a"]])
        words = dict(zip(told.words, told.word_vectors, strict=True))
        said = evidence(row["b"], row["a"], [Stretch(0, len(row["a"]), 0.0, words)], asked)
        claim, whole = asked.vector, told.vector
        other, text = embedder.embed([opposite(row["b"]), said[0].text])
        beside = Beside(
            sentences=tuple(each.text for each in said),
            similarity=embedder.calibration.similarity(float(max(claim @ text, claim @ whole))),
            lead=0.0,
            cosine=float(claim @ text),
            turned=float(other @ text - claim @ text),
            chances=tuple(entailment.read(row["b"], [quoted(said, "")])[0].tolist()),
        )
        rows.found.append(features(row["b"], beside))
        rows.sides.append(SIDES.get(row["label"], NEITHER))
        rows.weights.append(PAIR_WEIGHT)
    return rows


Matrix = npt.NDArray[np.float64]


def chances(table: Matrix, learned: Matrix) -> Matrix:
    """Return the likelihood of each side, shape (rows, 3); the last row of ``learned`` are the intercepts."""
    scores = np.hstack([table, np.ones((len(table), 1))]) @ learned
    scores = np.exp(scores - scores.max(axis=1, keepdims=True))
    likelihoods: Matrix = scores / scores.sum(axis=1, keepdims=True)
    return likelihoods


def fitted(table: Matrix, sides: npt.NDArray[np.int_], weights: Matrix) -> Matrix:
    """Return multinomial logistic weights with a ridge, by Newton's method; shape (features + 1, 3)."""
    wide = np.hstack([table, np.ones((len(table), 1))])
    width = wide.shape[1]
    learned = np.zeros((width, 3))
    pull = np.full((width, 1), PULL)
    pull[-1] = 1e-3
    target = np.eye(3)[sides]
    for _ in range(STEPS):
        likely = chances(table, learned)
        slope = wide.T @ ((likely - target) * weights[:, None]) + pull * learned
        curve = np.diag(np.tile(pull[:, 0], 3))
        for one in range(3):
            for other in range(3):
                share = weights * likely[:, one] * ((one == other) - likely[:, other])
                block = (wide * share[:, None]).T @ wide
                curve[one * width : (one + 1) * width, other * width : (other + 1) * width] += block
        learned -= np.linalg.solve(curve, slope.T.ravel()).reshape(3, width).T
    return learned


def found_by(likely: Matrix, part: Rows) -> Matrix:
    """Return how much of what people put on either side is found by marking the likelier one, as F1.

    Shape (2, marks): conflicts and supports, from each of ``MARKS`` on.
    """
    sides = np.array(part.sides)
    rows = []
    for side in (0, 1):
        leans = (likely[:, side] >= likely[:, 1 - side])[None] & (likely[None, :, side] >= MARKS[:, None])
        rows.append(2 * (leans & (sides == side)).sum(axis=1) / (leans.sum(axis=1) + part.wanted[side]))
    return np.array(rows)


def written(names: list[str], mean: Matrix, spread: Matrix, learned: Matrix, mark: float) -> str:
    """Return the module."""
    scales = "".join(f'    "{n}": ({m:.4f}, {s:.4f}),\n' for n, m, s in zip(names, mean, spread, strict=True))
    apart = learned[:, :NEITHER] - learned[:, NEITHER:]
    rows = ""
    for side, name in enumerate(("conflicts", "supports")):
        inner = "".join(f'        "{n}": {w:.4f},\n' for n, w in zip(names, apart[:-1, side], strict=True))
        rows += f'    "{name}": {{\n{inner}    }},\n'
    return (
        f"{HEAD}\nSCALES: Final[Mapping[str, tuple[float, float]]] = {{\n{scales}}}\n"
        '"""Mean and spread of each sign over what was learned from."""\n\n'
        f"WEIGHTS: Final[Mapping[str, Mapping[str, float]]] = {{\n{rows}}}\n"
        '"""Of each scaled sign, beside leaning to neither side."""\n\n'
        "INTERCEPTS: Final[Mapping[str, float]] = "
        f'{{"conflicts": {apart[-1, 0]:.4f}, "supports": {apart[-1, 1]:.4f}}}\n\n'
        f"LIKELY_MIN: Final = {mark:.3f}\n"
        '"""The likelihood from which the likelier side is marked: best by F1 of both, a mean of the sets."""\n'
    )


if __name__ == "__main__":
    main()
