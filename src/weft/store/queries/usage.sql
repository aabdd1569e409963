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
) STRICT, WITHOUT ROWID

-- name: usage_touch
-- One more use of a node.
INSERT INTO use (node, count, last) VALUES (:node, 1, :at)
ON CONFLICT (node) DO UPDATE SET count = count + 1, last = max(last, excluded.last)

-- name: usage_uses
-- How often and when last these nodes were used.
SELECT node, count, last FROM use WHERE node IN (SELECT value FROM json_each(:ids))

-- name: usage_note
-- What a caller did about a subject.
INSERT INTO note (caller, event, subject, at) VALUES (:caller, :event, :subject, :at)
ON CONFLICT (caller, event, subject) DO UPDATE SET at = max(at, excluded.at)

-- name: usage_count
-- One more of an event.
INSERT INTO tally (event, count) VALUES (:event, 1) ON CONFLICT (event) DO UPDATE SET count = count + 1

-- name: usage_noted
-- The subjects of what a caller did since a time, newest first.
SELECT subject, at FROM note WHERE caller = :caller AND event = :event AND at >= :since ORDER BY at DESC LIMIT :limit

-- name: usage_tallies
-- How often each event happened.
SELECT event, count FROM tally

-- name: usage_forget
-- Let go of what was noted 90 days before the newest note.
DELETE FROM note WHERE at < (SELECT strftime('%Y-%m-%dT%H:%M:%f', max(at), '-90 days') FROM note)
