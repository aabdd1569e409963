"""A pooler on the wire, as PgBouncer stands before a server: clients log in to it, and share its few connections.

::

    with Pooler(cluster.port, keeps=False) as pooler:
        url = pooler.url(database)

One that ``keeps`` gives a client a connection of its own until the client goes (``pool_mode = session``), any other one
for each transaction (``pool_mode = transaction``). Nobody is asked for a password.
"""

from __future__ import annotations

import socket
import struct
import threading
from contextlib import suppress
from select import select
from typing import TYPE_CHECKING, Self

from postgres.cluster import APP, WAIT_S

if TYPE_CHECKING:
    from types import TracebackType

__all__ = ["Pooler"]

STARTUP = 196_608  # version 3.0 of the protocol
MADE_UP = struct.pack("!cIII", b"K", 12, 2_000_000_000, 0)
"""The process that clients are told they reach: a number that no server gives."""
ASKING = {b"Q", b"S"}  # what the server answers with «ready», once each
READY = b"Z"


class Pooler:
    """Listens on a port of the loopback until its context is left, before the server at ``port``."""

    def __init__(self, port: int, *, keeps: bool) -> None:
        self.keeps = keeps
        self.away = False
        """Whether the server cannot be reached: who logs in may, and is turned away at the first question."""
        self.turned_away = 0
        self._port = port
        self._idle: list[socket.socket] = []
        self._greeting = b""
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._open = {self._listener}
        self._threads: list[threading.Thread] = []

    def __enter__(self) -> Self:
        self._begin(self._listen)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        for each in list(self._open):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join(WAIT_S)
        for each in list(self._open):
            each.close()

    def url(self, database: str) -> str:
        """Return the URL of a database behind the pooler."""
        return f"postgresql://{APP}@127.0.0.1:{self._listener.getsockname()[1]}/{database}"

    def _begin(self, work: object, *given: object) -> None:
        thread = threading.Thread(target=work, args=given, daemon=True)  # type: ignore[arg-type]
        self._threads.append(thread)
        thread.start()

    def _listen(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                self._open.add(client)
                self._begin(self._serve, client)

    def _serve(self, client: socket.socket) -> None:
        with suppress(OSError, EOFError), client:
            while (first := _startup(client))[4:8] != struct.pack("!I", STARTUP):
                client.sendall(b"N")  # neither TLS nor GSSAPI
            server = self._taken(first)
            client.sendall(self._greeting)
            if self.keeps and not self.away:
                with server:
                    _pass(client, server, lent=False)
            self._idle.append(server)
            if self.away:
                _message(client)
                self.turned_away += 1
            else:
                self._lend(client, first)

    def _lend(self, client: socket.socket, first: bytes) -> None:
        """Give the client a connection from each first message on until the server is out of a transaction again."""
        while client.recv(1, socket.MSG_PEEK):
            server = self._taken(first)
            _pass(client, server, lent=True)
            self._idle.append(server)

    def _taken(self, first: bytes) -> socket.socket:
        """Return the connection that was given back last, or a new one, logged in with the client's own words."""
        if self._idle:
            return self._idle.pop()
        server = socket.create_connection(("127.0.0.1", self._port), WAIT_S)
        server.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._open.add(server)
        server.sendall(first)
        said = [_message(server)]
        while said[-1][:1] != READY:
            said.append(_message(server))
        self._greeting = b"".join(MADE_UP if each[:1] == b"K" else each for each in said)
        return server


def _pass(client: socket.socket, server: socket.socket, *, lent: bool) -> None:
    """Hand messages on both ways until one side goes; lent: until all that was asked is answered, and nothing is open.

    Raises:
        EOFError, OSError: one went.
    """
    waited = 0
    while True:
        for side in select([client, server], [], [])[0]:
            message = _message(side)
            if side is client:
                waited += message[:1] in ASKING
                server.sendall(message)
                continue
            client.sendall(message)
            if message[:1] == READY:
                waited -= 1
                if lent and not waited and message[5:6] == b"I":
                    return


def _startup(side: socket.socket) -> bytes:
    size = _exactly(side, 4)
    return size + _exactly(side, struct.unpack("!I", size)[0] - 4)


def _message(side: socket.socket) -> bytes:
    head = _exactly(side, 5)
    return head + _exactly(side, struct.unpack("!I", head[1:])[0] - 4)


def _exactly(side: socket.socket, size: int) -> bytes:
    held = b""
    while len(held) < size:
        part = side.recv(size - len(held))
        if not part:
            raise EOFError
        held += part
    return held
