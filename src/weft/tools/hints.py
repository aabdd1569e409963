"""What may be worth doing after a call: rows of data, filled in from the answer, offered as suggestions.

An action is offered only when this caller is served the tool it names. Nothing here reads the graph: the answer and
the arguments say enough, so that a repeated call gets the same advice as the first. What a call takes and only the
caller can say (a reasoning, the evidence) is named in ``also_needs``; no text stands in its place, since that would be
written where a call is sent as it is offered.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Final

from weft.tools.table import tool_named
from weft.vocabulary import QUERY_MAX, TITLE_MAX

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from weft.tools.row import NextAction

__all__ = ["LEVELS", "advice", "served_only"]

LEVELS: Final = ("off", "brief", "full")
"""How much is said: nothing, what and with which tool, or the ready-made arguments too."""

_BRIEF_MAX: Final = 2  # actions of a brief answer
_BRIEF: Final = ("tool", "description")
_ACTIONS: Final = "available_actions"  # of one result among several

_FILTERS: Final = (
    "kinds",
    "type",
    "ontologies",
    "tags",
    "status",
    "min_confidence",
    "related_to",
    "since",
    "as_of",
    "relations",
)
_SHORTER: Final = {"label": TITLE_MAX}  # arguments that hold less than a query may
_WIDEST: Final = {"scope": "all", "mode": "hybrid", "semantic": True}  # any other value leaves something out


def advice(
    actions: Iterable[NextAction],
    *,
    answer: Mapping[str, Any],
    given: Mapping[str, Any],
    tools: frozenset[str],
    level: str,
) -> list[dict[str, Any]]:
    """Return the actions that fit ``answer``, each as ``tool`` and ``description``.

    At level full with ``arguments``, and ``also_needs`` where these are not all that the tool must be given.
    """
    if level == "off":
        return []
    scope = {**answer, "given": given, ("narrowed" if _narrows(given) else "wide"): True}
    offered: list[dict[str, Any]] = []
    for action in actions:
        if action.tool in tools and _fits(action, scope):
            arguments = _filled(action.arguments, scope)
            if arguments is not None:
                row: dict[str, Any] = {"tool": action.tool, "description": action.description}
                filled = {**row, "arguments": arguments} if arguments else row
                offered.append(_marked(filled) if level == "full" else row)
    return offered if level == "full" else offered[:_BRIEF_MAX]


def served_only(value: Any, tools: frozenset[str], *, level: str = "full") -> Any:  # noqa: ANN401 - any JSON value
    """Return ``value`` without what names tools that this caller is not served.

    That are ready-made calls (``record_with``) and the next actions of single results (``available_actions``), of which
    none is left at level off.
    """
    if isinstance(value, dict):
        return {
            name: _kept(name, part, tools, level) if isinstance(part, (dict, list)) else part
            for name, part in value.items()
            if not (name == "record_with" and part["tool"] not in tools)
        }
    if isinstance(value, list):
        return [served_only(part, tools, level=level) if isinstance(part, (dict, list)) else part for part in value]
    return value


def _kept(name: str, part: Any, tools: frozenset[str], level: str) -> Any:  # noqa: ANN401 - any JSON value
    if name != _ACTIONS:
        return served_only(part, tools, level=level)
    rows = [row for row in part if row["tool"] in tools] if level != "off" else []
    return [_marked(row) if level == "full" else {key: row[key] for key in _BRIEF} for row in rows]


def _marked(row: dict[str, Any]) -> dict[str, Any]:
    """Return ``row`` with the names of those arguments that its tool must be given and that it does not hold."""
    given = row.get("arguments", {})
    lacking = [name for name in _required(row["tool"]) if name not in given]
    return row | ({"also_needs": lacking} if lacking else {})


@cache
def _required(tool: str) -> tuple[str, ...]:
    return tuple(tool_named(tool).input_schema.get("required", ()))


def _narrows(given: Mapping[str, Any]) -> bool:
    """Whether a search with these arguments leaves out what one of its query alone would look through."""
    filtered = any(given.get(name) for name in _FILTERS)
    return filtered or any(given.get(name, widest) != widest for name, widest in _WIDEST.items())


def _fits(action: NextAction, scope: Mapping[str, Any]) -> bool:
    return all(_at(path, scope) for path in action.when) and not any(_at(path, scope) for path in action.unless)


def _filled(value: Any, scope: Mapping[str, Any]) -> Any:  # noqa: ANN401 - a template may be any JSON value
    """Return ``value`` with its paths followed, or None where one leads to nothing.

    What a path leads to is an id, a name or a text to look for; a long text is cut to what a query may hold. One that
    is too long to be a name is left out: the caller knows a better one than its beginning.
    """
    if isinstance(value, str) and value.startswith("$"):
        found = _at(value[1:], scope) or None
        return found[:QUERY_MAX].rstrip() if isinstance(found, str) else found
    if isinstance(value, list):
        parts = [_filled(part, scope) for part in value]
        return None if None in parts else parts
    if isinstance(value, dict):
        filled = {name: _filled(part, scope) for name, part in value.items()}
        return None if None in filled.values() else {name: part for name, part in filled.items() if _holds(name, part)}
    return value


def _holds(name: str, part: Any) -> bool:  # noqa: ANN401 - a template may be any JSON value
    return not isinstance(part, str) or len(part) <= _SHORTER.get(name, QUERY_MAX)


def _at(path: str, scope: Any) -> Any:  # noqa: ANN401 - a path may lead anywhere
    for part in path.split("."):
        if isinstance(scope, list):
            scope = scope[int(part)] if int(part) < len(scope) else None
        else:
            scope = scope.get(part) if isinstance(scope, dict) else None
    return scope
