"""What bears on the work at hand: nine factors, each worth a few points.

The factors, their points and their order are those of the project seed; the greatest sum is 3.75, and 1.75 where no
file is known. Each is one function from a look at a node to the points it adds (or, for the status, takes away). One
is graded, as it was where the seed came from: the task counts less for what a search with it finds farther down.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import timedelta
from difflib import SequenceMatcher
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from weft.model import Status
from weft.text import empty_words, terms
from weft.vocabulary import REASONABLE, STANDARD

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from datetime import datetime

    from weft.model import ContextRequest, Node
    from weft.vocabulary import Vocabulary

__all__ = [
    "FACTORS",
    "HIGH",
    "MEDIUM",
    "Look",
    "band",
    "band_by_rank",
    "bare_path",
    "is_file_name",
    "misspelt_path",
    "path_ends",
    "path_spellings",
    "referring",
    "relevance",
    "without_line",
]

HIGH: Final = 2.0
MEDIUM: Final = 1.0
"""The bands of relevance begin here."""

_CONFIDENT_FROM: Final = 0.8
_FRESH: Final = timedelta(days=7)
_RELATED_FROM: Final = 3
_KEYWORD_LENGTH_MIN: Final = 3
_ONE_WORD_FROM: Final = 0.25
"""The similarity under which one word of several says nothing: «reduce» of a task about payments, in a note on masks.

Measured on the even questions of seven public sets: of 132 texts that answer one and hold one of its words, 2 lie
below; of others that hold one, between an eighth and five sixths.
"""

_FIRST: Final = 3
_FALL: Final = 0.2
_LEAST: Final = 0.3
"""The share of a task's points: all on the first three places, a fifth less on each one after, and at the least 0.3,
which is the least that the code gave which the seed describes. With a tenth the document that a task was a paragraph of
was among five answers in 95 and 90 of 100 cases (Python's and Kubernetes' proposals), with a fifth in 100 and 97.

Whatever holds some word of a task is most of a graph: with the same points for all of it, five answers held the very
document that a task was a paragraph of in 26 of 100 cases, and ten in 31 (689 proposals: «Tasks and ends» of
``docs/explanation/search.md``).
"""

_READ_MAX: Final = 20_000  # characters of a node's content that the task's words are looked for in
_STATUS_SHARE: Final[Mapping[Status, float]] = {Status.SUPERSEDED: 0.3, Status.NEEDS_REVIEW: 0.8}
_SLIP: Final = 0.95  # of two paths: one letter more, less or other in twenty
ENDS_MAX: Final = 12
"""Ends of an absolute path that are looked for: as many folders as are looked through above a file."""

_ABSOLUTE: Final = re.compile(r"(?:file://)?(?:/|[A-Za-z]:/+)(?P<path>[^/].*)")
_PLACE_IN_FILE = re.compile(r"(?:#L?|:)\d+(?:[-:]L?\d+)?$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """All that a factor may look at: the node, the work, and what the graph knows of the two.

    ``relations`` counts the node's relations; ``similarity`` is that of the node to the task, calibrated (None: not
    compared); ``place`` is where it stands among what the task finds, from 0; ``vocabulary`` weighs kinds; ``sum`` is
    what the factors before this one came to.
    """

    node: Node
    request: ContextRequest
    relations: int
    similarity: float | None
    now: datetime
    place: int = 0
    vocabulary: Vocabulary = STANDARD
    sum: float = 0.0


def relevance(look: Look) -> tuple[float, tuple[tuple[str, float], ...]]:
    """Return how much a node bears on the work (0..3.75), and the factors that counted as (name, points).

    Reads at most 20,000 characters of the content.
    """
    points, counted = 0.0, []
    for name, factor in FACTORS:
        gained = round(factor(replace(look, sum=points)), 4)
        if gained:
            counted.append((name, gained))
            points = round(points + gained, 4)
    return points, tuple(counted)


def band(points: float) -> str:
    """Return the band of a relevance: high from 2.0, medium from 1.0, else low."""
    return "high" if points >= HIGH else "medium" if points >= MEDIUM else "low"


def band_by_rank(index: int, total: int) -> str:
    """Return the band of the answer at ``index`` (0 is best) among ``total``: the first third is high, the next medium.

    For questions that name no file, where «high» by points cannot be reached.
    """
    place = index / max(total, 1)
    return "high" if place < 1 / 3 else "medium" if place < 2 / 3 else "low"


def _file_named(look: Look) -> float:
    current = bare_path(look.request.current_file)
    return 1.0 if current and current in map(bare_path, look.node.references) else 0.0


def _file_below(look: Look) -> float:
    """The current file is a reference, lies in a folder that is one, or is named as one without its folder."""
    given = look.request.current_file
    current = bare_path(given)
    named = [*filter(None, map(bare_path, look.node.references))]
    below = any(current == path or current.startswith(path + "/") for path in named)
    return 0.6 if below or (is_file_name(given) and _ends_so(named, current)) else 0.0


def _files_recent(look: Look) -> float:
    recent = {bare_path(path) for path in look.request.recent_files} - {""}
    paths = [*map(bare_path, look.node.references)]
    names = [bare_path(name) for name in filter(is_file_name, look.request.recent_files)]
    return 0.4 if not recent.isdisjoint(paths) or any(_ends_so(paths, name) for name in names) else 0.0


def _ends_so(paths: list[str], name: str) -> bool:
    """Return whether one of these is the path of a file of this name in some folder."""
    return any(path.endswith("/" + name) for path in paths)


def _task(look: Look) -> float:
    """A telling word of the task stands in the node, or the two are reasonably like each other."""
    return 0.8 * _share(look.place) if _bears(look) else 0.0


def _bears(look: Look) -> bool:
    if look.similarity is not None and look.similarity >= REASONABLE:
        return True
    said = _keywords(look.request.task)
    held = said.intersection(terms(f"{look.node.title}\n{look.node.content[:_READ_MAX]}")) if said else said
    return bool(held) and not (len(said) > 1 and _by_chance(held, look.similarity))


def _share(place: int) -> float:
    return min(1.0, max(_LEAST, 1.0 - _FALL * (place + 1 - _FIRST)))


def _by_chance(held: frozenset[str], similarity: float | None) -> bool:
    """Return whether the two hold a word in common and nothing else: names and other scripts tell by themselves."""
    strange = similarity is not None and similarity < _ONE_WORD_FROM
    return strange and len(held) == 1 and all(word.isascii() and word.isalpha() for word in held)


@lru_cache(maxsize=64)  # a task is read once for every node
def _keywords(task: str) -> frozenset[str]:
    return frozenset(word for word in terms(task) if len(word) >= _KEYWORD_LENGTH_MIN) - empty_words(task)


def _kind(look: Look) -> float:
    return look.vocabulary.kind(look.node.kind).weight


def _confidence(look: Look) -> float:
    return 0.2 if look.node.confidence >= _CONFIDENT_FROM else 0.0


def _recency(look: Look) -> float:
    return 0.3 if look.now - look.node.modified_at < _FRESH else 0.0


def _status(look: Look) -> float:
    return look.sum * (_STATUS_SHARE.get(look.node.status, 1.0) - 1.0)


def _relations(look: Look) -> float:
    return 0.15 if look.relations >= _RELATED_FROM else 0.0


FACTORS: Final[tuple[tuple[str, Callable[[Look], float]], ...]] = (
    ("current_file", _file_named),
    ("current_file_partial", _file_below),
    ("recent_files", _files_recent),
    ("task", _task),
    ("kind", _kind),
    ("confidence", _confidence),
    ("recency", _recency),
    ("status", _status),
    ("relations", _relations),
)
"""The nine factors, in the order in which they count: the status scales all that was gained before it."""


def bare_path(reference: str) -> str:
    """Return a path as it is compared: forward slashes, no leading ``./``, no line number, no slash at the end."""
    path = without_line(reference.replace("\\", "/"))
    return path.removeprefix("./").rstrip("/")


def misspelt_path(references: Iterable[str], file: str) -> str:
    """Return the first of ``references`` that is spelt nearly as ``file`` is; empty where none is."""
    wanted = bare_path(file)
    return next((each for each in references if SequenceMatcher(None, bare_path(each), wanted).ratio() >= _SLIP), "")


def referring(references: Iterable[str], file: str) -> str:
    """Return how something with these ``references`` refers to ``file``: to itself, to a folder above, or beside it."""
    named = {bare_path(each): each for each in references}
    wanted = bare_path(file)
    if wanted in named:
        return f"refers to {file}"
    above = [path for path in named if path and wanted.startswith(f"{path}/")]
    if above:
        return f"refers to {named[max(above, key=len)]}, where {file} lies"
    folder = wanted.rpartition("/")[0]
    beside = next((each for path, each in named.items() if path.rpartition("/")[0] == folder), "a file")
    return f"refers to {beside}, beside {file}"


def path_spellings(reference: str) -> tuple[str, ...]:
    """Return how nodes may have spelt the path that is meant: as given, bare, from ``./`` on, with backslashes.

    Of a name alone only the first two: that of a file in the root is told apart by its ``./``.
    """
    bare = bare_path(reference)
    others = (f"./{bare}", bare.replace("/", "\\")) if "/" in bare else ()
    return tuple(dict.fromkeys((reference, bare, *others)))


def path_ends(reference: str) -> tuple[str, ...]:
    """Return what a file may be called from a folder further down than ``reference`` is, the longest first.

    Of an absolute path (``/home/ann/app/src/a.py``, ``C:/app/a.py``, ``file:///app/a.py``) each end of two names or
    more, ``ENDS_MAX`` at most; of any other none.
    """
    absolute = _ABSOLUTE.match(bare_path(reference))
    names = absolute["path"].split("/") if absolute else []
    return tuple("/".join(names[start:]) for start in range(len(names) - 1))[-ENDS_MAX:]


def is_file_name(reference: str) -> bool:
    """Return whether ``reference`` names a file and no folder: one of that name may be meant, wherever it lies.

    A file of the root itself is told apart by a leading ``./``.
    """
    return bool(bare_path(reference)) and "/" not in reference.strip().replace("\\", "/")


def without_line(reference: str) -> str:
    """Return a reference without the lines of a file that it names (``#L12-L20``, ``:12``) and white space around."""
    return _PLACE_IN_FILE.sub("", reference.strip())
