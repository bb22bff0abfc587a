/**
 * The statement of an account, sent as it is read. The heading is one snapshot, and it names the last transfer. Lines are read up to
 * that one: transfers never change and later ones have greater ids, so all pages together show that snapshot, though no transaction
 * stays open (decision 0034). Figures that do not add up cut the file off. Renderers: `statement-schema.ts`.
 */
import { assert } from '../core/assert.ts';
import { uuidOf } from '../core/ids.ts';
import { covers } from '../core/scopes.ts';
import { dayStartMs, isoDay } from '../core/time.ts';
import type { Transfer } from '../core/transfer.ts';
import { firstIdAt } from '../db/wire/page.ts';
import type { Row } from '../db/wire/statement.ts';
import { environmentNow } from '../http/clock.ts';
import { fileNamed } from '../http/csv.ts';
import { download } from '../http/download.ts';
import { span } from '../http/request/instants.ts';
import { oneOf, optional, paramError, params, pathId, withDefault } from '../http/request/params.ts';
import { answers, type Call, type Caller, type Route, routesOf } from '../http/route.ts';
import { missing, type Service } from '../http/service.ts';
import { headingFrom, STATEMENT_PAGE_ROWS, statementHeading, statementPage, TRANSFERS } from './sql.ts';
import { FORMAT_NAMES, FORMATS, type Line, namesFrom, NO_NAMES, type StatementHead } from './statement-schema.ts';

const accountRoute = routesOf('Accounts', 'accounts');

const query = params({
  format: withDefault(oneOf(FORMAT_NAMES, { description: 'How it is written.' }), 'json'),
  from: optional(
    span({
      description:
        'Where it begins: a day (UTC), an ISO instant or Unix seconds. Without it the first day of the month.',
    }),
  ),
  to: optional(
    span({
      description: 'Where it ends, that day or second included. Without it the last day of the month of `from`.',
    }),
  ),
});
type Query = ReturnType<typeof query.parse>;

const EXAMPLE = {
  object: 'statement',
  account: 'acct_01jd3v9q4ne8v8k3w2m6r5t7xa',
  livemode: false,
  currency: 'EUR',
  from: 1_730_419_200,
  to: 1_733_011_199,
  opening_balance: 100_000,
  closing_balance: 75_000,
  lines: [
    {
      transfer: 'trf_01jd3v9q4ne8v8k3w2m6r5t7xa',
      created: 1_732_184_000,
      date: '2024-11-21',
      amount: -250,
      amount_minor: -25_000,
      balance_after: 75_000,
      counterparty: 'in_transit',
      cause: 'payout',
      cause_id: 'po_01jd3v9q4ne8v8k3w2m6r5t7xa',
      description: null,
      recipient: 'rcp_01jd3v9q4ne8v8k3w2m6r5t7xa',
      recipient_name: 'Ada Lovelace',
      reference: 'Invoice 7',
      external_id: 'order-7',
      payment_link: null,
      refund_of: null,
    },
  ],
};

export function statementRoutes(service: Service): Route[] {
  return [
    accountRoute('retrieveStatement', 'GET /v1/accounts/:id/statement', {
      summary: 'Retrieve the statement of an account',
      description:
        'Opening balance, every movement with the balance after it, closing balance. The end of one statement is the beginning of the next. Sent while it is read: an answer that cannot be finished is cut off, so check that the transfer was complete (CSV: the last row is `closing`). What names a payout (recipient, reference, `external_id`) is shown to keys with `payouts:read`, what names a payment to keys with `payments:read`.',
      query,
      downloads: true,
      response: answers('Statement', EXAMPLE),
      responseContentTypes: ['application/json', 'text/csv'],
      handle: async (call) => {
        const head = await headOf(service, call);
        const { contentType, extension } = FORMATS[call.query.format];
        const name = `${head.account}_${isoDay(head.fromMs)}_${isoDay(head.untilMs - 1)}`;
        const headers = extension === null ? {} : fileNamed(`${name}.${extension}`);
        return download(call.caller.environmentId, { contentType, headers, parts: partsOf(service, call, head) });
      },
    }),
  ];
}

type FullHead = StatementHead & { readonly lastId: string | null };

async function headOf(service: Service, call: Call<unknown, Query>): Promise<FullHead> {
  const { environmentId, livemode, accounts } = call.caller;
  const account = pathId(call, 'acct');
  if (accounts?.has(account) === false) throw missing('account', account);
  const { fromMs, untilMs } = await periodOf(service, environmentId, call.query);
  const [row] = await service.rows(statementHeading(environmentId, account, fromMs, untilMs));
  if (!row) throw missing('account', account);
  return { account, livemode, fromMs, untilMs, ...headingFrom(row) };
}

async function periodOf(service: Service, environmentId: string, { from, to }: Query) {
  const month = async () => from?.startMs ?? to?.startMs ?? (await environmentNow(service, environmentId));
  const fromMs = from?.startMs ?? dayStartMs(`${isoDay(await month()).slice(0, 7)}-01`);
  const untilMs = to?.endMs ?? monthAfter(await month());
  if (fromMs < untilMs) return { fromMs, untilMs };
  throw paramError('parameter_invalid', 'to', 'to must not be before from.');
}

function monthAfter(atMs: number): number {
  const at = new Date(atMs);
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1);
}

async function* partsOf(service: Service, call: Call<unknown, Query>, head: FullHead): AsyncGenerator<string> {
  const { caller, query: asked } = call;
  const renderer = FORMATS[asked.format];
  let text = renderer.head(head);
  let balance = head.opening;
  let isFirst = true;
  for await (const rows of pagesOf(service, caller, head)) {
    for (const row of rows) {
      const line = lineFrom(row, head.account, caller);
      balance += line.signed;
      // A statement that is wrong is worse than none. (A sandbox that is reset meanwhile ends here too.)
      assert(balance === line.balanceAfter, `A statement does not add up at ${line.transfer.id}`);
      text += renderer.line(line, head, isFirst);
      isFirst = false;
    }
    yield text;
    text = '';
  }
  assert(balance === head.closing, 'A statement does not come to its closing balance');
  yield text + renderer.tail(head);
}

/** The rows of the statement, oldest first. */
async function* pagesOf(
  service: Service,
  { environmentId }: Caller,
  { account, fromMs, lastId }: FullHead,
): AsyncGenerator<readonly Row[]> {
  if (lastId === null) return;
  let after = uuidOf(firstIdAt(fromMs));
  for (let hasMore = true; hasMore; ) {
    const found = await service.rows(statementPage(environmentId, account, after, lastId));
    const rows = found.slice(0, STATEMENT_PAGE_ROWS);
    hasMore = found.length > STATEMENT_PAGE_ROWS;
    if (rows.length > 0) yield rows;
    after = rows.at(-1)?.['id'] as string;
  }
}

function lineFrom(row: Row, account: string, caller: Caller): Line {
  const transfer: Transfer = TRANSFERS.read(row);
  const pays = transfer.debitAccount === account;
  const balanceAfter = (pays ? transfer.debitBalanceAfter : transfer.creditBalanceAfter) ?? 0n;
  return {
    transfer,
    signed: pays ? -transfer.amount : transfer.amount,
    balanceAfter,
    names: mayRead(caller, transfer.cause.startsWith('payment') ? 'payments:read' : 'payouts:read')
      ? namesFrom(row)
      : NO_NAMES,
  };
}

const mayRead = ({ scopes }: Caller, scope: string) => scopes === null || covers(scopes, scope);
