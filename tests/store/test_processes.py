"""Several processes and one graph: nothing is lost, nothing is refused, nothing is half there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from store.captures import boast_until_killed, opened
from store.killing import context, kill_writers, write_at_once
from store.soundness import faults
from weft.model import Filter, Page

if TYPE_CHECKING:
    from pathlib import Path

SEED = 20261121


@pytest.mark.parametrize("count", [25, pytest.param(200, marks=pytest.mark.slow)])
def test_eight_processes_writing_at_once_lose_nothing_and_see_each_other_at_once(tmp_path: Path, count: int) -> None:
    """Each write is there for the neighbour the moment it is acknowledged, and no process meets an error."""
    ring = write_at_once(tmp_path / "graph.db", processes=8, count=count)
    assert ring.exit_codes == [0] * 8
    assert ring.seen == 8 * count
    graph = opened(tmp_path / "graph.db")
    held = graph.store.find(Filter(), Page()).total + graph.store.counts().retired
    graph.close()
    assert held == 8 * count
    assert faults(tmp_path / "graph.db") == []


def _open_once(path: Path) -> None:
    graph = opened(path)
    assert graph.store.counts().nodes == 0
    graph.close()


def test_eight_processes_may_make_one_graph_at_once(tmp_path: Path) -> None:
    """One makes it, the others find it whole. Of two that close at once neither may be the last, so one more does."""
    path = tmp_path / "new" / "graph.db"
    workers = [context().Process(target=_open_once, args=(path,), daemon=True) for _ in range(8)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)
    assert [worker.exitcode for worker in workers] == [0] * 8
    _open_once(path)
    assert {file.name for file in path.parent.iterdir()} == {"graph.db", "graph.db.lock"}
    assert faults(path) == []


@pytest.mark.parametrize("kills", [200, pytest.param(10_000, marks=[pytest.mark.slow, pytest.mark.timeout(7200)])])
def test_a_killed_writer_loses_nothing_it_acknowledged(tmp_path: Path, kills: int) -> None:
    """After every kill -9 the graph opens as it is: all acknowledged is there, and everything derived agrees."""
    toll = kill_writers(tmp_path, kills=kills, seed=SEED)
    assert toll.wrong == []
    assert toll.acknowledged > kills


def test_a_writer_that_speaks_before_the_deed_is_found_out(tmp_path: Path) -> None:
    """The twin: kills that never hit the middle of a write would prove nothing."""
    toll = kill_writers(tmp_path, kills=20, seed=SEED, work=boast_until_killed)
    assert any("was acknowledged and is lost" in each for each in toll.wrong)
    assert all("was acknowledged and is lost" in each for each in toll.wrong)
