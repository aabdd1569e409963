"""Sessions of the older protocol, and one client that opens more than it ends: others have places of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from doors import serving, visitor
from team import bearer, issue, visiting
from weft.faces import http, sessions

if TYPE_CHECKING:
    from pathlib import Path

    from starlette.testclient import TestClient

EACH = 3
"""Sessions of one credential in these tests, of which the server keeps :data:`MOST`."""

MOST = 6
WANTED = {"Accept": "application/json, text/event-stream"}
HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}},
}


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have a server of these tests keep few sessions."""
    monkeypatch.setattr(sessions, "SESSIONS_EACH", EACH)
    monkeypatch.setattr(sessions, "SESSIONS_MAX", MOST)
    monkeypatch.setattr(sessions, "_FREE", MOST - EACH)
    monkeypatch.setattr(http, "SESSIONS_MAX", MOST)


def opened(web: TestClient, headers: dict[str, str]) -> str:
    """Open a session and return its number."""
    answer = web.post("/mcp", json=HELLO, headers=WANTED | headers)
    assert answer.status_code == 200, answer.text
    return str(answer.headers["mcp-session-id"])


def status(web: TestClient, session: str, headers: dict[str, str], **said: Any) -> int:  # noqa: ANN401 - of a request
    """Ask something over a session and return the status of the answer."""
    ask = {"jsonrpc": "2.0", "id": 2, "method": "ping"}
    return web.post("/mcp", json=ask, headers=WANTED | headers | {"Mcp-Session-Id": session, **said}).status_code


def test_a_client_that_is_started_again_and_again_shuts_nobody_out(tmp_path: Path) -> None:
    """It rarely ends the session that it had before: its own oldest one makes room for the next."""
    often, once = bearer(issue(tmp_path)), bearer(issue(tmp_path))
    with serving(tmp_path) as held, visiting(held) as web:
        first = opened(web, once)
        numbers = [opened(web, often) for _ in range(3 * MOST)]
        assert [status(web, number, often) for number in numbers[-EACH - 1 :]] == [404, *[200] * EACH]
        assert status(web, first, once) == 200


def test_the_session_that_was_not_used_for_the_longest_ends(tmp_path: Path) -> None:
    """Age counts from the last request, and a request that is refused ends nothing and hides nothing."""
    ann = bearer(issue(tmp_path))
    with serving(tmp_path) as held, visiting(held) as web:
        numbers = [opened(web, ann) for _ in range(EACH)]
        assert status(web, numbers[1], ann, Accept="text/plain") == 406
        assert status(web, numbers[0], ann) == 200
        opened(web, ann)
        opened(web, ann)
        assert [status(web, number, ann) for number in numbers] == [200, 404, 404]


def test_nobody_is_refused_a_session_where_no_token_is_asked_for(tmp_path: Path) -> None:
    """All callers are the one who started the server; a client that ended a session has its place again."""
    with serving(tmp_path) as held, visitor(held) as web:
        numbers = [opened(web, {}) for _ in range(3 * MOST)]
        assert [status(web, number, {}) for number in numbers[-EACH:]] == [200] * EACH
        assert web.delete("/mcp", headers={"Mcp-Session-Id": numbers[-1]}).status_code == 200
        opened(web, {})
        assert status(web, numbers[-EACH], {}) == 200


def test_sessions_over_which_something_is_under_way_are_kept() -> None:
    """A client that listens says nothing for hours, and is there all the same."""
    shares = sessions.Shares()
    for number in range(EACH + 1):
        shares.opened("ann", str(number))
    with shares.used("ann", "0"), shares.used("ann", "unknown"):
        assert shares.surplus("ann") == ["1"]
    assert shares.surplus("ann") == ["1"]
    assert shares.surplus("bob") == []
