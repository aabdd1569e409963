"""PDF as Markdown, page by page: what stands above its page says which one it is.

Lines become paragraphs by their gaps and ends, larger ones headings; what repeats at the top or foot of most pages is
left out. ``pypdf`` reads the file and comes with the extra ``ingest``. Files of strangers can take it long and much
memory: whoever reads those bounds the process.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from dataclasses import dataclass, field
from io import BytesIO
from typing import TYPE_CHECKING, Any, Final

from weft.errors import InvalidArgument
from weft.formats.rendered import Page, Rendered, heading, item, paragraph
from weft.optional import optional
from weft.text.punctuation import CLOSING, STOPS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["PAGES_MAX", "page_at", "page_starts", "render", "without_pages"]

PAGES_MAX: Final = 2_000
LINES_MAX: Final = 20_000
"""Lines that are read of one page."""

_PAGE: Final = re.compile(r"^<!-- page (\d{1,5}) -->\n*", re.MULTILINE)
_FIRST: Final = "<!-- page 1 -->\n"
_BULLET: Final = re.compile(r"[•‣▪●○◦∙·*–—-]\s+(?=\S)")
_NUMBER: Final = re.compile(r"\d+")
_ENDED: Final = re.compile(rf"[.!?:;…：；{STOPS}][\"'{CLOSING}]*\Z")
_LARGER: Final = 1.12  # a heading's letters to the body's, at least
_HEADING_MAX: Final = 120
_GAP: Final = 1.6  # lines of white space that part two paragraphs, in heights of a letter
_SHORT: Final = 0.75  # a line that ends before that share of the widest may end its paragraph
_EDGES: Final = 2  # lines at the top and at the foot that may repeat
_REPEATED_MIN: Final = 3
_LEVELS_MAX: Final = 4
_BROKEN: Final = (
    *(ValueError, KeyError, IndexError, TypeError, AttributeError, AssertionError, ArithmeticError, RecursionError),
    *(EOFError, NotImplementedError),
)
"""What a reader of a broken file stumbles over, beside its own errors."""


@dataclass(slots=True, kw_only=True)
class _Line:
    """A line of a page: its words, the size of most of its letters, and how high it stands (0: unknown)."""

    words: str
    size: float = 0.0
    height: float = 0.0


@dataclass(slots=True)
class _Lines:
    """Collects the lines of a page from the pieces that the library hands over."""

    lines: list[_Line] = field(default_factory=list)
    _words: list[str] = field(default_factory=list)
    _sizes: Counter[float] = field(default_factory=Counter)
    _height: float = 0.0

    def take(self, text: str, matrix: Sequence[float], place: Sequence[float], _: Any, size: float) -> None:  # noqa: ANN401
        """Add a piece: ``matrix`` and ``place`` are the transformations of the page and of the text."""
        scale = abs(matrix[3] * place[3]) or abs(matrix[0] * place[1]) or 1.0
        for number, part in enumerate(text.split("\n")):
            if number:
                self.end()
            if part.strip():
                self._sizes[round((size or 0) * scale, 1)] += len(part.strip())
                self._height = self._height or matrix[3] * place[5] + matrix[5]
            self._words.append(part)

    def end(self) -> None:
        """End the line at hand; a blank one is kept as the gap that it is."""
        words = " ".join("".join(self._words).split())
        if len(self.lines) < LINES_MAX:
            size = self._sizes.most_common(1)[0][0] if self._sizes else 0.0
            self.lines.append(_Line(words=words, size=size, height=self._height))
        self._words.clear()
        self._sizes.clear()
        self._height = 0.0


def render(body: bytes) -> Rendered:
    """Return the PDF in ``body`` as Markdown, each page under a comment that numbers it from 1.

    Raises:
        InvalidArgument: it is no PDF, is encrypted with a password, or holds no text.
        Unavailable: the extra ``ingest`` is not installed.
    """
    library = optional("pypdf", extra="ingest", why="Reading PDF")
    reader = _opened(library, body)
    broken = (*_BROKEN, library.errors.PyPdfError)
    try:
        total = len(reader.pages)
    except broken as error:
        raise InvalidArgument(f"document: a broken PDF ({type(error).__name__})") from error
    pages, problems = [], []
    for number in range(min(total, PAGES_MAX)):
        lines = _Lines()
        try:
            reader.pages[number].extract_text(visitor_text=lines.take)
        except broken as error:
            problems.append(f"page {number + 1} could not be read ({type(error).__name__})")
        lines.end()
        pages.append(lines.lines)
    if total > PAGES_MAX:
        problems.append(f"only the first {PAGES_MAX:,} of {total:,} pages were read")
    if not any(line.words for page in pages for line in page):
        why = f": {problems[0]}" if problems else ": its pages may be pictures"
        raise InvalidArgument(f"document: a PDF without text that can be read{why}")
    return _written(pages, _title(reader, broken)).rendered(*problems)


def page_starts(text: str) -> list[int]:
    """Return where each page begins in a text that :func:`render` made, page 1 first; none in other texts."""
    return [match.start() for match in _PAGE.finditer(text)] if text.startswith(_FIRST) else []


def page_at(starts: Sequence[int], place: int) -> int:
    """Return the number, from 1, of the page that ``place`` lies on."""
    return max(1, bisect_right(starts, place))


def without_pages(text: str) -> str:
    """Return ``text`` without the comments that number its pages."""
    return _PAGE.sub("", text)


def _opened(library: Any, body: bytes) -> Any:  # noqa: ANN401
    broken = (*_BROKEN, library.errors.PyPdfError)
    try:
        reader = library.PdfReader(BytesIO(body), strict=False)
        locked = reader.is_encrypted and not reader.decrypt("")
    except (library.errors.DependencyError, library.errors.WrongPasswordError) as error:
        raise InvalidArgument("document: an encrypted PDF") from error
    except broken as error:
        raise InvalidArgument(f"document: a broken PDF ({type(error).__name__})") from error
    if locked:
        raise InvalidArgument("document: an encrypted PDF: it asks for a password")
    return reader


def _title(reader: Any, broken: tuple[type[Exception], ...]) -> str:  # noqa: ANN401
    try:
        said = reader.metadata.title if reader.metadata else ""
    except broken:
        return ""
    words = " ".join(str(said or "").split())
    return words if " " in words and not words.lower().endswith((".doc", ".docx", ".tex", ".pdf")) else ""


def _written(pages: Sequence[Sequence[_Line]], title: str) -> Page:
    sizes: Counter[float] = Counter()
    for page in pages:
        for line in page:
            sizes[line.size] += len(line.words)
    body = sizes.most_common(1)[0][0] if sizes else 0.0
    larger = sorted({line.size for page in pages for line in page if _is_large(line, body)}, reverse=True)
    levels = {size: min(level, _LEVELS_MAX) for level, size in enumerate(larger, start=1)}
    running = _running(pages)
    written = Page()
    for number, page in enumerate(pages, start=1):
        written.add(f"<!-- page {number} -->")
        if number == 1 and title and not levels:
            written.add(heading(title, level=1))
        for block in _blocks(_without(running, page), levels):
            written.add(block)
    return written


def _is_large(line: _Line, body: float) -> bool:
    large = body > 0 and line.size >= body * _LARGER
    return large and len(line.words) <= _HEADING_MAX and any(map(str.isalpha, line.words))


def _running(pages: Sequence[Sequence[_Line]]) -> frozenset[str]:
    """Return the lines, their numbers aside, that stand at the top or the foot of most pages.

    Where nothing else stands on any page, they are what the document says, and there are none.
    """
    seen = Counter(words for page in pages for words in {_bare(line) for line in _edges(page)})
    found = frozenset(words for words, times in seen.items() if times >= max(_REPEATED_MIN, len(pages) / 2))
    return found if any(line.words for page in pages for line in _without(found, page)) else frozenset()


def _edges(page: Sequence[_Line]) -> list[_Line]:
    said = [line for line in page if line.words]
    return [*said[:_EDGES], *said[-_EDGES:]]


def _bare(line: _Line) -> str:
    return _NUMBER.sub("#", line.words)


def _without(running: frozenset[str], page: Sequence[_Line]) -> list[_Line]:
    """Return the lines of a page, but for those at its top and foot that stand on most pages."""
    dropped = {id(line) for line in _edges(page) if _bare(line) in running}
    return [line for line in page if id(line) not in dropped]


def _blocks(lines: Sequence[_Line], levels: dict[float, int]) -> Iterator[str]:
    """Yield the blocks of a page."""
    widest = max((len(line.words) for line in lines), default=0)
    held: list[_Line] = []
    for line in lines:
        if held and _parts(held[-1], line, widest=widest, levels=levels):
            yield _block(held, levels)
            held = []
        if line.words:
            held.append(line)
    if held:
        yield _block(held, levels)


def _parts(before: _Line, line: _Line, *, widest: int, levels: dict[float, int]) -> bool:
    """Return whether a block ends between two lines."""
    if not line.words or levels.get(before.size, 0) != levels.get(line.size, 0) or _BULLET.match(line.words):
        return True
    gap = abs(before.height - line.height)
    if before.height and line.height and gap > _GAP * max(before.size, line.size, 1.0):
        return True
    return bool(_ENDED.search(before.words)) and len(before.words) < widest * _SHORT


def _block(lines: Sequence[_Line], levels: dict[float, int]) -> str:
    words = ""
    for line in lines:
        broken = words.endswith("-") and words[-2:-1].isalpha() and line.words[:1].islower()
        words = words[:-1] + line.words if broken else f"{words} {line.words}"
    words = words.strip()
    level = levels.get(lines[0].size, 0)
    if level and len(words) <= _HEADING_MAX:
        return heading(words, level=level)
    bullet = _BULLET.match(words)
    return item(words[bullet.end() :], depth=0) if bullet else paragraph(words)
