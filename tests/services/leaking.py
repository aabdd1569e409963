"""A graph into which a secret leaked, in a row of every kind, and who works on it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import weft
from weft.model import SaveSuggestion
from weft.settings import Settings
from weft.testing.making import a_batch, a_suggestion
from weft.tools.gate import call, caller_of

if TYPE_CHECKING:
    from weft.graph import Graph

__all__ = ["DOCUMENT", "KEY", "LEAK", "WORD", "Desk", "leaked"]

KEY = "sk-live-9f8e7d6c5b4a"
WORD = "hunter2hunter2"
LEAK = f"The deploy key of the billing service is {KEY}, rotate it in May."
DOCUMENT = f"""# Operations

We decided to deploy on Mondays.

# Keys

{LEAK}

The password of the staging host is {WORD} since March.
"""


class Desk:
    """A graph into which a secret leaked, and who works on it."""

    def __init__(self, graph: Graph, settings: Settings) -> None:
        self.graph = graph
        self.caller = caller_of(settings, client="test", graph=graph.name)

    def ask(self, name: str, **arguments: object) -> dict[str, Any]:
        """Call a tool."""
        return call(self.graph, name, arguments, self.caller)

    def erase(self, id_: str, *texts: str) -> Any:  # noqa: ANN401 - weft.model.Erased
        """Erase."""
        return self.graph.keeping.erase(id_, self.graph.call("erase"), reason="a leaked key", texts=texts)


def leaked(place: str) -> str:
    """Make a graph with a secret in every kind of row, close it, and return the id of the node that holds it."""
    settings = Settings(graph=place, actor="ann")
    with weft.open(settings=settings) as graph:
        desk = Desk(graph, settings)
        other = desk.ask("capture", content="The billing service sends invoices on the first of the month.")
        made = desk.ask("capture", content=LEAK, tags=["keys"], references=[f"conf/{KEY}.env"], idempotency_key="k")
        desk.ask("update", id=made["id"], title=f"Key {KEY}")
        desk.ask("update", id=made["id"], title="Deploy key", content=f"{LEAK} Ask Bob.")
        why = f"it is the service that {KEY} opens"
        desk.ask("relate", source=made["id"], target=other["id"], type="affects", reasoning=why, idempotency_key="r")
        about, proposal = graph.store.nodes((made["id"],))[made["id"]], {"relate": {"reasoning": KEY}}
        asked = a_suggestion("dup", about, summary=f"Is {KEY} in use?", grounds={"said": KEY}, proposal=proposal)
        graph.store.commit(a_batch(SaveSuggestion(suggestion=asked)))
        desk.ask("search", query=f"what is {KEY}")
        desk.ask("search_concepts", query=KEY)
        desk.ask("fetch", id=made["id"])
        join = {"from_concept_id": made["id"], "to_concept_id": other["id"], "relationship_type": "BRIDGES"}
        desk.ask("create_learned_relationship", **join, evidence=f"{KEY} is for invoices", creator="ann")
        graph.vectors.rebuild()
    return str(made["id"])
