"""Tokens: made and taken back on the command line, known again with every request, and never told anywhere else."""

from __future__ import annotations

import base64
import json
import logging
import time
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import anyio
import httpx2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from doors import door, serving
from doors import settings as graph_of
from engine import opened_at
from team import WAIT_S, bearer, issue, issued, running, visiting
from weft.embed import open_embedder
from weft.errors import InvalidArgument, NotFound, PermissionDenied
from weft.faces import visits
from weft.faces.auth import credential_of
from weft.faces.cli import app
from weft.faces.options import hoist
from weft.faces.principal import Refused
from weft.model import Call, Tier
from weft.services.keeping.issuing import Issuing
from weft.tools.row import TIERS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from click.testing import Result

    from weft.graph.ground import Opened

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


def weft(folder: Path, *words: str, role: str = "curator") -> Result:
    """Run the command line on the graph in ``folder``, as the boss."""
    return CliRunner().invoke(app, ["--graph", graph_of(folder).graph, "--actor", "boss", "--role", role, *words])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a graph."""
    assert weft(tmp_path, "init").exit_code == 0
    return tmp_path


# ---- the command line


def test_a_token_is_made_listed_and_revoked(folder: Path) -> None:
    """The credential is all that stands on standard output, once; the list has ids only."""
    made = weft(folder, "token", "create", "--actor", "ann", "--role", "contributor", "--expires", "90d")
    assert made.exit_code == 0
    credential = made.stdout.strip()
    id_ = credential.split("_")[1]
    assert f"Token {id_} lets ann call as a contributor, until 20" in made.stderr
    assert credential not in made.stderr
    listed = weft(folder, "token", "list").stdout
    assert f"{id_}  ann, contributor, until 20" in listed
    assert "made" in listed
    assert "by boss" in listed
    assert credential not in listed
    assert f"Token {id_} of ann is good no more." in weft(folder, "token", "revoke", id_).stdout
    assert f"{id_}  ann, contributor, revoked 20" in weft(folder, "token", "list").stdout


def test_the_answers_are_json_where_that_is_asked_for(folder: Path) -> None:
    """The same fields, with the credential in the first only; nothing of its hash in any."""
    made = json.loads(weft(folder, "token", "create", "--role=reader", "--actor=CI bot", "--json").stdout)
    assert (made["actor"], made["role"], made["created_by"]) == ("CI bot", "reader", "boss")
    (row,) = json.loads(weft(folder, "token", "list", "--json").stdout)["tokens"]
    assert row == {name: value for name, value in made.items() if name != "token"}
    revoked = json.loads(weft(folder, "token", "revoke", made["token"], "--json").stdout)
    assert (revoked["id"], bool(revoked["revoked_at"])) == (made["id"], True)


@pytest.mark.parametrize("role", TIERS[:-1])
@pytest.mark.parametrize(
    "words", [("create", "--actor", "eve", "--role", "curator"), ("list",), ("revoke", "0123456789ab")]
)
def test_only_a_curator_deals_with_tokens(folder: Path, role: str, words: tuple[str, ...]) -> None:
    """At the gate, in the verb, and in the engine."""
    refused = weft(folder, "token", *words, role=role)
    assert refused.exit_code == 1
    assert "needs the tier curator" in refused.output
    with door(folder) as boss:
        tokens, call = boss.graph.keeping.tokens, boss.graph.call("token")
        low = Call(actor="eve", client="", tool="", tier=Tier[role.upper()], at=call.at, caller="eve")
        verbs = {
            "create": lambda: tokens.create("eve", "curator", low),
            "list": lambda: tokens.list(low),
            "revoke": lambda: tokens.revoke("0123456789ab", low),
        }
        with pytest.raises(PermissionDenied, match="needs the tier curator"):
            verbs[words[0]]()
        assert tokens.list(call) == ()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--actor", " ", "--role", "reader"), "actor: a token needs the name"),
        (("--actor", "x" * 201, "--role", "reader"), "actor is too long"),
        (("--actor", "ann", "--role", "god"), "role: must be one of reader, contributor, librarian, curator"),
        (("--actor", "ann", "--role", "reader", "--expires", "soon"), "is no span (12h, 90d), date or time"),
        (("--actor", "ann", "--role", "reader", "--expires", "99999d99"), "is no span"),
        (("--actor", "ann", "--role", "reader", "--expires", "2020-01-01"), "is over already"),
        (("--actor", "ann", "--role", "reader", "--expires", "0d"), "is over already"),
    ],
)
def test_a_token_that_makes_no_sense_is_not_made(folder: Path, words: tuple[str, ...], said: str) -> None:
    """With the field and what it takes."""
    refused = weft(folder, "token", "create", *words)
    assert (refused.exit_code, said in refused.output) == (1, True), refused.output
    assert "There are none" in weft(folder, "token", "list").stdout


def test_a_token_that_is_not_there_cannot_be_revoked(folder: Path) -> None:
    """Its id is asked for again."""
    refused = weft(folder, "token", "revoke", "0123456789ab")
    assert (refused.exit_code, "no token has it" in refused.output) == (1, True)


def test_who_makes_a_token_is_told_apart_from_whose_it_is() -> None:
    """The options of the command stay with it; those of every command may stand anywhere else."""
    words = ["--actor", "boss", "token", "create", "--actor", "ann", "--role=reader", "--json", "--graph", "g"]
    ahead = ["--actor", "boss", "--json", "--graph", "g"]
    assert hoist(words) == [*ahead, "token", "create", "--actor", "ann", "--role=reader"]
    assert hoist(["token", "list", "--actor", "boss"]) == ["--actor", "boss", "token", "list"]


# ---- what a credential is


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Opened]:
    """A graph whose tokens are those of every test here that asks for no server."""
    path = tmp_path_factory.mktemp("graph") / "graph.db"
    graph = opened_at(path, open_embedder(), tier=Tier.CURATOR)
    yield graph
    graph.close()


@pytest.fixture(scope="module")
def issuing(opened: Opened) -> Issuing:
    """The verbs of tokens over it."""
    return Issuing(opened.tokens)


def by(at: datetime = NOW) -> Call:
    """Return a call of a curator."""
    return Call(actor="boss", client="test", tool="token", tier=Tier.CURATOR, at=at, caller="boss")


def test_a_credential_is_256_random_bits_and_kept_as_a_hash(opened: Opened, issuing: Issuing) -> None:
    """No two are alike, and nothing of the secret is in what is kept or shown of it."""
    made = [issuing.create("ann", "reader", by()) for _ in range(20)]
    assert len({each.credential.split("_", 2)[2] for each in made}) == 20
    rows = repr(opened.database.read("tokens_held", limit=100))
    for each in made:
        secret = each.credential.split("_", 2)[2]
        assert len(base64.urlsafe_b64decode(secret + "=")) == 32
        assert secret not in repr(each)
        assert secret not in rows
        assert each.token.hash in rows
        assert each.token.hash not in repr(each)
        assert issuing.recognize(each.credential, at=NOW) == each.token


def test_an_end_is_a_span_a_date_or_a_time(issuing: Issuing) -> None:
    """In UTC where no zone is said."""
    ends = {
        "12h": NOW + timedelta(hours=12),
        "90d": NOW + timedelta(days=90),
        "2026-12-31": datetime(2026, 12, 31, tzinfo=UTC),
        "2026-12-31T08:30:00+02:00": datetime(2026, 12, 31, 6, 30, tzinfo=UTC),
        "": None,
    }
    assert {text: issuing.create("ann", "reader", by(), expires=text).token.expires_at for text in ends} == ends


def test_a_credential_is_good_until_its_end(issuing: Issuing) -> None:
    """To the moment."""
    made = issuing.create("ann", "reader", by(), expires="12h")
    end = NOW + timedelta(hours=12)
    assert issuing.recognize(made.credential, at=end - timedelta(microseconds=1)) == made.token
    with pytest.raises(PermissionDenied, match="expired") as refused:
        issuing.recognize(made.credential, at=end)
    assert refused.value.key == "expired"


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_a_credential_that_was_changed_anywhere_is_not_known(issuing: Issuing, data: st.DataObject) -> None:
    """One character more, less or other, at any place; what is said names nothing of it."""
    credential = issuing.create("ann", "reader", by()).credential
    place = data.draw(st.integers(0, len(credential) - 1))
    sign = data.draw(st.characters(min_codepoint=32, max_codepoint=0x2FF))
    rest = data.draw(st.sampled_from([place, place + 1]))
    forged = credential[:place] + data.draw(st.sampled_from(["", sign])) + credential[rest:]
    if forged == credential:
        return
    with pytest.raises(PermissionDenied, match="not known here") as refused:
        issuing.recognize(forged, at=NOW)
    assert refused.value.key == "unknown"
    assert forged not in json.dumps(refused.value.answer())


@settings(deadline=None)
@given(st.text(max_size=200))
def test_whatever_is_shown_is_refused_and_not_stumbled_over(issuing: Issuing, text: str) -> None:
    """Surrogates and controls too."""
    with pytest.raises(PermissionDenied):
        issuing.recognize(text, at=NOW)


def test_the_secret_of_one_token_is_not_good_under_the_id_of_another(issuing: Issuing) -> None:
    """Each is hashed whole."""
    one, two = (issuing.create("ann", role, by()).credential.split("_", 2) for role in ("reader", "curator"))
    with pytest.raises(PermissionDenied):
        issuing.recognize("_".join([one[0], two[1], one[2]]), at=NOW)


def test_verbs_say_what_is_wrong(issuing: Issuing) -> None:
    """As the command line does."""
    with pytest.raises(InvalidArgument, match="role"):
        issuing.create("ann", "", by())
    with pytest.raises(NotFound):
        issuing.revoke("", by())


# ---- over HTTP


def test_a_revoked_token_is_refused_at_its_next_request(tmp_path: Path) -> None:
    """Revoked by another process; no restart, no delay."""
    credential = issue(tmp_path)
    with serving(tmp_path) as held, visiting(held) as web:
        assert web.get("/api/tools", headers=bearer(credential)).status_code == 200
        assert weft(tmp_path, "token", "revoke", credential).exit_code == 0
        refused = web.get("/api/tools", headers=bearer(credential))
    assert refused.status_code == 401
    assert refused.json()["message"] == "The token was revoked."
    assert 'error="invalid_token"' in refused.headers["www-authenticate"]


def test_an_expired_token_is_refused(tmp_path: Path) -> None:
    """With its own reason, which only whoever has the whole token is told."""
    soon = (datetime.now(UTC) + timedelta(seconds=1)).isoformat()
    credential = issue(tmp_path, expires=soon)
    with serving(tmp_path) as held, visiting(held) as web:
        deadline = time.monotonic() + WAIT_S
        while (answer := web.get("/api/tools", headers=bearer(credential))).status_code == 200:
            assert time.monotonic() < deadline
            time.sleep(0.02)  # who asks without a pause is asked to wait, which is another answer
        forged = web.get("/api/tools", headers=bearer(credential[:-3] + "AAA"))
    assert (answer.status_code, answer.json()["message"]) == (401, "The token has expired.")
    assert (forged.status_code, forged.json()["message"]) == (401, "The token is not known here.")


@pytest.mark.parametrize(
    "header",
    [
        "",
        "Bearer",
        "Bearer ",
        "Bearer  ",
        "weft_0123456789ab_x",
        "Token weft_0123456789ab_x",
        "Bearer weft_0123456789ab_" + "A" * 43,
        "Bearer " + "A" * 9_000,
        "Bearer a b",
        "Basic !!!",
        "Basic " + base64.b64encode(b"only a name").decode(),
        "Basic " + base64.b64encode(b"\xff:\xff").decode(),
        "Digest username=weft",
    ],
)
def test_what_is_no_token_is_refused_with_how_to_show_one(tmp_path: Path, header: str) -> None:
    """And is not repeated in the answer."""
    issue(tmp_path)
    with serving(tmp_path) as held, visiting(held) as web:
        refused = web.get("/api/tools", headers={"Authorization": header})
    assert refused.status_code == 401
    assert refused.headers["www-authenticate"].startswith('Bearer realm="weft", error="invalid_token"')
    assert refused.headers["cache-control"] == "no-store"
    assert len(header) < 12 or header.split(" ", 1)[-1] not in refused.text


def test_two_credentials_at_once_are_none(tmp_path: Path) -> None:
    """Whichever of them a proxy would have looked at."""
    tokens = issued(tmp_path)
    both = [("Authorization", f"Bearer {tokens[role]}") for role in ("reader", "curator")]
    with serving(tmp_path) as held, visiting(held) as web:
        assert web.get("/api/tools", headers=httpx2.Headers(both)).status_code == 401  # type: ignore[arg-type]


def test_a_token_is_no_parameter_of_an_address(tmp_path: Path) -> None:
    """Addresses are written into logs."""
    credential = issue(tmp_path)
    with serving(tmp_path) as held, visiting(held) as web:
        for name in ("token", "access_token", "authorization"):
            assert web.get("/api/tools", params={name: credential}).status_code == 401
        assert web.get("/api/tools", headers={"Cookie": f"token={credential}"}).status_code == 401


@pytest.mark.files_only("tests/postgres/test_away.py")
def test_where_the_graph_cannot_be_read_nobody_comes_in(tmp_path: Path) -> None:
    """503, and not 200 nor 401: the token may well be good."""
    (tmp_path / "notes.db").write_bytes(b"no graph" * 100)
    with serving(tmp_path) as held, visiting(held) as web:
        refused = web.get("/api/tools", headers=bearer("weft_0123456789ab_" + "A" * 43))
        assert (refused.status_code, refused.json()["error"]) == (503, "UNAVAILABLE")
        assert refused.headers["retry-after"]
        assert web.get("/healthz").status_code == 200


def test_a_request_that_nobody_looked_at_is_nobody_s(tmp_path: Path) -> None:
    """The twin of the layer before it: past it, a server that asks for tokens has no caller to fall back on."""
    with serving(tmp_path) as held:
        assert held.principal(None).actor == "ann"
        held.asks = True
        with pytest.raises(PermissionDenied, match="no credential"):
            held.principal(None)


def test_a_stream_ends_when_its_token_is_revoked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It was opened with a token that was good; whoever lost it hears no more, and others go on listening."""
    again = visits.Visits.watch
    monkeypatch.setattr(visits.Visits, "watch", lambda self, verified: again(self, verified, again_s=0.05))
    one, two = issue(tmp_path), issue(tmp_path)
    with serving(tmp_path) as held, running(held) as base:
        asked = [httpx2.stream("GET", f"{base}/events", headers=bearer(each), timeout=WAIT_S) for each in (one, two)]
        with asked[0] as revoked, asked[1] as other:
            lines = [stream.iter_lines() for stream in (revoked, other)]
            assert [next(each) for each in lines] == [": listening"] * 2
            assert weft(tmp_path, "token", "revoke", one).exit_code == 0
            assert "".join(lines[0]) == ""
            made = httpx2.post(f"{base}/api/tools/capture", json={"content": "A."}, headers=bearer(two), timeout=WAIT_S)
            assert made.status_code == 200
            assert next(line for line in lines[1] if line.startswith("data: "))


def test_a_request_that_has_not_been_answered_yet_ends_with_a_refusal() -> None:
    """Where nothing was said, what is said is why."""

    async def main() -> list[int]:
        said: list[int] = []
        held = visits.Visits()

        async def never(_scope: Any, _receive: Any, _send: Any) -> None:  # noqa: ANN401 - an application's three
            await anyio.sleep_forever()

        async def late(_scope: Any, _receive: Any, send: Any) -> None:  # noqa: ANN401 - an application's three
            await send({"type": "http.response.start", "status": 401, "headers": []})

        async def send(message: Any) -> None:  # noqa: ANN401 - a message
            said.append(message["status"])

        async def revoked(_credential: str) -> Any:  # noqa: ANN401 - a principal that never comes
            raise Refused("revoked", "x")

        with anyio.fail_after(WAIT_S):
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(lambda: held.watch(revoked, again_s=0.01))
                await held.answered(never, {}, send, send, late=late, credential="x")
                tasks.cancel_scope.cancel()
        return said

    assert anyio.run(main) == [401]


def test_no_secret_is_told_in_a_log_an_answer_or_an_error(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    """Whatever goes right or wrong, at the most talkative level; nor is one in a file beside the graph."""
    tokens = issued(tmp_path)
    gone = issue(tmp_path)
    weft(tmp_path, "token", "revoke", gone)
    forged = gone[:-4] + "AAAA"
    shown = [*tokens.values(), gone, forged]
    caplog.set_level(logging.DEBUG)
    answers = []
    with serving(tmp_path, toolsets="all") as held, visiting(held) as web:
        for credential in shown:
            headers = bearer(credential)
            answers += [
                web.post("/api/tools/capture", json={"content": "A note."}, headers=headers),
                web.post("/api/tools/capture", content=b"{", headers=headers | {"Content-Type": "application/json"}),
                web.post("/api/tools/merge_concepts", json={"keep_id": "x", "merge_id": "y"}, headers=headers),
                web.post("/mcp", json={"jsonrpc": "2.0", "id": 1, "method": "nothing"}, headers=headers),
                web.get("/mcp", headers=headers),
                web.get("/metrics", headers=headers),
                web.get("/", auth=("x", credential)),
            ]
    told = (f"{answer.headers}{answer.text}" for answer in answers)
    written = "".join([*told, caplog.text, *capfd.readouterr()])
    files = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    for credential in shown:
        secret = credential.split("_", 2)[2]
        assert secret not in written
        assert secret.encode() not in files


def test_a_secret_in_a_log_would_be_noticed(caplog: pytest.LogCaptureFixture) -> None:
    """The twin."""
    caplog.set_level(logging.DEBUG)
    logging.getLogger("weft.faces.auth").debug("looking at %s", "weft_secret")
    assert "weft_secret" in caplog.text


def test_a_credential_is_read_from_one_header_only() -> None:
    """Its scheme in any case, spaces around it left aside."""
    scope = {"type": "http", "path": "/api", "method": "GET"}
    for value in (b"Bearer abc", b"bearer abc", b"BEARER  abc ", b"Basic " + base64.b64encode(b"x:abc")):
        assert credential_of({**scope, "headers": [(b"authorization", value)]}) == "abc"
    with pytest.raises(Refused):
        credential_of({**scope, "headers": [(b"proxy-authorization", b"Bearer abc")]})
