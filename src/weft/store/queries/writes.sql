-- Every write. Derived tables are written by the triggers only.

-- name: node_insert
-- A new node.
INSERT INTO node (
    id, kind, title, content, ontology, lists, names, citation, confidence, importance, status, retired_at, retired_by,
    retired_why, merged_into, session, origin, channel, learned_id, created_at, created_by, modified_at, modified_by,
    version, hash
) VALUES (
    :id, :kind, :title, :content, :ontology, :lists, :names, :citation, :confidence, :importance, :status, :retired_at,
    :retired_by, :retired_why, :merged_into, :session, :origin, :channel, :learned_id, :created_at, :created_by,
    :modified_at, :modified_by, :version, :hash
) RETURNING row

-- name: node_update
-- What may change in a node, but for its retirement.
UPDATE node SET
    kind = :kind, title = :title, content = :content, ontology = :ontology, lists = :lists, names = :names,
    citation = :citation, confidence = :confidence, importance = :importance, status = :status, session = :session,
    origin = :origin, channel = :channel, learned_id = :learned_id, modified_at = :modified_at,
    modified_by = :modified_by, version = :version, hash = :hash
WHERE id = :id RETURNING row

-- name: node_retire
-- Whether, and how, a node left the graph.
UPDATE node SET
    retired_at = :retired_at, retired_by = :retired_by, retired_why = :retired_why, merged_into = :merged_into
WHERE id = :id

-- name: passage_enter
-- A passage with its words.
INSERT INTO passage_entry (
    node, ordinal, start, "end", vector, word_vectors, from_seq, name_words, body_words, terms
) VALUES (:node, :ordinal, :start, :end, :vector, :word_vectors, :from_seq, :name_words, :body_words, :terms)

-- name: passages_end
-- The open passages of a node stand no longer.
INSERT INTO passage_end (node, ordinal_min, ordinal_max, to_seq) VALUES (:node, :ordinal_min, :ordinal_max, :to_seq)

-- name: passage_first
-- Place and vectors of a node's first open passage.
SELECT passage.start, passage.end, passage.vector, passage.word_vectors FROM passage
WHERE passage.node = :node AND passage.ordinal = 0 AND passage.to_seq IS NULL

-- name: relation_insert
-- A new relation.
INSERT INTO relation (
    id, source, target, type, reasoning, confidence, origin, rule, scores, learned_id, valid_from, valid_to, created_at,
    created_by, version, hash
) VALUES (
    :id, :source, :target, :type, :reasoning, :confidence, :origin, :rule, :scores, :learned_id, :valid_from, :valid_to,
    :created_at, :created_by, :version, :hash
)

-- name: relation_update
-- What may change in a relation.
UPDATE relation SET
    reasoning = :reasoning, confidence = :confidence, origin = :origin, rule = :rule, scores = :scores,
    learned_id = :learned_id, valid_from = :valid_from, valid_to = :valid_to, version = :version, hash = :hash
WHERE source = :source AND target = :target AND type = :type

-- name: relation_delete
-- Take a relation out.
DELETE FROM relation WHERE source = :source AND target = :target AND type = :type

-- name: nodes_fallen
-- Which of these nodes are not there or retired.
SELECT wanted.value FROM json_each(:ids) AS wanted
WHERE NOT EXISTS (SELECT 1 FROM node WHERE node.id = wanted.value AND node.retired_at IS NULL)

-- name: nodes_held
-- Which of these nodes a relation still touches.
SELECT wanted.value FROM json_each(:ids) AS wanted
WHERE EXISTS (SELECT 1 FROM relation WHERE relation.source = wanted.value)
    OR EXISTS (SELECT 1 FROM relation WHERE relation.target = wanted.value)

-- name: source_insert
-- A new source.
INSERT INTO source (id, document, ontology, type, text, digest, path, created_at, created_by, hash)
VALUES (:id, :document, :ontology, :type, :text, :digest, :path, :created_at, :created_by, :hash)

-- name: evidence_insert
-- A new piece of evidence.
INSERT INTO evidence (
    id, subject, source, paragraph, start, "end", quote, type, creator, similarity, leap, learned_id, created_at, version,
    hash
) VALUES (
    :id, :subject, :source, :paragraph, :start, :end, :quote, :type, :creator, :similarity, :leap, :learned_id,
    :created_at, :version, :hash
)

-- name: evidence_update
-- What may change in a piece of evidence, but for what it is under.
UPDATE evidence SET
    source = :source, paragraph = :paragraph, start = :start, "end" = :end, quote = :quote, similarity = :similarity,
    leap = :leap, learned_id = :learned_id, version = :version, hash = :hash
WHERE id = :id

-- name: evidence_move
-- Put a piece of evidence under another node or relation.
UPDATE evidence SET subject = :subject WHERE id = :id

-- name: evidence_delete
-- Take a piece of evidence out.
DELETE FROM evidence WHERE id = :id

-- name: mentions_enter
-- The mentions of a node, in both directions.
INSERT INTO mention_entry (node, mentions) VALUES (:node, :mentions)

-- name: suggestion_insert
-- A new suggestion.
INSERT INTO suggestion (
    id, kind, dedup, subjects, summary, grounds, proposal, score, state, created_at, created_by, decided_at, decided_by,
    decided_why, version, hash
) VALUES (
    :id, :kind, :dedup, :subjects, :summary, :grounds, :proposal, :score, :state, :created_at, :created_by, :decided_at,
    :decided_by, :decided_why, :version, :hash
)

-- name: suggestion_update
-- What may change in a suggestion, but for the decision.
UPDATE suggestion SET summary = :summary, grounds = :grounds, score = :score, version = :version, hash = :hash
WHERE id = :id

-- name: suggestion_decide
-- The decision on a suggestion.
UPDATE suggestion SET
    state = :state, decided_at = :decided_at, decided_by = :decided_by, decided_why = :decided_why
WHERE id = :id

-- name: vote_save
-- The vote of an actor, replacing an earlier one.
INSERT INTO vote (learned_id, actor, value, reason, at) VALUES (:learned_id, :actor, :value, :reason, :at)
ON CONFLICT (learned_id, actor) DO UPDATE SET value = excluded.value, reason = excluded.reason, at = excluded.at

-- name: series_save
-- The last number taken of a series.
INSERT INTO series (name, value) VALUES (:name, :value)
ON CONFLICT (name) DO UPDATE SET value = excluded.value

-- name: receipt_insert
-- The answer of a call, to be remembered.
INSERT INTO receipt (actor, tool, key, digest, answer, subjects, batch)
VALUES (:actor, :tool, :key, :digest, :answer, :subjects, :batch)

-- name: change_insert
-- One more line of the log.
INSERT INTO change (seq, at, actor, client, tool, session, batch, subject, subject_id, action, before, after)
VALUES (:seq, :at, :actor, :client, :tool, :session, :batch, :subject, :subject_id, :action, :before, :after)
