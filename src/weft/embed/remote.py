"""An embedder behind HTTP: OpenAI, Ollama, vLLM, TEI and whatever else answers ``POST …/embeddings`` as they do.

The key travels in the Authorization header and nowhere else: not in names, messages or representations. Redirects are
not followed, so it goes to the host that was named only.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from ipaddress import ip_address
from threading import Lock
from typing import TYPE_CHECKING
from urllib.parse import SplitResult, urlsplit, urlunsplit

import numpy as np

from weft.embed import wire
from weft.embed.reading import BLANK, readable
from weft.errors import InvalidArgument, LimitExceeded, Unavailable
from weft.model import Calibration

if TYPE_CHECKING:
    from collections.abc import Sequence

    import httpx2
    import numpy.typing as npt

__all__ = ["ATTEMPTS_MAX", "IDENTITY", "RESPONSE_BYTES_MAX", "WAIT_MAX_S", "OpenAICompatible"]

IDENTITY = Calibration(points=((0.0, 0.0), (1.0, 1.0)))
"""Raw cosine as similarity, for a model that nobody has calibrated yet; thresholds mean little until one does."""

ATTEMPTS_MAX = 4
BACKOFF_S = 0.25
WAIT_MAX_S = 20.0
"""The longest pause before trying again; a server that asks for more is reported as unavailable at once."""

RESPONSE_BYTES_MAX = 64 * 2**20
BATCH_MAX = 2048
TIMEOUT_MAX_S = 600.0
DIMENSION_MAX = 65_536
_NO_ANSWER, _OK, _REFUSED, _TOO_MANY, _SERVER = 0, 200, (401, 403), 429, 500
_SAID_CHARACTERS_MAX = 200


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


class OpenAICompatible:
    """An embedder over the OpenAI embeddings protocol. Nothing is called before the first text.

    ``url`` is what stands before ``/embeddings``. ``dimension``, if given, is what every vector must have; else the
    endpoint is asked once. ``calibration`` is a map fitted for the model (:mod:`weft.embed.calibrate`); without one,
    similarity is raw cosine. ``timeout_s`` is how long one request may take, ``batch`` how many texts go into one. A
    request that meets no connection, 429 or 5xx is repeated up to three times. Instances may be shared between threads.

    Raises:
        InvalidArgument: the URL, the model or a figure is out of range.
    """

    def __init__(
        self,
        url: str,
        model: str,
        *,
        key: str | None = None,
        dimension: int | None = None,
        calibration: Calibration | None = None,
        timeout_s: float = 30.0,
        batch: int = 64,
    ) -> None:
        self._place = _placed(url)
        self._host = self._place.hostname or ""
        if not model.strip() or not model.isprintable():
            raise InvalidArgument("model must be the name that the embedding endpoint knows its model by.")
        _within("timeout_s", timeout_s, 0.001, TIMEOUT_MAX_S)
        _within("batch", batch, 1, BATCH_MAX)
        _within("dimension", 1 if dimension is None else dimension, 1, DIMENSION_MAX)
        self._model = model
        self._key = _sendable(key or "")
        self._dimension = dimension
        self._calibration = calibration or IDENTITY
        self._timeout_s = timeout_s
        self._batch = batch
        self._lock = Lock()
        self._client: httpx2.Client | None = None

    @property
    def name(self) -> str:
        """Model and host, ``text-embedding-3-small@api.openai.com``; never a key or a port."""
        return f"{self._model}@{self._host}"

    @property
    def dimension(self) -> int:
        """Length of a vector; the endpoint is asked when it is not known yet.

        Raises:
            Unavailable: it had to be asked and gave no usable answer.
        """
        return self._dimension or self._embed([BLANK]).shape[1]

    @property
    def calibration(self) -> Calibration:
        """The map from raw cosine to similarity: the one that was given, else raw cosine itself."""
        return self._calibration

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Return one vector of length 1 a text, shape (len(texts), dimension), in the order of the texts.

        A blank text is sent as a full stop, since some endpoints refuse an empty one.

        Raises:
            InvalidArgument: a text has a lone surrogate.
            Unavailable: the endpoint could not be reached, refused, or gave an answer that cannot be used.
            LimitExceeded: its answer is larger than 64 MiB.
        """
        wanted = readable(texts)
        if not wanted:
            return np.empty((0, self.dimension), np.float32)
        starts = range(0, len(wanted), self._batch)
        return np.concatenate([self._embed(wanted[start : start + self._batch]) for start in starts])

    def close(self) -> None:
        """Close the connections; the next text opens new ones."""
        with self._lock:
            client, self._client = self._client, None
        if client is not None:
            client.close()

    def _embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        vectors = wire.vectors(self._post(wire.request(self._model, texts)), count=len(texts))
        expected = self._dimension = self._dimension or vectors.shape[1]
        if vectors.shape[1] != expected:
            raise Unavailable(
                f"{self.name} gave vectors of {vectors.shape[1]} numbers where {expected} are expected.",
                hint="Check the model and the dimension that are set; a graph takes the vectors of one model only.",
            )
        return vectors

    def _post(self, content: bytes) -> bytes:
        """Return the body of a good answer, trying again where that may help."""
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
            raise Unavailable(f"{self.name} cannot be asked ({type(error).__name__}).", hint=wire.HINT) from error

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
                f"{self.name} refused the key (HTTP {reply.status}).", hint="Check the embedding endpoint's key."
            )
        if reply.after_s is not None and reply.after_s > WAIT_MAX_S:
            return Unavailable(f"{self.name} asks to come back in {reply.after_s:.0f} s (HTTP {reply.status}).")
        if reply.passing:
            return Unavailable(f"{self.name} failed{tried}: {reply.said or f'HTTP {reply.status}'}.")
        said = self._quoted(reply.body)
        return Unavailable(f"{self.name} refused the request (HTTP {reply.status}){said}.", hint=wire.HINT)

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


def _placed(url: str) -> SplitResult:
    """Return where to post to: ``url`` with ``/embeddings`` at the end of its path."""
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
    path = parts.path.rstrip("/").removesuffix("/embeddings")
    return parts._replace(path=f"{path}/embeddings", fragment="")


def _sendable(key: str) -> str:
    if not (key.isascii() and key.isprintable() and key == key.strip()):
        raise InvalidArgument("key must be one line of ASCII characters without blanks around it.")
    return key


def _within(name: str, value: float, least: float, most: float) -> None:
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
