/** Transfers on the wire: as the ledger has them, and as a line of one account's statement. */
import { amountMembers } from '../../core/values/money.ts';
import { accountName, TRANSFER, type Transfer } from '../../core/transfer.ts';
import { unixSeconds } from '../../core/values/time.ts';
import { strictObject } from '../../core/values/json-schema.ts';
import { commonMembers, schemaOf } from '../../platform/http/object-schema.ts';
import { amount, id, type JsonSchema, metadata, optional, params, text } from '../../platform/http/request/params.ts';

export const createTransferParams = params({
  from: id('acct', { description: 'Account that pays.' }),
  to: id('acct', { description: 'Account that receives; it has the same currency.' }),
  amount: amount({ description: 'In major units of the accounts’ currency.', example: 25.5 }),
  ...optional({ description: text({ max: 140, description: 'For your own books.' }), metadata: metadata() }),
});

/** A transfer as one account sees it: a signed amount and the balance after it. */
export function renderStatementLine(transfer: Transfer, accountId: string, livemode: boolean): string {
  const { currency } = transfer;
  const pays = transfer.debitAccount === accountId;
  const signed = pays ? -transfer.amount : transfer.amount;
  const after = (pays ? transfer.debitBalanceAfter : transfer.creditBalanceAfter) ?? 0n;
  const counterparty = accountName(pays ? transfer.creditAccount : transfer.debitAccount);
  const head = `{"id":"${transfer.id}","object":"transfer","created":${unixSeconds(transfer.createdAt)},"livemode":${livemode}`;
  const sides = `"account":"${accountId}","counterparty":"${counterparty}",${amountMembers(signed, currency)}`;
  const why = `"cause":"${transfer.cause}","cause_id":${JSON.stringify(transfer.causeId)},"description":${JSON.stringify(transfer.description)},"created_by":${JSON.stringify(transfer.createdBy)},"metadata":${JSON.stringify(transfer.metadata)}`;
  return `${head},${sides},"currency":"${currency}","balance_after":${after},${why}}`;
}

/** What a transfer and a line of a statement have in common. */
const { from: _from, to: _to, amount: _amount, amount_minor: _minor, ...common } = TRANSFER.schemas;

export const TRANSFER_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Transfer: schemaOf(TRANSFER, 'One movement of money; immutable.'),
  StatementLine: strictObject('A transfer as one account sees it.', {
    ...commonMembers('transfer', 'trf_…'),
    ...common,
    account: { type: 'string' },
    counterparty: { type: 'string', description: 'The other account, or `house:…`.' },
    amount: { type: 'number', description: 'Major units; negative where the account paid.' },
    amount_minor: { type: 'integer', description: 'The same in minor units.' },
    balance_after: { type: 'integer', minimum: 0, description: 'Balance after it, minor units.' },
  }),
};
