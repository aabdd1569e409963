"""Merging two nodes on somebody's word: only what is alike and not opposed, unless a curator says so all the same."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from weft.errors import Conflict, InvalidArgument
from weft.model import Merged, SuggestionState, Tier
from weft.services import drafting
from weft.services.curation.likeness import likeness, open_flag
from weft.services.merging import plan_merge, roles
from weft.services.naming import candidate, resolve
from weft.services.planning import Plan, settle
from weft.services.suggesting import closed
from weft.vocabulary import OBVIOUS, REASON_MAX

if TYPE_CHECKING:
    from weft.model import Call, MergeRequest, Node
    from weft.ports import Embedder, Shelf, Store, Vectors

__all__ = ["INSUFFICIENT", "Uniting"]

INSUFFICIENT: Final = "insufficient_similarity"
"""The key of the error that refuses to merge what is not alike enough, or opposed."""


class Uniting:
    """Merges pairs."""

    def __init__(self, *, store: Store, shelf: Shelf, vectors: Vectors, embedder: Embedder) -> None:
        self._store = store
        self._shelf = shelf
        self._vectors = vectors
        self._embedder = embedder

    def flagged(self, keep: str, merge: str) -> bool:
        """Return whether these two nodes are flagged, and nobody has decided on it yet.

        Raises:
            NotFound, Ambiguous: a node is not named by its reference.
        """
        one, other = self._named(keep, merge)
        return open_flag(self._store, one.id, other.id) is not None

    def merge(self, request: MergeRequest, call: Call) -> Merged:
        """Merge one node into another: relations, evidence, search terms and names move over, and the flag is closed.

        The id, the handles and the title of the merged one lead to the other from then on. What a document said stays,
        whichever of the two was to go; the answer's ``warning`` tells.

        Raises:
            Conflict: they lie under 0.85 of similarity, or are opposed (key ``insufficient_similarity``); only a
                curator may ``override`` that.
            InvalidArgument: the reason is blank, or both references name the same node.
            NotFound, Ambiguous: a node is not named by its reference.
            PermissionDenied: the tier is below librarian, below curator for ``override``, or documents said both.
        """
        why = drafting.required(request.reason, field="reason", limit=REASON_MAX).strip()
        if request.override:
            call.require(Tier.CURATOR, "override")

        def plan(batch: str) -> Plan[Merged]:
            wished = self._named(request.keep, request.merge)
            pair = roles(*wished)
            similarity = self._checked(*pair, override=request.override)
            merging = plan_merge(self._store, self._shelf, pair, call, why=why)
            flag = open_flag(self._store, pair[0].id, pair[1].id)
            decided = () if flag is None else (closed(flag, SuggestionState.ACCEPTED, call, why=why),)
            answer = Merged(
                keep=pair[0],
                merge=pair[1],
                similarity=round(similarity, 4),
                relations=merging.relations,
                evidence=merging.evidence,
                search_terms=merging.search_terms,
                batch=batch,
                warning="" if pair == wished else f"A document said «{pair[0].title}», so the other one went.",
            )
            operations = (*merging.operations, *decided)
            return Plan(operations=operations, answer=answer, subjects=(pair[0].id,), spares_documents=False)

        return settle(self._store, call, plan)

    def _named(self, keep: str, merge: str) -> tuple[Node, Node]:
        one, other = resolve(self._store, keep, field="keep_id"), resolve(self._store, merge, field="merge_id")
        if one.id == other.id:
            raise InvalidArgument(
                f"keep_id and merge_id both lead to «{one.title}»: it is one node, or became one by an earlier merge."
            )
        return one, other

    def _checked(self, keep: Node, merge: Node, *, override: bool) -> float:
        found = likeness(self._store, self._vectors, self._embedder, keep, merge)
        if override:
            return found.similarity
        if found.opposed:
            raise self._refused(keep, merge, f"they are opposed: {found.opposed}")
        if found.similarity < OBVIOUS:
            raise self._refused(keep, merge, f"their similarity is {found.similarity:.2f}, under {OBVIOUS:.2f}")
        return found.similarity

    def _refused(self, keep: Node, merge: Node, why: str) -> Conflict:
        return Conflict(
            f"«{merge.title}» is not merged into «{keep.title}»: {why}. Nothing was written.",
            key=INSUFFICIENT,
            candidates=(candidate(keep), candidate(merge)),
            can_proceed=False,
        )
