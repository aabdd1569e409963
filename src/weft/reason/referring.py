"""What a document says of others that it names by number (PEP 8, ADR-0007): that it requires them, or replaces them.

Numbered documents are cited far more often than related: of the references between the proposals of two communities
one in fourteen was a relation that their authors drew. So no single word decides. What speaks for a relation (whether
and how early the other is named, what the sentences that name it say of it, whether it is spoken of as past, by how
much it is older, how near they lie in words and meaning) is weighed by two logistic regressions;
``scripts/train_references.py`` fits them on the even rows. Their likelihood is the confidence: of those found at 0.3
about three in ten were drawn. Relations that an author states in a line of their own are read elsewhere
(:mod:`weft.reason.heading`), and need no weighing.
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Final, NamedTuple

from weft.reason.affinity import nearest_first
from weft.reason.finding import Finding
from weft.reason.intent import Reading
from weft.reason.numbering import READ_MAX, numbers, references
from weft.reason.reference_weights import SCALES, WEIGHTS
from weft.text import STOP_WORDS, terms

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from weft.model import Node
    from weft.reason.affinity import Signs
    from weft.reason.intent import Read
    from weft.reason.numbering import Place

__all__ = [
    "FLOORS",
    "GUESS",
    "NUMBERED",
    "Beside",
    "beside",
    "features",
    "likeliest",
    "likelihood",
    "weigh",
]

NUMBERED: Final = "numbered_reference"
"""The name of this rule."""

FLOORS: Final[Mapping[str, float]] = {"requires": 0.32, "supersedes": 0.5}
"""The confidence from which a type is worth asking about.

For *requires* where F1 of what captures ask about is best on the even rows (33; 31 at 0.30 and at 0.34), for
*supersedes* in the middle of 0.4 to 0.6, where F1 on parts of the even rows that were not learned from is level (56).
Of those asked about a third and four fifths were drawn (by hand).
"""
GUESS: Final = 0.02
"""The confidence from which a type is worth telling of a node that is shown anyway …"""
LEAST: Final = 0.001
"""… and from which the likeliest of each type is: who knows that a text replaces another asks which one."""

_BEFORE: Final = 80
_BEHIND: Final = 60
_NEEDS: Final = re.compile(
    r"\brequir(?:es?|ing)\b|\bdepend(?:s|ing|ent)?\b|\brel(?:y|ies|ying) (?:up)?on\b", re.IGNORECASE
)
_DRAWS: Final = re.compile(
    r"\b(?:defined|specified|described|introduced|proposed|documented|outlined|added|as) (?:in|by|from|per)\b"
    r"|\busing\b|\buses\b|\bfollow(?:s|ing)\b|\baccording to\b|\bbased (?:up)?on\b|\bextends?\b"
    r"|\bbuil(?:ds?|t|ding) (?:up)?on\b|\bsupplements?\b|\badditional\b|\bimplement",
    re.IGNORECASE,
)
_TAKES_OVER: Final = re.compile(
    r"\b(?:supersed(?:es?|ing)|replac(?:es?|ing|ement (?:of|for))|obsolet(?:es?|ing)|updated version of|deprecat\w+"
    r"|successor (?:to|of)|modification of|amends|alternative to|previous attempt)\b",
    re.IGNORECASE,
)
_GIVES_WAY: Final = re.compile(
    r"\b(?:superseded|replaced|obsoleted|deprecated|in favou?r|merged into|incorporated)\b[^.]{0,60}$", re.IGNORECASE
)

_PAST: Final = re.compile(
    r"\b(?:previous|earlier|prior|former|older|original|predecessor|attempt|instead|limitations|rejected|withdrawn"
    r"|supersed\w*|replac\w*)\b",
    re.IGNORECASE,
)

_INTRODUCTION: Final = 1_500  # characters in which a document says what it takes the place of
_EARLY: Final = 4_000
_NOT_OLDER: Final = 8.0  # as far as one of three thousand numbers before


class Beside(NamedTuple):
    """How near two documents lie: overlap of words (0..1), cosine of meaning, and 1 / rank among the candidates."""

    words: float
    meaning: float
    closeness: float


def weigh(
    new: Node,
    others: Sequence[Node],
    *,
    read: Read,
    near: Mapping[str, Beside] | None = None,
    floor: float = LEAST,
) -> tuple[Finding, ...]:
    """Return what ``new`` and each of ``others`` may be to each other, of both types and in both directions.

    Only of those that go by numbers. ``read`` reads sentences that name one of them. ``near`` says of others how near
    they lie; without it the rest is weighed. What is less likely than ``floor`` is left out.
    """
    reading = Reading(read)
    known = {node.id: numbers(node) for node in (new, *others)}
    return tuple(
        finding
        for other in others
        if other.id != new.id and (known[new.id] or known[other.id])
        for pair in ((new, other), (other, new))
        for finding in _seen(*pair, known, (near or {}).get(other.id), reading)
        if _likelihood(finding) >= floor
    )


def likeliest(found: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return those of the findings that are worth asking about and agree: of each direction the likelier.

    And of a pair of which one document may replace the other, the likeliest alone.
    """
    of_pair: dict[frozenset[str], dict[str, Finding]] = {}
    worth = (each for each in found if each.confidence >= FLOORS[each.type])
    for each in sorted(worth, key=_likelihood, reverse=True):
        of_pair.setdefault(frozenset((each.source_id, each.target_id)), {}).setdefault(each.source_id, each)
    return tuple(finding for each in of_pair.values() for finding in _consistent(list(each.values())))


def _consistent(found: list[Finding]) -> list[Finding]:
    """Return both findings of a pair, the likelier first, or that one where a document would take the other's place."""
    return found if all(each.type == "requires" for each in found) else found[:1]


def _likelihood(finding: Finding) -> float:
    return dict(finding.scores)["likelihood"]


def _seen(
    source: Node, target: Node, known: Mapping[str, Sequence[str]], lie: Beside | None, reading: Reading
) -> Iterator[Finding]:
    """Yield a finding of each type, unless nothing speaks for any."""
    seen = features(source, target, names=known[source.id], others=known[target.id], lie=lie, reading=reading)
    if seen is None:
        return
    for relation_type in WEIGHTS:
        likely = likelihood(seen, relation_type)
        verb = "requires" if relation_type == "requires" else "replaces"
        yield Finding(
            rule=NUMBERED,
            source_id=source.id,
            target_id=target.id,
            type=relation_type,
            confidence=round(likely, 2 if likely >= min(FLOORS.values()) else 3),
            reasoning=f"By how they name each other and how near they lie, «{source.title}» {verb} «{target.title}».",
            scores=(("likelihood", round(likely, 4)),),
            action="suggest",
        )


def beside(signs: Mapping[str, Signs]) -> dict[str, Beside]:
    """Return how near each candidate lies, ranked by words and meaning as :func:`weft.reason.affinity.affinities`."""
    return {
        id_: Beside(signs[id_].words, signs[id_].meaning, 1.0 / (rank + 1.0))
        for rank, id_ in enumerate(nearest_first(signs))
    }


def likelihood(seen: Mapping[str, float], relation_type: str) -> float:
    """Return how likely (0..1) authors drew a relation of this type, from :func:`features`."""
    weights = WEIGHTS[relation_type]
    total = weights[""] + sum(
        weight * (seen[name] - SCALES[name][0]) / SCALES[name][1] for name, weight in weights.items() if name in seen
    )
    return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, total))))


# ---- what speaks for a relation


class _Mentions(NamedTuple):
    """The places where a text names a document, with what stands before each, and around it."""

    places: tuple[Place, ...]
    before: tuple[str, ...]
    around: tuple[str, ...]

    def says(self, pattern: re.Pattern[str], *, within: int = READ_MAX) -> float:
        return float(
            any(
                pattern.search(words)
                for words, place in zip(self.before, self.places, strict=True)
                if place[0] < within
            )
        )

    def share(self, pattern: re.Pattern[str]) -> float:
        return sum(bool(pattern.search(words)) for words in self.around) / max(1, len(self.around))

    def first(self, within: int) -> float:
        return float(bool(self.places) and self.places[0][0] < within)


def features(
    source: Node,
    target: Node,
    *,
    names: Sequence[str],
    others: Sequence[str],
    lie: Beside | None = None,
    reading: Reading | None = None,
) -> dict[str, float] | None:
    """Return what may speak for a relation from ``source`` (known as ``names``) to ``target`` (known as ``others``).

    None where neither names the other, unless both go by numbers and ``lie`` says how near they are. Without
    ``reading`` what the sentences say is left out.
    """
    if not names and not others:
        return None
    forward, backward = _mentions(source.content, others), _mentions(target.content, names)
    if not forward.places and not backward.places and not (names and others and lie):
        return None
    here, there = _number(names, others)
    return {
        "names_it": float(bool(forward.places)),
        "early": forward.first(_EARLY),
        "draws": math.log1p(sum(bool(_DRAWS.search(words)) for words in forward.before)),
        "needs": forward.says(_NEEDS),
        "takes_over_early": forward.says(_TAKES_OVER, within=_INTRODUCTION),
        "back_gives_way": backward.says(_GIVES_WAY),
        "past": forward.share(_PAST),
        "named_back": float(bool(backward.places)),
        "titles": _titles(source.title, target.title),
        "later": float(here > there),
        "older": math.log1p(here - there) if here > there else _NOT_OLDER,
        **(lie._asdict() if lie else {}),
        **(reading.of(source.content, others, own=names) if reading else {}),
    }


def _mentions(text: str, names: Sequence[str]) -> _Mentions:
    held = references(text) if names else {}
    places = tuple(sorted(place for name in names for place in held.get(name, ())))
    before = tuple(text[max(0, start - _BEFORE) : start] for start, _ in places)
    return _Mentions(places, before, tuple(text[max(0, start - _BEFORE) : end + _BEHIND] for start, end in places))


def _number(names: Sequence[str], others: Sequence[str]) -> tuple[int, int]:
    """Return the numbers of the two in a series that both belong to; the same number twice where there is none."""
    mine = {name.partition("-")[0]: int(name.partition("-")[2]) for name in names}
    for name in others:
        series, _, number = name.partition("-")
        if series in mine:
            return mine[series], int(number)
    return 0, 0


def _titles(one: str, other: str) -> float:
    here, there = (frozenset(terms(title)) - STOP_WORDS for title in (one, other))
    return len(here & there) / max(1, len(here | there))
