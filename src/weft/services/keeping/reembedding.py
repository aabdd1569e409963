"""Moving a graph to another embedding model: every passage embedded anew, and then all of them put in place at once.

Until then everybody goes on with the old model. What is embedded is kept as it comes, so that a move which is broken
off goes on where it stood; nothing is embedded inside a write transaction. Passages that stand no longer are embedded
as well: who looks into the past compares with them.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING, Final, Protocol

from weft.errors import Unavailable
from weft.model import Reembedded, Tier
from weft.reason.blanking import ERASED
from weft.services.passages import embedded_text

if TYPE_CHECKING:
    from collections.abc import Mapping
    from contextlib import AbstractContextManager

    from weft.model import Call, Embedded, PassageHeld
    from weft.ports import Embedder

__all__ = ["Move", "Reembedding"]

AT_ONCE: Final = 64
"""Passages that are embedded, and kept, in one go: all that is done again after a kill."""

_ROUNDS: Final = 3
_SAMPLE: Final = 32


class Move(Protocol):
    """A graph that this process alone moves to another embedding model, while others read and write it as before."""

    def held(self) -> tuple[str, int]:
        """Return the model that the graph is of, and its dimension."""

    def under_way(self) -> tuple[str, int] | None:
        """Return the model, and its dimension, to which a move has begun; None: there is none."""

    def begin(self, model: str, dimension: int) -> None:
        """Begin a move; what there is of another one is thrown away."""

    def discard(self) -> None:
        """Throw away what there is of a move."""

    def counts(self) -> tuple[int, int]:
        """Return how many passages have a new vector, and how many there are."""

    def sample(self, limit: int) -> tuple[PassageHeld, ...]:
        """Return up to ``limit`` passages."""

    def lacking(self, row: int, *, limit: int) -> tuple[PassageHeld, ...]:
        """Return up to ``limit`` passages after ``row`` that have no new vector yet."""

    def put(self, embedded: Mapping[int, Embedded]) -> None:
        """Keep the new vectors of these passages, durably, but for those whose text was erased meanwhile."""

    def index(self) -> None:
        """Make what the new vectors are looked up by, where that is kept with them."""

    def alone(self) -> AbstractContextManager[None]:
        """Have all other writers wait for the length of the block."""

    def switch(self) -> bool:
        """Put all new vectors in the place of the old ones, at once; False: a passage has none yet."""


class Reembedding:
    """Moves one graph to the model of ``embedder``; ``remote`` is on where that is not the bundled one."""

    def __init__(self, move: Move, embedder: Embedder, *, remote: bool) -> None:
        self._move = move
        self._embedder = embedder
        self._remote = remote

    def plan(self, call: Call) -> Reembedded:
        """Return what moving the graph would take, from how long a few of its passages take; nothing is changed.

        Raises:
            PermissionDenied: the caller's tier is below curator.
            Unavailable: the model cannot be asked.
        """
        plan = self._begun(call)
        if not plan.lacking:
            return plan
        texts = [_text(each) for each in self._move.sample(_SAMPLE)]
        self._embedder.embed_words(texts[:1])  # loads the model, or opens the connection
        started = time.perf_counter()
        self._embedder.embed_words(texts)
        return replace(plan, estimate_s=round((time.perf_counter() - started) / len(texts) * plan.lacking, 1))

    def move(self, call: Call) -> Reembedded:
        """Move the graph, going on where a move to the same model was broken off.

        Where the graph is of this model already, what there is of a move to another one is thrown away.

        Raises:
            PermissionDenied: the caller's tier is below curator.
            Unavailable: the model cannot be asked, another process moves the graph, or others keep it busy. What is
                embedded is kept.
        """
        plan = self._begun(call)
        wanted = plan.model, plan.dimension
        if (plan.before, plan.before_dimension) == wanted:
            if self._move.under_way() is not None:
                self._move.discard()
            return plan
        if self._move.under_way() != wanted:
            self._move.begin(*wanted)
        embedded = self._embed(call)
        call.report(*self._move.counts(), "making look-ups")
        self._move.index()
        embedded += self._settle(call)
        return replace(plan, passages=self._move.counts()[1], embedded=embedded, lacking=0, moved=True)

    def _begun(self, call: Call) -> Reembedded:
        call.require(Tier.CURATOR, "reembed")
        before, before_dimension = self._move.held()
        model, dimension = self._embedder.name, self._embedder.dimension
        same = (before, before_dimension) == (model, dimension)
        resumed = not same and self._move.under_way() == (model, dimension)
        done, total = self._move.counts()
        return Reembedded(
            before=before,
            before_dimension=before_dimension,
            model=model,
            dimension=dimension,
            passages=total,
            lacking=0 if same else total - (done if resumed else 0),
            resumed=resumed,
            calibrate=self._remote and not same,
        )

    def _settle(self, call: Call) -> int:
        """Embed what came meanwhile, and switch; others wait where they write faster than that is embedded."""
        embedded = 0
        for _ in range(_ROUNDS):
            embedded += self._embed(call)
            call.report(*self._move.counts(), "switching")
            if self._move.switch():
                return embedded
        with self._move.alone():
            embedded += self._embed(call)
            if not self._move.switch():
                raise Unavailable(
                    "Passages without a new vector are left over.", hint="Run the same command again; it goes on."
                )
        return embedded

    def _embed(self, call: Call) -> int:
        """Embed as many passages as lack a new vector now, not what comes meanwhile, and return how many they were."""
        row = embedded = 0
        done, total = self._move.counts()
        left = total - done
        while embedded < left and (found := self._move.lacking(row, limit=min(AT_ONCE, left - embedded))):
            self._move.put(self._embedded(found, done + embedded, total))
            row = found[-1].row
            embedded += len(found)
            call.report(done + embedded, total, "embedding")
        return embedded

    def _embedded(self, found: tuple[PassageHeld, ...], done: int, total: int) -> dict[int, Embedded]:
        try:
            embedded = self._embedder.embed_words([_text(each) for each in found])
        except Unavailable as error:
            kept = f"{done} of {total} passages are embedded and kept; the graph is searched as before."
            raise Unavailable(
                f"{error.message} {kept}", hint=f"{error.hint} Then the same command goes on.", key=error.key
            ) from error
        return dict(zip((each.row for each in found), embedded, strict=True))


def _text(held: PassageHeld) -> str:
    return ERASED if held.node is None else embedded_text(held.node, held.start, held.end)
