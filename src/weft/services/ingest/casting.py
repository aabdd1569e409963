"""From the drafts of a document to nodes: kept, changed, known from elsewhere, or new."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from weft.identity import new_id
from weft.model import Node, Origin, SaveNode, Status
from weft.services import passages
from weft.services.ingest.given import Given, pausing, read
from weft.services.ingest.known import matches
from weft.services.ingest.reuse import Reuse
from weft.services.relating import touched
from weft.text import digest
from weft.vocabulary import ALIAS_MAX, ALIASES_MAX, STANDARD, TAG_MAX, TAGS_MAX, TITLE_MAX

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from weft.model import Call, Passage
    from weft.ports import Embedder, Store, Vectors
    from weft.reason.extract import Draft
    from weft.services.ingest.given import Reading
    from weft.services.ingest.known import Known

__all__ = ["ASKED", "Cast", "Casting"]

_EMBEDDED_AT_ONCE: Final = 16  # nodes of one document

CHANNEL: Final = "ingest"
ASKED: Final = "ingest_model"
"""The channel of what is read out of documents, and of a document that a model read beside the rules."""


@dataclass(slots=True, kw_only=True)
class Cast:
    """What the drafts became, by their place: ``nodes`` as they will stand, ``saves`` what writes those that change.

    ``kept`` are the nodes that stood for a draft before, ``fresh`` the ids of new ones, and ``copied`` is the name of a
    document that has the very same text (empty: none).
    """

    nodes: dict[int, Node] = field(default_factory=dict)
    kept: Mapping[int, Node] = field(default_factory=dict)
    saves: dict[str, SaveNode] = field(default_factory=dict)
    fresh: list[str] = field(default_factory=list)
    reused: int = 0
    updated: int = 0
    copied: str = ""


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
        given, drafts, channel = reading.given, reading.found.nodes, ASKED if reading.asked else CHANNEL
        kept = matches(drafts, before)
        between = pausing(call)
        said = _said(before, between)
        result = Cast(kept=kept)
        waiting: dict[int, Node] = {}
        for place, draft in enumerate(drafts):
            standing = kept.get(place)
            if standing is None:
                waiting[place] = _fresh(given, draft, call, channel=channel if place == 0 else "")
            elif place == 0 and standing.channel != channel:
                waiting[place] = replace(_changed(standing, draft, call), channel=channel)
            elif _is_said(standing, draft, said, before) or not before.owns(standing.id):
                result.nodes[place] = standing
            else:
                waiting[place] = _changed(standing, draft, call)
        entries = list(waiting.items())
        for start in range(0, len(entries), _EMBEDDED_AT_ONCE):
            part = entries[start : start + _EMBEDDED_AT_ONCE]
            embedded = passages.embed([node for _, node in part], self._embedder, between=between)
            for (place, node), stretches in zip(part, embedded, strict=True):
                self._settle(result, place, node, stretches)
        between()
        itself = result.saves.get(result.nodes[0].id)
        result.copied = self._reuse.copied(given, itself.passages or ()) if itself is not None else ""
        return result

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


def _is_said(standing: Node, draft: Draft, said: frozenset[str], before: Known) -> bool:
    """Return whether the document's earlier text held what ``draft`` says, so that its node may stay as it is."""
    if digest(f"{draft.title}\n{draft.content}") in said:
        return True
    return draft.rule == "model" and before.said(standing.id, draft.quote) is not None


def _said(before: Known, between: Callable[[], None]) -> frozenset[str]:
    """Return the digests of what the document's earlier text gave rise to."""
    if before.source is None:
        return frozenset()
    earlier = Given(name=before.source.document, ontology=before.source.ontology, text=before.source.text)
    found = read(earlier, STANDARD, between=between).found
    return frozenset(digest(f"{draft.title}\n{draft.content}") for draft in found.nodes)


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
        references=(given.name,) if is_document else (),
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


def _changed(standing: Node, draft: Draft, call: Call) -> Node:
    superseded = draft.status == Status.SUPERSEDED
    after = replace(
        standing,
        title=draft.title[:TITLE_MAX] or standing.title,
        content=draft.content,
        tags=_clipped((*standing.tags, *draft.tags), limit=TAG_MAX, most=TAGS_MAX),
        aliases=_clipped((*standing.aliases, *draft.aliases), limit=ALIAS_MAX, most=ALIASES_MAX),
        status=Status.SUPERSEDED if superseded else standing.status,
    )
    return touched(after, call)


def _title(draft: Draft, given: Given) -> str:
    return " ".join(draft.title.split())[:TITLE_MAX] or given.name[:TITLE_MAX]


def _clipped(values: Sequence[str], *, limit: int, most: int) -> tuple[str, ...]:
    return tuple(dict.fromkeys(" ".join(value.split())[:limit] for value in values if value.strip()))[:most]
