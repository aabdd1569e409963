"""Which way a text leans that no judge decided on: signs in its wording, weighed. It orders what is left to be judged.

The signs are how near a text is and how much of the claim it holds, whether one of the two denies or turns round what
the other says, and whether the embedder finds the text nearer to the claim's opposite than to the claim. Their weights
are learned (``scripts/train_leaning.py``), from sets whose licence allows it; what the claim alone looks like is no
sign, since people who write claims to be refuted give themselves away by it. A leaning is no verdict.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

from weft.model import Leaning
from weft.reason.clash import clashes, unfolded
from weft.reason.clause import read, root
from weft.reason.evidence import SENTENCES_MAX
from weft.reason.leaning_weights import INTERCEPTS, LIKELY_MIN, SCALES, WEIGHTS
from weft.reason.opposites import FALLING, LEVEL, RISING, TURNED

if TYPE_CHECKING:
    from collections.abc import Mapping

    from weft.reason.clause import Clause

__all__ = ["Beside", "features", "lean", "opposite"]

ODDS_MIN: Final = 0.0025  # chances from which there is no telling which is the surer
NEAR_WORDS: Final = 6  # words between one that both share and one that points up or down

_AUXILIARY: Final = re.compile(
    r"\b(?:is|are|was|were|can|could|will|would|should|must|may|might|has|have|had|does|do|did)\b(?! not)",
    re.IGNORECASE,
)
_SIGNS: Final = ("denied", "opposed", "pointing", "pole", "odd")
_OF_CLOSEST: Final = _SIGNS
_OF_ANY: Final = (*_SIGNS, "level")


@dataclass(frozen=True, slots=True, kw_only=True)
class Beside:
    """A text beside a claim.

    ``sentences`` are those that bear most on the claim (:func:`weft.reason.evidence.evidence`), at least one, best
    first. ``similarity`` (0..1, calibrated) is
    that of the text, ``lead`` how far it lies behind the nearest of all texts (0 or less). ``cosine`` is that of the
    first sentence and the claim, ``turned`` by how much it is nearer to the claim's opposite (:func:`opposite`).
    ``chances`` are those that the text rules the claim out, says it, or does neither (:class:`weft.ports.Entailment`).
    """

    sentences: tuple[str, ...]
    similarity: float
    lead: float
    cosine: float
    turned: float
    chances: tuple[float, float, float]


def lean(claim: str, beside: Beside) -> Leaning:
    """Return which way the text leans: a multinomial logistic regression over :func:`features`."""
    signs = features(claim, beside)
    scaled = {name: (signs[name] - mean) / spread for name, (mean, spread) in SCALES.items()}
    odds = {
        side: math.exp(INTERCEPTS[side] + sum(weight * scaled[name] for name, weight in row.items()))
        for side, row in WEIGHTS.items()
    }
    conflicts, supports = (odds[side] / (1.0 + sum(odds.values())) for side in ("conflicts", "supports"))
    return Leaning(conflicts=round(conflicts, 4), supports=round(supports, 4), likely_from=LIKELY_MIN)


def opposite(claim: str) -> str:
    """Return ``claim`` turned round as well as can be done blindly, for the embedder to compare with.

    Its first denial is dropped; else its first word with a known opposite is replaced; else it is denied.
    """
    words = claim.split()
    for place, word in enumerate(words):
        if word.lower().strip(".,") in {"not", "no", "never"}:
            return " ".join((*words[:place], *words[place + 1 :]))
    for place, word in enumerate(words):
        if other := _turned_words().get(word.lower().strip(".,")):
            return " ".join((*words[:place], other, *words[place + 1 :]))
    if found := _AUXILIARY.search(claim):
        return f"{claim[: found.end()]} not{claim[found.end() :]}"
    return f"It is not true that {claim[:1].lower()}{claim[1:]}"


def features(claim: str, beside: Beside) -> dict[str, float]:
    """Return the signs by name, before they are scaled; all are finite."""
    mine = read(claim)
    heard = [_heard(mine, read(sentence)) for sentence in beside.sentences[:SENTENCES_MAX]]
    first = heard[0]
    whole = frozenset[str]().union(*(each.text.content for each in heard))
    found = {
        "similarity": beside.similarity,
        "lead": beside.lead,
        "first": float(beside.lead >= 0.0),
        "cosine": beside.cosine,
        "turned": beside.turned,
        "turned_held": beside.turned * first.held,
        "held": len(mine.content & whole) / max(1, len(mine.content)),
        "held_once": max(each.held for each in heard),
        "shared": max(each.shared for each in heard),
        "length": math.log1p(len(first.text.content)),
        "hedged": float(first.text.hedged),
        "ruled_out": _odds(beside.chances, 0),
        "entailed": _odds(beside.chances, 1),
    }
    found |= {name: first.signs[name] * first.held for name in _OF_CLOSEST}
    return found | {f"any_{name}": max(each.signs[name] * each.held**2 for each in heard) for name in _OF_ANY}


def _odds(chances: tuple[float, float, float], side: int) -> float:
    """Return the logarithm of a side's chance beside that of neither; what is surer than 1 in 400 is no surer here."""
    return math.log(max(chances[side], ODDS_MIN) / max(chances[2], ODDS_MIN))


# ---- one sentence


class _Heard(NamedTuple):
    """A sentence beside a claim: the share of the claim's content it holds, that of both that is shared, and signs."""

    text: Clause
    held: float
    shared: float
    signs: Mapping[str, float]


def _heard(claim: Clause, text: Clause) -> _Heard:
    mine, yours = unfolded(claim, text), unfolded(text, claim)
    both = mine.content & yours.content
    found = clashes(mine, yours)
    pointing = _points(mine) * _points(yours, near=both)
    signs = {
        "denied": float(bool(mine.denials) != bool(yours.denials)),
        "opposed": float(pointing < 0),
        "pointing": float(pointing > 0),
        "pole": float(sum(each.kind == "pole" and each.sure for each in found)),
        "odd": float(len(found) % 2),
        "level": float(_is_level(mine) != _is_level(yours)),
    }
    held = len(both) / max(1, len(mine.content))
    return _Heard(text=text, held=held, shared=len(both) / max(1, len(mine.content | yours.content)), signs=signs)


def _points(clause: Clause, *, near: frozenset[str] | None = None) -> int:
    """Return whether a clause points up (1), down (-1) or neither, by its words at large or by those near some."""
    rising, falling, _ = _directions()
    places = [word.place for word in clause.words if near and word.root in near]
    sums = 0
    for word in clause.words:
        if near is None or any(abs(word.place - place) <= NEAR_WORDS for place in places):
            sums += (word.root in rising) - (word.root in falling)
    return (sums > 0) - (sums < 0)


def _is_level(clause: Clause) -> bool:
    level = _directions()[2]
    return any(word.root in level for word in clause.words)


@cache
def _directions() -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    rising, falling, level = (frozenset(map(root, words.split())) for words in (RISING, FALLING, LEVEL))
    return rising, falling, level


@cache
def _turned_words() -> dict[str, str]:
    pairs = [pair.split(":") for pair in TURNED.split()]
    return {second: first for first, second in reversed(pairs)} | dict(pairs)
