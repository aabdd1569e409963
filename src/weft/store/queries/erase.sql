-- Blanking what was leaked. Used by a curator's erasing only.

-- name: node_blank
-- Who made a node, blanked.
UPDATE node SET created_by = :created_by WHERE id = :id

-- name: relation_blank
-- Who made a relation, blanked.
UPDATE relation SET created_by = :created_by WHERE source = :source AND target = :target AND type = :type

-- name: source_blank
-- The text and the names of a source, blanked.
UPDATE source SET
    document = :document, ontology = :ontology, text = :text, digest = :digest, path = :path, created_by = :created_by,
    hash = :hash
WHERE id = :id

-- name: evidence_blank
-- Who gave a piece of evidence, blanked.
UPDATE evidence SET creator = :creator WHERE id = :id

-- name: suggestion_blank
-- What never changes in a suggestion otherwise, blanked.
UPDATE suggestion SET dedup = :dedup, proposal = :proposal, created_by = :created_by WHERE id = :id

-- name: vote_blank
-- Whose a vote is and why, blanked.
UPDATE vote SET actor = :blanked, reason = :reason WHERE learned_id = :learned_id AND actor = :actor

-- name: tokens_said
-- Whose the credentials are, and who made them.
SELECT token.id, token.actor, token.created_by FROM token ORDER BY token.id

-- name: token_blank
-- Whose a credential is, blanked.
UPDATE token SET actor = :actor, created_by = :created_by WHERE id = :id

-- name: receipts_after
-- The next receipts by actor, tool and key.
SELECT receipt.actor, receipt.tool, receipt.key, receipt.answer, receipt.subjects, receipt.batch FROM receipt
WHERE (receipt.actor, receipt.tool, receipt.key) > (:actor, :tool, :key)
ORDER BY receipt.actor, receipt.tool, receipt.key LIMIT :limit

-- name: receipt_blank
-- The answer of a receipt and what it is found by, blanked.
UPDATE receipt SET actor = :new_actor, key = :new_key, digest = coalesce(:digest, digest), answer = :answer
WHERE actor = :actor AND tool = :tool AND key = :key

-- name: changes_said
-- The next lines of the log after a position: what they are about, what they keep, and who wrote them in what work.
SELECT change.seq, change.subject, change.subject_id, change.before, change.after, change.actor, change.client,
    change.session
FROM change
WHERE change.seq > :seq ORDER BY change.seq LIMIT :limit

-- name: change_blank
-- What a line of the log keeps, blanked.
UPDATE change SET
    subject_id = :subject_id, before = :before, after = :after, actor = :actor, client = :client, session = :session
WHERE seq = :seq

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

-- name: prints_said
-- By what names prints of files are kept.
SELECT DISTINCT file_print.reference, file_print.root, file_print.file FROM file_print

-- name: prints_blank_named
-- No print of a file by one of these names.
DELETE FROM file_print WHERE file_print.reference IN (SELECT value FROM json_each(:names))
    OR file_print.root IN (SELECT value FROM json_each(:names))
    OR file_print.file IN (SELECT value FROM json_each(:names))

-- name: tally_said
-- The ontologies by which is counted.
SELECT DISTINCT tally.ontology FROM tally

-- name: passages_blank
-- The vectors of all passages of a node, replaced by that of nothing.
UPDATE passage SET vector = :vector, word_vectors = NULL WHERE node = (SELECT node.row FROM node WHERE node.id = :id)

-- name: passage_rows
-- The rows of all passages of a node.
SELECT passage.row FROM passage WHERE passage.node = (SELECT node.row FROM node WHERE node.id = :id)
