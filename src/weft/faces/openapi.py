"""The OpenAPI 3.1 description of ``/api``, made from the tool table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from weft import __version__
from weft.tools.schema import with_own

if TYPE_CHECKING:
    from collections.abc import Iterable

    from weft.tools.row import Tool
    from weft.vocabulary import Own

__all__ = ["STATUSES", "document"]

STATUSES: Final = {
    "INVALID_ARGUMENT": 400,
    "PERMISSION_DENIED": 403,
    "NOT_FOUND": 404,
    "AMBIGUOUS": 409,
    "DUPLICATE": 409,
    "CONFLICT": 409,
    "LIMIT_EXCEEDED": 413,
    "PREREQUISITE_SUGGESTED": 428,
    "UNAVAILABLE": 503,
}
"""Which HTTP status each error code travels under; the body is the same answer as on every other face."""

_ERROR: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "error": {"type": "string", "enum": list(STATUSES)},
        "message": {"type": "string"},
        "hint": {"type": "string"},
        "key": {"type": "string"},
        "candidates": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {name: {"type": "string"} for name in ("id", "title", "why")},
                "required": ["id", "title"],
            },
        },
        "can_proceed": {"type": "boolean"},
    },
    "required": ["error", "message", "hint"],
}

_BEARER: Final = {
    "type": "http",
    "scheme": "bearer",
    "description": "A token of the graph, or an access token; a server on one's own machine need not ask for one.",
}


def document(tools: Iterable[Tool], own: Own | None = None) -> dict[str, Any]:
    """Return the description of the calls that ``tools`` allow; the same rows give the same document."""
    paths = {f"/api/tools/{tool.name}": {"post": _operation(tool, own)} for tool in tools}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Weft",
            "version": __version__,
            "description": "Each tool of the graph, with the arguments and the answer it has over MCP.",
        },
        "jsonSchemaDialect": "https://json-schema.org/draft/2020-12/schema",
        "paths": paths,
        "components": {"schemas": {"Error": _ERROR}, "securitySchemes": {"bearer": _BEARER}},
        "security": [{"bearer": []}, {}],
    }


def _operation(tool: Tool, own: Own | None) -> dict[str, Any]:
    schema = with_own(tool.input_schema, own)
    codes = {str(status): _refusal(status) for status in sorted(set(STATUSES.values()))}
    return {
        "operationId": tool.name,
        "summary": tool.title,
        "description": f"{tool.description} Needs the tier {tool.needs}.",
        "tags": [tool.toolset],
        "requestBody": {
            "required": True,
            "content": {"application/json": {"schema": schema}},
        },
        "responses": {
            "200": {
                "description": "The answer.",
                "content": {"application/json": {"schema": tool.output_schema}},
            },
            **codes,
        },
    }


def _refusal(status: int) -> dict[str, Any]:
    named = " or ".join(code for code, number in STATUSES.items() if number == status)
    return {
        "description": f"{named}: what failed, and what to do.",
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}},
    }
