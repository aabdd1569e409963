"""A server for a team, for the tests of the HTTP face: a token for every role, a real socket, clients that show one."""

from __future__ import annotations

import socket
import threading
import time
from contextlib import asynccontextmanager, contextmanager
from typing import TYPE_CHECKING

import httpx2
import uvicorn
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client
from starlette.testclient import TestClient

from doors import BASE, door
from weft.faces import http
from weft.faces.worded import Reader
from weft.tools.row import TIERS

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from pathlib import Path

    from weft.faces.serving import Serving

__all__ = ["ACTORS", "WAIT_S", "bearer", "issue", "issued", "running", "speaking", "visiting"]

WAIT_S = 20
ACTORS = {"reader": "rita", "contributor": "carl", "librarian": "lena", "curator": "kurt"}
"""Who holds the token of each role."""


def issue(folder: Path, *, actor: str = "carl", role: str = "contributor", expires: str = "") -> str:
    """Return a new token of the graph in ``folder``."""
    with door(folder) as boss:
        made = boss.graph.keeping.tokens.create(actor, role, boss.graph.call("token_create"), expires=expires)
    return made.credential


def issued(folder: Path) -> dict[str, str]:
    """Return a new token for each role."""
    return {role: issue(folder, actor=ACTORS[role], role=role) for role in TIERS}


def bearer(credential: str) -> dict[str, str]:
    """Return the header that shows ``credential``."""
    return {"Authorization": f"Bearer {credential}"}


@contextmanager
def visiting(held: Serving, *modes: str, hosts: tuple[str, ...] = ()) -> Iterator[TestClient]:
    """Connect an HTTP client to the whole application, which asks for a credential (a token, unless said otherwise)."""
    application = http.build(held, modes or ("token",), hosts=hosts)
    with TestClient(application, base_url=BASE, raise_server_exceptions=False) as connected:
        yield connected


@contextmanager
def running(held: Serving, *modes: str, hosts: tuple[str, ...] = (), connections: int | None = None) -> Iterator[str]:
    """Run the application behind a real socket and return its address; it holds fewer than ``connections``."""
    application = http.build(held, modes or ("token",), hosts=hosts)
    listener = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(
        application,
        http=Reader,
        log_level="warning",
        access_log=False,
        ws="none",
        limit_concurrency=connections,
        timeout_graceful_shutdown=5,
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    deadline = time.monotonic() + WAIT_S
    while not server.started and time.monotonic() < deadline:
        time.sleep(0.01)
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        held.ending.set()
        server.should_exit = True
        thread.join(WAIT_S)
        listener.close()


@asynccontextmanager
async def speaking(base: str, credential: str, *, era: str = "auto") -> AsyncIterator[Client]:
    """Connect the SDK's client over HTTP, with ``credential`` shown in every request."""
    async with (
        httpx2.AsyncClient(headers=bearer(credential), timeout=WAIT_S) as web,
        Client(streamable_http_client(f"{base}/mcp", http_client=web), mode=era) as connected,
    ):
        yield connected
