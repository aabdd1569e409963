"""The sentences of a text that bear on a claim: those that together hold most of what is rare in it.

A judge, a network and a leaning read these, and no more of a text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from weft.reason.coverage import by_meaning, by_roots
from weft.reason.section import denies, heading_over, sections
from weft.reason.sentences import phrasing
from weft.text import Span, content_roots, fold
from weft.text.markup import blank_struck, without_marks, without_struck

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import numpy.typing as npt

    from weft.model import Embedded

__all__ = [
    "EXCERPT_MAX",
    "SENTENCES_MAX",
    "STRETCHES_MAX",
    "Sentence",
    "Stretch",
    "evidence",
    "excerpt",
    "quoted",
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
_AGAIN: Final = 0.3  # what counts of that which a sentence holds and those before it hold too
_SAME_WORDS: Final = 0.2  # what the share of the claim's own words weighs, beside words that mean as much
_PLACE: Final = 0.1  # and how similar the stretch is; the three were chosen by what docs/explanation/judging.md tells


class Stretch(NamedTuple):
    """``text[start:end]`` of a text, how similar it is to the claim (0..1, calibrated), and what its words mean there.

    ``words`` has the vector of each word in lower case, as :class:`weft.model.Embedded` has them; None: not known.
    """

    start: int
    end: int
    similarity: float
    words: Mapping[str, npt.NDArray[np.int8]] | None = None


class Sentence(NamedTuple):
    """A sentence as it is read, without marks (:func:`weft.text.markup.without_marks`), and where it stands.

    Before it stands the ``heading`` that takes it back, if one does (:mod:`weft.reason.section`): «Rejected: …».
    """

    start: int
    end: int
    text: str
    heading: str = ""

    @property
    def bare(self) -> str:
        """The sentence without that heading."""
        return self.text.removeprefix(f"{self.heading}: ")

    @property
    def stated(self) -> str:
        """What rules may read: without the heading where the sentence says itself that something is not so."""
        return self.bare if denies(self.bare) else self.text


def evidence(
    claim: str, text: str, stretches: Sequence[Stretch] = (), asked: Embedded | None = None
) -> tuple[Sentence, ...]:
    """Return the three sentences of ``text`` that bear most on ``claim``, best first; none of a blank text.

    They are taken one after another, each for what of the claim it adds to those before it: many a claim is settled by
    two. With ``asked``, the claim word by word, and the words of the ``stretches``, a sentence holds a word of the
    claim as far as it has one that means as much; else where it has the word itself in any form. How similar the
    stretch is in which it begins counts a little. Of equals the later comes first, since texts conclude at their end.
    What is struck out is none of them, and wrapped lines are joined.
    """
    text = blank_struck(text)
    read = sorted(stretches, key=lambda each: -each.similarity)[:STRETCHES_MAX] or [Stretch(0, _READ_MAX, 0.0)]
    found = [_sentence(text, span) for span in _within(text, read)]
    said = [each for each in found if len(each.text) >= _SENTENCE_MIN]
    if not said:
        return (Sentence(0, len(text), text.strip()),) if text.strip() else ()
    best = _best(claim, said, [_where(read, each.start) for each in said], asked)
    within = sections(text)
    return tuple(_headed(said[place], heading_over(said[place].start, within)) for place in best)


def _best(claim: str, said: Sequence[Sentence], stretches: Sequence[Stretch], asked: Embedded | None) -> list[int]:
    """Return the places of the best sentences; there is a stretch for each, the one in which it begins."""
    texts = [each.text for each in said]
    same = by_roots(content_roots(claim), [content_roots(each) for each in texts])
    meant = by_meaning(asked, texts, [each.words for each in stretches]) if asked else None
    coverage = meant or same
    place = np.array([each.similarity for each in stretches])
    worth = _AGAIN * coverage.shares() + _SAME_WORDS * same.shares() + _PLACE * place
    return coverage.best(worth, SENTENCES_MAX)


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
    if len(sentence.text) <= longest:
        return sentence
    return sentence._replace(end=sentence.start, text=sentence.text[:longest])


def _sentence(text: str, span: Span) -> Sentence:
    return Sentence(span.start, span.end, without_marks(text[span.start : span.end]))


def _within(text: str, read: Sequence[Stretch]) -> list[Span]:
    """Return the sentences of ``text`` that stand in these stretches; where two follow on one another, across both."""
    runs: list[tuple[int, int]] = []
    for start, end in sorted((each.start, each.end) for each in read):
        follows = bool(runs) and runs[-1][1] == start
        runs.append((runs.pop()[0] if follows else start, end))
    return [Span(start + span.start, start + span.end) for start, end in runs for span in phrasing(text[start:end])]


def _headed(sentence: Sentence, heading: str) -> Sentence:
    return sentence._replace(text=f"{heading}: {sentence.text}", heading=heading) if heading else sentence


def _where(read: Iterable[Stretch], start: int) -> Stretch:
    return next(each for each in read if each.start <= start < each.end)
