/** What the answer to the dry run of a batch has beside its payouts. What it is made of: `tried-decide.ts`, `paid-before.ts`. */
import { strictObject } from '../../core/values/json-schema.ts';
import { moneyMembers } from '../../core/values/money.ts';
import { type JsonSchema, ref } from '../../platform/http/request/params.ts';
import type { TriedBatch } from './tried-decide.ts';

/** A payout that was made before and pays what an item pays. */
export interface PaidBefore {
  readonly index: number;
  readonly payout: string;
  readonly days: number;
}

const warning = (index: number, code: string, message: string, item: number | null, payout: string | null): string =>
  JSON.stringify({ index, code, message, item, payout });

/** As members, the warnings last: {@link withPaidBefore} adds to them. */
export function renderTried({ totals, accounts, repeated }: TriedBatch): string {
  const sums = totals.map(
    ({ currency, count, amount, fees, heldCount, heldBy }) =>
      `{"currency":"${currency}","payouts_count":${count},${moneyMembers('amount', amount, currency)},${moneyMembers('fees', fees, currency)},"held_count":${heldCount},"held_by":${JSON.stringify(heldBy)}}`,
  );
  const balances = accounts?.map(
    ({ account, currency, before, after }) =>
      `{"account":"${account}","currency":"${currency}",${moneyMembers('balance', before, currency)},${moneyMembers('balance_after', after, currency)}}`,
  );
  const warnings = repeated.map(({ index, first }) =>
    warning(index, 'repeated_in_batch', `Item ${first} pays the same amount to the same recipient.`, first, null),
  );
  return `,"totals":[${sums.join(',')}],"accounts":${balances ? `[${balances.join(',')}]` : 'null'},"warnings":[${warnings.join(',')}]`;
}

/** The body of a dry run with more warnings, at the end of those it has. Its last member is the list of them. */
export function withPaidBefore(body: string, paid: readonly PaidBefore[]): string {
  if (paid.length === 0) return body;
  const added = paid.map(({ index, payout, days }) => {
    const when = days === 0 ? 'less than a day' : days === 1 ? 'a day' : `${days} days`;
    return warning(index, 'paid_before', `Payout ${payout} of ${when} ago pays the same to them.`, null, payout);
  });
  const open = body.slice(0, -']}'.length);
  return `${open}${open.endsWith('[') ? '' : ','}${added.join(',')}]}`;
}

const moneySchema = (name: string, description: string) => ({
  [name]: { type: 'number', description: `${description} Major units.` },
  [`${name}_minor`]: { type: 'integer' },
});

export const TRIED_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  TriedTotal: strictObject('The payouts of a currency.', {
    currency: { type: 'string' },
    payouts_count: { type: 'integer' },
    ...moneySchema('amount', 'What arrives.'),
    ...moneySchema('fees', 'Your fees, in addition.'),
    held_count: { type: 'integer', description: 'How many would wait for a second person.' },
    held_by: {
      type: 'array',
      items: { type: 'string' },
      description: '`new_recipient`, `changed_recipient`, and the ids of limits that hold some of them.',
    },
  }),
  TriedAccount: strictObject('An account that pays.', {
    account: { type: ['string', 'null'], description: '`null`: it would be opened.' },
    currency: { type: 'string' },
    ...moneySchema('balance', 'What it holds.'),
    ...moneySchema('balance_after', 'What would be left.'),
  }),
  TriedWarning: strictObject('Something that may be a mistake. It is paid all the same.', {
    index: { type: 'integer', description: 'The item, counted from 0.' },
    code: {
      type: 'string',
      enum: ['repeated_in_batch', 'paid_before'],
      description:
        '`repeated_in_batch`: an item before it pays the same amount to the same recipient on the same day. `paid_before`: a payout of the last days did, and has not failed.',
    },
    message: { type: 'string' },
    item: { type: ['integer', 'null'], description: 'The item before it.' },
    payout: { type: ['string', 'null'], description: 'The payout of the last days.' },
  }),
};

/** What the schema of a tried batch has in addition. */
export const TRIED_MEMBERS: Readonly<Record<string, JsonSchema>> = {
  totals: { type: 'array', description: 'By currency.', items: ref('TriedTotal') },
  accounts: {
    type: ['array', 'null'],
    description: 'Balances before and after. `null` for keys without `accounts:read`.',
    items: ref('TriedAccount'),
  },
  warnings: {
    type: 'array',
    description:
      'Payments that may be made twice. A salary that somebody else paid before is not named to keys without `payroll:read`.',
    items: ref('TriedWarning'),
  },
};
