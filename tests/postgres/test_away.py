"""A database that is away: every face says so without telling who connects where, and works once it is back."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import anyio
import pytest
from typer.testing import CliRunner

from doors import client, text_of, visitor
from team import bearer, visiting
from weft.faces.cli import app
from weft.faces.serving import Serving
from weft.settings import Settings
from weft.tools.offer import Offer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from postgres.cluster import Cluster

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


@pytest.mark.parametrize("words", [("search", "x"), ("doctor",), ("undo", "x"), ("export", "-"), ("token", "list")])
def test_a_command_ends_with_code_3(held: Serving, words: tuple[str, ...]) -> None:
    """As where a file cannot be opened."""
    said = CliRunner().invoke(app, ["--graph", held.settings.graph, *words])
    assert said.exit_code == 3
    assert said.stderr
    assert SECRET not in said.output
    assert "weft_app" not in said.output
