"""Servers and extensions of other releases: those that are too old are named, and on all others everything works."""

from __future__ import annotations

import re
import shutil
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from postgres.cluster import APP
from postgres.installed import NAMED, new_folder, programs, version_at_hand
from weft.errors import CannotOpen, WeftError
from weft.model import Tier
from weft.store.postgres import versions
from weft.store.postgres.catalogue import has_schema
from weft.store.postgres.connection import bare
from weft.store.postgres.founding import asked_of_administrators
from weft.store.postgres.names import SCHEMA
from weft.store.postgres.opening import open_postgres
from weft.store.postgres.said import said
from weft.store.postgres.versions import Extension, refuse_older_server
from weft.store.statements import names
from weft.testing.making import DIMENSION

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from postgres.cluster import Cluster
    from weft.store.postgres.opening import OpenedServer

NEEDED = "a graph needs PostgreSQL 15 or newer with pgvector 0.7 or newer."
ITERATIVE = "SELECT current_setting('hnsw.iterative_scan', true)"
WHOLE = ("SELECT", "WITH", "INSERT", "UPDATE", "DELETE")
VALUE = re.compile(r"%\((\w+)\)s")
OF_FILES = ("usage_", "words_sizes")
"""Entries of the other engine's full text, and those of the memory of use, which lies apart."""


def opened(url: str) -> OpenedServer:
    """Open the graph at ``url``, made where there is none."""
    return open_postgres(url, tier=Tier.CURATOR, model="letters", dimension=DIMENSION, create=True)


@pytest.fixture
def bare_url(cluster: Cluster) -> Iterator[str]:
    """The URL of a database without pgvector, of a login that is no superuser."""
    name = cluster.create_database(template="template0")
    yield cluster.url(name)
    cluster.drop_database(name)


def call_it(cluster: Cluster, url: str, vectors: str) -> None:
    """Have the database at ``url`` tell that it holds pgvector of this release."""
    tell = "UPDATE pg_extension SET extversion = %s WHERE extname = 'vector'"
    cluster.rows(tell, vectors, database=url.rpartition("/")[2])


@pytest.mark.parametrize(
    ("server", "plain"), [("14.11 (Debian 14.11-1.pgdg120+2)", "14.11"), ("9.6.24", "9.6.24"), ("14rc1", "14rc1")]
)
def test_an_older_server_is_refused_in_one_sentence_with_what_was_found_and_what_is_needed(
    server: str, plain: str
) -> None:
    """It may call itself as it likes; the first number decides."""
    with pytest.raises(CannotOpen) as refused:
        refuse_older_server(server)
    assert refused.value.message == f"The server has PostgreSQL {plain}; {NEEDED}"


@pytest.mark.parametrize("server", ["15.0", "15.18 (Debian 15.18-0+deb12u1)", "18devel", "100.1"])
def test_a_server_of_a_release_that_is_known_to_work_or_newer_is_not_refused(server: str) -> None:
    """Also one that is not out yet."""
    refuse_older_server(server)


def test_whoever_connects_to_an_older_server_is_told(
    cluster: Cluster, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever it was to be connected to for: this server is old where a later one is needed."""
    monkeypatch.setattr(versions, "SERVER_MIN", 99)
    told = rf"^The server has PostgreSQL {cluster.version}\.\S+; a graph needs PostgreSQL 99 or newer with pgvector"
    for ask in (opened, asked_of_administrators):
        with pytest.raises(CannotOpen, match=told):
            ask(database_url)


def test_an_older_pgvector_in_the_database_is_refused_until_it_is_updated(cluster: Cluster, database_url: str) -> None:
    """A superuser meets the same; nothing is left behind, and what an administrator must do is printed."""
    call_it(cluster, database_url, "0.5.1")
    for url in (database_url, database_url.replace(APP, "postgres")):
        with pytest.raises(CannotOpen) as refused:
            opened(url)
        found, _, needed = refused.value.message.partition("; ")
        assert re.fullmatch(rf"The server has PostgreSQL {cluster.version}\.\S+ with pgvector 0\.5\.1", found)
        assert needed == NEEDED
        assert "weft db init --sql" in refused.value.hint
        assert asked_of_administrators(url) == ["ALTER EXTENSION vector UPDATE;"]
    with bare(database_url) as login:
        assert not has_schema(login, SCHEMA)
    call_it(cluster, database_url, "0.7.0")
    opened(database_url).close()


def test_a_server_with_too_old_a_package_of_pgvector_is_refused(bare_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is in the database yet, and what the server would put there will not do."""
    monkeypatch.setattr(versions, "VECTORS_MIN", (99, 0))
    for url in (bare_url, bare_url.replace(APP, "postgres")):
        with pytest.raises(CannotOpen, match=r"with pgvector 0\.\S+; a graph needs .* with pgvector 99\.0 or newer\.$"):
            opened(url)
        package, put = asked_of_administrators(url)[:2]
        assert re.fullmatch(r"-- The server has pgvector 0\.\S+; first install .* pgvector 99\.0 or newer\.", package)
        assert put == "CREATE EXTENSION vector SCHEMA public;"


@pytest.mark.parametrize(
    ("held", "offered", "lines"),
    [
        ("", "", 2),
        ("", "0.5.1", 2),
        ("0.5.1", "0.5.1", 2),
        ("0.5.1", "0.8.0", 1),
        ("", "0.10.0", 1),
        ("0.7.4", "0.5.1", 0),
        ("1.0", "", 0),
    ],
)
def test_what_an_administrator_must_do_depends_on_what_is_there(held: str, offered: str, lines: int) -> None:
    """The package first where the server has none that will do; 0.10 is newer than 0.7."""
    script = Extension("18.1", held, "public" if held else "", offered).lacking()
    assert len(script) == lines
    assert [line for line in script if line.startswith("--")] == script[: lines - 1 if lines else 0]


def test_an_extension_in_another_schema_is_refused_until_it_is_moved(cluster: Cluster, bare_url: str) -> None:
    """Where a service puts extensions apart, its types are not found; what is printed moves it."""
    database = bare_url.rpartition("/")[2]
    cluster.rows("CREATE SCHEMA extensions", database=database)
    cluster.rows("CREATE EXTENSION vector SCHEMA extensions", database=database)
    for url in (bare_url, bare_url.replace(APP, "postgres")):
        with pytest.raises(CannotOpen, match=r"^The extension vector lies in the schema extensions; .* in public\.$"):
            opened(url)
        [move] = asked_of_administrators(url)
    cluster.rows(move, database=database)
    assert asked_of_administrators(bare_url) == []
    opened(bare_url).close()


def test_a_pgvector_before_0_8_is_not_asked_to_look_on_under_a_filter(cluster: Cluster, database_url: str) -> None:
    """Once it is loaded it refuses a setting that it does not know, and with it every connection that reads."""
    name = database_url.rpartition("/")[2]
    cluster.rows(f"ALTER DATABASE {name} SET session_preload_libraries TO 'vector'")
    [(held,)] = cluster.rows("SELECT extversion FROM pg_extension WHERE extname = 'vector'", database=name)
    for told in (held, "0.7.4"):
        call_it(cluster, database_url, told)
        with closing(opened(database_url)) as graph, graph.database.snapshot() as reader:
            looks_on = reader.execute(ITERATIVE) == [("relaxed_order",)]
        assert looks_on == (told == held and not held.startswith("0.7."))


def test_every_statement_is_understood_by_the_server(letters_url: str) -> None:
    """Entries that are parts of others are understood with these."""
    refused: dict[str, str] = {}
    with bare(letters_url) as owner:
        for name in names("postgres"):
            sql = said(name).sql.replace("%%", "%")
            values = list(dict.fromkeys(VALUE.findall(sql)))
            for number, value in enumerate(values, 1):
                sql = sql.replace(f"%({value})s", f"${number}")
            if sql.startswith(WHOLE) and not name.startswith(OF_FILES):
                try:
                    owner.execute(f"PREPARE {name} AS {sql}")
                except WeftError as error:
                    refused[name] = error.message
    assert refused == {}


def test_the_tests_run_on_the_programs_that_a_variable_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They say of which release they are, and others are still the package's; a folder without them is told by name."""
    monkeypatch.delenv(NAMED, raising=False)
    packed = programs(16)
    folder = new_folder()
    folder.chmod(0o755)
    (folder / "postgres").symlink_to(packed / "postgres")
    monkeypatch.setenv(NAMED, str(folder))
    try:
        assert (version_at_hand(), programs(16)) == (16, folder)
        assert programs(18).parent.parent == packed.parent.parent
    finally:
        shutil.rmtree(folder)
    for named in (str(tmp_path), "bin"):
        monkeypatch.setenv(NAMED, named)
        with pytest.raises(RuntimeError, match=rf"^{NAMED}: there is no {named}/postgres"):
            version_at_hand()
