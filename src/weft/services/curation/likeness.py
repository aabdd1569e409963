"""How like two nodes are, and whether they contradict each other: what flagging and merging rest on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from weft.errors import Unavailable
from weft.model import SuggestionKind, SuggestionQuery, SuggestionState
from weft.model.query import Page
from weft.reason.judge import judge
from weft.services.nearness import alike
from weft.services.relating import between
from weft.services.trace.siding import polarity
from weft.vocabulary import LIST_MAX

if TYPE_CHECKING:
    from weft.model import Node, Suggestion, Verdict
    from weft.ports import Embedder, Store, Vectors

__all__ = ["Likeness", "flag_of", "likeness", "open_flag"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Likeness:
    """The calibrated similarity of two nodes (their nearest passages) and the judge's word on their texts.

    ``opposed`` says why they contradict each other; empty: they do not, as far as is known.
    """

    similarity: float
    verdict: Verdict
    opposed: str = ""


def likeness(store: Store, vectors: Vectors, embedder: Embedder, one: Node, other: Node) -> Likeness:
    """Return how like the two nodes are.

    They are opposed where a relation says so, or where the judge calls a conflict, whichever of them speaks first.

    Raises:
        Unavailable: one of them has no vector yet.
    """
    found = vectors.of([one.id, other.id])
    bare = [node.title for node in (one, other) if not len(found.get(node.id, ()))]
    if bare:
        raise Unavailable(f"There is no vector yet for {', '.join(f'«{title}»' for title in bare)}.")
    similarity = alike(found[one.id], found[other.id], embedder.calibration)
    verdicts = [
        judge(mine.content, yours.content, similarity=similarity) for mine, yours in ((one, other), (other, one))
    ]
    verdict = next((each for each in verdicts if each.verdict == "conflicts"), verdicts[0])
    against = next((each for each in between(store, one.id, other.id) if polarity(each, store.vocabulary) < 0), None)
    opposed = f"they are joined by {against.type}" if against else ""
    if not opposed and verdict.verdict == "conflicts":
        opposed = "; ".join(verdict.grounds) or "their texts contradict each other"
    return Likeness(similarity=similarity, verdict=verdict, opposed=opposed)


def flag_of(store: Store, one: str, other: str) -> Suggestion | None:
    """Return the suggestion that these two nodes are the same, whatever was decided on it; None: there is none."""
    asked = SuggestionQuery(kinds=(SuggestionKind.DUPLICATE,), subject=one, state="", page=Page(limit=LIST_MAX))
    found, _ = store.suggestions(asked)
    return next((each for each in found if set(each.subjects) == {one, other}), None)


def open_flag(store: Store, one: str, other: str) -> Suggestion | None:
    """Return the suggestion that waits to merge these two nodes, or None."""
    flag = flag_of(store, one, other)
    return flag if flag is not None and flag.state is SuggestionState.OPEN else None
