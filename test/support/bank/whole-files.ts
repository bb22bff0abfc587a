/**
 * Payment files that a bank books as one debit: payouts in a file of their own, and notifications with that one entry. Next:
 * `src/bank/statements/whole-files.long.test.ts`; with two thousand payouts: `test/long/whole-files.test.ts`.
 */
import { expect } from 'vitest';
import { eventually } from '../harness/eventually.ts';
import type { Client, Json } from '../harness/http.ts';
import { must } from '../harness/tenant-fixture.ts';
import { camt, type Written } from './camt.ts';
import { handedIn } from './hand-in.ts';

const IBAN = 'DE89370400440532013000';
/** Most payouts of one request. */
const A_BATCH = 1_000;

export interface Exported {
  readonly file: string;
  readonly messageId: string;
  readonly payouts: readonly string[];
}

export type WholeFiles = ReturnType<typeof wholeFiles>;

/** Of the sandbox of this client; call `furnish` before anything else. */
export function wholeFiles(client: () => Client) {
  const get = async (path: string) => must(await client().get(path)).json;
  const post = async (path: string, body: object) => must(await client().post(path, body)).json;
  const imported = async (file: string) => must(await handedIn(client(), file)).json;
  let [account, recipient, statements] = ['', '', 0];
  const order = (amount: number) => ({ amount, currency: 'EUR', account, recipient });
  return {
    get,
    post,
    imported,
    order,
    statesOf: (payouts: readonly string[]) =>
      Promise.all(payouts.map(async (payout) => (await get(`/v1/payouts/${payout}`))['status'])),
    /** An account with money, a bank account and somebody to pay. */
    async furnish(): Promise<void> {
      account = (await post('/v1/accounts', { currency: 'EUR' }))['id'] as string;
      await post(`/v1/test_helpers/accounts/${account}/fund`, { amount: 100_000 });
      const bank = { currency: 'EUR', country: 'DE', holder: 'Rossum', bank_details: { iban: IBAN } };
      await post('/v1/bank_accounts', { ...bank, cut_off: '14:30', time_zone: 'Europe/Berlin', booked_by: 'camt.054' });
      const ada = { name: 'Ada', type: 'individual', currency: 'EUR', country: 'DE', iban: 'DE02120300000000202051' };
      recipient = (await post('/v1/recipients', ada))['id'] as string;
    },
    /** Payouts over these amounts, and all that wait, in a file of their own. */
    async exported(...amounts: readonly number[]): Promise<Exported> {
      const made = amounts.map((amount) => post('/v1/payouts', order(amount)));
      const payouts = (await Promise.all(made)).map(({ id }) => id as string);
      const [{ id }] = (await post('/v1/payment_files', {}))['files'] as unknown as readonly [{ id: string }];
      const isSealed = async () => {
        const file = await get(`/v1/payment_files/${id}`);
        return file['status'] === 'sealed' && (file['message_id'] as string);
      };
      const messageId = await eventually('the file is sealed', isSealed, { patienceMs: 60_000 });
      return { file: id, messageId, payouts };
    },
    /** Imports a notification with this entry, and answers the entry. */
    async booked(entry: Written): Promise<Json> {
      statements += 1;
      const day = `2026-11-${String(statements).padStart(2, '0')}`;
      await imported(camt([{ iban: IBAN, id: `N${statements}`, day, entries: [entry] }], 'camt.054'));
      return ((await get('/v1/bank_entries?limit=1'))['data'] as Json[])[0] ?? {};
    },
  };
}

/** One debit for a file of so many payouts of one euro, and for one more. */
export async function bookManyAtOnce({ booked, exported, get, order, post }: WholeFiles, count: number): Promise<void> {
  for (let made = 0; made < count; made += A_BATCH) {
    const payouts = Array.from({ length: Math.min(A_BATCH, count - made) }, () => order(1));
    await post('/v1/payouts/batch', { payouts });
  }
  const one = await exported(1);
  const amount = `-${count + 1}.00`;
  const entry = await booked({ amount, batch: { paymentInformationId: one.messageId } });
  expect(entry).toMatchObject({ status: 'matched', assignments: [{ to: one.file, amount: count + 1 }] });
  expect((await get('/v1/payouts?status=in_transit'))['data']).toEqual([]);
}
