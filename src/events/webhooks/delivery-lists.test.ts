/** What the lists of deliveries and replays read of a long history: little, for all endpoints of an environment and for one. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Application, startApplication } from '../../../test/support/harness/application.ts';
import { type Cost, type PlanReader, readPlans } from '../../../test/support/measure/plan-costs.ts';
import { idOf, uuidOf } from '../../core/values/ids.ts';
import type { Statement } from '../../platform/db/wire/statement.ts';
import { readQuery } from '../../platform/http/request/body.ts';
import { deliveryRoutes } from './delivery-routes.ts';
import { deliveriesOf } from './sql.ts';

const ENDPOINTS = 16; // as many as an environment may have
const EVENTS = 3_000;
/** A page of eleven reads eleven of each endpoint; the tables have thousands of blocks. */
const BLOCKS_MAX = { one: 80, all: 16 * 20 };

let application: Application;
let plans: PlanReader;
let environmentId: string;
const endpointAt = (n: number) => `019000${(16 + n).toString(16)}-0000-7000-8000-0000000000${(16 + n).toString(16)}`;
const ENDPOINT = idOf('we', endpointAt(3));
beforeAll(async () => {
  application = await startApplication();
  plans = await readPlans(application.databaseUrl);
  environmentId = application.live.environmentId;
  const of = uuidOf(environmentId);
  const ids = Array.from({ length: ENDPOINTS }, (_, n) => `'${endpointAt(n)}'::uuid`).join(', ');
  await application.sql(
    `INSERT INTO webhook_endpoints (environment_id, id, url, enabled_events, ordered, status, secrets, created_at)
     SELECT '${of}', id, 'https://example.com/', '["*"]', false, 'enabled', '[]', now() FROM unnest(ARRAY[${ids}]) AS e (id)`,
  );
  await application.sql(
    `INSERT INTO deliveries (environment_id, endpoint_id, sequence, in_order, created_at, due_at, claims, status, attempts)
     SELECT '${of}', id, n, false, to_timestamp(1732184000), now(), 1, CASE WHEN n <= 100 THEN 'failed' ELSE 'succeeded' END, jsonb_build_array(repeat('x', 200))
     FROM unnest(ARRAY[${ids}]) AS e (id), generate_series(1, ${EVENTS}) AS n`,
  );
  await application.sql(
    `INSERT INTO webhook_replays (environment_id, id, endpoint_id, after_sequence, until_sequence, which, created_at, reached_sequence, finished_at)
     SELECT '${of}', gen_random_uuid(), CASE WHEN n <= 50 THEN '${endpointAt(3)}'::uuid ELSE '${endpointAt(1)}'::uuid END, 0, 1, 'all', now(), 1, now()
     FROM generate_series(1, 20000) AS n`,
  );
  await application.sql('ANALYZE deliveries, webhook_replays');
}, 180_000);
afterAll(async () => {
  await plans?.end();
  await application?.stop();
});

/** What the statement of the list for a query costs. */
async function costsOf(list: string, query: string): Promise<readonly Cost[]> {
  let wanted: Statement | undefined;
  const rows = (statement: Statement) => {
    if (!/^SELECT [^]*LIMIT 11$/.test(statement.text)) return application.sql(statement.text, [...statement.values]);
    wanted = statement;
    return Promise.resolve([]);
  };
  const parts = { sequencesBetween: () => Promise.resolve({ after: 100n, until: 2_000n }) };
  const route = deliveryRoutes({ rows } as never, parts).find(({ path, method }) => path === list && method === 'GET');
  const url = `${list}?${query}`;
  const caller = { environmentId, scopes: null, accounts: null, livemode: true };
  const call = { caller, csv: null, url, baseUrl: () => '', query: route?.query?.parse(readQuery(url)) };
  await Promise.resolve(route?.handle(call as never)).catch((error: unknown) => {
    if (wanted === undefined) throw error;
  });
  return plans.costs(wanted as Statement);
}

const CASES: readonly (readonly [query: string, most: number])[] = [
  ['', BLOCKS_MAX.all],
  ['order=asc', BLOCKS_MAX.all],
  ['created[gte]=1', BLOCKS_MAX.all],
  ['status=failed', BLOCKS_MAX.all],
  ['status[]=failed&status[]=held', BLOCKS_MAX.all],
  ['status=succeeded', BLOCKS_MAX.all],
  [`webhook_endpoint=${ENDPOINT}`, BLOCKS_MAX.one],
  [`webhook_endpoint=${ENDPOINT}&status=failed`, BLOCKS_MAX.one],
  [`webhook_endpoint[]=${ENDPOINT}&webhook_endpoint[]=${idOf('we', endpointAt(5))}`, BLOCKS_MAX.one * 2],
];

describe('deliveries', () => {
  it.each(CASES)('%s', async (query, most) => {
    for (const { blocks, rows } of await costsOf('/v1/deliveries', `limit=10&${query}`)) {
      expect(rows).toBe(11);
      expect(blocks).toBeLessThanOrEqual(most);
    }
  });

  it('of one event, whole, are a look-up for each endpoint', async () => {
    for (const { blocks } of await plans.costs(deliveriesOf(environmentId, 1_500n)))
      expect(blocks).toBeLessThanOrEqual(BLOCKS_MAX.all);
  });

  it('control: in the order of all endpoints at once, all deliveries are read', async () => {
    const text = 'SELECT * FROM deliveries t WHERE t.environment_id = $1 ORDER BY t.sequence DESC LIMIT 11';
    for (const { blocks } of await plans.costs({ text, values: [uuidOf(environmentId)] }))
      expect(blocks).toBeGreaterThan(BLOCKS_MAX.all);
  });
});

describe('replays', () => {
  it.each(['', `webhook_endpoint=${ENDPOINT}`])('%s', async (query) => {
    for (const { blocks, rows } of await costsOf('/v1/webhook_replays', `limit=10&${query}`)) {
      expect(rows).toBe(11);
      expect(blocks).toBeLessThanOrEqual(BLOCKS_MAX.one);
    }
  });
});
