"""What a query asks of full text: its words by their roots, and by their stems in languages of the graph's texts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from weft.store.question import Question
from weft.text import ENGLISH, MARKS, language, root, stemmed, terms

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator, Mapping

    from weft.model import WordHit

__all__ = ["joined", "questions"]

LANGUAGES_MAX: Final = 3


def questions(
    counted: Callable[[Iterable[str]], dict[str, int]],
    query: str,
    wanted: Mapping[str, str],
    left_out: Callable[[str], Container[str]],
) -> Iterator[Question]:
    """Yield the question of the ``wanted`` words of ``query`` by their roots, then one a language; English has no more.

    Asked are the language of the query, where the graph has texts in it, and those that it has most texts in, three at
    most. ``left_out`` are the terms that are not asked in a language, by its code. ``counted`` tells in how many
    passages roots and stems ever stood, and under the empty word the last passage.
    """
    spoken = language(query)
    marks = () if spoken == ENGLISH else MARKS
    counts = counted((*wanted, *marks))
    yield Question.of(wanted, counts)
    held = sorted(counts.keys() & set(marks), key=lambda mark: (MARKS[mark] != spoken, -counts[mark], mark))
    for mark in held[:LANGUAGES_MAX]:
        code, stems = MARKS[mark], stemmed(query, MARKS[mark])
        known, empty = counts | counted(stems.values()), left_out(code)
        words = _by_stem((term for term in terms(query) if term not in empty), stems, known)
        if any(each in known for each in words if each.startswith(mark)):
            yield Question.of(words, known, code=code)


def _by_stem(said: Iterable[str], stems: Mapping[str, str], counts: Mapping[str, int]) -> dict[str, str]:
    """Return terms by what more passages hold: their stems in a language, or their roots.

    A text in the language has both of a word as it stands there. So a word that more passages hold by its root is one
    of another language too, or a name, and it would count for more in the texts of this one than in all others.
    """
    words: dict[str, str] = {}
    for term in said:
        stem, plain = stems.get(term, ""), root(term)
        words.setdefault(stem if stem and counts.get(stem, 0) >= counts.get(plain, 0) else plain, term)
    return words


def joined(hit: WordHit, other: WordHit) -> WordHit:
    """Return one hit of a node that answers two questions: their scores together, and the place of the better one."""
    better, lesser = (hit, other) if hit.score > other.score else (other, hit)
    held = tuple(dict.fromkeys((*better.terms, *lesser.terms)))
    return better._replace(score=hit.score + other.score, terms=held)
