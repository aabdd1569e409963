"""Values as JSON-ready data, said once for all toolsets: nodes, relations, evidence; numbers, times, sizes."""

from __future__ import annotations

import math
import sys
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from pydantic import TypeAdapter

from weft.model import Status
from weft.model.codec import time_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from weft.model import (
        ClaimSide,
        ContextNode,
        Evidence,
        Hit,
        LinkedNode,
        NearMisses,
        Node,
        Relation,
        Source,
        Successor,
        Suggestion,
        Titled,
        Unrelated,
    )

__all__ = [
    "BUDGET",
    "Body",
    "answer_text",
    "brief",
    "clip",
    "differing",
    "fit",
    "full",
    "lapsed",
    "likelier",
    "linked",
    "mention",
    "near_misses",
    "quote",
    "relation",
    "replaced",
    "side",
    "source",
    "state",
    "succession",
    "successor",
    "suggestion",
    "tidy",
    "unrelated",
]

Body: TypeAlias = dict[str, Any]

BUDGET: Final = 32_000
"""Bytes of compact JSON that one answer may take: about 8k tokens."""

DIGITS: Final = 4  # of every number that is shown
SNIPPET_MAX: Final = 400  # characters of a text shown beside others
RIVAL: Final = 0.5  # of how sure a guessed kind is, what another has to be for it to be offered in its place
COUNTS_MIN: Final = 20  # a table of no more counts is left whole
_TIDY: Final = frozenset({str, int, bool})  # exactly: an enumeration's member is to become plain text
_OWN_CLIPS: Final = (20_000, 12_000)  # of a text that was asked for, beside the following
_CLIPS: Final = (8_000, 4_000, 2_000, 1_000, 400, 200)
_JSON: Final = TypeAdapter(Any)


def tidy(value: Any) -> Any:  # noqa: ANN401 - any JSON-ready value
    """Return ``value`` as plain JSON data: None left out, numbers to four digits, times as ISO 8601 in UTC."""
    if isinstance(value, dict):
        return {
            str(name): part if type(part) in _TIDY else tidy(part) for name, part in value.items() if part is not None
        }
    if isinstance(value, (list, tuple)):
        return [part if type(part) in _TIDY else tidy(part) for part in value]
    if isinstance(value, float):
        return round(value, DIGITS)
    if isinstance(value, datetime):
        return time_text(value)
    return str(value) if isinstance(value, str) else value


def answer_text(body: Body) -> str:
    """Return ``body`` as the compact JSON that an answer travels as (five times as fast as the standard library's)."""
    return _JSON.dump_json(body).decode()


def clip(text: str, limit: int = SNIPPET_MAX) -> str:
    """Return ``text``, cut after ``limit`` characters with a mark where it was cut."""
    return text if len(text) <= limit else text[:limit].rstrip() + "…"


def fit(body: Body, *, budget: int = BUDGET) -> Body:
    """Return ``body`` in at most ``budget`` bytes of JSON; what had to be left out is said in ``left_out``.

    Texts in lists are cut first, evenly; then lists lose their last, least relevant items, and counts their smallest. A
    text outside of lists is what was asked for, as that of a node which comes with its relations: it may take three
    quarters of the room.
    """
    if _size(body) <= budget:
        return body
    room = budget - 600  # for saying so
    said = [body["left_out"]] if "left_out" in body else []
    own = _largest((*_OWN_CLIPS, *_CLIPS), lambda limit: _clipped(_bare(body), limit, limit), room * 3 // 4)
    listed = _largest(_CLIPS, lambda limit: _clipped(body, own, limit), room)
    said += _cuts(body, own, listed)
    body = _clipped(body, own, listed)
    while _size(body) > room:
        place, items = max(_long(body), key=lambda each: _size(each[1]), default=("", []))
        if not items:
            break
        kept = len(items) * 3 // 4
        said = [each for each in said if not each.startswith(f"{place}: ")]
        said.append(f"{place}: only the {_shortened(items, kept)} {kept} are shown")
    return {**body, "left_out": "; ".join((*said, "ask for less at a time, or fetch one by its id"))}


def _size(value: object) -> int:
    return len(_JSON.dump_json(value))


def _largest(limits: Sequence[int], cut: Callable[[int], Body], room: int) -> int:
    """Return the first of these limits, which fall, at which what is cut takes no more than ``room``; else the last."""
    return next((limit for limit in limits if _size(cut(limit)) <= room), limits[-1])


def _cuts(body: Body, own: int, listed: int) -> Iterator[str]:
    """Yield what is cut of ``body``: its own texts at ``own`` characters, those in lists at ``listed``."""
    bare = _bare(body)
    if _clipped(bare, own, own) != bare:
        yield f"its own text is cut at {own} characters, where fetch goes on with offset {own}"
    if _clipped(body, sys.maxsize, listed) != body:
        yield f"texts are cut at {listed} characters"


def _clipped(value: Any, own: int, listed: int) -> Any:  # noqa: ANN401 - any JSON value
    if isinstance(value, dict):
        return {name: _clipped(part, own, listed) for name, part in value.items()}
    if isinstance(value, list):
        return [_clipped(part, listed, listed) for part in value]
    return clip(value, own) if isinstance(value, str) else value


def _bare(value: Any) -> Any:  # noqa: ANN401 - any JSON value
    """Return ``value`` with every list empty."""
    if isinstance(value, dict):
        return {name: _bare(part) for name, part in value.items()}
    return [] if isinstance(value, list) else value


def _long(body: Body, path: str = "") -> Iterator[tuple[str, list[Any] | dict[str, int]]]:
    """Yield what can be shortened with where it stands: lists that hold something, and long tables of counts."""
    for name, value in body.items():
        if (isinstance(value, list) and value) or _counts(value):
            yield path + name, value
        elif isinstance(value, dict):
            yield from _long(value, f"{path}{name}.")


def _counts(value: object) -> bool:
    if not isinstance(value, dict) or len(value) <= COUNTS_MIN:
        return False
    return all(type(each) is int for each in value.values())


def _shortened(items: list[Any] | dict[str, int], kept: int) -> str:
    """Leave ``kept`` of ``items``, and return which."""
    if isinstance(items, list):
        del items[kept:]
        return "first"
    for name in sorted(items, key=items.__getitem__, reverse=True)[kept:]:
        del items[name]
    return "largest"


def brief(node: Node) -> Body:
    """Return what names a node."""
    return {"id": node.id, "title": node.title, "kind": node.kind, "ontology": node.ontology}


def state(node: Node) -> Body:
    """Return how current a node is: its status where it is not active, when it was made, and when changed since."""
    return {
        **({} if node.status is Status.ACTIVE else {"status": node.status.value}),
        "created_at": node.created_at,
        **({"modified_at": node.modified_at} if node.modified_at != node.created_at else {}),
    }


def lapsed(node: Node) -> str | None:
    """Return a node's status where it is not active: what was there already need not hold any more."""
    return None if node.status is Status.ACTIVE else node.status.value


def successor(row: Titled | None) -> Body | None:
    """Return what replaced a node, if anything did."""
    return row._asdict() if row else None


def replaced(row: Hit | ContextNode | ClaimSide) -> Body:
    """Return what replaced a node, or the document it stands in, if anything did."""
    within = row.superseded_document
    document = within and {**within._asdict(), "superseded_by": successor(within.superseded_by)}
    return {"superseded_by": successor(row.superseded_by), "superseded_document": document}


def succession(row: Successor) -> Body:
    """Return what replaced a node, and which."""
    return {**row.by._asdict(), "replaces": row.replaced._asdict()}


def unrelated(result: Unrelated, _: object) -> Body:
    """Return whether there was something to remove."""
    return {"removed": result.removed, "batch": result.batch or None}


def full(node: Node) -> Body:
    """Return a node whole; empty fields are left out."""
    optional = {
        "tags": node.tags,
        "aliases": node.aliases,
        "handles": node.handles,
        "search_terms": node.search_terms,
        "references": node.references,
        "citation": node.citation,
        "session": node.session,
        "learned_id": node.learned_id,
    }
    retired = node.retired and {
        "at": node.retired.at,
        "by": node.retired.by,
        "why": node.retired.why,
        "merged_into": node.retired.merged_into or None,
    }
    return {
        **brief(node),
        "content": node.content,
        **{name: value for name, value in optional.items() if value},
        "confidence": node.confidence,
        "importance": node.importance,
        "status": node.status.value,
        "origin": node.origin.value,
        "channel": node.channel,
        "created_at": node.created_at,
        "created_by": node.created_by,
        "modified_at": node.modified_at,
        "modified_by": node.modified_by,
        "version": node.version,
        "retired": retired,
    }


def relation(row: Relation) -> Body:
    """Return a relation; rule and scores where it was made automatically."""
    return {
        "id": row.id,
        "source": row.source,
        "target": row.target,
        "type": row.type,
        "reasoning": row.reasoning,
        "confidence": row.confidence,
        "origin": row.origin.value,
        "rule": row.rule or None,
        "scores": dict(row.scores) or None,
        "learned_id": row.learned_id or None,
        "created_at": row.created_at,
        "created_by": row.created_by,
    }


def suggestion(row: Suggestion) -> Body:
    """Return a suggestion that waits for a decision; a doubtful kind comes with the call that sets another."""
    return {
        "id": row.id,
        "kind": row.kind.value,
        "summary": row.summary,
        "grounds": row.grounds,
        "score": row.score,
        "record_with": _other_kind(row),
    }


def _other_kind(row: Suggestion) -> Body | None:
    """Return the call that makes the node another kind; ``kind_choices`` are those it may be, the likeliest first.

    A kind that is less than half as likely as the guess is none of them: nobody should be led from one to the other.
    """
    taken = row.proposal.get("kind")
    if not taken:
        return None
    least = RIVAL * row.grounds.get("confidence", 0.0)
    others = row.grounds.get("alternatives", ())
    choices = [kind for kind, value in others if kind != taken["kind"] and value >= least]
    if not choices:
        return None
    return {"tool": "update", "arguments": {"id": taken["id"], "kind": choices[0]}, "kind_choices": choices}


def linked(row: LinkedNode) -> Body:
    """Return a node that is near another."""
    return {"id": row.id, "title": row.title, "similarity": row.similarity, "why": row.why}


def mention(name: str) -> str:
    """Return why a mention joins two nodes: by which name the one stands in the other's text."""
    return f"The one is named in the other's text, as «{name}»."


def near_misses(row: NearMisses) -> Body:
    """Return what fell below the bar; the best is rounded down, since it is offered as the next bar."""
    best = None if row.best is None else math.floor(row.best * 10**DIGITS) / 10**DIGITS
    return {"count": row.count, "threshold": row.threshold, "best": best}


def quote(piece: Evidence, origin: Source) -> Body:
    """Return a piece of evidence with the document it points into."""
    return {
        "id": piece.id,
        "quote": piece.quote,
        "document": origin.document,
        "source": origin.id,
        "type": piece.type.value,
        "paragraph": piece.paragraph,
        "start": piece.start,
        "end": piece.end,
        "subject": piece.subject,
        "creator": piece.creator,
        "similarity": piece.similarity,
        "cognitive_leap": piece.leap or None,
    }


def source(row: Source) -> Body:
    """Return where a source is from; its text is read through the quotes."""
    return {
        "id": row.id,
        "document": row.document,
        "ontology": row.ontology,
        "type": row.type.value,
        "path": row.path or None,
        "created_at": row.created_at,
    }


def leaning(row: ClaimSide) -> Body:
    """Return which way a text leans that is left to be judged: the side that is likely, and both likelihoods (0..1).

    The likelier side counts as likely from the mark in ``likely_from``.
    """
    found = row.leaning
    if found is None:
        return {}
    return {
        "likely": found.likely or None,
        "likelihood": {"conflicts": found.conflicts, "supports": found.supports},
        "likely_from": found.likely_from,
    }


def likelier(row: ClaimSide) -> str:
    """Return the type of relation that the likelier verdict is recorded by; where nothing is known, contradicts."""
    leans = row.leaning.likelier if row.leaning else "conflicts"
    return "supports" if leans == "supports" else "contradicts"


def differing(row: ClaimSide) -> Body:
    """Return a node that may say otherwise than a new one, when that was said, and what tells so."""
    named = {"id": row.node.id, "title": row.node.title}
    return {**named, **state(row.node), "similarity": row.similarity, "grounds": row.grounds}


def side(row: ClaimSide) -> Body:
    """Return how a node stands to a claim, with its grounds; of a long text the sentences that bear on the claim."""
    return {
        **brief(row.node),
        **state(row.node),
        "content": row.snippet or clip(row.node.content),
        "similarity": row.similarity,
        "verdict": row.verdict,
        "grounds": row.grounds,
        **replaced(row),
        "relation": row.relation
        and {"id": row.relation.id, "type": row.relation.type, "reasoning": row.relation.reasoning},
    }
