-- Looking at the whole graph, as PostgreSQL has it.

-- name: tags_due
-- The tags as the nodes say them.
SELECT DISTINCT each.value, node.row FROM node, json_array_elements_text(node.lists::json -> 'tags') AS each
WHERE node.retired_at IS NULL

-- name: references_due
-- The references as the nodes say them.
SELECT DISTINCT each.value, node.row FROM node, json_array_elements_text(node.lists::json -> 'references') AS each
WHERE node.retired_at IS NULL

-- name: names_due
-- The names as the nodes say them.
SELECT DISTINCT each.value ->> 0, each.value ->> 1, node.row FROM node, json_array_elements(node.names::json) AS each
WHERE node.retired_at IS NULL

-- name: names_left
-- Which of these names nodes had that left, and what those went into.
SELECT DISTINCT each.value ->> 0, node.merged_into FROM node, json_array_elements(node.names::json) AS each
WHERE node.retired_at IS NOT NULL AND each.value ->> 0 IN (SELECT value FROM json_each(:names))

-- name: subjects_due
-- What suggestions are about, as they say it.
SELECT DISTINCT each.value, suggestion.id FROM suggestion, json_array_elements_text(suggestion.subjects::json) AS each

-- name: log_unheld
-- What the log says is there, and is not.
SELECT last.subject, last.subject_id FROM (
    SELECT DISTINCT ON (change.subject, change.subject_id) change.subject, change.subject_id, change.after FROM change
    ORDER BY change.subject, change.subject_id, change.seq DESC
) AS last
WHERE last.after IS NOT NULL AND NOT CASE last.subject
    WHEN 'node' THEN EXISTS (SELECT 1 FROM node WHERE node.id = last.subject_id)
    WHEN 'relation' THEN EXISTS (SELECT 1 FROM relation WHERE relation.id = last.subject_id)
    WHEN 'source' THEN EXISTS (SELECT 1 FROM source WHERE source.id = last.subject_id)
    WHEN 'evidence' THEN EXISTS (SELECT 1 FROM evidence WHERE evidence.id = last.subject_id)
    WHEN 'suggestion' THEN EXISTS (SELECT 1 FROM suggestion WHERE suggestion.id = last.subject_id)
    ELSE EXISTS (SELECT 1 FROM vote WHERE vote.learned_id || '/' || vote.actor = last.subject_id)
END LIMIT :limit

-- name: rows_hanging
-- How many rows point at rows that are not there, by table.
SELECT 'relation', count(*) FROM relation
WHERE NOT EXISTS (SELECT 1 FROM node WHERE node.id = relation.source)
    OR NOT EXISTS (SELECT 1 FROM node WHERE node.id = relation.target)
UNION ALL SELECT 'evidence', count(*) FROM evidence
WHERE NOT EXISTS (SELECT 1 FROM source WHERE source.id = evidence.source)
UNION ALL SELECT 'passage', count(*) FROM passage
WHERE NOT EXISTS (SELECT 1 FROM node WHERE node.row = passage.node)

-- name: words_off
-- How many of these passages do not hold these words, or are not found by them.
SELECT count(*) FROM json_each(:rows) AS wanted
JOIN json_each(:names) AS named ON named.key = wanted.key JOIN json_each(:bodies) AS said ON said.key = wanted.key
LEFT JOIN words ON words.row = wanted.value
WHERE (words.name, words.body) IS DISTINCT FROM (named.value, said.value) OR EXISTS (
    SELECT 1 FROM words_in(words.name, words.body) AS due
    LEFT JOIN posting ON posting.term = due.term AND posting.row = words.row
    WHERE (posting.length, posting.name, posting.body)
        IS DISTINCT FROM (words.length, least(due.name, 32767)::smallint, least(due.body, 32767)::smallint)
)

-- name: words_surplus
-- How many passages that are not there have words, and whether the sums of all are wrong.
SELECT (SELECT count(*) FROM words WHERE NOT EXISTS (SELECT 1 FROM passage WHERE passage.row = words.row)) + (
    SELECT count(*) FROM (SELECT count(*) AS passages, coalesce(sum(words.length), 0) AS words FROM words) AS due
    WHERE (SELECT count(*) FROM corpus) <> 1
        OR NOT EXISTS (SELECT 1 FROM corpus WHERE corpus.passages = due.passages AND corpus.words = due.words)
)

-- name: words_standing
-- In how many passages each word stands.
SELECT posting.term, count(*) FROM posting GROUP BY posting.term

-- name: posting_clear
-- No word leads anywhere.
DELETE FROM posting

-- name: words_clear
-- No passage has words.
DELETE FROM words

-- name: corpus_clear
-- Nothing was summed up.
DELETE FROM corpus

-- name: corpus_fill
-- The sums of nothing.
INSERT INTO corpus (passages, words) VALUES (0, 0)

-- name: engine_settings
-- The server's version, its vectors' version (empty: none), and the settings that decide what an acknowledgement is worth.
SELECT current_setting('server_version'),
    coalesce((SELECT extversion FROM pg_extension WHERE extname = 'vector'), ''),
    current_setting('server_encoding'), current_setting('synchronous_commit'), current_setting('fsync'),
    coalesce((SELECT checksum_failures FROM pg_stat_database WHERE datname = current_database()), 0)
