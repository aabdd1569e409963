"""The data of ACI, the Atomic Graph Researcher: rows of its table of units, and ``relations.json`` beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from weft.formats.foreign import Parsed, Problem, Record, Tie, gathered, misread, number, time_of, word
from weft.formats.located_json import Located, read

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["parse_relations", "units"]


def units(rows: Iterable[Mapping[str, Any]]) -> Parsed:
    """Return the units of these rows: id, content, source_doi, confidence, created_at."""
    records: list[Record] = []
    problems: list[Problem] = []
    unused: list[str] = []
    for at, row in enumerate(rows, start=1):
        if not word(row, "id") or not word(row, "content"):
            problems.append(Problem(line=at, message="a row without id or content"))
            continue
        record = Record(
            key=word(row, "id"),
            title="",
            content=word(row, "content"),
            kind="claim",
            citation=word(row, "source_doi", "source"),
            confidence=1.0 if row.get("confidence") is None else number(row["confidence"]),
            created_at=time_of(row.get("created_at")),
            line=at,
        )
        records.append(record)
        unused += misread(row, "confidence")
    return Parsed(records=tuple(records), problems=tuple(problems), unused=tuple(unused))


def parse_relations(text: str) -> Parsed:
    """Return the relations of the text of ``relations.json``. Never raises."""
    document, problem = read(text)
    if problem is not None:
        return Parsed(problems=(problem,))
    entries = document.get("relations") if isinstance(document, Located) else document
    if not isinstance(entries, list):
        return Parsed(problems=(Problem(line=1, message="no list of relations"),))
    return gathered(_relation(each, at) for at, each in enumerate(entries, start=1))


def _relation(entry: object, at: int) -> Tie | Problem:
    if not isinstance(entry, Located):
        return Problem(line=0, message=f"relation {at} lacks an end or a type")
    source, target = word(entry, "source_id", "source"), word(entry, "target_id", "target")
    kind = word(entry, "type", "relation")
    if not (source and target and kind):
        return Problem(line=entry.line, message=f"relation {at} lacks an end or a type")
    return Tie(
        source=source,
        target=target,
        type=kind,
        reasoning=word(entry, "reasoning"),
        created_at=time_of(entry.get("created_at")),
        line=entry.line,
    )
