-- Full text. One row of «words» is a passage, under the passage's row.

-- name: terms_counted
-- In how many passages each of these words ever stood; under the empty word, the last passage.
SELECT term.term, term.df FROM term WHERE term.term IN (SELECT value FROM json_each(:terms))
UNION ALL SELECT '', coalesce(max(passage.row), 0) FROM passage

-- name: if_words_any
-- The passage holds any of these words.
words MATCH (
    SELECT group_concat('"' || replace(wanted.value, '"', '""') || '"', ' OR ' ORDER BY wanted.key)
    FROM json_each(:words) AS wanted
)

-- name: if_words_all
-- The passage holds all of these words.
words MATCH (
    SELECT group_concat('"' || replace(wanted.value, '"', '""') || '"', ' AND ' ORDER BY wanted.key)
    FROM json_each(:words) AS wanted
)

-- name: if_words_named
-- The passage's names hold all of these words.
words MATCH '{name} : (' || (
    SELECT group_concat('"' || replace(wanted.value, '"', '""') || '"', ' AND ' ORDER BY wanted.key)
    FROM json_each(:words) AS wanted
) || ')'

-- name: if_words_phrase
-- The passage's names, or its text, hold the words of a phrase one after the other.
words MATCH '"' || replace(:phrase, '"', '""') || '"'

-- name: words_ranked
-- The passages that hold any of some words, best first (BM25, lower is better).
SELECT words.rowid, bm25(words, :name_weight, 1.0) AS score FROM words
WHERE {{if_words_any}} ORDER BY score LIMIT :limit

-- name: words_ranked_among
-- Those of these passages that hold any of some words, best first (BM25, lower is better).
SELECT words.rowid, bm25(words, :name_weight, 1.0) AS score FROM words
WHERE {{if_words_any}} AND words.rowid BETWEEN :first AND :last
    AND +words.rowid IN (SELECT value FROM json_each(:rows))
ORDER BY score

-- name: words_newest
-- The newest passages between two rows that hold what is asked for.
SELECT words.rowid FROM words
WHERE {{where}} AND words.rowid > :floor AND words.rowid < :ceiling ORDER BY words.rowid DESC LIMIT :limit

-- name: words_held
-- Which of some words each of these passages holds; all lie between first and last.
SELECT words.rowid, wanted.key FROM json_each(:words) AS wanted CROSS JOIN words
WHERE words MATCH '"' || replace(wanted.value, '"', '""') || '"' AND words.rowid BETWEEN :first AND :last
    AND +words.rowid IN (SELECT value FROM json_each(:rows))

-- name: phrases_held
-- Which of some phrases stand in the passages of which nodes.
SELECT wanted.key, node.id FROM json_each(:phrases) AS wanted CROSS JOIN words
CROSS JOIN passage ON passage.row = words.rowid CROSS JOIN node ON node.row = passage.node
WHERE words MATCH '"' || replace(wanted.value, '"', '""') || '"' AND passage.to_seq IS NULL
ORDER BY wanted.key, passage.row

-- name: rows_within
-- The passages of these rows of nodes that count now.
SELECT passage.row, node.id, passage.start, passage.end
FROM json_each(:nodes) AS wanted CROSS JOIN node ON node.row = wanted.value
CROSS JOIN passage ON passage.node = node.row WHERE {{passage_now}} LIMIT :limit

-- name: rows_of
-- The passages that stand of the nodes of these ids.
SELECT passage.row, node.id, passage.start, passage.end FROM json_each(:ids) AS wanted CROSS JOIN node ON node.id = wanted.value
CROSS JOIN passage ON passage.node = node.row WHERE passage.to_seq IS NULL LIMIT :limit

-- name: texts_of
-- All text of the nodes of these ids.
SELECT node.id, node.title, node.content, node.lists
FROM json_each(:ids) AS wanted CROSS JOIN node ON node.id = wanted.value

-- name: passages_said
-- What these passages say, with what their nodes are named by.
SELECT
    passage.row, passage.ordinal, node.title, node.lists,
    substr(node.content, passage.start + 1, passage.end - passage.start)
FROM json_each(:rows) AS wanted CROSS JOIN passage ON passage.row = wanted.value
CROSS JOIN node ON node.row = passage.node

-- name: passages_all
-- The next passages after a row, whether they stand or not.
SELECT passage.row, passage.from_seq, passage.ordinal, passage.start, passage.end FROM passage
WHERE passage.row > :row ORDER BY passage.row LIMIT :limit

-- name: change_after
-- What a change made of its subject.
SELECT change.after FROM change WHERE change.seq = :seq

-- name: words_empty
-- No passage has words.
INSERT INTO words (words) VALUES ('delete-all')

-- name: terms_empty
-- No word stands anywhere.
DELETE FROM term

-- name: words_enter
-- The words of a passage.
INSERT INTO words (rowid, name, body) VALUES (:row, :name_words, :body_words)

-- name: terms_enter
-- In how many passages each word ever stood.
INSERT INTO term (term, df) SELECT key, value FROM json_each(:counts)

-- name: words_cut
-- Which cut the words are of.
UPDATE meta SET value = :cut WHERE key = 'words'
