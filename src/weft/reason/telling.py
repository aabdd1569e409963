"""What a text tells in prose of itself and another that it names: «This replaces ADR-12», «so it needs [[Queues]]».

Only what a sentence asserts of its own document counts (:mod:`weft.reason.citing`), and it is asked about. Of the
proposals of three communities that say so of what they depend on eight in nine are related by their authors too, of
those that say what they replace nine in twenty, and of the other types seven in twenty-six (by hand); most of the
rest hold as they read, all eleven that say what they replace, and were not written down as fields.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from weft.reason.asserting import REFERRED
from weft.reason.citing import TYPED, WIKI_LINK, prose, type_of
from weft.reason.finding import Finding, ends_of, folded, shown
from weft.reason.numbering import READ_MAX, mentions, numbered, references
from weft.reason.section import stretches
from weft.reason.sentences import phrasing
from weft.reason.unsaid import blank_unsaid
from weft.text import fold, plain

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from weft.model import Node

__all__ = ["TOLD", "names", "told"]

TOLD: Final = "told_in_prose"
"""The name of this rule."""

_TYPES: Final[Mapping[str, float]] = {
    "depends_on": TYPED,
    "supersedes": TYPED,
    "requires": 0.5,
    "extends": 0.5,
    "builds_on": 0.5,
    "contradicts": 0.5,
}
"""What is asked about, and how sure it is."""


class _Named(NamedTuple):
    """Another document that a sentence names at ``place``: its number, its folded title, or both."""

    place: tuple[int, int]
    number: str
    title: str

    def is_one_of(self, names: tuple[str, ...]) -> bool:
        return self.number in names or (bool(self.title) and self.title in folded(names))


class _Telling(NamedTuple):
    """A sentence that tells what its document is to another: that of a number (``PEP-8``), or of a folded title."""

    type: str
    outgoing: bool
    number: str
    title: str
    sentence: str

    def is_of(self, node: Node, numbers: Sequence[str]) -> bool:
        return self.number in numbers or (bool(self.title) and self.title in folded((node.title, *node.aliases)))


def names(content: str) -> tuple[str, ...]:
    """Return the folded titles that ``content`` tells something of by a wiki link."""
    return tuple(each.title for each in _tellings(content, ()) if each.title)


def told(new: Node, others: Sequence[Node], numbers: Mapping[str, Sequence[str]]) -> tuple[Finding, ...]:
    """Return what ``new`` and each of ``others`` tell of one another; ``numbers`` are those that each goes by."""
    return tuple(
        _finding(each, source, target)
        for other in others
        if other.id != new.id
        for source, target in ((new, other), (other, new))
        if _names(source, numbers.get(target.id, ()))
        for each in _tellings(source.content, (source.title, *source.aliases, *numbers.get(source.id, ())))
        if each.is_of(target, numbers.get(target.id, ()))
    )


def _names(source: Node, numbers: Sequence[str]) -> bool:
    """Return whether ``source`` may name what goes by ``numbers``: its sentences are read for that alone."""
    return "[[" in source.content or not references(source.content).keys().isdisjoint(numbers)


@lru_cache(maxsize=256)
def _tellings(content: str, own: tuple[str, ...]) -> tuple[_Telling, ...]:
    text = blank_unsaid(content[:READ_MAX])
    if "[[" not in text and not references(text):
        return ()
    stated = [part for part, back in stretches(text) if not back]
    return tuple(
        each for part in stated for span in phrasing(part) for each in _within(part[span.start : span.end], own)
    )


def _within(sentence: str, own: tuple[str, ...]) -> Iterator[_Telling]:
    sentence = prose(sentence)
    named = _named(sentence)
    others = [each for each in named if not each.is_one_of(own)]
    masked = _masked(sentence, named, others) if others else ""
    for each in others:
        type_, direction = type_of(masked, each.place, own=own)
        if type_ in _TYPES:
            yield _Telling(type_, direction == "forward", each.number, each.title, " ".join(sentence.split()))


def _named(sentence: str) -> list[_Named]:
    """Return what ``sentence`` names, in order; a number within a link is the link's."""
    found = [(place, number) for number, place in mentions(sentence)]
    files = dict(reversed(found))
    links = [
        _Named(link.span(), numbered(link["wiki"].strip()) or files.get(link.span(), ""), fold(plain(link["wiki"])))
        for link in WIKI_LINK.finditer(sentence)
    ]
    taken = {at for link in links for at in range(*link.place)}
    by_number = (_Named(place, number, "") for place, number in found if place[0] not in taken)
    return sorted((*links, *by_number))


def _masked(sentence: str, named: Sequence[_Named], others: Sequence[_Named]) -> str:
    """Return ``sentence`` with one sign for each of ``others``, and «it» for its own document, where it is ``named``.

    Each as long as what it stands for.
    """
    signs = list(sentence)
    for each in named:
        start, end = each.place
        signs[start:end] = (REFERRED if each in others else "it").rjust(end - start)[start - end :]
    return "".join(signs)


def _finding(telling: _Telling, telling_of: Node, named: Node) -> Finding:
    # What numbered documents say they depend on is what their authors write down as required.
    relation_type = "requires" if telling.number and telling.type == "depends_on" else telling.type
    ends = (telling_of.id, named.id) if telling.outgoing else (named.id, telling_of.id)
    source, target = ends_of(*ends, relation_type)
    return Finding(
        rule=TOLD,
        source_id=source,
        target_id=target,
        type=relation_type,
        confidence=_TYPES[telling.type],
        reasoning=f"«{shown(telling_of.title)}» says so: «{shown(telling.sentence)}».",
        scores=((TOLD, 1.0),),
        action="suggest",
    )
