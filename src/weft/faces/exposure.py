"""What a server is exposed to, decided before it listens: what callers must show, and by what names they may call."""

from __future__ import annotations

import ipaddress
import sys
from typing import TYPE_CHECKING, Final

from weft.errors import InvalidArgument
from weft.faces.guard import is_loopback
from weft.settings import locate

if TYPE_CHECKING:
    from weft.faces.serving import Serving
    from weft.settings import Settings

__all__ = ["announce", "modes_of", "names_of", "refuse_strangers"]

_SHOWN: Final = {"token": "a token (weft token create makes one)", "oauth": "an access token of {issuer}"}


def refuse_strangers(host: str, settings: Settings) -> None:
    """Refuse to listen where anybody may call, unless callers must show who they are.

    Raises:
        InvalidArgument: ``host`` is not the loopback interface, and no credential is asked for.
    """
    if not is_loopback(host) and not set(settings.auth.modes) - {"none"}:
        raise InvalidArgument(
            f"host: {host[:60]!a} is not the loopback interface, and nothing tells its callers apart",
            hint="Make a token for each caller (weft token create) and add --auth token, or add --auth oauth; "
            "or serve on 127.0.0.1, and reach it from elsewhere through a tunnel of your own (ssh -L).",
        )


def modes_of(serving: Serving) -> tuple[str, ...]:
    """Return the kinds of credential that the server takes; none: it asks for none.

    What the settings leave open is decided by the graph: one that has tokens is meant for those who have one.

    Raises:
        CannotOpen: the settings leave it open, and the graph cannot be asked.
    """
    said = serving.settings.auth.modes
    if said:
        return tuple(mode for mode in said if mode != "none")
    return ("token",) if _has_tokens(serving) else ()


def _has_tokens(serving: Serving) -> bool:
    settings = serving.settings
    if not settings.server and not locate(settings).exists():
        return False
    return serving.graph().keeping.tokens.any()


def names_of(host: str, settings: Settings) -> tuple[str, ...]:
    """Return the names, beside this machine's own, by which a server on ``host`` may be called."""
    return settings.auth.names if _is_any(host) else (*settings.auth.names, host.casefold())


def _is_any(host: str) -> bool:
    try:
        return ipaddress.ip_address(host.strip("[]")).is_unspecified
    except ValueError:
        return False


def announce(address: str, host: str, settings: Settings, modes: tuple[str, ...]) -> None:
    """Tell whoever starts the server, on standard error, where it listens and what that means."""
    lines = [f"listening on {address}"]
    if modes:
        shown = " or ".join(_SHOWN[mode].format(issuer=settings.auth.issuer) for mode in modes)
        lines.append(f"callers show {shown}")
    if not is_loopback(host):
        lines.append("nothing is encrypted here: have a proxy that speaks TLS stand before it")
    if not is_loopback(host) and not names_of(host, settings):
        lines.append("only 127.0.0.1 and localhost are answered: add --allow-host with the name that callers use")
    sys.stderr.write("".join(f"weft: {line}\n" for line in lines))
