"""Hints can be switched off, and then no face says any: neither what may come next nor that two hits may be bridged."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import anyio
import pytest
from typer.testing import CliRunner

from doors import client, door, serving, settings, text_of, visitor
from weft.faces.cli import app
from weft.model import CaptureRequest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

QUESTION = {"query": "token bucket rate limit"}
TEXTS = (
    ("A token bucket limits the rate of calls: each call takes a token.", "Token bucket", "networks"),
    ("Token buckets limit the rate of requests: each request takes a token.", "Rate limit", "finance"),
)


def over_mcp(folder: Path, hints: str) -> dict[str, Any]:
    """Search through the SDK's client."""

    async def main() -> dict[str, Any]:
        with anyio.fail_after(60):
            async with client(held) as connected:
                return text_of(await connected.call_tool("search", QUESTION))

    with serving(folder, hints=hints) as held:
        return anyio.run(main)


def over_http(folder: Path, hints: str) -> dict[str, Any]:
    """Search through HTTP."""
    with serving(folder, hints=hints) as held, visitor(held) as web:
        found: dict[str, Any] = web.post("/api/tools/search", json=QUESTION).json()
        return found


def over_the_command_line(folder: Path, hints: str) -> dict[str, Any]:
    """Search as a person does."""
    ahead = ["--graph", settings(folder).graph, "--actor", "cy", "--hints", hints, "--json"]
    said = CliRunner().invoke(app, [*ahead, "search", QUESTION["query"]])
    found: dict[str, Any] = json.loads(said.stdout)
    return found


@pytest.mark.parametrize("ask", [over_mcp, over_http, over_the_command_line])
def test_no_face_says_a_hint_where_hints_are_off(tmp_path: Path, ask: Callable[[Path, str], dict[str, Any]]) -> None:
    """The twin: the same question is answered with both where they are on, for nothing was used up."""
    with door(tmp_path) as ann:
        for content, title, ontology in TEXTS:
            wish = CaptureRequest(content=content, title=title, ontology=ontology)
            ann.graph.capture.capture(wish, ann.graph.call("capture"))
    silent, told = ask(tmp_path, "off"), ask(tmp_path, "brief")
    assert silent["hits"] == told["hits"]
    assert silent["suggested_next_actions"] == []
    assert "bridge_hint" not in silent
    assert told["suggested_next_actions"]
    assert "bridge_hint" in told
