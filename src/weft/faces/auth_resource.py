"""What this server tells clients of where to get a token for it: the protected resource metadata of RFC 9728."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from weft.faces.auth_oauth import SCOPES

if TYPE_CHECKING:
    from starlette.types import Scope

    from weft.settings import Auth

__all__ = ["WELL_KNOWN", "Resource"]

WELL_KNOWN: Final = "/.well-known/oauth-protected-resource"
"""Where the metadata lies; a resource's own path follows it (RFC 9728 §3.1)."""

_MCP: Final = "/mcp"


class Resource:
    """This server as a protected resource. Its identifier is the first of the audiences that is a URL.

    Where none is, the address that the client asked under is: a Host that was let in.
    """

    def __init__(self, auth: Auth) -> None:
        self._issuer = auth.issuer
        urls = (audience for audience in auth.audiences if urlsplit(audience).scheme in {"http", "https"})
        self._identifier = next(urls, "")

    def identifier(self, scope: Scope) -> str:
        """Return the identifier that a token for this server names as its resource."""
        if self._identifier:
            return self._identifier
        return str(Request(scope).url.replace(path=_MCP, query=None, fragment=None))

    def metadata_url(self, scope: Scope) -> str:
        """Return where the metadata of the identifier lies."""
        parts = urlsplit(self.identifier(scope))
        return f"{parts.scheme}://{parts.netloc}{WELL_KNOWN}{parts.path.rstrip('/')}"

    def metadata(self, scope: Scope) -> dict[str, Any]:
        """Return the metadata."""
        return {
            "resource": self.identifier(scope),
            "authorization_servers": [self._issuer],
            "scopes_supported": list(SCOPES),
            "bearer_methods_supported": ["header"],
            "resource_name": "Weft",
        }

    def routes(self) -> list[Route]:
        """Return the routes of the metadata: at the root, and after it the path of ``/mcp``."""

        async def told(request: Request) -> JSONResponse:
            return JSONResponse(self.metadata(request.scope), headers={"cache-control": "no-store"})

        return [Route(WELL_KNOWN + path, endpoint=told, methods=["GET"]) for path in ("", _MCP)]
