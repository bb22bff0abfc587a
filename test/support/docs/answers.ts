/** What a reader of a page takes from an answer, and calls by a name in the blocks after it. Runners: `examples/guides.test.ts` and `page.ts`. */

type Answer = Readonly<Record<string, unknown>>;

/** The refusals that the order of the requests on a page brings with it. */
export const REFUSED: Readonly<Record<string, readonly string[]>> = {
  'docs/troubleshooting.md': ['payout_state_invalid'], // its payout may have gone before it is canceled
  'docs/guides/approvals.md': ['payout_not_held'], // it was approved a line above
  'docs/guides/closing-a-month.md': ['exports_not_stopped'], // nothing drifts here
  'docs/sandbox.md': ['payout_state_invalid'], // a paid payout does not fail
};

/** A day, a month from now. */
const later = () => new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);

/** A command with days to come in place of days of the page that have passed, which would be refused. */
export const inTime = (command: string): string =>
  command.replaceAll(/\b(starts_on|wait_until_on|due_on)=20\d\d-\d\d-\d\d/g, (_, name: string) => `${name}=${later()}`);

const NAMES: Readonly<Record<string, string>> = {
  recipient: 'RECIPIENT',
  payout: 'PAYOUT',
  payout_batch: 'BATCH',
  exchange_quote: 'QUOTE',
  standing_order: 'ORDER',
  delivery: 'DELIVERY',
  webhook_endpoint: 'ENDPOINT',
  webhook_replay: 'REPLAY',
  expected_payment: 'EXPECTED',
  key: 'KEY_ID',
  bank_account: 'BANK',
  account: 'ACCOUNT',
  daily_statement: 'STATEMENT',
  bank_statement: 'STATEMENT',
  bank_entry: 'ENTRY',
  event: 'EVENT',
};

/** Names of ids by what they begin with, for commands that print no JSON. */
const BY_PREFIX: Readonly<Record<string, string>> = {
  rcp: 'RECIPIENT',
  po: 'PAYOUT',
  key: 'KEY_ID',
  ba: 'BANK',
  acct: 'ACCOUNT',
};
const AN_ID = /\b(rcp|po|key|ba|acct)_[0-9a-z]{26}\b/;

/** The name of an id of which a page shows the beginning alone, as in `po_…`. */
export const nameOfPrefix = (prefix: string): string | undefined => BY_PREFIX[prefix];

/** From an answer, or from the first object of a list (of accounts: the first in EUR). */
export function takenFrom(answer: Answer): Record<string, string> {
  const { object, id, sequence, sha256, release, reference, data, files } = answer;
  const taken: Record<string, string> = {};
  const name = NAMES[object as string];
  if (name !== undefined && typeof id === 'string') taken[name] = id;
  if (object === 'payout') taken['END_TO_END_ID'] = String(id).replace('_', '').toUpperCase();
  if (object === 'event') taken['LAST_SEEN'] = String(sequence);
  if (object === 'deposit_instructions') taken['REFERENCE'] = String(reference);
  if (typeof sha256 === 'string') taken['SHA256'] = sha256;
  const fingerprint = (release as Answer | undefined)?.['fingerprint'];
  if (typeof fingerprint === 'string') taken['FINGERPRINT'] = fingerprint;
  const [file] = object === 'payment_file_export' ? (files as readonly Answer[]) : [];
  if (file !== undefined) Object.assign(taken, { FILE: file['id'], MESSAGE_ID: file['message_id'] });
  if (!Array.isArray(data) || data.length === 0) return taken;
  const list = data as readonly Answer[];
  return { ...taken, ...takenFrom(list.find(isEuro) ?? (list[0] as Answer)) };
}
const isEuro = ({ object, currency }: Answer) => object === 'account' && currency === 'EUR';

/** From what a command prints: JSON, a table whose first id counts, or a new live key. */
export function takenFromText(text: string): Record<string, string> {
  if (text.startsWith('{')) return takenFrom(JSON.parse(firstObject(text)) as Answer);
  const [id, prefix] = AN_ID.exec(text) ?? [];
  const key = /^sk_live_\w+$/m.exec(text)?.[0];
  return {
    ...(id !== undefined && { [BY_PREFIX[prefix as string] as string]: id }),
    ...(key !== undefined && { BURSAR_KEY: key }),
  };
}

/** JSON over several lines is one object; else each line is one. */
function firstObject(text: string): string {
  const [line = ''] = text.split('\n');
  return line.endsWith('}') ? line : text;
}
