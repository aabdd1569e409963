"""Tokens of the graph as credentials: looked at with every request, so that one that is revoked is so at once."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from weft.errors import PermissionDenied, WeftError
from weft.faces.principal import Principal, Reason, Refused

if TYPE_CHECKING:
    from weft.faces.principal import Verify
    from weft.faces.serving import Serving

__all__ = ["verify_tokens"]

_LATER: Final = "Try again later; whoever runs this server finds in its log what is amiss."
_REASONS: Final[dict[str, Reason]] = {"revoked": "revoked", "expired": "expired"}


def verify_tokens(serving: Serving) -> Verify:
    """Return what knows the tokens of the served graph. A token reaches no further than the server's own role."""

    def verify(credential: str) -> Principal:
        from weft.model import Tier

        try:
            token = serving.graph().keeping.tokens.recognize(credential, at=datetime.now(UTC))
        except PermissionDenied as error:
            raise Refused(_REASONS.get(error.key, "unknown"), error.message, hint=error.hint) from None
        except WeftError as error:
            serving.outages.tell(error)
            raise Refused("unavailable", "The graph cannot be read now.", hint=_LATER) from None
        role = min(token.tier, Tier[serving.settings.role.upper()]).label
        return Principal(actor=token.actor, role=role, id=f"token {token.id}")

    return verify
