"""How short notes are judged: pairs that cannot both hold, and claims that follow from one, the other or neither.

    python bench/judging.py

Each row of ``judging.jsonl`` beside this file has two texts ``a`` and ``b`` that clash in one point, claims that follow
from the one and are ruled out by the other (``a_says``, ``b_says``), and claims on the same matter of which both leave
open whether they hold (``neither``). So no claim gives its side away by its own wording, as many do in the public sets.
A language model wrote them from a brief alone, the writer of each part apart from the others. The rules were felt out
on the 7,450 rows of ``judging_chosen.jsonl``, and the entailment network learned from them; of ``judging.jsonl`` errors
on the first 400 (``seen``) were looked at as well and marks were set, and those on the last 250 (``unseen``) were not.

Told are: of what the rules alone and the built-in judge call a conflict or support how much is; of what is left to be
judged, which side is marked as likely; what the capture of ``b`` tells of ``a``, which is in the graph with all other
``a``, and of those others; and how many of all pairs of texts would be taken for near-duplicates, though none says the
same.
"""

from __future__ import annotations

import json
import tempfile
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import weft
from weft.embed import open_embedder, open_entailment
from weft.model import CaptureRequest
from weft.reason.judge import Rules, judge
from weft.reason.repeat import adds, differs_in_places, repeats, rewords
from weft.services.capture.comparing import ADDED, REWORDED
from weft.services.seconding import Seconded
from weft.vocabulary import OBVIOUS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from weft.graph import Graph
    from weft.ports import Judge

ROWS = Path(__file__).with_suffix(".jsonl")
CHOSEN = ROWS.with_stem("judging_chosen")
NEAR = 0.9  # a similarity at which the rules may call support
SAID = ("conflicts", "supports")
FROM = {repeats: OBVIOUS, rewords: REWORDED, adds: ADDED, differs_in_places: OBVIOUS}
TOLD = ("conflicts", "differing", "near_duplicates", "related")

Row = dict[str, Any]


class Pair(NamedTuple):
    """A claim beside a text, and how they stand: conflicts, supports or neither."""

    claim: str
    text: str
    side: str


def main() -> None:
    """Print what is called, what is marked, and what captures tell."""
    rows = [json.loads(line) for line in ROWS.read_text("utf-8").splitlines()]
    for part in ("seen", "unseen"):
        kept = [row for row in rows if row["part"] == part]
        print(f"{part}: {len(kept)} pairs of texts")
        for by in (Rules(), Seconded(open_entailment())):
            called([pair for row in kept for pair in claims(row)], "claims beside texts", by)
            called([Pair(row["a"], row["b"], "conflicts") for row in kept], "texts beside texts", by)
        with tempfile.TemporaryDirectory() as folder, weft.open(f"{folder}/notes.db") as graph:
            nodes = [captured(graph, row["a"]).node.id for row in kept]
            marked(graph, kept, nodes)
            told(graph, kept, nodes)
    chosen = [json.loads(line) for line in CHOSEN.read_text("utf-8").splitlines()]
    print(f"chosen: {len(chosen)} pairs of texts")
    called([pair for row in chosen for pair in claims(row)], "claims beside texts", Rules())
    alike([*rows, *chosen])


def claims(row: Row) -> Iterator[Pair]:
    """Return every claim of a row beside both of its texts."""
    for text, mine, other in ((row["a"], "a_says", "b_says"), (row["b"], "b_says", "a_says")):
        for side, field in (("supports", mine), ("conflicts", other), ("neither", "neither")):
            yield from (Pair(claim, text, side) for claim in row[field])


def called(pairs: Sequence[Pair], name: str, by: Judge) -> None:
    """Print what a judge calls, and how it is."""
    found = Counter((by.judge(each.claim, (each.text,), (NEAR,))[0].verdict, each.side) for each in pairs)
    for verdict in SAID:
        of = {side: found[verdict, side] for side in (*SAID, "neither")}
        right, every = of[verdict], sum(of.values())
        wanted = sum(each.side == verdict for each in pairs)
        share = 100 * right / max(1, every)
        print(f"  {name}, {by.name}: called {verdict} {every}, right {right} ({share:.0f} %) of {wanted}; {of}")


def captured(graph: Graph, text: str) -> Any:  # noqa: ANN401 - what a capture tells
    """Return what the capture of a note tells."""
    return graph.capture.capture(CaptureRequest(content=text), graph.call("capture"))


def marked(graph: Graph, rows: Sequence[Row], nodes: Sequence[str]) -> None:
    """Print on which side ``a`` is marked as likely for the claims of each sort, where it is left to be judged."""
    found: Counter[tuple[str, str]] = Counter()
    for row, node in zip(rows, nodes, strict=True):
        for side, field in (("supports", "a_says"), ("conflicts", "b_says"), ("neither", "neither")):
            found.update((side, mark) for claim in row[field] for mark in marks(graph, claim, node))
    for mark in SAID:
        of = {side: found[side, mark] for side in (*SAID, "neither")}
        right, every = of[mark], sum(of.values())
        print(f"  left to be judged, marked {mark} {every}, right {right} ({100 * right / max(1, every):.0f} %); {of}")


def marks(graph: Graph, claim: str, node: str) -> Iterator[str]:
    """Return the mark of a node, if it is left to be judged; an empty one where no side is likely."""
    for side in graph.trace.challenge(claim, graph.call("challenge")).to_judge:
        if side.node.id == node:
            yield side.leaning.likely if side.leaning else ""


def told(graph: Graph, rows: Sequence[Row], nodes: Sequence[str]) -> None:
    """Print what the captures of ``b`` tell of ``a``, and in how many of them others are told of."""
    found: Counter[str] = Counter()
    others: Counter[str] = Counter()
    for row, node in zip(rows, nodes, strict=True):
        outcome = captured(graph, row["b"])
        said = {field: repr(getattr(outcome, field)) for field in TOLD}
        found.update(field for field, each in said.items() if node in each)
        others.update(field for field, each in said.items() if any(other in each for other in nodes if other != node))
    print(f"  of {len(rows)} captures of b, a is told under {dict(found)}; others under {dict(others)}")


def alike(rows: Sequence[Row]) -> None:
    """Print how many pairs of texts a capture would take for near-duplicates, by the rule that does.

    What differs in places is one where the network reads each to say the other.
    """
    embedder, reader = open_embedder(threads=2), Seconded(open_entailment())
    found: Counter[str] = Counter()
    for row in rows:
        one, other = row["a"], row["b"]
        rule = next((each for each in FROM if each(one, other)), None)
        if rule is differs_in_places and not reader.same(one, other):
            continue
        if rule and judge(one, other, similarity=NEAR).verdict != "conflicts":
            here, there = embedder.embed([one, other])
            near = embedder.calibration.similarity(float(here @ there))
            found[rule.__name__] += near >= FROM[rule]
    print(f"of {len(rows)} pairs of texts, taken for near-duplicates: {found.total()}, {dict(found)}")


if __name__ == "__main__":
    main()
