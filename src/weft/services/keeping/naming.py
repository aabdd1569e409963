"""Texts that name a node without a mention of it: two that were written at the same time did not see each other.

Which names a text is led from depends on what came first, on how common a name was then, and on how many others were
named beside it. So only names are looked at that lead from either side whatever the order was: they are rare and always
were, few nodes have them, and none that left had.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from weft.services.mentioning import COMMON, named, surely_named
from weft.vocabulary import MENTIONS_MAX

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from weft.model import Call, Mention
    from weft.ports import Store
    from weft.services.keeping.ports import KeepingPorts

__all__ = ["LOOKED_MAX", "Naming"]

LOOKED_MAX: Final = 1_000
"""Texts that a look reads: all of a graph of so many nodes, and as many, evenly spread, of a larger one."""

_AT_ONCE: Final = 64


class Naming:
    """Looks for what texts name and no mention says."""

    def __init__(self, ports: KeepingPorts, *, store: Store) -> None:
        self._ports = ports
        self._store = store

    def looked(self, call: Call) -> tuple[int, list[Mention]]:
        """Return how many texts were looked at, and the mentions that they lack."""
        nodes = self._ports.health.spread(LOOKED_MAX)
        return len(nodes), [each for found in self._lacking(nodes, call) for each in found]

    def mend(self, call: Call) -> None:
        """Write down what every text of the graph lacks, however large it is."""
        for found in self._lacking(self._ports.health.spread(), call):
            self._ports.health.mention(found, tier=call.tier)

    def _lacking(self, ids: Sequence[str], call: Call) -> Iterator[list[Mention]]:
        for start in range(0, len(ids), _AT_ONCE):
            call.report(start, len(ids), "looking names up")
            yield self._lacked(ids[start : start + _AT_ONCE])

    def _lacked(self, ids: Sequence[str]) -> list[Mention]:
        told: list[Mention] = []
        for node in self._store.nodes(ids).values():
            found = named(self._ports.shelf, node)
            if len(found) < MENTIONS_MAX:
                told += found
        lacked = self._ports.health.unmentioned(told, texts_max=COMMON, mentions_max=MENTIONS_MAX)
        return [mention for mention in lacked if surely_named(self._ports.words, mention)]
