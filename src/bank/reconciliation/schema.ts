/** The reconciliation of a bank account on the wire: canonical JSON, and its schemas. The same as CSV: `csv-schema.ts`. */
import { ACTOR_SCHEMA } from '../../core/actor.ts';
import type { Replies } from '../../core/decision.ts';
import { type JsonSchema, nullableDay, strictObject } from '../../core/values/json-schema.ts';
import { amountMembers, moneyMembers } from '../../core/values/money.ts';
import { unixSeconds } from '../../core/values/time.ts';
import type { Counted, Proved, Sides } from './fields.ts';
import { sha256Of } from './hashing.ts';
import { PLACES, PROOF_STATES, type Report } from './report.ts';

export interface Signature {
  /** `aud_…` */
  readonly entry: string;
  readonly sha256: string;
  readonly signedBy: string | null;
  readonly signedAtMs: number;
}

/**
 * In this order, without blanks: what is signed. It never changes but by new members at the end, which would change every hash: then old
 * reports must be written as they were.
 */
export function canonicalJson(report: Report): string {
  const { bankAccount, livemode, month, of, unmatched, inTransit, proof } = report;
  const { currency, timeZone, isClosed } = of;
  const sides = (each: Sides) => `${moneyMembers('in', each.in, currency)},${moneyMembers('out', each.out, currency)}`;
  const counted = ({ count, amount }: Counted) => `"count":${count},${amountMembers(amount, currency)}`;
  const places = report.places.map((each) => `"${each.place}":{${sides(each)}}`);
  const ages = inTransit.ages.map(
    ({ fromDays, toDays, ...sum }) => `{"from_days":${fromDays},"to_days":${toDays},${counted(sum)}}`,
  );
  const members = [
    `"object":"reconciliation","livemode":${livemode},"bank_account":"${bankAccount}","month":"${month}"`,
    `"currency":"${currency}","time_zone":${JSON.stringify(timeZone)},"status":"${isClosed ? 'closed' : 'open'}"`,
    `"opening_balance":${report.opening},"in":{${counted(report.in)}},"out":{${counted(report.out)}},"closing_balance":${report.closing}`,
    `"places":{${places.join(',')}}`,
    `"unmatched":{"opening":{${sides(unmatched.before)}},"closing":{${sides(unmatched.after)}},"entries_count":${unmatched.count},"oldest_booked_on":${JSON.stringify(unmatched.oldest)}}`,
    `"in_transit":{${counted(inTransit)},"ages":[${ages.join(',')}]}`,
    `"proof":{"status":"${proof}","statements_count":${report.statements},"gaps_count":${report.gaps},"failed_count":${report.failed},"entries_behind_count":${report.behind},"opening":${provedJson(report.provedBefore, currency)},"closing":${provedJson(report.provedAtEnd, currency)}}`,
  ];
  return `{${members.join(',')}}`;
}

const provedJson = (proved: Proved | null, currency: string): string =>
  proved === null
    ? 'null'
    : `{"statement":"${proved.statement}","closed_on":"${proved.closedOn}","closing_balance":${proved.closing},"ledger_balance":${proved.ledger},${moneyMembers('difference', proved.closing - proved.ledger, currency)}}`;

/** The answer: the report, its hash, and whether it is still what was signed. */
export function renderReport(canonical: string, signature: Signature | null): string {
  const sha256 = sha256Of(canonical);
  const signed = signature && {
    sha256: signature.sha256,
    is_current: signature.sha256 === sha256,
    signed_at: unixSeconds(signature.signedAtMs),
    signed_by: signature.signedBy,
    audit_entry: signature.entry,
  };
  return `${canonical.slice(0, -1)},"sha256":"${sha256}","signature":${JSON.stringify(signed)}}`;
}

export function renderSignature(signed: Replies['reconciliation_signature'], livemode: boolean): string {
  const { object, id: bankAccount, month, sha256, signedAt, signedBy } = signed;
  const by = { signed_at: unixSeconds(signedAt), signed_by: signedBy };
  return JSON.stringify({ object, livemode, bank_account: bankAccount, month, sha256, ...by });
}

const MAJOR: JsonSchema = { type: 'number', description: 'Major units.' };
const MINOR: JsonSchema = { type: 'integer', description: 'Minor units.' };
const COUNT: JsonSchema = { type: 'integer' };
const TEXT: JsonSchema = { type: 'string' };
const SIDES = { in: MAJOR, in_minor: MINOR, out: MAJOR, out_minor: MINOR } as const;
const COUNTED = { count: COUNT, amount: MAJOR, amount_minor: MINOR } as const;
const sides = (about: string): JsonSchema => ({ title: 'MoneyInAndOut', ...strictObject(about, SIDES) });
const counted = (about: string): JsonSchema => ({ title: 'CountedMoney', ...strictObject(about, COUNTED) });
const SIGNED = {
  sha256: { type: 'string', description: 'The hash that was signed.' },
  signed_at: { type: 'integer', description: 'Unix seconds.' },
  signed_by: ACTOR_SCHEMA,
} as const;
const proved = (description: string): JsonSchema => ({
  anyOf: [
    {
      title: 'ProvedBalance',
      ...strictObject(description, {
        statement: TEXT,
        closed_on: { type: 'string', format: 'date' },
        closing_balance: { type: 'integer', description: 'The bank’s balance, minor units.' },
        ledger_balance: { type: 'integer', description: 'The ledger’s balance on that day, minor units.' },
        difference: { type: 'number', description: 'The bank’s balance less the ledger’s. Major units.' },
        difference_minor: { type: 'integer', description: 'The same in minor units.' },
      }),
    },
    { type: 'null' },
  ],
});

const PLACE_WORDS: Readonly<Record<(typeof PLACES)[number], string>> = {
  accounts: 'Accounts: deposits, assignments and rules.',
  payments: 'Payments of payment links.',
  expected_payments: 'Expected payments.',
  payouts: 'Payouts: `out` when the bank booked them, `in` when they came back.',
  bank_accounts: 'Other bank accounts of yours.',
  fees: 'Charges of the bank.',
  fx: 'Exchanges.',
};

export const RECONCILIATION_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Reconciliation: strictObject(
    'The report of a bank account for a month, by the booking days of its bank. `opening_balance` + `in` - `out` = `closing_balance`. `in` and `out` contain the money that found its `places` in the month, and the growth of `unmatched`.',
    {
      object: { type: 'string', const: 'reconciliation' },
      livemode: { type: 'boolean' },
      bank_account: TEXT,
      month: { type: 'string', description: 'Such as 2026-11.' },
      currency: TEXT,
      time_zone: { type: 'string', description: 'The time zone of its bank, in which the month begins and ends.' },
      status: {
        type: 'string',
        enum: ['open', 'closed'],
        description: '`closed`: the month is over. The report then changes only if a file comes late.',
      },
      opening_balance: MINOR,
      in: counted('Money that came in.'),
      out: counted('Money that went out.'),
      closing_balance: MINOR,
      places: strictObject(
        'Where money came from and went to in the month. An assignment counts in the month in which it is made.',
        Object.fromEntries(PLACES.map((place) => [place, sides(PLACE_WORDS[place])])),
      ),
      unmatched: strictObject('Money without a place.', {
        opening: sides('When the month began.'),
        closing: sides('When it ended.'),
        entries_count: { ...COUNT, description: 'Number of entries with a part that had no place when it ended.' },
        oldest_booked_on: nullableDay('Booking day of the oldest such entry.'),
      }),
      in_transit: strictObject('Payouts in payment files that the bank had not booked when the month ended.', {
        ...COUNTED,
        ages: {
          type: 'array',
          description: 'By whole days since they left.',
          items: strictObject('Payouts of one age.', {
            from_days: COUNT,
            to_days: { type: ['integer', 'null'], description: 'null: no upper bound.' },
            ...COUNTED,
          }),
        },
      }),
      proof: strictObject('The proof by the bank’s own balances.', {
        status: {
          type: 'string',
          enum: PROOF_STATES,
          description:
            '`ok`: statements follow on one another, and the bank’s last balance is that of the ledger. `failed`: a statement contradicts itself. `gap`: a statement is missing. `drift`: the ledger has another balance. `incomplete`: entries come after the last balance. `none`: the bank has sent no balance.',
        },
        statements_count: { type: 'integer', description: 'Statements with balances that end in the month.' },
        gaps_count: COUNT,
        failed_count: COUNT,
        entries_behind_count: { type: 'integer', description: 'Number of entries after the last balance.' },
        opening: proved('The last balance before the month.'),
        closing: proved('The last balance up to the end of the month.'),
      }),
      sha256: { ...TEXT, description: 'SHA-256, in hex, of this answer up to this member, closed with `}`.' },
      signature: {
        description: 'The newest signature, from the audit log.',
        anyOf: [
          strictObject('The key that signed it.', {
            ...SIGNED,
            is_current: { type: 'boolean', description: 'Whether the report is still the one that was signed.' },
            audit_entry: { type: 'string', description: 'The entry of the audit log.' },
          }),
          { type: 'null' },
        ],
      },
    },
  ),
  ReconciliationSignature: strictObject('A signature under a reconciliation.', {
    object: { type: 'string', const: 'reconciliation_signature' },
    livemode: { type: 'boolean' },
    bank_account: TEXT,
    month: TEXT,
    ...SIGNED,
  }),
};
