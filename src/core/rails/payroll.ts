/**
 * What a key without `payroll:read` is not shown: whom salaries, bonuses and pensions pay, and for what. Amounts, states and codes stay. Answers
 * are changed as text, on their way out: so no route can forget it, and amounts keep their digits. Pure. Decision 0090.
 */
import { elementsOf, membersOf, objectOf } from '../values/json-text.ts';
import { isPayroll, PAYROLL_CATEGORIES } from './purposes.ts';

type Members = ReadonlyMap<string, string>;
/** By member: what stands in its place, as JSON. */
type Instead = Readonly<Record<string, (value: string) => string>>;

const hide = () => 'null';
const hideIn = (name: string) => (value: string) =>
  value === 'null' ? value : objectOf(replaced(membersOf(value), { [name]: hide }));

/** Texts and metadata are free, and so may name the payee. */
const WORDS: Instead = { reference: hide, statement_descriptor: hide, metadata: () => '{}' };

const HIDDEN: Readonly<Record<string, Instead>> = {
  payout: {
    ...WORDS,
    recipient: hide,
    destination: hide,
    reference_type: hide,
    external_id: hide,
    standing_order: hide,
    refund_of: hide,
    bank_reason: hideIn('text'),
    payee_check: hideIn('name'),
    flags: hide,
    // Whoever knows the recipients could try each.
    release: hideIn('fingerprint'),
  },
  standing_order: { ...WORDS, recipient: hide, reference_type: hide, last_failure: hideIn('message') },
  bank_entry: {
    counterparty: (value) => hideIn('account_last4')(hideIn('name')(value)),
    remittance: (value) => hideIn('return_text')(hideIn('text')(value)),
    transactions: () => '[]',
  },
};

/** In our rendering; within a text its quotation marks are escaped. */
const OF_PAYROLL = `"category_purpose":"(?:${PAYROLL_CATEGORIES.join('|')})"`;
/** An entry does not know the category of its payout or payment file. Who sees payouts finds the name there, if it is no payroll. */
const OF_PAYOUT = '"(?:to|return_payout|payment_file)":"(?:po|pf)_';
const MARK = new RegExp(`${OF_PAYROLL}|${OF_PAYOUT}`);
const ENTRY_MARK = new RegExp(OF_PAYOUT);

/** JSON as our routes render it. The same text, if nothing in it is payroll. */
export function withoutPayees(json: string): string {
  if (!MARK.test(json)) return json;
  if (json.startsWith('[')) return `[${elementsOf(json).map(withoutPayees).join(',')}]`;
  if (!json.startsWith('{')) return json;
  const members = membersOf(json);
  const kind = textOf(members, 'object');
  if (kind === 'event') return ofEvent(members);
  const isHidden = kind === 'bank_entry' ? ENTRY_MARK.test(json) : isPayroll(textOf(members, 'category_purpose'));
  const hidden = isHidden ? HIDDEN[kind ?? ''] : undefined;
  if (hidden === undefined) return objectOf(Array.from(members, ([name, value]) => [name, inner(name, value)]));
  const expanded = (value: string) => objectOf([...membersOf(value)].filter(([name]) => !(name in hidden)));
  return objectOf(replaced(members, { ...hidden, expanded }));
}

/** What a merchant writes into metadata is no object of ours. */
const inner = (name: string, value: string): string => (name === 'metadata' ? value : withoutPayees(value));

/** The former values name the payee as the object does. So may the idempotency key, which is a free text too. */
function ofEvent(members: Members): string {
  const data = membersOf(members.get('data') as string);
  const object = data.get('object') as string;
  const shown = withoutPayees(object);
  if (shown === object) return objectOf(members);
  const hidden = HIDDEN[textOf(membersOf(object), 'object') ?? ''] ?? {};
  const before = (value: string) => objectOf(replaced(membersOf(value), hidden));
  const all = objectOf(replaced(data, { object: () => shown, previous_attributes: before }));
  return objectOf(replaced(members, { data: () => all, request: hideIn('idempotency_key') }));
}

const replaced = (members: Members, instead: Instead): Members =>
  new Map(Array.from(members, ([name, value]) => [name, instead[name]?.(value) ?? value]));

function textOf(members: Members, name: string): string | null {
  const value = members.get(name);
  return value?.startsWith('"') === true ? (JSON.parse(value) as string) : null;
}
