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
WHERE strpos(arguments, :text) > 0 OR strpos(reason, :text) > 0 OR strpos(arguments, :quoted) > 0
