"""The data of ACI, the Atomic Graph Researcher: rows of its table of units, and ``relations.json`` beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from weft.formats.foreign import Parsed, Problem, Record, Tie, number, time_of, word
from weft.formats.located_json import Located, read

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["parse_relations", "units"]


def units(rows: Iterable[Mapping[str, Any]]) -> Parsed:
    """Return the units of these rows: id, content, source_doi, confidence, created_at."""
    records: list[Record] = []
    problems: list[Problem] = []
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
    return Parsed(records=tuple(records), problems=tuple(problems))


def parse_relations(text: str) -> Parsed:
    """Return the relations of the text of ``relations.json``. Never raises."""
    document, problem = read(text)
    if problem is not None:
        return Parsed(problems=(problem,))
    entries = document.get("relations") if isinstance(document, Located) else document
    if not isinstance(entries, list):
        return Parsed(problems=(Problem(line=1, message="no list of relations"),))
    ties: list[Tie] = []
    problems: list[Problem] = []
    for at, each in enumerate(entries):
        source, target, kind = (
            (word(each, "source_id", "source"), word(each, "target_id", "target"), word(each, "type", "relation"))
            if isinstance(each, Located)
            else ("", "", "")
        )
        if source and target and kind:
            reasoning, at_time = word(each, "reasoning"), time_of(each.get("created_at"))
            ties.append(
                Tie(source=source, target=target, type=kind, reasoning=reasoning, created_at=at_time, line=each.line)
            )
        else:
            line = each.line if isinstance(each, Located) else 0
            problems.append(Problem(line=line, message=f"relation {at + 1} lacks an end or a type"))
    return Parsed(ties=tuple(ties), problems=tuple(problems))
