-- What PostgreSQL says in its own way.

-- name: engine_version
-- The version of the server.
SELECT current_setting('server_version')
