"""What a document says, as drafts of nodes and relations, each with the exact place it rests on.

By rules, without a model: the document itself, the terms it defines, the decisions it reports, the conventions and
claims it states, and the documents it refers to. Few good nodes rather than many: at most one a paragraph.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from weft.reason.citing import STATED, Citation, citations
from weft.reason.document import unmarked
from weft.reason.front import front_citations
from weft.reason.heading import READ_MAX, stated
from weft.reason.record import about, is_undone
from weft.reason.sentences import sentences
from weft.reason.unsaid import blank_unsaid
from weft.reason.wording import read_decision, read_definition, read_headed, read_statement
from weft.text import fold, plain
from weft.text.markup import blank_struck, without_links
from weft.vocabulary import STANDARD

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Container, Iterator

    from weft.reason.document import Block, Document
    from weft.reason.heading import Stated
    from weft.reason.record import About
    from weft.reason.wording import Reading
    from weft.vocabulary import Vocabulary

__all__ = ["Draft", "DraftRelation", "Extracted", "belonging", "extract"]

DRAFTS_MAX: Final = 60
RELATIONS_MAX: Final = 200
_CITED_MAX: Final = 2_000  # places in other documents that are looked at, of which those are chosen
TITLE_MAX: Final = 120
CONTENT_MAX: Final = 100_000
QUOTE_MAX: Final = 2_000
_DEFINITION_MAX: Final = 1_200
_BLOCK_MAX: Final = 20_000
_BLOCKS_AT_ONCE: Final = 10  # a block may be long: so few are read in a fifth of a second, whatever they hold


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A node that a document gives rise to; ``quote`` is ``text[start:end]`` of the document.

    ``rule`` says how it was found and ``confidence`` (0..1) how sure that is. ``status`` is active or superseded.
    """

    kind: str
    title: str
    content: str
    start: int
    end: int
    quote: str
    tags: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    confidence: float = 0.8
    rule: str = ""
    status: str = "active"


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftRelation:
    """A relation between the draft at ``source_index`` and another: a draft, or something named outside the document.

    ``target_index`` is None where ``target_name`` (a document's path, a title, or a record's number such as ``ADR-7``)
    says what is meant, and ``target_place`` where in it: a heading, or a block (``^id``). ``direction`` is backward
    where the other one is the relation's source. ``quote`` is ``text[start:end]``, the place that says so.
    """

    source_index: int
    type: str
    target_index: int | None = None
    target_name: str = ""
    target_place: str = ""
    direction: str = "forward"
    reasoning: str
    quote: str
    start: int
    end: int
    confidence: float
    rule: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Extracted:
    """What was found; the first node is the document itself."""

    nodes: tuple[Draft, ...]
    relations: tuple[DraftRelation, ...]


def extract(
    document: Document, vocabulary: Vocabulary = STANDARD, *, between: Callable[[], None] | None = None
) -> Extracted:
    """Return the drafts of ``document``: itself first, then at most 60 others in the order of the text.

    A decision record is one decision, with its status; other documents are documents, or of the kind their front matter
    names, as ``vocabulary`` knows it. What they hold is part of them (terms, conventions, decisions) or derived from
    them (claims). Relations to other documents come from links and record numbers, typed by the verb before them,
    from lines made for it and from the front matter; one a document, type and direction, 200 at most. Linear in the
    text; ``between`` is called after every few blocks, and may raise to end it.
    """
    itself = about(document, vocabulary)
    drafts = [_itself(document, itself), *_strongest(list(_inner(document, itself, between)))]
    relations = [belonging(index, draft) for index, draft in enumerate(drafts) if index]
    return Extracted(nodes=tuple(drafts), relations=(*relations, *_outgoing(document, itself, between)))


def _itself(document: Document, itself: About) -> Draft:
    start, end = itself.quote
    body = document.text[document.body_start :].strip()
    return Draft(
        kind=itself.kind,
        title=itself.title,
        content=body[:CONTENT_MAX] or itself.title,
        start=start,
        end=min(end, start + QUOTE_MAX),
        quote=document.text[start : min(end, start + QUOTE_MAX)],
        tags=itself.tags,
        aliases=itself.aliases,
        confidence=0.95 if itself.is_record else 0.9,
        rule="decision_record" if itself.is_record else "document",
        status=itself.status,
    )


def _strongest(drafts: list[Draft]) -> list[Draft]:
    """Return each title once, the surest ``DRAFTS_MAX``, in the order of the text."""
    once: dict[tuple[str, str], Draft] = {}
    for draft in drafts:
        once.setdefault((draft.kind, fold(draft.title)), draft)
    kept = sorted(once.values(), key=lambda draft: (-draft.confidence, draft.start))[:DRAFTS_MAX]
    return sorted(kept, key=lambda draft: draft.start)


def _blocks(document: Document, kinds: Container[str], between: Callable[[], None] | None) -> Iterator[Block]:
    """Yield the blocks of these kinds that are short enough to be read."""
    for place, block in enumerate(document.blocks):
        if between is not None and not place % _BLOCKS_AT_ONCE:
            between()
        if block.kind in kinds and block.end - block.start <= _BLOCK_MAX:
            yield block


def _inner(document: Document, itself: About, between: Callable[[], None] | None) -> Iterator[Draft]:
    """Yield at most one draft a block, from the blocks that hold running text."""
    headed: set[int] = set()
    for block in _blocks(document, {"paragraph", "item", "title"}, between):
        first = block.kind != "title" and block.section not in headed
        if first:
            headed.add(block.section)
        draft = _defined(document, itself, block, opens=first) or _stated(document, itself, block)
        if draft:
            yield draft


def _defined(document: Document, itself: About, block: Block, *, opens: bool) -> Draft | None:
    """Return the definition that ``block`` is; under a term's own heading its first block (``opens``) is one."""
    glossary = itself.is_glossary(block.section)
    text = document.prose(block).rstrip()
    reading = None if itself.is_aside(block.section) else read_definition(text, glossary=glossary)
    if reading is None and opens and itself.heads_term(block.section) and block.kind == "paragraph":
        reading = read_headed(document.sections[block.section].heading, text)
    if reading is None:
        return None
    return _draft(document, reading, text[:_DEFINITION_MAX], start=block.start)


def _stated(document: Document, itself: About, block: Block) -> Draft | None:
    """Return the surest decision, convention or claim of ``block``, the first on a tie."""
    if itself.is_aside(block.section):
        return None
    found: list[Draft] = []
    text = blank_struck(document.prose(block))
    for start, end in sentences(text, 0, end=len(text)):
        sentence = text[start:end]
        reading = (None if itself.is_record else read_decision(sentence)) or read_statement(sentence)
        if reading:
            found.append(_draft(document, reading, sentence, start=block.start + start))
    return max(found, key=lambda draft: draft.confidence, default=None)


def _draft(document: Document, reading: Reading, text: str, *, start: int) -> Draft:
    """Return what ``text`` was read as; the marks that it has none of stand in the quote, which is the document's."""
    text = text.rstrip()
    words = plain(text)
    return Draft(
        kind=reading.kind,
        title=reading.term or _shortened(words),
        content=words,
        start=start,
        end=start + len(text),
        quote=document.text[start : start + len(text)],
        aliases=reading.aliases,
        confidence=reading.confidence,
        rule=reading.rule,
    )


def _shortened(words: str) -> str:
    bare = words.rstrip(". ")
    if len(bare) <= TITLE_MAX:
        return bare
    return bare[: TITLE_MAX - 1].rsplit(" ", 1)[0].rstrip(" ,;:") + "…"


def belonging(index: int, draft: Draft) -> DraftRelation:
    """Return how the draft at ``index`` belongs to the document it was found in: claims derive from it."""
    claim = draft.kind == "claim"
    return DraftRelation(
        source_index=index,
        target_index=0,
        type="derived_from" if claim else "part_of",
        reasoning="The document states it." if claim else "The document holds it.",
        quote=draft.quote,
        start=draft.start,
        end=draft.end,
        confidence=draft.confidence,
        rule="stated_in",
    )


def _outgoing(document: Document, itself: About, between: Callable[[], None] | None) -> tuple[DraftRelation, ...]:
    """Return what the document says of others; where a verb names a type, a bare link to the same one adds nothing."""
    found: dict[tuple[str, str, str, str], tuple[Citation, int, int]] = {}
    own = {itself.number, document.name, itself.title, *itself.aliases} - {""}
    written = (*front_citations(document, itself.series), *_stated_in_lines(document, itself))
    for said, start, end in (*written, *_cited(document, itself, own, between)):
        citation = _decided(said, itself)
        key = (citation.name, citation.type, citation.direction, citation.place)
        if citation.name not in own and len(found) < _CITED_MAX:
            found.setdefault(key, (citation, start, end))
    typed = {(name, place) for name, type_, _, place in found if type_ != "relates_to"}
    kept = [key for key in found if key[1] != "relates_to" or (key[0], key[3]) not in typed]
    first = {key[:3]: key for key in reversed(kept)}
    kept.sort(key=lambda key: first[key[:3]] != key)  # many places of one document keep no other document out
    told = (found[key] for key in kept[:RELATIONS_MAX])
    return tuple(_relation(document, citation, start=start, end=end) for citation, start, end in told)


def _stated_in_lines(document: Document, itself: About) -> Iterator[tuple[Citation, int, int]]:
    """Yield what lines made for it say of others in the document's series, with their place: «Replaces: RFC-12».

    In prose a number names a decision record alone: those of other series may be versions or what anybody counts.
    """
    opening = document.text[document.body_start : document.body_start + READ_MAX]
    for line in stated(opening) if itself.is_record or itself.series not in {"", "ADR"} else ():
        start = document.text.find(line.quote, document.body_start)
        for name in _listed(line, itself.series):
            if start >= 0 and itself.settles(document.section_at(start)):
                direction = "forward" if line.outgoing else "backward"
                said = Citation(name=name, type=line.type, direction=direction, confidence=STATED)
                yield said, start, start + len(line.quote)


def _listed(line: Stated, series: str) -> Iterator[str]:
    """Yield the numbers of ``series`` that ``line`` lists; a bare one among them is of it too."""
    for number in line.listed:
        if number.startswith(f"{series}-"):
            yield number
        elif "-" not in number:
            yield f"{series}-{number}"


def _decided(said: Citation, itself: About) -> Citation:
    """Return ``said`` as far as it holds: a document that is only proposed, or was turned down, replaces no other."""
    replaces = (said.type, said.direction) == ("supersedes", "forward")
    return replace(said, type="relates_to") if replaces and itself.is_undecided else said


def _cited(
    document: Document, itself: About, own: Collection[str], between: Callable[[], None] | None
) -> Iterator[tuple[Citation, int, int]]:
    """Yield what running text says of other documents; where it was rejected or is undone, only that it names them."""
    for block in _blocks(document, {"paragraph", "item", "title", "quote", "aside"}, between):
        text = blank_unsaid(document.prose(block))
        bare = is_undone(document, block) or not itself.settles(block.section)
        for start, end in sentences(without_links(text), 0, end=len(text)):
            for said in citations(text[start:end], document=document.name, own=own):
                citation = replace(said, type="relates_to") if bare else said
                yield citation, block.start + start, block.start + end


def _relation(document: Document, citation: Citation, *, start: int, end: int) -> DraftRelation:
    quote = document.text[start : min(end, start + QUOTE_MAX)].rstrip()
    return DraftRelation(
        source_index=0,
        target_name=citation.name,
        target_place=citation.place,
        type=citation.type,
        direction=citation.direction,
        reasoning=plain(unmarked(quote)),
        quote=quote,
        start=start,
        end=start + len(quote),
        confidence=round(citation.confidence, 2),
        rule="front_matter" if start < document.body_start else "cited",
    )
