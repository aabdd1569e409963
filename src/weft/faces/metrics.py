"""What the server counts, told as Prometheus text: calls, requests, sessions, and what was turned away.

No label holds anything that a caller chose: tools, outcomes, routes and reasons are all words of ours.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from starlette.responses import Response

if TYPE_CHECKING:
    from collections.abc import Callable

    from weft.faces.principal import Reason

__all__ = ["SESSION_S", "Metrics", "Sessions"]

SESSION_S: Final = 1_800.0
"""Seconds after which a session that nobody used has ended; the SDK's own."""

SESSIONS_MAX: Final = 1_000  # sessions that are remembered
_BUCKETS_S: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)


class Sessions:
    """The sessions of clients that opened one with a handshake: how many there are now."""

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._used: dict[str, float] = {}

    def use(self, session: str) -> None:
        """Note that a session was just used."""
        self._used.pop(session, None)
        self._used[session] = self._clock()
        while len(self._used) > SESSIONS_MAX:
            del self._used[next(iter(self._used))]

    def end(self, session: str) -> None:
        """Note that a session has ended."""
        self._used.pop(session, None)

    def count(self) -> int:
        """Return how many sessions there are."""
        since = self._clock() - SESSION_S
        return sum(used > since for used in self._used.values())


class Metrics:
    """The counts of one server."""

    def __init__(self) -> None:
        self.sessions = Sessions()
        self._registry = registry = CollectorRegistry()
        self._calls = Counter(
            "weft_calls", "Calls of tools, and how they ended.", ["tool", "outcome"], registry=registry
        )
        self._call_s = Histogram(
            "weft_call_seconds", "How long a call took, once begun.", ["tool"], buckets=_BUCKETS_S, registry=registry
        )
        self._requests = Counter(
            "weft_http_requests", "Requests, by where they went and the status.", ["route", "status"], registry=registry
        )
        self._inside = Gauge("weft_http_requests_in_progress", "Requests that are being answered.", registry=registry)
        self._refused = Counter(
            "weft_http_refused",
            "Requests, and what is none, turned away before anything was done for them.",
            ["reason"],
            registry=registry,
        )
        self._unproven = Counter(
            "weft_auth_failures", "Requests without a credential that is good, and why.", ["reason"], registry=registry
        )
        open_now = Gauge("weft_mcp_sessions", "Sessions of clients of the handshake era.", registry=registry)
        open_now.set_function(self.sessions.count)
        ProcessCollector(registry=registry)

    def call(self, tool: str, outcome: str, seconds: float) -> None:
        """Count a call of a tool of the table."""
        self._calls.labels(tool, outcome).inc()
        self._call_s.labels(tool).observe(seconds)

    def request(self, route: str, status: int) -> None:
        """Count an answered request; ``route`` is one of the application's."""
        self._requests.labels(route, str(status)).inc()

    def inside(self, change: int) -> None:
        """Note that a request began (1) or ended (-1)."""
        self._inside.inc(change)

    def refused(self, reason: str) -> None:
        """Count what was turned away: for its host, its origin or its rate, by a full server, or as no request."""
        self._refused.labels(reason).inc()

    def unproven(self, reason: Reason) -> None:
        """Count a request whose credential was not taken."""
        self._unproven.labels(reason).inc()

    def answer(self) -> Response:
        """Return all counts as Prometheus reads them."""
        headers = {"content-type": CONTENT_TYPE_LATEST, "cache-control": "no-store"}
        return Response(generate_latest(self._registry), headers=headers)
