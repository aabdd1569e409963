-- What was learned, by its learned ids: through the partial indexes of what carries one. Where nodes were merged, one
-- relation may stand for several items; those whose id it does not carry are found by their evidence under it.

-- name: learned_parts
-- What learned items between two ids rest under: their relations, what those were synthesized into, their concepts.
SELECT relation.learned_id AS learned_id, relation.id AS subject FROM relation
WHERE relation.learned_id >= :first AND relation.learned_id <= :last AND relation.learned_id <> ''
UNION
SELECT relation.learned_id, relation.source FROM relation
WHERE relation.learned_id >= :first AND relation.learned_id <= :last AND relation.learned_id <> ''
    AND relation.type = 'synthesized_from'
UNION
SELECT node.learned_id, node.id FROM node
WHERE node.learned_id >= :first AND node.learned_id <= :last AND node.learned_id <> '' AND node.retired_at IS NULL

-- name: if_learned_creator
-- The learned item was made by this creator.
evidence.creator = :creator

-- name: if_learned_similarity
-- The evidence is on average at least so like to what it joins.
evidence.similarity >= :similarity_min

-- name: if_learned_leap
-- The leap is of this size.
evidence.leap = :leap

-- name: if_learned_ontology
-- One end of the learned item belongs to this ontology.
EXISTS (
    SELECT 1 FROM relation CROSS JOIN node ON node.id IN (relation.source, relation.target)
    WHERE relation.learned_id = part.learned_id AND relation.learned_id <> '' AND node.ontology = :ontology
)

-- name: if_learned_id_is
-- The learned item is this one.
evidence.learned_id = :learned_id

-- name: learned_found
-- A page of the learned items that meet the conditions, newest first.
WITH part AS ({{learned_parts}})
SELECT DISTINCT evidence.learned_id, evidence.created_at, evidence.id FROM part
CROSS JOIN evidence ON evidence.subject = part.subject AND evidence.learned_id <> ''
WHERE {{where}} ORDER BY evidence.created_at DESC, evidence.id DESC LIMIT :limit OFFSET :offset

-- name: learned_counted
-- How many learned items meet the conditions.
WITH part AS ({{learned_parts}})
SELECT count(DISTINCT evidence.id) FROM part
CROSS JOIN evidence ON evidence.subject = part.subject AND evidence.learned_id <> ''
WHERE {{where}}

-- name: learned_named
-- The learned ids between two.
WITH part AS ({{learned_parts}})
SELECT DISTINCT part.learned_id FROM part ORDER BY part.learned_id LIMIT :limit

-- name: learned_joined
-- The learned ids between two that rest under what carries another one.
WITH part AS ({{learned_parts}})
SELECT DISTINCT evidence.learned_id FROM part
CROSS JOIN evidence ON evidence.subject = part.subject AND evidence.learned_id <> part.learned_id
WHERE evidence.learned_id >= :lowest AND evidence.learned_id <= :highest AND evidence.learned_id <> ''
ORDER BY evidence.learned_id LIMIT :limit

-- name: learned_evidence_joined
-- The evidence of these learned items that rests under what carries another learned id.
WITH part AS ({{learned_parts}})
SELECT DISTINCT {{evidence_columns}} FROM part
CROSS JOIN evidence ON evidence.subject = part.subject AND evidence.learned_id <> part.learned_id
WHERE evidence.learned_id IN (SELECT value FROM json_each(:ids))

-- name: learned_carriers
-- What carries a learned id of its own under these subjects: relations, and what others were synthesized into.
SELECT {{relation_columns}} FROM json_each(:ids) AS wanted CROSS JOIN relation ON relation.id = wanted.value
WHERE relation.learned_id <> ''
UNION ALL
SELECT {{relation_columns}} FROM json_each(:ids) AS wanted CROSS JOIN relation ON relation.source = wanted.value
WHERE relation.type = 'synthesized_from' AND relation.learned_id <> ''

-- name: learned_relations
-- The relations of these learned items.
SELECT {{relation_columns}} FROM json_each(:ids) AS wanted CROSS JOIN relation ON relation.learned_id = wanted.value
WHERE relation.learned_id <> '' ORDER BY relation.id

-- name: learned_concepts
-- The standing concepts of these learned items.
SELECT {{node_columns}} FROM json_each(:ids) AS wanted CROSS JOIN node ON node.learned_id = wanted.value
WHERE node.learned_id <> '' AND node.retired_at IS NULL ORDER BY node.id DESC

-- name: learned_votes
-- The votes on these learned items, oldest first.
SELECT {{vote_columns}}
FROM json_each(:ids) AS wanted CROSS JOIN vote ON vote.learned_id = wanted.value ORDER BY vote.at, vote.actor

-- name: learned_ever
-- The evidence that is or ever was given under these learned ids.
SELECT evidence.learned_id, evidence.quote FROM evidence
WHERE evidence.learned_id IN (SELECT value FROM json_each(:ids))
UNION
SELECT change.before ->> '$.learned_id', change.before ->> '$.quote' FROM change
WHERE change.subject = 'evidence' AND change.before ->> '$.learned_id' IN (SELECT value FROM json_each(:ids))
