-- Filter of payouts by category, in the order of the list, as those of 0120_payout_filters.sql. A payout without a category costs nothing.
CREATE INDEX payouts_category_purpose ON payouts (environment_id, category_purpose, id) WHERE category_purpose IS NOT NULL;
