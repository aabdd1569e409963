"""The twin of every campaign: the look at a graph sees whatever does not agree."""

from __future__ import annotations

import shutil
from itertools import islice
from pathlib import Path

import pytest

from store.captures import captures, opened
from store.soundness import content, faults
from weft.store.sqlite import Connection, connect

TAMPERINGS = {
    "a tag went missing": "DELETE FROM tag WHERE node = (SELECT min(node) FROM tag)",
    "a tag too many": "INSERT INTO tag VALUES ('x', 1)",
    "a name went missing": "DELETE FROM name WHERE node = (SELECT min(node) FROM name)",
    "a count is off": "UPDATE tally SET count = count + 1",
    "a passage is closed": "UPDATE passage SET to_seq = 1",
    "words went missing": "DELETE FROM words WHERE rowid = 1",
    "words without a passage": "INSERT INTO words (rowid, name, body) VALUES (99999, 'a', 'b')",
    "a frequency is off": "UPDATE term SET df = df + 1",
    "a title changed past the log": "UPDATE node SET title = 'x' WHERE row = 1",
    "a title changed with its hash": "UPDATE node SET title = 'x', hash = 'x' WHERE row = 1",
    "a relation changed past the log": "UPDATE relation SET confidence = 0.123",
    "a relation went past the log": "DELETE FROM relation",
    "a document changed": "UPDATE source SET text = text || '.'",
    "a quote changed": "UPDATE evidence SET quote = 'x'",
    "a suggestion changed": "UPDATE suggestion SET score = 0.5",
    "a line of the log went missing": "DELETE FROM change WHERE seq = 3",
    "the last line of the log went missing": "DELETE FROM change WHERE seq = (SELECT max(seq) FROM change)",
    "a line of the log changed": "UPDATE change SET after = '{}' WHERE seq = (SELECT max(seq) FROM change)",
    "a relation hangs in the air": (
        "PRAGMA foreign_keys = OFF; UPDATE relation SET source = 'x' WHERE id = (SELECT min(id) FROM relation)"
    ),
}


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A graph after sixty captures."""
    path = tmp_path_factory.mktemp("sound") / "graph.db"
    graph = opened(path)
    for batch, _ in islice(captures(7), 60):
        graph.store.commit(batch)
    graph.close()
    return path


def test_a_graph_that_was_only_written_to_is_sound(filled: Path) -> None:
    """And looking at it changes nothing."""
    before = content(filled)
    assert faults(filled) == []
    assert content(filled) == before


@pytest.mark.parametrize("name", TAMPERINGS)
def test_whatever_does_not_agree_is_seen(tmp_path: Path, filled: Path, name: str) -> None:
    """Each tampering past the triggers is reported."""
    path = Path(shutil.copy(filled, tmp_path / "graph.db"))
    connection = Connection(connect(path, synchronous="FULL", vfs=""))
    for (trigger,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'"):
        connection.execute(f"DROP TRIGGER {trigger}")
    connection.execute(TAMPERINGS[name])
    connection.close()
    assert faults(path) != []
