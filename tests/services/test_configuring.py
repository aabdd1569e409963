"""The graph's configuration is read when it is opened, and another model's likeness is calibrated from the graph."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import weft
from embed.endpoint import Endpoint as Served
from engine import graph_at, place_at
from weft.errors import InvalidArgument, PermissionDenied
from weft.model import IngestRequest
from weft.settings import Endpoint, Settings

if TYPE_CHECKING:
    from pathlib import Path


def test_a_link_floor_holds_where_the_process_names_none(tmp_path: Path) -> None:
    """What the process was told itself wins."""
    held = Settings(graph=graph_at(tmp_path / "graph.db"), actor="ann")
    with weft.open(settings=held) as graph:
        graph.keeping.config.set("link_floor", "0.9", graph.call("config"))
        assert graph.settings.link_floor == 0.7
    with weft.open(settings=held) as graph:
        assert graph.settings.link_floor == 0.9
    told = Settings(graph=held.graph, actor="ann", link_floor=0.5)
    with weft.open(settings=told) as graph:
        assert graph.settings.link_floor == 0.5


def test_registered_creators_are_those_of_the_graph_and_of_the_process(tmp_path: Path) -> None:
    """Joined, each once."""
    held = Settings(graph=graph_at(tmp_path / "graph.db"), actor="ann", creators="bob,zoe")
    with weft.open(settings=held) as graph:
        graph.keeping.config.set("creators", "zoe,ida", graph.call("config"))
    with weft.open(settings=held) as graph:
        assert graph.settings.registered == ("bob", "zoe", "ida")


def test_only_a_curator_sets(tmp_path: Path) -> None:
    """A librarian is refused by the verb; the value stays."""
    path = graph_at(tmp_path / "graph.db")
    weft.open(settings=Settings(graph=path)).close()
    with weft.open(settings=Settings(graph=path, role="librarian")) as graph:
        with pytest.raises(PermissionDenied, match="curator"):
            graph.keeping.config.set("creators", "zoe", graph.call("config"))
        with pytest.raises(PermissionDenied, match="curator"):
            graph.keeping.config.calibrate(graph.call("calibrate"))
        assert graph.keeping.config.get("creators").value == ""
    with weft.open(settings=Settings(graph=path)) as graph, pytest.raises(InvalidArgument, match="fitted on pairs"):
        graph.keeping.config.calibrate(graph.call("calibrate"))


def test_another_models_likeness_is_fitted_from_the_graph_and_used_when_it_is_opened(tmp_path: Path) -> None:
    """Before, a cosine is taken for a similarity; with too few nodes there is nothing to fit on."""
    with Served() as served:
        endpoint = Endpoint(url=served.url, model="far", dimension=384)
        settings = Settings(graph=place_at(tmp_path / "graph.db"), actor="ann", embed=endpoint)
        with weft.open(settings=settings) as graph:
            before = graph.embedder.calibration
            with pytest.raises(InvalidArgument, match="100"):
                graph.keeping.config.calibrate(graph.call("calibrate"))
            paragraphs = (f"## Note {number}\n\n{text(number)}\n" for number in range(130))
            files = [tmp_path / "notes" / f"{number}.md" for number in range(130)]
            files[0].parent.mkdir()
            for file, paragraph in zip(files, paragraphs, strict=True):
                file.write_text(paragraph, encoding="utf-8")
            request = IngestRequest(paths=(files[0].parent,), roots=(files[0].parent,))
            graph.ingest.ingest(request, graph.call("ingest"))
            fitted = graph.keeping.config.calibrate(graph.call("calibrate"))
            assert fitted.nodes >= 130
            assert [level for _, level in fitted.points] == [0.0, 0.5, 0.7, 0.85, 0.95, 1.0]
        with weft.open(settings=settings) as graph:
            assert graph.embedder.calibration.points == fitted.points != before.points
            assert graph.keeping.doctor(graph.call("doctor")).findings == ()


def text(number: int) -> str:
    """Return a sentence that no other number gives."""
    things = (
        "river",
        "engine",
        "violin",
        "tax",
        "orchid",
        "glacier",
        "payroll",
        "comet",
        "bakery",
        "treaty",
        "harbour",
    )
    deeds = ("crosses", "outlasts", "measures", "feeds", "ignores", "explains", "carries")
    return f"The {things[number % 11]} {deeds[number % 7]} the {things[(number * 5 + 3) % 11]} in year {1500 + number}."
