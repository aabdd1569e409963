"""One document on its way into the graph: read by rules, matched with what is known of it, written as one batch."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from weft.errors import Conflict, InvalidArgument
from weft.identity import new_id
from weft.model import SaveEvidence, SaveNode, SaveSource, Source, SourceType, Status
from weft.services import documents
from weft.services.ingest.asking import widened
from weft.services.ingest.casting import ASKED, Casting
from weft.services.ingest.given import pausing, read
from weft.services.ingest.known import matches, vanished
from weft.services.ingest.places import Led, Places, once
from weft.services.ingest.stating import Pending, Statements, evidence
from weft.services.ingest.unfinished import TAKEN, Unseen, opened, unseen
from weft.services.ingest.vanishing import marked, said_again, unsaid
from weft.services.mentioning import mentions_together
from weft.services.planning import Plan, settle
from weft.services.relating import between
from weft.services.resting import known, unstated

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from weft.model import Call, Node, Operation, Relation
    from weft.ports import Chat, Embedder, Entailment, Intent, Shelf, Store, Upkeep, Vectors, Words
    from weft.services.ingest.casting import Cast
    from weft.services.ingest.given import Given, Reading
    from weft.services.resting import Known

__all__ = ["IngestPorts", "Intake", "Taken"]

_TICK: Final = timedelta(milliseconds=1)
_FAN: Final = 1_000  # relations read of one node
_SHARED_LEAST: Final = 0.5  # of the lines of a text, where it is one of the same file in another checkout
_OWN: Final = "stated_in"
"""The rule of the relation of a draft to its document: it rests on what the draft rests on, so it needs no evidence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IngestPorts:
    """What taking in documents asks for; ``chat`` is the model that may read beside the rules, if one is set."""

    store: Store
    shelf: Shelf
    upkeep: Upkeep
    words: Words
    vectors: Vectors
    embedder: Embedder
    entailment: Entailment
    intent: Intent
    chat: Chat | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """What became of one document.

    ``fresh`` are the ids of new nodes and ``left`` what an earlier call did not come to; ``pending`` relations name
    something that was not there, or may yet mean something nearer; ``problems`` are places that could not be read,
    though the rest was.
    """

    batch: str = ""
    made: int = 0
    reused: int = 0
    updated: int = 0
    relations: int = 0
    evidence: int = 0
    marked: int = 0
    unsaid: int = 0
    fresh: tuple[str, ...] = ()
    left: Unseen = field(default_factory=Unseen)
    pending: tuple[Pending, ...] = ()
    problems: tuple[str, ...] = ()
    unchanged: bool = False
    new: bool = False


class Intake:
    """Takes in one document at a time."""

    def __init__(self, ports: IngestPorts) -> None:
        store, vectors, embedder = ports.store, ports.vectors, ports.embedder
        self._store = store
        self._shelf = ports.shelf
        self._words = ports.words
        self._chat = ports.chat
        self._casting = Casting(store=store, vectors=vectors, embedder=embedder)

    def take(self, given: Given, call: Call, *, mark: str, extractor: str = "rules") -> Taken:
        """Write what a document says, in one batch; the same text again writes nothing.

        With the ``extractor`` model a text that only the rules have read is read once more. ``mark`` stands for the
        call as a whole, which is to see the new nodes together when all its documents are in.

        Raises:
            InvalidArgument: the document cannot be read.
            Conflict: others changed the same nodes each time it was planned.
        """
        between = pausing(call)
        reading = read(given, self._store.vocabulary, between=between)
        if extractor == "model" and self._chat is not None and not self._is_heard(given):
            reading = widened(reading, self._chat, between=between)
        alone = replace(call, receipt=None)
        try:
            return settle(self._store, alone, lambda batch: self._planned(reading, call, batch, mark))
        except Conflict as error:
            if error.key != TAKEN:
                raise
        # Another has read the same text once more meanwhile: what is planned now finds what that one wrote.
        return settle(self._store, alone, lambda batch: self._planned(reading, call, batch, mark))

    def _planned(self, reading: Reading, call: Call, batch: str, mark: str) -> Plan[Taken]:
        plan = self._plan(reading, call, batch, mark)
        pausing(call)()
        return plan

    def _is_heard(self, given: Given) -> bool:
        """Return whether a model has read this very text already."""
        before = known(self._store, self._shelf, name=given.name, ontology=given.ontology)
        same = before.source is not None and before.source.digest == given.digest
        return same and before.document is not None and before.document.channel == ASKED

    def _plan(self, reading: Reading, call: Call, batch: str, mark: str) -> Plan[Taken]:
        given = reading.given
        before = known(self._store, self._shelf, name=given.name, ontology=given.ontology)
        same = before.source is not None and before.source.digest == given.digest
        left = unseen(self._store, before.source)
        if before.source is not None and same and not reading.asked:
            late = tuple(self._late(reading, before, before.source))
            return Plan(operations=(), answer=Taken(unchanged=True, pending=late, left=left), subjects=())
        if before.source is not None and not same:
            _refuse_another(given, before.source)
        source = before.source if before.source is not None and same else _source(given, before.newest, call)
        cast = self._casting.cast(reading, before, call)
        statements = Statements(self._store, call, cast.saves)
        pending = tuple(self._stated(reading, cast, source, statements))
        rests = list(_rests(reading, cast, before, source, call))
        gone = [node for node in self._gone(before, cast, given) if node.id not in cast.saves]
        back = tuple(self._said_again(cast, call))
        dropped = () if same else self._dropped(before, given, statements.stated)
        operations: tuple[Operation, ...] = (
            *_first(source, before),
            *cast.saves.values(),
            *rests,
            *statements.operations,
            *mentions_together(self._shelf, self._words, self._changes(cast)),
            *(operation for node in gone for operation in marked(node, source, call)),
            *back,
            *unsaid(cast.nodes[0], dropped, self._store.nodes(_ends(dropped)), source, call),
        )
        answer = Taken(
            batch=batch,
            made=len(cast.fresh),
            reused=cast.reused,
            updated=cast.updated,
            relations=statements.made,
            evidence=statements.evidence + len(rests),
            marked=len(gone),
            unsaid=len(dropped),
            new=before.document is None,
            fresh=tuple(cast.fresh),
            left=left,
            pending=pending,
            problems=(*reading.problems, *_copying(cast)),
        )
        anew = source is before.source  # what is left of this text's other readings stays with them
        receipt = opened(self._store, source, (*cast.fresh, *(() if anew else left.nodes)), mark)
        return Plan(operations=operations, answer=answer, subjects=(cast.nodes[0].id,), receipt=receipt)

    def _changes(self, cast: Cast) -> list[tuple[Node, Node]]:
        """Return each node whose text is written, as it stands (a fresh one as it will) and as it is to be."""
        changed = [save.node for save in cast.saves.values() if save.passages is not None]
        standing = self._store.nodes([node.id for node in changed])
        return [(standing.get(node.id, node), node) for node in changed]

    def _gone(self, before: Known, cast: Cast, given: Given) -> list[Node]:
        """Return the active nodes that this text says no more, nor the newest text of another that they rest on."""
        own = vanished(before, cast.kept, given.text)
        still = {node.id for node in (*own, *cast.nodes.values())}
        shared = [
            node
            for key, node in before.nodes.items()
            if key not in still and node.status is Status.ACTIVE and not before.alone(key) and not node.handles
        ]
        return [*own, *unstated(self._store, shared, {(given.name, given.ontology): given.text})]

    def _said_again(self, cast: Cast, call: Call) -> Iterator[Operation]:
        """Write what this text says again as holding again, and close the questions about it."""
        for node, ended in said_again(self._store, list(cast.nodes.values()), call):
            save = cast.saves.get(node.id)
            if save is not None:
                cast.saves[node.id] = replace(save, node=replace(save.node, status=node.status))
            else:
                yield SaveNode(node=node, expect=node.version - 1)
            yield from ended

    def _dropped(self, before: Known, given: Given, stated: frozenset[str]) -> Sequence[Relation]:
        """Return the relations that this document's earlier text stated, and no document's text states now.

        What was unsaid before was asked about then.
        """
        held = self._store.relations(list(before.nodes), per_node=_FAN)
        unsaid = unstated(self._store, held, {(given.name, given.ontology): given.text})
        asked = {each.id for each in unstated(self._store, unsaid, {})}
        return [each for each in unsaid if each.id not in asked | stated]

    def _stated(self, reading: Reading, cast: Cast, source: Source, statements: Statements) -> Iterator[Pending]:
        """State the relations whose ends are both there, and yield those that lack one, or may yet lead nearer."""
        fresh = dict.fromkeys((reading.given.name,), cast.nodes[0])
        places = Places(self._store, self._shelf)
        led: list[Led] = []
        for said in reading.found.relations:
            node, place, index = cast.nodes[said.source_index], reading.place(said, source.id), said.target_index
            inner = None if index is None else Led(node=node, said=said, place=place, other=cast.nodes[index])
            led.append(inner or places.lead(node, said, place, fresh=fresh))
        for each in once(led):
            if each.passing:
                yield _pending(each, led=None)
                continue
            if each.other is not None:
                statements.state(each.node, each.other, each.said, None if each.said.rule == _OWN else each.place)
            if each.other is None or each.lacking:
                yield _pending(each, led=each.other)

    def _late(self, reading: Reading, before: Known, source: Source) -> Iterator[Pending]:
        """Yield what an unchanged document says of others that were not there when it was taken in."""
        outward = [said for said in reading.found.relations if said.target_index is None]
        nodes: Mapping[int, Node] = matches(reading.found.nodes, before) if outward else {}
        places = Places(self._store, self._shelf)
        for said in outward:
            node = nodes.get(said.source_index)
            if node is not None:
                led = places.lead(node, said, reading.place(said, source.id), fresh={})
                if self._is_late(led, source):
                    yield _pending(led, led=None)
                elif led.lacking or led.passing:
                    yield _pending(led, led=led.other)

    def _is_late(self, led: Led, source: Source) -> bool:
        """Return whether what is named came after ``source``, or is still to come, and is not joined by that type."""
        if led.other is None:
            return True
        joined = between(self._store, *led.ends) if led.other.created_at > source.created_at else None
        return joined is not None and all(each.type != led.said.type for each in joined)


def _pending(said: Led, *, led: Node | None) -> Pending:
    """Return what is tried again when all documents are in; ``led`` is whom it was taken to name till then."""
    return Pending(node=said.node.id, said=said.said, place=said.place, led=led.id if led is not None else "")


def _ends(relations: Sequence[Relation]) -> list[str]:
    return list({end for each in relations for end in (each.source, each.target)})


def _copying(cast: Cast) -> Iterator[str]:
    for title in cast.rewritten:
        yield f"«{title}» was changed here since, and reads as the document has it now; weft log shows what stood there"
    if cast.copied:
        yield f"its text is that of {cast.copied}, word for word: both are kept, each with its own evidence"


def _first(source: Source, before: Known) -> tuple[Operation, ...]:
    """Return what writes the text, if it is new: after the one that was the newest when this was planned.

    So of two who take in one document at a time the second plans again, and finds what the first has written.
    """
    if before.source is source:
        return ()
    return (SaveSource(source=source, after=before.newest.id if before.newest is not None else ""),)


def _refuse_another(given: Given, known: Source) -> None:
    """Refuse a file whose name and ontology are those of another one, which has not gone: neither is a newer text.

    Another checkout of the same project is none: its file shares lines with the one that is known.
    """
    if not (given.file and known.path) or _share_lines(given.text, known.text):
        return
    if documents.is_another(known.path, given.path):
        raise InvalidArgument(
            f"document: «{given.ontology}» holds a document of this name already, {known.path}, which is still there; "
            "take this one in under another ontology (--ontology)"
        )


def _share_lines(one: str, other: str) -> bool:
    """Whether half of the different lines of the shorter text stand in the other one."""
    held, there = ({line.strip() for line in text.splitlines()} - {""} for text in (one, other))
    return len(held & there) >= _SHARED_LEAST * min(len(held), len(there))


def _source(given: Given, before: Source | None, call: Call) -> Source:
    """Return a document's new text; its id comes after that of the text ``before``, whatever the clocks say."""
    at = call.at if before is None else max(call.at, before.created_at + _TICK)
    return Source(
        id=new_id(at),
        document=given.name,
        ontology=given.ontology,
        type=SourceType.DOCUMENT,
        text=given.text,
        digest=given.digest,
        path=given.path,
        created_at=call.at,
        created_by=call.actor,
    )


def _rests(reading: Reading, cast: Cast, before: Known, source: Source, call: Call) -> Iterator[SaveEvidence]:
    """Yield the evidence of each draft's node; what the document said before in the same words is evidence enough.

    The document itself rests on every one of its texts: that is how its other nodes are found again.
    """
    rested: set[tuple[str, str]] = set()
    same = before.source is source
    for index, draft in enumerate(reading.found.nodes):
        key = (cast.nodes[index].id, draft.quote)
        if key not in rested and ((index == 0 and not same) or before.said(*key) is None):
            rested.add(key)
            yield SaveEvidence(evidence=evidence(key[0], reading.place(draft, source.id), call))
