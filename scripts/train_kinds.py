"""Fit what speaks for each kind in a text and write it to ``src/weft/reason/data/kinds.npz``.

    pip install scikit-learn
    PYTHONPATH=src python scripts/train_kinds.py FOLDER

Learned from are notes that a language model wrote for the purpose, one to three hundred a kind and six hundred of none
(``train_kinds.jsonl``), and of FOLDER, from the rows that choices are made on, texts whose licence allows it: decision
records (``adrs``; the communities whose ``meta.json`` says MIT or Apache-2.0), what PEP 7, 8 and 257 ask for
(``proposals/peps``, public domain), paragraphs of an encyclopedia (``multihop/musique``, CC BY 4.0), abstracts and
claims (``scifact``, ODC-By and CC BY 4.0); also the first paragraphs of the docstrings of Python's own modules (PSF; of
the Python that runs this: the shipped table is from 3.11.7). Each of these sources weighs as much as a hundred notes.
The same texts give the same table.

Two heads: one for wording and vector, one for wording alone, for the texts that another model embeds. Of the cues of
the first those with the largest weights are kept, and all is fitted anew with these.
"""

from __future__ import annotations

import ast
import json
import random
import re
import sys
import sysconfig
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_matrix, hstack
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression

from weft.embed.minilm import MiniLM
from weft.reason.cues import cues

HERE = Path(__file__).parent
OUT = HERE.parent / "src" / "weft" / "reason" / "data" / "kinds.npz"
NOTES = HERE / "train_kinds.jsonl"
FREE = re.compile(r"^(?:MIT|Apache-2\.0)$")
GUIDES = ("PEP-7", "PEP-8", "PEP-257")
ASKS = re.compile(r"\b(?:should|must|never|always|avoid|use|prefer|do not|don't)\b", re.IGNORECASE)
FLAGS = re.MULTILINE | re.IGNORECASE | re.DOTALL
DECISION = re.compile(r"^#+\s*(?:decision|decision outcome)\s*\n+(.+?)(?=\n\s*\n|\n#)", FLAGS)
MARKS = re.compile(r"[*_`>#\[\]]|\(http[^)]*\)")

SOURCE_WEIGHT = 100.0  # notes; with 60 more paragraphs of an encyclopedia were claims
SAMPLE = 300  # texts of a source at most
CUES = 1_500  # 800 lost a point or two on notes, 6,800 won none
STANDS_IN = 3  # texts at least
VECTOR_SCALE = 6.0  # a vector has length 1, a text some sixty cues: 9 was no better
C = 0.3  # inverse strength of the pull towards 0; from 0.5 on it was surer than right


class Text(NamedTuple):
    """A text under its title, if it has one of its own, and its kind."""

    title: str
    content: str
    kind: str

    @property
    def embedded(self) -> str:
        """The text as a passage is embedded."""
        return f"{self.title}\n{self.content}" if self.title else self.content


class Source(NamedTuple):
    """Texts of one origin."""

    name: str
    texts: list[Text]


def rows(path: Path) -> list[dict[str, Any]]:
    """Return the rows of a file of JSON lines."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


def chosen(path: Path) -> list[dict[str, Any]]:
    """Return the rows that choices are made on: those of the split for it, else the even ones."""
    found = rows(path)
    if any(row.get("split") == "test" for row in found):
        return [row for row in found if row.get("split") != "test"]
    return found[::2]


def plain(text: str) -> str:
    """Return a text on one line, without the marks of Markdown."""
    return re.sub(r"\s+", " ", MARKS.sub("", text)).strip()


def records(folder: Path) -> list[Source]:
    """Return decision records as they stand, and of each what it says under «Decision»."""
    licences = json.loads((folder / "meta.json").read_text("utf-8"))["collections"]
    free = {name for name, about in licences.items() if FREE.match(about["licence"])}
    held = [row for row in chosen(folder / "nodes.jsonl") if row["collection"] in free]
    under = [plain(found[1]) for row in held if (found := DECISION.search(row["text"]))]
    return [
        Source("records", [Text(row["title"], row["text"], "decision") for row in held]),
        Source("what they decide", [Text("", each, "decision") for each in under if len(each) > 40]),
    ]


def guides(folder: Path) -> Source:
    """Return the paragraphs of style guides that ask for something."""
    held = [row for row in rows(folder / "nodes.jsonl") if row["id"] in GUIDES]
    asking = [
        plain(each) for row in held for each in row["text"].split("\n\n") if ASKS.search(each) and "::" not in each
    ]
    return Source("style guides", [Text("", each, "convention") for each in asking if 50 < len(each) < 400])


def modules() -> Source:
    """Return how Python's own modules begin to say what they are."""
    found = []
    for path in sorted(Path(sysconfig.get_path("stdlib")).glob("**/*.py")):
        if "test" in path.as_posix() or "site-packages" in path.parts:
            continue
        try:
            told = ast.get_docstring(ast.parse(path.read_bytes()))
        except (SyntaxError, ValueError):
            continue
        if told and len(told) > 60:
            found.append(Text(path.stem, plain(told.split("\n\n")[0])[:500], "component"))
    return Source("modules", sample(found))


def sample(texts: list[Text]) -> list[Text]:
    """Return some of many texts, the same each time."""
    return random.Random(1).sample(texts, min(SAMPLE, len(texts)))


def concepts(path: Path) -> list[Text]:
    """Return the texts of a set with their titles."""
    return sample([Text(row["title"], row["text"], "concept") for row in chosen(path) if row["text"]])


def sources(folder: Path) -> list[Source]:
    """Return all that is learned from."""
    claims = [Text("", row["text"], "claim") for row in chosen(folder / "scifact" / "queries.jsonl")]
    return [
        Source("notes", [Text("", row["text"], row["kind"]) for row in rows(NOTES)]),
        *records(folder / "adrs"),
        guides(folder / "proposals" / "peps"),
        modules(),
        Source("encyclopedia", concepts(folder / "multihop" / "musique" / "nodes.jsonl")),
        Source("abstracts", concepts(folder / "scifact" / "nodes.jsonl")),
        Source("claims", sample(claims)),
    ]


def fitted(signs: csr_matrix, kinds: list[str], weights: npt.NDArray[np.float64]) -> LogisticRegression:
    """Return the regression of kinds on signs."""
    return LogisticRegression(C=C, max_iter=3_000).fit(signs, kinds, sample_weight=weights)


def packed(name: str, part: str, weights: npt.NDArray[np.float64]) -> dict[str, npt.NDArray[np.generic]]:
    """Return weights, shape (signs, kinds), as whole numbers of eight bits and the worth of one for each kind."""
    unit = np.abs(weights).max(axis=0, initial=1e-9) / 127.0
    return {
        f"{name}_{part}": np.round(weights / unit).astype(np.int8),
        f"{name}_{part}_unit": unit.astype(np.float32),
    }


def main() -> None:
    """Fit both heads and write them."""
    held = sources(Path(sys.argv[1]))
    for source in held:
        print(f"{source.name:16} {len(source.texts):5} texts")
    texts = [text for source in held for text in source.texts]
    kinds = [text.kind for text in texts]
    contents = [text.content for text in texts]
    weights = np.concatenate(
        [np.full(len(each.texts), 1.0 if each.name == "notes" else SOURCE_WEIGHT / len(each.texts)) for each in held]
    )
    model = MiniLM(threads=2)
    vectors = VECTOR_SCALE * model.embed([text.embedded for text in texts]).astype(np.float64)
    counter = CountVectorizer(analyzer=cues, min_df=STANDS_IN, binary=True).fit(contents)
    worded = counter.transform(contents)
    names = counter.get_feature_names_out()
    first = fitted(hstack([worded, csr_matrix(vectors)]).tocsr(), kinds, weights)
    kept = np.sort(np.argsort(-np.abs(first.coef_[:, : len(names)]).max(axis=0), kind="stable")[:CUES])
    worded = worded[:, kept]
    both = fitted(hstack([worded, csr_matrix(vectors)]).tocsr(), kinds, weights)
    alone = fitted(worded, kinds, weights)
    np.savez_compressed(
        OUT,
        model=np.array(model.name),
        kinds=np.array("\n".join(both.classes_)),
        cues=np.array("\n".join(names[kept])),
        **packed("both", "cues", both.coef_[:, :CUES].T),
        **packed("both", "vector", VECTOR_SCALE * both.coef_[:, CUES:].T),
        **packed("worded", "cues", alone.coef_.T),
        **packed("worded", "vector", np.zeros((0, len(both.classes_)))),
        both_constant=both.intercept_.astype(np.float32),
        worded_constant=alone.intercept_.astype(np.float32),
    )
    print(f"{len(texts)} texts, {len(names)} cues, {len(kept)} kept: {OUT.name} of {OUT.stat().st_size} bytes")


if __name__ == "__main__":
    main()
