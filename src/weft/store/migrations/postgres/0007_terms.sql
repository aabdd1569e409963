-- A passage may bring the words of several, each as often as it is in one: within a transaction every further change of
-- a row walks past all that came before it, so a long text is not to count a word once a passage.
CREATE OR REPLACE FUNCTION passage_entered() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path FROM CURRENT AS $$
DECLARE
    place bigint := (SELECT coalesce(max(row), 0) + 1 FROM passage);
BEGIN
    INSERT INTO passage (row, node, ordinal, start, "end", vector, from_seq)
        VALUES (place, new.node, new.ordinal, new.start, new."end", new.vector, new.from_seq);
    INSERT INTO words (row, name, body) VALUES (place, new.name_words, new.body_words);
    INSERT INTO term AS kept (term, df)
        SELECT each.value, count(*) FROM json_array_elements_text(new.terms::json) AS each GROUP BY each.value
        ON CONFLICT (term) DO UPDATE SET df = kept.df + excluded.df;
    RETURN new;
END $$;
