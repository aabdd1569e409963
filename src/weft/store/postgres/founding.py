"""What whoever runs a database server does for a graph in it: make it, bring it up, let others in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from weft.errors import CannotOpen
from weft.store.opened import compare_model, refuse_unfinished
from weft.store.postgres.connection import bare
from weft.store.postgres.granting import grant
from weft.store.postgres.opening import is_there, schema_of, upgrade
from weft.store.postgres.roles import amiss, refuse_stranger, roles_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from weft.model import Tier
    from weft.store.postgres.connection import PostgresWriter

__all__ = ["asked_of_administrators", "bring_up", "found", "let_in"]


def found(url: str, *, model: str, dimension: int) -> tuple[int, int]:
    """Make the graph in the database that ``url`` names; return the schema it had before (0: none) and has now.

    Raises:
        CannotOpen: it cannot be connected to, or an administrator must do something first, or there is one of another
            embedding model, or half of a copy.
        PermissionDenied: there is one that another login owns.
    """
    with bare(url) as owner:
        before = 0
        if is_there(owner):
            refuse_stranger(owner, "Looking after a graph")
            before = schema_of(owner)
        upgrade(owner, model=model, dimension=dimension, create=True)
        facts = dict(owner.read("meta_values"))
        refuse_unfinished(facts)
        compare_model(facts, model, dimension)
        return before, schema_of(owner)


def asked_of_administrators(url: str) -> list[str]:
    """Return the statements that an administrator must run before this login can make a graph there; none: it can.

    Raises:
        CannotOpen: it cannot be connected to.
    """
    with bare(url) as login:
        return [] if is_there(login) and roles_of(login) else amiss(login)


def bring_up(url: str) -> tuple[int, int]:
    """Bring the graph to this release's schema and grant its roles anew; return the schema that it had, and has.

    Raises:
        CannotOpen: it cannot be connected to, there is no graph, it is of a newer schema, or half of a copy.
        PermissionDenied: another login owns it.
    """
    with bare(url) as owner:
        _refuse_absent(owner)
        refuse_stranger(owner, "Looking after a graph")
        refuse_unfinished(dict(owner.read("meta_values")))
        before = schema_of(owner)
        upgrade(owner, model="", dimension=0, create=False)
        return before, schema_of(owner)


def let_in(url: str, login: str, *, tier: Tier | None, ontologies: Sequence[str]) -> None:
    """Let ``login`` be of ``tier`` in the graph, or of none; with ``ontologies`` as a reader of these alone.

    Raises:
        CannotOpen: it cannot be connected to, or there is no graph.
        InvalidArgument: the login owns the graph, or ontologies go with another tier than a reader's.
        NotFound: there is no such login.
        PermissionDenied: another login owns the graph.
    """
    with bare(url) as owner:
        _refuse_absent(owner)
        grant(owner, login, tier=tier, ontologies=ontologies)


def _refuse_absent(login: PostgresWriter) -> None:
    if not is_there(login):
        raise CannotOpen("There is no graph in this database.", hint="Make one with: weft db init")
