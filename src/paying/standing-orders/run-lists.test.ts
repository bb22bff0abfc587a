/** What the list of runs reads of a long history: little, for a whole environment and for an order that has long ended. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Application, startApplication } from '../../../test/support/harness/application.ts';
import { type Cost, type PlanReader, readPlans } from '../../../test/support/measure/plan-costs.ts';
import { idOf, uuidOf } from '../../core/values/ids.ts';
import type { Statement } from '../../platform/db/wire/statement.ts';
import { readQuery } from '../../platform/http/request/body.ts';
import { standingOrderRunRoutes } from './run-routes.ts';

const RUNS = 20_000;
const BLOCKS_MAX = 60; // the table has hundreds
const [GONE, RARE, COMMON] = ['1', '2', '3'].map((n) => `0190000${n}-0000-7000-8000-000000000000`) as [
  string,
  string,
  string,
];

let application: Application;
let plans: PlanReader;
let environmentId: string;
beforeAll(async () => {
  application = await startApplication();
  plans = await readPlans(application.databaseUrl);
  environmentId = application.live.environmentId;
  const id = `overlay('01900000-0000-7000-8000-' || lpad(to_hex(n), 12, '0') placing lpad(to_hex(n), 4, '0') from 10 for 4)::uuid`;
  await application.sql(
    `INSERT INTO standing_order_runs (environment_id, id, standing_order_id, number, day, status, made_up, code, created_at)
     SELECT '${uuidOf(environmentId)}', ${id}, (CASE WHEN n <= 100 THEN '${GONE}' WHEN n % 1000 = 500 THEN '${RARE}' ELSE '${COMMON}' END)::uuid,
       n, '2026-11-28', 'failed', false, 'no_account', now() FROM generate_series(1, ${RUNS}) AS n`,
  );
  await application.sql('ANALYZE standing_order_runs');
}, 120_000);
afterAll(async () => {
  await plans?.end();
  await application?.stop();
});

async function costsOf(query: string): Promise<readonly Cost[]> {
  let wanted: Statement | undefined;
  const rows = (statement: Statement) => {
    wanted ??= statement;
    return Promise.resolve([]);
  };
  const list = standingOrderRunRoutes({ rows } as never).find(({ operationId }) => operationId.startsWith('list'));
  const url = `/v1/standing_order_runs?limit=10&${query}`;
  const caller = { environmentId, scopes: null, accounts: null, livemode: true };
  await list?.handle({ caller, csv: null, url, baseUrl: () => '', query: list.query?.parse(readQuery(url)) } as never);
  return plans.costs(wanted as Statement);
}
const order = (uuid: string) => idOf('so', uuid);

it.each([
  '',
  'order=asc',
  ...[GONE, RARE, COMMON].map((each) => `standing_order=${order(each)}`),
  `standing_order[]=${order(GONE)}&standing_order[]=${order(RARE)}`,
])('%s', async (query) => {
  for (const { blocks, rows } of await costsOf(query)) {
    expect(rows).toBe(11);
    expect(blocks).toBeLessThanOrEqual(BLOCKS_MAX);
  }
});

it('control: without the index the whole list is walked to an order that has ended', async () => {
  await application.sql('DROP INDEX standing_order_runs_order, standing_order_runs_number');
  for (const { blocks } of await costsOf(`standing_order=${order(GONE)}`)) expect(blocks).toBeGreaterThan(BLOCKS_MAX);
});
