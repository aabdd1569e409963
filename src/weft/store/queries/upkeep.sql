-- Looking after the graph: how much lies in each ontology, and what was left over.

-- name: ontologies_counted
-- Of each ontology how many nodes and sources it holds, how many relations start in it, and how many nodes were learned.
SELECT tally.ontology,
    sum(iif(tally.subject = 'node', tally.count, 0)) AS nodes,
    sum(iif(tally.subject = 'source', tally.count, 0)) AS sources,
    sum(iif(tally.subject = 'joined', tally.count, 0)) AS relations,
    sum(iif(tally.subject = 'node' AND tally.origin = 'learned', tally.count, 0)) AS learned
FROM tally WHERE tally.subject IN ('node', 'source', 'joined') AND tally.ontology <> ''
GROUP BY tally.ontology HAVING nodes > 0 OR sources > 0 ORDER BY nodes DESC, tally.ontology

-- name: documents_below
-- The documents whose newest text came from a file whose path begins so, in the order of their paths.
-- Found through an index in SQLite alone: PostgreSQL's holds no path of more than 2,700 bytes, and reads no text to scan.
SELECT source.document, source.ontology, source.path FROM source
WHERE source.path > :folder AND source.path < :folder || :last
    AND NOT EXISTS (
        SELECT 1 FROM source AS newer
        WHERE newer.document = source.document AND newer.ontology = source.ontology AND newer.id > source.id
    )
ORDER BY source.path, source.ontology

-- name: nodes_unjoined
-- Standing nodes that no document said, no relation touches and no evidence supports, oldest first.
SELECT {{node_columns}} FROM node
WHERE node.retired_at IS NULL AND node.origin <> 'document'
    AND NOT EXISTS (SELECT 1 FROM relation WHERE relation.source = node.id)
    AND NOT EXISTS (SELECT 1 FROM relation WHERE relation.target = node.id)
    AND NOT EXISTS (SELECT 1 FROM evidence WHERE evidence.subject = node.id)
ORDER BY node.id LIMIT :limit

-- name: relations_dangling
-- Relations that end at a node that has left the graph.
SELECT {{relation_columns}} FROM relation
WHERE relation.origin <> 'document'
    AND EXISTS (
        SELECT 1 FROM node WHERE node.id IN (relation.source, relation.target) AND node.retired_at IS NOT NULL
    )
LIMIT :limit

-- name: evidence_loose
-- What was given as evidence for a relation that is gone.
SELECT {{evidence_columns}} FROM evidence
WHERE evidence.type <> 'DOCUMENT'
    AND NOT EXISTS (SELECT 1 FROM node WHERE node.id = evidence.subject)
    AND NOT EXISTS (SELECT 1 FROM relation WHERE relation.id = evidence.subject)
LIMIT :limit

-- name: evidence_of_forgotten
-- What was given as evidence for nodes that were forgotten since, not merged.
SELECT {{evidence_columns}} FROM evidence CROSS JOIN node ON node.id = evidence.subject
WHERE evidence.type <> 'DOCUMENT' AND node.retired_at IS NOT NULL AND node.merged_into = ''
LIMIT :limit

-- name: suggestions_moot
-- Open suggestions about a node that was forgotten.
SELECT {{suggestion_columns}} FROM suggestion
WHERE suggestion.state = 'open' AND EXISTS (
    SELECT 1 FROM json_each(suggestion.subjects) AS subject CROSS JOIN node ON node.id = subject.value
    WHERE node.retired_at IS NOT NULL AND node.merged_into = ''
)
LIMIT :limit
