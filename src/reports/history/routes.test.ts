/** The history of payouts over real HTTP: whole ones, what a key sees of them, the wall between tenants, and what is read. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Application, type Holder, startApplication } from '../../../test/support/harness/application.ts';
import { objectFaults } from '../../../test/support/harness/all-routes.ts';
import { furnish, type Fixtures } from '../../../test/support/harness/fixtures.ts';
import type { Client, Json } from '../../../test/support/harness/http.ts';
import { readPlans } from '../../../test/support/measure/plan-costs.ts';
import { idIn, must, RECIPIENT } from '../../../test/support/harness/tenant-fixture.ts';
import { uuidOf } from '../../core/values/ids.ts';
import { DAY_MS, isoDay } from '../../core/values/time.ts';
import { entriesOfPayout, eventsOfPayout, fileOfPayout, payoutWithNames, undeliveredOf } from './sql.ts';
import { dayInWords } from './story.ts';

let application: Application;
let client: Client;
let fixtures: Fixtures;
beforeAll(async () => {
  application = await startApplication();
  ({ client } = application.sandbox);
  fixtures = await furnish(application, application.sandbox, 'Main');
}, 60_000);
afterAll(() => application?.stop());

const pay = async (more: object = {}) =>
  idIn(
    await client.post('/v1/payouts', {
      amount: 5,
      currency: 'EUR',
      recipient: fixtures.rcp,
      account: fixtures.acct,
      ...more,
    }),
  );
const historyOf = async (id: string, by = client) => {
  const { json } = must(await by.get(`/v1/payouts/${id}/history`));
  expect(objectFaults('PayoutHistory', json)).toEqual([]);
  return json;
};
const linesOf = (history: Json) =>
  (history['data'] as readonly { kind: string; text: string }[]).map(({ kind, text }) => `${kind}: ${text}`);

describe('a history', () => {
  it('of a payout that failed says who, why and where the money is', async () => {
    const id = await pay();
    must(await client.post(`/v1/payouts/${id}`, { reference: 'Invoice 1' }));
    must(await client.post(`/v1/test_helpers/payouts/${id}/advance`));
    must(await client.post(`/v1/test_helpers/payouts/${id}/fail`, { failure_code: 'no_account' }));
    const history = await historyOf(id);
    expect(history).toMatchObject({ object: 'payout_history', livemode: false, payout: id, batch: null });
    expect(history['summary']).toBe(
      'No bank account was found for these bank details. The money is back on Main. Correct the recipient, and pay again.',
    );
    expect(linesOf(history)).toEqual([
      'created: Created by test: 5.00 EUR to Main, account ending in 3000, from Main.',
      'changed: Changed by test: reference.',
      'sent: Left for the bank.',
      'failed: Failed. No bank account was found for these bank details. The money is back on Main.',
    ]);
    const { reversal } = must(await client.get(`/v1/payouts/${id}`)).json;
    expect((history['data'] as readonly Json[]).at(-1)).toMatchObject({ refs: { transfer: reversal } });
  });

  it('of one that waits for money says until when', async () => {
    const poor = idIn(await client.post('/v1/accounts', { currency: 'EUR', name: 'Poor' }));
    const until = isoDay(Date.now() + 90 * DAY_MS);
    const id = await pay({ account: poor, on_insufficient_funds: 'wait', wait_until_on: until });
    expect((await historyOf(id))['summary']).toBe(
      `It waits for money on Poor until ${dayInWords(until)}. Nothing has been debited.`,
    );
  });

  it('is there once events are gone', async () => {
    const id = await pay();
    must(await client.post(`/v1/payouts/${id}/cancel`));
    await application.sql('DELETE FROM events WHERE object_id = $1', [uuidOf(id)]);
    expect(linesOf(await historyOf(id)).slice(1)).toEqual(['canceled: Canceled. The money is back on Main.']);
  });
});

/** In the file of the fixtures. */
async function filed(): Promise<string> {
  const [row] = await application.sql(
    `SELECT 'po_' AS prefix, i.id FROM bank_instructions i WHERE i.file_id = $1 AND i.status = 'claimed' LIMIT 1`,
    [uuidOf(fixtures.pf)],
  );
  const { data } = must(await client.get('/v1/payouts?limit=100')).json;
  const found = (data as readonly Json[]).find(({ id }) => uuidOf(id as string) === row?.['id']);
  return found?.['id'] as string;
}

describe('what belongs to other resources', () => {
  let id = '';
  beforeAll(async () => {
    id = await filed();
    const to = JSON.stringify([
      { to: id, amount: '500', transfer: null, by: 'worker', at: 0, reason: null, undoneBy: null },
    ]);
    await application.sql(
      `UPDATE bank_entries SET amount = 500, direction = 'debit', booked_on = current_date, assignments = $2 WHERE id = $1`,
      [uuidOf(fixtures.be), to],
    );
  });
  const asKey = async (scopes: readonly string[], more: object = {}): Promise<Holder> =>
    application.key({ scopes, ...more });

  it('is there for whoever may read it', async () => {
    const lines = linesOf(await historyOf(id));
    expect(lines.find((each) => each.startsWith('sent'))).toMatch(
      /^sent: Put into payment file PF\w+ for Main, to be executed on \d+ \w+ 20\d\d\.$/,
    );
    expect(lines.find((each) => each.startsWith('booked'))).toMatch(
      /^booked: Main booked 5\.00 EUR out on \d+ \w+ \d+\.$/,
    );
  });
  it('is left out for a key that reads payouts only', async () => {
    const { client: reader } = await asKey(['payouts:read']);
    const lines = linesOf(await historyOf(id, reader));
    expect(lines).toEqual([
      'created: Created by test: 5.00 EUR to Main, account ending in 3000, from the account.',
      'sent: Left for the bank.',
    ]);
  });
  it.each([
    ['payment_files:read', /payment file PF\w+ for the bank/],
    ['accounts:read', /from Main\.$/],
  ])('comes with its scope, %s', async (scope, text) => {
    const { client: reader } = await asKey(['payouts:read', scope]);
    expect(linesOf(await historyOf(id, reader)).join('\n')).toMatch(new RegExp(text.source, 'm'));
  });
  it('is left out for a key that is restricted to accounts, as banks hold the money of all', async () => {
    const { client: reader } = await asKey(
      ['payouts:read', 'payment_files:read', 'bank_entries:read', 'bank_accounts:read', 'accounts:read'],
      { accounts: [fixtures.acct] },
    );
    expect(linesOf(await historyOf(id, reader)).slice(1)).toEqual(['sent: Left for the bank.']);
  });
  it('a failed delivery is told with the host of its endpoint, and no more of its address', async () => {
    const we = idIn(
      await client.post('/v1/webhook_endpoints', {
        url: 'https://hooks.example.com/secret-path',
        enabled_events: ['payout.created'],
      }),
    );
    const payout = await pay();
    await application.sql(`UPDATE deliveries SET status = 'failed', attempts = $2 WHERE endpoint_id = $1`, [
      uuidOf(we),
      JSON.stringify([
        { started_at: 1, duration_ms: 1, outcome: 'status', http_status: 500, response: 'no', error: null },
      ]),
    ]);
    const text = JSON.stringify(await historyOf(payout));
    expect(text).toContain('payout.created was not delivered to hooks.example.com in 1 attempt: it answered 500.');
    expect(text).not.toContain('secret-path');
    const { client: reader } = await asKey(['payouts:read']);
    expect(JSON.stringify(await historyOf(payout, reader))).not.toContain('hooks.example.com');
  });
});

describe('whom a salary pays', () => {
  it('is hidden without payroll:read', async () => {
    const id = await pay({ category_purpose: 'SALA' });
    const { client: reader } = await application.key({ scopes: ['payouts:read'] });
    const { client: payroll } = await application.key({ scopes: ['payouts:read', 'payroll:read'] });
    expect(linesOf(await historyOf(id, reader))).toEqual(['created: Created by test: 5.00 EUR, from the account.']);
    expect(linesOf(await historyOf(id, payroll))[0]).toContain('to Main, account ending in 3000'); // the control
  });
});

describe('the wall', () => {
  it('hides payouts of other environments, of accounts that are not the key’s, and from keys without the scope', async () => {
    const id = await pay();
    const path = `/v1/payouts/${id}/history`;
    expect((await application.otherSandbox.client.get(path)).status).toBe(404);
    expect((await application.live.client.get(path)).status).toBe(404);
    const { client: elsewhere } = await application.key({
      scopes: ['payouts:read'],
      accounts: [fixtures.otherAccount],
    });
    expect((await elsewhere.get(path)).status).toBe(404);
    const { client: blind } = await application.key({ scopes: ['recipients:read'] });
    expect((await blind.get(path)).status).toBe(403);
    expect((await client.get('/v1/payouts/po_1/history')).status).toBe(404);
  });
});

it('reads little, whatever the length of the tables', async () => {
  const id = await filed();
  const { environmentId } = application.sandbox;
  const uuid = uuidOf(environmentId);
  // A million is not needed to see a walk: these have hundreds of pages.
  await application.sql(
    `INSERT INTO events (environment_id, sequence, id, type, created_at, object_id, object, actor)
      SELECT $1, 1000000 + n, gen_random_uuid(), 'payout.created', now(), gen_random_uuid(), '{}', NULL FROM generate_series(1, 20000) AS n`,
    [uuid],
  );
  await application.sql('ANALYZE events; ANALYZE bank_entries; ANALYZE payouts; ANALYZE deliveries');
  const plans = await readPlans(application.databaseUrl);
  const alike = { payout: id, amountMinor: 500, fromS: Date.now() / 1000, untilS: null };
  const statements = [
    payoutWithNames(environmentId, id, null),
    payoutWithNames(environmentId, id, [fixtures.acct]),
    eventsOfPayout(environmentId, id),
    fileOfPayout(environmentId, id),
    undeliveredOf(environmentId, id),
    entriesOfPayout(environmentId, fixtures.ba, alike),
  ];
  for (const statement of statements)
    for (const { blocks } of await plans.costs(statement)) expect(blocks, statement.text).toBeLessThan(60);
  await plans.client.query('BEGIN; DROP INDEX events_object');
  const [walked] = await plans.costs(undeliveredOf(environmentId, id));
  await plans.client.query('ROLLBACK');
  await plans.end();
  expect(walked?.blocks).toBeGreaterThan(60);
});

// The last, since nobody loosens the rules alone.
it('of one that was held names who approved it', async () => {
  must(await client.post('/v1/settings/payouts', { hold_new_recipients_hours: 24 }));
  const recipient = idIn(await client.post('/v1/recipients', { ...RECIPIENT, name: 'New' }));
  const id = await pay({ recipient });
  expect((await historyOf(id))['summary']).toBe('It waits for 1 approval, because the recipient is new.');
  const { release } = must(await client.get(`/v1/payouts/${id}`)).json;
  const other = await application.key({ name: 'Grace' });
  const { fingerprint } = release as { fingerprint: string };
  must(await other.client.post(`/v1/payouts/${id}/approve`, { fingerprint }));
  const lines = linesOf(await historyOf(id)).filter((each) => !each.startsWith('delivery'));
  expect(lines.slice(1)).toEqual([
    'held: Held, because the recipient is new. It needs 1 approval.',
    'approved: Approved by Grace.',
  ]);
});
