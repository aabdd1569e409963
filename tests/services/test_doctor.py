"""The doctor sees every kind of damage, says what it means, and makes anew what is derived and nothing else."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import apsw
import numpy as np
import pytest

import weft
from embed.endpoint import Endpoint
from services.filling import fill
from store.soundness import content, faults
from weft.errors import PermissionDenied
from weft.model import CaptureRequest, Filter, Page
from weft.settings import Endpoint as Address
from weft.settings import Settings
from weft.store.sqlite import connect

if TYPE_CHECKING:
    from weft.model import Examined

pytestmark = pytest.mark.files_only("tests/postgres/test_doctor.py")


class Damage(NamedTuple):
    """SQL that damages a graph past its triggers, the finding that must name it, and whether it can be made anew."""

    sql: str
    key: str
    derived: bool = False


DAMAGES = {
    "a tag is missing": Damage("DELETE FROM tag", "tags_amiss", derived=True),
    "a reference is missing": Damage("DELETE FROM reference", "references_amiss", derived=True),
    "a name is missing": Damage("DELETE FROM name WHERE node = 1", "names_amiss", derived=True),
    "a name is too many": Damage("INSERT INTO name VALUES ('x', 'alias', 1)", "names_amiss", derived=True),
    "a subject is missing": Damage("INSERT INTO suggestion_subject VALUES ('x', 'y')", "subjects_amiss", derived=True),
    "a count is off": Damage("UPDATE tally SET count = count + 1", "tally_amiss", derived=True),
    "a band is off": Damage("UPDATE confidence_band SET count = 99", "bands_amiss", derived=True),
    "a mention leads nowhere": Damage("INSERT INTO mention VALUES ('x', 'y', 'z')", "mentions_amiss", derived=True),
    "a print says nothing": Damage("INSERT INTO file_print VALUES (1, 'a', '', 'a', '')", "prints_amiss", derived=True),
    "words are missing": Damage("DELETE FROM words WHERE rowid = 1", "words_amiss", derived=True),
    "words without a passage": Damage(
        "INSERT INTO words (rowid, name, body) VALUES (9999, 'a', 'b')", "words_amiss", derived=True
    ),
    "a frequency is off": Damage("UPDATE term SET df = df + 1", "words_amiss", derived=True),
    "the words' own table is damaged": Damage(
        "UPDATE words_data SET block = x'0102030405' WHERE id > 10", "words_damaged", derived=True
    ),
    "a node has no passage": Damage(
        "DELETE FROM words WHERE rowid = 1; DELETE FROM passage WHERE row = 1", "passages_lacking", derived=True
    ),
    "a forgotten node has a passage": Damage(
        "UPDATE passage SET to_seq = NULL WHERE to_seq IS NOT NULL", "passages_surplus", derived=True
    ),
    "words have no vectors": Damage("UPDATE passage SET word_vectors = NULL", "words_lacking", derived=True),
    "a vector is cut short": Damage(
        "UPDATE passage SET vector = substr(vector, 1, 10) WHERE row = 2", "vectors_broken", derived=True
    ),
    "a vector is all zero": Damage(
        "UPDATE passage SET vector = zeroblob(length(vector)) WHERE row = 2", "vectors_broken", derived=True
    ),
    "vectors are those of other texts": Damage(
        "UPDATE passage SET vector = (SELECT vector FROM passage WHERE row = 1)", "vectors_other", derived=True
    ),
    "an index is gone": Damage("DROP INDEX node_by_kind", "schema_missing", derived=True),
    "a guard is gone": Damage("DROP TRIGGER node_kept", "schema_missing", derived=True),
    "the log of the engine is off": Damage("PRAGMA journal_mode = DELETE", "setting_journal_mode", derived=True),
    "a table is added": Damage("CREATE TABLE intruder (a)", "schema_changed"),
    "a fact is gone": Damage("DELETE FROM meta WHERE key = 'name'", "facts_missing"),
    "a title changed": Damage("UPDATE node SET title = 'x' WHERE row = 1", "node_hash"),
    "a title changed with its hash": Damage("UPDATE node SET title = 'x', hash = 'x' WHERE row = 1", "node_log"),
    "a relation changed": Damage("UPDATE relation SET confidence = 0.123", "relation_hash"),
    "a document changed": Damage("UPDATE source SET text = text || '.'", "source_hash"),
    "a quote changed": Damage("UPDATE evidence SET quote = 'x'", "evidence_hash"),
    "a suggestion changed": Damage("UPDATE suggestion SET score = 0.123", "suggestion_hash"),
    "a vote changed": Damage("UPDATE vote SET value = -value", "vote_log"),
    "a relation went": Damage("DELETE FROM relation", "rows_missing"),
    "a line of the log is gone": Damage("DELETE FROM change WHERE seq = 3", "log_gaps"),
    "a line of the log is dated back": Damage("UPDATE change SET at = '1999' WHERE seq = 4", "log_times"),
    "a line of the log changed": Damage(
        "UPDATE change SET after = json_set(after, '$.title', 'x') WHERE seq ="
        " (SELECT min(seq) FROM change WHERE subject = 'node' AND action = 'update') - 0"
        " OR (subject = 'node' AND action = 'create')",
        "log_breaks",
    ),
    "a receipt cannot be read": Damage("UPDATE receipt SET answer = '{'", "receipts_amiss"),
    "a relation hangs": Damage(
        "PRAGMA foreign_keys = OFF; UPDATE relation SET source = 'x' WHERE id = (SELECT min(id) FROM relation)",
        "rows_hang",
    ),
}


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A graph with something in every table."""
    path = tmp_path_factory.mktemp("doctor") / "graph.db"
    settings = Settings(graph=str(path), actor="ann")
    with weft.open(settings=settings) as graph:
        fill(graph, settings)
    raw = connect(path, synchronous="FULL", vfs="")
    if not raw.execute("SELECT count(*) FROM suggestion").fetchone()[0]:
        pytest.fail("the fixture needs a suggestion")
    raw.close()
    return path


@pytest.fixture
def path(tmp_path: Path, filled: Path) -> Path:
    """A copy of the graph to be damaged."""
    return Path(shutil.copy(filled, tmp_path / "graph.db"))


def damage(path: Path, sql: str) -> None:
    """Run ``sql`` past every trigger; those that were there come back, unless one was to go."""
    raw = apsw.Connection(str(path))
    raw.create_scalar_function("weft_tier", lambda: 4)
    raw.create_scalar_function("weft_spares", lambda: 0)
    kept = raw.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").fetchall()
    for name, _ in kept:
        if f"TRIGGER {name}" not in sql:
            raw.execute(f"DROP TRIGGER {name}")
    raw.execute(sql)
    for name, made in kept:
        if f"TRIGGER {name}" not in sql:
            raw.execute(made)
    raw.close()


def examined(path: Path, *, repair: bool = False, role: str = "curator") -> Examined:
    """Return what the doctor says."""
    with weft.open(settings=Settings(graph=str(path), actor="ann", role=role), create=False) as graph:
        return graph.keeping.doctor(graph.call("doctor"), repair=repair)


def test_a_graph_that_was_only_written_to_is_sound(path: Path) -> None:
    """No finding, every row and line compared, and nothing changed; a reader may look."""
    before = content(path)
    seen = examined(path, role="reader")
    assert seen.findings == ()
    assert seen.sound
    assert seen.rows > 10
    assert seen.changes >= seen.rows
    assert content(path) == before


@pytest.mark.parametrize("name", DAMAGES)
def test_each_damage_is_seen_and_named(path: Path, name: str) -> None:
    """The finding says where, what follows from it, and what to do; looking repairs nothing."""
    given = DAMAGES[name]
    damage(path, given.sql)
    found = {finding.key: finding for finding in examined(path).findings}
    assert given.key in found, found
    finding = found[given.key]
    assert finding.what
    assert finding.meaning
    assert finding.remedy
    assert finding.derived == given.derived
    assert not finding.repaired
    assert given.key in {each.key for each in examined(path).findings}


@pytest.mark.parametrize("name", [name for name, given in DAMAGES.items() if given.derived])
def test_what_is_derived_is_made_anew_from_the_truth(path: Path, filled: Path, name: str) -> None:
    """After --repair the graph is sound by the store's own checker, and what is true is byte for byte the same."""
    damage(path, DAMAGES[name].sql)
    seen = examined(path, repair=True)
    assert seen.sound, seen.findings
    assert any(finding.repaired for finding in seen.findings)
    assert examined(path).findings == ()
    assert faults(path) == []
    assert content(path) == content(filled)


@pytest.mark.parametrize("name", [name for name, given in DAMAGES.items() if not given.derived])
def test_the_truth_is_never_repaired(path: Path, name: str) -> None:
    """What the doctor cannot know it leaves as it is, and says so again."""
    damage(path, DAMAGES[name].sql)
    before = content(path)
    seen = examined(path, repair=True)
    assert not seen.sound
    assert DAMAGES[name].key in {finding.key for finding in seen.findings if not finding.repaired}
    assert content(path) == before


def test_repairing_needs_a_curator(path: Path) -> None:
    """A librarian may look, and no more."""
    damage(path, "DELETE FROM tag")
    with pytest.raises(PermissionDenied, match="curator"):
        examined(path, repair=True, role="librarian")
    assert [finding.key for finding in examined(path, role="reader").findings] == ["tags_amiss"]


def test_a_repaired_passage_is_found_again_by_meaning_and_by_word(path: Path) -> None:
    """The twin: while it lacks, the node is not found by meaning."""
    damage(path, "DELETE FROM words WHERE rowid = 1; DELETE FROM passage WHERE row = 1")
    with weft.open(settings=Settings(graph=str(path), actor="ann")) as graph:
        (lost,) = [
            node.id for node in graph.store.find(Filter(), Page(limit=50)).nodes if not graph.vectors.of([node.id])
        ]
        assert graph.vectors.of((lost,)) == {}
        graph.keeping.doctor(graph.call("doctor"), repair=True)
        assert lost in graph.vectors.of((lost,))
        words = graph.store.nodes((lost,))[lost].title
        assert lost in {hit.node for hit in graph.words.search(words, filter=Filter(), limit=20)}


def test_a_graph_of_an_older_release_is_sound_and_its_words_get_vectors(path: Path) -> None:
    """They wait for it; what is made anew is what was made when the texts came."""
    with weft.open(settings=Settings(graph=str(path), actor="ann")) as graph:
        before = graph.vectors.words(range(1, 50), width=graph.embedder.word_width)
    damage(path, "UPDATE passage SET word_vectors = NULL")
    seen = examined(path)
    assert [finding.key for finding in seen.findings] == ["words_lacking"]
    assert seen.sound
    examined(path, repair=True)
    with weft.open(settings=Settings(graph=str(path), actor="ann")) as graph:
        after = graph.vectors.words(range(1, 50), width=graph.embedder.word_width)
    assert len(before) > 3
    ended = before.keys() - after.keys()
    assert len(ended) < len(after)
    assert all((before[row] == after[row]).all() for row in after)


def test_vectors_of_an_older_release_are_seen_and_made_anew(path: Path) -> None:
    """They wait for it, since nothing is wrong: one passage of each node is embedded again, all are mended."""
    with weft.open(settings=Settings(graph=str(path), actor="ann")) as graph:
        nodes = [node.id for node in graph.store.find(Filter(), Page(limit=50)).nodes]
        before = graph.vectors.of(nodes)
    damage(path, "UPDATE passage SET vector = (SELECT vector FROM passage WHERE row = 1)")
    seen = examined(path)
    assert [finding.key for finding in seen.findings] == ["vectors_other"]
    assert seen.sound
    assert examined(path, repair=True).findings[0].repaired
    with weft.open(settings=Settings(graph=str(path), actor="ann")) as graph:
        after = graph.vectors.of(nodes)
    assert all(np.allclose(before[node], after[node], atol=1e-3) for node in nodes)


def test_an_endpoint_is_not_asked_whether_its_vectors_are_the_same(tmp_path: Path) -> None:
    """It costs whoever runs it, and need not answer alike twice."""
    with Endpoint() as served:
        embed = Address(url=served.url, model="mirrored")
        settings = Settings(graph=str(tmp_path / "graph.db"), actor="ann", embed=embed)
        with weft.open(settings=settings) as graph:
            graph.capture.capture(CaptureRequest(content="Herring migrate north.", kind="claim"), graph.call("capture"))
            served.seen.clear()
            assert graph.keeping.doctor(graph.call("doctor")).sound
            assert not served.seen


def test_a_damaged_index_is_seen_and_built_anew(path: Path) -> None:
    """A file that is not the one that was written; before it was damaged there is no finding."""
    with weft.open(settings=Settings(graph=str(path))) as graph:
        assert graph.vectors.rebuild()
    assert examined(path).findings == ()
    (file,) = (path.parent / "graph.index").glob("vectors-*.usearch")
    bent = bytearray(file.read_bytes())
    bent[len(bent) // 2] ^= 0xFF
    file.write_bytes(bytes(bent))
    assert [finding.key for finding in examined(path).findings] == ["index_unusable"]
    assert examined(path, repair=True).sound
    assert examined(path).findings == ()


def test_files_left_over_are_seen_and_cleared_away(path: Path) -> None:
    """Of a graph half made, a copy half made, and an index half made; nothing else beside the graph is touched."""
    (path.parent / "graph.index").mkdir()
    left = ["graph.db.new", ".graph.db.0123456789ab.part", "graph.index/vectors-9-abc.usearch.new"]
    kept = ["notes.txt", "other.db.new"]
    for name in (*left, *kept):
        (path.parent / name).write_text("x")
    assert {finding.key for finding in examined(path).findings} == {"leftovers", "index_leftover"}
    assert examined(path, repair=True).sound
    assert not any((path.parent / name).exists() for name in left)
    assert all((path.parent / name).exists() for name in kept)


def test_a_damaged_memory_of_use_is_set_aside(path: Path) -> None:
    """It held hints only."""
    usage = path.parent / "graph.usage.db"
    raw = apsw.Connection(str(usage))
    raw.execute(f"PRAGMA application_id = {int.from_bytes(b'WefU')}; CREATE TABLE use (a, b, c)")
    raw.close()
    bent = bytearray(usage.read_bytes())
    bent[100] = 0x77  # the first page is of no kind that there is
    usage.write_bytes(bytes(bent))
    keys = {finding.key for finding in examined(path).findings}
    assert keys <= {"usage_damaged"}
    assert examined(path, repair=True).sound
    assert examined(path).findings == ()
