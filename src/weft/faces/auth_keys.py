"""The public keys of an issuer: fetched when they are first needed, kept, and fetched anew for a key that is not known.

What strangers send decides when keys are asked for, so it is asked at most once a minute, within a few seconds, for a
few hundred kilobytes, and nowhere else than where the settings say.
"""

from __future__ import annotations

import json
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from weft.errors import InvalidArgument
from weft.faces.guard import is_loopback
from weft.faces.principal import Refused

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["BYTES_MAX", "FRESH_S", "KEPT_S", "PAUSE_S", "Keys"]

BYTES_MAX: Final = 256 * 1024
"""Bytes of a set of keys."""

KEYS_MAX: Final = 100
"""Keys of a set."""

TIMEOUT_S: Final = 5.0
PAUSE_S: Final = 60.0
"""The least time between two fetches, whatever comes."""

FRESH_S: Final = 3_600.0
"""After this long the keys are fetched anew before they are used: an issuer that withdraws one is heard."""

KEPT_S: Final = 86_400.0
"""How long the keys are used while their issuer cannot be asked."""

_OK: Final = 200


class Keys:
    """A JWK set behind a URL (https, or http on this machine) or in a file. Safe for threads.

    Raises:
        InvalidArgument: ``place`` is a URL of another kind.
    """

    def __init__(self, place: str, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._place = place
        self._clock = clock
        self._keys: tuple[dict[str, Any], ...] = ()
        self._fetched_at = self._tried_at = float("-inf")
        self._fetching = threading.Lock()
        parts = urlsplit(place)
        self._remote = "://" in place
        if (
            self._remote
            and parts.scheme != "https"
            and not (parts.scheme == "http" and is_loopback(parts.hostname or ""))
        ):
            raise InvalidArgument("auth_keys: must be an https URL, or a file; http is for this machine only")

    def named(self, kid: str | None) -> tuple[dict[str, Any], ...]:
        """Return the keys that ``kid`` names; without one, all of them. May be none.

        Raises:
            Refused: the keys cannot be had.
        """
        if self._clock() - self._fetched_at > FRESH_S:
            self._refresh()
        found = self._held(kid)
        if not found:
            self._refresh()
            found = self._held(kid)
        return found

    def _held(self, kid: str | None) -> tuple[dict[str, Any], ...]:
        if self._clock() - self._fetched_at > KEPT_S:
            raise Refused("unavailable", "The keys of the issuer cannot be had.", hint="Try again in a minute.")
        return tuple(key for key in self._keys if kid is None or key.get("kid") == kid)

    def _refresh(self) -> None:
        """Fetch the keys, unless that was tried a moment ago; those that were there stay when it fails.

        Whoever has keys at hand does not wait for another's fetching.
        """
        if not self._fetching.acquire(blocking=not self._keys):
            return
        try:
            if self._clock() - self._tried_at < PAUSE_S:
                return
            self._tried_at = self._clock()
            keys = _keys(self._fetched() if self._remote else _read(Path(self._place)))
            if keys:
                self._keys, self._fetched_at = keys, self._clock()
        finally:
            self._fetching.release()

    def _fetched(self) -> bytes:
        import httpx2

        until, body = time.monotonic() + TIMEOUT_S, bytearray()
        try:
            with (
                httpx2.Client(trust_env=False, follow_redirects=False, timeout=TIMEOUT_S) as client,
                client.stream("GET", self._place, headers={"accept": "application/json"}) as response,
            ):
                for part in response.iter_bytes():
                    body += part
                    if len(body) > BYTES_MAX or time.monotonic() > until:
                        return b""
                return bytes(body) if response.status_code == _OK else b""
        except (httpx2.HTTPError, httpx2.InvalidURL, httpx2.StreamError):
            return b""


def _read(file: Path) -> bytes:
    try:
        with file.open("rb") as held:
            body = held.read(BYTES_MAX + 1)
    except OSError:
        return b""
    return body if len(body) <= BYTES_MAX else b""


def _keys(body: bytes) -> tuple[dict[str, Any], ...]:
    """Return the keys of a set that may verify signatures; none where it is not one."""
    try:
        said = json.loads(body)
    except (ValueError, RecursionError):
        return ()
    keys = said.get("keys") if isinstance(said, dict) else None
    if not isinstance(keys, list):
        return ()
    return tuple(key for key in keys[:KEYS_MAX] if isinstance(key, dict) and key.get("use", "sig") == "sig")
