"""Ranking: from what each way of searching says of a node to one order, with reasons a person can read."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from weft.reason.context import band, band_by_rank, relevance
from weft.reason.spread import Approach, Tie, approaches, spread
from weft.text import STOP_WORDS, terms

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Mapping, Sequence
    from datetime import datetime

    from weft.model import Node

__all__ = [
    "SUPERSEDED_SHARE",
    "Approach",
    "Ranked",
    "Signals",
    "Tie",
    "Weights",
    "approaches",
    "band",
    "band_by_rank",
    "decayed",
    "fuse",
    "keyword_score",
    "reasons",
    "relevance",
    "scores",
    "spread",
    "through_graph",
]

SUPERSEDED_SHARE: Final = 0.5
"""What a superseded node keeps of its score."""

HALF_LIFE_DAYS: Final = 90
_SHARE_LEAST: Final = 0.1
_FRESH: Final = timedelta(days=7)
_WORDS_SHOWN: Final = 6
_EXACT_BAND: Final = 0.1  # exact matches score in the top tenth of the scale, all others below
_FLAT: Final = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class Signals:
    """What is known of one candidate.

    ``cosine`` (raw, −1..1) ranks by meaning and ``similarity`` (calibrated) is shown; ``words_score`` is BM25 and
    ``words`` the terms found. None: not a candidate of that side. ``exact`` says what of the node the query named
    (``title``, ``alias``, ``id`` …; empty: nothing). ``graph`` is its share from :func:`spread` (0..1), beyond what it
    holds as a seed. ``companions`` are its neighbours in one session or document, best those up to two places away.
    ``grounds`` are further reasons.
    """

    id: str
    cosine: float | None = None
    similarity: float | None = None
    words_score: float | None = None
    words: tuple[str, ...] = ()
    exact: str = ""
    graph: float = 0.0
    companions: tuple[str, ...] = ()
    superseded: bool = False
    grounds: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """How much each side counts, in standard deviations of the fused scores.

    ``meaning`` and ``words`` weigh the two z-scores, ``graph`` the square root of a node's share, ``companions`` the
    best companion's score. Chosen on multi-hop questions (graph: 3 to 8 differ by less than two points of recall) and
    on conversations (companions: 0.3 to 0.7 likewise).
    """

    meaning: float = 0.5
    words: float = 0.5
    graph: float = 4.0
    companions: float = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """A candidate's place: ``score`` in 0..1 (0.9 and above: named exactly), ``why`` in sentences."""

    id: str
    score: float
    why: tuple[str, ...]


def fuse(candidates: Iterable[Signals], *, weights: Weights | None = None) -> tuple[Ranked, ...]:
    """Return the candidates in order, best first, each with its score and its reasons.

    Meaning and words are each put on the scale of their own standard deviations over the candidates (z-scores); a
    candidate that one side did not find gets that side's least. What the graph and the companions add comes on top, but
    lifts no candidate over the best direct hit. Candidates that the query names exactly come before all others.
    A superseded one keeps half its score. Equal scores are ordered by id.

    z-scores, since they were near the best on every collection tried and far above rank fusion where one side is weak.
    """
    held = {signals.id: signals for signals in candidates}
    weighed = _weighed(held, weights or Weights())
    order = sorted(weighed, key=lambda each: (-weighed[each], each))
    return tuple(Ranked(id=each, score=weighed[each], why=reasons(held[each])) for each in order)


def scores(
    ids: Sequence[str],
    *,
    cosines: Mapping[str, float],
    words: Mapping[str, float],
    graph: Mapping[str, float],
    named: Container[str],
    weights: Weights,
) -> dict[str, float]:
    """Return the score (0..1) of each of ``ids`` as :func:`fuse` gives it, from columns and without reasons.

    A search weighs a hundred candidates and shows ten; this is the part that it needs of all.
    """
    direct = _direct(ids, cosines, words, weights)
    best = max(direct.values(), default=0.0)
    lifted = {each: weights.graph * math.sqrt(max(share, 0.0)) for each, share in graph.items()}
    return {
        each: _score(max(own, min(own + lifted.get(each, 0.0), best)), exact=each in named)
        for each, own in direct.items()
    }


def _weighed(held: Mapping[str, Signals], weights: Weights) -> dict[str, float]:
    cosines = {each.id: each.cosine for each in held.values() if each.cosine is not None}
    words = {each.id: each.words_score for each in held.values() if each.words_score is not None}
    direct = _direct(list(held), cosines, words, weights)
    best = max(direct.values(), default=0.0)
    weighed = {}
    for signals in held.values():
        own = direct[signals.id]
        lift = weights.graph * math.sqrt(max(signals.graph, 0.0)) + _company(signals, direct, weights)
        kept = SUPERSEDED_SHARE if signals.superseded else 1.0
        weighed[signals.id] = _score(max(own, min(own + lift, best)), exact=bool(signals.exact), kept=kept)
    return weighed


def _direct(
    ids: Sequence[str], cosines: Mapping[str, float], words: Mapping[str, float], weights: Weights
) -> dict[str, float]:
    """Return what meaning and words say of each candidate; a side that found nothing has no say."""
    meant = _standardised([cosines.get(each) for each in ids])
    held = _standardised([words.get(each) for each in ids])
    return {
        each: weights.meaning * one + weights.words * other for each, one, other in zip(ids, meant, held, strict=True)
    }


def _standardised(values: Sequence[float | None]) -> list[float]:
    """Return the z-scores of ``values``, a missing one counted as the least; all 0 where nothing differs."""
    known = [value for value in values if value is not None]
    if not known:
        return [0.0] * len(values)
    least = min(known)
    filled = [least if value is None else value for value in values]
    mean = math.fsum(filled) / len(filled)
    deviation = math.sqrt(math.fsum((value - mean) ** 2 for value in filled) / len(filled))
    return [0.0] * len(values) if deviation < _FLAT else [(value - mean) / deviation for value in filled]


def _company(signals: Signals, direct: dict[str, float], weights: Weights) -> float:
    if not signals.companions:
        return 0.0
    best = max((direct[other] for other in signals.companions if other in direct), default=0.0)
    return weights.companions * max(best, 0.0)


def _score(fused: float, *, exact: bool, kept: float = 1.0) -> float:
    share = kept / (1.0 + math.exp(-fused / 2.0))
    return 1.0 - _EXACT_BAND + _EXACT_BAND * share if exact else (1.0 - _EXACT_BAND) * share


def reasons(signals: Signals) -> tuple[str, ...]:
    """Return what speaks for a candidate, a sentence each; of the words found, stop words only where all are."""
    why = []
    if signals.exact:
        why.append(f"{signals.exact} matches")
    if signals.similarity is not None:
        why.append(f"meaning: similarity {signals.similarity:.2f}")
    if signals.words:
        telling = [word for word in signals.words if word not in STOP_WORDS] or signals.words
        shown = ", ".join(telling[:_WORDS_SHOWN])
        why.append(f"words: {shown}" + (", …" if len(telling) > _WORDS_SHOWN else ""))
    why.extend(signals.grounds)
    if signals.superseded:
        why.append(f"superseded: its score counts {SUPERSEDED_SHARE:.0%}")
    return tuple(why)


def through_graph(approach: Approach, *, title: str) -> str:
    """Return the reason sentence of a node that the graph led to, from the seed of this ``title``."""
    steps = "1 step" if approach.steps == 1 else f"{approach.steps} steps"
    return f'graph: {steps} from "{title}"' + (f" through {approach.label}" if approach.label else "")


def keyword_score(node: Node, query_terms: Sequence[str], *, now: datetime) -> float:
    """Return the score of a node that holds the words of a query, about 0..2.

    0.5 × the share of the words that stand in the title, 0.1 for each place in the content where any of them stands (at
    most 0.5), 0.3 for each tag that holds one, 0.2 × confidence, and 0.1 where the node changed within seven days. For
    one word this is the project seed's formula.
    """
    wanted = frozenset(query_terms)
    title = wanted.intersection(terms(node.title))
    places = sum(term in wanted for term in terms(node.content))
    tags = sum(not wanted.isdisjoint(terms(tag)) for tag in node.tags)
    return (
        0.5 * len(title) / max(len(wanted), 1)
        + min(0.1 * places, 0.5)
        + 0.3 * tags
        + 0.2 * node.confidence
        + (0.1 if now - node.modified_at < _FRESH else 0.0)
    )


def decayed(importance: float, days_unused: float) -> float:
    """Return what is left of an ``importance`` (0..1) after ``days_unused``: half every 90 days, at least a tenth."""
    halvings = max(days_unused, 0.0) / HALF_LIFE_DAYS
    return importance * max(math.pow(2.0, -halvings), _SHARE_LEAST)
