/** The statements of transfers, the ledger's one append-only table. */
import { idOf, type Prefix, uuidOf } from '../core/ids.ts';
import type { Cause, Metadata, Transfer } from '../core/objects.ts';
import type { Row, Statement } from '../db/wire/statement.ts';
import { column, json, table } from '../db/wire/table.ts';

export const TRANSFERS = table<Transfer>('transfers', {
  id: column('uuid', (transfer) => transfer.id),
  debit_account: column('uuid', (transfer) => transfer.debitAccount),
  credit_account: column('uuid', (transfer) => transfer.creditAccount),
  amount: column('int8', (transfer) => transfer.amount),
  currency: column('text', (transfer) => transfer.currency),
  cause: column('text', (transfer) => transfer.cause),
  cause_id: column('uuid', (transfer) => transfer.causeId),
  debit_balance_after: column('int8', (transfer) => transfer.debitBalanceAfter),
  credit_balance_after: column('int8', (transfer) => transfer.creditBalanceAfter),
  created_at: column('timestamptz', (transfer) => transfer.createdAt),
  description: column('text', (transfer) => transfer.description),
  metadata: column('jsonb', (transfer) => (transfer.metadata === null ? null : json(transfer.metadata))),
});

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

export function transferFrom(row: Row): Transfer {
  const cause = row['cause'] as Cause;
  const prefix = CAUSE_PREFIX[cause];
  return {
    object: 'transfer',
    id: idOf('trf', row['id'] as string),
    debitAccount: idOf('acct', row['debit_account'] as string),
    creditAccount: idOf('acct', row['credit_account'] as string),
    amount: row['amount'] as bigint,
    currency: row['currency'] as string,
    cause,
    causeId: prefix && row['cause_id'] !== null ? idOf(prefix, row['cause_id'] as string) : null,
    debitBalanceAfter: row['debit_balance_after'] as bigint | null,
    creditBalanceAfter: row['credit_balance_after'] as bigint | null,
    description: row['description'] as string | null,
    metadata: row['metadata'] === null ? null : (JSON.parse(row['metadata'] as string) as Metadata),
    createdAt: row['created_at'] as number,
  };
}

/** Whether an account exists, by primary key. */
export function accountExists(environmentId: string, accountId: string): Statement {
  return {
    name: 'account_exists',
    text: 'SELECT id FROM accounts WHERE environment_id = $1 AND id = $2',
    values: [uuidOf(environmentId), uuidOf(accountId)],
  };
}
