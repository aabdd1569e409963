"""Changing a node: only the named fields, against the version the caller saw, and indexed anew where words changed."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from weft.errors import Conflict, InvalidArgument
from weft.model import Node, Origin, SaveNode, SaveSuggestion, Status, Updated
from weft.reason.numbering import numbered
from weft.services import drafting
from weft.services.capture.classifying import given_confidence
from weft.services.capture.comparing import NEAR_MAX, Compared, compare, differing, explaining
from weft.services.capture.settling import guess, settled, told_kind
from weft.services.mentioning import mentions_anew
from weft.services.naming import candidate, resolve
from weft.services.nearness import neighbours
from weft.services.passages import embed, title_of
from weft.services.planning import Plan, settle
from weft.services.relating import Assertion, attached, plan_relation, succeeding, touched
from weft.services.replacing import replacements
from weft.services.seconding import Seconded
from weft.services.watching.drift import Drifting
from weft.vocabulary import RELATION_TYPES

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from weft.model import Call, Operation, Passage, Titled, UpdateRequest
    from weft.services.capture.ports import CapturePorts
    from weft.services.staleness.watch import Watch

__all__ = ["SPOKEN", "Reviser"]

_FIELDS: Final = ("title", "content", "kind", "ontology", "tags", "references", "status", "confidence", "importance")
_EMBEDDED: Final = frozenset({"title", "content"})
"""Fields that a node's passages are made of."""

SPOKEN: Final = frozenset({"title", "content", "kind", "references", "status", "confidence"})
"""Fields that say what a node says or how it stands: who changes one has looked at it, with its files as they are."""


class Reviser:
    """Changes nodes."""

    def __init__(self, ports: CapturePorts, *, watch: Watch | None = None) -> None:
        self._watch = watch
        self._store = ports.store
        self._shelf = ports.shelf
        self._words = ports.words
        self._vectors = ports.vectors
        self._embedder = ports.embedder
        self._judge = Seconded(ports.entailment)
        self._drifting = Drifting(store=ports.store, vectors=ports.vectors, embedder=ports.embedder)

    def update(self, request: UpdateRequest, call: Call) -> Updated:
        """Write the named fields that differ from what stands, and answer each with (before, after).

        A new title or content is embedded and indexed anew, and mentions are found again. A title that was
        taken from the text follows a new text, unless another is named. ``superseded_by`` writes
        the relation from the newer node and the status together. A changed text from which
        the evidence of what was learned about it moved a band away makes a drift suggestion, at most five. It is
        compared with its nearest nodes as a captured one is: what it repeats or contradicts waits for review, and
        where a librarian changes it, the open questions about what it does so no longer are closed. A kind that is
        named takes the place of one that was guessed in doubt, and of the doubt. Where
        what the node says or how it stands changes, its files count as they are now: a mark for these ends.

        Raises:
            InvalidArgument: no field is named, none differs, or a value is malformed or out of bounds.
            NotFound, Ambiguous: the node, or the one that supersedes it, is not named by the reference.
            Conflict: ``if_version`` is not the version that stands; the message shows both.
        """
        wish = drafting.update_request(request, self._store.vocabulary)
        wanted = _wanted(wish)
        embedded: dict[tuple[str, ...], tuple[Passage, ...]] = {}
        return settle(self._store, call, lambda batch: self._plan(wish, wanted, embedded, call, batch))

    def _plan(
        self,
        wish: UpdateRequest,
        wanted: Mapping[str, Any],
        embedded: dict[tuple[str, ...], tuple[Passage, ...]],
        call: Call,
        batch: str,
    ) -> Plan[Updated]:
        node = resolve(self._store, wish.id, field="id")
        _check_version(node, wish)
        changed = _changed(node, wanted)
        _retitle(node, changed, wish)
        _renumber(node, changed)
        self._release(node, changed)
        succession = self._succession(node, wish, call)
        if not changed and not succession:
            raise InvalidArgument(
                f"There is nothing to change: «{node.title}» holds these values already.",
                hint="Name a field with a value that differs; fetch shows what stands.",
            )
        named = self._named(node, changed, call)
        after = touched(replace(node, **{name: pair[1] for name, pair in changed.items()}), call)
        passages = self._passages(after, changed, embedded)
        compared, questions = self._compared(after, passages or (), changed, call)
        operations: tuple[Operation, ...] = (
            SaveNode(node=after, expect=node.version, passages=passages),
            *self._reread(node, after, changed),
            *succession,
            *self._files(node, after, changed, call),
            *self._drift(node, after, embedded, call),
            *questions,
            *named,
        )
        if succession:
            changed["superseded_by"] = ("", wish.superseded_by)
        answer = Updated(
            id=node.id,
            changed=changed,
            version=after.version,
            batch=batch,
            modified_at=call.at,
            replaced_by=self._successor(node, after),
            near_duplicates=compared.near_duplicates,
            conflicts=compared.conflicts,
            differing=compared.differing,
        )
        return Plan(operations=operations, answer=answer, subjects=(node.id,))

    def _named(self, node: Node, changed: dict[str, tuple[Any, Any]], call: Call) -> tuple[Operation, ...]:
        """Have a node whose kind was guessed in doubt count as one whose kind was given, where somebody names another.

        Return what closes the question whether the guess was right.
        """
        asked = guess(self._store, node) if "kind" in changed else None
        if asked is None:
            return ()
        if "confidence" not in changed and node.confidence == asked.grounds.get("confidence"):
            changed["confidence"] = (node.confidence, given_confidence(changed["kind"][1]))
        return told_kind(asked, call)

    def _passages(
        self, after: Node, changed: dict[str, tuple[Any, Any]], embedded: dict[tuple[str, ...], tuple[Passage, ...]]
    ) -> tuple[Passage, ...] | None:
        if not _EMBEDDED.intersection(changed):
            return None
        key = (after.title, after.content)
        if key not in embedded:
            (embedded[key],) = embed((after,), self._embedder)
        return embedded[key]

    def _compared(
        self, after: Node, passages: Sequence[Passage], changed: Collection[str], call: Call
    ) -> tuple[Compared, tuple[Operation, ...]]:
        """Return what the new text of a node repeats or contradicts, and what asks about it, or no longer does."""
        if "content" not in changed:
            return Compared(), ()
        near = neighbours(
            self._store,
            self._vectors,
            self._embedder.calibration,
            content=after.content,
            passages=passages,
            limit=NEAR_MAX,
        )
        others = [each for each in near if each.node.id != after.id]
        joined = attached(self._store, after.id)
        compared = compare(
            after,
            others,
            call,
            judge=self._judge,
            stated=frozenset(each.other_end(after.id) for each in joined if each.origin is not Origin.INFERRED),
        )
        compared = differing(compared, judge=self._judge, explained=explaining(joined, self._store.vocabulary))
        asked = (SaveSuggestion(suggestion=each) for each in compared.suggestions)
        short = len(passages) == 1  # of a long text other questions were asked than of its opening
        return compared, (*asked, *(settled(self._store, after, others, compared, call) if short else ()))

    def _reread(self, node: Node, after: Node, changed: dict[str, tuple[Any, Any]]) -> tuple[Operation, ...]:
        return mentions_anew(self._shelf, self._words, node, after) if _EMBEDDED.intersection(changed) else ()

    def _release(self, node: Node, changed: dict[str, tuple[Any, Any]]) -> None:
        """Take off the mark that a node bears for its files, where somebody speaks of it and names no status."""
        if self._watch and SPOKEN.intersection(changed) and "status" not in changed and self._watch.released(node):
            changed["status"] = (node.status, Status.ACTIVE)

    def _files(self, node: Node, after: Node, changed: dict[str, tuple[Any, Any]], call: Call) -> tuple[Operation, ...]:
        if self._watch is None or not SPOKEN.intersection(changed):
            return ()
        return self._watch.spoken(node, after, self._watch.taken(after.id, after.references), call)

    def _successor(self, node: Node, after: Node) -> Titled | None:
        """Return what is said to supersede a node that is no longer to be superseded."""
        return replacements(self._store, (node,)).get(node.id) if after.status is Status.ACTIVE else None

    def _succession(self, node: Node, wish: UpdateRequest, call: Call) -> list[Operation]:
        if not wish.superseded_by:
            return []
        newer = resolve(self._store, wish.superseded_by, field="superseded_by")
        asserted = plan_relation(
            self._store,
            Assertion(source=newer, target=node, type=RELATION_TYPES["supersedes"], reasoning="", confidence=1.0),
            call,
        )
        if not asserted.operations:
            return []
        return [*asserted.operations, succeeding(self._store, newer, node, call)]

    def _drift(
        self, node: Node, after: Node, embedded: dict[tuple[str, ...], tuple[Passage, ...]], call: Call
    ) -> tuple[Operation, ...]:
        if (node.title, node.content) == (after.title, after.content):
            return ()
        return self._drifting.planned(after, embedded[(after.title, after.content)], call)


def _wanted(wish: UpdateRequest) -> dict[str, Any]:
    """Return the fields that are named, with what they are to hold.

    Raises:
        InvalidArgument: none is, or the status contradicts ``superseded_by``.
    """
    wanted = {name: getattr(wish, name) for name in _FIELDS if getattr(wish, name) is not None}
    if wish.superseded_by:
        if wanted.get("status", Status.SUPERSEDED) is not Status.SUPERSEDED:
            raise InvalidArgument("status: a node that is superseded_by another has status superseded.")
        wanted["status"] = Status.SUPERSEDED
    if not wanted:
        raise InvalidArgument(f"No field to change was given. Name one of: {', '.join(_FIELDS)}, superseded_by.")
    return wanted


def _changed(node: Node, wanted: Mapping[str, Any]) -> dict[str, tuple[Any, Any]]:
    return {name: (getattr(node, name), value) for name, value in wanted.items() if getattr(node, name) != value}


def _retitle(node: Node, changed: dict[str, tuple[Any, Any]], wish: UpdateRequest) -> None:
    """Let a title that was taken from the text follow it, where the caller names no other.

    It would go on stating what was corrected, and it is what a list shows first.
    """
    if wish.title is None and "content" in changed and node.title == title_of(node.content):
        after = title_of(changed["content"][1])
        if after != node.title:
            changed["title"] = (node.title, after)


def _check_version(node: Node, wish: UpdateRequest) -> None:
    if wish.if_version is None or wish.if_version == node.version:
        return
    raise Conflict(
        f"«{node.title}» stands at version {node.version}, not {wish.if_version}: {node.modified_by} changed it "
        f"at {node.modified_at.isoformat()}.",
        hint="Fetch it, look at what changed, and update again with the version that stands.",
        candidates=(candidate(node, why=f"version {node.version} stands, version {wish.if_version} was expected"),),
    )


def _renumber(node: Node, changed: dict[str, tuple[Any, Any]]) -> None:
    """Let a node answer to the number that its new title or text gives it, and no longer to that of the old ones."""
    after = replace(node, **{name: changed[name][1] for name in _EMBEDDED.intersection(changed)})
    old, new = (drafting.own_numbers(each.title, each.content) for each in (node, after))
    gone = set(old).difference(new)
    known = drafting.known_as(tuple(each for each in node.aliases if numbered(each) not in gone), new)
    if old != new and known != node.aliases:
        changed["aliases"] = (node.aliases, known)
