"""An embedder behind HTTP: OpenAI, Ollama, vLLM, TEI and whatever else answers ``POST …/embeddings`` as they do.

The key travels in the Authorization header and nowhere else: not in names, messages or representations. Redirects are
not followed, so it goes to the host that was named only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from weft.embed import bundle, wire
from weft.embed.posting import ATTEMPTS_MAX, WAIT_MAX_S, Endpoint, Post, within
from weft.embed.reading import BLANK, readable
from weft.errors import Unavailable
from weft.model import Calibration
from weft.ports import WholeTexts

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

__all__ = ["ATTEMPTS_MAX", "IDENTITY", "WAIT_MAX_S", "OpenAICompatible"]

IDENTITY = Calibration(points=((0.0, 0.0), (1.0, 1.0)))
"""Raw cosine as similarity, for a model that nobody has calibrated yet; thresholds mean little until one does."""

BATCH_MAX = 2048
DIMENSION_MAX = 65_536


class OpenAICompatible(WholeTexts):
    """An embedder over the OpenAI embeddings protocol. Nothing is called before the first text.

    ``url`` is what stands before ``/embeddings``. ``dimension``, if given, is what every vector must have; else the
    endpoint is asked once. ``calibration`` is a map fitted for the model (:mod:`weft.embed.calibrate`); without one,
    similarity is raw cosine. ``timeout_s`` is how long one request may take, ``batch`` how many texts go into one. A
    request that meets no connection, 429 or 5xx is repeated up to three times. Instances may be shared between threads.

    Raises:
        InvalidArgument: the URL, the model or a figure is out of range.
    """

    def __init__(
        self,
        url: str,
        model: str,
        *,
        key: str | None = None,
        dimension: int | None = None,
        calibration: Calibration | None = None,
        timeout_s: float = 30.0,
        batch: int = 64,
    ) -> None:
        within("batch", batch, 1, BATCH_MAX)
        within("dimension", 1 if dimension is None else dimension, 1, DIMENSION_MAX)
        self._post = Post(
            Endpoint(
                url=url,
                suffix="/embeddings",
                model=model,
                what="embedding",
                hint=wire.HINT,
                key=key or "",
                timeout_s=timeout_s,
            )
        )
        self._model = model
        self._dimension = dimension
        self._calibration = calibration or IDENTITY
        self._batch = batch

    @property
    def name(self) -> str:
        """Model and host, ``text-embedding-3-small@api.openai.com``; never a key or a port."""
        return self._post.name

    @property
    def dimension(self) -> int:
        """Length of a vector; the endpoint is asked when it is not known yet.

        Raises:
            Unavailable: it had to be asked and gave no usable answer.
        """
        return self._dimension or self._embed([BLANK]).shape[1]

    @property
    def calibration(self) -> Calibration:
        """The map from raw cosine to similarity: the one that was given, else raw cosine itself."""
        return self._calibration

    def has_word(self, term: str) -> bool:
        """Return whether ``term`` is a word of the bundled model: what the one behind HTTP knows is not to be seen."""
        return term in bundle.vocabulary()

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Return one vector of length 1 a text, shape (len(texts), dimension), in the order of the texts.

        A blank text is sent as a full stop, since some endpoints refuse an empty one.

        Raises:
            InvalidArgument: a text has a lone surrogate.
            Unavailable: the endpoint could not be reached, refused, or gave an answer that cannot be used.
            LimitExceeded: its answer is larger than 64 MiB.
        """
        wanted = readable(texts)
        if not wanted:
            return np.empty((0, self.dimension), np.float32)
        starts = range(0, len(wanted), self._batch)
        return np.concatenate([self._embed(wanted[start : start + self._batch]) for start in starts])

    def close(self) -> None:
        """Close the connections; the next text opens new ones."""
        self._post.close()

    def _embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        vectors = wire.vectors(self._post.post(wire.request(self._model, texts)), count=len(texts))
        expected = self._dimension = self._dimension or vectors.shape[1]
        if vectors.shape[1] != expected:
            raise Unavailable(
                f"{self.name} gave vectors of {vectors.shape[1]} numbers where {expected} are expected.",
                hint="Check the model and the dimension that are set; a graph takes the vectors of one model only.",
            )
        return vectors
