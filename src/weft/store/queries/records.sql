-- Reading evidence, sources, suggestions, votes, receipts, and what is known of the graph itself.

-- name: evidence_under
-- The evidence under these nodes or relations, oldest first.
SELECT {{evidence_columns}} FROM evidence
WHERE evidence.subject IN (SELECT value FROM json_each(:subjects)) ORDER BY evidence.id

-- name: evidence_by_id
-- The evidence of this id.
SELECT {{evidence_columns}} FROM evidence WHERE evidence.id = :id

-- name: sources_by_id
-- The sources of these ids.
SELECT {{source_columns}} FROM source WHERE source.id IN (SELECT value FROM json_each(:ids))

-- name: source_of
-- The newest source of this document in this ontology.
SELECT {{source_columns}} FROM source
WHERE source.document = :document AND source.ontology = :ontology ORDER BY source.id DESC LIMIT 1

-- name: if_suggestion_kind
-- The suggestion is of one of these kinds.
suggestion.kind IN (SELECT value FROM json_each(:kinds))

-- name: if_suggestion_state
-- The suggestion is in this state.
suggestion.state = :state

-- name: if_suggestion_subject
-- The suggestion concerns this node.
suggestion.id IN (SELECT suggestion_subject.suggestion FROM suggestion_subject WHERE suggestion_subject.subject = :subject)

-- name: if_suggestion_dedup
-- The suggestion is about one of these things.
suggestion.dedup IN (SELECT value FROM json_each(:dedups))

-- name: suggestions_found
-- A page of the suggestions that meet the conditions, best score first.
SELECT {{suggestion_columns}} FROM suggestion WHERE {{where}}
ORDER BY suggestion.score DESC, suggestion.id LIMIT :limit OFFSET :offset

-- name: suggestions_counted
-- How many suggestions meet the conditions.
SELECT count(*) FROM suggestion WHERE {{where}}

-- name: suggestion_by_id
-- The suggestion of this id.
SELECT {{suggestion_columns}} FROM suggestion WHERE suggestion.id = :id

-- name: dedups_held
-- Which of these things are suggested already.
SELECT suggestion.dedup FROM json_each(:dedups) AS wanted CROSS JOIN suggestion ON suggestion.dedup = wanted.value

-- name: vote_by_actor
-- The vote of this actor on this learned item.
SELECT {{vote_columns}} FROM vote
WHERE vote.learned_id = :learned_id AND vote.actor = :actor

-- name: receipt_by_key
-- The remembered answer of a call.
SELECT receipt.actor, receipt.tool, receipt.key, receipt.digest, receipt.answer, receipt.subjects FROM receipt
WHERE receipt.actor = :actor AND receipt.tool = :tool AND receipt.key = :key

-- name: series_value
-- The last number taken of a series.
SELECT series.value FROM series WHERE series.name = :name

-- name: series_values
-- The last number taken of every series.
SELECT series.name, series.value FROM series ORDER BY series.name

-- name: meta_values
-- What is known of the graph itself.
SELECT meta.key, meta.value FROM meta ORDER BY meta.key

-- name: tally_values
-- How many there are of what.
SELECT tally.subject, tally.kind, tally.ontology, tally.origin, tally.status, tally.count FROM tally
WHERE tally.count > 0
ORDER BY tally.subject, tally.kind, tally.ontology, tally.origin, tally.status

-- name: sizes
-- How many sources, mentions, open passages and open suggestions there are.
SELECT
    (SELECT count(*) FROM source),
    (SELECT count(*) FROM mention),
    (SELECT count(*) FROM passage) - (SELECT count(*) FROM passage WHERE passage.to_seq IS NOT NULL),
    (SELECT count(*) FROM suggestion WHERE suggestion.state = 'open')
