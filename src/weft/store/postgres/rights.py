"""What each role may do in a graph, compared with what its tier should."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from weft.model import Tier
from weft.store.guard import grants
from weft.store.postgres.bounds import BOUNDED, OPEN, RULES, is_bound
from weft.store.postgres.catalogue import tables_of
from weft.store.postgres.names import SCHEMA, role_of

if TYPE_CHECKING:
    from weft.store.postgres.connection import PostgresReader

__all__ = ["rights_amiss", "roles_amiss"]

# Whoever owns the graph may do everything; 0 is everybody.
_HELD: Final = """
    SELECT coalesce(rolname, 'PUBLIC'), privilege_type, relname, attname FROM (
        SELECT (aclexplode(relacl)).*, relname, relowner, '' AS attname FROM pg_class
        WHERE relnamespace = %(schema)s::regnamespace AND relkind IN ('r', 'v')
        UNION ALL
        SELECT (aclexplode(attacl)).*, relname, relowner, attname FROM pg_attribute
        JOIN pg_class ON pg_class.oid = attrelid
        WHERE relnamespace = %(schema)s::regnamespace AND relkind IN ('r', 'v') AND attnum > 0
    ) AS given
    LEFT JOIN pg_roles ON pg_roles.oid = grantee
    WHERE grantee <> relowner AND (grantee = 0 OR rolname = ANY(%(roles)s))
"""
_RULED: Final = """
    SELECT relname FROM pg_class WHERE relnamespace = %(schema)s::regnamespace AND relrowsecurity AND 2 = (
        SELECT count(*) FROM pg_policy WHERE polrelid = pg_class.oid AND polname IN ('everyone', 'bounded')
    )
"""
_ABOVE: Final = """
    SELECT lower.rolname, upper.rolname FROM pg_auth_members AS held
    JOIN pg_roles AS lower ON lower.oid = held.member JOIN pg_roles AS upper ON upper.oid = held.roleid
    WHERE lower.rolname = ANY(%(roles)s)
"""
_MIGHTY: Final = """
    SELECT rolname FROM pg_roles WHERE rolname = ANY(%(roles)s) AND (rolsuper OR rolbypassrls OR rolcreaterole)
"""


class _Right(NamedTuple):
    """One thing that a role may do; ``column`` is empty for all of them."""

    role: str
    operation: str
    table: str
    column: str


def rights_amiss(reader: PostgresReader) -> list[str]:
    """Return, in words, what roles may do beyond their tiers or may not do that they should; sorted."""
    tables = tables_of(reader, SCHEMA)
    due = {right for tier in Tier for right in _rights_of(tier) if right.table in tables}
    due |= {_Right(role_of(tier), "SELECT", table, "") for tier in Tier for table in tables if table != "bound"}
    unruled: list[str] = []
    if is_bound(reader):
        due |= {_Right(BOUNDED, "SELECT", table, "") for table in (*OPEN, *RULES)}
        ruled = {row[0] for row in reader.execute(_RULED, {"schema": SCHEMA})}
        unruled = [f"{table} has no rule for readers that are held to ontologies" for table in RULES.keys() - ruled]
    held = {_Right(*row) for row in reader.execute(_HELD, {"schema": SCHEMA, "roles": _roles()})}
    lacking, given = (f"{_said(each)} lacks" for each in due - held), (f"{_said(each)} given" for each in held - due)
    return sorted([*unruled, *lacking, *given])


def roles_amiss(reader: PostgresReader) -> list[str]:
    """Return, in words, which roles reach further than their tier on the whole server; sorted."""
    values = {"roles": _roles()}
    above = [f"{lower} is a member of {upper}" for lower, upper in reader.execute(_ABOVE, values)]
    mighty = [f"{role} is more than a role of Weft" for (role,) in reader.execute(_MIGHTY, values)]
    return sorted([*above, *mighty])


def _roles() -> list[str]:
    return [*(role_of(tier) for tier in Tier), BOUNDED]


def _rights_of(tier: Tier) -> set[_Right]:
    return {
        _Right(role_of(tier), operation, table, column)
        for operation, table, columns in grants(tier)
        for column in columns or ("",)
    }


def _said(right: _Right) -> str:
    where = f"{right.table}.{right.column}" if right.column else right.table
    return f"{right.role}: {right.operation} {where}"
