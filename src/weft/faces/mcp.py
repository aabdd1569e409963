"""The MCP face: the tool table, nodes as resources, changes as they happen; both eras of the protocol from one process.

The SDK's low-level server carries it. Of the surfaces it calls provisional two are used: here the list of middleware,
and in :mod:`weft.faces.stdio` the handshake-only loop behind ``--protocol legacy``.
"""

from __future__ import annotations

from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from functools import cache, partial
from typing import TYPE_CHECKING, Any, TypeAlias

import anyio
from mcp.server.caching import CacheHint
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    CompleteRequestParams,
    CompleteResult,
    Completion,
    DiscoverResult,
    EmptyResult,
    GetPromptRequestParams,
    GetPromptResult,
    ListPromptsResult,
    ListResourcesResult,
    ListResourceTemplatesResult,
    ListToolsResult,
    PaginatedRequestParams,
    PromptsCapability,
    ReadResourceRequestParams,
    ReadResourceResult,
    RequestParams,
    ResourceTemplateReference,
    SubscribeRequestParams,
    SubscriptionsListenRequestParams,
    SubscriptionsListenResult,
    TextContent,
    Tool,
    ToolsCapability,
    UnsubscribeRequestParams,
)
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from weft import __version__
from weft.errors import Unavailable, WeftError
from weft.faces import prompts, resources
from weft.faces.feed import Feed
from weft.faces.serving import Report, Serving
from weft.faces.subscriptions import Subscriptions
from weft.faces.vaulting import start
from weft.tools.gate import error_answer

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from mcp.server import ServerRequestContext
    from mcp.server.context import CallNext, HandlerResult

    from weft.tools.caller import Caller

__all__ = ["Live", "build"]

CLIENT_MAX = 100  # characters of a client's name that are kept
TOOLS_AFTER_S = 0.02  # lets the first answer out before anything is loaded
GRAPH_AFTER_S = 0.3  # clients list the tools at once and call them later: loading the rest would slow the list

_MINUTES_5 = CacheHint(ttl_ms=300_000, scope="private")
_NOW = CacheHint(ttl_ms=0, scope="private")


@dataclass(frozen=True, slots=True, kw_only=True)
class Live:
    """What exists while a server runs: who listens to changes, and whether somebody has asked for anything yet."""

    subscriptions: Subscriptions
    asked: anyio.Event


Context: TypeAlias = "ServerRequestContext[Live, Any]"


def build(serving: Serving) -> Server[Live]:
    """Return the server of ``serving``; it can be run over any transport, and by several at once."""
    face = _Face(serving)
    server = Server(
        "weft",
        version=__version__,
        title="Weft",
        description="A knowledge graph that AI agents and people keep together.",
        instructions=serving.offer.instructions,
        cache_hints={
            "server/discover": _MINUTES_5,
            "tools/list": _MINUTES_5,
            "prompts/list": _MINUTES_5,
            "resources/templates/list": _MINUTES_5,
            "resources/list": _NOW,
            "resources/read": _NOW,
        },
        lifespan=face.live,
        get_tool_input_schema=_no_headers,
        on_list_tools=face.list_tools,
        on_call_tool=face.call_tool,
        on_list_resources=face.list_resources,
        on_list_resource_templates=face.list_templates,
        on_read_resource=face.read_resource,
        on_subscribe_resource=face.subscribe,
        on_unsubscribe_resource=face.unsubscribe,
        on_subscriptions_listen=face.listen,
        on_list_prompts=face.list_prompts,
        on_get_prompt=face.get_prompt,
        on_completion=face.complete,
    )
    server.add_request_handler("server/discover", RequestParams, partial(_told, server))
    server.middleware.append(face.notice)
    return server


async def _told(server: Server[Live], ctx: Context, _params: RequestParams) -> DiscoverResult:
    """Return what the server is and can. The SDK would claim that tools and prompts change while it runs."""
    can = server.get_capabilities(protocol_version=ctx.protocol_version)
    return DiscoverResult(
        supported_versions=list(MODERN_PROTOCOL_VERSIONS),
        capabilities=can.model_copy(
            update={"tools": ToolsCapability(list_changed=False), "prompts": PromptsCapability(list_changed=False)}
        ),
        instructions=server.instructions,
    )


class _Face:
    """The handlers, one a method of the protocol."""

    def __init__(self, serving: Serving) -> None:
        self._serving = serving
        self._chosen = frozenset(tool.name for tool in serving.offer.chosen)
        self._listed = cache(self._listing)

    @asynccontextmanager
    async def live(self, _server: Server[Live]) -> AsyncIterator[Live]:
        """Run what a server needs beside its requests, as long as it is run."""
        feed = Feed(self._serving)
        live = Live(subscriptions=Subscriptions(feed), asked=anyio.Event())
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(feed.run)
            tasks.start_soon(live.subscriptions.run)
            tasks.start_soon(self._warm, live.asked)
            yield live
            tasks.cancel_scope.cancel()

    async def _warm(self, asked: anyio.Event) -> None:
        await asked.wait()
        for load, after_s in ((self._serving.load_tools, TOOLS_AFTER_S), (self._serving.load_graph, GRAPH_AFTER_S)):
            await anyio.sleep(after_s)
            await anyio.to_thread.run_sync(load, abandon_on_cancel=True)
        start(self._serving)

    async def notice(self, ctx: Context, call_next: CallNext) -> HandlerResult:
        """Let every message through and remember that one came."""
        try:
            return await call_next(ctx)
        finally:
            ctx.lifespan_context.asked.set()

    def _listing(self, role: str) -> ListToolsResult:
        tools = self._serving.offer.at(role).tools
        return ListToolsResult(tools=[Tool.model_validate(tool.listing(own=self._serving.offer.own)) for tool in tools])

    async def list_tools(self, ctx: Context, params: PaginatedRequestParams | None) -> ListToolsResult:
        """Return every tool that is served to this caller, always in the same order."""
        _single_page(params)
        return await self._serving.work(self._within_reach, self._serving.principal(ctx.request).role)

    def _within_reach(self, role: str) -> ListToolsResult:
        """Return what a caller of ``role`` may call; what the graph cannot be asked now is not to be kept."""
        reach = self._serving.reach(role)
        listed = self._listed(reach or role)
        return listed if reach else listed.model_copy(update={"ttl_ms": 0})

    async def call_tool(self, ctx: Context, params: CallToolRequestParams) -> CallToolResult:
        """Pass a call through the gate; an error of use is a result that the model can read."""
        if params.name not in self._chosen:
            raise MCPError(INVALID_PARAMS, f"Unknown tool: {params.name[:60]}")
        report = Report(ctx.session.report_progress)
        run = partial(self._serving.call, params.name, params.arguments or {}, self._caller(ctx), progress=report)
        try:
            body = await self._serving.work(run, report=report)
        except WeftError as error:
            return _result(error_answer(params.name, error), is_error=True)
        return _result(body, is_error=False)

    async def list_resources(self, _ctx: Context, params: PaginatedRequestParams | None) -> ListResourcesResult:
        """Return a page of nodes."""
        with _protocol_errors():
            return await self._serving.work(resources.page, self._serving, params.cursor if params else None)

    async def list_templates(self, _ctx: Context, params: PaginatedRequestParams | None) -> ListResourceTemplatesResult:
        """Return the one form that resources take."""
        _single_page(params)
        return ListResourceTemplatesResult(resource_templates=[resources.TEMPLATE])

    async def read_resource(self, ctx: Context, params: ReadResourceRequestParams) -> ReadResourceResult:
        """Return a node."""
        uri = str(params.uri)
        with _protocol_errors(uri=uri):
            return await self._serving.work(resources.read, self._serving, uri, self._caller(ctx))

    async def subscribe(self, ctx: Context, params: SubscribeRequestParams) -> EmptyResult:
        """Tell an older client of a node's changes from now on."""
        uri = str(params.uri)
        with _protocol_errors(uri=uri):
            followed = await self._serving.work(resources.told_as, self._serving, uri)
            await ctx.lifespan_context.subscriptions.subscribe(ctx.session, uri, followed)
        return EmptyResult()

    async def unsubscribe(self, ctx: Context, params: UnsubscribeRequestParams) -> EmptyResult:
        """Stop telling an older client of a node's changes."""
        ctx.lifespan_context.subscriptions.unsubscribe(ctx.session, str(params.uri))
        return EmptyResult()

    async def listen(self, ctx: Context, params: SubscriptionsListenRequestParams) -> SubscriptionsListenResult:
        """Serve a stream of changes."""
        asked = params.notifications.resource_subscriptions or []
        with _protocol_errors():
            followed = await self._serving.work(resources.followed, self._serving, asked)
            return await ctx.lifespan_context.subscriptions.listen(ctx, params, followed)

    async def list_prompts(self, ctx: Context, params: PaginatedRequestParams | None) -> ListPromptsResult:
        """Return the prompts whose tools are served."""
        _single_page(params)
        return ListPromptsResult(prompts=prompts.listed(await self._serving.served(ctx.request)))

    async def get_prompt(self, ctx: Context, params: GetPromptRequestParams) -> GetPromptResult:
        """Return one prompt with its inputs filled in."""
        with _protocol_errors():
            return prompts.worded(await self._prompt(ctx, params.name), params.arguments or {})

    def _caller(self, ctx: Context) -> Caller:
        return self._serving.caller(self._serving.principal(ctx.request), client=_client(ctx))

    async def _prompt(self, ctx: Context, name: str) -> prompts.Ask:
        tools = await self._serving.served(ctx.request)
        found = next((ask for ask in prompts.PROMPTS if ask.name == name and ask.uses <= tools), None)
        if found is None:
            raise MCPError(INVALID_PARAMS, f"Unknown prompt: {name[:60]}")
        return found

    async def complete(self, ctx: Context, params: CompleteRequestParams) -> CompleteResult:
        """Offer titles for what names a node; nothing for anything else."""
        asked = params.argument
        if isinstance(params.ref, ResourceTemplateReference):
            completes = params.ref.uri == resources.TEMPLATE.uri_template and asked.name == "id"
        else:
            inputs = (await self._prompt(ctx, params.ref.name)).inputs
            completes = any(each.name == asked.name and each.completes for each in inputs)
        if not completes:
            return CompleteResult(completion=Completion(values=[], total=0, has_more=False))
        typed = asked.value[: resources.NAME_MAX]
        with _protocol_errors():
            found = await self._serving.work(resources.complete, self._serving, typed)
        return CompleteResult(completion=found)


def _result(body: dict[str, Any], *, is_error: bool) -> CallToolResult:
    """Return ``body`` as text and, where it is an answer, as the same structured data.

    An error carries text only: clients check structured content against the tool's output schema.
    """
    from weft.tools.rendering import answer_text

    return CallToolResult(
        content=[TextContent(type="text", text=answer_text(body))],
        structured_content=None if is_error else body,
        is_error=is_error,
    )


@contextmanager
def _protocol_errors(**data: str) -> Iterator[None]:
    """Turn an error of anything but a tool into the protocol's own, with the answer and ``data`` beside it.

    Raises:
        MCPError: -32602 where the request is at fault, -32603 where the server is.
    """
    try:
        yield
    except WeftError as error:
        code = INTERNAL_ERROR if isinstance(error, Unavailable) else INVALID_PARAMS
        raise MCPError(code, error.message, {**data, **error.answer()}) from None


def _no_headers(_tool: str) -> None:
    """Say that no argument of a tool travels in an HTTP header, so that the SDK need not list the tools to find out."""


def _single_page(params: PaginatedRequestParams | None) -> None:
    if params is not None and params.cursor:
        raise MCPError(INVALID_PARAMS, "Invalid cursor")


def _client(ctx: Context) -> str:
    """Return what the client calls itself, for the record; it decides nothing."""
    told = ctx.session.client_params
    if told is None:
        return "mcp"
    said = f"{told.client_info.name} {told.client_info.version}".strip()
    return "".join(letter for letter in said if letter.isprintable())[:CLIENT_MAX] or "mcp"
