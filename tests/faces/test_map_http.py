"""``GET /api/map``: the map of the graph as whoever draws it gets it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from doors import door, serving, visitor
from team import bearer, issue, visiting
from weft.model import CaptureRequest, Linking
from weft.tools.rendering import BUDGET

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from starlette.testclient import TestClient

    from doors import Door

NAMES = ("Herring", "Plankton", "Currents", "Nets")


def note(ann: Door, **fields: str) -> None:
    """Write something down that nothing is related to."""
    ann.graph.capture.capture(CaptureRequest(linking=Linking.NONE, **fields), ann.graph.call("capture"))


@pytest.fixture
def web(tmp_path: Path) -> Iterator[TestClient]:
    """An HTTP client of a server of a graph of four nodes and two relations."""
    with door(tmp_path) as ann:
        for name in NAMES:
            note(ann, title=name, content=f"{name}, as such.", kind="concept", ontology="sea")
        for source in ("Plankton", "Nets"):
            ann.call("relate", source=source, target="Herring", type="affects", reasoning="As was seen.")
    with serving(tmp_path, role="reader") as held, visitor(held) as connected:
        yield connected


def mapped(web: TestClient, **asked: object) -> dict[str, Any]:
    """Return the map over HTTP."""
    said = web.get("/api/map", params=asked)
    assert said.status_code == 200, said.text
    return dict(said.json())


def test_a_map_has_its_nodes_and_its_relations_by_their_places(web: TestClient) -> None:
    """The best related first; whole ids, and how many there are in all."""
    found = mapped(web)
    assert [(each["title"], each["relation_count"]) for each in found["nodes"]] == [
        ("Herring", 2),
        ("Nets", 1),
        ("Plankton", 1),
        ("Currents", 0),
    ]
    assert found["nodes"][0].keys() == {"id", "title", "kind", "ontology", "relation_count"}
    assert {(each["source"], each["target"], each["type"], each["origin"]) for each in found["relations"]} == {
        (1, 0, "affects", "manual"),
        (2, 0, "affects", "manual"),
    }
    assert (found["nodes_total"], found["relations_total"], found["looked_at"]) == (4, 2, 4)
    assert (found["ontologies"], found["kinds"]) == ({"sea": 4}, {"concept": 4})


def test_a_map_is_narrowed_by_what_stands_in_the_address(web: TestClient) -> None:
    """A blank one is not given."""
    assert len(mapped(web, limit=2, kind="")["nodes"]) == 2
    assert mapped(web, ontology="nowhere")["nodes"] == []
    assert len(mapped(web, ontology="sea", kind="concept")["nodes"]) == 4


@pytest.mark.parametrize(
    ("query", "said"), [("limit=0", "limit: "), ("limit=501", "limit: "), ("kind=fish", "kind"), ("size=3", "size: ")]
)
def test_what_is_asked_wrongly_is_refused_in_the_form_of_every_face(web: TestClient, query: str, said: str) -> None:
    """Code, message and hint; the message names the field."""
    refused = web.get(f"/api/map?{query}")
    assert refused.status_code == 400, refused.text
    assert refused.json()["message"].startswith(said)


def test_the_largest_map_is_not_cut(tmp_path: Path) -> None:
    """An answer that is read is held to a size; of a map that is cut the relations would lead nowhere."""
    with door(tmp_path) as ann:
        for number in range(120):
            title = f"{number} {'水' * 190}"
            note(ann, title=title, content=title, kind="claim", ontology="水" * 200)
    with serving(tmp_path) as held, visitor(held) as web:
        answer = web.get("/api/map")
        assert len(answer.content) > BUDGET
        assert len(answer.json()["nodes"]) == answer.json()["nodes_total"] == 120
        assert "left_out" not in answer.json()


def test_a_reader_s_token_is_enough_and_none_is_not(tmp_path: Path) -> None:
    """As for everything that only reads."""
    reader = issue(tmp_path, actor="rita", role="reader")
    with serving(tmp_path) as held, visiting(held) as web:
        assert web.get("/api/map").status_code == 401
        assert web.get("/api/map", headers=bearer(reader)).status_code == 200
