"""The HTTP face: one application with MCP, every tool as a call, the live changes and the explorer's files.

Only the loopback interface is served: whoever can reach another one would need a credential, and there are none yet.
Who writes, and with what reach, was said when the server was started; no header and no argument changes it.
"""

from __future__ import annotations

import json
import socket
import sys
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anyio
import uvicorn
from mcp.server.streamable_http_manager import StreamableHTTPASGIApp, StreamableHTTPSessionManager
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from weft.errors import InvalidArgument, LimitExceeded, Unavailable, WeftError
from weft.faces import events, mcp
from weft.faces.feed import Feed
from weft.faces.guard import BODY_MAX, Guard, is_loopback, refusal
from weft.faces.openapi import STATUSES, document
from weft.faces.serving import Serving
from weft.faces.vaulting import keeping
from weft.tools.gate import error_answer
from weft.tools.offer import Offer
from weft.tools.table import ALL

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from starlette.requests import Request

    from weft.settings import Settings

__all__ = ["build", "serve"]

WEB = Path(__file__).with_name("web")
"""The files at ``/``: a plain page, and the explorer's where it is there."""

SESSIONS_MAX = 256  # clients of the handshake era that are kept at once
REQUESTS_MAX = 256  # requests at once; further ones are answered 503
LEAVE_WITHIN_S = 1


class _Api:
    """The tools as calls. All toolsets can be called, whichever of them MCP lists."""

    def __init__(self, serving: Serving) -> None:
        self._serving = serving
        self._offer = Offer.of(serving.settings, toolsets=ALL, read_only=serving.offer.read_only)
        self._chosen = frozenset(tool.name for tool in self._offer.chosen)

    async def call(self, request: Request) -> Response:
        """Pass the call through the gate; an error has a status and the same body as on every face."""
        name = str(request.path_params["name"])
        if name not in self._chosen:
            return refusal(404, "NOT_FOUND", f"tool: there is none called {name[:60]!a}", "GET /api/tools lists them.")
        try:
            arguments = await _arguments(request)
            run = partial(self._serving.call, name, arguments, client="http", offer=self._offer)
            return _json(await self._serving.work(run))
        except WeftError as error:
            return _json(error_answer(name, error), status=STATUSES[error.code])

    async def list_tools(self, _request: Request) -> Response:
        """Return every tool that can be called, with full schemas."""
        return _json(await self._serving.work(self._listing))

    def _listing(self) -> dict[str, Any]:
        rows = [{"toolset": tool.toolset, "tier": tool.needs, **tool.listing(lean=False)} for tool in self._offer.tools]
        return {"tools": rows}

    async def openapi(self, _request: Request) -> Response:
        """Return the description of the calls."""
        return _json(await self._serving.work(document, self._offer.tools))

    async def health(self, _request: Request) -> Response:
        """Say whether the graph can be read; nothing else is told."""
        try:
            await self._serving.work(self._serving.head)
        except WeftError:
            return _json({"status": "unavailable"}, status=503)
        return _json({"status": "ok"})


async def _arguments(request: Request) -> dict[str, Any]:
    """Return the body as arguments.

    Raises:
        InvalidArgument: it is declared as something else than JSON, or is no JSON object.
        LimitExceeded: it is too large.
    """
    kind = request.headers.get("content-type", "").partition(";")[0].strip().casefold()
    if kind != "application/json":
        raise InvalidArgument("body: must be declared as application/json", hint="Set the Content-Type header.")
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > BODY_MAX:
            raise LimitExceeded(f"body: must be at most {BODY_MAX} bytes")
    try:
        arguments = json.loads(bytes(body) or b"{}")
    except (ValueError, RecursionError):
        raise InvalidArgument("body: is not JSON") from None
    if not isinstance(arguments, dict):
        raise InvalidArgument("body: must be a JSON object, one field an argument")
    return arguments


def _json(body: dict[str, Any], *, status: int = 200) -> Response:
    from weft.model.codec import json_text

    headers = {"cache-control": "no-store"}
    return Response(json_text(body), status_code=status, media_type="application/json", headers=headers)


def build(serving: Serving) -> Starlette:
    """Return the application of ``serving``: ``/mcp``, ``/api``, ``/events``, ``/healthz`` and the files at ``/``."""
    sessions = StreamableHTTPSessionManager(
        app=mcp.build(serving), max_request_body_size=BODY_MAX, max_sessions=SESSIONS_MAX
    )
    feed = Feed(serving)
    api = _Api(serving)

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        async with keeping(serving), sessions.run(), anyio.create_task_group() as tasks:
            tasks.start_soon(feed.run)
            yield
            tasks.cancel_scope.cancel()

    async def follow(request: Request) -> Response:
        try:
            return await events.stream(request, serving, feed)
        except WeftError as error:
            return _json(error.answer(), status=STATUSES[error.code])

    return Starlette(
        routes=[
            Route("/mcp", endpoint=StreamableHTTPASGIApp(sessions)),
            Route("/api/tools", endpoint=api.list_tools, methods=["GET"]),
            Route("/api/tools/{name}", endpoint=api.call, methods=["POST"]),
            Route("/api/openapi.json", endpoint=api.openapi, methods=["GET"]),
            Route("/events", endpoint=follow, methods=["GET"]),
            Route("/healthz", endpoint=api.health, methods=["GET"]),
            Mount("/", app=StaticFiles(directory=WEB, html=True)),
        ],
        middleware=[Middleware(Guard)],
        lifespan=lifespan,
    )


class _Server(uvicorn.Server):
    """Ends the streams of changes before it waits for what is under way: they have no end of their own."""

    def __init__(self, config: uvicorn.Config, serving: Serving) -> None:
        super().__init__(config)
        self._serving = serving

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Close what is open and end."""
        self._serving.end()
        await super().shutdown(sockets)


def serve(settings: Settings, offer: Offer, *, host: str = "127.0.0.1", port: int = 8765) -> None:
    """Serve over HTTP until interrupted; the address is told on standard error. Port 0 is any free one.

    Raises:
        InvalidArgument: ``host`` is not the loopback interface.
        Unavailable: the port is taken.
    """
    if not is_loopback(host):
        raise InvalidArgument(
            f"host: {host[:60]!a} is not the loopback interface, and this release has no tokens to tell callers apart",
            hint="Serve on 127.0.0.1, and reach it from elsewhere through a tunnel of your own (ssh -L).",
        )
    listener = _listener(host.strip("[]"), port)
    sys.stderr.write(f"weft: listening on http://{host}:{listener.getsockname()[1]}\n")
    serving = Serving(settings, offer)
    config = uvicorn.Config(
        build(serving),
        log_level="warning",
        access_log=False,
        server_header=False,
        limit_concurrency=REQUESTS_MAX,
        timeout_graceful_shutdown=LEAVE_WITHIN_S,
        ws="none",
    )
    try:
        _Server(config, serving).run(sockets=[listener])
    finally:
        serving.close()


def _listener(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family)
    except OSError as error:
        raise Unavailable(
            f"port: {host}:{port} cannot be listened on: {error.strerror}",
            hint="Give another --port, or 0 for any that is free.",
        ) from None
