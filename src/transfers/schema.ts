/** Transfers on the wire: as the ledger has them, and as a line of one account's statement. */
import { houseOf } from '../core/ledger.ts';
import { amountMembers } from '../core/money.ts';
import { CAUSES, type Transfer } from '../core/objects.ts';
import { unixSeconds } from '../core/time.ts';
import { strictObject } from '../core/json-schema.ts';
import { commonMembers } from '../http/object-schema.ts';
import { amount, id, type JsonSchema, metadata, optional, params, ref, text } from '../http/request/params.ts';

export const createTransferParams = params({
  from: id('acct', 'account', { description: 'Account that pays.' }),
  to: id('acct', 'account', { description: 'Account that receives; the same currency.' }),
  amount: amount({ description: 'In major units of the accounts’ currency.', example: 25.5 }),
  description: optional(text({ max: 140, description: 'For your own books.' })),
  metadata: optional(metadata()),
});

/** `house:bank` for a house account, the id for a customer account. */
const accountName = (accountId: string): string => {
  const house = houseOf(accountId);
  return house ? `house:${house.kind}` : accountId;
};

const shared = (transfer: Transfer, livemode: boolean) =>
  `"id":"${transfer.id}","object":"transfer","created":${unixSeconds(transfer.createdAt)},"livemode":${livemode}`;
const cause = (transfer: Transfer) =>
  `"cause":"${transfer.cause}","cause_id":${JSON.stringify(transfer.causeId)},"description":${JSON.stringify(transfer.description)},"metadata":${JSON.stringify(transfer.metadata ?? {})}`;

export function renderTransfer(transfer: Transfer, livemode: boolean): string {
  const { currency } = transfer;
  return `{${shared(transfer, livemode)},"from":"${accountName(transfer.debitAccount)}","to":"${accountName(transfer.creditAccount)}",${amountMembers(transfer.amount, currency)},"currency":"${currency}",${cause(transfer)}}`;
}

/** A transfer as one account sees it: a signed amount and the balance after it. */
export function renderStatementLine(transfer: Transfer, accountId: string, livemode: boolean): string {
  const { currency } = transfer;
  const pays = transfer.debitAccount === accountId;
  const signed = pays ? -transfer.amount : transfer.amount;
  const after = (pays ? transfer.debitBalanceAfter : transfer.creditBalanceAfter) ?? 0n;
  const counterparty = accountName(pays ? transfer.creditAccount : transfer.debitAccount);
  return `{${shared(transfer, livemode)},"account":"${accountId}","counterparty":"${counterparty}",${amountMembers(signed, currency)},"currency":"${currency}","balance_after":${after},${cause(transfer)}}`;
}

const common: Readonly<Record<string, JsonSchema>> = {
  ...commonMembers('transfer', 'trf_…'),
  currency: { type: 'string' },
  cause: { type: 'string', enum: CAUSES },
  cause_id: { type: ['string', 'null'], description: 'The exchange or payout it belongs to.' },
  description: { type: ['string', 'null'] },
  metadata: ref('Metadata'),
};

export const TRANSFER_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Transfer: strictObject('One movement of money; immutable.', {
    ...common,
    from: { type: 'string', description: 'Account that paid, or `house:…` for the world outside.' },
    to: { type: 'string', description: 'Account that received, or `house:…`.' },
    amount: { type: 'number', exclusiveMinimum: 0, description: 'Major units.' },
    amount_minor: { type: 'integer', minimum: 1 },
  }),
  StatementLine: strictObject('A transfer as one account sees it.', {
    ...common,
    account: { type: 'string' },
    counterparty: { type: 'string', description: 'The other account, or `house:…`.' },
    amount: { type: 'number', description: 'Major units; negative where the account paid.' },
    amount_minor: { type: 'integer', description: 'The same in minor units.' },
    balance_after: { type: 'integer', minimum: 0, description: 'Balance after it, minor units.' },
  }),
};
