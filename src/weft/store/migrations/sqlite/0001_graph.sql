-- The graph, first form. Applied once, inside one transaction, to an empty file.
--
-- Truth lies in node, relation, source, evidence, suggestion, vote, series, receipt and change. Everything else is
-- derived from them by the triggers below, which are also the only way to write it: the tiers' allow-lists let no
-- statement of ours touch a derived table except from inside these triggers.
-- weft_tier() is the tier of the connection (1 reader .. 4 curator); weft_spares() is 1 while a batch that thinks is
-- being written, which must never take away what a document said.

CREATE TABLE meta (
    key   TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE node (
    row         INTEGER PRIMARY KEY,
    id          TEXT NOT NULL UNIQUE,
    kind        TEXT NOT NULL,
    title       TEXT NOT NULL,
    content     TEXT NOT NULL,
    ontology    TEXT NOT NULL CHECK (ontology <> ''),
    -- {"handles": [], "tags": [], "search_terms": [], "aliases": [], "references": []}
    lists       TEXT NOT NULL CHECK (json_valid(lists)),
    -- [["folded name", "title" | "alias" | "handle"], ...]: what the node answers to
    names       TEXT NOT NULL CHECK (json_valid(names)),
    citation    TEXT NOT NULL,
    confidence  REAL NOT NULL CHECK (confidence BETWEEN 0 AND 1),
    importance  REAL NOT NULL CHECK (importance BETWEEN 0 AND 1),
    status      TEXT NOT NULL,
    retired_at  TEXT,
    retired_by  TEXT NOT NULL DEFAULT '',
    retired_why TEXT NOT NULL DEFAULT '',
    merged_into TEXT NOT NULL DEFAULT '',
    session     TEXT NOT NULL,
    origin      TEXT NOT NULL,
    channel     TEXT NOT NULL,
    learned_id  TEXT NOT NULL,
    created_at  TEXT NOT NULL,
    created_by  TEXT NOT NULL,
    modified_at TEXT NOT NULL,
    modified_by TEXT NOT NULL,
    version     INTEGER NOT NULL CHECK (version >= 1),
    hash        TEXT NOT NULL
) STRICT;
CREATE INDEX node_by_ontology ON node (ontology, kind, id) WHERE retired_at IS NULL;
CREATE INDEX node_by_kind ON node (kind, id) WHERE retired_at IS NULL;
CREATE INDEX node_by_session ON node (session) WHERE session <> '' AND retired_at IS NULL;
CREATE INDEX node_by_status ON node (status, id) WHERE status <> 'active' AND retired_at IS NULL;
CREATE INDEX node_by_learned ON node (learned_id) WHERE learned_id <> '';
CREATE INDEX node_by_hash ON node (hash);

CREATE TABLE relation (
    id         TEXT NOT NULL UNIQUE,
    source     TEXT NOT NULL REFERENCES node (id),
    target     TEXT NOT NULL REFERENCES node (id),
    type       TEXT NOT NULL,
    reasoning  TEXT NOT NULL,
    confidence REAL NOT NULL CHECK (confidence BETWEEN 0 AND 1),
    origin     TEXT NOT NULL,
    rule       TEXT NOT NULL,
    scores     TEXT NOT NULL CHECK (json_valid(scores)),
    learned_id TEXT NOT NULL,
    valid_from TEXT,
    valid_to   TEXT,
    created_at TEXT NOT NULL,
    created_by TEXT NOT NULL,
    version    INTEGER NOT NULL CHECK (version >= 1),
    hash       TEXT NOT NULL,
    PRIMARY KEY (source, target, type),
    CHECK (source <> target)
) STRICT, WITHOUT ROWID;
CREATE INDEX relation_by_target ON relation (target, type);
CREATE INDEX relation_by_learned ON relation (learned_id) WHERE learned_id <> '';

CREATE TABLE source (
    id         TEXT NOT NULL PRIMARY KEY,
    document   TEXT NOT NULL,
    ontology   TEXT NOT NULL,
    type       TEXT NOT NULL,
    text       TEXT NOT NULL,
    digest     TEXT NOT NULL,
    path       TEXT NOT NULL,
    created_at TEXT NOT NULL,
    created_by TEXT NOT NULL,
    hash       TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX source_by_document ON source (document, ontology, id);

CREATE TABLE evidence (
    id         TEXT NOT NULL PRIMARY KEY,
    subject    TEXT NOT NULL,
    source     TEXT NOT NULL REFERENCES source (id),
    paragraph  INTEGER NOT NULL,
    start      INTEGER NOT NULL,
    end        INTEGER NOT NULL,
    quote      TEXT NOT NULL,
    type       TEXT NOT NULL,
    creator    TEXT NOT NULL,
    similarity REAL,
    leap       TEXT NOT NULL,
    learned_id TEXT NOT NULL,
    created_at TEXT NOT NULL,
    version    INTEGER NOT NULL CHECK (version >= 1),
    hash       TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX evidence_by_subject ON evidence (subject, id);
CREATE INDEX evidence_by_source ON evidence (source, subject);

CREATE TABLE suggestion (
    id          TEXT NOT NULL PRIMARY KEY,
    kind        TEXT NOT NULL,
    dedup       TEXT NOT NULL UNIQUE,
    subjects    TEXT NOT NULL CHECK (json_valid(subjects)),
    summary     TEXT NOT NULL,
    grounds     TEXT NOT NULL CHECK (json_valid(grounds)),
    proposal    TEXT NOT NULL CHECK (json_valid(proposal)),
    score       REAL NOT NULL,
    state       TEXT NOT NULL,
    created_at  TEXT NOT NULL,
    created_by  TEXT NOT NULL,
    decided_at  TEXT,
    decided_by  TEXT NOT NULL,
    decided_why TEXT NOT NULL,
    version     INTEGER NOT NULL CHECK (version >= 1),
    hash        TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX suggestion_by_state ON suggestion (state, score DESC, id);

CREATE TABLE vote (
    learned_id TEXT NOT NULL,
    actor      TEXT NOT NULL,
    value      INTEGER NOT NULL CHECK (value IN (-1, 1)),
    reason     TEXT NOT NULL,
    at         TEXT NOT NULL,
    PRIMARY KEY (learned_id, actor)
) STRICT, WITHOUT ROWID;

CREATE TABLE series (
    name  TEXT NOT NULL PRIMARY KEY,
    value INTEGER NOT NULL CHECK (value >= 1)
) STRICT, WITHOUT ROWID;

CREATE TABLE receipt (
    actor    TEXT NOT NULL,
    tool     TEXT NOT NULL,
    key      TEXT NOT NULL,
    digest   TEXT NOT NULL,
    answer   TEXT NOT NULL,
    subjects TEXT NOT NULL CHECK (json_valid(subjects)),
    batch    TEXT NOT NULL,
    PRIMARY KEY (actor, tool, key)
) STRICT, WITHOUT ROWID;

-- Append-only; seq is commit order because it is taken inside the one write transaction.
CREATE TABLE change (
    seq        INTEGER PRIMARY KEY,
    at         TEXT NOT NULL,
    actor      TEXT NOT NULL,
    client     TEXT NOT NULL,
    tool       TEXT NOT NULL,
    session    TEXT NOT NULL,
    batch      TEXT NOT NULL,
    subject    TEXT NOT NULL,
    subject_id TEXT NOT NULL,
    action     TEXT NOT NULL,
    before     TEXT CHECK (before IS NULL OR json_valid(before)),
    after      TEXT CHECK (after IS NULL OR json_valid(after))
) STRICT;
CREATE INDEX change_by_batch ON change (batch, seq);
CREATE INDEX change_by_subject ON change (subject_id, seq);
CREATE INDEX change_by_time ON change (at, seq);

-- ---------------------------------------------------------------- derived

-- A passage stands from from_seq until to_seq (NULL: still). Closed ones stay, so that the past can be searched.
CREATE TABLE passage (
    row      INTEGER PRIMARY KEY,
    node     INTEGER NOT NULL REFERENCES node (row),
    ordinal  INTEGER NOT NULL,
    start    INTEGER NOT NULL,
    end      INTEGER NOT NULL,
    vector   BLOB NOT NULL,
    from_seq INTEGER NOT NULL,
    to_seq   INTEGER
) STRICT;
CREATE INDEX passage_by_node ON passage (node, ordinal) WHERE to_seq IS NULL;
CREATE INDEX passage_closed ON passage (to_seq, from_seq) WHERE to_seq IS NOT NULL;
CREATE INDEX passage_by_seq ON passage (from_seq);

-- Words come in already cut and folded by weft.text, separated by spaces; every visible character is part of a word here.
CREATE VIRTUAL TABLE words USING fts5 (
    name, body, content='', contentless_delete=1,
    tokenize="unicode61 remove_diacritics 0 categories 'L* N* M* P* S* Co'"
);

-- In how many passages a word ever stood.
CREATE TABLE term (
    term TEXT NOT NULL PRIMARY KEY,
    df   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE tag (
    tag  TEXT NOT NULL,
    node INTEGER NOT NULL REFERENCES node (row),
    PRIMARY KEY (tag, node)
) STRICT, WITHOUT ROWID;
CREATE INDEX tag_by_node ON tag (node);

CREATE TABLE reference (
    path TEXT NOT NULL,
    node INTEGER NOT NULL REFERENCES node (row),
    PRIMARY KEY (path, node)
) STRICT, WITHOUT ROWID;
CREATE INDEX reference_by_node ON reference (node);

CREATE TABLE name (
    name TEXT NOT NULL,
    role TEXT NOT NULL,
    node INTEGER NOT NULL REFERENCES node (row),
    PRIMARY KEY (name, role, node)
) STRICT, WITHOUT ROWID;
CREATE INDEX name_by_node ON name (node);

CREATE TABLE mention (
    node   TEXT NOT NULL,
    target TEXT NOT NULL,
    name   TEXT NOT NULL,
    PRIMARY KEY (node, target)
) STRICT, WITHOUT ROWID;
CREATE INDEX mention_by_target ON mention (target, node);

CREATE TABLE suggestion_subject (
    subject    TEXT NOT NULL,
    suggestion TEXT NOT NULL,
    PRIMARY KEY (subject, suggestion)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER node_made AFTER INSERT ON node BEGIN
    INSERT OR IGNORE INTO tag (tag, node) SELECT value, new.row FROM json_each(new.lists, '$.tags');
    INSERT OR IGNORE INTO reference (path, node) SELECT value, new.row FROM json_each(new.lists, '$.references');
    INSERT OR IGNORE INTO name (name, role, node)
        SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]'), new.row FROM json_each(new.names);
END;

CREATE TRIGGER node_changed AFTER UPDATE ON node BEGIN
    DELETE FROM tag WHERE node = new.row;
    DELETE FROM reference WHERE node = new.row;
    DELETE FROM name WHERE node = new.row;
    INSERT OR IGNORE INTO tag (tag, node)
        SELECT value, new.row FROM json_each(new.lists, '$.tags') WHERE new.retired_at IS NULL;
    INSERT OR IGNORE INTO reference (path, node)
        SELECT value, new.row FROM json_each(new.lists, '$.references') WHERE new.retired_at IS NULL;
    INSERT OR IGNORE INTO name (name, role, node)
        SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]'), new.row FROM json_each(new.names)
        WHERE new.retired_at IS NULL;
END;

-- Words enter through this view only: one row is a passage, its words and their counts.
CREATE VIEW passage_entry AS
    SELECT node, ordinal, start, end, vector, from_seq, '' AS name_words, '' AS body_words, '[]' AS terms FROM passage;

CREATE TRIGGER passage_entered INSTEAD OF INSERT ON passage_entry BEGIN
    INSERT INTO passage (node, ordinal, start, end, vector, from_seq)
        VALUES (new.node, new.ordinal, new.start, new.end, new.vector, new.from_seq);
    INSERT INTO words (rowid, name, body)
        VALUES ((SELECT max(row) FROM passage), new.name_words, new.body_words);
    INSERT INTO term (term, df) SELECT value, 1 FROM json_each(new.terms) WHERE true
        ON CONFLICT (term) DO UPDATE SET df = df + 1;
END;

-- A node's mentions are replaced as one: {"outgoing": [[target, name], ...], "incoming": [[node, name], ...]}.
CREATE VIEW mention_entry AS SELECT node, '{}' AS mentions FROM mention;

CREATE TRIGGER mention_entered INSTEAD OF INSERT ON mention_entry BEGIN
    DELETE FROM mention WHERE node = new.node;
    INSERT OR IGNORE INTO mention (node, target, name)
        SELECT new.node, json_extract(value, '$[0]'), json_extract(value, '$[1]')
        FROM json_each(new.mentions, '$.outgoing');
    INSERT OR IGNORE INTO mention (node, target, name)
        SELECT json_extract(value, '$[0]'), new.node, json_extract(value, '$[1]')
        FROM json_each(new.mentions, '$.incoming');
END;

CREATE TRIGGER suggestion_made AFTER INSERT ON suggestion BEGIN
    INSERT OR IGNORE INTO suggestion_subject (subject, suggestion) SELECT value, new.id FROM json_each(new.subjects);
END;

-- ---------------------------------------------------------------- guards

CREATE TRIGGER node_kept BEFORE DELETE ON node BEGIN
    SELECT RAISE(ABORT, 'weft: nodes are retired, never deleted');
END;

CREATE TRIGGER node_retired BEFORE UPDATE OF retired_at, merged_into ON node
WHEN new.retired_at IS NOT old.retired_at OR new.merged_into <> old.merged_into BEGIN
    SELECT RAISE(ABORT, 'weft: retiring a node needs tier librarian') WHERE weft_tier() < 3;
    SELECT RAISE(ABORT, 'weft: a document said this; it is not retired by anything that thinks')
        WHERE old.origin = 'document' AND new.retired_at IS NOT NULL AND weft_spares() = 1;
END;

CREATE TRIGGER relation_removed BEFORE DELETE ON relation BEGIN
    SELECT RAISE(ABORT, 'weft: removing a relation needs tier librarian') WHERE weft_tier() < 3;
    SELECT RAISE(ABORT, 'weft: a document said this; it is not removed by anything that thinks')
        WHERE old.origin = 'document' AND weft_spares() = 1;
END;

CREATE TRIGGER evidence_removed BEFORE DELETE ON evidence BEGIN
    SELECT RAISE(ABORT, 'weft: removing evidence needs tier librarian') WHERE weft_tier() < 3;
    SELECT RAISE(ABORT, 'weft: a document said this; it is not removed by anything that thinks')
        WHERE old.type = 'DOCUMENT' AND weft_spares() = 1;
END;

CREATE TRIGGER source_kept BEFORE DELETE ON source BEGIN
    SELECT RAISE(ABORT, 'weft: sources are kept');
END;

CREATE TRIGGER change_kept BEFORE DELETE ON change BEGIN
    SELECT RAISE(ABORT, 'weft: the log is append-only');
END;

CREATE TRIGGER change_fixed BEFORE UPDATE ON change WHEN weft_tier() < 4 BEGIN
    SELECT RAISE(ABORT, 'weft: the log is append-only');
END;
