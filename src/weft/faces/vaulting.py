"""Keeping the vault while a server runs: a thread beside the calls, started once somebody has asked for something."""

from __future__ import annotations

import logging
import threading
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from weft.errors import WeftError
from weft.settings import locate

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from weft.faces.serving import Serving
    from weft.model import Call

__all__ = ["keeping", "start"]

WAIT_S = 5.0
"""How often a server whose graph has no vault asks whether it was turned on."""

log = logging.getLogger(__name__)


@asynccontextmanager
async def keeping(serving: Serving) -> AsyncIterator[None]:
    """Keep the vault for the length of the block."""
    start(serving)
    try:
        yield
    finally:
        serving.ending.set()


def start(serving: Serving) -> None:
    """Start keeping the vault of the server's graph until the server ends, unless this process does so already."""
    if not serving.offer.read_only and serving.keeping.acquire(blocking=False):
        threading.Thread(target=_keep, args=(serving,), name="weft-vault", daemon=True).start()


def _keep(serving: Serving) -> None:
    try:
        while not _is_on(serving):
            if serving.ending.wait(WAIT_S):
                return
        from weft.vault.keeper import Keeper

        graph = serving.graph()
        keeper = Keeper(graph.vault, call=lambda: _call(serving), during=serving.during, check=graph.staleness.check)
        keeper.run(serving.ending)
    except WeftError as error:
        log.warning("the vault is not kept: %s", error.message)
    finally:
        serving.keeping.release()


def _is_on(serving: Serving) -> bool:
    from weft.vault.place import is_on

    return is_on(locate(serving.settings))


def _call(serving: Serving) -> Call:
    return replace(serving.graph().call("sync"), client="watcher")
