"""OAuth 2.1: access tokens of an issuer, with real keys and its key set behind a real socket; forgeries are refused."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import threading
import time
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, Final

import anyio
import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from jwt.algorithms import ECAlgorithm, OKPAlgorithm, RSAAlgorithm
from mcp.shared.auth import ProtectedResourceMetadata
from mcp.shared.auth_utils import check_resource_allowed

from doors import door, serving, text_of
from team import WAIT_S, bearer, issue, running, speaking, visiting
from weft.errors import InvalidArgument
from weft.faces.auth_keys import BYTES_MAX, FRESH_S, KEPT_S, PAUSE_S, Keys
from weft.faces.auth_oauth import ALGORITHMS, SCOPES, role_of, verify_jwt
from weft.faces.principal import Principal, Refused
from weft.settings import Auth, Settings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from starlette.testclient import TestClient

ISSUER: Final = "https://login.example.org/team"
RESOURCE: Final = "https://weft.example.org/mcp"
HOST: Final = {"Host": "weft.example.org"}
RSA_KEY: Final = rsa.generate_private_key(public_exponent=65537, key_size=2048)
EC_KEY: Final = ec.generate_private_key(ec.SECP256R1())
ED_KEY: Final = ed25519.Ed25519PrivateKey.generate()
STRANGE_KEY: Final = rsa.generate_private_key(public_exponent=65537, key_size=2048)
PUBLIC_PEM: Final = RSA_KEY.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)


def public(key: Any, kid: str, **more: str) -> dict[str, Any]:  # noqa: ANN401 - a private key of any kind
    """Return the public half of ``key`` as an issuer publishes it."""
    kind = {rsa.RSAPrivateKey: RSAAlgorithm, ec.EllipticCurvePrivateKey: ECAlgorithm}
    shape = next((each for base, each in kind.items() if isinstance(key, base)), OKPAlgorithm)
    return {**json.loads(shape.to_jwk(key.public_key())), "kid": kid, "use": "sig", **more}


KEYS: Final = [public(RSA_KEY, "one"), public(EC_KEY, "two", alg="ES256"), public(ED_KEY, "three")]


def claims(**changes: Any) -> dict[str, Any]:  # noqa: ANN401 - a claim
    """Return the claims of a good token of a contributor; None leaves a claim out."""
    now = int(time.time())
    good = {"iss": ISSUER, "aud": RESOURCE, "sub": "user-17", "scope": "openid weft:read weft:contribute"}
    made = {**good, "iat": now, "nbf": now, "exp": now + 300, **changes}
    return {name: value for name, value in made.items() if value is not None}


def signed(key: Any = RSA_KEY, alg: str = "RS256", kid: str | None = "one", **changes: Any) -> str:  # noqa: ANN401
    """Return an access token; ``changes`` are to its claims."""
    return jwt.encode(claims(**changes), key, algorithm=alg, headers={"kid": kid} if kid else {})


def assembled(header: dict[str, Any], body: dict[str, Any], secret: bytes | None) -> str:
    """Return a token put together by hand: signed as HMAC-SHA-256 with ``secret``, or not at all."""
    parts = [base64.urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=") for part in (header, body)]
    signature = hmac.new(secret, b".".join(parts), hashlib.sha256).digest() if secret else b""
    return b".".join([*parts, base64.urlsafe_b64encode(signature).rstrip(b"=")]).decode()


class Issuer:
    """The key set of an issuer behind a real socket; its answer can be changed, and how often it was asked is told."""

    def __init__(self) -> None:
        self.body = json.dumps({"keys": KEYS}).encode()
        self.status = 200
        self.location = ""
        self.asked = 0
        told = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                told.asked += 1
                self.send_response(told.status)
                if told.location:
                    self.send_header("Location", told.location)
                self.send_header("Content-Length", str(len(told.body)))
                self.end_headers()
                self.wfile.write(told.body)

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/keys"


@contextmanager
def publishing() -> Iterator[Issuer]:
    """Run an issuer."""
    issuer = Issuer()
    thread = threading.Thread(target=issuer.server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield issuer
    finally:
        issuer.server.shutdown()
        issuer.server.server_close()
        thread.join(WAIT_S)


@pytest.fixture
def issuer() -> Iterator[Issuer]:
    """An issuer."""
    with publishing() as running_one:
        yield running_one


@pytest.fixture(scope="module")
def verify() -> Iterator[Callable[[str], Principal]]:
    """What verifies tokens; no test that uses it changes its issuer."""
    with publishing() as issuer:
        yield verify_jwt(auth(issuer), role="curator")


def auth(issuer: Issuer, **changes: str) -> Auth:
    """Return the settings that trust ``issuer``."""
    return Auth(**{"mode": "oauth", "issuer": ISSUER, "audience": RESOURCE, "keys": issuer.url, **changes})


@pytest.fixture
def web(issuer: Issuer, tmp_path: Path) -> Iterator[TestClient]:
    """An HTTP client of a server that takes the issuer's tokens."""
    hosts = (HOST["Host"],)
    with serving(tmp_path, auth=auth(issuer)) as held, visiting(held, "oauth", hosts=hosts) as connected:
        connected.headers.update(HOST)
        yield connected


# ---- what a token must be


@pytest.mark.parametrize(
    ("key", "alg", "kid"),
    [(RSA_KEY, "RS256", "one"), (RSA_KEY, "PS512", "one"), (EC_KEY, "ES256", "two"), (ED_KEY, "EdDSA", "three")],
)
def test_a_token_of_the_issuer_is_taken(verify: Callable[[str], Principal], key: Any, alg: str, kid: str) -> None:  # noqa: ANN401
    """By any signature with a public half; the caller is the subject, at the issuer's host."""
    found = verify(signed(key, alg, kid))
    assert found == Principal(actor="user-17@login.example.org", role="contributor", id=f"{ISSUER} user-17")


def test_a_key_need_not_be_named_where_one_only_fits(verify: Callable[[str], Principal]) -> None:
    """By its kind."""
    assert verify(signed(EC_KEY, "ES256", None)).role == "contributor"


FORGED: Final[dict[str, tuple[str, Callable[[], str]]]] = {
    "signed by another key": ("invalid", lambda: signed(STRANGE_KEY)),
    "signed by another key of the set": ("invalid", lambda: signed(EC_KEY, "ES256", "one")),
    "of an unknown key": ("invalid", lambda: signed(kid="nine")),
    "not signed": ("invalid", lambda: assembled({"alg": "none", "typ": "JWT"}, claims(), None)),
    "not signed, in capitals": ("invalid", lambda: assembled({"alg": "NONE", "kid": "one"}, claims(), None)),
    "without an algorithm": ("invalid", lambda: assembled({"kid": "one"}, claims(), None)),
    "HS256 with the public key as the secret": (
        "invalid",
        lambda: assembled({"alg": "HS256", "typ": "JWT", "kid": "one"}, claims(), PUBLIC_PEM),
    ),
    "HS256 with the published key as the secret": (
        "invalid",
        lambda: assembled({"alg": "HS256", "kid": "one"}, claims(), json.dumps(KEYS[0]).encode()),
    ),
    "HS256 with an empty secret": ("invalid", lambda: assembled({"alg": "HS256", "kid": "one"}, claims(), b"\0")),
    "an algorithm that is no word": ("invalid", lambda: assembled({"alg": ["RS256"], "kid": "one"}, claims(), None)),
    "a key of its own": (
        "invalid",
        lambda: jwt.encode(claims(), STRANGE_KEY, "RS256", {"jwk": public(STRANGE_KEY, "own"), "kid": "own"}),
    ),
    "a key behind its own address": (
        "invalid",
        lambda: jwt.encode(claims(), STRANGE_KEY, "RS256", {"jku": "http://127.0.0.1:9/keys", "kid": "own"}),
    ),
    "a path as the name of its key": ("invalid", lambda: signed(STRANGE_KEY, kid="../../one")),
    "something critical that is not understood": (
        "invalid",
        lambda: jwt.encode(claims(), RSA_KEY, "RS256", {"kid": "one", "crit": ["exp"]}),
    ),
    "another type of token": (
        "invalid",
        lambda: jwt.encode(claims(), RSA_KEY, "RS256", {"kid": "one", "typ": "logout+jwt"}),
    ),
    "changed after it was signed": ("invalid", lambda: _changed(signed())),
    "cut short": ("invalid", lambda: signed()[:-20]),
    "no token at all": ("invalid", lambda: "abc"),
    "three empty parts": ("invalid", lambda: ".."),
    "expired": ("expired", lambda: signed(exp=int(time.time()) - 60)),
    "without an end": ("invalid", lambda: signed(exp=None)),
    "not good yet": ("invalid", lambda: signed(nbf=int(time.time()) + 600)),
    "of another issuer": ("invalid", lambda: signed(iss="https://evil.example")),
    "of an issuer that begins alike": ("invalid", lambda: signed(iss=f"{ISSUER}/evil")),
    "without an issuer": ("invalid", lambda: signed(iss=None)),
    "for another server": ("audience", lambda: signed(aud="https://other.example/mcp")),
    "for several others": ("audience", lambda: signed(aud=["https://other.example", "weft"])),
    "for nobody": ("invalid", lambda: signed(aud=None)),
    "without a subject": ("invalid", lambda: signed(sub=None)),
    "with an empty subject": ("invalid", lambda: signed(sub="")),
    "with a subject that cannot be shown": ("invalid", lambda: signed(sub="ann\u202eeve")),
    "with a subject of several lines": ("invalid", lambda: signed(sub="ann\nrole: curator")),
    "with a subject too long": ("invalid", lambda: signed(sub="x" * 300)),
    "without a scope": ("scope", lambda: signed(scope=None)),
    "with scopes of another server": ("scope", lambda: signed(scope="openid mail weft:everything WEFT:READ")),
    "with scopes of no kind": ("scope", lambda: signed(scope={"weft:curate": True})),
}


def _changed(credential: str) -> str:
    header, _, signature = credential.split(".")
    body = base64.urlsafe_b64encode(json.dumps(claims(scope="weft:curate")).encode()).rstrip(b"=").decode()
    return f"{header}.{body}.{signature}"


@pytest.mark.parametrize("name", FORGED)
def test_a_token_that_is_not_the_issuer_s_for_this_server_is_refused(
    verify: Callable[[str], Principal], name: str
) -> None:
    """With a reason of ours; nothing of the token is in it."""
    reason, made = FORGED[name]
    credential = made()
    with pytest.raises(Refused) as refused:
        verify(credential)
    assert refused.value.reason == reason
    assert refused.value.__suppress_context__ or refused.value.__context__ is None
    told = refused.value.said + refused.value.hint
    assert not any(part in told for part in credential.split(".") if len(part) > 9)


def test_a_library_left_to_itself_would_take_some_of_these() -> None:
    """The twin: the signature is good where only claims are wrong, and HS256 is good for whoever asks for it."""
    unchecked = {"verify_aud": False, "verify_iss": False, "verify_exp": False, "verify_sub": False}
    jwt.decode(signed(aud="https://other.example"), RSA_KEY.public_key(), ["RS256"], options=unchecked)
    body, secret = claims(), b"a secret that two sides know, and each can sign with"
    assert jwt.decode(assembled({"alg": "HS256"}, body, secret), secret, ["HS256"], options=unchecked) == body


def test_no_algorithm_of_the_list_signs_with_what_verifies() -> None:
    """None of them is an HMAC, and none is none."""
    assert not [name for name in ALGORITHMS if name.startswith("HS") or name.lower() == "none"]
    assert set(ALGORITHMS.values()) == {"RSA", "EC", "OKP"}


@pytest.mark.parametrize(
    ("said", "role"),
    [
        ({"scope": "weft:read"}, "reader"),
        ({"scope": "weft:curate weft:read"}, "curator"),
        ({"scope": "weft:tend"}, "librarian"),
        ({"scp": ["weft:contribute"]}, "contributor"),
        ({"scp": "weft:contribute"}, "contributor"),
        ({"scope": "", "scp": ["weft:curate"]}, ""),
        ({"roles": ["weft:curate"]}, ""),
        ({}, ""),
    ],
)
def test_a_role_is_in_the_scopes_and_nowhere_else(said: dict[str, Any], role: str) -> None:
    """The highest of them counts."""
    assert role_of(said) == role


def test_a_token_reaches_no_further_than_the_server(issuer: Issuer) -> None:
    """The served role is a ceiling."""
    low = verify_jwt(auth(issuer), role="contributor")
    assert low(signed(scope="weft:curate")).role == "contributor"
    assert low(signed(scope="weft:read")).role == "reader"


# ---- the keys


@pytest.fixture
def clock() -> list[float]:
    """A time that stands until it is moved."""
    return [1_000_000.0]


def test_keys_are_fetched_once_and_again_for_one_that_is_not_known(issuer: Issuer, clock: list[float]) -> None:
    """A key that was added is found; strangers' names make nobody ask more than once a minute."""
    keys = Keys(issuer.url, clock=lambda: clock[0])
    assert issuer.asked == 0
    assert [key["kid"] for key in keys.named("one")] == ["one"]
    for _ in range(5):
        keys.named("one")
    assert issuer.asked == 1
    issuer.body = json.dumps({"keys": [*KEYS, public(STRANGE_KEY, "four")]}).encode()
    for number in range(50):
        assert keys.named(f"stranger-{number}") == ()
    assert keys.named("four") == ()
    assert issuer.asked == 1
    clock[0] += PAUSE_S
    assert [key["kid"] for key in keys.named("four")] == ["four"]
    assert issuer.asked == 2


def test_a_key_that_was_withdrawn_is_not_used_for_long(issuer: Issuer, clock: list[float]) -> None:
    """Keys are asked for anew before they are used after an hour."""
    keys = Keys(issuer.url, clock=lambda: clock[0])
    assert keys.named("one")
    issuer.body = json.dumps({"keys": KEYS[1:]}).encode()
    assert keys.named("one")
    clock[0] += FRESH_S + 1
    assert keys.named("one") == ()


def test_an_issuer_that_is_away_does_not_shut_everybody_out(issuer: Issuer, clock: list[float]) -> None:
    """For a day its keys are used as they were; then nobody is let in, and it is said to be the server's failure."""
    keys = Keys(issuer.url, clock=lambda: clock[0])
    assert keys.named("one")
    issuer.status, issuer.body = 503, b"away"
    clock[0] += FRESH_S + 1
    assert keys.named("one")
    clock[0] += KEPT_S
    with pytest.raises(Refused) as refused:
        keys.named("one")
    assert refused.value.reason == "unavailable"


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b'{"keys": {}}',
        b'{"keys": [1, null]}',
        b"[" * 100_000,
        b'{"keys": []}' + b" " * BYTES_MAX,
        json.dumps({"keys": [{**KEYS[0], "use": "enc"}]}).encode(),
    ],
)
def test_what_is_no_set_of_keys_is_none(issuer: Issuer, body: bytes) -> None:
    """Too much of it neither; then nobody can be let in."""
    issuer.body = body
    with pytest.raises(Refused) as refused:
        Keys(issuer.url).named("one")
    assert refused.value.reason == "unavailable"


def test_nobody_leads_the_server_elsewhere(issuer: Issuer, tmp_path: Path) -> None:
    """A redirect is not followed, and the keys do not travel unencrypted."""
    with publishing() as other:
        issuer.status, issuer.location = 302, other.url
        with pytest.raises(Refused):
            Keys(issuer.url).named("one")
        assert other.asked == 0
    for place in ("http://login.example.org/keys", "ftp://127.0.0.1/keys", "file:///etc/passwd"):
        with pytest.raises(InvalidArgument, match="auth_keys"):
            Keys(place)
    file = tmp_path / "keys.json"
    file.write_text(json.dumps({"keys": KEYS}))
    assert len(Keys(str(file)).named(None)) == 3
    with pytest.raises(Refused):
        Keys(str(tmp_path / "none.json")).named("one")


@pytest.mark.parametrize(
    "key",
    [
        {"kty": "RSA", "kid": "one", "n": "AQAB", "e": "AQAB"},
        {"kty": "RSA", "kid": "one"},
        {"kty": "RSA", "kid": "one", "n": 5, "e": []},
        {"kty": "oct", "kid": "one", "k": base64.urlsafe_b64encode(PUBLIC_PEM).decode()},
        public(EC_KEY, "one"),
        public(RSA_KEY, "one", alg="PS256"),
        public(rsa.generate_private_key(public_exponent=65537, key_size=1024), "one"),  # noqa: S505 - refused
    ],
)
def test_a_key_that_does_not_fit_the_signature_verifies_nothing(issuer: Issuer, key: dict[str, Any]) -> None:
    """Too short, broken, of another kind, or for another algorithm."""
    issuer.body = json.dumps({"keys": [key]}).encode()
    verify = verify_jwt(auth(issuer), role="curator")
    for credential in (signed(), assembled({"alg": "HS256", "kid": "one"}, claims(), PUBLIC_PEM)):
        with pytest.raises(Refused) as refused:
            verify(credential)
        assert refused.value.reason == "invalid"


# ---- over HTTP


def test_a_caller_is_told_where_to_get_a_token(web: TestClient) -> None:
    """RFC 9728: in the refusal, and at the two places where clients look; a client of the protocol reads it."""
    refused = web.get("/api/tools")
    assert refused.status_code == 401
    challenge = refused.headers["www-authenticate"]
    place = "https://weft.example.org/.well-known/oauth-protected-resource/mcp"
    assert challenge == f'Bearer realm="weft", scope="weft:read", resource_metadata="{place}"'
    for path in ("/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/mcp"):
        said = web.get(path)
        assert said.json() == {
            "resource": RESOURCE,
            "authorization_servers": [ISSUER],
            "scopes_supported": ["weft:read", "weft:contribute", "weft:tend", "weft:curate"],
            "bearer_methods_supported": ["header"],
            "resource_name": "Weft",
        }
        read = ProtectedResourceMetadata.model_validate_json(said.content)
        assert check_resource_allowed(RESOURCE, str(read.resource))


def test_where_no_audience_is_an_address_the_one_asked_under_is(issuer: Issuer, tmp_path: Path) -> None:
    """It was let in as a Host; what the proxy speaks is not known here."""
    held_auth = auth(issuer, audience="api://weft, weft-2")
    with serving(tmp_path, auth=held_auth) as held, visiting(held, "oauth", hosts=("weft.lan",)) as web:
        said = web.get("/.well-known/oauth-protected-resource", headers={"Host": "weft.lan:8765"}).json()
        assert said["resource"] == "http://weft.lan:8765/mcp"
        assert web.get("/.well-known/oauth-protected-resource", headers={"Host": "evil.example"}).status_code == 421
        for audience in ("api://weft", ["x", "weft-2"]):
            assert web.get("/api/tools", headers=bearer(signed(aud=audience))).status_code == 200


def test_scopes_make_the_role_and_the_subject_the_actor(web: TestClient, tmp_path: Path) -> None:
    """And nothing else does."""
    web.headers.update(bearer(signed(actor="eve", role="curator")))
    made = web.post("/api/tools/capture", json={"content": "A."}, headers={"X-Actor": "eve"}).json()
    refused = web.post("/api/tools/forget", json={"id": made["id"]})
    assert refused.status_code == 403
    assert 'error="insufficient_scope"' in refused.headers["www-authenticate"]
    assert 'scope="weft:tend"' in refused.headers["www-authenticate"]
    assert refused.json()["error"] == "PERMISSION_DENIED"
    with door(tmp_path) as ann:
        assert ann.call("fetch", id=made["id"])["node"]["created_by"] == "user-17@login.example.org"


@pytest.mark.parametrize(
    ("name", "status", "error"),
    [
        ("not signed", 401, "invalid_token"),
        ("HS256 with the public key as the secret", 401, "invalid_token"),
        ("expired", 401, "invalid_token"),
        ("for another server", 401, "invalid_token"),
        ("without a scope", 403, "insufficient_scope"),
    ],
)
@pytest.mark.parametrize("path", ["/mcp", "/api/tools/capture", "/events", "/"])
def test_a_refusal_has_the_status_and_the_challenge_of_its_kind(
    web: TestClient, path: str, name: str, status: int, error: str
) -> None:
    """On every door."""
    refused = web.request("POST" if "tools" in path else "GET", path, headers=bearer(FORGED[name][1]()))
    assert refused.status_code == status
    assert f'error="{error}"' in refused.headers["www-authenticate"]
    assert "resource_metadata=" in refused.headers["www-authenticate"]


def test_an_issuer_that_cannot_be_asked_is_the_server_s_failure(issuer: Issuer, web: TestClient) -> None:
    """503: the token may be good."""
    issuer.status = 500
    refused = web.get("/api/tools", headers=bearer(signed()))
    assert (refused.status_code, refused.json()["error"]) == (503, "UNAVAILABLE")


def test_a_token_of_the_graph_is_taken_only_where_that_is_asked_for(issuer: Issuer, tmp_path: Path) -> None:
    """Both kinds side by side, each as what it is."""
    own = issue(tmp_path, actor="carl")
    for modes, statuses in ((("oauth",), (401, 200)), (("token",), (200, 401)), (("token", "oauth"), (200, 200))):
        with serving(tmp_path, auth=auth(issuer)) as held, visiting(held, *modes) as web:
            asked = [web.get("/api/tools", headers=bearer(credential)).status_code for credential in (own, signed())]
            assert tuple(asked) == statuses


@pytest.mark.parametrize("era", ["auto", "legacy"])
def test_a_client_of_the_protocol_comes_in_with_its_access_token(era: str, issuer: Issuer, tmp_path: Path) -> None:
    """A session goes on with the next token of the same subject, and not with another's."""
    with serving(tmp_path, auth=auth(issuer)) as held, running(held, "oauth") as base:

        async def main() -> dict[str, Any]:
            with anyio.fail_after(WAIT_S):
                async with speaking(base, signed(), era=era) as client:
                    return text_of(await client.call_tool("capture", {"content": "Said by a client with a scope."}))

        assert "id" in anyio.run(main)


def test_a_session_goes_on_with_the_next_token_of_the_same_subject(web: TestClient) -> None:
    """Access tokens are short-lived; another subject's is another caller's."""
    wanted = {"Accept": "application/json, text/event-stream"}
    hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    opening = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}
    opened = web.post("/mcp", json=opening, headers=wanted | bearer(signed()))
    session = wanted | {"Mcp-Session-Id": opened.headers["mcp-session-id"]}
    asking = {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}
    for changes, status in (({"jti": "next"}, 200), ({"sub": "user-18"}, 404)):
        answered = web.post("/mcp", json=asking, headers=session | bearer(signed(**changes)))
        assert answered.status_code == status


# ---- the settings


def test_settings_of_oauth_come_from_their_variables() -> None:
    """And are not set by halves."""
    said = {"WEFT_AUTH_MODE": "oauth", "WEFT_AUTH_ISSUER": ISSUER, "WEFT_AUTH_AUDIENCE": f"{RESOURCE}, weft"}
    with pytest.raises(InvalidArgument, match="WEFT_AUTH_KEYS is not set"):
        Settings.from_environment(said)
    chosen = Settings.from_environment(said | {"WEFT_AUTH_KEYS": "/keys.json", "WEFT_AUTH_HOSTS": "Weft.lan,weft"}).auth
    assert chosen.modes == ("oauth",)
    assert chosen.audiences == (RESOURCE, "weft")
    assert chosen.names == ("weft.lan", "weft")
    for mode in ("password", "none,token"):
        with pytest.raises(InvalidArgument, match="auth_mode"):
            Settings.from_environment({"WEFT_AUTH_MODE": mode})


def test_each_role_has_a_scope() -> None:
    """No more and no fewer."""
    from weft.tools.row import TIERS

    assert tuple(SCOPES.values()) == TIERS
