-- The last use of a line is the newest of its keys' (docs/decisions/0074). It is read along this index; a use writes its own key alone,
-- and no indexed column.
CREATE INDEX api_keys_line ON api_keys (environment_id, (lineage[cardinality(lineage)]));
