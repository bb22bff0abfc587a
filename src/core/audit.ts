/** What the audit log keeps of a change: decisions add entries to their draft, `write/audit.ts` chains and writes them. */

/** Only ever append; `docs` and filters are made from this list. */
export const AUDIT_ACTIONS = [
  'key.created',
  'key.rolled',
  'key.confirmed',
  'key.revoked',
  'key.refused', // a sign-in with a key that has ended, or from an address that the key does not allow
  'settings.updated',
  'webhook_endpoint.created',
  'webhook_endpoint.updated',
  'webhook_endpoint.enabled',
  'webhook_endpoint.disabled',
  'webhook_endpoint.deleted',
  'webhook_endpoint.secret_rolled',
  'environment.restored',
  'sandbox.reset',
  'recipient.redacted',
  'payout_rules.updated',
  'limit.created',
  'limit.deleted',
  'payout_rules.change_requested',
  'payout_rules.change_approved',
  'payout_rules.change_rejected',
  'limit.deletion_requested',
  'limit.deletion_approved',
  'limit.deletion_rejected',
  'payout.approved',
  'payout.rejected',
  'payout.resolved',
  'bank_account.approved',
  'bank_account.rejected',
  'server_secret.rotated',
  'fee_rule.created',
  'fee_rule.deleted',
  'bank_account.created',
  'bank_account.updated',
  'bank_account.closed',
  'statement_file.imported',
  'bank_statement.reviewed',
  'bank_entry.assigned',
  'bank_entry.unassigned',
  'payment_file.opened',
  'payment_file.sealed',
  'payment_file.abandoned',
  'bank_entry.returned',
  'bank_rule.created',
  'bank_rule.deleted',
  'bank_account.exports_stopped',
  'bank_account.exports_resumed',
  'bank_account.reconciled',
  'exchange_settings.updated',
  'payment_link.redacted',
  'payment.redacted',
  'expected_payment.redacted',
  'bank_entry.redacted',
  'bank_entry_details.redacted',
  'bank_entry.change_requested',
  'bank_entry.change_approved',
  'bank_entry.change_rejected',
  'bank_entry.voided',
  'bank_entry.unvoided',
  'key.updated',
  'user.invited',
  'user.joined',
  'user.updated',
  'user.suspended',
  'user.resumed',
  'user.confirmed',
  'user.sessions_ended',
  'user.link_made',
  'user.redacted',
  'user.signed_in',
  'user.signed_out',
  'user.sign_in_failed',
  'user.stepped_up',
  'user.sessions_closed', // by the person; an administrator's are user.sessions_ended
  'user.person_changed',
  'user.password_changed',
  'user.passkey_added',
  'user.passkey_removed',
  'user.app_added', // an authenticator app
  'user.recovery_code_used',
  'user.credentials_cleared', // by a link that resets
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

type Detail = string | number | boolean | null | readonly string[] | { readonly [name: string]: Detail };
/** Names as on the wire. No secret, and of account numbers the last four characters at most. */
export type AuditDetails = Readonly<Record<string, Detail>>;

/** Before it is chained. */
export interface Audited {
  readonly id: string;
  readonly action: AuditAction;
  readonly subject: string | null;
  readonly details: AuditDetails;
  readonly createdAt: number;
}
