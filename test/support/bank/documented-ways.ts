/**
 * What tests of documented ways share: a sandbox with a bank account, a second person, fees and an endpoint; statements whose balances follow
 * on; and `bursar verify` behind each step. Who walks: `src/verify/documented-ways*.soak.test.ts`, `src/verify/restored-books.long.test.ts`.
 */
import pg from 'pg';
import { expect } from 'vitest';
import { formatMoney } from '../../../src/core/values/money.ts';
import { DAY_MS, isoDay } from '../../../src/core/values/time.ts';
import { type Application, type Holder, SERVER_SECRET, startApplication } from '../harness/application.ts';
import { BUILT, cli } from '../harness/cli.ts';
import { databaseUrl, emptyDatabase } from '../harness/database.ts';
import { eventually } from '../harness/eventually.ts';
import { must } from '../harness/tenant-fixture.ts';
import { audit, auditDatabase } from '../model/audit.ts';
import { camt, type Written } from './camt.ts';
import { type Bank, dialectStage } from './dialect-stage.ts';
import { handedIn } from './hand-in.ts';

const IBAN = 'DE89370400440532013000';
export const PAYEE = 'DE02120300000000202051';
const RETURNED = 'AC04';

export const debit = (payout: string, amount: string): Written => ({
  amount: `-${amount}`,
  details: [{ endToEndId: payout.replace('_', '').toUpperCase() }],
});
export const back = (payout: string, amount: string): Written => ({
  amount,
  details: [{ endToEndId: payout.replace('_', '').toUpperCase(), returned: RETURNED }],
});

async function bursar(args: readonly string[], env: Readonly<Record<string, string>>): Promise<void> {
  const { code, stdout, stderr } = await cli(args, { BURSAR_SECRET: SERVER_SECRET, ...env }, BUILT);
  expect([code, stdout, stderr]).toEqual([0, stdout, stderr]);
}

export type Ways = Awaited<ReturnType<typeof documentedWays>>;

/** A bank account whose statements begin with nothing on it. */
export async function documentedWays() {
  let application: Application = await startApplication();
  let second: Holder = await application.key();
  const stage = dialectStage(() => application.sandbox.client);
  const { get, list, post } = stage;
  /** What the bank has on the account, minor units, and how many statements it has made. */
  let held = 0;
  let days = 0;
  let here: Bank;

  /** What the operator sets up first; once more after a reset of the sandbox. */
  async function begin(): Promise<void> {
    [held, days] = [0, 0];
    await post('/v1/webhook_endpoints', { url: 'https://hooks.example.com/bursar', enabled_events: ['*'] });
    await post('/v1/fee_rules', { on: 'payout', currency: 'EUR', amount: 0.25 });
    await post('/v1/fee_rules', { on: 'payment', currency: 'EUR', amount: 0.1 });
    here = await stage.bank('DE', 'EUR', { iban: IBAN });
  }
  async function fileIs(state: string): Promise<string> {
    const [file] = await list('/v1/payment_files?limit=1');
    const id = file?.['id'] as string;
    await eventually(`file ${id} is ${state}`, async () => (await get(`/v1/payment_files/${id}`))['status'] === state);
    return id;
  }
  // As the start of a server notes it: from then on no text is clear.
  const sealed = ['recipients', 'recipient_versions', 'payment_links', 'payments', 'events', 'idempotency_records'];
  await application.sql(`INSERT INTO sealings (name, key_id) SELECT unnest($1::text[]), 'x'`, [sealed]);
  await begin();

  return {
    ...stage,
    begin,
    fileIs,
    bankAccount: () => here,

    /** Says what was done, and that the books are in order behind it. */
    async fine(step: string): Promise<void> {
      expect([step, ...(await auditDatabase(application.databaseUrl))]).toEqual([step]);
    },
    /** What is found when this damage is done to one row. */
    async found(damage: string): Promise<readonly string[]> {
      const client = new pg.Client(application.databaseUrl);
      await client.connect();
      try {
        await client.query('BEGIN'); // never committed
        expect((await client.query(damage)).rowCount).toBe(1);
        return await audit(client);
      } finally {
        await client.query('ROLLBACK');
        await client.end();
      }
    },

    /** Payouts of so much each, in a payment file of their own. */
    pay: async (...amounts: number[]) => (await stage.sent(here, 'EUR', 'DE', PAYEE, ...amounts)).payouts,
    /** The next statement of the bank, on the day behind the one before. Answers the file. */
    async reported(...entries: readonly Written[]): Promise<string> {
      const opening = held;
      for (const { amount } of entries) held += Math.round(Number(amount) * 100);
      const day = isoDay(Date.now() + (days++ - 60) * DAY_MS);
      const major = (minor: number) => formatMoney(BigInt(minor), 'EUR').replace(/[^\d.-]/g, '');
      const file = camt([{ iban: IBAN, day, opening: major(opening), closing: major(held), entries }]);
      must(await handedIn(application.sandbox.client, file));
      return file;
    },
    handIn: async (file: string) => must(await handedIn(application.sandbox.client, file)).json,
    unmatched: async () => (await list('/v1/bank_entries?status=unmatched&limit=1'))[0]?.['id'] as string,
    asSecond: async (path: string, body: object) => must(await second.client.post(path, body)).json,
    async abandoned(): Promise<void> {
      const path = `/v1/payment_files/${await fileIs('sealed')}/abandon`;
      must(await second.client.post(path, { reason: 'The bank never got it' }));
      await fileIs('abandoned');
    },
    async exported(): Promise<void> {
      await post('/v1/payment_files', { bank_account: here.id });
      await fileIs('sealed');
    },

    application: () => application,
    /** The command line on the database. Ends with 0, so that `restore` has found the books in order. */
    bursar: (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
      bursar(args, { DATABASE_URL: application.databaseUrl, ...env }),
    /** A restore into an empty database, where the service goes on. */
    async restore(path: string): Promise<void> {
      const database = await emptyDatabase(databaseUrl(application.databaseUrl, 'postgres')); // outlives the one before
      await bursar(['restore', path], { DATABASE_URL: database.serverUrl, DATABASE_OWNER_URL: database.url });
      await application.stop();
      application = await startApplication({ database });
      second = await application.key();
    },
    end: () => application.stop(),
  };
}
