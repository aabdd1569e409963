-- The memory of use: a file of its own beside the graph.

-- name: usage_schema
-- The tables, made when they are not there.
CREATE TABLE IF NOT EXISTS use (
    node  TEXT NOT NULL PRIMARY KEY,
    count INTEGER NOT NULL,
    last  TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS note (
    caller  TEXT NOT NULL,
    event   TEXT NOT NULL,
    subject TEXT NOT NULL,
    at      TEXT NOT NULL,
    PRIMARY KEY (caller, event, subject)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS note_by_time ON note (caller, event, at);
CREATE TABLE IF NOT EXISTS tally (
    event TEXT NOT NULL PRIMARY KEY,
    count INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS hint_offer (
    caller TEXT NOT NULL,
    hint   TEXT NOT NULL,
    after  TEXT NOT NULL,
    at     TEXT NOT NULL,
    PRIMARY KEY (caller, hint, after)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS hint_offer_by_time ON hint_offer (at);
CREATE TABLE IF NOT EXISTS hint_tally (
    after    TEXT NOT NULL,
    hint     TEXT NOT NULL,
    followed INTEGER NOT NULL,
    ignored  INTEGER NOT NULL,
    PRIMARY KEY (after, hint)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS audit (
    row       INTEGER PRIMARY KEY,
    at        TEXT NOT NULL,
    actor     TEXT NOT NULL,
    client    TEXT NOT NULL,
    caller    TEXT NOT NULL,
    tier      TEXT NOT NULL,
    tool      TEXT NOT NULL,
    arguments TEXT NOT NULL,
    reason    TEXT NOT NULL,
    outcome   TEXT NOT NULL,
    key       TEXT NOT NULL,
    batch     TEXT NOT NULL
) STRICT

-- name: usage_touch
-- One more use of a node.
INSERT INTO use AS held (node, count, last) VALUES (:node, 1, :at)
ON CONFLICT (node) DO UPDATE SET count = held.count + 1,
    last = CASE WHEN held.last > excluded.last THEN held.last ELSE excluded.last END

-- name: usage_restore
-- What another memory knew of a node; the larger counts.
INSERT INTO use AS held (node, count, last) VALUES (:node, :count, :at)
ON CONFLICT (node) DO UPDATE SET
    count = CASE WHEN held.count > excluded.count THEN held.count ELSE excluded.count END,
    last = CASE WHEN held.last > excluded.last THEN held.last ELSE excluded.last END

-- name: usage_uses
-- How often and when last these nodes were used.
SELECT node, count, last FROM use WHERE node IN (SELECT value FROM json_each(:ids))

-- name: usage_note
-- What a caller did about a subject.
INSERT INTO note AS held (caller, event, subject, at) VALUES (:caller, :event, :subject, :at)
ON CONFLICT (caller, event, subject) DO UPDATE SET
    at = CASE WHEN held.at > excluded.at THEN held.at ELSE excluded.at END

-- name: usage_count
-- One more of an event.
INSERT INTO tally AS held (event, count) VALUES (:event, 1) ON CONFLICT (event) DO UPDATE SET count = held.count + 1

-- name: usage_noted
-- The subjects of what a caller did since a time, newest first.
SELECT subject, at FROM note WHERE caller = :caller AND event = :event AND at >= :since ORDER BY at DESC LIMIT :limit

-- name: usage_tallies
-- How often each event happened.
SELECT event, count FROM tally

-- name: usage_forget
-- Let go of what was noted 90 days before the newest note.
DELETE FROM note WHERE at < (SELECT strftime('%Y-%m-%dT%H:%M:%f', max(at), '-90 days') FROM note)

-- name: usage_hint_offer
-- A hint was given to a caller; one that is open is given anew.
INSERT INTO hint_offer AS held (caller, hint, after, at) VALUES (:caller, :hint, :after, :at)
ON CONFLICT (caller, hint, after) DO UPDATE SET
    at = CASE WHEN held.at > excluded.at THEN held.at ELSE excluded.at END

-- name: usage_hint_followed
-- A caller did what open hints offered.
INSERT INTO hint_tally AS held (after, hint, followed, ignored)
SELECT after, hint, 1, 0 FROM hint_offer
WHERE caller = :caller AND hint IN (SELECT value FROM json_each(:hints)) AND at >= :since
ON CONFLICT (after, hint) DO UPDATE SET followed = held.followed + 1

-- name: usage_hint_taken
-- Those hints are open no longer.
DELETE FROM hint_offer WHERE caller = :caller AND hint IN (SELECT value FROM json_each(:hints)) AND at >= :since

-- name: usage_hint_ignored
-- Hints that were given before a time and are open still were ignored.
INSERT INTO hint_tally AS held (after, hint, followed, ignored)
SELECT after, hint, 0, count(*) FROM hint_offer WHERE at < :since GROUP BY after, hint
ON CONFLICT (after, hint) DO UPDATE SET ignored = held.ignored + excluded.ignored

-- name: usage_hint_expired
-- They are open no longer.
DELETE FROM hint_offer WHERE at < :since

-- name: usage_hints
-- How often each hint was followed and ignored, and how many are open.
SELECT after, hint, sum(followed), sum(ignored), sum(given) FROM (
    SELECT after, hint, followed, ignored, 0 AS given FROM hint_tally
    UNION ALL
    SELECT after, hint, 0, 0, count(*) FROM hint_offer GROUP BY after, hint
) AS each
GROUP BY after, hint ORDER BY after, hint

-- name: usage_audit
-- One call of an audited tool.
INSERT INTO audit (at, actor, client, caller, tier, tool, arguments, reason, outcome, key, batch)
VALUES (:at, :actor, :client, :caller, :tier, :tool, :arguments, :reason, :outcome, :key, :batch)

-- name: usage_audits
-- The newest calls of audited tools.
SELECT at, actor, client, caller, tier, tool, arguments, reason, outcome, key, batch FROM audit
ORDER BY row DESC LIMIT :limit

-- name: usage_audit_kept
-- Of the calls of audited tools the newest are kept.
DELETE FROM audit WHERE row <= (SELECT max(row) FROM audit) - :limit

-- name: usage_let_go
-- A node was never used.
DELETE FROM use WHERE node = :node

-- name: usage_notes_let_go
-- Nobody looked for anything.
DELETE FROM note

-- name: usage_audit_blank
-- What was recorded of a call does not say this.
UPDATE audit SET arguments = '[erased]', reason = '[erased]'
WHERE instr(lower(arguments), lower(:text)) > 0 OR instr(lower(reason), lower(:text)) > 0
    OR instr(lower(arguments), lower(:quoted)) > 0

-- name: usage_key_blank
-- What a recorded call was narrowed by does not say this.
UPDATE audit SET key = '[erased]' WHERE instr(lower(key), lower(:text)) > 0

-- name: usage_caller_blank
-- Whose history a recorded call is of does not say this.
UPDATE audit SET caller = '[erased]' WHERE instr(lower(caller), lower(:text)) > 0

-- name: usage_offers_let_go
-- No hint is open for a caller whose name says this.
DELETE FROM hint_offer WHERE instr(lower(caller), lower(:text)) > 0

-- name: usage_actor_blank
-- Who called does not say this.
UPDATE audit SET actor = '[erased]' WHERE instr(lower(actor), lower(:text)) > 0

-- name: usage_client_blank
-- Through what somebody called does not say this.
UPDATE audit SET client = '[erased]' WHERE instr(lower(client), lower(:text)) > 0
