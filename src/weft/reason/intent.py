"""What a text names another document for: that it needs it, that it takes its place, or neither.

Of the sentences that name a document by number most do neither: they compare, thank, look back, list. A network reads
each beside its heading (:class:`weft.ports.Intent`), with the names taken out, so that what it learned of one series
holds for another: «that document» is the one that is asked about, «this document» the text itself.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import lru_cache
from statistics import fmean
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from weft.errors import Unavailable
from weft.reason import numbering
from weft.reason.numbering import references
from weft.reason.section import sections
from weft.reason.sentences import phrasing
from weft.text import plain
from weft.text.languages import language

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    import numpy as np
    import numpy.typing as npt

    from weft.reason.numbering import Place
    from weft.reason.section import Section

__all__ = ["READ_MAX", "SENTENCES_MAX", "Naming", "Read", "Reading", "nameless", "namings"]

SENTENCES_MAX: Final = 4
"""Sentences that are read of a text for one document that it names, the first ones."""

READ_MAX: Final = 48
"""Sentences that are read for one node, 7 ms each; what the documents beyond are named for is left open."""

Read: TypeAlias = "Callable[[str, Sequence[str]], npt.NDArray[np.float32]]"
"""What reads sentences under a heading: :meth:`weft.ports.Intent.read`."""

_NEEDS: Final = 0  # the side of what is needed
_BEFORE, _BEHIND = 300, 200  # characters of a sentence that are read before and behind a name
_THIS, _THAT, _ANOTHER = "this document", "that document", "another document"
_LINK: Final = re.compile(r"https?://[^\s\]>)]{1,2000}")
_SPACE: Final = re.compile(r"\s+")


class Naming(NamedTuple):
    """A sentence that names a document, and the heading it stands under; empty where none does."""

    heading: str
    sentence: str


class Reading:
    """Reads, for one node, what it and others name each other for."""

    def __init__(self, read: Read) -> None:
        self._read = read
        self._left = READ_MAX

    def of(self, text: str, names: Collection[str], *, own: Collection[str] = ()) -> Mapping[str, float]:
        """Return the chance (0..1) that ``text`` needs what is known as ``names``.

        The mean of its first sentences that name it (:func:`namings`); 0 where none does. Nothing where the
        sentences are not in English, which is all that the network learned, where enough was read already, or where
        there is no network to read them.
        """
        found = namings(text, names, own=own)
        if not found:
            return {"needed": 0.0}
        if self._left < len(found) or language(" ".join(each.sentence for each in found)) not in {"", "en"}:
            return {}
        self._left -= len(found)
        try:
            sides = [self._read(each.heading, [each.sentence])[0] for each in found]
        except Unavailable:
            return {}
        return {"needed": fmean(float(each[_NEEDS]) for each in sides)}


def namings(text: str, names: Collection[str], *, own: Collection[str] = ()) -> tuple[Naming, ...]:
    """Return the first sentences of ``text`` that name a document known as ``names`` (``PEP-8``), with names taken out.

    ``own`` are the numbers that the text itself goes by. Four at most; only the first 20,000 characters are read.
    """
    held = references(text)
    called = {place: _THIS if name in own else _ANOTHER for name, places in held.items() for place in places}
    called |= {place: _THAT for name in names for place in held.get(name, ())}
    asked = sorted(place for place, word in called.items() if word == _THAT)[:SENTENCES_MAX]
    if not asked:
        return ()
    series = {name.partition("-")[0] for name in (*names, *own)}
    over = _sections(text)
    starts = [each.start for each in over]
    found = []
    for place in asked:
        at = bisect_right(starts, place[0]) - 1
        heading = over[at].heading if at >= 0 and place[0] >= over[at].body else ""
        start, end = _sentence(text, place)
        sentence = "".join(_pieces(text, start, end, called))
        found.append(Naming(nameless(heading, series), nameless(plain(sentence), series)))
    return tuple(found)


@lru_cache(maxsize=4)  # a text is looked through for each document that it names
def _sections(text: str) -> tuple[Section, ...]:
    return sections(text[: numbering.READ_MAX])


def nameless(words: str, series: Collection[str]) -> str:
    """Return ``words`` on one line, without addresses and without what a series of documents is called (``PEP``)."""
    if series:
        words = re.sub(rf"\b(?:{'|'.join(map(re.escape, sorted(series)))})(s?)\b", r"document\1", words)
    return _SPACE.sub(" ", _LINK.sub("link", words)).strip()


def _sentence(text: str, place: Place) -> Place:
    """Return where the sentence around ``place`` begins and ends, as far as it is read."""
    first, last = max(0, place[0] - _BEFORE), min(len(text), place[1] + _BEHIND)
    for span in phrasing(text[first:last]):
        if span.start <= place[0] - first < span.end:
            return first + span.start, max(place[1], first + span.end)
    return place


def _pieces(text: str, start: int, end: int, called: dict[Place, str]) -> Iterator[str]:
    """Yield ``text[start:end]`` piece by piece, each document that it names by what it is to the one asked about."""
    for (first, last), word in sorted(called.items()):
        if first >= start and last <= end:
            yield text[start:first]
            yield f" {word} "
            start = last
    yield text[start:end]
