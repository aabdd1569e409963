-- What PostgreSQL says in its own way.

-- name: engine_version
-- The version of the server.
SELECT current_setting('server_version')

-- name: graph_held
-- What whoever writes goes by: the embedding model with its dimension, the cut of the words, and the schema.
SELECT ({{embedding_held}}), (SELECT meta.value FROM meta WHERE meta.key = 'words'),
    (SELECT max(migration.number) FROM migration)
