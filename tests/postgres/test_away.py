"""A database that is away: every face says so without telling who connects where, and works once it is back."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import anyio
import pytest
from typer.testing import CliRunner

from doors import client, text_of, visitor
from postgres.cluster import Cluster, until
from team import bearer, visiting
from weft.faces.cli import app
from weft.faces.serving import Serving
from weft.settings import Settings
from weft.tools.offer import Offer

if TYPE_CHECKING:
    from collections.abc import Iterator

SECRET = "hunter2"  # noqa: S105 - a password that must not be seen anywhere
LATER = "later"
"""A database that is made while somebody waits for it."""


@pytest.fixture
def held(cluster: Cluster) -> Iterator[Serving]:
    """What a server holds of a graph whose database is away."""
    url = cluster.url(LATER).replace("@", f":{SECRET}@")
    chosen = Settings(graph=url, actor="ann")
    serving = Serving(chosen, Offer.of(chosen))
    yield serving
    serving.close()
    cluster.drop_database(LATER)


def come_back(cluster: Cluster) -> None:
    """Make the database."""
    cluster.rows(f"CREATE DATABASE {LATER} OWNER weft_app")


def test_over_mcp_it_is_an_answer_and_is_tried_again(held: Serving, cluster: Cluster) -> None:
    """The tools are listed meanwhile."""

    async def main() -> None:
        with anyio.fail_after(60):
            async with client(held) as connected:
                assert (await connected.list_tools()).tools
                refused = text_of(await connected.call_tool("status", {}))
                assert refused["error"] == "UNAVAILABLE"
                assert SECRET not in json.dumps(refused)
                assert "weft_app" not in json.dumps(refused)
                come_back(cluster)
                assert not (await connected.call_tool("status", {})).is_error

    anyio.run(main)


def test_over_http_the_process_is_alive_and_not_ready(held: Serving, cluster: Cluster) -> None:
    """Whether anybody answers is told apart from whether the graph can be read."""
    with visitor(held) as web:
        alive, ready = web.get("/healthz"), web.get("/readyz")
        assert (alive.status_code, alive.json()) == (200, {"status": "ok"})
        assert (ready.status_code, ready.json()) == (503, {"status": "unavailable"})
        refused = web.post("/api/tools/status", json={})
        assert refused.json()["error"] == "UNAVAILABLE"
        assert SECRET not in refused.text
        come_back(cluster)
        assert "error" not in web.post("/api/tools/status", json={}).json()
        assert web.get("/readyz").status_code == 200


def test_nobody_comes_in_with_a_token(held: Serving) -> None:
    """503, and not 200 nor 401: the token may well be good."""
    with visiting(held) as web:
        refused = web.get("/api/tools", headers=bearer("weft_0123456789ab_" + "A" * 43))
        assert (refused.status_code, refused.json()["error"]) == (503, "UNAVAILABLE")
        assert refused.headers["retry-after"]
        assert SECRET not in refused.text
        assert web.get("/healthz").status_code == 200


def test_the_log_of_the_server_says_once_why(held: Serving, caplog: pytest.LogCaptureFixture) -> None:
    """Callers are not told; whoever runs the server is, without names, and not with every call."""
    with visiting(held) as web:
        for _ in range(3):
            refused = web.get("/api/tools", headers=bearer("weft_0123456789ab_" + "A" * 43))
            assert "database" not in refused.text
            assert web.get("/readyz").json() == {"status": "unavailable"}
    told = [record.getMessage() for record in caplog.records if record.name.startswith("weft")]
    assert len(told) == 1
    assert "There is no such database. Check the name at the end of the URL" in told[0]
    assert not any(word in told[0] for word in (SECRET, LATER, "weft_app"))


def test_a_server_whose_database_takes_no_writes_is_not_ready() -> None:
    """It reads on; a balancer that asks sends writers elsewhere."""
    with Cluster() as server:
        chosen = Settings(graph=server.url(server.create_database()), actor="ann")
        serving = Serving(chosen, Offer.of(chosen))
        with visitor(serving) as web:
            assert web.get("/readyz").status_code == 200
            server.rows("ALTER SYSTEM SET default_transaction_read_only = on")
            server.rows("SELECT pg_reload_conf()")
            until(lambda: web.get("/readyz").status_code == 503, what="the setting")
            assert "error" not in web.post("/api/tools/status", json={}).json()
        serving.close()


@pytest.mark.parametrize("words", [("search", "x"), ("doctor",), ("undo", "x"), ("export", "-"), ("token", "list")])
def test_a_command_ends_with_code_3(held: Serving, words: tuple[str, ...]) -> None:
    """As where a file cannot be opened."""
    said = CliRunner().invoke(app, ["--graph", held.settings.graph, *words])
    assert said.exit_code == 3
    assert said.stderr
    assert SECRET not in said.output
    assert "weft_app" not in said.output
