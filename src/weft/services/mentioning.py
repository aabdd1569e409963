"""Mentions: whose name stands in whose text, found through the index in both directions."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from weft import text
from weft.model import Filter, Mention, SaveMentions
from weft.vocabulary import MENTIONS_MAX

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from weft.model import Node
    from weft.ports import Shelf, Words

    Names = Mapping[str, list[tuple[str, str]]]

__all__ = [
    "COMMON",
    "MENTIONS_READ",
    "mention_of",
    "mentions",
    "mentions_anew",
    "mentions_together",
    "named",
    "surely_named",
]

COMMON: Final = 50
"""A name that stands in more texts than this is common: it links from the texts that are written later only."""

MENTIONS_READ: Final = 200
"""Stored mentions that are read of a node."""

_WORDS_MAX: Final = 6  # as long as the word groups that names are looked up by in a text
_READ_MAX: Final = 20_000  # characters of a text that names are looked for in


def mentions(shelf: Shelf, words: Words, node: Node) -> SaveMentions:
    """Return the mentions of others in ``node``'s text (at most ``MENTIONS_MAX``) and of ``node`` in theirs."""
    outgoing = named(shelf, node)
    return SaveMentions(node=node.id, outgoing=outgoing[:MENTIONS_MAX], incoming=_incoming(words, node))


def named(shelf: Shelf, node: Node) -> tuple[Mention, ...]:
    """Return the mentions of others in ``node``'s text, at most ``MENTIONS_MAX`` and one."""
    found = shelf.named_in(_said(node), limit=MENTIONS_MAX + 1)
    return tuple(replace(mention, node=node.id) for mention in found if mention.target != node.id)


def mention_of(target: Node, node: Node) -> tuple[Mention, ...]:
    """Return the mention of ``target`` in the text of ``node``, by its longest name that stands there; maybe none."""
    said = {run for run, _, _ in text.grams(_said(node))}
    names = [name for name in (target.title, *target.aliases) if text.fold(name) in said]
    return tuple(Mention(node=node.id, target=target.id, name=name) for name in sorted(names, key=len)[-1:])


def surely_named(words: Words, mention: Mention) -> bool:
    """Whether the text is found by the name, too: whichever of the two was written first, the other led to it."""
    if not _telling(mention.name):
        return False
    holders = words.phrase(mention.name, filter=Filter(), limit=COMMON + 1)
    return len(holders) <= COMMON and mention.node in holders


def mentions_anew(shelf: Shelf, words: Words, before: Node, after: Node) -> tuple[SaveMentions, ...]:
    """Return the mentions of ``after``, and those of the texts that named ``before`` by a name it has no longer."""
    return (*_cleared(shelf, ((before, after),)), mentions(shelf, words, after))


def mentions_together(shelf: Shelf, words: Words, pairs: Sequence[tuple[Node, Node]]) -> tuple[SaveMentions, ...]:
    """Return the mentions of nodes that are written together; of each pair, the node as it stands and as it is to be.

    The index knows the first of a pair, and nothing of a node that is new (then both are the same): a name that one of
    them loses leads to it no longer, and one that another of them gets leads there.
    """
    after = {node.id: node for _, node in pairs}
    told = _names(node for node in after.values() if node.retired is None)
    saves = []
    for node in after.values():
        indexed = mentions(shelf, words, node)
        left = [
            each
            for each in indexed.outgoing
            if each.target not in after or (each.target, text.fold(each.name)) in _answering(after[each.target])
        ]
        saves.append(_joined(replace(indexed, outgoing=tuple(left)), node, told))
    return (*_cleared(shelf, pairs), *saves)


def _cleared(shelf: Shelf, pairs: Sequence[tuple[Node, Node]]) -> list[SaveMentions]:
    """Return what texts still say of others that named the first of a pair by a name which the second has not."""
    names = {(before.id, name) for before, after in pairs for _, name in _answering(after)}
    gone = {before.id for before, _ in pairs}
    stale = {
        (each.node, each.target)
        for each in shelf.mentions(sorted(gone), per_node=MENTIONS_READ)
        if each.target in gone and (each.target, text.fold(each.name)) not in names
    }
    holders = sorted({holder for holder, _ in stale})
    theirs = shelf.mentions(holders, per_node=MENTIONS_READ) if holders else ()
    left: dict[str, list[Mention]] = {holder: [] for holder in holders}
    for each in theirs:
        if each.node in left and (each.node, each.target) not in stale:
            left[each.node].append(each)
    return [SaveMentions(node=holder, outgoing=tuple(said)) for holder, said in left.items()]


def _answering(node: Node) -> set[tuple[str, str]]:
    """Return (its id, folded name) of every name that a node answers to; of a retired one none."""
    named = () if node.retired is not None else (node.title, *node.aliases)
    return {(node.id, text.fold(name)) for name in named}


def _joined(found: SaveMentions, node: Node, names: Names) -> SaveMentions:
    """Return ``found`` with the mentions of ``names`` in the text of ``node`` added, as far as there is room."""
    known = {mention.target for mention in found.outgoing}
    added = [mention for mention in _named(node, names) if mention.target not in known]
    return replace(found, outgoing=(*found.outgoing, *added)[:MENTIONS_MAX])


def _names(nodes: Iterable[Node]) -> Names:
    """Return, by folded name, (node id, name) of all that answer to it; small words alone are no names."""
    names: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for node in nodes:
        for name in (node.title, *node.aliases):
            if any(len(term) > 1 and term not in text.STOP_WORDS for term in text.terms(name)):
                names[text.fold(name)].append((node.id, name))
    return names


def _named(node: Node, names: Names) -> Iterator[Mention]:
    seen = {node.id}
    for run, _, _ in text.grams(_said(node)):
        for target, name in names.get(run, ()):
            if target not in seen:
                seen.add(target)
                yield Mention(node=node.id, target=target, name=name)


def _said(node: Node) -> str:
    return f"{node.title}\n{node.content}"[:_READ_MAX]


def _incoming(words: Words, node: Node) -> tuple[Mention, ...]:
    found: dict[str, Mention] = {}
    for name in (node.title, *node.aliases):
        if not _telling(name):
            continue
        holders = words.phrase(name, filter=Filter(), limit=COMMON + 1)
        if len(holders) <= COMMON:
            for holder in holders:
                found.setdefault(holder, Mention(node=holder, target=node.id, name=name))
    found.pop(node.id, None)
    return tuple(found.values())


def _telling(name: str) -> bool:
    cut = name.split()
    return len(cut) <= _WORDS_MAX and any(len(term) > 1 and term not in text.STOP_WORDS for term in text.terms(name))
