"""Operators' verbs over HTTP: what changed lately, and taking it back, each as far as the caller's role goes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from jsonschema import Draft202012Validator

from doors import door, serving, visitor
from team import bearer, issued, visiting
from weft.model import Tier
from weft.tools.rendering import BUDGET, answer_text
from weft.tools.verbs import VERBS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from starlette.testclient import TestClient

NOTES = ("We chose SQLite for the job queue.", "Herring migrate north in spring.", "Violins are made of spruce.")


@pytest.fixture
def web(tmp_path: Path) -> Iterator[TestClient]:
    """An HTTP client of a server of a graph in which three things were written."""
    with serving(tmp_path) as held, visitor(held) as connected:
        for number, content in enumerate(NOTES):
            capture(connected, content, session=f"s{number}")
        yield connected


def capture(web: TestClient, content: str, **fields: str) -> dict[str, Any]:
    """Write something down over HTTP."""
    made = web.post("/api/tools/capture", json={"content": content, "kind": "claim", **fields})
    assert made.status_code == 200, made.text
    return dict(made.json())


def log(web: TestClient, **asked: object) -> dict[str, Any]:
    """Return what the log says over HTTP."""
    said = web.get("/api/log", params=asked)
    assert said.status_code == 200, said.text
    return dict(said.json())


def test_what_changed_lately_is_read_newest_first(web: TestClient) -> None:
    """Whole ids, times, who and through what, what in words and in counts; not to be cached."""
    said = web.get("/api/log")
    assert (said.status_code, said.headers["cache-control"]) == (200, "no-store")
    first, *others = said.json()["batches"]
    assert [each["session"] for each in (first, *others)] == ["s2", "s1", "s0"]
    assert (first["actor"], first["client"], first["tool"], first["state"]) == ("ann", "http", "capture", "stands")
    assert first["summary"].startswith("1 node created")
    assert first["counts"][0] == {"subject": "node", "action": "create", "count": 1}
    assert first["subjects"][0]["title"].rstrip(".") == NOTES[2].rstrip(".")
    assert {"next_before", "stopped_at", "left_out"} & said.json().keys() == set()
    assert None not in first.values()


def test_pages_go_on_where_the_last_one_ended(web: TestClient) -> None:
    """``next_before`` is there as long as there is more."""
    whole = log(web)["batches"]
    first = log(web, limit=2)
    second = log(web, limit=2, before=first["next_before"])
    assert first["batches"] + second["batches"] == whole
    assert "next_before" not in second


def test_the_log_is_narrowed_by_what_stands_in_the_address(web: TestClient) -> None:
    """A blank one is not given."""
    assert [each["session"] for each in log(web, session="s1", actor="")["batches"]] == ["s1"]
    assert log(web, actor="eve")["batches"] == []
    assert (
        len(log(web, client="http", tool="capture", since="2020-01-01", until="2100-01-01T00:00:00Z")["batches"]) == 3
    )
    assert len(log(web, since="2d", until="0m")["batches"]) == 3
    assert log(web, until="1h")["batches"] == []
    assert [each["session"] for each in log(web, node=log(web)["batches"][0]["subjects"][0]["id"])["batches"]] == ["s2"]


@pytest.mark.parametrize(
    ("query", "status", "said"),
    [
        ("limit=0", 400, "limit: "),
        ("limit=101", 400, "limit: "),
        ("limit=many", 400, "limit: "),
        ("before=0", 400, "before: "),
        ("before=99999999999999999999", 400, "before: "),
        ("since=yesterday", 400, "since: "),
        ("since=0001-01-01T00:00:00%2B14:00", 400, "since: "),
        ("actors=ann", 400, "actors: "),
        ("actor=ann&actor=eve", 400, "actor: "),
        ("node=nowhere", 404, "node "),
    ],
)
def test_what_is_asked_wrongly_is_refused_in_the_form_of_every_face(
    web: TestClient, query: str, status: int, said: str
) -> None:
    """Code, message and hint; the message names the field."""
    refused = web.get(f"/api/log?{query}")
    assert refused.status_code == status, refused.text
    assert refused.json()["message"].startswith(said)
    assert refused.json()["hint"]


def test_a_log_of_a_tool_that_nobody_knows_is_refused_with_what_comes_near(web: TestClient) -> None:
    """As on the command line; a page that goes on from another is answered."""
    refused = web.get("/api/log", params={"tool": "captur"})
    assert (refused.status_code, refused.json()["key"]) == (404, "tool")
    assert "capture" in refused.json()["message"].split("nearest")[1]
    assert web.get("/api/log", params={"tool": "captur", "before": 1}).json()["batches"] == []
    assert web.get("/api/log", params={"tool": "forget"}).json()["batches"] == []


def test_an_undo_answers_as_on_the_command_line_and_shows_in_the_log(web: TestClient, tmp_path: Path) -> None:
    """The batch, how much, what is left to review, and the batch that takes it back in turn."""
    batch = log(web)["batches"][0]
    undone = web.post("/api/undo", json={"batch": batch["batch"][:-1], "session": "tidying"})
    assert undone.status_code == 200, undone.text
    answer = undone.json()
    assert answer.keys() == {"batch", "reverted", "conflicts", "undo_batch"}
    assert (answer["batch"], answer["conflicts"]) == (batch["batch"], [])
    first, second = log(web)["batches"][:2]
    assert (first["batch"], first["tool"], first["session"]) == (answer["undo_batch"], "undo", "tidying")
    assert (second["state"], second["undone_by"]) == ("undone", answer["undo_batch"])
    with door(tmp_path) as ann:
        assert ann.graph.log.batch(answer["undo_batch"])[0].actor == "ann"
    again = web.post("/api/undo", json={"batch": answer["undo_batch"]})
    assert again.status_code == 200
    assert log(web)["batches"][2]["state"] == "stands"


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({}, 400, "INVALID_ARGUMENT"),
        ({"batch": " "}, 400, "INVALID_ARGUMENT"),
        ({"batch": 7}, 400, "INVALID_ARGUMENT"),
        ({"batch": "nowhere"}, 404, "NOT_FOUND"),
        ({"batch": "0", "force": True}, 400, "INVALID_ARGUMENT"),
        ([], 400, "INVALID_ARGUMENT"),
    ],
)
def test_an_undo_that_cannot_be_done_says_why(web: TestClient, body: Any, status: int, code: str) -> None:  # noqa: ANN401
    """And writes nothing."""
    before = log(web)
    refused = web.post("/api/undo", json=body)
    assert (refused.status_code, refused.json()["error"]) == (status, code)
    assert refused.json()["hint"]
    assert log(web) == before


def test_an_undo_that_was_done_is_a_conflict_and_a_prefix_of_many_is_ambiguous(web: TestClient) -> None:
    """409, with the candidates; one that is too short names none."""
    batch = log(web)["batches"][0]["batch"]
    assert web.post("/api/undo", json={"batch": batch}).status_code == 200
    again = web.post("/api/undo", json={"batch": batch})
    assert (again.status_code, again.json()["error"]) == (409, "CONFLICT")
    short = web.post("/api/undo", json={"batch": batch[:2]})
    assert (short.status_code, short.json()["error"]) == (400, "INVALID_ARGUMENT")
    assert "8 characters or more" in short.json()["message"]
    several = web.post("/api/undo", json={"batch": batch[:8]})
    assert (several.status_code, several.json()["error"]) == (409, "AMBIGUOUS")
    assert several.json()["candidates"]


def test_a_form_of_another_site_cannot_undo(web: TestClient) -> None:
    """It cannot declare JSON, and its origin is another."""
    batch = log(web)["batches"][0]["batch"]
    assert web.post("/api/undo", data={"batch": batch}).status_code == 400
    cross = web.post("/api/undo", json={"batch": batch}, headers={"Origin": "https://evil.example"})
    assert cross.status_code == 403
    assert log(web)["batches"][0]["batch"] == batch


def test_who_looks_at_undo_is_told_what_there_is(web: TestClient) -> None:
    """Not by the files' «Not Found»."""
    assert web.get("/api/undo").json()["error"] == "NOT_FOUND"


def test_a_reader_cannot_undo_over_http(tmp_path: Path) -> None:
    """Nor can a contributor; each reads the log. The refusal names the tier, and nothing is written."""
    tokens = issued(tmp_path)
    with serving(tmp_path) as held, visiting(held) as web:
        assert web.get("/api/log").status_code == web.post("/api/undo", json={"batch": "0"}).status_code == 401
        note = {"content": NOTES[0], "kind": "claim"}
        batch = web.post("/api/tools/capture", json=note, headers=bearer(tokens["contributor"])).json()["batch"]
        for role in ("reader", "contributor"):
            assert web.get("/api/log", headers=bearer(tokens[role])).json()["batches"][0]["actor"] == "carl"
            refused = web.post("/api/undo", json={"batch": batch}, headers=bearer(tokens[role]))
            assert (refused.status_code, refused.json()["error"]) == (403, "PERMISSION_DENIED")
            assert "librarian" in refused.json()["message"]
            assert "insufficient_scope" in refused.headers["www-authenticate"]
        assert len(held.graph().log.batch(batch)) == held.graph().log.head()
        done = web.post("/api/undo", json={"batch": batch}, headers=bearer(tokens["librarian"]))
        assert done.status_code == 200
        assert held.graph().log.batch(done.json()["undo_batch"])[0].actor == "lena"


def test_the_engine_refuses_an_undo_where_the_gate_would_not(tmp_path: Path) -> None:
    """A graph that was opened for reading takes nothing back, whoever the caller is said to be."""
    with door(tmp_path) as ann:
        batch = ann.call("capture", content=NOTES[0])["batch"]
    with serving(tmp_path, role="reader") as held, visitor(held) as web:
        caller = held.caller(held.own, client="http")
        held.caller = lambda *_, **__: type(caller)(  # type: ignore[method-assign]
            actor="eve", client="http", tier=Tier.CURATOR, id="eve"
        )
        refused = web.post("/api/undo", json={"batch": batch})
        assert (refused.status_code, refused.json()["error"]) == (403, "PERMISSION_DENIED")
        assert held.graph().log.head() == len(held.graph().log.batch(batch))


def test_a_server_that_only_reads_has_no_undo(tmp_path: Path) -> None:
    """404, as of any call that is not there; the log is read."""
    with door(tmp_path) as ann:
        batch = ann.call("capture", content=NOTES[0])["batch"]
    with serving(tmp_path, read_only=True) as held, visitor(held) as web:
        refused = web.post("/api/undo", json={"batch": batch})
        assert (refused.status_code, refused.json()["error"]) == (404, "NOT_FOUND")
        assert log(web)["batches"][0]["batch"] == batch
        assert "/api/undo" not in web.get("/api/openapi.json").json()["paths"]
        assert "/api/log" in web.get("/api/openapi.json").json()["paths"]


def test_a_reader_is_not_told_of_undo_in_the_description(tmp_path: Path) -> None:
    """As of no tool that is out of reach."""
    with door(tmp_path):
        pass
    for role, there in (("reader", False), ("contributor", False), ("librarian", True)):
        with serving(tmp_path, role=role) as held, visitor(held) as web:
            assert ("/api/undo" in web.get("/api/openapi.json").json()["paths"]) is there


def test_answers_are_what_the_description_says(web: TestClient) -> None:
    """The schemas hold for real ones."""
    paths = web.get("/api/openapi.json").json()["paths"]
    answers = {"log": log(web, limit=1), "vocabulary": web.get("/api/vocabulary").json()}
    answers["counts"] = web.get("/api/counts").json()
    answers["map"] = web.get("/api/map").json()
    answers["text"] = web.get("/api/text", params={"node": NOTES[0]}).json()
    answers["undo"] = web.post("/api/undo", json={"batch": answers["log"]["batches"][0]["batch"]}).json()
    for verb in VERBS:
        operation = paths[f"/api/{verb.name}"]["post" if verb.writes else "get"]
        schema = operation["responses"]["200"]["content"]["application/json"]["schema"]
        Draft202012Validator(schema).validate(answers[verb.name])
        assert answers[verb.name].keys() <= schema["properties"].keys()
    named = {each["name"] for each in paths["/api/log"]["get"]["parameters"]}
    assert named == {"node", "actor", "client", "tool", "session", "since", "until", "before", "limit"}


def test_the_calls_are_counted(web: TestClient) -> None:
    """As those of tools are."""
    web.post("/api/undo", json={"batch": "nowhere"})
    log(web)
    counts = web.get("/metrics").text
    assert 'weft_calls_total{outcome="not_found",tool="undo"} 1.0' in counts
    assert 'weft_calls_total{outcome="ok",tool="log"} 1.0' in counts


def test_a_page_that_does_not_fit_into_one_answer_goes_on_in_the_next(tmp_path: Path) -> None:
    """Nothing is lost between them, however long the titles are."""
    with door(tmp_path) as ann:
        for number in range(60):
            ann.call("capture", content=f"{number} {'水' * 180}", title=f"{number} {'水' * 180}", kind="claim")
        newest = [change.batch for change in ann.graph.log.since(0, limit=1_000)]
    with serving(tmp_path) as held, visitor(held) as web:
        first = log(web, limit=100)
        assert len(json.dumps(first, ensure_ascii=False).encode()) < BUDGET + 2_000
        found, page = list(first["batches"]), first
        assert "next_before" in page
        while "next_before" in page:
            page = log(web, limit=100, before=page["next_before"])
            assert len(answer_text(page).encode()) <= BUDGET
            found += page["batches"]
    assert [each["batch"] for each in found] == list(dict.fromkeys(reversed(newest)))


def test_a_long_text_is_read_whole_part_by_part(web: TestClient) -> None:
    """The parts joined are the text, to the letter, however many bytes each takes; ``fetch`` shortens it."""
    content = "🦔 hedgehogs, " * 2_000 + "and a fox."
    made = capture(web, content, title="Hedgehogs")
    parts, offset = [], 0
    while offset is not None:
        answered = web.get("/api/text", params={"node": made["id"], "offset": offset})
        assert len(answered.content) <= BUDGET
        part = answered.json()
        assert (part["id"], part["length"], part["version"]) == (made["id"], len(content), 1)
        parts.append(part["text"])
        offset = part.get("next_offset")
    assert len(parts) > 2
    assert "".join(parts) == content
    assert web.get("/api/text", params={"node": "Hedgehogs", "offset": 10**9}).json()["text"] == ""


def test_the_vocabulary_says_what_a_relation_type_means(web: TestClient) -> None:
    """Direction and polarity, which a drawing goes by; the graph's own names stand beside the standard ones."""
    told = web.get("/api/vocabulary").json()
    types = {each["name"]: each for each in told["types"]}
    assert types["contradicts"]["symmetric"]
    assert types["contradicts"]["polarity"] < 0 < types["supports"]["polarity"]
    assert {"claim", "decision"} <= {each["name"] for each in told["kinds"]}
