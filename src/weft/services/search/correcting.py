"""Misspelt words of a query: what no text holds and nobody knows for a word is read as what lies one slip away."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from weft.model import Filter
from weft.services.search.quoting import QUOTED
from weft.text import MARKS, bare, edits, fold, root, stems, terms
from weft.text.jargon import is_jargon, is_joined

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from weft.model import WordHit
    from weft.ports import Embedder, Store, Words

__all__ = ["Corrected", "Correcting"]

LETTERS_MIN: Final = 5
"""Letters of a word that is corrected. Of shorter ones nearly everything is one slip away from something else: with
four, misspelt questions gain nothing that could be told from chance, and «wahr» becomes «war»."""

UNKNOWN_MAX: Final = 4
"""Words that nobody knows, in a query of slips. One of more is in another language, or was not typed by hand."""

_LETTERS_MAX: Final = 24
_ENDING_MAX: Final = 2  # letters that a form may have more than its stem: «herrring» is none of «herr»
_TRIED_MAX: Final = 8  # names that are looked for in texts
_READ_MAX: Final = 5  # texts that one is looked for in: the first may hold another form of it

# Letters alone, between spaces and punctuation: no part of a number, a path, an address or an identifier.
_WORD: Final = re.compile(rf"(?<![\w.@/#+:\\-])[^\W\d_]{{{LETTERS_MIN},{_LETTERS_MAX}}}(?![\w@/#+\\]|[.:-]\w)")
_WRITTEN: Final = re.compile(r"[^\W_]+")
_KEPT: Final = re.compile(f"{QUOTED.pattern}|`[^`]*`")  # quotes, and code


class Corrected(NamedTuple):
    """A query as it is searched for, and what to tell of it: empty where it is the one that was asked."""

    query: str
    warning: str = ""


class Correcting:
    """Reads misspelt words as words of the graph. A query of known words costs one look-up."""

    def __init__(self, *, store: Store, words: Words, embedder: Embedder) -> None:
        self._store = store
        self._words = words
        self._embedder = embedder

    def corrected(self, query: str) -> Corrected:
        """Return ``query`` with each misspelt word in place of which a text holds another, and what was changed.

        Misspelt is a word of five letters or more that no text ever held, in no form, and that is no word that the
        embedding model knows, nor two of them in one, nor one of the trade. It is read as a word one edit away: the
        most common of those that the model knows and of which texts hold a form, else the most common that a text holds
        letter by letter. One with a capital is taken for a name, and no name for a word that the model knows: «Redis»
        is not «Reds». What stands in quotes stays as it is.
        """
        plain = _plain(query)
        unknown = self._unknown(plain)
        if not 0 < len(unknown) <= UNKNOWN_MAX:
            return Corrected(query)
        said = {word: near for word in unknown if (near := self._nearest(word))}
        if not said:
            return Corrected(query)
        return Corrected(_WORD.sub(lambda found: said.get(found[0], found[0]), query), _told(said))

    def _unknown(self, plain: Mapping[str, str]) -> list[str]:
        """Return the words that no text holds and that are none; ``plain`` are their terms."""
        held = self._words.counts([root(term) for term in plain.values()]) if plain else {}
        unknown = [word for word, term in plain.items() if root(term) not in held and not self._is_word(term)]
        return [word for word in unknown if not self._is_foreign(word)]

    def _is_foreign(self, word: str) -> bool:
        """Return whether ``word`` is a function word of a language that texts are in, or one of them holds a form."""
        found = [stems(word, MARKS[mark]) for mark in self._words.counts([*MARKS])]
        return not all(found) or bool(self._words.counts([stem for some in found for stem in some]))

    def _nearest(self, word: str) -> str:
        """Return the likeliest of the words one edit away, its case kept; empty: texts hold none of them."""
        near = self._held(edits(fold(word)))
        words = [each for each in near if self._embedder.has_word(each)]
        if word[0].isupper():
            return self._written([each for each in near if each not in words]).capitalize()
        return next(iter(words), "") or self._written(near)

    def _held(self, words: Sequence[str]) -> list[str]:
        """Return those of ``words`` of which texts ever held a form, the most common first."""
        roots_of = {each: root(each) for each in words}
        held = self._words.counts(list(set(roots_of.values())))
        known = [each for each in words if roots_of[each] in held]
        return sorted(known, key=lambda each: held[roots_of[each]], reverse=True)

    def _written(self, near: Sequence[str]) -> str:
        """Return the first of ``near``, none of which the model knows, that a text holds in its form, else none."""
        for each in near[:_TRIED_MAX]:
            hits = self._words.search(each, filter=Filter(), limit=_READ_MAX)
            if any(bare(each) in self._said(hit) for hit in hits):
                return each
        return ""

    def _said(self, hit: WordHit) -> set[str]:
        """Return the words of the passage that was found, and of its node's names, but for case and accents.

        As they stand there: an ending cut off, or put on, makes words that nobody wrote (*allergic*: *allergics*).
        """
        node = self._store.nodes((hit.node,)).get(hit.node)
        texts = (node.title, *node.aliases, *node.tags, node.content[hit.start : hit.end]) if node else ()
        return {word for text in texts for word in _WRITTEN.findall(bare(text.casefold()))}

    def _is_word(self, term: str) -> bool:
        return is_jargon(term) or self._is_english(term) or is_joined(term, self._is_english)

    def _is_english(self, term: str) -> bool:
        stem = root(term)
        inflected = len(term) - len(stem) <= _ENDING_MAX and self._embedder.has_word(stem)
        return inflected or self._embedder.has_word(term)


def _plain(query: str) -> dict[str, str]:
    """Return the terms of the words of ``query`` that may be misspelt, by how they stand there."""
    quoted = {word for part in _KEPT.findall(query) for word in _WORD.findall(part[1:-1])}
    found = dict.fromkeys(word for word in _WORD.findall(query) if word not in quoted and word[1:] == word[1:].lower())
    cut = {word: terms(word) for word in found}
    return {word: said[0] for word, said in cut.items() if len(said) == 1}


def _told(said: Mapping[str, str]) -> str:
    asked, read = _listed(said, "or"), _listed(said.values(), "and")
    return f"No text holds {asked}: read as {read}. Put a word in quotes to search for it as it stands."


def _listed(words: Iterable[str], joint: str) -> str:
    *first, last = (f"«{word}»" for word in words)
    return f"{', '.join(first)} {joint} {last}" if first else last
