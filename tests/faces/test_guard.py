"""What stands before HTTP: only this machine's own pages and programs, not too often."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from starlette.responses import PlainTextResponse
from starlette.testclient import TestClient

from doors import BASE, serving, visitor
from weft.errors import InvalidArgument
from weft.faces import http
from weft.faces.guard import BURST, Bucket, Guard, is_loopback
from weft.settings import Settings
from weft.tools.offer import Offer

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def web(tmp_path: Path) -> Iterator[TestClient]:
    """An HTTP client of a server whose graph is never opened."""
    with serving(tmp_path) as held, visitor(held) as connected:
        yield connected


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1.evil.example:8765", "localhost@evil.example", "10.0.0.1", ""]
)
def test_a_name_that_is_not_this_machine_is_refused(web: TestClient, host: str) -> None:
    """DNS rebinding: the browser believes it talks to another site, and says so in Host."""
    answer = web.get("/api/tools", headers={"Host": host})
    assert answer.status_code == 421
    assert answer.json()["error"] == "PERMISSION_DENIED"


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.1:1", "localhost:8765", "LOCALHOST", "[::1]:8765"])
def test_every_name_of_this_machine_is_let_in(web: TestClient, host: str) -> None:
    """Whatever the port: a tunnel may use another."""
    assert web.get("/api/tools", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "origin",
    ["https://evil.example", "http://127.0.0.1:9999", "https://127.0.0.1:8765", "null", "http://localhost:8765"],
)
@pytest.mark.parametrize("path", ["/api/tools/search", "/mcp"])
def test_a_page_of_another_site_is_refused(web: TestClient, path: str, origin: str) -> None:
    """Another port of this machine is another program's page."""
    answer = web.post(path, json={"query": "x"}, headers={"Origin": origin})
    assert answer.status_code == 403


def test_a_page_of_this_server_is_let_in(web: TestClient) -> None:
    """The explorer's own calls carry this server's origin."""
    answer = web.post("/api/tools/serch", json={}, headers={"Origin": "http://127.0.0.1:8765"})
    assert answer.status_code == 404


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"}, 403),
        ({"Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "cors"}, 403),
        ({"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}, 200),
        ({"Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "cors"}, 200),
        ({"Sec-Fetch-Site": "none", "Sec-Fetch-Mode": "navigate"}, 200),
    ],
)
def test_a_read_behind_the_users_back_is_refused(web: TestClient, headers: dict[str, str], status: int) -> None:
    """Browsers say where a request comes from even where they send no Origin; following a link is fine."""
    assert web.get("/", headers=headers).status_code == status


def test_nothing_is_shared_with_other_origins(web: TestClient) -> None:
    """No CORS header is ever sent, and a preflight is not answered."""
    answer = web.options("/api/tools/search", headers={"Access-Control-Request-Method": "POST"})
    assert answer.status_code == 405
    assert not any(name.startswith("access-control") for name in answer.headers)


@pytest.mark.parametrize("path", ["/", "/api/tools", "/nothing", "/api/tools/search"])
def test_every_answer_carries_the_strict_headers(web: TestClient, path: str) -> None:
    """No inline script, no foreign source, no framing, on errors too."""
    headers = web.get(path).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"


def test_a_bucket_lets_a_burst_through_and_then_a_steady_rate() -> None:
    """Clients connect with several quick requests; a loop that runs away is slowed."""
    now = [0.0]
    bucket = Bucket(rate_per_s=10, burst=20, clock=lambda: now[0])
    assert [bucket.wait_s("a") for _ in range(20)] == [0.0] * 20
    assert bucket.wait_s("a") == pytest.approx(0.1)
    assert bucket.wait_s("b") == 0.0
    now[0] = 0.5
    assert [bucket.wait_s("a") for _ in range(5)] == [0.0] * 5
    assert bucket.wait_s("a") > 0
    now[0] = 1.0
    assert bucket.wait_s("a", 8) == pytest.approx(0.3)
    assert bucket.wait_s("a", 5) == 0.0


def test_a_bucket_does_not_remember_addresses_without_end() -> None:
    """A flood of addresses takes no memory; the newest are known."""
    bucket = Bucket(rate_per_s=1, burst=1, clock=lambda: 0.0)
    for number in range(5_000):
        bucket.wait_s(str(number))
    assert bucket.wait_s("4999") > 0
    assert bucket.wait_s("0") == 0.0


@pytest.mark.parametrize(
    ("one", "other", "together"),
    [
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff:ffff:ffff:ffff", True),
        ("2001:db8:1:2::1", "2001:db8:1:3::1", False),
        ("::ffff:192.0.2.1", "192.0.2.1", True),
        ("::ffff:192.0.2.1", "::ffff:192.0.2.2", False),
        ("192.0.2.1", "192.0.2.2", False),
        ("a proxy's word", "another", False),
    ],
)
def test_addresses_that_one_stranger_can_choose_have_one_rate(one: str, other: str, *, together: bool) -> None:
    """Of IPv6 the network counts, the rest is chosen in it; IPv4 is itself however it is written."""
    guarded = Guard(PlainTextResponse("here"), bucket=Bucket(burst=1, clock=lambda: 0.0))
    statuses = [TestClient(guarded, base_url=BASE, client=(each, 1)).get("/").status_code for each in (one, other)]
    assert statuses == [200, 429 if together else 200]


def test_too_many_requests_are_told_when_to_come_back() -> None:
    """429 with Retry-After, in the form of every other error, and never within the first burst."""
    guarded = Guard(PlainTextResponse("here"), bucket=Bucket(rate_per_s=0.5, burst=20))
    slow = TestClient(guarded, base_url=BASE)
    answers = [slow.get("/") for _ in range(25)]
    assert [answer.status_code for answer in answers[:20]] == [200] * 20
    assert [answer.status_code for answer in answers[20:]] == [429] * 5
    assert int(answers[-1].headers["retry-after"]) >= 1
    assert answers[-1].json()["error"] == "LIMIT_EXCEEDED"
    assert BURST >= 20


@pytest.mark.parametrize(
    "host",
    [
        "0.0.0.0",  # noqa: S104 - refused, not bound
        "::",
        "192.168.1.5",
        "example.org",
        "",
    ],
)
def test_another_interface_is_refused_at_start(tmp_path: Path, host: str) -> None:
    """Before anything is opened, with what to do instead."""
    settings = Settings(graph=str(tmp_path / "x.db"), actor="ann")
    with pytest.raises(InvalidArgument, match="loopback"):
        http.serve(settings, Offer.of(settings), host=host)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.2", "localhost", "::1", "[::1]"])
def test_the_loopback_is_known_by_all_its_names(host: str) -> None:
    """The twin: what is let through."""
    assert is_loopback(host)
