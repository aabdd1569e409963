-- Reading nodes, as they stand and as they stood.

-- name: nodes_by_id
-- The nodes of these ids, retired ones too.
SELECT {{node_columns}} FROM node WHERE node.id IN (SELECT value FROM json_each(:ids))

-- name: node_by_id
-- The node of this id, retired or not.
SELECT {{node_columns}} FROM node WHERE node.id = :id

-- name: node_by_id_or_merge
-- The node of this id, or the one it was merged into, over as many merges as there were.
WITH RECURSIVE chain (id, depth) AS (
    SELECT :id, 0
    UNION ALL
    SELECT node.merged_into, chain.depth + 1 FROM chain CROSS JOIN node ON node.id = chain.id
    WHERE node.retired_at IS NOT NULL AND node.merged_into <> '' AND chain.depth < 100
)
SELECT {{node_columns}} FROM chain CROSS JOIN node ON node.id = chain.id WHERE node.retired_at IS NULL LIMIT 1

-- name: nodes_named
-- The standing nodes that answer to this folded name, with the role it has: handles first, then titles, then aliases.
SELECT {{node_columns}}, name.role FROM name CROSS JOIN node ON node.row = name.node
WHERE name.name = :name AND node.retired_at IS NULL
ORDER BY CASE name.role WHEN 'handle' THEN 0 WHEN 'title' THEN 1 ELSE 2 END, node.title = :reference DESC, node.row
LIMIT :limit

-- name: nodes_by_prefix
-- The standing nodes whose ids lie in this range.
SELECT {{node_columns}} FROM node
WHERE node.id >= :first AND node.id < :last AND node.retired_at IS NULL ORDER BY node.id LIMIT :limit

-- name: nodes_found
-- The nodes of a page, newest first, of those that meet the conditions; in any order.
SELECT {{node_columns}} FROM (
    SELECT node.row FROM node WHERE {{where}} ORDER BY node.id DESC LIMIT :limit OFFSET :offset
) AS page CROSS JOIN node ON node.row = page.row

-- name: nodes_counted
-- How many nodes meet the conditions.
SELECT count(*) FROM node WHERE {{where}}

-- name: tally_counted
-- How many nodes meet conditions on nothing but kind, ontology, origin and status.
SELECT coalesce(sum(node.count), 0) FROM tally AS node WHERE node.subject = 'node' AND {{where}}

-- name: nodes_past
-- Each node that was there at a position of the log, as it stood then.
SELECT last.after FROM change AS made
CROSS JOIN change AS last ON last.seq = (
    SELECT max(c.seq) FROM change AS c
    WHERE c.subject_id = made.subject_id AND c.seq <= :as_of AND c.subject = 'node'
)
WHERE made.subject = 'node' AND made.action = 'create' AND made.seq <= :as_of
    AND made.seq = (
        SELECT min(c.seq) FROM change AS c WHERE c.subject_id = made.subject_id AND c.subject = 'node'
    )

-- name: nodes_as_of
-- These nodes as they stood at a position of the log.
SELECT (
    SELECT change.after FROM change
    WHERE change.subject_id = wanted.value AND change.seq <= :seq AND change.subject = 'node'
    ORDER BY change.seq DESC LIMIT 1
)
FROM json_each(:ids) AS wanted
