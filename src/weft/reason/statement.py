"""What in a text states something that could be right or wrong: its sentences, and the clauses of a sentence."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Final

from weft.reason.clause import Clause, read
from weft.reason.foreign import is_anaphoric
from weft.reason.section import denies, stretches
from weft.reason.sentences import sentences
from weft.text.markup import without_struck
from weft.text.punctuation import CLOSING, STOPS

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["clauses", "stands_alone", "statements"]

STATEMENT_MAX: Final = 600  # characters of a sentence that are read
STATEMENTS_MAX: Final = 60  # sentences of a text that are read
BLOCKS_MAX: Final = STATEMENTS_MAX + 1  # paragraphs, lines and items of a text that are looked at
READ_MAX: Final = STATEMENT_MAX * STATEMENTS_MAX  # characters of a text that are looked at
CLAUSES_MAX: Final = 4  # clauses of a sentence that are read

_FENCED: Final = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)", re.DOTALL)
_BLOCK: Final = re.compile(r"\n\s*\n|\n(?=[ \t]*(?:[-*+>|#]|\d+[.)])\s)")
_WORD: Final = re.compile(r"\w")
_MARKER: Final = re.compile(r"^[-*+>]\s+")
_CODE: Final = re.compile(r">>>|[{}]|\^\^\^|---|===|\S {3,}\S")
_STATEMENT: Final = re.compile(rf"^(?!\d+[.)]\s)[^#|=].*[.!?{STOPS}][\"'\u201c\]*_{CLOSING}]*$", re.DOTALL)

_AUXILIARY: Final = (
    "is|are|was|were|has|have|had|does|do|did|can|cannot|could|will|would|may|might|must|should|never|not"
)
_JOINT: Final = re.compile(
    r";\s+|,?\s+(?:but|while|whereas|although|though|however)\s+|,\s+(?:and|so|because|yet)\s+"
    rf"|\s+and\s+(?=(?:there|it|he|she|they|this|that|{_AUXILIARY})\b)"
)
_SUBJECT: Final = re.compile(rf"^(.{{1,80}}?)\s+(?:{_AUXILIARY})\b", re.IGNORECASE)
_PRONOUN: Final = re.compile(r"^(?:it|they|he|she|this|these|that|those)\b\s*", re.IGNORECASE)
_AUXILIARY_FIRST: Final = re.compile(rf"^(?:{_AUXILIARY})\b", re.IGNORECASE)


@lru_cache(maxsize=2048)
def statements(text: str) -> tuple[str, ...]:
    """Return the first 60 sentences of ``text``, each clipped to 600 characters; wrapped lines are joined.

    Of a text with several paragraphs, lines or list items only those that end like a sentence are returned: headings,
    tables, code and steps state nothing that could be right or wrong. Nor does what is struck out, anywhere, and what
    stands under a heading that takes it back (:mod:`weft.reason.section`), unless it denies something itself.
    """
    prose = without_struck(_FENCED.sub("\n\n", text[:READ_MAX]))
    blocks = [(block, back) for part, back in stretches(prose) for block in _blocks(part)][:BLOCKS_MAX]
    if len(blocks) > 1:
        blocks = [each for each in blocks if _STATEMENT.match(each[0])]
    found = (sentence for block, back in blocks for sentence in _sentences(block) if not back or denies(sentence))
    return tuple(islice(found, STATEMENTS_MAX))


def _blocks(prose: str) -> Iterator[str]:
    """Yield the paragraphs, lines and list items that are no code, in one line each and without their marks."""
    for block in _BLOCK.split(prose, maxsplit=BLOCKS_MAX - 1):
        if _WORD.search(block) and not _CODE.search(block):
            yield _MARKER.sub("", " ".join(block.split()))


def _sentences(block: str) -> Iterator[str]:
    for span in sentences(block, 0, end=len(block)):
        yield block[span.start : min(span.end, span.start + STATEMENT_MAX)]


def stands_alone(statement: str) -> bool:
    """Whether ``statement`` can be read without those before it: it begins with no «it», «они» or «これ»."""
    return not _PRONOUN.match(statement) and not is_anaphoric(statement)


@lru_cache(maxsize=4096)
def clauses(statement: str) -> tuple[Clause, ...]:
    """Return the clauses of ``statement`` as read, or the statement itself where it has only one.

    A clause without a subject of its own is given the one that the statement begins with; it is left out where that
    cannot be told.
    """
    found = [part.strip() for part in _JOINT.split(statement, maxsplit=CLAUSES_MAX - 1) if " " in part.strip()]
    if len(found) <= 1:
        return (read(statement),)
    subject = _SUBJECT.match(found[0])
    whole = [read(found[0])]
    for part in found[1:]:
        bare = _PRONOUN.sub("", part)
        if bare == part and not _AUXILIARY_FIRST.match(part):
            whole.append(read(part))
        elif subject:
            whole.append(read(f"{subject[1]} {bare}"))
    return tuple(whole)
