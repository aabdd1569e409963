"""The schema that a graph of this release has, to compare with the one that a database has.

What should be there is read from the migrations themselves; what is there, from the database's own catalogue.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from weft.store.migrate import migrations
from weft.store.moved import NEXT
from weft.store.postgres.bounds import FUNCTIONS
from weft.store.postgres.names import SCHEMA

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from weft.store.postgres.connection import PostgresReader

__all__ = ["VECTOR_INDEX", "Amiss", "added_to", "made_by", "schema_amiss", "statements"]

VECTOR_INDEX: Final = """
    CREATE INDEX passage_by_vector ON passage USING hnsw (vector halfvec_cosine_ops)
    WITH (m = 12, ef_construction = 40) WHERE to_seq IS NULL
""".strip()
"""The index over the vectors that stand; it is made when their dimension is known.

Made in 57 % of the processor time that pgvector takes unless told (m = 16, ef_construction = 64), and so is each entry.
Of 100,000 notes, many of them nearly alike, the true nearest 10 are found to 99.4 % and the nearest 50 to 97.8 % where
125 are kept in sight (the query ``index_width``), against 99.9 % and 98.9 % with 100 in sight.
"""

_PARTS: Final = re.compile(r"\$\$.*?\$\$|'(?:[^']|'')*'|--[^\n]*\n?|;", re.DOTALL)
_MADE: Final = re.compile(
    r"CREATE (?:OR REPLACE |UNLOGGED |UNIQUE |CONSTRAINT )?(TABLE|INDEX|TRIGGER|FUNCTION|VIEW|DOMAIN) (\w+)"
)
_ADDED: Final = re.compile(r"ALTER TABLE (\w+) ADD COLUMN")
_BODY: Final = re.compile(r"\$\$(.*?)\$\$", re.DOTALL)
_TRIGGER: Final = re.compile(r"\bON (\w+)\b.*\bEXECUTE FUNCTION (\w+)", re.DOTALL)
_RULES: Final = {"f": re.compile(r"\bREFERENCES\b"), "c": re.compile(r"\bCHECK\b"), "p": re.compile(r"\bPRIMARY KEY\b")}
_MENDED: Final = ("index", "trigger")
_BESIDE: Final = {  # made by code, not by scripts
    *(("table", name) for name in ("migration", "bound")),
    *(("function", signature.partition("(")[0]) for signature in FUNCTIONS),
}

_RELATIONS: Final = """
    SELECT CASE relkind WHEN 'r' THEN 'table' WHEN 'v' THEN 'view' ELSE 'index' END, relname
    FROM pg_class WHERE relnamespace = %(schema)s::regnamespace AND relkind IN ('r', 'v', 'i')
        AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = pg_class.oid)
"""
_DOMAINS: Final = (
    "SELECT 'domain', typname FROM pg_type WHERE typnamespace = %(schema)s::regnamespace AND typtype = 'd'"
)
_FUNCTIONS: Final = "SELECT proname, prosrc FROM pg_proc WHERE pronamespace = %(schema)s::regnamespace"
_TRIGGERS: Final = """
    SELECT tgname, tgrelid::regclass::text, proname, tgenabled IN ('O', 'A')
    FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid JOIN pg_proc ON pg_proc.oid = tgfoid
    WHERE relnamespace = %(schema)s::regnamespace AND NOT tgisinternal
"""
_CONSTRAINTS: Final = """
    SELECT relname, contype::text, count(*) FROM pg_constraint JOIN pg_class ON pg_class.oid = conrelid
    WHERE connamespace = %(schema)s::regnamespace AND convalidated GROUP BY 1, 2
"""
_INVALID: Final = """
    SELECT relname FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
    WHERE relnamespace = %(schema)s::regnamespace AND NOT (indisvalid AND indisready)
"""


class Amiss(NamedTuple):
    """What a graph's schema lacks or has otherwise: by name, with the SQL that mends it, and the names of the rest.

    ``missing`` are indexes and triggers that are not there or are switched off, ``invalid`` indexes that are not used,
    and ``changed`` what this Weft did not make so.
    """

    missing: dict[str, str]
    invalid: dict[str, str]
    changed: tuple[str, ...]


class _Due(NamedTuple):
    """One object of the schema: its kind, its name, and the statement that makes it."""

    kind: str
    name: str
    sql: str


def statements(script: str) -> Iterator[str]:
    """Yield the statements of one of our scripts, without comments."""
    said, at = "", 0
    for part in _PARTS.finditer(script):
        said, at = said + script[at : part.start()], part.end()
        if part[0] == ";":
            yield said.strip()
            said = ""
        elif not part[0].startswith("--"):
            said += part[0]


@lru_cache
def _due() -> tuple[_Due, ...]:
    scripts = (statement for script in migrations("postgres").values() for statement in statements(script))
    made = ((sql, _MADE.match(sql)) for sql in (*scripts, VECTOR_INDEX))
    return tuple(_Due(found[1].lower(), found[2], sql) for sql, found in made if found)


def made_by(kind: str, *names: str) -> list[str]:
    """Return the statements that make these objects of one kind (table, index, view …), in the schema's order.

    Of one that was made anew, the last.
    """
    return list({due.name: due.sql for due in _due() if due.kind == kind and due.name in names}.values())


def added_to(table: str) -> list[str]:
    """Return the statements that gave a table further columns."""
    scripts = (statement for script in migrations("postgres").values() for statement in statements(script))
    return [sql for sql in scripts if (found := _ADDED.match(sql)) and found[1] == table]


def schema_amiss(reader: PostgresReader) -> Amiss:
    """Return what the graph behind ``reader`` lacks, and what is there and should not be so.

    What a move to another embedding model has beside the graph may be there.
    """
    due = {(each.kind, each.name): each.sql for each in _due()}
    held = {(kind, name) for sql in (_RELATIONS, _DOMAINS) for kind, name in _asked(reader, sql)}
    bodies: dict[str, str] = dict(_asked(reader, _FUNCTIONS))
    triggers = {name: tuple(rest) for name, *rest in _asked(reader, _TRIGGERS)}
    held |= {("function", name) for name in bodies} | {("trigger", name) for name in triggers}
    missing = {name: sql for (kind, name), sql in due.items() if kind in _MENDED and (kind, name) not in held}
    off = {name: f'ALTER TABLE {on} ENABLE TRIGGER "{name}"' for name, (on, _, works) in triggers.items() if not works}
    changed = {
        *(name for kind, name in held ^ due.keys() if name not in missing and (kind, name) not in _BESIDE),
        *(name for name, body in bodies.items() if _other_body(due.get(("function", name), ""), body)),
        *(name for name, (on, calls, _) in triggers.items() if _other_call(due.get(("trigger", name), ""), on, calls)),
        *_rules_off(reader, due),
    }
    invalid = {name: f'REINDEX INDEX "{name}"' for (name,) in _asked(reader, _INVALID)}
    other = sorted(name for name in changed if not name.startswith(NEXT))
    return Amiss(missing=missing | off, invalid=invalid, changed=tuple(other))


def _asked(reader: PostgresReader, sql: str) -> list[tuple[Any, ...]]:
    return reader.execute(sql, {"schema": SCHEMA})


def _other_body(sql: str, held: str) -> bool:
    due = _BODY.search(sql)
    return due is not None and due[1].strip() != held.strip()


def _other_call(sql: str, on: str, calls: str) -> bool:
    due = _TRIGGER.search(sql)
    return due is not None and (due[1], due[2]) != (on.rpartition(".")[2].strip('"'), calls)


def _rules_off(reader: PostgresReader, due: Mapping[tuple[str, str], str]) -> Iterator[str]:
    """Yield the tables that have not as many references, checks and keys as they were made with."""
    held: Counter[tuple[str, str]] = Counter()
    for table, type_, count in _asked(reader, _CONSTRAINTS):
        held[table, type_] = int(count)
    for (kind, name), sql in due.items():
        if kind == "table" and any(len(rule.findall(sql)) != held[name, type_] for type_, rule in _RULES.items()):
            yield f"{name} (its rules)"
