-- An event tells of payments that still wait for money after some days.

ALTER TABLE settings ADD COLUMN payment_reminder_days int CHECK (payment_reminder_days BETWEEN 1 AND 13);
COMMENT ON COLUMN settings.payment_reminder_days IS 'After how many days of waiting an event tells of a payment; NULL: never.';

ALTER TABLE payments ADD COLUMN remind_at timestamptz;
COMMENT ON COLUMN payments.remind_at IS 'When an event is to tell that it still waits for money, environment clock; NULL: never, or it has.';
CREATE INDEX payments_reminding ON payments (environment_id, remind_at) WHERE remind_at IS NOT NULL;
