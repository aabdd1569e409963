-- What lies side by side: shared tags, files, sessions, sources; names and mentions.

-- name: sharers_of_tag
-- Rows of the newest nodes that carry this tag.
SELECT tag.node FROM tag WHERE tag.tag = :tag ORDER BY tag.node DESC LIMIT :limit

-- name: tags_used
-- The tags in use that begin with one of these, leaping from one to the next along the index.
WITH RECURSIVE used (beginning, name) AS (
    SELECT given.value, (
        SELECT min(tag.tag) FROM tag WHERE tag.tag >= given.value AND tag.tag < given.value || :last
    ) FROM json_each(:beginnings) AS given
    UNION ALL
    SELECT used.beginning, (
        SELECT min(tag.tag) FROM tag WHERE tag.tag > used.name AND tag.tag < used.beginning || :last
    ) FROM used WHERE used.name IS NOT NULL
)
SELECT used.name FROM used WHERE used.name IS NOT NULL LIMIT :limit

-- name: ontologies_used
-- The ontologies of standing nodes that begin with one of these, leaping from one to the next along the index.
WITH RECURSIVE used (beginning, name) AS (
    SELECT given.value, (
        SELECT min(node.ontology) FROM node
        WHERE node.retired_at IS NULL AND node.ontology >= given.value AND node.ontology < given.value || :last
    ) FROM json_each(:beginnings) AS given
    UNION ALL
    SELECT used.beginning, (
        SELECT min(node.ontology) FROM node
        WHERE node.retired_at IS NULL AND node.ontology > used.name AND node.ontology < used.beginning || :last
    ) FROM used WHERE used.name IS NOT NULL
)
SELECT used.name FROM used WHERE used.name IS NOT NULL LIMIT :limit

-- name: sharers_of_reference
-- Rows of the newest nodes that refer to this file.
SELECT reference.node FROM reference WHERE reference.path = :path ORDER BY reference.node DESC LIMIT :limit

-- name: sharers_of_session
-- Rows of the newest standing nodes of this session.
SELECT node.row FROM node
WHERE node.session = :session AND node.session <> '' AND node.retired_at IS NULL ORDER BY node.row DESC LIMIT :limit

-- name: sharers_ranked
-- The standing ones of these rows of nodes, by how many of these tags and files, and whether this session, they share.
SELECT node.id,
    (SELECT count(*) FROM json_each(:tags) AS t CROSS JOIN tag ON tag.tag = t.value AND tag.node = node.row)
    + (
        SELECT count(*) FROM json_each(:paths) AS r
        CROSS JOIN reference ON reference.path = r.value AND reference.node = node.row
    )
    + (:session <> '' AND node.session = :session) AS shared
FROM json_each(:rows) AS wanted CROSS JOIN node ON node.row = wanted.value
WHERE node.retired_at IS NULL AND node.id <> :id
ORDER BY shared DESC, node.row DESC LIMIT :limit

-- name: names_found
-- Which of these folded texts are titles or aliases, and of which standing nodes: a few for each.
SELECT wanted.value, holder.value FROM json_each(:names) AS wanted CROSS JOIN json_each((
    SELECT json_group_array(held.id) FROM (
        SELECT node.id FROM name CROSS JOIN node ON node.row = name.node
        WHERE name.name = wanted.value AND name.role IN ('title', 'alias') AND node.retired_at IS NULL
        ORDER BY name.node LIMIT :per_name
    ) AS held
)) AS holder
WHERE EXISTS (SELECT 1 FROM name WHERE name.name = wanted.value)

-- name: mentions_touching
-- The mentions in and of each of these nodes, between standing nodes, each once.
SELECT DISTINCT pick.value ->> 0, pick.value ->> 1, pick.value ->> 2
FROM json_each(:ids) AS wanted CROSS JOIN json_each((
    SELECT json_group_array(json_array(node, target, name)) FROM (
        SELECT * FROM (
            SELECT mention.node, mention.target, mention.name FROM mention
            CROSS JOIN node ON node.id = mention.target
            WHERE mention.node = wanted.value AND node.retired_at IS NULL LIMIT :per_node
        )
        UNION ALL
        SELECT * FROM (
            SELECT mention.node, mention.target, mention.name FROM mention
            CROSS JOIN node ON node.id = mention.node
            WHERE mention.target = wanted.value AND node.retired_at IS NULL LIMIT :per_node
        )
    )
)) AS pick

-- name: referrers
-- The standing nodes that refer to this very file, newest first.
SELECT node.id FROM reference CROSS JOIN node ON node.row = reference.node
WHERE reference.path = :path AND node.retired_at IS NULL ORDER BY reference.node DESC LIMIT :limit

-- name: referrers_beside
-- The standing nodes that refer to a file in this folder itself; at most so many references are read.
SELECT DISTINCT node.id FROM (
    SELECT reference.path, reference.node FROM reference
    WHERE reference.path >= :folder AND reference.path < :after LIMIT :read_max
) AS beside CROSS JOIN node ON node.row = beside.node
WHERE instr(substr(beside.path, length(:folder) + 1), '/') = 0 AND node.retired_at IS NULL LIMIT :limit

-- name: referrers_by_name
-- The standing nodes that refer to a file whose path ends so; at most so many references are read.
SELECT DISTINCT node.id FROM (
    SELECT reference.path, reference.node FROM reference WHERE reference.path > '' LIMIT :read_max
) AS named CROSS JOIN node ON node.row = named.node
WHERE substr(named.path, 1 + length(named.path) - length(:tail)) = :tail
    AND length(named.path) > length(:tail) AND node.retired_at IS NULL LIMIT :limit

-- name: evidence_beside
-- For each of these nodes, the standing nodes that rest on one of its sources.
SELECT wanted.value, pick.value FROM json_each(:ids) AS wanted CROSS JOIN json_each((
    SELECT json_group_array(id) FROM (
        SELECT DISTINCT node.id FROM (
            SELECT DISTINCT evidence.source FROM evidence WHERE evidence.subject = wanted.value LIMIT :per_node
        ) AS own
        CROSS JOIN evidence AS other ON other.source = own.source
        CROSS JOIN node ON node.id = other.subject
        WHERE other.subject <> wanted.value AND node.retired_at IS NULL LIMIT :per_node
    )
)) AS pick

-- name: session_beside
-- For each of these nodes, the standing nodes written just before and just after it in its session.
SELECT wanted.value, pick.value FROM json_each(:ids) AS wanted
CROSS JOIN node ON node.id = wanted.value AND node.session <> ''
CROSS JOIN json_each((
    SELECT json_group_array(id) FROM (
        SELECT * FROM (
            SELECT other.id FROM node AS other
            WHERE other.session = node.session AND other.session <> '' AND other.retired_at IS NULL
                AND other.row < node.row
            ORDER BY other.row DESC LIMIT :reach
        )
        UNION ALL
        SELECT * FROM (
            SELECT other.id FROM node AS other
            WHERE other.session = node.session AND other.session <> '' AND other.retired_at IS NULL
                AND other.row > node.row
            ORDER BY other.row LIMIT :reach
        )
    )
)) AS pick

-- name: relation_pairs
-- Source, target and type of up to so many relations.
SELECT relation.source, relation.target, relation.type FROM relation LIMIT :limit
