"""The verbs on learned knowledge: connect, list, update, rate, delete, and carry it to another graph."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from weft.errors import InvalidArgument, LimitExceeded, WeftError
from weft.model import Connected, Refused
from weft.services.learned.conceiving import Conceiving
from weft.services.learned.connecting import Connecting, Drawn
from weft.services.learned.deleting import plan_deletion
from weft.services.learned.exporting import exported
from weft.services.learned.importing import Importing
from weft.services.learned.listing import Listing
from weft.services.learned.numbering import ATTEMPTS, Numbers
from weft.services.learned.rating import Rating
from weft.services.learned.updating import Updating
from weft.services.learned.weighing import Weighing
from weft.services.planning import Plan, settle
from weft.services.search.spelling import ontology_named
from weft.vocabulary import BULK_MAX

if TYPE_CHECKING:
    from collections.abc import Sequence

    from weft.model import (
        Call,
        ConnectRequest,
        LearnedDeleted,
        LearnedExport,
        LearnedExported,
        LearnedImport,
        LearnedImported,
        LearnedList,
        LearnedQuery,
        LearnedUpdate,
        LearnedUpdated,
        Rated,
    )
    from weft.ports import Embedder, Learned, Log, Shelf, Store, Usage, Vectors, Words
    from weft.services.learned.connecting import Draft

__all__ = ["Learn", "LearnPorts"]


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnPorts:
    """The ports that the verbs on learned knowledge stand on."""

    store: Store
    learned: Learned
    log: Log
    shelf: Shelf
    words: Words
    vectors: Vectors
    usage: Usage
    embedder: Embedder


class Learn:
    """What somebody saw and no document states. ``creators`` are names that may be given as creator."""

    def __init__(self, ports: LearnPorts, *, creators: Sequence[str] = ()) -> None:
        self._store = ports.store
        self._learned = ports.learned
        self._shelf = ports.shelf
        weighing = Weighing(vectors=ports.vectors, embedder=ports.embedder)
        conceiving = Conceiving(store=ports.store, shelf=ports.shelf, words=ports.words, weighing=weighing)
        self._connecting = Connecting(store=ports.store, learned=ports.learned, weighing=weighing, creators=creators)
        self._updating = Updating(
            store=ports.store,
            learned=ports.learned,
            shelf=ports.shelf,
            words=ports.words,
            embedder=ports.embedder,
            weighing=weighing,
        )
        self._rating = Rating(store=ports.store, learned=ports.learned, usage=ports.usage)
        self._listing = Listing(store=ports.store, learned=ports.learned, log=ports.log, rating=self._rating)
        self._importing = Importing(
            store=ports.store,
            learned=ports.learned,
            embedder=ports.embedder,
            weighing=weighing,
            connecting=self._connecting,
            conceiving=conceiving,
            creators=creators,
        )

    def connect(self, request: ConnectRequest, call: Call) -> Connected:
        """Relate two nodes by something that no document states, resting on ``evidence`` as a learned source.

        Relation, source, evidence and number are written together or not at all. The leap is that of the mean of the
        evidence's calibrated similarities to both ends: from 0.85 LOW, from 0.70 MEDIUM, below HIGH. HIGH, a wide gap
        between the two, other relations between them, and learned items that contradict it are told as a warning and
        allowed; contradictions also wait in review.

        Raises:
            InvalidArgument: the type or the creator is unknown, both ends are the same node, or a value is malformed.
            NotFound, Ambiguous: an end is not named by its reference.
            Duplicate: the same two are joined by that type already, learned or stated by a document.
            Unavailable: an end has no vector yet, or the evidence could not be embedded.
        """
        (draft,) = self._connecting.drafts((request,), call)
        if isinstance(draft, WeftError):
            raise draft

        def plan(batch: str) -> Plan[Connected]:
            drawn = Drawn(numbers=Numbers(self._store, call))
            made = self._connecting.connect(draft, drawn, call)
            operations = (*drawn.numbers.claims, *drawn.operations)
            return Plan(operations=operations, answer=replace(made, batch=batch), subjects=_subjects(drawn))

        return settle(self._store, call, plan, attempts=ATTEMPTS)

    def connect_all(self, requests: Sequence[ConnectRequest], call: Call) -> tuple[Connected | Refused, ...]:
        """Relate several pairs in one batch: each that can be is written, each that cannot is answered with its error.

        Later items see the earlier ones: the same pair and type twice is a duplicate of the first.

        Raises:
            InvalidArgument: there is none.
            LimitExceeded: there are more than ``BULK_MAX``.
            Unavailable: the evidence could not be embedded.
        """
        if not requests:
            raise InvalidArgument("relationships is empty; give 1 or more.")
        if len(requests) > BULK_MAX:
            raise LimitExceeded(f"relationships: {len(requests)} given, at most {BULK_MAX} in one call.")
        drafts = self._connecting.drafts(requests, call)

        def plan(batch: str) -> Plan[tuple[Connected | Refused, ...]]:
            drawn = Drawn(numbers=Numbers(self._store, call))
            answers = []
            for place, draft in enumerate(drafts):
                answers.append(self._one_of_many(place, draft, drawn, call, batch))
                call.report(place + 1, len(drafts), f"looked at {place + 1} of {len(drafts)}")
            operations = (*drawn.numbers.claims, *drawn.operations)
            return Plan(operations=operations, answer=tuple(answers), subjects=_subjects(drawn))

        return settle(self._store, call, plan, attempts=ATTEMPTS)

    def _one_of_many(
        self, place: int, draft: Draft | WeftError, drawn: Drawn, call: Call, batch: str
    ) -> Connected | Refused:
        try:
            if isinstance(draft, WeftError):
                raise draft
            return replace(self._connecting.connect(draft, drawn, call), batch=batch)
        except WeftError as error:
            existing = error.candidates[0].id if error.key == "duplicate_relation" else ""
            return Refused(place=place, code=error.code, message=error.message, existing=existing)

    def update(self, request: LearnedUpdate, call: Call) -> LearnedUpdated:
        """Change the evidence of a learned item, or the type of its relation; both are weighed anew.

        The log keeps every earlier version. Changing the type takes a relation away and needs a librarian.

        Raises:
            NotFound, Ambiguous, InvalidArgument, Conflict, Duplicate, Unavailable: see :meth:`Updating.plan`.
            PermissionDenied: the type changes, and the caller's tier is below librarian.
        """
        if request.evidence is None and not request.type:
            raise InvalidArgument("updates names nothing to change; give evidence or relationship_type.")
        return settle(self._store, call, lambda batch: self._updating.plan(request, call, batch))

    def delete(self, reference: str, call: Call, *, cascade: bool) -> LearnedDeleted:
        """Take a learned item back; see :func:`plan_deletion`. Nothing that a document said goes."""
        return settle(
            self._store,
            call,
            lambda batch: plan_deletion(self._store, self._learned, reference, call, batch, cascade=cascade),
        )

    def entries(self, query: LearnedQuery, *, versions: int = 0) -> LearnedList:
        """Return a page of learned items in words, newest first, each with up to ``versions`` earlier ones.

        ``query.learned_id`` may be anything that names an item.

        Raises:
            InvalidArgument: a value is out of bounds or unknown.
            NotFound, Ambiguous: no item or ontology, or more than one, is named so.
        """
        if query.learned_id:
            query = replace(query, learned_id=self._listing.named(query.learned_id))
        if query.ontology:
            query = replace(query, ontology=ontology_named(self._shelf, query.ontology, field="ontology"))
        return self._listing.entries(query, depth=versions)

    def rate(self, reference: str, vote: str, reason: str, call: Call) -> Rated:
        """Vote a learned item up or down; the last vote of an actor counts. See :meth:`Rating.plan`."""
        return settle(self._store, call, lambda batch: self._rating.plan(reference, vote, reason, call, batch))

    def export(self, request: LearnedExport) -> LearnedExported:
        """Return learned items as text; see :func:`exported`.

        Raises:
            NotFound, Ambiguous: no ontology, or more than one, is named so.
        """
        if request.ontology:
            request = replace(request, ontology=ontology_named(self._shelf, request.ontology, field="ontology"))
        return exported(self._store, self._learned, request)

    def take_in(self, request: LearnedImport, call: Call) -> LearnedImported:
        """Take in the learned items of an export; see :class:`Importing`. Ids are kept.

        Raises:
            InvalidArgument, LimitExceeded, Unavailable: see :meth:`Importing.read`.
        """
        parsed, vectors = self._importing.read(request)
        return settle(
            self._store,
            call,
            lambda batch: self._importing.plan(request, parsed, vectors, call, batch),
            attempts=ATTEMPTS,
        )


def _subjects(drawn: Drawn) -> tuple[str, ...]:
    return tuple(relation.id for relation in drawn.relations)
