-- The whole graph in order of its keys, a page at a time, for copies of it.

-- name: archive_nodes
-- The next nodes by id, retired ones too.
SELECT {{node_columns}} FROM node WHERE node.id > :after ORDER BY node.id LIMIT :limit

-- name: archive_relations
-- The next relations by id.
SELECT {{relation_columns}} FROM relation WHERE relation.id > :after ORDER BY relation.id LIMIT :limit

-- name: archive_sources
-- The next sources by id.
SELECT {{source_columns}} FROM source WHERE source.id > :after ORDER BY source.id LIMIT :limit

-- name: archive_evidence
-- The next pieces of evidence by id.
SELECT {{evidence_columns}} FROM evidence WHERE evidence.id > :after ORDER BY evidence.id LIMIT :limit

-- name: archive_suggestions
-- The next suggestions by id.
SELECT {{suggestion_columns}} FROM suggestion WHERE suggestion.id > :after ORDER BY suggestion.id LIMIT :limit

-- name: vote_columns
-- The columns of a vote, in the order in which they are read.
vote.learned_id, vote.actor, vote.value, vote.reason, vote.at

-- name: archive_votes
-- The next votes by learned item and actor.
SELECT {{vote_columns}} FROM vote WHERE (vote.learned_id, vote.actor) > (:after, :after_too)
ORDER BY vote.learned_id, vote.actor LIMIT :limit

-- name: relations_by_id
-- The relations of these ids.
SELECT {{relation_columns}} FROM json_each(:ids) AS wanted CROSS JOIN relation ON relation.id = wanted.value

-- name: evidence_by_ids
-- The pieces of evidence of these ids.
SELECT {{evidence_columns}} FROM json_each(:ids) AS wanted CROSS JOIN evidence ON evidence.id = wanted.value

-- name: suggestions_by_id
-- The suggestions of these ids.
SELECT {{suggestion_columns}} FROM json_each(:ids) AS wanted CROSS JOIN suggestion ON suggestion.id = wanted.value

-- name: votes_by_key
-- The votes of these pairs of learned item and actor.
SELECT {{vote_columns}} FROM json_each(:ids) AS wanted CROSS JOIN vote
    ON vote.learned_id = wanted.value ->> 0 AND vote.actor = wanted.value ->> 1

-- name: evidence_grounds
-- The evidence under these nodes or relations, oldest first, with the name and the path of each one's document.
SELECT {{evidence_columns}}, source.document, source.path
FROM json_each(:subjects) AS wanted CROSS JOIN evidence ON evidence.subject = wanted.value
CROSS JOIN source ON source.id = evidence.source ORDER BY evidence.id

-- name: handles_retired
-- The handles of this prefix that retired nodes had, with the node, and the one it was merged into, oldest first.
SELECT held.value, node.id, node.merged_into FROM node CROSS JOIN json_each(node.lists, '$.handles') AS held
WHERE node.retired_at IS NOT NULL AND substr(held.value, 1, length(:prefix)) = :prefix ORDER BY node.id
