-- Reading relations, as they stand and as they stood.

-- name: relations_touching
-- The strongest relations of each of these nodes, from both ends, each relation once.
WITH touching AS (
    SELECT DISTINCT pick.id FROM json_each(:ids) AS ends CROSS JOIN LATERAL (
        (
            SELECT relation.id, relation.confidence FROM relation
            WHERE relation.source = ends.value AND {{where}} ORDER BY relation.confidence DESC LIMIT :per_node
        )
        UNION ALL
        (
            SELECT relation.id, relation.confidence FROM relation
            WHERE relation.target = ends.value AND {{where}} ORDER BY relation.confidence DESC LIMIT :per_node
        )
        ORDER BY confidence DESC LIMIT :per_node
    ) AS pick
)
SELECT {{relation_columns}} FROM touching JOIN relation ON relation.id = touching.id
ORDER BY relation.confidence DESC, relation.id

-- name: relations_by_ends
-- The relations of these, each a source, a target and a type.
SELECT {{relation_columns}} FROM json_array_elements(:ends::json) AS wanted (ends) JOIN relation
    ON relation.source = wanted.ends ->> 0 AND relation.target = wanted.ends ->> 1
    AND relation.type = wanted.ends ->> 2

-- name: relations_among
-- The surest relations that begin and end among these nodes, each with how many there are.
SELECT {{relation_columns}}, count(*) OVER () FROM json_each(:ids) AS one JOIN relation
    ON relation.source = one.value AND relation.target IN (SELECT value FROM json_each(:ids))
ORDER BY relation.confidence DESC, relation.id LIMIT :limit

-- name: relations_as_of
-- The relations that touched one of these nodes at a position of the log, as they stood then.
WITH touching (id) AS (
    SELECT relation.id FROM json_each(:ids) AS ends JOIN relation ON relation.source = ends.value
    UNION
    SELECT relation.id FROM json_each(:ids) AS ends JOIN relation ON relation.target = ends.value
    UNION
    SELECT change.subject_id FROM json_each(:ids) AS ends
    JOIN change ON (change.before::json ->> 'source') = ends.value
    WHERE change.subject = 'relation' AND change.action = 'remove' AND change.seq > :as_of
    UNION
    SELECT change.subject_id FROM json_each(:ids) AS ends
    JOIN change ON (change.before::json ->> 'target') = ends.value
    WHERE change.subject = 'relation' AND change.action = 'remove' AND change.seq > :as_of
)
SELECT (
    SELECT change.after FROM change
    WHERE change.subject_id = touching.id AND change.seq <= :as_of AND change.subject = 'relation'
    ORDER BY change.seq DESC LIMIT 1
)
FROM touching

-- name: if_also_of_type
-- The relation, found by one of its ends, is of this type.
relation.type = :type

-- name: relations_of_node
-- A page of one node's relations that meet the conditions, from both ends, strongest first.
SELECT {{relation_columns}} FROM (
    (
        SELECT relation.source, relation.target, relation.type, relation.confidence FROM relation
        WHERE relation.source = :node AND {{where}}
        ORDER BY relation.confidence DESC, relation.target, relation.type LIMIT :limit::bigint + :offset::bigint
    )
    UNION ALL
    (
        SELECT relation.source, relation.target, relation.type, relation.confidence FROM relation
        WHERE relation.target = :node AND {{where}}
        ORDER BY relation.confidence DESC, relation.source, relation.type LIMIT :limit::bigint + :offset::bigint
    )
    ORDER BY 4 DESC, 1, 2, 3 LIMIT :limit OFFSET :offset
) AS page JOIN relation
    ON relation.source = page.source AND relation.target = page.target AND relation.type = page.type
ORDER BY relation.confidence DESC, relation.source, relation.target, relation.type
