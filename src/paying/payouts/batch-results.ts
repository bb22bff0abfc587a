/**
 * What became of a payout batch as a CSV file: a row an item, those that no payout was made of among them. At most 1000 rows, so
 * it is one text.
 */
import { textCell } from '../../core/values/csv.ts';
import { ERRORS } from '../../core/values/errors.ts';
import { FAILURE_CODES, isFailureCode } from '../../core/rails/failures.ts';
import { majorOf } from '../../core/values/money.ts';
import type { Payout, PayoutBatch, RejectedItem } from './fields.ts';

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
