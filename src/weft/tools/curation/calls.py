"""How the ``curation`` tools run: arguments to a request, a verb of the graph, its value to the answer."""

from __future__ import annotations

from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from weft.errors import InvalidArgument
from weft.model import (
    ConceptRequest,
    EvidenceRequest,
    FlagRequest,
    IngestRequest,
    MergeRequest,
    Page,
    RelatedRequest,
    RelateRequest,
)
from weft.services.naming import resolve
from weft.tools.curation import answers
from weft.tools.curation import arguments as given
from weft.tools.row import Binding

if TYPE_CHECKING:
    from collections.abc import Mapping

    from weft.graph import Graph
    from weft.model import (
        Call,
        ConceptHits,
        ConceptMade,
        EvidenceAdded,
        Fetched,
        Flagged,
        Ingested,
        Merged,
        OntologyCount,
        Parted,
        Pruned,
        Related,
        RelatedConcepts,
    )

__all__ = ["CALLS"]


def _search(graph: Graph, asked: given.SearchArguments, call: Call) -> ConceptHits:
    page = Page(limit=asked.limit, offset=asked.offset)
    return graph.curation.search(asked.query, call, threshold=asked.threshold, page=page)


def _details(graph: Graph, asked: given.DetailsArguments, call: Call) -> Fetched:
    return graph.recall.fetch(resolve(graph.store, asked.concept_id, field="concept_id").id, call)


def _related(graph: Graph, asked: given.RelatedArguments, call: Call) -> RelatedConcepts:
    request = RelatedRequest(
        id=asked.concept_id,
        types=asked.relationship_types,
        depth=asked.max_depth,
        page=Page(limit=asked.limit, offset=asked.offset),
    )
    return graph.curation.related(request, call)


def _ontologies(graph: Graph, _: given.OntologiesArguments, call: Call) -> tuple[OntologyCount, ...]:
    return graph.curation.ontologies(call)


def _create(graph: Graph, asked: given.CreateArguments, call: Call) -> ConceptMade:
    request = ConceptRequest(
        label=asked.label,
        search_terms=asked.search_terms,
        description=asked.description,
        ontology=asked.ontology,
        evidence=asked.evidence,
        proceed=asked.proceed,
    )
    return graph.curation.conceive(request, call)


def _relate(graph: Graph, asked: given.RelateArguments, call: Call) -> Related:
    start = resolve(graph.store, asked.from_id, field="from_id")
    end = resolve(graph.store, asked.to_id, field="to_id")
    if start.id == end.id:
        raise InvalidArgument(f"from_id and to_id name the same concept, «{start.title}»; a relationship joins two.")
    request = RelateRequest(
        source=start.id,
        target=end.id,
        type=asked.type,
        reasoning=asked.reasoning,
        confidence=asked.confidence,
    )
    return graph.relate.relate(request, call)


def _evidence(graph: Graph, asked: given.EvidenceArguments, call: Call) -> EvidenceAdded:
    request = EvidenceRequest(
        id=asked.concept_id, quote=asked.quote, document=asked.document, paragraph=asked.paragraph
    )
    return graph.curation.add_evidence(request, call)


def _ingest(graph: Graph, asked: given.IngestArguments, call: Call) -> Ingested:
    roots = graph.settings.folders
    url = asked.path if asked.path.lower().startswith(("http://", "https://")) else ""
    path = "" if url else asked.path
    if path and not roots:
        raise InvalidArgument(
            "path: no folder may be read here",
            hint="Start the server with WEFT_ROOTS naming the folders that may be read, or give the text itself.",
        )
    request = IngestRequest(
        paths=(Path(path),) if path else (),
        roots=roots,
        urls=(url,) if url else (),
        extractor=asked.extractor,
        text=asked.text,
        document=asked.document,
        ontology=asked.ontology,
    )
    return graph.ingest.ingest(request, call)


def _flag(graph: Graph, asked: given.FlagArguments, call: Call) -> Flagged:
    request = FlagRequest(
        id=asked.concept_id, ontology=asked.ontology, similarity_min=asked.min_similarity, limit=asked.limit
    )
    return graph.curation.flag(request, call)


def _merge(graph: Graph, asked: given.MergeArguments, call: Call) -> Merged:
    request = MergeRequest(keep=asked.keep_id, merge=asked.merge_id, reason=asked.reason, override=asked.override)
    return graph.curation.merge(request, call)


def _overriding(asked: given.MergeArguments) -> str:
    return "curator" if asked.override else "librarian"


def _flagged(graph: Graph, asked: given.MergeArguments, _: Call) -> bool:
    return graph.curation.flagged(asked.keep_id, asked.merge_id)


def _unmerge(graph: Graph, asked: given.UnmergeArguments, call: Call) -> Parted:
    return graph.curation.part(asked.merge_id, call)


def _prune(graph: Graph, asked: given.PruneArguments, call: Call) -> Pruned:
    return graph.curation.prune(asked.what, call, reason=asked.reason, dry_run=asked.dry_run)


CALLS: Mapping[str, Binding] = MappingProxyType(
    {
        "search_concepts": Binding(arguments=given.SearchArguments, run=_search, reshape=answers.found),
        "get_concept_details": Binding(arguments=given.DetailsArguments, run=_details, reshape=answers.details),
        "find_related_concepts": Binding(arguments=given.RelatedArguments, run=_related, reshape=answers.related),
        "list_ontologies": Binding(arguments=given.OntologiesArguments, run=_ontologies, reshape=answers.ontologies),
        "create_concept": Binding(arguments=given.CreateArguments, run=_create, reshape=answers.created),
        "create_relationship": Binding(arguments=given.RelateArguments, run=_relate, reshape=answers.relationship),
        "add_evidence": Binding(arguments=given.EvidenceArguments, run=_evidence, reshape=answers.evidence),
        "ingest": Binding(arguments=given.IngestArguments, run=_ingest, reshape=answers.ingested),
        "flag_similar_concepts": Binding(arguments=given.FlagArguments, run=_flag, reshape=answers.flagged),
        "merge_concepts": Binding(
            arguments=given.MergeArguments, run=_merge, reshape=answers.merged, reach=_overriding, prepared=_flagged
        ),
        "unmerge_concepts": Binding(arguments=given.UnmergeArguments, run=_unmerge, reshape=answers.parted),
        "prune": Binding(arguments=given.PruneArguments, run=_prune, reshape=answers.pruned),
    }
)
