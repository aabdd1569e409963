"""Values to test with, each valid as it is made; name what matters to the test and leave the rest."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import numpy as np

from weft.identity import new_id
from weft.model import (
    Batch,
    Call,
    Evidence,
    Node,
    Operation,
    Passage,
    Receipt,
    Relation,
    Retirement,
    SaveNode,
    SaveRelation,
    Source,
    SourceType,
    Suggestion,
    SuggestionKind,
    Tier,
)
from weft.text import digest

__all__ = [
    "AT",
    "DIMENSION",
    "a_batch",
    "a_call",
    "a_node",
    "a_receipt",
    "a_relation",
    "a_source",
    "a_suggestion",
    "an_evidence",
    "changed",
    "joined",
    "retired",
    "saved",
    "whole",
]

AT = datetime(2026, 3, 1, 12, tzinfo=UTC)
DIMENSION = 8


def a_node(title: str = "Water boils at 100 °C", **fields: Any) -> Node:  # noqa: ANN401 - any field of a node
    """Return a new claim."""
    at = fields.get("created_at", AT)
    given: dict[str, Any] = {
        "id": new_id(at),
        "kind": "claim",
        "content": f"{title}. It was measured.",
        "ontology": "main",
    }
    given |= {"created_at": at, "created_by": "ada", "modified_at": at, "modified_by": "ada"}
    return Node(title=title, **(given | fields))


def changed(node: Node, **fields: Any) -> Node:  # noqa: ANN401 - any field of a node
    """Return the node's next version."""
    return replace(node, version=node.version + 1, modified_by="bob", **fields)


def retired(node: Node, *, into: str = "") -> Node:
    """Return the node's next version, retired, or merged into another."""
    return changed(node, retired=Retirement(at=AT, by="bob", why="it was wrong", merged_into=into))


def whole(node: Node) -> Passage:
    """Return the node's whole text as one passage, its vector made from its first words' letters."""
    letters = np.array([ord(letter) for letter in node.title.ljust(DIMENSION)[:DIMENSION]], dtype=np.float32)
    text = f"{node.title}\n{node.content}"
    return Passage(start=0, end=len(node.content), text=text, vector=letters / np.linalg.norm(letters))


def saved(node: Node) -> SaveNode:
    """Return the wish to save this version of the node over the one before, with its passage."""
    return SaveNode(node=node, expect=node.version - 1, passages=(whole(node),))


def a_relation(source: Node, target: Node, type: str = "supports", **fields: Any) -> Relation:  # noqa: A002, ANN401
    """Return a new relation between two nodes."""
    given: dict[str, Any] = {"id": new_id(AT), "reasoning": "the one is measured by the other", "created_at": AT}
    return Relation(source=source.id, target=target.id, type=type, **(given | {"created_by": "ada"} | fields))


def joined(source: Node, target: Node, type: str = "supports", **fields: Any) -> SaveRelation:  # noqa: A002, ANN401
    """Return the wish to save a new relation between two nodes."""
    return SaveRelation(relation=a_relation(source, target, type, **fields), expect=0)


def a_source(document: str = "boiling.md", **fields: Any) -> Source:  # noqa: ANN401 - any field of a source
    """Return a new document."""
    text = fields.get("text", "Water boils at 100 °C at sea level.")
    given: dict[str, Any] = {"id": new_id(AT), "ontology": "main", "type": SourceType.DOCUMENT, "text": text}
    given |= {"digest": digest(text), "created_at": AT, "created_by": "ada"}
    return Source(document=document, **(given | fields))


def an_evidence(subject: str, source: Source, **fields: Any) -> Evidence:  # noqa: ANN401 - any field of evidence
    """Return the first five characters of a source as evidence under ``subject``."""
    given: dict[str, Any] = {"id": new_id(AT), "paragraph": 0, "start": 0, "end": 5, "quote": source.text[:5]}
    given |= {"type": source.type, "creator": "ada", "created_at": AT}
    return Evidence(subject=subject, source=source.id, **(given | fields))


def a_suggestion(dedup: str, *subjects: Node, **fields: Any) -> Suggestion:  # noqa: ANN401 - any field of a suggestion
    """Return a new suggestion about these nodes."""
    given: dict[str, Any] = {"id": new_id(AT), "kind": SuggestionKind.RELATION, "summary": "They may be related."}
    given |= {"grounds": {"similarity": 0.9}, "proposal": {}, "created_at": AT, "created_by": "weft"}
    return Suggestion(dedup=dedup, subjects=tuple(node.id for node in subjects), **(given | fields))


def a_call(tier: Tier = Tier.CURATOR, *, at: datetime = AT, tool: str = "capture") -> Call:
    """Return a call by ada."""
    return Call(actor="ada", client="test", tool=tool, tier=tier, at=at, session="morning")


def a_receipt(key: str, **fields: Any) -> Receipt:  # noqa: ANN401 - any field of a receipt
    """Return the receipt of a call of ``capture`` by ada."""
    given: dict[str, Any] = {"tool": "capture", "actor": "ada", "digest": "d", "answer": '{"id": "1"}'}
    return Receipt(key=key, **(given | fields))


def a_batch(*operations: Operation, tier: Tier = Tier.CURATOR, at: datetime = AT, **fields: Any) -> Batch:  # noqa: ANN401
    """Return a batch of these operations; documents are spared unless ``spares_documents`` says otherwise."""
    return Batch(id=new_id(AT), call=a_call(tier, at=at), operations=operations, **fields)
