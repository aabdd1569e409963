"""Whole graphs: copied, moved to another embedding model, made and brought up in a database, opened to other logins."""

from __future__ import annotations

from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from weft.errors import CannotOpen, InvalidArgument, Unavailable
from weft.graph.ground import refuse_without_driver
from weft.location import shown
from weft.model import Founded, Granted, Tier
from weft.settings import locate

if TYPE_CHECKING:
    from collections.abc import Sequence
    from contextlib import AbstractContextManager

    from weft.model import Call, Copied, Reembedded
    from weft.services.keeping.reembedding import Move
    from weft.settings import Settings
    from weft.store.copying import Place

__all__ = ["copy", "grant", "make", "migrate", "reembed", "script"]

NO_ROLE = "none"
"""What takes every role away from a login."""

_INDEX_WAIT_S = 30.0
_ROLES = (*(tier.label for tier in Tier), NO_ROLE)


def copy(settings: Settings, source: str, target: str, call: Call, *, restart: bool = False) -> Copied:
    """Copy the graph ``source`` to ``target``; each is a name, a path or the URL of a database.

    The target must be empty, or hold a copy of the source that was broken off: that goes on where it stood, or with
    ``restart`` begins anew. The answer says what was compared; where anything differs the target stays closed.

    Raises:
        PermissionDenied: the call's tier is below curator, or a login does not own its graph.
        CannotOpen: there is no graph at the source, or one of the two cannot be opened.
        Conflict: the target holds another graph, or the source has changed since the copy began.
        InvalidArgument: both are the same, or the target's engine cannot hold a value.
        Unavailable: somebody else is writing to the target, or an engine does not answer.
    """
    from weft.store.copying import copy as copy_graph

    call.require(Tier.CURATOR, "copy")
    places = [_place(settings, name) for name in (source, target)]
    if isinstance(places[0], Path) and not places[0].exists():
        hint = "Check SOURCE: it is what is copied; TARGET is what is made."
        raise CannotOpen(f"There is no graph at {places[0]}.", hint=hint)
    copied = copy_graph(*places, restart=restart, report=call.progress)
    return replace(copied, source=_told(places[0]), target=_told(places[1]))


def reembed(settings: Settings, call: Call, *, dry_run: bool = False) -> Reembedded:
    """Move the graph that ``settings`` name to the embedding model that they name; broken off, a second call goes on.

    Others read and write it with the old model until everything is embedded; from then on they are told to open it
    again. With ``dry_run`` nothing is changed, and the answer says what it would take.

    Raises:
        PermissionDenied: the call's tier is below curator, the login does not own the graph, or this user may not write
            to the graph's file or folder.
        CannotOpen: there is no graph, or it cannot be opened.
        InvalidArgument: the model's vectors are too long for the engine.
        Unavailable: the model does not answer, or somebody else is moving the graph or keeps it busy; what is embedded
            is kept.
    """
    from weft.embed import open_embedder
    from weft.services.keeping.reembedding import Reembedding

    call.require(Tier.CURATOR, "reembed")
    place, embedder = _place(settings, settings.graph), open_embedder(settings.embed)
    with _moving(place) as move:
        reembedding = Reembedding(move, embedder, remote=bool(settings.embed.url))
        done = reembedding.plan(call) if dry_run else reembedding.move(call)
    if done.moved and isinstance(place, Path):
        _index_anew(place, done, call)
    return done


def _moving(place: Place) -> AbstractContextManager[Move]:
    if isinstance(place, str):
        from weft.store.postgres.reembedding import moving_server

        return moving_server(place)
    from weft.store.reembedding import moving_file

    return moving_file(place)


def _index_anew(path: Path, done: Reembedded, call: Call) -> None:
    """Make the index files of the graph in ``path`` anew; where that fails, the next who searches makes them."""
    from weft.index import Sizes, open_index
    from weft.store import open_sqlite

    opened = open_sqlite(path, tier=Tier.CURATOR, model=done.model, dimension=done.dimension, create=False)
    with closing(opened), suppress(Unavailable):
        index = open_index(opened.passages, folder=path.parent, name=path.stem, dimension=done.dimension)
        index.discard(wait_s=_INDEX_WAIT_S)
        if done.passages > Sizes().exact_max:
            call.report(done.passages, done.passages, "making the index")
            index.rebuild(wait_s=_INDEX_WAIT_S)


def make(settings: Settings) -> Founded:
    """Make the graph in the database that ``settings`` name, or bring the one that is there to this release's schema.

    Raises:
        CannotOpen: it cannot be connected to, or an administrator must do something first: see :func:`script`.
        InvalidArgument: the settings name no database.
    """
    url = _server(settings)
    from weft.embed import open_embedder
    from weft.store.postgres.founding import found

    embedder = open_embedder(settings.embed)
    before, schema = found(url, model=embedder.name, dimension=embedder.dimension)
    return Founded(where=shown(settings.server), schema=schema, before=before)


def script(settings: Settings) -> tuple[str, ...]:
    """Return the statements that an administrator must run before the login in ``settings`` can make a graph."""
    url = _server(settings)
    from weft.store.postgres.founding import asked_of_administrators

    return tuple(asked_of_administrators(url))


def migrate(settings: Settings) -> Founded:
    """Bring the graph in the database that ``settings`` name to this release's schema, and grant its roles anew.

    Raises:
        CannotOpen: there is no graph, it is of a newer schema, or it cannot be connected to.
        PermissionDenied: the login does not own it.
    """
    url = _server(settings)
    from weft.store.postgres.founding import bring_up

    before, schema = bring_up(url)
    return Founded(where=shown(settings.server), schema=schema, before=before)


def grant(settings: Settings, login: str, role: str, *, ontologies: Sequence[str] = ()) -> Granted:
    """Let another login of the server be of this role in the graph, or of lower ones, and of no higher one.

    With ``ontologies`` it reads these alone, as a reader.

    Raises:
        CannotOpen: there is no graph, or it cannot be connected to.
        InvalidArgument: there is no such role, or it does not go with ontologies.
        NotFound: there is no such login.
        PermissionDenied: the graph is not the caller's own.
    """
    url = _server(settings)
    from weft.store.postgres.founding import let_in

    if role not in _ROLES:
        raise InvalidArgument(f"role must be one of {', '.join(_ROLES)}, got {role!r}")
    tier = None if role == NO_ROLE else Tier[role.upper()]
    let_in(url, login, tier=tier, ontologies=ontologies)
    return Granted(where=shown(settings.server), login=login, role=role, ontologies=tuple(dict.fromkeys(ontologies)))


def _server(settings: Settings) -> str:
    if not settings.server:
        raise InvalidArgument(
            "graph: weft db looks after graphs in a database; this one is a file",
            hint="Such as --graph postgresql://user@host:5432/database",
        )
    refuse_without_driver()
    return settings.server


def _place(settings: Settings, name: str) -> Place:
    asked = replace(settings, graph=name)
    return _server(asked) if asked.server else locate(asked)


def _told(place: Place) -> str:
    return shown(place) if isinstance(place, str) else str(place)
