-- What lies side by side, where PostgreSQL says it in its own way.

-- name: sharers_ranked
-- The standing ones of these rows of nodes, by how many of these tags and files, and whether this session, they share.
SELECT node.id,
    (SELECT count(*) FROM json_each(:tags) AS t JOIN tag ON tag.tag = t.value AND tag.node = node.row)
    + (
        SELECT count(*) FROM json_each(:paths) AS r
        JOIN reference ON reference.path = r.value AND reference.node = node.row
    )
    + (node.session <> '' AND node.session = :session)::integer AS shared
FROM json_each(:rows) AS wanted JOIN node ON node.row = wanted.value
WHERE node.retired_at IS NULL AND node.id <> :id
ORDER BY shared DESC, node.row DESC LIMIT :limit

-- name: names_found
-- Which of these folded texts are titles or aliases, and of which standing nodes: a few for each. Hardly any of them is a
-- name, so those that are come first, all along one index.
WITH held AS MATERIALIZED (
    SELECT DISTINCT name.name FROM name WHERE name.name = ANY(ARRAY(SELECT value FROM json_each(:names)))
)
SELECT held.name, holder.id FROM held CROSS JOIN LATERAL (
    SELECT node.id FROM name JOIN node ON node.row = name.node
    WHERE name.name = held.name AND name.role IN ('title', 'alias') AND node.retired_at IS NULL
    ORDER BY name.node LIMIT :per_name
) AS holder

-- name: mentions_touching
-- The mentions in and of each of these nodes, between standing nodes, each once.
SELECT DISTINCT pick.node, pick.target, pick.name FROM json_each(:ids) AS wanted CROSS JOIN LATERAL (
    (
        SELECT mention.node, mention.target, mention.name FROM mention JOIN node ON node.id = mention.target
        WHERE mention.node = wanted.value AND node.retired_at IS NULL LIMIT :per_node
    )
    UNION ALL
    (
        SELECT mention.node, mention.target, mention.name FROM mention JOIN node ON node.id = mention.node
        WHERE mention.target = wanted.value AND node.retired_at IS NULL LIMIT :per_node
    )
) AS pick

-- name: referrers_beside
-- The standing nodes that refer to a file in this folder itself; at most so many references are read.
SELECT DISTINCT node.id FROM (
    SELECT reference.path, reference.node FROM reference
    WHERE reference.path >= :folder AND reference.path < :after LIMIT :read_max
) AS beside JOIN node ON node.row = beside.node
WHERE strpos(substr(beside.path::text, length(:folder::text) + 1), '/') = 0 AND node.retired_at IS NULL LIMIT :limit

-- name: referrers_by_name
-- The standing nodes that refer to a file whose path ends so; at most so many references are read.
SELECT DISTINCT node.id FROM (
    SELECT reference.path, reference.node FROM reference WHERE reference.path > '' LIMIT :read_max
) AS named JOIN node ON node.row = named.node
WHERE right(named.path::text, length(:tail::text)) = :tail::text
    AND length(named.path::text) > length(:tail::text) AND node.retired_at IS NULL LIMIT :limit

-- name: evidence_beside
-- For each of these nodes, the standing nodes that rest on one of its sources.
SELECT wanted.value, pick.id FROM json_each(:ids) AS wanted CROSS JOIN LATERAL (
    SELECT DISTINCT node.id FROM (
        SELECT DISTINCT evidence.source FROM evidence WHERE evidence.subject = wanted.value LIMIT :per_node
    ) AS own
    JOIN evidence AS other ON other.source = own.source
    JOIN node ON node.id = other.subject
    WHERE other.subject <> wanted.value AND node.retired_at IS NULL LIMIT :per_node
) AS pick

-- name: session_beside
-- For each of these nodes, the standing nodes written just before and just after it in its session.
SELECT wanted.value, pick.id FROM json_each(:ids) AS wanted
JOIN node ON node.id = wanted.value AND node.session <> ''
CROSS JOIN LATERAL (
    (
        SELECT other.id FROM node AS other
        WHERE other.session = node.session AND other.session <> '' AND other.retired_at IS NULL AND other.row < node.row
        ORDER BY other.row DESC LIMIT :reach
    )
    UNION ALL
    (
        SELECT other.id FROM node AS other
        WHERE other.session = node.session AND other.session <> '' AND other.retired_at IS NULL AND other.row > node.row
        ORDER BY other.row LIMIT :reach
    )
) AS pick
