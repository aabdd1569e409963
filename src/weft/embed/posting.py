"""One POST to an OpenAI-compatible endpoint: where to, how often, how long, and how much of an answer is read.

The key travels in the Authorization header and nowhere else: not in names, messages or representations. Redirects are
not followed, so it goes to the host that was named only.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from ipaddress import ip_address
from threading import Lock
from typing import TYPE_CHECKING
from urllib.parse import SplitResult, urlsplit, urlunsplit

from weft.errors import InvalidArgument, LimitExceeded, Unavailable

if TYPE_CHECKING:
    import httpx2

__all__ = ["ATTEMPTS_MAX", "RESPONSE_BYTES_MAX", "WAIT_MAX_S", "Endpoint", "Post", "within"]

ATTEMPTS_MAX = 4
BACKOFF_S = 0.25
WAIT_MAX_S = 20.0
"""The longest pause before trying again; a server that asks for more is reported as unavailable at once."""

RESPONSE_BYTES_MAX = 64 * 2**20
TIMEOUT_MAX_S = 600.0
_NO_ANSWER, _OK, _REFUSED, _TOO_MANY, _SERVER = 0, 200, (401, 403), 429, 500
_SAID_CHARACTERS_MAX = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """A model behind a URL. ``what`` (embedding, chat) and ``hint`` are words for messages.

    ``url`` is what stands before ``suffix``. ``timeout_s`` is how long one request may take.
    """

    url: str
    suffix: str
    model: str
    what: str
    hint: str
    key: str = field(default="", repr=False)
    timeout_s: float = 30.0


@dataclass(frozen=True, slots=True, kw_only=True)
class _Reply:
    """What came back: an HTTP status (0: no connection, ``said`` names why), the body, and how long to stay away."""

    status: int
    body: bytes = b""
    said: str = ""
    after_s: float | None = None

    @property
    def passing(self) -> bool:
        """Whether trying again may help."""
        return self.status in {_NO_ANSWER, _TOO_MANY} or self.status >= _SERVER

    def wait_s(self, attempts: int) -> float:
        """How long to pause after so many attempts: what the server asked for, else 0.25, 0.5, 1 s."""
        return self.after_s if self.after_s is not None else BACKOFF_S * 2 ** (attempts - 1)


class Post:
    """Posts to one endpoint. Nothing is called before the first request. Instances may be shared between threads.

    A request that meets no connection, 429 or 5xx is repeated up to three times.

    Raises:
        InvalidArgument: the URL, the model, the key or the time is out of range.
    """

    def __init__(self, endpoint: Endpoint) -> None:
        self._place = _placed(endpoint.url, endpoint.suffix)
        self._host = self._place.hostname or ""
        if not endpoint.model.strip() or not endpoint.model.isprintable():
            raise InvalidArgument(f"model must be the name that the {endpoint.what} endpoint knows its model by.")
        within("timeout_s", endpoint.timeout_s, 0.001, TIMEOUT_MAX_S)
        self._endpoint = endpoint
        self._key = _sendable(endpoint.key)
        self._timeout_s = endpoint.timeout_s
        self._lock = Lock()
        self._client: httpx2.Client | None = None

    @property
    def name(self) -> str:
        """Model and host, ``text-embedding-3-small@api.openai.com``; never a key or a port."""
        return f"{self._endpoint.model}@{self._host}"

    def close(self) -> None:
        """Close the connections; the next request opens new ones."""
        with self._lock:
            client, self._client = self._client, None
        if client is not None:
            client.close()

    def post(self, content: bytes) -> bytes:
        """Return the body of a good answer, trying again where that may help.

        Raises:
            Unavailable: the endpoint could not be reached, or refused.
            LimitExceeded: its answer is larger than 64 MiB.
        """
        attempts, reply = 1, self._once(content)
        while reply.passing and attempts < ATTEMPTS_MAX and reply.wait_s(attempts) <= WAIT_MAX_S:
            time.sleep(reply.wait_s(attempts))
            attempts, reply = attempts + 1, self._once(content)
        if reply.status != _OK:
            raise self._failure(reply, attempts)
        return reply.body

    def _once(self, content: bytes) -> _Reply:
        import httpx2

        try:
            with self._connected().stream("POST", urlunsplit(self._place), content=content) as response:
                body = self._body(response)
                return _Reply(status=response.status_code, body=body, after_s=_after_s(response.headers))
        except httpx2.TimeoutException as error:
            raise self._slow() from error
        except (httpx2.NetworkError, httpx2.RemoteProtocolError) as error:
            return _Reply(status=_NO_ANSWER, said=f"no connection ({type(error).__name__})")
        except (httpx2.HTTPError, httpx2.InvalidURL) as error:
            raise Unavailable(
                f"{self.name} cannot be asked ({type(error).__name__}).", hint=self._endpoint.hint
            ) from error

    def _body(self, response: httpx2.Response) -> bytes:
        """Read the answer within its bounds in size and time."""
        until = time.monotonic() + self._timeout_s
        body = bytearray()
        for part in response.iter_bytes():
            body += part
            if len(body) > RESPONSE_BYTES_MAX:
                raise LimitExceeded(f"The answer of {self.name} is larger than {RESPONSE_BYTES_MAX >> 20} MiB.")
            if time.monotonic() > until:
                raise self._slow()
        return bytes(body)

    def _slow(self) -> Unavailable:
        return Unavailable(f"{self.name} did not answer within {self._timeout_s:g} s.")

    def _failure(self, reply: _Reply, attempts: int) -> Unavailable:
        tried = f" after {attempts} attempts" if attempts > 1 else ""
        if reply.status in _REFUSED:
            return Unavailable(
                f"{self.name} refused the key (HTTP {reply.status}).",
                hint=f"Check the {self._endpoint.what} endpoint's key.",
            )
        if reply.after_s is not None and reply.after_s > WAIT_MAX_S:
            return Unavailable(f"{self.name} asks to come back in {reply.after_s:.0f} s (HTTP {reply.status}).")
        if reply.passing:
            return Unavailable(f"{self.name} failed{tried}: {reply.said or f'HTTP {reply.status}'}.")
        said = self._quoted(reply.body)
        return Unavailable(f"{self.name} refused the request (HTTP {reply.status}){said}.", hint=self._endpoint.hint)

    def _quoted(self, body: bytes) -> str:
        """Return the start of what the server said, without the key and without anything invisible."""
        text = body.decode(errors="replace")
        text = text.replace(self._key, "…") if self._key else text
        text = " ".join("".join(c if c.isprintable() else " " for c in text).split())
        return f": {text[:_SAID_CHARACTERS_MAX]}" if text else ""

    def _connected(self) -> httpx2.Client:
        """Return the client, made on first use; a proxy from the environment is for hosts other than this one."""
        import httpx2

        with self._lock:
            if self._client is None:
                headers = {"Content-Type": "application/json"}
                if self._key:
                    headers["Authorization"] = f"Bearer {self._key}"
                self._client = httpx2.Client(
                    headers=headers, timeout=self._timeout_s, trust_env=not _is_loopback(self._host)
                )
            return self._client


def _placed(url: str, suffix: str) -> SplitResult:
    """Return where to post to: ``url`` with ``suffix`` at the end of its path."""
    try:
        parts = urlsplit(url.strip())
        port = parts.port
    except ValueError as error:
        raise InvalidArgument("url is not a URL; give one such as http://localhost:11434/v1.") from error
    if parts.scheme not in {"http", "https"} or not parts.hostname or port == 0:
        raise InvalidArgument(
            "url must begin with http:// or https:// and name a host; its port, if any, is 1 or more."
        )
    if "@" in parts.netloc:
        raise InvalidArgument("url must not hold a name or password; put the key into the key.")
    path = parts.path.rstrip("/").removesuffix(suffix)
    return parts._replace(path=f"{path}{suffix}", fragment="")


def _sendable(key: str) -> str:
    if not (key.isascii() and key.isprintable() and key == key.strip()):
        raise InvalidArgument("key must be one line of ASCII characters without blanks around it.")
    return key


def within(name: str, value: float, least: float, most: float) -> None:
    """Refuse a figure that lies outside its bounds.

    Raises:
        InvalidArgument: it does; the bounds are named.
    """
    if not least <= value <= most:
        raise InvalidArgument(f"{name} is {value}; it must be within {least:g} and {most:g}.")


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def _after_s(headers: httpx2.Headers) -> float | None:
    """Return the seconds of a Retry-After header, given as seconds or as a date; None when there is none to read."""
    given = headers.get("Retry-After", "").strip()
    if given.isascii() and given.isdigit():
        return float(given)
    try:
        at = parsedate_to_datetime(given)
    except (ValueError, OverflowError):
        return None
    return max(0.0, (at.replace(tzinfo=at.tzinfo or UTC) - datetime.now(UTC)).total_seconds())
