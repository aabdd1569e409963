"""Claims about documents: is the document found that says a claim or rules it out, and is the side told?

``claims.jsonl`` holds 1,290 claims on 258 documents of four public collections. A language model that had read a
document wrote, on two points that it settles, a claim that it *says* and one that it rules out (*against*), and a claim
on its matter that it leaves *open*, in words of its own: most of those that are ruled out deny nothing, and some of
those that are said do. Those on every other document are kept for reporting.

Each claim is held against the whole collection by ``challenge``. *First* is how often its document comes before all
others in the answer, *shown* how often it is there at all. *Told apart* is how often, of the two claims on one point,
the document leans to the one that it says. Of what is called or marked as likely on either side, that on claims of this
side and their own document is right; what is said of other documents counts as wrong, though some of them settle the
claim as well. Beside it: *likeness*, and the surface model of the table on contradiction, which is fitted on the other
half of these claims and reads of their own document the sentence that shares most words with each.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from contradiction import SIDES, SYSTEMS, figures_of, sentence_of
from graphs import filled
from sets import OTHER, half, parts
from surface import Surface

from weft.vocabulary import LIST_MAX

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from anchors import Anchors
    from graphs import Filled
    from sets import DataSet, Half, Row

    from weft.model import Challenged, ClaimSide, Leaning

WRITTEN = Path(__file__).with_name("claims.jsonl")
FORMS = {"conflicts": "against", "supports": "says"}
LABELS = {"against": "contradiction", "says": "entailment", "open": "neutral"}


@dataclass(frozen=True)
class Answer:
    """What the answer to one claim says of its document, and of all others: which side each is called or marked as."""

    row: Row
    place: int | None
    nearest: bool
    called: str
    marked: str
    leaning: Leaning | None
    others: tuple[str, ...]

    @property
    def side(self) -> str:
        """The side that the document is called or marked as, if any."""
        return self.called or self.marked


def measured(data: DataSet, which: Half, anchors: Anchors, keep: Path) -> dict[str, Any]:
    """Return how often the document comes first, and what is said of it; shares are in percent."""
    claims = _claims(data, which)
    if not claims:
        return {}
    with filled(data, keep) as full:
        answers = [_answer(full, row) for row in claims]
    shown = [each for each in answers if each.place is not None]
    surface = _surface(data, which, anchors)
    return {
        "claims": len(answers),
        "shown": _percent(len(shown), len(answers)),
        "first": _percent(sum(each.place == 0 for each in answers), len(answers)),
        "nearest": _percent(sum(each.nearest for each in answers), len(answers)),
        "open": _percent(sum(bool(each.side) for each in answers if each.row["form"] == "open"), _of(answers, "open")),
        "apart": {
            "Weft": _apart(_odds(answers)),
            SYSTEMS[2]: _apart({row: odds for row, (_, odds) in surface.items()}),
        },
        "sides": {side: _side(side, answers, surface) for side in SIDES},
    }


def rows(name: str, figures: dict[str, Any]) -> list[str]:
    """Return the lines of one set."""
    apart = ", ".join(f"{who} {share:.1f} %" for who, share in figures["apart"].items())
    head = f"{name:22} {figures['claims']:5} claims: the document first {figures['first']:.1f} %"
    found = f"({figures['nearest']:.1f} by likeness), shown {figures['shown']:.1f} %; told apart: {apart}"
    lines = [f"{head} {found}; of open claims {figures['open']:.1f} % take a side"]
    for side, systems in figures["sides"].items():
        for who, each in systems.items():
            shown = f"P {each['precision']:5.1f} R {each['recall']:5.1f} F1 {each['f1']:5.1f}"
            lines.append(f"{'':28} {side:10} {who:34} {shown} ({each['called']:.0f})")
    return lines


def _claims(data: DataSet, which: Half) -> list[Row]:
    known = {row["id"] for row in data.nodes}
    return [row for row in half(_written(), which) if row["document"] in known]


@cache
def _written() -> list[Row]:
    return [json.loads(line) for line in WRITTEN.read_text(encoding="utf-8").splitlines()]


def _answer(full: Filled, row: Row) -> Answer:
    said = full.graph.trace.challenge(row["text"], full.graph.call("challenge"), limit=LIST_MAX)
    own = full.nodes[row["document"]]
    sides = _in_order(said)
    place = next((place for place, (_, side) in enumerate(sides) if side.node.id == own), None)
    nearest = max((side for _, side in sides), key=lambda side: side.similarity, default=None)
    group, mine = sides[place] if place is not None else ("", None)
    return Answer(
        row=row,
        place=place,
        nearest=nearest is not None and nearest.node.id == own,
        called=group if group in SIDES else "",
        marked=mine.leaning.likely if mine and mine.leaning else "",
        leaning=mine.leaning if mine else None,
        others=tuple(told for other, side in sides if side.node.id != own and (told := _told(other, side))),
    )


def _in_order(said: Challenged) -> list[tuple[str, ClaimSide]]:
    """Return all that is answered with its group: what is decided first, then what is left, as ordered."""
    return [(group, side) for group in (*SIDES, "to_judge") for side in getattr(said, group)]


def _told(group: str, side: ClaimSide) -> str:
    return group if group in SIDES else side.leaning.likely if side.leaning else ""


def _side(side: str, answers: Sequence[Answer], surface: dict[str, tuple[str, float]]) -> dict[str, dict[str, float]]:
    """Return the figures of one side: over all that is said, and of each claim's own document alone."""
    form = FORMS[side]
    gold = _of(answers, form)
    right = sum(each.side == side for each in answers if each.row["form"] == form)
    own = sum(each.side == side for each in answers)
    there = sum(each.others.count(side) for each in answers)
    called = [each.row["form"] == form for each in answers if each.called == side]
    return {
        SYSTEMS[0]: figures_of(sum(called), len(called), gold),
        SYSTEMS[1]: figures_of(right, own + there, gold),
        f"{SYSTEMS[1]}, own document": figures_of(right, own, gold),
        f"{SYSTEMS[2]}, own document": _of_surface(form, answers, surface, gold),
    }


def _of_surface(
    form: str, answers: Sequence[Answer], surface: dict[str, tuple[str, float]], gold: int
) -> dict[str, float]:
    taken = [each.row["form"] for each in answers if surface.get(each.row["text"], ("",))[0] == LABELS[form]]
    return figures_of(taken.count(form), len(taken), gold)


def _surface(data: DataSet, which: Half, anchors: Anchors) -> dict[str, tuple[str, float]]:
    """Return for each claim the class that the surface model gives its document, and the odds of saying it."""
    texts = {row["id"]: f"{row['title']}. {row['text']}" for row in data.nodes}
    known = [row for row in _written() if row["document"] in texts]
    found: dict[str, tuple[str, float]] = {}
    for part in parts(known, which):
        learned, asked = half(known, OTHER[part]), half(known, part)
        pairs = [
            [(sentence_of(texts[row["document"]], row["text"]), row["text"]) for row in each]
            for each in (learned, asked)
        ]
        model = Surface(anchors, pairs[0], [LABELS[row["form"]] for row in learned])
        for row, chances in zip(asked, model.chances(pairs[1]), strict=True):
            found[row["text"]] = (
                list(LABELS.values())[int(chances.argmax())],
                float(chances[1] / max(chances[0], 1e-12)),
            )
    return found


def _odds(answers: Sequence[Answer]) -> dict[str, float]:
    """Return by claim how much rather its document says it than rules it out, where it leans or is decided."""
    found = {}
    for each in answers:
        if each.called:
            found[each.row["text"]] = {"conflicts": 0.0, "supports": float("inf")}[each.called]
        elif each.leaning:
            found[each.row["text"]] = each.leaning.supports / max(each.leaning.conflicts, 1e-12)
    return found


def _apart(odds: dict[str, float]) -> float:
    """Return of how many pairs of claims on one point the one that is said has the better odds, of those with both."""
    told = [odds[says] > odds[against] for says, against in _points() if says in odds and against in odds]
    return _percent(sum(told), len(told))


def _points() -> Iterator[tuple[str, str]]:
    """Yield the two claims on each point: the one that is said, and the one that is ruled out."""
    found: dict[tuple[str, int], dict[str, str]] = {}
    for row in _written():
        found.setdefault((row["document"], row["point"]), {})[row["form"]] = row["text"]
    yield from ((each["says"], each["against"]) for each in found.values() if "says" in each and "against" in each)


def _of(answers: Sequence[Answer], form: str) -> int:
    return sum(each.row["form"] == form for each in answers)


def _percent(part: int, whole: int) -> float:
    return 100 * part / max(1, whole)
