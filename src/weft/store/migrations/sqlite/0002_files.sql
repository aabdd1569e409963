-- What the files looked like that nodes refer to, and how sure the nodes are. Derived, kept by the triggers below.

-- root: the folder that file lies below; empty: the one that holds the graph's own folder, wherever it is moved to.
CREATE TABLE file_print (
    node      INTEGER NOT NULL REFERENCES node (row),
    reference TEXT NOT NULL,
    root      TEXT NOT NULL,
    file      TEXT NOT NULL,
    digest    TEXT NOT NULL,
    PRIMARY KEY (node, reference)
) STRICT, WITHOUT ROWID;
CREATE INDEX file_print_by_file ON file_print (root, file);

-- A node's prints are replaced as one: [[reference, root, file, digest], ...].
CREATE VIEW file_print_entry AS SELECT '' AS id, '[]' AS prints FROM file_print;

CREATE TRIGGER file_print_entered INSTEAD OF INSERT ON file_print_entry BEGIN
    DELETE FROM file_print WHERE node = (SELECT row FROM node WHERE id = new.id);
    INSERT OR IGNORE INTO file_print (node, reference, root, file, digest)
        SELECT node.row, value ->> 0, value ->> 1, value ->> 2, value ->> 3
        FROM json_each(new.prints) CROSS JOIN node ON node.id = new.id;
END;

-- How many standing nodes there are of each band of confidence: high from 0.8, medium from 0.5, else low.
CREATE TABLE confidence_band (
    band  TEXT NOT NULL PRIMARY KEY,
    count INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

INSERT INTO confidence_band (band, count) VALUES ('high', 0), ('medium', 0), ('low', 0);

UPDATE confidence_band SET count = (
    SELECT count(*) FROM node
    WHERE node.retired_at IS NULL
        AND iif(node.confidence >= 0.8, 'high', iif(node.confidence >= 0.5, 'medium', 'low')) = confidence_band.band
);

CREATE TRIGGER node_banded AFTER INSERT ON node WHEN new.retired_at IS NULL BEGIN
    UPDATE confidence_band SET count = count + 1
        WHERE band = iif(new.confidence >= 0.8, 'high', iif(new.confidence >= 0.5, 'medium', 'low'));
END;

CREATE TRIGGER node_banded_anew AFTER UPDATE OF confidence, retired_at ON node
WHEN (new.confidence, new.retired_at) IS NOT (old.confidence, old.retired_at) BEGIN
    UPDATE confidence_band SET count = count - 1
        WHERE old.retired_at IS NULL
            AND band = iif(old.confidence >= 0.8, 'high', iif(old.confidence >= 0.5, 'medium', 'low'));
    UPDATE confidence_band SET count = count + 1
        WHERE new.retired_at IS NULL
            AND band = iif(new.confidence >= 0.8, 'high', iif(new.confidence >= 0.5, 'medium', 'low'));
END;
