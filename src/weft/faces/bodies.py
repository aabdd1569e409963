"""Bodies of requests and answers as JSON, and the arguments that stand in an address."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any

from starlette.requests import ClientDisconnect
from starlette.responses import Response

from weft.errors import InvalidArgument, LimitExceeded
from weft.faces.guard import BODY_MAX

if TYPE_CHECKING:
    from starlette.requests import Request

__all__ = ["json_answer", "json_body", "query"]


async def json_body(request: Request) -> dict[str, Any]:
    """Return the body as arguments.

    Raises:
        InvalidArgument: it is declared as something else than JSON, breaks off, or is no JSON object.
        LimitExceeded: it is too large.
    """
    kind = request.headers.get("content-type", "").partition(";")[0].strip().casefold()
    if kind != "application/json":
        raise InvalidArgument("body: must be declared as application/json", hint="Set the Content-Type header.")
    body = bytearray()
    try:
        async for chunk in request.stream():
            body += chunk
            if len(body) > BODY_MAX:
                raise LimitExceeded(f"body: must be at most {BODY_MAX} bytes")
    except ClientDisconnect:
        raise InvalidArgument("body: breaks off before its end") from None
    try:
        arguments = json.loads(bytes(body) or b"{}")
    except (ValueError, RecursionError):
        raise InvalidArgument("body: is not JSON") from None
    if not isinstance(arguments, dict):
        raise InvalidArgument("body: must be a JSON object, one field an argument")
    return arguments


def query(request: Request) -> dict[str, str]:
    """Return what stands behind the question mark as arguments; one that says nothing is not given.

    Raises:
        InvalidArgument: one is given twice.
    """
    given = request.query_params.multi_items()
    twice = next((name for name, times in Counter(name for name, _ in given).items() if times > 1), None)
    if twice is not None:
        raise InvalidArgument(f"{twice[:60]}: is given more than once")
    return {name: value for name, value in given if value.strip()}


def json_answer(body: dict[str, Any], *, status: int = 200) -> Response:
    """Return ``body`` as an answer that is not to be cached."""
    from weft.tools.rendering import answer_text

    headers = {"cache-control": "no-store"}
    return Response(answer_text(body), status_code=status, media_type="application/json", headers=headers)
