"""Rows of the tables into values, and values into what the statements bind. Column order: the ``*_columns`` entries."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from weft.model import (
    Action,
    Change,
    Evidence,
    LoggedBatch,
    Node,
    Origin,
    Receipt,
    Relation,
    Retirement,
    Source,
    SourceType,
    Status,
    Subject,
    Suggestion,
    SuggestionKind,
    SuggestionState,
    Touched,
    Vote,
)
from weft.model.codec import json_text, time_from
from weft.text import fold

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

__all__ = [
    "change_of",
    "evidence_of",
    "logged_batch_of",
    "node_of",
    "node_values",
    "receipt_of",
    "relation_of",
    "source_of",
    "suggestion_of",
    "touched_of",
    "values_of",
    "vote_of",
]

Row = tuple[Any, ...]

_NESTED = (dict, list)


def _time(text: str | None) -> datetime | None:
    return time_from(text) if text else None


def node_of(row: Row) -> Node:
    """Return the node of a row of ``node_columns``."""
    (id_, kind, title, content, ontology, lists, citation, confidence, importance, status), rest = row[:10], row[10:]
    (retired_at, retired_by, retired_why, merged_into, session, origin, channel, learned_id), last = rest[:8], rest[8:]
    retired = None
    if retired_at:
        retired = Retirement(at=time_from(retired_at), by=retired_by, why=retired_why, merged_into=merged_into)
    return Node(
        id=id_,
        kind=kind,
        title=title,
        content=content,
        ontology=ontology,
        citation=citation,
        confidence=confidence,
        importance=importance,
        status=Status(status),
        retired=retired,
        session=session,
        origin=Origin(origin),
        channel=channel,
        learned_id=learned_id,
        created_at=time_from(last[0]),
        created_by=last[1],
        modified_at=time_from(last[2]),
        modified_by=last[3],
        version=last[4],
        **_lists(lists),
    )


@lru_cache(maxsize=1024)  # most nodes have none, or what others have too
def _lists(text: str) -> dict[str, tuple[str, ...]]:
    return {name: tuple(items) for name, items in json.loads(text).items()}


def node_values(node: Node, data: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the statements on ``node`` bind; ``data`` is the node's own (see :mod:`weft.model.codec`)."""
    names = [[fold(node.title), "title"]]
    names += [[fold(alias), "alias"] for alias in node.aliases]
    names += [[fold(handle), "handle"] for handle in node.handles]
    lists = ("handles", "tags", "search_terms", "aliases", "references")
    retired = data["retired"] or {"at": None, "by": "", "why": "", "merged_into": ""}
    return {name: value for name, value in data.items() if name not in (*lists, "retired")} | {
        "lists": json_text({name: data[name] for name in lists}),
        "names": json_text([entry for entry in names if entry[0]]),
        "retired_at": retired["at"],
        "retired_by": retired["by"],
        "retired_why": retired["why"],
        "merged_into": retired["merged_into"],
    }


def relation_of(row: Row) -> Relation:
    """Return the relation of a row of ``relation_columns``."""
    return Relation(
        id=row[0],
        source=row[1],
        target=row[2],
        type=row[3],
        reasoning=row[4],
        confidence=row[5],
        origin=Origin(row[6]),
        rule=row[7],
        scores=tuple((name, score) for name, score in json.loads(row[8])) if row[8] != "[]" else (),
        learned_id=row[9],
        valid_from=_time(row[10]),
        valid_to=_time(row[11]),
        created_at=time_from(row[12]),
        created_by=row[13],
        version=row[14],
    )


def source_of(row: Row) -> Source:
    """Return the source of a row of ``source_columns``."""
    return Source(
        id=row[0],
        document=row[1],
        ontology=row[2],
        type=SourceType(row[3]),
        text=row[4],
        digest=row[5],
        path=row[6],
        created_at=time_from(row[7]),
        created_by=row[8],
    )


def evidence_of(row: Row) -> Evidence:
    """Return the evidence of a row of ``evidence_columns``."""
    return Evidence(
        id=row[0],
        subject=row[1],
        source=row[2],
        paragraph=row[3],
        start=row[4],
        end=row[5],
        quote=row[6],
        type=SourceType(row[7]),
        creator=row[8],
        similarity=row[9],
        leap=row[10],
        learned_id=row[11],
        created_at=time_from(row[12]),
        version=row[13],
    )


def suggestion_of(row: Row) -> Suggestion:
    """Return the suggestion of a row of ``suggestion_columns``."""
    return Suggestion(
        id=row[0],
        kind=SuggestionKind(row[1]),
        dedup=row[2],
        subjects=tuple(json.loads(row[3])),
        summary=row[4],
        grounds=json.loads(row[5]),
        proposal=json.loads(row[6]),
        score=row[7],
        state=SuggestionState(row[8]),
        created_at=time_from(row[9]),
        created_by=row[10],
        decided_at=_time(row[11]),
        decided_by=row[12],
        decided_why=row[13],
        version=row[14],
    )


def vote_of(row: Row) -> Vote:
    """Return the vote of a row of ``vote_columns``."""
    return Vote(learned_id=row[0], actor=row[1], value=row[2], reason=row[3], at=time_from(row[4]))


def values_of(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the statements on a relation, source, evidence, suggestion or vote bind: nested data as JSON."""
    return {name: json_text(value) if type(value) in _NESTED else value for name, value in data.items()}


def receipt_of(row: Row) -> Receipt:
    """Return the receipt of a row of ``receipt_columns``."""
    actor, tool, key, digest, answer, subjects = row
    return Receipt(actor=actor, tool=tool, key=key, digest=digest, answer=answer, subjects=tuple(json.loads(subjects)))


def change_of(row: Row) -> Change:
    """Return the change of a row of ``change_columns``."""
    return Change(
        seq=row[0],
        at=time_from(row[1]),
        actor=row[2],
        client=row[3],
        tool=row[4],
        session=row[5],
        batch=row[6],
        subject=Subject(row[7]),
        subject_id=row[8],
        action=Action(row[9]),
        before=json.loads(row[10]) if row[10] else None,
        after=json.loads(row[11]) if row[11] else None,
    )


def logged_batch_of(row: Row) -> LoggedBatch:
    """Return the batch of a row of ``batch_columns``, not counted yet."""
    return LoggedBatch(
        batch=row[0],
        seq_first=row[1],
        seq_last=row[2],
        first_at=time_from(row[3]),
        last_at=time_from(row[4]),
        actor=row[5],
        client=row[6],
        tool=row[7],
        session=row[8],
        changes=row[9],
    )


def touched_of(row: Row) -> Touched:
    """Return what a batch did to one subject."""
    batch, subject, id_, made, first, last, newest = row
    return Touched(
        batch=batch, subject=Subject(subject), id=id_, made=bool(made), first=first, last=last, newest=newest
    )
