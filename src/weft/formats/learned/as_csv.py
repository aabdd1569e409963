"""Learned items as a table: one line a connection, so a concept that joins three nodes has three lines.

For spreadsheets, and for bringing in connections that somebody collected in one: ``from_label``, ``to_label``,
``relationship_type`` and ``evidence`` are enough. Votes are left out. A cell that a spreadsheet would take for a
formula is written with an apostrophe in front, which reading takes off again.
"""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING, Final

from weft.errors import InvalidArgument
from weft.formats.foreign import number
from weft.formats.learned.parsed import Parsed, read_time
from weft.formats.tables import guarded, unguarded
from weft.model import PortableConcept, PortableEnd, PortableItem
from weft.model.codec import time_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["COLUMNS", "parse", "render"]

COLUMNS: Final = (
    *("learned_id", "relationship_type", "from_id", "from_label", "from_ontology", "to_id", "to_label", "to_ontology"),
    *("evidence", "created_by", "created_at", "similarity_score", "cognitive_leap", "concept_id", "search_terms"),
)
_NEEDED: Final = ("relationship_type", "evidence")
_JOINED: Final = "synthesized_from"

Row = dict[str, str]


def render(items: Sequence[PortableItem]) -> str:
    """Return the items as a table with its line of names."""
    sheet = io.StringIO(newline="")
    writer = csv.writer(sheet, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for item in items:
        for row in _rows(item):
            writer.writerow([guarded(row[name]) for name in COLUMNS])
    return sheet.getvalue()


def parse(text: str) -> Parsed:
    """Return the items of a table; columns may stand in any order, and those not needed may be missing.

    Raises:
        InvalidArgument: there is no line of names, a name is unknown or missing, or the quoting is broken.
    """
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        names = next(reader, [])
        _check(names)
        lines = [(reader.line_num, cells) for cells in reader if cells]
    except csv.Error as error:
        raise InvalidArgument(f"text is no table: line {reader.line_num}: {error}.") from None
    groups: dict[str, list[tuple[int, Row]]] = {}
    faults: list[tuple[str, str]] = []
    for line, cells in lines:
        if len(cells) != len(names):
            faults.append((f"line {line}", f"it has {len(cells)} cells, the first line {len(names)}"))
            continue
        row = dict.fromkeys(COLUMNS, "") | {name: unguarded(cell) for name, cell in zip(names, cells, strict=True)}
        groups.setdefault(_group(row, line), []).append((line, row))
    items: list[PortableItem] = []
    for rows in groups.values():
        try:
            items += _items([row for _, row in rows])
        except ValueError as error:
            faults.append((rows[0][1]["learned_id"] or f"line {rows[0][0]}", str(error)))
    return Parsed(items=tuple(items), faults=tuple(faults))


def _check(names: list[str]) -> None:
    unknown = [name for name in names if name not in COLUMNS]
    missing = [name for name in _NEEDED if name not in names]
    if unknown or missing or len(set(names)) != len(names):
        said = (
            f"{unknown[0][:60]!a} is unknown" if unknown else f"{missing[0]} is missing" if missing else "one repeats"
        )
        raise InvalidArgument(f"The first line of text must name the columns; {said}. Columns: {', '.join(COLUMNS)}.")


def _rows(item: PortableItem) -> Iterator[Row]:
    shared = {
        "learned_id": item.learned_id,
        "evidence": item.evidence,
        "created_by": item.creator,
        "created_at": time_text(item.created_at) if item.created_at else "",
        "similarity_score": "" if item.similarity is None else repr(item.similarity),
        "cognitive_leap": item.leap,
        "concept_id": item.concept.handle if item.concept else "",
        "search_terms": json.dumps(item.concept.search_terms, ensure_ascii=False) if item.concept else "",
        "relationship_type": (_JOINED if item.concept else item.type).upper(),
    }
    if item.concept is not None:
        made = PortableEnd(id=item.concept.id, title=item.concept.title, ontology=item.concept.ontology)
        pairs = [(made, end) for end in item.ends]
    else:
        pairs = [(item.ends[0], item.ends[1])]
    for one, other in pairs:
        yield shared | _end_row("from", one) | _end_row("to", other)


def _end_row(side: str, end: PortableEnd) -> Row:
    return {f"{side}_id": end.id, f"{side}_label": end.title, f"{side}_ontology": end.ontology}


def _group(row: Row, line: int) -> str:
    """Return what tells the lines of one concept from others; a relation's line stands alone."""
    if row["relationship_type"].lower() != _JOINED:
        return f"line {line}"
    return row["learned_id"] or row["concept_id"] or f"{row['from_ontology']}\n{row['from_label']}\n{row['evidence']}"


def _items(rows: list[Row]) -> list[PortableItem]:
    first = rows[0]
    concept = None
    ends = [_end(first, "from"), _end(first, "to")]
    if _makes_a_concept(rows):
        concept = _concept(first)
        ends = [_end(row, "to") for row in rows]
    return [
        PortableItem(
            learned_id=first["learned_id"],
            type="" if concept else first["relationship_type"].lower(),
            ends=tuple(ends),
            evidence=first["evidence"],
            creator=first["created_by"],
            created_at=read_time(first["created_at"]),
            similarity=number(first["similarity_score"]),
            leap=first["cognitive_leap"],
            concept=concept,
        )
    ]


def _makes_a_concept(rows: list[Row]) -> bool:
    """Whether the lines are those of a concept; a single line of that type with neither handle nor terms joins two."""
    first = rows[0]
    joined = first["relationship_type"].lower() == _JOINED
    return joined and (len(rows) > 1 or bool(first["concept_id"] or first["search_terms"]))


def _end(row: Row, side: str) -> PortableEnd:
    end = PortableEnd(id=row[f"{side}_id"], title=row[f"{side}_label"], ontology=row[f"{side}_ontology"])
    if not (end.id or end.title):
        raise ValueError(f"{side}_id and {side}_label are both empty")
    return end


def _concept(row: Row) -> PortableConcept:
    try:
        terms = json.loads(row["search_terms"] or "[]")
    except (ValueError, RecursionError):
        terms = None
    if not isinstance(terms, list) or not all(isinstance(term, str) for term in terms):
        raise ValueError("search_terms must be a JSON list of texts")
    made = _end(row, "from")
    return PortableConcept(
        id=made.id,
        handle=row["concept_id"],
        title=made.title,
        ontology=made.ontology,
        search_terms=tuple(terms),
    )
