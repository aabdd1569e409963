"""The HTTP face: one application with MCP, every tool as a call, the live changes and the explorer's files.

On the loopback interface whoever asks is the one who started the server; no header and no argument changes it. Anywhere
else, and wherever the graph has tokens, a request is answered as its credential's owner, and not at all without one.
"""

from __future__ import annotations

import socket
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import anyio
import uvicorn
from mcp.server.streamable_http_manager import StreamableHTTPASGIApp, StreamableHTTPSessionManager
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.routing import BaseRoute, Route
from starlette.staticfiles import StaticFiles

from weft.errors import Unavailable, WeftError
from weft.faces import events, mcp
from weft.faces.api import Api
from weft.faces.auth import Admission, Authenticate
from weft.faces.bodies import json_answer
from weft.faces.capacity import BACKLOG, connections_max, spare_the_log
from weft.faces.exposure import announce, modes_of, names_of, refuse_strangers
from weft.faces.feed import Feed
from weft.faces.guard import BODY_MAX, Guard, refusal
from weft.faces.metrics import Metrics
from weft.faces.openapi import STATUSES
from weft.faces.operating import Operating
from weft.faces.posts import Posts
from weft.faces.principal import principal_in
from weft.faces.serving import Serving
from weft.faces.sessions import SESSION_HEADER, SESSIONS_MAX, Shares, end_session
from weft.faces.stopping import LEAVE_WITHIN_S, Stopping, give_up
from weft.faces.vaulting import keeping
from weft.faces.visits import Bounded, Visits
from weft.faces.worded import REFUSED, Reader, Worded, failed

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Collection

    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from weft.settings import Settings
    from weft.tools.offer import Offer

__all__ = ["build", "serve"]

WEB = Path(__file__).with_name("web")
"""The files at ``/``: a plain page, and the explorer's where it is there."""

_TOLD: Final = frozenset({"brought_up", "model_moved"})
"""Keys of why a graph is not ready that anybody may be told; of other failures a message may name hosts and files."""

_REFUSED: Final = 400  # the first status that says no
_NOT_FOUND: Final = 404


class _Mcp:
    """The endpoint of MCP: its sessions are counted, and the streams they listen on end with the server."""

    def __init__(self, sessions: StreamableHTTPSessionManager, visits: Visits, metrics: Metrics) -> None:
        self._app: ASGIApp = Posts(StreamableHTTPASGIApp(sessions))
        self._visits = visits
        self._counted = metrics.sessions
        self._shares = Shares()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        asked, who = _session_in(scope), principal_in(scope)
        holder = who.id if who is not None else ""
        # nothing is kept to be replayed: who asks for it is given the live stream
        scope = {**scope, "headers": [each for each in scope["headers"] if each[0].lower() != b"last-event-id"]}

        async def noted(message: Message) -> None:
            if message["type"] == "http.response.start":
                self._note(scope["method"], holder, (asked, _session_in(message)), message["status"])
            await send(message)

        with self._shares.used(holder, asked):
            if scope["method"] == "GET":
                await self._visits.answered(self._app, scope, receive, noted, late=_late(), endless=True)
            else:
                await self._app(scope, receive, noted)
        for session in self._shares.surplus(holder) if not asked else ():
            self._forget(holder, session)
            await end_session(self._app, scope, session)

    def _note(self, method: str, holder: str, sessions: tuple[str, str], status: int) -> None:
        asked, told = sessions
        if told and not asked and status < _REFUSED:
            self._shares.opened(holder, told)
        session = asked or told
        if status == _NOT_FOUND or (method == "DELETE" and status < _REFUSED):
            self._forget(holder, session)
        elif session and status < _REFUSED:
            self._counted.use(session)

    def _forget(self, holder: str, session: str) -> None:
        self._counted.end(session)
        self._shares.ended(holder, session)


def _late() -> Response:
    return refusal(503, "UNAVAILABLE", "The server is about to stop", "Try again in a moment.")


def _session_in(said: Scope | Message) -> str:
    found = (value for name, value in said.get("headers", ()) if name.lower() == SESSION_HEADER)
    return next(found, b"").decode("latin-1")


def build(serving: Serving, modes: tuple[str, ...] = (), *, hosts: Collection[str] = ()) -> Starlette:
    """Return the application of ``serving``: ``/mcp``, ``/api``, ``/events``, what probes ask, and the files at ``/``.

    ``modes`` are the kinds of credential that it takes (token, oauth); without any it asks for none. ``hosts`` are
    names, beside this machine's own, by which it may be called.

    Raises:
        InvalidArgument, Unavailable: the settings of a mode are amiss.
    """
    visits, metrics, feed = Visits(), Metrics(), Feed(serving)
    admission = Admission(serving, modes) if modes else None
    sessions = StreamableHTTPSessionManager(
        app=mcp.build(serving), max_request_body_size=BODY_MAX, max_sessions=SESSIONS_MAX
    )
    serving.asks, serving.told = admission is not None, metrics.call
    serving.at_end.append(visits.end)

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[dict[str, Any]]:
        async with keeping(serving), sessions.run(), anyio.create_task_group() as tasks:
            tasks.start_soon(feed.run)
            if admission is not None:
                tasks.start_soon(visits.watch, admission.verified)
            yield {REFUSED: metrics.refused}
            tasks.cancel_scope.cancel()

    routes: list[BaseRoute] = [
        Route("/mcp", endpoint=_Mcp(sessions, visits, metrics)),
        *Operating(serving, admission).routes(),
        *Api(serving, admission).routes(),
        *_about(serving, feed, metrics),
        *(admission.resource.routes() if admission is not None and admission.resource is not None else ()),
        Route("/{path:path}", endpoint=StaticFiles(directory=WEB, html=True), methods=["GET"]),
    ]
    layers = _layers(visits, metrics, admission, hosts)
    application = Starlette(routes=routes, middleware=layers, lifespan=lifespan, exception_handlers={Exception: failed})
    application.state.leave = visits.leave
    return application


def _layers(visits: Visits, metrics: Metrics, admission: Admission | None, hosts: Collection[str]) -> list[Middleware]:
    """Return what stands before the routes, outermost first."""
    layers = [
        Middleware(Guard, hosts=hosts, metrics=metrics),
        Middleware(Bounded, visits=visits, late=_late()),
        Middleware(Worded),
    ]
    if admission is not None:
        layers.append(Middleware(Authenticate, admission=admission, visits=visits, metrics=metrics))
    return layers


def _about(serving: Serving, feed: Feed, metrics: Metrics) -> list[Route]:
    """Return the routes that tell of the graph's changes and of how the server is."""

    async def follow(request: Request) -> Response:
        try:
            return await events.stream(request, serving, feed)
        except WeftError as error:
            return json_answer(error.answer(), status=STATUSES[error.code])

    async def alive(_request: Request) -> Response:
        return json_answer({"status": "ok"})

    async def ready(_request: Request) -> Response:
        try:
            await serving.work(serving.ready)
        except WeftError as error:
            reason = {"reason": error.message} if error.key in _TOLD else {}
            return json_answer({"status": "unavailable", **reason}, status=503)
        return json_answer({"status": "ok"})

    async def counted(_request: Request) -> Response:
        return metrics.answer()

    told = {"/events": follow, "/healthz": alive, "/readyz": ready, "/metrics": counted}
    return [Route(path, endpoint=endpoint, methods=["GET"]) for path, endpoint in told.items()]


def serve(settings: Settings, offer: Offer, *, host: str = "127.0.0.1", port: int = 8765) -> None:
    """Serve over HTTP until interrupted; the address is told on standard error. Port 0 is any free one.

    Raises:
        InvalidArgument: ``host`` is not the loopback interface, and callers are not asked for a credential; or what the
            settings say of credentials is amiss.
        Unavailable: the port is taken, or the graph cannot be asked whether it has tokens.
    """
    refuse_strangers(host, settings)
    listener = _listener(host.strip("[]"), port)
    serving = Serving(settings, offer)
    try:
        modes = modes_of(serving)
        application = build(serving, modes, hosts=names_of(host, settings))
        announce(f"http://{host}:{listener.getsockname()[1]}", host, settings, modes)
        config = uvicorn.Config(
            application,
            http=Reader,
            log_level="warning",
            access_log=False,
            server_header=False,
            limit_concurrency=connections_max() + 1,  # uvicorn refuses whoever makes it so many
            backlog=BACKLOG,
            timeout_graceful_shutdown=int(2 * LEAVE_WITHIN_S),  # for who takes not even the refusal
            ws="none",
        )
        spare_the_log()
        Stopping(config, serving, application.state.leave).run(sockets=[listener])
    finally:
        serving.close()
        listener.close()
        give_up(serving)


def _listener(host: str, port: int) -> socket.socket:
    """Return a socket that listens; what it accepts sends at once.

    asyncio sets TCP_NODELAY only where a socket names its protocol, which ``create_server`` leaves open; without it the
    end of an answer on a connection that is used again waits about 40 ms for the caller's delayed acknowledgement.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listener = socket.create_server((host, port), family=family)
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    except OSError as error:
        raise Unavailable(
            f"port: {host}:{port} cannot be listened on: {error.strerror}",
            hint="Give another --port, or 0 for any that is free.",
        ) from None
    return listener
