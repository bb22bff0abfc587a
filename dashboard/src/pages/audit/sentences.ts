/**
 * What an entry of the audit log says, as a sentence that follows the name of who did it: "made the key “payroll”". Pure. An action that this
 * file does not know yet is shown by its own words, so that a newer server never leaves a line empty.
 */

export type Details = Readonly<Record<string, unknown>>;

export interface AuditLine {
  readonly action: string;
  readonly details: Details;
}

const text = (details: Details, name: string): string => {
  const value = details[name];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
};
const named = (details: Details, name = 'name'): string => {
  const value = text(details, name);
  return value === '' ? '' : ` “${value}”`;
};
const list = (details: Details, name: string): readonly string[] => {
  const value = details[name];
  return Array.isArray(value) ? value.map(String) : [];
};
/** As people read them: `payout_rules` → "payout rules". */
const words = (name: string): string => name.replaceAll('_', ' ');

/** "name, address and logo". */
export function enumerated(items: readonly string[]): string {
  const last = items.at(-1);
  if (last === undefined) return '';
  return items.length === 1 ? last : `${items.slice(0, -1).join(', ')} and ${last}`;
}

const changed = (details: Details): string => {
  const names = list(details, 'changed').map(words);
  return names.length === 0 ? '' : `: ${enumerated(names)}`;
};
const because = (details: Details): string => {
  const reason = text(details, 'reason');
  return reason === '' ? '' : `: “${reason}”`;
};
const counted = (details: Details): string => {
  const [given, needed] = [text(details, 'approvals'), text(details, 'required')];
  return given === '' || needed === '' ? '' : ` (${given} of ${needed})`;
};
const powers = (details: Details): string => {
  if (details['scopes'] === null) return ', which may do everything';
  const { length } = list(details, 'scopes');
  return length === 0 ? '' : `, with ${length} ${length === 1 ? 'scope' : 'scopes'}`;
};
const overlap = (details: Details): string => {
  const seconds = Number(details['overlap_seconds'] ?? 0);
  if (seconds === 0) return '; the old one ended at once';
  const hours = Math.round(seconds / 3600);
  return `; the old one works ${hours === 0 ? `${seconds} seconds` : `${hours} ${hours === 1 ? 'hour' : 'hours'}`} more`;
};
const REFUSED_KEYS: Readonly<Record<string, string>> = {
  revoked: 'after it was revoked',
  expired: 'after it had expired',
  address: 'from an address that it does not allow',
};
const roles = (details: Details): string => {
  const names = list(details, 'roles');
  return names.length === 0 ? '' : ` as ${enumerated(names)}`;
};

const roleChange = (details: Details): string => {
  const [after, before] = [list(details, 'roles'), list(details, 'roles_before')];
  return after.length === 0 ? changed(details) : `: ${enumerated(after)}, before ${enumerated(before) || 'nothing'}`;
};
const FACTORS: Readonly<Record<string, string>> = { passkey: 'a passkey', code: 'a code', recovery: 'a recovery code' };
const signedInBy = (details: Details): string => {
  if (text(details, 'link') !== '') return ` by a link`;
  return details['second_factor'] === true || text(details, 'second_factor') === 'true'
    ? ''
    : ' without a second factor';
};

const SENTENCES: Readonly<Record<string, string | ((details: Details) => string)>> = {
  'key.created': (d) => `made the key${named(d)}${powers(d)}`,
  'key.rolled': (d) => `rolled a key${overlap(d)}`,
  'key.confirmed': 'confirmed that a key may approve',
  'key.revoked': 'revoked a key',
  'key.updated': (d) => `changed the key${named(d)}${changed(d)}`,
  'key.refused': (d) => `tried a key ${REFUSED_KEYS[text(d, 'reason')] ?? 'that was refused'}`,
  'settings.updated': (d) => `changed the settings${changed(d)}`,
  'exchange_settings.updated': (d) => `changed the settings of exchanges${changed(d)}`,
  'webhook_endpoint.created': (d) => `made a webhook endpoint at ${text(d, 'url')}`,
  'webhook_endpoint.updated': (d) => `changed a webhook endpoint${changed(d)}`,
  'webhook_endpoint.enabled': 'enabled a webhook endpoint',
  'webhook_endpoint.disabled': (d) =>
    ({
      failing: 'disabled a webhook endpoint after days without a success',
      gone: 'disabled a webhook endpoint that answered 410 Gone',
    })[text(d, 'reason')] ?? 'disabled a webhook endpoint',
  'webhook_endpoint.deleted': (d) => `deleted the webhook endpoint at ${text(d, 'url')}`,
  'webhook_endpoint.secret_rolled': (d) => `rolled the signing secret of a webhook endpoint${overlap(d)}`,
  'environment.restored': 'restored the database from a backup',
  'server_secret.rotated': 'rotated the server secret',
  'sandbox.reset': 'emptied the sandbox',
  'payout.approved': (d) => `approved a payout${counted(d)}${text(d, 'proof') === '' ? '' : ', signed by a passkey'}`,
  'payout.rejected': (d) => `rejected a payout${because(d)}`,
  'payout.resolved': (d) => `said what became of a payout: ${words(text(d, 'outcome'))}`,
  'payout_rules.updated': 'changed the rules of payouts',
  'payout_rules.change_requested': 'asked for looser rules of payouts',
  'payout_rules.change_approved': (d) => `approved looser rules of payouts${counted(d)}`,
  'payout_rules.change_rejected': 'rejected looser rules of payouts',
  'limit.created': 'set a limit',
  'limit.deleted': 'deleted a limit',
  'limit.deletion_requested': 'asked to delete a limit',
  'limit.deletion_approved': (d) => `approved that a limit is deleted${counted(d)}`,
  'limit.deletion_rejected': 'rejected that a limit is deleted',
  'fee_rule.created': 'made a rule of fees',
  'fee_rule.deleted': 'deleted a rule of fees',
  'bank_account.created': (d) => `added the bank account${named(d)}`,
  'bank_account.updated': (d) => `changed a bank account${changed(d)}`,
  'bank_account.approved': 'approved a bank account',
  'bank_account.rejected': 'rejected a change of a bank account',
  'bank_account.closed': 'closed a bank account',
  'bank_account.exports_stopped': 'stopped payment files of a bank account, since its statements do not agree',
  'bank_account.exports_resumed': (d) => `let payment files of a bank account go on${because(d)}`,
  'bank_account.reconciled': (d) => `signed the month ${text(d, 'month')} of a bank account`,
  'statement_file.imported': 'imported a file of the bank',
  'bank_statement.reviewed': (d) => `reviewed a bank statement${because(d)}`,
  'bank_entry.assigned': (d) => `assigned a bank entry${because(d)}`,
  'bank_entry.unassigned': (d) => `took back where a bank entry was assigned${because(d)}`,
  'bank_entry.returned': (d) => `sent a bank entry back${because(d)}`,
  'bank_entry.voided': (d) => `voided a bank entry${because(d)}`,
  'bank_entry.unvoided': (d) => `took back that a bank entry is void${because(d)}`,
  'bank_entry.change_requested': (d) => `asked for a change of a bank entry${because(d)}`,
  'bank_entry.change_approved': 'approved a change of a bank entry',
  'bank_entry.change_rejected': 'rejected a change of a bank entry',
  'bank_rule.created': (d) => `made the bank rule${named(d)}`,
  'bank_rule.deleted': (d) => `deleted the bank rule${named(d)}`,
  'payment_file.opened': 'looked into a payment file',
  'payment_file.sealed': (d) => {
    const count = text(d, 'payouts_count');
    return `made a payment file of ${count} ${count === '1' ? 'payout' : 'payouts'}`;
  },
  'payment_file.abandoned': (d) => `gave up a payment file${because(d)}`,
  'recipient.redacted': 'erased the person behind a recipient',
  'payment_link.redacted': 'erased the person behind a payment link',
  'payment.redacted': 'erased the person behind a payment',
  'expected_payment.redacted': 'erased the person behind an expected payment',
  'bank_entry.redacted': 'erased the person behind a bank entry',
  'bank_entry_details.redacted': 'erased what a bank entry said of a person',
  'user.invited': (d) => `invited a person${roles(d)}`,
  'user.joined': 'joined',
  'user.updated': (d) => `changed a person${roleChange(d)}`,
  'user.suspended': 'suspended a person',
  'user.resumed': 'let a suspended person in again',
  'user.confirmed': 'confirmed that a person may approve',
  'user.sessions_ended': 'ended all sessions of a person',
  'user.link_made': (d) => `made a new link for a person${text(d, 'kind') === 'reset' ? ', to sign in anew' : ''}`,
  'user.redacted': 'erased a person',
  'user.signed_in': (d) => `signed in${signedInBy(d)}`,
  'user.signed_out': 'signed out',
  'user.sign_in_failed': 'could not sign in',
  'user.stepped_up': (d) => `showed a factor again: ${FACTORS[text(d, 'by')] ?? text(d, 'by')}`,
  'user.sessions_closed': (d) =>
    `ended ${text(d, 'count') === '1' ? 'a session' : `${text(d, 'count')} sessions`} of their own`,
  'user.person_changed': 'changed their name or e-mail',
  'user.password_changed': 'set a password',
  'user.passkey_added': (d) => `added the passkey${named(d)}`,
  'user.passkey_removed': (d) => `removed the passkey${named(d)}`,
  'user.app_added': 'added an authenticator app',
  'user.recovery_code_used': 'used a recovery code',
  'user.credentials_cleared': 'signed in by a link that resets, which ended password, passkeys and app',
};

/** Without the name of who did it, and without a full stop. */
export function sentenceOf({ action, details }: AuditLine): string {
  const known = SENTENCES[action];
  if (known !== undefined) return typeof known === 'string' ? known : known(details);
  const [object = action, verb = ''] = action.split('.');
  return `${words(object)}${verb === '' ? '' : `: ${words(verb)}`}${because(details)}`;
}

export const KNOWN_ACTIONS: readonly string[] = Object.keys(SENTENCES);

interface Kind {
  readonly value: string;
  readonly label: string;
  readonly actions: readonly string[];
}

const SIGN_INS = /^user\.(?:signed|sign_in|stepped|sessions_closed|person|password|passkey|app|recovery|credentials)/;

/** `objects`: what an action is about, such as `key`; of `user` what people do for their own sign-in is a kind of its own. */
const kind = (value: string, label: string, ...objects: readonly string[]): Kind => ({
  value,
  label,
  actions: Object.keys(SENTENCES).filter((action) =>
    objects.includes(SIGN_INS.test(action) ? 'sign_in' : (action.split('.')[0] ?? '')),
  ),
});

/** What a filter offers: actions of one kind together. */
export const KINDS: readonly Kind[] = [
  kind('approvals', 'Approvals', 'payout'),
  kind('keys', 'Keys', 'key'),
  kind('people', 'People', 'user'),
  kind('sign_ins', 'Signing in', 'sign_in'),
  kind('rules', 'Rules and limits', 'payout_rules', 'limit', 'fee_rule'),
  kind('settings', 'Settings', 'settings', 'exchange_settings'),
  kind('webhooks', 'Webhooks', 'webhook_endpoint'),
  kind('bank', 'Bank', 'bank_account', 'bank_entry', 'bank_rule', 'bank_statement', 'statement_file', 'payment_file'),
  kind('persons', 'Erasures', 'recipient', 'payment', 'payment_link', 'expected_payment', 'bank_entry_details'),
  kind('service', 'The service', 'environment', 'server_secret', 'sandbox'),
];
