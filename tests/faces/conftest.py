"""Where the command line is tried: nothing of whoever runs the tests, and nothing of an earlier test."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from engine import graph_at, server
from faces.prompt import forget_settings
from weft.faces.lines import repeat

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(autouse=True)
def nothing_repeated() -> None:
    """Commands that are shown name no graph for a command line that ran in this process before."""
    repeat()


@pytest.fixture
def at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in an empty folder, with no graph above it and none of the user's."""
    forget_settings(monkeypatch)
    monkeypatch.setenv("WEFT_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def at_home_or_served(at_home: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: ARG001 - it acts
    """Work there; where graphs lie in a server, on one of the test's own."""
    if server:
        monkeypatch.setenv("WEFT_GRAPH", graph_at(tmp_path / "graph.db"))


@pytest.fixture
def on_notes(at_home: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: ARG001 - it acts
    """Work there on a graph of the test's own, ``notes.db``."""
    monkeypatch.setenv("WEFT_GRAPH", graph_at(tmp_path / "notes.db"))
