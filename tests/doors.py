"""Doors to a real graph for the tests of tools and faces: the gate, MCP in both eras, HTTP."""

from __future__ import annotations

import json
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import anyio
from mcp.client.client import Client
from starlette.testclient import TestClient

from engine import graph_at
from weft.errors import WeftError
from weft.faces import http, mcp
from weft.faces.serving import Serving
from weft.settings import Settings
from weft.tools.gate import call, caller_of, error_answer
from weft.tools.offer import Offer

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
    from pathlib import Path

    from weft.graph import Graph
    from weft.tools.gate import Caller

__all__ = ["BASE", "ERAS", "Door", "client", "door", "serving", "settings", "visitor", "with_client"]

WAIT_S = 20
BASE = "http://127.0.0.1:8765"
ERAS = ("auto", "legacy")


def settings(folder: Path, **changes: str) -> Settings:
    """Return the settings of a graph called ``notes`` in ``folder``, kept by Ann."""
    return replace(Settings(graph=graph_at(folder / "notes.db"), actor="ann", hints="full"), **changes)


@dataclass(frozen=True, kw_only=True)
class Door:
    """An open graph and a caller of it."""

    graph: Graph
    caller: Caller

    def call(self, name: str, **arguments: object) -> dict[str, Any]:
        """Return the tool's answer; errors are raised."""
        return call(self.graph, name, arguments, self.caller)

    def answer(self, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """Return the tool's answer, or the error's."""
        try:
            return call(self.graph, name, arguments, self.caller)
        except WeftError as error:
            return error_answer(name, error)

    def as_(self, **changes: Any) -> Door:  # noqa: ANN401 - fields of a caller
        """Return the same graph for another caller."""
        return replace(self, caller=replace(self.caller, **changes))


@contextmanager
def door(folder: Path, **changes: str) -> Iterator[Door]:
    """Open the graph in ``folder`` as the command line does: with every tool."""
    from weft.graph import open as open_graph

    chosen = settings(folder, **changes)
    with open_graph(settings=chosen) as graph:
        yield Door(graph=graph, caller=caller_of(chosen, client="test", graph=graph.name))


@contextmanager
def serving(folder: Path, *, toolsets: str = "core", read_only: bool = False, **changes: str) -> Iterator[Serving]:
    """Return what a server of the graph in ``folder`` holds."""
    chosen = settings(folder, **changes)
    held = Serving(chosen, Offer.of(chosen, toolsets=toolsets, read_only=read_only))
    try:
        yield held
    finally:
        held.close()


@asynccontextmanager
async def client(held: Serving, *, era: str = "auto", **options: Any) -> AsyncIterator[Client]:  # noqa: ANN401
    """Connect the SDK's client to the MCP face, in the modern era or with the older handshake."""
    async with Client(mcp.build(held), mode=era, **options) as connected:
        yield connected


@contextmanager
def visitor(held: Serving) -> Iterator[TestClient]:
    """Connect an HTTP client to the whole application."""
    with TestClient(http.build(held), base_url=BASE, raise_server_exceptions=False) as connected:
        yield connected


def text_of(result: Any) -> dict[str, Any]:  # noqa: ANN401 - the SDK's result
    """Return what the text block of a tool's result says."""
    (block,) = result.content
    answer: dict[str, Any] = json.loads(block.text)
    return answer


def with_client(held: Serving, era: str, work: Callable[[Client], Awaitable[Any]], **options: Any) -> Any:  # noqa: ANN401
    """Run ``work`` with a connected client and return what it returns; nothing waits longer than 20 seconds."""

    async def main() -> Any:  # noqa: ANN401
        with anyio.fail_after(WAIT_S):
            async with client(held, era=era, **options) as connected:
                return await work(connected)

    return anyio.run(main)
