"""Relations with a type and a direction, from what the texts of numbered documents say of one another.

The documents are captured in their order, nothing masked; whatever a capture makes or suggests counts as shown, and
the bands take in what it only guesses. Authors draw fewer relations than hold, so precision is told against everything
and among documents whose authors draw relations of that type at all. *Cues* is the plainest rule, beside: a number with
a verb of the type near it. *Stated* is the same with the line in front that the converter cut off (`Requires: 8, 20`):
what a user's copy of the document holds, so this only says whether such lines are read.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from captures import Text, held
from linking import NUMBERED, folder_of
from sets import half

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from sets import DataSet, Half, Row

    Triple = tuple[str, str, str]

TYPES = {"requires": ("requires",), "supersedes": ("replaces", "supersedes")}
FIELDS = {"requires": "Requires", "replaces": "Replaces", "supersedes": "Replaces"}
HOW = ("made", "asked", "guessed")  # what a capture shows, the plainest first
BANDS = ((0.0, 0.2), (0.2, 0.35), (0.35, 0.5), (0.5, 0.7), (0.7, 0.85), (0.85, 1.01))
CUES = {
    "requires": re.compile(
        r"requir|depend|rel(?:y|ies) on|buil(?:ds?|t) (?:up)?on|based on|extends|uses|defined in", re.IGNORECASE
    ),
    "supersedes": re.compile(r"supersed|replac|obsolet|deprecat|successor", re.IGNORECASE),
}
AROUND = (80, 40)  # characters before and after a number that a cue is looked for in
SHOWN_OF = 1_500  # characters of a text that stand under its header in the form with headers


def measured(data: DataSet, which: Half, keep: Path) -> dict[str, Any]:
    """Return the figures of each type that the set's authors draw."""
    types = [name for name, names in TYPES.items() if any(row["type"] in names for row in data.relations)]
    if not types:
        return {}
    sources = {row["id"] for row in half(data.nodes, which)}
    told = {"cues": _cued(data), "texts": answered(data, keep)}
    if any(NUMBERED.fullmatch(row["source"]) for row in data.relations if row["type"] in FIELDS):
        told["stated"] = _told(f"{data.name} with headers", _headed(data), keep)
    return {form: {name: _figures(name, shown, data, sources) for name in types} for form, shown in told.items()}


def rows(name: str, figures: dict[str, Any]) -> list[str]:
    """Return the lines of one set."""
    lines = []
    for form, types in figures.items():
        for relation_type, each in types.items():
            lines.append(
                f"{name:22} {each['drawn']:5} {relation_type:11} {form:6} P {each['precision']:.1f} "
                f"R {each['recall']:.1f} F1 {each['f1']:.1f}; among documents that draw any: "
                f"P {each['precision_drawing']:.1f} F1 {each['f1_drawing']:.1f}; right way round "
                f"{each['direction']:.1f}; made unasked {each['made']}, right {each['made_right']}"
            )
            if form == "cues":
                continue
            bands = "  ".join(f"{band}: {held['right']}/{held['shown']}" for band, held in each["bands"].items())
            lines.append(f"{'':28} {'':18} right of those shown at a confidence of  {bands}")
    return lines


def answered(data: DataSet, keep: Path) -> dict[Triple, tuple[float, str]]:
    """Return what captures showed of the set's own texts: by source, target and type the confidence, and how."""
    name, texts = whole(data)
    return _told(name, texts, keep)


def whole(data: DataSet) -> tuple[str, list[Text]]:
    """Return the set's own texts, nothing masked, and what the graph of them is called."""
    return f"{data.name} whole", [_text(row, row["text"] or row["title"], data) for row in data.nodes]


def _cued(data: DataSet) -> dict[Triple, tuple[float, str]]:
    """Return a relation for each number that stands near a verb; where two types claim it, that it supersedes."""
    known = {_number(row["id"]): row["id"] for row in data.nodes}
    found: dict[Triple, tuple[float, str]] = {}
    for row in data.nodes:
        for number in re.finditer(
            r"\b([A-Z]{2,6})s?[ #_-]{0,2}0*(\d{1,5})\b|:([a-z]{2,6}):`0*(\d{1,5})\b", row["text"]
        ):
            target = known.get((number[1] or number[3].upper(), int(number[2] or number[4])), "")
            near = row["text"][max(0, number.start() - AROUND[0]) : number.end() + AROUND[1]]
            types = [name for name in ("supersedes", "requires") if CUES[name].search(near)]
            if types and target and target != row["id"]:
                found[row["id"], target, types[0]] = (1.0, "made")
    return found


def _number(id_: str) -> tuple[str, int] | str:
    """Return the series and the number of an id, however many noughts it is written with, or the id."""
    match = NUMBERED.fullmatch(id_)
    return (match[1], int(match[2])) if match else id_


def _text(row: Row, content: str, data: DataSet) -> Text:
    return Text(
        row=row["id"],
        content=content,
        title=row["title"],
        ontology=folder_of(row) or data.name,
        aliases=(row["id"], row["id"].replace("-", " ")),
    )


def _headed(data: DataSet) -> list[Text]:
    lines: dict[str, dict[str, list[str]]] = {}
    for row in data.relations:
        if row["type"] in FIELDS:
            number = row["target"].rpartition("-")[2]
            lines.setdefault(row["source"], {}).setdefault(FIELDS[row["type"]], []).append(number)
    texts = []
    for row in data.nodes:
        series, _, number = row["id"].rpartition("-")
        fields = "".join(f"{field}: {', '.join(named)}\n" for field, named in lines.get(row["id"], {}).items())
        texts.append(_text(row, f"{series}: {number}\nTitle: {row['title']}\n{fields}\n{row['text'][:SHOWN_OF]}", data))
    return texts


def _told(name: str, texts: Sequence[Text], keep: Path) -> dict[Triple, tuple[float, str]]:
    with held(name, texts, keep) as full:
        row_of, answers = full.rows, full.answers
    found: dict[Triple, tuple[float, str]] = {}
    for how in HOW:
        for source, target, relation_type, confidence, *_ in (
            each for answer in answers.values() for each in answer[how]
        ):
            key = (row_of.get(source, ""), row_of.get(target, ""), relation_type)
            if confidence > found.get(key, (0.0, ""))[0]:
                found[key] = (confidence, how)
    return found


def _figures(name: str, told: Mapping[Triple, tuple[float, str]], data: DataSet, sources: set[str]) -> dict[str, Any]:
    known = {row["id"] for row in data.nodes}
    drawn = {
        (row["source"], row["target"])
        for row in data.relations
        if row["type"] in TYPES[name] and row["source"] in sources and row["target"] in known
    }
    drawing = {source for source, _ in drawn}
    all_told = {
        (source, target): each for (source, target, typed), each in told.items() if typed == name and source in sources
    }
    found = {pair for pair, (_, how) in all_told.items() if how != "guessed"}
    made = {pair for pair in found if all_told[pair][1] == "made"}
    among = {pair for pair in found if pair[0] in drawing}
    right = len(found & drawn)
    turned = sum((target, source) in drawn for source, target in found)
    return {
        "drawn": len(drawn),
        "shown": len(found),
        "right": right,
        "made": len(made),
        "made_right": len(made & drawn),
        "direction": 100 * right / max(1, right + turned),
        **_rates("", right, found, drawn),
        **_rates("_drawing", right, among, drawn),
        "bands": {
            f"{low:.2f}": _band([pair for pair, (sure, _) in all_told.items() if low <= sure < high], drawn)
            for low, high in BANDS
        },
    }


def _rates(suffix: str, right: int, found: set[tuple[str, str]], drawn: set[tuple[str, str]]) -> dict[str, float]:
    return {
        f"precision{suffix}": 100 * right / max(1, len(found)),
        f"recall{suffix}": 100 * right / max(1, len(drawn)),
        f"f1{suffix}": 200 * right / max(1, len(found) + len(drawn)),
    }


def _band(found: Sequence[tuple[str, str]], drawn: set[tuple[str, str]]) -> dict[str, int]:
    return {"shown": len(found), "right": sum(pair in drawn for pair in found)}
