"""Answers as people read them: plain lines that fit 80 columns, colours only where there is a terminal.

Every text of the graph is printed as text, never as markup.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, TypeAlias

from rich.padding import Padding
from rich.text import Text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from rich.console import Console

    from weft.tools.table import Tool

__all__ = ["show", "show_tools"]

Answer: TypeAlias = dict[str, Any]

SHORT = 18
"""Characters of an id that are shown: its time and counter, which tell apart all that one process makes."""


def show(screen: Console, tool: str, answer: Answer) -> None:
    """Print ``answer`` of ``tool``; a tool without a form of its own is printed as indented JSON."""
    form = FORMS.get(tool)
    if form is None:
        screen.print(json.dumps(answer, ensure_ascii=False, indent=2))
        return
    form(screen, answer)
    for action in answer.get("suggested_next_actions", []):
        screen.print(Text(f"→ {action['description']}  ({action['tool']})", style="dim"))


def line(screen: Console, text: str, *, style: str = "", indent: int = 0) -> None:
    """Print one line of text, wrapped with its indent kept."""
    screen.print(Padding(Text(text, style=style), (0, 0, 0, indent), expand=False))


def heading(screen: Console, title: str, node_id: str, detail: str) -> None:
    """Print a node's title with its id and a few words beside it."""
    text = Text(title, style="bold")
    text.append(f"  {node_id[:SHORT]}", style="cyan")
    text.append(f"  {detail}", style="dim")
    screen.print(text)


def show_tools(screen: Console, tools: Iterable[Tool], *, as_json: bool) -> None:
    """Print the tools with their tier and their first sentence."""
    rows = [{"name": t.name, "toolset": t.toolset, "tier": t.tier.label, "description": t.description} for t in tools]
    if as_json:
        screen.print(json.dumps(rows, ensure_ascii=False), soft_wrap=True)
        return
    for row in rows:
        heading(screen, row["name"], row["toolset"], row["tier"])
        line(screen, row["description"], indent=2)


def _hits(screen: Console, answer: Answer) -> None:
    for hit in answer["hits"]:
        heading(screen, hit["title"], hit["id"], f"{hit['kind']} · {hit['ontology']}")
        line(screen, " · ".join(hit["why"]), style="green", indent=2)
        line(screen, hit.get("snippet", ""), indent=2)
    shown, total = len(answer["hits"]), answer["total"]
    line(screen, f"{shown} of {total}" if shown else "Nothing found.", style="dim")
    misses = answer.get("near_misses", {})
    if not shown and misses.get("count"):
        line(screen, f"{misses['count']} lay below {misses['threshold']}.", style="dim")


def _captured(screen: Console, answer: Answer) -> None:
    heading(screen, answer["title"], answer["id"], answer["kind"])
    judged = answer["classification"]
    line(screen, f"{judged['method']}, confidence {judged['confidence']:g}", style="dim", indent=2)
    for relation in answer.get("relations", []):
        line(screen, _relation(relation), style="green", indent=2)
    for part, word in (("suggestions", "to review"), ("near_duplicates", "much like"), ("conflicts", "may contradict")):
        for item in answer.get(part, []):
            line(screen, f"{word}: {item.get('summary') or item.get('title')}", style="yellow", indent=2)
    if answer.get("link_error"):
        line(screen, f"not linked: {answer['link_error']}", style="red", indent=2)


def _relation(relation: Answer) -> str:
    source = relation.get("source_title") or relation["source"][:SHORT]
    target = relation.get("target_title") or relation["target"][:SHORT]
    return f"{source} —{relation['type']}→ {target}: {relation.get('reasoning', '')}"


def _node(screen: Console, answer: Answer) -> None:
    node = answer.get("node", answer)
    heading(screen, node["title"], node["id"], f"{node['kind']} · {node['ontology']} · {node.get('status', '')}")
    line(screen, node["content"], indent=2)
    for kind, relations in answer.get("relations", {}).items():
        for relation in relations:
            other = relation.get("title") or relation.get("id", "")
            line(
                screen,
                f"{relation.get('direction', '')} {kind}: {other}: {relation.get('reasoning', '')}",
                style="green",
                indent=2,
            )
    for piece in answer.get("evidence", []):
        line(screen, f"“{piece['quote']}” — {piece.get('document', '')}", style="dim", indent=2)


def _trail(screen: Console, answer: Answer) -> None:
    if not answer["connected"]:
        line(screen, "Not connected within these hops.", style="yellow")
        for match in answer.get("nearest", []):
            line(screen, f"near: {match['title']}", indent=2)
        return
    for step in answer["trail"]:
        heading(screen, step["title"], step["id"], "")
        onward = step.get("relation_to_next")
        if onward:
            arrow = "↓" if onward["direction"] == "forward" else "↑"
            line(
                screen,
                f"{arrow} {onward['type']} ({onward['origin']}): {onward.get('reasoning', '')}",
                style="green",
                indent=2,
            )


def _challenged(screen: Console, answer: Answer) -> None:
    for part, word, style in (
        ("conflicts", "against", "red"),
        ("supports", "for", "green"),
        ("to_judge", "to judge", "yellow"),
    ):
        for side in answer.get(part, []):
            heading(screen, side["title"], side["id"], word)
            line(screen, "; ".join(side.get("grounds", [])), style=style, indent=2)
    if not any(answer.get(part) for part in ("conflicts", "supports", "to_judge")):
        line(screen, "Nothing in the graph speaks to this claim.", style="dim")


def _bridges(screen: Console, answer: Answer) -> None:
    for pair in answer["candidates"]:
        line(screen, f"{pair['concept1']['title']}  ⟷  {pair['concept2']['title']}", style="bold")
        line(
            screen,
            f"similarity {pair['similarity']:.2f}, leap {pair['cognitive_leap']}: "
            + "; ".join(pair.get("grounds", [])),
            indent=2,
        )
    if not answer["candidates"]:
        line(screen, "No candidates.", style="dim")


def _context(screen: Console, answer: Answer) -> None:
    for node in answer["nodes"]:
        heading(screen, node["title"], node["id"], f"{node['band']} {node['relevance']:.2f}")
        line(screen, "; ".join(node.get("why", [])), style="green", indent=2)


def _review(screen: Console, answer: Answer) -> None:
    for decided in answer.get("decided", []):
        line(screen, f"{decided['result']}: {decided['item']} {decided.get('message', '')}", style="green")
    for item in answer["items"]:
        heading(screen, item["summary"], item["id"], item["kind"])
        line(screen, item["accept_does"], style="dim", indent=2)
    line(screen, f"{answer['remaining']} waiting", style="dim")


def _status(screen: Console, answer: Answer) -> None:
    counts = answer["counts"]
    line(screen, f"{counts['nodes']} nodes, {counts['relations']} relations, {counts['sources']} sources", style="bold")
    for part in ("nodes_by_kind", "relations_by_type", "nodes_by_ontology", "nodes_by_origin"):
        table = counts.get(part, {})
        if table:
            words = ", ".join(f"{name} {count}" for name, count in sorted(table.items(), key=lambda row: -row[1]))
            line(screen, f"{part.replace('_', ' ')}: {words}", indent=2)
    for hub in answer.get("hubs", [])[:5]:
        line(screen, f"hub: {hub.get('title', hub.get('id'))}", indent=2)
    health = {name: value for name, value in answer.get("health", {}).items() if value not in ({}, "", None)}
    line(screen, ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in health.items()), style="dim")


def _plain(screen: Console, answer: Answer) -> None:
    for name, value in answer.items():
        if name != "suggested_next_actions":
            said = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
            line(screen, f"{name.replace('_', ' ')}: {said}")


FORMS: dict[str, Callable[[Console, Answer], None]] = {
    "search": _hits,
    "capture": _captured,
    "fetch": _node,
    "trace": _trail,
    "challenge": _challenged,
    "bridge": _bridges,
    "context": _context,
    "review": _review,
    "status": _status,
    "update": _plain,
    "forget": _plain,
    "relate": _plain,
    "unrelate": _plain,
    "synthesize": _plain,
    "undo": _plain,
    "ingest": _plain,
}
