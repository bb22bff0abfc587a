/** The statements of transfers, the ledger's one append-only table. */
import { idOf, type Prefix, uuidOf } from '../core/ids.ts';
import { type Cause, TRANSFER, type Transfer } from '../core/transfer.ts';
import type { Row, Statement } from '../db/wire/statement.ts';
import { type ObjectTable, tableOf } from '../db/wire/table.ts';

/** The prefix of a transfer's `cause_id`, by its cause. */
const CAUSE_PREFIX: Readonly<Record<Cause, Prefix | null>> = {
  funding: null,
  transfer: null,
  exchange: 'exc',
  payout: 'po',
  payout_settlement: 'po',
  payout_reversal: 'po',
  payment: 'pay',
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

/** Whether an account exists, by primary key. */
export function accountExists(environmentId: string, accountId: string): Statement {
  return {
    name: 'account_exists',
    text: 'SELECT id FROM accounts WHERE environment_id = $1 AND id = $2',
    values: [uuidOf(environmentId), uuidOf(accountId)],
  };
}
