-- Full text on PostgreSQL. One row of «posting» is a word of a passage; its key holds all of it, so that nothing else is
-- read. What ends with OFFSET 0 stays where it stands: the words asked for come first, and each is looked up by itself.

-- name: words_weighed
-- Words as BM25 weighs them: rarer is heavier.
SELECT given.key, term.term,
    greatest(ln((corpus.passages - term.df + 0.5::float8) / (term.df + 0.5::float8)), 1e-6::float8) AS rarity,
    corpus.words / corpus.passages::float8 AS length_mean
FROM json_each(:words) AS given JOIN term ON term.term = given.value CROSS JOIN corpus ORDER BY given.key

-- name: words_scored
-- What a word adds to the score of a passage that holds it, as FTS5 has it: BM25 with k1 = 1.2 and b = 0.75.
sum(wanted.rarity * (
    (held.frequency * 2.2::float8)
    / (held.frequency + 1.2::float8 * (0.25::float8 + 0.75::float8 * held.length / wanted.length_mean))
))

-- name: words_ranked
-- The passages that hold any of some words, best first (BM25, lower is better).
WITH wanted AS MATERIALIZED ({{words_weighed}})
SELECT held.row, -{{words_scored}} AS score
FROM wanted CROSS JOIN LATERAL (
    SELECT posting.row, posting.length, posting.name * :name_weight::float8 + posting.body AS frequency FROM posting
    WHERE posting.term = wanted.term OFFSET 0
) AS held
GROUP BY held.row ORDER BY score, held.row LIMIT :limit

-- name: words_ranked_among
-- Those of these passages that hold any of some words, best first (BM25, lower is better).
WITH wanted AS MATERIALIZED ({{words_weighed}})
SELECT held.row, -{{words_scored}} AS score
FROM wanted CROSS JOIN LATERAL (
    SELECT posting.row, posting.length, posting.name * :name_weight::float8 + posting.body AS frequency FROM posting
    WHERE posting.term = wanted.term AND posting.row = ANY(ARRAY(SELECT value FROM json_each(:rows))) OFFSET 0
) AS held
GROUP BY held.row ORDER BY score, held.row

-- name: if_words_all
-- The passage holds all of these words.
NOT EXISTS (
    SELECT 1 FROM json_each(:words) AS other WHERE other.key > 0 AND NOT EXISTS (
        SELECT 1 FROM posting AS held WHERE held.term = other.value AND held.row = posting.row
    )
)

-- name: if_words_named
-- The passage's names hold all of these words.
posting.name > 0 AND NOT EXISTS (
    SELECT 1 FROM json_each(:words) AS other WHERE other.key > 0 AND NOT EXISTS (
        SELECT 1 FROM posting AS held WHERE held.term = other.value AND held.row = posting.row AND held.name > 0
    )
)

-- name: if_words_phrase
-- The passage's names, or its text, hold the words of a phrase one after the other.
{{if_words_all}} AND EXISTS (
    SELECT 1 FROM words WHERE words.row = posting.row AND (
        strpos(' ' || words.name || ' ', ' ' || :phrase || ' ') > 0
        OR strpos(' ' || words.body || ' ', ' ' || :phrase || ' ') > 0
    )
)

-- name: words_newest
-- The newest passages between two rows that hold what is asked for, found along the first of its words.
SELECT posting.row FROM posting
WHERE posting.term = (SELECT value FROM json_each(:words) WHERE key = 0)
    AND posting.row > :floor AND posting.row < :ceiling AND {{where}}
ORDER BY posting.row DESC LIMIT :limit

-- name: words_held
-- Which of some words each of these passages holds, the first word's first.
SELECT held.row, wanted.key FROM json_each(:words) AS wanted CROSS JOIN LATERAL (
    SELECT posting.row FROM posting
    WHERE posting.term = wanted.value AND posting.row = ANY(ARRAY(SELECT value FROM json_each(:rows))) OFFSET 0
) AS held
ORDER BY wanted.key

-- name: phrases_held
-- Which of some phrases, each with its rarest word, stand in the passages of which nodes, found along that word.
SELECT wanted.key, node.id FROM json_each(:words) AS wanted
JOIN json_each(:phrases) AS said ON said.key = wanted.key
CROSS JOIN LATERAL (SELECT posting.row FROM posting WHERE posting.term = wanted.value OFFSET 0) AS held
JOIN words ON words.row = held.row JOIN passage ON passage.row = held.row JOIN node ON node.row = passage.node
WHERE passage.to_seq IS NULL AND (
    strpos(' ' || words.name || ' ', ' ' || said.value || ' ') > 0
    OR strpos(' ' || words.body || ' ', ' ' || said.value || ' ') > 0
)
ORDER BY wanted.key, passage.row

-- name: passages_said
-- What these passages say, with what their nodes are named by.
SELECT
    passage.row, passage.ordinal, node.title, node.lists,
    substr(node.content, (passage.start + 1)::integer, (passage."end" - passage.start)::integer)
FROM json_each(:rows) AS wanted JOIN passage ON passage.row = wanted.value JOIN node ON node.row = passage.node

-- name: words_empty
-- No passage has words that is not there.
DELETE FROM words WHERE NOT EXISTS (SELECT 1 FROM passage WHERE passage.row = words.row)

-- name: words_enter
-- The words of a passage; those that it has already stay as they are.
INSERT INTO words AS held (row, name, body) VALUES (:row, :name_words, :body_words)
ON CONFLICT (row) DO UPDATE SET name = excluded.name, body = excluded.body
WHERE (held.name, held.body) IS DISTINCT FROM (excluded.name, excluded.body)

-- name: terms_enter
-- In how many passages each word ever stood.
INSERT INTO term (term, df) SELECT key, value::bigint FROM json_each_text(:counts::json)
