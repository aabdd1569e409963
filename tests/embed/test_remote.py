"""The remote embedder against a real server: the protocol, its failures, and what must never leak."""

from __future__ import annotations

import gzip
import json
import socket
import threading
import traceback
from contextlib import closing
from typing import TYPE_CHECKING

import numpy as np
import pytest

from embed.endpoint import MODEL, Endpoint, Reply, embeddings, good
from weft.embed import open_embedder, posting
from weft.embed.remote import ATTEMPTS_MAX, IDENTITY, OpenAICompatible
from weft.errors import InvalidArgument, LimitExceeded, Unavailable
from weft.model import Calibration
from weft.settings import Endpoint as Served
from weft.testing.embedder import EmbedderContract

if TYPE_CHECKING:
    from collections.abc import Iterator

KEY = "sk-secret-0123456789"
AGAIN = {"Retry-After": "0"}


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    """A server that answers with the bundled model's vectors."""
    with Endpoint() as server:
        yield server


@pytest.fixture
def embedder(endpoint: Endpoint) -> Iterator[OpenAICompatible]:
    """An embedder that asks that server, with a key."""
    with closing(OpenAICompatible(endpoint.url, "small", key=KEY, timeout_s=5)) as one:
        yield one


class TestContract(EmbedderContract):
    """The shipped contract, over HTTP."""

    @pytest.fixture(autouse=True)
    def _server(self) -> Iterator[None]:
        self.made: list[OpenAICompatible] = []
        with Endpoint() as self.server:
            yield
            for one in self.made:
                one.close()

    def make(self) -> OpenAICompatible:
        self.made.append(OpenAICompatible(self.server.url, "small", batch=40))
        return self.made[-1]


def test_it_posts_what_the_protocol_says(endpoint: Endpoint, embedder: OpenAICompatible) -> None:
    """Path, model, input and bearer token are where a server looks for them."""
    embedder.embed(["one", "two"])
    (seen,) = endpoint.seen
    assert seen.path == "/v1/embeddings"
    assert seen.headers["Authorization"] == f"Bearer {KEY}"
    assert seen.payload == {"model": "small", "input": ["one", "two"], "encoding_format": "float"}


def test_without_a_key_no_authorization_is_sent(endpoint: Endpoint) -> None:
    """A local server is asked without a token."""
    with closing(OpenAICompatible(endpoint.url, "small")) as one:
        one.embed(["one"])
    assert "Authorization" not in endpoint.seen[0].headers


def test_vectors_are_those_of_the_server_brought_to_length_one(embedder: OpenAICompatible) -> None:
    """The server sends them three times as long."""
    assert np.allclose(embedder.embed(["one", "two"]), MODEL.embed(["one", "two"]), atol=1e-6)


def test_base64_and_any_order_are_understood(endpoint: Endpoint, embedder: OpenAICompatible) -> None:
    """Some servers send base64 whatever was asked, and entries are placed by their index."""
    texts = ["one", "two", "three"]
    endpoint.usual = lambda payload: good(payload, encoding="base64", backwards=True)
    assert np.allclose(embedder.embed(texts), MODEL.embed(texts), atol=1e-6)


def test_many_texts_go_in_batches(endpoint: Endpoint) -> None:
    """Ten texts by four are three requests."""
    with closing(OpenAICompatible(endpoint.url, "small", batch=4)) as one:
        assert one.embed([f"text {number}" for number in range(10)]).shape == (10, 384)
    assert [len(seen.payload["input"]) for seen in endpoint.seen] == [4, 4, 2]


def test_a_blank_text_is_sent_as_a_full_stop(endpoint: Endpoint, embedder: OpenAICompatible) -> None:
    """Endpoints refuse empty texts."""
    embedder.embed(["", "\u200b\n"])
    assert endpoint.seen[0].payload["input"] == [".", "."]


def test_a_given_dimension_is_not_asked_for(endpoint: Endpoint) -> None:
    """Opening a graph needs no call when the dimension is set."""
    with closing(OpenAICompatible(endpoint.url, "small", dimension=384)) as one:
        assert one.dimension == 384
        assert one.embed([]).shape == (0, 384)
    assert endpoint.seen == []


def test_its_calibration_is_the_given_one_else_raw_cosine() -> None:
    """A map fitted for the model wins over the identity."""
    given = Calibration(points=((0.2, 0.0), (1.0, 1.0)))
    assert OpenAICompatible("http://localhost/v1", "m").calibration == IDENTITY
    assert OpenAICompatible("http://localhost/v1", "m", calibration=given).calibration == given
    assert IDENTITY.similarity(0.3) == pytest.approx(0.3)


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_passing_failure_is_tried_again(endpoint: Endpoint, embedder: OpenAICompatible, status: int) -> None:
    """Two failures and then an answer are an answer."""
    endpoint.replies = [Reply(status=status, headers=AGAIN), Reply(status=status, headers=AGAIN)]
    assert embedder.embed(["one"]).shape == (1, 384)
    assert len(endpoint.seen) == 3


def test_a_dropped_connection_is_tried_again(endpoint: Endpoint, embedder: OpenAICompatible) -> None:
    """A server that hangs up in the middle is asked once more."""
    endpoint.replies = [Reply(body=None)]
    assert embedder.embed(["one"]).shape == (1, 384)
    assert len(endpoint.seen) == 2


def test_a_lasting_failure_ends_after_four_attempts(endpoint: Endpoint, embedder: OpenAICompatible) -> None:
    """The twin: attempts are bounded, and the error says how many there were."""
    endpoint.usual = lambda _: Reply(status=503, headers=AGAIN)
    with pytest.raises(Unavailable, match=r"after 4 attempts: HTTP 503"):
        embedder.embed(["one"])
    assert len(endpoint.seen) == ATTEMPTS_MAX


def test_a_date_in_retry_after_is_understood(endpoint: Endpoint, embedder: OpenAICompatible) -> None:
    """A date that is past means at once; one far ahead is not waited for."""
    endpoint.replies = [Reply(status=429, headers={"Retry-After": "Wed, 21 Oct 2015 07:28:00 GMT"})]
    assert embedder.embed(["one"]).shape == (1, 384)
    endpoint.replies = [Reply(status=429, headers={"Retry-After": "Mon, 21 Oct 2999 07:28:00 GMT"})]
    with pytest.raises(Unavailable, match="asks to come back"):
        embedder.embed(["one"])


@pytest.mark.parametrize("after", ["soon", "-1", "Wed, 99 Oct 2015", "1e9"])
def test_an_unreadable_retry_after_falls_back_to_the_usual_pause(
    endpoint: Endpoint, embedder: OpenAICompatible, after: str
) -> None:
    """Nonsense in the header neither fails nor stalls the call."""
    endpoint.replies = [Reply(status=429, headers={"Retry-After": after})]
    assert embedder.embed(["one"]).shape == (1, 384)


def test_a_long_retry_after_is_reported_not_waited_for(endpoint: Endpoint, embedder: OpenAICompatible) -> None:
    """An hour's pause is the caller's to take."""
    endpoint.usual = lambda _: Reply(status=429, headers={"Retry-After": "3600"})
    with pytest.raises(Unavailable, match="3600 s"):
        embedder.embed(["one"])
    assert len(endpoint.seen) == 1


def test_a_request_that_is_wrong_is_not_repeated(endpoint: Endpoint, embedder: OpenAICompatible) -> None:
    """What the server says is quoted, cleaned and without the key."""
    endpoint.usual = lambda _: Reply(status=404, body=f"no model \x1b[31m for {KEY}\n".encode())
    with pytest.raises(Unavailable, match=r"HTTP 404\): no model \[31m for …") as caught:
        embedder.embed(["one"])
    assert len(endpoint.seen) == 1
    assert KEY not in "".join(traceback.format_exception(caught.value))


@pytest.mark.parametrize("status", [401, 403])
def test_a_refused_key_is_said_without_quoting_anything(
    endpoint: Endpoint, embedder: OpenAICompatible, status: int
) -> None:
    """Servers quote keys in such answers, so nothing of them is passed on."""
    endpoint.usual = lambda _: Reply(status=status, body=b"Incorrect API key provided: sk-sec*****6789")
    with pytest.raises(Unavailable, match="refused the key") as caught:
        embedder.embed(["one"])
    assert "sk-" not in "".join(traceback.format_exception(caught.value))
    assert len(endpoint.seen) == 1


def test_a_redirect_is_not_followed(endpoint: Endpoint, embedder: OpenAICompatible) -> None:
    """The key goes to the host that was named only."""
    with Endpoint() as other:
        endpoint.usual = lambda _: Reply(status=307, headers={"Location": f"{other.url}/embeddings"})
        with pytest.raises(Unavailable, match="HTTP 307"):
            embedder.embed(["one"])
        assert other.seen == []


def test_nobody_at_the_address_is_unavailable() -> None:
    """A closed port is tried a few times and then reported with the host's name."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}/v1"
    with (
        closing(OpenAICompatible(url, "small", key=KEY)) as one,
        pytest.raises(Unavailable, match=r"small@127\.0\.0\.1 failed after 4 attempts: no connection") as caught,
    ):
        one.embed(["one"])
    assert KEY not in "".join(traceback.format_exception(caught.value))


def test_a_silent_server_is_given_up_on(endpoint: Endpoint) -> None:
    """One timeout is enough: it is not repeated."""
    release = threading.Event()

    def silent(_: object) -> Reply:
        release.wait(timeout=10)
        return Reply()

    endpoint.usual = silent
    with closing(OpenAICompatible(endpoint.url, "small", timeout_s=0.2)) as one:
        with pytest.raises(Unavailable, match=r"within 0\.2 s"):
            one.embed(["one"])
        release.set()
    assert len(endpoint.seen) == 1


def test_a_server_that_drips_is_given_up_on(endpoint: Endpoint) -> None:
    """A byte now and then keeps no caller waiting beyond the time for one request."""
    release = threading.Event()

    def drips() -> Iterator[bytes]:
        for _ in range(200):
            yield b" "
            if release.wait(timeout=0.05):
                return

    endpoint.usual = lambda _: Reply(body=drips())
    with closing(OpenAICompatible(endpoint.url, "small", timeout_s=0.3)) as one:
        with pytest.raises(Unavailable, match=r"within 0\.3 s"):
            one.embed(["one"])
        release.set()


LARGE = b" " * (2**20 + 1)


@pytest.mark.parametrize(
    "reply",
    [Reply(body=LARGE), Reply(body=gzip.compress(LARGE), headers={"Content-Encoding": "gzip"})],
    ids=["plain", "packed"],
)
def test_an_answer_beyond_all_measure_is_cut_off(
    endpoint: Endpoint, embedder: OpenAICompatible, monkeypatch: pytest.MonkeyPatch, reply: Reply
) -> None:
    """The bound is on what it unpacks to."""
    monkeypatch.setattr(posting, "RESPONSE_BYTES_MAX", 2**20)
    endpoint.usual = lambda _: reply
    with pytest.raises(LimitExceeded, match="1 MiB"):
        embedder.embed(["one"])


def test_a_broken_packing_is_unavailable(endpoint: Endpoint, embedder: OpenAICompatible) -> None:
    """Bytes that are not what their header says are refused."""
    endpoint.usual = lambda _: Reply(body=b"no gzip", headers={"Content-Encoding": "gzip"})
    with pytest.raises(Unavailable, match="DecodingError"):
        embedder.embed(["one"])


WRONG = {
    "not JSON": Reply(body=b"<html>"),
    "deeply nested": Reply(body=b"[" * 100_000),
    "no data": Reply(body=b'{"error": "busy"}'),
    "data of strings": Reply(body=b'{"data": ["a", "b"]}'),
    "too few": embeddings([1.0, 0.0]),
    "too many": embeddings([1.0], [1.0], [1.0]),
    "one index twice": Reply(body=b'{"data": [{"index": 1, "embedding": [1]}, {"index": 1, "embedding": [1]}]}'),
    "an index that is true": Reply(
        body=b'{"data": [{"index": 0, "embedding": [1]}, {"index": true, "embedding": [1]}]}'
    ),
    "an index of a list": Reply(body=b'{"data": [{"index": 0, "embedding": [1]}, {"index": [], "embedding": [1]}]}'),
    "lengths differ": embeddings([1.0, 0.0], [1.0]),
    "empty vectors": embeddings([], []),
    "not finite": embeddings([1.0, float("nan")], [1.0, 0.0]),
    "infinite": embeddings([1.0, float("inf")], [1.0, 0.0]),
    "all zero": embeddings([1.0, 0.0], [0.0, 0.0]),
    "strings for numbers": embeddings(["1", "2"], ["1", "2"]),
    "null": embeddings(None, None),
    "nested": embeddings([[1.0]], [[1.0]]),
    "ragged": embeddings([1.0, [2.0]], [1.0, 2.0]),
    "no base64": embeddings("%%%", "%%%"),
    "half a float": embeddings("AAAA", "AAAA"),
}


@pytest.mark.parametrize("reply", WRONG.values(), ids=WRONG.keys())
def test_an_answer_that_is_none_is_refused(endpoint: Endpoint, embedder: OpenAICompatible, reply: Reply) -> None:
    """Nothing malformed becomes a vector, and nothing but Unavailable comes out."""
    endpoint.usual = lambda _: reply
    with pytest.raises(Unavailable, match="cannot be used"):
        embedder.embed(["one", "two"])


def test_numbers_too_large_for_a_float_are_scaled_not_lost(endpoint: Endpoint, embedder: OpenAICompatible) -> None:
    """The twin: an odd but finite vector is taken."""
    endpoint.usual = lambda _: embeddings([3e100, 4e100])
    assert embedder.embed(["one"]).tolist() == [[pytest.approx(0.6), pytest.approx(0.8)]]


def test_vectors_of_another_dimension_are_refused(endpoint: Endpoint) -> None:
    """A graph takes the vectors of one model only."""
    with (
        closing(OpenAICompatible(endpoint.url, "small", dimension=768)) as one,
        pytest.raises(Unavailable, match="384 numbers where 768"),
    ):
        one.embed(["one"])


def test_a_model_that_changes_its_dimension_is_refused(endpoint: Endpoint, embedder: OpenAICompatible) -> None:
    """The first answer settles it."""
    embedder.embed(["one"])
    endpoint.usual = lambda _: embeddings([1.0, 0.0])
    with pytest.raises(Unavailable, match="2 numbers where 384"):
        embedder.embed(["one"])


def test_it_can_be_used_again_after_closing(embedder: OpenAICompatible) -> None:
    """Closing drops connections, not the embedder."""
    embedder.embed(["one"])
    embedder.close()
    embedder.close()
    assert embedder.embed(["one"]).shape == (1, 384)


def test_threads_may_share_one(endpoint: Endpoint, embedder: OpenAICompatible) -> None:
    """Eight threads get eight right answers."""
    texts = [f"thread {number}" for number in range(8)]
    found: dict[str, np.ndarray] = {}
    threads = [threading.Thread(target=lambda t=text: found.update({t: embedder.embed([t])[0]})) for text in texts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=30)
    assert np.allclose([found[text] for text in texts], MODEL.embed(texts), atol=1e-6)
    assert len(endpoint.seen) == len(texts)


@pytest.mark.parametrize(
    ("url", "path"),
    [
        ("{}", "/v1/embeddings"),
        ("{}/", "/v1/embeddings"),
        ("{}/embeddings", "/v1/embeddings"),
        ("{}/deep?version=2", "/v1/deep/embeddings?version=2"),
    ],
)
def test_the_path_ends_in_embeddings_once(endpoint: Endpoint, url: str, path: str) -> None:
    """Whether or not the user has written it."""
    with closing(OpenAICompatible(url.format(endpoint.url), "small")) as one:
        one.embed(["one"])
    assert endpoint.seen[0].path == path


def test_its_name_is_model_and_host_and_no_secret() -> None:
    """The name is stored with the graph and shown."""
    one = OpenAICompatible("https://api.example.org:8443/v1", "text-small", key=KEY)
    assert one.name == "text-small@api.example.org"
    assert KEY not in repr(one) + str(one)
    assert KEY not in repr(Served(url="https://api.example.org/v1", model="text-small", key=KEY))


@pytest.mark.parametrize(
    "url", ["", "localhost:1", "ftp://host/v1", "http://", "http://h:0/", "http://h:99999/", "http://[/"]
)
def test_a_url_that_is_none_is_refused(url: str) -> None:
    """The message says what one looks like."""
    with pytest.raises(InvalidArgument, match="url"):
        OpenAICompatible(url, "m")


def test_a_password_in_the_url_is_refused_and_not_repeated() -> None:
    """Keys belong into the key, where nothing prints them."""
    with pytest.raises(InvalidArgument, match="key") as caught:
        OpenAICompatible(f"http://me:{KEY}@host/v1", "m")
    assert KEY not in caught.value.message


@pytest.mark.parametrize("key", [f"{KEY}\n", f" {KEY}", "schlüssel"])
def test_a_key_that_no_header_can_carry_is_refused_and_not_repeated(key: str) -> None:
    """Line ends in a key would be header injection."""
    with pytest.raises(InvalidArgument) as caught:
        OpenAICompatible("http://host/v1", "m", key=key)
    assert key.strip() not in caught.value.message


def test_figures_out_of_range_are_refused() -> None:
    """Each names its field and what it takes."""
    for field, value in {"batch": 0, "timeout_s": 0.0, "dimension": 0}.items():
        with pytest.raises(InvalidArgument, match=field):
            OpenAICompatible("http://host/v1", "m", **{field: value})
    with pytest.raises(InvalidArgument, match="model"):
        OpenAICompatible("http://host/v1", " ")


def test_the_door_opens_what_the_settings_describe(endpoint: Endpoint) -> None:
    """With an endpoint that, without one the bundled model."""
    given = Calibration(points=((0.2, 0.0), (1.0, 1.0)))
    opened = open_embedder(Served(url=endpoint.url, model="small", dimension=384), calibration=given)
    assert (opened.name, opened.dimension, opened.calibration) == ("small@127.0.0.1", 384, given)
    assert open_embedder(Served()).name == open_embedder().name == "all-MiniLM-L6-v2/int8"
    assert json.dumps(endpoint.seen) == "[]"
