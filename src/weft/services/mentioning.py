"""Mentions: whose name stands in whose text, found through the index in both directions."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from weft import text
from weft.model import Mention, SaveMentions
from weft.vocabulary import MENTIONS_MAX

if TYPE_CHECKING:
    from weft.model import Node
    from weft.ports import Shelf, Words

__all__ = ["mentions", "mentions_anew"]

COMMON: Final = 50
"""A name that stands in more texts than this is common: it links from the texts that are written later only."""

_WORDS_MAX: Final = 6  # as long as the word groups that names are looked up by in a text
_STORED_MAX: Final = 200  # stored mentions that are read of a node
_READ_MAX: Final = 20_000  # characters of a text that names are looked for in


def mentions(shelf: Shelf, words: Words, node: Node) -> SaveMentions:
    """Return the mentions of others in ``node``'s text (at most ``MENTIONS_MAX``) and of ``node`` in theirs."""
    said = f"{node.title}\n{node.content}"[:_READ_MAX]
    named = shelf.named_in(said, limit=MENTIONS_MAX + 1)
    outgoing = tuple(replace(mention, node=node.id) for mention in named if mention.target != node.id)
    return SaveMentions(node=node.id, outgoing=outgoing[:MENTIONS_MAX], incoming=_incoming(words, node))


def mentions_anew(shelf: Shelf, words: Words, before: Node, after: Node) -> tuple[SaveMentions, ...]:
    """Return the mentions of ``after``, and those of the texts that named ``before`` by a name it has no longer."""
    names = {text.fold(name) for name in (after.title, *after.aliases)}
    stored = shelf.mentions((before.id,), per_node=_STORED_MAX)
    stale = [each.node for each in stored if each.target == before.id and text.fold(each.name) not in names]
    theirs = shelf.mentions(stale, per_node=_STORED_MAX) if stale else ()
    cleared = (
        SaveMentions(
            node=holder,
            outgoing=tuple(each for each in theirs if each.node == holder and each.target != before.id),
        )
        for holder in stale
    )
    return (*cleared, mentions(shelf, words, after))


def _incoming(words: Words, node: Node) -> tuple[Mention, ...]:
    found: dict[str, Mention] = {}
    for name in (node.title, *node.aliases):
        if not _telling(name):
            continue
        holders = words.phrase(name, limit=COMMON + 1)
        if len(holders) <= COMMON:
            for holder in holders:
                found.setdefault(holder, Mention(node=holder, target=node.id, name=name))
    found.pop(node.id, None)
    return tuple(found.values())


def _telling(name: str) -> bool:
    cut = name.split()
    return len(cut) <= _WORDS_MAX and any(len(term) > 1 and term not in text.STOP_WORDS for term in text.terms(name))
