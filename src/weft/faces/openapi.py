"""The OpenAPI 3.1 description of ``/api``, made from the tables of tools and of operators' verbs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from weft import __version__
from weft.tools.schema import with_own
from weft.tools.verbs import VERBS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from weft.tools.row import Tool
    from weft.tools.verbs import Verb
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


def document(tools: Iterable[Tool], own: Own | None = None, verbs: Iterable[Verb] = VERBS) -> dict[str, Any]:
    """Return the description of the calls that ``tools`` and ``verbs`` allow; the same rows give the same document."""
    paths = {f"/api/tools/{tool.name}": {"post": _operation(tool, own)} for tool in tools}
    paths |= {f"/api/{verb.name}": {"post" if verb.writes else "get": _verb(verb)} for verb in verbs}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Weft",
            "version": __version__,
            "description": "Each tool of the graph, as it is over MCP, and what operators do beside them.",
        },
        "jsonSchemaDialect": "https://json-schema.org/draft/2020-12/schema",
        "paths": paths,
        "components": {"schemas": {"Error": _ERROR}, "securitySchemes": {"bearer": _BEARER}},
        "security": [{"bearer": []}, {}],
    }


def _operation(tool: Tool, own: Own | None) -> dict[str, Any]:
    return {
        "operationId": tool.name,
        "summary": tool.title,
        "description": f"{tool.description} Needs the tier {tool.needs}.",
        "tags": [tool.toolset],
        "requestBody": _body(with_own(tool.input_schema, own)),
        "responses": _responses(tool.output_schema),
    }


def _verb(verb: Verb) -> dict[str, Any]:
    schema = verb.input_schema
    asked: dict[str, Any] = {"requestBody": _body(schema)} if verb.writes else {"parameters": _parameters(schema)}
    return {
        "operationId": verb.name,
        "summary": verb.title,
        "description": f"{verb.description} Needs the tier {verb.needs}.",
        "tags": ["operator"],
        **asked,
        "responses": _responses(verb.output_schema),
    }


def _body(schema: dict[str, Any]) -> dict[str, Any]:
    return {"required": True, "content": {"application/json": {"schema": schema}}}


def _parameters(schema: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        {
            "name": name,
            "in": "query",
            "description": part["description"],
            "schema": {word: value for word, value in part.items() if word != "description"},
        }
        for name, part in schema["properties"].items()
    ]


def _responses(schema: dict[str, Any]) -> dict[str, Any]:
    answer = {"description": "The answer.", "content": {"application/json": {"schema": schema}}}
    return {"200": answer, **{str(status): _refusal(status) for status in sorted(set(STATUSES.values()))}}


def _refusal(status: int) -> dict[str, Any]:
    named = " or ".join(code for code, number in STATUSES.items() if number == status)
    return {
        "description": f"{named}: what failed, and what to do.",
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}},
    }
