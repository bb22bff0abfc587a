/**
 * Statements on the wire, of one account or of all. Add a format to `FORMATS`, and the parameter, the document and the downloads know it.
 * Every format says the same figures. What they are written from: `reading.ts`.
 */
import { houseOf } from '../../core/house-accounts.ts';
import { nullableText, ref, strictObject } from '../../core/values/json-schema.ts';
import { amountMembers } from '../../core/values/money.ts';
import { isoDay, unixSeconds } from '../../core/values/time.ts';
import { CAUSES } from '../../core/transfer.ts';
import { CSV_TYPE, csvLine, csvRow } from '../../platform/http/csv.ts';
import { formsOf } from '../../platform/http/request/forms.ts';
import { schemaOf } from '../../platform/http/object-schema.ts';
import type { JsonSchema } from '../../platform/http/request/params.ts';
import { CAMT_STATEMENT } from './camt.ts';
import { DAILY_STATEMENT } from './fields.ts';
import type { Cover, Line, Piece, Renderer, StatementHead } from './lines.ts';
import { writePdf } from './pdf.ts';

/** Text of several accounts that is sent at once, in characters. */
const PART_CHARACTERS = 65_536;

async function* textOf(renderer: Renderer, pieces: AsyncIterable<Piece>, cover: Cover): AsyncGenerator<string> {
  let text = renderer.open(cover);
  let head: StatementHead | undefined;
  let isFirstLine = true;
  for await (const piece of pieces) {
    if (piece.type === 'head') {
      text += renderer.head(piece.head, cover, head === undefined);
      ({ head } = piece);
      isFirstLine = true;
    } else if (head !== undefined && piece.type === 'lines') {
      for (const line of piece.lines) {
        text += renderer.line(line, head, isFirstLine);
        isFirstLine = false;
      }
    } else if (head !== undefined) text += renderer.tail(head, cover);
    if (text.length < PART_CHARACTERS) continue;
    yield text;
    text = '';
  }
  yield text + renderer.close(cover);
}

interface Format {
  readonly contentType: string;
  /** Of the file's name; `null`: no file, but an answer like any other. */
  readonly extension: string | null;
  write(pieces: AsyncIterable<Piece>, cover: Cover): AsyncGenerator<string | Uint8Array>;
}

const asText = (contentType: string, extension: string | null, renderer: Renderer): Format => ({
  contentType,
  extension,
  write: (pieces, cover) => textOf(renderer, pieces, cover),
});

function lineJson({ transfer, signed, balanceAfter, names }: Line): string {
  const { id, createdAt, currency, cause, causeId, description } = transfer;
  const other = signed < 0n ? transfer.creditAccount : transfer.debitAccount;
  const when = `"transfer":"${id}","created":${unixSeconds(createdAt)},"date":"${isoDay(createdAt)}"`;
  const money = `${amountMembers(signed, currency)},"balance_after":${balanceAfter}`;
  const why = JSON.stringify({
    counterparty: houseOf(other)?.kind ?? other,
    cause,
    cause_id: causeId,
    description,
    recipient: names.recipient,
    recipient_name: names.recipientName,
    reference: names.reference,
    external_id: names.externalId,
    payment_link: names.paymentLink,
    refund_of: names.refundOf,
    counterparty_name: names.counterpartyName,
    text: names.text,
  });
  return `{${when},${money},${why.slice(1)}`;
}

const period = ({ fromMs, untilMs }: Cover) => `"from":${unixSeconds(fromMs)},"to":${unixSeconds(untilMs - 1)}`;

/** One object for one account; a list of such objects for all. */
const JSON_STATEMENT: Renderer = {
  open: (cover) =>
    cover.isOfAll ? `{"object":"account_statements","livemode":${cover.livemode},${period(cover)},"statements":[` : '',
  head: (head, cover, isFirst) =>
    `${isFirst ? '' : ','}{"object":"statement","account":"${head.account}","livemode":${cover.livemode},"currency":"${head.currency}",${period(cover)},"opening_balance":${head.opening},"closing_balance":${head.closing},"lines":[`,
  line: (line, _, isFirst) => `${isFirst ? '' : ','}${lineJson(line)}`,
  tail: () => ']}',
  close: ({ isOfAll }) => (isOfAll ? ']}' : ''),
};

const LINE_SCHEMA = strictObject('One movement.', {
  transfer: { type: 'string', description: 'The transfer.' },
  created: { type: 'integer', description: 'Unix seconds.' },
  date: { type: 'string', format: 'date', description: 'Its day, UTC.' },
  amount: { type: 'number', description: 'Major units; negative where the account paid.' },
  amount_minor: { type: 'integer', description: 'The same in minor units.' },
  balance_after: { type: 'integer', minimum: 0, description: 'Balance after it, minor units.' },
  counterparty: {
    type: 'string',
    description: 'The other account, or `bank`, `in_transit`, `fx` for the world outside.',
  },
  cause: { type: 'string', enum: CAUSES, description: 'Why the money moved.' },
  cause_id: nullableText('The exchange, payout or payment that caused it.'),
  description: nullableText('Of a transfer between own accounts.'),
  recipient: nullableText('Of a payout.'),
  recipient_name: nullableText('As it was when the payout was created.'),
  reference: nullableText('Of a payout or payment.'),
  external_id: nullableText('Of a payout: your own id.'),
  payment_link: nullableText('Of a payment.'),
  refund_of: nullableText('The payment that a payout refunds.'),
  counterparty_name: nullableText('Of money that a bank booked: who paid, or was paid.'),
  text: nullableText('Of the same: the words of the payer.'),
});

const LINE_COLUMNS = Object.keys(LINE_SCHEMA.properties ?? {});

/** The lines of an account between a row `opening` and a row `closing`: a file whose last row is another is not complete. */
const CSV_STATEMENT: Renderer = {
  open: () => csvLine(['type', 'account', 'currency', ...LINE_COLUMNS]),
  head: (head, { fromMs }) => edge('opening', head, fromMs, head.opening),
  line: (line, { account, currency }) => `transfer,${account},${currency},${csvRow(lineJson(line), LINE_COLUMNS)}`,
  tail: (head, { untilMs }) => edge('closing', head, untilMs - 1, head.closing),
  close: () => '',
};

function edge(type: string, { account, currency }: StatementHead, atMs: number, balance: bigint): string {
  const values = { created: unixSeconds(atMs), date: isoDay(atMs), balance_after: Number(balance) };
  return `${type},${account},${currency},${csvRow(JSON.stringify(values), LINE_COLUMNS)}`;
}

export const FORMATS = {
  json: asText('application/json; charset=utf-8', null, JSON_STATEMENT),
  csv: asText(CSV_TYPE, 'csv', CSV_STATEMENT),
  'camt.053': asText('application/xml', 'xml', CAMT_STATEMENT),
  pdf: { contentType: 'application/pdf', extension: 'pdf', write: writePdf },
} as const satisfies Record<string, Format>;
export type FormatName = keyof typeof FORMATS;
export const STATEMENT_FORMS = formsOf({
  json: 'application/json',
  csv: 'text/csv',
  'camt.053': 'application/xml',
  pdf: 'application/pdf',
} satisfies Record<FormatName, string>);

const PERIOD = {
  from: { type: 'integer', description: 'The first second of the period. Unix seconds.' },
  to: { type: 'integer', description: 'The last second of the period.' },
};

export const STATEMENT_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  DailyStatement: schemaOf(DAILY_STATEMENT, 'The statements of all accounts for a day that has ended.'),
  AccountStatements: strictObject('The statements of all accounts in a period, up to one instant.', {
    object: { const: 'account_statements' },
    livemode: { type: 'boolean' },
    ...PERIOD,
    statements: { type: 'array', items: ref('Statement'), description: 'Oldest account first.' },
  }),
  Statement: strictObject(
    'The movements of an account in a period. `opening_balance` and all lines make `closing_balance`.',
    {
      object: { const: 'statement' },
      account: { type: 'string' },
      livemode: { type: 'boolean' },
      currency: { type: 'string' },
      ...PERIOD,
      opening_balance: { type: 'integer', minimum: 0, description: 'Before the first line, minor units.' },
      closing_balance: { type: 'integer', minimum: 0, description: 'After the last line, minor units.' },
      lines: { type: 'array', items: LINE_SCHEMA, description: 'Oldest first.' },
    },
  ),
};
