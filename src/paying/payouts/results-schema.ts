/**
 * What became of a payout batch as a CSV file: a row an item, those that no payout was made of among them. At most 1000 rows, so
 * it is one text. And what the dry run of a batch says beside its payouts; what that is made of: `batch.ts`, `batch-routes.ts`.
 */
import { textCell } from '../../core/values/csv.ts';
import { ERRORS } from '../../core/values/errors.ts';
import { FAILURE_CODES, isFailureCode } from '../../core/rails/failures.ts';
import { strictObject } from '../../core/values/json-schema.ts';
import { majorOf, moneyMembers } from '../../core/values/money.ts';
import { type JsonSchema, ref } from '../../platform/http/request/params.ts';
import type { Payout, PayoutBatch, RejectedItem, TriedBatch } from './fields.ts';

const COLUMNS =
  'index,status,id,external_id,recipient,amount,currency,failure_code,failure_message,reference,amount_returned';
/** The cells of a row, in the order of the columns. */
type Row = readonly (string | number | null)[];

/** `payouts`: oldest first. `rejected`: `null` if the batch is older than their keeping; then rows have no index. */
export function resultsCsv(
  batch: Pick<PayoutBatch, 'rejectedCount' | 'categoryPurpose'>,
  payouts: readonly Payout[],
  rejected: readonly RejectedItem[] | null,
  isPayeeShown: (category: string | null) => boolean,
): string {
  const isComplete = rejected !== null || batch.rejectedCount === 0;
  const rejectedAt = new Map((rejected ?? []).map((item) => [item.index, item]));
  const left = payouts[Symbol.iterator]();
  const rows = Array.from({ length: payouts.length + rejectedAt.size }, (_, index) => {
    const item = rejectedAt.get(index);
    if (item) return rejectedRow(isPayeeShown(batch.categoryPurpose) ? item : { ...item, ...PAYEE_HIDDEN });
    const payout = left.next().value as Payout;
    const shown = isPayeeShown(payout.categoryPurpose) ? payout : { ...payout, ...PAYEE_HIDDEN };
    return payoutRow(shown, isComplete ? index : null);
  });
  return [COLUMNS, ...rows.map((cells) => cells.map(cellOf).join(','))].map((line) => `${line}\r\n`).join('');
}

/** Also what a message of a rejection quotes. */
const PAYEE_HIDDEN = { externalId: null, recipient: null, reference: null, message: null } as const;

function payoutRow(
  payout: Omit<Payout, 'recipient'> & { readonly recipient: string | null },
  index: number | null,
): Row {
  const { id, status, externalId, recipient, currency, failureCode, reference } = payout;
  const failure = failureCode !== null && isFailureCode(failureCode) ? FAILURE_CODES[failureCode] : null;
  const amount = majorOf(payout.amount, currency);
  const returned = majorOf(payout.amountReturned, currency);
  return [index, status, id, externalId, recipient, amount, currency, failureCode, failure, reference, returned];
}

function rejectedRow({ index, code, param, message, externalId, recipient, amount, currency }: RejectedItem): Row {
  const meaning = param === null ? ERRORS[code].meaning : `${param}: ${ERRORS[code].meaning}`;
  const major = amount === null || currency === null ? null : majorOf(BigInt(amount), currency);
  return [index, 'rejected', null, externalId, recipient, major, currency, code, message ?? meaning, null, null];
}

const cellOf = (value: string | number | null): string =>
  typeof value === 'string' ? textCell(value) : String(value ?? '');

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
      `{"account":"${account}","currency":"${currency}","balance":${before},"balance_minor":${before},"balance_after":${after},"balance_after_minor":${after}}`,
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
    balance: { type: 'integer', description: 'What it holds, minor units.' },
    balance_minor: { type: 'integer', description: 'The same, under the name that other amounts have.' },
    balance_after: { type: 'integer', description: 'What would be left, minor units.' },
    balance_after_minor: { type: 'integer', description: 'The same, under the name that other amounts have.' },
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
