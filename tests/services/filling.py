"""A graph with something in every table, for whoever damages one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from weft.model import IngestRequest
from weft.tools.gate import call, caller_of

if TYPE_CHECKING:
    from weft.graph import Graph
    from weft.settings import Settings

__all__ = ["fill"]

TEXT = """# Roasting

Light roasts need hotter water than dark roasts. We decided to roast on Mondays.

# Grinding

A finer grind extracts faster than a coarse one.
"""


def fill(graph: Graph, settings: Settings) -> None:
    """Put something into every table of ``graph``."""
    caller = caller_of(settings, client="test", graph=graph.name)
    graph.ingest.ingest(IngestRequest(text=TEXT, document="roasting.md"), graph.call("ingest"))
    tagged = {"tags": ["coffee"], "references": ["src/roast.py"], "idempotency_key": "k1"}
    one = call(graph, "capture", {"content": "Water boils at 100 degrees.", **tagged}, caller)
    two = call(graph, "capture", {"content": "Ice melts at zero degrees.", "kind": "claim"}, caller)
    ends = {"source": one["id"], "target": two["id"], "type": "supports", "reasoning": "both are of water"}
    call(graph, "relate", ends, caller)
    call(graph, "update", {"id": two["id"], "title": "Melting ice"}, caller)
    call(graph, "capture", {"content": "Retries back off from 200 ms."}, caller)  # what it is, is asked
    gone = call(graph, "capture", {"content": "Salt is sweet."}, caller)
    call(graph, "forget", {"id": gone["id"], "reason": "wrong", "confirm": True}, caller)
    joined = {"from_concept_id": one["id"], "to_concept_id": two["id"], "relationship_type": "BRIDGES"}
    because = {"evidence": "Both are about what heat does to water.", "creator": "ann"}
    learned = call(graph, "create_learned_relationship", joined | because, caller)
    call(graph, "rate_learned_knowledge", {"learned_id": learned["learned_id"], "vote": "up"}, caller)
    call(graph, "update", {"id": one["id"], "status": "needs_review"}, caller)
