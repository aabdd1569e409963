-- Conditions on a node, joined by AND: what a filter is made of.

-- name: if_standing
-- The node is not retired.
node.retired_at IS NULL

-- name: if_kind
-- The node is of this kind.
node.kind = :kind

-- name: if_kinds
-- The node is of one of these kinds.
node.kind IN (SELECT value FROM json_each(:kinds))

-- name: if_ontology
-- The node belongs to this ontology.
node.ontology = :ontology

-- name: if_ontologies
-- The node belongs to one of these ontologies.
node.ontology IN (SELECT value FROM json_each(:ontologies))

-- name: if_tags
-- The node carries all of these tags.
node.row IN (
    SELECT tag.node FROM tag WHERE tag.tag IN (SELECT value FROM json_each(:tags))
    GROUP BY tag.node HAVING count(*) = :tag_count
)

-- name: if_tags_alike
-- The node carries a tag of each of these groups.
node.row IN (
    SELECT tag.node FROM json_each(:alike) AS one
    CROSS JOIN json_each(:alike_groups) AS whose ON whose.key = one.key
    CROSS JOIN tag ON tag.tag = one.value
    GROUP BY tag.node HAVING count(DISTINCT whose.value) = :alike_count
)

-- name: if_active
-- The node is active.
node.status = 'active'

-- name: if_marked
-- The node has this status, which is not «active».
node.status = :status AND node.status <> 'active'

-- name: if_confident
-- The node's confidence is at least this.
node.confidence >= :confidence_min

-- name: if_since
-- The node was written, or last changed, at this time or later.
node.modified_at >= :since

-- name: if_session
-- The node was written in this session.
node.session = :session AND node.session <> ''

-- name: if_learned
-- The node was learned.
node.origin = 'learned'

-- name: if_not_learned
-- The node was not learned.
node.origin <> 'learned'

-- name: if_learned_id
-- The node belongs to this learned item.
node.learned_id = :learned_id AND node.learned_id <> ''

-- name: if_within
-- The node is one of these.
node.id IN (SELECT value FROM json_each(:within))
