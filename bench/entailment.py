"""How well the entailment network tells what a text says from what it rules out, on texts that it never saw.

    python bench/entailment.py [FOLDER]

Four sorts: the notes of ``judging.jsonl`` (both parts; it learned from neither); those of
``scripts/entailment/notes.jsonl.xz`` that say ``held``, by what they are about; whole notes beside themselves said
again, beside notes like them and beside those that they clash with, as a capture compares them; and the real texts of
``held.jsonl.xz`` there with the claims that a language model wrote for them: abstracts, encyclopedia, proposals, none
of a document of which another part was learned from. Told are the share of claims put on the right one of three sides,
and of pairs of a claim that a text says and a claim that one rules out, how many are told apart; beside it what
likeness tells, by the cosine of the bundled embeddings, and of what the network is sure is a conflict, how much is one.
FOLDER holds public sets with ``pairs.jsonl`` (rows a, b, label): of those the even rows are told of as well.
"""

from __future__ import annotations

import json
import lzma
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from weft.embed import open_embedder, open_entailment
from weft.reason.seconding import SURE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import numpy.typing as npt

HERE = Path(__file__).parent
LEARNED = HERE.parent / "scripts" / "entailment"
CONFLICTS, SUPPORTS, NEITHER = range(3)
LABELS = {"contradiction": CONFLICTS, "entailment": SUPPORTS, "neutral": NEITHER}


class Pair(NamedTuple):
    """A claim beside a text, and the side the text is on."""

    claim: str
    text: str
    side: int


def main() -> None:
    """Print each sort."""
    notes = [json.loads(line) for line in (HERE / "judging.jsonl").read_text("utf-8").splitlines()]
    for part in ("seen", "unseen"):
        told(f"notes, {part}", [pair for row in notes if row["part"] == part for pair in of_note(row)])
    unseen = [row for row in packed("notes") if row["held"]]
    for about in sorted({row["about"] for row in unseen}):
        kept = [row for row in unseen if row["about"] == about]
        told(f"notes on {about}", [pair for row in kept for pair in (of_text if "text" in row else of_note)(row)])
    pairs = [row for row in notes if row["part"] == "unseen"]
    told("whole notes", [*of_alike(row for row in unseen if "again" in row), *of_clashing(pairs)])
    held = packed("held")
    for name, sort in (("abstracts", str.isdecimal), ("proposals", is_proposal), ("encyclopedia", is_passage)):
        told(name, [pair for row in held if sort(row["from"]) for pair in of_text(row)])
    for path in sorted(Path(sys.argv[1]).glob("*/pairs.jsonl")) if len(sys.argv) > 1 else ():
        pairs = [Pair(row["b"], row["a"], LABELS[row["label"]]) for row in even(path) if row.get("label") in LABELS]
        if pairs:
            told(path.parent.name, pairs)


def packed(name: str) -> list[dict[str, Any]]:
    """Return the rows of a packed file beside the network's training."""
    return [json.loads(line) for line in lzma.open(LEARNED / f"{name}.jsonl.xz", "rt", encoding="utf-8")]


def even(path: Path) -> list[dict[str, str]]:
    """Return every second row; of pairs that name a question (``question|text``), those of every second question."""
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
    asked = path.with_name("queries.jsonl")
    if not asked.is_file():
        return rows[::2]
    kept = {json.loads(line)["id"] for line in asked.read_text("utf-8").splitlines()[::2]}
    return [row for row in rows if row["id"].split("|")[0] in kept]


def is_proposal(source: str) -> bool:
    """Whether a text comes from a proposal."""
    return source.startswith(("PEP-", "KEP-"))


def is_passage(source: str) -> bool:
    """Whether a text comes from an encyclopedia."""
    return not source.isdecimal() and not is_proposal(source)


def of_note(row: dict[str, list[str]]) -> Iterator[Pair]:
    """Return the claims of a pair of notes beside both."""
    for text, says, ruled in ((row["a"], "a_says", "b_says"), (row["b"], "b_says", "a_says")):
        for field, side in ((says, SUPPORTS), (ruled, CONFLICTS), ("neither", NEITHER)):
            yield from (Pair(claim, str(text), side) for claim in row[field])


def of_text(row: dict[str, list[str]]) -> Iterator[Pair]:
    """Return the claims of a real text beside it."""
    for field, side in (("true", SUPPORTS), ("false", CONFLICTS), ("open", NEITHER)):
        yield from (Pair(claim, str(row["text"]), side) for claim in row[field])


def of_alike(rows: Iterable[dict[str, Any]]) -> Iterator[Pair]:
    """Return notes beside themselves said again, and beside notes like them that may hold too, both ways round."""
    for row in rows:
        for field, side in (("again", SUPPORTS), ("apart", NEITHER)):
            for other in row[field]:
                yield from (Pair(row["text"], other, side), Pair(other, row["text"], side))


def of_clashing(rows: Iterable[dict[str, Any]]) -> Iterator[Pair]:
    """Return whole notes beside those that they clash with, both ways round."""
    for row in rows:
        yield from (Pair(row["a"], row["b"], CONFLICTS), Pair(row["b"], row["a"], CONFLICTS))


def told(name: str, pairs: list[Pair]) -> None:
    """Print how well the network, and likeness, tell the sides apart."""
    network, embedder = open_entailment(), open_embedder(threads=2)
    with ThreadPoolExecutor(2) as workers:
        chances = np.concatenate(list(workers.map(lambda pair: network.read(pair.claim, [pair.text]), pairs)))
    sides = np.array([pair.side for pair in pairs])
    vectors = embedder.embed([text for pair in pairs for text in (pair.claim, pair.text)])
    like = (vectors[::2] * vectors[1::2]).sum(axis=1)
    sure = chances[:, CONFLICTS] >= SURE
    rather = chances[:, SUPPORTS] - chances[:, CONFLICTS]
    print(
        f"{name}: {len(pairs)} claims, right {100 * (chances.argmax(axis=1) == sides).mean():.1f} %;"
        f" said and ruled out told apart {apart(rather, sides):.1f} % (by likeness {apart(like, sides):.1f} %);"
        f" sure of {sure.sum()} conflicts, right {(sides[sure] == CONFLICTS).sum()}",
        flush=True,
    )


def apart(scores: npt.NDArray[np.float32], sides: npt.NDArray[np.int_]) -> float:
    """Return in how many of 100 pairs what is said scores higher than what is ruled out."""
    said, ruled = scores[sides == SUPPORTS], scores[sides == CONFLICTS]
    ranks = np.argsort(np.argsort(np.r_[said, ruled], kind="stable"), kind="stable") + 1
    least = len(said) * (len(said) + 1) / 2
    return 100 * float((ranks[: len(said)].sum() - least) / max(1, len(said) * len(ruled)))


if __name__ == "__main__":
    main()
