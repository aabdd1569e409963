"""From the drafts of a document to nodes: kept, changed, known from elsewhere, or new."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from weft.formats.tags import with_tags
from weft.identity import new_id
from weft.model import Node, Origin, SaveNode, Status
from weft.services import passages
from weft.services.ingest.given import Given, pausing, read
from weft.services.ingest.known import matches
from weft.services.ingest.reuse import Reuse
from weft.services.ingest.tagging import tagged, written
from weft.services.relating import touched
from weft.text import digest, fold
from weft.vocabulary import ALIAS_MAX, ALIASES_MAX, STANDARD, TAG_MAX, TAGS_MAX, TITLE_MAX

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from weft.model import Call, Passage
    from weft.ports import Embedder, Store, Vectors
    from weft.reason.extract import Draft
    from weft.services.ingest.given import Reading
    from weft.services.resting import Known

__all__ = ["ASKED", "Cast", "Casting"]

_EMBEDDED_AT_ONCE: Final = 16  # nodes of one document

CHANNEL: Final = "ingest"
ASKED: Final = "ingest_model"
"""The channel of what is read out of documents, and of a document that a model read beside the rules."""


@dataclass(slots=True, kw_only=True)
class Cast:
    """What the drafts became, by their place: ``nodes`` as they will stand, ``saves`` what writes those that change.

    ``kept`` are the nodes that stood for a draft before, ``fresh`` the ids of new ones, and ``copied`` is the name of a
    document that has the very same text (empty: none). ``rewritten`` are the titles of nodes that somebody had changed,
    and that read as the document has them now.
    """

    nodes: dict[int, Node] = field(default_factory=dict)
    kept: Mapping[int, Node] = field(default_factory=dict)
    saves: dict[str, SaveNode] = field(default_factory=dict)
    fresh: list[str] = field(default_factory=list)
    reused: int = 0
    updated: int = 0
    copied: str = ""
    rewritten: list[str] = field(default_factory=list)

    def stay(self, place: int, standing: Node, after: Node) -> None:
        """Keep a node that says what it said; its tags alone may have changed."""
        self.nodes[place] = after
        if after is not standing:
            self.saves[after.id] = SaveNode(node=after, expect=standing.version)
            self.updated += 1


@dataclass(frozen=True, slots=True, kw_only=True)
class _Earlier:
    """What a document said before: the digests of its drafts, and of their texts alone, and the tags of each."""

    said: frozenset[str] = frozenset()
    texts: frozenset[str] = frozenset()
    tags: Mapping[tuple[str, str], tuple[str, ...]] = field(default_factory=dict)


class Casting:
    """Turns drafts into nodes."""

    def __init__(self, *, store: Store, vectors: Vectors, embedder: Embedder) -> None:
        self._embedder = embedder
        self._reuse = Reuse(store=store, vectors=vectors, embedder=embedder)

    def cast(self, reading: Reading, before: Known, call: Call) -> Cast:
        """Return the nodes of what was found in a document; all that is new or changed is embedded in one call.

        A draft that the earlier text held word for word leaves its node as it is, whatever was made of that since. A
        node that another document said first is not changed by this one.
        """
        drafts = tagged(reading.given, reading.found.nodes)
        result = Cast(kept=matches(drafts, before))
        between = pausing(call)
        waiting = _sort(result, drafts, reading, before, _earlier(before, between), call)
        self._embed(result, waiting, between)
        between()
        itself = result.saves.get(result.nodes[0].id)
        result.copied = self._reuse.copied(reading.given, itself.passages or ()) if itself is not None else ""
        return result

    def _embed(self, result: Cast, waiting: Mapping[int, Node], between: Callable[[], None]) -> None:
        entries = list(waiting.items())
        for start in range(0, len(entries), _EMBEDDED_AT_ONCE):
            part = entries[start : start + _EMBEDDED_AT_ONCE]
            embedded = passages.embed([node for _, node in part], self._embedder, between=between)
            for (place, node), stretches in zip(part, embedded, strict=True):
                self._settle(result, place, node, stretches)

    def _settle(self, result: Cast, place: int, node: Node, stretches: Sequence[Passage]) -> None:
        standing = result.kept.get(place)
        known = self._reuse.known(node, stretches) if standing is None else None
        result.nodes[place] = known or node
        if known is not None:
            result.reused += 1
            return
        expect = 0 if standing is None else standing.version
        result.saves[node.id] = SaveNode(node=node, expect=expect, passages=tuple(stretches))
        if standing is None:
            result.fresh.append(node.id)
        else:
            result.updated += 1


def _sort(
    result: Cast, drafts: Sequence[Draft], reading: Reading, before: Known, earlier: _Earlier, call: Call
) -> dict[int, Node]:
    """Return the nodes that are new or changed, by their places; those that stay are entered in ``result``."""
    given, channel = reading.given, ASKED if reading.asked else CHANNEL
    waiting: dict[int, Node] = {}
    for place, draft in enumerate(drafts):
        standing, tags = result.kept.get(place), earlier.tags.get(_key(place, draft), ())
        if standing is None:
            waiting[place] = _fresh(given, draft, call, channel=channel if place == 0 else "")
        elif place == 0 and standing.channel != channel:
            after = _changed(standing, draft, (*tags, *written(given, standing)), call)
            waiting[place] = replace(after, channel=channel)
        elif not before.owns(standing.id):
            result.nodes[place] = standing
        elif _is_said(standing, draft, earlier, before):
            result.stay(place, standing, _retagged(standing, draft, tags, call))
        else:
            waiting[place] = _changed(standing, draft, (*tags, *written(given, standing)), call)
        if place in waiting and standing is not None and not _stands_as_read(standing, earlier):
            result.rewritten.append(standing.title)
    return waiting


def _stands_as_read(standing: Node, earlier: _Earlier) -> bool:
    """Whether nobody has changed the text of a node since it was read out of its document."""
    return not earlier.texts or digest(standing.content) in earlier.texts


def _is_said(standing: Node, draft: Draft, earlier: _Earlier, before: Known) -> bool:
    """Return whether the document's earlier text held what ``draft`` says, so that its node may stay as it is."""
    if digest(f"{draft.title}\n{draft.content}") in earlier.said:
        return True
    return draft.rule == "model" and before.said(standing.id, draft.quote) is not None


def _earlier(before: Known, between: Callable[[], None]) -> _Earlier:
    """Return what the document's earlier text gave rise to."""
    source = before.source
    if source is None:
        return _Earlier()
    given = Given(name=source.document, ontology=source.ontology, text=source.text, path=source.path)
    drafts = tagged(given, read(given, STANDARD, between=between).found.nodes)
    return _Earlier(
        said=frozenset(digest(f"{draft.title}\n{draft.content}") for draft in drafts),
        texts=frozenset(digest(draft.content) for draft in drafts),
        tags={_key(place, draft): draft.tags for place, draft in enumerate(drafts)},
    )


def _key(place: int, draft: Draft) -> tuple[str, str]:
    """Return what a draft is known by in another text of its document; the document itself may change its title."""
    return (draft.kind, fold(draft.title)) if place else ("", "")


def _followed(standing: Node, draft: Draft, earlier: Sequence[str]) -> tuple[str, ...]:
    """Return the tags of a node whose text had the tags ``earlier`` and has those of ``draft``; its others stay."""
    gone = {tag.casefold() for tag in earlier}.difference(tag.casefold() for tag in draft.tags)
    kept = (tag for tag in standing.tags if tag.casefold() not in gone)
    return _clipped(with_tags(kept, draft.tags), limit=TAG_MAX, most=TAGS_MAX)


def _fresh(given: Given, draft: Draft, call: Call, *, channel: str) -> Node:
    """Return a new node; ``channel`` is that of the document itself, empty for what it holds."""
    is_document = bool(channel)
    return Node(
        id=new_id(call.at),
        kind=draft.kind,
        title=_title(draft, given),
        content=draft.content,
        ontology=given.ontology,
        handles=(given.name,) if is_document else (),
        tags=_clipped(draft.tags, limit=TAG_MAX, most=TAGS_MAX),
        aliases=_clipped(draft.aliases, limit=ALIAS_MAX, most=ALIASES_MAX),
        references=(given.file or given.name,) if is_document else (),
        confidence=draft.confidence,
        status=Status(draft.status),
        session=call.session,
        origin=Origin.DOCUMENT,
        channel=channel or CHANNEL,
        created_at=call.at,
        created_by=call.actor,
        modified_at=call.at,
        modified_by=call.actor,
    )


def _changed(standing: Node, draft: Draft, earlier: Sequence[str], call: Call) -> Node:
    superseded = draft.status == Status.SUPERSEDED
    after = replace(
        standing,
        title=draft.title[:TITLE_MAX] or standing.title,
        content=draft.content,
        tags=_followed(standing, draft, earlier),
        aliases=_clipped((*standing.aliases, *draft.aliases), limit=ALIAS_MAX, most=ALIASES_MAX),
        status=Status.SUPERSEDED if superseded else standing.status,
    )
    return touched(after, call)


def _retagged(standing: Node, draft: Draft, earlier: Sequence[str], call: Call) -> Node:
    """Return a node that stays as it is, whatever was made of it since, but for tags that came or went in its text."""
    if {tag.casefold() for tag in earlier} == {tag.casefold() for tag in draft.tags}:
        return standing
    tags = _followed(standing, draft, earlier)
    return standing if tags == standing.tags else touched(replace(standing, tags=tags), call)


def _title(draft: Draft, given: Given) -> str:
    return " ".join(draft.title.split())[:TITLE_MAX] or given.name[:TITLE_MAX]


def _clipped(values: Sequence[str], *, limit: int, most: int) -> tuple[str, ...]:
    return tuple(dict.fromkeys(" ".join(value.split())[:limit] for value in values if value.strip()))[:most]
