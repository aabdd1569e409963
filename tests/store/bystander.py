"""A process that the modes of files bind, whoever runs the tests, and that looks at a graph it may not write to."""

from __future__ import annotations

import ctypes
import os
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from store.captures import opened
from store.killing import WAIT_S, context
from weft.errors import WeftError

if TYPE_CHECKING:
    from collections.abc import Callable
    from multiprocessing.connection import Connection as Pipe
    from pathlib import Path

    from weft.store import OpenedFile

_CAPABILITIES_3 = 0x20080522  # capset(2)


class Refused(NamedTuple):
    """An error of Weft, as it comes out of another process."""

    kind: str
    message: str
    hint: str
    key: str


def obey_modes() -> None:
    """Give up what lets a superuser pass over the modes of files, for good; anybody else has nothing to give up."""
    if os.geteuid() != 0:
        return
    version, nothing = (ctypes.c_uint32 * 2)(_CAPABILITIES_3, 0), (ctypes.c_uint32 * 6)()
    if ctypes.CDLL(None, use_errno=True).capset(version, nothing):
        raise OSError(ctypes.get_errno(), "capset")


class Bystander:
    """Another process with the graph ``path`` open, for as long as the block lasts."""

    def __init__(self, path: Path) -> None:
        self._ours, theirs = context().Pipe()
        self._process = context().Process(target=_stand_by, args=(path, theirs), daemon=True)
        self._process.start()
        theirs.close()

    def ask(self, work: Callable[[OpenedFile], Any]) -> Any:  # noqa: ANN401 - whatever work returns
        """Return what ``work``, a function of a module, returns there, or how it was refused."""
        self._ours.send(work)
        assert self._ours.poll(WAIT_S), "no answer came"
        return self._ours.recv()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._ours.close()
        self._process.join(WAIT_S)
        self._process.kill()


def _stand_by(path: Path, pipe: Pipe) -> None:
    obey_modes()
    graph = None
    while True:
        try:
            work = pipe.recv()
        except EOFError:
            break
        try:
            graph = graph or opened(path)
            pipe.send(work(graph))
        except WeftError as error:
            pipe.send(Refused(type(error).__name__, error.message, error.hint, error.key))
    if graph is not None:
        graph.close()
