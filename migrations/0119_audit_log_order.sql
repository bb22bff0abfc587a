-- The audit log is listed in order of its sequence, whatever the clock did: so go its filters too.
DROP INDEX audit_log_subject;
CREATE INDEX audit_log_subject ON audit_log (environment_id, subject, sequence) WHERE subject IS NOT NULL;
CREATE INDEX audit_log_action ON audit_log (environment_id, action, sequence);
CREATE INDEX audit_log_actor ON audit_log (environment_id, actor, sequence);
