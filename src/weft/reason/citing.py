"""Which other documents a text refers to, and as what: read from the words before a link.

A link, a wiki link, or the number of a decision record is a reference; the verb before it, in the same sentence, is the
type of the relation, where the sentence asserts it of the document itself (:mod:`weft.reason.asserting`). Otherwise the
two merely relate.
"""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote

from weft.reason.asserting import REFERRED, is_asserted
from weft.text import plain
from weft.text.markup import LINKED, destination

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    Place = tuple[int, int]

__all__ = [
    "GAP",
    "STATED",
    "TYPED",
    "UNDATED",
    "WIKI_LINK",
    "YEARLY",
    "Citation",
    "citations",
    "listed",
    "named",
    "path_from",
    "prose",
    "record_name",
    "type_before",
    "type_of",
]

STATED: Final = 0.9
TYPED: Final = 0.8
PLAIN: Final = 0.6
"""The confidence of a relation that a line made for it states, that a verb names, and that a bare link suggests."""

GAP: Final = r"[ \u00a0\u2009\u202f#_\u2010\u2011-]{0,2}"
"""What may stand between a series and its number: ADR 7, ADR-7, ADR #7; a space or a hyphen that does not break too."""

UNDATED: Final = r"(?!(?:19|20)\d\d-\d)"
"""Before a number: it is no year of a date or of a number in two parts (ADR-2024-003), which many documents share."""
YEARLY: Final = r"(?:19|20)\d\d-\d{1,4}(?!-?\d)"
"""A number that starts anew each year, as in ADR-2024-003."""

_LOOK_BACK: Final = 80  # characters before a reference that may hold its verb
_LOOK_BACK_ENDED: Final = 120  # … and what ended the document: «superseded by the scheme that stands in PEP 440»
_SENTENCE_BACK: Final = 400  # … and those that may say who does it
_SENTENCE_ON: Final = 100
_ENDING: Final = 4  # characters in which a sentence ends: ?»
_DOCUMENTS: Final = (".md", ".markdown", ".txt", ".html", ".htm", ".xhtml", ".pdf", ".docx", "")
_WIKI: Final = r"\[\[(?P<wiki>[^\[\]|#^\n]{1,200})(?P<place>[#^][^\[\]|\n]{0,200})?(?:\|[^\[\]\n]{0,200})?\]\]"
WIKI_LINK: Final = re.compile(_WIKI)
"""A wiki link: the group ``wiki`` is what it names, ``place`` where in it."""

_REFERENCE: Final = re.compile(
    rf"(?<!!)\[(?P<label>[^\[\]]{{1,300}})\]{LINKED}"
    rf"|(?<!!){_WIKI}"
    rf"|\b(?P<record>ADRs?{GAP}(?:{YEARLY}|{UNDATED}\d{{1,5}}))\b"
    r"|(?<![\w/.-])(?P<slug>(?!19|20)\d{4}-[a-z][\w-]{2,100})(?![\w/])"
)
_CODE: Final = re.compile(
    r"(?P<name>:[a-z]{2,20}:`[^`]{1,500}`|(?<=\[)`[^`]{1,500}`|`[^`]{1,500}`(?=\])|`[^`<>]{1,300}<[^`<>\s]{1,300}>`_)"
    r"|(`{1,2})[^`]{1,500}\2"
)
"""Code, or what only looks like it: a role as :pep:`8` is, a link's label, and a link of reStructuredText."""
_FURTHER: Final = re.compile(
    r"(?:,\s*(?:(?:and|or)\s+)?|\s+(?:and|or|&)\s+)0*(?P<number>\d{1,5})\b(?!\.\d|-\d{3}\b|\s*%)"
)
_WRAPPED: Final = re.compile(r"(?<=[^\n]{50})\n[ \t]*|\n[ \t]+")
"""Between lines of one sentence: behind a long one, before an indented one. A heading or a field stands by itself."""
_MANY: Final = re.compile(r"ADRs", re.IGNORECASE)

# The verb that stands last before the reference counts. The second value is the type, the third whether the reference
# is the one that does it.
_VERBS: Final = tuple(
    (re.compile(rf"\b(?:{words})\b", re.IGNORECASE), type_, backward)
    for words, type_, backward in (
        (
            r"(?:super[sc]eded|replaced|obsoleted|made\s+obsolete)\s+(?:by|with)|deprecated\s+in\s+favou?r\s+of",
            "supersedes",
            True,
        ),
        (r"super[sc]ed(?:es?|ed|ing)|replac(?:es?|ed|ing)|obsolet(?:es?|ing)(?!\s+by)", "supersedes", False),
        (r"required\s+by|needed\s+by", "requires", True),
        (r"requir(?:es?|ing)|needs(?!\s+to\b)", "requires", False),
        (r"dependency\s+of", "depends_on", True),
        (r"depend(?:s|ing|ent)?\s+(?:up)?on|rel(?:y|ies|ying)\s+(?:up)?on", "depends_on", False),
        (r"used\s+by", "uses", True),
        (r"uses|using|makes\s+use\s+of", "uses", False),
        (r"implemented\s+(?:by|in)", "implements", True),
        (r"implement(?:s|ing|ation\s+of)?", "implements", False),
        (r"extended\s+by|amended\s+by", "extends", True),
        (r"extend(?:s|ing)?|amend(?:s|ing)?", "extends", False),
        (r"buil(?:d|ds|ding|t)\s+(?:up)?on", "builds_on", False),
        (r"contradict(?:s|ing)?|conflicts?\s+with|conflicting\s+with", "contradicts", False),
        (r"deriv(?:es?|ed|ing)\s+from|based\s+on", "derived_from", False),
        (r"(?:is|are|was|were|being|forms?|as)\s+(?:an?\s+)?(?:\w+\s+)?part\s+of", "part_of", False),
        (r"alternative\s+to|instead\s+of", "alternative_to", False),
    )
)
_NEEDING: Final = frozenset({"depends_on", "requires"})
_IN_PART: Final = re.compile(
    r"\b(?:partly|partially|in\s+part|parts?|sections?|pieces?|half)\b|\w{2,}s\s+in\s+\W*\Z", re.IGNORECASE
)
_CONDITION: Final = re.compile(
    r"[^.,;:]{0,60}\b(?:once|until|unless|if|when|as\s+soon\s+as|only|except)\b", re.IGNORECASE
)
_OF_A_THING: Final = re.compile(
    rf"\b(?:per|on|for|about|regarding|after|since|via|at)\s+(?:the\s+)?\W*\Z|{REFERRED}.{{0,80}}\b(?:but|with|by|while)\b",
    re.IGNORECASE,
)
"""What is replaced is not the document but something on it («the page on»), or the document was another's end."""
_PART_BEHIND: Final = re.compile(
    r"\A(?:['\u2019]s\s|\s*\u00a7|\s+for\s+(?:all\s+)?new\b"
    r"|[\s(,*_\u2013\u2014-]{0,4}(?:partial(?:ly)?|partly|in\s+part|sections?|chapters?|proposed|pending)\b)",
    re.IGNORECASE,
)
"""«ADR-3 (in part)», «ADR-3's retries», «ADR-3 for new services»: what stands behind says of how much."""
_PART_BEFORE: Final = re.compile(
    r"\b(?!(?:all|approach|contents?|decision|design|entirety|format|mechanism|process|proposal|protocol|scheme|text|whole)\b)"
    r"\w+\s+of\s+(?:the\s+)?\W*\Z",
    re.IGNORECASE,
)
"""«the retry rules of [it]»: not the whole."""
_REPORTED: Final = re.compile(r"\b(?:we|i)\W+(?:\w+ly\W+|also\W+|then\W+|now\W+|have\W+|had\W+)*\Z", re.IGNORECASE)
_WITHIN_IT: Final = re.compile(r"\w\s+(?:in|of|from)\s+(?:the\s+)?\W*\Z", re.IGNORECASE)
"""«We replaced the picture in [it]» tells what was done to something there."""
_DOES: Final = re.compile(
    r"\s+(?:(?:still|also|now|itself|then)\s+)?(?:is|are|was|were|has|have|had|does|did|will|would|can|could|may|might"
    r"|should|must|remains?|stays?|stands?|holds?|applies|covers?|depends?|replaces?|needs?|requires?|says?|uses?|adds?"
    r"|keeps?|describes?|defines?)\b"
)
"""What the last reference of a list does makes it the subject of a clause: «replaces ADR-1 and ADR-2 is …»."""
_CLAUSE_END: Final = re.compile(
    r"[;:]\s|[()]|[.?!]\s|\b(?:see|cf|compare|as\s+\w+ed|which|who|where|when|while|because|since|although)\b"
    r"|,\s+(?:and\s+|so\s+|then\s+)?(?:we|it|they|he|she|you|but|so|then|if)\b"
    r"|\b(?:and|or)\s+(?:is|are|was|were|has|have|had|will|shall|must|can)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """A reference to the document ``name`` (a path from the same root, a title or the number of a record).

    ``place`` is where in it: a heading, as it is written in the link, or the mark of a block (``^id``); empty: nowhere.
    ``direction`` is backward where the named document stands at the relation's source: «superseded by».
    """

    name: str
    type: str
    direction: str
    confidence: float
    place: str = ""


def citations(sentence: str, *, document: str, own: Collection[str] = ()) -> Iterator[Citation]:
    """Yield the references that ``sentence`` makes to other documents; ``document`` is the name of the one it is in.

    ``own`` are names that one goes by: what it says of itself by name it says of itself. Links out to the web, to
    images, to places in the same document and to files that are no documents are left out.
    """
    begin, joined = 0, False
    sentence = prose(sentence)
    masked = _masked(sentence, document, own)
    for match in _REFERENCE.finditer(sentence):
        name, place = _name(match, document)
        begin = match.start() if joined and _DOES.match(sentence, match.end()) else begin
        more = listed(sentence, match.end()) if _MANY.match(match["record"] or "") else ()
        for each, at in ((name, match.span()), *((f"ADR-{number}", at) for number, at in more)):
            if each:
                type_, direction = type_of(masked, at, begin=begin, own=own)
                confidence = PLAIN if type_ == "relates_to" else TYPED
                yield Citation(name=each, type=type_, direction=direction, confidence=confidence, place=place)
        joined = _joins(sentence[match.end() : match.end() + 10])
        begin = begin if joined else match.end()


def prose(sentence: str) -> str:
    """Return ``sentence`` with blanks in place of code, which states nothing, and on one line where it was wrapped."""
    return _WRAPPED.sub(" ", _CODE.sub(lambda code: code["name"] or " " * len(code.group()), sentence))


def listed(text: str, end: int) -> Iterator[tuple[str, Place]]:
    """Yield the numbers, with their places, that go on a list of which the first ends at ``end``: «ADRs 3, 4 and 7»."""
    while further := _FURTHER.match(text, end):
        yield further["number"], further.span("number")
        end = further.end()


_SET_OFF: Final = re.compile(r"\*{1,3}|(?<!\w)_{1,3}|_{1,3}(?!\w)")


def type_of(sentence: str, place: tuple[int, int], *, begin: int = 0, own: Collection[str] = ()) -> tuple[str, str]:
    """Return the relation type that ``sentence`` names before the reference at ``place``, and its direction.

    The verb is sought from ``begin`` on, and no further back than 120 characters, and who does it than 400: so a
    sentence of many references takes no longer for each. Other references are :data:`weft.reason.asserting.REFERRED`.
    """
    start, end = place
    return type_before(
        sentence[max(0, start - _SENTENCE_BACK) : start],
        sentence[end : end + _SENTENCE_ON] + sentence[-_ENDING:],
        reach=min(_LOOK_BACK_ENDED, start - begin),
        own=own,
    )


def type_before(
    words: str, after: str = "", *, reach: int = _LOOK_BACK_ENDED, own: Collection[str] = ()
) -> tuple[str, str]:
    """Return the relation type that ``words``, which stand before a reference, name, and its direction.

    The verb is sought in the last ``reach`` characters, and in no more than 80 unless it says what ended the document
    («superseded by»). It counts where the sentence, which goes on with ``after``, asserts it of the document, whose
    names are ``own``. What is set off («**Superseded** by») reads as what is not, and who needs something needs what
    stands in brackets behind it: «depends on the queue (ADR-3)». What is replaced in part alone still stands, and is
    only related.
    """
    near = _SET_OFF.sub("", words[len(words) - reach :])
    words = _SET_OFF.sub("", words[: len(words) - reach]) + near
    last: tuple[int, int, str, bool] | None = None
    for pattern, type_, backward in _VERBS:
        far = _LOOK_BACK_ENDED if backward and type_ == "supersedes" else _LOOK_BACK
        for match in pattern.finditer(words, len(words) - min(far, len(near))):
            if last is None or (match.start(), match.end()) > last[:2]:
                last = (match.start(), match.end(), type_, backward)
    if last is None or _within(_opened(words, after) if last[2] in _NEEDING else words, last[1]):
        return ("relates_to", "forward")
    if not is_asserted(words[: last[0]], words[last[0] : last[1]], after, own=own):
        return ("relates_to", "forward")
    if last[2] == "supersedes" and _still_stands(words, after, last[:2]):
        return ("relates_to", "forward")
    return (last[2], "backward" if last[3] else "forward")


def _still_stands(words: str, after: str, verb: Place) -> bool:
    """Whether what is named stands on: replaced in part, on a condition, or not itself but something of it."""
    start, end = verb
    return bool(
        _IN_PART.search(words, max(0, start - _LOOK_BACK // 4))
        or _PART_BEFORE.search(words, end)
        or _PART_BEHIND.match(after)
        or _CONDITION.match(after)
        or _OF_A_THING.search(words, end)
        or (
            words[start:end].lower().endswith("ed")
            and _REPORTED.search(words[:start])
            and _WITHIN_IT.search(words, end)
        )
    )


def _opened(words: str, after: str) -> str:
    """Return ``words`` without the bracket that opens right before a reference and closes right behind it."""
    return words[:-1] if words.endswith("(") and after.startswith(")") else words


def _masked(sentence: str, document: str, own: Collection[str]) -> str:
    """Return ``sentence`` with one sign for each reference to another document, as long as what it stands for."""
    return _REFERENCE.sub(
        lambda match: (
            match.group() if _name(match, document)[0] in {document, *own} else REFERRED.rjust(len(match.group()))
        ),
        sentence,
    )


def record_name(name: str, series: str = "") -> str:
    """Return the one way the number of a decision record, or one in ``series``, is written; other names as they are.

    That is ``ADR-7``, and of numbers that start anew each year ``ADR-2024-003``.
    """
    match = _numbered(series).match(name.strip())
    return f"{match['series'].upper()}-{match['number']}" if match else name.strip()


@lru_cache(maxsize=64)
def _numbered(series: str) -> re.Pattern[str]:
    """Return what a number of a decision record, or one in ``series``, looks like where nothing else stands."""
    known = "|".join(filter(None, ("ADR", re.escape(series))))
    return re.compile(rf"\A(?P<series>{known})s?{GAP}0*(?P<number>{YEARLY}|\d{{1,5}})\Z", re.IGNORECASE)


def named(value: str, series: str = "") -> tuple[str, str]:
    """Return the document that a value of front matter names, and the place in it; a link may be written out.

    A number in ``series`` is written in its one way.
    """
    wiki = WIKI_LINK.search(value)
    if wiki is None:
        return record_name(plain(value), series), ""
    return record_name(plain(wiki["wiki"]), series), _place(wiki["place"])


def _name(match: re.Match[str], document: str) -> tuple[str, str]:
    path = destination(match)
    if match["label"]:
        return path_from(path, document), _place(unquote(path.partition("#")[2]))
    found = match["record"] or match["wiki"] or match["slug"] or ""
    return record_name(plain(found)), _place(match["place"])


def _place(written: str | None) -> str:
    """Return the heading, the last of several one below another, or the mark of a block that a link leads to."""
    place = (written or "").rpartition("#")[2].strip()
    return place if place != "^" else ""


def path_from(path: str, document: str) -> str:
    """Return the path of a linked document from the root of ``document``, empty where it is none of ours."""
    bare = unquote(path.split("#", 1)[0].split("?", 1)[0])
    suffix = posixpath.splitext(bare)[1].lower()
    if not bare or ":" in bare or bare.startswith("//") or suffix not in _DOCUMENTS or bare.endswith("/"):
        return ""
    if bare.startswith("/"):
        return bare.lstrip("/")
    joined = posixpath.normpath(posixpath.join(posixpath.dirname(document), bare))
    return "" if joined.startswith("..") else joined


def _joins(after: str) -> bool:
    """Whether another reference may follow under the same verb: «supersedes ADR-1, ADR-2 and ADR-3»."""
    return bool(re.match(r"(?:,\s*(?:and\s+)?|\s+and\s+|\s*&\s*|\s*/\s*)\W{0,3}(?:ADR|\[|\d{4}-)", after))


def _within(words: str, verb_end: int) -> bool:
    """Whether a clause ends between the verb and the reference, so that the verb speaks of something else.

    A colon right behind the verb ends none: «Supersedes: ADR-3» is a field.
    """
    return bool(_CLAUSE_END.search(words[verb_end:].lstrip("*_: (")))
