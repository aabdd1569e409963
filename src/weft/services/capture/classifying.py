"""Which kind a text is, with what tells it at hand where keywords do not settle it: wording, and exemplars."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Final

from weft.reason.classify import classify
from weft.reason.cues import READ, is_english
from weft.reason.kind_odds import kind_odds, reads
from weft.vocabulary import CONFIDENCE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    import numpy.typing as npt

    from weft.model import CaptureRequest, Classification, Passage
    from weft.ports import Embedder, Store
    from weft.vocabulary import Own

__all__ = ["Classifier", "given_confidence"]

_CLAIM_CONFIDENCE: Final = 1.0


class Classifier:
    """Sorts texts into kinds; threads may share it.

    The exemplars are embedded when a graph with kinds of its own first needs them, and again when these change.
    """

    def __init__(self, *, store: Store, embedder: Embedder) -> None:
        self._store = store
        self._embedder = embedder
        self._lock = threading.Lock()
        self._exemplars: tuple[Own, tuple[str, ...], npt.NDArray[np.float32]] | None = None

    def classify(self, request: CaptureRequest, passages: Sequence[Passage]) -> Classification:
        """Return the kind of a clean ``request`` whose text was embedded as ``passages``; its opening is weighed.

        What is not said by keywords is chosen among the kinds that the request allows. Where it allows some only, as
        the tools of a project do, whose rule is to count keywords, one keyword is enough.
        """
        by_words = self._classify(request)
        if by_words.confident or (request.among and by_words.confidence):
            return by_words
        vector = passages[0].vector if passages else None
        likeness = {} if vector is None or not self._store.vocabulary.own.kinds else self._likeness(vector)
        return self._classify(request, odds=self._odds(request.content[:READ], vector), likeness=likeness)

    def read_ahead(self, request: CaptureRequest) -> None:
        """Look for keywords in a clean ``request`` and read its wording, so that :meth:`classify` finds that done."""
        if not self._classify(request).confident:
            self._odds(request.content[:READ], None)

    def _classify(
        self,
        request: CaptureRequest,
        *,
        odds: Mapping[str, float] | None = None,
        likeness: Mapping[str, float] | None = None,
    ) -> Classification:
        return classify(
            request.title,
            request.content,
            explicit=request.kind,
            channel=request.channel,
            odds=odds,
            likeness=likeness,
            among=request.among,
            vocabulary=self._store.vocabulary,
        )

    def _odds(self, opening: str, vector: npt.NDArray[np.float32] | None) -> Mapping[str, float] | None:
        """Return what the wording says; nothing of another language than it was learned from."""
        if not is_english(opening):
            return None
        return kind_odds(opening, vector if reads(self._embedder.name) else None)

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


def given_confidence(kind: str) -> float:
    """Return how sure (0..1) a node is whose ``kind`` somebody named, and not how sure it is."""
    return _CLAIM_CONFIDENCE if kind == "claim" else CONFIDENCE
