/** Reports of a bank on payment files over HTTP: rejections, duplicates, checks of payees, and money that comes back early. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { camt } from '../../../test/support/bank/camt.ts';
import { pain002, type WrittenReport } from '../../../test/support/bank/pain002.ts';
import { type Application, startApplication } from '../../../test/support/harness/application.ts';
import { eventually } from '../../../test/support/harness/eventually.ts';
import type { Client, Json } from '../../../test/support/harness/http.ts';
import { must } from '../../../test/support/harness/tenant-fixture.ts';
import { newId, uuidOf } from '../../core/values/ids.ts';
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
async function exported(
  count: number,
  more: object = {},
): Promise<{ file: string; messageId: string; payouts: string[] }> {
  const order = { amount: 10, currency: 'EUR', account, recipient, ...more };
  const batch = await post('/v1/payouts/batch', { payouts: Array.from({ length: count }, () => order) });
  const payouts = (batch['results'] as unknown as { payout: { id: string } }[]).map(({ payout }) => payout.id);
  const [{ id }] = (await post('/v1/payment_files', {}))['files'] as unknown as readonly [{ id: string }];
  const messageId = await eventually('the file is sealed', async () => {
    const file = await get(`/v1/payment_files/${id}`);
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
    expect((await get(`/v1/payment_files/${file}`))['answered_at']).toEqual(expect.any(Number));
    const refused = await client.post(`/v1/payment_files/${file}/abandon`, { reason: 'x' });
    expect(refused.json['error']).toMatchObject({ code: 'payment_file_answered' });
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

/** The events about an object, the newest first. */
async function eventsOf(id: string): Promise<readonly { type: string; data: { object: Json } }[]> {
  return (await get(`/v1/events?related_object=${id}`))['data'] as never;
}

describe('a UETR leads to its payout', () => {
  const uetrOf = (payout: string) => {
    const uuid = uuidOf(payout);
    return `${uuid.slice(0, 14)}4${uuid.slice(15)}`;
  };
  it.each([
    ['as it went out', '2026-10-01', (uetr: string) => uetr],
    ['in upper case', '2026-10-02', (uetr: string) => uetr.toUpperCase()],
    ['without hyphens', '2026-10-03', (uetr: string) => uetr.replaceAll('-', '')],
  ])('%s, in reports and in entries', async (_, day, written) => {
    const { messageId, payouts } = await exported(2);
    const [one, two] = payouts as [string, string];
    await report({ messageId, answers: [{ uetr: written(uetrOf(one)), status: 'RJCT', reason: 'AC04' }] });
    expect([await statusOf(one), await statusOf(two)]).toEqual(['failed', 'in_transit']);
    const details = [{ uetr: written(uetrOf(two)) }];
    await imported(camt([{ iban: IBAN, day, entries: [{ amount: '-10.00', details }] }], 'camt.054'));
    expect(await statusOf(two)).toBe('paid');
  });

  it('and one of somebody else to nothing: the reference beside it counts', async () => {
    const { reference } = await get(`/v1/accounts/${account}/deposit_instructions`);
    const before = (await get(`/v1/accounts/${account}`))['balance'] as number;
    const details = [{ uetr: uetrOf(newId('po')), text: `Rent ${reference as string}` }];
    await imported(camt([{ iban: IBAN, day: '2026-11-27', entries: [{ amount: '77.00', details }] }], 'camt.054'));
    expect((await get(`/v1/accounts/${account}`))['balance']).toBe(before + 7_700);
  });
});

describe('what the bank says', () => {
  it('in its own words stands on the payout, the file and their events', async () => {
    const { file, messageId, payouts } = await exported(3);
    const [one, two, three] = payouts as [string, string, string];
    expect(await get(`/v1/payouts/${one}`)).toMatchObject({ bank_reason: null, accepted_at: null, payee_check: null });
    await report({
      messageId,
      status: 'PART',
      reason: 'AM10',
      text: 'Summe geprüft',
      answers: [
        { endToEndId: outgoing(one), status: 'RJCT', reason: 'AC04', text: 'Konto erloschen' },
        { endToEndId: outgoing(two), status: 'ACSP' },
        { endToEndId: outgoing(three), status: 'ACTC' },
      ],
    });
    const failed = { status: 'failed', bank_reason: { code: 'AC04', text: 'Konto erloschen' }, accepted_at: null };
    expect(await get(`/v1/payouts/${one}`)).toMatchObject(failed);
    expect((await eventsOf(one))[0]).toMatchObject({ type: 'payout.failed', data: { object: failed } });
    const accepted = { status: 'in_transit', bank_reason: null, accepted_at: expect.any(Number) };
    expect(await get(`/v1/payouts/${two}`)).toMatchObject(accepted);
    expect((await eventsOf(two))[0]).toMatchObject({
      type: 'payout.updated',
      data: { object: accepted, previous_attributes: { accepted_at: null } },
    });
    expect(await get(`/v1/payouts/${three}`)).toMatchObject({ bank_reason: null, accepted_at: null });
    const reason = { bank_reason: { code: 'AM10', text: 'Summe geprüft' } };
    expect(await get(`/v1/payment_files/${file}`)).toMatchObject(reason);
    expect((await eventsOf(file))[0]).toMatchObject({ type: 'payment_file.updated', data: { object: reason } });
    const csv = await client.send('GET', '/v1/payouts?limit=3', '', { accept: 'text/csv' });
    expect(csv.text.split('\n')[0]).toContain('bank_reason');
    expect(csv.text).toContain('Konto erloschen');
  });

  it('of the names of payees is one event of the file, with those that do not match', async () => {
    const { file, messageId, payouts } = await exported(120);
    const [one, two, three, other] = payouts as [string, string, string, string];
    const checked = {
      messageId,
      status: 'RVCM',
      text: 'Rechtlicher Hinweis',
      counts: { RCVC: 117, RVMC: 1, RVNM: 1, RVNA: 1 },
      answers: [
        { endToEndId: outgoing(one), status: 'RVMC', text: 'Ada King' },
        { endToEndId: outgoing(two), status: 'RVNM', text: 'Name passt nicht' },
        { endToEndId: outgoing(three), status: 'RVNA' },
      ],
    };
    await report(checked);
    const checks = await Promise.all(
      [one, two, three, other].map(async (id) => (await get(`/v1/payouts/${id}`))['payee_check']),
    );
    expect(checks).toEqual([
      { result: 'close_match', name: 'Ada King' },
      { result: 'no_match', name: null },
      { result: 'not_possible', name: null },
      { result: 'match', name: null },
    ]);
    const summary = {
      payee_check: {
        match_count: 117,
        close_match_count: 1,
        no_match_count: 1,
        not_possible_count: 1,
        payouts: [one, two, three],
      },
      bank_reason: null,
    };
    expect(await get(`/v1/payment_files/${file}`)).toMatchObject(summary);
    const typesOf = (events: readonly { type: string }[]) => events.map(({ type }) => type);
    const events = await eventsOf(file);
    expect(typesOf(events)).toEqual(['payment_file.payees_checked', 'payment_file.sealed']);
    expect(events[0]?.data.object).toMatchObject(summary);
    await report(checked);
    expect(typesOf(await eventsOf(file))).toEqual(typesOf(events));
    expect(await statusOf(two)).toBe('in_transit');
  });

  it('of names that all match, or of which it does not say how many match', async () => {
    const all = await exported(2);
    await report({ messageId: all.messageId, status: 'RCVC', counts: { RCVC: 2 } });
    expect((await get(`/v1/payment_files/${all.file}`))['payee_check']).toMatchObject({ match_count: 2, payouts: [] });
    const some = await exported(2);
    const [one, two] = some.payouts as [string, string];
    await report({
      messageId: some.messageId,
      status: 'RVCM',
      counts: { RVNM: 2 },
      answers: [{ endToEndId: outgoing(one), status: 'RVNM' }],
    });
    expect((await get(`/v1/payouts/${two}`))['payee_check']).toBeNull();
    expect((await get(`/v1/payment_files/${some.file}`))['payee_check']).toMatchObject({
      match_count: 0,
      payouts: [one],
    });
  });
});

it('what the bank said of a person is erased with the person, and nothing else', async () => {
  const bob = { name: 'Bob', type: 'individual', currency: 'EUR', country: 'DE', iban: 'DE02500105170137075030' };
  const id = (await post('/v1/recipients', bob))['id'] as string;
  const metadata = { code: 'AC04', text: 'mine' };
  const { messageId, payouts } = await exported(1, { recipient: id, metadata });
  const [payout] = payouts as [string];
  const said = (status: string, text: string, reason?: string) =>
    report({ messageId, answers: [{ endToEndId: outgoing(payout), status, text, ...(reason && { reason }) }] });
  await said('RVMC', 'Robert "Bob" King');
  await said('PDNG', 'Robert wird geprüft', 'FR01');
  await said('RJCT', 'Robert ist \\ tot', 'MD07');
  const texts = async () => [
    must(await client.get(`/v1/payouts/${payout}`)).text,
    must(await client.get(`/v1/events?related_object=${payout}`)).text,
  ];
  for (const text of await texts()) expect(text).toContain('Robert');
  await post(`/v1/recipients/${id}/redact`, {});
  for (const text of await texts()) expect(text).not.toContain('Robert');
  const after = {
    bank_reason: { code: 'MD07', text: null },
    payee_check: { result: 'close_match', name: null },
    metadata,
  };
  expect(await get(`/v1/payouts/${payout}`)).toMatchObject(after);
  expect((await eventsOf(payout))[0]?.data.object).toMatchObject(after);
});

it('money that comes back before its debit is reported waits for it', async () => {
  const { payouts } = await exported(1);
  const [payout] = payouts as [string];
  const details = [{ endToEndId: outgoing(payout), returned: 'AC06' }];
  await imported(camt([{ iban: IBAN, day: '2026-11-24', entries: [{ amount: '9.50', details }] }], 'camt.054'));
  expect(await statusOf(payout)).toBe('in_transit');
  const [waiting] = (await get('/v1/bank_entries?status=unmatched&direction=credit&limit=1'))['data'] as Json[];
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
  const entry = await get(`/v1/bank_entries/${waiting?.['id'] as string}`);
  expect(entry).toMatchObject({
    status: 'matched',
    assignments: [{ to: payout, amount: 9.5, actor: expect.stringMatching(/^key_/) }],
  });
});

it('the books agree in the end', async () => expect(await auditDatabase(application.databaseUrl)).toEqual([]));
