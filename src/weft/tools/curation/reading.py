"""The rows of ``curation`` that only read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from weft.tools.row import Effect, NextAction, Tool

if TYPE_CHECKING:
    from collections.abc import Mapping

    from weft.tools.row import Binding

__all__ = ["DETAILS", "ONTOLOGIES", "RELATED", "SEARCH"]


def _bindings() -> Mapping[str, Binding]:
    from weft.tools.curation.calls import CALLS

    return CALLS


SEARCH = Tool(
    name="search_concepts",
    toolset="curation",
    needs="reader",
    title="Search concepts",
    description=(
        "Finds concepts by meaning, words and names, with their evidence; the step before creating one. "
        "Example: «Holacracy», threshold 0.7."
    ),
    effect=Effect.READS,
    output={"results": "array", "total": "integer", "near_misses": "object", "warning?": "string"},
    bindings=_bindings,
    searched="query",
    next_actions=(
        NextAction(
            tool="create_concept",
            description="Consider creating the concept, if it is none of these.",
            arguments={"label": "$given.query"},
        ),
        NextAction(
            tool="create_relationship",
            description="Consider relating what belongs together.",
            when=("results",),
        ),
        NextAction(
            tool="get_concept_details",
            description="Consider reading the first one with its evidence.",
            arguments={"concept_id": "$results.0.concept_id"},
        ),
    ),
)

DETAILS = Tool(
    name="get_concept_details",
    toolset="curation",
    needs="reader",
    title="Concept in detail",
    description="Shows one concept with its evidence in context, its sources, relationships both ways and aliases.",
    effect=Effect.READS,
    output={
        "concept": "object",
        "evidence": "array",
        "sources": "array",
        "relationships": "array",
        "aliases": "array",
    },
    bindings=_bindings,
    next_actions=(
        NextAction(
            tool="find_related_concepts",
            description="Consider looking further around it.",
            arguments={"concept_id": "$concept.concept_id"},
            when=("relationships",),
        ),
        NextAction(
            tool="add_evidence",
            description="Consider giving it evidence: it has none.",
            arguments={"concept_id": "$concept.concept_id"},
            unless=("evidence",),
        ),
        NextAction(
            tool="flag_similar_concepts",
            description="Consider looking for others that say the same.",
            arguments={"concept_id": "$concept.concept_id"},
        ),
    ),
)

RELATED = Tool(
    name="find_related_concepts",
    toolset="curation",
    needs="reader",
    title="Related concepts",
    description=(
        "Walks from a concept along its relationships, both ways, up to max_depth, and shows the path, its confidences "
        "and a sample of evidence for each concept reached."
    ),
    effect=Effect.READS,
    output={
        "concept_id": "string",
        "max_depth": "integer",
        "relatedConcepts": "array",
        "total": "integer",
    },
    bindings=_bindings,
    next_actions=(
        NextAction(
            tool="get_concept_details",
            description="Consider reading the nearest one.",
            arguments={"concept_id": "$relatedConcepts.0.concept_id"},
        ),
        NextAction(
            tool="create_relationship",
            description="Consider relating it: these steps lead nowhere.",
            arguments={"from_id": "$concept_id"},
            unless=("total",),
        ),
    ),
)

ONTOLOGIES = Tool(
    name="list_ontologies",
    toolset="curation",
    needs="reader",
    title="Ontologies",
    description="Lists the bodies of knowledge with how many concepts, sources and relationships each holds.",
    effect=Effect.READS,
    output={"ontologies": "array", "total": "integer"},
    bindings=_bindings,
    next_actions=(
        NextAction(
            tool="flag_similar_concepts",
            description="Consider looking for repetitions in the largest.",
            arguments={"ontology": "$ontologies.0.name"},
        ),
        NextAction(
            tool="bridge",
            description="Consider looking for what joins the two largest.",
            arguments={"ontology1": "$ontologies.0.name", "ontology2": "$ontologies.1.name"},
        ),
    ),
)
