"""Which kind of knowledge a text is: by what the caller says, by keywords, by its wording, or as a graph's own kind."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from weft.model import Classification
from weft.reason.cues import READ, leaves_open
from weft.text import terms
from weft.vocabulary import CONFIDENT, KINDS, PROJECT_KINDS, STANDARD

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from weft.vocabulary import Kind, Vocabulary

__all__ = ["LIKENESS_LEAD", "LIKENESS_MIN", "WORDING_MIN", "classify"]

KEYWORD_POINTS: Final = 0.15
CONFIDENCE_MAX: Final = 0.95
DEFAULT_KIND: Final = "concept"
_DECIDED: Final = "decision"
_NONE: Final = "general"  # what is said in passing, of no kind
ALTERNATIVES_MAX: Final = 3
ALTERNATIVE_MIN: Final = 0.05

LIKENESS_MIN: Final = 0.60
LIKENESS_LEAD: Final = 0.05
LIKENESS_WORTH: Final = 0.7
"""Likeness to the exemplars of a graph's own kind decides from 0.60 on the calibrated scale, 0.05 ahead of the next
kind, and is believed for 0.7 of it: embeddings tell topics apart better than kinds.
"""

WORDING_MIN: Final = 0.40
"""Below it a text is taken for nothing, which is a concept. Between it and 0.50 seven notes in ten are told rightly
(``bench/classify.py``).
"""

KEYWORD_LIFT: Final = 1.5
"""What each keyword of a kind adds to what its wording says, a factor of four and a half; of a long text the first adds
nothing: one stands in two abstracts of five, whatever they are about.
"""

DOCUMENT_MIN: Final = 0.45
"""From so many points on keywords decide of a text that is longer than the wording that is read of it.

Three keywords in one text are the mark of a decision record. With two of them an abstract of twenty was taken for one.
"""

# What a hook's channel adds: a commit tells of work done, a changed file of a thing built.
_BOOSTS: Final[Mapping[str, tuple[str, float]]] = {
    "hook_commit": ("session", 0.2),
    "hook_file_change": ("component", 0.1),
}

# Forms of a keyword that the light stem, which only knows plurals, keeps apart. Not a general rule: `ruled out` is not
# a rule, and `classified` no class.
_FORMS: Final[Mapping[str, str]] = {"decided": "decide", "deciding": "decide", "tradeoff": "trade off"}


def _phrases(kind: Kind) -> tuple[str, ...]:
    return tuple(" ".join(terms(keyword)) for keyword in kind.keywords)


@lru_cache(maxsize=8)
def _spoken(own: tuple[Kind, ...]) -> Mapping[str, tuple[str, ...]]:
    return {kind.name: _phrases(kind) for kind in own}


_KEYWORDS: Final[Mapping[str, tuple[str, ...]]] = {name: _phrases(KINDS[name]) for name in PROJECT_KINDS}
_ORDER: Final[Mapping[str, int]] = {name: place for place, name in enumerate(KINDS)}


def classify(
    title: str,
    content: str,
    *,
    explicit: str = "",
    channel: str = "manual",
    odds: Mapping[str, float] | None = None,
    likeness: Mapping[str, float] | None = None,
    among: Collection[str] = (),
    vocabulary: Vocabulary = STANDARD,
) -> Classification:
    """Return the kind of a text, how sure that is (0..0.95), and how it was found.

    An ``explicit`` kind is taken at its word, with confidence 0.95. Else every keyword of a kind that stands in the
    text, once or often, is worth 0.15, a ``channel`` of ``hook_commit`` adds 0.2 to session and ``hook_file_change``
    0.1 to component; the best kind wins, the earlier of the table on a tie, concept when nothing speaks for any. From
    0.6 on that is confident.

    Where it is not, a kind of the graph's own, in ``vocabulary``, may decide, by its keywords or by ``likeness`` (for
    each kind the best calibrated similarity of the text to one of its exemplars, 0..1): if it is like enough, clearly
    ahead, and surer than the keywords. After these the wording does, by ``odds``
    (:func:`weft.reason.kind_odds.kind_odds`), which keywords lift; the confidence is then how likely the kind
    is among all, and below 0.4 it is a concept. Of a long text three keywords are believed before its wording. What
    leaves open what is to be done (:func:`weft.reason.cues.leaves_open`) is no decision by its wording, and general
    instead. If only some kinds may be chosen, ``among`` names them; none: all.

    Raises:
        InvalidArgument: ``explicit`` is not a known kind.
    """
    if explicit:
        kind = vocabulary.kind_named(explicit).name
        return Classification(kind=kind, confidence=CONFIDENCE_MAX, confident=True, method="explicit")
    text = f"{title}\n{content}"
    points = _keyword_scores(text, channel, vocabulary.own.kinds)
    by_keywords = _ranked(points, method="keywords")
    if by_keywords.confident:
        return by_keywords
    settled = _own_kind(by_keywords, _among(likeness or {}, among), vocabulary)
    if settled:
        return settled
    if not odds or (len(text) > READ and by_keywords.confidence >= DOCUMENT_MIN):
        return by_keywords
    if len(text) > READ:
        points = {kind: max(0.0, score - KEYWORD_POINTS) for kind, score in points.items()}
    return _by_wording(odds, points, among, undecided=leaves_open(content or title))


@lru_cache(maxsize=64)  # a text is asked about more than once: alone, and when its wording is known
def _keyword_scores(text: str, channel: str, own: tuple[Kind, ...]) -> Mapping[str, float]:
    found = [_FORMS.get(term, term) for term in terms(text)]
    words = frozenset(found)
    # Joined with spaces, a keyword of two words is found as two words that follow one another.
    flat = f" {' '.join(found)} "
    scores = {
        kind: KEYWORD_POINTS * sum(f" {each} " in flat if " " in each else each in words for each in keywords)
        for kind, keywords in {**_KEYWORDS, **_spoken(own)}.items()
    }
    if channel in _BOOSTS:
        kind, boost = _BOOSTS[channel]
        scores[kind] += boost
    return scores


def _ranked(scores: Mapping[str, float], *, method: str) -> Classification:
    points = {kind: min(round(score, 2), CONFIDENCE_MAX) for kind, score in scores.items() if score > 0.0}
    best, *others = sorted(points.items(), key=_place) or [(DEFAULT_KIND, 0.0)]
    return Classification(
        kind=best[0],
        confidence=best[1],
        confident=best[1] >= CONFIDENT,
        method=method,
        alternatives=tuple(others[:ALTERNATIVES_MAX]),
    )


def _place(scored: tuple[str, float]) -> tuple[float, int, str]:
    """Return what orders kinds: their points, the table, and after it the names of a graph's own."""
    kind, points = scored
    return (-points, _ORDER.get(kind, len(_ORDER)), kind)


def _by_likeness(likeness: Mapping[str, float]) -> Classification | None:
    first, second = [*sorted(likeness.values(), reverse=True), 0.0, 0.0][:2]
    if first < LIKENESS_MIN or first - second < LIKENESS_LEAD:
        return None
    return _ranked({kind: LIKENESS_WORTH * share for kind, share in likeness.items()}, method="likeness")


def _own_kind(
    by_keywords: Classification, likeness: Mapping[str, float], vocabulary: Vocabulary
) -> Classification | None:
    """Return what speaks for a kind that the graph registered itself, whose wording nobody learned."""
    own = {kind.name for kind in vocabulary.own.kinds}
    known = {kind: likeness[kind] for kind in vocabulary.kinds if own and kind in likeness}
    by_likeness = _by_likeness(known)
    if by_likeness and by_likeness.kind in own and by_likeness.confidence > by_keywords.confidence:
        return by_likeness
    return by_keywords if by_keywords.kind in own else None


def _by_wording(
    odds: Mapping[str, float], points: Mapping[str, float], among: Collection[str], *, undecided: bool
) -> Classification:
    shares = _shares({kind: odd + _lift(points.get(kind, 0.0)) for kind, odd in odds.items()})
    if undecided:
        shares[_NONE] = shares.get(_NONE, 0.0) + shares.pop(_DECIDED, 0.0)
    told = {kind: share for kind, share in _among(shares, among).items() if share >= ALTERNATIVE_MIN}
    found = _ranked(told, method="wording")
    if found.confidence >= WORDING_MIN or found.kind == DEFAULT_KIND:
        return found
    others = ((found.kind, found.confidence), *found.alternatives)
    return Classification(
        kind=DEFAULT_KIND,
        confidence=round(shares.get(DEFAULT_KIND, 0.0), 2),
        confident=False,
        method="wording",
        alternatives=tuple(each for each in others if each[0] != DEFAULT_KIND)[:ALTERNATIVES_MAX],
    )


def _among(shares: Mapping[str, float], among: Collection[str]) -> dict[str, float]:
    return {kind: share for kind, share in shares.items() if not among or kind in among}


def _lift(points: float) -> float:
    return KEYWORD_LIFT * points / KEYWORD_POINTS


def _shares(odds: Mapping[str, float]) -> dict[str, float]:
    most = max(odds.values())
    parts = {kind: math.exp(odd - most) for kind, odd in odds.items()}
    whole = sum(parts.values())
    return {kind: part / whole for kind, part in parts.items()}
