"""What a link into a document leads to: the node that was made of that heading's section, or of that block."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from weft.formats.markdown import parse
from weft.model import Origin
from weft.reason.wording import term_of
from weft.services.ingest.stating import is_passing, meant
from weft.services.resting import known
from weft.text import fold, slug

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from weft.model import Node
    from weft.ports import Shelf, Store
    from weft.reason.document import Block, Document, Section
    from weft.reason.extract import DraftRelation
    from weft.services.ingest.stating import Quoted
    from weft.services.resting import Known

__all__ = ["Led", "Places", "once"]

_PLAIN: Final = "relates_to"
_ALIKE_MAX: Final = 20  # sections of one heading that are looked through
_WORDS_MAX_BYTES: Final = 2_000
_MARK = re.compile(r"(?:^|(?<=[ \t>]))\^([A-Za-z0-9-]+)[ \t]*$", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Led:
    """A relation that a document states of ``node``, the place that says so, and whom it names; None: not there yet.

    ``lacking`` says that ``other`` is a document in which the place that the link leads to was not found, ``passing``
    that it is meant only as long as no nearer one is read.
    """

    node: Node
    said: DraftRelation
    place: Quoted
    other: Node | None
    lacking: bool = False
    passing: bool = False

    @property
    def ends(self) -> tuple[str, str]:
        """The ids of both."""
        return self.node.id, self.other.id if self.other is not None else ""


class Places:
    """Finds whom documents speak of, for the length of one batch: what it found it does not look up again."""

    def __init__(self, store: Store, shelf: Shelf) -> None:
        self._store = store
        self._shelf = shelf
        self._known: dict[str, Known] = {}

    def lead(self, node: Node, said: DraftRelation, place: Quoted, *, fresh: Mapping[str, Node]) -> Led:
        """Return whom ``said``, which stands in a text of ``node``, names; see :func:`stating.meant`.

        A heading means the node of the term that its section defines, the mark of a block the node that rests on that
        block. Where there is none, the document is meant.
        """
        document = meant(self._store, said.target_name, by=node, fresh=fresh)
        passing = document is not None and is_passing(document, said.target_name, by=node)
        led = Led(node=node, said=said, place=place, other=document, passing=passing)
        if document is None or not said.target_place or document.origin is not Origin.DOCUMENT or not document.handles:
            return led
        held = self._held(document)
        if held.source is None or held.document is None or held.document.id != document.id:
            return led
        text = _read(held.source.text)
        mark = said.target_place.removeprefix("^")
        found = _of_heading(mark, text, held) if mark == said.target_place else _of_block(mark, text, held)
        return replace(led, other=found or document, lacking=found is None)

    def _held(self, document: Node) -> Known:
        if document.id not in self._known:
            found = known(self._store, self._shelf, name=document.handles[0], ontology=document.ontology)
            self._known[document.id] = found
        return self._known[document.id]


def once(led: Sequence[Led]) -> list[Led]:
    """Return ``led`` without bare links to what a link into the same document leads to with a verb."""
    verbs = [each for each in led if each.other is not None and each.said.type != _PLAIN]
    typed = {each.ends for each in verbs}
    typed_within = {each.ends for each in verbs if each.said.target_place}
    return [
        each
        for each in led
        if each.said.type != _PLAIN or each.ends not in (typed if each.said.target_place else typed_within)
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Text:
    """A document's text with its places: sections by the words of their headings, and where the marks of blocks are."""

    document: Document
    sections: Mapping[str, Sequence[Section]]
    marks: Mapping[str, int]


@lru_cache(maxsize=4)
def _read(text: str) -> _Text:
    document = parse(text, name="")
    sections: dict[str, list[Section]] = {}
    for section in document.sections:
        alike = sections.setdefault(_words(section.heading), [])
        alike += [section] if len(alike) < _ALIKE_MAX else []
    marks: dict[str, int] = {}
    for mark in _MARK.finditer(text, document.body_start):
        marks.setdefault(mark[1].lower(), mark.start(1) - 1)
    return _Text(document=document, sections=sections, marks=marks)


def _of_heading(heading: str, text: _Text, held: Known) -> Node | None:
    """Return the node of the term that a section of this heading defines."""
    for section in text.sections.get(_words(heading), ()):
        term = fold(term_of(section.heading)[0])
        named = [node for node in held.nodes.values() if fold(node.title) == term]
        for _, node in _resting(named, held, text.document.text, (section.start, section.end)):
            return node
    return None


def _of_block(mark: str, text: _Text, held: Known) -> Node | None:
    """Return the node that rests on the block whose last line ends in this mark, or the part that holds the line."""
    place, whole = text.marks.get(mark.lower()), text.document.text
    if place is None:
        return None
    section = text.document.section_at(place)
    if section >= 0 and place < (headed := text.document.sections[section]).body_start:
        return _of_heading(headed.heading, text, held)
    block = _block(text.document, place)
    begins = whole.rfind("\n", 0, place) + 1
    resting = _resting(held.nodes.values(), held, whole, (block.start, block.end)) if block else ()
    nearest = min(resting, key=lambda each: max(0, begins - each[0]), default=None)
    return nearest[1] if nearest else _part(whole[begins:place].rstrip(), held)


def _block(document: Document, place: int) -> Block | None:
    """Return the block that a mark at ``place`` is of: a mark that stands alone is that of the block before."""
    at = bisect_right(document.blocks, place, key=_start) - 1
    at -= int(at >= 0 and document.blocks[at].start == place)
    return document.blocks[at] if at >= 0 else None


def _start(part: Block) -> int:
    return part.start


def _resting(nodes: Iterable[Node], held: Known, text: str, span: tuple[int, int]) -> Iterator[tuple[int, Node]]:
    """Yield those of ``nodes`` whose words this document says in that stretch, each with the place where they end."""
    for node in nodes:
        if held.document is None or node.id == held.document.id or _is_part(node, held):
            continue
        quotes = (each.quote for each in held.evidence.get(node.id, ()) if each.source in held.sources and each.quote)
        places = ((text.find(quote, *span), quote) for quote in quotes)
        at = next((place + len(quote) for place, quote in places if place >= 0), None)
        if at is not None:
            yield at, node


def _part(line: str, held: Known) -> Node | None:
    return next((node for node in held.nodes.values() if _is_part(node, held) and line in node.content), None)


def _is_part(node: Node, held: Known) -> bool:
    return held.document is not None and node.title.startswith(f"{held.document.title} (part ")


def _words(heading: str) -> str:
    """Return the words of a heading alone, as whoever writes a link leaves out one mark or another."""
    return slug(fold(heading), most=_WORDS_MAX_BYTES)
