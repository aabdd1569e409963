"""The memory of use in a file keeps every promise of the shipped contract, and never stands in the way."""

from __future__ import annotations

import stat
import time
from datetime import timedelta
from typing import TYPE_CHECKING

import apsw
import pytest

from store.killing import context
from weft.store import open_usage
from weft.testing.making import AT
from weft.testing.usage import UsageContract

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from weft.store import SqliteUsage

HOUR = timedelta(hours=1)


class TestSqlite(UsageContract):
    """A memory in one file."""

    def open(self, place: Path) -> SqliteUsage:
        """Open the file at ``place``."""
        return open_usage(place / "graph.usage.db")


@pytest.fixture
def usage(tmp_path: Path) -> Iterator[SqliteUsage]:
    """A memory of use, not yet used."""
    usage = open_usage(tmp_path / "graph.usage.db")
    yield usage
    usage.close()


def test_the_file_is_its_owner_s(tmp_path: Path, usage: SqliteUsage) -> None:
    """Nobody else reads what was looked for."""
    usage.touch(["a"], at=AT)
    assert usage.uses(["a"]) == {"a": (1, AT)}
    assert stat.S_IMODE((tmp_path / "graph.usage.db").stat().st_mode) == 0o600


def test_a_locked_file_delays_nobody_and_what_was_meant_for_it_waits(tmp_path: Path, usage: SqliteUsage) -> None:
    """Every call comes back within 50 ms on average; notes made meanwhile are told, and written when the lock goes."""
    usage.note(caller="ada", event="searched", subject="before", at=AT)
    blocker = apsw.Connection(str(tmp_path / "graph.usage.db"))
    blocker.execute("BEGIN IMMEDIATE")
    started = time.perf_counter()
    for number in range(10):
        usage.note(caller="ada", event="searched", subject=f"{number}", at=AT + number * HOUR)
        usage.touch(["a"], at=AT)
    assert usage.noted(caller="ada", event="searched", since=AT)[:2] == ("9", "8")
    assert usage.uses(["a"]) == {}
    assert (time.perf_counter() - started) / 22 < 0.05
    blocker.execute("ROLLBACK")
    blocker.close()
    usage.touch(["b"], at=AT)
    assert usage.uses(["a", "b"]) == {"a": (10, AT), "b": (1, AT)}
    assert len(usage.noted(caller="ada", event="searched", since=AT)) == 11


def test_a_file_that_cannot_be_made_costs_no_call(tmp_path: Path) -> None:
    """A missing folder stands for every such failure."""
    usage = open_usage(tmp_path / "missing" / "graph.usage.db")
    usage.touch(["a"], at=AT)
    usage.note(caller="ada", event="searched", subject="ice", at=AT)
    assert usage.uses(["a"]) == usage.tallies() == {}
    assert usage.noted(caller="ada", event="searched", since=AT) == ("ice",)
    usage.close()


def test_another_applications_file_is_left_alone(tmp_path: Path) -> None:
    """Not a byte of it changes."""
    path = tmp_path / "graph.usage.db"
    path.write_bytes(b"Dear diary, " * 100)
    usage = open_usage(path)
    usage.touch(["a"], at=AT)
    assert usage.uses(["a"]) == {}
    usage.close()
    assert path.read_bytes() == b"Dear diary, " * 100
    assert list(tmp_path.iterdir()) == [path]


def test_a_ruined_memory_begins_anew(tmp_path: Path) -> None:
    """A power cut may ruin an unsynced file; hints are lost, no more."""
    path = tmp_path / "graph.usage.db"
    usage = open_usage(path)
    usage.touch(["a"], at=AT)
    usage.close()
    path.write_bytes(path.read_bytes()[:100] + bytes(8000))
    again = open_usage(path)
    again.touch(["b"], at=AT)
    assert again.uses(["a", "b"]) == {"b": (1, AT)}
    again.close()


def _touch_often(path: Path) -> None:
    usage = open_usage(path)
    for _ in range(50):
        usage.touch(["a"], at=AT)
        usage.note(caller="ada", event="searched", subject="ice", at=AT)
    usage.close()


def test_processes_share_one_memory(tmp_path: Path) -> None:
    """Made by all at once, and used by all at once; what little may be lost is hints."""
    path = tmp_path / "graph.usage.db"
    workers = [context().Process(target=_touch_often, args=(path,), daemon=True) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)
    assert [worker.exitcode for worker in workers] == [0] * 4
    usage = open_usage(path)
    assert usage.uses(["a"])["a"][0] > 100
    usage.close()
