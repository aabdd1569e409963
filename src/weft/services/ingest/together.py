"""Mentions among nodes that are written together, and so cannot be found through the index yet."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from weft.model import Mention
from weft.services.mentioning import mentions
from weft.text import STOP_WORDS, fold, grams, terms
from weft.vocabulary import MENTIONS_MAX

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from weft.model import Node, SaveMentions
    from weft.ports import Shelf, Words

__all__ = ["mentions_together"]

_READ_MAX: Final = 20_000  # characters of a text that names are looked for in


def mentions_together(
    shelf: Shelf, words: Words, nodes: Sequence[Node], fresh: frozenset[str]
) -> tuple[SaveMentions, ...]:
    """Return the mentions of each of ``nodes``: those the index finds, and those of the ``fresh`` ones among them."""
    names = _names([node for node in nodes if node.id in fresh])
    saves = []
    for node in nodes:
        indexed = mentions(shelf, words, node)
        known = {mention.target for mention in indexed.outgoing}
        added = [mention for mention in _named(node, names) if mention.target not in known]
        saves.append(replace(indexed, outgoing=(*indexed.outgoing, *added)[:MENTIONS_MAX]))
    return tuple(saves)


def _names(nodes: Sequence[Node]) -> Mapping[str, list[tuple[str, str]]]:
    """Return, by folded name, (node id, name) of all that answer to it; small words alone are no names."""
    names: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for node in nodes:
        for name in (node.title, *node.aliases):
            if any(len(term) > 1 and term not in STOP_WORDS for term in terms(name)):
                names[fold(name)].append((node.id, name))
    return names


def _named(node: Node, names: Mapping[str, list[tuple[str, str]]]) -> Iterator[Mention]:
    seen = {node.id}
    for run, _, _ in grams(f"{node.title}\n{node.content}"[:_READ_MAX]):
        for target, name in names.get(run, ()):
            if target not in seen:
                seen.add(target)
                yield Mention(node=node.id, target=target, name=name)
