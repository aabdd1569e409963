"""What documents state of one another, or seem to by how they cite each other's numbers: looked up, and weighed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from weft.model import RelationGuess
from weft.reason.heading import fielded, state, stated
from weft.reason.numbering import NAMED_MAX, numbers, references, spellings
from weft.reason.referring import beside, likeliest, weigh
from weft.reason.telling import names, told

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from weft.model import Node
    from weft.ports import Shelf, Store
    from weft.reason.finding import Finding
    from weft.reason.intent import Read
    from weft.services.capture.belonging import Company

__all__ = ["Said", "cited", "said", "speaks", "told_by"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What was found: ``findings`` to make or to ask about, and for a node what it likely is, however unlikely."""

    findings: tuple[Finding, ...] = ()
    guesses: tuple[RelationGuess, ...] = ()


def cited(store: Store, shelf: Shelf, node: Node, known: Mapping[str, Node]) -> dict[str, Node]:
    """Return the standing nodes that the text of ``node`` names by number or in a header line, none of the ``known``.

    Where several go by one number, those of its own ontology are meant, if there are any.
    """
    written = "\n\n".join(dict.fromkeys(_written(node)))
    if not written:
        return {}
    found = dict.fromkeys(mention.target for mention in shelf.named_in(written, limit=NAMED_MAX))
    nodes = store.nodes([each for each in found if each not in known and each != node.id])
    return {each.id: each for each in nodes.values() if each.retired is None}


def speaks(node: Node) -> bool:
    """Return whether ``node`` goes by a number, cites one, or states or tells something of others that it names."""
    return bool(numbers(node) or references(node.content) or stated(node.content) or names(node.content))


def said(node: Node, others: Sequence[Node], company: Company, read: Read) -> Said:
    """Return what ``node`` and ``others`` say of one another: what they state or tell, and else what citations weigh.

    Nothing is weighed of a document that opens with fields: its author would have stated it there.
    """
    meant = _meant(node, others)
    stating, telling = _heard(node, meant)
    settled = {frozenset((each.source_id, each.target_id)) for each in (*stating, *telling)}
    plain = {each.id for each in (node, *meant) if not fielded(each.content)}
    weighed = [
        each
        for each in weigh(node, meant, read=read, near=beside(company.signs))
        if each.source_id in plain and frozenset((each.source_id, each.target_id)) not in settled
    ]
    return Said(
        findings=(*stating, *telling, *likeliest(weighed)),
        guesses=tuple(
            RelationGuess(type=each.type, source=each.source_id, target=each.target_id, confidence=each.confidence)
            for each in (*stating, *telling, *weighed)
        ),
    )


def told_by(node: Node, others: Sequence[Node]) -> list[Finding]:
    """Return what ``node`` and ``others`` tell of one another in prose, once, unless they state something in a line."""
    return _heard(node, _meant(node, others))[1]


def _heard(node: Node, meant: Sequence[Node]) -> tuple[tuple[Finding, ...], list[Finding]]:
    """Return what ``node`` and those it may mean state of one another in lines, and what else they tell in prose."""
    known = {each.id: numbers(each) for each in (node, *meant)}
    stating = state(node, meant, known)
    return stating, _unsaid(told(node, meant, known), stating)


def _unsaid(told: Sequence[Finding], stating: Sequence[Finding]) -> list[Finding]:
    """Return what is told once, of those of whom nothing is stated."""
    settled = {frozenset((each.source_id, each.target_id)) for each in stating}
    found = {(each.source_id, each.target_id): each for each in reversed(told)}
    return [each for each in found.values() if frozenset((each.source_id, each.target_id)) not in settled]


def _written(node: Node) -> Iterator[str]:
    """Yield what the nodes may be called that ``node``'s text refers to."""
    for name in references(node.content):
        yield from spellings(name)
    yield from names(node.content)
    lines = stated(node.content)
    series = dict.fromkeys(number.partition("-")[0] for number in numbers(node)) if lines else {}
    for line in lines:
        yield from line.sought
        for number in line.numbers:
            for name in (number,) if "-" in number else (f"{each}-{number}" for each in series):
                yield from spellings(name)


def _meant(node: Node, others: Sequence[Node]) -> list[Node]:
    """Return ``others`` without those of other ontologies that go by a number which one of ``node``'s own goes by."""
    own = {number for each in others if each.ontology == node.ontology for number in numbers(each)}
    return [each for each in others if each.ontology == node.ontology or own.isdisjoint(numbers(each))]
