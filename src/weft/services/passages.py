"""From a node to the passages it is found by: what is embedded, and which stretch of the content that stands for."""

from __future__ import annotations

import re
from itertools import accumulate
from typing import TYPE_CHECKING, Final
from unicodedata import east_asian_width

import numpy as np

from weft import text
from weft.model import Origin, Passage
from weft.text.punctuation import BEHIND_STOP

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    import numpy.typing as npt

    from weft.model import Embedded, Node, PassageGiven
    from weft.ports import Embedder

__all__ = ["TITLE_DERIVED_MAX", "embed", "embed_with", "embedded_anew", "embedded_text", "only_begins", "title_of"]

TITLE_DERIVED_MAX: Final = 100
"""The widest title that is taken from a text, in columns: in Han, kana and Hangul a character has two."""

_EMBEDDED_AT_ONCE: Final = 32  # passages between which who asked may leave: half a second with the bundled model

_STOPS: Final = (".", "!", "?", "…", "。", "！", "？")
_MARKS = re.compile(r"^[\s#>*\-–—•]+|(?<![\s*_])[\s*_]+$")  # each row of marks is tried once
_SENTENCE_END = re.compile(rf"(?<=[.!?])(?:\s+|$)|{BEHIND_STOP}")


def title_of(content: str) -> str:
    """Return a title for ``content``: its first line that says anything, or the first sentence of it where it is long.

    Of a text that opens with front matter, code or a traceback it is another line (:func:`weft.text.titular`). At most
    ``TITLE_DERIVED_MAX`` columns; cut at a word, and then it ends in «…». Marks of Markdown are taken off, unless there
    is nothing else. Empty when ``content`` is blank.
    """
    lines = [line for line in text.titular(content).splitlines() if line.strip()]
    first = next((line for line in map(_plain, lines) if line), lines[0].strip() if lines else "")
    if _within(first, TITLE_DERIVED_MAX) < len(first):
        first = _SENTENCE_END.split(first, maxsplit=1)[0].strip()
    if _within(first, TITLE_DERIVED_MAX) == len(first):
        return first
    clipped = first[: _within(first, TITLE_DERIVED_MAX - 1)]
    return (clipped.rsplit(None, 1)[0] if " " in clipped else clipped).rstrip(" ,;:") + "…"


def only_begins(node: Node) -> bool:
    """Return whether the title of ``node`` is only how its text begins, and no heading of it."""
    if node.title != title_of(node.content):
        return False
    return node.title.endswith(_STOPS) or "\n" not in node.content.strip()


def _within(text: str, columns: int) -> int:
    """Return how many characters of ``text`` fit into so many columns."""
    if text.isascii():
        return min(len(text), columns)
    ends = accumulate(2 if east_asian_width(each) in "WF" else 1 for each in text[:columns])
    return sum(end <= columns for end in ends)


def embed(
    nodes: Sequence[Node], embedder: Embedder, *, between: Callable[[], None] | None = None
) -> tuple[tuple[Passage, ...], ...]:
    """Return the passages of each of these nodes, in one call of the embedder.

    With ``between``, in calls of a few passages each; it is called before each of them, and may raise to end it.

    A passage is embedded with the node's title in front, unless it opens with it. A node that was learned has one
    passage, its title and search terms: what it joins shall find it, not the wording of the evidence.
    """
    cut = [_stretches(node) for node in nodes]
    texts = [words for stretches in cut for _, _, words in stretches]
    embedded = _embedded(texts, embedder, between)
    return tuple(_passages(stretches, embedded) for stretches in cut)


def embed_with(
    node: Node, texts: Sequence[str], embedder: Embedder
) -> tuple[tuple[Passage, ...], npt.NDArray[np.float32]]:
    """Return the passages of ``node`` and the vectors of ``texts``, shape (len(texts), dimension), in one call."""
    stretches = _stretches(node)
    embedded = embedder.embed_words([*(words for _, _, words in stretches), *texts])
    vectors = [each.vector for each in embedded[len(stretches) :]]
    return _passages(stretches, embedded), np.reshape(vectors, (-1, embedder.dimension))


def embedded_anew(given: Sequence[PassageGiven], embedder: Embedder) -> dict[int, Embedded]:
    """Return, by their rows, what these passages said embedded again, in one call."""
    embedded = embedder.embed_words([embedded_text(each.node, each.start, each.end) for each in given])
    return dict(zip((each.row for each in given), embedded, strict=True))


def embedded_text(node: Node, start: int, end: int) -> str:
    """Return what is embedded for the passage of ``node`` that stands at ``start`` to ``end`` of its content."""
    if node.origin is Origin.LEARNED:
        return "\n".join((node.title, *node.search_terms))
    return _titled(node.title, node.content[start:end])


def _embedded(texts: Sequence[str], embedder: Embedder, between: Callable[[], None] | None) -> Iterator[Embedded]:
    at_once = len(texts) if between is None else _EMBEDDED_AT_ONCE
    for start in range(0, len(texts), at_once or 1):
        if between is not None:
            between()
        yield from embedder.embed_words(texts[start : start + at_once])


def _passages(stretches: list[tuple[int, int, str]], embedded: Iterable[Embedded]) -> tuple[Passage, ...]:
    return tuple(
        Passage(start=start, end=end, text=words, vector=each.vector, word_vectors=each.word_vectors)
        for (start, end, words), each in zip(stretches, embedded, strict=False)
    )


def _stretches(node: Node) -> list[tuple[int, int, str]]:
    if node.origin is Origin.LEARNED:
        return [(0, len(node.content), embedded_text(node, 0, len(node.content)))]
    return [(start, end, embedded_text(node, start, end)) for start, end in text.split(node.content)]


def _titled(title: str, passage: str) -> str:
    if text.fold(passage).startswith(text.fold(title.rstrip("…"))):
        return passage
    return f"{title}\n{passage}" if passage.strip() else title


def _plain(line: str) -> str:
    return " ".join(_MARKS.sub("", line).split())
