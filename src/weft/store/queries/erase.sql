-- Blanking what was leaked. Used by a curator's erasing only.

-- name: source_blank
-- The text of a source, blanked.
UPDATE source SET text = :text, digest = :digest, hash = :hash WHERE id = :id

-- name: suggestion_blank
-- What accepting a suggestion would do, blanked.
UPDATE suggestion SET proposal = :proposal WHERE id = :id

-- name: receipts_after
-- The next receipts by actor, tool and key.
SELECT receipt.actor, receipt.tool, receipt.key, receipt.answer, receipt.subjects FROM receipt
WHERE (receipt.actor, receipt.tool, receipt.key) > (:actor, :tool, :key)
ORDER BY receipt.actor, receipt.tool, receipt.key LIMIT :limit

-- name: receipt_blank
-- The answer of a receipt, blanked.
UPDATE receipt SET answer = :answer WHERE actor = :actor AND tool = :tool AND key = :key

-- name: changes_said
-- The next lines of the log after a position: what they are about, and what they keep.
SELECT change.seq, change.subject, change.subject_id, change.before, change.after FROM change
WHERE change.seq > :seq ORDER BY change.seq LIMIT :limit

-- name: change_blank
-- What a line of the log keeps, blanked.
UPDATE change SET before = :before, after = :after WHERE seq = :seq

-- name: mentions_named
-- Where mentions are, and by which name.
SELECT DISTINCT mention.name FROM mention

-- name: mentions_blank
-- No mention of a node, by it, or by one of these names.
DELETE FROM mention WHERE mention.node = :id OR mention.target = :id
    OR mention.name IN (SELECT value FROM json_each(:names))

-- name: prints_blank
-- No print of a file that a node refers to.
DELETE FROM file_print WHERE node = (SELECT node.row FROM node WHERE node.id = :id)

-- name: passages_blank
-- The vectors of all passages of a node, replaced by that of nothing.
UPDATE passage SET vector = :vector WHERE node = (SELECT node.row FROM node WHERE node.id = :id)

-- name: passage_rows
-- The rows of all passages of a node.
SELECT passage.row FROM passage WHERE passage.node = (SELECT node.row FROM node WHERE node.id = :id)
