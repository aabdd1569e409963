"""A disk that is full or failing: a clear error, nothing acknowledged, reads go on, writes resume."""

from __future__ import annotations

import resource
import sys
from typing import TYPE_CHECKING
from uuid import uuid4

import apsw
import pytest

from store.captures import captures, opened
from store.killing import context
from store.soundness import faults
from store.tape import Tape
from weft.errors import CannotOpen, InvalidArgument, PermissionDenied, Unavailable, WeftError
from weft.model import Filter, Page
from weft.store.engine import NO_ROOM
from weft.store.migrate import migrations
from weft.store.sqlite import APPLICATION_ID, Connection, connect, fault
from weft.testing.making import DIMENSION, a_batch, a_node, saved

if TYPE_CHECKING:
    from collections.abc import Callable
    from multiprocessing.connection import Connection as Pipe
    from pathlib import Path

    from weft.model import Batch
    from weft.store import Opened


def failing(what: str, nth: int, error: type[apsw.Error]) -> Callable[[str, str], None]:
    """Return what makes the ``nth`` write or sync of the log fail, and all after it."""
    left = nth

    def fail(happens: str, name: str) -> None:
        nonlocal left
        left -= happens == what and name == "-wal"
        if left < 1 and happens == what:
            raise error

    return fail


def refusal(graph: Opened, batch: Batch) -> Unavailable | None:
    """Commit, and return what was said against it."""
    try:
        graph.store.commit(batch)
    except Unavailable as error:
        return error
    return None


@pytest.mark.parametrize(
    ("what", "error", "said"),
    [
        ("write", apsw.FullError, "disk is full"),
        ("write", apsw.IOError, "disk did not"),
        ("sync", apsw.IOError, "disk did"),
    ],
)
def test_a_commit_that_fails_at_any_step_leaves_nothing_and_the_next_one_works(
    tmp_path: Path, what: str, error: type[apsw.Error], said: str
) -> None:
    """The n-th write or sync fails, for every n that a commit has."""
    tape = Tape(f"failing-{uuid4()}")
    graph = opened(tmp_path / "graph.db", vfs=tape.name)
    graph.store.commit(a_batch(saved(a_node("Water boils"))))
    batch = a_batch(saved(a_node("Ice melts")))
    for nth in range(1, 1000):
        before = graph.store.counts(), graph.log.head()
        tape.fail = failing(what, nth, error)
        refused = refusal(graph, batch)
        if refused is None:
            break
        assert said in refused.message
        assert (graph.store.counts(), graph.log.head()) == before
        tape.fail = lambda _what, _name: None
        if nth % 10 == 0:
            graph.store.commit(a_batch(saved(a_node(f"Claim {nth}"))))
    assert nth > (10 if what == "write" else 1)
    tape.fail = lambda _what, _name: None
    graph.close()
    assert faults(tmp_path / "graph.db") == []


def cut_by_another(path: Path) -> None:
    """Leave the graph at ``path`` as a release left it that cut its words in another way."""
    connection = Connection(connect(path, synchronous="FULL", vfs=""))
    connection.execute("UPDATE meta SET value = 'older' WHERE key = 'words'")
    connection.close()


def of_the_first_schema(path: Path) -> None:
    """Leave an empty graph of the first schema at ``path``."""
    path.unlink()
    connection = Connection(connect(path, synchronous="FULL", vfs="", create=True))
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute(migrations("sqlite")[1])
    connection.execute("PRAGMA user_version = 1")
    facts = f"('name', 'graph'), ('model', 'letters'), ('dimension', '{DIMENSION}')"
    connection.execute(f"INSERT INTO meta (key, value) VALUES {facts}")
    connection.close()


@pytest.mark.parametrize("older", [cut_by_another, of_the_first_schema])
def test_a_graph_that_a_full_disk_keeps_from_being_brought_up_is_said_not_to_open(
    tmp_path: Path, older: Callable[[Path], None]
) -> None:
    """Nobody can read it with this release until there is room; then it opens, and nothing is lost."""
    path = tmp_path / "graph.db"
    opened(path).close()
    older(path)
    tape = Tape(f"failing-{uuid4()}")
    tape.fail = failing("write", 1, apsw.FullError)
    with pytest.raises(CannotOpen, match="cannot be opened: the disk is full") as refused:
        opened(path, vfs=tape.name)
    assert "reading goes on" not in refused.value.message
    assert "room" in refused.value.hint
    tape.fail = lambda _what, _name: None
    graph = opened(path, vfs=tape.name)
    graph.store.commit(a_batch(saved(a_node("Ice melts"))))
    graph.close()
    assert faults(path) == []


def test_a_graph_that_cannot_be_made_on_a_full_disk_leaves_nothing(tmp_path: Path) -> None:
    """There is none yet, so that nothing goes on."""
    tape = Tape(f"failing-{uuid4()}")

    def fail(what: str, _name: str) -> None:
        if what == "write":
            raise apsw.FullError

    tape.fail = fail
    with pytest.raises(CannotOpen, match=r"No graph can be made at .*: the disk is full"):
        opened(tmp_path / "graph.db", vfs=tape.name)
    assert not list(tmp_path.glob("graph.db*[!k]"))  # but the lock


def test_a_checkpoint_that_fails_takes_nothing_away(tmp_path: Path) -> None:
    """The pages stay in the log until the disk takes them."""
    tape = Tape(f"failing-{uuid4()}")
    path = tmp_path / "graph.db"
    graph = opened(path, vfs=tape.name)
    graph.store.commit(a_batch(saved(a_node("Water boils"))))

    def fail(what: str, name: str) -> None:
        if what == "write" and not name:
            raise apsw.FullError

    tape.fail = fail
    keeper = apsw.Connection(str(path), vfs=tape.name)
    with pytest.raises(apsw.FullError):
        keeper.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    keeper.close()
    graph.store.commit(a_batch(saved(a_node("Ice melts"))))
    tape.fail = lambda _what, _name: None
    assert graph.store.counts().nodes == 2
    graph.close()
    assert faults(path) == []


def _write_up_to_a_limit(path: Path, answer: Pipe) -> None:
    """Write until this process may not make a file longer, then with the limit lifted."""
    graph = opened(path)
    graph.store.commit(next(captures(0))[0])
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, resource.RLIM_INFINITY))
    acknowledged = 1
    try:
        for batch, _ in captures(1):
            graph.store.commit(batch)
            acknowledged += 1
    except Unavailable as error:
        message = error.message
    held = _standing(graph)
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    graph.store.commit(next(captures(2))[0])
    answer.send((acknowledged, held, _standing(graph), message))
    graph.close()


def _standing(graph: Opened) -> int:
    return graph.store.find(Filter(), Page()).total + graph.store.counts().retired


def test_a_real_limit_on_the_files_size_is_met_and_survived(tmp_path: Path) -> None:
    """The kernel refuses to make the file longer; what was acknowledged is all there, and writing goes on later."""
    hear, tell = context().Pipe(duplex=False)
    path = tmp_path / "graph.db"
    writer = context().Process(target=_write_up_to_a_limit, args=(path, tell), daemon=True)
    writer.start()
    assert hear.poll(60)
    acknowledged, held, later, message = hear.recv()
    writer.join(60)
    assert acknowledged == held > 1
    assert later == held + 1
    assert "disk" in message
    assert faults(path) == []


def _work_under_watch(path: Path, answer: Pipe) -> None:
    """Open, write, read and close while every opening of a file by Python code is noted."""
    opened_by_us: list[str] = []

    def watch(event: str, arguments: tuple[object, ...]) -> None:
        if event in ("open", "shutil.copyfile", "os.rename", "os.truncate"):
            opened_by_us.extend(str(argument) for argument in arguments[:2])

    sys.addaudithook(watch)
    for seed in range(2):
        graph = opened(path)
        for (batch, _), _ in zip(captures(seed), range(5), strict=False):
            graph.store.commit(batch)
        graph.store.counts()
        graph.close()
    engines = [name for name in ("sqlite3", "_sqlite3", "pysqlite3") if name in sys.modules]
    answer.send(([name for name in opened_by_us if name.endswith((".db", "-wal", "-shm"))], engines))


def test_nobody_opens_the_graphs_files_but_the_engine_and_there_is_one_engine(tmp_path: Path) -> None:
    """Closing any other descriptor would drop the locks of this process, and acknowledged writes with them."""
    hear, tell = context().Pipe(duplex=False)
    path = tmp_path / "graph.db"
    worker = context().Process(target=_work_under_watch, args=(path, tell), daemon=True)
    worker.start()
    assert hear.poll(60)
    opened_by_us, engines = hear.recv()
    worker.join(60)
    assert (opened_by_us, engines) == ([str(path)], [])  # the one is the renaming that gives a new graph its name


ERRORS = [kind for kind in vars(apsw).values() if isinstance(kind, type) and issubclass(kind, apsw.Error)]


@pytest.mark.parametrize("kind", ERRORS, ids=lambda kind: kind.__name__)
def test_every_error_of_the_engine_becomes_one_of_ours(kind: type[apsw.Error]) -> None:
    """Whatever the engine raises, a caller meets a class of the one family, with the engine's words in the message."""
    said = fault(kind("said so"))
    assert isinstance(said, WeftError)
    assert "said so" in said.message or isinstance(said, PermissionDenied)
    assert isinstance(fault(kind("weft: not this")), PermissionDenied)


def test_a_fault_of_ours_is_told_from_a_fault_of_the_world() -> None:
    """What only a bug can cause says so; what the caller or the disk causes does not."""
    ours = {kind.__name__ for kind in ERRORS if "fault in Weft" in fault(kind("x")).message}
    assert {"SQLError", "MisuseError", "BindingsError", "ThreadingViolationError"} <= ours
    assert not ours & {
        "BusyError",
        "FullError",
        "IOError",
        "CorruptError",
        "NotADBError",
        "ReadOnlyError",
        "CantOpenError",
    }


def test_a_disk_with_no_room_even_for_the_index_of_the_log_is_told_to_be_full() -> None:
    """The engine tells of a failed input or output there; any other of these says nothing of room."""
    error, other = apsw.IOError("disk I/O error"), apsw.IOError("disk I/O error")
    error.extendedresult, other.extendedresult = apsw.SQLITE_IOERR_SHMSIZE, apsw.SQLITE_IOERR_FSYNC
    assert (fault(error).key, "disk is full" in fault(error).message) == (NO_ROOM, True)
    assert (fault(other).key, "disk is full" in fault(other).message) == ("", False)


def test_text_that_cannot_be_stored_is_the_callers_to_correct(tmp_path: Path) -> None:
    """A lone surrogate has no bytes, and a number may be too long."""
    graph = opened(tmp_path / "graph.db")
    with pytest.raises(InvalidArgument):
        graph.store.resolve("\ud800", limit=5)
    with pytest.raises(InvalidArgument):
        graph.store.find(Filter(), Page(offset=1 << 70))
    with pytest.raises(InvalidArgument):
        graph.store.commit(a_batch(saved(a_node("\udfff"))))
    graph.close()
