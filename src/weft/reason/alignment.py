"""Two texts laid beside each other word by word: what stands on one side only, and what was put for something else."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from weft.reason.lexicon import ARTICLES
from weft.reason.synonyms import are_synonyms

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from weft.reason.clause import Word

__all__ = ["Alignment", "align", "in_order"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Alignment:
    """How two texts differ, word by word; articles are left out, and words told more often on one side count there.

    ``synonyms`` is how many words of the one have a synonym in the other; for what follows they are one word. ``added``
    is how many words of subject matter stand on one side only, the lesser and the greater number of the two sides.
    ``replaced``: in some place words of one side stand where the other has others, at least one of them of subject
    matter. ``ends_alike``: the last word of both is the same.
    """

    synonyms: int
    added: tuple[int, int]
    replaced: bool
    ends_alike: bool


def align(one: Sequence[Word], other: Sequence[Word]) -> Alignment:
    """Return how the words of two texts differ. To be asked of short texts: it compares each word with each."""
    mine, yours = _said(one), _said(other)
    matter = {word.root for word in (*mine, *yours) if word.content}
    here, there = [word.root for word in mine], [word.root for word in yours]
    named = _synonyms(_apart(here, there), _apart(there, here), matter)
    there = [named.get(root, root) for root in there]
    left, gained = Counter(_apart(here, there)), Counter(_apart(there, here))
    counts = sorted(sum(count for root, count in each.items() if root in matter) for each in (left, gained))
    return Alignment(
        synonyms=len(named),
        added=(counts[0], counts[1]),
        replaced=any(
            not matter.isdisjoint((*old, *new))
            for old, new in ((left.keys() & set(out), gained.keys() & set(put)) for out, put in _places(here, there))
            if old and new
        ),
        ends_alike=here[-1:] == there[-1:],
    )


def in_order(one: Sequence[str], other: Sequence[str]) -> float:
    """Return the share (0..1) of the words of both that stand in the same order in them: the longest rising run."""
    places: dict[str, int] = {}
    for place, word in enumerate(other):
        places.setdefault(word, place)
    shared = [word for word in dict.fromkeys(one) if word in places]
    rising: list[int] = []
    for word in shared:
        at = bisect_left(rising, places[word])
        rising[at : at + 1] = [places[word]]
    return len(rising) / max(1, len(shared))


def _said(words: Sequence[Word]) -> list[Word]:
    return [word for word in words if word.form[0].isalnum() and word.form not in ARTICLES]


def _apart(here: Sequence[str], there: Sequence[str]) -> list[str]:
    """Return what ``here`` holds more often than ``there``."""
    return list((Counter(here) - Counter(there)).elements())


def _synonyms(mine: Sequence[str], yours: Sequence[str], matter: AbstractSet[str]) -> Mapping[str, str]:
    """Return a word of ``mine`` for each of ``yours`` that has a synonym there; none stands for two."""
    found: dict[str, str] = {}
    for root in dict.fromkeys(yours):
        for candidate in mine:
            if {root, candidate} <= matter and candidate not in found.values() and are_synonyms(candidate, root):
                found[root] = candidate
                break
    return found


def _places(here: list[str], there: list[str]) -> list[tuple[list[str], list[str]]]:
    """Return what stands in each place where one text has words for others of the other text."""
    edits = SequenceMatcher(None, here, there, autojunk=False).get_opcodes()
    return [(here[i1:i2], there[j1:j2]) for tag, i1, i2, j1, j2 in edits if tag == "replace"]
