"""The rows of ``synthesis`` that only read: candidates for bridges, and what was learned."""

from __future__ import annotations

from typing import TYPE_CHECKING

from weft.tools.row import Effect, NextAction, Tool

if TYPE_CHECKING:
    from collections.abc import Mapping

    from weft.tools.row import Binding

__all__ = ["FIND_BRIDGES", "LIST"]


def _bindings() -> Mapping[str, Binding]:
    from weft.tools.synthesis.calls import CALLS

    return CALLS


FIND_BRIDGES = Tool(
    name="find_bridge_candidates",
    toolset="synthesis",
    needs="reader",
    title="Find bridge candidates",
    description=(
        "Finds pairs of concepts of two ontologies that may belong together, best first, with the size of the leap. "
        "Example: ontology1 «Agility», ontology2 «Roles», min_similarity 0.8."
    ),
    effect=Effect.READS,
    output={"candidatesFound": "integer", "candidates": "array", "near_misses": "object"},
    bindings=_bindings,
    next_actions=(
        NextAction(
            tool="create_learned_relationship",
            description="Consider connecting the best pair; it takes a type and evidence too.",
            arguments={
                "from_concept_id": "$candidates.0.concept1.id",
                "to_concept_id": "$candidates.0.concept2.id",
                "relationship_type": "BRIDGES",
            },
        ),
        NextAction(
            tool="create_synthesis_concept",
            description="Consider a concept that joins the best pair.",
            arguments={"bridges_concepts": ["$candidates.0.concept1.id", "$candidates.0.concept2.id"]},
        ),
        NextAction(
            tool="find_bridge_candidates",
            description="Nothing reaches the bar: consider a lower one, as near as they come.",
            arguments={
                "ontology1": "$given.ontology1",
                "ontology2": "$given.ontology2",
                "min_similarity": "$near_misses.best",
            },
            unless=("candidates",),
        ),
    ),
)

LIST = Tool(
    name="list_learned_knowledge",
    toolset="synthesis",
    needs="reader",
    title="List learned knowledge",
    description=(
        "Lists learned relations and concepts, newest first, with evidence, leap, votes and strength; filters "
        "combine. Example: creator aaron, cognitive_leap HIGH finds what to look at again."
    ),
    effect=Effect.READS,
    output={"total": "integer", "offset": "integer", "limit": "integer", "learned_knowledge": "array"},
    bindings=_bindings,
    next_actions=(
        NextAction(
            tool="rate_learned_knowledge",
            description="Consider a vote on the newest item.",
            arguments={"learned_id": "$learned_knowledge.0.learned_id"},
        ),
        NextAction(
            tool="list_learned_knowledge",
            description="Consider the earlier versions of the newest item.",
            arguments={"learned_id": "$learned_knowledge.0.learned_id", "history": True},
            unless=("given.history",),
        ),
        NextAction(
            tool="find_bridge_candidates",
            description="Nothing matches: consider looking for bridges between two ontologies.",
            unless=("total",),
        ),
    ),
)
