"""How the ``synthesis`` tools run: arguments to a request, a verb of the graph, its value to the answer."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from weft.model import (
    ConnectRequest,
    LearnedExport,
    LearnedImport,
    LearnedQuery,
    LearnedUpdate,
    Page,
    SynthesizeRequest,
)
from weft.tools import runs
from weft.tools.row import Binding
from weft.tools.synthesis import answers
from weft.tools.synthesis import arguments as given

if TYPE_CHECKING:
    from collections.abc import Mapping

    from weft.graph import Graph
    from weft.model import (
        Call,
        Connected,
        LearnedDeleted,
        LearnedExported,
        LearnedImported,
        LearnedList,
        LearnedUpdated,
        Rated,
        Refused,
        Synthesized,
    )

__all__ = ["CALLS"]

VERSIONS = 20
"""Earlier versions of an item that are shown."""


def _wish(asked: given.RelationshipArguments | given.OneRelationship) -> ConnectRequest:
    return ConnectRequest(
        source=asked.from_concept_id,
        target=asked.to_concept_id,
        type=asked.relationship_type,
        evidence=asked.evidence,
        creator=asked.creator,
    )


def _connect(graph: Graph, asked: given.RelationshipArguments, call: Call) -> Connected:
    return graph.learn.connect(_wish(asked), call)


def _connect_all(graph: Graph, asked: given.RelationshipsArguments, call: Call) -> tuple[Connected | Refused, ...]:
    return graph.learn.connect_all([_wish(each) for each in asked.relationships], call)


def _conceive(graph: Graph, asked: given.ConceptArguments, call: Call) -> Synthesized:
    request = SynthesizeRequest(
        label=asked.label,
        bridges=asked.bridges_concepts,
        evidence=asked.evidence,
        search_terms=asked.search_terms,
        ontology=asked.ontology,
        creator=asked.creator,
    )
    return graph.synthesize.synthesize(request, call)


def _update(graph: Graph, asked: given.UpdateArguments, call: Call) -> LearnedUpdated:
    request = LearnedUpdate(
        learned_id=asked.learned_id,
        evidence=asked.updates.evidence,
        type=asked.updates.relationship_type or None,
        if_version=asked.if_version,
    )
    return graph.learn.update(request, call)


def _retyping(asked: given.UpdateArguments) -> str:
    return "librarian" if asked.updates.relationship_type else "contributor"


def _delete(graph: Graph, asked: given.DeleteArguments, call: Call) -> LearnedDeleted:
    return graph.learn.delete(asked.learned_id, call, cascade=asked.cascade)


def _list(graph: Graph, asked: given.ListArguments, _: Call) -> LearnedList:
    query = LearnedQuery(
        creator=asked.creator,
        ontology=asked.ontology,
        similarity_min=asked.min_similarity,
        leap=asked.cognitive_leap or "",
        learned_id=asked.learned_id,
        page=Page(limit=asked.limit, offset=asked.offset),
    )
    return graph.learn.entries(query, versions=VERSIONS if asked.history else 0)


def _rate(graph: Graph, asked: given.RateArguments, call: Call) -> Rated:
    return graph.learn.rate(asked.learned_id, asked.vote, asked.reason, call)


def _export(graph: Graph, asked: given.ExportArguments, _: Call) -> LearnedExported:
    request = LearnedExport(
        format=asked.format,
        creator=asked.creator,
        ontology=asked.ontology,
        offset=asked.offset,
        size_max=answers.EXPORT_BUDGET,
    )
    return graph.learn.export(request)


def _import(graph: Graph, asked: given.ImportArguments, call: Call) -> LearnedImported:
    from weft.services.learned.files import text_at

    request = LearnedImport(
        format=asked.format,
        text=asked.text or text_at(asked.path, graph.settings.folders),
        dry_run=asked.dry_run,
        creators=tuple(asked.creator_map.items()),
    )
    return graph.learn.take_in(request, call)


CALLS: Mapping[str, Binding] = MappingProxyType(
    {
        "find_bridge_candidates": Binding(
            arguments=given.FindBridgesArguments, run=runs.bridge, reshape=answers.bridges
        ),
        "create_learned_relationship": Binding(
            arguments=given.RelationshipArguments, run=_connect, reshape=answers.connected
        ),
        "create_synthesis_concept": Binding(arguments=given.ConceptArguments, run=_conceive, reshape=answers.conceived),
        "update_learned_knowledge": Binding(
            arguments=given.UpdateArguments, run=_update, reshape=answers.updated, reach=_retyping
        ),
        "delete_learned_knowledge": Binding(arguments=given.DeleteArguments, run=_delete, reshape=answers.deleted),
        "list_learned_knowledge": Binding(arguments=given.ListArguments, run=_list, reshape=answers.listed),
        "create_learned_relationships": Binding(
            arguments=given.RelationshipsArguments, run=_connect_all, reshape=answers.connected_all
        ),
        "rate_learned_knowledge": Binding(arguments=given.RateArguments, run=_rate, reshape=answers.rated),
        "export_learned_knowledge": Binding(arguments=given.ExportArguments, run=_export, reshape=answers.exported),
        "import_learned_knowledge": Binding(arguments=given.ImportArguments, run=_import, reshape=answers.imported),
    }
)
