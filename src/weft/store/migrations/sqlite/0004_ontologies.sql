-- How many sources an ontology has and how many relations start in it, kept in the tally, so that asking never counts.
-- subject is source (its type stands under kind) or joined (a relation, under the ontology of the node it starts at).

INSERT INTO tally (subject, kind, ontology, origin, status, count)
    SELECT 'source', type, ontology, '', '', count(*) FROM source GROUP BY type, ontology;

INSERT INTO tally (subject, kind, ontology, origin, status, count)
    SELECT 'joined', '', node.ontology, '', '', count(*)
    FROM relation JOIN node ON node.id = relation.source GROUP BY node.ontology;

CREATE TRIGGER source_counted AFTER INSERT ON source BEGIN
    INSERT INTO tally (subject, kind, ontology, origin, status, count)
        VALUES ('source', new.type, new.ontology, '', '', 1)
        ON CONFLICT DO UPDATE SET count = count + 1;
END;

-- The operations of a batch come in any order: a relation may be written before the node it starts at.
CREATE TRIGGER relation_joined AFTER INSERT ON relation BEGIN
    INSERT INTO tally (subject, kind, ontology, origin, status, count)
        VALUES ('joined', '', coalesce((SELECT ontology FROM node WHERE id = new.source), ''), '', '', 1)
        ON CONFLICT DO UPDATE SET count = count + 1;
END;

CREATE TRIGGER relation_parted AFTER DELETE ON relation BEGIN
    UPDATE tally SET count = count - 1
        WHERE subject = 'joined' AND kind = '' AND origin = '' AND status = ''
            AND ontology = coalesce((SELECT ontology FROM node WHERE id = old.source), '');
END;

CREATE TRIGGER node_joined AFTER INSERT ON node WHEN EXISTS (SELECT 1 FROM relation WHERE source = new.id) BEGIN
    UPDATE tally SET count = count - (SELECT count(*) FROM relation WHERE source = new.id)
        WHERE subject = 'joined' AND kind = '' AND ontology = '' AND origin = '' AND status = '';
    INSERT INTO tally (subject, kind, ontology, origin, status, count)
        SELECT 'joined', '', new.ontology, '', '', count(*) FROM relation WHERE source = new.id
        ON CONFLICT DO UPDATE SET count = count + excluded.count;
END;

CREATE TRIGGER node_moved AFTER UPDATE OF ontology ON node
WHEN new.ontology <> old.ontology AND EXISTS (SELECT 1 FROM relation WHERE source = new.id) BEGIN
    UPDATE tally SET count = count - (SELECT count(*) FROM relation WHERE source = new.id)
        WHERE subject = 'joined' AND kind = '' AND ontology = old.ontology AND origin = '' AND status = '';
    INSERT INTO tally (subject, kind, ontology, origin, status, count)
        SELECT 'joined', '', new.ontology, '', '', count(*) FROM relation WHERE source = new.id
        ON CONFLICT DO UPDATE SET count = count + excluded.count;
END;
