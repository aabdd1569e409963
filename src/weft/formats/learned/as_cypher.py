r"""Learned items as Cypher, in the schema of the Learned Knowledge Synthesis plan: Concept, Source, typed relations.

``MERGE`` throughout, so that running it twice changes nothing. Relation types are bare names; everything
else is a quoted text. Cypher unfolds ``\uXXXX`` before it reads a quotation, so a backslash is never followed by a u.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Final

from weft.errors import InvalidArgument
from weft.formats.cypher import quotable
from weft.model.codec import time_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from weft.model import PortableItem

__all__ = ["render"]

_JOINED: Final = "synthesized_from"
_NAME: Final = re.compile(r"[a-z][a-z0-9_]*")  # as relation types are stored; never quoted in a statement


def render(items: Sequence[PortableItem]) -> str:
    """Return the items as Cypher statements.

    Raises:
        InvalidArgument: a relation type has no name that is one.
    """
    return "\n".join(line for item in items for line in (*_item(item), ""))


def _item(item: PortableItem) -> Iterator[str]:
    for end in item.ends:
        yield _concept(end.id or end.title, end.title, end.ontology)
    yield _source(item)
    if item.concept is not None:
        made = item.concept
        key = made.handle or made.id or made.title
        terms = ", ".join(map(_quoted, made.search_terms))
        yield _concept(key, made.title, made.ontology, extra=f", c.search_terms = [{terms}]")
        yield f"MATCH (c:Concept {{concept_id: {_quoted(key)}}}), (s:Source {{source_id: {_quoted(item.learned_id)}}})"
        yield "MERGE (c)-[:EVIDENCED_BY]->(s);"
        for end in item.ends:
            yield from _relation(key, end.id or end.title, _JOINED, item.learned_id)
    else:
        one, other = (end.id or end.title for end in item.ends)
        yield from _relation(one, other, item.type, item.learned_id)


def _concept(key: str, label: str, ontology: str, *, extra: str = "") -> str:
    said = f"c.label = {_quoted(label)}, c.ontology = {_quoted(ontology)}"
    return f"MERGE (c:Concept {{concept_id: {_quoted(key)}}}) ON CREATE SET {said}{extra};"


def _source(item: PortableItem) -> str:
    by_agent = item.creator.casefold().startswith("claude")
    fields = {
        "document": _quoted("AI synthesis" if by_agent else "User synthesis"),
        "paragraph": "0",
        "full_text": _quoted(item.evidence),
        "type": _quoted("LEARNED"),
        "created_by": _quoted(item.creator),
        "created_at": _quoted(time_text(item.created_at)) if item.created_at else "null",
        "similarity_score": "null" if item.similarity is None else repr(float(item.similarity)),
        "cognitive_leap": _quoted(item.leap),
    }
    said = ", ".join(f"s.{name} = {value}" for name, value in fields.items())
    return f"MERGE (s:Source {{source_id: {_quoted(item.learned_id)}}}) SET {said};"


def _relation(source: str, target: str, type_: str, learned_id: str) -> Iterator[str]:
    if not _NAME.fullmatch(type_):
        raise InvalidArgument(f"type {type_[:60]!a} names no relation type; it cannot become part of a statement.")
    ends = f"(a:Concept {{concept_id: {_quoted(source)}}}), (b:Concept {{concept_id: {_quoted(target)}}})"
    yield f"MATCH {ends}"
    yield f"MERGE (a)-[r:{type_.upper()} {{learned_id: {_quoted(learned_id)}}}]->(b);"


def _quoted(text: str) -> str:
    return " + ".join(json.dumps(part, ensure_ascii=False) for part in quotable(text))
