"""The MCP face over standard input and output: one client, from the first message to the end of the process."""

from __future__ import annotations

import os
import signal
import time
from typing import TYPE_CHECKING, NoReturn

import anyio
from mcp.server.runner import serve_loop
from mcp.server.stdio import stdio_server

from weft.errors import InvalidArgument
from weft.faces.mcp import build
from weft.faces.serving import Serving
from weft.faces.standard import refuse_closed, taken
from weft.faces.wire import Inbound, Outbound

if TYPE_CHECKING:
    from mcp.server.lowlevel import Server
    from mcp.shared._stream_protocols import ReadStream, WriteStream
    from mcp.shared.message import SessionMessage

    from weft.faces.mcp import Live
    from weft.settings import Settings
    from weft.tools.offer import Offer

__all__ = ["PROTOCOLS", "serve"]

PROTOCOLS = ("auto", "legacy")

LEAVE_WITHIN_S = 0.3  # how long work that is still running may hold up the end of the process


def serve(settings: Settings, offer: Offer, *, protocol: str = "auto") -> None:
    """Serve MCP on standard input and output until the client closes them.

    ``protocol`` auto speaks whichever era the client opens with, legacy only the handshake of 2025-11-25 and older.

    Raises:
        InvalidArgument: ``protocol`` is neither.
        Unavailable: standard input or output is closed.
    """
    if protocol not in PROTOCOLS:
        raise InvalidArgument(f"protocol: must be one of {', '.join(PROTOCOLS)}, not {protocol[:60]!a}")
    refuse_closed()
    serving = Serving(settings.at_home(), offer)
    signal.signal(signal.SIGINT, _interrupted)
    try:
        anyio.run(_stdio, serving, protocol)
    except* BrokenPipeError:
        _abandon(serving)
    finally:
        _leave(serving)


async def _stdio(serving: Serving, protocol: str) -> None:
    with taken() as (inlet, outlet):
        async with stdio_server(inlet, outlet) as (read, write):
            try:
                await _speak(build(serving), protocol, read, write)
            except anyio.get_cancelled_exc_class():
                # only a broken pipe cancels this, and a thread that reads standard input cannot be woken
                _abandon(serving)


async def _speak(
    server: Server[Live],
    protocol: str,
    read: ReadStream[SessionMessage | Exception],
    write: WriteStream[SessionMessage],
) -> None:
    outbound = Outbound(write)
    inbound = Inbound(read, outbound)
    if protocol == "auto":
        await server.run(inbound, outbound, server.create_initialization_options())
        return
    async with server.lifespan(server) as live:
        await serve_loop(server, inbound, outbound, lifespan_state=live)


def _interrupted(_number: int, _frame: object) -> None:
    """End at once: the thread that reads standard input cannot be woken, and every answered write is durable."""
    os._exit(130)


def _abandon(serving: Serving) -> NoReturn:
    """End, with nobody left to be answered: the client is gone, which is no failure."""
    _leave(serving)
    os._exit(0)


def _leave(serving: Serving) -> None:
    """Close the graph; work that does not end in time is given up, and leaves nothing half-written.

    Threads that still run would hold up the end of the process, so that it ends without them.
    """
    serving.ending.set()
    patience_s = time.monotonic() + LEAVE_WITHIN_S
    while serving.busy and time.monotonic() < patience_s:
        time.sleep(0.01)
    serving.close()
    if serving.busy or serving.warming:
        os._exit(0)
