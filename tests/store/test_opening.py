"""What is a graph is opened, what is none is left alone."""

from __future__ import annotations

import os
import stat
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

import apsw
import numpy as np
import pytest

from store.soundness import faults
from store.tape import Tape
from weft.errors import CannotOpen, InvalidArgument, Unavailable
from weft.model import Filter, Page, SaveNode, Tier
from weft.store import migrate, open_sqlite
from weft.store.guard import ENGINE_MIN, refuse_old_engine
from weft.store.migrate import newest_schema
from weft.store.schema import schema_amiss
from weft.store.sqlite import Connection, connect, fault
from weft.testing.making import DIMENSION, a_batch, a_node, changed, saved, whole
from weft.text.indexing import CUT

if TYPE_CHECKING:
    from collections.abc import Callable

    from weft.store import Opened


def opened(path: Path, *, create: bool = True, model: str = "letters", dimension: int = DIMENSION) -> Opened:
    """Open the graph at ``path`` as a curator."""
    return open_sqlite(path, tier=Tier.CURATOR, model=model, dimension=dimension, create=create)


def graph_with_a_node(path: Path) -> None:
    """Make a graph of one node and close it."""
    graph = opened(path)
    graph.store.commit(a_batch(saved(a_node())))
    graph.close()


def tree(folder: Path) -> dict[str, str]:
    """Return every file under ``folder`` and the hash of its bytes."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {str(path.relative_to(folder)): sha256(path.read_bytes()).hexdigest() for path in files}


def another_applications_database(path: Path) -> None:
    """Write a database in WAL mode that is not ours."""
    other = apsw.Connection(str(path))
    other.execute("PRAGMA journal_mode = WAL; CREATE TABLE moz_places (url); INSERT INTO moz_places VALUES ('x')")
    other.close()


def a_newer_schema(path: Path) -> None:
    """Write a graph as a Weft of the future would."""
    graph_with_a_node(path)
    later = apsw.Connection(str(path))
    later.execute(f"PRAGMA user_version = {newest_schema() + 1}")
    later.close()


def a_truncated_graph(path: Path) -> None:
    """Write a graph of which the second half was lost."""
    graph_with_a_node(path)
    os.truncate(path, path.stat().st_size // 8192 * 4096)


def a_graph_cut_inside_its_header(path: Path) -> None:
    """Write a graph of which 60 bytes are left."""
    graph_with_a_node(path)
    os.truncate(path, 60)


NO_GRAPHS: dict[str, Callable[[Path], object]] = {
    "is a folder": Path.mkdir,
    "an empty file": Path.touch,
    "a text": lambda path: path.write_text("Dear diary, " * 50),
    "another application's": another_applications_database,
    "newer schema": a_newer_schema,
    "truncated": a_truncated_graph,
    "cut in its header": a_graph_cut_inside_its_header,
}


@pytest.mark.parametrize("kind", NO_GRAPHS)
@pytest.mark.parametrize("create", [True, False])
def test_what_is_no_graph_is_refused_and_left_byte_for_byte(tmp_path: Path, kind: str, *, create: bool) -> None:
    """No file changes, none appears, and the message names the file."""
    path = tmp_path / "notes.db"
    NO_GRAPHS[kind](path)
    (tmp_path / "notes.db.lock").unlink(missing_ok=True)
    before = tree(tmp_path)
    with pytest.raises(CannotOpen) as caught:
        opened(path, create=create)
    assert tree(tmp_path) == before
    assert str(path) in caught.value.message


def test_a_graph_that_is_not_there_is_made_only_when_asked_for(tmp_path: Path) -> None:
    """Without create, no folder and no file appears."""
    path = tmp_path / "deep" / "down" / "notes.db"
    with pytest.raises(CannotOpen, match="no graph at"):
        opened(path, create=False)
    assert list(tmp_path.iterdir()) == []
    opened(path).close()
    opened(path, create=False).close()


def test_a_graph_and_its_folder_belong_to_their_owner_alone(tmp_path: Path) -> None:
    """Mode 0600 for every file while it is open, 0700 for the folders made; a folder that was there keeps its own."""
    tmp_path.chmod(0o755)
    graph = opened(tmp_path / "deep" / "down" / "notes.db")
    graph.store.commit(a_batch(saved(a_node())))
    for path in (tmp_path / "deep").rglob("*"):
        assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600), path
    graph.close()
    assert stat.S_IMODE((tmp_path / "deep").stat().st_mode) == 0o700
    assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o755


def test_another_embedding_model_is_refused_with_both_names(tmp_path: Path) -> None:
    """Vectors of two models never mix; without a name, nothing is compared."""
    graph_with_a_node(tmp_path / "notes.db")
    for model, dimension in (("numbers", DIMENSION), ("letters", 384)):
        with pytest.raises(CannotOpen, match=rf"letters \(8 dimensions\), not with {model} \({dimension}\)"):
            opened(tmp_path / "notes.db", model=model, dimension=dimension)
    opened(tmp_path / "notes.db", model="", dimension=0).close()


def test_a_new_graph_needs_a_model(tmp_path: Path) -> None:
    """Else nobody could say later what its vectors mean."""
    with pytest.raises(InvalidArgument, match="model"):
        opened(tmp_path / "notes.db", model="")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_written_to_says_so(tmp_path: Path) -> None:
    """A file where a folder should be stands for every way in which making the graph can fail."""
    (tmp_path / "taken").write_text("")
    with pytest.raises(CannotOpen, match=r"No graph can be made at .*taken"):
        opened(tmp_path / "taken" / "notes.db")
    (tmp_path / "notes.db.lock").mkdir()
    with pytest.raises(CannotOpen, match=r"No graph can be made at .*notes.db") as caught:
        opened(tmp_path / "notes.db")
    assert "user who may write" in caught.value.hint


@pytest.mark.parametrize("create", [True, False])
def test_a_path_that_cannot_even_be_looked_at_is_refused(tmp_path: Path, *, create: bool) -> None:
    """A name too long stands for folders that this user may not enter."""
    with pytest.raises(CannotOpen, match="cannot be looked at"):
        opened(tmp_path / f"{'n' * 300}.db", create=create)


def test_a_file_that_may_not_be_written_says_who_may() -> None:
    """Trying again later would not help."""
    assert "user who may write" in fault(apsw.ReadOnlyError("attempt to write a readonly database")).hint


@pytest.mark.parametrize("version", ["3.51.2", "3.50.7", "3.9.0"])
def test_an_engine_that_can_lose_pages_is_refused(version: str) -> None:
    """Both versions are named; the comparison is by numbers."""
    with pytest.raises(CannotOpen, match=rf"{version}.*{ENGINE_MIN}"):
        refuse_old_engine(version)
    for fit in (ENGINE_MIN, "3.60.0", "4.0.0", apsw.sqlite_lib_version()):
        refuse_old_engine(fit)


def test_a_symbolic_link_leads_to_the_same_graph_and_the_same_queue(tmp_path: Path) -> None:
    """Two names of one file must not mean two locks."""
    graph_with_a_node(tmp_path / "notes.db")
    (tmp_path / "other.db").symlink_to(tmp_path / "notes.db")
    graph = opened(tmp_path / "other.db")
    graph.store.commit(a_batch(saved(a_node("Ice melts"))))
    assert graph.store.counts().nodes == 2
    graph.close()
    assert not (tmp_path / "other.db.lock").exists()


def test_what_a_dying_creator_left_behind_is_no_hindrance(tmp_path: Path) -> None:
    """A half-made graph lies under another name, and the next creator throws it away."""
    for name in ("notes.db.new", "notes.db.new-wal", "notes.db.new-shm", "notes.db.new-journal"):
        (tmp_path / name).write_bytes(b"SQLite format 3\x00 and then nothing")
    graph_with_a_node(tmp_path / "notes.db")
    assert {path.name for path in tmp_path.iterdir()} == {"notes.db", "notes.db.lock"}


def test_a_disk_that_fills_up_while_a_graph_is_made_leaves_none(tmp_path: Path) -> None:
    """All of the log was written, and no room is left to bring it into the file: nothing is there afterwards."""
    tape = Tape("filling-up")
    logged: list[str] = []

    def fail(what: str, name: str) -> None:
        if what == "write" and name.endswith("-wal"):
            logged.append(name)
        elif what == "write" and logged:
            tape.fail = lambda _what, _name: None  # the engine closes the file in peace
            raise apsw.FullError("disk full")

    tape.fail = fail
    path = tmp_path / "a.db"
    with pytest.raises((CannotOpen, Unavailable), match=r"disk|room"):
        open_sqlite(path, tier=Tier.CURATOR, model="letters", dimension=DIMENSION, create=True, vfs="filling-up")
    assert logged
    assert not [file for file in tmp_path.iterdir() if file.name.startswith("a.db") and not file.name.endswith(".lock")]
    graph_with_a_node(path)
    assert not faults(path)


def test_a_closed_graph_refuses_politely(tmp_path: Path) -> None:
    """Reading and writing say that it is closed; closing again is no error."""
    graph = opened(tmp_path / "notes.db")
    graph.close()
    graph.close()
    for use in (graph.store.counts, lambda: graph.store.commit(a_batch(saved(a_node())))):
        with pytest.raises(Unavailable, match="closed"):
            use()


def test_a_crashed_processs_log_is_read_at_the_next_opening(tmp_path: Path) -> None:
    """The write-ahead log that lies beside the file belongs to it."""
    graph = opened(tmp_path / "notes.db")
    graph.store.commit(a_batch(saved(a_node())))
    (tmp_path / "copy").mkdir()
    for tail in ("", "-wal"):
        (tmp_path / "copy" / f"notes.db{tail}").write_bytes((tmp_path / f"notes.db{tail}").read_bytes())
    graph.close()
    again = opened(tmp_path / "copy" / "notes.db")
    assert again.store.find(Filter(), Page()).total == 1
    again.close()


def test_opening_a_graph_twice_in_one_process_loses_no_lock(tmp_path: Path) -> None:
    """Closing any descriptor of the file would drop this process's locks on it; a look at its header must not."""
    path = tmp_path / "notes.db"
    graph = opened(path)
    with graph.database.writer(Tier.CURATOR):
        before = Path("/proc/locks").read_text()
        opened(path, create=False).close()
        held = [line.split()[1:] for line in before.splitlines() if f" {os.getpid()} " in line]
        after = [line.split()[1:] for line in Path("/proc/locks").read_text().splitlines()]
        assert held
        assert all(lock in after for lock in held)
    graph.close()


def put_back(path: Path) -> None:
    """Make the graph one whose words were cut by an older tokenizer: whole words, under another name of the cut."""
    connection = Connection(connect(path, synchronous="FULL", vfs=""))
    with connection.transaction():
        connection.execute("INSERT INTO words (words) VALUES ('delete-all')")
        connection.execute("INSERT INTO words (rowid, name, body) SELECT row, 'heated', 'wings' FROM passage")
        connection.execute("DELETE FROM term")
        connection.execute("INSERT INTO term VALUES ('heated', 2), ('wings', 2)")
        connection.execute("UPDATE meta SET value = 'older' WHERE key = 'words'")
    connection.close()


def test_words_that_another_tokenizer_cut_are_cut_anew_at_opening(tmp_path: Path) -> None:
    """The past too: each passage by what the log says of its node then; and the graph agrees with itself again."""
    path = tmp_path / "graph.db"
    graph = opened(path)
    node = a_node("Heated wings", content="They were flown", tags=("aerofoil",))
    graph.store.commit(a_batch(saved(node)))
    then = graph.log.head()
    graph.store.commit(a_batch(saved(changed(node, title="Cooled wings", content="They were sunk"))))
    graph.close()
    put_back(path)
    graph = opened(path)
    assert [hit.node for hit in graph.words.search("cooling", filter=Filter(), limit=5)] == [node.id]
    assert graph.words.search("heating", filter=Filter(), limit=5) == ()
    assert [hit.node for hit in graph.words.search("heat flying", filter=Filter(as_of=then), limit=5)] == [node.id]
    graph.close()
    assert faults(path) == []


def test_a_graph_from_before_word_vectors_is_brought_up_and_has_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its passages stay as they were, and a move to another model that was broken off is forgotten."""
    path = tmp_path / "graph.db"
    before = {number: script for number, script in migrate.migrations("sqlite").items() if number < 7}
    with monkeypatch.context() as older:
        older.setattr(migrate, "migrations", lambda _: before)
        graph = opened(path)
        node = a_node("one")
        graph.store.commit(a_batch(SaveNode(node=node, expect=0, passages=())))
        graph.close()
    connection = Connection(connect(path, synchronous="FULL", vfs=""))
    packed = whole(node).vector.astype("<f2").tobytes()
    sql = "INSERT INTO passage (node, ordinal, start, end, vector, from_seq) VALUES (1, 0, 0, 3, :vector, 1)"
    connection.execute(sql, {"vector": packed})
    connection.execute("CREATE TABLE passage_next_model (model TEXT NOT NULL, dimension INTEGER NOT NULL) STRICT")
    connection.execute("CREATE TABLE passage_next (row INTEGER PRIMARY KEY, vector BLOB NOT NULL) STRICT")
    connection.close()
    graph = opened(path)
    assert np.array_equal(graph.passages.of([node.id])[node.id][0], np.frombuffer(packed, "<f2").astype(np.float32))
    assert graph.passages.words([1], width=4) == {}
    graph.close()
    connection = Connection(connect(path, synchronous="FULL", vfs=""))
    assert connection.schema() == migrate.newest_schema()
    assert schema_amiss(connection) == ([], [])
    assert connection.execute("SELECT name FROM sqlite_schema WHERE name LIKE 'passage_next%'") == []
    connection.close()


def test_words_of_this_cut_are_left_as_they_are(tmp_path: Path) -> None:
    """Opening writes nothing, then; the twin of the test above."""
    path = tmp_path / "graph.db"
    graph_with_a_node(path)
    before = sha256(path.read_bytes()).hexdigest()
    opened(path).close()
    assert sha256(path.read_bytes()).hexdigest() == before


def test_an_older_weft_stays_out_of_words_it_would_mix_its_own_among(tmp_path: Path) -> None:
    """The schema's number went up with the cut, and a graph of a newer schema is refused."""
    path = tmp_path / "graph.db"
    graph_with_a_node(path)
    connection = Connection(connect(path, synchronous="FULL", vfs=""))
    assert connection.schema() >= 5
    assert dict(connection.execute("SELECT key, value FROM meta"))["words"] == CUT
    connection.close()


@pytest.mark.parametrize(
    "doing", ["UPDATE meta SET value = 'later' WHERE key = 'words'", f"PRAGMA user_version = {newest_schema() + 1}"]
)
def test_who_had_it_open_writes_nothing_once_another_release_has_brought_it_up(tmp_path: Path, doing: str) -> None:
    """It knows nothing of what that derives, and would mix words of two cuts; what it wrote before is there."""
    path = tmp_path / "graph.db"
    graph = opened(path)
    graph.store.commit(a_batch(saved(a_node("one"))))
    connection = Connection(connect(path, synchronous="FULL", vfs=""))
    connection.execute(doing)
    connection.close()
    with pytest.raises(Unavailable, match="another release") as refused:
        graph.store.commit(a_batch(saved(a_node("two"))))
    assert refused.value.key == "brought_up"
    assert graph.store.facts()["brought_up"] is True
    assert "started anew" in refused.value.hint
    assert graph.log.head() == 1
    graph.close()


def test_who_had_it_open_is_told_that_another_release_has_put_elsewhere_what_was_asked_for(tmp_path: Path) -> None:
    """Only where no other release has been there is what the engine does not understand a fault of ours."""
    path = tmp_path / "graph.db"
    graph = opened(path)
    connection = Connection(connect(path, synchronous="FULL", vfs=""))
    connection.execute("ALTER TABLE series RENAME TO numbering")
    for ask in (graph.store.facts, lambda: graph.database.read("series_values")):
        with pytest.raises(Unavailable, match="a fault in Weft"):
            ask()
    connection.execute(f"PRAGMA user_version = {newest_schema() + 1}")
    for ask in (graph.store.facts, lambda: graph.database.read("series_values")):
        with pytest.raises(Unavailable, match="another release") as refused:
            ask()
        assert refused.value.key == "brought_up"
        assert "started anew" in refused.value.hint
    connection.close()
    graph.close()
