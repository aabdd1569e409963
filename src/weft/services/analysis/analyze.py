"""The verb that thinks about arguments: it reads a bounded part of the graph once, and derives findings from it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from weft.model import AnalysisKind, Analyzed
from weft.reason.arguing import RESTING
from weft.services.analysis.following import following
from weft.services.analysis.ground import Surveyor
from weft.services.analysis.missing import missing
from weft.services.analysis.origins import origins
from weft.services.analysis.scene import Scene
from weft.services.analysis.sharing import sharing
from weft.services.analysis.standpoints import standpoints
from weft.services.drafting import refuse_outside, refuse_unknown, required
from weft.services.seconding import Seconded
from weft.vocabulary import LIST_MAX, QUERY_MAX

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from weft.model import AnalyzeRequest, Call, Finding, Match
    from weft.ports import Embedder, Entailment, Store, Usage, Vectors
    from weft.services.search.matching import Matching
    from weft.vocabulary import RelationType

__all__ = ["Analyze"]


def _arguing(row: RelationType) -> bool:
    return row.polarity != 0


def _following(row: RelationType) -> bool:
    return row.polarity != 0 or row.transitive


def _carrying(row: RelationType) -> bool:
    return row.polarity != 0 or row.name in RESTING


@dataclass(frozen=True, slots=True, kw_only=True)
class _Way:
    """How one kind of analysis is done: how far it looks, along which types (none: all), and what derives findings.

    ``widened``: a subject that names one node stands for what is like it too, unless there is another to hold it to.
    """

    find: Callable[[Scene], list[Finding]]
    hops: int
    matches: int
    follows: Callable[[RelationType], bool] | None = None
    widened: bool = False


_WAYS: Final[Mapping[AnalysisKind, _Way]] = {
    AnalysisKind.IMPLIED: _Way(find=following, hops=6, matches=8, follows=_following),
    AnalysisKind.GAPS: _Way(find=missing, hops=3, matches=20, widened=True),
    AnalysisKind.ROOT_CONFLICT: _Way(find=origins, hops=6, matches=8, follows=_carrying, widened=True),
    AnalysisKind.HUBS: _Way(find=sharing, hops=3, matches=8),
    AnalysisKind.PERSPECTIVES: _Way(find=standpoints, hops=3, matches=12, follows=_arguing, widened=True),
}


class Analyze:
    """Derives findings from relations and texts; writes nothing."""

    def __init__(
        self,
        *,
        store: Store,
        vectors: Vectors,
        usage: Usage,
        embedder: Embedder,
        entailment: Entailment,
        matching: Matching,
    ) -> None:
        self._store = store
        self._usage = usage
        self._matching = matching
        self._judge = Seconded(entailment)
        self._surveyor = Surveyor(store=store, vectors=vectors, embedder=embedder)

    def analyze(self, request: AnalyzeRequest, call: Call) -> Analyzed:
        """Return what an analysis of one kind finds about ``subject`` (and ``other``), best first.

        ``implied``: relations that follow from others. ``gaps``: missing relations, unsupported premises, open loops,
        claims of amounts without a figure. ``root_conflict``: the earliest premises that clash. ``hubs``: what two
        topics share, or the most related nodes of one. ``perspectives``: the sides of a question, their common ground.
        At most 300 nodes within 6 relations (fewer for some kinds) and 50 relations a node are read.

        Raises:
            InvalidArgument: an unknown kind, a blank subject, or a limit outside 1..100.
            NotFound: the subject or the other is the id of no node that is there.
        """
        kind, subject, other = _checked(request)
        way = _WAYS[kind]
        mine = self._matching.matches(subject, call, field="subject", most=way.matches)
        yours = self._matching.matches(other, call, field="other", most=way.matches) if other else ()
        if way.widened and not yours:
            mine = self._surveyor.widened(mine, most=way.matches)
        scene = self._scene(mine, yours, way)
        findings = way.find(scene)
        shown = tuple(findings[: request.limit])
        self._usage.touch(list({place.node.id for each in shown for place in each.places}), at=call.at)
        return Analyzed(
            kind=kind.value,
            subject_matches=mine,
            other_matches=yours,
            findings=shown,
            total=len(findings),
            looked_at=len(scene.ground.nodes),
            bounded=scene.ground.bounded,
        )

    def _scene(self, mine: tuple[Match, ...], yours: tuple[Match, ...], way: _Way) -> Scene:
        centres = list(dict.fromkeys(match.id for match in (*mine, *yours)))
        ground = self._surveyor.around(centres, hops=way.hops, types=self._types(way))
        return Scene(
            subject=tuple(match for match in mine if match.id in ground.nodes),
            other=tuple(match for match in yours if match.id in ground.nodes),
            ground=ground,
            likeness=self._surveyor.likeness(ground.nodes),
            grounded=self._surveyor.grounded(ground.nodes),
            judge=self._judge,
        )

    def _types(self, way: _Way) -> tuple[str, ...]:
        if way.follows is None:
            return ()
        return tuple(row.name for row in self._store.vocabulary.types.values() if way.follows(row))


def _checked(request: AnalyzeRequest) -> tuple[AnalysisKind, str, str]:
    refuse_unknown(request.kind, AnalysisKind, field="kind")
    refuse_outside(request.limit, 1, LIST_MAX, field="limit")
    subject = required(request.subject, field="subject", limit=QUERY_MAX).strip()
    other = required(request.other, field="other", limit=QUERY_MAX).strip() if request.other.strip() else ""
    return AnalysisKind(request.kind), subject, other
