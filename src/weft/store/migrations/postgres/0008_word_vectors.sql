-- Each passage keeps the vectors of its words beside its own: whole numbers of eight bits, word after word. Passages from
-- before have none, and are compared as they were; the doctor's repair makes them.
ALTER TABLE passage ADD COLUMN word_vectors bytea;

CREATE OR REPLACE VIEW passage_entry AS
    SELECT node, ordinal, start, "end", NULL::halfvec AS vector, from_seq, ''::text AS name_words, ''::text AS body_words,
        '[]'::text AS terms, NULL::bytea AS word_vectors FROM passage;

CREATE OR REPLACE FUNCTION passage_entered() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path FROM CURRENT AS $$
DECLARE
    place bigint := (SELECT coalesce(max(row), 0) + 1 FROM passage);
BEGIN
    INSERT INTO passage (row, node, ordinal, start, "end", vector, from_seq, word_vectors)
        VALUES (place, new.node, new.ordinal, new.start, new."end", new.vector, new.from_seq, new.word_vectors);
    INSERT INTO words (row, name, body) VALUES (place, new.name_words, new.body_words);
    INSERT INTO term AS kept (term, df)
        SELECT each.value, count(*) FROM json_array_elements_text(new.terms::json) AS each GROUP BY each.value
        ON CONFLICT (term) DO UPDATE SET df = kept.df + excluded.df;
    RETURN new;
END $$;

-- A move to another embedding model that was broken off has no room for them, and begins anew.
DROP TRIGGER IF EXISTS passage_next_stale ON passage;
DROP FUNCTION IF EXISTS passage_next_stale();
DROP TABLE IF EXISTS passage_next, passage_next_model;
