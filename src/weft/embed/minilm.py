"""The bundled model: all-MiniLM-L6-v2 with eight-bit weights, run by onnxruntime on the processor.

Every text goes through the network on its own. The network quantises activations while running, by the range of all it
is given at once, so in a shared batch a text's vector would depend on its neighbours (measured: cosine down to 0.996
between the same sentence alone and in a batch). Alone, the same text gives the same bytes always, and needs neither
padding nor mask. A text of a passage's length fills a processor core by itself, so this costs nothing there; texts of
ten tokens would run twice as fast in company.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property, lru_cache
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from weft.embed import bundle
from weft.embed.loading import network, pieces
from weft.embed.pooling import WIDTH, pooled, told
from weft.embed.reading import readable
from weft.embed.spelling import spelled, understood
from weft.errors import InvalidArgument
from weft.model import Embedded

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy.typing as npt
    from tokenizers import Encoding

    from weft.model import Calibration

__all__ = ["DIMENSION", "NAME", "TOKENS_MAX", "MiniLM"]

_T = TypeVar("_T")

NAME = "all-MiniLM-L6-v2/int8"
DIMENSION = 384
TOKENS_MAX = 256
"""The length the model was made for, its start and end marks included; what comes after is not read."""

THREADS_MAX = 64
CACHED_CHARACTERS_MAX = 512
"""Only texts up to this length are remembered: queries come again, passages do not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Engine:
    """What is loaded once: the network and the tokenizer."""

    session: Any
    tokenizer: Any


class MiniLM:
    """The bundled embedder: works with no network and no key. Nothing is loaded before the first text.

    ``threads`` is how many texts are worked on at once: 1 for a server, whose requests bring their own, 2 or more for
    taking in many texts. It does not change the vectors. ``cache`` is how many short texts asked for one at a time are
    remembered, 0 for none, by each of the two ways to embed. Instances may be shared between threads.

    Raises:
        InvalidArgument: ``threads`` is not within 1 and 64, or ``cache`` is negative.
    """

    def __init__(self, *, threads: int = 1, cache: int = 256) -> None:
        if not 1 <= threads <= THREADS_MAX:
            raise InvalidArgument(f"threads is {threads}; it must be within 1 and {THREADS_MAX}.")
        if cache < 0:
            raise InvalidArgument(f"cache is {cache}; it must be 0 or more.")
        self._threads = threads
        self._lock = Lock()
        self._loaded: _Engine | None = None
        self._remembered = lru_cache(maxsize=cache)(self._vector)
        self._read = lru_cache(maxsize=cache)(self._embedded)

    @property
    def name(self) -> str:
        """Name and variant of the model."""
        return NAME

    @property
    def dimension(self) -> int:
        """Length of a vector: 384."""
        return DIMENSION

    @property
    def word_width(self) -> int:
        """Length of a word's vector: 48."""
        return WIDTH

    def has_word(self, term: str) -> bool:
        """Return whether ``term``, in lower case, is one token by itself: of English words most in use are.

        The list of tokens is read for that alone: the network takes five times as long to load.

        Raises:
            Unavailable: the package's own files are missing or damaged.
        """
        return term in bundle.vocabulary()

    @cached_property
    def calibration(self) -> Calibration:
        """The map from raw cosine to similarity that was fitted for this model.

        Raises:
            Unavailable: the package's own file is missing or damaged.
        """
        return bundle.calibration()

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Return one vector of length 1 a text, shape (len(texts), 384), in the order of the texts.

        What comes after 256 tokens of a text is not read; a blank text gets the vector of a full stop. What stands in a
        script that the network cannot read counts by its letters (:mod:`weft.embed.spelling`). The same text gives the
        same bytes, whatever else is asked for with it.

        Raises:
            InvalidArgument: a text has a lone surrogate.
            Unavailable: the package's own files are missing or damaged.
        """
        wanted = readable(texts)
        if not wanted:
            return np.empty((0, DIMENSION), np.float32)
        one = self._remembered if _recurs(wanted) else self._vector
        return np.stack(self._each(one, wanted))

    def embed_words(self, texts: Sequence[str]) -> tuple[Embedded, ...]:
        """Return each text as a whole, as :meth:`embed` does, and word by word: 48 numbers a word that it can read.

        Raises:
            InvalidArgument: a text has a lone surrogate.
            Unavailable: the package's own files are missing or damaged.
        """
        wanted = readable(texts)
        return tuple(self._each(self._read if _recurs(wanted) else self._embedded, wanted))

    def words(self, text: str) -> tuple[str, ...]:
        """Return the words of ``text`` that :meth:`embed_words` gives vectors for, in their order.

        The network is not asked: cutting a passage takes a twentieth of the time.

        Raises:
            InvalidArgument: the text has a lone surrogate.
            Unavailable: the package's own files are missing or damaged.
        """
        (wanted,) = readable([text])
        return tuple(told(wanted, self._encoded(wanted)))

    def ids(self, text: str) -> list[int]:
        """Return the tokens of ``text`` that are read, its start and end marks included: 256 at most."""
        ids: list[int] = self._encoded(text).ids
        return ids

    def _each(self, one: Callable[[str], _T], texts: Sequence[str]) -> list[_T]:
        if self._threads == 1 or len(texts) <= 1:
            return [one(text) for text in texts]
        self._engine()
        with ThreadPoolExecutor(self._threads) as workers:
            return list(workers.map(one, texts))

    def _vector(self, text: str) -> npt.NDArray[np.float32]:
        encoding = self._encoded(text)
        return spelled(text, self._run(encoding.ids, "vector")[0], understood(text, encoding))

    def _embedded(self, text: str) -> Embedded:
        encoding = self._encoded(text)
        vector, states = self._run(encoding.ids, "vector", "words.states")
        words, vectors = pooled(text, encoding, states)
        vector = spelled(text, vector, understood(text, encoding))
        vector.flags.writeable = vectors.flags.writeable = False  # whoever asks again is given the same
        return Embedded(vector=vector, words=words, word_vectors=vectors)

    def _encoded(self, text: str) -> Encoding:
        encoding: Encoding = self._engine().tokenizer.encode(text)
        return encoding

    def _run(self, ids: list[int], *outputs: str) -> list[npt.NDArray[np.float32]]:
        """Return what the network makes of one text, in memory of its own: what is kept of it holds nothing else."""
        found = self._engine().session.run(outputs, {"ids": np.array([ids], np.int64)})
        return [output[0].copy() for output in found]

    def _engine(self) -> _Engine:
        if self._loaded is None:
            with self._lock:
                if self._loaded is None:
                    self._loaded = _Engine(session=network("model.onnx"), tokenizer=pieces(TOKENS_MAX))
        return self._loaded


def _recurs(texts: Sequence[str]) -> bool:
    """Return whether this may be a query, which comes again."""
    return len(texts) == 1 and len(texts[0]) <= CACHED_CHARACTERS_MAX
