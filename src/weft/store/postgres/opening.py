"""Opening a graph in PostgreSQL: how it comes to be, what it must be, and what is handed out.

A graph is made by the login that the URL names, which owns it. It needs the extension ``vector`` in the database (0.7
or newer, for half precision) and the roles of the tiers on the server; where the login may make them, it does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from weft.errors import CannotOpen, InvalidArgument, Unavailable
from weft.model import Tier
from weft.store.engine import NO_ROOM
from weft.store.migrate import migrations, newest_schema, refuse_newer_schema, without_room
from weft.store.moved import embedding_of
from weft.store.opened import Opened, compare_model, refuse_unfinished
from weft.store.postgres.bounds import BOUNDED, is_bound
from weft.store.postgres.catalogue import has_schema, has_table
from weft.store.postgres.connection import bare
from weft.store.postgres.database import PostgresDatabase
from weft.store.postgres.erasing import PostgresEraser
from weft.store.postgres.granting import make_bounded
from weft.store.postgres.health import PostgresHealth
from weft.store.postgres.names import SCHEMA, TURN, role_of
from weft.store.postgres.notices import PostgresNotices
from weft.store.postgres.recutting import recut_server
from weft.store.postgres.roles import grant_all, is_owner, known_roles, make_roles, roles_of
from weft.store.postgres.schema import VECTOR_INDEX
from weft.store.postgres.usage import make_usage
from weft.store.postgres.versions import PLACE, refuse_unfit_vectors
from weft.store.recut import cut_of
from weft.text.indexing import CUT

if TYPE_CHECKING:
    from collections.abc import Mapping

    from weft.store.postgres.connection import PostgresWriter

__all__ = ["DIMENSION_MAX", "OpenedServer", "is_there", "name_of", "open_postgres", "schema_of", "upgrade"]

_LOCK = int.from_bytes(b"WefM")
# Functions that run as the owner look into a caller's temporary tables last, where they would not look at all if told
# nothing: else whoever makes one called «tag» has the owner write to it. Whoever writes is waited for: what a step of
# the schema derives from the rows would else lack those of a transaction that is under way.
_BEGIN = f"""
    BEGIN; SELECT pg_advisory_xact_lock({_LOCK});
    SET LOCAL search_path TO {SCHEMA}, public, pg_temp; SET LOCAL statement_timeout TO 0;
    SELECT pg_advisory_xact_lock({TURN})
"""
_PLACE_OPEN = f"SELECT has_schema_privilege(to_regnamespace('{PLACE}'), 'USAGE')"
_LET_IN = f"SELECT has_schema_privilege('{role_of(Tier.READER)}', '{SCHEMA}', 'USAGE')"
DIMENSION_MAX = 4_000
"""How long vectors may be: of half precision, under an HNSW index."""


class OpenedServer(Opened):
    """An open graph in a database."""

    def __init__(self, database: PostgresDatabase, url: str) -> None:
        super().__init__(database)
        self.health = PostgresHealth(database, url)
        self.eraser = PostgresEraser(database, url)
        self.notices: PostgresNotices = PostgresNotices(url)

    def close(self) -> None:
        """Close every connection."""
        self.notices.close()
        super().close()


def open_postgres(url: str, *, tier: Tier, model: str, dimension: int, create: bool) -> OpenedServer:
    """Open the graph in the database that ``url`` names, making it first when it is not there and ``create`` is on.

    ``model`` and ``dimension`` are the embedder's and must be those the graph was made with; an empty ``model`` is not
    compared. ``tier`` is the highest that this opening can reach; it is lowered to what the login may be.

    Raises:
        CannotOpen: there is no graph, or it is of another schema, cut or embedding model, or the database cannot be
            reached, lacks the extension, or does not let this login in. A graph of an older schema, or whose words
            another release has cut, is brought up where the login owns it.
        InvalidArgument: ``url`` is no PostgreSQL URL, or the vectors are too long.
    """
    with bare(url) as login:
        if not is_there(login) or (is_owner(login) and _is_behind(login)):
            upgrade(login, model=model, dimension=dimension, create=create)
        roles = roles_of(login)
        _enter(login, roles)
        facts = dict(login.read("meta_values"))
        compare_model(facts, model, dimension)
    reach, reader = min(tier, max(roles)), roles[Tier.READER]
    return OpenedServer(PostgresDatabase(url, tier=reach, reader=reader, embedding=embedding_of(facts)), url)


def _enter(login: PostgresWriter, roles: Mapping[Tier, str]) -> None:
    """Read as a reader of the graph from here on, once it is known that it can be read.

    Raises:
        CannotOpen: the login may take no role, or the graph is of another schema, or half of a copy.
    """
    if not roles:
        raise CannotOpen(
            "This login may take no role of this graph.",
            hint="Have the login that owns the graph say: weft db grant LOGIN --role reader",
        )
    login.execute(f"SET ROLE {roles[Tier.READER]}")
    if login.execute(_PLACE_OPEN) != [(True,)]:
        raise CannotOpen(
            f"The roles of this graph may not use the schema {PLACE}, in which the extension vector lies.",
            hint=f"Have an administrator say: GRANT USAGE ON SCHEMA {PLACE} TO PUBLIC",
        )
    held, newest = schema_of(login), newest_schema("postgres")
    refuse_newer_schema(held, "The graph", "postgres")
    if held < newest:
        raise CannotOpen(
            f"The graph has schema {held}; this release works with {newest}.",
            hint="Have the login that owns the graph say: weft db migrate",
        )
    refuse_unfinished(dict(login.read("meta_values")))
    if cut_of(login) != CUT:
        raise CannotOpen(
            "The words of the graph are not cut as this release cuts them.",
            hint="Have the login that owns the graph say: weft db migrate",
        )


def _is_behind(login: PostgresWriter) -> bool:
    """Return whether the graph is of another schema or cut, or was restored without what its roles may do."""
    if not roles_of(login) or login.execute(_LET_IN) != [(True,)]:
        return True
    return schema_of(login) != newest_schema("postgres") or cut_of(login) != CUT


def is_there(login: PostgresWriter) -> bool:
    """Return whether the database holds a graph."""
    return has_schema(login, SCHEMA)


def schema_of(login: PostgresWriter) -> int:
    """Return the number of the schema that the graph has; 0: there is none. Whoever asks must be let into it."""
    if not has_table(login, SCHEMA, "migration"):
        return 0
    return int(login.execute(f"SELECT coalesce(max(number), 0) FROM {SCHEMA}.migration")[0][0])


def upgrade(owner: PostgresWriter, *, model: str, dimension: int, create: bool) -> None:
    """Bring the graph to the newest schema and cut of words, or make it; several processes may try at once.

    Raises:
        CannotOpen: there is no graph and ``create`` is off, it is of a newer schema, or the login may not do this; or
            the database has no room left.
    """
    try:
        _bring_up(owner, model, dimension, create=create)
    except Unavailable as error:
        if error.key != NO_ROOM:
            raise
        raise without_room("The graph", "the database has no room or memory left") from error


def _bring_up(owner: PostgresWriter, model: str, dimension: int, *, create: bool) -> None:
    with owner.transaction(_BEGIN):
        held = schema_of(owner)
        refuse_newer_schema(held, "The graph", "postgres")
        if held == 0:
            if not create:
                raise CannotOpen("There is no graph in this database.", hint="Make one with: weft db init")
            if is_there(owner):
                raise CannotOpen(f"The database has a schema {SCHEMA} that is no graph.", hint="Name another database.")
            _found(owner, model, dimension)
        else:
            _keep_roles(owner)
        for number, script in migrations("postgres").items():
            if number > held:
                owner.execute(script)
                owner.execute("INSERT INTO migration (number) VALUES (%(number)s)", {"number": number})
        if held == 0:
            _fill(owner, model, dimension)
        grant_all(owner, SCHEMA)
    make_usage(owner)
    recut_server(owner)


def name_of(owner: PostgresWriter) -> str:
    """Return what the graph is called: its database's name."""
    return str(owner.execute("SELECT current_database()")[0][0])


def _found(owner: PostgresWriter, model: str, dimension: int) -> None:
    if not model:
        raise InvalidArgument("A new graph needs the name of its embedding model.")
    if dimension > DIMENSION_MAX:
        raise InvalidArgument(f"The model's vectors have {dimension} numbers; an index here takes {DIMENSION_MAX}.")
    refuse_unfit_vectors(owner)
    make_roles(owner)
    owner.execute("CREATE EXTENSION IF NOT EXISTS vector SCHEMA public")
    owner.execute(f"CREATE SCHEMA {SCHEMA}")
    owner.execute("CREATE TABLE migration (number bigint PRIMARY KEY)")


def _keep_roles(owner: PostgresWriter) -> None:
    """Make the roles that are lacking: they are the server's, and no dump of the graph brings them to another one.

    Raises:
        CannotOpen, PermissionDenied: the owner may not make them.
    """
    there = known_roles(owner)
    if not roles_of(owner) or any(role_of(tier) not in there for tier in Tier):
        make_roles(owner)
    if is_bound(owner) and BOUNDED not in there:
        make_bounded(owner)


def _fill(owner: PostgresWriter, model: str, dimension: int) -> None:
    facts = {"name": name_of(owner), "model": model, "dimension": str(dimension), "words": CUT}
    for key, value in facts.items():
        owner.execute("INSERT INTO meta (key, value) VALUES (%(key)s, %(value)s)", {"key": key, "value": value})
    owner.execute(f"ALTER TABLE passage ALTER COLUMN vector TYPE halfvec({int(dimension)}); {VECTOR_INDEX}")
