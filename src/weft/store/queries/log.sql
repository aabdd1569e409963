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
