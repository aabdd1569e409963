-- The pieces that FTS5 keeps full text in, https://sqlite.org/fts5.html §6.7 and §6.9.

-- name: words_merged_from
-- How many pieces of one size are merged on demand.
INSERT INTO words (words, rank) VALUES ('usermerge', :pieces)

-- name: words_merge
-- Pieces are merged, writing about so many pages.
INSERT INTO words (words, rank) VALUES ('merge', :pages)

-- name: changes_made
-- How many rows this connection has ever changed, those of the full text's own tables among them.
SELECT total_changes()
