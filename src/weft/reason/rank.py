"""Ranking: from what each way of searching says of a node to one order."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING, Final, NamedTuple

from weft.reason.late import known_of_most
from weft.text import terms

if TYPE_CHECKING:
    from collections.abc import Container, Mapping, Sequence
    from datetime import datetime

    from weft.model import Node

__all__ = [
    "EXACT_FROM",
    "SUPERSEDED_SHARE",
    "Findings",
    "Ranked",
    "Weights",
    "decayed",
    "fuse",
    "keyword_score",
]

SUPERSEDED_SHARE: Final = 0.5
"""What a superseded node keeps of its score."""

HALF_LIFE_DAYS: Final = 90
_SHARE_LEAST: Final = 0.1
_FRESH: Final = timedelta(days=7)
_EXACT_BAND: Final = 0.1
EXACT_FROM: Final = 1.0 - _EXACT_BAND
"""Scores from here on, the top tenth of the scale, are of nodes that the query names exactly; all others lie below."""

_FLAT: Final = 1e-9

_LACKING_MAX: Final = 5.0
"""How rare the words that a candidate lacks count at most, summed: a long question has many, and what holds them all
holds them by chance as often.

At 8 recall@10 of claims on the climate and of aerodynamics is half a point lower (``bench/quality --half choose``), at
4 three in a hundred of Bitcoin's proposals fewer come first by four of their words.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """How much each side counts, in standard deviations of the fused scores.

    ``meaning`` and ``words`` weigh the two z-scores, and ``late`` is the share (0..1) that the third takes of what the
    two come to; ``belonging`` weighs what comes before these where a text is asked for. ``resembling`` weighs how far a
    node is like the best, ``graph`` the square root of its share of what spreads, ``names`` what it holds of the names
    in the best hits' texts, and ``company`` the best score among its neighbours in one session. ``tied`` is what graph
    and names come to where they tie a node to one of the best for certain.
    """

    meaning: float = 0.5
    words: float = 0.5
    late: float = 0.0
    coverage: float = 0.3
    belonging: float = 0.5
    resembling: float = 2.0
    graph: float = 4.0
    names: float = 4.0
    company: float = 0.5
    tied: float = 4.0  # from two to four nothing differs that could be told (bench/hops.py; bench/quality, chosen on)


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """What is known of the candidates, column by column, by id; what is missing from a column says nothing.

    ``cosines`` (−1..1, not calibrated) rank by meaning, ``words`` are BM25 scores, ``late`` is from
    :func:`weft.reason.late.matched`, ``belonging`` from :func:`weft.reason.affinity.affinities`, for a query that is
    itself a text, and ``holding`` how much of that text a candidate holds (0..1), where it holds much. ``coverage`` is
    how rare the words of a query are that a candidate holds, summed, where a few hold all. ``resembling`` is a
    candidate's weight from :func:`weft.reason.resemblance.resembling` (0..1), ``graph`` its share from
    :func:`weft.reason.spread.spread` (0..1), beyond what it holds as a seed, ``names`` its weight from
    :func:`weft.reason.shared_names.shared` (0..1), ``adding`` how much more of the query it answers beside what leads
    to it, in deviations (:func:`weft.reason.late.added`), ``company`` its neighbours in one session, and ``named`` are
    those that the query names. ``measured`` are the candidates that the deviations are taken over (empty: all).
    """

    cosines: Mapping[str, float] = field(default_factory=dict)
    words: Mapping[str, float] = field(default_factory=dict)
    late: Mapping[str, float] = field(default_factory=dict)
    belonging: Mapping[str, float] = field(default_factory=dict)
    holding: Mapping[str, float] = field(default_factory=dict)
    coverage: Mapping[str, float] = field(default_factory=dict)
    resembling: Mapping[str, float] = field(default_factory=dict)
    graph: Mapping[str, float] = field(default_factory=dict)
    names: Mapping[str, float] = field(default_factory=dict)
    adding: Mapping[str, float] = field(default_factory=dict)
    company: Mapping[str, Sequence[str]] = field(default_factory=dict)
    named: Container[str] = ()
    measured: Sequence[str] = ()


class Ranked(NamedTuple):
    """A candidate's place: ``score`` in 0..1 (0.9 and above: named exactly), ``why`` in sentences.

    A tuple, since a search makes a hundred of them: a frozen dataclass takes four times as long to make.
    """

    id: str
    score: float
    why: tuple[str, ...]


def fuse(ids: Sequence[str], findings: Findings, weights: Weights) -> tuple[Ranked, ...]:
    """Return the candidates ``ids`` in order, best first, each with its score and without reasons.

    Meaning and words are each put on the scale of their own standard deviations (z-scores); a candidate that one side
    did not find gets that side's least. What likeness to the best, the graph, names and company add comes on top, but
    lifts no candidate over the best direct hit, nor over the best of those that hold all words where few do. Candidates
    that the query names exactly come before all others. Of equal scores the better direct one comes first, then the
    lower id.

    z-scores, since they were near the best on every collection tried and far above rank fusion where one side is weak.
    The deviations are those of the candidates that were found for themselves: those that the graph or a session bring
    in, as many as they may be, move nobody else.
    """
    direct = _direct(ids, findings, weights)
    best = max(direct.values(), default=0.0)
    together = _covering(findings)
    holding = [direct[each] for each in together if each in direct]
    most = dict.fromkeys(together, best)
    below = max(holding, default=best)
    lifted = {each: _lift(each, findings, weights, direct) for each in _helped(findings) if each in direct}
    scores = {
        each: _score(
            max(own, min(own + lifted[each], most.get(each, below))) if each in lifted else own,
            exact=each in findings.named,
        )
        for each, own in direct.items()
    }
    order = sorted([(-score, -direct[each], each) for each, score in scores.items()])
    return tuple(Ranked(each, -less, ()) for less, _, each in order)


def _helped(findings: Findings) -> dict[str, None]:
    """Return those that anything but meaning and words speaks for."""
    return dict.fromkeys((*findings.resembling, *findings.graph, *findings.names, *findings.company))


def _lift(each: str, findings: Findings, weights: Weights, direct: Mapping[str, float]) -> float:
    """Return what likeness to the best, the graph, names and company add to a candidate.

    As far as graph and names tie it to what leads to it, what it adds to that one's answer stands in for its own: to
    the question as a whole a second hop may say next to nothing.
    """
    tie = weights.graph * math.sqrt(max(findings.graph.get(each, 0.0), 0.0))
    tie += weights.names * findings.names.get(each, 0.0)
    beyond = findings.adding.get(each, direct[each]) - direct[each]
    lent = max((direct.get(other, 0.0) for other in findings.company.get(each, ())), default=0.0)
    return (
        weights.resembling * findings.resembling.get(each, 0.0)
        + tie
        + min(tie / weights.tied, 1.0) * max(beyond, 0.0)
        + weights.company * max(lent, 0.0)
    )


def _direct(ids: Sequence[str], findings: Findings, weights: Weights) -> dict[str, float]:
    """Return what meaning and words say of each candidate; a side that found nothing has no say."""
    meant = _standardised(ids, findings.cosines, findings.measured or ids)
    held = _standardised(ids, findings.words, findings.measured or ids)
    direct = {
        each: weights.meaning * one + weights.words * other for each, one, other in zip(ids, meant, held, strict=True)
    }
    compared = _covered(direct | _compared_late(direct, findings, weights), findings, weights)
    return _belonging_first(compared, findings, weights)


def _covered(direct: dict[str, float], findings: Findings, weights: Weights) -> dict[str, float]:
    """Return ``direct`` less what each lacks of the words of a query, by how rare those are, where one holds them all.

    Of what few hold, what holds all words is meant more often than not. Not always: «add a new vision provider» asks
    for the text on vision providers, whether it says «add» or not, and of long texts some other one holds all four.
    """
    together = _covering(findings)
    if together.isdisjoint(direct):
        return direct
    whole = max(findings.coverage.values())
    return {
        each: score - weights.coverage * min(whole - findings.coverage.get(each, 0.0), _LACKING_MAX)
        for each, score in direct.items()
    }


def _covering(findings: Findings) -> frozenset[str]:
    """Return those that hold all words of a query, where a few do."""
    whole = max(findings.coverage.values(), default=0.0)
    return frozenset(each for each, much in findings.coverage.items() if much == whole)


def _belonging_first(direct: dict[str, float], findings: Findings, weights: Weights) -> dict[str, float]:
    """Return ``direct`` with what is known to belong with a text before all else, by how far it does.

    Before that in turn comes what holds the text, by how much of it.
    """
    belonging = {each: weights.belonging * far for each, far in findings.belonging.items() if each in direct}
    most = max(belonging.values(), default=0.0)
    belonging |= {each: most + much for each, much in findings.holding.items() if each in direct}
    if not belonging:
        return direct
    best = max((score for each, score in direct.items() if each not in belonging), default=0.0)
    below = min(belonging.values()) - best - _FLAT
    return {each: belonging.get(each, score + below) for each, score in direct.items()}


def _compared_late(direct: Mapping[str, float], findings: Findings, weights: Weights) -> dict[str, float]:
    """Return what late interaction makes of ``direct``; nothing where it says nothing of most that were measured."""
    measured = findings.measured or tuple(direct)
    known = [each for each in measured if each in findings.late]
    if not known_of_most(known, measured):
        return {}
    told = [each for each in direct if each in findings.late]
    late = _standardised(told, findings.late, known)
    kept = 1.0 - weights.late
    return {each: kept * direct[each] + weights.late * one for each, one in zip(told, late, strict=True)}


def _standardised(ids: Sequence[str], values: Mapping[str, float], measured: Sequence[str]) -> list[float]:
    """Return how many deviations each of ``ids`` lies above the mean of ``measured``, a missing value as the least.

    All 0 where nothing differs.
    """
    known = [values[each] for each in measured if each in values]
    if not known:
        return [0.0] * len(ids)
    least = min(known)
    filled = [values.get(each, least) for each in measured]
    mean = math.fsum(filled) / len(filled)
    deviation = math.sqrt(math.fsum([(value - mean) ** 2 for value in filled]) / len(filled))
    if deviation < _FLAT:
        return [0.0] * len(ids)
    return [(values.get(each, least) - mean) / deviation for each in ids]


def _score(fused: float, *, exact: bool) -> float:
    share = 1.0 / (1.0 + math.exp(-fused / 2.0))
    return EXACT_FROM + _EXACT_BAND * share if exact else EXACT_FROM * share


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
