"""``weft serve``: what a server is started with, and how."""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from weft.errors import InvalidArgument, WeftError
from weft.faces.lines import line, typed
from weft.faces.options import signature_of
from weft.faces.terminal import asked, console, fail

if TYPE_CHECKING:
    from weft.settings import Settings
    from weft.vocabulary import Own

__all__ = ["Start", "register"]

_OF_HTTP: Final = ("host", "port", "auth", "allow_host")


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """What a server is asked to be; each field is an option of ``weft serve``."""

    http: Annotated[bool, typer.Option("--http", help="Serve MCP, the API and a page over HTTP.")] = False
    host: Annotated[str, typer.Option(help="With --http; another than the loopback needs --auth.")] = "127.0.0.1"
    port: Annotated[int, typer.Option(help="With --http.", min=0, max=65535)] = 8765
    auth: Annotated[
        str, typer.Option(help="With --http: token, oauth, both (token,oauth) or none; see WEFT_AUTH_MODE.")
    ] = ""
    allow_host: Annotated[
        list[str] | None, typer.Option(help="With --http: a name that callers use; may be given again.")
    ] = None
    toolsets: Annotated[str, typer.Option(help="Toolsets, separated by commas.")] = "core"
    tools: Annotated[str, typer.Option(help="Single tools besides, separated by commas.")] = ""
    read_only: Annotated[bool, typer.Option("--read-only", help="Leave out every tool that writes.")] = False
    own_vocabulary: Annotated[
        bool, typer.Option("--own-vocabulary", help="Name the graph's own kinds and types in the schemas.")
    ] = False
    protocol: Annotated[str, typer.Option(help="auto, or legacy for clients that need the older handshake.")] = "auto"

    def over(self, settings: Settings) -> Settings:
        """Return ``settings`` with what was asked for in their place."""
        auth = settings.auth
        hosts = ",".join([auth.hosts, *(self.allow_host or ())])
        return replace(settings, auth=replace(auth, mode=self.auth or auth.mode, hosts=hosts))


def _serve(context: typer.Context, start: Start) -> None:
    from weft.tools.gate import Offer

    _refuse_without_http(start)
    try:
        settings = start.over(asked(context).settings)
    except InvalidArgument as error:
        raise typer.BadParameter(error.message) from None
    try:
        offer = Offer.of(settings, toolsets=start.toolsets, tools=start.tools, read_only=start.read_only)
        offer = replace(offer, own=_own(settings)) if start.own_vocabulary else offer
        if start.http:
            from weft.faces import http

            http.serve(settings, offer, host=start.host, port=start.port)
        else:
            from weft.faces import stdio

            _told_at_a_terminal()
            stdio.serve(settings, offer, protocol=start.protocol)
    except WeftError as error:
        fail(context, error)


def _refuse_without_http(start: Start) -> None:
    """Refuse what only HTTP has: who asks for tokens must not believe that a server without them looks at any."""
    given = [name for name in _OF_HTTP if getattr(start, name) != getattr(Start(), name)]
    if given and not start.http:
        said = ", ".join(f"--{name.replace('_', '-')}" for name in given)
        raise typer.BadParameter(f"{said}: only with --http; without it, one agent speaks MCP on standard input.")


def _told_at_a_terminal() -> None:
    """Tell a person who typed the command what it waits for; an agent's program is at no terminal."""
    if sys.stdin is not None and sys.stdin.isatty():
        said = "weft: waiting for MCP on standard input, as agents speak it; for a browser: weft serve --http"
        line(console(stderr=True), typed(said), style="dim")


def _own(settings: Settings) -> Own:
    """Return what the graph registered itself, as it stands at the start of the server."""
    from weft.graph import open as open_graph

    with open_graph(settings=settings) as graph:
        return graph.store.vocabulary.own


def register(app: typer.Typer) -> None:
    """Put the command on ``app``."""

    def serve(context: typer.Context, **given: Any) -> None:  # noqa: ANN401 - an option's value
        """Serve the graph to agents. MCP on standard input and output, or --http."""
        _serve(context, Start(**given))

    vars(serve)["__signature__"] = signature_of(Start)
    app.command()(serve)
