"""The names in the texts of some nodes, and which other nodes hold them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from weft.reason.shared_names import names_beyond
from weft.text import terms

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from weft.ports import Words
    from weft.services.search.view import View

__all__ = ["Sharing"]

NAMES_MAX: Final = 16
"""How many names of a node are looked up, the rarest.

Of questions of several hops recall@5 is 0.6 points less with five, and no more with 24 that could be told
(``bench/hops.py``): what holds a name and answers nothing of what is left hardly moves.
"""


class Sharing:
    """What holds the names in the texts of nodes, for one query; every node is asked for once."""

    def __init__(self, words: Words, query: str, view: View) -> None:
        self._words = words
        self._asked = terms(query)
        self._view = view
        self._holders: dict[str, Mapping[str, Sequence[str]]] = {}

    def holders(self, ids: Iterable[str]) -> dict[str, Mapping[str, Sequence[str]]]:
        """Return, for each of these nodes that the filter lets in, its names with the nodes that hold them.

        Only names that the query does not hold; none where the past is asked for, since its texts are not looked up.
        """
        if self._view.filter.as_of is not None:
            return {}
        wanted = tuple(ids)
        nodes = self._view.nodes(each for each in wanted if each not in self._holders)
        names = {key: names_beyond(self._asked, node.title, node.content) for key, node in nodes.items()}
        held = (
            self._words.holders(tuple(names.values()), per_list=NAMES_MAX)
            if any(names.values())
            else ({},) * len(names)
        )
        self._holders |= dict(zip(names, held, strict=True))
        return {each: self._holders[each] for each in wanted if each in self._holders}
