-- Credentials of callers over HTTP.

-- name: token_made
-- A new credential.
INSERT INTO token (id, hash, actor, role, created_at, created_by, expires_at)
VALUES (:id, :hash, :actor, :role, :created_at, :created_by, :expires_at)

-- name: token_known
-- The credential of an id.
SELECT id, hash, actor, role, created_at, created_by, expires_at, revoked_at FROM token WHERE id = :id

-- name: tokens_held
-- All credentials, the newest first.
SELECT id, hash, actor, role, created_at, created_by, expires_at, revoked_at FROM token
ORDER BY created_at DESC, id LIMIT :limit

-- name: token_revoked
-- A credential that is good no more; one that was revoked before keeps its time.
UPDATE token SET revoked_at = :at WHERE id = :id AND revoked_at IS NULL
