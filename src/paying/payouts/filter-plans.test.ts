/** What the filters of payouts read of a long history: little, whether a value is rare, common or long gone. */
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Application, startApplication } from '../../../test/support/harness/application.ts';
import { type PlanReader, readPlans } from '../../../test/support/measure/plan-costs.ts';
import { idOf, uuidOf } from '../../core/values/ids.ts';
import type { Statement } from '../../platform/db/wire/statement.ts';
import { readQuery } from '../../platform/http/request/body.ts';
import { payoutRoutes } from './routes.ts';

const PAYOUTS = 50_000;
const BLOCKS_MAX = 60; // the table has thousands

let application: Application;
let reader: pg.Client;
let plans: PlanReader;

/** What stands for a value: of nearly all payouts, of one in a thousand, of the first tenth and no later ones. */
const KINDS = ['common', 'rare', 'gone'] as const;
const uuids = { common: uuid(1), rare: uuid(2), gone: uuid(3), never: uuid(4) };
/** The same of another environment, which has things of its own. */
const THEIRS = Object.values(uuids).map((each) => `'${each.replace('0190', '0191')}'::uuid`);
function uuid(n: number): string {
  return `01900000-000${n}-7000-8000-000000000000`;
}
/** The value of payout n, as SQL, from those of the kinds. */
const kindly = ([common, rare, gone]: readonly string[]) =>
  `CASE WHEN n % 1000 = 500 THEN ${rare} WHEN n <= ${PAYOUTS / 10} THEN ${gone} ELSE ${common} END`;
const OURS = Object.values(uuids).map((each) => `'${each}'::uuid`);
const RELEASES = ['approved', 'held', 'rejected'].map((status) => `'{"status":"${status}"}'::jsonb`);

/** Payouts of an environment, whose common, rare and gone values are those at `a`, `b` and `c`. */
const insert = (environmentId: string, ids: readonly string[], [a, b, c]: readonly [number, number, number]) => {
  const of = (values: readonly string[]) => kindly([a, b, c].map((at) => values[at] as string));
  const text = (...values: readonly string[]) => of(values.map((each) => `'${each}'`));
  const isBack = "s <> 'paid'";
  const id = `overlay('01900000-0000-7000-8000-' || lpad(to_hex(n), 12, '0') placing lpad(to_hex(n), 4, '0') from 10 for 4)`;
  const columns = {
    environment_id: `'${environmentId}'`,
    id: `${id}::uuid`,
    account_id: of(ids),
    recipient_id: of(ids),
    recipient_version: '1',
    amount: of(['10000', '12345', '777']),
    currency: text('EUR', 'JPY', 'CHF'),
    status: 's',
    transfer_id: `'${uuids.never}'`,
    reversal_id: `CASE WHEN ${isBack} THEN '${uuids.never}'::uuid END`,
    created_at: 'now()',
    batch_id: of(ids),
    reference: `CASE WHEN n % 7 = 0 THEN 'Invoice ' || n WHEN n <= ${PAYOUTS / 10} THEN 'Rent' ELSE 'Salary' END`,
    external_id: "'x' || n",
    failure_code: `CASE WHEN s = 'failed' THEN ${text('no_account', 'declined', 'timeout')} END`,
    created_by: of(ids),
    release: of(RELEASES),
    standing_order_id: of(ids),
    category_purpose: text('SUPP', 'SALA', 'BONU'),
    in_transit_at: 'now()',
    ended_at: 'now()',
  };
  return `INSERT INTO payouts (${Object.keys(columns).join(', ')}) SELECT ${Object.values(columns).join(', ')}
    FROM generate_series(1, ${PAYOUTS}) AS n, LATERAL (SELECT ${text('paid', 'failed', 'canceled')} AS s) AS s`;
};

beforeAll(async () => {
  application = await startApplication();
  const { live, otherLive } = application;
  await application.sql(insert(uuidOf(live.environmentId), OURS, [0, 1, 2]));
  // To whom what is rare to the first is common.
  await application.sql(insert(uuidOf(otherLive.environmentId), THEIRS, [1, 2, 0]));
  const accounts = ['EUR', 'JPY', 'CHF'].map((code, at) => `($1, ${OURS[at]}, '${code}', 0, 'open', now())`);
  const columns = 'environment_id, id, currency, balance, status, created_at';
  await application.sql(`INSERT INTO accounts (${columns}) VALUES ${accounts.join(', ')}`, [
    uuidOf(live.environmentId),
  ]);
  await application.sql('ANALYZE payouts');
  plans = await readPlans(application.databaseUrl);
  reader = plans.client;
}, 300_000);
afterAll(async () => {
  await plans?.end();
  await application?.stop();
});

/** The statement of the list for a query. */
async function statementOf(query: string, accounts: readonly string[] | null): Promise<Statement> {
  let wanted: Statement | undefined;
  const rows = async (statement: Statement) => {
    const isList = statement.text.includes('FROM payouts');
    if (isList) wanted ??= statement;
    return isList ? [] : (await reader.query({ text: statement.text, values: [...statement.values] })).rows;
  };
  const list = payoutRoutes({ rows } as never, () => null, {} as never, {} as never, {} as never).find(
    ({ operationId }) => operationId === 'listPayouts',
  );
  const { environmentId } = application.live;
  const caller = { environmentId, scopes: null, accounts: accounts && new Set(accounts) };
  const url = `/v1/payouts?${query}`;
  await list?.handle({ caller, csv: null, url, query: list.query?.parse(readQuery(url)) } as never);
  return wanted as Statement;
}

const ids = (prefix: 'acct' | 'rcp' | 'pob' | 'key' | 'so') => KINDS.map((kind) => idOf(prefix, uuids[kind]));
/** Each filter with a value of nearly all payouts, a rare one and one that is long gone. */
const FILTERS: Readonly<Record<string, readonly string[]>> = {
  status: ['paid', 'failed', 'canceled'],
  release: ['approved', 'ended', 'rejected'],
  account: ids('acct'),
  recipient: ids('rcp'),
  batch: ids('pob'),
  standing_order: ids('so'),
  created_by: ids('key'),
  currency: ['EUR', 'JPY', 'CHF'],
  category_purpose: ['SUPP', 'SALA', 'BONU'],
};

interface Asked {
  readonly orders?: readonly string[];
  readonly accounts?: readonly string[];
}
async function expectFew(query: string, rows: number, { orders = ['desc', 'asc'], accounts }: Asked = {}) {
  for (const order of orders) {
    for (const cost of await plans.costs(
      await statementOf([query, 'limit=10', `order=${order}`].filter(Boolean).join('&'), accounts ?? null),
    )) {
      expect(cost.rows, query).toBe(rows);
      expect(cost.blocks, `${query} ${order}`).toBeLessThanOrEqual(BLOCKS_MAX);
    }
  }
}

/** Nearly all that is `paid`, or of one recipient, is found by walking the list, which has it everywhere, and at its newer end above all. */
const WALKED = ['status', 'recipient'];

describe.each(Object.entries(FILTERS))('%s', (name, values) => {
  it.each(KINDS.map((kind, index) => [kind, values[index] as string] as const))('%s', (kind, value) =>
    expectFew(`${name}=${value}`, 11, WALKED.includes(name) && kind === 'common' ? { orders: ['desc'] } : {}),
  );
});

it.each(Object.entries(FILTERS))('several of %s, rare and long gone', (name, values) =>
  expectFew(`${name}[]=${values[1]}&${name}[]=${values[2]}`, 11),
);

const [common, rare, gone] = ids('acct') as [string, string, string];
describe('a key that is restricted to accounts', () => {
  it.each([
    ['of which one is common', [common, rare]],
    ['that are rare or long gone', [rare, gone]],
  ])('%s', async (_, accounts) => {
    await expectFew('', 11, { accounts });
    await expectFew('status=failed', 11, { accounts: [rare] });
  });
});

it.each([
  ['account', `account=${gone}`],
  ['created_by', `created_by=${idOf('key', uuids.gone)}`],
  ['amount', 'amount=7.77&currency=CHF'],
  ['reference', 'reference=Rent'],
  ['status', 'status=canceled'],
  ['failure_code', 'failure_code=timeout'],
  ['standing_order', `standing_order=${idOf('so', uuids.gone)}`],
  ['release', 'release=rejected'],
  ['category_purpose', 'category_purpose=BONU'],
])('the control: without the index payouts_%s all payouts are read, or all of an account', async (index, query) => {
  await reader.query(`BEGIN; DROP INDEX payouts_${index}`);
  const [cost] = await plans.costs(await statementOf(`${query}&limit=10`, null));
  await reader.query('ROLLBACK');
  expect(cost?.blocks).toBeGreaterThan(BLOCKS_MAX);
});

it.each([
  ['the external id', 'external_id=x7', 1],
  ['a common reference', 'reference=Salary', 11],
  ['a reference of one', 'reference=Invoice%2070', 1],
  ['a reference that is long gone', 'reference=Rent', 11],
  ['a common reference and a rare account', `reference=Salary&account=${rare}`, 11],
  ['a common amount', 'amount=100&currency=EUR', 11],
  ['a rare amount', 'amount=12345&currency=JPY', 11],
  ['an amount that is long gone', 'amount=7.77&currency=CHF', 11],
  ['several amounts', 'amount[]=7.77&amount[]=8&currency=CHF', 11],
  ['an amount that never was', 'amount=3&currency=EUR', 0],
  ['a currency that never was', 'currency=GBP', 0],
  ['a state that never was', 'status=waiting', 0],
  ['a failure code', 'failure_code=declined', 11],
  ['a failure code that never was', 'failure_code=timeout', 0],
  ['a category that never was', 'category_purpose=PENS', 0],
  ['a category and a batch', `category_purpose=SALA&batch=${idOf('pob', uuids.rare)}`, 11],
  ['several failure codes', 'failure_code[]=timeout&failure_code[]=declined', 11],
  ['two filters', `account=${rare}&created_by=${idOf('key', uuids.rare)}`, 11],
  ['a common one and one that is long gone', `status=canceled&release[]=ended&release[]=rejected`, 11],
])('%s', (_, query, rows) => expectFew(query, rows));
