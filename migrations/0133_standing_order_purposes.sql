-- What the payouts of standing orders are for, and what their reference is. Columns without an index: no list filters by them.
ALTER TABLE standing_orders ADD COLUMN category_purpose text, ADD COLUMN purpose text, ADD COLUMN reference_type text;
COMMENT ON COLUMN standing_orders.category_purpose IS 'Of its payouts, ISO 20022; NULL: that of the recipient on the day.';
COMMENT ON COLUMN standing_orders.purpose IS 'Of its payouts, ISO 20022; NULL: that of the recipient on the day.';
COMMENT ON COLUMN standing_orders.reference_type IS 'What the reference is; NULL: there is none, or the order is older, and its reference shows it.';
