"""Names that two texts share: how a question's second hop is found where neither text is about the other.

*Who leads the county that Ashby lies in*: the note on Ashby says «Marlow County», and so does the note that answers.
No title is mentioned, and meaning and words of the question point elsewhere; the name that both hold joins them.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from weft.text import proper_names, root, roots

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Mapping, Sequence

__all__ = ["Shared", "is_name", "names_beyond", "shared"]

READ_MAX: Final = 4_000
"""Characters of a text that names are looked for in."""

_ALIKE: Final = 3  # letters that words of one root begin with
_HEADING: Final = re.compile(r"^#.*$", re.MULTILINE)
_INSIDE: Final = r"(?<=[\w,;)] )"
_WORD: Final = re.compile(r"\w+")
_WITHIN: Final = re.compile(rf"{_INSIDE}\w+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Shared:
    """What a node holds of the seeds' names: ``weight`` in 0..1, and the ``name`` that says most, of which ``seed``."""

    weight: float
    seed: str
    name: str


def names_beyond(query: Sequence[str], title: str, content: str) -> tuple[str, ...]:
    """Return the names in a node's title and text, each as it is first written, that ``query`` (terms) does not hold.

    What the question names itself is looked up by its words already.
    """
    asked = frozenset(map(root, query))
    return tuple(name for cut, name in _named(title, content[:READ_MAX]) if not asked.issuperset(cut))


@lru_cache(maxsize=1_024)
def _named(title: str, content: str) -> tuple[tuple[tuple[str, ...], str], ...]:
    first: dict[tuple[str, ...], str] = {}
    ordinary = _ordinary(title, content)
    # In quotes, for a title opens no sentence: its first word may well be a name.
    for name in (*proper_names(f"«{title}»"), *proper_names(content)):
        if (cut := roots(name)) and (name == title or not ordinary(name)):
            first.setdefault(cut, name)
    return tuple(first.items())


def _ordinary(*texts: str) -> Callable[[str], bool]:
    """Return what tells whether a word with a capital is an ordinary one in ``texts``, as :func:`is_name` does.

    For many words of one text at once. Of seven public sets none moves by more than 0.2 of recall@10 for leaving such
    words out; among a few notes «Root cause of the outage» had led to a note with «square root».
    """
    words = {word for text in texts for word in _WORD.findall(text)}
    lower = {root(word) for word in words if word[0].islower()}
    within = {word for text in texts for word in _WITHIN.findall(_HEADING.sub("", text)) if word[0].isupper()}

    def ordinary(name: str) -> bool:
        if " " in name or not name[1:].islower():
            return False
        return root(name.lower()) in lower or name not in within

    return ordinary


def is_name(name: str, *texts: str) -> bool:
    """Return whether ``name``, which is written with a capital in one of ``texts``, is no ordinary word there.

    A single word is one where another form of it stands in lower case, and where it opens every heading, item and
    sentence that it stands in. What leads from one text to another is told by that one alone, this by both.
    """
    if " " in name or not name[1:].islower():
        return True
    stem = root(name.lower())
    alike = re.compile(rf"\b{re.escape(name.lower()[:_ALIKE])}\w*")
    if any(root(word) == stem for text in texts for word in alike.findall(text)):
        return False
    inside = re.compile(rf"{_INSIDE}{re.escape(name)}\b")
    return any(inside.search(_HEADING.sub("", text)) for text in texts)


def shared(
    seeds: Mapping[str, float], holders: Mapping[str, Mapping[str, Sequence[str]]], known: Container[str]
) -> dict[str, Shared]:
    """Return what each holder of a seed's name is given by it, seeds included: what they hold of each other's names.

    ``holders`` are, by seed and by name, the nodes that hold it. A seed gives its share of the seeds' weight, by the
    most telling name: 1 over the square root of how many others hold it, and over how many of these were found without
    it (``known``), for a name that most candidates hold is what the question is about, and no news. The exponents are
    of a flat stretch (0.25 to 0.5, and 0.5 to 1) on seven public sets.
    """
    whole = math.fsum(seeds.values())
    weights: defaultdict[str, float] = defaultdict(float)
    best: dict[str, tuple[float, str, str]] = {}
    for seed, odds in seeds.items():
        for each, (telling, name) in _given(seed, holders.get(seed, {}), known).items():
            weights[each] += odds / whole * telling
            best[each] = max(best.get(each, (0.0, "", "")), (odds / whole * telling, seed, name))
    return {each: Shared(weight=weights[each], seed=seed, name=name) for each, (_, seed, name) in best.items()}


def _given(seed: str, holders: Mapping[str, Sequence[str]], known: Container[str]) -> dict[str, tuple[float, str]]:
    """Return the most telling name of ``seed`` that each other node holds, with how telling it is (0..1)."""
    given: dict[str, tuple[float, str]] = {}
    for name, holding in holders.items():
        others = [each for each in holding if each != seed]
        if others:
            telling = 1.0 / math.sqrt(len(others)) / max(1, sum(each in known for each in others))
            given |= {each: max(given.get(each, (0.0, "")), (telling, name)) for each in others}
    return given
