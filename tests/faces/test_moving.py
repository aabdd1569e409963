"""Copying graphs and looking after databases from the command line: what is said, and with which code it ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from faces.prompt import answer, weft
from weft.store.sqlite import connect

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from postgres.cluster import Cluster


pytestmark = pytest.mark.usefixtures("at_home")


@pytest.fixture
def login(cluster: Cluster, database_url: str) -> Iterator[Callable[[], tuple[str, str]]]:
    """Makes logins that are nothing yet; gives the name of each, and its URL of the test's database."""
    made: list[str] = []
    database = database_url.rpartition("/")[2]

    def make() -> tuple[str, str]:
        made.append(f"guest{len(made)}_{database}")
        cluster.rows(f"CREATE ROLE {made[-1]} LOGIN")
        return made[-1], cluster.url(database, user=made[-1])

    yield make
    for name in made:
        cluster.rows(f"DROP OWNED BY {name}", database=database)
        cluster.rows(f"DROP ROLE {name}")


@pytest.mark.files_too
def test_a_graph_moves_to_a_database_and_back(database_url: str, tmp_path: Path) -> None:
    """By name, by URL and by path; what was compared is told, and the graph is used where it is now."""
    weft("--graph", "notes", "capture", "Water boils.", "--title", "Boiling", "--tag", "heat")
    copied = answer("copy", "notes", database_url)
    assert copied["same"]
    assert copied["source"] == str(tmp_path / "home" / "notes.db")
    assert copied["target"].startswith("postgresql://127.0.0.1:")
    assert "weft_app" not in copied["target"]
    assert {each["table"]: each["rows"] for each in copied["tables"]}["node"] == 1
    assert "Boiling" in weft("--graph", database_url, "search", "boils").stdout
    weft("--graph", database_url, "capture", "Ice melts.", "--title", "Melting")
    said = weft("copy", database_url, "back.db")
    assert said.exit_code == 0
    assert "compared row by row" in said.stdout
    assert "node: 2 rows" in said.stdout
    assert weft("--graph", "./back.db", "fetch", "Melting").exit_code == 0
    assert weft("--graph", "./back.db", "doctor").exit_code == 0


@pytest.mark.files_too
def test_a_copy_needs_a_curator_an_empty_place_and_a_graph(tmp_path: Path) -> None:
    """1 where it is refused, 3 where there is no graph; nothing is made."""
    weft("--graph", "notes", "capture", "Water boils.", "--title", "Boiling")
    weft("--graph", "other", "capture", "Ice melts.", "--title", "Melting")
    assert answer("--role", "librarian", "copy", "notes", "new.db", code=1)["error"] == "PERMISSION_DENIED"
    assert answer("copy", "notes", "other", code=1)["error"] == "CONFLICT"
    assert answer("copy", "notes", "other", "--restart", code=1)["error"] == "CONFLICT"
    assert answer("copy", "notes", "notes", code=1)["error"] == "INVALID_ARGUMENT"
    missing = weft("copy", "missing", "new.db")
    assert missing.exit_code == 3
    assert "Check SOURCE" in missing.stderr
    assert "weft init" not in missing.stderr  # it would make another graph than the one that was named
    assert weft("copy", "notes").exit_code == 2
    assert not (tmp_path / "new.db").exists()


@pytest.mark.files_too
def test_a_broken_copy_is_closed_and_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    """Interrupted it ends with 130; opened it is refused with 3; the same command goes on, or is told to begin anew."""
    weft("--graph", "notes", "capture", "Water boils.", "--title", "Boiling")
    from weft.store.taking import FileTaker

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(FileTaker, "complete", interrupt)
        said = weft("copy", "notes", "new.db")
    assert said.exit_code == 130
    assert "goes on from there" in said.stderr
    refused = weft("--graph", "./new.db", "search", "water")
    assert refused.exit_code == 3
    assert "weft copy" in refused.stderr
    assert "SOURCE TARGET" in refused.stderr  # as its help calls them
    assert "copy [OPTIONS] SOURCE TARGET" in weft("copy", "--help").stdout
    weft("--graph", "notes", "capture", "Ice melts.", "--title", "Melting")
    assert "--restart" in weft("copy", "notes", "new.db").stderr
    assert weft("copy", "notes", "new.db", "--restart").exit_code == 0
    assert weft("--graph", "./new.db", "fetch", "Melting").exit_code == 0


@pytest.mark.files_too
def test_a_copy_that_differs_ends_with_1(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What differs is named, and what to do."""
    weft("--graph", "notes", "capture", "Water boils.", "--title", "Boiling")
    from weft.store.taking import FileTaker

    whole = FileTaker.complete

    def meddle(self: FileTaker, facts: dict[str, str]) -> None:
        whole(self, facts)
        raw = connect(tmp_path / "new.db", synchronous="OFF", vfs="")
        raw.execute("UPDATE node SET title = 'Boilinh'")
        raw.close()

    monkeypatch.setattr(FileTaker, "complete", meddle)
    said = weft("copy", "notes", "new.db")
    assert said.exit_code == 1
    assert "node: 1 row" in said.stdout
    assert "in the copy 1 row" in said.stdout
    assert "--restart" in said.stdout
    assert answer("copy", "notes", "new.db", code=1)["same"] is False


def test_a_database_is_made_and_brought_up(database_url: str) -> None:
    """Once, and again without harm."""
    assert answer("--graph", database_url, "db", "init")["before"] == 0
    again = answer("--graph", database_url, "db", "init")
    assert again["before"] == again["schema"] > 0
    assert "there already" in weft("--graph", database_url, "db", "init").stdout
    assert answer("--graph", database_url, "db", "migrate")["schema"] == again["schema"]
    assert weft("--graph", database_url, "capture", "Water boils.", "--title", "Boiling").exit_code == 0


def test_what_an_administrator_must_do_is_printed_and_is_enough(cluster: Cluster) -> None:
    """A login that may make neither roles nor extensions nor schemas; with what is printed done, it makes the graph."""
    name = cluster.create_database(template="template0")
    login = f"plain_{name}"
    cluster.rows(f"CREATE ROLE {login} LOGIN")
    url = cluster.url(name, user=login)
    refused = weft("--graph", url, "db", "init")
    assert refused.exit_code == 3
    assert "weft db init --sql" in refused.stderr
    script = weft("--graph", url, "db", "init", "--sql").stdout
    assert "CREATE EXTENSION vector" in script
    assert f"GRANT CREATE ON DATABASE {name} TO {login};" in script
    for statement in script.splitlines():
        cluster.rows(statement, database=name)
    assert "Nothing is missing" in weft("--graph", url, "db", "init", "--sql").stdout
    assert weft("--graph", url, "db", "init").exit_code == 0
    assert weft("--graph", url, "capture", "Water boils.", "--title", "Boiling").exit_code == 0
    cluster.drop_database(name)
    cluster.rows(f"DROP ROLE {login}")


def test_a_login_is_let_in_as_far_as_it_was_granted(database_url: str, login: Callable[[], tuple[str, str]]) -> None:
    """Whatever role it asks for itself; nothing before it was granted, and nothing after it was taken away."""
    weft("--graph", database_url, "capture", "Water boils.", "--title", "Boiling")
    name, url = login()
    before = weft("--graph", url, "search", "water")
    assert before.exit_code == 3
    assert "weft db grant" in before.stderr
    assert weft("--graph", database_url, "db", "grant", name, "--role", "reader").exit_code == 0
    assert "Boiling" in weft("--graph", url, "search", "water").stdout
    refused = answer("--graph", url, "--role", "curator", "capture", "Ice melts.", "--title", "Melting", code=1)
    assert refused["error"] == "PERMISSION_DENIED"
    assert answer("--graph", database_url, "db", "grant", name, "--role", "contributor")["role"] == "contributor"
    assert weft("--graph", url, "capture", "Ice melts.", "--title", "Melting").exit_code == 0
    assert weft("--graph", url, "forget", "Melting", "--yes").exit_code == 1
    assert weft("--graph", url, "db", "grant", name, "--role", "curator").exit_code == 1
    assert weft("--graph", database_url, "db", "grant", name, "--role", "none").exit_code == 0
    assert weft("--graph", url, "search", "water").exit_code == 3


def test_a_reader_is_held_to_an_ontology(database_url: str, login: Callable[[], tuple[str, str]]) -> None:
    """It finds what lies there, and is not told that there is more."""
    weft("--graph", database_url, "capture", "Water boils.", "--title", "Boiling", "--ontology", "physics")
    weft("--graph", database_url, "capture", "The zeppelin lifts.", "--title", "Zeppelin", "--ontology", "plans")
    name, url = login()
    granted = ("--graph", database_url, "db", "grant", name, "--role", "reader", "--ontology", "physics")
    assert answer(*granted)["ontologies"] == ["physics"]
    assert "Boiling" in weft("--graph", url, "search", "boils").stdout
    assert "eppelin" not in weft("--graph", url, "search", "zeppelin lifts").stdout
    assert weft("--graph", url, "fetch", "Zeppelin").exit_code == 1
    assert weft("--graph", url, "status").exit_code == 0
    assert "plans" not in weft("--graph", url, "status", "--json").stdout
    assert weft("--graph", url, "context", "water").exit_code == 0
    assert weft("--graph", database_url, "doctor").exit_code == 0
    wrong = ("--graph", database_url, "db", "grant", name, "--role", "curator", "--ontology", "physics")
    assert answer(*wrong, code=1)["error"] == "INVALID_ARGUMENT"


def test_db_is_for_databases_and_says_what_it_takes(database_url: str) -> None:
    """A file, an unknown role, an unknown login and a database without a graph are told apart."""
    assert "is a file" in weft("--graph", "notes", "db", "init").stderr
    assert answer("--graph", database_url, "db", "grant", "ann", "--role", "reader", code=3)["error"] == "UNAVAILABLE"
    weft("--graph", database_url, "db", "init")
    assert (
        answer("--graph", database_url, "db", "grant", "ann", "--role", "king", code=1)["error"] == "INVALID_ARGUMENT"
    )
    assert answer("--graph", database_url, "db", "grant", "ann-who", "--role", "reader", code=1)["error"] == "NOT_FOUND"
    assert weft("--graph", database_url, "db", "grant", "ann").exit_code == 2
