"""What the tests of the verbs share: the bundled model, and a graph on disk with the verbs that write it."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from embed.remembered import BUNDLED
from services.desk import opened

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from services.desk import Desk
    from weft.model import Tier
    from weft.ports import Embedder


@pytest.fixture(scope="session")
def embedder() -> Embedder:
    """The bundled model, loaded once for all tests."""
    return BUNDLED


@pytest.fixture
def desk(tmp_path: Path, embedder: Embedder) -> Iterator[Desk]:
    """An empty graph named ``notes``."""
    with opened(tmp_path / "notes.db", embedder) as graph:
        yield graph


@pytest.fixture
def second(tmp_path: Path, desk: Desk, embedder: Embedder) -> Iterator[Desk]:
    """The same graph, opened a second time."""
    with opened(tmp_path / "notes.db", embedder) as graph:
        yield replace(graph, ticks=desk.ticks)


@pytest.fixture
def desk_of(tmp_path: Path, desk: Desk, embedder: Embedder) -> Iterator[Callable[[Tier], Desk]]:
    """The same graph, opened with a lower tier."""
    with ExitStack() as doors:

        def door(tier: Tier) -> Desk:
            return replace(doors.enter_context(opened(tmp_path / "notes.db", embedder, tier=tier)), ticks=desk.ticks)

        yield door
