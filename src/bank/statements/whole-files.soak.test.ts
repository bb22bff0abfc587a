/** A bank may book a payment file as one debit: its payouts that are under way are settled, where they come to its amount. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { camt, type Written } from '../../../test/support/bank/camt.ts';
import { pain002 } from '../../../test/support/bank/pain002.ts';
import { type Application, startApplication } from '../../../test/support/harness/application.ts';
import { eventually } from '../../../test/support/harness/eventually.ts';
import type { Client, Json } from '../../../test/support/harness/http.ts';
import { must } from '../../../test/support/harness/tenant-fixture.ts';
import { auditDatabase } from '../../../test/support/model/audit.ts';
import { handedIn } from '../../../test/support/bank/hand-in.ts';

const IBAN = 'DE89370400440532013000';

let application: Application;
let client: Client;
let account: string;
let recipient: string;
let statements = 0;

const get = async (path: string) => must(await client.get(path)).json;
const post = async (path: string, body: object) => must(await client.post(path, body)).json;
const imported = async (file: string) => must(await handedIn(client, file)).json;
const statesOf = (payouts: readonly string[]) =>
  Promise.all(payouts.map(async (payout) => (await get(`/v1/payouts/${payout}`))['status']));

beforeAll(async () => {
  application = await startApplication();
  client = application.sandbox.client;
  account = (await post('/v1/accounts', { currency: 'EUR' }))['id'] as string;
  await post(`/v1/test_helpers/accounts/${account}/fund`, { amount: 100_000 });
  const bank = { currency: 'EUR', country: 'DE', holder: 'Rossum', bank_details: { iban: IBAN } };
  await post('/v1/bank_accounts', { ...bank, cut_off: '14:30', time_zone: 'Europe/Berlin', booked_by: 'camt.054' });
  const ada = { name: 'Ada', type: 'individual', currency: 'EUR', country: 'DE', iban: 'DE02120300000000202051' };
  recipient = (await post('/v1/recipients', ada))['id'] as string;
});
afterAll(() => application?.stop());

interface Exported {
  readonly file: string;
  readonly messageId: string;
  readonly payouts: readonly string[];
}

/** Payouts over these amounts in a file of their own. */
async function exported(...amounts: readonly number[]): Promise<Exported> {
  const made = amounts.map((amount) => post('/v1/payouts', { amount, currency: 'EUR', account, recipient }));
  const payouts = (await Promise.all(made)).map(({ id }) => id as string);
  const [{ id }] = (await post('/v1/bank/exports', {}))['files'] as unknown as readonly [{ id: string }];
  const messageId = await eventually(
    'the file is sealed',
    async () => {
      const file = await get(`/v1/bank/files/${id}`);
      return file['status'] === 'sealed' && (file['message_id'] as string);
    },
    { patienceMs: 60_000 },
  );
  return { file: id, messageId, payouts };
}

/** Imports a notification with this entry, and answers the entry. */
async function booked(entry: Written): Promise<Json> {
  statements += 1;
  const day = `2026-11-${String(statements).padStart(2, '0')}`;
  await imported(camt([{ iban: IBAN, id: `N${statements}`, day, entries: [entry] }], 'camt.054'));
  return ((await get('/v1/bank/entries?limit=1'))['data'] as Json[])[0] ?? {};
}

const rejection = ({ messageId, payouts }: Exported, at: number) =>
  pain002({
    messageId,
    answers: [{ endToEndId: (payouts[at] as string).replace('_', '').toUpperCase(), status: 'RJCT', reason: 'AC04' }],
  });

describe('one debit for a file', () => {
  it.each([
    ['by its PmtInfId', (id: string): Written => ({ amount: '-60.00', batch: { paymentInformationId: id, count: 3 } })],
    ['by its MsgId', (id: string): Written => ({ amount: '-60.00', batch: { messageId: id } })],
    ['in a detail', (id: string): Written => ({ amount: '-60.00', details: [{ paymentInformationId: id }] })],
  ])('settles its payouts, named %s', async (_, entryOf) => {
    const { file, messageId, payouts } = await exported(10, 20, 30);
    const entry = await booked(entryOf(messageId));
    expect(await statesOf(payouts)).toEqual(['paid', 'paid', 'paid']);
    expect(entry).toMatchObject({ status: 'matched', conflict: null, bank_file: file });
    expect(entry['assignments']).toMatchObject([{ to: file, amount: 60 }]);
    const undone = await client.post(`/v1/bank/entries/${entry['id'] as string}/unassign`, {});
    expect(undone.json['error']).toMatchObject({ code: 'bank_assignment_final' });
  });

  it('less what was rejected before', async () => {
    const one = await exported(10, 20, 30);
    await imported(rejection(one, 1));
    const entry = await booked({ amount: '-40.00', batch: { paymentInformationId: one.messageId } });
    expect(await statesOf(one.payouts)).toEqual(['paid', 'failed', 'paid']);
    expect(entry['status']).toBe('matched');
  });

  it('less what is rejected later: it waits for the message', async () => {
    const one = await exported(10, 20, 30);
    const entry = await booked({ amount: '-40.00', batch: { paymentInformationId: one.messageId } });
    expect(entry).toMatchObject({ status: 'unmatched', bank_file: one.file, assignments: [] });
    expect(await statesOf(one.payouts)).toEqual(['in_transit', 'in_transit', 'in_transit']);
    await imported(rejection(one, 1));
    expect(await statesOf(one.payouts)).toEqual(['paid', 'failed', 'paid']);
    expect(await get(`/v1/bank/entries/${entry['id'] as string}`)).toMatchObject({
      status: 'matched',
      assignments: [{ to: one.file, amount: 40 }],
    });
  });

  it('over another sum settles nothing: a person decides', async () => {
    const one = await exported(10, 20);
    const entry = await booked({ amount: '-31.00', batch: { paymentInformationId: one.messageId } });
    expect(entry).toMatchObject({ status: 'unmatched', bank_file: one.file });
    const path = `/v1/bank/entries/${entry['id'] as string}/assign`;
    const whole = await client.post(path, { assignments: [{ to: one.file }] });
    expect(whole.json['error']).toMatchObject({
      code: 'bank_file_sum_mismatch',
      param: 'assignments[0].to',
      message: expect.stringContaining('30.00'),
    });
    expect(await statesOf(one.payouts)).toEqual(['in_transit', 'in_transit']);
    const parts = [{ to: one.file, amount: 30 }, { to: 'fees' }];
    expect(await post(path, { assignments: parts, reason: 'A fee in it' })).toMatchObject({ status: 'matched' });
    expect(await statesOf(one.payouts)).toEqual(['paid', 'paid']);
  });

  it('reported again by another notification books nothing again', async () => {
    const one = await exported(10, 20);
    const entry: Written = { amount: '-30.00', day: '2026-11-28', batch: { paymentInformationId: one.messageId } };
    const first = await booked(entry);
    const again = await booked(entry);
    expect(again['id']).toBe(first['id']);
  });

  it('that comes a second time as a booking of its own waits for a person', async () => {
    const one = await exported(10, 20);
    const entry: Written = { amount: '-30.00', batch: { paymentInformationId: one.messageId } };
    await booked({ ...entry, reference: 'A' });
    expect(await booked({ ...entry, reference: 'B' })).toMatchObject({ status: 'unmatched', bank_file: one.file });
    expect(await statesOf(one.payouts)).toEqual(['paid', 'paid']);
  });

  it('with two thousand payouts is one commit', async () => {
    const payouts = Array.from({ length: 1_000 }, () => ({ amount: 1, currency: 'EUR', account, recipient }));
    for (let half = 0; half < 2; half += 1) await post('/v1/payouts/batch', { payouts });
    const one = await exported(1);
    const entry = await booked({ amount: '-2001.00', batch: { paymentInformationId: one.messageId } });
    expect(entry).toMatchObject({ status: 'matched', assignments: [{ to: one.file, amount: 2_001 }] });
    expect((await get('/v1/payouts?status=in_transit'))['data']).toEqual([]);
  });

  it('the books agree in the end', async () => expect(await auditDatabase(application.databaseUrl)).toEqual([]));
});
