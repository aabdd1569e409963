-- Looking at the whole graph: what is derived, said a second time, and what the log tells.

-- name: tags_kept
-- The tags as they are kept.
SELECT tag.tag, tag.node FROM tag

-- name: tags_due
-- The tags as the nodes say them.
SELECT DISTINCT each.value, node.row FROM node, json_each(node.lists, '$.tags') AS each WHERE node.retired_at IS NULL

-- name: tags_amiss
-- How many tags are kept too many, and how many are missing.
SELECT
    (SELECT count(*) FROM ({{tags_kept}} EXCEPT {{tags_due}}) AS surplus),
    (SELECT count(*) FROM ({{tags_due}} EXCEPT {{tags_kept}}) AS missing)

-- name: tags_clear
-- No tag is kept.
DELETE FROM tag

-- name: tags_fill
-- The tags, kept anew.
INSERT INTO tag (tag, node) {{tags_due}}

-- name: references_kept
-- The references as they are kept.
SELECT reference.path, reference.node FROM reference

-- name: references_due
-- The references as the nodes say them.
SELECT DISTINCT each.value, node.row FROM node, json_each(node.lists, '$.references') AS each
WHERE node.retired_at IS NULL

-- name: references_amiss
-- How many references are kept too many, and how many are missing.
SELECT
    (SELECT count(*) FROM ({{references_kept}} EXCEPT {{references_due}}) AS surplus),
    (SELECT count(*) FROM ({{references_due}} EXCEPT {{references_kept}}) AS missing)

-- name: references_clear
-- No reference is kept.
DELETE FROM reference

-- name: references_fill
-- The references, kept anew.
INSERT INTO reference (path, node) {{references_due}}

-- name: names_kept
-- The names as they are kept.
SELECT name.name, name.role, name.node FROM name

-- name: names_due
-- The names as the nodes say them.
SELECT DISTINCT each.value ->> 0, each.value ->> 1, node.row FROM node, json_each(node.names) AS each
WHERE node.retired_at IS NULL

-- name: names_amiss
-- How many names are kept too many, and how many are missing.
SELECT
    (SELECT count(*) FROM ({{names_kept}} EXCEPT {{names_due}}) AS surplus),
    (SELECT count(*) FROM ({{names_due}} EXCEPT {{names_kept}}) AS missing)

-- name: names_clear
-- No name is kept.
DELETE FROM name

-- name: names_fill
-- The names, kept anew.
INSERT INTO name (name, role, node) {{names_due}}

-- name: subjects_kept
-- What suggestions are about, as it is kept.
SELECT suggestion_subject.subject, suggestion_subject.suggestion FROM suggestion_subject

-- name: subjects_due
-- What suggestions are about, as they say it.
SELECT DISTINCT each.value, suggestion.id FROM suggestion, json_each(suggestion.subjects) AS each

-- name: subjects_amiss
-- How many subjects of suggestions are kept too many, and how many are missing.
SELECT
    (SELECT count(*) FROM ({{subjects_kept}} EXCEPT {{subjects_due}}) AS surplus),
    (SELECT count(*) FROM ({{subjects_due}} EXCEPT {{subjects_kept}}) AS missing)

-- name: subjects_clear
-- No subject of a suggestion is kept.
DELETE FROM suggestion_subject

-- name: subjects_fill
-- The subjects of suggestions, kept anew.
INSERT INTO suggestion_subject (subject, suggestion) {{subjects_due}}

-- name: tally_kept
-- The counts as they are kept.
SELECT tally.subject, tally.kind, tally.ontology, tally.origin, tally.status, tally.count FROM tally
WHERE tally.count <> 0

-- name: tally_due
-- The counts, counted.
SELECT CASE WHEN node.retired_at IS NULL THEN 'node' ELSE 'retired' END,
    node.kind, node.ontology, node.origin, node.status, count(*)
FROM node GROUP BY 1, 2, 3, 4, 5
UNION ALL SELECT 'relation', relation.type, '', relation.origin, '', count(*) FROM relation GROUP BY 2, 4
UNION ALL SELECT 'source', source.type, source.ontology, '', '', count(*) FROM source GROUP BY 2, 3
UNION ALL SELECT 'joined', '', node.ontology, '', '', count(*)
FROM relation JOIN node ON node.id = relation.source GROUP BY 3

-- name: tally_amiss
-- How many counts are kept that are wrong, and how many are missing.
SELECT
    (SELECT count(*) FROM (
        SELECT * FROM ({{tally_kept}}) AS kept EXCEPT SELECT * FROM ({{tally_due}}) AS due
    ) AS surplus),
    (SELECT count(*) FROM (
        SELECT * FROM ({{tally_due}}) AS due EXCEPT SELECT * FROM ({{tally_kept}}) AS kept
    ) AS missing)

-- name: tally_clear
-- Nothing is counted.
DELETE FROM tally

-- name: tally_fill
-- The counts, counted anew.
INSERT INTO tally (subject, kind, ontology, origin, status, count) {{tally_due}}

-- name: bands_kept
-- The bands of confidence as they are kept.
SELECT confidence_band.band, confidence_band.count FROM confidence_band

-- name: bands_due
-- The bands of confidence, counted.
SELECT band.value, (
    SELECT count(*) FROM node WHERE node.retired_at IS NULL AND band.value = CASE
        WHEN node.confidence >= 0.8 THEN 'high' WHEN node.confidence >= 0.5 THEN 'medium' ELSE 'low'
    END
) FROM (SELECT 'high' AS value UNION ALL SELECT 'medium' UNION ALL SELECT 'low') AS band

-- name: bands_amiss
-- How many bands of confidence are wrong, and how many are missing.
SELECT
    (SELECT count(*) FROM ({{bands_kept}} EXCEPT {{bands_due}}) AS surplus),
    (SELECT count(*) FROM ({{bands_due}} EXCEPT {{bands_kept}}) AS missing)

-- name: bands_clear
-- No band of confidence is kept.
DELETE FROM confidence_band

-- name: bands_fill
-- The bands of confidence, counted anew.
INSERT INTO confidence_band (band, count) {{bands_due}}

-- name: mentions_amiss
-- How many mentions begin or end at no node.
SELECT count(*), 0 FROM mention
WHERE NOT EXISTS (SELECT 1 FROM node WHERE node.id = mention.node)
    OR NOT EXISTS (SELECT 1 FROM node WHERE node.id = mention.target)

-- name: mentions_clear
-- No mention begins or ends at no node.
DELETE FROM mention
WHERE NOT EXISTS (SELECT 1 FROM node WHERE node.id = mention.node)
    OR NOT EXISTS (SELECT 1 FROM node WHERE node.id = mention.target)

-- name: nodes_standing
-- How many nodes stand.
SELECT count(*) FROM node WHERE node.retired_at IS NULL

-- name: nodes_spread
-- Standing nodes, of every so many rows one.
SELECT node.id FROM node WHERE node.retired_at IS NULL AND node.row % :step = 0 ORDER BY node.row LIMIT :limit

-- name: mention_lacking
-- Whether a text lacks a mention, has room for it, and names one of a few nodes by it.
SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM mention WHERE mention.node = :node AND mention.target = :target)
    AND (SELECT count(*) FROM mention WHERE mention.node = :node) < :mentions_max
    AND (SELECT count(*) FROM name WHERE name.name = :name AND name.role IN ('title', 'alias')) <= :holders_max

-- name: names_left
-- Which of these names nodes had that left, and what those went into.
SELECT DISTINCT each.value ->> 0, node.merged_into FROM node, json_each(node.names) AS each
WHERE node.retired_at IS NOT NULL AND each.value ->> 0 IN (SELECT value FROM json_each(:names))

-- name: mention_add
-- A mention more.
INSERT INTO mention (node, target, name) VALUES (:node, :target, :name) ON CONFLICT DO NOTHING

-- name: prints_amiss
-- How many prints of files are of no node, and how many say nothing.
SELECT count(*), count(*) FILTER (WHERE file_print.digest = '') FROM file_print
WHERE file_print.digest = '' OR NOT EXISTS (SELECT 1 FROM node WHERE node.row = file_print.node)

-- name: prints_clear
-- No print of a file is of no node or says nothing.
DELETE FROM file_print
WHERE file_print.digest = '' OR NOT EXISTS (SELECT 1 FROM node WHERE node.row = file_print.node)

-- name: passages_lacking
-- Standing nodes that have no passage.
SELECT node.id FROM node WHERE node.retired_at IS NULL
    AND NOT EXISTS (SELECT 1 FROM passage WHERE passage.node = node.row AND passage.to_seq IS NULL)

-- name: passages_surplus
-- How many passages stand whose node does not.
SELECT count(*) FROM passage CROSS JOIN node ON node.row = passage.node
WHERE passage.to_seq IS NULL AND node.retired_at IS NOT NULL

-- name: passages_close
-- Passages end with their nodes.
UPDATE passage SET to_seq = (
    SELECT max(change.seq) FROM change
    WHERE change.subject_id = (SELECT node.id FROM node WHERE node.row = passage.node)
) WHERE passage.to_seq IS NULL AND passage.node IN (SELECT node.row FROM node WHERE node.retired_at IS NOT NULL)

-- name: passage_vectors
-- The next passages after a row, with their vectors.
SELECT passage.row, passage.vector FROM passage WHERE passage.row > :row ORDER BY passage.row LIMIT :limit

-- name: passages_given
-- These passages: what their nodes were when they came, and their place in the text.
SELECT passage.row, change.after, passage.ordinal, passage.start, passage.end
FROM json_each(:rows) AS wanted CROSS JOIN passage ON passage.row = wanted.value
CROSS JOIN change ON change.seq = passage.from_seq

-- name: passage_vector_save
-- The vector of a passage, and those of its words.
UPDATE passage SET vector = :vector, word_vectors = :word_vectors WHERE row = :row

-- name: node_place
-- Row and last change of a node.
SELECT node.row, (SELECT max(change.seq) FROM change WHERE change.subject_id = node.id) FROM node WHERE node.id = :id

-- name: passages_counted
-- How many passages there are, whether they stand or not.
SELECT count(*) FROM passage

-- name: words_sizes
-- The next passages after a row that have words: how many of each column, as the engine packs it.
SELECT words_docsize.id, words_docsize.sz FROM words_docsize
WHERE words_docsize.id > :row ORDER BY words_docsize.id LIMIT :limit

-- name: terms_kept
-- In how many passages each word stands, as it is kept.
SELECT term.term, term.df FROM term

-- name: nodes_hashed
-- The next nodes after an id, with their hashes.
SELECT {{node_columns}}, node.hash FROM node WHERE node.id > :after ORDER BY node.id LIMIT :limit

-- name: relations_hashed
-- The next relations after an id, with their hashes.
SELECT {{relation_columns}}, relation.hash FROM relation WHERE relation.id > :after ORDER BY relation.id LIMIT :limit

-- name: sources_hashed
-- The next sources after an id, with their hashes.
SELECT {{source_columns}}, source.hash FROM source WHERE source.id > :after ORDER BY source.id LIMIT :limit

-- name: evidence_hashed
-- The next pieces of evidence after an id, with their hashes.
SELECT {{evidence_columns}}, evidence.hash FROM evidence WHERE evidence.id > :after ORDER BY evidence.id LIMIT :limit

-- name: suggestions_hashed
-- The next suggestions after an id, with their hashes.
SELECT {{suggestion_columns}}, suggestion.hash FROM suggestion
WHERE suggestion.id > :after ORDER BY suggestion.id LIMIT :limit

-- name: last_said
-- What the log last said of each of these.
SELECT wanted.value, (
    SELECT change.after FROM change WHERE change.subject_id = wanted.value AND change.subject = :subject
    ORDER BY change.seq DESC LIMIT 1
) FROM json_each(:ids) AS wanted

-- name: log_ends
-- How many lines the log has, its first and its last position, and how many lines are dated before the one above.
SELECT count(*), coalesce(min(seq), 1), coalesce(max(seq), 0), count(*) FILTER (WHERE at < earlier)
FROM (SELECT change.seq, change.at, lag(change.at) OVER (ORDER BY change.seq) AS earlier FROM change) AS line

-- name: log_breaks
-- Lines of the log that do not begin where the last line on the same subject ended.
SELECT seq, subject, subject_id FROM (
    SELECT change.seq, change.subject, change.subject_id, change.before,
        lag(change.after) OVER (PARTITION BY change.subject, change.subject_id ORDER BY change.seq) AS earlier
    FROM change
) AS line WHERE before IS DISTINCT FROM earlier LIMIT :limit

-- name: log_unheld
-- What the log says is there, and is not.
SELECT last.subject, last.subject_id FROM (
    SELECT change.subject, change.subject_id, change.after, max(change.seq) FROM change
    GROUP BY change.subject, change.subject_id
) AS last
WHERE last.after IS NOT NULL AND NOT CASE last.subject
    WHEN 'node' THEN EXISTS (SELECT 1 FROM node WHERE node.id = last.subject_id)
    WHEN 'relation' THEN EXISTS (SELECT 1 FROM relation WHERE relation.id = last.subject_id)
    WHEN 'source' THEN EXISTS (SELECT 1 FROM source WHERE source.id = last.subject_id)
    WHEN 'evidence' THEN EXISTS (SELECT 1 FROM evidence WHERE evidence.id = last.subject_id)
    WHEN 'suggestion' THEN EXISTS (SELECT 1 FROM suggestion WHERE suggestion.id = last.subject_id)
    ELSE EXISTS (SELECT 1 FROM vote WHERE vote.learned_id || '/' || vote.actor = last.subject_id)
END LIMIT :limit

-- name: meta_missing
-- Facts that every graph has and this one lacks.
SELECT wanted.value FROM (
    SELECT 'name' AS value UNION ALL SELECT 'model' UNION ALL SELECT 'dimension' UNION ALL SELECT 'words'
) AS wanted
WHERE NOT EXISTS (SELECT 1 FROM meta WHERE meta.key = wanted.value)

-- name: passages_wordless
-- The passages that stand and have no vectors of their words.
SELECT passage.row FROM passage WHERE passage.word_vectors IS NULL AND passage.to_seq IS NULL ORDER BY passage.row

-- name: vectors_sampled
-- The first vectors of standing nodes, of every so many rows one.
SELECT passage.row, passage.vector FROM passage
WHERE passage.ordinal = 0 AND passage.to_seq IS NULL AND passage.row % :step = 0 LIMIT :limit
