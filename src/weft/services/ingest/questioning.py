"""What is asked about documents, and never decided: what repeats or contradicts, and what prose tells of another."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from weft.model import Origin
from weft.reason.numbering import numbers, references
from weft.services import suggesting
from weft.services.capture.citations import cited, told_by
from weft.services.capture.comparing import compare
from weft.services.capture.questioning import ends, surest
from weft.vocabulary import MENTIONS_MAX, REASONABLE

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from weft.model import Call, Node, Suggestion
    from weft.ports import Shelf, Store
    from weft.services.nearness import Neighbour
    from weft.services.seconding import Seconded

__all__ = ["QUESTIONS_MAX", "Questions", "weightiest"]

QUESTIONS_MAX: Final = 100
"""Questions that one ingest asks, the surest: who reviews reads them one by one."""

_FAN: Final = 1_000  # relations read of one node
_BOILERPLATE_MIN: Final = 3
"""Near-duplicates of one node from which what it says is boilerplate, which every document holds: nothing is asked."""


class Questions:
    """Compares new nodes of documents with what stands, as a capture does."""

    def __init__(self, store: Store, shelf: Shelf, judge: Seconded) -> None:
        self._store = store
        self._shelf = shelf
        self._judge = judge

    def about(self, node: Node, near: Sequence[Neighbour], call: Call) -> tuple[Suggestion, ...]:
        """Return what is to be asked about ``node`` and those ``near`` to it that stand in none of its documents."""
        others = [each for each in near if each.similarity >= REASONABLE and _is_statement(each.node)]
        apart = self._elsewhere(node, others) if others else []
        found = compare(node, apart, call, judge=self._judge)
        if len(found.near_duplicates) >= _BOILERPLATE_MIN:
            return ()
        return found.suggestions

    def told(self, document: Node, call: Call) -> tuple[Suggestion, ...]:
        """Return what ``document`` and those that it names by number, or that name it so, tell of one another in prose.

        The five surest at most. Nothing is asked of two that are related, unless only by having to do with each other.
        """
        naming = self._naming(document, frozenset(numbers(document)))
        known = cited(self._store, self._shelf, document, naming) if references(document.content) else {}
        others = (*naming.values(), *known.values())
        telling = told_by(document, others)
        joined = self._joined(document) if telling else frozenset()
        titles = {each.id: each.title for each in (document, *others)}
        worth = surest(each for each in telling if ends(each) not in joined)
        return tuple(suggesting.relation(each, titles, call) for each in worth)

    def _naming(self, document: Node, called: frozenset[str]) -> dict[str, Node]:
        """Return the standing nodes whose text names ``document`` by one of the numbers that it is ``called`` by."""
        held = self._shelf.mentions((document.id,), per_node=MENTIONS_MAX) if called else ()
        nodes = self._store.nodes(list({each.node for each in held} - {document.id}))
        standing = (each for each in nodes.values() if each.retired is None)
        return {each.id: each for each in standing if called & references(each.content).keys()}

    def _joined(self, document: Node) -> frozenset[frozenset[str]]:
        held = self._store.relations((document.id,), per_node=_FAN)
        return frozenset(frozenset((each.source, each.target)) for each in held if each.type != "relates_to")

    def _elsewhere(self, node: Node, others: Sequence[Neighbour]) -> list[Neighbour]:
        """Return those of ``others`` that rest on no document that ``node`` rests on."""
        held = self._store.evidence((node.id, *(each.node.id for each in others)))
        own = {each.source for each in held if each.subject == node.id}
        siblings = {each.subject for each in held if each.source in own}
        return [each for each in others if each.node.id not in siblings]


def weightiest(questions: Iterable[Suggestion]) -> tuple[Suggestion, ...]:
    """Return the ``QUESTIONS_MAX`` surest of ``questions``."""
    return tuple(sorted(questions, key=lambda each: (-each.score, each.dedup))[:QUESTIONS_MAX])


def _is_statement(node: Node) -> bool:
    """Whether ``node`` is no document as a whole: that says much, and what it says has nodes of its own."""
    return node.kind != "document" and not (node.origin is Origin.DOCUMENT and node.handles)
