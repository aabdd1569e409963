"""Looking after the graph: deciding what waits in review, and taking back what was done."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from weft import text
from weft.errors import InvalidArgument, WeftError
from weft.model import (
    Decided,
    Page,
    Reviewed,
    ReviewItem,
    SaveSuggestion,
    Status,
    Successor,
    SuggestionKind,
    SuggestionQuery,
    Titled,
)
from weft.services.drafting import refuse_outside
from weft.services.planning import Plan, settle
from weft.services.replacing import replacements
from weft.services.review.deciding import DecidingPorts, accept_does, decide
from weft.services.review.undoing import Undoer
from weft.vocabulary import BULK_MAX, LIST_MAX, REASON_MAX

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from weft.model import Call, Decision, Node, Operation, Suggestion, Undone
    from weft.ports import Embedder, Log, Shelf, Store, Words

__all__ = ["Curate"]

_DECISIONS: Final = ("accept", "dismiss")


class Curate:
    """Decides suggestions and undoes batches."""

    def __init__(self, *, store: Store, log: Log, shelf: Shelf, words: Words, embedder: Embedder) -> None:
        self._store = store
        self._ports = DecidingPorts(store=store, log=log, shelf=shelf)
        self._undoer = Undoer(store=store, log=log, shelf=shelf, words=words, embedder=embedder)

    def review(
        self, decisions: Sequence[Decision], call: Call, *, kinds: Sequence[str] = (), limit: int = 10
    ) -> Reviewed:
        """Decide each of ``decisions`` in a batch of its own, then list what is still open, best first.

        Accepting does what the item proposes, through the same plans as the verbs; dismissing only records the
        decision. A decision that fails gives a row with the error's code, and the next one is taken all the same; an
        item that was decided before is a CONFLICT row. ``remaining`` counts all open items of ``kinds``, shown or not.
        The receipt is written with the last decision.

        Raises:
            InvalidArgument: an unknown kind, or more decisions or items than one call takes.
        """
        wanted = _kinds(kinds)
        refuse_outside(limit, 1, LIST_MAX, field="limit")
        if len(decisions) > BULK_MAX:
            raise InvalidArgument(f"decide: {len(decisions)} decisions given, at most {BULK_MAX} in one call.")
        rows: list[Decided] = []
        for done, decision in enumerate(decisions[:-1], start=1):
            rows.append(self._decided(decision, replace(call, receipt=None)))
            call.report(done, len(decisions), f"decided {decision.item}")
        subjects = tuple(decision.item for decision in decisions)

        def plan(batch: str) -> Plan[Reviewed]:
            last = self._decision(decisions[-1], call, batch)
            return Plan(
                operations=last.operations,
                answer=self._answer((*rows, last.answer), wanted, limit, without=last.operations),
                subjects=subjects,
                spares_documents=last.spares_documents,
            )

        try:
            if decisions:
                return settle(self._store, call, plan)
        except WeftError as error:
            rows.append(_failed(decisions[-1], error))
        answer = self._answer(tuple(rows), wanted, limit)
        return settle(self._store, call, lambda _: Plan(operations=(), answer=answer, subjects=subjects))

    def undo(self, batch: str, call: Call) -> Undone:
        """Take back what a batch did; see :meth:`weft.services.review.undoing.Undoer.undo`."""
        return self._undoer.undo(batch, call)

    def _decided(self, decision: Decision, call: Call) -> Decided:
        try:
            return settle(self._store, call, lambda batch: self._decision(decision, call, batch))
        except WeftError as error:
            return _failed(decision, error)

    def _decision(self, decision: Decision, call: Call, batch: str) -> Plan[Decided]:
        if decision.decision not in _DECISIONS:
            raise InvalidArgument(f"decision must be {' or '.join(_DECISIONS)}, got {decision.decision!r}.")
        reason = text.clean(decision.reason, field="reason", limit=REASON_MAX)
        tidy = replace(decision, item=decision.item.strip(), reason=reason)
        return decide(self._ports, tidy, call, batch)

    def _answer(
        self,
        rows: tuple[Decided, ...],
        kinds: tuple[SuggestionKind, ...],
        limit: int,
        *,
        without: Sequence[Operation] = (),
    ) -> Reviewed:
        """Return ``rows`` and what will be open once the operations ``without`` are written."""
        closed = {each.suggestion.id: each.suggestion.kind for each in without if isinstance(each, SaveSuggestion)}
        page = Page(limit=limit + len(closed))
        found, total = self._store.suggestions(SuggestionQuery(kinds=kinds, page=page))
        shown = [each for each in found if each.id not in closed][:limit]
        nodes = self._store.nodes(list({subject for each in shown for subject in each.subjects}))
        replaced = replacements(self._store, nodes.values())
        items = tuple(_item(each, nodes, replaced) for each in shown)
        remaining = total - sum(not kinds or kind in kinds for kind in closed.values())
        return Reviewed(items=items, decided=rows, remaining=remaining)


def _item(suggestion: Suggestion, nodes: Mapping[str, Node], replaced: Mapping[str, Titled]) -> ReviewItem:
    subjects = [nodes[subject] for subject in suggestion.subjects if subject in nodes]
    return ReviewItem(
        suggestion=suggestion,
        titles=tuple(node.title for node in subjects),
        accept_does=accept_does(suggestion, nodes),
        superseded=tuple(node.title for node in subjects if node.status is Status.SUPERSEDED),
        successors=tuple(
            Successor(replaced=Titled(node.id, node.title), by=replaced[node.id])
            for node in subjects
            if node.id in replaced
        ),
    )


def _failed(decision: Decision, error: WeftError) -> Decided:
    return Decided(item=decision.item, result=error.code, message=error.message)


def _kinds(names: Sequence[str]) -> tuple[SuggestionKind, ...]:
    known = {kind.value: kind for kind in SuggestionKind}
    unknown = [name for name in names if name not in known]
    if unknown:
        raise InvalidArgument(f"kinds: {', '.join(map(repr, unknown))} not known. Allowed: {', '.join(known)}.")
    return tuple(known[name] for name in names)
