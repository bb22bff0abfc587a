/** The operations of payout batches. */
import { CSV_TYPE, fileNamed } from '../../platform/http/csv.ts';
import { exampleOf } from '../../platform/http/object-schema.ts';
import {
  type Answer,
  always,
  answers,
  answersList,
  answersOrTries,
  type Caller,
  type Route,
  routesOf,
} from '../../platform/http/route.ts';
import { missing, readsOf, type Service } from '../../platform/http/service.ts';
import type { PayoutCommand } from './slice.ts';
import { PAYOUT_BATCH } from './fields.ts';
import { type Completing, ORDER_ERRORS, PAYOUT_EXAMPLE, type SettlementDelay } from './routes.ts';
import type { OrderPricer } from './priced-orders.ts';
import {
  batchCall,
  batchFrom,
  createPayoutBatchParams,
  fileIdOf,
  listBatchesParams,
  payoutBatchQuery,
  resultsQuery,
} from './batch-schema.ts';
import { loadPaidBefore, PAYOUT_BATCHES, PAYOUTS, payoutsOfBatch, rejectedIn } from './sql.ts';
import { type PaidBefore, resultsCsv, withPaidBefore } from './results-schema.ts';
import { isPayroll } from '../../core/rails/purposes.ts';
import { covers, demand, seesPayroll } from '../../core/scopes.ts';
import type { Code } from '../../core/values/errors.ts';
import { exampleId, idOf, uuidOf } from '../../core/values/ids.ts';
import { DAY_MS } from '../../core/values/time.ts';
import { firstIdAt, page } from '../../platform/db/wire/page.ts';
import { bomFor } from '../../platform/http/request/forms.ts';
import type { Row, Statement } from '../../platform/db/wire/statement.ts';

const route = routesOf('Payouts', 'payouts');

/** Every payout of the batch. */
const OF_ACCOUNTS = `NOT EXISTS (SELECT FROM payouts p
  WHERE p.environment_id = t.environment_id AND p.batch_id = t.id AND p.account_id <> ALL ($::uuid[]))`;

const EXAMPLE = exampleOf(PAYOUT_BATCH, { payouts_count: 1, open_count: 1 });

const RESULTS = resultsCsv(
  { rejectedCount: 1, categoryPurpose: null },
  [],
  [
    {
      index: 0,
      code: 'resource_missing',
      param: 'recipient',
      message: `No such recipient: ${exampleId('rcp')}.`,
      externalId: 'inv-4711',
      recipient: exampleId('rcp'),
      amount: '25000',
      currency: 'EUR',
    },
  ],
  () => true,
);

/** Of items that name a payee. */
const PAYEE_FAULTS: readonly Code[] = [
  'recipient_name_mismatch',
  'recipient_ambiguous',
  'payout_repeated',
  'iban_invalid',
  'bic_invalid',
];

/** Names and accounts tell who is a recipient, and may make one. */
function mayName({ scopes }: Caller, isCreating: boolean): void {
  demand(scopes, 'recipients:read', 'a payout by name and account');
  if (isCreating) demand(scopes, 'recipients:write', 'create_recipients');
}

/** The batch with its rejected items, where the key may see all of its payouts. */
function batchWithRejected({ environmentId, accounts }: Caller, id: string): Statement {
  const restricted = accounts === null ? [] : [{ sql: OF_ACCOUNTS, value: Array.from(accounts, uuidOf) }];
  const conditions = [...restricted, { sql: 't.id = $', value: uuidOf(id) }];
  const columns = `${PAYOUT_BATCHES.columns('t')}, t.rejected_items`;
  return page({ from: 'payout_batches AS t', columns, environmentId, conditions }, { limit: 1, order: 'desc' });
}

export function payoutBatchRoutes(
  service: Service<PayoutCommand>,
  settlementDelay: SettlementDelay,
  pricer: OrderPricer,
  withShortfalls: Completing,
): Route[] {
  const { idIn, list, retrieve } = readsOf(service, PAYOUT_BATCH, PAYOUT_BATCHES, { ofAccounts: OF_ACCOUNTS });
  return [
    route('createPayoutBatch', 'POST /v1/payouts/batch', {
      summary: 'Create up to 1000 payouts in one request',
      mayNeed: ['recipients:read', 'recipients:write', 'exchanges:write'],
      description:
        'All or nothing by default: any fault is a 400, nothing is created, and `error.errors[]` has the faults of all items. Missing money is one fault an account, with `needed_minor`. With `mode=partial` each item succeeds or fails by itself. Instead of `recipient`, an item may have `name` and `iban` (and `bic`, `country`, `email`, `type`): the recipient is found as in `POST /v1/recipients/match`, or made with `create_recipients=true`. Send JSON, a form, or CSV with a header line (`amount,currency,recipient,reference`). With a CSV file `mode`, `external_id`, `metadata` and `dry_run` go in the query, and faults name `line` and `column`. Without an `Idempotency-Key` and an `external_id` the same file pays once: sent again it is refused with `external_id_used`.',
      body: createPayoutBatchParams,
      query: payoutBatchQuery,
      acceptsCsv: true,
      request: { payouts: [{ amount: 250, currency: 'EUR', recipient: exampleId('rcp') }] },
      response: answersOrTries('PayoutBatchResults', {
        ...EXAMPLE,
        results: [{ index: 0, status: 'created', payout: { ...PAYOUT_EXAMPLE, batch: EXAMPLE.id } }],
      }),
      errors: ['batch_invalid', ...ORDER_ERRORS, ...PAYEE_FAULTS],
      handle: async (call) => {
        const { body, ...whole } = batchCall(call);
        if (body.payouts.some((item) => 'payee' in item)) mayName(call.caller, body.create_recipients === true);
        const orders = await pricer.all(call.caller, body.payouts);
        const fileId = fileIdOf({ ...whole, body });
        const { scopes, livemode } = call.caller;
        const seesBalances = scopes === null || covers(scopes, 'accounts:read');
        const command = batchFrom(body, orders, fileId, settlementDelay(livemode), seesBalances);
        const answer = service.write({ ...whole, body }, command, { dryRun: body.dry_run });
        if (!body.dry_run) return answer;
        return withShortfalls(call.caller, await warnedOf(service, call.caller, await answer));
      },
    }),
    route('listPayoutBatches', 'GET /v1/payout_batches', {
      summary: 'List payout batches',
      isRepeatable: always,
      query: listBatchesParams,
      response: answersList('PayoutBatch', EXAMPLE),
      handle: (call) => list(call),
    }),
    route('retrievePayoutBatchResults', 'GET /v1/payout_batches/:id/results', {
      summary: 'Download the results of a batch',
      description:
        'One row for each item: `index`, `status`, `id`, `external_id`, `recipient`, `amount` in major units, `currency`, `failure_code`, `failure_message`, `reference`, `amount_returned` in major units. Rejected items (partial mode) have the status `rejected`. The answer is always `text/csv`. Where a spreadsheet would take a text for a formula stands an apostrophe. For JSON, use `GET /v1/payouts?batch=pob_…`.',
      isRepeatable: always,
      query: resultsQuery,
      response: { schema: { type: 'string' }, example: RESULTS },
      responseContentTypes: ['text/csv'],
      handle: async (call) => {
        const id = idIn(call);
        const [batch] = await service.rows(batchWithRejected(call.caller, id));
        if (!batch) throw missing('payout batch', id);
        const rows = await service.rows(payoutsOfBatch(call.caller.environmentId, id));
        const payouts = rows.map((row) => PAYOUTS.read(row));
        const { scopes } = call.caller;
        const isPayeeShown = (category: string | null) => seesPayroll(scopes) || !isPayroll(category);
        const body =
          bomFor(call.query.bom, 'csv') +
          resultsCsv(PAYOUT_BATCHES.read(batch), payouts, rejectedIn(batch), isPayeeShown);
        return { status: 200, body, contentType: CSV_TYPE, headers: fileNamed(`${id}.csv`) };
      },
    }),
    route('cancelPayoutBatch', 'POST /v1/payout_batches/:id/cancel', {
      summary: 'Cancel the pending payouts of a batch',
      description:
        'Cancels all pending payouts in one commit, each with its events, and credits the accounts. Payouts that have left or ended stay as they are; `kept_count` counts them.',
      response: answers('PayoutBatchCancellation', {
        ...EXAMPLE,
        status: 'completed_with_failures',
        open_count: 0,
        failed_count: 1,
        completed_at: 1_732_184_003,
        canceled_count: 1,
        kept_count: 0,
      }),
      errors: ['payout_not_cancelable', 'balance_too_large', 'account_not_allowed'],
      handle: (call) => service.write(call, { type: 'cancel_payout_batch', batch: idIn(call) }),
    }),
    route('retrievePayoutBatch', 'GET /v1/payout_batches/:id', {
      summary: 'Retrieve a payout batch',
      description:
        'Its payouts are listed with `GET /v1/payouts?batch=pob_…`, all batches with `GET /v1/payout_batches`.',
      isRepeatable: always,
      response: answers('PayoutBatch', EXAMPLE),
      handle: retrieve,
    }),
  ];
}

/** More than a week, in which a file is most likely sent again; less than a fortnight or a month, after which the same pay is due again. */
const DAYS_BEFORE = 10;

/** A result of a dry run, as far as it is compared. */
interface Tried {
  readonly index: number;
  readonly payout?: {
    /** `null`: it would be made, so nothing was paid to it. */
    readonly recipient: string | null;
    readonly amount_minor: number;
    readonly currency: string;
  };
}

/**
 * The answer to a dry run of a batch, with warnings of what was paid before: the same file under another name, or a row of it. It decides nothing,
 * so it is read without the lock, after the dry run. Names only payouts that whoever asks may see.
 */
async function warnedOf(
  service: { rows(statement: Statement): Promise<readonly Row[]> },
  caller: Caller,
  answer: Answer,
): Promise<Answer> {
  if (answer.status !== 200) return answer;
  const { environmentId } = caller;
  const { created, results } = JSON.parse(answer.body) as { created: number; results: readonly Tried[] };
  const since = firstIdAt(created * 1000 - DAYS_BEFORE * DAY_MS);
  const asked = results.flatMap(({ index, payout }) => (payout?.recipient ? [{ index, ...payout }] : []));
  const keyOf = ({ recipient, amount_minor, currency }: (typeof asked)[number]) =>
    JSON.stringify([recipient, amount_minor, currency]);
  const distinct = [...new Map(asked.map((each) => [keyOf(each), each])).values()];
  const wanted = distinct.map(({ recipient, amount_minor, currency }, index) => {
    return { environmentId, index, recipient: recipient as string, amount: BigInt(amount_minor), currency, since };
  });
  const rows = wanted.length === 0 ? [] : await service.rows(loadPaidBefore(wanted));
  const newest = new Map<string, Row>();
  for (const row of rows.filter((each) => mayPointAt(each, caller))) {
    const key = keyOf(distinct[row['index'] as number] as (typeof asked)[number]);
    if (!newest.has(key)) newest.set(key, row);
  }
  const paid = asked.flatMap((each): PaidBefore[] => {
    const row = newest.get(keyOf(each));
    if (row === undefined) return [];
    const days = Math.max(0, Math.floor((created * 1000 - (row['created_at'] as number)) / DAY_MS));
    return [{ index: each.index, payout: idOf('po', row['id'] as string), days }];
  });
  return { ...answer, body: withPaidBefore(answer.body, paid) };
}

/** Of a payroll only to who sees it, or made it: else whoever may try a batch could ask whether somebody earns a sum. */
function mayPointAt(row: Row, { accounts, scopes, lineage, actorId }: Caller): boolean {
  if (accounts !== null && !accounts.has(idOf('acct', row['account_id'] as string))) return false;
  if (seesPayroll(scopes) || !isPayroll(row['category_purpose'] as string | null)) return true;
  return [...lineage, actorId].some((each) => uuidOf(each) === row['created_by']);
}
