"""The tools as calls over HTTP: ``POST /api/tools/NAME``. All toolsets can be called, whichever of them MCP lists."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from starlette.routing import Route

from weft.errors import PermissionDenied, WeftError
from weft.faces.bodies import json_answer, json_body
from weft.faces.guard import refusal
from weft.faces.openapi import STATUSES, document
from weft.faces.operating import offered
from weft.faces.principal import Refused
from weft.tools.gate import error_answer
from weft.tools.offer import Offer
from weft.tools.table import ALL, tool_named

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from weft.faces.auth import Admission
    from weft.faces.serving import Serving

__all__ = ["Api"]


class Api:
    """The calls of one server. ``admission`` is there where a request brings a credential."""

    def __init__(self, serving: Serving, admission: Admission | None = None) -> None:
        self._serving = serving
        self._admission = admission
        every = Offer.of(serving.settings, toolsets=ALL, read_only=serving.offer.read_only)
        self._offer = replace(every, own=serving.offer.own)
        self._chosen = frozenset(tool.name for tool in self._offer.chosen)

    def routes(self) -> list[Route]:
        """Return where the calls are found."""
        return [
            Route("/api/tools", endpoint=self.list_tools, methods=["GET"]),
            Route("/api/tools/{name}", endpoint=self.call, methods=["POST"]),
            Route("/api/openapi.json", endpoint=self.openapi, methods=["GET"]),
            Route("/api/{path:path}", endpoint=self.nothing, methods=["GET"]),
        ]

    async def call(self, request: Request) -> Response:
        """Pass the call through the gate; an error has a status and the same body as on every face."""
        name = str(request.path_params["name"])
        if name not in self._chosen:
            return refusal(404, "NOT_FOUND", f"tool: there is none called {name[:60]!a}", "GET /api/tools lists them.")
        try:
            principal = self._serving.principal(request)
            caller = self._serving.caller(principal, client="http", offer=self._offer)
            run = partial(self._serving.call, name, await json_body(request), caller)
            return json_answer(await self._serving.work(run))
        except WeftError as error:
            answer = json_answer(error_answer(name, error), status=STATUSES[error.code])
            if self._admission is not None and isinstance(error, PermissionDenied):
                said = Refused("scope", f"{name} needs more than this token brings.")
                needed = self._admission.challenge(request.scope, said, role=tool_named(name).needs)
                answer.headers["www-authenticate"] = needed
            return answer

    async def list_tools(self, request: Request) -> Response:
        """Return every tool that this caller can call, with full schemas."""
        offer = self._offer.at(await self._serving.reached(request))
        return json_answer(await self._serving.work(self._listing, offer))

    def _listing(self, offer: Offer) -> dict[str, Any]:
        listed = ((tool, tool.listing(lean=False, own=offer.own)) for tool in offer.tools)
        return {"tools": [{"toolset": tool.toolset, "tier": tool.needs, **entry} for tool, entry in listed]}

    async def nothing(self, request: Request) -> Response:
        """Say what there is to somebody who looks at an address that answers nothing, or at a call."""
        hint = "GET /api/tools lists the tools; POST /api/tools/NAME calls one, with its arguments as a JSON object."
        return refusal(404, "NOT_FOUND", f"path: nothing is read at {request.url.path[:60]!a}", hint)

    async def openapi(self, request: Request) -> Response:
        """Return the description of the calls."""
        role = await self._serving.reached(request)
        offer = self._offer.at(role)
        verbs = offered(offer, role)
        return json_answer(await self._serving.work(document, offer.tools, offer.own, verbs))
