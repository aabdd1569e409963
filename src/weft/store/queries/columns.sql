-- The columns of each kind of value, in the order in which weft.store.rows reads them.

-- name: node_columns
-- The columns of a node, in the order in which they are read.
node.id, node.kind, node.title, node.content, node.ontology, node.lists, node.citation, node.confidence,
node.importance, node.status, node.retired_at, node.retired_by, node.retired_why, node.merged_into, node.session,
node.origin, node.channel, node.learned_id, node.created_at, node.created_by, node.modified_at, node.modified_by,
node.version

-- name: relation_columns
-- The columns of a relation, in the order in which they are read.
relation.id, relation.source, relation.target, relation.type, relation.reasoning, relation.confidence,
relation.origin, relation.rule, relation.scores, relation.learned_id, relation.valid_from, relation.valid_to,
relation.created_at, relation.created_by, relation.version

-- name: source_columns
-- The columns of a source, in the order in which they are read.
source.id, source.document, source.ontology, source.type, source.text, source.digest, source.path, source.created_at,
source.created_by

-- name: evidence_columns
-- The columns of a piece of evidence, in the order in which they are read.
evidence.id, evidence.subject, evidence.source, evidence.paragraph, evidence.start, evidence.end, evidence.quote,
evidence.type, evidence.creator, evidence.similarity, evidence.leap, evidence.learned_id, evidence.created_at,
evidence.version

-- name: suggestion_columns
-- The columns of a suggestion, in the order in which they are read.
suggestion.id, suggestion.kind, suggestion.dedup, suggestion.subjects, suggestion.summary, suggestion.grounds,
suggestion.proposal, suggestion.score, suggestion.state, suggestion.created_at, suggestion.created_by,
suggestion.decided_at, suggestion.decided_by, suggestion.decided_why, suggestion.version

-- name: change_columns
-- The columns of a change, in the order in which they are read.
change.seq, change.at, change.actor, change.client, change.tool, change.session, change.batch, change.subject,
change.subject_id, change.action, change.before, change.after
