/** What the list of requests and its filters read of 15 days: little, whether a value is common, rare or long gone. */
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Application, startApplication } from '../../../test/support/harness/application.ts';
import { ROUTES } from '../../../test/support/harness/all-routes.ts';
import { type PlanReader, readPlans } from '../../../test/support/measure/plan-costs.ts';
import { asOwner } from '../../platform/db/owner.ts';
import { idOf, uuidOf } from '../../core/values/ids.ts';
import type { Statement } from '../../platform/db/wire/statement.ts';
import { readQuery } from '../../platform/http/request/body.ts';
import { keepDays } from './partitions.ts';
import { requestLogRoutes } from './routes.ts';
import { REQUEST_LOGS } from './sql.ts';

const DAYS = 15;
const ROWS = 60_000;
const DAY_MS = 86_400_000;
const TODAY = Date.UTC(2026, 10, 29);
/** Each of the partitions is looked at once for each value that is walked; the table has thousands of blocks. */
const BLOCKS_MAX = 16 * 8;

let application: Application;
let reader: pg.Client;
let plans: PlanReader;
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
const uuid = (n: number) => `01900000-000${n}-7000-8000-000000000000`;

beforeAll(async () => {
  application = await startApplication();
  const owner = {
    asOwner: <T>(work: Parameters<typeof asOwner<T>>[2]) => asOwner(application.databaseUrl, silent, work),
  };
  for (let day = DAYS - 1; day >= 0; day -= 4) await keepDays({ ...owner, days: 400, now: () => TODAY - day * DAY_MS });
  const insert = (environmentId: string, shift: number) => `
    INSERT INTO request_logs (environment_id, id, actor, source, method, path, route, operation, status, code, duration_ms, idempotency_key, replayed, resource, created_at)
    SELECT '${environmentId}', (lpad(to_hex(at), 12, '0') || '7000' || '8000' || lpad(to_hex(n), 12, '0'))::uuid,
        CASE k WHEN 0 THEN '${uuid(1)}' WHEN 1 THEN '${uuid(2)}' ELSE '${uuid(3)}' END::uuid, 'api',
        CASE WHEN k = 1 THEN 'DELETE' ELSE 'POST' END,
        '/v1/' || o, '/v1/' || o, CASE k WHEN 0 THEN 'createPayout' WHEN 1 THEN 'deleteWebhookEndpoint' ELSE 'createAccount' END,
        CASE k WHEN 0 THEN 200 WHEN 1 THEN 404 ELSE 400 END, CASE k WHEN 1 THEN 'resource_missing' WHEN 2 THEN 'currency_unsupported' END, 3,
        CASE WHEN k = 1 THEN 'rare' WHEN k = 2 THEN 'gone' ELSE 'k' || n END, false,
        CASE k WHEN 0 THEN 'po_' || n WHEN 1 THEN 'rare' ELSE 'gone' END, now()
      FROM generate_series(1, ${ROWS}) AS n,
        LATERAL (SELECT ${TODAY - (DAYS - 1) * DAY_MS}::bigint + n::bigint * ${Math.floor((DAYS * DAY_MS) / ROWS)} AS at,
          (CASE WHEN n % 1000 = 500 THEN 1 WHEN n <= ${ROWS / 20} THEN 2 ELSE 0 END + ${shift}) % 3 AS k) AS kind,
        LATERAL (SELECT CASE k WHEN 0 THEN 'payouts' WHEN 1 THEN 'webhook_endpoints/we_1' ELSE 'accounts' END AS o) AS path`;
  await application.sql(insert(uuidOf(application.live.environmentId), 0));
  // To whom what is rare to the first is common.
  await application.sql(insert(uuidOf(application.otherLive.environmentId), 1));
  await application.sql('ANALYZE request_logs');
  plans = await readPlans(application.databaseUrl);
  reader = plans.client;
}, 300_000);
afterAll(async () => {
  await plans?.end();
  await application?.stop();
});

async function statementOf(query: string, accounts: ReadonlySet<string> | null = null): Promise<Statement> {
  let wanted: Statement | undefined;
  const rows = async (statement: Statement) => {
    const isList = statement.text.includes('FROM request_logs');
    if (isList) wanted ??= statement;
    return isList ? [] : (await reader.query({ text: statement.text, values: [...statement.values] })).rows;
  };
  const [list] = requestLogRoutes({ rows } as never, null, () => ROUTES);
  const { environmentId } = application.live;
  const caller = { environmentId, scopes: null, accounts, actorId: idOf('key', uuid(2)), lineage: [] };
  const url = `/v1/request_logs?${query}`;
  await list?.handle({ caller, csv: null, url, query: list.query?.parse(readQuery(url)) } as never);
  return wanted as Statement;
}

async function expectFew(
  query: string,
  { most = BLOCKS_MAX, rows = 11, accounts = null as ReadonlySet<string> | null } = {},
) {
  for (const cost of await plans.costs(await statementOf(`${query}&limit=10`, accounts))) {
    expect(cost.rows, query).toBe(rows);
    expect(cost.blocks, query).toBeLessThanOrEqual(most);
  }
}

const key = (n: number) => idOf('key', uuid(n));
describe('a page', () => {
  it.each([
    'order=desc',
    'order=asc',
    `created[gte]=${TODAY / 1000}&order=desc`,
    'status=200',
    'status=404',
    'status=400',
    'status[]=404&status[]=400',
    'status=refused',
    'code=resource_missing',
    'code=currency_unsupported',
    `actor=${key(1)}`,
    `actor=${key(2)}`,
    `actor=${key(3)}`,
    'idempotency_key=rare',
    'idempotency_key=gone',
    'resource=rare',
    'resource=gone',
    'method=POST',
    'status=refused&path=/v1/webhook_endpoints&method=DELETE',
  ])('%s', (query) => expectFew(query));

  it('deletions, and paths of several operations: by each of these', async () => {
    for (const query of ['method=DELETE', 'path=/v1/payouts', 'path=/v1/webhook_endpoints', 'path=/v1/accounts'])
      await expectFew(query, { most: BLOCKS_MAX * 8 });
  });

  it('what is not there at all', async () => {
    for (const query of [
      'idempotency_key=never',
      'resource=never',
      `actor=${key(9)}`,
      'code=batch_invalid',
      'status=413',
    ])
      await expectFew(query, { rows: 0 });
  });

  it('of a key that is restricted to accounts', () => expectFew('order=desc', { accounts: new Set() }));
});

it('an entry by its id is looked for in the partition of its day alone', async () => {
  const { environmentId } = application.live;
  const [{ id } = {}] = await application.sql(
    'SELECT id FROM request_logs WHERE environment_id = $1 ORDER BY id DESC OFFSET 30000 LIMIT 1',
    [uuidOf(environmentId)],
  );
  const { text, values } = REQUEST_LOGS.load([{ environmentId, id: idOf('req', id as string) }]);
  const { rows } = await reader.query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`, [...values]);
  const [{ Plan: plan }] = rows[0]['QUERY PLAN'] as [{ Plan: Record<string, number> }];
  expect((plan['Shared Hit Blocks'] as number) + (plan['Shared Read Blocks'] as number)).toBeLessThanOrEqual(8);
});
