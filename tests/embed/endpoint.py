"""A real HTTP server on the loopback that speaks the OpenAI embeddings protocol, and fails as it is told to."""

from __future__ import annotations

import base64
import json
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, Self

from embed.remembered import BUNDLED

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

MODEL = BUNDLED


@dataclass(frozen=True)
class Reply:
    """One answer: status, body (None: the connection is dropped), headers."""

    status: int = 200
    body: bytes | Iterator[bytes] | None = b""
    headers: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Seen:
    """One request as it arrived."""

    path: str
    headers: dict[str, str]
    payload: dict[str, Any]


def good(payload: dict[str, Any], *, encoding: str = "float", backwards: bool = False) -> Reply:
    """The bundled model's vectors as an endpoint sends them, not normalised."""
    vectors = MODEL.embed(payload["input"]) * 3
    data = [
        {
            "object": "embedding",
            "index": place,
            "embedding": base64.b64encode(vector.astype("<f4").tobytes()).decode()
            if encoding == "base64"
            else vector.tolist(),
        }
        for place, vector in enumerate(vectors)
    ]
    data = data[::-1] if backwards else data
    return Reply(body=json.dumps({"object": "list", "data": data, "model": payload["model"]}).encode())


def embeddings(*rows: object) -> Reply:
    """An answer with these embeddings, whatever they are."""
    data = [{"index": place, "embedding": row} for place, row in enumerate(rows)]
    return Reply(body=json.dumps({"data": data}).encode())


class Endpoint:
    """The server: answers what lies in ``replies`` first, then ``usual``; keeps what it was asked in ``seen``."""

    def __init__(self) -> None:
        self.replies: list[Reply] = []
        self.usual: Callable[[dict[str, Any]], Reply] = good
        self.seen: list[Seen] = []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01})

    @property
    def url(self) -> str:
        """The base URL of the endpoint."""
        return f"http://127.0.0.1:{self._server.server_port}/v1"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *failure: object) -> None:
        self._server.shutdown()
        self._thread.join(timeout=10)
        self._server.server_close()

    def answer(self, request: BaseHTTPRequestHandler) -> Reply:
        """Note the request and return what is to be answered."""
        payload = json.loads(request.rfile.read(int(request.headers["Content-Length"])))
        self.seen.append(Seen(path=request.path, headers=dict(request.headers), payload=payload))
        return self.replies.pop(0) if self.replies else self.usual(payload)

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        answer = self.answer

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                reply = answer(self)
                self.close_connection = True
                if reply.body is None:
                    return
                self.send_response(reply.status)
                for name, value in reply.headers.items():
                    self.send_header(name, value)
                self.end_headers()
                parts = [reply.body] if isinstance(reply.body, bytes) else reply.body
                try:
                    for part in parts:
                        self.wfile.write(part)
                        self.wfile.flush()
                except OSError:
                    return  # the client has seen enough and hung up

            def log_message(self, *arguments: object) -> None:
                """Keep quiet."""

        return Handler
