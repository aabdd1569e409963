"""Which tier may do what inside the engine: one allow-list a tier, by operation, table, column and trigger.

Pure data and decisions; :mod:`weft.store.sqlite` asks it each time the engine prepares a statement. What is not listed
is refused. Deleting is not only ``DELETE``: ``REPLACE`` deletes without asking, so the triggers of the schema guard
every row as well, and no statement reaches a derived table except from inside the trigger that keeps it. This guards
SQL: code that holds the connection object itself can take the guard off.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from weft.errors import CannotOpen
from weft.model import Tier

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["ENGINE_MIN", "Access", "allowed", "erasable", "grants", "refuse_old_engine", "tier_needed"]

# Every engine before this one can lose committed pages when two processes write and checkpoint at the same moment
# (https://sqlite.org/wal.html, "The WAL-Reset Bug").
ENGINE_MIN = "3.51.3"

_ANY = "*"


class Access(NamedTuple):
    """What a statement wants: ``operation`` as the engine names it (INSERT, UPDATE …), and where; empty: not given.

    ``trigger`` is the innermost trigger or view that wants it, empty for the statement itself.
    """

    operation: str
    table: str = ""
    column: str = ""
    trigger: str = ""


_READS = {"SELECT", "READ", "RECURSIVE", "TRANSACTION", "SAVEPOINT", "FUNCTION"}
_WRITES = {"INSERT", "UPDATE", "DELETE"}
_FUNCTIONS_REFUSED = {"load_extension", "fts3_tokenizer", "edit", "readfile", "writefile"}

_TRUTH = ("node", "relation", "source", "evidence", "suggestion", "vote", "series", "receipt", "change")
_DERIVED = (
    *("passage", "words", "term", "tag", "reference", "name", "mention", "suggestion_subject", "tally"),
    *("file_print", "confidence_band", "posting", "corpus"),  # the last two as PostgreSQL keeps words
)
_ENTRIES = ("passage_entry", "passage_end", "mention_entry", "file_print_entry")

_CHANGEABLE = {
    Tier.CONTRIBUTOR: {
        "node": "kind title content ontology lists names citation confidence importance status session origin channel"
        " learned_id modified_at modified_by version hash",
        "relation": "reasoning confidence origin rule scores learned_id valid_from valid_to version hash",
        "evidence": "source paragraph start end quote similarity leap learned_id version hash",
        "suggestion": "summary grounds score version hash",
        "vote": "value reason at",
        "series": "value",
    },
    Tier.LIBRARIAN: {
        "node": "retired_at retired_by retired_why merged_into",
        "evidence": "subject",
        "suggestion": "state decided_at decided_by decided_why",
    },
    Tier.CURATOR: {
        "meta": "value",
        "source": "text digest path hash",
        "receipt": "answer",
        "change": "before after",
        "passage": "vector word_vectors start end to_seq",
        "token": "revoked_at",
    },
}

# What each trigger does to the tables it keeps: (trigger, table, operations); an UPDATE names its columns.
_KEEPERS = (
    ("node_made", "tag", "INSERT"),
    ("node_made", "reference", "INSERT"),
    ("node_made", "name", "INSERT"),
    ("node_made", "tally", "INSERT UPDATE:count"),
    ("node_changed", "tag", "INSERT DELETE"),
    ("node_changed", "reference", "INSERT DELETE"),
    ("node_changed", "name", "INSERT DELETE"),
    ("node_counted", "tally", "INSERT UPDATE:count"),
    ("relation_made", "tally", "INSERT UPDATE:count"),
    ("relation_counted", "tally", "INSERT UPDATE:count"),
    ("relation_gone", "tally", "UPDATE:count"),
    ("passage_entered", "passage", "INSERT"),
    ("passage_entered", "words", "INSERT"),
    ("passage_entered", "term", "INSERT UPDATE:df"),
    ("passage_ended", "passage", "UPDATE:to_seq"),
    ("passage_next_stale", "passage_next", "DELETE"),  # while the graph moves to another embedding model
    ("mention_entered", "mention", "INSERT DELETE"),
    ("suggestion_made", "suggestion_subject", "INSERT"),
    ("source_counted", "tally", "INSERT UPDATE:count"),
    ("relation_joined", "tally", "INSERT UPDATE:count"),
    ("relation_parted", "tally", "UPDATE:count"),
    ("node_joined", "tally", "INSERT UPDATE:count"),
    ("node_moved", "tally", "INSERT UPDATE:count"),
    ("file_print_entered", "file_print", "INSERT DELETE"),
    ("node_banded", "confidence_band", "UPDATE:count"),
    ("node_banded_anew", "confidence_band", "UPDATE:count"),
)

# Full text writes its own four tables by statements of its own. SQLITE_DBCONFIG_DEFENSIVE keeps all others out of them.
_SHADOWS = ("words_data", "words_idx", "words_docsize", "words_config")


def _columns(tier: Tier) -> set[Access]:
    return {
        Access("UPDATE", table, column) for table, columns in _CHANGEABLE[tier].items() for column in columns.split()
    }


def _kept() -> set[Access]:
    rules = set()
    for trigger, table, operations in _KEEPERS:
        for operation in operations.split():
            verb, _, column = operation.partition(":")
            rules.add(Access(verb, table, column, trigger))
    return rules


def _added() -> dict[Tier, set[Access]]:
    shadows = {Access(verb, table, _ANY) for table in _SHADOWS for verb in ("INSERT", "UPDATE", "DELETE")}
    inserts = {Access("INSERT", table) for table in (*_TRUTH, *_ENTRIES)}
    repairs = {Access(verb, table, _ANY) for table in _DERIVED for verb in ("INSERT", "UPDATE", "DELETE")}
    removals = {Access("DELETE", table) for table in ("relation", "evidence")}
    return {
        Tier.READER: {Access("PRAGMA", "data_version"), Access("PRAGMA", "user_version")},
        Tier.CONTRIBUTOR: inserts | shadows | _kept() | _columns(Tier.CONTRIBUTOR),
        Tier.LIBRARIAN: removals | _columns(Tier.LIBRARIAN),
        Tier.CURATOR: {Access("INSERT", "meta"), Access("INSERT", "token")} | repairs | _columns(Tier.CURATOR),
    }


_ADDED = _added()
_ERASED = {
    Access("UPDATE", table, column)
    for table, columns in {
        "node": "created_by",
        "relation": "created_by",
        "source": "document ontology created_by",
        "evidence": "creator",
        "suggestion": "dedup proposal created_by",
        "vote": "actor",
        "receipt": "actor key digest",
        "change": "subject_id actor client session",
        "token": "actor created_by",
    }.items()
    for column in columns.split()
}
_RULES = {tier: frozenset().union(*(rules for held, rules in _ADDED.items() if held <= tier)) for tier in Tier}


def allowed(tier: Tier, access: Access) -> bool:
    """Return whether a connection of ``tier`` may do this."""
    if access.operation in _READS:
        return access.operation != "FUNCTION" or access.column.lower() not in _FUNCTIONS_REFUSED
    rules = _RULES[tier]
    return access in rules or access._replace(column=_ANY) in rules


def erasable(tier: Tier, access: Access) -> bool:
    """Return whether a connection of ``tier`` may do this while it erases: a curator's only, and what is blanked only.

    Who made a thing, what it is found by and what a proposal does never change otherwise, not even by a curator.
    """
    return tier >= Tier.CURATOR and access in _ERASED


def tier_needed(access: Access) -> Tier | None:
    """Return the lowest tier that may do this; None: no tier may."""
    return next((tier for tier in Tier if allowed(tier, access)), None)


def grants(tier: Tier) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Yield what a role of ``tier`` may write, for an engine that has roles: operation, table, columns (none: all)."""
    rules = {
        rule for rule in _RULES[tier] if rule.operation in _WRITES and not rule.trigger and rule.table not in _SHADOWS
    }
    for operation, table in sorted({(rule.operation, rule.table) for rule in rules}):
        columns = {rule.column for rule in rules if (rule.operation, rule.table) == (operation, table)}
        yield operation, table, () if columns & {"", _ANY} else tuple(sorted(columns))


def refuse_old_engine(version: str) -> None:
    """Refuse an SQLite engine that can corrupt a graph which several processes write.

    Raises:
        CannotOpen: ``version`` (``3.51.2``) is older than :data:`ENGINE_MIN`.
    """
    if tuple(map(int, version.split("."))) < tuple(map(int, ENGINE_MIN.split("."))):
        raise CannotOpen(
            f"The SQLite engine here is {version}; Weft needs {ENGINE_MIN} or newer, because older ones can lose data"
            " when several processes write.",
            hint="Upgrade the package apsw.",
        )
