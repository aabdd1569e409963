"""The one gate: every call of every face passes here, so that the same arguments give the same result everywhere.

Arguments are read and cleaned, the caller's tier is checked, a remembered receipt is answered, a step that is advisable
first is suggested, the verb runs, its value is reshaped and bounded, and what may come next is added. Errors leave as
:class:`weft.errors.WeftError`; every face answers them with :func:`error_answer`.
"""

from __future__ import annotations

import hashlib
import json
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from typing import TYPE_CHECKING, Any

from weft.errors import Conflict, NotFound, PermissionDenied, StaleRead, WeftError
from weft.tools import audit, hints
from weft.tools.caller import Caller
from weft.tools.offer import Offer
from weft.tools.prerequisites import FRESH, fulfilled, suggest
from weft.tools.row import SEARCHED, reaches
from weft.tools.table import ALL, TOOLS, tool_named

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from weft.graph import Graph
    from weft.model import Call, Progress, Receipt, ReceiptRequest
    from weft.settings import Settings
    from weft.tools.arguments import Arguments
    from weft.tools.row import Tool

__all__ = ["Caller", "Offer", "call", "caller_of", "error_answer", "operate"]


def caller_of(settings: Settings, *, client: str, graph: str = "", id: str = "", offer: Offer | None = None) -> Caller:  # noqa: A002 - the field's word
    """Return the caller that ``settings`` name.

    Without ``offer`` every tool that the role reaches is served, without ``id`` the history is that of actor and graph.
    """
    from weft.model import Tier

    offer = offer or Offer.of(settings, toolsets=ALL)
    return Caller(
        actor=settings.writer,
        client=client,
        tier=Tier[settings.role.upper()],
        id=id or f"{settings.writer}@{graph}",
        hints=settings.hints,
        tools=offer.names,
    )


def call(
    graph: Graph, name: str, arguments: Mapping[str, Any], caller: Caller, *, progress: Progress | None = None
) -> dict[str, Any]:
    """Run the tool ``name`` and return its answer as JSON-ready data.

    Raises:
        NotFound: no tool has that name, or the call repeats one whose object is gone.
        InvalidArgument: the arguments are malformed; nothing was read or written.
        PermissionDenied: the caller's tier does not reach the tool; the message names the tier that does.
        PrerequisiteSuggested: another step is advisable first; nothing was written, and the same call goes on.
        Conflict: the idempotency key was used for another call, or the verb met a conflict.
        WeftError: whatever else the verb raises; nothing is half-written.
    """
    from weft.tools.arguments import parse

    tool, caller = tool_named(name), _within_reach(graph, caller)
    graph.refuse_child()
    try:
        asked = parse(tool.binding.arguments, arguments, graph.store.vocabulary)
        _admit(tool, asked, caller)
        made = _call(tool.name, asked.session, caller, progress)
        body = _answered(graph, tool, asked, made, caller)
    except WeftError as error:
        error.hint = tool.error_hints.get(error.key, error.hint)
        if isinstance(error, NotFound):
            _tell_further(graph, error, _call(tool.name, "", caller, None))
        if tool.audit:
            audit.record(graph, tool, arguments, caller, error=error)
        raise
    if tool.audit:
        audit.record(graph, tool, arguments, caller, answer=body)
    return _advised(graph, tool, body, asked, made, caller)


def _within_reach(graph: Graph, caller: Caller) -> Caller:
    """Return ``caller`` with the tools that the graph is open for: its login in a database may reach less."""
    if graph.tier >= caller.tier:
        return caller
    return replace(caller, tools=caller.tools & _reached(graph.tier.label))


@cache
def _reached(tier: str) -> frozenset[str]:
    return frozenset(tool.name for tool in TOOLS if reaches(tier, tool.needs))


def _tell_further(graph: Graph, error: NotFound, made: Call) -> None:
    """Add what the name may have meant, or which batch forgot the node; what is amiss in looking changes no answer."""
    from weft.services.naming import name_batch

    with suppress(WeftError):
        name_batch(error, graph.log)
        if error.reference:
            error.candidates = graph.recall.meant(error.reference, made)
    if error.reference and error.candidates:
        error.hint = "Call again with the id of one of the candidates, if it is meant; else consider a search."


def error_answer(name: str, error: WeftError) -> dict[str, Any]:
    """Return ``error`` as the answer of the tool ``name``, the same on every face; an unknown name adds nothing."""
    try:
        manner = tool_named(name).manner
    except NotFound:
        return error.answer()
    return {**manner.error, **error.answer()}


def operate(
    graph: Graph,
    name: str,
    caller: Caller,
    work: Callable[[Call], Any],
    *,
    progress: Progress | None = None,
    session: str = "",
) -> dict[str, Any]:
    """Run an operator's verb, one that is no tool, and return its answer as a tool's would be.

    ``graph`` is the one that ``work`` is about: what a caller does to it is noted there. ``session`` names the piece of
    work that it belongs to.

    Raises:
        NotFound: there is no such operation.
        PermissionDenied: the caller's tier does not reach it.
        WeftError: whatever the verb raises.
    """
    from weft.tools.operations import OPERATIONS
    from weft.tools.rendering import BUDGET, fit, tidy

    operation = OPERATIONS.get(name)
    if operation is None:
        raise NotFound(f"operation: there is none called {name[:60]!a}; there are {', '.join(OPERATIONS)}")
    _require(name, operation.needs, caller)
    graph.refuse_child()
    asked = _call(name, session, caller, progress)
    body = fit(tidy(operation.reshape(work(asked))), budget=operation.budget or BUDGET)
    graph.usage.note(caller=asked.caller, event=name, subject=graph.name, at=asked.at)
    return body


def _admit(tool: Tool, asked: Arguments, caller: Caller) -> None:
    reach = tool.binding.reach
    _require(tool.name, reach(asked) if reach else tool.needs, caller)


def _require(name: str, needs: str, caller: Caller) -> None:
    if not reaches(caller.tier.label, needs):
        raise PermissionDenied(
            f"{name} needs the tier {needs}; this caller is a {caller.tier.label}",
            hint=f"Ask somebody who is a {needs}; where you run Weft yourself, open the graph with --role {needs}.",
        )


def _call(name: str, session: str, caller: Caller, progress: Progress | None) -> Call:
    from weft.model import Call

    return Call(
        actor=caller.actor,
        client=caller.client,
        tool=name,
        tier=caller.tier,
        at=datetime.now(UTC),
        session=session,
        caller=session or caller.id,
        progress=progress,
    )


def _answered(graph: Graph, tool: Tool, asked: Arguments, made: Call, caller: Caller) -> dict[str, Any]:
    """Return the remembered answer of a repeated call, else run the verb."""
    wish = _receipt_wish(tool, asked, caller)
    remembered = None if wish is None else _remembered(graph, tool, wish, caller)
    if remembered is not None:
        return remembered
    suggest(graph, tool, asked, made, caller)
    if wish is None:
        return _run(graph, tool, asked, made, caller)
    try:
        return _run(graph, tool, asked, replace(made, receipt=wish), caller)
    except StaleRead:
        raise
    except Conflict:
        # the same call may have been finished by another process between the look-up and the commit
        remembered = _remembered(graph, tool, wish, caller)
        if remembered is None:
            raise
        return remembered


def _run(graph: Graph, tool: Tool, asked: Arguments, made: Call, caller: Caller) -> dict[str, Any]:
    result = tool.binding.run(graph, asked, made)
    if tool.binding.hinted is not None and caller.hints != "off":
        result = tool.binding.hinted(graph, result, asked, made)
    if tool.searched and (subject := getattr(asked, tool.searched)):
        graph.usage.note(caller=made.caller, event=SEARCHED, subject=subject, at=made.at)
    return _body(tool, asked, result)


def _body(tool: Tool, asked: Arguments, result: object) -> dict[str, Any]:
    from weft.tools.rendering import fit, tidy

    return fit(tidy(tool.binding.reshape(result, asked)))


def _advised(
    graph: Graph, tool: Tool, body: dict[str, Any], asked: Arguments, made: Call, caller: Caller
) -> dict[str, Any]:
    """Return the answer with what may come next, and count which hints the caller followed and which it was given."""
    given = asked.model_dump(mode="json")
    actions = hints.advice(tool.next_actions, answer=body, given=given, tools=caller.tools, level=caller.hints)
    if caller.hints != "off":
        done, offered = (tool.name, *fulfilled(tool)), [action["tool"] for action in actions]
        graph.usage.did(caller=made.caller, hints=done, since=made.at - FRESH)
        graph.usage.offered(caller=made.caller, after=tool.name, hints=offered, at=made.at)
    again = {tool.manner.actions: actions} if tool.manner.actions else {}
    return {**hints.served_only(body, caller.tools, level=caller.hints), "suggested_next_actions": actions, **again}


def _receipt_wish(tool: Tool, asked: Arguments, caller: Caller) -> ReceiptRequest | None:
    from weft.model import ReceiptRequest
    from weft.model.codec import json_text
    from weft.tools.arguments import Receipted

    if not isinstance(asked, Receipted) or not asked.idempotency_key:
        return None
    plain = asked.model_dump(mode="json", exclude={"idempotency_key"})
    said = json.dumps([tool.name, caller.actor, plain], sort_keys=True)
    return ReceiptRequest(
        key=asked.idempotency_key,
        digest=hashlib.sha256(said.encode()).hexdigest(),
        seal=lambda result: json_text(_body(tool, asked, result)),
    )


def _remembered(graph: Graph, tool: Tool, wish: ReceiptRequest, caller: Caller) -> dict[str, Any] | None:
    receipt = graph.store.receipt(actor=caller.actor, tool=tool.name, key=wish.key)
    if receipt is None:
        return None
    if receipt.digest != wish.digest:
        raise Conflict(
            f"idempotency_key: {wish.key!a} was used for another {tool.name} by {caller.actor}",
            hint="Use a new key for a new call, or repeat the first call exactly.",
        )
    answer: dict[str, Any] = json.loads(receipt.answer)
    _still_there(graph, receipt, str(answer.get("batch", "")))
    return answer


def _still_there(graph: Graph, receipt: Receipt, batch: str) -> None:
    """Refuse to repeat an answer about something that went since; what the call itself removed does not count."""
    for subject in receipt.subjects:
        last = graph.log.history(subject, limit=1)
        if not last or last[0].batch == batch:
            continue
        retired = (last[0].after or {}).get("retired") or {}
        if last[0].after is None or (retired and not retired.get("merged_into")):
            raise NotFound(
                f"idempotency_key: what this call was about ({subject}) is gone since {last[0].at:%Y-%m-%d}",
                hint="Use a new key to do it again.",
            )
