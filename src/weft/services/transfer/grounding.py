"""Quotes that imported nodes rest on: what a bundle holds of a document becomes its source, and the quotes evidence."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from weft.errors import InvalidArgument
from weft.identity import new_id
from weft.model import Evidence, SaveEvidence, SaveSource, Source, SourceType
from weft.services.drafting import line
from weft.services.planning import Plan, settle
from weft.services.transfer.landing import TOOL
from weft.text import clean, digest
from weft.vocabulary import CONTENT_MAX, NAME_MAX

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from weft.model import Call, Node
    from weft.services.transfer.aside import Incoming
    from weft.services.transfer.ports import TransferPorts
    from weft.services.transfer.tally import Tally

__all__ = ["ground"]

_AT_ONCE: Final = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class _Said:
    """A quote of a node, with the id that its evidence gets: ids ascend as the quotes stand in their file."""

    id: str
    node: Node
    text: str


def ground(
    ports: TransferPorts, call: Call, *, tally: Tally, nodes: Mapping[str, Node], incoming: Sequence[Incoming]
) -> None:
    """Write the quotes of these records that their nodes lack: a source for each document, of what is quoted of it.

    The document itself is not in a bundle. Where it is taken in later, it is a newer text of the same document.
    """
    if tally.dry_run:
        return
    call = replace(call, tool=TOOL, receipt=None)
    for (document, ontology), said in _by_document(ports, call, tally, nodes, incoming).items():
        _write(ports, call, tally, _source(document, ontology, said, call), said)


def _by_document(
    ports: TransferPorts, call: Call, tally: Tally, nodes: Mapping[str, Node], incoming: Sequence[Incoming]
) -> dict[tuple[str, str], list[_Said]]:
    found: defaultdict[tuple[str, str], list[_Said]] = defaultdict(list)
    quoting = [each for each in incoming if each.record.quotes and each.record.key in nodes]
    for start in range(0, len(quoting), _AT_ONCE):
        some = quoting[start : start + _AT_ONCE]
        ids = list(dict.fromkeys(nodes[each.record.key].id for each in some))
        known = {(each.subject, _plain(each.quote)) for each in ports.store.evidence(ids)}
        for each in some:
            node = nodes[each.record.key]
            for document, text in _quoted(each, tally):
                if (node.id, _plain(text)) not in known:
                    found[document, node.ontology].append(_Said(id=new_id(call.at), node=node, text=text))
    return found


def _quoted(each: Incoming, tally: Tally) -> Iterator[tuple[str, str]]:
    for quote in each.record.quotes:
        try:
            document = line(quote.document, field="document", limit=NAME_MAX)
            text = clean(quote.text, field="quote", limit=CONTENT_MAX).strip()
        except InvalidArgument as error:
            tally.refuse(each.path, each.record.line, error.message)
            continue
        if document and text:
            yield document, text


def _source(document: str, ontology: str, said: Sequence[_Said], call: Call) -> Source:
    text = "\n\n".join(dict.fromkeys(each.text for each in said))
    return Source(
        id=new_id(call.at),
        document=document,
        ontology=ontology,
        type=SourceType.DOCUMENT,
        text=text,
        digest=digest(text),
        created_at=call.at,
        created_by=call.actor,
    )


def _write(ports: TransferPorts, call: Call, tally: Tally, source: Source, said: Sequence[_Said]) -> None:
    places: dict[str, tuple[int, int]] = {}
    at = 0
    for paragraph, text in enumerate(dict.fromkeys(each.text for each in said)):
        places[text] = (paragraph, at)
        at += len(text) + 2
    saves = [SaveEvidence(evidence=_evidence(each, source, *places[each.text])) for each in said]
    for start in range(0, len(saves), _AT_ONCE):
        first = (SaveSource(source=source),) if start == 0 else ()
        operations = (*first, *saves[start : start + _AT_ONCE])

        def plan(batch: str, operations: tuple[SaveSource | SaveEvidence, ...] = operations) -> Plan[str]:
            return Plan(operations=operations, answer=batch, subjects=())

        tally.wrote(settle(ports.store, call, plan, attempts=1))


def _evidence(said: _Said, source: Source, paragraph: int, start: int) -> Evidence:
    return Evidence(
        id=said.id,
        subject=said.node.id,
        source=source.id,
        paragraph=paragraph,
        start=start,
        end=start + len(said.text),
        quote=said.text,
        type=SourceType.DOCUMENT,
        creator=source.created_by,
        created_at=source.created_at,
    )


def _plain(text: str) -> str:
    return " ".join(text.split())
