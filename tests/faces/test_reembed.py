"""Moving a graph to another embedding model from the command line: what is said, and with which code it ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from doors import serving, visitor
from embed.endpoint import Endpoint as Served
from embed.endpoint import Reply
from engine import graph_at
from faces.prompt import answer, forget_settings, weft, wide

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def served() -> Iterator[Served]:
    """An endpoint of an embedding model."""
    with Served() as server:
        yield server


@pytest.fixture
def graph(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, served: Served) -> str:
    """The name of a graph of the bundled model with a note in it; the settings name the endpoint's model now."""
    forget_settings(monkeypatch)
    name = graph_at(tmp_path / "notes.db")
    monkeypatch.setenv("WEFT_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("WEFT_GRAPH", name)
    monkeypatch.chdir(tmp_path)
    assert weft("capture", "Water boils.", "--title", "Boiling").exit_code == 0
    monkeypatch.setenv("WEFT_EMBED_URL", served.url)
    monkeypatch.setenv("WEFT_EMBED_MODEL", "far-away-and-with-a-name-that-is-long-enough-to-wrap")
    return name


@pytest.mark.usefixtures("graph")
def test_a_graph_is_moved_and_what_follows_is_said() -> None:
    """From refused, over planned, to moved; then there is nothing to do."""
    refused = weft("search", "water")
    assert refused.exit_code == 3
    assert "weft reembed" in refused.stderr
    planned = weft("reembed", "--dry-run")
    assert "1 of 1 passage left to embed, about a second" in planned.stdout
    moved = weft("reembed")
    assert moved.exit_code == 0
    assert "1 passage, 1 of them embedded by this run" in moved.stdout
    assert "open it again" in moved.stdout
    assert "weft calibrate" in moved.stdout
    assert "Boiling" in weft("search", "water").stdout
    again = weft("reembed")
    assert again.exit_code == 0
    assert "Nothing to do" in again.stdout


@pytest.mark.usefixtures("graph")
@pytest.mark.parametrize("columns", [80, 200])
def test_what_is_said_fits_the_terminal(columns: int) -> None:
    """No line is wider than the screen, and none is cut."""
    for words, end in ((["reembed", "--dry-run"], "about a second"), (["reembed"], "with: weft calibrate")):
        lines = wide(*words, columns=columns)
        assert max(map(len, lines)) <= columns
        assert " ".join(" ".join(lines).split()).endswith(end)


@pytest.mark.usefixtures("graph")
def test_what_was_moved_is_told_in_json() -> None:
    """The plan, the move, and that nothing is left to do."""
    planned = answer("reembed", "--dry-run")
    assert (planned["moved"], planned["lacking"], planned["passages"]) == (False, 1, 1)
    assert planned["estimate_s"] >= 0
    moved = answer("reembed")
    assert moved["moved"]
    assert not moved["resumed"]
    assert (moved["embedded"], moved["dimension"], moved["before_dimension"]) == (1, 384, 384)
    assert moved["before"].startswith("all-MiniLM-L6-v2")
    assert moved["model"].startswith("far-away")
    assert answer("reembed")["moved"] is False


def test_a_server_of_the_old_model_is_not_ready_any_more(tmp_path: Path, graph: str) -> None:
    """It says so to whoever looks after it, and to who calls a tool; what it can still read it reads."""
    with serving(tmp_path) as held, visitor(held) as web:
        assert held.settings.graph == graph
        assert web.get("/readyz").status_code == 200
        assert weft("reembed").exit_code == 0
        assert web.get("/readyz").status_code == 503
        refused = web.post("/api/tools/search", json={"query": "water"})
        assert refused.json()["key"] == "model_moved"
        assert web.post("/api/tools/fetch", json={"id": "Boiling"}).status_code == 200


@pytest.mark.usefixtures("graph")
def test_a_lower_role_does_not_move_a_graph() -> None:
    """It ends with 1 and names the tier; nothing has begun."""
    refused = answer("--role", "librarian", "reembed", code=1)
    assert refused["error"] == "PERMISSION_DENIED"
    assert "curator" in refused["message"]
    assert not answer("reembed", "--dry-run")["resumed"]


@pytest.mark.usefixtures("graph")
def test_a_move_that_is_interrupted_ends_with_130_and_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is embedded is kept, and the next run says that it went on."""
    from weft.services.keeping.reembedding import Reembedding

    def interrupt(*_: object) -> int:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Reembedding, "_settle", interrupt)
        said = weft("reembed")
    assert said.exit_code == 130
    assert "goes on from there" in " ".join(said.stderr.split())
    assert "0 of 1 passage left to embed" in weft("reembed", "--dry-run").stdout
    moved = weft("reembed")
    assert "going on where it had been broken off" in moved.stdout
    assert "0 of them embedded by this run" in moved.stdout


@pytest.mark.usefixtures("graph")
def test_an_endpoint_that_refuses_ends_with_1(served: Served) -> None:
    """And says that nothing is lost."""
    assert answer("reembed", "--dry-run")["lacking"] == 1
    served.replies += [Reply(status=401)]
    failed = answer("reembed", code=1)
    assert failed["error"] == "UNAVAILABLE"


def test_there_is_nothing_to_move_where_no_graph_is(graph: str, tmp_path: Path) -> None:
    """It ends with 3."""
    assert graph
    assert answer("--graph", str(tmp_path / "none.db"), "reembed", code=3)["error"] == "UNAVAILABLE"
