"""Operations worked out before the write lock is taken: what the statements bind, and what the log keeps."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias

import numpy as np

from weft.errors import InvalidArgument
from weft.model import (
    ClaimNumber,
    Embedded,
    Node,
    Operation,
    Origin,
    Passage,
    RemoveEvidence,
    RemoveRelation,
    ReserveNumbers,
    SaveEvidence,
    SaveFilePrints,
    SaveMentions,
    SaveNode,
    SaveRelation,
    SaveSource,
    SaveSuggestion,
    SaveVote,
)
from weft.model.codec import Value, digest_of, json_text, to_data
from weft.store.rows import node_values, values_of
from weft.text import HEAD, indexed, language

__all__ = ["Plan", "Wording", "name_words", "passage_values", "plan_of", "vector_values"]

Dimension: TypeAlias = Callable[[int], int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """One operation, worked out: ``text`` is the value as the log keeps it, ``values`` what its statements bind.

    ``passages`` are what the statement that enters one binds, but for the node's row and the position; None: they stay.
    """

    operation: Operation
    text: str = ""
    values: dict[str, Any] = field(default_factory=dict)
    passages: tuple[dict[str, Any], ...] | None = None


def plan_of(operation: Operation, dimension: Dimension) -> Plan:
    """Return ``operation`` worked out; ``dimension`` tells the length of a vector, given the length at hand.

    Raises:
        InvalidArgument: a value cannot be kept: a number that is none, a vector of another length.
    """
    try:
        return _plan_of(operation, dimension)
    except (ValueError, TypeError) as error:
        raise InvalidArgument(f"{type(operation).__name__} holds a value that cannot be kept: {error}.") from error


def _plan_of(operation: Operation, dimension: Dimension) -> Plan:
    match operation:
        case SaveNode(node=node):
            data = to_data(node)
            text = json_text(data)
            values = node_values(node, data) | {"hash": digest_of(text)}
            passages = _planned(node, operation.passages, dimension)
            return Plan(operation=operation, text=text, values=values, passages=passages)
        case SaveMentions(node=node_id):
            return Plan(operation=operation, values={"node": node_id, "mentions": _mentions(operation)})
        case SaveFilePrints(node=node_id, prints=prints):
            listed = [[each.reference, each.root, each.file, each.digest] for each in prints]
            return Plan(operation=operation, values={"id": node_id, "prints": json_text(listed)})
        case RemoveRelation() | RemoveEvidence() | ClaimNumber() | ReserveNumbers():
            return Plan(operation=operation)
        case _:
            data = to_data(_value_of(operation))
            text = json_text(data)
            return Plan(operation=operation, text=text, values=values_of(data) | {"hash": digest_of(text)})


def _value_of(operation: SaveRelation | SaveSource | SaveEvidence | SaveSuggestion | SaveVote) -> Value:
    match operation:
        case SaveRelation(relation=value):
            return value
        case SaveSource(source=value):
            return value
        case SaveEvidence(evidence=value):
            return value
        case SaveSuggestion(suggestion=value):
            return value
        case SaveVote(vote=value):
            return value


def _mentions(operation: SaveMentions) -> str:
    outgoing = [[mention.target, mention.name] for mention in operation.outgoing]
    incoming = [[mention.node, mention.name] for mention in operation.incoming]
    return json_text({"outgoing": outgoing, "incoming": incoming})


def _planned(
    node: Node, passages: tuple[Passage, ...] | None, dimension: Dimension
) -> tuple[dict[str, Any], ...] | None:
    if node.retired is not None:
        return ()
    if passages is None:
        return None
    planned = [_planned_one(node, ordinal, passage, dimension) for ordinal, passage in enumerate(passages)]
    return tuple(_counted_once(planned))


def _counted_once(planned: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield the values of a node's passages, the last one with the words of all, each as often as a passage has it.

    Words that PostgreSQL counts passage by passage take quadratic time within one transaction, where every further
    change of a row walks past all that came before it.
    """
    terms = sorted(term for values in planned for term in json.loads(values["terms"]))
    for values in planned[:-1]:
        yield values | {"terms": "[]"}
    for values in planned[-1:]:
        yield values | {"terms": json_text(terms)}


def _planned_one(node: Node, ordinal: int, passage: Passage, dimension: Dimension) -> dict[str, Any]:
    length = passage.vector.shape[0] if passage.vector.ndim == 1 else 0
    if length != dimension(length):
        raise InvalidArgument(f"A passage's vector has {length} numbers; this graph's have {dimension(length)}.")
    if not np.isfinite(passage.vector).all():
        raise InvalidArgument("A passage's vector holds a number that is infinite or none.")
    place = {"ordinal": ordinal, "start": passage.start, "end": passage.end}
    return place | vector_values(passage) | passage_values(node, ordinal, passage.start, passage.end)


def vector_values(passage: Passage | Embedded) -> dict[str, Any]:
    """Return the vectors of a passage as they are kept: its own in half precision, then its words' one after another.

    The words' are a ``bytearray``, since bytes are vectors in half precision to PostgreSQL.
    """
    words = passage.word_vectors
    return {
        "vector": passage.vector.astype("<f2").tobytes(),
        "word_vectors": None if words is None else bytearray(words.tobytes()),
    }


class Wording(Protocol):
    """What the words of a node's passages are cut from; a node is one."""

    @property
    def title(self) -> str:
        """What it is called."""
        ...

    @property
    def aliases(self) -> tuple[str, ...]:
        """What it is called besides."""
        ...

    @property
    def search_terms(self) -> tuple[str, ...]:
        """What it is found by besides."""
        ...

    @property
    def tags(self) -> tuple[str, ...]:
        """What it is marked with."""
        ...

    @property
    def content(self) -> str:
        """Its text."""
        ...

    @property
    def origin(self) -> Origin:
        """Where it came from."""
        ...


def name_words(node: Wording) -> tuple[str, ...]:
    """Return what a node is found by in its title, aliases, search terms and tags: see :func:`weft.text.indexed`."""
    code = language(f"{node.title}\n{node.content[:HEAD]}")
    return indexed(node.title, *node.aliases, *node.search_terms, *node.tags, code=code)


def passage_values(node: Wording, ordinal: int, start: int, end: int) -> dict[str, Any]:
    """Return the word columns of a passage entry: the first passage of a node holds its names too.

    What was learned is found by its names alone, not by the wording of its evidence.
    """
    names = name_words(node) if ordinal == 0 else ()
    body = () if node.origin is Origin.LEARNED else _body_words(node.content, start, end)
    return {
        "name_words": " ".join(names),
        "body_words": " ".join(body),
        "terms": json_text(sorted({*names, *body})),
    }


def _body_words(content: str, start: int, end: int) -> tuple[str, ...]:
    """Return what a passage is found by; where it does not tell its language, the beginning of its text does."""
    passage = content[start:end]
    return indexed(passage, code=language(passage) or language(content[:HEAD]))
