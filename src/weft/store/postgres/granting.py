"""Letting another login of the server be something in the graph, and no more than that."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from weft.errors import InvalidArgument, NotFound, PermissionDenied
from weft.model import Tier
from weft.store.postgres.bounds import BOUNDED, bind, hold, is_bound
from weft.store.postgres.names import role_of
from weft.store.postgres.roles import MAKE_ROLE, known_roles, refuse_stranger

if TYPE_CHECKING:
    from collections.abc import Sequence

    from weft.store.postgres.connection import PostgresWriter

__all__ = ["grant", "make_bounded"]

_KNOWN: Final = """
    SELECT rolsuper OR pg_has_role(rolname, (SELECT relowner FROM pg_class WHERE oid = 'migration'::regclass), 'USAGE')
    FROM pg_roles WHERE rolname = %(login)s AND rolcanlogin
"""
_IS: Final = "SELECT rolname FROM pg_roles WHERE rolname = ANY(%(roles)s) AND pg_has_role(%(login)s, oid, 'MEMBER')"
# Where the server can say so (since PostgreSQL 16), a login has no right of a role before it takes it.
_LET: Final = """
    SELECT format('GRANT %%I TO %%I', %(role)s::text, %(login)s::text) || CASE
        WHEN current_setting('server_version_num')::integer >= 160000 THEN ' WITH INHERIT FALSE, SET TRUE' ELSE '' END
"""
_MAKES: Final = "SELECT quote_ident(rolname), rolsuper OR rolcreaterole FROM pg_roles WHERE rolname = current_user"
_KEEP: Final = "SELECT format('REVOKE %%I FROM %%I', %(role)s::text, %(login)s::text)"
_CONNECT: Final = "SELECT format('GRANT CONNECT ON DATABASE %%I TO %%I', current_database(), %(login)s::text)"
_ROLES: Final = (*(role_of(tier) for tier in Tier), BOUNDED)


def grant(owner: PostgresWriter, login: str, *, tier: Tier | None, ontologies: Sequence[str] = ()) -> None:
    """Let ``login`` be of ``tier`` and lower ones, and of no higher one; None: of none. ``owner`` owns the graph.

    With ``ontologies`` it reads these alone.

    Raises:
        InvalidArgument: it owns the graph, or ontologies go with another tier than a reader's.
        NotFound: there is no such login.
        PermissionDenied: the graph is not the caller's, or the server does not let it grant or take back these roles.
    """
    refuse_stranger(owner, "Granting roles")
    if ontologies and tier is not Tier.READER:
        raise InvalidArgument("ontology: only a reader can be held to ontologies; all others see the whole graph")
    known = owner.execute(_KNOWN, {"login": login})
    if not known:
        raise NotFound(
            f"login: there is none called {login!r} on this server",
            hint="Have an administrator say: CREATE ROLE … LOGIN",
        )
    if known[0][0]:
        raise InvalidArgument(f"login: {login} owns the graph, or may do anything on the server")
    wanted = (BOUNDED,) if ontologies else tuple(role_of(each) for each in Tier if tier is not None and each <= tier)
    with owner.transaction():
        _bound(owner, login, ontologies)
        for role in sorted(_held(owner, login) - set(wanted)):
            _say(owner, _KEEP, role=role, login=login)
        for role in wanted:
            _say(owner, _LET, role=role, login=login)
        if wanted:
            _say(owner, _CONNECT, login=login)
        if left := _held(owner, login) - set(wanted):
            raise PermissionDenied(
                f"{login} is still {min(left)}: somebody else has granted that.",
                hint="Have an administrator take it back.",
            )


def _bound(owner: PostgresWriter, login: str, ontologies: Sequence[str]) -> None:
    """Write down what the login is held to; none: nothing.

    Raises:
        PermissionDenied: it is held to something in another graph.
    """
    here = is_bound(owner) and owner.execute("SELECT 1 FROM bound WHERE login = %(login)s LIMIT 1", {"login": login})
    if ontologies:
        if BOUNDED not in known_roles(owner):
            make_bounded(owner)
        bind(owner)
    elif BOUNDED in _held(owner, login) and not here:
        raise PermissionDenied(
            f"{login} is held to some ontologies of another graph on this server, and would be let into all of that.",
            hint="Roles are the server's: use another login for this graph.",
        )
    if ontologies or here:
        hold(owner, login, ontologies)


def make_bounded(owner: PostgresWriter) -> None:
    """Make the role of readers that are held to ontologies.

    Raises:
        PermissionDenied: the owner may not make roles.
    """
    [(user, may)] = owner.execute(_MAKES)
    if not may:
        raise PermissionDenied(
            f"{user} may not make the role {BOUNDED}, which readers of single ontologies need.",
            hint=f"Have an administrator say: CREATE ROLE {BOUNDED}; GRANT {BOUNDED} TO {user} WITH ADMIN OPTION",
        )
    owner.execute(MAKE_ROLE.format(role=BOUNDED))


def _held(owner: PostgresWriter, login: str) -> set[str]:
    return {role for (role,) in owner.execute(_IS, {"roles": list(_ROLES), "login": login})}


def _say(owner: PostgresWriter, form: str, **names: str) -> None:
    """Run the statement that ``form`` makes of these names, quoted by the server."""
    owner.execute(owner.execute(form, names)[0][0])
