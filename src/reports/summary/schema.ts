/** The summary on the wire, and its schema. From where its figures come: `figures.ts`. */
import { strictObject } from '../../core/values/json-schema.ts';
import { amountMembers, majorOf, moneyMembers } from '../../core/values/money.ts';
import { unixSeconds } from '../../core/values/time.ts';
import { date } from '../../platform/http/request/date.ts';
import { optionalParams, type JsonSchema } from '../../platform/http/request/params.ts';
import { type Around, type Bank, type Counted, type Found, type Moved, type Sums, type What } from './figures.ts';

/** Both days count. */
export const MOST_DAYS = 400;
export const USUAL_DAYS = 30;

export const summaryQuery = optionalParams({
  from: date({ description: `The first day (UTC); by default ${USUAL_DAYS - 1} days before \`to\`.` }),
  to: date({
    description: `The last day (UTC), which counts too; by default today. From \`from\` on at most ${MOST_DAYS} days.`,
  }),
});

export interface Summary {
  readonly livemode: boolean;
  /** Environment clock. */
  readonly nowMs: number;
  readonly from: string;
  readonly to: string;
  readonly sums: Sums;
  readonly found: readonly Found[];
  /** Whether everything that {@link found} is about was looked at. */
  readonly isComplete: boolean;
  readonly around: Around;
  readonly banks: readonly Bank[];
  /** When the exchange rates in use were fixed; `null`: there are none. */
  readonly ratesMs: number | null;
}

const NOTHING: Counted = { count: 0n, amount: 0n };
const STILL: Moved = { balance: 0n, inFlight: NOTHING, fees: 0n, days: [] };
const seconds = (atMs: number | null): number | null => (atMs === null ? null : unixSeconds(atMs));

/** Canonical JSON: amounts have the digits of their currency. */
export function renderSummary(summary: Summary): string {
  const { livemode, nowMs, from, to, sums, found, isComplete, around, banks, ratesMs } = summary;
  const asOfMs = sums.untilMs ?? nowMs;
  const codes = new Set([...around.currencies, ...sums.currencies.keys(), ...found.map(({ currency }) => currency)]);
  const currencies = [...codes].toSorted().map((code) =>
    currencyJson(
      code,
      sums.currencies.get(code) ?? STILL,
      found.filter(({ currency }) => currency === code),
    ),
  );
  const all = (what: What) => found.reduce((sum, each) => sum + (each.what === what ? each.count : 0n), 0n);
  const { webhooks, verification, backupMs } = around;
  const failing = {
    failing: webhooks.failing,
    first_failed_at: seconds(webhooks.failingSinceMs),
    oldest_undelivered_at: seconds(webhooks.undeliveredMs),
  };
  const verified = {
    status: verification === null ? 'none' : verification.damages === 0n ? 'clean' : 'damaged',
    finished_at: seconds(verification?.finishedMs ?? null),
    damages_count: Number(verification?.damages ?? 0n),
  };
  const members = [
    `"object":"summary","livemode":${livemode},"as_of":${unixSeconds(asOfMs)},"lag_seconds":${Math.max(0, Math.ceil((nowMs - asOfMs) / 1000))}`,
    `"from":"${from}","to":"${to}","complete":${isComplete},"currencies":[${currencies.join(',')}]`,
    `"payouts":{"held":${all('held')},"waiting":${all('waiting')},"failed":${all('failed')},"returned":${all('returned')}}`,
    `"webhooks":${JSON.stringify(failing)},"bank":[${banks.map(bankJson).join(',')}],"verification":${JSON.stringify(verified)}`,
    `"backup_at":${seconds(backupMs)},"rates_at":${seconds(ratesMs)}`,
  ];
  return `{${members.join(',')}}`;
}

function currencyJson(code: string, { balance, inFlight, fees, days }: Moved, found: readonly Found[]): string {
  const counted = ({ count, amount }: Counted) => `"count":${count},${amountMembers(amount, code)}`;
  const of = (what: What) => found.find((each) => each.what === what);
  const [held, waiting, unmatched] = [of('held'), of('waiting'), of('unmatched')];
  const side = (name: string, { count, amount }: Counted) =>
    `"${name}":${majorOf(amount, code)},"${name}_minor":${amount},"${name}_count":${count}`;
  const members = [
    `"currency":"${code}","balance":${balance},"balance_minor":${balance},"in_flight":{${counted(inFlight)}}`,
    `"held":{${counted(held ?? NOTHING)},"oldest_at":${seconds(held?.oldestAtMs ?? null)}}`,
    `"waiting":{${counted(waiting ?? NOTHING)},"oldest_at":${seconds(waiting?.oldestAtMs ?? null)}}`,
    `"unmatched":{${counted(unmatched ?? NOTHING)},"oldest_on":${JSON.stringify(unmatched?.oldestOn ?? null)}}`,
    moneyMembers('fees', fees, code),
    `"days":[${days.map((each) => `{"day":"${each.day}",${side('in', each.in)},${side('out', each.out)}}`).join(',')}]`,
  ];
  return `{${members.join(',')}}`;
}

function bankJson({ id, name, currency, provedUntilOn, proof, drift, unansweredFiles, unansweredSinceMs }: Bank) {
  const members = [
    `"bank_account":"${id}","name":${JSON.stringify(name)},"currency":"${currency}","proved_until_on":${JSON.stringify(provedUntilOn)}`,
    `"proof":${JSON.stringify(proof)},${moneyMembers('drift', drift, currency)}`,
    `"unanswered_files":${unansweredFiles},"oldest_unanswered_at":${seconds(unansweredSinceMs)}`,
  ];
  return `{${members.join(',')}}`;
}

const major = (description: string): JsonSchema => ({ type: 'number', description: `${description} Major units.` });
const MINOR: JsonSchema = { type: 'integer', description: 'The same in minor units.' };
const count = (description: string): JsonSchema => ({ type: 'integer', description });
const day: JsonSchema = { type: 'string', format: 'date' };
const at = (description: string): JsonSchema => ({
  type: ['integer', 'null'],
  description: `${description} Unix seconds.`,
});
const dayOrNull = (description: string): JsonSchema => ({ type: ['string', 'null'], format: 'date', description });
const counted = (description: string, more: Readonly<Record<string, JsonSchema>> = {}): JsonSchema =>
  strictObject(description, { count: { type: 'integer' }, amount: major('Together.'), amount_minor: MINOR, ...more });

const DAY = strictObject('A day on which money came in or went out.', {
  day,
  in: major('What came from banks.'),
  in_minor: MINOR,
  in_count: count('In so many transfers.'),
  out: major('What went to banks.'),
  out_minor: MINOR,
  out_count: count('In so many transfers.'),
});

const CURRENCY = strictObject('What there is in one currency.', {
  currency: { type: 'string' },
  balance: { type: 'integer', description: 'All accounts together, minor units.' },
  balance_minor: { type: 'integer', description: 'The same, under the name that other amounts have.' },
  in_flight: counted('Payouts that have left their account and have not arrived: `pending` and `in_transit`.'),
  held: counted('Payouts that wait for approval.', { oldest_at: at('When the oldest was made; null: there is none.') }),
  waiting: counted('Payouts that wait for money.', { oldest_at: at('When the oldest was made; null: there is none.') }),
  unmatched: counted('Bookings of banks that have no place, or not with all of their amount.', {
    oldest_on: dayOrNull('Booking day of the oldest; null: there is none.'),
  }),
  fees: major('Fees from `from` to `to`, less those that were given back.'),
  fees_minor: MINOR,
  days: { type: 'array', description: 'From `from` to `to`, those on which something moved, in order.', items: DAY },
});

const BANK = strictObject('An open bank account of yours.', {
  bank_account: { type: 'string' },
  name: { type: ['string', 'null'] },
  currency: { type: 'string' },
  proved_until_on: dayOrNull('Day of the newest balance of the bank that the books prove; null: none is proved.'),
  proof: {
    type: ['string', 'null'],
    description: 'The `proof` of its newest statement with balances; null: there is none.',
  },
  drift: {
    type: ['number', 'null'],
    description: 'What the bank said last less what the ledger says; null: not known. Major units.',
  },
  drift_minor: { type: ['integer', 'null'], description: 'The same in minor units.' },
  unanswered_files: count('Payment files that the bank has said nothing of.'),
  oldest_unanswered_at: at('When the oldest of these was sealed; null: there is none.'),
});

export const SUMMARY_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Summary: strictObject('Where an environment stands.', {
    object: { const: 'summary' },
    livemode: { type: 'boolean' },
    as_of: count('Until when transfers are counted, environment clock. Unix seconds.'),
    lag_seconds: count('How long ago that is: 0 but for a service that is far behind.'),
    from: day,
    to: day,
    complete: {
      type: 'boolean',
      description:
        'False: of payouts that are held, wait, failed or came back, or of bookings without a place, there are more than are counted here. The oldest 1,000 of a kind are, and of the last 24 hours the newest 1,000 that failed and 1,000 that came back.',
    },
    currencies: { type: 'array', description: 'In the order of their codes.', items: CURRENCY },
    payouts: strictObject('Payouts of all currencies, counted.', {
      held: count('Wait for approval.'),
      waiting: count('Wait for money.'),
      failed: count('Failed in the last 24 hours.'),
      returned: count('Came back in the last 24 hours.'),
    }),
    webhooks: strictObject('What your endpoints lack.', {
      failing: count('Endpoints whose last attempt failed, or that were disabled for failing.'),
      first_failed_at: at('Since when the one that fails longest has failed; null: none fails.'),
      oldest_undelivered_at: at(
        'When the oldest event happened that an enabled endpoint has not had; null: there is none.',
      ),
    }),
    bank: { type: 'array', description: 'Your open bank accounts, oldest first.', items: BANK },
    verification: strictObject('The last verification of the books: see `GET /v1/verification`.', {
      status: { type: 'string', enum: ['none', 'clean', 'damaged'], description: '`none`: it has not run yet.' },
      finished_at: at('When it ended; null: it has not run yet.'),
      damages_count: count('How many breaks of rules were found.'),
    }),
    backup_at: at('When the last backup of the service ended well; null: none is known.'),
    rates_at: at('When the exchange rates in use were fixed; null: there are none.'),
  }),
};
