"""The words of every passage cut anew, where another tokenizer cut those that are kept."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING

from weft.model.codec import json_text
from weft.store.due import expected_words
from weft.text.indexing import CUT

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from weft.store.engine import Reader, Writer
    from weft.store.sqlite import Connection

__all__ = ["cut_anew", "cut_of", "recut", "recut_by"]


def recut(connection: Connection) -> None:
    """Cut all words of a graph file anew, unless they are of this cut; see :func:`recut_by`."""
    recut_by(connection, connection.transaction)


def recut_by(writer: Writer, turn: Callable[[], AbstractContextManager[object]]) -> None:
    """Cut all words anew in one transaction, unless they are of this cut; several processes may try at once.

    ``turn`` gives the transaction, in which nobody else may write. A passage's text is what the log says of its node at
    the change that brought the passage, so that the past is found by its own words. About 0.3 ms a passage in a file,
    and 1 ms in a database.
    """
    if cut_of(writer) == CUT:
        return
    with turn():
        if cut_of(writer) != CUT:  # else somebody did it while this one waited
            cut_anew(writer)


def cut_anew(writer: Writer) -> None:
    """Cut all words anew inside the transaction that ``writer`` is in."""
    for name in ("words_empty", "terms_empty"):
        writer.run(name)
    counts: Counter[str] = Counter()
    for row, words in expected_words(writer.read):
        counts.update(json.loads(words["terms"]))
        writer.run("words_enter", row=row, **words)
    writer.run("terms_enter", counts=json_text(counts))
    writer.run("words_cut", cut=CUT)


def cut_of(reader: Reader) -> str:
    """Return which tokenizer cut the words that are kept, as :data:`weft.text.indexing.CUT`; empty: nobody knows."""
    meta: dict[str, str] = dict(reader.read("meta_values"))
    return meta.get("words", "")
