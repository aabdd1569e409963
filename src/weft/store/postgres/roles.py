"""The tiers as roles of the database: what each may do, told by the same table that guards the embedded engine.

A server's login is a member of all four and takes one for each transaction. Whoever wants more between the network and
the graph gives each tier a login of its own (``weft db grant``): then nothing that reaches the server's memory can take
a higher role. Roles belong to the server and not to one database of it: what a login may be in one graph, it may be in
every graph of the server whose database it can connect to.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from weft.errors import CannotOpen, PermissionDenied
from weft.model import Tier
from weft.store.guard import grants
from weft.store.postgres.bounds import BOUNDED, bind, bind_table, is_bound
from weft.store.postgres.catalogue import tables_of
from weft.store.postgres.names import SCHEMA, role_of
from weft.store.postgres.versions import extension_of

if TYPE_CHECKING:
    from collections.abc import Collection

    from weft.store.postgres.connection import PostgresWriter

__all__ = [
    "MAKE_ROLE",
    "amiss",
    "grant_all",
    "grant_table",
    "is_owner",
    "known_roles",
    "make_roles",
    "refuse_stranger",
    "revoke_all",
    "roles_of",
]

MAKE_ROLE: Final = """
    DO $$ BEGIN
        CREATE ROLE {role} NOLOGIN;
    EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
    END $$
"""
# Since PostgreSQL 16 whoever made a role is its member without being allowed to take it.
_MAY = """
    pg_has_role(current_user, oid,
        CASE WHEN current_setting('server_version_num')::integer >= 160000 THEN 'SET' ELSE 'MEMBER' END)
"""
_HELD: Final = f"SELECT rolname FROM pg_roles WHERE rolname LIKE 'weft\\_%' AND {_MAY}"
_OWNER: Final = """
    SELECT pg_has_role(current_user, nspowner, 'USAGE') FROM pg_namespace WHERE nspname = %(schema)s
"""
_STATE: Final = f"""
    SELECT quote_ident(current_user), quote_ident(current_database()),
        (SELECT rolsuper FROM pg_roles WHERE rolname = current_user),
        (SELECT rolcreaterole FROM pg_roles WHERE rolname = current_user),
        has_database_privilege(current_database(), 'CREATE'),
        ARRAY(SELECT rolname::text FROM pg_roles WHERE rolname LIKE 'weft\\_%' AND ({_MAY}
            OR pg_has_role(current_user, oid, 'MEMBER WITH ADMIN OPTION'))),
        ARRAY(SELECT rolname::text FROM pg_roles WHERE rolname LIKE 'weft\\_%')
"""


def make_roles(owner: PostgresWriter) -> None:
    """Make the roles of the tiers where the server lacks them, and let the graph's owner take them.

    Raises:
        CannotOpen: the owner may not make roles, or may not take those that are there.
    """
    refuse_lacking(owner)
    there = known_roles(owner)
    for tier in Tier:
        if role_of(tier) not in there:
            owner.execute(MAKE_ROLE.format(role=role_of(tier)))
        if role_of(tier) not in _held(owner):
            owner.execute(f"GRANT {role_of(tier)} TO CURRENT_USER")


def refuse_lacking(owner: PostgresWriter) -> None:
    """Refuse a login that cannot make a graph here by itself.

    Raises:
        CannotOpen: an administrator must do something first.
    """
    if amiss(owner):
        raise CannotOpen(
            "This login may not make all that a graph needs here: the extension vector, roles, or a schema.",
            hint="Have an administrator run what this prints: weft db init --sql",
        )


def amiss(login: PostgresWriter) -> list[str]:
    """Return what an administrator must run before this login can make a graph here, statement by statement."""
    user, database, is_super, makes_roles, makes_schemas, its, all_ = login.execute(_STATE)[0]
    extension = extension_of(login)
    lines = extension.lacking()
    if is_super:  # it makes what is not there by itself, and changes nothing that is
        return [] if extension.new_enough and extension.in_place else lines
    for tier in Tier:
        role = role_of(tier)
        if role in its or (makes_roles and role not in all_):
            continue
        lines += [] if role in all_ else [f"CREATE ROLE {role} NOLOGIN;"]
        lines += [f"GRANT {role} TO {user} WITH ADMIN OPTION;"]
    return lines + ([] if makes_schemas else [f"GRANT CREATE ON DATABASE {database} TO {user};"])


def known_roles(login: PostgresWriter) -> set[str]:
    """Return the roles and logins of the server."""
    return {role for (role,) in login.execute("SELECT rolname FROM pg_roles")}


def is_owner(login: PostgresWriter) -> bool:
    """Return whether the graph of this database is the login's own; there must be one."""
    return any(row[0] for row in login.execute(_OWNER, {"schema": SCHEMA}))


def refuse_stranger(login: PostgresWriter, what: str) -> None:
    """Refuse a login that does not own the graph; ``what`` is what it wants.

    Raises:
        PermissionDenied: it does not.
    """
    if not is_owner(login):
        raise PermissionDenied(f"{what} takes the login that owns the graph.")


def roles_of(login: PostgresWriter) -> dict[Tier, str]:
    """Return the role that the login may take for each tier, up to the first that it may not; none: it reads nothing.

    Where it is held to some ontologies, the reader's is another one.
    """
    held, roles = _held(login), {}
    for tier in Tier:
        if role_of(tier) in held:
            roles[tier] = role_of(tier)
        elif tier is Tier.READER and BOUNDED in held:
            return {tier: BOUNDED}
        else:
            break
    return roles


def _held(login: PostgresWriter) -> set[str]:
    return {role for (role,) in login.execute(_HELD)}


def grant_all(owner: PostgresWriter, schema: str) -> None:
    """Grant each role what its tier may do in ``schema``, and nothing else."""
    tables = tables_of(owner, schema)
    revoke_all(owner, schema)
    for tier in Tier:
        owner.execute(f"GRANT SELECT ON ALL TABLES IN SCHEMA {schema} TO {role_of(tier)}")
        _grant_writes(owner, schema, tier, tables)
    if is_bound(owner):
        bind(owner)


def grant_table(owner: PostgresWriter, schema: str, table: str) -> None:
    """Grant each role what its tier may do with one table of ``schema``, which is new there."""
    for tier in Tier:
        owner.execute(f"GRANT SELECT ON {schema}.{_quoted(table)} TO {role_of(tier)}")
        _grant_writes(owner, schema, tier, {table})
    if is_bound(owner):
        bind_table(owner, table)


def _grant_writes(owner: PostgresWriter, schema: str, tier: Tier, tables: Collection[str]) -> None:
    for operation, table, columns in grants(tier):
        if table in tables:
            only = f" ({', '.join(_quoted(column) for column in columns)})" if columns else ""
            owner.execute(f"GRANT {operation}{only} ON {schema}.{_quoted(table)} TO {role_of(tier)}")


def revoke_all(owner: PostgresWriter, schema: str) -> None:
    """Leave each role nothing in ``schema`` but to see which graph it is."""
    for tier in Tier:
        role = role_of(tier)
        owner.execute(f"REVOKE ALL ON ALL TABLES IN SCHEMA {schema} FROM {role}")
        owner.execute(f"GRANT USAGE ON SCHEMA {schema} TO {role}")
        owner.execute(f"GRANT SELECT ON {schema}.meta, {schema}.migration TO {role}")
    if is_bound(owner):
        owner.execute(f"REVOKE ALL ON ALL TABLES IN SCHEMA {schema} FROM {BOUNDED}")


def _quoted(name: str) -> str:
    return f'"{name}"'
