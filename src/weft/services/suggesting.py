"""How findings become suggestions: one maker a kind, so that summary, grounds, proposal and dedup are worded once.

A ``dedup`` is built from what the suggestion is about, never from when it was made: the same thing asked again meets
the decision that was taken.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from weft.identity import new_id
from weft.model import Page, SaveSuggestion, Status, Suggestion, SuggestionKind, SuggestionQuery, SuggestionState
from weft.services.relating import ordered
from weft.vocabulary import RELATION_TYPES, TELLING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from weft.model import Call, Classification, Node, Verdict
    from weft.ports import Store
    from weft.reason.finding import Finding

__all__ = [
    "classification",
    "closed",
    "conflict",
    "doubted",
    "duplicate",
    "one",
    "outdated",
    "overtaken",
    "relation",
    "suggestion",
]

CLASSIFICATION_WEIGHT: Final = 0.1
"""What an unsure kind weighs beside an unsure relation or merge: it is asked of every short note, and harms little."""

LIKENESS_WEIGHT: Final = 0.5
"""What it weighs that two have to do with each other: less than a contradiction (0.6 or more), whatever their tags."""

FILES_SHOWN: Final = 5  # named of those that changed


def suggestion(
    call: Call,
    *,
    kind: SuggestionKind,
    dedup: str,
    subjects: tuple[str, ...],
    summary: str,
    grounds: dict[str, Any],
    score: float,
    proposal: dict[str, Any] | None = None,
) -> Suggestion:
    """Return an open suggestion, made by the caller now; without a ``proposal`` accepting only says that it was seen.

    ``score`` (0..1) is its place among those that wait: the highest first.
    """
    return Suggestion(
        id=new_id(call.at),
        kind=kind,
        dedup=dedup,
        subjects=subjects,
        summary=summary,
        grounds=grounds,
        proposal=proposal or {},
        score=score,
        created_at=call.at,
        created_by=call.actor,
    )


def doubted(store: Store, nodes: Iterable[Node]) -> frozenset[str]:
    """Return the ids of those ``nodes`` that are still of the kind they were given without confidence.

    Nobody has confirmed it, nor said another.
    """
    guessed = {_doubt(node.id): node for node in nodes}
    if not guessed:
        return frozenset()
    # Whatever its state: by that, a store might look through all that wait.
    query = SuggestionQuery(dedups=tuple(guessed), state="", page=Page(limit=len(guessed)))
    unsure = (each for each in store.suggestions(query)[0] if each.state is not SuggestionState.ACCEPTED)
    asked = ((guessed[each.dedup], each.proposal.get("kind", {})) for each in unsure)
    return frozenset(node.id for node, proposed in asked if proposed.get("kind") == node.kind)


def _doubt(id_: str) -> str:
    return f"classification:{id_}"


def classification(node: Node, found: Classification, call: Call) -> Suggestion:
    """Return the question whether ``node`` really is of the kind that it was given without confidence."""
    return suggestion(
        call,
        kind=SuggestionKind.CLASSIFICATION,
        dedup=_doubt(node.id),
        subjects=(node.id,),
        summary=f"«{node.title}» was taken for {one(found.kind)}{_how_surely(found)}",
        grounds={
            "method": found.method,
            "confidence": found.confidence,
            "alternatives": [[kind, value] for kind, value in found.alternatives],
        },
        proposal={"kind": {"id": node.id, "kind": found.kind}},
        score=round(CLASSIFICATION_WEIGHT * (1.0 - found.confidence), 4),
    )


def one(kind: str) -> str:
    """Return a kind with its article."""
    return f"an {kind}" if kind.startswith(("a", "e", "i", "o", "u")) else f"a {kind}"


def _how_surely(found: Classification) -> str:
    """Return the rest of a sentence on what a text was taken for; where nothing speaks for it, a share says nothing."""
    others = ", ".join(kind for kind, _ in found.alternatives)
    also = f"It could also be: {others}." if others else "Nothing in it speaks for another."
    if found.confidence >= TELLING:
        return f", {found.confidence:.0%} sure. {also}"
    return f": too little in its words tells its kind. {also if others else ''}".rstrip()


def duplicate(newer: Node, older: Node, similarity: float, verdict: Verdict, call: Call) -> Suggestion:
    """Return the question whether ``newer`` says what ``older`` said already, and should be merged into it."""
    return suggestion(
        call,
        kind=SuggestionKind.DUPLICATE,
        dedup=f"duplicate:{_pair(newer.id, older.id)}",
        subjects=(newer.id, older.id),
        summary=f"«{newer.title}» may repeat «{older.title}».",
        grounds={"similarity": round(similarity, 4), "judged": verdict.verdict, "grounds": list(verdict.grounds)},
        proposal={"merge": {"keep": older.id, "merge": newer.id}},
        score=similarity,
    )


def conflict(newer: Node, older: Node, similarity: float, verdict: Verdict, call: Call) -> Suggestion:
    """Return the question whether the two contradict each other, as the judge holds."""
    reasoning = "; ".join(verdict.grounds)
    return suggestion(
        call,
        kind=SuggestionKind.CONFLICT,
        dedup=f"conflict:{_pair(newer.id, older.id)}",
        subjects=(newer.id, older.id),
        summary=f"«{newer.title}» seems to contradict «{older.title}».",
        grounds={
            "similarity": round(similarity, 4),
            "confidence": verdict.confidence,
            "grounds": list(verdict.grounds),
        },
        proposal={
            "relate": {
                "source": newer.id,
                "target": older.id,
                "type": "contradicts",
                "reasoning": reasoning,
                "confidence": verdict.confidence,
            }
        },
        score=verdict.confidence,
    )


def relation(finding: Finding, titles: dict[str, str], call: Call) -> Suggestion:
    """Return a relation that a rule found but does not make by itself; ``titles`` names both ends."""
    relation_type = RELATION_TYPES[finding.type]
    source, target = ordered(finding.source_id, finding.target_id, relation_type)
    weight = LIKENESS_WEIGHT if relation_type.family == "likeness" else 1.0
    return suggestion(
        call,
        kind=SuggestionKind.RELATION,
        dedup=f"relation:{finding.type}:{source}:{target}",
        subjects=(source, target),
        summary=f"«{titles[source]}» —{finding.type}→ «{titles[target]}»: {finding.reasoning}",
        grounds={"rule": finding.rule, "scores": [[name, value] for name, value in finding.scores]},
        proposal={
            "relate": {
                "source": source,
                "target": target,
                "type": finding.type,
                "reasoning": finding.reasoning,
                "confidence": finding.confidence,
                "rule": finding.rule,
                "scores": [[name, value] for name, value in finding.scores],
            }
        },
        score=round(weight * finding.confidence, 4),
    )


def outdated(node: Node, files: Mapping[str, str], call: Call) -> Suggestion:
    """Return the question whether ``node`` holds now that ``files`` changed: their digests by reference, empty: gone.

    Accepting says that it holds. A node that was not active before stays as it was, whatever is decided.
    """
    holds = {"id": node.id, "status": Status.ACTIVE.value, "from": Status.NEEDS_REVIEW.value}
    return suggestion(
        call,
        kind=SuggestionKind.STALE,
        dedup=f"outdated:{node.id}:{node.version}",
        subjects=(node.id,),
        summary=f"«{node.title}» refers to {_changes(files)} since it was written. Accept where it holds all the same.",
        grounds={"files": dict(files), "status_before": node.status.value},
        proposal={"status": holds} if node.status is Status.ACTIVE else {},
        score=node.confidence,
    )


def overtaken(batch: str, subject: str, nodes: tuple[str, ...], why: str, call: Call) -> Suggestion:
    """Return the question what to do about ``subject``, which the undo of ``batch`` left alone, as ``why`` says."""
    return suggestion(
        call,
        kind=SuggestionKind.CONFLICT,
        dedup=f"undo:{batch}:{subject}",
        subjects=nodes,
        summary=why,
        grounds={"batch": batch, "subject": subject},
        score=1.0,
    )


def closed(standing: Suggestion, state: SuggestionState, call: Call, *, why: str) -> SaveSuggestion:
    """Return the write that decides ``standing``."""
    decided = replace(
        standing,
        state=state,
        decided_at=call.at,
        decided_by=call.actor,
        decided_why=why,
        version=standing.version + 1,
    )
    return SaveSuggestion(suggestion=decided, expect=standing.version)


def _changes(files: Mapping[str, str]) -> str:
    """Return which files changed and which are gone, as half a sentence; of many, the first few by name."""
    parts = []
    for there, happened in ((True, "changed"), (False, "went")):
        names = sorted(name for name, digest in files.items() if bool(digest) is there)
        shown = ", ".join(names[:FILES_SHOWN]) + (f" and {len(names) - FILES_SHOWN} more" * (len(names) > FILES_SHOWN))
        parts += [f"{shown}, which {happened}"] if names else []
    return ", and to ".join(parts)


def _pair(a: str, b: str) -> str:
    return ":".join(sorted((a, b)))
