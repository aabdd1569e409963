"""From what a caller wrote to the node that is meant: its id or the beginning of it, a name of it, or its address."""

from __future__ import annotations

from dataclasses import replace
from itertools import takewhile
from typing import TYPE_CHECKING

from weft.errors import Ambiguous, Candidate, InvalidArgument, NotFound
from weft.identity import is_id, meant
from weft.model import Status
from weft.reason.numbering import numbered, spellings
from weft.text import as_text
from weft.vocabulary import TITLE_MAX

if TYPE_CHECKING:
    from collections.abc import Sequence

    from weft.model import Node
    from weft.ports import Log, Store

__all__ = ["bearing", "candidate", "name_batch", "named", "resolve", "resolve_all", "shown"]

_OFFERED_MAX = 5
_SHOWN_MAX = 80
_COMPARED_MAX = 4_000  # characters of texts that are compared, so that two nodes of one name can be told apart


def resolve(store: Store, reference: str, *, field: str) -> Node:
    """Return the one node that ``reference`` names; ``field`` is the argument it came in, for the message.

    A node that was merged into another is answered by that other.

    Raises:
        InvalidArgument: ``reference`` is blank, or no text.
        NotFound: nothing answers to it; a forgotten node is named as such.
        Ambiguous: several nodes answer to it; up to five of them are listed.
    """
    wanted = meant(as_text(reference, field=field))
    if not wanted:
        raise InvalidArgument(f"{field} is empty; give the id, handle, title or alias of a node.")
    found = bearing(store, wanted, limit=_OFFERED_MAX + 1)
    if len(found) == 1:
        return found[0]
    if found:
        more = " or more" if len(found) > _OFFERED_MAX else ""
        raise Ambiguous(
            f"{field} {shown(wanted)} names {min(len(found), _OFFERED_MAX)}{more} nodes.",
            candidates=_told_apart(found[:_OFFERED_MAX]),
        )
    raise _missing(store, wanted, field)


def resolve_all(store: Store, references: Sequence[str], *, field: str) -> tuple[Node, ...]:
    """Return the distinct nodes that these references name, in the order given; errors as :func:`resolve`."""
    nodes = {node.id: node for node in (resolve(store, reference, field=field) for reference in references)}
    return tuple(nodes.values())


def named(store: Store, phrase: str, *, field: str, limit: int) -> tuple[Node, ...]:
    """Return up to ``limit`` nodes that ``phrase`` names; none where it is a phrase, which is to be matched by meaning.

    Raises:
        NotFound: it is an id, and of no node that is there: what is like an id in meaning is like it by chance.
    """
    wanted = meant(phrase)
    found = bearing(store, wanted, limit=limit) if len(wanted) <= TITLE_MAX else ()
    if not found and is_id(wanted):
        raise _missing(store, wanted, field)
    return tuple(found)


def bearing(store: Store, wanted: str, *, limit: int) -> Sequence[Node]:
    """Return up to ``limit`` nodes called ``wanted``; of a number that none has, those of its other spellings."""
    found = store.resolve(wanted, limit=limit)
    if found or not (number := numbered(wanted)):
        return found
    others = {node.id: node for each in spellings(number) for node in store.resolve(each, limit=limit)}
    return list(others.values())[:limit]


def name_batch(error: NotFound, log: Log) -> None:
    """Name, in the hint of ``error``, the batch that forgot the node, where it is about one that was forgotten."""
    left = log.history(error.gone, limit=1) if error.gone else ()
    if left:
        error.hint = f"Consider taking back the batch that forgot it: weft undo {left[0].batch}"


def candidate(node: Node, *, why: str = "") -> Candidate:
    """Return ``node`` as an error offers it: by default with its kind, its ontology and its handle, as a path.

    Where it is not active its status is named: of two nodes of one name that which holds is mostly meant.
    """
    called = f", also called {node.handles[0]}" if node.handles else ""
    status = "" if node.status is Status.ACTIVE else f", {node.status.value.replace('_', ' ')}"
    return Candidate(id=node.id, title=node.title, why=why or f"{node.kind} in {node.ontology}{called}{status}")


def _told_apart(nodes: Sequence[Node]) -> tuple[Candidate, ...]:
    """Return ``nodes`` as candidates; those that look alike say when they came, and what they alone say."""
    offered = {node.id: candidate(node) for node in nodes}
    texts = {node.id: node.content[:_COMPARED_MAX].split() for node in nodes}
    told = []
    for node in nodes:
        own = offered[node.id]
        alike = [id_ for id_, other in offered.items() if (other.title, other.why) == (own.title, own.why)]
        said = _own_words(texts[node.id], [texts[id_] for id_ in alike])
        why = f"{own.why}, {node.created_at:%Y-%m-%d %H:%M}: {shown(said)}"
        told.append(replace(own, why=why) if len(alike) > 1 else own)
    return tuple(told)


def _own_words(own: Sequence[str], texts: Sequence[Sequence[str]]) -> str:
    """Return ``own`` from the word on in which ``texts`` begin to differ; all of it where nothing comes after."""
    shared = sum(1 for _ in takewhile(lambda words: len(set(words)) == 1, zip(*texts, strict=False)))
    return " ".join(("…", *own[shared:]) if 0 < shared < len(own) else own)


def _missing(store: Store, wanted: str, field: str) -> NotFound:
    gone = store.nodes((wanted,)).get(wanted)
    if gone is None or gone.retired is None:
        error = NotFound(f"{field} {shown(wanted)} names no node of this graph.")
        error.reference = wanted
        return error
    error = NotFound(
        f"{field} {shown(wanted)} names a node that {gone.retired.by} forgot on {gone.retired.at:%Y-%m-%d}.",
        hint="Consider taking back the batch that forgot it; fetch by its id says which.",
    )
    error.gone = gone.id
    return error


def shown(name: str) -> str:
    """Return a name or a phrase of the caller's in quotation marks, 80 characters of it at most."""
    return f"«{name if len(name) <= _SHOWN_MAX else name[:_SHOWN_MAX] + '…'}»"
