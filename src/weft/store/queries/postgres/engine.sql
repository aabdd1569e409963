-- What PostgreSQL says in its own way.

-- name: engine_version
-- The version of the server.
SELECT current_setting('server_version')

-- name: graph_held
-- What whoever writes goes by: the embedding model with its dimension, the cut of the words, and the schema.
SELECT ({{embedding_held}}), (SELECT meta.value FROM meta WHERE meta.key = 'words'),
    (SELECT max(migration.number) FROM migration)

-- name: writes_taken
-- Whether the server or the database was not set to be read only; sessions that read are so by themselves.
SELECT CASE WHEN reset_val = 'off' THEN 1 ELSE 0 END FROM pg_settings WHERE name = 'default_transaction_read_only'

-- name: extension_versions
-- The server's version, that of its vectors in this database, their schema, and the version that it would put there.
SELECT current_setting('server_version'),
    coalesce((SELECT extversion FROM pg_extension WHERE extname = 'vector'), ''),
    coalesce((
        SELECT nspname::text FROM pg_extension JOIN pg_namespace ON pg_namespace.oid = extnamespace
        WHERE extname = 'vector'
    ), ''),
    coalesce((SELECT default_version FROM pg_available_extensions WHERE name = 'vector'), '')
