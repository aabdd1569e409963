"""The engine refuses what a tier does not reach, whatever SQL asks for it."""

from __future__ import annotations

import shutil
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import apsw
import pytest

from weft.errors import PermissionDenied, WeftError
from weft.model import (
    ClaimNumber,
    Mention,
    Origin,
    SaveEvidence,
    SaveMentions,
    SaveRelation,
    SaveSource,
    SaveSuggestion,
    SaveVote,
    SuggestionState,
    Tier,
    Vote,
)
from weft.store import open_sqlite
from weft.store.guard import Access, allowed, tier_needed
from weft.store.sqlite import Connection, Reader, Writer, connect
from weft.testing.making import (
    AT,
    DIMENSION,
    a_batch,
    a_node,
    a_receipt,
    a_relation,
    a_source,
    a_suggestion,
    an_evidence,
    saved,
)

TRUTH = ("meta", "node", "relation", "source", "evidence", "suggestion", "vote", "series", "receipt", "change")
SCHEMA = "SELECT * FROM sqlite_schema ORDER BY name"

NODE_COLUMNS = """id, kind, title, content, ontology, lists, names, citation, confidence, importance, status, session,
    origin, channel, learned_id, created_at, created_by, modified_at, modified_by, version, hash"""
RELATION_COLUMNS = """id, source, target, type, reasoning, confidence, origin, rule, scores, learned_id, created_at,
    created_by, version, hash"""


EMPTY_NODES = f"""INSERT OR REPLACE INTO node ({NODE_COLUMNS}) SELECT
    id, kind, '', '', ontology, lists, names, '', 0, 0, '', '', 'manual', '', '', '', '', '', '', 1, '' FROM node"""


class Attack(NamedTuple):
    """SQL that must fail up to ``tier``; ``harmless`` where it would not have changed the truth by itself either."""

    sql: str
    tier: Tier = Tier.CURATOR
    harmless: bool = False


CONTRIBUTOR, LIBRARIAN, CURATOR = Tier.CONTRIBUTOR, Tier.LIBRARIAN, Tier.CURATOR

ATTACKS: dict[str, Attack] = {
    # Taking away.
    "delete nodes": Attack("DELETE FROM node"),
    "delete sources": Attack("DELETE FROM source"),
    "delete the log": Attack("DELETE FROM change"),
    "delete votes": Attack("DELETE FROM vote"),
    "delete suggestions": Attack("DELETE FROM suggestion"),
    "delete receipts": Attack("DELETE FROM receipt"),
    "delete series": Attack("DELETE FROM series"),
    "delete facts": Attack("DELETE FROM meta"),
    "delete relations": Attack("DELETE FROM relation", CONTRIBUTOR),
    "delete evidence": Attack("DELETE FROM evidence", CONTRIBUTOR),
    # Taking away without saying so.
    "replace a node": Attack("REPLACE INTO node SELECT * FROM node", harmless=True),
    "replace a node under its id": Attack(
        f"INSERT OR REPLACE INTO node ({NODE_COLUMNS}) SELECT {NODE_COLUMNS} FROM node WHERE title = 'Water boils'"
    ),
    "replace a node by an empty one": Attack(EMPTY_NODES),
    "replace a source": Attack(
        "REPLACE INTO source SELECT id, document, ontology, type, '', '', '', created_at, created_by, '' FROM source"
    ),
    "replace the log": Attack(
        "REPLACE INTO change SELECT seq, at, 'eve', '', '', '', '', subject, subject_id, action, NULL, NULL FROM change"
    ),
    "replace a suggestion": Attack(
        "REPLACE INTO suggestion SELECT id, kind, dedup, subjects, 'x', grounds, proposal, score, 'open', created_at,"
        " created_by, NULL, '', '', 1, 'x' FROM suggestion WHERE state <> 'open'"
    ),
    "replace a vote": Attack("REPLACE INTO vote SELECT learned_id, actor, -1, 'x', at FROM vote"),
    "replace a receipt": Attack("REPLACE INTO receipt SELECT actor, tool, key, digest, '{}', '[]', batch FROM receipt"),
    "turn a series back by replacing": Attack("REPLACE INTO series VALUES ('learned', 1)"),
    "replace a fact": Attack("REPLACE INTO meta VALUES ('model', 'other')"),
    "replace a relation": Attack(
        f"REPLACE INTO relation ({RELATION_COLUMNS}) SELECT 'x', source, target, type, 'x', 0, 'manual', '', '[]', '',"
        " created_at, created_by, 1, 'x' FROM relation",
        CONTRIBUTOR,
    ),
    "replace evidence": Attack(
        "REPLACE INTO evidence"
        " SELECT id, subject, source, 0, 0, 0, '', type, 'eve', NULL, '', '', '', 1, '' FROM evidence",
        CONTRIBUTOR,
    ),
    "move a relation onto another": Attack("UPDATE OR REPLACE relation SET type = 'supports'"),
    "move a suggestion onto another": Attack("UPDATE OR REPLACE suggestion SET dedup = 'one'"),
    "move a node onto another": Attack("UPDATE OR REPLACE node SET id = (SELECT min(id) FROM node)"),
    "move a vote onto another": Attack("UPDATE OR REPLACE vote SET actor = 'ada'"),
    "move a series onto another": Attack("UPDATE OR REPLACE series SET name = 'learned'"),
    "move a line of the log": Attack("UPDATE OR REPLACE change SET seq = 1"),
    # Changing what never changes.
    "change ids": Attack("UPDATE node SET id = id || 'x'"),
    "change rows": Attack("UPDATE node SET row = row + 100"),
    "change births": Attack("UPDATE node SET created_by = 'eve'"),
    "change the ends of a relation": Attack("UPDATE relation SET target = 'x'"),
    "change who voted": Attack("UPDATE vote SET actor = actor || 'x'"),
    "change who acted": Attack("UPDATE change SET actor = 'eve'"),
    "change when it happened": Attack("UPDATE change SET at = '1999'"),
    "change what happened": Attack("UPDATE change SET after = NULL", LIBRARIAN),
    "change an answer given": Attack("UPDATE receipt SET answer = '{}'", LIBRARIAN),
    "change whose answer it was": Attack("UPDATE receipt SET actor = 'eve'"),
    "change a document": Attack("UPDATE source SET text = ''", LIBRARIAN),
    "change what a document is quoted for": Attack("UPDATE evidence SET quote = ''", LIBRARIAN),
    "change the kind of evidence": Attack("UPDATE evidence SET type = 'LEARNED'"),
    "change the model": Attack("UPDATE meta SET value = 'other'", LIBRARIAN),
    "change a proposal": Attack("UPDATE suggestion SET proposal = '{\"x\": 1}'"),
    "turn a series back": Attack("UPDATE series SET value = 1"),
    "insert over what is there": Attack(
        f"INSERT INTO node ({NODE_COLUMNS}) SELECT {NODE_COLUMNS} FROM node WHERE true"
        " ON CONFLICT (id) DO UPDATE SET created_by = 'eve'"
    ),
    "slip a line into the log": Attack(
        "INSERT INTO change (seq, at, actor, client, tool, session, batch, subject, subject_id, action)"
        " VALUES (1000, '1999', 'eve', '', '', '', '', 'node', 'x', 'create')"
    ),
    "number a line of the log below one": Attack(
        "INSERT INTO change (seq, at, actor, client, tool, session, batch, subject, subject_id, action)"
        " VALUES (0, '1999', 'eve', '', '', '', '', 'node', 'x', 'create')"
    ),
    # Reaching above one's tier.
    "retire": Attack("UPDATE node SET retired_at = '2026' WHERE origin <> 'document'", CONTRIBUTOR),
    "merge": Attack("UPDATE node SET merged_into = 'x' WHERE origin <> 'document'", CONTRIBUTOR),
    "retire by inserting over": Attack(
        f"INSERT INTO node ({NODE_COLUMNS}) SELECT {NODE_COLUMNS} FROM node WHERE origin <> 'document'"
        " ON CONFLICT (id) DO UPDATE SET retired_at = '2026'",
        CONTRIBUTOR,
    ),
    "retire what a document said": Attack("UPDATE node SET retired_at = '2026' WHERE origin = 'document'"),
    "take a document's protection away": Attack("UPDATE node SET origin = 'manual' WHERE origin = 'document'"),
    "take a relation's protection away": Attack("UPDATE relation SET origin = 'manual' WHERE origin = 'document'"),
    "remove a document's relation": Attack("DELETE FROM relation WHERE origin = 'document'"),
    "remove a document's evidence": Attack("DELETE FROM evidence WHERE type = 'DOCUMENT'"),
    "decide": Attack("UPDATE suggestion SET state = 'accepted', decided_by = 'eve'", CONTRIBUTOR),
    "make a decided suggestion": Attack(
        "INSERT INTO suggestion SELECT 'x', kind, 'x', subjects, '', '{}', '{}', 0, 'accepted', created_at, 'eve',"
        " NULL, 'eve', '', 1, 'x' FROM suggestion LIMIT 1",
        CONTRIBUTOR,
    ),
    # Derived tables, from outside their triggers.
    "write words": Attack("INSERT INTO words (rowid, name, body) VALUES (99, 'a', 'b')", LIBRARIAN, harmless=True),
    "empty the words": Attack("INSERT INTO words (words) VALUES ('delete-all')", LIBRARIAN, harmless=True),
    "rebuild the words": Attack("INSERT INTO words (words) VALUES ('rebuild')", LIBRARIAN, harmless=True),
    "delete words": Attack("DELETE FROM words", LIBRARIAN, harmless=True),
    "update words": Attack("UPDATE words SET name = '', body = ''", LIBRARIAN, harmless=True),
    "write the words' own tables": Attack("DELETE FROM words_data", harmless=True),
    "overwrite the words' own tables": Attack("UPDATE words_docsize SET sz = x'00'", harmless=True),
    "configure the words": Attack("INSERT INTO words_config VALUES ('version', 1)", harmless=True),
    "drop the words": Attack("DROP TABLE words", harmless=True),
    "write passages": Attack("UPDATE passage SET to_seq = 1", LIBRARIAN, harmless=True),
    "delete passages": Attack("DELETE FROM passage", LIBRARIAN, harmless=True),
    "write names": Attack("INSERT INTO name VALUES ('x', 'title', 1)", LIBRARIAN, harmless=True),
    "delete names": Attack("DELETE FROM name", LIBRARIAN, harmless=True),
    "write tags": Attack("REPLACE INTO tag VALUES ('x', 1)", LIBRARIAN, harmless=True),
    "write the tally": Attack("UPDATE tally SET count = 0", LIBRARIAN, harmless=True),
    "write the bands": Attack("UPDATE confidence_band SET count = 0", LIBRARIAN, harmless=True),
    "write a print": Attack("INSERT INTO file_print VALUES (1, 'a', '', 'a', 'd')", LIBRARIAN, harmless=True),
    "write frequencies": Attack("UPDATE term SET df = 0", LIBRARIAN, harmless=True),
    "write mentions": Attack("DELETE FROM mention", LIBRARIAN, harmless=True),
    # The schema and the engine.
    "drop a table": Attack("DROP TABLE receipt"),
    "drop a guard": Attack("DROP TRIGGER node_kept"),
    "drop an index": Attack("DROP INDEX node_by_kind"),
    "alter a table": Attack("ALTER TABLE node ADD COLUMN x TEXT"),
    "make a table": Attack("CREATE TABLE x (a)"),
    "make a temporary table": Attack("CREATE TEMP TABLE node (a)", harmless=True),
    "make a trigger": Attack("CREATE TRIGGER x AFTER INSERT ON node BEGIN SELECT 1; END"),
    "make a temporary trigger": Attack(
        "CREATE TEMP TRIGGER x AFTER INSERT ON node BEGIN DELETE FROM main.vote; END", harmless=True
    ),
    "make a view": Attack("CREATE VIEW x AS SELECT 1"),
    "make a virtual table": Attack("CREATE VIRTUAL TABLE x USING fts5 (a)"),
    "edit the schema": Attack("UPDATE sqlite_schema SET sql = NULL", harmless=True),
    "allow editing the schema": Attack("PRAGMA writable_schema = ON", harmless=True),
    "switch replace's triggers off": Attack("PRAGMA recursive_triggers = OFF", harmless=True),
    "switch foreign keys off": Attack("PRAGMA foreign_keys = OFF", harmless=True),
    "switch syncing off": Attack("PRAGMA synchronous = OFF", harmless=True),
    "leave the write-ahead log": Attack("PRAGMA journal_mode = DELETE", harmless=True),
    "fold the write-ahead log": Attack("PRAGMA wal_checkpoint(TRUNCATE)", harmless=True),
    "change the application": Attack("PRAGMA application_id = 1", harmless=True),
    "change the schema's number": Attack("PRAGMA user_version = 99", harmless=True),
    "attach the graph again": Attack("ATTACH '{path}' AS again", harmless=True),
    "attach another file": Attack("ATTACH '{folder}/other.db' AS other", harmless=True),
    "copy the graph out": Attack("VACUUM INTO '{folder}/copy.db'", harmless=True),
    "vacuum": Attack("VACUUM", harmless=True),
    "analyze": Attack("ANALYZE", harmless=True),
    "load code": Attack("SELECT load_extension('x')", harmless=True),
    "swap the tokenizer": Attack("SELECT fts3_tokenizer('x', x'00')", harmless=True),
}


@pytest.fixture
def path(tmp_path: Path, filled: Path) -> Path:
    """A graph with something in every table of truth, to be attacked."""
    return Path(shutil.copy(filled, tmp_path / "graph.db"))


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The graph that each test gets a copy of."""
    path = tmp_path_factory.mktemp("tiers") / "graph.db"
    graph = open_sqlite(path, tier=Tier.CURATOR, model="letters", dimension=DIMENSION, create=True)
    boils, melts, source = (
        a_node("Water boils", origin=Origin.DOCUMENT, tags=("heat",)),
        a_node("Ice melts"),
        a_source(),
    )
    said, thought = a_relation(boils, melts, origin=Origin.DOCUMENT), a_relation(melts, boils, "extends")
    open_one = a_suggestion("one", boils, melts)
    decided = a_suggestion("two", boils, state=SuggestionState.DISMISSED, decided_by="ada", decided_at=AT)
    votes = (Vote(learned_id="l", actor=actor, value=1, reason="", at=AT) for actor in ("ada", "bob"))
    mention = Mention(node=melts.id, target=boils.id, name="water")
    graph.store.commit(
        a_batch(
            *(saved(node) for node in (boils, melts)),
            *(SaveRelation(relation=relation, expect=0) for relation in (said, thought)),
            SaveSource(source=source),
            SaveEvidence(evidence=an_evidence(boils.id, source)),
            *(SaveSuggestion(suggestion=suggestion) for suggestion in (open_one, decided)),
            *(SaveVote(vote=vote) for vote in votes),
            *(ClaimNumber(name=name, value=value) for name, value in (("learned", 1), ("learned", 2), ("other", 1))),
            SaveMentions(node=melts.id, outgoing=(mention,)),
            receipt=a_receipt("k", subjects=(boils.id,)),
        )
    )
    graph.close()
    return path


def bare(path: Path) -> Connection:
    """Return a connection with no guard on it."""
    return Connection(connect(path, synchronous="FULL", vfs=""))


def held(path: Path, tier: Tier) -> Reader:
    """Return the connection that a caller of ``tier`` works with."""
    raw = connect(path, synchronous="FULL", vfs="")
    return Reader(raw, tier) if tier is Tier.READER else Writer(raw, tier)


def truth(path: Path) -> str:
    """Return a hash over the schema and every row of truth."""
    connection = bare(path)
    schema = connection.execute(SCHEMA)
    tables = [row[1] for row in schema if row[1] in TRUTH]
    rows = [schema, *(connection.execute(f"SELECT * FROM {table}") for table in tables)]
    connection.close()
    return sha256(repr(rows).encode()).hexdigest()


def derived(path: Path) -> str:
    """Return a hash over every derived row."""
    connection = bare(path)
    tables = ("passage", "words_docsize", "words_data", "term", "tag", "reference", "name", "mention", "tally")
    rows = [connection.execute(f"SELECT * FROM {table}") for table in tables]
    connection.close()
    return sha256(repr(rows).encode()).hexdigest()


@pytest.mark.parametrize(
    ("name", "tier"),
    [(name, tier) for name, attack in ATTACKS.items() for tier in Tier if tier <= attack.tier],
    ids=lambda part: part.label if isinstance(part, Tier) else part,
)
def test_an_attack_is_refused_and_changes_nothing(path: Path, name: str, tier: Tier) -> None:
    """Through the tier's own connection, with and without a transaction around it."""
    attack = ATTACKS[name]
    sql = attack.sql.replace("{path}", str(path)).replace("{folder}", str(path.parent))
    before, others = (truth(path), derived(path)), set(path.parent.iterdir())
    connection = held(path, tier)
    with pytest.raises(WeftError):
        connection.execute(sql)
    with pytest.raises(WeftError), connection.transaction():
        connection.execute(sql)
    connection.close()
    assert (truth(path), derived(path)) == before
    assert set(path.parent.iterdir()) == others


@pytest.mark.parametrize("name", [name for name, attack in ATTACKS.items() if not attack.harmless])
def test_without_the_guard_the_same_attack_does_its_work(path: Path, name: str) -> None:
    """The twin: were it not for allow-lists and triggers, the truth would be another."""
    before = truth(path)
    connection = bare(path)
    triggers = [row[0] for row in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'")]
    for trigger in triggers:
        if not ATTACKS[name].sql.startswith("DROP TRIGGER"):
            connection.execute(f"DROP TRIGGER {trigger}")
    connection.execute("PRAGMA foreign_keys = OFF")
    connection.execute("UPDATE vote SET reason = reason")
    between = truth(path)
    connection.execute(ATTACKS[name].sql)
    connection.close()
    assert truth(path) not in (before, between)


def test_a_deletion_past_recursive_triggers_is_what_the_setting_is_for(path: Path) -> None:
    """The twin of the locked setting: with it off, REPLACE deletes a document's node past every guard."""
    connection = held(path, Tier.CONTRIBUTOR)
    with pytest.raises(PermissionDenied, match="never deleted"):
        connection.execute(EMPTY_NODES)
    connection.close()
    unlocked = bare(path)
    unlocked.execute("PRAGMA recursive_triggers = OFF")
    unlocked.execute("PRAGMA foreign_keys = OFF")
    unlocked.execute(EMPTY_NODES)
    assert unlocked.execute("SELECT count(*) FROM node WHERE origin = 'document'") == [(0,)]
    unlocked.close()


def test_shadow_tables_are_kept_by_the_engine_itself(path: Path) -> None:
    """The allow-list must let full text write its own tables, so that defensive mode alone keeps others out of them."""
    access = Access("DELETE", "words_data")
    assert allowed(Tier.CONTRIBUTOR, access)
    connection = held(path, Tier.CONTRIBUTOR)
    with pytest.raises(WeftError, match="may not be modified"):
        connection.execute("DELETE FROM words_data")
    connection.close()
    raw = connect(path, synchronous="FULL", vfs="")
    raw.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 0)
    raw.execute("DELETE FROM words_data")
    assert raw.changes() > 0
    raw.close()


def test_a_reader_writes_nothing_at_all(path: Path) -> None:
    """Every table and every column, by every verb."""
    connection = bare(path)
    tables = [row[0] for row in connection.execute("SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')")]
    columns = {table: [row[1] for row in connection.execute(f"PRAGMA table_info({table})")] for table in tables}
    connection.close()
    for table in tables:
        for verb in ("INSERT", "DELETE"):
            assert not allowed(Tier.READER, Access(verb, table)), (verb, table)
        for column in columns[table]:
            assert not allowed(Tier.READER, Access("UPDATE", table, column)), (table, column)


def test_each_tier_holds_the_ones_before_it() -> None:
    """What one may, the next may too; what nobody may has no tier."""
    known = [Access("INSERT", "node"), Access("DELETE", "relation"), Access("UPDATE", "node", "retired_at")]
    known += [Access("UPDATE", "meta", "value"), Access("PRAGMA", "data_version"), Access("SELECT")]
    for access in known:
        needed = tier_needed(access)
        assert needed is not None
        assert [tier for tier in Tier if allowed(tier, access)] == [tier for tier in Tier if tier >= needed]
    assert tier_needed(Access("DELETE", "node")) is None
    assert tier_needed(Access("INSERT", "tag")) is Tier.CURATOR
    assert tier_needed(Access("INSERT", "tag", "", "node_made")) is Tier.CONTRIBUTOR
    assert not allowed(Tier.CURATOR, Access("FUNCTION", "", "LOAD_EXTENSION"))
    assert not allowed(Tier.CURATOR, Access("?", "node"))


def test_a_refusal_says_what_was_wanted_and_who_may(path: Path) -> None:
    """The message names operation, table, column and the tier."""
    connection = held(path, Tier.CONTRIBUTOR)
    for sql, said in {
        "DELETE FROM relation": "DELETE relation needs tier librarian",
        "UPDATE node SET retired_at = ''": "UPDATE node.retired_at needs tier librarian",
        "UPDATE meta SET value = ''": "UPDATE meta.value needs tier curator",
        "DELETE FROM node": "DELETE node is not allowed to any tier",
        "ATTACH 'x' AS y": "ATTACH x is not allowed to any tier",
    }.items():
        with pytest.raises(PermissionDenied, match=said):
            connection.execute(sql)
    connection.close()


def test_work_goes_on_after_every_refusal(path: Path) -> None:
    """A refused statement leaves the connection usable."""
    graph = open_sqlite(path, tier=Tier.CONTRIBUTOR, model="letters", dimension=DIMENSION, create=False)
    with graph.database.writer(Tier.CURATOR) as writer:
        for attack in ATTACKS.values():
            with pytest.raises(WeftError):
                writer.execute(attack.sql)
    graph.store.commit(a_batch(saved(a_node("Steam rises"))))
    assert graph.store.counts().nodes == 3
    graph.close()


def test_a_low_opening_is_not_raised_by_a_high_call(path: Path) -> None:
    """The lower of the two tiers counts, in both directions."""
    graph = open_sqlite(path, tier=Tier.LIBRARIAN, model="letters", dimension=DIMENSION, create=False)
    for asked, ceiling in ((Tier.CURATOR, "UPDATE meta SET value = 'x'"), (Tier.CONTRIBUTOR, "DELETE FROM relation")):
        with pytest.raises(PermissionDenied), graph.database.writer(asked) as writer:
            writer.execute(ceiling)
    with pytest.raises(PermissionDenied):
        graph.store.commit(a_batch(saved(a_node()), tier=Tier.READER))
    graph.close()
