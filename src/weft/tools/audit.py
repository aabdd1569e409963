"""The record of audited tools: every call of them, those that were refused too.

What a call changed stands in the log of the graph, with its reason, and is as durable as the change. A refusal changes
nothing, and whoever is refused may not write the graph at all, so the record lies beside it, with the memory of use,
which every tier writes. A curator reads it with ``weft hints audit``.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

    from weft.errors import WeftError
    from weft.graph import Graph
    from weft.tools.caller import Caller
    from weft.tools.row import Tool

__all__ = ["record"]

TEXT_MAX: Final = 2_000  # characters of the arguments, and of the reason, that are kept


def record(
    graph: Graph,
    tool: Tool,
    arguments: Mapping[str, Any],
    caller: Caller,
    *,
    answer: Mapping[str, Any] | None = None,
    error: WeftError | None = None,
) -> None:
    """Record a call of an audited tool with its ``answer``, or the ``error`` it was refused with."""
    from weft.model import AuditEntry

    given = {name: value for name, value in arguments.items() if name != "reason"}
    session = arguments.get("session")
    graph.usage.audit(
        AuditEntry(
            at=datetime.now(UTC),
            actor=caller.actor,
            client=caller.client,
            caller=_plain(session) if session else caller.id,
            tier=caller.tier.label,
            tool=tool.name,
            arguments=json.dumps(given, default=str)[:TEXT_MAX],
            reason=_plain(arguments.get("reason", "")),
            outcome="done" if error is None else error.code,
            key=error.key if error else "",
            batch=str((answer or {}).get("batch", "")),
        )
    )


def _plain(value: object) -> str:
    """Return a text that can be kept, whatever the caller sent: this one was not cleaned."""
    return str(value)[:TEXT_MAX].encode("utf-8", "replace").decode("utf-8")
