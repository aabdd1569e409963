"""Learned items as JSON: the form that keeps everything, votes too.

A relation reads ``{"learned_id", "relationship_type", "from", "to", "evidence", …}``, a concept ``{"learned_id",
"concept", "bridges", "evidence", …}``; ends are ``{"id", "label", "ontology"}``.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final, TypeVar

from weft.errors import InvalidArgument
from weft.formats.foreign import number
from weft.formats.learned.parsed import Parsed, read_time
from weft.model import PortableConcept, PortableEnd, PortableItem, PortableVote
from weft.model.codec import time_text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["FORMAT", "parse", "render"]

FORMAT: Final = "weft-learned-knowledge"
_VERSION: Final = 1
_VOTES: Final = {"up": 1, "down": -1}

T = TypeVar("T")


def render(items: Sequence[PortableItem]) -> str:
    """Return the items as one JSON document, indented so that a change of one item changes its lines only."""
    body = {"format": FORMAT, "version": _VERSION, "learned_knowledge": [_data(item) for item in items]}
    return json.dumps(body, ensure_ascii=False, indent=1) + "\n"


def parse(text: str) -> Parsed:
    """Return the items of a document that :func:`render` wrote, or of a bare list of them.

    An item that is malformed becomes a fault, named by its place; the others are read all the same.

    Raises:
        InvalidArgument: it is no JSON, or neither such a document nor a list.
    """
    try:
        body = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidArgument(f"text is not JSON: {str(error)[:200]}.") from None
    rows = body.get("learned_knowledge") if isinstance(body, dict) else body
    if not isinstance(rows, list):
        raise InvalidArgument("text must be a JSON object with the list learned_knowledge, or that list itself.")
    items: list[PortableItem] = []
    faults: list[tuple[str, str]] = []
    for place, row in enumerate(rows, start=1):
        try:
            items.append(_item(row))
        except ValueError as error:
            learned_id = row.get("learned_id") if isinstance(row, dict) else None
            faults.append((learned_id if isinstance(learned_id, str) and learned_id else f"item {place}", str(error)))
    return Parsed(items=tuple(items), faults=tuple(faults))


def _data(item: PortableItem) -> dict[str, Any]:
    ends = [{"id": end.id, "label": end.title, "ontology": end.ontology} for end in item.ends]
    body: dict[str, Any] = {"learned_id": item.learned_id}
    if item.concept is not None:
        body["concept"] = {
            "id": item.concept.id,
            "concept_id": item.concept.handle,
            "label": item.concept.title,
            "ontology": item.concept.ontology,
            "search_terms": list(item.concept.search_terms),
        }
        body["bridges"] = ends
    else:
        body |= {"relationship_type": item.type.upper(), "from": ends[0], "to": ends[1]}
    body |= {"evidence": item.evidence, "created_by": item.creator}
    body["created_at"] = time_text(item.created_at) if item.created_at else None
    body |= {"similarity_score": item.similarity, "cognitive_leap": item.leap}
    body["votes"] = [
        {
            "actor": vote.actor,
            "vote": "up" if vote.value > 0 else "down",
            "reason": vote.reason,
            "at": time_text(vote.at) if vote.at else None,
        }
        for vote in item.votes
    ]
    return body


def _item(row: object) -> PortableItem:
    data = _object(row, "item")
    concept = _optional(data, "concept", _concept)
    ends = [_end(each, "bridges") for each in _list(data, "bridges")] if concept else _pair(data)
    return PortableItem(
        learned_id=_text(data, "learned_id"),
        type="" if concept else _text(data, "relationship_type").lower(),
        ends=tuple(ends),
        evidence=_text(data, "evidence"),
        creator=_text(data, "created_by") or _text(data, "creator"),
        created_at=read_time(_text(data, "created_at")),
        similarity=number(data.get("similarity_score")),
        leap=_text(data, "cognitive_leap"),
        concept=concept,
        votes=tuple(_vote(each) for each in _list(data, "votes")),
    )


def _pair(data: dict[str, Any]) -> list[PortableEnd]:
    return [_end(data.get(side), side) for side in ("from", "to")]


def _end(value: object, field: str) -> PortableEnd:
    if isinstance(value, str):
        return PortableEnd(id="", title=value, ontology="")
    data = _object(value, field)
    end = PortableEnd(id=_text(data, "id"), title=_text(data, "label"), ontology=_text(data, "ontology"))
    if not (end.id or end.title):
        raise ValueError(f"{field} has neither id nor label")
    return end


def _concept(value: object) -> PortableConcept:
    data = _object(value, "concept")
    terms = _list(data, "search_terms")
    if not all(isinstance(term, str) for term in terms):
        raise ValueError("search_terms must be texts")
    return PortableConcept(
        id=_text(data, "id"),
        handle=_text(data, "concept_id"),
        title=_text(data, "label"),
        ontology=_text(data, "ontology"),
        search_terms=tuple(terms),
    )


def _vote(value: object) -> PortableVote:
    data = _object(value, "votes")
    vote = _text(data, "vote")
    if vote not in _VOTES:
        raise ValueError(f"vote must be up or down, not {vote[:60]!a}")
    return PortableVote(
        actor=_text(data, "actor"), value=_VOTES[vote], reason=_text(data, "reason"), at=read_time(_text(data, "at"))
    )


def _object(value: object, field: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ValueError(f"{field} must be an object")  # noqa: TRY004 - what a file says is a value, whatever its type
    return value


def _text(data: dict[str, Any], field: str) -> str:
    value = data.get(field)
    if value is not None and not isinstance(value, str):
        raise ValueError(f"{field} must be text")
    return value or ""


def _list(data: dict[str, Any], field: str) -> list[Any]:
    value = data.get(field)
    if value is not None and not isinstance(value, list):
        raise ValueError(f"{field} must be a list")
    return value or []


def _optional(data: dict[str, Any], field: str, read: Callable[[object], T]) -> T | None:
    return None if data.get(field) is None else read(data[field])
