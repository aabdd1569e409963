"""What a graph stands on: its store, its index and its memory of use, in a file or in a database server."""

from __future__ import annotations

from dataclasses import dataclass, replace
from importlib.util import find_spec
from typing import TYPE_CHECKING, TypeAlias

from weft.embed import open_embedder, open_entailment, open_intent
from weft.errors import CannotOpen
from weft.index import Index, open_index
from weft.location import FOLDER, shown
from weft.model import Tier
from weft.services.keeping import calibration_of, creators_of, floor_of
from weft.settings import Settings, locate
from weft.store import OpenedFile, SqliteUsage, open_sqlite, open_usage

if TYPE_CHECKING:
    from pathlib import Path

    from weft.ports import Embedder, Entailment, Intent
    from weft.store.postgres.opening import OpenedServer
    from weft.store.postgres.usage import PostgresUsage
    from weft.store.postgres.vectors import PostgresVectors

__all__ = ["Finder", "Ground", "Memory", "Opened", "ground_of", "refuse_without_driver"]

Opened: TypeAlias = "OpenedFile | OpenedServer"
Finder: TypeAlias = "Index | PostgresVectors"
Memory: TypeAlias = "SqliteUsage | PostgresUsage"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """What the verbs are built on.

    ``where`` is what may be told of the place: the file, or the server without user and password. ``path`` is the file,
    or where a file would lie, beside which lies what belongs to the graph on this machine.
    """

    name: str
    where: str
    path: Path
    tier: Tier
    settings: Settings
    opened: Opened
    vectors: Finder
    usage: Memory
    embedder: Embedder
    entailment: Entailment
    intent: Intent


def ground_of(settings: Settings, tier: Tier, *, create: bool) -> Ground:
    """Open what ``settings`` name, making it first where ``create`` is on; the settings' role lowers ``tier``."""
    embedder = open_embedder(settings.embed)
    reach = min(tier, Tier[settings.role.upper()])
    ground = (_server if settings.server else _file)(settings, reach, embedder, create=create)
    values = ground.opened.config.values()
    if settings.embed.url and (calibration := calibration_of(values, embedder)) is not None:
        embedder = open_embedder(replace(settings.embed, dimension=embedder.dimension), calibration=calibration)
    return replace(ground, settings=_configured(settings, values), embedder=embedder)


def _file(settings: Settings, tier: Tier, embedder: Embedder, *, create: bool) -> Ground:
    path = locate(settings)
    opened = open_sqlite(path, tier=tier, model=embedder.name, dimension=embedder.dimension, create=create)
    opened.tend()
    return Ground(
        name=_name_of(path),
        where=str(path),
        path=path,
        tier=tier,
        settings=settings,
        opened=opened,
        vectors=open_index(opened.passages, folder=path.parent, name=path.stem, dimension=embedder.dimension),
        usage=open_usage(path.with_name(f"{path.stem}.usage.db")),
        embedder=embedder,
        entailment=open_entailment(),
        intent=open_intent(),
    )


def refuse_without_driver() -> None:
    """Refuse what takes a database server where its driver is not installed.

    Raises:
        CannotOpen: it is not.
    """
    if find_spec("psycopg") is None:
        raise CannotOpen("The driver for PostgreSQL is not installed.", hint="pip install 'weft-graph[postgres]'")


def _server(settings: Settings, tier: Tier, embedder: Embedder, *, create: bool) -> Ground:
    refuse_without_driver()
    from weft.store.postgres.opening import open_postgres
    from weft.store.postgres.usage import PostgresUsage
    from weft.store.postgres.vectors import PostgresVectors

    url = settings.server
    opened = open_postgres(url, tier=tier, model=embedder.name, dimension=embedder.dimension, create=create)
    return Ground(
        name=str(opened.store.facts()["name"]),
        where=shown(url),
        path=locate(settings),
        tier=opened.database.tier,
        settings=settings,
        opened=opened,
        vectors=PostgresVectors(opened.database, dimension=embedder.dimension),
        usage=PostgresUsage(url, tier=opened.database.tier),
        embedder=embedder,
        entailment=open_entailment(),
        intent=open_intent(),
    )


def _configured(settings: Settings, values: dict[str, str]) -> Settings:
    """Return ``settings`` with what the graph itself configures; what the process was told itself wins."""
    floor = floor_of(values)
    own = floor is None or settings.link_floor != Settings().link_floor
    creators = dict.fromkeys((*settings.registered, *creators_of(values)))
    return replace(settings, creators=",".join(creators), link_floor=settings.link_floor if own else floor or 0.0)


def _name_of(path: Path) -> str:
    """Return what the graph is called: its file's name, or its project's where the file is the project's own."""
    own = path.parent.name == FOLDER and path.stem == "graph"
    return path.parent.parent.name if own and path.parent.parent.name else path.stem
