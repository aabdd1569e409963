-- Passages: their vectors, where they stand, and which of them count under a filter.

-- name: if_each_tag
-- The node carries all of these tags; asked of one node at a time, so that a common tag costs nothing.
NOT EXISTS (
    SELECT 1 FROM json_each(:tags) AS wanted
    WHERE NOT EXISTS (SELECT 1 FROM tag WHERE tag.tag = wanted.value AND tag.node = node.row)
)

-- name: if_each_alike
-- The node carries a tag of each of these groups; asked of one node at a time.
:alike_count = (
    SELECT count(DISTINCT whose.value) FROM json_each(:alike) AS one
    CROSS JOIN json_each(:alike_groups) AS whose ON whose.key = one.key
    CROSS JOIN tag ON tag.tag = one.value AND tag.node = node.row
)

-- name: embedding_held
-- The embedding model of the graph, with its dimension.
SELECT (SELECT meta.value FROM meta WHERE meta.key = 'model') || '/'
    || (SELECT meta.value FROM meta WHERE meta.key = 'dimension')

-- name: graph_held
-- What whoever writes goes by: the embedding model with its dimension, the cut of the words, and the schema.
SELECT ({{embedding_held}}), (SELECT meta.value FROM meta WHERE meta.key = 'words'),
    (SELECT user_version FROM pragma_user_version)

-- name: writes_taken
-- Whether the engine takes writes at all; who may write what is another question.
SELECT 1

-- name: vector_held
-- The vector of a passage, to whoever goes by the model that made it; nothing to anybody else.
CASE WHEN :embedding IN ('', ({{embedding_held}})) THEN passage.vector END

-- name: passage_now
-- The passage stands and its node passes; a passage that stands has a node that stands.
passage.to_seq IS NULL AND {{where}}

-- name: passage_then
-- The passage stood at a position of the log, and its node passes today or has changed since.
passage.from_seq <= :as_of AND (passage.to_seq IS NULL OR passage.to_seq > :as_of) AND (
    ({{where}})
    OR EXISTS (SELECT 1 FROM change WHERE change.subject_id = node.id AND change.seq > :as_of)
)

-- name: passage_head
-- The last passage, the last position at which one ended, and the embedding model with its dimension.
SELECT
    coalesce((SELECT max(passage.row) FROM passage), 0),
    coalesce((SELECT max(passage.to_seq) FROM passage WHERE passage.to_seq IS NOT NULL), 0),
    ({{embedding_held}})

-- name: passages_standing
-- The next passages after a row that stand.
SELECT passage.row, {{vector_held}} FROM passage
WHERE passage.row > :row AND passage.to_seq IS NULL ORDER BY passage.row LIMIT :limit

-- name: passages_ended
-- The passages after a row that ended after a position.
SELECT passage.row FROM passage WHERE passage.to_seq IS NOT NULL AND passage.to_seq > :seq AND passage.row > :row

-- name: passages_proof
-- What these passages are.
SELECT passage.row, passage.from_seq, node.id, passage.vector
FROM json_each(:rows) AS wanted CROSS JOIN passage ON passage.row = wanted.value
CROSS JOIN node ON node.row = passage.node ORDER BY passage.row

-- name: passages_placed
-- Those of these passages that count now, with their vectors.
SELECT passage.row, node.id, passage.start, passage.end, {{vector_held}}
FROM json_each(:rows) AS wanted CROSS JOIN passage ON passage.row = wanted.value
CROSS JOIN node ON node.row = passage.node WHERE {{passage_now}}

-- name: passages_placed_then
-- Those of these passages that counted then, with their vectors.
SELECT passage.row, node.id, passage.start, passage.end, {{vector_held}}
FROM json_each(:rows) AS wanted CROSS JOIN passage ON passage.row = wanted.value
CROSS JOIN node ON node.row = passage.node WHERE {{passage_then}}

-- name: passages_found
-- Those of these passages that count now.
SELECT passage.row, node.id, passage.start, passage.end
FROM json_each(:rows) AS wanted CROSS JOIN passage ON passage.row = wanted.value
CROSS JOIN node ON node.row = passage.node WHERE {{passage_now}}

-- name: passages_found_then
-- Those of these passages that counted then.
SELECT passage.row, node.id, passage.start, passage.end
FROM json_each(:rows) AS wanted CROSS JOIN passage ON passage.row = wanted.value
CROSS JOIN node ON node.row = passage.node WHERE {{passage_then}}

-- name: passages_scanned
-- The next passages after a row that count now, with their vectors.
SELECT passage.row, node.id, passage.start, passage.end, {{vector_held}}
FROM passage CROSS JOIN node ON node.row = passage.node
WHERE passage.row > :row AND {{passage_now}} ORDER BY passage.row LIMIT :limit

-- name: passages_scanned_then
-- The next passages after a row that counted then, with their vectors.
SELECT passage.row, node.id, passage.start, passage.end, {{vector_held}}
FROM passage CROSS JOIN node ON node.row = passage.node
WHERE passage.row > :row
    AND passage.row <= (
        SELECT last.row FROM passage AS last WHERE last.from_seq <= :as_of
        ORDER BY last.from_seq DESC, last.row DESC LIMIT 1
    )
    AND {{passage_then}}
ORDER BY passage.row LIMIT :limit

-- name: passages_gone
-- The passages that counted then and have ended since, with their vectors.
SELECT passage.row, node.id, passage.start, passage.end, {{vector_held}}
FROM passage CROSS JOIN node ON node.row = passage.node
WHERE passage.to_seq IS NOT NULL AND passage.to_seq > :as_of AND {{passage_then}} LIMIT :limit

-- name: passages_of
-- The vectors of these nodes' passages that stand, in the order of their text.
SELECT wanted.value, {{vector_held}} FROM json_each(:ids) AS wanted
CROSS JOIN node ON node.id = wanted.value CROSS JOIN passage ON passage.node = node.row
WHERE passage.to_seq IS NULL ORDER BY wanted.key, passage.ordinal

-- name: passages_rows
-- These nodes' passages that stand, in the order of their text.
SELECT wanted.value, passage.row FROM json_each(:ids) AS wanted
CROSS JOIN node ON node.id = wanted.value CROSS JOIN passage ON passage.node = node.row
WHERE passage.to_seq IS NULL ORDER BY wanted.key, passage.ordinal

-- name: passages_at
-- The vectors of these passages, whether they stand or have ended.
SELECT passage.row, {{vector_held}}
FROM json_each(:rows) AS wanted CROSS JOIN passage ON passage.row = wanted.value

-- name: passages_words
-- The vectors of the words of these passages, to whoever goes by the model that made them.
SELECT passage.row, passage.word_vectors
FROM json_each(:rows) AS wanted CROSS JOIN passage ON passage.row = wanted.value
WHERE passage.word_vectors IS NOT NULL AND :embedding IN ('', ({{embedding_held}}))

-- name: passages_within
-- The passages of these rows of nodes that count now, with their vectors.
SELECT passage.row, node.id, passage.start, passage.end, {{vector_held}}
FROM json_each(:nodes) AS wanted CROSS JOIN node ON node.row = wanted.value
CROSS JOIN passage ON passage.node = node.row WHERE {{passage_now}} LIMIT :limit

-- name: passages_within_then
-- The passages of these rows of nodes that stand now and counted then, with their vectors.
SELECT passage.row, node.id, passage.start, passage.end, {{vector_held}}
FROM json_each(:nodes) AS wanted CROSS JOIN node ON node.row = wanted.value
CROSS JOIN passage ON passage.node = node.row WHERE passage.to_seq IS NULL AND {{passage_then}} LIMIT :limit

-- name: passages_opening
-- The first few passages of these rows of nodes that count now, with their vectors.
SELECT node.id, {{vector_held}} FROM json_each(:nodes) AS wanted CROSS JOIN node ON node.row = wanted.value
CROSS JOIN passage ON passage.node = node.row WHERE passage.ordinal < :per_node AND {{passage_now}}

-- name: few_within
-- Rows of the nodes of these ids.
SELECT node.row FROM json_each(:within) AS wanted CROSS JOIN node ON node.id = wanted.value LIMIT :limit

-- name: few_learned_id
-- Rows of the nodes of this learned item.
SELECT node.row FROM node WHERE node.learned_id = :learned_id AND node.learned_id <> '' LIMIT :limit

-- name: few_session
-- Rows of the standing nodes of this session.
SELECT node.row FROM node
WHERE node.session = :session AND node.session <> '' AND node.retired_at IS NULL LIMIT :limit

-- name: few_since
-- The row of each node that a change was made to at this time or later, once a change, along the index of the log.
SELECT node.row FROM change CROSS JOIN node ON node.id = change.subject_id
WHERE change.at >= :since AND change.subject = 'node' LIMIT :limit

-- name: few_tag
-- Rows of the nodes that carry this tag.
SELECT tag.node FROM tag WHERE tag.tag = :tag LIMIT :limit

-- name: few_tags_alike
-- Rows of the nodes that carry one of these tags.
SELECT DISTINCT tag.node FROM json_each(:tags) AS wanted CROSS JOIN tag ON tag.tag = wanted.value LIMIT :limit

-- name: few_status
-- Rows of the standing nodes of this status, which is not «active».
SELECT node.row FROM node
WHERE node.status = :status AND node.status <> 'active' AND node.retired_at IS NULL LIMIT :limit

-- name: few_learned
-- Rows of the standing nodes that were learned, along the index of their ids.
SELECT node.row FROM node
WHERE node.origin = 'learned' AND node.retired_at IS NULL AND node.id > '' LIMIT :limit

-- name: few_ontologies
-- Rows of the standing nodes of these ontologies.
SELECT node.row FROM json_each(:ontologies) AS wanted
CROSS JOIN node ON node.ontology = wanted.value WHERE node.retired_at IS NULL LIMIT :limit

-- name: few_kinds
-- Rows of the standing nodes of these kinds.
SELECT node.row FROM json_each(:kinds) AS wanted
CROSS JOIN node ON node.kind = wanted.value WHERE node.retired_at IS NULL LIMIT :limit
