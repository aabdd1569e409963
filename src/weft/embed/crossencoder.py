"""The bundled network that reads a claim and a text at once: how likely the text rules the claim out, or says it.

It is the embedding model trained further on pairs, and shares that model's table of words: its own file says where in
``model.onnx`` the table lies. What it gives are chances, learned from what people and a language model wrote; it reads
English, and about a hundred words of both together. Every pair goes through alone, so the same pair gives the same
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

__all__ = ["CLAIM_TOKENS_MAX", "FILE", "NAME", "TOKENS_MAX", "CrossEncoder"]

NAME: Final = "all-MiniLM-L6-v2/entailment/int4"
FILE: Final = "entailment.onnx"

TOKENS_MAX: Final = 128
"""Tokens of claim and text that are read, the marks around them included: the length it learned on."""

CLAIM_TOKENS_MAX: Final = 60
"""Tokens of the claim among them; what comes after is not read."""

REMEMBERED_MAX: Final = 256
"""Pairs whose chances are kept: what is judged is asked about again when it is told or ordered."""

_START, _END = 101, 102


@dataclass(frozen=True, slots=True)
class _Engine:
    session: Any
    tokenizer: Any


class CrossEncoder:
    """Reads a claim and a text at once. Nothing is loaded before the first pair; threads may share an instance."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._loaded: _Engine | None = None
        self._remembered = lru_cache(maxsize=REMEMBERED_MAX)(self._chances)

    @property
    def name(self) -> str:
        """Name and variant of the network."""
        return NAME

    def read(self, claim: str, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Return the chances that each text conflicts with the claim, supports it, or does neither: (len(texts), 3).

        Each row adds up to 1. A blank text or claim counts as a full stop.

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
                    self._loaded = _Engine(network(FILE), pieces(TOKENS_MAX))
        return self._loaded
