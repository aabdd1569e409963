"""Documents from the web: off unless it is switched on, and then only from addresses that everybody could ask.

A URL comes from a stranger's text as often as from a person, and this machine can reach what strangers cannot: its own
services, the router, the cloud's metadata. So a host is looked up once, each of its addresses must be public, and the
connection goes to that very address, whatever the name says a moment later; every redirect is looked at in the same
way. Proxies of the environment are not used, since one would look the name up again.
"""

from __future__ import annotations

import socket
import time
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final, TypeAlias
from urllib.parse import SplitResult, unquote, urljoin, urlsplit, urlunsplit

from weft.errors import InvalidArgument
from weft.services import rendering
from weft.services.documents import READABLE, SIZE_MAX_BYTES

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import httpx2

__all__ = ["BYTES_MAX", "REDIRECTS_MAX", "TIMEOUT_S", "Address", "Fetched", "Web", "is_public", "looked_up"]

Address: TypeAlias = "IPv4Address | IPv6Address"

BYTES_MAX: Final = 10_000_000
REDIRECTS_MAX: Final = 5
TIMEOUT_S: Final = 20.0
URL_MAX: Final = 2_000
"""Characters; the URL is the document's name."""

_PORTS: Final = {"http": 80, "https": 443}
_REDIRECTS: Final = frozenset((301, 302, 303, 307, 308))
_OK: Final = 200
_TYPES: Final = {
    "text/html": ".html",
    "application/xhtml+xml": ".html",
    "application/pdf": ".pdf",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": ".docx",
    "text/markdown": ".md",
    "text/plain": ".txt",
}
# Addresses that are public by name and lead to others: an IPv4 address within an IPv6 one may be any at all.
_LEADING: Final = (ip_network("64:ff9b::/96"), ip_network("64:ff9b:1::/48"), ip_network("2002::/16"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetched:
    """A document as it came: its bytes, the suffix that its type stands for, the host that it is from."""

    body: bytes
    suffix: str
    host: str


def is_public(address: Address) -> bool:
    """Return whether anybody on the internet could ask ``address``: not private, local, reserved or many at once."""
    inner = (address.ipv4_mapped or address.teredo) if isinstance(address, IPv6Address) else None
    if inner is not None or any(address in network for network in _LEADING if network.version == address.version):
        return False
    return address.is_global and not address.is_multicast and not address.is_reserved


def looked_up(host: str, port: int) -> list[Address]:
    """Return the addresses of a host, as the system's resolver tells them."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise InvalidArgument(f"url: the host {host[:100]} is not known") from error
    return list(dict.fromkeys(ip_address(str(each[4][0]).partition("%")[0]) for each in found))


class Web:
    """Fetches documents. ``resolve`` and ``permitted`` say where a host is and which addresses may be asked."""

    def __init__(
        self,
        *,
        resolve: Callable[[str, int], Sequence[Address]] = looked_up,
        permitted: Callable[[Address], bool] = is_public,
        bytes_max: int = BYTES_MAX,
        timeout_s: float = TIMEOUT_S,
    ) -> None:
        self._resolve = resolve
        self._permitted = permitted
        self._bytes_max = bytes_max
        self._timeout_s = timeout_s

    def fetch(self, url: str) -> Fetched:
        """Return the document at ``url``.

        Raises:
            InvalidArgument: no http or https URL, its host or a redirect's is not public, it is too large or too slow,
                it is no document, or the server does not give it.
        """
        import httpx2

        until = time.monotonic() + self._timeout_s
        try:
            with httpx2.Client(trust_env=False, follow_redirects=False, timeout=self._timeout_s) as client:
                for _ in range(REDIRECTS_MAX + 1):
                    place = _place(url)
                    host = place.hostname or ""
                    asked = {"Host": _named(place), "Accept-Encoding": "identity", "User-Agent": "weft"}
                    where, sni = self._pinned(place), {"sni_hostname": host}
                    with client.stream("GET", where, headers=asked, extensions=sni) as response:
                        if response.status_code not in _REDIRECTS:
                            return self._received(response, place, until)
                        url = urljoin(url, response.headers.get("Location", ""))
        except (httpx2.HTTPError, httpx2.InvalidURL, httpx2.StreamError) as error:
            raise InvalidArgument(f"url: could not be fetched ({type(error).__name__})") from error
        raise InvalidArgument(f"url: redirects more than {REDIRECTS_MAX} times")

    def _pinned(self, place: SplitResult) -> str:
        """Return the URL with the address itself in place of the host's name."""
        host, port = place.hostname or "", place.port or _PORTS[place.scheme]
        addresses = self._resolve(host, port)
        refused = next((each for each in addresses if not self._permitted(each)), None)
        if refused is not None or not addresses:
            raise InvalidArgument(f"url: {host[:100]} leads to an address that is not public, which is not asked")
        address = addresses[0]
        at = f"[{address}]" if address.version == 6 else str(address)  # noqa: PLR2004 - the version of the protocol
        return urlunsplit((place.scheme, f"{at}:{port}", place.path or "/", place.query, ""))

    def _received(self, response: httpx2.Response, place: SplitResult, until: float) -> Fetched:
        if response.status_code != _OK:
            raise InvalidArgument(f"url: the server answered {response.status_code}")
        if response.headers.get("Content-Encoding", "identity").strip().lower() != "identity":
            raise InvalidArgument("url: the server packs what it was asked not to")
        suffix = _suffix(response.headers.get("Content-Type", ""), place)
        most = min(self._bytes_max, rendering.SIZE_MAX_BYTES.get(rendering.FORMATS.get(suffix, ""), SIZE_MAX_BYTES))
        body = bytearray()
        for part in response.iter_raw():
            body += part
            if len(body) > most:
                raise InvalidArgument(f"url: larger than {most:,} bytes")
            if time.monotonic() > until:
                raise InvalidArgument(f"url: did not come within {self._timeout_s:g} s")
        return Fetched(body=bytes(body), suffix=suffix, host=place.hostname or "")


def _place(url: str) -> SplitResult:
    try:
        place = urlsplit(url.strip())
        port = place.port
    except ValueError as error:
        raise InvalidArgument("url: is no URL") from error
    if place.scheme not in _PORTS or not place.hostname or port == 0 or not url.isprintable() or len(url) > URL_MAX:
        raise InvalidArgument(f"url: only http:// and https:// URLs of at most {URL_MAX:,} characters are fetched")
    if "@" in place.netloc:
        raise InvalidArgument("url: must not hold a name or password")
    return place


def _named(place: SplitResult) -> str:
    """Return the host as the server knows it, with its port where that is not the usual one."""
    usual = place.port is None or place.port == _PORTS[place.scheme]
    return place.hostname or "" if usual else f"{place.hostname}:{place.port}"


def _suffix(content_type: str, place: SplitResult) -> str:
    """Return the suffix that a document's type stands for; where the type says nothing, that of its path."""
    named = content_type.partition(";")[0].strip().lower()
    path = PurePosixPath(unquote(place.path)).suffix.lower()
    if named == "text/plain" and path in {".md", ".markdown"}:
        return path
    suffix = _TYPES.get(named) or (path if named in {"", "application/octet-stream"} and path in READABLE else "")
    if not suffix:
        raise InvalidArgument(f"url: {named[:60] or 'what came'} is no document that is read")
    return suffix
