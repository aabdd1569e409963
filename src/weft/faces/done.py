"""What a write did, as sentences: the forms of the tools that change the graph."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from weft.faces.lines import command, counted, heading, line, several, short, typed, way_back
from weft.vocabulary import TELLING

if TYPE_CHECKING:
    from rich.console import Console

    from weft.faces.lines import Answer

__all__ = [
    "another_kind",
    "captured",
    "forgotten",
    "ingested",
    "related",
    "synthesized",
    "undone",
    "unrelated",
    "updated",
]

RELATED_SHOWN_MAX = 3
"""Nodes that are shown of those that a new one likely belongs with."""

FILES_NAMED_MAX = 10
"""Files that could not be read which are named; the rest is counted."""

_COUNTS = (
    ("nodes_made", "new node", ""),
    ("nodes_reused", "node known already", "nodes known already"),
    ("nodes_updated", "changed node", ""),
    ("relations", "relation", ""),
    ("evidence", "piece of evidence", "pieces of evidence"),
)


def captured(screen: Console, answer: Answer) -> None:
    """Print what was written down, how its kind was found, and what it met in the graph."""
    heading(screen, answer["title"], answer["id"], f"{answer['kind']} · {answer['ontology']}")
    if answer["existing"]:
        line(screen, "It was there already, in these very words; nothing was written.", style="yellow", indent=2)
        if "untaken" in answer:
            line(screen, f"not taken: {', '.join(answer['untaken'])}; weft update sets them", style="yellow", indent=2)
        return
    line(screen, _kind(answer), style="dim", indent=2)
    _met(screen, answer)
    _asked(screen, answer)
    for other in answer.get("related", [])[:RELATED_SHOWN_MAX]:
        heading(screen, f"goes with: {other['title']}", other["id"], other["why"], indent=2)
    if answer.get("link_error"):
        line(screen, f"It is kept, but could not be linked: {answer['link_error']}", style="red", indent=2)
    way_back(screen, answer.get("batch", ""))


def _met(screen: Console, answer: Answer) -> None:
    """Print what a new node was related to, and what says otherwise or may."""
    for relation in answer["relations"]:
        other = f" «{relation['other_title']}»" if "other_title" in relation else ""
        line(screen, f"{relation['type']}{other}: {relation['reasoning']}", style="green", indent=2)
    _clashing(screen, answer)


def _clashing(screen: Console, answer: Answer) -> None:
    for conflict in answer.get("conflicts", []):
        heading(screen, f"may contradict: {conflict['title']}", conflict["id"], indent=2)
    for other in answer.get("differing", []):
        heading(screen, f"may differ from: {other['title']}", other["id"], "; ".join(other["grounds"]), indent=2)


def _asked(screen: Console, answer: Answer) -> None:
    """Print what waits for a decision, and how its kind is changed where no step that is offered says so."""
    offered = {action["tool"] for action in answer.get("suggested_next_actions", ())}
    for suggestion in answer["suggestions"]:
        if suggestion["kind"] != "classification":
            line(screen, f"to review: {suggestion['summary']}", style="yellow", indent=2)
        elif "update" not in offered:  # where hints are off
            another_kind(screen, suggestion)


def _kind(answer: Answer) -> str:
    judged = answer["classification"]
    if judged["method"] == "explicit":
        return ""
    if judged["confidence"] < TELLING:
        likely = ", ".join(each["kind"] for each in judged["alternatives"])
        told = f"too little in its words tells its kind; taken for a {judged['kind']}"
        return f"{told}, though it could be: {likely}" if likely else told
    others = ", ".join(f"{each['kind']} {each['confidence']:.0%}" for each in judged["alternatives"])
    sure = f"classified by {judged['method']}: {judged['kind']}, {judged['confidence']:.0%} sure"
    return f"{sure}; else {others}" if others else sure


def another_kind(screen: Console, item: Answer) -> None:
    """Print the command that makes a node of a doubtful kind another; nothing where no other is likely."""
    call = item.get("record_with")
    if call and "kind_choices" in call:
        asked = call["arguments"]
        command(screen, f"change its kind: weft update {short(asked['id'])} --kind {asked['kind']}", indent=2)


def updated(screen: Console, answer: Answer) -> None:
    """Print each field before and after."""
    if not answer["changed"]:
        line(screen, "It said so already; nothing was written.")
        return
    heading(screen, "Changed", answer["id"], f"now version {answer['version']}")
    for name, (before, after) in answer["changed"].items():
        line(screen, f"{name.replace('_', ' ')}: {_said(before)} → {_said(after)}", indent=2)
    line(screen, answer.get("warning", ""), style="yellow", indent=2)
    for other in answer.get("near_duplicates", []):
        heading(screen, f"says nearly the same: {other['title']}", other["id"], indent=2)
    _clashing(screen, answer)
    way_back(screen, answer.get("batch", ""))


def _said(value: Any) -> str:  # noqa: ANN401 - a field may hold anything
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "none"
    return str(value) if value not in (None, "") else "none"


def forgotten(screen: Console, answer: Answer) -> None:
    """Print what went, or what would go."""
    relations = counted(answer["relations_removed"], "relation")
    held = answer.get("nodes_removed", 0)
    with_it = f" and {counted(held, 'node that rests', 'nodes that rest')} on it alone" if held else ""
    what = f"«{answer['title']}» ({answer['kind']}) with {relations}{with_it}"
    if answer["done"]:
        line(screen, f"Forgot {what}.", style="bold")
        way_back(screen, answer.get("batch", ""))
        return
    line(screen, f"This would forget {what}. Nothing was written.")
    for title in answer.get("titles", []):
        line(screen, title, indent=4)
    line(screen, typed("--yes does it; weft undo brings it back."), style="dim", indent=2)


def related(screen: Console, answer: Answer) -> None:
    """Print the relation that was made or strengthened."""
    relation = answer["relation"]
    done = "Related by" if answer["created"] else f"Strengthened, to {relation['confidence']:.2f}:"
    line(screen, f"{done} {relation['type']}: {relation['reasoning']}", style="bold")
    line(screen, answer.get("warning", ""), style="yellow", indent=2)
    way_back(screen, answer.get("batch", ""))


def unrelated(screen: Console, answer: Answer) -> None:
    """Print whether there was a relation to remove."""
    if answer["removed"]:
        line(screen, "The relation is removed.", style="bold")
        way_back(screen, answer.get("batch", ""))
    else:
        line(screen, "There is no such relation; nothing was written.", style="yellow")


def synthesized(screen: Console, answer: Answer) -> None:
    """Print the new concept, what it joins, and how far apart those are."""
    heading(screen, answer["label"], answer["id"], f"concept · {answer['ontology']} · {answer['concept_id']}")
    for end, similarity in zip(answer["bridges"], answer["similarity_scores"], strict=True):
        heading(screen, f"joins {end['title']}", end["id"], f"similarity {similarity:.2f}", indent=2)
    line(screen, f"size of the leap: {answer['cognitive_leap']}", indent=2)
    line(screen, answer.get("warning", ""), style="yellow", indent=2)
    way_back(screen, answer.get("batch", ""))


def undone(screen: Console, answer: Answer) -> None:
    """Print what was taken back and what stayed because something newer stands on it."""
    line(screen, f"Took back {counted(answer['reverted'], 'change')}.", style="bold")
    for conflict in answer["conflicts"]:
        line(screen, f"for review: {conflict}", style="yellow", indent=2)
    way_back(screen, answer.get("undo_batch", ""))


def ingested(screen: Console, answer: Answer) -> None:
    """Print what became of the documents: new or changed, unchanged, left out.

    The tool counts the first as ``sources``, as its toolset calls them, and the command as ``documents``.
    """
    documents, unchanged = answer["sources" if "sources" in answer else "documents"], answer["unchanged"]
    said = f"Took in {counted(documents, 'document')}" if documents else "Nothing new was taken in"
    known = f"; {counted(unchanged, 'document')} unchanged" if unchanged else ""
    line(screen, f"{said}{known}.", style="bold")
    counts = [counted(answer[name], one, many) for name, one, many in _COUNTS if answer[name]]
    line(screen, ", ".join(counts), indent=2)
    if answer.get("reuse_rate"):
        line(screen, f"{answer['reuse_rate']:.0%} of what the documents speak of was known already", indent=2)
    if answer["marked"]:
        vanished = counted(answer["marked"], "node is", "nodes are")
        line(screen, f"{vanished} in no document any more: {typed('see weft review')}", style="yellow", indent=2)
    if answer["unsaid"]:
        unsaid = counted(answer["unsaid"], "relation is", "relations are")
        line(screen, f"{unsaid} stated in no document any more: {typed('see weft review')}", style="yellow", indent=2)
    if answer["questions"]:
        waiting = counted(answer["questions"], "question waits", "questions wait")
        line(screen, f"{waiting}, of what may contradict, repeat or replace: see weft review", style="yellow", indent=2)
    _absent(screen, answer)
    for each in answer["skipped"][:FILES_NAMED_MAX]:
        left = "" if each["reason"].startswith("read, ") else "left out "
        line(screen, f"{left}{each['path']}: {each['reason'].removeprefix('document: ')}", style="yellow", indent=2)
    more = len(answer["skipped"]) - FILES_NAMED_MAX
    line(screen, f"and {counted(more, 'further file')}" if more > 0 else "", style="yellow", indent=2)
    _batches(screen, answer["batches"])


def _absent(screen: Console, answer: Answer) -> None:
    gone = answer["documents_absent"]
    if not gone:
        return
    said = counted(gone, "document that was taken in before is", "documents that were taken in before are")
    line(screen, f"{said} not there now, and kept until forgotten (weft forget NAME):", style="yellow", indent=2)
    for name in answer["absent"][:FILES_NAMED_MAX]:
        line(screen, name, style="yellow", indent=4)
    more = gone - FILES_NAMED_MAX
    line(screen, f"and {more:,} more; --json lists them" if more > 0 else "", style="yellow", indent=4)


def _batches(screen: Console, batches: list[str]) -> None:
    if len(batches) == 1:
        way_back(screen, batches[0])
    elif batches:
        several(screen, len(batches))
