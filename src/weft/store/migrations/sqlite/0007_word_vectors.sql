-- Each passage keeps the vectors of its words beside its own: whole numbers of eight bits, word after word. Passages from
-- before have none, and are compared as they were; the doctor's repair makes them.
ALTER TABLE passage ADD COLUMN word_vectors BLOB;

DROP VIEW passage_entry;
CREATE VIEW passage_entry AS
    SELECT node, ordinal, start, end, vector, word_vectors, from_seq, '' AS name_words, '' AS body_words, '[]' AS terms
    FROM passage;

CREATE TRIGGER passage_entered INSTEAD OF INSERT ON passage_entry BEGIN
    INSERT INTO passage (node, ordinal, start, end, vector, word_vectors, from_seq)
        VALUES (new.node, new.ordinal, new.start, new.end, new.vector, new.word_vectors, new.from_seq);
    INSERT INTO words (rowid, name, body)
        VALUES ((SELECT max(row) FROM passage), new.name_words, new.body_words);
    INSERT INTO term (term, df) SELECT value, 1 FROM json_each(new.terms) WHERE true
        ON CONFLICT (term) DO UPDATE SET df = df + 1;
END;

-- A move to another embedding model that was broken off has no room for them, and begins anew.
DROP TRIGGER IF EXISTS passage_next_stale;
DROP TABLE IF EXISTS passage_next;
DROP TABLE IF EXISTS passage_next_model;
