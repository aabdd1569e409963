"""How a server over HTTP stops once it is told to: streams at once, calls when they are done or have had their time."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

import uvicorn

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable, Iterator

    from weft.faces.serving import Serving

__all__ = ["LEAVE_WITHIN_S", "Stopping", "give_up"]

LEAVE_WITHIN_S: Final = 10.0
"""Seconds that calls under way have to end in when the server is told to stop."""

_INTERRUPTED: Final = 130


class Stopping(uvicorn.Server):
    """Ends the streams before it waits for calls, leaves those that take too long, and closes the graph last."""

    def __init__(self, config: uvicorn.Config, serving: Serving, leave: Callable[[], None]) -> None:
        super().__init__(config)
        self._serving = serving
        self._leave = leave

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Close what is open and end."""
        self._serving.end()
        late = asyncio.get_running_loop().call_later(LEAVE_WITHIN_S, self._leave)
        await super().shutdown(sockets)
        late.cancel()
        self._serving.close()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Stop when the process is asked to, for the block; what asked is then raised again.

        That a terminal was closed asks so too, unless the process was started to outlive it. The handler is no method
        of the server: a library that sends streams looks for one, and would cut off calls whose answer is such a
        stream.
        """
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        asked: list[int] = []

        def stop(number: int, _frame: object) -> None:
            asked.append(number)
            self.force_exit = self.should_exit and number == signal.SIGINT
            self.should_exit = True

        before = {each: signal.signal(each, stop) for each in _asking()}
        try:
            yield
        finally:
            for each, handler in before.items():
                signal.signal(each, handler)
        for number in reversed(asked):
            signal.raise_signal(number)


def _asking() -> list[signal.Signals]:
    asking = [signal.SIGINT, signal.SIGTERM]
    if sys.platform != "win32" and signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
        asking.append(signal.SIGHUP)
    return asking


def give_up(serving: Serving) -> None:
    """End the process where work was left behind: its threads would hold up the end, and leave nothing half-written."""
    if serving.busy:
        os._exit(_INTERRUPTED)
