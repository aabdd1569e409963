"""One call of every tool that succeeds on a graph which :func:`furnish` has filled: for whatever asks all of them.

Nodes are named by their titles, so that the same calls fit every graph that was furnished. Calls that take something
away name nodes that no other call needs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from weft.model import CaptureRequest, Linking, MergeRequest, RelateRequest, SynthesizeRequest

if TYPE_CHECKING:
    from collections.abc import Mapping

    from weft.graph import Graph

__all__ = ["EXAMPLES", "furnish"]

# Title, kind, ontology (empty: the graph's own), content.
NODES: Final = (
    ("Queue on SQLite", "decision", "", "We chose SQLite for the job queue: one file, no server to run."),
    ("Queue on Redis", "decision", "rivals", "The job queue needs a server of its own, such as Redis."),
    ("Three retries", "claim", "", "Jobs are retried three times before they are given up."),
    ("Retry storm", "claim", "rivals", "Retries without a pause between them keep a server down."),
    ("Deploy fails with exit code 137", "error", "", "The container is killed during the build for lack of memory."),
    ("Give the builder 4 GB", "fix", "", "The build container has 4 GB of memory, and the build is not killed."),
    ("Old habit", "general", "", "We used to deploy by hand on Fridays, and regretted it on Saturdays."),
    ("Old claim", "claim", "", "Moonlight dries wet laundry faster than wind."),
    ("Old memory", "insight", "", "Nobody reads the wiki of the second team any more."),
    ("Dead letters", "concept", "", "Jobs that failed for good are put aside in a list of their own."),
    ("Dead letter list", "concept", "", "A list of its own holds the jobs that failed for good."),
    ("Visibility timeout", "concept", "", "A job that was taken is hidden from other workers for a minute."),
    ("Hidden jobs", "concept", "", "A taken job is hidden from the other workers for one minute."),
)
RELATIONS: Final = (
    ("Queue on SQLite", "affects", "Three retries"),
    ("Queue on Redis", "contradicts", "Queue on SQLite"),
    ("Give the builder 4 GB", "solves", "Deploy fails with exit code 137"),
    ("Old habit", "causes", "Deploy fails with exit code 137"),
)

# Label, bridges, evidence of what was synthesized.
SYNTHESES: Final = (
    ("Two queues", ("Queue on SQLite", "Queue on Redis"), "Both say how jobs are queued."),
    ("Old synthesis", ("Retry storm", "Three retries"), "Both speak of retries."),
)

CORE: Final[Mapping[str, Mapping[str, Any]]] = {
    "capture": {"content": "Workers take one job at a time.", "title": "One job at a time", "kind": "convention"},
    "search": {"query": "job queue"},
    "fetch": {"id": "Queue on SQLite", "detail": "detailed", "depth": 2},
    "update": {"id": "Queue on SQLite", "importance": 0.9},
    "forget": {"id": "Old habit", "confirm": True, "reason": "Nobody does that any more."},
    "relate": {
        "source": "Retry storm",
        "target": "Three retries",
        "type": "refutes",
        "reasoning": "Three make a storm.",
    },
    "unrelate": {"source": "Queue on Redis", "target": "Queue on SQLite", "type": "contradicts"},
    "trace": {"start": "Queue on Redis", "end": "Three retries"},
    "challenge": {"claim": "The job queue runs without a server."},
    "bridge": {"ontology1": "notes", "ontology2": "rivals"},
    "synthesize": {"label": "Queues", "bridges": ["Queue on SQLite", "Queue on Redis"], "evidence": "Two job queues."},
    "context": {"task": "replace the job queue"},
    "review": {"limit": 5},
    "status": {"detail": "detailed"},
}

RESEARCH: Final[Mapping[str, Mapping[str, Any]]] = {
    "ingest_hypothesis": {"hypothesis": "A queue in one file survives a power cut.", "source": "doi:10.1000/1"},
    "connect_propositions": {
        "id_a": "Retry storm",
        "id_b": "Three retries",
        "relation": "refutes",
        "reasoning": "Three of them without a pause make a storm.",
    },
    "semantic_search": {"query": "retries of jobs"},
    "find_scientific_lineage": {"start_concept": "Queue on Redis", "end_concept": "Three retries"},
    "find_contradictions": {"claim": "Jobs are retried five times before they are given up."},
    "list_propositions": {},
    "get_unit": {"unit_id": "Three retries"},
    "delete_unit": {"unit_id": "Old claim", "confirm": True},
    "analyze_propositions": {"kind": "gaps", "subject": "Three retries"},
}

PROJECT: Final[Mapping[str, Mapping[str, Any]]] = {
    "autology_capture": {
        "title": "Workers take turns",
        "content": "A worker takes one job and goes to the end of the line.",
        "type": "pattern",
        "tags": ["queue"],
    },
    "autology_query": {"query": "job queue", "type": "decision"},
    "autology_status": {"detail": "full"},
    "autology_update": {"id": "Queue on SQLite", "confidence": 0.9},
    "autology_delete": {"id": "Old habit"},
    "autology_relate": {"source": "Queue on Redis", "target": "Three retries", "type": "affects"},
    "autology_unrelate": {"source": "Queue on SQLite", "target": "Three retries", "type": "affects"},
    "autology_context": {"currentTask": "replace the job queue"},
}

IMPORTED: Final = """learned_id,relationship_type,from_label,to_label,evidence,created_by
learned_2026-01-02_001,LEARNED_CONNECTION,Queue on Redis,Three retries,Retried jobs fill the queue.,claude-mcp
"""
SYNTHESIS: Final[Mapping[str, Mapping[str, Any]]] = {
    "find_bridge_candidates": {"ontology1": "notes", "ontology2": "rivals", "min_similarity": 0.5},
    "create_learned_relationship": {
        "from_concept_id": "Retry storm",
        "to_concept_id": "Queue on SQLite",
        "relationship_type": "BRIDGES",
        "evidence": "Retries without a pause fill the job queue.",
    },
    "create_synthesis_concept": {
        "label": "Queues and retries",
        "search_terms": ["retry queue"],
        "ontology": "joined",
        "bridges_concepts": ["Queue on SQLite", "Retry storm"],
        "evidence": "A job queue and its retries have to be planned together.",
    },
    "update_learned_knowledge": {"learned_id": "Two queues", "updates": {"evidence": "Both are queues for jobs."}},
    "delete_learned_knowledge": {"learned_id": "Old synthesis", "cascade": True},
    "list_learned_knowledge": {"history": True},
    "create_learned_relationships": {
        "relationships": [
            {
                "from_concept_id": "Retry storm",
                "to_concept_id": "Three retries",
                "relationship_type": "LEARNED_CONNECTION",
                "evidence": "Three retries without a pause make a storm.",
            },
            {"from_concept_id": "nowhere", "to_concept_id": "x", "relationship_type": "BRIDGES", "evidence": "None."},
        ]
    },
    "rate_learned_knowledge": {"learned_id": "Two queues", "vote": "up", "reason": "It helped."},
    "export_learned_knowledge": {"format": "markdown"},
    "import_learned_knowledge": {"format": "csv", "text": IMPORTED},
}

# What was merged, and into what.
MERGES: Final = (("Hidden jobs", "Visibility timeout"),)

CURATION: Final[Mapping[str, Mapping[str, Any]]] = {
    "search_concepts": {"query": "job queue", "threshold": 0.3},
    "get_concept_details": {"concept_id": "Queue on SQLite"},
    "find_related_concepts": {"concept_id": "Queue on Redis", "max_depth": 3},
    "list_ontologies": {},
    "create_concept": {
        "label": "Back pressure",
        "description": "Whoever sends waits while the queue is full.",
        "evidence": "A full queue that takes more jobs falls over.",
        "proceed": True,
    },
    "create_relationship": {
        "from_id": "Retry storm",
        "to_id": "Queue on Redis",
        "type": "affects",
        "reasoning": "It fills the queue.",
    },
    "add_evidence": {"concept_id": "Retry storm", "quote": "The servers were down for an hour in March."},
    "ingest": {"text": "# Ovens\n\nKilns are fired to 1250 degrees.", "document": "ovens.md", "ontology": "pottery"},
    "flag_similar_concepts": {"concept_id": "Dead letters", "min_similarity": 0.7},
    "merge_concepts": {
        "keep_id": "Dead letters",
        "merge_id": "Dead letter list",
        "reason": "They say the same.",
        "proceed": True,
    },
    "unmerge_concepts": {"merge_id": "Hidden jobs", "reason": "They differ after all."},
    "prune": {"what": "orphans", "reason": "A look at what nothing joins."},
}

MEMORY: Final[Mapping[str, Mapping[str, Any]]] = {
    "memory_store": {
        "title": "Builds need 4 GB",
        "content": "We decided that every build container has 4 GB of memory: below that the build is killed.",
        "type": "decision",
        "tags": ["deploy"],
    },
    "memory_recall": {"query": "the build is killed", "type": "fix"},
    "memory_get": {"id": "Deploy fails with exit code 137"},
    "memory_update": {"id": "Deploy fails with exit code 137", "tags": ["deploy", "docker"]},
    "memory_delete": {"id": "Old memory", "confirm": True},
    "memory_relate": {"from_id": "Give the builder 4 GB", "to_id": "Queue on SQLite", "rel_type": "RELATED_TO"},
    "memory_related": {"id": "Give the builder 4 GB", "depth": 2},
    "memory_edges": {"type": "SOLVES"},
}

EXAMPLES: Final[Mapping[str, Mapping[str, Any]]] = {
    **CORE,
    **RESEARCH,
    **PROJECT,
    **SYNTHESIS,
    **CURATION,
    **MEMORY,
}
"""Arguments by the name of the tool."""


def furnish(graph: Graph) -> None:
    """Fill an empty graph with what the examples speak of."""
    for title, kind, ontology, content in NODES:
        request = CaptureRequest(content=content, title=title, kind=kind, ontology=ontology, linking=Linking.NONE)
        graph.capture.capture(request, graph.call("capture"))
    for source, type_, target in RELATIONS:
        wish = RelateRequest(source=source, target=target, type=type_, reasoning="So it was seen.")
        graph.relate.relate(wish, graph.call("relate"))
    for label, bridges, evidence in SYNTHESES:
        joined = SynthesizeRequest(label=label, bridges=bridges, evidence=evidence)
        graph.synthesize.synthesize(joined, graph.call("synthesize"))
    for merge, keep in MERGES:
        pair = MergeRequest(keep=keep, merge=merge, reason="They say the same.", override=True)
        graph.curation.merge(pair, graph.call("merge_concepts"))
