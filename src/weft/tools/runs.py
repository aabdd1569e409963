"""What tools of several toolsets do alike: the same verb with the same words, whatever else of them differs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from weft.model import BridgeRequest
from weft.reason.context import is_file_name

if TYPE_CHECKING:
    from weft.graph import Graph
    from weft.model import Bridges, Call, Forgotten, Unrelated
    from weft.tools.core import arguments as core
    from weft.tools.memory import arguments as memory
    from weft.tools.project import arguments as project
    from weft.tools.synthesis import arguments as synthesis

__all__ = ["bridge", "file_named", "forget", "unrelate"]


def file_named(graph: Graph, file: str) -> str:
    """Return ``file`` as references name it; one of the root itself begins with ``./``, where its place was given.

    A name alone is that of a file wherever it lies.
    """
    named = graph.staleness.named(file)
    return f"./{named}" if named != file and is_file_name(named) else named


def bridge(graph: Graph, asked: core.BridgeArguments | synthesis.FindBridgesArguments, call: Call) -> Bridges:
    """Return pairs of two ontologies that may be joined."""
    request = BridgeRequest(
        ontology1=asked.ontology1,
        ontology2=asked.ontology2,
        similarity_min=asked.min_similarity,
        limit=asked.limit,
        include_existing=asked.include_existing,
    )
    return graph.synthesize.bridge(request, call)


def forget(graph: Graph, asked: core.ForgetArguments | memory.DeleteArguments, call: Call) -> Forgotten:
    """Retire a node with its relations, or preview that."""
    return graph.capture.forget(asked.id, call, reason=asked.reason, confirm=asked.confirm)


def unrelate(graph: Graph, asked: core.UnrelateArguments | project.UnrelateArguments, call: Call) -> Unrelated:
    """Remove a relation, if it is there."""
    return graph.relate.unrelate(asked.source, asked.target, asked.type, call)
