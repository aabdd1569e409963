"""One clause as the judge reads it: its words by root, what is denied in it, and the quantities it names.

Reading is linear in the clause and remembered for those read last: a claim is compared with many texts.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from weft.reason.lexicon import (
    CHOOSING,
    DENIALS,
    FUNCTION_WORDS,
    HEDGES,
    IRREGULAR,
    LIGHT_PREDICATES,
    LIGHT_WORDS,
    NEGATIVE_IN,
    NOUN_DENIALS,
    PARTIAL_DENIALS,
    PHRASES,
    PRONOUNS,
)
from weft.reason.quantity import Quantity, naming, quantities
from weft.reason.section import is_taken_back
from weft.text import stem
from weft.text.punctuation import ASKING
from weft.text.scripts import PACKED, letter

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Clause", "Denial", "Word", "read", "root"]

SCOPE_MAX: Final = 8  # content words that a denial reaches over
_REACH_MAX: Final = 40  # words, of whatever kind, in which what a denial takes in is looked for
_SHORTEST_TURNED: Final = 6  # letters of a word that may begin with un- or non-, or end in -less


class Word(NamedTuple):
    """A word at ``place`` (tokens from 0): its ``root``, its form as read, and whether it carries subject matter."""

    root: str
    form: str
    place: int
    content: bool


class Denial(NamedTuple):
    """A word of denial, at ``place`` in its clause, and the roots it reaches.

    ``partial``: it denies only in part, or only that something is known («not all», «no evidence»). ``noun``: it denies
    a thing within the statement, not the statement («without a lock»).
    """

    cue: str
    reach: frozenset[str]
    partial: bool = False
    noun: bool = False
    place: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """A clause: its words in order, the roots of its content, denials, quantities, and whether it hedges or asks.

    ``turned`` pairs the root of a word that a prefix or an ending turned round with the root it denies: (unsafe, safe),
    (stateless, stateful). ``able``: it says what can be, not what is. ``pronoun``: it begins with one.
    """

    words: tuple[Word, ...]
    content: frozenset[str]
    turned: tuple[tuple[str, str], ...]
    denials: tuple[Denial, ...]
    quantities: tuple[Quantity, ...]
    hedged: bool
    able: bool
    asks: bool
    pronoun: bool


# ---- roots

_VOWEL: Final = re.compile("[aeiouy]")
_KEEP_LY: Final = frozenset({"apply", "supply", "reply", "rely", "multiply", "family", "assembly", "anomaly", "only"})
_KEEP: Final = frozenset({"department", "apartment"})
_SHORTEST: Final = 3


@lru_cache(maxsize=65_536)
def root(word: str) -> str:
    """Return what the inflected forms of a case-folded ``word`` share: processes, processed, processing → proces.

    Stronger than :func:`weft.text.stem`, since here two short texts are compared and not a whole graph searched.
    """
    word = IRREGULAR.get(word, word)
    if len(word) <= _SHORTEST or not word.isascii():
        return word
    word = stem(word)
    word = IRREGULAR.get(word, word)
    if word.endswith("ly") and word not in _KEEP_LY and len(word) > _SHORTEST + 2:
        word = word[:-2]
    for ending in ("ing", "ed"):
        rest = word.removesuffix(ending)
        if rest != word and len(rest) >= _SHORTEST and _VOWEL.search(rest) and not word.endswith("eed"):
            word = rest
            break
    for ending in ("ment", "ness", "ity", "ance", "ence", "ion"):
        rest = word.removesuffix(ending)
        if rest != word and len(rest) > _SHORTEST and word not in _KEEP:
            word = rest
            break
    if word[-1] == word[-2]:
        word = word[:-1]
    word = word.removesuffix("e")
    return word[:-1] + "i" if word.endswith("y") else word


# ---- reading

_PLAIN: Final = {
    **dict.fromkeys((0x2018, 0x2019, 0x02BC), "'"),
    **dict.fromkeys(range(0x2010, 0x2016), "-"),
    **dict.fromkeys(map(ord, '`*"“”«»[]{}|#'), " "),
    0xB2: "2",
    0xB3: "3",
}


def _by_first_word(phrases: Mapping[str, str]) -> dict[str, tuple[tuple[tuple[str, ...], str], ...]]:
    """Return phrases under their first word, as (their words, what they are read as), longest first."""
    table: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    for phrase in sorted(phrases, key=len, reverse=True):
        words = tuple(phrase.split())
        table.setdefault(words[0], []).append((words, phrases[phrase]))
    return {first: tuple(rows) for first, rows in table.items()}


_CEASING: Final = re.compile(  # «has stopped taking it» is «does not take it»
    r"\b(?:(?:has|have|had) )?(?:stop(?:ped|s)?|quit|ceased?|gave up|given up|gives up) (?=[a-z]{2,}ing\b)"
)
_ORDER: Final = re.compile(r"\bo\(\s*([a-z0-9!^*·\s]{1,20})\)")
_PHRASES: Final[Mapping[str, tuple[tuple[tuple[str, ...], str], ...]]] = _by_first_word(PHRASES)
_ASCII_TOKEN: Final = re.compile(r"o\([a-z0-9!]+\)|\d[\d.,]*\d|\w+(?:'\w+)?|[,;:!?()]")
_NEAR_ONLY: Final = {"insteadof": 3, "over": 3, "without": 2, "non": 1, "nor": 4}
_STOPS: Final = frozenset({",", ";", ":", "(", ")", "!", "?", "because", "if", "unless", "insteadof", "nor"})
_AND_NEW: Final = frozenset(
    {"a", "an", "the", "there", "some", "is", "are", "was", "were", "has", "have", "does", "do"}
)
_RELATIVES: Final = frozenset({"that", "which", "who", "whose", "where"})
_DENIES: Final = DENIALS | {"over"}
_NO_CONTENT: Final = FUNCTION_WORDS | LIGHT_WORDS | HEDGES | DENIALS


@lru_cache(maxsize=8192)
def read(text: str) -> Clause:
    """Return ``text`` (a clause or a whole sentence) as the judge reads it."""
    plain = naming(text.translate(_PLAIN)).casefold()
    if "ing" in plain:
        plain = _CEASING.sub("not ", plain)
    if "o(" in plain:
        plain = _ORDER.sub(lambda found: "o(" + re.sub(r"[\s^*·]", "", found.group(1)) + ")", plain)
    named, plain = quantities(plain)
    words = tuple(
        Word(base, form, place, content)
        for place, (base, form, content, _) in enumerate(map(_known, _phrased(_tokens(plain))))
    )
    forms = frozenset(word.form for word in words)
    return Clause(
        words=words,
        content=frozenset(word.root for word in words if word.content),
        turned=tuple((word.root, base) for word in words if word.content and (base := _known(word.form)[3])),
        denials=tuple(_denial(words, word) for word in words if word.form in _DENIES and _is_cue(words, word)),
        quantities=named,
        hedged=not forms.isdisjoint(HEDGES) or plain.lstrip().startswith("when") or is_taken_back(text),
        able="can" in forms or "cannot" in forms,
        asks=not ASKING.isdisjoint(text),
        pronoun=bool(words) and words[0].form in PRONOUNS,
    )


def _tokens(plain: str) -> list[str]:
    return (_ASCII_TOKEN if plain.isascii() else _any_token()).findall(plain)


@lru_cache(maxsize=1)
def _any_token() -> re.Pattern[str]:
    """Return the pattern of a token in any script: a word keeps its marks, as the vowels of Hindi."""
    word = f"(?:{letter()}|[{PACKED}])+"
    return re.compile(_ASCII_TOKEN.pattern.replace(r"\w+", word))


def _phrased(tokens: list[str]) -> list[str]:
    """Return ``tokens`` with what is said in several words read as one."""
    found: list[str] = []
    place = 0
    while place < len(tokens):
        for phrase, meaning in _PHRASES.get(tokens[place], ()):
            if tuple(tokens[place : place + len(phrase)]) == phrase:
                found += [meaning] if meaning else []
                place += len(phrase)
                break
        else:
            found.append(tokens[place])
            place += 1
    return found


@lru_cache(maxsize=65_536)
def _known(token: str) -> tuple[str, str, bool, str]:
    """Return a token's root, its form, whether it carries subject matter, and the root of what it turns round."""
    form = token
    if "'" in token:
        head, _, tail = token.partition("'")
        form = "not" if tail == "t" else head
    form = form.strip("_") or form
    content = form not in _NO_CONTENT and form[0].isalnum()
    base = _base(form) if content else ""
    return root(form), form, content, root(base) if base else ""


def _base(form: str) -> str:
    """Return the word that ``form`` denies by its prefix or its ending, or nothing."""
    if form in NEGATIVE_IN:
        return form[3:] if form.startswith("dis") else form[2:]
    if len(form) >= _SHORTEST_TURNED:
        if form.startswith("un"):
            return form[2:]
        if form.startswith("non"):
            return form[3:]
        if form.endswith("less"):
            return form[:-4] + "ful"
    return ""


def _is_cue(words: tuple[Word, ...], word: Word) -> bool:
    before = words[max(0, word.place - _REACH_MAX) : word.place]
    return word.form != "over" or any(each.form in CHOOSING for each in before)


def _denial(words: tuple[Word, ...], cue: Word) -> Denial:
    limit = _NEAR_ONLY.get(cue.form, SCOPE_MAX)
    reached: list[str] = []
    light: list[str] = []
    for word in words[cue.place + 1 : cue.place + 1 + _REACH_MAX]:
        if len(reached) >= limit or (word.form in _STOPS and not _lists_on(words, word)):
            break
        if word.form == "and" and any(each.form in _AND_NEW for each in words[word.place + 1 : word.place + 2]):
            break
        if word.content:
            reached.append(word.root)
        elif word.form in LIGHT_PREDICATES:
            light.append(word.root)
    relative = any(word.form in _RELATIVES for word in words[max(0, cue.place - 3) : cue.place])
    noun = relative or cue.form in NOUN_DENIALS
    return Denial(cue.form, frozenset(reached or light[:1]), cue.form in PARTIAL_DENIALS, noun, cue.place)


def _lists_on(words: tuple[Word, ...], stop: Word) -> bool:
    """Whether a comma only parts the items of a list («no locks, queues or threads»)."""
    return stop.form == "," and any(word.form == "or" for word in words[stop.place + 1 : stop.place + 1 + SCOPE_MAX])
