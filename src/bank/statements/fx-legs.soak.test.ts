/** The bank's own exchange closes what exchanges left open: its two entries are assigned to `fx`, by a person or a rule, and the result is shown. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { camt, type Written } from '../../../test/support/bank/camt.ts';
import { type Application, startApplication } from '../../../test/support/harness/application.ts';
import type { Client, Json } from '../../../test/support/harness/http.ts';
import { must } from '../../../test/support/harness/tenant-fixture.ts';
import { auditDatabase } from '../../../test/support/model/audit.ts';
import { handedIn } from '../../../test/support/bank/hand-in.ts';

const IBANS = { EUR: 'DE89370400440532013000', USD: 'DE02120300000000202051' } as const;
let application: Application;
let client: Client;
const get = async (path: string) => must(await client.get(path)).json;
const post = async (path: string, body: object) => must(await client.post(path, body)).json;
const positions = async () => {
  const { positions: all, realised, unrealised } = await get('/v1/exchange_positions');
  return { open: (all as Json[]).map(({ currency, amount }) => [currency, amount]), realised, unrealised };
};

beforeAll(async () => {
  application = await startApplication();
  client = application.sandbox.client;
  const euros = await post('/v1/accounts', { currency: 'EUR' });
  await post(`/v1/test_helpers/accounts/${euros['id'] as string}/fund`, { amount: 10_000 });
  for (const [currency, iban] of Object.entries(IBANS)) {
    const bank = {
      currency,
      country: 'DE',
      holder: 'Rossum',
      bank_details: { iban, bic: 'COBADEFFXXX' },
      booked_by: 'camt.054',
    };
    await post('/v1/bank_accounts', { ...bank, cut_off: '14:30', time_zone: 'Europe/Berlin' });
  }
});
afterAll(async () => {
  expect(await auditDatabase(application.databaseUrl)).toEqual([]);
  await application?.stop();
});

let files = 0;
async function reported(currency: 'EUR' | 'USD', entry: Written): Promise<Json> {
  files += 1;
  const iban = IBANS[currency];
  const statement = {
    iban,
    currency,
    day: '2026-11-24',
    id: `N${files}`,
    entries: [{ reference: `F${files}`, ...entry }],
  };
  const file = camt([statement], 'camt.054');
  must(await handedIn(client, file));
  const { data } = await get('/v1/bank_entries?limit=1');
  return (data as Json[])[0] as Json;
}
const assigned = async (entry: Json) =>
  post(`/v1/bank_entries/${entry['id'] as string}/assign`, { assignments: [{ to: 'fx' }] });

it('an exchange, the two legs of the bank, and what is left', async () => {
  await post('/v1/exchanges', { sell_currency: 'EUR', buy_currency: 'USD', amount: 1_000 });
  expect(await positions()).toMatchObject({
    open: [
      ['EUR', 1_000],
      ['USD', -1_155.1],
    ],
    realised: 0,
    unrealised: 2.51,
  });
  // The bank sells 1,155.10 USD to the operator for 998.00 EUR.
  await assigned(await reported('USD', { amount: '1155.10' }));
  expect(await positions()).toMatchObject({ open: [['EUR', 1_000]], realised: 1_000 });
  const leg = await reported('EUR', { amount: '-998.00' });
  const { assignments } = await assigned(leg);
  expect(await positions()).toEqual({ open: [['EUR', 2]], realised: 2, unrealised: 0 });

  await post(`/v1/bank_entries/${leg['id'] as string}/unassign`, {
    transfer: (assignments as Json[])[0]?.['transfer'],
  });
  expect((await positions()).open).toEqual([['EUR', 1_000]]);
  await assigned(leg);
});

it('a rule that leads entries to fx does the same; a limit never refuses what the bank booked', async () => {
  await post('/v1/bank_rules', { name: 'Exchanges of the bank', text: 'FX DEAL*', to: 'fx' });
  await post('/v1/settings/exchanges', { position_limit: '0.01' });
  await reported('USD', { amount: '-500.00', details: [{ text: 'FX DEAL 4711' }] });
  expect((await positions()).open).toEqual([
    ['EUR', 2],
    ['USD', -500],
  ]);
});

it('the migration finds the same positions in exchanges and entries', async () => {
  const { open } = await positions();
  const [, update] = readFileSync('migrations/before-1.0/0036_fx.sql', 'utf8').split(/(?=WITH legs)/);
  await application.sql('UPDATE environments SET fx = NULL');
  expect((await positions()).open).toEqual([]); // control
  await application.sql(update as string);
  expect((await positions()).open).toEqual(open);
});
