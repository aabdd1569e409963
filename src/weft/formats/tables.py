"""Tables of nodes and of relations as CSV: written in one form, read in many.

Written: UTF-8, commas, quotes doubled, one line a row. Lists are joined by ``; `` or, where an entry holds a semicolon,
written as JSON. A text that a spreadsheet would take for a formula gets an apostrophe in front, which reading takes off
again. Read: comma, semicolon or tab, any order of columns, the usual names of them; a table with a source and a target
is one of relations. A table that has every column of ours is one that Weft wrote, and its ids are those of a graph.
"""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING, Any, Final

from weft.formats.foreign import Parsed, Problem, Record, Tie, number, own_id, texts, time_of, word
from weft.model.codec import json_text, time_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from weft.model import Node, Relation

__all__ = ["NODE_COLUMNS", "RELATION_COLUMNS", "guarded", "parse", "render_nodes", "render_relations", "unguarded"]

NODE_COLUMNS: Final = (
    "id", "kind", "title", "content", "ontology", "tags", "aliases", "references", "citation", "confidence",
    "importance", "status", "origin", "session", "created_at", "created_by", "modified_at", "modified_by",
)  # fmt: skip
RELATION_COLUMNS: Final = (
    "id", "source", "target", "type", "reasoning", "confidence", "origin", "created_at", "created_by",
)  # fmt: skip

_OWN_NODES: Final = frozenset(NODE_COLUMNS)
_OWN_RELATIONS: Final = frozenset(RELATION_COLUMNS)

_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")
_FIELD_MAX: Final = 2_000_000
_ENDS: Final = (("source", "source_id", "from", "from_id", "start"), ("target", "target_id", "to", "to_id", "end"))


def render_nodes(nodes: Iterable[Node]) -> Iterator[str]:
    """Yield the lines of the table of nodes."""
    yield _row(NODE_COLUMNS)
    for node in nodes:
        yield _row(_cell(getattr(node, name)) for name in NODE_COLUMNS)


def render_relations(relations: Iterable[Relation]) -> Iterator[str]:
    """Yield the lines of the table of relations."""
    yield _row(RELATION_COLUMNS)
    for relation in relations:
        yield _row(_cell(getattr(relation, name)) for name in RELATION_COLUMNS)


def parse(text: str) -> Parsed:
    """Return the nodes or relations of a table. Never raises; rows that cannot be read are told with their lines."""
    before = csv.field_size_limit(_FIELD_MAX)
    try:
        return _parsed(text.removeprefix("\ufeff"))
    finally:
        csv.field_size_limit(before)


def _parsed(text: str) -> Parsed:
    records: list[Record] = []
    ties: list[Tie] = []
    problems: list[Problem] = []
    names: list[str] = []
    for line, cells in _rows(text, problems):
        if not names:
            names = [_column(cell) for cell in cells]
            continue
        found = _read({name: unguarded(cell) for name, cell in zip(names, cells, strict=False)}, line)
        match found:
            case Record():
                records.append(found)
            case Tie():
                ties.append(found)
            case Problem():
                problems.append(found)
    return Parsed(records=tuple(records), ties=tuple(ties), problems=tuple(problems))


def _rows(text: str, problems: list[Problem]) -> Iterator[tuple[int, list[str]]]:
    """Yield each row that says something with the line it ends on; what is no row goes to ``problems``."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(text), strict=True)
    while True:
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            problems.append(Problem(line=reader.line_num, message=f"not CSV: {error}"))
            continue
        if any(cell.strip() for cell in cells):
            yield reader.line_num, cells


def _read(row: Mapping[str, str], line: int) -> Record | Tie | Problem:
    source, target = (word(row, *names) for names in _ENDS)
    if any(name in row for name in _ENDS[0]) and any(name in row for name in _ENDS[1]):
        return _tie(row, (source, target), line)
    own = row if row.keys() >= _OWN_NODES else {}
    title, content = word(row, "title", "name", "label"), word(row, "content", "text", "description", "body")
    if not title and not content:
        return Problem(line=line, message="neither a title nor a content in this row")
    return Record(
        key=word(row, "id", "key", "uuid") or title or content[:200],
        title=title,
        content=content or title,
        kind=word(row, "kind", "type"),
        tags=_list(row.get("tags", "")),
        aliases=_list(row.get("aliases", "")),
        references=_list(row.get("references", "")),
        citation=word(row, "citation", "source_doi", "doi"),
        confidence=number(row.get("confidence")),
        importance=number(row.get("importance")),
        status=word(row, "status"),
        session=word(row, "session"),
        created_at=time_of(word(row, "created_at", "created", "date")),
        modified_at=time_of(word(row, "modified_at", "updated_at", "modified", "updated")),
        line=line,
        id=own_id(word(own, "id")),
        ontology=word(own, "ontology"),
        origin=word(own, "origin"),
        by=word(own, "modified_by"),
    )


def _tie(row: Mapping[str, str], ends: tuple[str, str], line: int) -> Tie | Problem:
    kind = word(row, "type", "relation", "relationship", "label")
    own = row if row.keys() >= _OWN_RELATIONS else {}
    if not all(ends):
        return Problem(line=line, message="a relation without a source or a target")
    return Tie(
        source=ends[0],
        target=ends[1],
        type=kind,
        reasoning=word(row, "reasoning", "description", "reason", "context"),
        confidence=number(row.get("confidence", row.get("weight"))),
        created_at=time_of(word(row, "created_at", "created")),
        line=line,
        id=own_id(word(own, "id")),
        origin=word(own, "origin"),
    )


def _delimiter(text: str) -> str:
    """Return the sign that stands most often in the first line, outside quotes."""
    first = "".join(text.split("\n", 1)[0].split('"')[::2])
    return max(",;\t", key=first.count)


def _column(name: str) -> str:
    return name.strip().lower().replace(" ", "_").replace("-", "_")


def _list(cell: str) -> tuple[str, ...]:
    if cell.startswith("["):
        try:
            return texts(json.loads(cell))
        except (ValueError, RecursionError):
            return texts(cell.strip("[]"))
    return texts(cell, separator=";" if ";" in cell else ",")


def _row(cells: Iterable[str]) -> str:
    out = io.StringIO(newline="")
    csv.writer(out, lineterminator="\r\n").writerow(cells)  # of its line end's signs, the writer quotes each
    return out.getvalue()[:-2] + "\n"


def _cell(value: Any) -> str:  # noqa: ANN401 - any field of a node or a relation
    if isinstance(value, tuple):
        plain = not any(";" in each or "," in each or each.startswith("[") for each in value)
        return guarded("; ".join(value) if plain else json_text(list(value)))
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, str):
        return guarded(value)
    return time_text(value)


def guarded(text: str) -> str:
    """Return ``text`` with an apostrophe in front where a spreadsheet would take it for a formula."""
    return f"'{text}" if text.startswith((*_FORMULA, "'")) else text


def unguarded(cell: str) -> str:
    """Return ``cell`` without the apostrophe that :func:`guarded` put in front."""
    return cell[1:] if cell.startswith("'") and cell[1:2] in (*_FORMULA, "'") else cell
