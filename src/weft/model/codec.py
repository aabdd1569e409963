"""The values of the graph as JSON-ready data and back: what the log keeps of them, and what undo rebuilds them from.

``X_from(to_data(x)) == x`` holds for every value whose times are UTC; other time zones come back as the same moment in
UTC. Fields that the data lacks take their defaults and fields that are not known are dropped, so that the log of an
older or a newer schema can be read.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import fields
from datetime import datetime
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeAlias

from weft.model.change import Subject, Vote
from weft.model.knowledge import (
    Evidence,
    Node,
    Origin,
    Relation,
    Retirement,
    Source,
    SourceType,
    Status,
    Suggestion,
    SuggestionKind,
    SuggestionState,
)
from weft.model.times import in_utc

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = [
    "Value",
    "digest_of",
    "evidence_from",
    "id_of",
    "json_text",
    "node_from",
    "relation_from",
    "source_from",
    "suggestion_from",
    "time_from",
    "time_text",
    "to_data",
    "value_from",
    "vote_from",
]

Value: TypeAlias = Node | Relation | Source | Evidence | Suggestion | Vote

_JSON = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def time_text(at: datetime) -> str:
    """Return ``at`` in UTC with microseconds: 32 characters that sort as the times do. Without a zone it is of UTC."""
    return in_utc(at).isoformat(timespec="microseconds")


def time_from(text: str) -> datetime:
    """Return the time that :func:`time_text` wrote."""
    return datetime.fromisoformat(text)


def to_data(value: Value | Retirement) -> dict[str, Any]:
    """Return all fields of ``value`` as JSON-ready data: times as text, numbers of 0..1 as floats, tuples as lists."""
    return {name: encode(getattr(value, name)) for name, encode in _ENCODERS[type(value)]}


def json_text(data: object) -> str:
    """Return ``data`` as compact JSON.

    Raises:
        ValueError: a number is infinite or not a number.
        TypeError: a part has no form in JSON.
    """
    return _JSON.encode(data)


def digest_of(text: str) -> str:
    """Return the SHA-256, in hex, of a value's data as JSON: what a stored row is later compared with."""
    return hashlib.sha256(text.encode()).hexdigest()


def id_of(value: Value) -> str:
    """Return the id under which the log and the archive know ``value``: that of a vote is ``learned id/actor``."""
    return f"{value.learned_id}/{value.actor}" if isinstance(value, Vote) else value.id


def node_from(data: Mapping[str, Any]) -> Node:
    """Return the node that ``data`` was made of."""
    known = _known(Node, data, lists=("handles", "tags", "search_terms", "aliases", "references"))
    known |= _times(data, "created_at", "modified_at") | {"status": Status(data["status"])}
    known |= {"origin": Origin(data["origin"]), "retired": _retirement_from(data.get("retired"))}
    return Node(**known)


def relation_from(data: Mapping[str, Any]) -> Relation:
    """Return the relation that ``data`` was made of."""
    known = _known(Relation, data) | _times(data, "created_at", "valid_from", "valid_to")
    scores = tuple((name, score) for name, score in data.get("scores", ()))
    return Relation(**(known | {"origin": Origin(data["origin"]), "scores": scores}))


def source_from(data: Mapping[str, Any]) -> Source:
    """Return the source that ``data`` was made of."""
    return Source(**(_known(Source, data) | _times(data, "created_at") | {"type": SourceType(data["type"])}))


def evidence_from(data: Mapping[str, Any]) -> Evidence:
    """Return the evidence that ``data`` was made of."""
    return Evidence(**(_known(Evidence, data) | _times(data, "created_at") | {"type": SourceType(data["type"])}))


def suggestion_from(data: Mapping[str, Any]) -> Suggestion:
    """Return the suggestion that ``data`` was made of."""
    known = _known(Suggestion, data, lists=("subjects",)) | _times(data, "created_at", "decided_at")
    return Suggestion(**(known | {"kind": SuggestionKind(data["kind"]), "state": SuggestionState(data["state"])}))


def vote_from(data: Mapping[str, Any]) -> Vote:
    """Return the vote that ``data`` was made of."""
    return Vote(**(_known(Vote, data) | _times(data, "at")))


def value_from(subject: Subject, data: Mapping[str, Any]) -> Value:
    """Return the value that a change of ``subject`` kept as ``data``."""
    return _DECODERS[subject](data)


_DECODERS: dict[Subject, Callable[[Mapping[str, Any]], Value]] = {
    Subject.NODE: node_from,
    Subject.RELATION: relation_from,
    Subject.SOURCE: source_from,
    Subject.EVIDENCE: evidence_from,
    Subject.SUGGESTION: suggestion_from,
    Subject.VOTE: vote_from,
}


def _scores(scores: tuple[tuple[str, float], ...]) -> list[list[object]]:
    return [[name, float(score)] for name, score in scores]


def _same(part: object) -> object:
    return part


def _or_none(encode: Callable[[Any], object]) -> Callable[[Any], object]:
    return lambda part: None if part is None else encode(part)


_PLAIN: dict[str, Callable[[Any], object]] = {
    "datetime": time_text,
    "datetime | None": _or_none(time_text),
    "float": float,
    "float | None": _or_none(float),
    "tuple[str, ...]": list,
    "tuple[tuple[str, float], ...]": _scores,
    "Retirement | None": _or_none(to_data),
}
_PLAIN |= {kind.__name__: attrgetter("value") for kind in (Origin, Status, SourceType, SuggestionKind, SuggestionState)}


# How each field of a value becomes data, by its annotation.
_ENCODERS: dict[type, tuple[tuple[str, Callable[[Any], object]], ...]] = {
    kind: tuple((field.name, _PLAIN.get(str(field.type), _same)) for field in fields(kind))
    for kind in (Node, Relation, Source, Evidence, Suggestion, Vote, Retirement)
}


def _known(kind: type[Value], data: Mapping[str, Any], *, lists: tuple[str, ...] = ()) -> dict[str, Any]:
    known = {field.name: data[field.name] for field in fields(kind) if field.name in data}
    return known | {name: tuple(known[name]) for name in lists if name in known}


def _times(data: Mapping[str, Any], *names: str) -> dict[str, Any]:
    return {name: time_from(data[name]) if data[name] else None for name in names if name in data}


def _retirement_from(data: Mapping[str, Any] | None) -> Retirement | None:
    return Retirement(**(dict(data) | {"at": time_from(data["at"])})) if data else None
