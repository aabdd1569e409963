"""From what another system wrote to what the graph takes: clean texts, known names, bounds kept; losses are told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from weft import text
from weft.errors import InvalidArgument
from weft.formats.foreign import status_of
from weft.identity import new_id
from weft.model import Node, Origin, Status
from weft.services.drafting import line, lines, required
from weft.services.passages import title_of
from weft.vocabulary import (
    ALIAS_MAX,
    ALIASES_MAX,
    CITATION_MAX,
    CONFIDENCE,
    CONTENT_MAX,
    IMPORTANCE,
    NAME_MAX,
    REASON_MAX,
    REFERENCE_MAX,
    REFERENCES_MAX,
    RELATION_TYPES,
    SESSION_MAX,
    TAG_MAX,
    TAGS_MAX,
    TITLE_MAX,
)

if TYPE_CHECKING:
    from weft.formats.foreign import Record, Tie
    from weft.model import Call
    from weft.vocabulary import RelationType, Vocabulary

__all__ = ["CHANNEL", "Shaped", "Typed", "origin_of", "shape", "typed"]

CHANNEL: Final = "import"
"""The channel of every node that was imported."""

_WORD_MAX: Final = 60
_PLAIN: Final = frozenset({"", "note", "entity", "memory", "page"})
"""Kinds of other systems that say nothing: they leave no tag."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shaped:
    """A record as a node of the graph, and what of it was cut."""

    node: Node
    losses: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Typed:
    """What type a relation has here, whether its ends change places, and what it says of itself."""

    type: RelationType
    turned: bool
    reasoning: str


def shape(record: Record, call: Call, vocabulary: Vocabulary, *, handle: str, ontology: str, kind: str) -> Shaped:
    """Return the node that ``record`` becomes.

    ``handle`` is its format and its id, ``kind`` that of records whose own kind is not known. What a graph of ours
    wrote keeps its id, its origin and who wrote it, and has no handle.
    A kind that is not known becomes a tag. Titles and lists are cut at their bounds, and that is told.

    Raises:
        InvalidArgument: it says nothing, or its text is too long or no text.
    """
    losses: list[str] = []
    content = required(record.content, field="content", limit=CONTENT_MAX)
    found, mark = _kind(record.kind, kind, vocabulary)
    title = _title(record.title, losses) or title_of(content)
    by = line(record.by, field="by", limit=NAME_MAX) if record.id else ""
    node = Node(
        id=record.id or new_id(call.at),
        kind=found,
        title=title,
        content=content,
        ontology=line(record.ontology, field="ontology", limit=NAME_MAX) or ontology,
        handles=() if record.id else _handles(handle, title),
        tags=_list((*record.tags, *mark), "tags", (TAG_MAX, TAGS_MAX), losses),
        aliases=_list(record.aliases, "aliases", (ALIAS_MAX, ALIASES_MAX), losses),
        references=_list(record.references, "references", (REFERENCE_MAX, REFERENCES_MAX), losses),
        citation=line(record.citation[:CITATION_MAX], field="citation", limit=CITATION_MAX),
        confidence=CONFIDENCE if record.confidence is None else record.confidence,
        importance=IMPORTANCE if record.importance is None else record.importance,
        status=status_of(record.status) or Status.ACTIVE,
        session=line(record.session[:SESSION_MAX], field="session", limit=SESSION_MAX),
        origin=origin_of(record.origin) if record.id else Origin.IMPORTED,
        channel=CHANNEL,
        created_at=record.created_at or record.modified_at or call.at,
        created_by=by or call.actor,
        modified_at=record.modified_at or record.created_at or call.at,
        modified_by=by or call.actor,
    )
    return Shaped(node=node, losses=tuple(losses))


def origin_of(word: str) -> Origin:
    """Return the origin of this name; what names none was imported."""
    return Origin(word) if word in set(Origin) else Origin.IMPORTED


def _handles(handle: str, title: str) -> tuple[str, ...]:
    key = handle.partition(":")[2]
    return (handle, *((key,) if text.fold(key) != text.fold(title) else ()))


def typed(tie: Tie, vocabulary: Vocabulary, *, source: str, target: str) -> Typed:
    """Return what ``tie`` is called here; ``source`` and ``target`` are the titles of its ends.

    A type that is not known becomes relates_to, and its own word, with who is what to whom, is kept in the reasoning.
    A name that is ours seen from the target (``superseded_by``) turns the ends round.
    """
    reasoning = text.clean(tie.reasoning[:REASON_MAX], field="reasoning", limit=REASON_MAX).strip()
    word = " ".join(tie.type.split())
    if not word:
        return Typed(type=RELATION_TYPES["relates_to"], turned=False, reasoning=reasoning)
    if forward := vocabulary.forward_of(word):
        return Typed(type=forward, turned=True, reasoning=reasoning)
    try:
        return Typed(type=vocabulary.type_named(word), turned=False, reasoning=reasoning)
    except InvalidArgument:
        said = line(f"{source} {word[:_WORD_MAX]} {target}", field="reasoning", limit=REASON_MAX)
        whole = f"{said}: {reasoning}" if reasoning and reasoning not in said else said
        return Typed(type=RELATION_TYPES["relates_to"], turned=False, reasoning=whole[:REASON_MAX])


def _kind(given: str, usual: str, vocabulary: Vocabulary) -> tuple[str, tuple[str, ...]]:
    """Return the kind, and the tag that keeps a word that is no kind here."""
    word = " ".join(given.split())
    if word.lower() in _PLAIN:
        return usual, ()
    try:
        return vocabulary.kind_named(word).name, ()
    except InvalidArgument:
        return usual, (word.lower()[:TAG_MAX],)


def _title(given: str, losses: list[str]) -> str:
    title = " ".join(text.clean(given, field="title", limit=CONTENT_MAX).split())
    if len(title) <= TITLE_MAX:
        return title
    losses.append(f"its title has {len(title)} characters; the first {TITLE_MAX - 1} are kept")
    return title[: TITLE_MAX - 1].rstrip() + "…"


def _list(given: tuple[str, ...], field: str, bounds: tuple[int, int], losses: list[str]) -> tuple[str, ...]:
    longest, most = bounds
    fitting = [each for each in dict.fromkeys(given) if len(each) <= longest]
    kept = lines(fitting[:most], field=field, limit=longest, most=most)
    left = len(set(given)) - min(len(fitting), most)
    if left:
        losses.append(f"{left} of its {field} are left out: too long, or beyond the {most} that a node has")
    return kept
