"""The doctor sees in a database what it sees in a file, and what only a server can have wrong."""

from __future__ import annotations

import json
from contextlib import contextmanager
from dataclasses import replace
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

import pytest

import weft
from postgres.cluster import APP
from services.filling import fill
from weft.errors import InvalidArgument, PermissionDenied
from weft.model import Filter, Page, SaveNode, Tier
from weft.settings import Settings
from weft.store.postgres.connection import bare
from weft.store.postgres.granting import grant
from weft.store.postgres.health import PostgresHealth
from weft.store.postgres.opening import open_postgres
from weft.store.postgres.schema import statements
from weft.testing.making import a_batch, a_node, retired

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from postgres.cluster import Cluster
    from weft.graph import Graph
    from weft.model import Examined, Flaw


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
    "a passage has no words": Damage("DELETE FROM words WHERE row = 1", "words_amiss", derived=True),
    "a passage has other words": Damage("UPDATE words SET body = 'other'", "words_amiss", derived=True),
    "words without a passage": Damage(
        "INSERT INTO words (row, name, body) VALUES (9999, 'a', 'b')", "words_amiss", derived=True
    ),
    "a word does not lead to its passage": Damage(
        "DELETE FROM posting WHERE ctid = (SELECT min(ctid) FROM posting)", "words_amiss", derived=True
    ),
    "a word leads to nothing": Damage("INSERT INTO posting VALUES (9999, 1, 0, 1, 'x')", "words_amiss", derived=True),
    "a word is weighed wrong": Damage("UPDATE posting SET body = body + 1", "words_amiss", derived=True),
    "the sums of words are off": Damage("UPDATE corpus SET words = words + 1", "words_amiss", derived=True),
    "the sums of words are gone": Damage("DELETE FROM corpus", "words_amiss", derived=True),
    "a frequency is off": Damage("UPDATE term SET df = df + 1", "words_amiss", derived=True),
    "a node has no passage": Damage(
        "DELETE FROM words WHERE row = 1; DELETE FROM passage WHERE row = 1", "passages_lacking", derived=True
    ),
    "a forgotten node has a passage": Damage(
        "UPDATE passage SET to_seq = NULL WHERE to_seq IS NOT NULL", "passages_surplus", derived=True
    ),
    "a vector is all zero": Damage(
        "UPDATE passage SET vector = array_fill(0, ARRAY[vector_dims(vector)])::halfvec WHERE row = 2",
        "vectors_broken",
        derived=True,
    ),
    "an index is gone": Damage("DROP INDEX node_by_kind", "schema_missing", derived=True),
    "the index of vectors is gone": Damage("DROP INDEX passage_by_vector", "schema_missing", derived=True),
    "an index was left half made": Damage(
        "UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'node_by_kind'::regclass",
        "indexes_damaged",
        derived=True,
    ),
    "a guard is gone": Damage("DROP TRIGGER node_kept ON node", "schema_missing", derived=True),
    "a guard is switched off": Damage("ALTER TABLE node DISABLE TRIGGER node_kept", "schema_missing", derived=True),
    "a role may do more than its tier": Damage("GRANT DELETE ON node TO weft_reader", "rights_amiss", derived=True),
    "a role may change one column more": Damage(
        "GRANT UPDATE (answer) ON receipt TO weft_contributor", "rights_amiss", derived=True
    ),
    "a role may do less than its tier": Damage(
        "REVOKE INSERT ON node FROM weft_contributor", "rights_amiss", derived=True
    ),
    "everybody may read": Damage("GRANT SELECT ON node TO PUBLIC", "rights_amiss", derived=True),
    "a guard was emptied": Damage(
        "CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN new; END'",
        "schema_changed",
    ),
    "a guard calls something else": Damage(
        "DROP TRIGGER node_kept ON node; CREATE TRIGGER node_kept AFTER INSERT ON node FOR EACH ROW"
        " EXECUTE FUNCTION node_made()",
        "schema_changed",
    ),
    "a table is added": Damage("CREATE TABLE intruder (a integer)", "schema_changed"),
    "a rule is gone": Damage("ALTER TABLE relation DROP CONSTRAINT relation_source_fkey", "schema_changed"),
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
        "UPDATE change SET after = jsonb_set(after::jsonb, '{title}', '\"x\"')::text"
        " WHERE subject = 'node' AND action = 'create'",
        "log_breaks",
    ),
    "a receipt cannot be read": Damage("UPDATE receipt SET answer = '{'", "receipts_amiss"),
    "a relation hangs": Damage(
        "UPDATE relation SET source = 'x' WHERE id = (SELECT min(id) FROM relation)", "rows_hang"
    ),
}
BY_EMBEDDING = {"passages_lacking", "vectors_broken"}
TRUE = ("node", "relation", "source", "evidence", "suggestion", "change", "receipt", "vote")


@pytest.fixture(scope="module")
def filled(cluster: Cluster) -> Iterator[str]:
    """The name of a database with something in every table."""
    name = cluster.create_database()
    settings = Settings(graph=cluster.url(name), actor="ann")
    with weft.open(settings=settings) as graph:
        fill(graph, settings)
    if not cluster.rows("SELECT count(*) FROM weft.suggestion", database=name)[0][0]:
        pytest.fail("the fixture needs a suggestion")
    yield name
    cluster.drop_database(name)


@pytest.fixture
def name(cluster: Cluster, filled: str) -> Iterator[str]:
    """The name of a copy of the database, to be damaged."""
    name = cluster.create_database(template=filled)
    yield name
    cluster.drop_database(name)


def damage(cluster: Cluster, name: str, sql: str) -> None:
    """Run ``sql`` past every trigger, as whoever owns what it is about."""
    role = "postgres" if "pg_index" in sql else APP
    before = f"SET session_replication_role TO replica; SET ROLE {role}; SET search_path TO weft, public"
    cluster.rows(f"{before}; {sql}", database=name)


def opened(cluster: Cluster, name: str, *, role: str = "curator") -> Graph:
    """Open the graph."""
    return weft.open(settings=Settings(graph=cluster.url(name), actor="ann", role=role), create=False)


def examined(cluster: Cluster, name: str, *, repair: bool = False, role: str = "curator") -> Examined:
    """Return what the doctor says."""
    with opened(cluster, name, role=role) as graph:
        return graph.keeping.doctor(graph.call("doctor"), repair=repair)


def content(cluster: Cluster, name: str) -> str:
    """Return one hash over everything that is true in the graph."""
    rows = [cluster.rows(f"SELECT * FROM weft.{table} ORDER BY 1, 2", database=name) for table in TRUE]
    return sha256(json.dumps(rows, default=repr).encode()).hexdigest()


def test_a_graph_that_was_only_written_to_is_sound(cluster: Cluster, name: str) -> None:
    """No finding, every row and line compared, and nothing changed; a reader may look."""
    before = content(cluster, name)
    seen = examined(cluster, name, role="reader")
    assert seen.findings == ()
    assert seen.rows > 10
    assert seen.changes >= seen.rows
    assert seen.engine.startswith(f"PostgreSQL {cluster.version}.")
    assert content(cluster, name) == before


def test_a_node_that_comes_in_already_retired_is_found_by_nothing(cluster: Cluster, name: str) -> None:
    """As out of a vault in which it was forgotten; what older releases kept of such ones goes when it is brought up."""
    node = replace(retired(a_node("Old habit", tags=("habit",), references=("a.py",))), version=1)
    with opened(cluster, name) as graph:
        graph.store.commit(a_batch(SaveNode(node=node, expect=0)))
    assert examined(cluster, name).findings == ()
    kept = "INSERT INTO name SELECT 'old habit', 'title', row FROM node WHERE title = 'Old habit'"
    damage(cluster, name, f"{kept}; DELETE FROM migration WHERE number >= 9")
    assert examined(cluster, name).findings == ()


def test_a_graph_of_an_older_release_is_sound_and_its_words_get_vectors(cluster: Cluster, name: str) -> None:
    """They wait for it; what is made anew is what was made when the texts came."""
    held = "SELECT row, word_vectors FROM weft.passage WHERE to_seq IS NULL ORDER BY row"
    before = cluster.rows(held, database=name)
    damage(cluster, name, "UPDATE passage SET word_vectors = NULL")
    seen = examined(cluster, name)
    assert ([finding.key for finding in seen.findings], seen.sound) == (["words_lacking"], True)
    examined(cluster, name, repair=True)
    assert cluster.rows(held, database=name) == before


def test_vectors_of_an_older_release_are_seen_and_made_anew(cluster: Cluster, name: str) -> None:
    """They wait for it, since nothing is wrong; what is made anew is what was made when the texts came."""
    held = "SELECT row, vector::text FROM weft.passage WHERE to_seq IS NULL ORDER BY row"
    before = cluster.rows(held, database=name)
    damage(cluster, name, "UPDATE passage SET vector = (SELECT vector FROM passage ORDER BY row LIMIT 1)")
    seen = examined(cluster, name)
    assert ([finding.key for finding in seen.findings], seen.sound) == (["vectors_other"], True)
    examined(cluster, name, repair=True)
    assert examined(cluster, name).findings == ()
    assert cluster.rows(held, database=name) == before


@contextmanager
def health(cluster: Cluster, name: str) -> Iterator[PostgresHealth]:
    """Look after the graph as the doctor does, without its embedder."""
    held = open_postgres(cluster.url(name), tier=Tier.CURATOR, model="", dimension=0, create=False)
    yield held.health
    held.close()


def named(health: PostgresHealth, kind: str) -> tuple[Flaw, ...]:
    """Return what is found, which must name the damage."""
    found = health.look().found
    by_key = {finding.key: finding for finding in found}
    assert DAMAGES[kind].key in by_key, found
    finding = by_key[DAMAGES[kind].key]
    assert finding.what
    assert finding.meaning
    assert finding.remedy
    assert finding.derived == DAMAGES[kind].derived
    return found


@pytest.mark.parametrize("kind", [kind for kind, each in DAMAGES.items() if each.derived])
def test_what_is_derived_is_seen_to_be_off_and_made_anew_from_the_truth(
    cluster: Cluster, name: str, filled: str, kind: str
) -> None:
    """The finding says where, what follows from it and what to do; then all is sound, and what is true is the same."""
    damage(cluster, name, DAMAGES[kind].sql)
    with health(cluster, name) as looking:
        found = named(looking, kind)
        if DAMAGES[kind].key not in BY_EMBEDDING:
            looking.mend(found, tier=Tier.CURATOR)
        else:
            assert examined(cluster, name, repair=True).sound
        assert looking.look().found == ()
    assert content(cluster, name) == content(cluster, filled)


@pytest.mark.parametrize("kind", [kind for kind, each in DAMAGES.items() if not each.derived])
def test_the_truth_is_never_repaired(cluster: Cluster, name: str, kind: str) -> None:
    """What the doctor cannot know it leaves as it is, and says so again."""
    damage(cluster, name, DAMAGES[kind].sql)
    before = content(cluster, name)
    with health(cluster, name) as looking:
        found = named(looking, kind)
        looking.mend(found, tier=Tier.CURATOR)
        named(looking, kind)
    assert content(cluster, name) == before


def test_repairing_needs_a_curator(cluster: Cluster, name: str) -> None:
    """A librarian may look, and no more; and the schema is mended by its owner only, whatever was asked of the verb."""
    damage(cluster, name, "DELETE FROM tag; DROP INDEX node_by_kind")
    with pytest.raises(PermissionDenied, match="curator"):
        examined(cluster, name, repair=True, role="librarian")
    found = examined(cluster, name, role="reader").findings
    assert {finding.key for finding in found} == {"tags_amiss", "schema_missing"}
    held = open_postgres(cluster.url(name), tier=Tier.LIBRARIAN, model="", dimension=0, create=False)
    with pytest.raises(PermissionDenied, match="curator"):
        PostgresHealth(held.database, cluster.url(name)).mend(found, tier=Tier.CURATOR)
    held.close()


def test_a_repaired_passage_is_found_again_by_meaning_and_by_word(cluster: Cluster, name: str) -> None:
    """The twin: while it lacks, the node is found by neither."""
    damage(
        cluster,
        name,
        "DELETE FROM words WHERE row = 1; DELETE FROM posting WHERE row = 1; DELETE FROM passage WHERE row = 1",
    )
    with opened(cluster, name) as graph:
        nodes = graph.store.find(Filter(), Page(limit=50)).nodes
        (lost,) = [node for node in nodes if not graph.vectors.of([node.id])]
        assert lost.id not in {hit.node for hit in graph.words.search(lost.title, filter=Filter(), limit=20)}
        graph.keeping.doctor(graph.call("doctor"), repair=True)
        assert lost.id in graph.vectors.of((lost.id,))
        assert lost.id in {hit.node for hit in graph.words.search(lost.title, filter=Filter(), limit=20)}


def test_what_a_server_s_settings_make_of_an_acknowledgement_is_told(cluster: Cluster, name: str) -> None:
    """A login whose commits wait for no disk is a finding that Weft cannot mend."""
    cluster.rows(f"ALTER ROLE {APP} IN DATABASE {name} SET synchronous_commit TO off")
    (found,) = examined(cluster, name, repair=True).findings
    assert (found.key, found.derived) == ("setting_synchronous_commit", False)


def test_a_role_that_was_given_another_is_told(cluster: Cluster, name: str) -> None:
    """Roles belong to the server, so that what was given must be taken back there."""
    cluster.rows("GRANT weft_curator TO weft_reader")
    try:
        (found,) = examined(cluster, name, repair=True).findings
    finally:
        cluster.rows("REVOKE weft_curator FROM weft_reader")
    assert (found.key, found.derived) == ("roles_amiss", False)
    assert "weft_reader is a member of weft_curator" in found.what


def look_as(cluster: Cluster, name: str, login: str) -> tuple[Flaw, ...]:
    """Return what is found by a login that owns nothing."""
    held = open_postgres(cluster.url(name, user=login), tier=Tier.CURATOR, model="", dimension=0, create=False)
    try:
        return held.health.look().found
    finally:
        held.close()


def test_readers_that_are_held_to_ontologies_are_seen_to_be_held(cluster: Cluster, name: str) -> None:
    """A reader of all of it may look; where a table's rule is gone, it is a finding, and made anew."""
    login = f"bound_{name}"
    cluster.rows(f"CREATE ROLE {login} LOGIN")
    try:
        with bare(cluster.url(name)) as owner:
            grant(owner, login, tier=Tier.READER)
        assert look_as(cluster, name, login) == ()
        with bare(cluster.url(name)) as owner:
            grant(owner, login, tier=Tier.READER, ontologies=("main",))
        with health(cluster, name) as looking:
            assert looking.look().found == ()
            damage(cluster, name, "DROP POLICY bounded ON node; ALTER TABLE source DISABLE ROW LEVEL SECURITY")
            (found,) = looking.look().found
            assert (found.key, found.derived) == ("rights_amiss", True)
            assert "node has no rule" in found.what
            looking.mend([found], tier=Tier.CURATOR)
            assert looking.look().found == ()
        with pytest.raises(PermissionDenied, match="a part of the graph"):
            look_as(cluster, name, login)
    finally:
        cluster.drop_database(name)
        cluster.rows(f"DROP ROLE {login}")


def test_a_backup_of_a_database_says_what_copies_it(cluster: Cluster, name: str, tmp_path: Path) -> None:
    """Neither half a file nor silence."""
    with opened(cluster, name) as graph, pytest.raises(InvalidArgument) as refused:
        graph.keeping.backup(tmp_path / "copy.db")
    assert "weft copy postgresql://" in refused.value.hint
    assert "pg_dump" in refused.value.hint
    assert list(tmp_path.iterdir()) == []


def test_a_script_is_parted_into_its_statements() -> None:
    """Semicolons in bodies, texts and comments end none."""
    script = "-- a; b\nCREATE TABLE a (b text DEFAULT ';'); -- c\nCREATE FUNCTION f() AS $$ BEGIN; END; $$;\n"
    assert list(statements(script)) == [
        "CREATE TABLE a (b text DEFAULT ';')",
        "CREATE FUNCTION f() AS $$ BEGIN; END; $$",
    ]
