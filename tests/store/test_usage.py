"""The memory of use remembers what it can and never stands in the way."""

from __future__ import annotations

import stat
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import TYPE_CHECKING

import apsw
import pytest

from store.killing import context
from weft.store import open_usage
from weft.testing.making import AT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from weft.store import SqliteUsage

HOUR = timedelta(hours=1)


@pytest.fixture
def usage(tmp_path: Path) -> Iterator[SqliteUsage]:
    """A memory of use, not yet used."""
    usage = open_usage(tmp_path / "graph.usage.db")
    yield usage
    usage.close()


def test_uses_are_counted_and_the_last_one_is_known(usage: SqliteUsage) -> None:
    """Once a node and touch; an earlier touch that comes late does not turn the clock back."""
    usage.touch(["a", "b"], at=AT + HOUR)
    usage.touch(["a", "a"], at=AT)
    assert usage.uses(["a", "b", "c"]) == {"a": (3, AT + HOUR), "b": (1, AT + HOUR)}
    assert usage.uses([]) == {}


def test_what_a_caller_did_is_noted_newest_first(usage: SqliteUsage) -> None:
    """By caller, by event, since a time; each subject once."""
    for hours, subject in enumerate(("ice", "water", "ice", "steam")):
        usage.note(caller="ada", event="searched", subject=subject, at=AT + hours * HOUR)
    usage.note(caller="bob", event="searched", subject="salt", at=AT)
    usage.note(caller="ada", event="nudged", subject="ice", at=AT)
    assert usage.noted(caller="ada", event="searched", since=AT) == ("steam", "ice", "water")
    assert usage.noted(caller="ada", event="searched", since=AT + 3 * HOUR) == ("steam",)
    assert usage.noted(caller="eve", event="searched", since=AT) == ()
    assert usage.tallies() == {"searched": 5, "nudged": 1}


def test_at_most_two_hundred_subjects_are_told(usage: SqliteUsage) -> None:
    """The newest of them."""
    for number in range(250):
        usage.note(caller="ada", event="searched", subject=str(number), at=AT + number * HOUR / 60)
    noted = usage.noted(caller="ada", event="searched", since=AT)
    assert (len(noted), noted[0], noted[-1]) == (200, "249", "50")


def test_it_is_there_for_the_next_process_and_forgets_after_ninety_days(tmp_path: Path) -> None:
    """What is older than that, counted from the newest note, is let go at the next opening."""
    path = tmp_path / "graph.usage.db"
    usage = open_usage(path)
    for days, subject in ((0, "old"), (30, "middle"), (100, "new")):
        usage.note(caller="ada", event="searched", subject=subject, at=AT + timedelta(days=days))
    usage.touch(["a"], at=AT)
    usage.close()
    again = open_usage(path)
    assert again.noted(caller="ada", event="searched", since=AT) == ("new", "middle")
    assert again.uses(["a"]) == {"a": (1, AT)}
    assert again.tallies() == {"searched": 3}
    again.close()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


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


def test_a_closed_memory_stays_silent(usage: SqliteUsage) -> None:
    """Late calls of background work find nothing and break nothing."""
    usage.touch(["a"], at=AT)
    usage.close()
    usage.touch(["a"], at=AT)
    assert usage.uses(["a"]) == {}


def test_threads_count_every_use(usage: SqliteUsage) -> None:
    """What one thread could not write in time, the next one writes."""
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: usage.touch(["a"], at=AT), range(200)))
    usage.touch(["b"], at=AT)
    assert usage.uses(["a"]) == {"a": (200, AT)}


def test_what_is_noted_is_written_soon_without_being_asked_for(tmp_path: Path, usage: SqliteUsage) -> None:
    """Another process, for which the second opening stands, knows of it a moment later."""
    usage.note(caller="ada", event="searched", subject="ice", at=AT)
    other = open_usage(tmp_path / "graph.usage.db")
    patience = time.monotonic() + 5
    while not other.tallies() and time.monotonic() < patience:
        pass
    assert other.noted(caller="ada", event="searched", since=AT) == ("ice",)
    other.close()


def test_a_flood_of_uses_pushes_none_out(usage: SqliteUsage) -> None:
    """More than waits in memory at most."""
    for _ in range(30):
        usage.touch([f"{number}" for number in range(100)], at=AT)
    assert {count for count, _ in usage.uses([f"{number}" for number in range(100)]).values()} == {30}


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
