/** Reports of a bank on payment files over HTTP: rejections, duplicates, checks of payees, and money that comes back early. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { camt } from '../../../test/support/bank/camt.ts';
import { pain002, type WrittenReport } from '../../../test/support/bank/pain002.ts';
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

const get = async (path: string) => must(await client.get(path)).json;
const post = async (path: string, body: object) => must(await client.post(path, body)).json;
const statusOf = async (payout: string) => (await get(`/v1/payouts/${payout}`))['status'];
const outgoing = (id: string) => id.replace('_', '').toUpperCase();
const imported = async (file: string) => must(await handedIn(client, file)).json;
const report = (written: WrittenReport) => imported(pain002(written));

beforeAll(async () => {
  application = await startApplication();
  client = application.sandbox.client;
  account = (await post('/v1/accounts', { currency: 'EUR' }))['id'] as string;
  await post(`/v1/test_helpers/accounts/${account}/fund`, { amount: 10_000 });
  const bank = { currency: 'EUR', country: 'DE', holder: 'Rossum', bank_details: { iban: IBAN } };
  await post('/v1/bank_accounts', { ...bank, cut_off: '14:30', time_zone: 'Europe/Berlin', booked_by: 'camt.054' });
  const ada = { name: 'Ada', type: 'individual', currency: 'EUR', country: 'DE', iban: 'DE02120300000000202051' };
  recipient = (await post('/v1/recipients', ada))['id'] as string;
});
afterAll(() => application?.stop());

/** So many payouts in a file of their own: its message id, and theirs. */
async function exported(count: number): Promise<{ file: string; messageId: string; payouts: string[] }> {
  const order = { amount: 10, currency: 'EUR', account, recipient };
  const batch = await post('/v1/payouts/batch', { payouts: Array.from({ length: count }, () => order) });
  const payouts = (batch['results'] as unknown as { payout: { id: string } }[]).map(({ payout }) => payout.id);
  const [{ id }] = (await post('/v1/bank/exports', {}))['files'] as unknown as readonly [{ id: string }];
  const messageId = await eventually('the file is sealed', async () => {
    const file = await get(`/v1/bank/files/${id}`);
    return file['status'] === 'sealed' && (file['message_id'] as string);
  });
  return { file: id, messageId, payouts };
}

describe('a report', () => {
  it('rejects the payments that it names; the money is back', async () => {
    const { file, messageId, payouts } = await exported(3);
    const [one, two, three] = payouts as [string, string, string];
    const before = (await get(`/v1/accounts/${account}`))['balance'] as number;
    const document = await report({
      messageId,
      status: 'PART',
      answers: [
        { endToEndId: outgoing(one), status: 'RJCT', reason: 'AC04', text: 'Konto erloschen' },
        { endToEndId: ` ${outgoing(two).toLowerCase().replace('po', 'PO-')}`, status: 'ACSP' },
      ],
    });
    expect(document).toMatchObject({ status: 'imported', statements_count: 0, notes: [] });
    expect(await get(`/v1/payouts/${one}`)).toMatchObject({ status: 'failed', failure_code: 'account_closed' });
    expect([await statusOf(two), await statusOf(three)]).toEqual(['in_transit', 'in_transit']);
    expect((await get(`/v1/accounts/${account}`))['balance']).toBe(before + 1_000);
    expect((await get(`/v1/bank/files/${file}`))['answered_at']).toEqual(expect.any(Number));
    const refused = await client.post(`/v1/bank/files/${file}/abandon`, { reason: 'x' });
    expect(refused.json['error']).toMatchObject({ code: 'bank_file_answered' });
  });

  it.each([
    ['group', { group: { status: 'RJCT', reason: 'AM04' } }],
    ['whole file', { status: 'RJCT', reason: 'AM04' }],
  ])('that rejects the %s rejects all of it', async (_, said) => {
    const { messageId, payouts } = await exported(120);
    await report({ messageId, ...said });
    const states = await Promise.all(payouts.map(statusOf));
    expect(new Set(states)).toEqual(new Set(['failed']));
    expect(await get(`/v1/payouts/${payouts[0]}`)).toMatchObject({ failure_code: 'insufficient_funds' });
  });

  it.each(['DU01', 'AM05'])('of a duplicate file (%s) changes no payout', async (reason) => {
    const { messageId, payouts } = await exported(2);
    await report({ messageId, status: 'RJCT', reason });
    expect(await Promise.all(payouts.map(statusOf))).toEqual(['in_transit', 'in_transit']);
  });

  it('of accepted files, and of payees whose name does not match, changes no payout', async () => {
    const { messageId, payouts } = await exported(2);
    const [one, two] = payouts as [string, string];
    await report({ messageId, status: 'ACTC' });
    await report({
      messageId,
      group: { status: 'PART' },
      answers: [
        { endToEndId: outgoing(one), status: 'RCVC' },
        { endToEndId: outgoing(two), status: 'RVNM' },
      ],
    });
    expect([await statusOf(one), await statusOf(two)]).toEqual(['in_transit', 'in_transit']);
  });

  it('about what is not here is said in the notes', async () => {
    const { messageId, payouts } = await exported(1);
    const other = await exported(1);
    const document = await report({
      messageId,
      answers: [{ endToEndId: outgoing(other.payouts[0] as string), status: 'RJCT', reason: 'AC04' }],
    });
    expect(document['notes']).toEqual([expect.stringContaining('is not in payment file')]);
    expect(await statusOf(other.payouts[0] as string)).toBe('in_transit');
    const unknown = await report({ messageId: 'SOMEBODY-ELSE', status: 'RJCT', reason: 'AC04' });
    expect(unknown['notes']).toEqual([expect.stringContaining('was not made here (SOMEBODY-ELSE)')]);
    expect(await statusOf(payouts[0] as string)).toBe('in_transit');
  });

  it('beside a booking: what was booked stands', async () => {
    const { messageId, payouts } = await exported(1);
    const [payout] = payouts as [string];
    await imported(
      camt(
        [
          {
            iban: IBAN,
            day: '2026-11-23',
            entries: [{ amount: '-10.00', details: [{ endToEndId: outgoing(payout) }] }],
          },
        ],
        'camt.054',
      ),
    );
    const document = await report({
      messageId,
      answers: [{ endToEndId: outgoing(payout), status: 'RJCT', reason: 'AC04' }],
    });
    expect(document['notes']).toEqual([expect.stringContaining('is paid, and the bank has rejected it')]);
    expect(await statusOf(payout)).toBe('paid');
  });
});

it('money that comes back before its debit is reported waits for it', async () => {
  const { payouts } = await exported(1);
  const [payout] = payouts as [string];
  const details = [{ endToEndId: outgoing(payout), returned: 'AC06' }];
  await imported(camt([{ iban: IBAN, day: '2026-11-24', entries: [{ amount: '9.50', details }] }], 'camt.054'));
  expect(await statusOf(payout)).toBe('in_transit');
  const [waiting] = (await get('/v1/bank/entries?status=unmatched&direction=credit&limit=1'))['data'] as Json[];
  expect(waiting).toMatchObject({ amount: 9.5, conflict: null });
  const before = (await get(`/v1/accounts/${account}`))['balance'] as number;
  await imported(
    camt(
      [{ iban: IBAN, day: '2026-11-25', entries: [{ amount: '-10.00', details: [{ endToEndId: outgoing(payout) }] }] }],
      'camt.054',
    ),
  );
  expect(await get(`/v1/payouts/${payout}`)).toMatchObject({ status: 'returned', failure_code: 'account_frozen' });
  expect((await get(`/v1/accounts/${account}`))['balance']).toBe(before + 950);
  const entry = await get(`/v1/bank/entries/${waiting?.['id'] as string}`);
  expect(entry).toMatchObject({
    status: 'matched',
    assignments: [{ to: payout, amount: 9.5, by: expect.stringMatching(/^key_/) }],
  });
});

it('the books agree in the end', async () => expect(await auditDatabase(application.databaseUrl)).toEqual([]));
