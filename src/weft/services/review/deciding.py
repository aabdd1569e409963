"""What becomes of one suggestion: the proposal it carries, put into words and into operations."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias, TypeVar

from weft.errors import Conflict, InvalidArgument, NotFound, PermissionDenied
from weft.model import Decided, Origin, SaveNode, Status, Subject, SuggestionKind, SuggestionState
from weft.model.codec import suggestion_from
from weft.reason.judge import judge
from weft.reason.repeat import adds, differs_in_places, repeats, rewords
from weft.reason.seconding import clashing
from weft.services.merging import plan_merge, roles
from weft.services.naming import resolve
from weft.services.planning import Plan
from weft.services.relate import asserting, taken_back
from weft.services.relating import Assertion, between, touched
from weft.services.resting import unstated
from weft.services.suggesting import closed, one
from weft.text import split
from weft.vocabulary import Kind, RelationType, Vocabulary

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from weft.model import Call, Decision, Node, Operation, Suggestion, Verdict
    from weft.ports import Log, Shelf, Store

    _Acceptance: TypeAlias = Callable[["DecidingPorts", Suggestion, Mapping[str, Any], Call], tuple[Operation, ...]]

__all__ = ["DecidingPorts", "accept_does", "decide"]

R = TypeVar("R", Kind, RelationType)

_AGAINST_DOCUMENTS: Final = frozenset({"merge", "unrelate"})
"""Proposals that may take out what documents state: somebody decides it."""

_CONFIRMED: Final = 0.95
"""The confidence of a kind that somebody confirmed: that of one that was given explicitly."""


class DecidingPorts(NamedTuple):
    """The ports that deciding reads."""

    store: Store
    log: Log
    shelf: Shelf


def decide(ports: DecidingPorts, decision: Decision, call: Call, batch: str) -> Plan[Decided]:
    """Return what writes ``decision``, and with it, where it accepts, what the item proposes.

    Raises:
        NotFound: no item has this id, or what it proposes needs a node that is gone.
        Conflict: it was decided before, proposes a kind or relation type that was removed since, or asks of two texts
            what does not hold of them any more.
    """
    standing = _standing(ports.log, decision.item)
    accepts = decision.decision == "accept"
    operations: tuple[Operation, ...] = ()
    if accepts:
        _refuse_moot(ports.store, standing)
        for name, proposal in standing.proposal.items():
            operations += _acceptance(name)(ports, standing, proposal, call)
    state = SuggestionState.ACCEPTED if accepts else SuggestionState.DISMISSED
    return Plan(
        operations=(*operations, closed(standing, state, call, why=decision.reason)),
        answer=Decided(item=standing.id, result=state.value, batch=batch),
        subjects=(standing.id,),
        spares_documents=_AGAINST_DOCUMENTS.isdisjoint(standing.proposal),
    )


def accept_does(suggestion: Suggestion, nodes: Mapping[str, Node]) -> str:
    """Return a sentence on what accepting ``suggestion`` does; ``nodes`` are its subjects, as far as they are known."""
    sentences = [_WORDING[name](proposal, nodes) for name, proposal in suggestion.proposal.items() if name in _WORDING]
    return " ".join(sentences) or "Records that it was looked at; nothing else changes."


def _refuse_moot(store: Store, item: Suggestion) -> None:
    """Refuse to accept that two texts repeat or contradict each other where one was changed since, and they do not now.

    Raises:
        Conflict: so it is.
    """
    nodes = [node for node in store.nodes(item.subjects).values() if node.retired is None]
    changed = [node for node in nodes if node.modified_at > item.created_at]
    if item.kind not in _HOLDS or len(nodes) != 2 or not changed:  # noqa: PLR2004 - the two ends
        return
    what, holds = _HOLDS[item.kind]
    if all(len(split(node.content)) == 1 for node in nodes) and not holds(nodes[0].content, nodes[1].content):
        raise Conflict(
            f"«{changed[0].title}» was changed since this was asked, and the two do not {what} each other any more.",
            hint="Dismiss the item.",
        )


def _may_clash(verdict: Verdict, one: str, other: str) -> bool:
    """Return whether rules call a conflict, or leave one open that a network may have seen when it was asked."""
    return verdict.verdict == "conflicts" or clashing(verdict, one, other)


_HOLDS: Final[Mapping[SuggestionKind, tuple[str, Callable[[str, str], bool]]]] = {
    SuggestionKind.DUPLICATE: (
        "repeat",
        lambda one, other: any(may(one, other) for may in (repeats, rewords, adds, differs_in_places)),
    ),
    SuggestionKind.CONFLICT: (
        "contradict",
        lambda one, other: _may_clash(judge(one, other, similarity=1.0), one, other),
    ),
}


def _standing(log: Log, item: str) -> Suggestion:
    last = log.history(item, limit=1)
    if not last or last[0].subject is not Subject.SUGGESTION or last[0].after is None:
        raise NotFound(f"item «{item}» is no suggestion of this graph.", hint="review lists the open ones.")
    standing = suggestion_from(last[0].after)
    if standing.state is not SuggestionState.OPEN:
        when = f" on {standing.decided_at:%Y-%m-%d}" if standing.decided_at else ""
        raise Conflict(
            f"This item was {standing.state.value} by {standing.decided_by}{when}.",
            hint="A suggestion is decided once; undoing the batch of that decision opens it again.",
        )
    return standing


def _relate(ports: DecidingPorts, _: Suggestion, proposal: Mapping[str, Any], call: Call) -> tuple[Operation, ...]:
    rule = proposal.get("rule", "")
    said = Assertion(
        source=resolve(ports.store, proposal["source"], field="source"),
        target=resolve(ports.store, proposal["target"], field="target"),
        type=_known(ports.store.vocabulary, Vocabulary.type_named, proposal["type"], what="relation type"),
        reasoning=proposal.get("reasoning", ""),
        confidence=proposal.get("confidence", _CONFIRMED),
        origin=Origin.INFERRED if rule else Origin.MANUAL,
        rule=rule,
        scores=tuple((name, value) for name, value in proposal.get("scores", ())),
    )
    return asserting(ports.store, said, call)[1]


def _known(vocabulary: Vocabulary, named: Callable[[Vocabulary, str], R], name: str, *, what: str) -> R:
    """Return what ``named`` finds under ``name`` now; another process may have taken it away since it was proposed.

    Raises:
        Conflict: there is none any more.
    """
    vocabulary.refresh()
    try:
        return named(vocabulary, name)
    except InvalidArgument as error:
        raise Conflict(
            f"The item proposes the {what} {name}, which this graph does not know any more; dismiss it, or have a"
            " curator register the name again.",
            key="name_removed",
        ) from error


def _merge(
    ports: DecidingPorts, suggestion: Suggestion, proposal: Mapping[str, Any], call: Call
) -> tuple[Operation, ...]:
    keep, merge = (resolve(ports.store, proposal[name], field=name) for name in ("keep", "merge"))
    return plan_merge(ports.store, ports.shelf, roles(keep, merge), call, why=suggestion.summary).operations


def _unrelate(ports: DecidingPorts, _: Suggestion, proposal: Mapping[str, Any], call: Call) -> tuple[Operation, ...]:
    """Return what removes those of these relations that stand and that no document states again."""
    wanted = [tuple(each) for each in proposal["relations"]]
    joined = (each for source, target, _ in wanted for each in between(ports.store, source, target))
    standing = {each.id: each for each in joined if (each.source, each.target, each.type) in wanted}
    leaving = unstated(ports.store, standing.values(), {})
    return tuple(operation for each in leaving for operation in taken_back(ports.store, each, call))


def _status(ports: DecidingPorts, _: Suggestion, proposal: Mapping[str, Any], call: Call) -> tuple[Operation, ...]:
    node = resolve(ports.store, proposal["id"], field="id")
    if proposal["status"] not in set(Status):
        raise InvalidArgument(f"status {proposal['status']!r} is none of {', '.join(Status)}.")
    if node.status != proposal.get("from", node.status):
        return ()  # it was settled otherwise meanwhile
    after = replace(node, status=Status(proposal["status"]))
    return () if after == node else (SaveNode(node=touched(after, call), expect=node.version),)


def _kind(
    ports: DecidingPorts, suggestion: Suggestion, proposal: Mapping[str, Any], call: Call
) -> tuple[Operation, ...]:
    node = resolve(ports.store, proposal["id"], field="id")
    kind = _known(ports.store.vocabulary, Vocabulary.kind_named, proposal["kind"], what="kind").name
    if node.kind != kind:
        raise Conflict(f"«{node.title}» was made {one(node.kind)} meanwhile; dismiss this item.")
    if node.confidence != suggestion.grounds.get("confidence"):
        return ()
    return (SaveNode(node=touched(replace(node, confidence=_CONFIRMED), call), expect=node.version),)


_ACCEPTING: Final[Mapping[str, _Acceptance]] = {
    "relate": _relate,
    "unrelate": _unrelate,
    "merge": _merge,
    "status": _status,
    "kind": _kind,
}


def _acceptance(name: str) -> _Acceptance:
    if name not in _ACCEPTING:
        raise InvalidArgument(
            f"This release does not know how to {name}, which the item proposes.",
            hint="Dismiss it, or decide it with the release that suggested it.",
        )
    return _ACCEPTING[name]


def _title(nodes: Mapping[str, Node], id_: str) -> str:
    return f"«{nodes[id_].title}»" if id_ in nodes else id_


def _confirms(proposal: Mapping[str, Any], nodes: Mapping[str, Node]) -> str:
    node, kind = nodes.get(proposal["id"]), proposal["kind"]
    if node is not None and node.kind != kind:
        return f"Nothing any more: «{node.title}» was made {one(node.kind)} meanwhile. Dismiss it."
    return f"Confirms that {_title(nodes, proposal['id'])} is {one(kind)}."


def _merges(proposal: Mapping[str, Any], nodes: Mapping[str, Node]) -> str:
    """Return what a merge does, or that it is refused; which of the two stays is :func:`roles`' to say."""
    keep, merge = proposal["keep"], proposal["merge"]
    if keep in nodes and merge in nodes:
        try:
            keep, merge = (node.id for node in roles(nodes[keep], nodes[merge]))
        except PermissionDenied:
            return "Is refused: documents state both, and neither is merged away. Relate the two, or dismiss it."
    return (
        f"Merges {_title(nodes, merge)} into {_title(nodes, keep)}: relations, evidence and names move over, and undo "
        "parts them again."
    )


_WORDING: Final[Mapping[str, Callable[[Mapping[str, Any], Mapping[str, Node]], str]]] = {
    "relate": lambda proposal, nodes: (
        f"Relates {_title(nodes, proposal['source'])} to {_title(nodes, proposal['target'])} by {proposal['type']}."
    ),
    "unrelate": lambda proposal, _: (
        f"Takes {'this relation' if len(proposal['relations']) == 1 else 'these relations'} out, unless a document says"
        " so again by then."
    ),
    "merge": _merges,
    "status": lambda proposal, nodes: f"Sets the status of {_title(nodes, proposal['id'])} to {proposal['status']}.",
    "kind": _confirms,
}
