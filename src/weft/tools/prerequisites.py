"""Hint before: a step that is advisable first is suggested once, before anything is written, and never insisted on.

What a caller looked for counts by subject and age, whichever tool looked, on whichever face. With the same call again,
or with ``proceed``, the caller goes on.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

from weft.errors import PrerequisiteSuggested
from weft.tools.row import SEARCHED
from weft.tools.table import TOOLS

if TYPE_CHECKING:
    from weft.graph import Graph
    from weft.model import Call
    from weft.tools.arguments import Arguments
    from weft.tools.caller import Caller
    from weft.tools.row import Prerequisite, Tool

__all__ = ["FRESH", "NUDGED", "PREREQUISITES", "fulfilled", "suggest"]

FRESH: Final = timedelta(minutes=30)
"""How long a search counts as done, and a hint as open."""

NUDGED: Final = "nudged"

_REMEMBERED: Final = timedelta(days=90)  # as long as notes are kept
_SHOWN_MAX: Final = 80


def suggest(graph: Graph, tool: Tool, asked: Arguments, made: Call, caller: Caller) -> None:
    """Let a call through whose prerequisites are met, that says it goes on, or that was nudged on its subject before.

    Raises:
        PrerequisiteSuggested: a prerequisite is not met; nothing was written, and the call can proceed.
    """
    if not tool.prerequisites or caller.hints == "off" or _goes_on(asked):
        return
    from weft.text import fold

    for step in tool.prerequisites:
        first = _served(step, caller)
        subject = " ".join(str(getattr(asked, name)) for name in step.about)
        mark = f"{step.key}: {fold(subject)}"
        if not first or _nudged(graph, made, mark) or _met(graph, tool, step, asked, made, subject):
            continue
        graph.usage.note(caller=made.caller, event=NUDGED, subject=mark, at=made.at)
        graph.usage.offered(caller=made.caller, after=tool.name, hints=(step.key,), at=made.at)
        raise PrerequisiteSuggested(
            f"Consider calling {first} first, on «{subject[:_SHOWN_MAX]}»; nothing was written.",
            key=step.key,
            can_proceed=True,
        )


def _goes_on(asked: Arguments) -> bool:
    from weft.tools.arguments import Proceeding

    return isinstance(asked, Proceeding) and asked.proceed


def fulfilled(tool: Tool) -> tuple[str, ...]:
    """Return the keys of all prerequisites that a call of ``tool`` is a step towards."""
    return _FULFILLED.get(tool.name, ())


def _served(step: Prerequisite, caller: Caller) -> str:
    """Return the step's tool, or another one that does as well and is served to this caller; empty: there is none."""
    others = [tool.name for tool in TOOLS if step.event == SEARCHED and tool.searched]
    return next((name for name in (step.tool, *others) if name in caller.tools), "")


def _nudged(graph: Graph, made: Call, mark: str) -> bool:
    return mark in graph.usage.noted(caller=made.caller, event=NUDGED, since=made.at - _REMEMBERED)


def _met(graph: Graph, tool: Tool, step: Prerequisite, asked: Arguments, made: Call, subject: str) -> bool:
    if not step.event:
        prepared = tool.binding.prepared
        return prepared is None or prepared(graph, asked, made)
    done = graph.usage.noted(caller=made.caller, event=step.event, since=made.at - FRESH)
    return graph.curation.on_subject(subject, done)


PREREQUISITES: Final = {step.key: step for tool in TOOLS for step in tool.prerequisites}
"""Every prerequisite of the table, by its key."""

_FULFILLED: Final = {
    tool.name: tuple(
        key
        for key, step in PREREQUISITES.items()
        if step.tool == tool.name or (step.event == SEARCHED and tool.searched)
    )
    for tool in TOOLS
}
