/** Flags on held payouts: each with what sets it and, as a control, what does not; whom they are shown to; and how little is read for a page. */
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Application, startApplication } from '../../../test/support/harness/application.ts';
import type { Client, Json } from '../../../test/support/harness/http.ts';
import { type PlanReader, readPlans } from '../../../test/support/measure/plan-costs.ts';
import { idIn, must, RECIPIENT } from '../../../test/support/harness/tenant-fixture.ts';
import { idOf, newId, uuidOf } from '../../core/values/ids.ts';
import { flagsOfPayouts } from './sql.ts';

let application: Application;
let client: Client;
let account = '';
beforeAll(async () => {
  application = await startApplication();
  ({ client } = application.sandbox);
  account = await fundedAccount();
});
afterAll(() => application?.stop());

async function fundedAccount(): Promise<string> {
  const id = idIn(await client.post('/v1/accounts', { currency: 'EUR' }));
  await application.submit(application.sandbox.environmentId, { type: 'fund_account', account: id, amount: '1000000' });
  return id;
}

const IBANS = { DE: 'DE89370400440532013000', NL: 'NL91ABNA0417164300', FR: 'FR1420041010050500013M02606' } as const;
/** A recipient that was made so many days ago. */
async function recipient(days: number, country: keyof typeof IBANS = 'DE'): Promise<string> {
  const id = idIn(await client.post('/v1/recipients', { ...RECIPIENT, country, iban: IBANS[country] }));
  const text = "UPDATE recipients SET created_at = created_at - $2 * interval '1 day' WHERE id = $1";
  await application.sql(text, [uuidOf(id), days]);
  return id;
}
const pay = async (to: string, amount: number, more: object = {}) =>
  idIn(await client.post('/v1/payouts', { amount, currency: 'EUR', recipient: to, account, ...more }));
async function paid(to: string, amount: number, more: object = {}): Promise<string> {
  const id = await pay(to, amount, more);
  must(await client.post(`/v1/test_helpers/payouts/${id}/pay`));
  return id;
}
/** Holds whatever comes, while `work` makes it. */
async function held(work: () => Promise<string>): Promise<string> {
  const limit = idIn(await client.post('/v1/limits', { count: 0, action: 'hold' }));
  const id = await work();
  must(await client.send('DELETE', `/v1/limits/${limit}`, '', {}));
  const { pending_deletion: asked } = must(await client.get(`/v1/limits/${limit}`)).json as {
    pending_deletion: { fingerprint: string } | null;
  };
  if (asked !== null) must(await client.post(`/v1/test_helpers/limits/${limit}/approve`));
  return id;
}
const expanded = (payout: Json) => (payout['expanded'] as Json)['flags'];
const flagsOf = async (id: string, by = client) =>
  expanded(must(await by.get(`/v1/payouts/${id}?expand[]=flags`)).json) as readonly string[] | undefined;

describe('a flag', () => {
  it('says that the recipient is new, was never paid, and that nobody in its country was', async () => {
    const first = await held(async () => pay(await recipient(0), 10));
    expect(await flagsOf(first)).toEqual(['new_recipient', 'first_payment', 'first_payment_to_country']);
    const old = await recipient(31);
    await paid(old, 10);
    expect(await flagsOf(await held(() => pay(old, 10)))).toEqual([]); // control
    const another = await held(async () => pay(await recipient(31), 10));
    expect(await flagsOf(another)).toEqual(['first_payment']); // somebody there was paid
    const abroad = await held(async () => pay(await recipient(31, 'NL'), 10));
    expect(await flagsOf(abroad)).toEqual(['first_payment', 'first_payment_to_country']);
    expect(await flagsOf(first)).toEqual(['new_recipient', 'first_payment']);
  });

  it('says that bank details became others, and not that a name did', async () => {
    const to = await recipient(100);
    await paid(to, 10);
    must(await client.post(`/v1/recipients/${to}`, { name: 'Ada King' }));
    expect(await flagsOf(await held(() => pay(to, 10)))).toEqual([]); // control
    const changed = must(await client.post(`/v1/recipients/${to}`, { iban: 'DE02120300000000202051' })).json;
    expect(changed['bank_details_changed_at']).toEqual(expect.any(Number));
    const payout = await held(() => pay(to, 10));
    expect(await flagsOf(payout)).toEqual(['bank_details_changed']);
    const text =
      "UPDATE recipients SET bank_details_changed_at = bank_details_changed_at - interval '31 days' WHERE id = $1";
    await application.sql(text, [uuidOf(to)]);
    expect(await flagsOf(await held(() => pay(to, 10)))).toEqual([]); // control
  });

  it('says that an amount is more than three times the largest of the twenty before it that was paid', async () => {
    const to = await recipient(100);
    await paid(to, 40);
    await paid(to, 10);
    expect(await flagsOf(await held(() => pay(to, 120)))).toEqual([]);
    expect(await flagsOf(await held(() => pay(to, 120.01)))).toEqual(['unusual_amount']);
    await pay(to, 500); // not paid, so it is no measure
    expect(await flagsOf(await held(() => pay(to, 121)))).toEqual(['unusual_amount']);
    for (let n = 0; n < 20; n += 1) await paid(to, 10);
    expect(await flagsOf(await held(() => pay(to, 31)))).toEqual(['unusual_amount']); // the forty are long ago
  });

  it('stands on what is held, and is gone with that; in lists as well', async () => {
    const to = await recipient(0, 'FR');
    const free = await pay(to, 10);
    expect(await flagsOf(free)).toBe(undefined);
    const payout = await held(() => pay(to, 10));
    const list = must(await client.get('/v1/payouts?release=held&expand[]=flags&expand[]=recipient&limit=1')).json;
    const [row] = list['data'] as Json[];
    expect([row?.['id'], expanded(row as Json)]).toEqual([
      payout,
      ['new_recipient', 'first_payment', 'first_payment_to_country'],
    ]);
    must(await client.post(`/v1/test_helpers/payouts/${payout}/approve`));
    expect(await flagsOf(payout)).toBe(undefined);
  });

  it('shows a key without payroll:read nothing of whom salaries pay', async () => {
    const to = await recipient(0);
    const salary = await held(() => pay(to, 10, { category_purpose: 'SALA' }));
    const weak = await application.key({ scopes: ['payouts:read'] });
    const strong = await application.key({ scopes: ['payouts:read', 'payroll:read'] });
    expect(await flagsOf(salary, weak.client)).toBe(undefined);
    expect(await flagsOf(salary, strong.client)).toContain('new_recipient'); // control
  });

  it('tells a key with some accounts nothing of the others', async () => {
    const to = await recipient(100);
    const other = await fundedAccount();
    await paid(to, 10);
    const payout = await held(() => pay(to, 10, { account: other }));
    const some = await application.key({ scopes: ['payouts:read'], accounts: [other] });
    expect(await flagsOf(payout, some.client)).toEqual(['first_payment', 'first_payment_to_country']);
    expect(await flagsOf(payout)).toEqual([]); // control
  });
});

describe('a page of flags', () => {
  /** A hundred held payouts go to as many recipients in ten countries; to each some were paid before, and to one a quarter of all. */
  const RECIPIENTS = 3_000;
  const PAYOUTS = 60_000;
  const BLOCKS_MAX = 5_000;
  let plans: PlanReader;
  let reader: pg.Client;
  beforeAll(async () => {
    const environment = uuidOf(application.live.environmentId);
    const person = (n: string) => `('01900000-0000-7000-8000-' || lpad(to_hex(${n}), 12, '0'))::uuid`;
    await application.sql(
      `INSERT INTO recipients (environment_id, id, version, name, type, currency, country, bank_details, status, created_at, has_words)
       SELECT $1, ${person('n')}, 1, 'x', 'company', 'EUR', 'A' || chr(65 + n % 10), '{}', 'active', now() - interval '1 year', true
       FROM generate_series(1, ${RECIPIENTS}) AS n`,
      [environment],
    );
    await application.sql(
      `INSERT INTO payouts (environment_id, id, account_id, recipient_id, recipient_version, amount, currency, status, transfer_id,
         created_at, in_transit_at, ended_at, release)
       SELECT $1, ('01910000-' || lpad(to_hex(n / 65536), 4, '0') || '-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, $2,
         ${person(`CASE WHEN n > ${PAYOUTS} THEN 1 + n % 100 WHEN n <= ${PAYOUTS / 4} THEN 1 ELSE 1 + n % ${RECIPIENTS} END`)}, 1, 100, 'EUR',
         CASE WHEN n > ${PAYOUTS} THEN 'pending' ELSE 'paid' END, $3, now(), CASE WHEN n <= ${PAYOUTS} THEN now() END,
         CASE WHEN n <= ${PAYOUTS} THEN now() END, CASE WHEN n > ${PAYOUTS} THEN '{"status":"held"}'::jsonb END
       FROM generate_series(1, ${PAYOUTS + 100}) AS n`,
      [environment, uuidOf(newId('acct')), uuidOf(newId('trf'))],
    );
    await application.sql('ANALYZE payouts, recipients');
    plans = await readPlans(application.databaseUrl);
    reader = plans.client;
  }, 120_000);
  afterAll(() => plans?.end());

  it(`of a hundred payouts reads fewer than ${BLOCKS_MAX} blocks and no table`, async () => {
    const { environmentId } = application.live;
    const { rows } = await reader.query<{ id: string }>(
      "SELECT id FROM payouts WHERE environment_id = $1 AND status = 'pending'",
      [uuidOf(environmentId)],
    );
    expect(rows).toHaveLength(100);
    const statement = flagsOfPayouts(
      environmentId,
      rows.map(({ id }) => idOf('po', id)),
      null,
    );
    for (const { blocks, rows: found } of await plans.costs(statement)) {
      expect(found).toBe(100);
      expect(blocks).toBeLessThan(BLOCKS_MAX);
    }
    const plan = await reader.query({ text: `EXPLAIN ${statement.text}`, values: [...statement.values] });
    const steps = JSON.stringify(plan.rows);
    expect(steps).not.toContain('Seq Scan');
    for (const index of ['payouts_recipient', 'recipients_country', 'payouts_pkey', 'recipients_pkey']) {
      expect(steps).toContain(index);
    }
  });
});
