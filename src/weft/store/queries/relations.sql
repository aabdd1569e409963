-- Reading relations, as they stand and as they stood.

-- name: if_type
-- The relation is of one of these types.
relation.type IN (SELECT value FROM json_each(:types))

-- name: relations_touching
-- The strongest relations of each of these nodes, from both ends, each relation once.
WITH touching (source, target, type) AS (
    SELECT DISTINCT pick.value ->> 0, pick.value ->> 1, pick.value ->> 2
    FROM json_each(:ids) AS ends CROSS JOIN json_each((
        SELECT json_group_array(json_array(source, target, type)) FROM (
            SELECT * FROM (
                SELECT relation.source, relation.target, relation.type, relation.confidence FROM relation
                WHERE relation.source = ends.value AND {{where}} ORDER BY relation.confidence DESC LIMIT :per_node
            )
            UNION ALL
            SELECT * FROM (
                SELECT relation.source, relation.target, relation.type, relation.confidence FROM relation
                WHERE relation.target = ends.value AND {{where}} ORDER BY relation.confidence DESC LIMIT :per_node
            )
            ORDER BY 4 DESC LIMIT :per_node
        )
    )) AS pick
)
SELECT {{relation_columns}} FROM touching CROSS JOIN relation
    ON relation.source = touching.source AND relation.target = touching.target AND relation.type = touching.type
ORDER BY relation.confidence DESC, relation.id

-- name: best_related
-- Of the newest nodes that meet the conditions, those with the most relations, and how many each has.
SELECT looked.id,
    (SELECT count(*) FROM relation WHERE relation.source = looked.id)
    + (SELECT count(*) FROM relation WHERE relation.target = looked.id) AS degree
FROM (SELECT node.id FROM node WHERE {{where}} ORDER BY node.id DESC LIMIT :looked) AS looked
ORDER BY degree DESC, looked.id DESC LIMIT :limit

-- name: relations_among
-- The surest relations that begin and end among these nodes, each with how many there are; the plus keeps the engine from
-- trying every pair of these.
SELECT {{relation_columns}}, count(*) OVER () FROM json_each(:ids) AS one CROSS JOIN relation
    ON relation.source = one.value AND +relation.target IN (SELECT value FROM json_each(:ids))
ORDER BY relation.confidence DESC, relation.id LIMIT :limit

-- name: relations_as_of
-- The relations that touched one of these nodes at a position of the log, as they stood then.
WITH touching (id) AS (
    SELECT relation.id FROM json_each(:ids) AS ends CROSS JOIN relation ON relation.source = ends.value
    UNION
    SELECT relation.id FROM json_each(:ids) AS ends CROSS JOIN relation ON relation.target = ends.value
    UNION
    SELECT change.subject_id FROM json_each(:ids) AS ends
    CROSS JOIN change ON json_extract(change.before, '$.source') = ends.value
    WHERE change.subject = 'relation' AND change.action = 'remove' AND change.seq > :as_of
    UNION
    SELECT change.subject_id FROM json_each(:ids) AS ends
    CROSS JOIN change ON json_extract(change.before, '$.target') = ends.value
    WHERE change.subject = 'relation' AND change.action = 'remove' AND change.seq > :as_of
)
SELECT (
    SELECT change.after FROM change
    WHERE change.subject_id = touching.id AND change.seq <= :as_of AND change.subject = 'relation'
    ORDER BY change.seq DESC LIMIT 1
)
FROM touching

-- name: relations_by_ends
-- The relations of these, each a source, a target and a type.
SELECT {{relation_columns}} FROM json_each(:ends) AS wanted CROSS JOIN relation
    ON relation.source = wanted.value ->> 0 AND relation.target = wanted.value ->> 1
    AND relation.type = wanted.value ->> 2

-- name: relation_by_id
-- The relation of this id.
SELECT {{relation_columns}} FROM relation WHERE relation.id = :id

-- name: if_of_type
-- The relation is of this type: where to begin looking.
relation.type = :type

-- name: if_also_of_type
-- The relation, found by one of its ends, is of this type; the plus keeps the engine from beginning with the type.
+relation.type = :type

-- name: relations_paged
-- A page of all relations that meet the conditions, newest first.
SELECT {{relation_columns}} FROM (
    SELECT relation.source, relation.target, relation.type FROM relation WHERE {{where}}
    ORDER BY relation.id DESC LIMIT :limit OFFSET :offset
) AS page CROSS JOIN relation
    ON relation.source = page.source AND relation.target = page.target AND relation.type = page.type
ORDER BY relation.id DESC

-- name: relations_tallied
-- How many relations there are of each type and origin that meet the conditions.
SELECT coalesce(sum(relation.count), 0) FROM (
    SELECT tally.kind AS type, tally.count FROM tally WHERE tally.subject = 'relation'
) AS relation WHERE {{where}}

-- name: relations_of_node
-- A page of one node's relations that meet the conditions, from both ends, strongest first.
SELECT {{relation_columns}} FROM (
    SELECT * FROM (
        SELECT relation.source, relation.target, relation.type, relation.confidence FROM relation
        WHERE relation.source = :node AND {{where}}
        ORDER BY relation.confidence DESC, relation.target, relation.type LIMIT :limit + :offset
    )
    UNION ALL
    SELECT * FROM (
        SELECT relation.source, relation.target, relation.type, relation.confidence FROM relation
        WHERE relation.target = :node AND {{where}}
        ORDER BY relation.confidence DESC, relation.source, relation.type LIMIT :limit + :offset
    )
    ORDER BY 4 DESC, 1, 2, 3 LIMIT :limit OFFSET :offset
) AS page CROSS JOIN relation
    ON relation.source = page.source AND relation.target = page.target AND relation.type = page.type
ORDER BY relation.confidence DESC, relation.source, relation.target, relation.type

-- name: relations_of_node_counted
-- How many of one node's relations meet the conditions.
SELECT (SELECT count(*) FROM relation WHERE relation.source = :node AND {{where}})
    + (SELECT count(*) FROM relation WHERE relation.target = :node AND {{where}})
