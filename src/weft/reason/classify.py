"""Which kind of knowledge a text is: by what the caller says, by keywords, or by likeness to typical sentences."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from weft.model import Classification
from weft.text import terms
from weft.vocabulary import CONFIDENT, KINDS, PROJECT_KINDS, STANDARD

if TYPE_CHECKING:
    from collections.abc import Mapping

    from weft.vocabulary import Kind, Vocabulary

__all__ = ["LIKENESS_LEAD", "LIKENESS_MIN", "classify"]

KEYWORD_POINTS: Final = 0.15
CONFIDENCE_MAX: Final = 0.95
DEFAULT_KIND: Final = "concept"
ALTERNATIVES_MAX: Final = 3

LIKENESS_MIN: Final = 0.60
LIKENESS_LEAD: Final = 0.05
LIKENESS_WORTH: Final = 0.7
"""Likeness decides from 0.60 on the calibrated scale, 0.05 ahead of the next kind, and is believed for 0.7 of it.

Embeddings tell topics apart better than kinds: of 76 sentences of all kinds, written for the purpose, the bundled model
was this sure of one in eight, and right about six in ten of these. So the confidence says about that, and only what is
plainly an exemplar again (0.86) counts as confident.
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
    likeness: Mapping[str, float] | None = None,
    vocabulary: Vocabulary = STANDARD,
) -> Classification:
    """Return the kind of a text, how sure that is (0..0.95), and how it was found.

    A kind of the graph's own, in ``vocabulary``, counts like any other. An ``explicit`` kind is taken at its word, with
    confidence 0.95. Else every keyword of a kind that stands in the text, once or often, is worth 0.15, a ``channel``
    of ``hook_commit`` adds 0.2 to session and ``hook_file_change`` 0.1 to component; the best kind wins, the earlier of
    the table on a tie, concept when nothing speaks for any. From 0.6 on that is confident. Where it is not,
    ``likeness`` (for each kind the best calibrated similarity of the text to one of its exemplars, 0..1) decides if its
    best kind is like enough, clearly ahead, and surer than the keywords; where it only agrees with them, and is not
    confident either, their figure stands. Where neither decides, the kinds that it is most like are named all the same.

    Raises:
        InvalidArgument: ``explicit`` is not a known kind.
    """
    if explicit:
        kind = vocabulary.kind_named(explicit).name
        return Classification(kind=kind, confidence=CONFIDENCE_MAX, confident=True, method="explicit")
    by_keywords = _by_keywords(f"{title}\n{content}", channel, vocabulary.own.kinds)
    if by_keywords.confident or not likeness:
        return by_keywords
    known = {kind: likeness[kind] for kind in vocabulary.kinds if kind in likeness}
    by_likeness = _by_likeness(known)
    if by_likeness and _settles(by_likeness, by_keywords):
        return by_likeness
    return by_keywords if by_keywords.confidence else replace(by_keywords, near=_nearest(known))


def _settles(likeness: Classification, keywords: Classification) -> bool:
    """Whether likeness says more than the keywords do: another kind, or the same for sure. Mere assent adds none."""
    if likeness.confidence <= keywords.confidence:
        return False
    return likeness.confident or not keywords.confidence or likeness.kind != keywords.kind


@lru_cache(maxsize=64)  # a text is asked about twice: alone, and once its likeness is known
def _by_keywords(text: str, channel: str, own: tuple[Kind, ...]) -> Classification:
    return _ranked(_keyword_scores(text, channel, own), method="keywords")


def _keyword_scores(text: str, channel: str, own: tuple[Kind, ...]) -> dict[str, float]:
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


def _nearest(likeness: Mapping[str, float]) -> tuple[tuple[str, float], ...]:
    return tuple((kind, round(share, 2)) for kind, share in sorted(likeness.items(), key=_place)[:ALTERNATIVES_MAX])


def _by_likeness(likeness: Mapping[str, float]) -> Classification | None:
    first, second = [*sorted(likeness.values(), reverse=True), 0.0, 0.0][:2]
    if first < LIKENESS_MIN or first - second < LIKENESS_LEAD:
        return None
    return _ranked({kind: LIKENESS_WORTH * share for kind, share in likeness.items()}, method="likeness")
