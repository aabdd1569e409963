-- Passages by how near their vectors are, which only this engine is asked.

-- name: index_width
-- How many passages the index keeps in sight while it looks for so many; decided before the looking begins.
SELECT set_config('hnsw.ef_search', least(greatest(80, :limit::bigint * 5 / 4), 1000)::text, true) AS said

-- name: passages_nearest
-- The passages that count now and are nearest to a vector, along the index: nearly always the nearest ones, in about
-- this order, and fewer where it gives up looking for more that pass.
WITH width AS MATERIALIZED ({{index_width}})
SELECT passage.row, node.id, passage.start, passage."end", {{vector_held}}
FROM passage JOIN node ON node.row = passage.node
WHERE (SELECT width.said FROM width) IS NOT NULL AND {{passage_now}} ORDER BY passage.vector <=> :vector LIMIT :limit

-- name: passages_nearest_then
-- The passages that counted then, still stand and are nearest to a vector, along the index.
WITH width AS MATERIALIZED ({{index_width}})
SELECT passage.row, node.id, passage.start, passage."end", {{vector_held}}
FROM passage JOIN node ON node.row = passage.node
WHERE (SELECT width.said FROM width) IS NOT NULL AND passage.to_seq IS NULL AND {{passage_then}}
ORDER BY passage.vector <=> :vector LIMIT :limit

-- name: passages_compared
-- The passages that count now and are nearest to a vector, found by comparing all of them.
SELECT passage.row, node.id, passage.start, passage."end", {{vector_held}}
FROM passage JOIN node ON node.row = passage.node
WHERE {{passage_now}} ORDER BY (passage.vector <=> :vector) + 0 LIMIT :limit

-- name: passages_compared_then
-- The passages that counted then and are nearest to a vector, found by comparing all of them.
SELECT passage.row, node.id, passage.start, passage."end", {{vector_held}}
FROM passage JOIN node ON node.row = passage.node
WHERE {{passage_then}} ORDER BY (passage.vector <=> :vector) + 0 LIMIT :limit

-- name: vectors_indexed
-- Whether the index of the vectors is there and whole.
SELECT coalesce(bool_and(pg_index.indisvalid), false) FROM pg_index
WHERE pg_index.indexrelid = to_regclass('passage_by_vector')
