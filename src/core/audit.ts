/** What the audit log keeps of a change: decisions add entries to their draft, `write/audit.ts` chains and writes them. */
import { type Words, words } from './values/words.ts';

/** By kind of object, in the order of the docs and filters that are made from this list. Only ever append. */
const ACTIONS = [
  ['key', 'created rolled revoked refused'], // refused: it has ended, or came from an address that it does not allow
  ['settings', 'updated'],
  ['webhook_endpoint', 'created updated enabled disabled deleted secret_rolled'],
  ['environment', 'restored'],
  ['sandbox', 'reset'],
  ['recipient', 'redacted'],
  ['payout_rules', 'updated'],
  ['limit', 'created deleted'],
  ['payout', 'approved rejected resolved'],
  ['bank_accounts', 'approved rejected'],
  ['server_secret', 'rotated'],
  ['fee', 'created deleted'],
  ['bank_account', 'created updated closed'],
  ['bank_document', 'imported'],
  ['bank_entry', 'assigned unassigned'],
  ['bank_file', 'opened sealed abandoned'],
  ['bank_entry', 'returned'],
  ['bank_rule', 'created deleted'],
  ['bank_account', 'exports_stopped exports_resumed reconciled'],
  ['fx_settings', 'updated'],
] as const;
type Dotted<R> = R extends readonly [infer K extends string, infer A extends string] ? `${K}.${Words<A>}` : never;
export type AuditAction = Dotted<(typeof ACTIONS)[number]>;
export const AUDIT_ACTIONS = ACTIONS.flatMap(([kind, actions]) =>
  words(actions).map((action) => `${kind}.${action}` as AuditAction),
);

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
