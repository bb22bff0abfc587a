/**
 * The statement of an account on the wire. A format is one renderer: add it to `FORMATS`, and the parameter, the document and the
 * download know it. Every format says the same figures. Reading it: `statement-routes.ts`.
 */
import { houseOf } from '../core/house-accounts.ts';
import { idOf } from '../core/ids.ts';
import { nullableText, strictObject } from '../core/json-schema.ts';
import { amountMembers } from '../core/money.ts';
import { isoDay, unixSeconds } from '../core/time.ts';
import { CAUSES, type Transfer } from '../core/transfer.ts';
import { CSV_TYPE, csvLine, csvRow } from '../http/csv.ts';
import type { JsonSchema } from '../http/request/params.ts';

/** What is known before the first line is read. Instants are milliseconds, `untilMs` is excluded; balances are minor units. */
export interface StatementHead {
  readonly account: string;
  readonly currency: string;
  readonly livemode: boolean;
  readonly fromMs: number;
  readonly untilMs: number;
  readonly opening: bigint;
  readonly closing: bigint;
}

/** One movement as the account sees it. */
export interface Line {
  readonly transfer: Transfer;
  /** Minor units; negative where the account paid. */
  readonly signed: bigint;
  readonly balanceAfter: bigint;
  /** What names it; null where the key may not read payouts or payments. */
  readonly names: Names;
}

export interface Names {
  readonly recipient: string | null;
  readonly recipientName: string | null;
  readonly reference: string | null;
  readonly externalId: string | null;
  readonly paymentLink: string | null;
  readonly refundOf: string | null;
}

export const NO_NAMES: Names = {
  recipient: null,
  recipientName: null,
  reference: null,
  externalId: null,
  paymentLink: null,
  refundOf: null,
};

interface Renderer {
  readonly contentType: string;
  /** Of the file's name; `null`: no file, but an answer like any other. */
  readonly extension: string | null;
  head(head: StatementHead): string;
  /** `isFirst`: no line stands before it. */
  line(line: Line, head: StatementHead, isFirst: boolean): string;
  tail(head: StatementHead): string;
}

const counterparty = (accountId: string) => houseOf(accountId)?.kind ?? accountId;

function lineJson({ transfer, signed, balanceAfter, names }: Line): string {
  const { id, createdAt, currency, cause, causeId, description } = transfer;
  const other = signed < 0n ? transfer.creditAccount : transfer.debitAccount;
  const when = `"transfer":"${id}","created":${unixSeconds(createdAt)},"date":"${isoDay(createdAt)}"`;
  const money = `${amountMembers(signed, currency)},"balance_after":${balanceAfter}`;
  const why = JSON.stringify({
    counterparty: counterparty(other),
    cause,
    cause_id: causeId,
    description,
    recipient: names.recipient,
    recipient_name: names.recipientName,
    reference: names.reference,
    external_id: names.externalId,
    payment_link: names.paymentLink,
    refund_of: names.refundOf,
  });
  return `{${when},${money},${why.slice(1)}`;
}

const period = ({ fromMs, untilMs }: StatementHead) => `"from":${unixSeconds(fromMs)},"to":${unixSeconds(untilMs - 1)}`;

const JSON_STATEMENT: Renderer = {
  contentType: 'application/json; charset=utf-8',
  extension: null,
  head: (head) =>
    `{"object":"statement","account":"${head.account}","livemode":${head.livemode},"currency":"${head.currency}",${period(head)},"opening_balance":${head.opening},"closing_balance":${head.closing},"lines":[`,
  line: (line, _, isFirst) => `${isFirst ? '' : ','}${lineJson(line)}`,
  tail: () => ']}',
};

const LINE_SCHEMA = strictObject('One movement.', {
  transfer: { type: 'string', description: 'The transfer.' },
  created: { type: 'integer', description: 'Unix seconds.' },
  date: { type: 'string', description: 'The day of it, UTC.' },
  amount: { type: 'number', description: 'Major units; negative where the account paid.' },
  amount_minor: { type: 'integer', description: 'The same in minor units.' },
  balance_after: { type: 'integer', minimum: 0, description: 'Balance after it, minor units.' },
  counterparty: {
    type: 'string',
    description: 'The other account, or `bank`, `in_transit`, `fx` for the world outside.',
  },
  cause: { type: 'string', enum: CAUSES },
  cause_id: nullableText('The exchange, payout or payment it belongs to.'),
  description: nullableText('Of a transfer between own accounts.'),
  recipient: nullableText('Of a payout.'),
  recipient_name: nullableText('As it was when the payout was created.'),
  reference: nullableText('Of a payout or payment.'),
  external_id: nullableText('Of a payout: your own id.'),
  payment_link: nullableText('Of a payment.'),
  refund_of: nullableText('The payment that a payout refunds.'),
});

const LINE_COLUMNS = Object.keys(LINE_SCHEMA.properties ?? {});

/** The lines between a row `opening` and a row `closing`: a file without the last is not complete. */
const CSV_STATEMENT: Renderer = {
  contentType: CSV_TYPE,
  extension: 'csv',
  head: (head) =>
    csvLine(['type', 'account', 'currency', ...LINE_COLUMNS]) + edge('opening', head, head.fromMs, head.opening),
  line: (line, { account, currency }) => `transfer,${account},${currency},${csvRow(lineJson(line), LINE_COLUMNS)}`,
  tail: (head) => edge('closing', head, head.untilMs - 1, head.closing),
};

function edge(type: string, { account, currency }: StatementHead, atMs: number, balance: bigint): string {
  const values = { created: unixSeconds(atMs), date: isoDay(atMs), balance_after: Number(balance) };
  return `${type},${account},${currency},${csvRow(JSON.stringify(values), LINE_COLUMNS)}`;
}

export const FORMATS = { json: JSON_STATEMENT, csv: CSV_STATEMENT } as const satisfies Record<string, Renderer>;
export type Format = keyof typeof FORMATS;
export const FORMAT_NAMES = Object.keys(FORMATS) as Format[];

const idOrNull = (prefix: 'rcp' | 'plink' | 'pay', uuid: unknown) =>
  uuid === null ? null : idOf(prefix, uuid as string);

/** From a row of `EXPLAINED_SIDES`. */
export const namesFrom = (row: Readonly<Record<string, unknown>>): Names => ({
  recipient: idOrNull('rcp', row['recipient_id']),
  recipientName: row['recipient_name'] as string | null,
  reference: row['reference'] as string | null,
  externalId: row['external_id'] as string | null,
  paymentLink: idOrNull('plink', row['link_id']),
  refundOf: idOrNull('pay', row['refund_of']),
});

export const STATEMENT_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Statement: strictObject(
    'The movements of an account in a period. `opening_balance` and all lines make `closing_balance`.',
    {
      object: { const: 'statement' },
      account: { type: 'string' },
      livemode: { type: 'boolean' },
      currency: { type: 'string' },
      from: { type: 'integer', description: 'The first second of it. Unix seconds.' },
      to: { type: 'integer', description: 'The last second of it.' },
      opening_balance: { type: 'integer', minimum: 0, description: 'Before the first line, minor units.' },
      closing_balance: { type: 'integer', minimum: 0, description: 'After the last line, minor units.' },
      lines: { type: 'array', items: LINE_SCHEMA, description: 'Oldest first.' },
    },
  ),
};
