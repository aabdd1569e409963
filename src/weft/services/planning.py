"""Plan, commit, and plan again when somebody else was faster.

A verb never writes step by step: it reads, thinks, and hands over one :class:`Plan`. Embedding happens before, so that
a second plan costs reads only.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Generic, TypeVar

from weft.errors import Conflict, StaleRead
from weft.identity import new_id
from weft.model import (
    Batch,
    Evidence,
    Node,
    Receipt,
    Relation,
    SaveEvidence,
    SaveNode,
    SaveRelation,
    SaveSuggestion,
    Suggestion,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from weft.model import Call, Operation
    from weft.ports import Store

__all__ = ["ATTEMPTS", "Plan", "saving", "settle"]

ATTEMPTS: Final = 20
"""How often a verb plans before it gives up: every further plan means that another writer came first.

Measured with four threads strengthening one relation without a pause: with 5 attempts 2 % of the calls gave up, with
20 none. Pausing between attempts did not help.
"""

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan(Generic[T]):
    """What is to be written together, what the caller is answered with, and the ids that the answer is about.

    ``receipt`` is one that the verb keeps for itself, where the caller wishes for none.
    """

    operations: tuple[Operation, ...]
    answer: T
    subjects: tuple[str, ...]
    spares_documents: bool = True
    receipt: Receipt | None = None


def settle(store: Store, call: Call, plan: Callable[[str], Plan[T]], *, attempts: int = ATTEMPTS) -> T:
    """Call ``plan`` with the id of a new batch, commit what it returns, and return its answer.

    A plan without operations writes nothing, except the receipt where one is wished for. Its answer says that the work
    is done already, so an empty batch is committed all the same: it waits until what was found there lasts.

    Raises:
        Conflict: the rows this call stands on moved during each of ``attempts`` plans; nothing was written.
        Unavailable: the batch could not be written, or nobody can tell whether it will last.
    """
    for _ in range(attempts):
        batch = new_id(call.at)
        planned = plan(batch)
        try:
            store.commit(_batch(batch, call, planned))
        except StaleRead as error:
            stale = error
            continue
        return planned.answer
    raise Conflict(
        f"Others changed the same rows during {attempts} attempts; nothing was written. The last one: {stale.message}",
        hint="Call again; if it repeats, another process is writing to the same nodes.",
    ) from stale


def _batch(batch: str, call: Call, planned: Plan[T]) -> Batch:
    receipt = planned.receipt
    if call.receipt is not None:
        receipt = Receipt(
            key=call.receipt.key,
            tool=call.tool,
            actor=call.actor,
            digest=call.receipt.digest,
            answer=call.receipt.seal(planned.answer),
            subjects=planned.subjects,
        )
    return Batch(
        id=batch,
        call=call,
        operations=planned.operations,
        receipt=receipt,
        spares_documents=planned.spares_documents,
    )


def saving(value: Node | Relation | Evidence | Suggestion, expect: int) -> Operation:
    """Return what writes ``value`` over its version ``expect`` (0: it is not there); of a node, without passages."""
    match value:
        case Node():
            return SaveNode(node=value, expect=expect)
        case Relation():
            return SaveRelation(relation=value, expect=expect)
        case Evidence():
            return SaveEvidence(evidence=value, expect=expect)
        case Suggestion():
            return SaveSuggestion(suggestion=value, expect=expect)
