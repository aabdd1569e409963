"""Documents from the web: a real server on the loopback, and every way in which a URL may lead where it must not."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address
from typing import TYPE_CHECKING

import pytest

import papers
from services.readers import ingest_of
from weft.errors import InvalidArgument
from weft.model import IngestRequest
from weft.services.ingest.web import REDIRECTS_MAX, Web, is_public, looked_up

if TYPE_CHECKING:
    from collections.abc import Iterator

    from services.desk import Desk
    from weft.services.ingest.web import Address

PAGE = papers.html("<h1>Terms</h1><p><b>Node</b>: one piece of knowledge, with a title and a text.")


class Site:
    """A site: answers by path (status, headers, body), and keeps the hosts that it was asked for."""

    def __init__(self) -> None:
        self.pages: dict[str, tuple[int, dict[str, str], bytes]] = {}
        self.hosts: list[str] = []
        site = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                site.hosts.append(self.headers["Host"])
                status, headers, body = site.pages.get(self.path, (404, {}, b""))
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.end_headers()
                self.close_connection = True
                self.wfile.write(body)

            def log_message(self, *arguments: object) -> None:
                """Keep quiet."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True

    @property
    def port(self) -> int:
        """Where it listens."""
        return self.server.server_port

    def url(self, path: str, host: str = "docs.example") -> str:
        """Return the URL of a page, under a name that the tests resolve themselves."""
        return f"http://{host}:{self.port}{path}"


@contextmanager
def _running() -> Iterator[Site]:
    site = Site()
    thread = threading.Thread(target=site.server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield site
    finally:
        site.server.shutdown()
        thread.join(timeout=10)
        site.server.server_close()


@pytest.fixture
def site() -> Iterator[Site]:
    """A site with a page."""
    with _running() as one:
        one.pages["/terms.html"] = (200, {"Content-Type": "text/html; charset=utf-8"}, PAGE)
        yield one


def _here(address: Address) -> bool:
    """Permit the loopback, where the site of the tests is, and nothing else but public addresses."""
    return address == ip_address("127.0.0.1") or is_public(address)


class Names:
    """A resolver of the tests: each host's addresses in turn, the last for good."""

    def __init__(self, **hosts: list[list[str]]) -> None:
        self.hosts = hosts
        self.asked: list[str] = []

    def __call__(self, host: str, _port: int) -> list[Address]:
        """Return the addresses of ``host``."""
        self.asked.append(host)
        turns = self.hosts.get(host.replace(".", "_"), [["127.0.0.1"]])
        said = turns.pop(0) if len(turns) > 1 else turns[0]
        return [ip_address(each) for each in said]


def _web(names: Names | None = None, **fields: float) -> Web:
    return Web(resolve=names or Names(), permitted=_here, **fields)


@pytest.mark.parametrize(
    "address",
    [
        *("127.0.0.1", "0.0.0.0", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1"),  # noqa: S104
        *("224.0.0.1", "255.255.255.255", "192.0.2.1", "198.18.0.1", "240.0.0.1", "::1", "::", "fe80::1", "fc00::1"),
        *("fd00:ec2::254", "::ffff:127.0.0.1", "::ffff:8.8.8.8", "64:ff9b::7f00:1", "2002:7f00:1::", "ff02::1"),
        *("2001:0:7f00:1::", "2001:db8::1"),
    ],
)
def test_no_address_of_this_house_is_public(address: str) -> None:
    """Loopback, private, link-local, the cloud's metadata, shared, documentation, and IPv4 dressed up as IPv6."""
    assert not is_public(ip_address(address))


@pytest.mark.parametrize("address", ["8.8.8.8", "1.1.1.1", "2606:4700:4700::1111"])
def test_addresses_of_the_internet_are_public(address: str) -> None:
    """The twin of the test above."""
    assert is_public(ip_address(address))


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1/x.html",
        "http://localhost/x.html",
        "http://[::1]/x.html",
        "http://2130706433/x.html",
        "http://0x7f.1/x.html",
        "http://0/",
        "http://169.254.169.254/latest/meta-data/",
        "http://[::ffff:127.0.0.1]/",
    ],
)
def test_this_machine_is_not_asked_however_it_is_spelled(url: str) -> None:
    """With the system's own resolver: names, numbers and brackets."""
    with pytest.raises(InvalidArgument, match=r"not public|not known"):
        Web().fetch(url)


@pytest.mark.parametrize(
    "url",
    [
        "ftp://x.example/a",
        "file:///etc/passwd",
        "http://",
        "http://a:b@x.example/",
        "http://x:99999/",
        "gopher://x",
        "x",
    ],
)
def test_only_plain_http_urls_are_fetched(url: str) -> None:
    """No other scheme, no password, no nonsense; nobody is asked for an address."""
    names = Names()
    with pytest.raises(InvalidArgument, match="url"):
        _web(names).fetch(url)
    assert names.asked == []


def test_a_page_is_fetched_under_its_own_name_from_the_address_that_was_looked_at(site: Site) -> None:
    """The name is looked up once, so it cannot mean another machine a moment later."""
    names = Names(docs_example=[["127.0.0.1"], ["10.0.0.1"]])
    came = _web(names).fetch(site.url("/terms.html"))
    assert (came.body, came.suffix, came.host) == (PAGE, ".html", "docs.example")
    assert names.asked == ["docs.example"]
    assert site.hosts == [f"docs.example:{site.port}"]


def test_one_private_address_among_public_ones_is_enough_to_refuse(site: Site) -> None:
    """Whichever comes first."""
    for addresses in (["127.0.0.1", "10.0.0.1"], ["10.0.0.1", "127.0.0.1"]):
        with pytest.raises(InvalidArgument, match="not public"):
            _web(Names(docs_example=[addresses])).fetch(site.url("/terms.html"))
    assert site.hosts == []


@pytest.mark.parametrize(
    "target", ["http://169.254.169.254/x", "http://inner.example/x", "file:///etc/passwd", "//10.0.0.1/"]
)
def test_a_redirect_is_looked_at_like_the_first_url(site: Site, target: str) -> None:
    """To the metadata service, to a name of the house, to a file, to an address."""
    site.pages["/go"] = (302, {"Location": target}, b"")
    names = Names(
        **{"inner_example": [["10.0.0.1"]], "169_254_169_254": [["169.254.169.254"]], "10_0_0_1": [["10.0.0.1"]]}
    )
    with pytest.raises(InvalidArgument, match="url"):
        _web(names).fetch(site.url("/go"))
    assert len(site.hosts) == 1


def test_good_redirects_are_followed_and_endless_ones_are_not(site: Site) -> None:
    """Relative ones too; after five it is enough."""
    site.pages["/old"] = (301, {"Location": "/terms.html"}, b"")
    assert _web().fetch(site.url("/old")).body == PAGE
    site.pages["/loop"] = (307, {"Location": "/loop"}, b"")
    site.hosts.clear()
    with pytest.raises(InvalidArgument, match="redirects"):
        _web().fetch(site.url("/loop"))
    assert len(site.hosts) == REDIRECTS_MAX + 1


@pytest.mark.parametrize(
    ("status", "headers", "body", "why"),
    [
        (404, {}, b"", "answered 404"),
        (500, {}, b"", "answered 500"),
        (200, {"Content-Type": "image/png"}, b"png", "no document"),
        (200, {"Content-Type": "text/html", "Content-Encoding": "gzip"}, b"\x1f\x8b", "packs"),
        (200, {"Content-Type": "text/html"}, b"x" * 5_000, "larger than 4,000"),
        (302, {}, b"", "redirects"),
    ],
)
def test_what_is_no_document_is_refused(
    site: Site, status: int, headers: dict[str, str], body: bytes, why: str
) -> None:
    """An error, a picture, a packed answer, one that is too large, a redirect to nowhere."""
    site.pages["/x"] = (status, headers, body)
    with pytest.raises(InvalidArgument, match=why):
        _web(bytes_max=4_000).fetch(site.url("/x"))


def test_a_server_that_is_not_there_is_told() -> None:
    """No traceback of a library."""
    with _running() as one:
        url = one.url("/x")
    with pytest.raises(InvalidArgument, match="could not be fetched"):
        _web().fetch(url)


def test_an_unknown_host_is_told() -> None:
    """By the system's own resolver."""
    with pytest.raises(InvalidArgument, match="not known"):
        looked_up("no-such-host.invalid", 80)


def test_a_fetched_page_is_a_document_named_by_its_url(desk: Desk, site: Site) -> None:
    """Its ontology is its host; the same page again adds nothing; a bad one stops nothing."""
    ingest = ingest_of(desk, web=_web())
    request = IngestRequest(urls=(site.url("/terms.html#part"), site.url("/none")))
    told = ingest.ingest(request, desk.call())
    assert (told.documents, [url for url, _ in told.skipped]) == (1, [site.url("/none")])
    assert {(node.title, node.ontology) for node in desk.standing()} == {
        ("Terms", "docs.example"),
        ("Node", "docs.example"),
    }
    assert desk.store.source_of(site.url("/terms.html"), "docs.example") is not None
    before = desk.measure()
    assert ingest.ingest(request, desk.call()).unchanged == 1
    assert desk.measure() == before


def test_no_url_is_fetched_unless_it_is_switched_on(desk: Desk, site: Site) -> None:
    """The message says which setting does."""
    with pytest.raises(InvalidArgument, match="web") as caught:
        ingest_of(desk).ingest(IngestRequest(urls=(site.url("/terms.html"),)), desk.call())
    assert "WEFT_FETCH" in caught.value.hint
    assert site.hosts == []
