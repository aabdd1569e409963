"""A graph with one secret in every field that somebody can write a text into, and a vault beside it that shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import weft
from weft.model import IngestRequest
from weft.settings import Settings
from weft.tools.gate import call, caller_of

if TYPE_CHECKING:
    from pathlib import Path

    from weft.graph import Graph

__all__ = ["PLANTED", "opened", "planted", "sync"]

PLANTED = "xk7-Planted-93qz"
"""It is found in whatever case it stands, and by itself in names of files."""


def opened(project: Path, place: str, *, actor: str = "ann") -> Graph:
    """Open the graph in ``place`` whose project is the folder ``project``."""
    return weft.open(settings=Settings(graph=place, actor=actor, home=str(project)), root=project)


def sync(graph: Graph) -> Any:  # noqa: ANN401 - weft.vault.Synced
    """Bring vault and graph together."""
    return graph.vault.sync(graph.call("sync"))


def planted(project: Path, place: str, vault: Path) -> str:
    """Make the graph, and return the id of the node that holds the secret in every field."""
    (project / f"{PLANTED}.cfg").write_text("a file whose name tells", "utf-8")
    with opened(project, place, actor=f"ann {PLANTED}") as graph:
        graph.vault.turn_on(vault, graph.call("vault"))
        made = _told(graph)
        _thought(graph, made)
        _read(graph)
        sync(graph)
        _edited(graph, made, vault)
        graph.vectors.rebuild()
    return made["leak"]


def _ask(graph: Graph, name: str, **arguments: object) -> dict[str, Any]:
    settings = graph.settings
    return call(graph, name, arguments, caller_of(settings, client=f"client {PLANTED}", graph=graph.name))


def _told(graph: Graph) -> dict[str, str]:
    session = f"session {PLANTED}"
    other = _ask(graph, "capture", content="Invoices are sent on the first of the month.", ontology="billing")
    third = _ask(graph, "capture", content="Reminders are sent after ten days.", idempotency_key=f"key {PLANTED}")
    leak = _ask(
        graph,
        "capture",
        content=f"The key of the billing service is {PLANTED}, as of today.",
        title=f"Key {PLANTED}",
        ontology=f"keys {PLANTED}",
        tags=[f"tag-{PLANTED}"],
        references=[f"{PLANTED}.cfg", f"https://example.org/?token={PLANTED}"],
        citation=f"Mail of {PLANTED}",
        session=session,
        idempotency_key=f"made-{PLANTED}",
    )
    beside = _ask(graph, "capture", content="It is rotated.", references=[f"{PLANTED}.cfg"], session=session)
    about = {"target": other["id"], "type": "affects", "session": session}
    _ask(graph, "relate", source=leak["id"], reasoning=f"{PLANTED} opens it", evidence=f"Said: {PLANTED}", **about)
    _ask(graph, "relate", source=third["id"], reasoning=f"it is opened by {PLANTED} too", **about)
    _ask(graph, "update", id=leak["id"], content=f"The key is {PLANTED}; tomorrow it is another.")
    _ask(graph, "search", query=f"where is {PLANTED}", session=session)
    return {"leak": leak["id"], "other": other["id"], "third": third["id"], "beside": beside["id"]}


def _thought(graph: Graph, made: dict[str, str]) -> None:
    joined = {"bridges": [made["third"], made["beside"]], "search_terms": [f"term {PLANTED}"]}
    said = f"{PLANTED} is what both are for."
    synthesis = _ask(graph, "synthesize", label=f"Joined by {PLANTED}", evidence=said, ontology="joined", **joined)
    _ask(graph, "rate_learned_knowledge", learned_id=synthesis["learned_id"], vote="up", reason=f"{PLANTED} helped")
    ends = {"from_concept_id": made["other"], "to_concept_id": made["leak"], "relationship_type": "BRIDGES"}
    _ask(graph, "create_learned_relationship", evidence=f"{PLANTED} joins them", **ends)
    _ask(graph, "add_evidence", concept_id=made["third"], quote=f"It was {PLANTED}.")
    _ask(graph, "create_concept", label="Postage", description="Letters cost.", evidence=PLANTED, proceed=True)
    _ask(graph, "prune", what="orphans", reason=f"because of {PLANTED}")
    gone = _ask(graph, "capture", content="Something that nobody needs.")
    _ask(graph, "forget", id=gone["id"], confirm=True, reason=f"It named {PLANTED}")
    graph.keeping.tokens.create(f"bot {PLANTED}", "reader", graph.call("token"))


def _read(graph: Graph) -> None:
    text = (
        f"# Keys of {PLANTED}\n\nWe decided that {PLANTED} is the key.\n\n# Post\n\nWe decided on mail for letters.\n"
    )
    wish = IngestRequest(text=text, document=f"notes/{PLANTED}.md", ontology=f"docs {PLANTED}")
    graph.ingest.ingest(wish, graph.call("ingest"))


def _edited(graph: Graph, made: dict[str, str], vault: Path) -> None:
    """Edit notes: one on both sides, one that is not read yet, one that cannot be read, and one of somebody's own."""
    by_id = {id_: path for path in vault.rglob("*.md") for id_ in made.values() if f"id: {id_}\n" in path.read_text()}
    clash = by_id[made["beside"]]
    clash.write_text(clash.read_text().replace("It is rotated.", f"It is rotated with {PLANTED}."))
    _ask(graph, "update", id=made["beside"], content="It is rotated in May.")
    mine = by_id[made["other"]]
    mine.write_text(mine.read_text().replace("\n---\n", f"\nmine: my {PLANTED}\n---\n", 1))
    told = sync(graph)
    assert told.conflicts
    later = by_id[made["third"]]
    later.write_text(later.read_text() + f"\nAnd {PLANTED} too.\n")
    (vault / "nodes" / "concepts").mkdir(parents=True, exist_ok=True)
    (vault / "nodes" / "concepts" / f"own-{PLANTED}.md").write_text(f"---\ntitle: [\n---\n{PLANTED}\n")
