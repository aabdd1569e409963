"""The sentences of a text that bear on a claim: those that hold most of what is rare in it, where the text is nearest.

A judge, a network and a leaning read these, and no more of a text.
"""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple

from weft.reason.sentences import phrasing
from weft.text import Span, content_roots, fold
from weft.text.markup import blank_struck, without_marks, without_struck

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

__all__ = [
    "EXCERPT_MAX",
    "SENTENCES_MAX",
    "STRETCHES_MAX",
    "Sentence",
    "Stretch",
    "evidence",
    "excerpt",
    "quoted",
    "shares",
]

SENTENCES_MAX: Final = 3
"""Sentences of a text that are read.

More hold what settles a claim more often (3 in 50 % of documents, 5 in 62 %), and what else they hold misleads: the
network tells what a document says from what it rules out 76 times in a hundred by 3, and 74 by 5 or 6 (by hand, with
the claims of ``bench/quality/claims.jsonl`` on the half that is chosen on).
"""

STRETCHES_MAX: Final = 6
"""Stretches of a text that are read, the nearest: 5,400 characters at most."""

EXCERPT_MAX: Final = 400
"""Characters of a text that are shown beside a claim."""

_READ_MAX: Final = 5_400  # characters of a text whose stretches are not known
_MARKS_MAX: Final = 2 * (SENTENCES_MAX + 1)  # characters that the marks of what is left out take
_SENTENCE_MIN: Final = 12  # characters; what is shorter is a heading, a label or a bullet


class Stretch(NamedTuple):
    """``text[start:end]`` of a text, and how similar it is to the claim (0..1, calibrated)."""

    start: int
    end: int
    similarity: float


class Sentence(NamedTuple):
    """A sentence as it is read, without marks (:func:`weft.text.markup.without_marks`), and where it stands."""

    start: int
    end: int
    text: str


def evidence(claim: str, text: str, stretches: Sequence[Stretch] = ()) -> tuple[Sentence, ...]:
    """Return the three sentences of ``text`` that bear most on ``claim``, best first; none of a blank text.

    A sentence counts by the share of the claim that it holds, where a word weighs more the fewer sentences hold it
    (inverse document frequency, Robertson and Spärck Jones 1976, a sentence for a document), and by how similar the
    stretch is in which it begins; without ``stretches`` by its words alone. Of equals the later comes first, since
    texts conclude at their end. What is struck out is none of them, and wrapped lines are joined.
    """
    text = blank_struck(text)
    read = sorted(stretches, key=lambda each: -each.similarity)[:STRETCHES_MAX] or [Stretch(0, _READ_MAX, 0.0)]
    found = [_sentence(text, span) for span in _within(text, read)]
    said = [each for each in found if len(each.text) >= _SENTENCE_MIN]
    if not said:
        return (Sentence(0, len(text), text.strip()),) if text.strip() else ()
    held = shares(content_roots(claim), [content_roots(each.text) for each in said])
    worth = [share + _similarity(read, each.start) for share, each in zip(held, said, strict=True)]
    best = sorted(range(len(said)), key=lambda place: (-worth[place], -place))[:SENTENCES_MAX]
    return tuple(said[place] for place in best)


def shares(claim: Collection[str], sentences: Sequence[Collection[str]]) -> list[float]:
    """Return the share of a claim's words (their roots) that each sentence holds, the rare weighing more: 0..1."""
    found = Counter(word for words in sentences for word in set(words))
    weights = {word: math.log((len(sentences) + 1) / (found[word] + 0.5)) for word in set(claim)}
    whole = sum(weights.values()) or 1.0
    return [sum(weights[word] for word in weights.keys() & set(words)) / whole for words in sentences]


def quoted(sentences: Iterable[Sentence], title: str) -> str:
    """Return ``sentences``, which come best first, as one text in the order they stand in theirs, behind its ``title``.

    The title goes before it, unless it is said in them: many a sentence speaks of what it does not name. What is struck
    out of the title does not.
    """
    text = " ".join(each.text for each in sorted(sentences))
    named = without_struck(title).rstrip("…").strip()
    return text if not named or fold(named) in fold(text) else f"{named.rstrip('.')}. {text}"


def excerpt(sentences: Sequence[Sentence], content: str) -> str:
    """Return what of ``content`` is shown beside a claim: all of a short text, of a longer one its best ``sentences``.

    At most 400 characters, in the order they stand there; «…» stands for what is left out.
    """
    if len(content) <= EXCERPT_MAX:
        return content
    shown = [_cut(sentences[0], EXCERPT_MAX - _MARKS_MAX)]
    for sentence in sentences[1:]:
        if sum(len(each.text) for each in shown) + len(sentence.text) + _MARKS_MAX <= EXCERPT_MAX:
            shown.append(sentence)
    parts, last = [], 0
    for each in sorted(shown):
        parts += ["…" if content[last : each.start].strip() else "", each.text]
        last = each.end
    return " ".join(filter(None, (*parts, "…" if content[last:].strip() else "")))


def _cut(sentence: Sentence, longest: int) -> Sentence:
    """Return ``sentence`` with no more than so many characters; what is left of it ends before it does."""
    return (
        sentence if len(sentence.text) <= longest else Sentence(sentence.start, sentence.start, sentence.text[:longest])
    )


def _sentence(text: str, span: Span) -> Sentence:
    return Sentence(span.start, span.end, without_marks(text[span.start : span.end]))


def _within(text: str, read: Sequence[Stretch]) -> list[Span]:
    """Return the sentences of ``text`` that stand in these stretches; where two follow on one another, across both."""
    runs: list[tuple[int, int]] = []
    for start, end, _ in sorted(read):
        follows = bool(runs) and runs[-1][1] == start
        runs.append((runs.pop()[0] if follows else start, end))
    return [Span(start + span.start, start + span.end) for start, end in runs for span in phrasing(text[start:end])]


def _similarity(read: Iterable[Stretch], start: int) -> float:
    return next(each.similarity for each in read if each.start <= start < each.end)
