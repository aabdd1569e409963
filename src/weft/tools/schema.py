"""Rows as JSON Schema 2020-12: closed, without references, the same for every face.

Two sizes. The full schema describes and bounds every argument; the HTTP face and the reference publish it. The lean
one is what every agent reads at the start of every session: it leaves out what a name says by itself (``PLAIN``) and
the bounds on texts and lists, which no sensible call meets and which the refusal names where one does.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from weft.vocabulary import KINDS, RELATION_TYPES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pydantic import BaseModel

    from weft.vocabulary import Own

__all__ = ["PLAIN", "answer_schema", "input_schema", "output_schema", "with_own"]

_LAST = ("session", "idempotency_key")
_COMMON = {"suggested_next_actions": "array", "left_out?": "string"}

PLAIN = frozenset(
    {
        *_LAST,
        *(
            "title",
            "content",
            "kind",
            "kinds",
            "ontology",
            "ontologies",
            "tags",
            "references",
            "confidence",
            "importance",
        ),
        *("query", "status", "min_confidence", "limit", "offset", "reason", "reasoning", "claim", "label", "evidence"),
        *("search_terms", "task", "current_file", "recent_files", "max_hops", "decision", "ontology1", "ontology2"),
        *(
            "alternatives",
            "creator",
            "id",
            "source",
            "target",
            "detail",
            "min_similarity",
            "relations",
            "decide",
            "item",
        ),
    }
)
"""Arguments whose name says what they are, in every toolset; ``instructions`` explain the last two once for all."""

_UNSAID = frozenset({"maxLength", "maxItems", "minimum"})


@cache
def input_schema(model: type[BaseModel], *, lean: bool = False) -> dict[str, Any]:
    """Return the schema of a tool's arguments: references inlined, pydantic's titles and empty defaults left out.

    The result is shared: callers do not change it.
    """
    raw = model.model_json_schema()
    definitions = raw.get("$defs", {})
    schema: dict[str, Any] = {"type": "object", "properties": _properties(raw["properties"], definitions)}
    if raw.get("required"):
        schema["required"] = raw["required"]
    schema["additionalProperties"] = False
    return _leaner(schema) if lean else schema


def with_own(schema: dict[str, Any], own: Own | None) -> dict[str, Any]:
    """Return ``schema`` with a graph's own names wherever all kinds or all relation types are allowed."""
    return {name: _with_own(value, own) for name, value in schema.items()} if own and own.rows else schema


def _with_own(value: Any, own: Own) -> Any:  # noqa: ANN401 - any part of a schema
    if isinstance(value, dict):
        return {name: _with_own(part, own) for name, part in value.items()}
    if isinstance(value, list):
        return [*value, *_added(value, own)]
    return value


def _added(names: list[Any], own: Own) -> list[str]:
    """Return the names that a list of names lacks: kinds as they are stored, types also as a toolset shouts them."""
    types = [row.name for row in own.types]
    lacking = {
        tuple(KINDS): [row.name for row in own.kinds],
        tuple(RELATION_TYPES): types,
        tuple(map(str.upper, RELATION_TYPES)): list(map(str.upper, types)),
    }
    return lacking.get(tuple(names), []) if all(isinstance(name, str) for name in names) else []


def output_schema(fields: Mapping[str, str]) -> dict[str, Any]:
    """Return the schema of a tool's answer: these top-level fields by type, and those that every tool's has."""
    return answer_schema({**fields, **_COMMON})


def answer_schema(fields: Mapping[str, str]) -> dict[str, Any]:
    """Return the schema of an answer: its top-level fields by type; a name that ends in ``?`` may be missing."""
    return {
        "type": "object",
        "properties": {name.rstrip("?"): {"type": kind} for name, kind in fields.items()},
        "required": [name for name in fields if not name.endswith("?")],
    }


def _properties(raw: dict[str, Any], definitions: dict[str, Any]) -> dict[str, Any]:
    plain = {name: _clean(part, definitions) for name, part in raw.items()}
    return {name: plain[name] for name in plain if name not in _LAST} | {n: plain[n] for n in _LAST if n in plain}


def _clean(part: dict[str, Any], definitions: dict[str, Any]) -> dict[str, Any]:
    """Return one property without titles, nulls and empty defaults; references are put in place, numbers kept short."""
    part = _inlined(part, definitions)
    kept: dict[str, Any] = {}
    for name, value in part.items():
        if name == "items":
            kept[name] = _clean(value, definitions)
        elif name == "properties":
            kept[name] = _properties(value, definitions)
        elif name != "title" and not (name == "default" and value in (None, "", [], False, 0)):
            kept[name] = int(value) if isinstance(value, float) and value.is_integer() else value
    return kept


def _inlined(part: dict[str, Any], definitions: dict[str, Any]) -> dict[str, Any]:
    """Return ``part`` with its reference, and the one branch of it that is not null, put in place."""
    branches = [branch for branch in part.get("anyOf", ()) if branch.get("type") != "null"]
    if len(branches) == 1:
        part = {**branches[0], **{name: value for name, value in part.items() if name != "anyOf"}}
    if "$ref" not in part:
        return part
    named = definitions[part["$ref"].rpartition("/")[2]]
    own = {name: value for name, value in named.items() if name != "description"}
    return own | {name: value for name, value in part.items() if name != "$ref"}


def _leaner(schema: dict[str, Any], name: str = "") -> dict[str, Any]:
    kept: dict[str, Any] = {}
    for keyword, value in schema.items():
        if keyword == "properties":
            kept[keyword] = {inner: _leaner(part, inner) for inner, part in value.items()}
        elif keyword == "items":
            kept[keyword] = {inner: part for inner, part in _leaner(value).items() if inner != "additionalProperties"}
        elif keyword not in _UNSAID and not (keyword == "description" and name in PLAIN):
            kept[keyword] = value
    return kept
