"""Access tokens of an OAuth 2.1 issuer: a JWT, signed with a key of the issuer, meant for this server.

Only signatures that a public key verifies are taken, by a list of ours and never by what the token asks for: ``none``
is no signature, and with ``HS256`` anybody who has the public key, which is everybody, could sign. What a caller may do
is in the token's scopes. Who it is, is its subject, unique only at its issuer, so that both make the actor's name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from weft.errors import WeftError
from weft.faces.auth_keys import Keys
from weft.faces.principal import Principal, Refused

if TYPE_CHECKING:
    from weft.faces.principal import Verify
    from weft.settings import Auth

__all__ = ["ALGORITHMS", "SCOPES", "role_of", "scope_for", "verify_jwt"]

SCOPES: Final = {
    "weft:read": "reader",
    "weft:contribute": "contributor",
    "weft:tend": "librarian",
    "weft:curate": "curator",
}
"""The role of each scope; the highest one of a token counts."""

ALGORITHMS: Final = {
    "RS256": "RSA",
    "RS384": "RSA",
    "RS512": "RSA",
    "PS256": "RSA",
    "PS384": "RSA",
    "PS512": "RSA",
    "ES256": "EC",
    "ES384": "EC",
    "ES512": "EC",
    "EdDSA": "OKP",
}
"""The signatures that are taken, and the kind of key each is verified with. All have a public half."""

_TYPES: Final = ("jwt", "at+jwt", "application/at+jwt")
_ASKED: Final = {"require": ["exp", "iss", "aud", "sub"], "enforce_minimum_key_length": True}
_LEEWAY_S: Final = 30
_ACTOR_MAX: Final = 200


def scope_for(role: str) -> str:
    """Return the scope that brings ``role``."""
    return next(scope for scope, brings in SCOPES.items() if brings == role)


def role_of(claims: dict[str, Any]) -> str:
    """Return the role that the scopes among ``claims`` bring (``scope`` of RFC 8693, or ``scp``); empty: none."""
    said = claims.get("scope", claims.get("scp", ""))
    words = said.split() if isinstance(said, str) else said if isinstance(said, list) else []
    roles = [role for scope, role in SCOPES.items() if scope in words]
    return roles[-1] if roles else ""


def verify_jwt(auth: Auth, *, role: str, keys: Keys | None = None) -> Verify:
    """Return what verifies the access tokens of the issuer of ``auth``; none reaches further than ``role``.

    Raises:
        Unavailable: the package ``jwt`` is not installed.
        InvalidArgument: the place of the keys is none.
    """
    from weft.optional import optional

    jwt = optional("jwt", extra="oauth", why="auth_mode oauth")
    held, ceiling = keys or Keys(auth.keys), list(SCOPES.values()).index(role)

    def verify(credential: str) -> Principal:
        claims = _claims(jwt, held, auth, credential)
        reached = role_of(claims)
        if not reached:
            raise Refused(
                "scope", "The token has no scope of this server.", hint=f"Ask for one of {', '.join(SCOPES)}."
            )
        roles = list(SCOPES.values())
        return Principal(
            actor=_actor(str(claims["sub"]), auth.issuer),
            role=roles[min(roles.index(reached), ceiling)],
            id=f"{auth.issuer} {claims['sub']}",
        )

    return verify


def _claims(jwt: Any, keys: Keys, auth: Auth, credential: str) -> dict[str, Any]:  # noqa: ANN401 - an optional module
    """Return what a token claims whose signature, times, issuer and audience are as they must be.

    Raises:
        Refused: one of them is not.
    """
    try:
        header = jwt.get_unverified_header(credential)
        claims: dict[str, Any] = jwt.decode(
            credential,
            key=_key(jwt, keys, header),
            algorithms=[header["alg"]],
            audience=list(auth.audiences),
            issuer=auth.issuer,
            leeway=_LEEWAY_S,
            options=_ASKED,
        )
    except jwt.ExpiredSignatureError:
        raise Refused("expired", "The token has expired.", hint="Ask its issuer for a new one.") from None
    except jwt.InvalidAudienceError:
        raise Refused("audience", "The token is not for this server.", hint="Name this server as resource.") from None
    except (jwt.PyJWTError, TypeError, ValueError):  # a key that is malformed is told of in the latter two
        raise _invalid() from None
    return claims


def _invalid() -> Refused:
    return Refused("invalid", "The token is not one of this server's issuer.")


def _key(jwt: Any, keys: Keys, header: dict[str, Any]) -> Any:  # noqa: ANN401 - a module, and a key of it
    """Return the key that the token must be signed with: of the kind of its algorithm, and of no other.

    Raises:
        Refused: the algorithm is none of ours, or there is no such key.
    """
    algorithm, kid = header.get("alg"), header.get("kid")
    kind = ALGORITHMS.get(algorithm) if isinstance(algorithm, str) else None
    if kind is None or "crit" in header or str(header.get("typ", "jwt")).lower() not in _TYPES:
        raise _invalid()
    fitting = [key for key in keys.named(kid) if key.get("kty") == kind and key.get("alg", algorithm) == algorithm]
    if len(fitting) != 1:
        raise _invalid()
    return jwt.PyJWK(fitting[0], algorithm=algorithm)


def _actor(subject: str, issuer: str) -> str:
    """Return the name of the actor: the subject at the issuer's host.

    Raises:
        Refused: the subject is none that can be shown.
    """
    from weft.text import clean

    name = f"{subject}@{urlsplit(issuer).hostname or issuer}"
    try:
        plain = " ".join(clean(name, field="sub", limit=_ACTOR_MAX).split())
    except WeftError:
        plain = ""
    if plain != name or not subject:
        raise Refused("invalid", "The token's subject is no name.")
    return name
