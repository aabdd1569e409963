"""Fit the weights of references by number and write them to ``src/weft/reason/reference_weights.py``.

    python scripts/train_references.py FOLDER [FOLDER ...]

Each folder holds numbered documents: ``nodes.jsonl`` {id: PEP-8, title, text} and ``relations.jsonl`` {source, target,
type: requires | replaces | supersedes}. Fitted on the documents of even rows as sources, so that the odd ones can be
reported on; pairs are those that name one another, and those that a capture would look at. It embeds all texts, which
takes minutes. The shipped weights are from Python's and Bitcoin's improvement proposals (public domain, CC0 and BSD).

What *requires* is fitted to is how likely a reader thought it: ``train_references.jsonl`` beside this file holds, of
all documents of even rows that name others, what a large language model that read them whole would bet on that their
authors wrote. Authors write down some of what holds, and each community another part of it; of documents that the
reader was not given, what their authors drew counts. (``bench/read_relations.py`` says how well it reads; it read some
of the odd rows for that, and these are not learned from.)

What the sentences say that name a document is read from ``intent/read.jsonl``, where it was written by networks that
had not learned from them (``intent/train_intent.py --held``): the shipped one knows them by heart.
"""

from __future__ import annotations

import json
import math
import sys
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from weft.model import Node

READ = Path(__file__).with_suffix(".jsonl")
INTENT = Path(__file__).parent / "intent" / "read.jsonl"
OUT = Path(__file__).parent.parent / "src" / "weft" / "reason" / "reference_weights.py"
PULL = 3.0
UNNAMED = {"needed": 0.0}
NEAR, BY_WORDS = 10, 15  # candidates as a capture gathers them
AT = datetime(2026, 1, 1, tzinfo=UTC)
TYPES = {"requires": ("requires",), "supersedes": ("replaces", "supersedes")}
BETS = ("requires",)
"""The types that are learned from the reader's bets; for *replaces* these won nothing."""
USED = {
    "requires": ("names_it", "draws", "needs", "past", "named_back", "older", "titles", "words", "needed"),
    "supersedes": ("closeness", "later", "titles", "meaning", "early", "takes_over_early", "back_gives_way"),
}
"""Few of them: some hundred relations of a type do not tell what thirty features are worth."""
HEAD = '''"""What speaks for a relation between numbered documents, and how much.

Written by scripts/train_references.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["SCALES", "WEIGHTS"]
'''


def read(path: Path) -> list[dict[str, Any]]:
    """Return the rows of a file."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


def node(row: dict[str, Any]) -> Node:
    """Return a document as a node that goes by its number."""
    return Node(
        id=row["id"],
        kind="document",
        title=row["title"],
        content=row["text"],
        aliases=(row["id"],),
        ontology="",
        created_at=AT,
        created_by="",
        modified_at=AT,
        modified_by="",
    )


def near(nodes: list[Node], vectors: list[Any], naming: dict[str, set[str]]) -> list[dict[str, Any]]:
    """Return for each node how near each of its candidates lies; ``vectors`` are the passages of each."""
    from weft.reason.affinity import Signs, bag, counted, overlaps
    from weft.reason.referring import beside

    held = [counted(each.title, each.content) for each in nodes]
    spread = Counter(word for words in held for word in words)
    rarity = {word: math.log((len(nodes) + 1) / (count + 0.5)) for word, count in spread.items()}
    bags = [bag(words, rarity) for words in held]
    words = overlaps(bags, bags)
    means = np.stack([rows.mean(axis=0) / np.linalg.norm(rows.mean(axis=0)) for rows in vectors])
    meaning = means @ means.T
    found = []
    for at in range(len(nodes)):
        best = (*np.argsort(-meaning[at])[: NEAR + 1].tolist(), *np.argsort(-words[at])[: BY_WORDS + 1].tolist())
        own = nodes[at].id
        named = (other for other, each in enumerate(nodes) if each.id in naming[own] or own in naming[each.id])
        others = dict.fromkeys(other for other in (*best, *named) if other != at)
        signs = {
            nodes[other].id: Signs(words=float(words[at, other]), meaning=float(meaning[at, other])) for other in others
        }
        found.append(beside(signs))
    return found


def passages(nodes: list[Node]) -> list[Any]:
    """Return the vectors of each node's passages."""
    from weft.embed import open_embedder
    from weft.services.passages import embed

    embedder = open_embedder(None)
    return [np.stack([each.vector for each in embed((node,), embedder)[0]]) for node in nodes]


def table(folder: Path, vectors: Any = None) -> list[tuple[str, str, dict[str, float], dict[str, float]]]:  # noqa: ANN401
    """Return source, target, what speaks for a relation between the two, and how likely each type of it is.

    ``vectors`` are the passages of each node; without them they are embedded.
    """
    from weft.reason.numbering import numbers, references
    from weft.reason.referring import features

    nodes = [node(row) for row in read(folder / "nodes.jsonl")]
    likely = wanted(folder)
    naming = {each.id: set(references(each.content)) for each in nodes}
    known = {each.id: each for each in nodes}
    found = []
    for source, lie in zip(nodes, near(nodes, vectors or passages(nodes), naming), strict=True):
        for id_, beside in lie.items():
            names, others = numbers(source), numbers(known[id_])
            seen = features(source, known[id_], names=names, others=others, lie=beside)
            if seen is not None:
                found.append((source.id, id_, seen, likely.get((source.id, id_), {})))
    return found


def wanted(folder: Path) -> dict[tuple[str, str], dict[str, float]]:
    """Return of each pair how likely a relation of each type is, by the reader or by what authors drew."""
    told = {row["document"]: row["told"] for row in read(READ)}
    likely: dict[tuple[str, str], dict[str, float]] = {}
    for row in read(folder / "relations.jsonl"):
        for name, types in TYPES.items():
            if row["type"] in types and not (name in BETS and row["source"] in told):
                likely.setdefault((row["source"], row["target"]), {})[name] = 1.0
    for source, relations in told.items():
        for field, target, chance in relations:
            if field in BETS:
                likely.setdefault((source, target), {})[field] = chance
    return likely


def fitted(terms: Any, wanted: Any) -> Any:  # noqa: ANN401 - arrays
    """Return the weights of a logistic regression, the constant last and free of the pull towards zero."""
    weights = np.zeros(terms.shape[1] + 1)
    pull = np.append(np.full(terms.shape[1], PULL), 1e-6)
    full = np.hstack([terms, np.ones((len(terms), 1))])
    for _ in range(50):
        chance = 1 / (1 + np.exp(-np.clip(full @ weights, -30, 30)))
        slope = full.T @ (wanted - chance) - pull * weights
        curve = full.T @ (full * (chance * (1 - chance))[:, None]) + np.diag(pull)
        weights += np.linalg.solve(curve, slope)
    return weights


def main() -> None:
    """Fit and write."""
    folders = [Path(folder) for folder in sys.argv[1:]]
    even = {row["id"] for folder in folders for row in read(folder / "nodes.jsonl")[::2]}
    told = unlearned()
    write(
        [
            (seen | told.get((source, target), UNNAMED), likely)
            for folder in folders
            for source, target, seen, likely in table(folder)
            if source in even
        ]
    )


def unlearned() -> dict[tuple[str, str], dict[str, float]]:
    """Return of each pair what the sentences of the first say of the second, as networks read them that are new to it.

    Raises:
        KeyError: no network was asked yet.
    """
    return {
        (row["source"], row["target"]): {"needed": float(np.mean([needs for needs, _ in row["held"]]))}
        for row in read(INTENT)
    }


def write(rows: list[tuple[dict[str, float], dict[str, float]]]) -> None:
    """Fit the weights to ``rows`` and write them."""
    names = sorted({name for used in USED.values() for name in used})
    values = np.array([[seen[name] for name in names] for seen, _ in rows])
    scales = {
        name: (float(m), float(d)) for name, m, d in zip(names, values.mean(0), values.std(0) + 1e-9, strict=True)
    }
    lines = [
        HEAD,
        "SCALES: Final[Mapping[str, tuple[float, float]]] = {",
        *(f'    "{name}": ({mean:.4f}, {spread:.4f}),' for name, (mean, spread) in scales.items()),
        '}\n"""Mean and spread of each over the documents that were learned from."""\n',
        "WEIGHTS: Final[Mapping[str, Mapping[str, float]]] = {",
    ]
    for relation_type, used in USED.items():
        places = [names.index(name) for name in used]
        scaled = (values[:, places] - values[:, places].mean(0)) / (values[:, places].std(0) + 1e-9)
        chances = np.array([likely.get(relation_type, 0.0) for _, likely in rows])
        weights = fitted(scaled, chances)
        lines.append(f'    "{relation_type}": {{')
        lines += [f'        "{name}": {weight:.4f},' for name, weight in zip((*used, ""), weights, strict=True)]
        lines.append("    },")
        print(f"{relation_type}: {len(rows)} pairs, {chances.sum():.0f} expected")
    lines.append('}\n"""A weight for each in spreads from the mean, and under an empty name the constant."""')
    OUT.write_text("\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    main()
