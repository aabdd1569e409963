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
CREATE INDEX node_by_ontology ON node (ontology, id) WHERE retired_at IS NULL;
CREATE INDEX node_by_kind ON node (kind, id) WHERE retired_at IS NULL;
CREATE INDEX node_by_session ON node (session) WHERE session <> '' AND retired_at IS NULL;
CREATE INDEX node_by_status ON node (status, id) WHERE status <> 'active' AND retired_at IS NULL;
CREATE INDEX node_by_learned ON node (learned_id) WHERE learned_id <> '';
CREATE INDEX node_learned ON node (id) WHERE origin = 'learned' AND retired_at IS NULL;

CREATE TABLE relation (
    id         TEXT NOT NULL UNIQUE,
    -- Looked at when the batch ends, so that its operations may come in any order.
    source     TEXT NOT NULL REFERENCES node (id) DEFERRABLE INITIALLY DEFERRED,
    target     TEXT NOT NULL REFERENCES node (id) DEFERRABLE INITIALLY DEFERRED,
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
-- Strongest first from either end, so that a hub costs what is read of it and not what hangs on it.
CREATE INDEX relation_by_source ON relation (source, confidence DESC);
CREATE INDEX relation_by_target ON relation (target, confidence DESC);
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
    source     TEXT NOT NULL REFERENCES source (id) DEFERRABLE INITIALLY DEFERRED,
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
-- What was taken away can be found from its ends: the past is what stands now and these.
CREATE INDEX change_relation_source ON change (json_extract(before, '$.source'), seq)
    WHERE subject = 'relation' AND action = 'remove';
CREATE INDEX change_relation_target ON change (json_extract(before, '$.target'), seq)
    WHERE subject = 'relation' AND action = 'remove';

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

-- How many there are of what, kept as they come and go, so that asking never counts. subject is node, retired (nodes)
-- or relation, whose type stands under kind.
CREATE TABLE tally (
    subject  TEXT NOT NULL,
    kind     TEXT NOT NULL,
    ontology TEXT NOT NULL,
    origin   TEXT NOT NULL,
    status   TEXT NOT NULL,
    count    INTEGER NOT NULL,
    PRIMARY KEY (subject, kind, ontology, origin, status)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER node_made AFTER INSERT ON node BEGIN
    INSERT INTO tally (subject, kind, ontology, origin, status, count)
        VALUES (iif(new.retired_at IS NULL, 'node', 'retired'), new.kind, new.ontology, new.origin, new.status, 1)
        ON CONFLICT DO UPDATE SET count = count + 1;
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

CREATE TRIGGER node_counted AFTER UPDATE OF kind, ontology, origin, status, retired_at ON node
WHEN (new.kind, new.ontology, new.origin, new.status, new.retired_at)
    IS NOT (old.kind, old.ontology, old.origin, old.status, old.retired_at) BEGIN
    UPDATE tally SET count = count - 1
        WHERE subject = iif(old.retired_at IS NULL, 'node', 'retired') AND kind = old.kind
            AND ontology = old.ontology AND origin = old.origin AND status = old.status;
    INSERT INTO tally (subject, kind, ontology, origin, status, count)
        VALUES (iif(new.retired_at IS NULL, 'node', 'retired'), new.kind, new.ontology, new.origin, new.status, 1)
        ON CONFLICT DO UPDATE SET count = count + 1;
END;

CREATE TRIGGER relation_made AFTER INSERT ON relation BEGIN
    INSERT INTO tally (subject, kind, ontology, origin, status, count)
        VALUES ('relation', new.type, '', new.origin, '', 1)
        ON CONFLICT DO UPDATE SET count = count + 1;
END;

CREATE TRIGGER relation_counted AFTER UPDATE OF origin ON relation WHEN new.origin <> old.origin BEGIN
    UPDATE tally SET count = count - 1
        WHERE subject = 'relation' AND kind = old.type AND ontology = '' AND origin = old.origin AND status = '';
    INSERT INTO tally (subject, kind, ontology, origin, status, count)
        VALUES ('relation', new.type, '', new.origin, '', 1)
        ON CONFLICT DO UPDATE SET count = count + 1;
END;

CREATE TRIGGER relation_gone AFTER DELETE ON relation BEGIN
    UPDATE tally SET count = count - 1
        WHERE subject = 'relation' AND kind = old.type AND ontology = '' AND origin = old.origin AND status = '';
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

-- Passages end through this view only: the open ones of a node from ordinal_min up to ordinal_max, at to_seq.
CREATE VIEW passage_end AS SELECT node, 0 AS ordinal_min, 0 AS ordinal_max, to_seq FROM passage;

CREATE TRIGGER passage_ended INSTEAD OF INSERT ON passage_end BEGIN
    UPDATE passage SET to_seq = new.to_seq
        WHERE node = new.node AND ordinal BETWEEN new.ordinal_min AND new.ordinal_max AND to_seq IS NULL;
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
    SELECT RAISE(ABORT, 'weft: a document said this; nothing that thinks retires it')
        WHERE old.origin = 'document' AND new.retired_at IS NOT NULL AND weft_spares() = 1;
END;

CREATE TRIGGER node_origin BEFORE UPDATE OF origin ON node
WHEN old.origin = 'document' AND new.origin <> 'document' BEGIN
    SELECT RAISE(ABORT, 'weft: a document said this; taking its origin away needs tier librarian') WHERE weft_tier() < 3;
    SELECT RAISE(ABORT, 'weft: a document said this; nothing that thinks takes its origin away') WHERE weft_spares() = 1;
END;

CREATE TRIGGER relation_origin BEFORE UPDATE OF origin ON relation
WHEN old.origin = 'document' AND new.origin <> 'document' BEGIN
    SELECT RAISE(ABORT, 'weft: a document said this; taking its origin away needs tier librarian') WHERE weft_tier() < 3;
    SELECT RAISE(ABORT, 'weft: a document said this; nothing that thinks takes its origin away') WHERE weft_spares() = 1;
END;

CREATE TRIGGER relation_removed BEFORE DELETE ON relation BEGIN
    SELECT RAISE(ABORT, 'weft: removing a relation needs tier librarian') WHERE weft_tier() < 3;
    SELECT RAISE(ABORT, 'weft: a document said this; nothing that thinks removes it')
        WHERE old.origin = 'document' AND weft_spares() = 1;
END;

CREATE TRIGGER evidence_removed BEFORE DELETE ON evidence BEGIN
    SELECT RAISE(ABORT, 'weft: removing evidence needs tier librarian') WHERE weft_tier() < 3;
    SELECT RAISE(ABORT, 'weft: a document said this; nothing that thinks removes it')
        WHERE old.type = 'DOCUMENT' AND weft_spares() = 1;
END;

CREATE TRIGGER evidence_changed BEFORE UPDATE ON evidence
WHEN old.type = 'DOCUMENT' AND (new.source, new.quote, new.start, new.end) IS NOT (old.source, old.quote, old.start, old.end)
BEGIN
    SELECT RAISE(ABORT, 'weft: what a document said is changed by tier curator only') WHERE weft_tier() < 4;
    SELECT RAISE(ABORT, 'weft: a document said this; nothing that thinks changes it') WHERE weft_spares() = 1;
END;

CREATE TRIGGER source_kept BEFORE DELETE ON source BEGIN
    SELECT RAISE(ABORT, 'weft: sources are kept');
END;

CREATE TRIGGER suggestion_decided BEFORE INSERT ON suggestion WHEN new.state <> 'open' BEGIN
    SELECT RAISE(ABORT, 'weft: deciding a suggestion needs tier librarian') WHERE weft_tier() < 3;
END;

CREATE TRIGGER suggestion_kept BEFORE DELETE ON suggestion BEGIN
    SELECT RAISE(ABORT, 'weft: suggestions are decided, never deleted');
END;

CREATE TRIGGER vote_kept BEFORE DELETE ON vote BEGIN
    SELECT RAISE(ABORT, 'weft: votes are changed, never deleted');
END;

CREATE TRIGGER series_kept BEFORE DELETE ON series BEGIN
    SELECT RAISE(ABORT, 'weft: a series never goes back');
END;

CREATE TRIGGER series_grows BEFORE UPDATE ON series WHEN new.value <= old.value BEGIN
    SELECT RAISE(ABORT, 'weft: a series never goes back');
END;

CREATE TRIGGER receipt_kept BEFORE DELETE ON receipt BEGIN
    SELECT RAISE(ABORT, 'weft: receipts are kept');
END;

CREATE TRIGGER meta_kept BEFORE DELETE ON meta BEGIN
    SELECT RAISE(ABORT, 'weft: what is known of the graph is kept');
END;

CREATE TRIGGER change_kept BEFORE DELETE ON change BEGIN
    SELECT RAISE(ABORT, 'weft: the log is append-only');
END;

CREATE TRIGGER change_appended BEFORE INSERT ON change
WHEN new.seq <> (SELECT coalesce(max(seq), 0) + 1 FROM change) BEGIN
    SELECT RAISE(ABORT, 'weft: the log grows at its end only');
END;

CREATE TRIGGER change_fixed BEFORE UPDATE ON change WHEN weft_tier() < 4 BEGIN
    SELECT RAISE(ABORT, 'weft: the log is append-only');
END;
