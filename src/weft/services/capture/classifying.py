"""Which kind a text is, with the exemplars of each kind at hand for where keywords do not settle it."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from weft.reason.classify import classify

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    import numpy.typing as npt

    from weft.model import CaptureRequest, Classification, Passage
    from weft.ports import Embedder, Store
    from weft.vocabulary import Own

__all__ = ["Classifier"]


class Classifier:
    """Sorts texts into kinds; threads may share it.

    The exemplars are embedded when a text first needs them, and again when the graph's own kinds change.
    """

    def __init__(self, *, store: Store, embedder: Embedder) -> None:
        self._store = store
        self._embedder = embedder
        self._lock = threading.Lock()
        self._exemplars: tuple[Own, tuple[str, ...], npt.NDArray[np.float32]] | None = None

    def classify(self, request: CaptureRequest, passages: Sequence[Passage]) -> Classification:
        """Return the kind of a clean ``request`` whose text was embedded as ``passages``; its opening is compared.

        Likeness chooses among the kinds that the request allows.
        """
        by_words = self._classify(request)
        if by_words.confident or not passages:
            return by_words
        likeness = {
            kind: alike
            for kind, alike in self._likeness(passages[0].vector).items()
            if not request.among or kind in request.among
        }
        return self._classify(request, likeness)

    def read_ahead(self, request: CaptureRequest) -> None:
        """Look for keywords in a clean ``request``, so that :meth:`classify` finds that done."""
        self._classify(request)

    def _classify(self, request: CaptureRequest, likeness: Mapping[str, float] | None = None) -> Classification:
        return classify(
            request.title,
            request.content,
            explicit=request.kind,
            channel=request.channel,
            likeness=likeness,
            vocabulary=self._store.vocabulary,
        )

    def _likeness(self, vector: npt.NDArray[np.float32]) -> dict[str, float]:
        kinds, exemplars = self._embedded()
        best: dict[str, float] = {}
        for kind, cosine in zip(kinds, (exemplars @ vector).tolist(), strict=True):
            if cosine > best.get(kind, -2.0):
                best[kind] = cosine
        similarity = self._embedder.calibration.similarity
        return {kind: similarity(cosine) for kind, cosine in best.items()}

    def _embedded(self) -> tuple[tuple[str, ...], npt.NDArray[np.float32]]:
        vocabulary = self._store.vocabulary
        with self._lock:
            if self._exemplars is None or self._exemplars[0] != vocabulary.own:
                pairs = [(kind.name, exemplar) for kind in vocabulary.kinds.values() for exemplar in kind.exemplars]
                vectors = self._embedder.embed([exemplar for _, exemplar in pairs])
                self._exemplars = (vocabulary.own, tuple(name for name, _ in pairs), vectors)
            return self._exemplars[1:]
