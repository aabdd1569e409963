"""Index files are a help and never the truth: lost, cut, flipped or foreign, answers stay right, and they come back."""

from __future__ import annotations

import json
import os
import shutil
import time
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import pytest

from index.world import World, agrees, clustered, nearest, unit
from weft.index import Sizes
from weft.index.build import Builder
from weft.index.manifest import open_entry, read_manifest
from weft.index.segment import Unusable
from weft.model import Filter

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from weft.index import Index

# Nothing is built behind the test's back; BUSY builds as soon as there is something to build.
SIZES = Sizes(few_max=0)
BUSY = Sizes(exact_max=100, tail_max=5, few_max=0)
MADE = clustered(400, 8, clusters=60)


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    """A graph of 400 nodes with one index file, and ten nodes after it."""
    world = World(tmp_path / "graph.db")
    world.crowd(MADE)
    assert world.index(SIZES).rebuild()
    world.crowd(-MADE[:10])
    yield world
    world.close()


def folder_of(world: World) -> Path:
    """Return where the files lie."""
    return world.path.with_name("graph.index")


def file_of(world: World) -> Path:
    """Return the newest index file."""
    return max(folder_of(world).glob("*.usearch"), key=lambda path: path.stat().st_mtime_ns)


def right(world: World, index: Index) -> bool:
    """Return whether answers are those of a plain comparison."""
    asked = unit(MADE[::29] + 0.1)
    return all(
        agrees(index.nearest(ask, filter=Filter(), limit=5), nearest(world.held, ask, Filter(), 5)) for ask in asked
    )


def uses_files(world: World) -> bool:
    """Return whether the files that are there can be used."""
    feed = world.opened.passages
    try:
        manifest = read_manifest(folder_of(world), feed, feed.head())
        return all(open_entry(folder_of(world), entry, 8) for entry in manifest.entries)
    except Unusable:
        return False


def lose_file(world: World) -> None:
    """Delete the index file alone."""
    file_of(world).unlink()


def lose_contents(world: World) -> None:
    """Delete the table of contents alone."""
    (folder_of(world) / "vectors.json").unlink()


def lose_all(world: World) -> None:
    """Delete the folder."""
    shutil.rmtree(folder_of(world))


def cut(world: World) -> None:
    """Cut the file in half, as a full disk does."""
    os.truncate(file_of(world), file_of(world).stat().st_size // 2)


def empty(world: World) -> None:
    """Leave nothing in the file."""
    os.truncate(file_of(world), 0)


def flip(world: World, at: float, *, stamp: bool = False) -> None:
    """Turn one bit over; with ``stamp`` leave the time of writing as it was."""
    path = file_of(world)
    before = path.stat()
    body = bytearray(path.read_bytes())
    body[int(at * (len(body) - 1))] ^= 0x10
    path.write_bytes(body)
    if stamp:
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def garble(world: World) -> None:
    """Put something else where the table of contents was."""
    (folder_of(world) / "vectors.json").write_text('{"format": 1, "entries": 7}', "utf-8")


def not_json(world: World) -> None:
    """Put no JSON at all there."""
    (folder_of(world) / "vectors.json").write_bytes(b"\xff\x00{")


def older_form(world: World) -> None:
    """Name a form that this version does not read."""
    path = folder_of(world) / "vectors.json"
    path.write_text(json.dumps({**json.loads(path.read_text("utf-8")), "format": 0}), "utf-8")


FAULTS: dict[str, Callable[[World], None]] = {
    "file lost": lose_file,
    "contents lost": lose_contents,
    "all lost": lose_all,
    "cut": cut,
    "empty": empty,
    "flipped in the vectors": lambda world: flip(world, 0.1),
    "flipped in the graph": lambda world: flip(world, 0.9),
    "flipped at the end, unnoticed by its time": lambda world: flip(world, 1.0, stamp=True),
    "garbled": garble,
    "no json": not_json,
    "older form": older_form,
}


def test_files_that_are_whole_are_used(world: World) -> None:
    """The twin of all the faults below: without one, the files pass every check."""
    assert uses_files(world)
    assert right(world, world.index(SIZES))


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_a_fault_costs_time_and_never_an_answer(world: World, fault: Callable[[World], None]) -> None:
    """Found when a process opens the files; answers are right at once, and the files are whole again after a build."""
    fault(world)
    assert not uses_files(world)
    assert right(world, world.index(SIZES))
    assert Builder(world.opened.passages, folder_of(world), stopping=lambda: False).extend(wait_s=10)
    assert uses_files(world)
    assert right(world, world.index(SIZES))


@pytest.mark.parametrize("fault", [lose_file, lose_contents, lose_all], ids=lambda fault: fault.__name__)
def test_files_may_vanish_under_a_running_process(world: World, fault: Callable[[World], None]) -> None:
    """It goes on with what it has mapped, or without."""
    index = world.index(SIZES)
    assert right(world, index)
    fault(world)
    world.crowd(unit(MADE[:3] + 1))
    assert right(world, index)


def test_the_files_of_another_graph_are_not_believed(world: World, tmp_path: Path) -> None:
    """Same model, same dimension, as many passages: only the passages themselves tell them apart."""
    other = World(tmp_path / "other.db")
    other.crowd(clustered(410, 8, seed=9))
    shutil.copytree(folder_of(world), folder_of(other).with_name("other.index"))
    feed = other.opened.passages
    with pytest.raises(Unusable, match="other passages"):
        read_manifest(tmp_path / "other.index", feed, feed.head())
    assert right(other, other.index(SIZES))
    other.close()


def test_the_files_of_a_later_state_are_not_believed(world: World, tmp_path: Path) -> None:
    """A graph put back to a backup has passages of other content under the same rows."""
    old = World(tmp_path / "old.db")
    old.crowd(MADE[:100])
    shutil.copytree(folder_of(world), tmp_path / "old.index")
    assert right(old, old.index(SIZES))
    old.crowd(clustered(400, 8, seed=4))
    assert right(old, old.index(SIZES))
    old.close()


def test_a_name_in_the_table_of_contents_never_leads_out_of_the_folder(world: World, tmp_path: Path) -> None:
    """What is read from a file is not a path."""
    feed = world.opened.passages
    manifest = read_manifest(folder_of(world), feed, feed.head())
    shutil.move(file_of(world), tmp_path / file_of(world).name)
    entry = manifest.entries[0]
    with pytest.raises(Unusable, match="cannot be read"):
        open_entry(folder_of(world), replace(entry, file=f"../{entry.file}"), 8)


def test_another_process_s_new_files_are_taken_up_without_a_restart(world: World) -> None:
    """And what the old ones covered is not looked for twice."""
    first, second = world.index(SIZES), world.index(SIZES)
    assert right(world, first)
    assert second.rebuild()
    assert right(world, first)
    assert len(list(folder_of(world).glob("*.usearch"))) == 1


def test_files_come_about_by_themselves_once_there_is_enough(world: World) -> None:
    """A search that finds much in memory has it put into a file, and does not wait for it."""
    index = world.index(BUSY)
    wait_until(lambda: right(world, index) and len(list(folder_of(world).glob("*.usearch"))) == 2)
    lose_all(world)
    wait_until(lambda: right(world, index) and uses_files(world))


def wait_until(holds: Callable[[], bool]) -> None:
    """Wait up to 60 seconds, and fail then."""
    until = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < until, "it never came to that"


def test_where_no_file_can_be_written_search_goes_on(world: World, caplog: pytest.LogCaptureFixture) -> None:
    """A disk that refuses is logged once a try."""
    shutil.rmtree(folder_of(world))
    folder_of(world).write_text("in the way", "utf-8")
    index = world.index(SIZES)
    assert not index.rebuild()
    assert "could not be written" in caplog.text
    assert right(world, index)


def test_an_index_that_would_miss_neighbours_is_thrown_away(
    world: World, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was built is searched before it is kept: here one that cannot reach the bar is not."""
    shutil.rmtree(folder_of(world))
    monkeypatch.setattr("weft.index.build._RECALL_MIN", 1.1)
    assert not world.index(SIZES).rebuild()
    assert "thrown away" in caplog.text
    assert not list(folder_of(world).glob("*.usearch"))
    assert right(world, world.index(SIZES))


def test_a_build_that_is_called_off_leaves_what_was_there(world: World) -> None:
    """Closing a process does not wait for a build."""
    builder = Builder(world.opened.passages, folder_of(world), stopping=lambda: True)
    before = sorted(folder_of(world).iterdir())
    assert not builder.rebuild(wait_s=1)
    assert sorted(folder_of(world).iterdir()) == before
    assert uses_files(world)


def test_what_a_killed_build_left_is_swept_away_by_the_next(world: World) -> None:
    """Half a file under a temporary name is never read."""
    left = folder_of(world) / "vectors-9-dead.usearch.new"
    left.write_bytes(b"half")
    assert uses_files(world)
    assert world.index(SIZES).rebuild()
    assert not left.exists()


def test_files_form_a_ladder(tmp_path: Path) -> None:
    """Ten extensions of a graph leave few files, each at least twice the next, which together hold everything once."""
    world = World(tmp_path / "graph.db")
    feed = world.opened.passages
    builder = Builder(feed, folder_of(world), stopping=lambda: False)
    for at in range(10):
        world.crowd(unit(np.random.default_rng(at).standard_normal((20, 8)).astype(np.float32)))
        assert builder.extend(wait_s=1)
        counts = [entry.count for entry in read_manifest(folder_of(world), feed, feed.head()).entries]
        assert sum(counts) == 20 * (at + 1)
        assert all(one >= 2 * next_one for one, next_one in pairwise(counts))
    assert len(counts) <= 4
    assert right(world, world.index(SIZES))
    world.close()


def test_where_much_has_ended_everything_is_made_anew(world: World) -> None:
    """Ended passages would crowd out those that stand."""
    for id_ in sorted(world.held)[:300]:
        world.retire(id_)
    feed = world.opened.passages
    assert right(world, world.index(SIZES))
    assert Builder(feed, folder_of(world), stopping=lambda: False).extend(wait_s=1)
    assert read_manifest(folder_of(world), feed, feed.head()).count == len(world.held)
    assert right(world, world.index(SIZES))


def test_building_lets_others_go_first_every_few_passages(world: World) -> None:
    """An index holds Python's lock while it is added to: 1,000 passages at once kept every thread waiting 0.3 s."""
    pauses: list[None] = []
    builder = Builder(
        world.opened.passages, folder_of(world), stopping=lambda: False, pause=lambda: pauses.append(None)
    )
    assert builder.rebuild(wait_s=1)
    assert len(pauses) >= len(MADE) / 4
