"""The engine that a run of the tests keeps its graphs in: files, or with ``--engine postgres`` a real server.

Tests name a graph by a path. On PostgreSQL the path stands for a database, made when it is first asked for out of one
that holds an empty graph already, and dropped when the test ends. Processes that a test starts know what its paths
stand for.
"""

from __future__ import annotations

import json
import os
import shutil
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final, TypeVar

import weft
from postgres.leftover import holding
from weft.embed import open_embedder
from weft.graph import moving
from weft.index import open_index
from weft.settings import Settings
from weft.store import open_sqlite, open_usage
from weft.store.sqlite import connect

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from postgres.cluster import Cluster
    from weft.graph import Graph
    from weft.graph.ground import Finder, Memory, Opened
    from weft.model import Tier
    from weft.ports import Embedder

__all__ = [
    "Server",
    "a_folder",
    "copied",
    "execute_at",
    "filled_at",
    "finder_at",
    "graph_at",
    "lying_in",
    "memory_at",
    "opened_at",
    "place_at",
    "server",
]

T = TypeVar("T")

TOLD: Final = "DATABASES_OF_THE_TEST"
"""The variable in which processes that a test starts are told what its paths stand for."""


class Server:
    """The databases of one test run, by the paths that stand for them."""

    def __init__(self, start: Callable[[], Cluster]) -> None:
        self._start = start
        self._cluster: Cluster | None = None
        self._empty: dict[tuple[str, int], str] = {}
        self._names: dict[Path, str] = {}
        self._memories: dict[Path, list[Memory]] = {}

    def url(self, path: Path, *, model: str, dimension: int) -> str:
        """Return the URL of the graph that ``path`` stands for."""
        if told := json.loads(os.environ.get(TOLD, "{}")).get(str(path)):
            return str(told)
        self._name(path, self._template(model, dimension))
        self.execute(path, "UPDATE weft.meta SET value = %s WHERE key = 'name'", path.stem)
        return self._urls()[str(path)]

    def place(self, path: Path) -> str:
        """Return the URL of the empty database that ``path`` stands for: a graph can be made there."""
        if path not in self._names:
            self._name(path, "template1")
        return self._urls()[str(path)]

    def copy(self, folder: Path, to: Path) -> None:
        """Copy what paths in ``folder`` stand for; nobody may have it open."""
        for path in self._within(folder):
            self._name(to / path.relative_to(folder), self._names[path])

    def execute(self, path: Path, sql: str, *values: object) -> None:
        """Run a statement in the database that ``path`` stands for, as one who may do everything."""
        self._running().rows(sql, *values, database=self._names[path])

    def holding(self, folder: Path, *needles: str) -> list[str]:
        """Return the tables of databases that paths in ``folder`` stand for in which one of ``needles`` is."""
        names = (self._names[path] for path in self._within(folder))
        return [table for name in names for table in holding(self._running(), name, *needles)]

    def hold(self, path: Path, memory: Memory) -> None:
        """Close a memory of use before the database that ``path`` stands for is dropped."""
        self._memories.setdefault(path, []).append(memory)

    def clear(self, folder: Path) -> None:
        """Drop what paths in ``folder`` stood for."""
        for path in self._within(folder):
            for memory in self._memories.pop(path, ()):
                memory.close()
            self._running().drop_database(self._names.pop(path))
        self._tell()

    def leave(self) -> None:
        """Forget the paths; databases that are left go with the server."""
        for memories in self._memories.values():
            for memory in memories:
                memory.close()
        os.environ.pop(TOLD, None)

    def stop(self) -> None:
        """End the server."""
        if self._cluster is not None:
            self._cluster.remove()

    def _running(self) -> Cluster:
        self._cluster = self._cluster or self._start()
        return self._cluster

    def _within(self, folder: Path) -> list[Path]:
        return [path for path in self._names if path.is_relative_to(folder)]

    def _name(self, path: Path, template: str) -> None:
        self._names[path] = self._running().create_database(template=template)
        self._tell()

    def _urls(self) -> dict[str, str]:
        return {str(path): self._running().url(name) for path, name in self._names.items()}

    def _tell(self) -> None:
        os.environ[TOLD] = json.dumps(self._urls())

    def _template(self, model: str, dimension: int) -> str:
        from weft.model import Tier
        from weft.store.postgres.opening import open_postgres

        if (model, dimension) not in self._empty:
            name = self._empty[model, dimension] = self._running().create_database()
            url = self._running().url(name)
            open_postgres(url, tier=Tier.CURATOR, model=model, dimension=dimension, create=True).close()
        return self._empty[model, dimension]


def _nothing() -> Cluster:
    raise AssertionError("a process that a test started makes no graph of its own in the server")


server: list[Server] = [Server(_nothing)] if TOLD in os.environ else []
"""The server of this run; none: graphs lie in files."""


@contextmanager
def lying_in(cluster: Cluster) -> Iterator[None]:
    """Let graphs lie in ``cluster`` for a while; in a run whose graphs lie in a server they do already."""
    if server:
        yield
        return
    held = Server(lambda: cluster)
    server.append(held)
    try:
        yield
    finally:
        server.remove(held)
        held.leave()


def graph_at(path: Path) -> str:
    """Return how the graph that ``path`` stands for is named to ``weft.open``, for the bundled model."""
    return _url(path, open_embedder()) if server else str(path)


def place_at(path: Path) -> str:
    """Return how the place that ``path`` stands for is named to ``weft.open``: no graph is there yet."""
    return server[0].place(path) if server else str(path)


def opened_at(path: Path, embedder: Embedder, *, tier: Tier, synchronous: str = "FULL") -> Opened:
    """Return what is opened of the graph that ``path`` stands for, made if it is not there.

    ``synchronous`` is how a file is synced; the server of a test run never syncs.
    """
    wish = {"model": embedder.name, "dimension": embedder.dimension, "create": True}
    if not server:
        return open_sqlite(path, tier=tier, synchronous=synchronous, **wish)
    from weft.store.postgres.opening import open_postgres

    return open_postgres(_url(path, embedder), tier=tier, **wish)


def finder_at(path: Path, opened: Opened, embedder: Embedder) -> Finder:
    """Return the index of the graph that ``path`` stands for, of which this is opened."""
    if not server:
        return open_index(opened.passages, folder=path.parent, name=path.stem, dimension=embedder.dimension)
    from weft.store.postgres.vectors import PostgresVectors

    return PostgresVectors(opened.database, dimension=embedder.dimension)


def memory_at(path: Path, embedder: Embedder, *, tier: Tier) -> Memory:
    """Return the memory of use of the graph that ``path`` stands for; it is closed with the test at the latest."""
    if not server:
        return open_usage(path.with_name(f"{path.stem}.usage.db"))
    from weft.store.postgres.usage import PostgresUsage

    memory = PostgresUsage(_url(path, embedder), tier=tier)
    server[0].hold(path, memory)
    return memory


def execute_at(path: Path, sql: str) -> None:
    """Run a statement past the store, on the graph that ``path`` stands for."""
    if server:
        server[0].execute(path, f"SET search_path TO weft, public; {sql}")
        return
    raw = connect(path, synchronous="FULL", vfs="")
    raw.execute(sql)
    raw.close()


def copied(folder: Path, to: Path) -> Path:
    """Copy ``folder``, with the closed graphs that paths in it stand for, and return the copy."""
    shutil.copytree(folder, to, dirs_exist_ok=True)
    for each in server:
        each.copy(folder, to)
    return to


def filled_at(path: Path, fill: Callable[[Graph], T]) -> T:
    """Fill the graph that ``path`` stands for, row upon row, and return what ``fill`` does.

    On PostgreSQL a file is filled and copied: a hundred thousand statements to a server take minutes, not seconds.
    """
    with weft.open(settings=Settings(graph=str(path), actor="ann")) as graph:
        made = fill(graph)
        call = graph.call("copy")
    if server:
        moving.copy(Settings(), str(path), place_at(path), call)
    return made


@contextmanager
def a_folder() -> Iterator[Path]:
    """Give a folder for one of many examples; it goes, with the graphs that paths in it stand for, at the end."""
    with TemporaryDirectory() as name:
        try:
            yield Path(name)
        finally:
            for each in server:
                each.clear(Path(name))


def _url(path: Path, embedder: Embedder) -> str:
    return server[0].url(path, model=embedder.name, dimension=embedder.dimension)
