"""Nodes as MCP resources: ``weft://node/{id}``, listed in pages, read through the gate, completed by title."""

from __future__ import annotations

import base64
import binascii
from contextlib import suppress
from typing import TYPE_CHECKING
from urllib.parse import unquote

from mcp_types import (
    Annotations,
    Completion,
    ListResourcesResult,
    ReadResourceResult,
    Resource,
    ResourceTemplate,
    TextResourceContents,
)

from weft.errors import Ambiguous, InvalidArgument, LimitExceeded, NotFound
from weft.faces.subscriptions import URIS_MAX
from weft.identity import NODE_URI

if TYPE_CHECKING:
    from collections.abc import Sequence

    from weft.faces.serving import Serving
    from weft.model import Node
    from weft.tools.caller import Caller

__all__ = ["TEMPLATE", "complete", "followed", "node_of", "page", "read", "told_as"]

PAGE = 50  # resources in one page of the list
NAME_MAX = 1_000  # characters of what stands for {id}
SCANNED_MAX = 200  # newest nodes whose titles are looked through for a completion
OFFERED_MAX = 20  # completions
MIME_TYPE = "application/json"

TEMPLATE = ResourceTemplate(
    uri_template=f"{NODE_URI}{{id}}",
    name="node",
    title="A node of the graph",
    description="One node whole, as fetch returns it. The id may be a title.",
    mime_type=MIME_TYPE,
)


def page(serving: Serving, cursor: str | None) -> ListResourcesResult:
    """Return a page of nodes, newest first, with the cursor of the next one.

    Raises:
        InvalidArgument: the cursor is none of ours.
    """
    from weft.model import Filter, Page

    offset = _offset(cursor)
    found = serving.graph().store.find(Filter(), Page(limit=PAGE, offset=offset))
    more = offset + len(found.nodes)
    return ListResourcesResult(
        resources=[_resource(node) for node in found.nodes],
        next_cursor=_cursor(more) if found.nodes and more < found.total else None,
    )


def _resource(node: Node) -> Resource:
    return Resource(
        uri=f"{NODE_URI}{node.id}",
        name=node.id,
        title=node.title,
        description=f"{node.kind} in {node.ontology}",
        mime_type=MIME_TYPE,
        annotations=Annotations(last_modified=node.modified_at.isoformat()),
    )


def _cursor(offset: int) -> str:
    return base64.urlsafe_b64encode(f"after {offset}".encode()).decode()


def _offset(cursor: str | None) -> int:
    if not cursor:
        return 0
    try:
        word, _, number = base64.urlsafe_b64decode(cursor.encode()).decode().partition(" ")
    except (binascii.Error, ValueError):
        word, number = "", ""
    if word != "after" or not number.isascii() or not number.isdigit() or len(number) > len("1000000000"):
        raise InvalidArgument("cursor: is not one that this list gave")
    return int(number)


def node_of(uri: str) -> str:
    """Return what stands for ``{id}`` in ``uri``: an id, or a title with its characters escaped.

    Raises:
        NotFound: ``uri`` is no ``weft://node/{id}``.
    """
    name = unquote(uri.removeprefix(NODE_URI)).strip()
    if not uri.startswith(NODE_URI) or not 0 < len(name) <= NAME_MAX or "/" in name or "\\" in name:
        raise NotFound("uri: resources of this server have the form weft://node/{id}")
    return name


def told_as(serving: Serving, uri: str) -> str:
    """Return the URI under which changes of the node that ``uri`` names are told: its id's, whatever its title becomes.

    Raises:
        NotFound, Ambiguous: there is no such node, or there are several.
    """
    from weft.services.naming import resolve

    return f"{NODE_URI}{resolve(serving.graph().store, node_of(uri), field='uri').id}"


def followed(serving: Serving, uris: Sequence[str]) -> dict[str, str]:
    """Return those of ``uris`` that name a node, each with the URI under which its changes are told.

    Raises:
        LimitExceeded: these are too many.
    """
    if len(uris) > URIS_MAX:
        raise LimitExceeded(f"resourceSubscriptions: at most {URIS_MAX} can be asked for")
    found: dict[str, str] = {}
    for uri in uris:
        with suppress(NotFound, Ambiguous):
            found[uri] = told_as(serving, uri)
    return found


def read(serving: Serving, uri: str, caller: Caller) -> ReadResourceResult:
    """Return the node that ``uri`` names, as ``fetch`` answers ``caller``.

    Raises:
        NotFound, Ambiguous: there is no such node, or there are several.
    """
    from weft.tools.rendering import answer_text

    body = serving.call("fetch", {"id": node_of(uri)}, caller)
    text = answer_text({field: value for field, value in body.items() if field != "suggested_next_actions"})
    return ReadResourceResult(contents=[TextResourceContents(uri=uri, mime_type=MIME_TYPE, text=text)])


def complete(serving: Serving, typed: str) -> Completion:
    """Return titles that hold what was typed, best first; where two nodes share a title, their ids."""
    from weft.model import Filter, Page
    from weft.text import fold

    graph = serving.graph()
    wanted = fold(typed)
    newest = graph.store.find(Filter(), Page(limit=SCANNED_MAX)).nodes
    held = graph.words.holding(typed, filter=Filter(), limit=OFFERED_MAX) if wanted else ()
    nodes = {node.id: node for node in (*graph.store.nodes(held).values(), *newest) if node.retired is None}
    fitting = [node for node in nodes.values() if wanted in fold(node.title)]
    fitting.sort(key=lambda node: (not fold(node.title).startswith(wanted), fold(node.title), node.id))
    titles = [fold(node.title) for node in fitting]
    values = [node.id if titles.count(fold(node.title)) > 1 else node.title for node in fitting[:OFFERED_MAX]]
    return Completion(values=values, total=len(fitting), has_more=len(fitting) > len(values))
