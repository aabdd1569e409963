-- Reading the log of changes, where PostgreSQL says it in its own way.

-- name: source_before
-- Where the relation that a change took away came from.
(change.before::json ->> 'source')

-- name: target_before
-- Where the relation that a change took away led to.
(change.before::json ->> 'target')

-- name: deed
-- What the change did; a node that is retired or restored is updated too.
CASE WHEN change.subject <> 'node' OR change.action <> 'update' THEN change.action
    WHEN change.before::json ->> 'retired' IS NULL AND change.after::json ->> 'retired' IS NOT NULL THEN 'retire'
    WHEN change.before::json ->> 'retired' IS NOT NULL AND change.after::json ->> 'retired' IS NULL THEN 'restore'
    ELSE change.action END
