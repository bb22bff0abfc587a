-- Keys and webhook endpoints are pinned to a version of the API (docs/decisions/0094). What was made before is of the first one.
ALTER TABLE api_keys ADD COLUMN version date NOT NULL DEFAULT '2026-12-01';
COMMENT ON COLUMN api_keys.version IS 'The version of the API that counts where a request names none.';
ALTER TABLE webhook_endpoints ADD COLUMN version date NOT NULL DEFAULT '2026-12-01';
COMMENT ON COLUMN webhook_endpoints.version IS 'The version of the API in which its events are sent.';
