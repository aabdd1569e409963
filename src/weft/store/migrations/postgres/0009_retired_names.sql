-- A node that comes in already retired, as out of a log that is written anew, has no tags, references and names to be
-- found by, as one that is retired here has none. The words of such a graph are cut as no older release cuts them.
CREATE OR REPLACE FUNCTION node_made() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT
AS $$ BEGIN
    PERFORM counted(CASE WHEN new.retired_at IS NULL THEN 'node' ELSE 'retired' END,
        new.kind, new.ontology, new.origin, new.status, 1);
    IF new.retired_at IS NULL THEN
        PERFORM named(new.row, new.lists, new.names);
        UPDATE confidence_band SET count = count + 1 WHERE band = band_of(new.confidence);
    END IF;
    PERFORM joined(new.id, '', new.ontology);
    RETURN NULL;
END $$;

DELETE FROM tag WHERE node IN (SELECT row FROM node WHERE retired_at IS NOT NULL);
DELETE FROM reference WHERE node IN (SELECT row FROM node WHERE retired_at IS NOT NULL);
DELETE FROM name WHERE node IN (SELECT row FROM node WHERE retired_at IS NOT NULL);
