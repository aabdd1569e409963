"""The bundled model as the tests share it: loaded once a run, and asked once for each text."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from weft.embed.minilm import MiniLM

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from weft.model import Embedded

__all__ = ["BUNDLED"]

KEPT: Final = 10_000
"""How many texts are kept, of some 3 KB each."""


class Remembered(MiniLM):
    """The real model, whose vectors are kept: the same text gives the same bytes, as its own tests hold.

    Each graph that is opened has the examples of all kinds embedded once more; that alone was a sixth of what the
    tests of verbs and tools took.
    """

    def __init__(self) -> None:
        super().__init__()
        self._kept = lru_cache(maxsize=KEPT)(super()._embedded)

    def _vector(self, text: str) -> npt.NDArray[np.float32]:
        return self._kept(text).vector

    def _embedded(self, text: str) -> Embedded:
        return self._kept(text)


BUNDLED: Final = Remembered()
