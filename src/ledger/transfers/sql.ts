/** The statements of transfers, the ledger's one append-only table. */
import { idOf, type Prefix, uuidOf } from '../../core/values/ids.ts';
import { type Cause, TRANSFER, type Transfer } from '../../core/transfer.ts';
import type { Row, Statement } from '../../platform/db/wire/statement.ts';
import { type ObjectTable, tableOf } from '../../platform/db/wire/table.ts';

/** The prefix of a transfer's `cause_id`, by its cause. */
const CAUSE_PREFIX: Readonly<Record<Cause, Prefix | null>> = {
  funding: null,
  transfer: null,
  exchange: 'exc',
  exchange_fee: 'exc',
  payout: 'po',
  payout_settlement: 'po',
  payout_reversal: 'po',
  payout_fee: 'po',
  payout_fee_reversal: 'po',
  payment: 'pay',
  payment_fee: 'pay',
  bank_entry: 'be',
  bank_assignment: 'be',
  bank_entry_void: 'be',
  bank_entry_unvoid: 'be',
  payout_settlement_void: 'po',
  payout_reversal_void: 'po',
  payment_void: 'pay',
  payment_fee_reversal: 'pay',
};

const table = tableOf(TRANSFER, 'transfers');
export const TRANSFERS: ObjectTable<Transfer> = {
  ...table,
  read(row: Row) {
    const transfer = table.read(row);
    const prefix = CAUSE_PREFIX[transfer.cause];
    const causeId = prefix && row['cause_id'] !== null ? idOf(prefix, row['cause_id'] as string) : null;
    return { ...transfer, causeId };
  },
};

export function accountExists(environmentId: string, accountId: string): Statement {
  return {
    name: 'account_exists',
    text: 'SELECT id FROM accounts WHERE environment_id = $1 AND id = $2',
    values: [uuidOf(environmentId), uuidOf(accountId)],
  };
}

/** Each transfer once for each of its accounts (`party`). The planner merges the two indexes in order. */
export const SIDES = `(SELECT *, debit_account AS party FROM transfers WHERE debit_balance_after IS NOT NULL
  UNION ALL SELECT *, credit_account AS party FROM transfers WHERE credit_balance_after IS NOT NULL) AS t`;
