-- A node that comes in already retired, as out of a log that is written anew, has no tags, references and names to be
-- found by, as one that is retired here has none. The words of such a graph are cut as no older release cuts them.
DROP TRIGGER node_made;
CREATE TRIGGER node_made AFTER INSERT ON node BEGIN
    INSERT INTO tally (subject, kind, ontology, origin, status, count)
        VALUES (iif(new.retired_at IS NULL, 'node', 'retired'), new.kind, new.ontology, new.origin, new.status, 1)
        ON CONFLICT DO UPDATE SET count = count + 1;
    INSERT OR IGNORE INTO tag (tag, node)
        SELECT value, new.row FROM json_each(new.lists, '$.tags') WHERE new.retired_at IS NULL;
    INSERT OR IGNORE INTO reference (path, node)
        SELECT value, new.row FROM json_each(new.lists, '$.references') WHERE new.retired_at IS NULL;
    INSERT OR IGNORE INTO name (name, role, node)
        SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]'), new.row FROM json_each(new.names)
        WHERE new.retired_at IS NULL;
END;

DELETE FROM tag WHERE node IN (SELECT row FROM node WHERE retired_at IS NOT NULL);
DELETE FROM reference WHERE node IN (SELECT row FROM node WHERE retired_at IS NOT NULL);
DELETE FROM name WHERE node IN (SELECT row FROM node WHERE retired_at IS NOT NULL);
