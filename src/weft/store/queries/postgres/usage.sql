-- What the memory of use says in PostgreSQL's own way.

-- name: usage_forget
-- Let go of what was noted 90 days before the newest note.
DELETE FROM note WHERE at < (
    SELECT to_char((max(at)::timestamptz - interval '90 days') AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS')
    FROM note
)

-- name: usage_audit_blank
-- What was recorded of a call does not say this.
UPDATE audit SET arguments = '[erased]', reason = '[erased]'
WHERE strpos(lower(arguments), lower(:text)) > 0 OR strpos(lower(reason), lower(:text)) > 0
    OR strpos(lower(arguments), lower(:quoted)) > 0

-- name: usage_key_blank
-- What a recorded call was narrowed by does not say this.
UPDATE audit SET key = '[erased]' WHERE strpos(lower(key), lower(:text)) > 0

-- name: usage_caller_blank
-- Whose history a recorded call is of does not say this.
UPDATE audit SET caller = '[erased]' WHERE strpos(lower(caller), lower(:text)) > 0

-- name: usage_offers_let_go
-- No hint is open for a caller whose name says this.
DELETE FROM hint_offer WHERE strpos(lower(caller), lower(:text)) > 0

-- name: usage_actor_blank
-- Who called does not say this.
UPDATE audit SET actor = '[erased]' WHERE strpos(lower(actor), lower(:text)) > 0

-- name: usage_client_blank
-- Through what somebody called does not say this.
UPDATE audit SET client = '[erased]' WHERE strpos(lower(client), lower(:text)) > 0
