-- The graph's own configuration: facts whose key begins with «config.».

-- name: config_values
-- What is configured.
SELECT substr(meta.key, 8), meta.value FROM meta WHERE meta.key LIKE 'config.%'

-- name: config_save
-- A value of the configuration.
INSERT INTO meta (key, value) VALUES ('config.' || :key, :value)
ON CONFLICT (key) DO UPDATE SET value = excluded.value

-- name: uses_of_kind
-- How many nodes of a kind stand.
SELECT count(*) FROM node WHERE node.kind = :name AND node.retired_at IS NULL

-- name: uses_of_relation_type
-- How many relations are of a type.
SELECT count(*) FROM relation WHERE relation.type = :name
