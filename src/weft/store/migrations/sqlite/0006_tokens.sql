-- Who may come in over HTTP, and as what. Of the secret only its hash is kept; exports, backups and the log have none.

CREATE TABLE token (
    id         TEXT NOT NULL PRIMARY KEY,
    hash       TEXT NOT NULL,
    actor      TEXT NOT NULL CHECK (actor <> ''),
    role       TEXT NOT NULL CHECK (role IN ('reader', 'contributor', 'librarian', 'curator')),
    created_at TEXT NOT NULL,
    created_by TEXT NOT NULL,
    expires_at TEXT,
    revoked_at TEXT
) STRICT, WITHOUT ROWID;

CREATE TRIGGER token_kept BEFORE DELETE ON token BEGIN
    SELECT RAISE(ABORT, 'weft: tokens are revoked, never deleted');
END;

CREATE TRIGGER token_revoked BEFORE UPDATE OF revoked_at ON token
WHEN old.revoked_at IS NOT NULL AND new.revoked_at IS NOT old.revoked_at BEGIN
    SELECT RAISE(ABORT, 'weft: a token that was revoked stays revoked');
END;
