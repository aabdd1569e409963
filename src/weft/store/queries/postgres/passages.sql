-- Passages by how near their vectors are, which only this engine is asked.

-- name: passages_nearest
-- The passages that count now and are nearest to a vector, along the index: nearly always the nearest ones, in about
-- this order, and fewer where it gives up looking for more that pass.
SELECT passage.row, node.id, passage.start, passage."end", passage.vector
FROM passage JOIN node ON node.row = passage.node
WHERE {{passage_now}} ORDER BY passage.vector <=> :vector LIMIT :limit

-- name: passages_nearest_then
-- The passages that counted then, still stand and are nearest to a vector, along the index.
SELECT passage.row, node.id, passage.start, passage."end", passage.vector
FROM passage JOIN node ON node.row = passage.node
WHERE passage.to_seq IS NULL AND {{passage_then}} ORDER BY passage.vector <=> :vector LIMIT :limit

-- name: passages_compared
-- The passages that count now and are nearest to a vector, found by comparing all of them.
SELECT passage.row, node.id, passage.start, passage."end", passage.vector
FROM passage JOIN node ON node.row = passage.node
WHERE {{passage_now}} ORDER BY (passage.vector <=> :vector) + 0 LIMIT :limit

-- name: passages_compared_then
-- The passages that counted then and are nearest to a vector, found by comparing all of them.
SELECT passage.row, node.id, passage.start, passage."end", passage.vector
FROM passage JOIN node ON node.row = passage.node
WHERE {{passage_then}} ORDER BY (passage.vector <=> :vector) + 0 LIMIT :limit

-- name: vectors_indexed
-- Whether the index of the vectors is there and whole.
SELECT coalesce(bool_and(pg_index.indisvalid), false) FROM pg_index
WHERE pg_index.indexrelid = to_regclass('passage_by_vector')
