"""Whether a graph file agrees with itself: truth with the log, and everything derived with the truth."""

from __future__ import annotations

import json
from collections import Counter
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from weft.model.codec import digest_of, json_text, to_data
from weft.store.rows import evidence_of, node_of, relation_of, source_of, suggestion_of
from weft.store.sqlite import Connection, connect
from weft.store.statements import statement

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from weft.model.codec import Value

KINDS: dict[str, Callable[[tuple[Any, ...]], Value]] = {
    "node": node_of,
    "relation": relation_of,
    "source": source_of,
    "evidence": evidence_of,
    "suggestion": suggestion_of,
}

# What is derived, said a second time: each pair must give the same rows.
TWICE = {
    "tags": (
        "SELECT tag, node FROM tag",
        "SELECT DISTINCT value, row FROM node, json_each(lists, '$.tags') WHERE retired_at IS NULL",
    ),
    "references": (
        "SELECT path, node FROM reference",
        "SELECT DISTINCT value, row FROM node, json_each(lists, '$.references') WHERE retired_at IS NULL",
    ),
    "names": (
        "SELECT name, role, node FROM name",
        "SELECT DISTINCT value ->> 0, value ->> 1, row FROM node, json_each(names) WHERE retired_at IS NULL",
    ),
    "subjects": (
        "SELECT subject, suggestion FROM suggestion_subject",
        "SELECT DISTINCT value, suggestion.id FROM suggestion, json_each(subjects)",
    ),
    "tally": (
        "SELECT * FROM tally WHERE count > 0",
        """SELECT iif(retired_at IS NULL, 'node', 'retired'), kind, ontology, origin, status, count(*) FROM node
        GROUP BY 1, 2, 3, 4, 5
        UNION ALL SELECT 'relation', type, '', origin, '', count(*) FROM relation GROUP BY 2, 4
        UNION ALL SELECT 'source', type, ontology, '', '', count(*) FROM source GROUP BY 2, 3
        UNION ALL SELECT 'joined', '', node.ontology, '', '', count(*)
        FROM relation JOIN node ON node.id = relation.source GROUP BY 3""",
    ),
    "bands of confidence": (
        "SELECT band, count FROM confidence_band WHERE count > 0",
        """SELECT iif(confidence >= 0.8, 'high', iif(confidence >= 0.5, 'medium', 'low')), count(*) FROM node
        WHERE retired_at IS NULL GROUP BY 1""",
    ),
    "words": ("SELECT row FROM passage", "SELECT id FROM words_docsize"),
    "frequencies": ("SELECT term, df FROM term", "SELECT term, doc FROM temp.vocabulary"),
    "open passages": (
        "SELECT DISTINCT node FROM passage WHERE to_seq IS NULL",
        "SELECT row FROM node WHERE retired_at IS NULL",
    ),
    "lines of the log": ("SELECT count(*) FROM change", "SELECT coalesce(max(seq), 0) FROM change"),
}


def faults(path: Path) -> list[str]:
    """Return what does not agree, one line each; nothing is repaired."""
    connection = Connection(connect(path, synchronous="FULL", vfs=""))
    try:
        connection.execute("CREATE VIRTUAL TABLE temp.vocabulary USING fts5vocab (main, words, row)")
        return [*_of_the_engine(connection), *_of_what_is_derived(connection), *_of_the_log(connection)]
    finally:
        connection.close()


def _of_the_engine(connection: Connection) -> Iterator[str]:
    for row in connection.execute("PRAGMA integrity_check"):
        if row != ("ok",):
            yield f"engine: {row}"
    yield from (f"foreign key: {row}" for row in connection.execute("PRAGMA foreign_key_check"))
    connection.execute("INSERT INTO words (words) VALUES ('integrity-check')")


def _of_what_is_derived(connection: Connection) -> Iterator[str]:
    for name, (here, there) in TWICE.items():
        kept, due = Counter(connection.execute(here)), Counter(connection.execute(there))
        if kept != due:
            yield f"{name}: {list((kept - due).items())[:3]} too many, {list((due - kept).items())[:3]} missing"


def _of_the_log(connection: Connection) -> Iterator[str]:
    """Compare each value with what the log last said of it, and each row's hash with the row."""
    last = {
        (subject, subject_id): after
        for subject, subject_id, after in connection.execute(
            "SELECT subject, subject_id, after FROM change ORDER BY seq"
        )
    }
    said = {key for key, after in last.items() if after is not None and key[0] != "vote"}
    held = set()
    for table, value_of in KINDS.items():
        columns = statement(f"{table}_columns")
        for *row, digest in connection.execute(f"SELECT {columns}, {table}.hash FROM {table}"):
            text = json_text(to_data(value_of(tuple(row))))
            held.add((table, row[0]))
            if digest != digest_of(text):
                yield f"{table} {row[0]}: its hash is of something else"
            if last.get((table, row[0])) != text:
                yield f"{table} {row[0]}: the log tells otherwise"
    if held != said:
        yield f"the log and the graph hold different things: {list(held ^ said)[:3]}"


def content(path: Path) -> str:
    """Return one hash over everything that is true in the graph."""
    connection = Connection(connect(path, synchronous="FULL", vfs=""))
    rows = [
        connection.execute(f"SELECT * FROM {table} ORDER BY 1, 2") for table in (*KINDS, "change", "receipt", "vote")
    ]
    connection.close()
    return sha256(json.dumps(rows, default=repr).encode()).hexdigest()
