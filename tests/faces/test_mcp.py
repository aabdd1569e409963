"""The MCP face, through the SDK's own client in both eras, and as a process over pipes."""

from __future__ import annotations

import json
import threading
from typing import TYPE_CHECKING, Any

import anyio
import pytest
from mcp.shared.exceptions import MCPError
from mcp.shared.subscriptions import ResourcesListChanged, ResourceUpdated
from mcp_types import INTERNAL_ERROR, INVALID_PARAMS, PromptReference, ResourceTemplateReference, TextResourceContents

from doors import ERAS, door, serving, text_of, with_client
from weft.faces import resources
from weft.faces.feed import Feed
from weft.faces.serving import Abandoned, Report, Serving
from weft.faces.subscriptions import events_of
from weft.model.codec import json_text
from weft.settings import Settings
from weft.tools.offer import Offer
from weft.tools.table import TOOLS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from mcp.client.client import Client

NOTE = {"content": "We chose SQLite for the job queue: one file, no server to run.", "title": "Queue on SQLite"}
WAIT_S = 10


@pytest.fixture
def held(tmp_path: Path) -> Iterator[Serving]:
    """A server's graph, core tools, full hints."""
    with serving(tmp_path) as found:
        yield found


@pytest.mark.parametrize("era", ERAS)
def test_the_list_of_tools_is_the_tables(held: Serving, era: str) -> None:
    """Names, schemas, titles, hints and order, the same in both eras and at every call."""

    async def work(connected: Client) -> list[dict[str, Any]]:
        first, again = await connected.list_tools(), await connected.list_tools(cache_mode="bypass")
        assert first.tools == again.tools
        assert first.next_cursor is None
        return [tool.model_dump(by_alias=True, exclude_none=True) for tool in first.tools]

    assert with_client(held, era, work) == [tool.listing() for tool in held.offer.tools]


@pytest.mark.parametrize("era", ERAS)
def test_a_server_says_what_it_is_and_what_it_can(held: Serving, era: str) -> None:
    """Name, title, instructions; only capabilities that are honoured."""

    async def work(connected: Client) -> None:
        assert connected.instructions == held.offer.instructions
        assert connected.server_info is not None
        assert (connected.server_info.name, connected.server_info.title) == ("weft", "Weft")
        can = connected.server_capabilities
        assert can.resources is not None
        assert can.resources.subscribe
        assert can.tools is not None
        assert not can.tools.list_changed
        assert can.prompts is not None
        assert not can.prompts.list_changed
        assert can.completions is not None
        assert can.logging is None

    with_client(held, era, work)


@pytest.mark.parametrize("era", ERAS)
def test_a_result_is_structured_and_the_text_says_the_same(held: Serving, era: str) -> None:
    """Compact JSON, equal to the data, which the client checks against the schema."""

    async def work(connected: Client) -> None:
        await connected.list_tools()
        made = await connected.call_tool("capture", NOTE)
        assert not made.is_error
        assert text_of(made) == made.structured_content
        assert made.content[0].text == json_text(made.structured_content)
        found = await connected.call_tool("search", {"query": "job queue"})
        assert found.structured_content["hits"][0]["id"] == made.structured_content["id"]

    with_client(held, era, work)


@pytest.mark.parametrize("era", ERAS)
def test_an_error_of_use_is_a_result_that_the_model_can_read(held: Serving, era: str) -> None:
    """Code, message, hint; no structured content, because the schema speaks of answers."""

    async def work(connected: Client) -> None:
        wrong = await connected.call_tool("search", {"query": "x", "limt": 3})
        assert wrong.is_error
        assert wrong.structured_content is None
        answer = text_of(wrong)
        assert answer["error"] == "INVALID_ARGUMENT"
        assert answer["message"].startswith("limt: there is no such argument (did you mean limit?)")
        missing = await connected.call_tool("fetch", {"id": "nowhere"})
        assert text_of(missing)["error"] == "NOT_FOUND"

    with_client(held, era, work)


@pytest.mark.parametrize("era", ERAS)
def test_an_unknown_tool_is_a_protocol_error(held: Serving, era: str) -> None:
    """-32602, as the specification wants it."""

    async def work(connected: Client) -> None:
        with pytest.raises(MCPError) as caught:
            await connected.call_tool("serch", {"query": "x"})
        assert caught.value.code == INVALID_PARAMS
        assert "Unknown tool: serch" in caught.value.message

    with_client(held, era, work)


@pytest.mark.parametrize("era", ERAS)
def test_calls_run_side_by_side(held: Serving, era: str) -> None:
    """Eight at once, each answered with its own result."""

    async def work(connected: Client) -> None:
        found: dict[int, str] = {}

        async def one(number: int) -> None:
            note = {"content": f"Fact number {number} stands alone.", "title": f"Fact {number}"}
            found[number] = (await connected.call_tool("capture", note)).structured_content["title"]

        async with anyio.create_task_group() as tasks:
            for number in range(8):
                tasks.start_soon(one, number)
        assert found == {number: f"Fact {number}" for number in range(8)}

    with_client(held, era, work)
    assert held.graph().store.counts().nodes == 8


@pytest.mark.parametrize("era", ERAS)
def test_a_list_of_one_page_knows_no_other_cursor(held: Serving, era: str) -> None:
    """An empty cursor is the first page, any other is an error of the request."""

    async def work(connected: Client) -> None:
        assert len((await connected.list_tools(cursor="")).tools) == 14
        for ask in (connected.list_tools, connected.list_prompts, connected.list_resource_templates):
            with pytest.raises(MCPError) as caught:
                await ask(cursor="bogus")
            assert caught.value.code == INVALID_PARAMS

    with_client(held, era, work)


def test_a_tool_out_of_reach_is_not_listed_and_refused_by_name(tmp_path: Path) -> None:
    """The answer names the tier that is needed; a tool that was not chosen is unknown."""

    async def work(connected: Client) -> None:
        names = {tool.name for tool in (await connected.list_tools()).tools}
        assert "capture" not in names
        assert "search" in names
        refused = await connected.call_tool("capture", NOTE)
        assert text_of(refused)["error"] == "PERMISSION_DENIED"
        assert "contributor" in text_of(refused)["message"]

    with door(tmp_path):
        pass
    with serving(tmp_path, role="reader") as held:
        with_client(held, "auto", work)


def test_a_read_only_server_does_not_know_writing_tools(tmp_path: Path) -> None:
    """Dropped, not merely refused."""
    writing = {tool.name for tool in TOOLS if tool.effect.writes}

    async def work(connected: Client) -> None:
        listed = {tool.name for tool in (await connected.list_tools()).tools}
        assert listed
        assert not listed & writing
        with pytest.raises(MCPError):
            await connected.call_tool("capture", NOTE)

    with serving(tmp_path, read_only=True) as held:
        with_client(held, "auto", work)


def test_who_writes_is_the_servers_word_and_the_client_is_noted(held: Serving) -> None:
    """The client's name is provenance; it decides nothing."""

    async def work(connected: Client) -> str:
        made = await connected.call_tool("capture", NOTE)
        return str(made.structured_content["id"])

    made = with_client(held, "legacy", work)
    (change,) = held.graph().log.history(made, limit=1)
    assert change.actor == "ann"
    assert change.client.startswith("mcp")


# Resources


@pytest.mark.parametrize("era", ERAS)
def test_nodes_are_resources_listed_in_pages(held: Serving, era: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Newest first, all of them once, with an opaque cursor."""
    monkeypatch.setattr(resources, "PAGE", 2)

    async def work(connected: Client) -> None:
        made = [
            (
                await connected.call_tool("capture", {"content": f"Fact number {number} stands alone."})
            ).structured_content
            for number in range(5)
        ]
        seen: list[str] = []
        cursor = None
        while True:
            listed = await connected.list_resources(cursor=cursor)
            seen += [str(resource.uri) for resource in listed.resources]
            cursor = listed.next_cursor
            if cursor is None:
                break
        assert seen == [f"weft://node/{each['id']}" for each in reversed(made)]
        with pytest.raises(MCPError) as caught:
            await connected.list_resources(cursor="bogus")
        assert caught.value.code == INVALID_PARAMS

    with_client(held, era, work)


@pytest.mark.parametrize("era", ERAS)
def test_a_node_is_read_by_id_and_by_title(held: Serving, era: str) -> None:
    """The same answer as fetch gives, without advice."""

    async def work(connected: Client) -> None:
        made = (await connected.call_tool("capture", NOTE)).structured_content
        fetched = (await connected.call_tool("fetch", {"id": made["id"]})).structured_content
        fetched.pop("suggested_next_actions")
        for name in (made["id"], "Queue%20on%20SQLite"):
            (content,) = (await connected.read_resource(f"weft://node/{name}")).contents
            assert isinstance(content, TextResourceContents)
            assert json.loads(content.text) == fetched
            assert content.mime_type == "application/json"

    with_client(held, era, work)


@pytest.mark.parametrize(
    "uri", ["weft://node/nowhere", "weft://node/", "weft://node/..%2f..%2fetc", "weft://other/x", "file:///etc/passwd"]
)
def test_a_resource_that_is_not_there_is_a_protocol_error(held: Serving, uri: str) -> None:
    """-32602 with the URI, never an empty result."""

    async def work(connected: Client) -> None:
        with pytest.raises(MCPError) as caught:
            await connected.read_resource(uri)
        assert caught.value.code == INVALID_PARAMS
        assert caught.value.data["uri"] == uri

    with_client(held, "auto", work)


@pytest.mark.parametrize("era", ERAS)
def test_titles_complete_what_is_typed(held: Serving, era: str) -> None:
    """For the resource template and for prompts; two nodes of one title are told apart by id."""

    async def work(connected: Client) -> None:
        ids = []
        for title, ontology in (("Queue on SQLite", "a"), ("SQLite file format", "a"), ("Twin", "b"), ("Twin", "c")):
            note = {"content": f"About {title} in {ontology}.", "title": title, "ontology": ontology}
            ids.append((await connected.call_tool("capture", note)).structured_content["id"])
        node = ResourceTemplateReference(type="ref/resource", uri="weft://node/{id}")
        typed = await connected.complete(node, {"name": "id", "value": "sqlit"})
        assert typed.completion.values == ["SQLite file format", "Queue on SQLite"]
        twins = await connected.complete(node, {"name": "id", "value": "twin"})
        assert set(twins.completion.values) == set(ids[2:])
        prompt = PromptReference(type="ref/prompt", name="connect")
        assert (await connected.complete(prompt, {"name": "start", "value": "queue"})).completion.values == [
            "Queue on SQLite"
        ]
        other = PromptReference(type="ref/prompt", name="brief")
        assert (await connected.complete(other, {"name": "task", "value": "queue"})).completion.values == []

    with_client(held, era, work)


@pytest.mark.parametrize("era", ERAS)
def test_templates_and_prompts_are_listed(held: Serving, era: str) -> None:
    """One template; prompts with titles and descriptions, worded with what is given."""

    async def work(connected: Client) -> None:
        (template,) = (await connected.list_resource_templates()).resource_templates
        assert template.uri_template == "weft://node/{id}"
        listed = (await connected.list_prompts()).prompts
        assert {prompt.name for prompt in listed} == {"brief", "remember", "challenge_claim", "connect"}
        assert all(prompt.title and prompt.description for prompt in listed)
        asked = await connected.get_prompt("connect", {"start": "RNNs", "end": "Transformers"})
        assert "«RNNs»" in asked.messages[0].content.text
        for name, given in (("connect", {"start": "RNNs"}), ("nothing", {})):
            with pytest.raises(MCPError) as caught:
                await connected.get_prompt(name, given)
            assert caught.value.code == INVALID_PARAMS

    with_client(held, era, work)


def test_prompts_are_offered_only_where_their_tools_are(tmp_path: Path) -> None:
    """A read-only server does not ask to remember."""

    async def work(connected: Client) -> set[str]:
        return {prompt.name for prompt in (await connected.list_prompts()).prompts}

    with serving(tmp_path, read_only=True) as held:
        assert with_client(held, "auto", work) == {"brief", "challenge_claim", "connect"}


# Changes


def test_a_listener_hears_of_changes_by_another_process(held: Serving, tmp_path: Path) -> None:
    """The log is the source: what another opening of the graph writes is told too."""

    async def work(connected: Client) -> None:
        made = (await connected.call_tool("capture", NOTE)).structured_content
        uri = f"weft://node/{made['id']}"
        async with connected.listen(resources_list_changed=True, resource_subscriptions=[uri]) as stream:
            with door(tmp_path, actor="bo") as other:
                other.call("update", id=made["id"], tags=["queue"])
                other.call("capture", content="Something else entirely happened.")
            heard = set()
            async for event in stream:
                heard.add(event)
                if len(heard) == 2:
                    break
            assert heard == {ResourceUpdated(uri=uri), ResourcesListChanged()}

    with_client(held, "auto", work)


@pytest.mark.filterwarnings("ignore:resources/:mcp.shared.exceptions.MCPDeprecationWarning")
def test_an_older_client_is_told_of_what_it_subscribed_to(held: Serving, tmp_path: Path) -> None:
    """And of nothing any more once it has unsubscribed."""
    told: list[str] = []
    some: list[anyio.Event] = []

    async def heard(message: Any) -> None:  # noqa: ANN401 - whatever the server sends
        if getattr(message, "method", "") == "notifications/resources/updated":
            told.append(str(message.params.uri))
            some[0].set()

    async def work(connected: Client) -> None:
        some.append(anyio.Event())
        one = (await connected.call_tool("capture", NOTE)).structured_content["id"]
        two = (await connected.call_tool("capture", {"content": "Another matter."})).structured_content["id"]
        await connected.subscribe_resource(f"weft://node/{one}")
        await connected.subscribe_resource(f"weft://node/{two}")
        await connected.unsubscribe_resource(f"weft://node/{one}")
        with door(tmp_path, actor="bo") as other:
            other.call("update", id=one, tags=["queue"])
            other.call("update", id=two, tags=["other"])
        await some[0].wait()
        assert told == [f"weft://node/{two}"]

    with_client(held, "legacy", work, message_handler=heard)


def test_nobody_listening_means_nobody_reading(held: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    """The feed looks at the log only while somebody wants to know."""
    looks: list[int] = []
    often = threading.Event()
    head = held.head

    def counted() -> int:
        looks.append(head())
        if len(looks) > 5:
            often.set()
        return looks[-1]

    monkeypatch.setattr(held, "head", counted)
    monkeypatch.setattr("weft.faces.feed.PATIENCE_S", 0.001)  # between two looks where notices come

    async def main() -> None:
        feed = Feed(held, pause_s=0.001)
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(feed.run)
            await anyio.sleep(0.05)
            assert looks == []
            await feed.ready()
            end = feed.listen(lambda _: None)
            assert await anyio.to_thread.run_sync(often.wait, WAIT_S)
            end()
            await anyio.sleep(0.05)
            quiet = len(looks)
            await anyio.sleep(0.05)
            assert len(looks) == quiet
            tasks.cancel_scope.cancel()

    anyio.run(main)


def test_changes_name_every_node_they_touch(tmp_path: Path) -> None:
    """A relation touches both ends, evidence what it is about; the list changes with nodes and titles only."""
    with door(tmp_path) as ann:
        one = ann.call("capture", content="The first of two notes.", title="One")["id"]
        two = ann.call("capture", content="A second, unlike it.", title="Two")["id"]
        head = ann.graph.log.head()
        ann.call("relate", source="One", target="Two", type="uses", reasoning="r")
        events = set(events_of(ann.graph.log.since(head, limit=100)))
        assert events == {ResourceUpdated(uri=f"weft://node/{one}"), ResourceUpdated(uri=f"weft://node/{two}")}
        head = ann.graph.log.head()
        ann.call("update", id="One", title="Uno")
        assert ResourcesListChanged() in events_of(ann.graph.log.since(head, limit=100))
        head = ann.graph.log.head()
        ann.call("update", id=one, tags=["x"])
        assert ResourcesListChanged() not in events_of(ann.graph.log.since(head, limit=100))


# Long work


def test_progress_is_told_in_ascending_order_and_not_too_often() -> None:
    """A report that does not go forward, or comes at once after another, is dropped; the last is always told."""
    heard: list[tuple[int, int, str]] = []

    async def tell(done: int, total: int, message: str) -> None:
        heard.append((done, total, message))

    async def main() -> None:
        report = Report(tell)

        def work() -> None:
            for done in (1, 2, 2, 1, 3, 100):
                report(done, 100, f"step {done}")

        await anyio.to_thread.run_sync(work)

    anyio.run(main)
    assert heard == [(1, 100, "step 1"), (100, 100, "step 100")]


@pytest.mark.parametrize("era", ERAS)
def test_long_calls_tell_their_progress(held: Serving, era: str) -> None:
    """Only to a client that asked for it."""
    heard: list[tuple[float, float | None]] = []

    async def tell(done: float, total: float | None, _message: str | None) -> None:
        heard.append((done, total))

    async def work(connected: Client) -> None:
        decisions = [{"item": f"none-{number}", "decision": "dismiss"} for number in range(3)]
        await connected.call_tool("review", {"decide": decisions}, progress_callback=tell)

    with_client(held, era, work)
    assert heard
    assert heard == sorted(heard)
    assert {total for _, total in heard} == {3}


def test_work_whose_caller_left_hears_of_it(held: Serving) -> None:
    """Cancelling answers at once, and the work gives up at its next report."""
    ended = threading.Event()
    begun = threading.Event()

    async def tell(_done: int, _total: int, _message: str) -> None:
        return

    def endless(report: Report) -> None:
        begun.set()
        try:
            while True:
                report(1, 2, "still at it")
        except Abandoned:
            ended.set()
            raise

    async def main() -> None:
        report = Report(tell)
        with anyio.fail_after(WAIT_S):
            async with anyio.create_task_group() as tasks:

                async def run() -> None:
                    await held.work(endless, report, report=report)

                tasks.start_soon(run)
                await anyio.to_thread.run_sync(begun.wait)
                tasks.cancel_scope.cancel()

    anyio.run(main)
    assert ended.wait(WAIT_S)


def test_a_failure_nobody_expected_is_an_answer_without_its_secrets(
    held: Serving, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The caller is told that it failed, the log why."""

    def broken() -> None:
        raise RuntimeError("password=hunter2")

    monkeypatch.setattr(held, "graph", broken)

    async def work(connected: Client) -> dict[str, Any]:
        return text_of(await connected.call_tool("status", {}))

    answer = with_client(held, "auto", work)
    assert answer["error"] == "UNAVAILABLE"
    assert "hunter2" not in json.dumps(answer)
    assert "hunter2" in caplog.text

    async def listed(connected: Client) -> None:
        with pytest.raises(MCPError) as caught:
            await connected.list_resources()
        assert caught.value.code == INTERNAL_ERROR
        assert "hunter2" not in str(caught.value)

    for era in ERAS:
        with_client(held, era, listed)


@pytest.mark.files_only("tests/postgres/test_away.py")
def test_a_graph_that_cannot_be_opened_is_an_answer_and_is_tried_again(tmp_path: Path) -> None:
    """The file is left as it is; once it is away, the next call works."""
    file = tmp_path / "notes.db"
    file.write_bytes(b"no graph at all" * 100)

    async def work(connected: Client) -> None:
        assert len((await connected.list_tools()).tools) == 14
        refused = await connected.call_tool("status", {})
        assert text_of(refused)["error"] == "UNAVAILABLE"
        assert file.read_bytes().startswith(b"no graph")
        file.unlink()
        assert not (await connected.call_tool("status", {})).is_error

    settings = Settings(graph=str(file), actor="ann")
    held = Serving(settings, Offer.of(settings))
    with_client(held, "auto", work)
    held.close()
