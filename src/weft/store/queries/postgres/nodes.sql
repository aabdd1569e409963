-- Reading nodes, where PostgreSQL says it in its own way.

-- name: node_by_id_or_merge
-- The node of this id, or the one it was merged into, over as many merges as there were.
WITH RECURSIVE chain (id, depth) AS (
    SELECT :id::plain, 0
    UNION ALL
    SELECT node.merged_into, chain.depth + 1 FROM chain JOIN node ON node.id = chain.id
    WHERE node.retired_at IS NOT NULL AND node.merged_into <> '' AND chain.depth < 100
)
SELECT {{node_columns}} FROM chain JOIN node ON node.id = chain.id WHERE node.retired_at IS NULL LIMIT 1

-- name: prints_of_files
-- The standing nodes that keep a print of one of these files below this root, newest first.
SELECT node.id FROM node
WHERE node.retired_at IS NULL AND node.row IN (
    SELECT file_print.node FROM json_each(:files) AS wanted
    JOIN file_print ON file_print.root = :root AND file_print.file = wanted.value
)
ORDER BY node.row DESC LIMIT :limit

-- name: handles_retired
-- The handles of this prefix that retired nodes had, with the node, and the one it was merged into, oldest first.
SELECT held.value, node.id, node.merged_into
FROM node CROSS JOIN json_array_elements_text(node.lists::json -> 'handles') AS held (value)
WHERE node.retired_at IS NOT NULL AND starts_with(held.value, :prefix) ORDER BY node.id

-- name: votes_by_key
-- The votes of these pairs of learned item and actor.
SELECT {{vote_columns}} FROM json_array_elements(:ids::json) AS wanted (pair)
JOIN vote ON vote.learned_id = wanted.pair ->> 0 AND vote.actor = wanted.pair ->> 1

-- name: suggestions_moot
-- Open suggestions about a node that was forgotten.
SELECT {{suggestion_columns}} FROM suggestion
WHERE suggestion.state = 'open' AND EXISTS (
    SELECT 1 FROM json_array_elements_text(suggestion.subjects::json) AS subject (id) JOIN node ON node.id = subject.id
    WHERE node.retired_at IS NOT NULL AND node.merged_into = ''
)
LIMIT :limit

-- name: ontologies_counted
-- Of each ontology how many nodes and sources it holds, how many relations start in it, and how many nodes were learned.
SELECT held.ontology, held.nodes, held.sources, held.relations, held.learned FROM (
    SELECT tally.ontology,
        coalesce(sum(tally.count) FILTER (WHERE tally.subject = 'node'), 0)::bigint AS nodes,
        coalesce(sum(tally.count) FILTER (WHERE tally.subject = 'source'), 0)::bigint AS sources,
        coalesce(sum(tally.count) FILTER (WHERE tally.subject = 'joined'), 0)::bigint AS relations,
        coalesce(sum(tally.count) FILTER (WHERE tally.subject = 'node' AND tally.origin = 'learned'), 0)::bigint AS learned
    FROM tally WHERE tally.subject IN ('node', 'source', 'joined') AND tally.ontology <> '' GROUP BY tally.ontology
) AS held
WHERE held.nodes > 0 OR held.sources > 0 ORDER BY held.nodes DESC, held.ontology

-- name: tally_counted
-- How many nodes meet conditions on nothing but kind, ontology, origin and status.
SELECT coalesce(sum(node.count), 0)::bigint FROM tally AS node WHERE node.subject = 'node' AND {{where}}

-- name: tally_values
-- How many there are of what. Relations are kept count of over the whole graph: who is held to ontologies counts its own.
SELECT tally.subject, tally.kind, tally.ontology, tally.origin, tally.status, tally.count FROM tally
WHERE tally.count > 0
UNION ALL
SELECT 'relation', relation.type, '', relation.origin, '', count(*) FROM relation
WHERE current_user = 'weft_reader_bounded' GROUP BY relation.type, relation.origin
ORDER BY 1, 2, 3, 4, 5

-- name: confidence_bands
-- How many standing nodes there are of each band of confidence; of whom is held to ontologies, its own.
SELECT confidence_band.band, confidence_band.count FROM confidence_band WHERE confidence_band.count > 0
UNION ALL
SELECT due.band, due.count FROM ({{bands_due}}) AS due (band, count)
WHERE current_user = 'weft_reader_bounded' AND due.count > 0
ORDER BY 1

-- name: relations_tallied
-- How many relations there are of each type and origin that meet the conditions; of whom is held to ontologies, its own.
SELECT coalesce(sum(relation.count), 0)::bigint FROM (
    SELECT tally.kind AS type, tally.count FROM tally WHERE tally.subject = 'relation'
    UNION ALL
    SELECT relation.type, count(*) FROM relation
    WHERE current_user = 'weft_reader_bounded' GROUP BY relation.type
) AS relation WHERE {{where}}

-- name: learned_ever
-- The evidence that is or ever was given under these learned ids.
SELECT evidence.learned_id::text, evidence.quote::text FROM evidence
WHERE evidence.learned_id IN (SELECT value FROM json_each(:ids))
UNION
SELECT change.before::json ->> 'learned_id', change.before::json ->> 'quote' FROM change
WHERE change.subject = 'evidence' AND change.before::json ->> 'learned_id' IN (SELECT value FROM json_each(:ids))

-- name: nodes_found
-- The nodes of a page, newest first, of those that meet the conditions; in any order.
SELECT {{node_columns}} FROM (
    SELECT node.row FROM node WHERE {{where}} ORDER BY node.id DESC LIMIT :limit OFFSET :offset
) AS page JOIN node ON node.row = page.row

-- name: if_tags
-- The node carries all of these tags.
node.row IN (
    SELECT tag.node FROM tag WHERE tag.tag IN (SELECT value FROM json_each(:tags))
    GROUP BY tag.node HAVING count(*) = :tag_count
)
