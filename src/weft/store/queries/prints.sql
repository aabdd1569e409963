-- What the files looked like that nodes refer to, and how sure the nodes are.

-- name: prints_of_nodes
-- The prints of these nodes.
SELECT node.id, file_print.reference, file_print.root, file_print.file, file_print.digest
FROM json_each(:ids) AS wanted CROSS JOIN node ON node.id = wanted.value
CROSS JOIN file_print ON file_print.node = node.row
ORDER BY node.id, file_print.reference

-- name: prints_of_files
-- The standing nodes that keep a print of one of these files below this root, newest first.
SELECT DISTINCT node.id FROM json_each(:files) AS wanted
CROSS JOIN file_print ON file_print.root = :root AND file_print.file = wanted.value
CROSS JOIN node ON node.row = file_print.node
WHERE node.retired_at IS NULL ORDER BY node.row DESC LIMIT :limit

-- name: referring_after
-- The next nodes that refer to anything, in the order in which they were made: their places and ids.
SELECT referring.node, node.id FROM (
    SELECT DISTINCT reference.node FROM reference WHERE reference.node > :after ORDER BY reference.node LIMIT :limit
) AS referring CROSS JOIN node ON node.row = referring.node

-- name: prints_enter
-- The prints of a node, in place of those it had.
INSERT INTO file_print_entry (id, prints) VALUES (:id, :prints)

-- name: confidence_bands
-- How many standing nodes there are of each band of confidence.
SELECT confidence_band.band, confidence_band.count FROM confidence_band WHERE confidence_band.count > 0
ORDER BY confidence_band.band
