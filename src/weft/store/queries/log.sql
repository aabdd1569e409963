-- Reading the log of changes.

-- name: change_head
-- Position and time of the last change.
SELECT change.seq, change.at FROM change ORDER BY change.seq DESC LIMIT 1

-- name: changes_since
-- The changes after a position, oldest first.
SELECT {{change_columns}} FROM change WHERE change.seq > :seq ORDER BY change.seq LIMIT :limit

-- name: batches_by_prefix
-- The batches whose ids lie in this range.
SELECT DISTINCT change.batch FROM change WHERE change.batch >= :first AND change.batch < :last LIMIT :limit

-- name: changes_of_batch
-- The changes of a batch, oldest first.
SELECT {{change_columns}} FROM change WHERE change.batch = :batch ORDER BY change.seq

-- name: changes_of_subject
-- The changes of one subject, newest first.
SELECT {{change_columns}} FROM change WHERE change.subject_id = :subject_id ORDER BY change.seq DESC LIMIT :limit

-- name: change_at
-- Position of the last change made at or before a time.
SELECT change.seq FROM change WHERE change.at <= :at ORDER BY change.at DESC, change.seq DESC LIMIT 1

-- name: if_actor
-- The change was made by this actor.
change.actor = :actor

-- name: if_client
-- The change was made through this client.
change.client = :client

-- name: if_tool
-- The change was made by this tool.
change.tool = :tool

-- name: if_in_session
-- The change was made in this session.
change.session = :session

-- name: batch_columns
-- A batch told by its last change: who, when and through what, and how far back and how large it is.
change.batch,
(SELECT min(opening.seq) FROM change AS opening WHERE opening.batch = change.batch), change.seq,
(
    SELECT opening.at FROM change AS opening WHERE opening.batch = change.batch ORDER BY opening.seq LIMIT 1
), change.at,
change.actor, change.client, change.tool, change.session,
(SELECT count(*) FROM change AS counted WHERE counted.batch = change.batch)

-- name: batches_between
-- The batches whose last change lies between two positions, newest first.
SELECT {{batch_columns}} FROM change
WHERE change.seq < :before AND change.seq > :after AND {{where}}
    AND change.seq = (SELECT max(latest.seq) FROM change AS latest WHERE latest.batch = change.batch)
ORDER BY change.seq DESC LIMIT :limit

-- name: batches_about
-- Those of them that changed one of these subjects, or a relation at a node that was taken away.
WITH subject (id) AS (
    SELECT wanted.value FROM json_each(:subjects) AS wanted
    UNION
    SELECT change.subject_id FROM change
    WHERE {{source_before}} = :node AND change.subject = 'relation' AND change.action = 'remove'
    UNION
    SELECT change.subject_id FROM change
    WHERE {{target_before}} = :node AND change.subject = 'relation' AND change.action = 'remove'
), touching (batch) AS (
    SELECT DISTINCT change.batch FROM subject CROSS JOIN change ON change.subject_id = subject.id
), ended (seq) AS (
    SELECT (SELECT max(latest.seq) FROM change AS latest WHERE latest.batch = touching.batch) FROM touching
)
SELECT {{batch_columns}} FROM ended CROSS JOIN change ON change.seq = ended.seq
WHERE ended.seq < :before AND ended.seq > :after AND {{where}}
ORDER BY change.seq DESC LIMIT :limit

-- name: batches_counted
-- How often each of these batches did what to which kind of subject, in the order of the log.
SELECT change.batch, change.subject, {{deed}}, count(*)
FROM json_each(:ids) AS wanted CROSS JOIN change ON change.batch = wanted.value
GROUP BY 1, 2, 3 ORDER BY min(change.seq)

-- name: batches_touched
-- What each of these batches touched, in the order of the log, and where its newest change lies.
SELECT change.batch, change.subject, change.subject_id, max(CASE change.action WHEN 'create' THEN 1 ELSE 0 END),
    min(change.seq), max(change.seq),
    (SELECT max(newest.seq) FROM change AS newest WHERE newest.subject_id = change.subject_id)
FROM json_each(:ids) AS wanted CROSS JOIN change ON change.batch = wanted.value
GROUP BY change.batch, change.subject, change.subject_id ORDER BY min(change.seq)

-- name: changes_at
-- The changes at these positions, oldest first.
SELECT {{change_columns}} FROM change WHERE change.seq IN (SELECT value FROM json_each(:rows)) ORDER BY change.seq

-- name: source_before
-- Where the relation that a change took away came from.
json_extract(change.before, '$.source')

-- name: target_before
-- Where the relation that a change took away led to.
json_extract(change.before, '$.target')

-- name: deed
-- What the change did; a node that is retired or restored is updated too.
CASE WHEN change.subject <> 'node' OR change.action <> 'update' THEN change.action
    WHEN json_extract(change.before, '$.retired') IS NULL AND json_extract(change.after, '$.retired') IS NOT NULL
        THEN 'retire'
    WHEN json_extract(change.before, '$.retired') IS NOT NULL AND json_extract(change.after, '$.retired') IS NULL
        THEN 'restore'
    ELSE change.action END
