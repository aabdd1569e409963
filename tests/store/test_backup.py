"""Backups are whole, whoever writes meanwhile and whatever dies; restoring verifies, excludes others, and keeps."""

from __future__ import annotations

import os
import stat
from datetime import UTC, datetime
from itertools import islice
from typing import TYPE_CHECKING

import apsw
import pytest

from store.captures import captures, opened, write_until_killed
from store.killing import WAIT_S, context
from store.soundness import content, faults
from weft.errors import CannotOpen, Conflict, InvalidArgument, Unavailable
from weft.store import restore_sqlite
from weft.store.backup import part_of
from weft.store.migrate import newest_schema
from weft.testing.making import a_batch, a_node, saved

if TYPE_CHECKING:
    from multiprocessing.connection import Connection as Pipe
    from pathlib import Path

AT = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)
KILLS = 20


def filled(path: Path, count: int = 40) -> Path:
    """Make a graph of ``count`` captures."""
    graph = opened(path)
    for batch, _ in islice(captures(3), count):
        graph.store.commit(batch)
    graph.close()
    return path


def backed_up(path: Path, target: Path, *, replace: bool = False) -> None:
    """Back the graph up, as another process that opens it would."""
    graph = opened(path)
    try:
        graph.health.copy(target, replace=replace)
    finally:
        graph.close()


def back_up_for_ever(path: Path, target: Path, tell: Pipe) -> None:
    """Make one backup after the other over the same file."""
    graph = opened(path)
    while True:
        tell.send_bytes(b"going")
        graph.health.copy(target, replace=True)


def hold_open(path: Path, tell: Pipe) -> None:
    """Keep the graph open, having read it once."""
    graph = opened(path)
    graph.store.counts()
    tell.send_bytes(b"open")
    tell.poll(WAIT_S)


def test_a_backup_is_the_same_graph_in_one_private_file(tmp_path: Path) -> None:
    """Sound, of the same content, readable by its owner alone, with no log beside it."""
    path, copy = filled(tmp_path / "graph.db"), tmp_path / "deep" / "copy.db"
    backed_up(path, copy)
    assert [file.name for file in copy.parent.iterdir()] == ["copy.db"]
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert content(copy) == content(path)
    assert faults(copy) == []


def test_a_file_that_is_there_is_replaced_only_when_asked_for(tmp_path: Path) -> None:
    """And the graph itself never is, under whatever name."""
    path, copy = filled(tmp_path / "graph.db", 3), tmp_path / "copy.db"
    copy.write_text("a letter")
    with pytest.raises(Conflict, match="there already"):
        backed_up(path, copy)
    assert copy.read_text() == "a letter"
    backed_up(path, copy, replace=True)
    assert faults(copy) == []
    (tmp_path / "alias.db").symlink_to(path)
    for same in (path, tmp_path / "alias.db"):
        with pytest.raises(InvalidArgument, match="graph itself"):
            backed_up(path, same, replace=True)
    with pytest.raises(InvalidArgument, match="folder"):
        backed_up(path, tmp_path)


def test_a_backup_holds_all_that_was_acknowledged_before_it_began_while_another_process_writes(tmp_path: Path) -> None:
    """Ten backups beside a writer that never pauses; each is sound, and the writer never fails."""
    path = tmp_path / "graph.db"
    opened(path).close()
    hear, tell = context().Pipe(duplex=False)
    writer = context().Process(target=write_until_killed, args=(path, 5, tell), daemon=True)
    writer.start()
    said: set[str] = set()
    try:
        for number in range(10):
            while hear.poll(0) or len(said) < 5 * (number + 1):
                assert hear.poll(WAIT_S)
                said.add(hear.recv_bytes().decode())
            before = set(said)
            copy = tmp_path / f"copy-{number}.db"
            backed_up(path, copy)
            graph = opened(copy)
            lost = [key for key in before if graph.store.receipt(actor="ada", tool="capture", key=key) is None]
            graph.close()
            assert lost == []
            assert faults(copy) == []
        assert writer.is_alive()
    finally:
        writer.kill()
        writer.join(WAIT_S)


def test_a_maker_that_is_killed_leaves_no_half_file_under_the_name(tmp_path: Path) -> None:
    """After twenty kills, more until one comes in the middle, the name holds a sound backup or nothing.

    What was left is cleared away by the next one.
    """
    path, copy = filled(tmp_path / "graph.db"), tmp_path / "copies" / "copy.db"
    copy.parent.mkdir()
    left = 0
    for number in range(100):
        if number >= KILLS and left:
            break
        hear, tell = context().Pipe(duplex=False)
        maker = context().Process(target=back_up_for_ever, args=(path, copy, tell), daemon=True)
        maker.start()
        assert hear.poll(WAIT_S)
        maker.join(0.001 * (number % KILLS))
        maker.kill()
        maker.join(WAIT_S)
        assert not copy.exists() or faults(copy) == []
        left += sum(file.name.endswith(".part") for file in copy.parent.iterdir())
    assert left, "no kill came in the middle"
    backed_up(path, copy, replace=True)
    assert {file.name for file in copy.parent.iterdir() if ".part" in file.name} == set()
    assert content(copy) == content(path)


@pytest.mark.parametrize("name", ["copy[1].db", "ö" * 126 + ".db"], ids=["a pattern's signs", "255 bytes"])
def test_a_backup_may_have_any_name_that_a_system_allows(tmp_path: Path, name: str) -> None:
    """The longest of 255 bytes too; and what its maker left unfinished is found under it."""
    path, copy = filled(tmp_path / "graph.db", 2), tmp_path / "copies" / name
    copy.parent.mkdir()
    with part_of(copy) as part:
        unfinished = part.name
    (copy.parent / unfinished).write_bytes(b"half a graph")
    backed_up(path, copy)
    assert [file.name for file in copy.parent.iterdir()] == [name]
    assert content(copy) == content(path)
    restored = tmp_path / "restored.db"
    restore_sqlite(restored, copy, at=AT)
    assert content(restored) == content(path)


def test_a_copy_that_another_process_is_making_is_left_alone(tmp_path: Path) -> None:
    """The twin of clearing away: its maker holds a lock on it."""
    target = tmp_path / "copy.db"
    with part_of(target) as one, part_of(target) as other:
        assert one != other
        assert one.exists()
        assert other.exists()


def test_a_damaged_graph_makes_no_backup(tmp_path: Path) -> None:
    """What does not hold together is refused, and no file appears."""
    path, copy = filled(tmp_path / "graph.db"), tmp_path / "copy.db"
    bent = bytearray(path.read_bytes())
    for page in range(12, len(bent) // 4096, 2):
        bent[page * 4096 : page * 4096 + 64] = b"\xff" * 64
    graph = opened(path)
    graph.store.counts()
    path.write_bytes(bytes(bent))
    graph.close()
    with pytest.raises(Unavailable):
        backed_up(path, copy)
    assert not copy.exists()
    assert not list(tmp_path.glob(".copy.db.*"))


def test_what_was_backed_up_comes_back_and_what_it_replaces_is_kept(tmp_path: Path) -> None:
    """Both graphs open and are sound afterwards; the backup is left as it is."""
    path, copy = filled(tmp_path / "graph.db"), tmp_path / "copy.db"
    backed_up(path, copy)
    then, bytes_then = content(path), copy.read_bytes()
    graph = opened(path)
    graph.store.commit(a_batch(saved(a_node("Written after the backup"))))
    graph.close()
    later = content(path)
    done = restore_sqlite(path, copy, at=AT)
    assert content(path) == then
    assert done.replaced == str(tmp_path / "graph.replaced-20261121T093000.db")
    aside = tmp_path / "graph.replaced-20261121T093000.db"
    assert content(aside) == later
    assert faults(path) == faults(aside) == []
    assert copy.read_bytes() == bytes_then
    assert not list(tmp_path.glob(".graph.db.*"))


def test_a_backup_makes_a_graph_where_there_was_none(tmp_path: Path) -> None:
    """On another machine, say."""
    copy = tmp_path / "copy.db"
    backed_up(filled(tmp_path / "graph.db"), copy)
    done = restore_sqlite(tmp_path / "elsewhere" / "graph.db", copy, at=AT)
    assert done.replaced == ""
    assert content(tmp_path / "elsewhere" / "graph.db") == content(tmp_path / "graph.db")


def test_a_graph_that_another_process_has_open_is_not_replaced(tmp_path: Path) -> None:
    """Even one that only waits; when it has gone, restoring works."""
    path, copy = filled(tmp_path / "graph.db"), tmp_path / "copy.db"
    backed_up(path, copy)
    before = content(path)
    hear, tell = context().Pipe()
    other = context().Process(target=hold_open, args=(path, tell), daemon=True)
    other.start()
    assert hear.poll(WAIT_S)
    with pytest.raises(Unavailable, match="Another process"):
        restore_sqlite(path, copy, at=AT)
    other.kill()
    other.join(WAIT_S)
    assert content(path) == before
    assert sorted(file.name for file in tmp_path.iterdir() if "replaced" in file.name) == []
    assert restore_sqlite(path, copy, at=AT).replaced


def test_a_process_whose_graph_was_replaced_after_all_writes_no_more(tmp_path: Path) -> None:
    """What it would acknowledge would be in a file that nobody opens."""
    path = filled(tmp_path / "graph.db", 3)
    graph = opened(path)
    graph.store.commit(a_batch(saved(a_node("Before"))))
    path.rename(tmp_path / "moved.db")
    filled(path, 3)
    with pytest.raises(Unavailable, match="replaced"):
        graph.store.commit(a_batch(saved(a_node("After"))))
    graph.close()


def a_newer_schema(path: Path) -> None:
    """Write a backup as a Weft of the future would."""
    raw = apsw.Connection(str(path))
    raw.execute(f"PRAGMA user_version = {newest_schema() + 1}")
    raw.close()


def a_changed_title(path: Path) -> None:
    """Change a row past its hash."""
    raw = apsw.Connection(str(path))
    of_nodes = "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = 'node'"
    for (name,) in raw.execute(of_nodes).fetchall():
        raw.execute(f"DROP TRIGGER {name}")
    raw.execute("UPDATE node SET title = 'x' WHERE row = 1")
    raw.close()


def a_cut_file(path: Path) -> None:
    """Lose the second half."""
    os.truncate(path, path.stat().st_size // 8192 * 4096)


def a_letter(path: Path) -> None:
    """Be no graph at all."""
    path.write_text("Dear Sir or Madam, " * 100)


@pytest.mark.parametrize("harm", [a_newer_schema, a_changed_title, a_cut_file, a_letter])
def test_a_backup_that_is_none_is_refused_before_anything_is_touched(tmp_path: Path, harm: object) -> None:
    """Newer, changed, cut, or something else; the graph stays byte for byte."""
    path, copy = filled(tmp_path / "graph.db"), tmp_path / "copy.db"
    backed_up(path, copy)
    assert callable(harm)
    harm(copy)
    before = path.read_bytes()
    with pytest.raises(CannotOpen):
        restore_sqlite(path, copy, at=AT)
    assert path.read_bytes() == before
    assert {file.name for file in tmp_path.iterdir()} <= {"graph.db", "graph.db.lock", "copy.db", "copy.db.lock"}


def test_a_graph_that_is_damaged_beyond_opening_is_replaced_and_kept(tmp_path: Path) -> None:
    """That is what backups are for."""
    path, copy = filled(tmp_path / "graph.db"), tmp_path / "copy.db"
    backed_up(path, copy)
    then = content(path)
    path.write_bytes(b"\0" * 4096 + path.read_bytes()[4096:])
    ruined = path.read_bytes()
    done = restore_sqlite(path, copy, at=AT)
    assert content(path) == then
    assert faults(path) == []
    assert (tmp_path / "graph.replaced-20261121T093000.db").read_bytes() == ruined
    assert done.replaced.endswith("graph.replaced-20261121T093000.db")


def test_the_graph_itself_and_a_missing_file_are_no_backups(tmp_path: Path) -> None:
    """Said before anything is touched."""
    path = filled(tmp_path / "graph.db", 2)
    for wrong in (path, tmp_path / "missing.db"):
        with pytest.raises(InvalidArgument):
            restore_sqlite(path, wrong, at=AT)
