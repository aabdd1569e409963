"""Answers as people read them: plain lines that fit 80 columns, colours only where there is a terminal.

Here are the forms of what reads the graph; those of what changes it are in ``done``.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from rich.text import Text

from weft.faces import done, learned
from weft.faces.lines import command, counted, current, hanging, heading, line, moment, short, typed, way_back
from weft.faces.steps import spelled
from weft.text import plain
from weft.vocabulary import RELATION_TYPES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from rich.console import Console

    from weft.faces.lines import Answer
    from weft.tools.table import Tool

__all__ = ["show", "show_tools"]

HISTORY_SHOWN = 5
NAMES_SHOWN = 6

_HEADINGS = re.compile(r"(?<!\S)#{1,6}\s+")
_STRIKES = re.compile(r"(?<![~\\])~~(?!~)")  # kept: what is struck out is not said
_RULES = re.compile(r"\s*\|[\s|:-]*-{3}[\s|:-]*|\s+\|\s+\|?\s*")
_SAID_BY_THE_FORM = {
    *(("forget", "forget"), ("trace", "relate"), ("status", "review"), ("review", "fetch")),
    ("search", "create_learned_relationship"),
}


def show(screen: Console, tool: str, answer: Answer) -> None:
    """Print ``answer`` of ``tool``; a tool without a form of its own is printed as indented JSON."""
    form = FORMS.get(tool)
    if form is None:
        screen.print(json.dumps(answer, ensure_ascii=False, indent=2), soft_wrap=True)
        return
    form(screen, answer)
    for action in answer.get("suggested_next_actions", []):
        if (tool, action["tool"]) not in _SAID_BY_THE_FORM:
            hanging(screen, Text(f"{action['description'].rstrip('.')}:", style="dim"), mark="→ ")
            command(screen, spelled(action), indent=2)


def show_tools(screen: Console, tools: Iterable[Tool], *, as_json: bool) -> None:
    """Print the tools with their tier and what they are for."""
    rows = [{"name": t.name, "toolset": t.toolset, "tier": t.tier.label, "description": t.description} for t in tools]
    if as_json:
        screen.print(json.dumps(rows, ensure_ascii=False), soft_wrap=True)
        return
    for row in rows:
        text = Text(row["name"], style="bold")
        text.append(f"  {row['toolset']} · needs {row['tier']}", style="not bold dim")
        hanging(screen, text)
        line(screen, row["description"], indent=2)


def _hits(screen: Console, answer: Answer) -> None:
    line(screen, answer.get("warning", ""), style="yellow")
    for hit in answer["hits"]:
        heading(screen, hit["title"], hit["id"], f"{hit['kind']} · {hit['ontology']} · {current(hit)}")
        line(screen, " · ".join(hit["why"]), style="green", indent=2)
        line(screen, _snippet(hit), indent=2)
        _replaced(screen, hit)
    shown, total = len(answer["hits"]), answer["total"]
    if shown < total:
        line(screen, f"{shown} of {total}; --limit shows more", style="dim")
    if "bridge_hint" in answer:
        _bridge(screen, answer["bridge_hint"])
    if not shown:
        line(screen, "Nothing found.", style="yellow")
        _below(screen, answer)


def _bridge(screen: Console, hint: Answer) -> None:
    """Print what a search noticed of two of its hits, with the command that joins them."""
    one, other = hint["node1"], hint["node2"]
    ends = f"«{one['title']}» ({one['ontology']}) and «{other['title']}» ({other['ontology']})"
    said = f"{ends} lie close, similarity {hint['similarity']:.2f}, and nothing joins them:"
    line(screen, said, style="yellow")
    command(screen, f"weft relate {short(one['id'])} bridges {short(other['id'])} --because …", indent=2)


def _snippet(hit: Answer) -> str:
    """Return the words of a hit's snippet, without the marks of its Markdown and the title that stands above it."""
    markup = hit.get("snippet", "")
    words = _RULES.sub(" · ", _HEADINGS.sub("· ", plain(_STRIKES.sub(r"\\~\\~", markup)))).strip(" ·")
    shown = words.removeprefix(hit["title"]).strip(" ·") if markup.startswith("#") else words
    return "" if shown.rstrip(".") == hit["title"].rstrip(".") else shown


def _below(screen: Console, answer: Answer) -> None:
    misses = answer.get("near_misses") or {}
    if misses.get("count"):
        best = f"; the nearest reaches {misses['best']:.2f}" if misses.get("best") is not None else ""
        line(screen, f"A similarity of {misses['threshold']:.2f} is asked for{best}.", style="dim", indent=2)


def _node(screen: Console, answer: Answer) -> None:
    node = answer["node"]
    words = [node["kind"], node["ontology"], *[f"#{tag}" for tag in node.get("tags", [])]]
    heading(screen, node["title"], node["id"], " · ".join(words))
    if node.get("retired"):
        line(screen, f"Forgotten {moment(node['retired']['at'])} by {node['retired']['by']}.", style="red", indent=2)
    elif node["status"] != "active":
        line(screen, node["status"].replace("_", " "), style="yellow", indent=2)
    line(screen, node["content"].strip(), indent=2)
    line(screen, answer.get("left_out", ""), style="dim", indent=2)
    for name, part in (("Relations", _relations), ("Evidence", _evidence), ("Further out", _around)):
        part(screen, name, answer)
    _history(screen, answer)


def _relations(screen: Console, name: str, answer: Answer) -> None:
    if answer["relations"]:
        line(screen, name, style="bold dim")
    for relation_type, relations in answer["relations"].items():
        for relation in relations:
            arrow = _arrow({"type": relation_type, **relation}, "→", "←", "↔")
            detail = " · ".join(filter(None, (relation["origin"], relation.get("status", "").replace("_", " "))))
            heading(screen, f"{relation_type} {relation['title']}", relation["id"], detail, mark=f"{arrow} ", indent=2)
            line(screen, relation.get("reasoning", ""), style="green", indent=4)


def _evidence(screen: Console, name: str, answer: Answer) -> None:
    if answer["evidence"]:
        line(screen, name, style="bold dim")
    said = ((" ".join(piece["quote"].split()), _place(piece)) for piece in answer["evidence"])
    for quote, place in dict.fromkeys(said):  # a node and its relation may rest on the same words
        line(screen, f"«{quote}»", indent=2)
        line(screen, place, style="dim", indent=4)


def _place(piece: Answer) -> str:
    paragraph = f", paragraph {piece['paragraph']}" if piece.get("paragraph") is not None else ""
    return f"{piece['document']}{paragraph}"


def _around(screen: Console, name: str, answer: Answer) -> None:
    if answer.get("neighbours"):
        line(screen, name, style="bold dim")
    for node in answer.get("neighbours") or []:
        heading(screen, node["title"], node["id"], node["kind"], indent=2)


def _history(screen: Console, answer: Answer) -> None:
    history = answer["history"]
    if history:
        line(screen, typed("History (weft undo BATCH takes one back)"), style="bold dim")
    for change in history[:HISTORY_SHOWN]:
        said = f"{moment(change['at'])}  {change['tool']} by {change['actor']}"
        line(screen, f"{said}  batch {short(change['batch'])}", indent=2)
    if len(history) > HISTORY_SHOWN:
        line(screen, f"and {len(history) - HISTORY_SHOWN} earlier", style="dim", indent=2)


def _trail(screen: Console, answer: Answer) -> None:
    for name, word in (("start_match", "start"), ("end_match", "end")):
        match = answer.get(name)
        if match and match["similarity"] < 1:
            line(screen, f"{word}: nearest is «{match['title']}», similarity {match['similarity']:.2f}", style="dim")
    if not answer["connected"]:
        _unconnected(screen, answer)
        return
    if not answer["path_length"]:
        line(screen, "Both ends are this one: there is no way to go.", style="dim")
    for step in answer["trail"]:
        heading(screen, step["title"], step["id"])
        line(screen, _onward(step.get("relation_to_next")), style="green", indent=2)
    for other in answer.get("alternatives", []):
        line(screen, "or: " + " · ".join(step["title"] for step in other["trail"]), style="dim")


def _onward(relation: Answer | None) -> str:
    if not relation:
        return ""
    arrow = _arrow(relation, "↓", "↑", "↕")
    return f"{arrow} {relation['type']} ({relation['origin']}): {relation.get('reasoning', '')}"


def _arrow(relation: Answer, forward: str, backward: str, neither: str) -> str:
    """Return the sign that says which way a relation runs; for a type without a direction it is ``neither``."""
    known = RELATION_TYPES.get(relation["type"])
    if known and known.symmetric:
        return neither
    return forward if relation["direction"] == "forward" else backward


def _unconnected(screen: Console, answer: Answer) -> None:
    start, end = answer.get("start_match"), answer.get("end_match")
    if start and end:
        line(screen, f"No trail leads from «{start['title']}» to «{end['title']}».", style="yellow")
        near = "Nearest to the end, of what the start reaches:"
    else:
        line(screen, f"Nothing in the graph is near the {'end' if start else 'start'}.", style="yellow")
        near = "The least far:"
    if answer.get("nearest"):
        line(screen, near, style="dim", indent=2)
    for match in answer.get("nearest", []):
        heading(screen, match["title"], match["id"], f"similarity {match['similarity']:.2f}", indent=2)


def _challenged(screen: Console, answer: Answer) -> None:
    own = answer.get("claim_id")
    if own:
        heading(screen, answer["claim_title"], own, "says so")
    sides = (("conflicts", "against", "red"), ("supports", "for", "green"), ("to_judge", "to judge", "yellow"))
    for part, word, style in sides:
        for side in answer.get(part, []):
            detail = f"{side['kind']} · {current(side)} · similarity {side['similarity']:.2f}"
            heading(screen, side["title"], side["id"], detail)
            line(screen, f"{word}{_leaning(side)}: {'; '.join(side.get('grounds', []))}", style=style, indent=2)
            _replaced(screen, side)
            if not _is_title(side):
                line(screen, side["content"], indent=2)
    if not any(answer.get(part) for part, _, _ in sides):
        line(screen, f"Nothing{' else' if own else ''} in the graph speaks for or against it.", style="yellow")


def _is_title(side: Answer) -> bool:
    """Return whether all that a side says stands above it already: a claim of one sentence is its own title."""
    return bool(side["content"].strip(" .") == side["title"].strip(" ."))


def _leaning(side: Answer) -> str:
    """Return which way a side leans, in brackets, with both likelihoods."""
    likely = side.get("likely")
    if not likely:
        return ""
    other = "supports" if likely == "conflicts" else "conflicts"
    return f" (rather {likely}, {side['likelihood'][likely]:.2f}; {other} {side['likelihood'][other]:.2f})"


def _bridges(screen: Console, answer: Answer) -> None:
    for pair in answer["candidates"]:
        one, other = pair["concept1"], pair["concept2"]
        heading(screen, one["title"], one["id"], one["ontology"])
        heading(screen, other["title"], other["id"], other["ontology"], mark="⟷ ")
        leap = f"similarity {pair['similarity']:.2f} · leap {pair['cognitive_leap']}"
        grounds = [ground for ground in pair.get("grounds", []) if not ground.startswith("similarity ")]
        line(screen, " · ".join((leap, *grounds)), style="green", indent=2)
    if not answer["candidates"]:
        line(screen, "Nothing in the two seems to belong together.", style="yellow")
        _below(screen, answer)


def _replaced(screen: Console, row: Answer) -> None:
    """Print what replaced a node, or the document that it stands in."""
    newer, within = row.get("superseded_by"), row.get("superseded_document")
    if newer:
        line(screen, f"superseded by {newer['title']}", style="yellow", indent=2)
    elif within:
        newer = within.get("superseded_by")
        ended = f"superseded by {newer['title']}" if newer else "superseded"
        line(screen, f"stands in {within['title']}, {ended}", style="yellow", indent=2)


def _context(screen: Console, answer: Answer) -> None:
    line(screen, answer.get("warning", ""), style="yellow")
    for node in answer["nodes"]:
        relevance = f"{node['kind']} · {current(node)} · relevance {node['relevance']:.2f} ({node['band']})"
        heading(screen, node["title"], node["id"], relevance)
        line(screen, "; ".join(node.get("why", [])), style="green", indent=2)
        _replaced(screen, node)
    if not answer["nodes"]:
        line(screen, "Nothing in the graph bears on it.", style="yellow")


def _review(screen: Console, answer: Answer) -> None:
    for decided in answer["decided"]:
        done_it = decided["result"] in {"accepted", "dismissed"}
        said = f"{decided['result']}: {decided['item']}" if done_it else f"not decided: {decided.get('message', '')}"
        line(screen, said, style="green" if done_it else "red")
        way_back(screen, decided.get("batch", ""))
    remaining = answer["remaining"]
    if answer["decided"]:
        line(screen, f"{counted(remaining, 'item waits', 'items wait')}.", style="dim")
        return
    for item in answer["items"]:
        line(screen, item["summary"], style="bold")
        line(screen, item["id"], style="cyan", indent=2)
        line(screen, _likeness(item), style="green", indent=2)
        for title in item.get("superseded", ()):
            line(screen, f"no longer holds: {title}", style="yellow", indent=2)
        for newer in item.get("superseded_by", ()):
            line(screen, f"{newer['replaces']['title']}: superseded by {newer['title']}", style="yellow", indent=2)
        line(screen, f"accept: {item['accept_does']}", indent=2)
        done.another_kind(screen, item)
    if not remaining:
        line(screen, "Nothing waits for a decision.")
        return
    more = "" if remaining == len(answer["items"]) else "; --limit shows more"
    line(screen, f"{counted(remaining, 'item waits', 'items wait')}{more}.", style="dim")
    line(screen, typed("Decide with weft review --accept ITEM or --dismiss ITEM."), style="dim")


def _likeness(item: Answer) -> str:
    """Return how alike the two are that an item compares, what the judge goes by, and which they are: titles repeat."""
    grounds = item.get("grounds", {})
    if "similarity" not in grounds or len(item["subjects"]) != 2:  # noqa: PLR2004 - one and another
        return ""
    said = "; ".join((f"similarity {grounds['similarity']:.2f}", *grounds.get("grounds", ())))
    return f"{said} · {' ↔ '.join(item['subjects'])}"


def _status(screen: Console, answer: Answer) -> None:
    counts, health = answer["counts"], answer["health"]
    line(screen, answer["verdict"], style="yellow" if answer["wants"] else "green")
    if counts.get("suggestions_open"):
        line(screen, typed("Decide with weft review."), style="dim")
    totals = (counted(counts[f"{each}s"], each) for each in ("node", "relation", "source"))
    line(screen, ", ".join(totals), style="bold")
    rows = [
        *((name, _tallied(counts.get(table))) for name, table in _TABLES),
        ("hubs", ", ".join(f"{hub['title']} {hub['degree']}" for hub in answer["hubs"][:NAMES_SHOWN])),
        ("unrelated", counted(answer["orphans"], "node") if answer["orphans"] else ""),
        ("model", f"{health['model_loaded']}, {health['model_dimension']} dimensions"),
        ("graph", answer.get("path", "")),
        ("vault", _vault(health["vault"])),
    ]
    for name, words in rows:
        if words:
            line(screen, f"{name}: {words}", indent=2)
    line(screen, health.get("shape", ""), style="dim", indent=2)


def _vault(vault: Answer) -> str:
    if not vault["on"] or "problem" in vault:
        return str(vault.get("problem", ""))
    waiting = f"{counted(vault['waiting'], 'note')} to be written: {typed('weft sync')}" if vault["waiting"] else ""
    clashes = f"{counted(vault['conflicts'], 'conflict')}: {typed('weft review')}" if vault["conflicts"] else ""
    return ", ".join(filter(None, (str(vault["root"]), counted(vault["notes"], "note"), waiting, clashes)))


def _tallied(table: dict[str, int] | None) -> str:
    return ", ".join(f"{name} {count}" for name, count in sorted((table or {}).items(), key=lambda row: -row[1]))


_TABLES = (
    ("kinds", "nodes_by_kind"),
    ("relations", "relations_by_type"),
    ("ontologies", "nodes_by_ontology"),
    ("origins", "nodes_by_origin"),
)

FORMS: dict[str, Callable[[Console, Answer], None]] = {
    "search": _hits,
    "capture": done.captured,
    "fetch": _node,
    "trace": _trail,
    "challenge": _challenged,
    "bridge": _bridges,
    "context": _context,
    "review": _review,
    "status": _status,
    "update": done.updated,
    "forget": done.forgotten,
    "relate": done.related,
    "unrelate": done.unrelated,
    "synthesize": done.synthesized,
    "undo": done.undone,
    "ingest": done.ingested,
    **learned.FORMS,
}
