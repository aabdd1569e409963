"""A graph that this user may not write to is read: never wrongly, never written, and with nothing left beside it."""

from __future__ import annotations

import shutil
import subprocess
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from store.bystander import Bystander, Refused, obey_modes
from store.captures import opened
from store.killing import WAIT_S, context
from weft.errors import PermissionDenied, Unavailable
from weft.model import Filter, Page, Tier
from weft.store.migrate import newest_schema
from weft.store.reading import MEANWHILE, ReadDatabase
from weft.store.reembedding import moving_file
from weft.store.sqlite import Connection, connect, connect_reading
from weft.testing.making import a_batch, a_node, saved

if TYPE_CHECKING:
    from collections.abc import Iterator
    from multiprocessing.connection import Connection as Pipe
    from multiprocessing.sharedctypes import Synchronized
    from multiprocessing.synchronize import Event
    from pathlib import Path

    from weft.store import OpenedFile

MODES = {"the file": (0o444, 0o755), "the folder": (0o644, 0o555), "both": (0o444, 0o555)}
COUNT = "SELECT count(*) FROM node"


@pytest.fixture
def path(tmp_path: Path) -> Iterator[Path]:
    """A graph of one node in a folder of its own, which may be written to again at the end."""
    path = tmp_path / "shared" / "graph.db"
    write(path)
    yield path
    path.parent.chmod(0o755)


def write(path: Path, title: str = "Water boils") -> None:
    """Open the graph, write a node, and close it."""
    graph = opened(path)
    graph.store.commit(a_batch(saved(a_node(title))))
    graph.close()


def counted(graph: OpenedFile) -> int:
    """Return how many nodes stand, counted and listed."""
    assert graph.store.find(Filter(), Page()).total == graph.store.counts().nodes
    return graph.store.counts().nodes


def written(graph: OpenedFile) -> None:
    """Write a node."""
    graph.store.commit(a_batch(saved(a_node("Ice melts"))))


def looked_at(graph: OpenedFile) -> list[str]:
    """Return what does not agree."""
    return [finding.what for finding in graph.health.look().found]


def set_up(graph: OpenedFile) -> None:
    """Write to the configuration."""
    graph.config.save("creators", "bob", tier=Tier.CURATOR)


def moved(graph: OpenedFile) -> None:
    """Begin to move it to another embedding model."""
    with moving_file(graph.database.path) as move:
        move.begin("other", 8)


def swept(graph: OpenedFile) -> bool:
    """Return whether upkeep may begin."""
    with graph.upkeep.claimed("sweeping") as ours:
        return ours


def names(folder: Path) -> set[str]:
    """Return the names of the files in ``folder``."""
    return {file.name for file in folder.iterdir()}


@contextmanager
def held_to(path: Path, modes: tuple[int, int]) -> Iterator[None]:
    """Take from everybody the right to write, for the block."""
    path.chmod(modes[0])
    path.parent.chmod(modes[1])
    yield
    path.parent.chmod(0o755)
    path.chmod(0o644)


@pytest.mark.parametrize("modes", MODES.values(), ids=MODES)
def test_a_graph_that_may_not_be_written_is_read_and_nothing_is_left_beside_it(
    path: Path, modes: tuple[int, int]
) -> None:
    """Whatever tier it is opened with; what would write is refused and says why, and upkeep is left to others."""
    before = names(path.parent)
    with held_to(path, modes), Bystander(path) as reader:
        assert reader.ask(counted) == 1
        assert reader.ask(looked_at) == []
        for work in (written, set_up, moved):
            refused = reader.ask(work)
            assert refused.kind == "PermissionDenied"
            assert "can only be read here" in refused.message
            assert "user who may write" in refused.hint
        assert reader.ask(swept) is False
        assert reader.ask(counted) == 1
    assert names(path.parent) == before


def _as_ever(path: Path, pipe: Pipe) -> None:
    obey_modes()
    try:
        connection = Connection(connect(path, synchronous="FULL", vfs=""))
        pipe.send(connection.execute(COUNT)[0][0])
        connection.close()
    except Unavailable as error:
        pipe.send(error.message)


@pytest.mark.parametrize("modes", MODES.values(), ids=MODES)
def test_the_ordinary_way_fails_there_or_leaves_files_that_bar_the_owner(path: Path, modes: tuple[int, int]) -> None:
    """The twin: the modes do bind that process, and opening as for writing is no way."""
    before = names(path.parent)
    hear, tell = context().Pipe(duplex=False)
    with held_to(path, modes):
        process = context().Process(target=_as_ever, args=(path, tell), daemon=True)
        process.start()
        assert hear.poll(WAIT_S)
        answer = hear.recv()
        process.join(WAIT_S)
        left = names(path.parent) - before
    assert isinstance(answer, str) or left == {"graph.db-wal", "graph.db-shm"}
    for name in left:
        (path.parent / name).unlink()


def test_a_graph_on_a_medium_that_cannot_be_written_is_read(path: Path) -> None:
    """A mount that is read-only, even for a superuser."""
    mounted = 'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && exec "$@"'
    space = ["unshare", "--map-root-user", "--mount", "sh", "-c", mounted, str(path.parent)]
    if shutil.which("unshare") is None or subprocess.run([*space, "true"], capture_output=True, check=False).returncode:
        pytest.skip("this system lets nobody mount in a space of their own")
    asked = (
        "import sys; sys.path[:] = sys.argv[2:]\n"
        "from pathlib import Path; from store.test_reading import counted, opened, written\n"
        "from weft.errors import PermissionDenied\n"
        "graph = opened(Path(sys.argv[1])); print(counted(graph))\n"
        "try: written(graph)\nexcept PermissionDenied: print('refused')"
    )
    told = subprocess.run(
        [*space, sys.executable, "-c", asked, str(path), *sys.path], capture_output=True, check=False, text=True
    )
    assert told.stdout.split() == ["1", "refused"], told.stderr


def test_what_others_write_is_seen_at_once_by_who_may_only_read(path: Path) -> None:
    """While the writer has its log open, when it has folded it into the file, and when it writes again."""
    with held_to(path, (0o644, 0o755)), Bystander(path) as reader:
        path.parent.chmod(0o555)
        assert reader.ask(counted) == 1
        path.parent.chmod(0o755)
        graph = opened(path)
        for count in (2, 3):
            written(graph)
            path.parent.chmod(0o555)
            assert reader.ask(counted) == count
            path.parent.chmod(0o755)
        graph.close()
        assert reader.ask(counted) == 3
        for count in (4, 5, 6):
            write(path, f"Steam {count}")
            assert reader.ask(counted) == count


def _watch(path: Path, acknowledged: Synchronized[int], ends: Event, pipe: Pipe) -> None:
    """Read until told to end; send how often, how often somebody wrote meanwhile, and what was wrong."""
    database = ReadDatabase(path, tier=Tier.READER)
    reads, meanwhile, wrong = 0, 0, []
    while not ends.is_set():
        least = acknowledged.value
        try:
            with database.snapshot() as reader:
                nodes, changes = (reader.execute(sql)[0][0] for sql in (COUNT, "SELECT count(*) FROM change"))
        except Unavailable as error:
            meanwhile += error.key == MEANWHILE
            wrong += [error.message] if error.key != MEANWHILE else []
            continue
        reads += 1
        if nodes != changes or not least <= nodes <= acknowledged.value + 1:
            wrong.append(f"{least} were acknowledged, {nodes} nodes and {changes} changes were seen")
    database.close()
    pipe.send((reads, meanwhile, wrong[:5]))


def test_who_reads_without_locks_is_never_wrong_while_others_write(path: Path) -> None:
    """Each writer's end folds the log into the file under the reader; no answer is torn, and none is of before."""
    make = context()
    acknowledged, ends, (hear, tell) = make.Value("i", 1), make.Event(), make.Pipe(duplex=False)
    reader = make.Process(target=_watch, args=(path, acknowledged, ends, tell), daemon=True)
    reader.start()
    for number in range(40):
        write(path, f"Steam {number}")
        acknowledged.value += 1
        ends.wait((number % 4) * 0.06)  # shorter and longer than a file takes to count as settled
    ends.set()
    assert hear.poll(WAIT_S)
    reads, _, wrong = hear.recv()
    reader.join(WAIT_S)
    assert wrong == []
    assert reads > 20


def test_a_read_without_locks_and_without_comparing_would_be_wrong(path: Path) -> None:
    """The twin: the engine believes that the file never changes, and answers from before."""
    believing = Connection(connect_reading(path, manner="immutable=1", vfs=""))
    comparing = ReadDatabase(path, tier=Tier.READER)
    for read in (believing.execute, lambda sql: _read(comparing, sql)):
        assert read(COUNT) == [(1,)]
    write(path, "Ice melts")
    assert believing.execute(COUNT) == [(1,)]
    assert _read(comparing, COUNT) == [(2,)]
    believing.close()
    comparing.close()


def _read(database: ReadDatabase, sql: str) -> list[tuple[object, ...]]:
    with database.snapshot() as reader:
        return reader.execute(sql)


def test_a_moment_that_was_written_over_is_given_up(path: Path) -> None:
    """A writer alone takes nothing away; once its log was folded into the file, what is read is of two moments."""
    database = ReadDatabase(path, tier=Tier.READER)
    with database.snapshot() as reader:
        assert reader.execute(COUNT) == [(1,)]
        graph = opened(path)
        written(graph)
        assert reader.execute(COUNT) == [(1,)]
        graph.close()
        with pytest.raises(Unavailable) as caught:
            reader.execute(COUNT)
    assert caught.value.key == MEANWHILE
    assert _read(database, COUNT) == [(2,)]
    database.close()


def left_by_a_crash(path: Path, folder: Path, *tails: str) -> Path:
    """Return a copy of the graph as a process leaves it that dies with changes in its log."""
    folder.mkdir()
    graph = opened(path)
    written(graph)
    for tail in ("", *tails):
        shutil.copy(f"{path}{tail}", folder / f"graph.db{tail}")
    graph.close()
    return folder / "graph.db"


def test_what_a_crash_left_in_the_log_is_read(path: Path, tmp_path: Path) -> None:
    """Both files that a log takes are there; nobody needs to bring them in first."""
    left = left_by_a_crash(path, tmp_path / "left", "-wal", "-shm")
    with held_to(left, (0o444, 0o555)), Bystander(left) as reader:
        assert reader.ask(counted) == 2


def test_a_log_that_cannot_be_read_along_says_who_has_to_open_it(path: Path, tmp_path: Path) -> None:
    """Without it the answers would be of before; the error names the file and both ways out."""
    left = left_by_a_crash(path, tmp_path / "left", "-wal")
    with held_to(left, (0o444, 0o555)), Bystander(left) as reader:
        refused = reader.ask(counted)
    assert refused.kind == "CannotOpen"
    assert "graph.db-wal" in refused.message
    assert "weft status" in refused.hint
    write(left, "Steam rises")
    with held_to(left, (0o444, 0o555)), Bystander(left) as reader:
        assert reader.ask(counted) == 3


def test_a_log_that_may_not_be_read_says_so(path: Path, tmp_path: Path) -> None:
    """Somebody let others read the file while it was being written to, and not what lies beside it."""
    left = left_by_a_crash(path, tmp_path / "left", "-wal", "-shm")
    left.with_name("graph.db-wal").chmod(0)
    with held_to(left, (0o444, 0o555)), Bystander(left) as reader:
        refused = reader.ask(counted)
    assert refused == Refused("CannotOpen", refused.message, refused.hint, "")
    assert "may not read graph.db-wal" in refused.message


def test_a_graph_that_would_have_to_be_brought_up_says_so(path: Path) -> None:
    """An older schema, or words of another cut, are changed at opening by who may write."""
    bare = Connection(connect(path, synchronous="FULL", vfs=""))
    bare.execute("UPDATE meta SET value = 'older' WHERE key = 'words'")
    with held_to(path, (0o444, 0o555)), Bystander(path) as reader:
        assert "words that another Weft has cut" in reader.ask(counted).message
    bare.execute(f"PRAGMA user_version = {newest_schema() - 1}")
    bare.close()
    with held_to(path, (0o444, 0o555)), Bystander(path) as reader:
        refused = reader.ask(counted)
    assert f"has schema {newest_schema() - 1}" in refused.message
    assert "weft status" in refused.hint


def test_who_only_reads_is_told_that_another_release_has_put_elsewhere_what_was_asked_for(path: Path) -> None:
    """They have it open while somebody who may write brings it up."""
    graph = opened(path)
    database = ReadDatabase(path, tier=Tier.READER, embedding=graph.database.embedding)
    graph.close()
    assert database.read("series_values") is not None
    newer = Connection(connect(path, synchronous="FULL", vfs=""))
    newer.execute(f"ALTER TABLE series RENAME TO numbering; PRAGMA user_version = {newest_schema() + 1}")
    newer.close()
    with pytest.raises(Unavailable, match="another release") as refused:
        database.read("series_values")
    assert refused.value.key == "brought_up"
    database.close()


def test_a_graph_that_is_only_read_cannot_be_written_past_its_refusal(path: Path) -> None:
    """Neither upkeep nor a connection without a guard gets through."""
    database = ReadDatabase(path, tier=Tier.CURATOR)
    with pytest.raises(PermissionDenied), database.alone():
        pass
    with pytest.raises(PermissionDenied), database.writer(Tier.CURATOR):
        pass
    with pytest.raises(Unavailable, match="may not be written"), database.apart() as connection:
        connection.execute("UPDATE meta SET value = 'x'")
    database.close()
