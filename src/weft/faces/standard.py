"""Standard input and output of a server, read and written by the event loop itself.

The SDK's transport has a thread read every line, another write every answer, and another flush it. Each hand-over takes
a tenth of a millisecond or two, what is handed over a hundredth. So a pipe or a socket is read when the loop hears that
there is something, and written to at once while its reader keeps up, in a thread while the reader is behind.
"""

from __future__ import annotations

import os
import select
import stat
import sys
from contextlib import contextmanager
from errno import EPIPE
from typing import TYPE_CHECKING, Any

import anyio
from anyio import to_thread

from weft.errors import Unavailable

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

__all__ = ["SILENT_MAX_S", "Inlet", "Outlet", "refuse_closed", "taken"]

_IN, _OUT, _ERRORS = 0, 1, 2
_READ_MAX = 1 << 16  # bytes: what a pipe holds

SILENT_MAX_S = 1.5
"""How long a client that has closed its end of the input may take nothing before it is held to be gone."""

_LOOK_EVERY_S = 0.1


class Inlet(anyio.AsyncFile[str]):
    """Lines as the SDK's transport takes them, from a pipe or a socket; ``descriptor`` stays open."""

    def __init__(self, descriptor: int) -> None:
        super().__init__(os.fdopen(descriptor, encoding="utf-8", closefd=False))
        self._descriptor = descriptor

    async def __aiter__(self) -> AsyncIterator[str]:
        """Give each line with its end as soon as it is there, the last one even without."""
        begun = bytearray()
        while piece := await self._piece():
            *lines, rest = piece.split(b"\n")
            for line in lines:
                begun += line
                yield begun.decode(errors="replace") + "\n"
                begun.clear()
            begun += rest
        if begun:
            yield begun.decode(errors="replace")

    async def _piece(self) -> bytes:
        await anyio.wait_readable(self._descriptor)
        return os.read(self._descriptor, _READ_MAX)


class Outlet(anyio.AsyncFile[str]):
    """What the SDK's transport writes its lines to: a pipe, a socket or a file; ``descriptor`` stays open.

    ``heard`` is the pipe or socket that the same client writes to, if there is one: whether it has an end tells whether
    somebody who takes nothing is slow, or gone.
    """

    def __init__(self, descriptor: int, *, heard: int | None = None) -> None:
        super().__init__(os.fdopen(descriptor, "w", encoding="utf-8", closefd=False))
        self._descriptor = descriptor
        self._room = select.poll()
        self._room.register(descriptor, select.POLLOUT)
        self._end = select.poll()
        if heard is not None:
            self._end.register(heard, 0)  # a hang-up is told unasked

    async def write(self, b: Any) -> int:  # noqa: ANN401 - as the class above has it
        """Write the text ``b``.

        Raises:
            BrokenPipeError: the reader is gone.
        """
        left = memoryview(b.encode())
        while left and self._room.poll(0):
            left = self._without_first(left)
        if left:
            await to_thread.run_sync(self._write_rest, left)
        return len(b)

    async def flush(self) -> None:
        """Do nothing: what was written is with the reader."""

    def _write_rest(self, left: memoryview) -> None:
        while left:
            self._wait_for_room()
            left = self._without_first(left)

    def _wait_for_room(self) -> None:
        silent_s = 0.0
        while not self._room.poll(_LOOK_EVERY_S * 1000):
            silent_s = silent_s + _LOOK_EVERY_S if self._end.poll(0) else 0.0
            if silent_s >= SILENT_MAX_S:
                raise BrokenPipeError(EPIPE, "Nobody takes what is written")

    def _without_first(self, left: memoryview) -> memoryview:
        """Write as much as surely does not block, since there is room, and return what is left."""
        return left[os.write(self._descriptor, left[: select.PIPE_BUF]) :]


def refuse_closed() -> None:
    """Refuse to serve where there is nobody to hear, or to be told.

    Raises:
        Unavailable: standard input or output was closed when the process began.
    """
    ends = (("input", sys.__stdin__), ("output", sys.__stdout__))
    closed = [f"standard {name}" for name, stream in ends if stream is None]
    if closed:
        raise Unavailable(
            f"{' and '.join(closed)}: closed; an agent's program starts this command, and speaks with it there",
            hint="Consider weft install, which tells a program how; or weft serve --http, which needs neither.",
        )


@contextmanager
def taken() -> Iterator[tuple[Inlet | None, Outlet | None]]:
    """Give standard input and output to the protocol alone for the block.

    What else reads finds the end of its input, and what else is printed goes to standard error. None stands for what
    the event loop cannot read, such as a file, or cannot write: there the SDK's own transport serves.
    """
    if sys.platform == "win32":
        yield None, None
        return
    heard = stat.S_IFMT(os.fstat(_IN).st_mode) in {stat.S_IFIFO, stat.S_IFSOCK}
    with _swapped(_OUT, _errors()) as wire:
        if not heard:
            yield None, Outlet(wire)
            return
        with _swapped(_IN, os.open(os.devnull, os.O_RDONLY)) as source:
            yield Inlet(source), Outlet(wire, heard=source)


@contextmanager
def _swapped(descriptor: int, other: int) -> Iterator[int]:
    """Have ``descriptor`` lead where ``other`` does, and give another one that leads where it did.

    That one is never closed: a thread may still use it when the block ends.
    """
    kept = os.dup(descriptor)
    os.dup2(other, descriptor, inheritable=True)
    os.close(other)
    try:
        yield kept
    finally:
        os.dup2(kept, descriptor)


def _errors() -> int:
    try:
        return os.dup(_ERRORS)
    except OSError:
        return os.open(os.devnull, os.O_WRONLY)
