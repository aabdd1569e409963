"""Fit the weights of references by number and write them to ``src/weft/reason/reference_weights.py``.

    python scripts/train_references.py FOLDER [FOLDER ...]

Each folder holds numbered documents: ``nodes.jsonl`` {id: PEP-8, title, text} and ``relations.jsonl`` {source, target,
type: requires | replaces | supersedes}. Fitted on the documents of even rows as sources, so that the odd ones can be
reported on. The shipped weights are from Python's and Bitcoin's improvement proposals (public domain, CC0 and BSD).
"""

from __future__ import annotations

import json
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from weft.model import Node

OUT = Path(__file__).parent.parent / "src" / "weft" / "reason" / "reference_weights.py"
PULL = 5.0
AT = datetime(2026, 1, 1, tzinfo=UTC)
TYPES = {"requires": ("requires",), "supersedes": ("replaces", "supersedes")}
USED = {
    "requires": (
        *("named", "names_it", "opening", "early", "share", "leads", "draws", "needs", "needed_back", "titles"),
        *("later", "near", "named_back", "takes_over", "gives_way"),
    ),
    "supersedes": (
        *("named", "names_it", "opening", "early", "share", "takes_over_early", "replaces", "takes_over", "differs"),
        *("back_gives_way", "back_points_on", "gives_way", "titles", "later", "near", "back_opening"),
    ),
}
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


def table(folder: Path) -> list[tuple[dict[str, float], str]]:
    """Return what speaks for a relation of each pair that names one another, and the type that was drawn."""
    from weft.reason.referring import features, numbers, references

    nodes = [node(row) for row in read(folder / "nodes.jsonl")]
    drawn = {(row["source"], row["target"]): row["type"] for row in read(folder / "relations.jsonl")}
    naming = {each.id: set(references(each.content)) for each in nodes}
    found = []
    for source in nodes[::2]:
        for target in nodes:
            if source is not target and (target.id in naming[source.id] or source.id in naming[target.id]):
                seen = features(source, target, names=numbers(source), others=numbers(target))
                if seen is not None:
                    found.append((seen, drawn.get((source.id, target.id), "")))
    return found


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
    rows = [each for folder in sys.argv[1:] for each in table(Path(folder))]
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
        wanted = np.array([float(drawn in TYPES[relation_type]) for _, drawn in rows])
        weights = fitted(scaled, wanted)
        lines.append(f'    "{relation_type}": {{')
        lines += [f'        "{name}": {weight:.4f},' for name, weight in zip((*used, ""), weights, strict=True)]
        lines.append("    },")
        print(f"{relation_type}: {len(rows)} pairs, {int(wanted.sum())} drawn")
    lines.append('}\n"""A weight for each in spreads from the mean, and under an empty name the constant."""')
    OUT.write_text("\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    main()
