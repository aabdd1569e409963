"""Operators' verbs over HTTP: ``GET /api/NAME`` for those that read, ``POST`` for those that write."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from starlette.routing import Route

from weft.errors import PermissionDenied, WeftError
from weft.faces.bodies import json_answer, json_body, query
from weft.faces.guard import refusal
from weft.faces.openapi import STATUSES
from weft.faces.principal import Refused
from weft.tools.row import reaches
from weft.tools.verbs import VERBS

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from weft.faces.auth import Admission
    from weft.faces.serving import Serving
    from weft.tools.caller import Caller
    from weft.tools.offer import Offer
    from weft.tools.verbs import Verb

__all__ = ["Operating", "offered"]


class Operating:
    """The verbs of one server. ``admission`` is there where a request brings a credential."""

    def __init__(self, serving: Serving, admission: Admission | None = None) -> None:
        self._serving = serving
        self._admission = admission

    def routes(self) -> list[Route]:
        """Return where the verbs are found."""
        return [
            Route(f"/api/{verb.name}", endpoint=partial(self._answer, verb), methods=["POST" if verb.writes else "GET"])
            for verb in VERBS
        ]

    async def _answer(self, verb: Verb, request: Request) -> Response:
        if verb.writes and self._serving.offer.read_only:
            return refusal(404, "NOT_FOUND", f"{verb.name}: this server only reads", "Ask one that writes.")
        try:
            given = await json_body(request) if verb.writes else query(request)
            caller = self._serving.caller(self._serving.principal(request), client="http")
            return json_answer(await self._serving.work(self._done, verb, given, caller))
        except WeftError as error:
            answer = json_answer(error.answer(), status=STATUSES[error.code])
            if self._admission is not None and isinstance(error, PermissionDenied):
                said = Refused("scope", f"{verb.name} needs more than this token brings.")
                needed = self._admission.challenge(request.scope, said, role=verb.needs)
                answer.headers["www-authenticate"] = needed
            return answer

    def _done(self, verb: Verb, given: dict[str, Any], caller: Caller) -> dict[str, Any]:
        from weft.tools.arguments import parse

        asked = parse(verb.arguments, given)
        session = asked.session if verb.writes else ""
        return self._serving.operate(verb, asked, caller, session=session)


def offered(offer: Offer, role: str) -> tuple[Verb, ...]:
    """Return the verbs that a server of ``offer`` has for callers of this role."""
    return tuple(verb for verb in VERBS if reaches(role, verb.needs) and not (verb.writes and offer.read_only))
