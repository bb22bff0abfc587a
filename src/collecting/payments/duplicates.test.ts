/** The list of duplicates reads little, however many payments there are: duplicates have an index of their own. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Application, startApplication } from '../../../test/support/harness/application.ts';
import { type Cost, type PlanReader, readPlans } from '../../../test/support/measure/plan-costs.ts';
import { uuidOf } from '../../core/values/ids.ts';
import type { Statement } from '../../platform/db/wire/statement.ts';
import { readQuery } from '../../platform/http/request/body.ts';
import { paymentRoutes } from './routes.ts';

const PAYMENTS = 20_000;
const DUPLICATES = 50;
const BLOCKS_MAX = 40; // the table has hundreds

let application: Application;
let plans: PlanReader;
let environmentId: string;
beforeAll(async () => {
  application = await startApplication();
  plans = await readPlans(application.databaseUrl);
  environmentId = application.live.environmentId;
  const of = uuidOf(environmentId);
  const id = (n: string) =>
    `overlay('01900000-0000-7000-8000-' || lpad(to_hex(${n}), 12, '0') placing lpad(to_hex(${n}), 4, '0') from 10 for 4)::uuid`;
  const isCopy = `n <= ${DUPLICATES}`; // the oldest: no walk from the newest end meets them
  await application.sql(
    `INSERT INTO payments (environment_id, id, link_id, token, reference, account_id, method, currency, amount, received,
       refunded, status, duplicate_of, transfer_id, paid_at, created_at)
     SELECT '${of}', ${id('n')}, ${id('1')}, CASE WHEN NOT ${isCopy} THEN 't' || n END, 'RF' || n, ${id('2')}, 'bank_transfer', 'EUR', 100, 100,
       0, 'succeeded', CASE WHEN ${isCopy} THEN ${id('3')} END, ${id('n')}, now(), now() FROM generate_series(1, ${PAYMENTS}) AS n`,
  );
  await application.sql('ANALYZE payments');
}, 120_000);
afterAll(async () => {
  await plans?.end();
  await application?.stop();
});

async function statementOf(query: string): Promise<Statement> {
  let wanted: Statement | undefined;
  const rows = (statement: Statement) => {
    wanted ??= statement;
    return Promise.resolve([]);
  };
  const parts = { seals: { payment: { open: (stored: unknown) => stored } } };
  const list = paymentRoutes({ rows } as never, () => null, parts as never).find(
    ({ operationId }) => operationId === 'listPayments',
  );
  const url = `/v1/payments?${query}`;
  const caller = { environmentId, scopes: null, accounts: null };
  await list?.handle({ caller, csv: null, url, baseUrl: () => '', query: list.query?.parse(readQuery(url)) } as never);
  return wanted as Statement;
}

const costsOf = async (query: string): Promise<readonly Cost[]> => plans.costs(await statementOf(query));

describe('the filter duplicate', () => {
  it.each(['duplicate=true', 'duplicate=true&order=asc', 'duplicate=false', 'duplicate=true&status=succeeded'])(
    '%s',
    async (query) => {
      for (const { blocks, rows } of await costsOf(`${query}&limit=10`)) {
        expect(rows).toBe(11);
        expect(blocks).toBeLessThanOrEqual(BLOCKS_MAX);
      }
    },
  );

  it('control: without the index all payments are read', async () => {
    await application.sql('DROP INDEX payments_duplicates');
    for (const { blocks } of await costsOf('duplicate=true&limit=10')) expect(blocks).toBeGreaterThan(BLOCKS_MAX);
  });
});
