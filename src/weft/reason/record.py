"""What a document is as a whole: its kind, name and standing, and which of its sections say what."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final

from weft.reason.citing import GAP, UNDATED, YEARLY
from weft.reason.front import strings
from weft.reason.section import turns_over
from weft.reason.unsaid import NO_LONGER, STANDINGS, blank_unsaid
from weft.text import normalized, plain
from weft.vocabulary import STANDARD

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from weft.reason.document import Block, Document, Section
    from weft.vocabulary import Vocabulary

__all__ = ["UNDECIDED", "About", "about", "is_undone", "titled", "unnumbered"]

_UNDONE: Final = "[ ] "
_YEARLY: Final = r"(?:19|20)\d\d-\d{3}(?!-?\d)"  # of a name without ADR: 2024-003 is a number, 2024-05 a month
_NUMBERED: Final = re.compile(
    rf"\A(?:ADR{GAP})?0*(?:(?P<number>{_YEARLY}|{UNDATED}\d{{1,5}})|\d{{4}}(?=-)|\d{{6}}|\d{{8}})"
    r"(?:\s*[.:)–—_-]\s*|\s+)(?P<rest>\S.*)\Z",
    re.IGNORECASE,
)
_RECORD_TITLE: Final = re.compile(
    rf"\AADR{GAP}0*(?P<number>{YEARLY}|{UNDATED}\d{{1,5}})(?!\d)\s*[.:–—-]?\s*(?P<rest>.*)\Z", re.IGNORECASE
)
_OF_RECORDS: Final = re.compile(rf"ADR{GAP}\d", re.IGNORECASE)
_SERIES_FIELD: Final = re.compile(
    r"^[ \t]*(?P<series>[A-Z]{2,6}):[ \t]*[\"']?0*(?P<number>\d{1,5})[\"']?[ \t\r]*$", re.MULTILINE
)
_IN_SERIES: Final = re.compile(rf"\A(?P<series>[A-Z]{{2,6}}){GAP}0*{UNDATED}(?P<number>\d{{1,5}})\b(?!\.\d)")
_TITLED: Final = re.compile(rf"\A\W{{0,3}}(?P<series>[A-Z]{{2,6}}){GAP}0*(?P<number>\d{{1,5}})(?:\s*[:.)|–—]\s|\s+-\s)")
_RECORD_FOLDERS: Final = frozenset({"adr", "adrs", "decisions", "decision-records", "architecture-decisions"})
_DECISION: Final = re.compile(r"\A(?:the\s+)?decisions?(?:\s+(?:outcome|made|taken))?\Z")
_RECORD_PARTS: Final = re.compile(
    r"\A(?:context|consequences|status|considered\s+options|decision\s+drivers|problem\s+statement|implications|options|rationale)\b"
)
_GLOSSARY: Final = re.compile(
    r"(?:\w+\s){0,3}(?:glossary|terminology|definitions|key\s+terms|acronyms|abbreviations)(?:\s\w+){0,3}\Z|"
    r"(?:(?:key|core|basic|main)\s+)?(?:concepts|terms|vocabulary)\Z"
)
_ASIDE: Final = re.compile(
    r"(?:(?:considered\s+)?(?:options?|alternatives?)(?:\s+considered)?|pros|cons|pros\s+and\s+cons(?:\s.*)?|"
    r"(?:implementation\s+|rollout\s+|migration\s+)?(?:plan|steps?|tasks?|phases?|timeline|roadmap|milestones?)|implementation(?:\s+details)?|"
    r"(?:phase|step|option|alternative|stage)\s+(?:\d|[a-d]\b).*|to-?\s?dos?|next\s+steps|future\s+work|open\s+questions?|questions?|"
    r"examples?|references?|links?|see\s+also|related(?:\s.*)?|further\s+reading|change\s*log|changes|(?:version\s+)?history|amendments?|"
    r"licen[cs]e|install(?:ation|ing)?|usage|getting\s+started|quick\s*start|(?:table\s+of\s+)?contents|status|metadata|appendix.*|"
    r"acknowledge?ments?|contributing|authors?|notes)\Z"
)
_NUMBERING: Final = re.compile(r"\A[\d.\s)]+")
_SUPERSEDED: Final = re.compile(
    rf"(?:(?!{NO_LONGER}|\b(?:partially|partly|in\s+part|until|unless|if|when|supersedes|replaces|obsoletes)\b"
    r"|\d\W{0,3}(?:is|was|has\s+been)\b).)*?"
    r"\b(?:super[sc]eded|deprecated|obsoleted?|replaced(?=\s+(?:by|with)\b|\W*\Z)|withdrawn)\b"
    r"(?!\s+by\W*(?:\Z|(?:none|nothing|n/?a|tbd)\b))",
    re.IGNORECASE | re.DOTALL,
)
_ALONE: Final = r"(?=[ \t]*(?:\Z|[\n|.,;(*_]|for\b|until\b))"
UNDECIDED: Final = (
    r"(?:rejected|declined|withdrawn|abandoned|cancell?ed|vetoed|proposed|provisional|(?:pre-?|first[ ])?draft|pending"
    r"|deferred|postponed|on[ ]hold|tbd|wip|work[ ]in[ ]progress|ideation|prediscussion|unapproved|awaiting[ ]\w+"
    r"|(?:not|never)[ ](?:yet[ ])?(?:accepted|approved|decided)|(?:in|under)[ ](?:review|discussion)"
    rf"|(?:request[ ])?for[ ](?:review|discussion|comments?)|(?:open|review|discussion){_ALONE})\b"
)
"""How a record stands that is only proposed, or was turned down: what it says it replaces holds on."""
_UNDECIDED: Final = re.compile(rf"\W*{UNDECIDED}", re.IGNORECASE)
_UNSETTLED: Final = re.compile(r"\A(?:considered\s+)?options?(?:\s+considered)?\Z|(?:open\s+)?questions?\Z|examples?\Z")
"""Headings under which a record says what it might do, or others: it has done none of it."""
_ENTRY: Final = re.compile(rf"\A(?P<series>[A-Z]{{2,6}}){GAP}0*(?P<number>\d{{1,5}})\b(?![.\w])")
_STATUS_LINE: Final = re.compile(r"\A\W{0,4}(?:status|state)\b\W{0,6}(?P<said>\w[^\n]{0,100})", re.IGNORECASE)
_STATUS_FIELD: Final = re.compile(
    r"^\W{0,4}status\W{0,3}[:|]\W{0,6}(?P<said>\w[^\n]{0,100})", re.IGNORECASE | re.MULTILINE
)


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """A document as a whole; ``quote`` is where it says what it is about.

    ``number`` is that of a decision record in its one spelling (``ADR-7``), empty for others; ``series`` what it is
    numbered in (``RFC``; ``ADR`` among decision records), if it shows that. ``headings`` are those above each section
    and its own, folded, outermost first, without the title's. ``is_undecided`` says that it is only proposed, or was
    turned down. ``entries`` are the sections that are another document's, as in a log of decisions.
    """

    kind: str
    title: str
    status: str
    number: str
    series: str
    tags: tuple[str, ...]
    aliases: tuple[str, ...]
    quote: tuple[int, int]
    is_record: bool
    is_undecided: bool
    headings: tuple[tuple[str, ...], ...]
    entries: frozenset[int] = frozenset()

    def is_glossary(self, section: int) -> bool:
        """Whether the text around is a list of terms: the document's title or a heading above says so."""
        return any(map(_GLOSSARY.match, (*self._titled(), *self._above(section))))

    def heads_term(self, section: int) -> bool:
        """Whether the heading of ``section`` is itself a term of a glossary."""
        above = self._above(section)
        listed = any(map(_GLOSSARY.match, (*self._titled(), *above[:-1])))
        return bool(above) and listed and not _GLOSSARY.match(above[-1])

    def is_aside(self, section: int) -> bool:
        """Whether ``section`` holds no knowledge of the document's own: options, plans, examples, references."""
        return any(map(_ASIDE.match, self._above(section))) or self.is_turned_over(section)

    def is_turned_over(self, section: int) -> bool:
        """Whether the document means that not to be so which ``section`` says: what was rejected, or is no goal."""
        return any(map(turns_over, self._above(section)))

    def settles(self, section: int) -> bool:
        """Whether what ``section`` says that it does to others is the document's own, and done."""
        unsettled = any(map(_UNSETTLED.match, self._above(section)))
        return not (unsettled or section in self.entries or self.is_turned_over(section))

    def _titled(self) -> tuple[str, ...]:
        return () if self.is_record else (_bare(self.title),)

    def _above(self, section: int) -> tuple[str, ...]:
        return self.headings[section] if section >= 0 else ()


def about(document: Document, vocabulary: Vocabulary = STANDARD) -> About:
    """Return what ``document`` is as a whole."""
    headings = _paths(document.sections)
    last = [path[-1] for path in headings]
    number, rest = _number(document)
    in_series = _in_series(document)
    entries = _entries(document, {number, in_series})
    named = str(document.front.get("type") or document.front.get("kind") or "").strip().lower()
    said = _standing(document, last, entries)
    is_record = named in {"adr", "decision"} or _reads_as_record(document, last, standing=said)
    title = (rest or document.title) if is_record else document.title
    return About(
        kind="decision" if is_record else named if named in vocabulary.kinds else "document",
        title=title,
        status="superseded" if is_record and _SUPERSEDED.match(said) else "active",
        number=number if is_record else "",
        series=in_series.partition("-")[0] or ("ADR" if is_record or _is_among_records(document) else ""),
        tags=_tags(document, said if is_record else ""),
        aliases=_aliases(document, title, number=number if is_record else ""),
        quote=_quote(document, last, is_record=is_record),
        is_record=is_record,
        is_undecided=bool(_UNDECIDED.match(said)),
        headings=_below_title(headings, _bare(document.title)),
        entries=entries,
    )


def titled(title: str) -> str:
    """Return the number that ``title`` sets off before what it names (``ADR-0012: Queues``: ``ADR-12``), if any."""
    found = _TITLED.match(title)
    return f"{found['series']}-{found['number']}" if found else ""


def unnumbered(title: str) -> str:
    """Return ``title`` without the number that it sets off before what it names (``ADR-0012: Queues``: ``Queues``)."""
    return _TITLED.sub("", title)


def _bare(heading: str) -> str:
    return _NUMBERING.sub("", " ".join(heading.lower().split()))


def _paths(sections: Sequence[Section]) -> tuple[tuple[str, ...], ...]:
    """Return for each section the folded headings above it, and its own last."""
    open_: list[tuple[int, str]] = []
    paths = []
    for section in sections:
        while open_ and open_[-1][0] >= section.level:
            open_.pop()
        open_.append((section.level, _bare(section.heading)))
        paths.append(tuple(heading for _, heading in open_))
    return tuple(paths)


def _below_title(paths: Sequence[tuple[str, ...]], title: str) -> tuple[tuple[str, ...], ...]:
    """Return ``paths`` without the heading that is the document's own title: it says nothing of one section."""
    return tuple(path[1:] if path[0] == title else path for path in paths)


def _number(document: Document) -> tuple[str, str]:
    """Return the number of a decision record in its one spelling, and the title without it; empty where it has none.

    A date is none: records may be filed by when they were made.
    """
    titled, filed = _numberings(document)
    number = (titled and titled["number"]) or (filed and filed["number"])
    rest = titled["rest"].strip() if titled and titled["number"] else ""
    return (f"ADR-{number}" if number else "", rest)


def _numberings(document: Document) -> tuple[re.Match[str] | None, re.Match[str] | None]:
    """Return how the title of a document and the name of its file begin with a number or a date."""
    stem = PurePosixPath(document.name.replace("\\", "/")).stem
    titled, filed = (_RECORD_TITLE.match(each) or _NUMBERED.match(each) for each in (document.title, stem))
    return titled, filed


def _is_among_records(document: Document) -> bool:
    """Whether the folder of ``document`` is one of decision records."""
    folders = {part.lower() for part in PurePosixPath(document.name.replace("\\", "/")).parts[:-1]}
    return bool(folders & _RECORD_FOLDERS)


def _in_series(document: Document) -> str:
    """Return the number of ``document`` in its series (``PEP-13``), empty where it shows none.

    From a field of the front matter (``PEP: 13``), the title or the file's name.
    """
    stem = PurePosixPath(document.name.replace("\\", "/")).stem
    field = _SERIES_FIELD.search(document.text, 0, document.front_end)
    found = field or _IN_SERIES.match(document.title) or _IN_SERIES.match(stem.upper())
    return f"{found['series']}-{found['number']}" if found else ""


def _reads_as_record(document: Document, headings: Sequence[str], *, standing: str) -> bool:
    """Return whether a document has a record's parts; of one filed with a number one, or that it says how it stands."""
    decides = any(map(_DECISION.match, headings))
    parts = sum(bool(_RECORD_PARTS.match(heading)) for heading in headings)
    filed = any(_numberings(document)) and (_is_among_records(document) or bool(_OF_RECORDS.match(document.title)))
    return (decides and parts >= 1) or (filed and (decides or parts >= 1 or bool(standing)))


def _entries(document: Document, own: Collection[str]) -> frozenset[int]:
    """Return the sections under a heading that gives the number of another document, as each entry of a log has one."""
    found: set[int] = set()
    level = 0
    for place, section in enumerate(document.sections):
        if level and section.level <= level:
            level = 0
        entry = _ENTRY.match(section.heading)
        if not level and place and entry and f"{entry['series']}-{entry['number']}" not in own:
            level = section.level
        if level:
            found.add(place)
    return frozenset(found)


def _standing(document: Document, headings: Sequence[str], entries: Collection[int]) -> str:
    """Return how the record stands, in its own words.

    From ``status`` in the front matter, a status section, a line or row of its own, or from ``state``.
    """
    given = document.front.get("status")
    if isinstance(given, str) and given.strip():
        return blank_unsaid(given).strip()
    for block in document.blocks:
        if block.kind == "code" or block.section in entries or is_undone(document, block):
            continue
        text = blank_unsaid(document.text[block.start : block.end]).strip()
        if text and block.section >= 0 and headings[block.section] == "status":
            return plain(text.splitlines()[0])
        line = _STATUS_FIELD.search(text) if block.section <= 0 else None
        line = line or (_STATUS_LINE.match(text) if block.kind != "table" else None)
        if line:
            return plain(line["said"])
    state = document.front.get("state")
    return blank_unsaid(state).strip() if isinstance(state, str) else ""


def is_undone(document: Document, block: Block) -> bool:
    """Return whether ``block`` is a task of a list that is not ticked off."""
    return document.text.startswith(_UNDONE, max(0, block.start - len(_UNDONE)))


def _tags(document: Document, said: str) -> tuple[str, ...]:
    named = (*strings(document.front.get("tags")), *strings(document.front.get("tag")))
    given = [each.lstrip("#") for tag in named for each in (tag.split() if "#" in tag else (tag,))]
    standing = next((word for word in STANDINGS if re.match(rf"\W*{word}\b", said, re.IGNORECASE)), "")
    return tuple(dict.fromkeys(filter(None, [*given, standing])))


def _aliases(document: Document, title: str, *, number: str) -> tuple[str, ...]:
    stem = PurePosixPath(document.name.replace("\\", "/")).stem
    given = (*strings(document.front.get("aliases")), *strings(document.front.get("alias")))
    series = _in_series(document)
    # A record goes by its number once it reads as one, or its title sets that off: not minutes of a talk about it.
    other = series if not series.startswith("ADR-") or titled(document.title) == series else ""
    found: dict[str, str] = {"": "", _composed(title): ""}
    for alias in (*given, document.title, number, stem, other):
        found.setdefault(_composed(alias), alias)
    return tuple(filter(None, found.values()))


def _composed(name: str) -> str:
    """Return ``name`` in the form in which names of files and titles that read the same are the same."""
    return normalized("NFC", name)


def _quote(document: Document, headings: Sequence[str], *, is_record: bool) -> tuple[int, int]:
    """Return the place of the first paragraph, of a record's decision where there is one."""
    after = [block for block in document.blocks if block.start >= document.front_end]
    prose = [block for block in after if block.kind in {"paragraph", "item", "quote"}]
    decided = [block for block in prose if block.section >= 0 and _DECISION.match(headings[block.section])]
    first = (decided if is_record and decided else prose or after)[:1]
    if first:
        return (first[0].start, first[0].end)
    if document.sections:
        return (document.sections[0].start, document.sections[0].body_start)
    return (document.body_start, len(document.text))
