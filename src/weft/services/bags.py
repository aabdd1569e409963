"""Nodes as bags of words: those of many at once, each read as far as there is time for."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from weft.reason.affinity import bag, counted, telling
from weft.text import root, terms

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterable, Mapping, Sequence

    from weft.model import Node
    from weft.ports import Store, Words
    from weft.reason.affinity import Bag

__all__ = ["Worded", "bags", "counts_of", "spelled", "telling_words", "worded", "worded_nodes"]

_READ_MIN: Final = 300
_READ_MAX: Final = 20_000
_ASKED: Final = 40
"""Words that a text is looked up by, those that tell it from others; with 24 a tenth fewer are found."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Worded:
    """Standing nodes, by id, and the words of each."""

    nodes: dict[str, Node] = field(default_factory=dict)
    bags: dict[str, Bag] = field(default_factory=dict)


def worded(store: Store, words: Words, ids: Sequence[str], *, characters_max: int) -> Worded:
    """Return those of ``ids`` that stand, with their words: read are about ``characters_max`` characters in all."""
    return worded_nodes(words, store.nodes(ids) if ids else {}, characters_max=characters_max)


def worded_nodes(words: Words, found: Mapping[str, Node], *, characters_max: int) -> Worded:
    """Return those nodes that stand, with their words; see :func:`worded`."""
    nodes = {id_: node for id_, node in found.items() if node.retired is None}
    share = min(_READ_MAX, max(_READ_MIN, characters_max // max(1, len(nodes))))
    counts = {id_: counts_of(node, share) for id_, node in nodes.items()}
    return Worded(nodes=nodes, bags=bags(words, counts))


def counts_of(node: Node, characters_max: int) -> Counter[str]:
    """Return how often each word stands in a node's title, search terms and opening."""
    return counted(node.title, *node.search_terms, node.content[:characters_max])


def bags(words: Words, counts: Mapping[str, Mapping[str, int]]) -> dict[str, Bag]:
    """Return the weights of all these words, which are looked up together."""
    rarity = words.rarity(_each(counts.values())) if counts else {}
    return {id_: bag(held, rarity) for id_, held in counts.items()}


def spelled(text: str) -> dict[str, str]:
    """Return the words of ``text`` by their roots, each as it is spelled where it stands first."""
    found: dict[str, str] = {}
    for term in terms(text):
        found.setdefault(root(term), term)
    return found


def telling_words(of: Bag, spelling: Mapping[str, str]) -> str:
    """Return the words that tell a text from others, as they are ``spelled`` in it: a query to look it up by."""
    return " ".join(spelling.get(word, word) for word in telling(of, _ASKED))


def _each(counts: Iterable[Mapping[str, int]]) -> list[str]:
    return list({word for held in counts for word in held})
