"""What a document states of others in lines made for it: header fields, front matter, status lines.

``Requires: 8, 20``, ``superseded-by: [ADR-0012](0012-queues.md)``, ``**Replaces:** NIP-7``, a list under ``related:``,
and a line of its own like ``Supersedes [1. Keep it flat](0001-keep-it-flat.md)``. Such a line is the author's own word
for the relation, so what it names is related unasked; prose that only sounds like it is weighed elsewhere
(:mod:`weft.reason.referring`).
"""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote

from weft.reason.citing import GAP, UNDATED
from weft.reason.finding import Finding
from weft.reason.record import UNDECIDED
from weft.reason.section import stretches
from weft.reason.unsaid import NO_LONGER, blank_unsaid
from weft.text import fold
from weft.text.markup import LINKED, destination
from weft.vocabulary import RELATION_TYPES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from weft.model import Node

__all__ = ["CONFIDENCE", "HEADER_FIELD", "Stated", "called", "fielded", "head", "state", "stated"]

CONFIDENCE: Final = 0.95

HEADER_FIELD: Final = "header_field"
"""The rule of relations that an author states in a line of its own."""

READ_MAX: Final = 4_000  # characters that header lines are looked for in
_NAMED_MAX: Final = 40  # documents that one line names
_SHOWN_MAX: Final = 80
_NEAR: Final = 12  # characters before a number that tell whether it is an item of its own

_FIELDS: Final[Mapping[str, tuple[str, bool]]] = {
    "requires": ("requires", True),
    "required by": ("requires", False),
    "depends on": ("depends_on", True),
    "dependencies": ("depends_on", True),
    "replaces": ("supersedes", True),
    "supersedes": ("supersedes", True),
    "supercedes": ("supersedes", True),
    "obsoletes": ("supersedes", True),
    "replaced by": ("supersedes", False),
    "superseded by": ("supersedes", False),
    "superceded by": ("supersedes", False),
    "obsoleted by": ("supersedes", False),
    "extends": ("extends", True),
    "builds on": ("builds_on", True),
    "see also": ("relates_to", True),
    "related": ("relates_to", True),
    "related to": ("relates_to", True),
    "relates to": ("relates_to", True),
    "related decisions": ("relates_to", True),
    "related adrs": ("relates_to", True),
}
"""What a field says, and whether it runs from the document to what it names."""
_BY_KEY: Final = {key.replace(" ", ""): said for key, said in _FIELDS.items()}

_BULLET: Final = r"^(?P<left>[ \t]*)(?:(?P<dash>-)[ \t]+|[-*|>]+[ \t]+)?(?:\*\*|__)?"
_COLON: Final = r"(?P<colon>[:\uff1a|])"  # «Requires：8», as an input method for Chinese or Japanese has it
_END: Final = rf"(?:\*\*|__)?[ \t]*{_COLON}?(?:\*\*|__)?"
_FURTHER: Final = r"(?!(?!id\b|ref\b|name\b|title\b)[*_]{0,2}[\w -]{1,40}[*_]{0,2}(?::[*_]{0,2}(?:[ \t]|$)|\uff1a))"
_LISTED: Final = (
    rf"[ \t]*(?:\n(?(dash)(?P=left)[ \t]+|[ \t]*)-[ \t]+{_FURTHER}[^\n]+)+"  # a list, right below its field
)
_FOLDED: Final = rf"[^\n]*(?:\n[ \t]+(?!-[ \t]){_FURTHER}\S[^\n]*)*"
_KEYS: Final = "|".join(key.replace(" ", "[ _-]?") for key in _FIELDS)
_FIELD: Final = re.compile(
    rf"{_BULLET}(?P<key>{_KEYS}){_END}(?P<value>{_LISTED}|{_FOLDED})", re.IGNORECASE | re.MULTILINE
)
_BESIDE: Final = re.compile(
    rf"(?<=\S)[ \t]*[|\u00b7\u2022;][ \t]*(?=(?:\*\*|__)?(?:{_KEYS})(?:\*\*|__)?[ \t]*[:\uff1a|])", re.IGNORECASE
)
"""What stands between two fields on one line: ``Supersedes: none | Superseded by: ADR-12``, a row of a table."""
_STATUS: Final = re.compile(
    rf"{_BULLET}status(?:\*\*|__)?[ \t]*{_COLON}(?:(?!{NO_LONGER})[^\n])*?"
    r"\b(?P<key>(?:supersed|superced|replac|obsolet)ed by)\b"
    r"(?P<value>[^\n]*)",
    re.IGNORECASE | re.MULTILINE,
)
_STANDING: Final = re.compile(
    rf"{_BULLET}(?:#{{1,6}}[ \t]+)?(?:status|state){_END}\s{{0,80}}(?:[=~^-]{{3,80}}\s{{1,10}})?"
    rf"(?:[-*+][ \t]\[[xX]\])?[^\w\n]{{0,8}}{UNDECIDED}",
    re.IGNORECASE | re.MULTILINE,
)
_ENTRY: Final = re.compile(rf"(?<=\n)#{{1,6}}[ \t]+(?:[A-Z]{{2,6}}{GAP})0*\d{{1,5}}\b(?![.\w])")
"""The heading of another document's entry in a log: what stands below it is said of that one."""
_BEGINS: Final = re.compile(r"(?:---[ \t]*\r?\n(?=[\w -]+:)(?:[^\n]*\n){0,80}?---[ \t]*\r?(?:\n|\Z))?\s*")
_LINK: Final = re.compile(rf"\[\[(?P<wiki>[^\]|]++)[^\]]*+\]\]|\[(?P<said>[^\]]++)\]{LINKED}")
_NUMBER: Final = re.compile(
    rf"(?:\b(?P<series>[A-Z]{{2,6}})s?{GAP}|(?<![\w./-])(?P<small>[a-z]{{2,6}})-|:?(?P<role>[a-z]{{2,6}}):`"
    r"|(?<![\w./#-]))0*(?P<number>\d{1,5})\b(?![.\w-])"
)
_LONG_BEFORE: Final = re.compile(r"[^\n]{50}\n\Z")
"""A line that a sentence goes on behind."""
_ASIDE: Final = re.compile(r"\([^()]*\)")
_SERIAL: Final = rf"(?:[A-Z]{{2,6}}s?{GAP}|[a-z]{{2,6}}-)\d{{1,5}}\b(?![.\u2019'-]?\w)"
_MARKS: Final = r"[\s\[\]\"'`*_-]*"
_ENUMERATED: Final = re.compile(
    rf"{_MARKS}{_SERIAL}(?:{_MARKS}(?:[,;&\n]|\band\b|\bor\b)(?:\s*and\b)?{_MARKS}"
    rf"(?:{_SERIAL}|\d{{1,5}}\b(?=[ \t]*(?:\Z|[,;.&\n]|and\b|or\b))))*"
)
"""A list of numbers that begins with one of a series: «ADR-3, 4 and ADR-7»."""
_ALONE_BEHIND: Final = re.compile(r"(?:\A|[,;\n(\[{&\u3001\uff0c\uff1b\"'`]|\d|(?:^|\s)-|\b(?:and|or|y|und))[ \t]*\Z")
_ALONE_BEFORE: Final = re.compile(
    r"[ \t]*(?:\Z|[,;\n()\]}&\u3001\uff0c\uff1b\"'`]|[A-Z]{0,6}\d|[\u2013\u2014-]\s|(?:and|or|y|und)\b)"
)
"""What may stand around a number without a series: «8, 20 and 31», but not «PostgreSQL 12» nor «2 beakers»."""
_LEADING: Final = re.compile(rf"\A(?:[A-Za-z]{{2,6}}{GAP})?0*\d{{1,5}}(?:[.:_-]+ *| )(?P<rest>.*)\Z", re.DOTALL)
_HEADED: Final = re.compile(
    rf"\A\W{{0,12}}(?P<series>[A-Z]{{2,6}})(?::[ \t]*|{GAP})0*{UNDATED}(?P<number>\d{{1,5}})\b(?![.\w]| [a-z])"
)
_FIELDED: Final = re.compile(
    r"\A\W{0,12}[A-Z]{2,6}:[ \t]*\d{1,5}[ \t]*\r?\n|\A---[ \t]*\r?\n(?:[^\n]*\n){0,40}?[\w -]{2,30}:[^\n]*\n"
)
_INDENTED: Final = re.compile(r"(?<=\n\n)(?:(?: {4}|\t)[ \t]*(?![-*+|>][ \t])\S[^\n]*(?:\n|\Z))+")
"""A block of lines that Markdown takes for code, and others for words that somebody else said."""
_NOTHING: Final = re.compile(
    r"\W*(?:none|no|nothing|n/?a|nil|null|tbd)(?:\s+(?:yet|so\s+far))?\s*(?:\Z|[(,;\u2014\u2013-]|\.(?!\s*\d))"
    r"|\W*(?:(?:does\s+not|doesn['\u2019]t|not|e\.?g)\b|for\s+example\b)|[^\n]*\?[\s)*_|]*\Z",
    re.IGNORECASE,
)
_IN_PART: Final = re.compile(
    r"\b(?i:partly|partially|in part|parts? of|sections?|chapters?)\b|\u00a7"
    r"|\b(?:only|except|once|until|unless|if|when|as soon as|for (?:all )?new)\b"
    r"|[(,;\u2013\u2014-][ \t]*(?:proposed|pending|planned|tentative(?:ly)?)\b(?! by\b)"
)
"""What is replaced in part, on a condition, or not yet, still stands."""
_FOLDER: Final = re.compile(r"\A\S*/(?=[^/\s])")
_ENDING: Final = re.compile(r"\.(?:md|markdown|mediawiki|rst|txt|html)(?:#\S*)?\Z", re.IGNORECASE)
_PARTS: Final = re.compile(r"[,;\n\u3001\uff0c\uff1b]|(?:^|(?<=\s))-\s")
_GAPS: Final = re.compile(r"[ _-]+")
_SEPARATORS: Final = re.compile(r"[_-]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Stated:
    """A line that names others: what it says of them, which way round, by which numbers and folded names, and itself.

    Numbers are as :func:`weft.reason.numbering.numbers` gives them (``PEP-8``), or bare where the line names no series.
    ``links`` are the paths that its links lead to, each with the names that it gives what lies there. ``listed`` are
    the numbers of the list that the line begins with, if it does, without those that a link stands for: «ADR-3, ADR-4
    (see ADR-5)» lists two. ``quote`` is the first line, as it stands in the text.
    """

    type: str
    outgoing: bool
    numbers: tuple[str, ...]
    names: tuple[str, ...]
    line: str
    quote: str
    links: tuple[tuple[str, tuple[str, ...]], ...] = ()
    listed: tuple[str, ...] = ()

    @property
    def sought(self) -> tuple[str, ...]:
        """All folded names by which what the line names may be looked up."""
        return tuple(dict.fromkeys((*(name for _, names in self.links for name in names), *self.names)))


def head(content: str) -> str:
    """Return the number that the first line of ``content`` gives it (``PEP: 8``, ``# ADR-0012: Queues``), if any.

    Or the first one behind its front matter.
    """
    begins = _begins(content)
    found = _HEADED.match(content) or _HEADED.match(content[begins : begins + _SHOWN_MAX])
    return f"{found['series']}-{found['number']}" if found else ""


def _begins(content: str) -> int:
    """Return where the first words of ``content`` stand, behind its front matter: a heading there is its own."""
    front = _BEGINS.match(content)
    return front.end() if front else 0


def fielded(content: str) -> bool:
    """Return whether ``content`` opens with fields (``PEP: 8``, front matter): what they leave out is not stated."""
    return bool(_FIELDED.match(content))


@lru_cache(maxsize=256)
def stated(content: str) -> tuple[Stated, ...]:
    """Return what the lines of ``content``'s opening that are made for it say of other documents.

    What is only proposed, or was turned down, replaces none: it relates to them. What stands in a block of code is an
    example of such lines, and a template's ``{accepted | superseded by ADR-5}`` says nothing yet.
    """
    opening = _opening(content)
    lines = [each for each in (*map(_read, _FIELD.finditer(opening)), *map(_read, _STATUS.finditer(opening))) if each]
    if _STANDING.search(opening):
        lines = [replace(each, type="relates_to") if _replaces(each) else each for each in lines]
    return tuple(lines)


def _opening(content: str) -> str:
    """Return the text in which fields are looked for, each on a line of its own.

    Not what is only shown, what stands under a heading that takes it back, nor the entries of a log.
    """
    said = blank_unsaid(content[:READ_MAX].replace("\r\n", "\n"))
    entry = _ENTRY.search(said, _begins(said) + 1)
    said = said[: entry.start()] if entry else said
    kept = "".join("\n" * part.count("\n") if back else part for part, back in stretches(said))
    return _BESIDE.sub("\n", _INDENTED.sub("", kept))


def _replaces(line: Stated) -> bool:
    return line.type == "supersedes" and line.outgoing


def _read(line: re.Match[str]) -> Stated | None:
    value = line["value"].strip(" \t*_|")
    if not line["colon"] and (_goes_on(line) or not (_LINK.match(value) or _NUMBER.match(value))):
        return None  # a sentence that happens to begin so
    if _NOTHING.match(value):
        return None
    relation, outgoing = _BY_KEY[_GAPS.sub("", line["key"].lower())]
    links = tuple(_links(value))
    numbers, names = _named(value)
    if not numbers and not names and not links:
        return None
    if relation == "supersedes" and _IN_PART.search(_LINK.sub("", line.group(0))):
        relation = "relates_to"
    shown = " ".join(line.group(0).split())[:_SHOWN_MAX]
    quote = line.group(0).strip().partition("\n")[0]
    return Stated(
        type=relation,
        outgoing=outgoing,
        numbers=numbers,
        names=names,
        line=shown,
        quote=quote,
        links=links,
        listed=_listed(value),
    )


def _goes_on(line: re.Match[str]) -> bool:
    """Whether a line without a colon only goes on with a sentence: behind a long or a dented one, or in a table."""
    before = line.string[max(0, line.start() - _SHOWN_MAX) : line.start()]
    mark = line.string[line.start() : line.start("key")]
    dented = bool(mark) and not mark.strip(" \t")
    return "|" in mark or ">" in mark or dented or bool(_LONG_BEFORE.search(before))


def _listed(value: str) -> tuple[str, ...]:
    """Return the numbers of the list that the value of a field begins with, those of a link's path left out."""
    found = _ENUMERATED.match(_ASIDE.sub("", _LINK.sub(lambda link: f" {link['wiki'] or '.'} ", value)))
    return _named(found.group())[0] if found else ()


def _links(value: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the paths that the links in the value of a field lead to, each with what that may be called."""
    for link in islice(_LINK.finditer(value), _NAMED_MAX):
        path = destination(link)
        names = dict.fromkeys(name for said in filter(None, (link["said"], path)) for name in called(said))
        if link["said"] and names:
            yield path.partition("#")[0], tuple(names)


def _named(value: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the numbers that stand in the value of a field, and the names, without those that are links to a path."""
    names: dict[str, None] = {}
    for link in _LINK.finditer(value):
        names |= dict.fromkeys(called(link["wiki"] or ""))
    for part in _PARTS.split(_LINK.sub(lambda link: f" {link['wiki'] or ''} ", value)):
        names |= dict.fromkeys(called(part.strip(" \t[]\"'`*")))
    rest = _LINK.sub(lambda link: f" {link['wiki'] or link['said']} ", value)
    found = [
        ((each["series"] or each["small"] or each["role"] or "").upper(), each["number"])
        for each in _NUMBER.finditer(rest)
        if each["series"] or each["small"] or each["role"] or _is_alone(rest, each)
    ]
    numbers = dict.fromkeys(f"{series}-{number}" if series else number for series, number in found)
    return tuple(numbers)[:_NAMED_MAX], tuple(names)[:_NAMED_MAX]


def _is_alone(value: str, number: re.Match[str]) -> bool:
    """Whether a number without a series is an item of its own."""
    behind = _ALONE_BEHIND.search(value, max(0, number.start() - _NEAR), number.start())
    return bool(behind and _ALONE_BEFORE.match(value, number.end()))


def called(name: str) -> tuple[str, ...]:
    """Return how a title, a link's text or a file's name may be compared: folded, and without the number in front.

    ``docs/0012-use-queues.md``, ``12. Use queues`` and ``ADR-12: Use queues`` are all called ``use queues``.
    """
    bare = _ENDING.sub("", _FOLDER.sub("", name.strip()))
    leading = _LEADING.match(bare)
    said = (bare, leading["rest"]) if leading else (bare,)
    folded = (fold(_SEPARATORS.sub(" ", each)) for each in said)
    return tuple(dict.fromkeys(each for each in folded if not each.isdecimal() and each))


def state(new: Node, others: Sequence[Node], numbers: Mapping[str, Sequence[str]]) -> tuple[Finding, ...]:
    """Return the relations that the header lines of ``new`` and of ``others`` state between them.

    ``numbers`` are those that each node goes by. A bare number counts in the series of the document that states it.
    """
    found = [
        finding
        for other in others
        if other.id != new.id
        for source, target in ((new, other), (other, new))
        for finding in _between(source, target, numbers)
    ]
    return tuple(found)


def _between(stating: Node, named: Node, numbers: Mapping[str, Sequence[str]]) -> Iterator[Finding]:
    for line in stated(stating.content):
        if _names(line, stating, named, numbers):
            yield _finding(line, stating, named)


def _names(line: Stated, stating: Node, named: Node, numbers: Mapping[str, Sequence[str]]) -> bool:
    own = {number.partition("-")[0] for number in numbers.get(stating.id, ())}
    known = numbers.get(named.id, ())
    bare = {number.partition("-")[2] for number in known if number.partition("-")[0] in own}
    if any(number in known or number in bare for number in line.numbers):
        return True
    names = frozenset(name for title in (named.title, *named.aliases) for name in called(title))
    return not names.isdisjoint(line.names) or any(_leads(*link, stating, named, names) for link in line.links)


def _leads(path: str, said: Sequence[str], stating: Node, named: Node, names: frozenset[str]) -> bool:
    """Whether a link of ``stating`` leads to ``named``: by its path where both are files, else by what it is called."""
    here, there = _file(stating), _file(named)
    if not (here and there) or ":" in path:
        return not names.isdisjoint(said)
    below = posixpath.normpath(posixpath.join(posixpath.dirname(here), unquote(path)))
    return stating.ontology == named.ontology and there in {below, unquote(path).lstrip("/")}


def _file(node: Node) -> str:
    """Return the path of the file that ``node`` was read from, empty where it was not."""
    return next((handle for handle in node.handles if _ENDING.search(handle)), "")


def _finding(line: Stated, stating: Node, named: Node) -> Finding:
    source, target = (stating, named) if line.outgoing else (named, stating)
    source_id, target_id = source.id, target.id
    if RELATION_TYPES[line.type].symmetric and target_id < source_id:
        source_id, target_id = target_id, source_id
    return Finding(
        rule=HEADER_FIELD,
        source_id=source_id,
        target_id=target_id,
        type=line.type,
        confidence=CONFIDENCE,
        reasoning=f"«{stating.title}» states it in a line of its own: «{line.line}».",
        scores=((HEADER_FIELD, 1.0),),
        action="create",
    )
