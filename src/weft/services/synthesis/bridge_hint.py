"""The hint, given once while searching, that two hits of different ontologies may belong together."""

from __future__ import annotations

import threading
from collections import OrderedDict
from datetime import timedelta
from itertools import combinations
from typing import TYPE_CHECKING, Any, Final

from weft.model import BridgeEnd, BridgeHint, Status
from weft.services.nearness import alike
from weft.services.relating import between
from weft.vocabulary import REASONABLE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from weft.model import Calibration, Call, Hit, Node
    from weft.ports import Store, Usage, Vectors

__all__ = ["EVENT", "FRESH", "BridgeHints"]

EVENT: Final = "bridge_hint"
"""Under which name it is noted what a caller was told."""

FRESH: Final = timedelta(days=30)
"""How long a caller is taken to remember a hint."""

_TOP: Final = 5  # hits that are compared with each other
_CALLERS_MAX: Final = 1_000
_COMPARED_MAX: Final = 20_000

Pair = tuple["Node", "Node"]


class BridgeHints:
    """Finds close, unlinked pairs among hits, and remembers whom it told of which. Safe for threads.

    What was compared and told is kept in memory too, so that a search that brings up the same nodes again costs
    nothing; another process of the same caller learns of it through the memory of use.
    """

    def __init__(self, *, store: Store, vectors: Vectors, usage: Usage, calibration: Calibration) -> None:
        self._store = store
        self._vectors = vectors
        self._usage = usage
        self._calibration = calibration
        self._lock = threading.Lock()
        self._told: OrderedDict[str, set[str]] = OrderedDict()
        self._compared: OrderedDict[tuple[str, int, str, int], float] = OrderedDict()

    def hint(self, hits: Sequence[Hit], call: Call) -> BridgeHint | None:
        """Return the likest pair of top hits from two ontologies that no relation joins, or None.

        A pair counts from the calibrated similarity 0.70 on, and is told to a caller once in 30 days. Of what is
        superseded nothing is told: if either belongs with the other, what took its place does.
        """
        nodes = [hit.node for hit in hits[:_TOP] if hit.node.status is not Status.SUPERSEDED]
        pairs = [(one, other) for one, other in combinations(nodes, 2) if one.ontology != other.ontology]
        close = self._close(pairs)
        told = self._told_to(call) if close else set()
        for similarity, pair in close:
            if _subject(*pair) not in told and self._is_news(pair, told):
                self._usage.note(caller=call.caller, event=EVENT, subject=_subject(*pair), at=call.at)
                return BridgeHint(one=_end(pair[0]), other=_end(pair[1]), similarity=round(similarity, 4))
        return None

    def _told_to(self, call: Call) -> set[str]:
        with self._lock:
            if call.caller not in self._told:
                known = self._usage.noted(caller=call.caller, event=EVENT, since=call.at - FRESH)
                self._told[call.caller] = set(known)
                _trim(self._told, _CALLERS_MAX)
            return self._told[call.caller]

    def _close(self, pairs: Sequence[Pair]) -> list[tuple[float, Pair]]:
        """Return those of the pairs that are close, with their similarities, the closest first."""
        unknown = [pair for pair in pairs if _versions(*pair) not in self._compared]
        vectors = self._vectors.of(list({node.id for pair in unknown for node in pair})) if unknown else {}
        for one, other in unknown:
            near = one.id in vectors and other.id in vectors
            similarity = alike(vectors[one.id], vectors[other.id], self._calibration) if near else 0.0
            self._compared[_versions(one, other)] = similarity
        known = [(self._compared.get(_versions(*pair), 0.0), pair) for pair in pairs]
        with self._lock:
            _trim(self._compared, _COMPARED_MAX)
        return sorted((each for each in known if each[0] >= REASONABLE), key=lambda each: -each[0])

    def _is_news(self, pair: Pair, told: set[str]) -> bool:
        """Return whether this call is the one to tell of the pair; a pair that is related needs no telling."""
        free = not between(self._store, pair[0].id, pair[1].id)
        with self._lock:
            first = _subject(*pair) not in told
            told.add(_subject(*pair))
        return free and first


def _subject(one: Node, other: Node) -> str:
    return ":".join(sorted((one.id, other.id)))


def _versions(one: Node, other: Node) -> tuple[str, int, str, int]:
    return (one.id, one.version, other.id, other.version)


def _trim(held: OrderedDict[Any, Any], most: int) -> None:
    while len(held) > most:
        held.popitem(last=False)


def _end(node: Node) -> BridgeEnd:
    return BridgeEnd(id=node.id, title=node.title, ontology=node.ontology)
