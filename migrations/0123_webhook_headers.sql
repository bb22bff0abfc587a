-- Headers that the owner of a webhook endpoint adds to its deliveries. A default that is constant rewrites no row.
ALTER TABLE webhook_endpoints ADD COLUMN headers jsonb NOT NULL DEFAULT '[]';
COMMENT ON COLUMN webhook_endpoints.headers IS 'Headers that deliveries carry beside ours, the values sealed under the server secret: [{"name", "sealed"}].';
