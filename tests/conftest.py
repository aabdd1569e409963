"""PostgreSQL for any test that asks for it: one cluster for the whole run, and a fresh database for each test."""

from __future__ import annotations

import os
import sys
import tempfile
from functools import cache
from typing import TYPE_CHECKING

import apsw
import pytest
from hypothesis import HealthCheck, settings
from typer.main import get_command

import engine
from embed.remembered import BUNDLED
from laying import laid_once
from postgres.installed import in_memory
from weft.embed import open_embedder
from weft.graph import ground

if TYPE_CHECKING:
    from collections.abc import Iterator

    from postgres.cluster import Cluster

# Each worker rewrites two hundred modules of tests, each process that a test starts reads four hundred of ours: what
# the first one compiles is kept for the others, also where the environment asks for no bytecode.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# Nothing waits for a disk there; what a power cut leaves is tested with an engine's own disk (tests/store/power.py).
for place in in_memory():
    os.environ["TMPDIR"] = tempfile.tempdir = str(place)

# How long an example takes says how busy the machine is, and nothing of what is tested.
settings.register_profile("weft", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("weft")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """One worker more than there are processors: a third of the time tests wait, for servers, browsers and disks."""
    return (os.cpu_count() or 1) + 1


_files: list[str] = []
"""The files of graphs that were opened since the last test ended, where graphs lie in a server."""


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """A PostgreSQL server, started by the first test that needs it; a test that hurts its server starts its own."""
    from postgres.cluster import Cluster

    with Cluster() as primary:
        yield primary


@pytest.fixture
def database_url(cluster: Cluster) -> Iterator[str]:
    """The URL of an empty database, with pgvector, of a login that is no superuser."""
    name = cluster.create_database()
    yield cluster.url(name)
    cluster.drop_database(name)


@pytest.fixture(scope="session")
def _letters(cluster: Cluster) -> str:
    """A database that holds an empty graph of the contracts' model, to be copied."""
    from weft.model import Tier
    from weft.store.postgres.opening import open_postgres
    from weft.testing.making import DIMENSION

    name = cluster.create_database()
    open_postgres(cluster.url(name), tier=Tier.CURATOR, model="letters", dimension=DIMENSION, create=True).close()
    return name


@pytest.fixture
def letters_url(cluster: Cluster, _letters: str) -> Iterator[str]:
    """The URL of an empty graph of the contracts' model."""
    name = cluster.create_database(template=_letters)
    yield cluster.url(name)
    cluster.drop_database(name)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let a run say where its graphs lie."""
    parser.addoption("--engine", choices=("sqlite", "postgres"), default="sqlite", help="where graphs lie")


def pytest_configure(config: pytest.Config) -> None:
    """Have the server started by the first test that needs it."""
    config.addinivalue_line("markers", "files_too: opens a file besides, also where graphs lie in a server")
    config.addinivalue_line("markers", "files_only(why): of files alone; says why, or names its twin on PostgreSQL")
    if config.getoption("--engine") == "postgres":
        from postgres.cluster import Cluster

        engine.server.append(engine.Server(lambda: Cluster().__enter__()))
        apsw.connection_hooks.append(lambda connection: _files.append(connection.filename))


def pytest_collection_modifyitems(items: list[pytest.Item], config: pytest.Config) -> None:
    """Leave out what is about files where there are none; a mark says why, and a twin that it names is there."""
    for item in items:
        mark = item.get_closest_marker("files_only")
        if mark is None:
            continue
        (why,) = mark.args
        named = [word for word in why.split() if word.endswith(".py")]
        if missing := [name for name in named if not (config.rootpath / name).is_file()]:
            raise pytest.UsageError(f"{item.nodeid}: there is no {missing[0]}")
        if engine.server:
            item.add_marker(pytest.mark.skip(reason=f"of files only: {why}"))


def pytest_unconfigure() -> None:
    """End the server."""
    for each in engine.server:
        each.stop()


@pytest.fixture(scope="session", autouse=True)
def _shared() -> Iterator[None]:
    """Load the model, lay an empty graph and the command line once a run; memories in busy servers may take long."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            ground,
            "open_embedder",
            lambda endpoint, **more: open_embedder(endpoint, **more) if endpoint.url else BUNDLED,
        )
        patch.setattr("weft.store.opening._lay", laid_once)
        # to lay out the command line anew for each command took three times as long as most commands themselves
        patch.setattr("typer.testing._get_command", cache(get_command))
        if engine.server:
            patch.setattr("weft.store.postgres.usage._PATIENCE_S", 5.0)
        yield


@pytest.fixture(autouse=True)
def _no_file(request: pytest.FixtureRequest) -> Iterator[None]:
    """Where graphs lie in a server, a test that opens a file tests nothing of it, unless it says that it does."""
    yield
    opened = [*_files]
    _files.clear()
    allowed = request.node.get_closest_marker("files_too")
    assert allowed or not opened, f"{opened[0]} was opened: name graphs by what tests/engine.py gives for a path"


@pytest.fixture(autouse=True)
def _cleared(request: pytest.FixtureRequest) -> Iterator[None]:
    """Drop the databases that stood for paths in the folder of the test that ended."""
    folder = request.getfixturevalue("tmp_path") if engine.server and "tmp_path" in request.fixturenames else None
    yield
    if folder is not None:
        engine.server[0].clear(folder)
