"""The bundled networks that read two texts at once: a claim and a text, or a heading and a sentence.

Each is the embedding model trained further on pairs, and shares that model's table of words: its own file says where in
``model.onnx`` the table lies. What they give are chances, learned from what people and a language model wrote; they
read English, and about a hundred words of both together. Every pair goes through alone, so the same pair gives the same
bytes always.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from threading import Lock
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from weft.embed.loading import network, pieces
from weft.embed.reading import readable

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

__all__ = ["CLAIM_TOKENS_MAX", "ENTAILMENT", "INTENT", "TOKENS_MAX", "CrossEncoder"]

ENTAILMENT: Final = "entailment.onnx"
"""Reads a claim and a text: the text rules the claim out, says it, or does neither."""
INTENT: Final = "intent.onnx"
"""Reads a heading and a sentence that names another document: it is needed, it is replaced, or neither."""

TOKENS_MAX: Final = 128
"""Tokens of both texts that are read, the marks around them included: the length they learned on."""

CLAIM_TOKENS_MAX: Final = 60
"""Tokens of the first, the claim or the heading, among them; what comes after is not read."""

REMEMBERED_MAX: Final = 256
"""Pairs whose chances are kept: what is judged is asked about again when it is told or ordered."""

_START, _END = 101, 102


@dataclass(frozen=True, slots=True)
class _Engine:
    session: Any
    tokenizer: Any


class CrossEncoder:
    """Reads a claim, or a heading, and a text at once by the network in ``file``.

    Nothing is loaded before the first pair; threads may share an instance.
    """

    def __init__(self, file: str = ENTAILMENT) -> None:
        self._file = file
        self._lock = Lock()
        self._loaded: _Engine | None = None
        self._remembered = lru_cache(maxsize=REMEMBERED_MAX)(self._chances)

    @property
    def name(self) -> str:
        """Name and variant of the network."""
        return f"all-MiniLM-L6-v2/{self._file.partition('.')[0]}/int4"

    def read(self, claim: str, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Return the chances of the three sides that each text may stand on, shape (len(texts), 3).

        Each row adds up to 1; ``ENTAILMENT`` and ``INTENT`` name the sides. A blank text or claim counts as a full
        stop.

        Raises:
            InvalidArgument: the claim or a text has a lone surrogate.
            Unavailable: the package's own files are missing or damaged.
        """
        (said,), heard = readable([claim]), readable(texts)
        rows = [self._remembered(said, text) for text in heard]
        return np.concatenate(rows) if rows else np.empty((0, 3), np.float32)

    def feed(self, claim: str, text: str) -> dict[str, npt.NDArray[np.int64]]:
        """Return the network's input for one pair: token ids, and 1 where they are the text's; both (1, tokens)."""
        mine = self._ids(claim)[:CLAIM_TOKENS_MAX]
        yours = self._ids(text)[: TOKENS_MAX - len(mine) - 3]
        ids = [_START, *mine, _END, *yours, _END]
        sides = [0] * (len(mine) + 2) + [1] * (len(yours) + 1)
        return {"ids": np.array([ids], np.int64), "sides": np.array([sides], np.int64)}

    def _chances(self, claim: str, text: str) -> npt.NDArray[np.float32]:
        found: npt.NDArray[np.float32] = self._engine().session.run(["chances"], self.feed(claim, text))[0]
        return found

    def _ids(self, text: str) -> list[int]:
        ids: list[int] = self._engine().tokenizer.encode(text, add_special_tokens=False).ids
        return ids

    def _engine(self) -> _Engine:
        if self._loaded is None:
            with self._lock:
                if self._loaded is None:
                    self._loaded = _Engine(network(self._file), pieces(TOKENS_MAX))
        return self._loaded
