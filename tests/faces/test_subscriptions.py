"""What is subscribed to by a title fires for the URI that was asked, and what names no node is not pretended to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import anyio
import pytest
from mcp.shared.exceptions import MCPError
from mcp.shared.subscriptions import ResourcesListChanged, ResourceUpdated
from mcp_types import INVALID_PARAMS

from doors import door, serving, with_client
from weft.faces import resources

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator
    from pathlib import Path

    from mcp.client.client import Client

    from weft.faces.serving import Serving

BY_TITLE = "weft://node/Queue%20on%20SQLite"
NOWHERE = "weft://node/nowhere"

pytestmark = pytest.mark.filterwarnings("ignore:resources/:mcp.shared.exceptions.MCPDeprecationWarning")


@pytest.fixture
def held(tmp_path: Path) -> Iterator[Serving]:
    """A server of a graph with one node."""
    with serving(tmp_path) as found:
        note = {"content": "We chose SQLite for the job queue.", "title": "Queue on SQLite"}
        found.call("capture", note, found.caller(found.own, client="test"))
        yield found


def change(folder: Path, **fields: object) -> None:
    """Change the node as another process does."""
    with door(folder, actor="bo") as other:
        other.call("update", id="Queue on SQLite", **fields)


def test_an_older_client_hears_of_a_node_under_the_uri_that_it_subscribed_to(held: Serving, tmp_path: Path) -> None:
    """By title; also after the title has changed, until it unsubscribes."""
    told: list[str] = []
    some: list[anyio.Event] = []

    async def heard(message: Any) -> None:  # noqa: ANN401 - whatever the server sends
        if getattr(message, "method", "") == "notifications/resources/updated":
            told.append(str(message.params.uri))
            some[0].set()

    async def work(connected: Client) -> None:
        some.append(anyio.Event())
        await connected.subscribe_resource(BY_TITLE)
        change(tmp_path, title="Jobs")
        await some[0].wait()
        assert told == [BY_TITLE]
        await connected.unsubscribe_resource(BY_TITLE)
        await connected.subscribe_resource("weft://node/jobs")
        some[0] = anyio.Event()
        with door(tmp_path, actor="bo") as other:
            other.call("update", id="Jobs", tags=["queue"])
        await some[0].wait()
        assert told == [BY_TITLE, "weft://node/jobs"]

    with_client(held, "legacy", work, message_handler=heard)


def test_an_older_client_is_refused_what_could_never_fire(held: Serving) -> None:
    """The same answer as reading it: which URI, and what there is instead."""

    async def work(connected: Client) -> None:
        for uri, said in ((NOWHERE, "names no node"), ("weft://other/x", "weft://node/{id}")):
            with pytest.raises(MCPError) as caught:
                await connected.subscribe_resource(uri)
            assert (caught.value.code, caught.value.data["uri"]) == (INVALID_PARAMS, uri)
            assert said in caught.value.message

    with_client(held, "legacy", work)


def test_a_listener_hears_of_a_node_under_each_uri_that_it_asked_for(held: Serving, tmp_path: Path) -> None:
    """By id and by title at once; what names no node is not acknowledged, and hinders nothing."""
    by_id = resources.told_as(held, BY_TITLE)

    async def work(connected: Client) -> None:
        wanted = [BY_TITLE, by_id, NOWHERE]
        async with connected.listen(resource_subscriptions=wanted, resources_list_changed=True) as stream:
            assert stream.honored.resource_subscriptions == [BY_TITLE, by_id]
            change(tmp_path, title="Jobs")
            heard = set()
            async for event in stream:
                heard.add(event)
                if len(heard) == 3:
                    break
            assert heard == {ResourceUpdated(uri=BY_TITLE), ResourceUpdated(uri=by_id), ResourcesListChanged()}

    with_client(held, "auto", work)


def test_a_listener_hears_of_no_spelling_that_another_one_asked_for(held: Serving, tmp_path: Path) -> None:
    """Each stream has its own URIs, and once one has ended its spellings are forgotten."""
    by_id = resources.told_as(held, BY_TITLE)

    async def first(connected: Client, uri: str, within: Callable[[], Awaitable[None]] | None = None) -> str:
        async with connected.listen(resource_subscriptions=[uri]) as stream:
            await (within() if within else anyio.to_thread.run_sync(lambda: change(tmp_path, tags=["queue"])))
            async for event in stream:
                assert isinstance(event, ResourceUpdated)
                return event.uri
        raise AssertionError

    async def work(connected: Client) -> None:
        heard: list[str] = []

        async def inner() -> None:
            heard.append(await first(connected, by_id))

        assert await first(connected, BY_TITLE, inner) == BY_TITLE
        assert heard == [by_id]

    with_client(held, "auto", work)


def test_a_stream_on_which_nothing_could_come_is_refused(held: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only nodes that there are not, or more than can be asked for; a list of them besides is enough to be served."""

    async def work(connected: Client) -> None:
        for wanted, said in (([NOWHERE], "names no node of this graph"), ([NOWHERE] * 3, "at most 2")):
            with pytest.raises(MCPError, match=said) as caught:
                async with connected.listen(resource_subscriptions=wanted):
                    pass
            assert caught.value.code == INVALID_PARAMS
        async with connected.listen(resource_subscriptions=[NOWHERE], resources_list_changed=True) as stream:
            assert not stream.honored.resource_subscriptions

    monkeypatch.setattr(resources, "URIS_MAX", 2)
    with_client(held, "auto", work)
