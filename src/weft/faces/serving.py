"""What a server holds: one graph, opened when it is first needed, and the gate to it from an event loop.

Who calls is said anew with every call: by the credential of its request where the server asks for one. Elsewhere it is
whoever started the server.

The verbs are synchronous and run in worker threads. A caller that goes away leaves its worker behind: the work hears of
it at its next report of progress and gives up; a write is done whole or not at all either way.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from concurrent.futures import CancelledError
from contextlib import suppress
from contextvars import copy_context
from functools import cache, cached_property, partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar
from uuid import uuid4

from weft.errors import PermissionDenied, Unavailable, WeftError
from weft.faces.outages import Outages
from weft.faces.principal import Principal, principal_of
from weft.faces.reaching import only_read, reach_of
from weft.faces.turns import Turns, who_asks
from weft.tools.row import TIERS

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Mapping

    from weft.graph import Graph
    from weft.model import Progress
    from weft.settings import Settings
    from weft.tools.arguments import Arguments
    from weft.tools.caller import Caller
    from weft.tools.offer import Offer
    from weft.tools.verbs import Verb

__all__ = ["Abandoned", "Report", "Serving"]

WORKERS = 8
"""Calls that run at once; further ones wait their turn."""

WORKERS_EACH = WORKERS - 1
"""Calls of one asker that run at once: long ones would keep even the probes from being answered."""

REPORT_PAUSE_S = 0.1
"""The least time between two reports of progress to a caller."""

T = TypeVar("T")
log = logging.getLogger(__name__)


class Abandoned(Exception):
    """Raised inside work whose caller is gone; it leaves nothing half-written and is answered to nobody."""


class Report:
    """Progress of one call, carried from its worker thread to the event loop, at most ten times a second.

    ``tell`` sends (done, total, message) to the caller. ``gone`` is set when the caller has left.
    """

    def __init__(self, tell: Callable[[int, int, str], Coroutine[Any, Any, None]]) -> None:
        self.gone = threading.Event()
        self._tell = tell
        self._loop = asyncio.get_running_loop()
        self._done = 0
        self._next_s = 0.0

    def __call__(self, done: int, total: int, message: str) -> None:
        """Report from the worker thread.

        Raises:
            Abandoned: the caller has left.
        """
        if self.gone.is_set():
            raise Abandoned
        now = time.monotonic()
        if done > self._done and (now >= self._next_s or done == total):
            self._done, self._next_s = done, now + REPORT_PAUSE_S
            try:
                asyncio.run_coroutine_threadsafe(self._tell(done, total, message), self._loop).result()
            except (CancelledError, RuntimeError):  # the loop gave the call up, or has ended
                raise Abandoned from None


class Serving:
    """One server's graph, settings and offer.

    ``id`` is whose history counts where a call names no session and shows no credential: it is new with each process.
    ``asks`` is on where a request must bring a credential; one without is then nobody's. ``told`` hears of each call:
    the tool, how it ended (``ok``, an error's code in lower case, ``abandoned`` or ``failed``) and the seconds it took;
    ``outages`` hears why the graph could not be used.
    """

    def __init__(self, settings: Settings, offer: Offer) -> None:
        self.settings = settings
        self.offer = offer
        self.id = uuid4().hex
        self.asks = False
        self.told: Callable[[str, str, float], None] = lambda *_: None
        self.busy = 0
        self.warming = False
        self.at_end: list[Callable[[], None]] = []
        self.keeping = threading.Lock()
        self.ending = threading.Event()
        self._names = cache(lambda role: self.offer.at(role).names)
        self.outages = Outages()
        self._graph: Graph | None = None
        self._opening = threading.Lock()
        self._turns = Turns(WORKERS, each=WORKERS_EACH)

    def graph(self) -> Graph:
        """Return the graph, opening it at the first call.

        Raises:
            CannotOpen: it cannot be opened now; the next call tries again.
        """
        with self._opening:
            if self._graph is None:
                from weft.graph import open as open_graph

                self._graph = open_graph(settings=self.settings)
            return self._graph

    async def reached(self, request: object) -> str:
        """Return the tier up to which whoever is behind ``request`` reaches this graph, as far as that can be told.

        Raises:
            PermissionDenied: as :meth:`principal`.
        """
        role = self.principal(request).role
        return await self.work(self.reach, role) or role

    async def served(self, request: object) -> frozenset[str]:
        """Return the names of the tools that are listed to whoever is behind ``request``; raises as :meth:`reached`."""
        return self._names(await self.reached(request))

    def reach(self, role: str) -> str | None:
        """Return the tier up to which a caller of ``role`` reaches this graph, by name; None: nobody can tell now.

        A database whose graph is not open yet is connected to for that; blocks. See :mod:`weft.faces.reaching`.
        """
        if role == TIERS[0] or self.offer.read_only:
            return role
        graph = self._graph if self.settings.server else None
        reach = graph.tier.label if graph else reach_of(self.settings)
        return reach and min(role, reach, key=TIERS.index)

    def head(self) -> int:
        """Return the position of the last change; opens the graph at the first call."""
        return self.graph().log.head()

    def ready(self) -> None:
        """Return where the graph can be read and written; opens it at the first call.

        Raises:
            Unavailable: it cannot; or it has been moved to another embedding model than this process goes by, with the
                key ``model_moved``; or another release has brought it up, with the key ``brought_up``.
        """
        graph, facts = self.graph(), self.graph().store.facts()
        if (facts["model"], facts["dimension"]) != (graph.embedder.name, graph.embedder.dimension):
            raise Unavailable(
                "The graph has been moved to another embedding model.",
                hint="Start the server anew, with that model in the settings.",
                key="model_moved",
            )
        if facts.get("brought_up"):
            raise _left_behind("writes nothing to it")
        if facts.get("read_only"):
            raise Unavailable("The database takes no writes: it is set to be read only.")

    def load_tools(self) -> None:
        """Load what listing the tools needs."""
        self._load(lambda: [tool.binding for tool in self.offer.tools])

    def load_graph(self) -> None:
        """Load what a call needs, but no graph, no index and no model: nothing is opened or written."""
        self._load(partial(import_module, "weft.graph"))

    def _load(self, load: Callable[[], object]) -> None:
        """Do what would make somebody wait later; ``warming`` is true meanwhile, and nobody waits for it."""
        self.warming = True
        try:
            load()
        except ImportError:
            log.warning("the first call will fail: a part of weft cannot be loaded", exc_info=True)
        finally:
            self.warming = False

    @cached_property
    def own(self) -> Principal:
        """Who calls where no credential is asked for: the one whom the settings name."""
        return Principal(actor=self.settings.writer, role=self.settings.role, id=self.id)

    def principal(self, request: object) -> Principal:
        """Return who is behind ``request`` (None: the transport has none).

        Raises:
            PermissionDenied: the server asks for a credential, and nobody has looked at one for this request.
        """
        found = principal_of(request)
        if found is None and self.asks:
            raise PermissionDenied("no credential came with the request", hint="Send a token with every request.")
        return found or self.own

    def caller(self, principal: Principal, *, client: str, offer: Offer | None = None) -> Caller:
        """Return the caller that ``principal`` is to the gate; without ``offer`` the server's own choice of tools."""
        from weft.model import Tier
        from weft.tools.caller import Caller

        role = TIERS[0] if only_read(self.settings) else principal.role  # of a login in a database the gate knows
        return Caller(
            actor=principal.actor,
            client=client,
            tier=Tier[principal.role.upper()],
            id=principal.id,
            hints=self.settings.hints,
            tools=offer.at(role).names if offer else self._names(role),
        )

    def call(
        self,
        name: str,
        arguments: Mapping[str, Any],
        caller: Caller,
        *,
        progress: Progress | None = None,
    ) -> dict[str, Any]:
        """Pass one call through the gate; blocks, so that it belongs into :meth:`work`.

        Raises:
            WeftError: the answer is an error.
            Abandoned: the caller left meanwhile.
        """
        from weft.tools.gate import call

        return self._told(name, lambda: call(self.graph(), name, arguments, caller, progress=progress))

    def operate(self, verb: Verb, asked: Arguments, caller: Caller, *, session: str = "") -> dict[str, Any]:
        """Do an operator's verb; blocks, as :meth:`call` does, and is told and counted as a call.

        Raises:
            WeftError: the answer is an error.
        """
        from weft.tools.gate import operate

        def work() -> dict[str, Any]:
            graph = self.graph()
            return operate(graph, verb.name, caller, lambda by: verb.run(graph, asked, by), session=session)

        return self._told(verb.name, work)

    def _told(self, name: str, work: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        began, outcome = time.perf_counter(), "failed"
        try:
            body = work()
            outcome = "ok"
        except WeftError as error:
            outcome = error.code.lower()
            raise
        except Abandoned:
            outcome = "abandoned"
            raise
        finally:
            self.told(name, outcome, time.perf_counter() - began)
        return body

    async def work(self, function: Callable[..., T], *arguments: object, report: Report | None = None) -> T:
        """Run ``function`` in a worker thread and return what it returns; when cancelled, leave it behind at once.

        Whoever asks waits for a worker in turns with the others who do; see :mod:`weft.faces.turns`.

        Raises:
            WeftError: as ``function`` does; a failure that nobody expected is logged and becomes Unavailable.
        """
        work = partial(copy_context().run, self._done, function, *arguments)
        try:
            return await asyncio.wrap_future(self._turns.submit(who_asks(), work))
        finally:
            if report is not None:
                report.gone.set()

    def _done(self, function: Callable[..., T], *arguments: object) -> T:
        with self._opening:
            self.busy += 1
        try:
            return function(*arguments)
        except Unavailable as error:
            self.outages.tell(error)
            raise
        except (WeftError, Abandoned):
            raise
        except Exception:
            log.exception("a call failed")
            raise self._unexpected() from None
        finally:
            with self._opening:
                self.busy -= 1

    def _unexpected(self) -> Unavailable:
        """Return the answer to a failure that nobody expected: what a newer release has written may be why."""
        with suppress(WeftError):
            if self._graph is not None and self._graph.store.facts().get("brought_up"):
                return _left_behind("does not know all that is in it")
        return Unavailable(
            "the server failed for a reason that it did not expect; nothing was half-written",
            hint="Try again; if it repeats, the server's log says more.",
        )

    def during(self, function: Callable[[], T]) -> T:
        """Run ``function`` in the calling thread, as work that the server waits for before it closes the graph.

        Raises:
            WeftError: as ``function`` does; a failure that nobody expected is logged and becomes Unavailable.
        """
        return self._done(function)

    def end(self) -> None:
        """End what has no end of its own, such as streams of changes: the server is about to stop."""
        self.ending.set()
        for end in self.at_end:
            end()

    def close(self) -> None:
        """Close the graph, if it was opened and nobody works on it any more."""
        with self._opening:
            if self._graph is not None and not self.busy:
                self._graph.close()
                self._graph = None


def _left_behind(this: str) -> Unavailable:
    return Unavailable(
        f"The graph has been brought up by another release of Weft; this one {this}.",
        hint="Start the server anew, with that release.",
        key="brought_up",
    )
