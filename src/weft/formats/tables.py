"""Tables of nodes and of relations as CSV: written in one form, read in many.

Written: UTF-8, commas, quotes doubled, one line a row. Lists are joined by ``; `` or, where an entry holds a semicolon,
written as JSON. A text that a spreadsheet would take for a formula gets an apostrophe in front, which reading takes off
again. Read: comma, semicolon or tab, any order of columns, the usual names of them; a table with a source and a target
is one of relations. What stands in other columns is kept in the text, a line each. A table that has every column of
ours is one that Weft wrote, and its ids are those of a graph.
"""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from weft.formats.foreign import (
    Parsed,
    Problem,
    Record,
    Tie,
    gathered,
    misread,
    number,
    own_id,
    status_of,
    texts,
    time_of,
    word,
)
from weft.model.codec import json_text, time_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

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
_SEPARATOR = re.compile(r"sep=([,;\t])[ \t]*(?:\r\n|\r|\n)", re.IGNORECASE)
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z")
_FIELD_MAX: Final = 2_000_000
COLUMNS_MAX: Final = 1_000
_TITLES: Final = ("title", "name", "label")
_TEXTS: Final = ("content", "text", "description", "body")
_CREATED: Final = ("created_at", "created", "date", "date_added", "created_time")
_MODIFIED: Final = ("modified_at", "updated_at", "modified", "updated", "date_modified", "last_edited_time")
_READ: Final = frozenset(
    (
        *(*_TITLES, *_TEXTS, "id", "key", "uuid", "kind", "type", "tags", "manual_tags", "aliases", "references"),
        *("citation", "source_doi", "doi", "session"),
    )
)
_KEPT_BY_US: Final = frozenset(("ontology", "origin", "created_by", "modified_by"))
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
    unused: list[str] = []
    try:
        return replace(gathered(_things(text.removeprefix("\ufeff"), unused)), unused=tuple(unused))
    finally:
        csv.field_size_limit(before)


def _things(text: str, unused: list[str]) -> Iterator[Record | Tie | Problem]:
    """Yield what each row says; a row at a time is held. What of a relation finds no place is put to ``unused``."""
    columns: dict[str, str] = {}
    names: list[str] = []
    for row in _rows(text):
        if isinstance(row, Problem):
            yield row
            continue
        line, cells = row
        if not names:
            names = _columns(cells[:COLUMNS_MAX])
            columns = dict(zip(names, cells, strict=False))
            if len(cells) > COLUMNS_MAX or not _is_read(names):
                yield Problem(line=line, message=_unread(cells))
                return
            continue
        if len(cells) > len(names):
            said = f"{len(cells)} cells under {len(names)} columns; the last are left out"
            yield Problem(line=line, message=said)
        found = {name: unguarded(cell) for name, cell in zip(names, cells, strict=False)}
        thing = _read(found, columns, line)
        unused += _lost(found, columns) if isinstance(thing, Tie) else ()
        yield thing


def _rows(text: str) -> Iterator[tuple[int, list[str]] | Problem]:
    """Yield each row that says something with the line it ends on, and what is no row."""
    delimiter, start = _delimiter(text)
    lines = (each[0] for each in _LINE.finditer(text, start))
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    before = text.count("\n", 0, start)
    while True:
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            yield Problem(line=before + reader.line_num, message=f"not CSV: {error}")
            continue
        if any(cell.strip() for cell in cells):
            yield before + reader.line_num, cells


def _is_read(names: Iterable[str]) -> bool:
    """Whether a table with these columns is one of nodes or of relations."""
    held = set(names)
    return not held.isdisjoint((*_TITLES, *_TEXTS)) or not any(held.isdisjoint(ends) for ends in _ENDS)


def _unread(columns: Sequence[str]) -> str:
    if len(columns) > COLUMNS_MAX:
        return f"a table of {len(columns):,} columns is not read, one of {COLUMNS_MAX:,} is"
    named = ", ".join(f"«{column.strip()[:40]}»" for column in columns[:10])
    wanted = f"{', '.join(_TITLES)}, {', '.join(_TEXTS)}"
    return f"no column is called {wanted}, nor are two source and target: {named}"


def _read(row: Mapping[str, str], columns: Mapping[str, str], line: int) -> Record | Tie | Problem:
    source, target = (word(row, *names) for names in _ENDS)
    if any(name in row for name in _ENDS[0]) and any(name in row for name in _ENDS[1]):
        return _tie(row, (source, target), line)
    own = row if row.keys() >= _OWN_NODES else {}
    title, content = word(row, *_TITLES), _content(row, columns)
    if not title and not word(row, *_TEXTS):
        return Problem(line=line, message="neither a title nor a content in this row")
    return Record(
        key=word(row, "id", "key", "uuid") or title or content[:200],
        title=title,
        content=content or title,
        kind=word(row, "kind", "type"),
        tags=_list(word(row, "tags", "manual_tags")),
        aliases=_list(row.get("aliases", "")),
        references=_list(row.get("references", "")),
        citation=word(row, "citation", "source_doi", "doi"),
        confidence=number(row.get("confidence")),
        importance=number(row.get("importance")),
        status=word(row, "status"),
        session=word(row, "session"),
        created_at=time_of(word(row, *_CREATED)),
        modified_at=time_of(word(row, *_MODIFIED)),
        line=line,
        id=own_id(word(own, "id")),
        ontology=word(own, "ontology"),
        origin=word(own, "origin"),
        by=word(own, "modified_by"),
    )


def _content(row: Mapping[str, str], columns: Mapping[str, str]) -> str:
    """Return the text of a row and, a line each, what stands in columns that are read as nothing else."""
    ours = _KEPT_BY_US if row.keys() >= _KEPT_BY_US else frozenset()
    left = [name for name, cell in row.items() if cell.strip() and name not in ours and not _is_understood(name, cell)]
    rest = "\n".join(f"{columns[name].strip()}: {row[name].strip()}" for name in left)
    return "\n\n".join(part for part in (word(row, *_TEXTS), rest) if part)


def _is_understood(name: str, cell: str) -> bool:
    """Whether what a cell says becomes part of a node: «High» is no confidence, and «In progress» no status of ours."""
    if name in {"confidence", "importance"}:
        return number(cell) is not None
    if name == "status":
        return status_of(cell) is not None
    if name in {*_CREATED, *_MODIFIED}:
        return time_of(cell) is not None
    return not name or name in _READ


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


def _lost(row: Mapping[str, str], columns: Mapping[str, str]) -> Iterator[str]:
    """Yield, as they are written, the columns of a relation that say a share of 0 to 1 which cannot be read."""
    said = "confidence" if "confidence" in row else "weight"
    yield from (columns[name].strip() for name in misread(row, said))


def _delimiter(text: str) -> tuple[str, int]:
    """Return the sign that parts cells and where the table begins.

    It is named in a first line as Excel reads it (``sep=;``), else it stands most often in it, outside quotes.
    """
    if said := _SEPARATOR.match(text):
        return said[1], said.end()
    first = "".join(text.split("\n", 1)[0].split('"')[::2])
    return max(",;\t", key=first.count), 0


def _columns(cells: Sequence[str]) -> list[str]:
    """Return the names of columns as they are looked up; one that stands there again gets a number."""
    names: list[str] = []
    held: set[str] = set()
    for cell in cells:
        name = cell.strip().lower().replace(" ", "_").replace("-", "_")
        names.append(f"{name}_{len(names)}" if name in held else name)
        held.add(names[-1])
    return names


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
