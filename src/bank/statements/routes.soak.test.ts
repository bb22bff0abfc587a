/** Statement files over HTTP: from an empty live environment to a payout that is paid and one that comes back, by files and API alone. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { camt, type Written, type WrittenStatement } from '../../../test/support/bank/camt.ts';
import { type Application, startApplication } from '../../../test/support/harness/application.ts';
import type { Client, Json } from '../../../test/support/harness/http.ts';
import { must } from '../../../test/support/harness/tenant-fixture.ts';
import { depositReference } from '../../core/rails/creditor-reference.ts';
import { newReference, newToken } from '../../collecting/payments/tokens.ts';
import { handedIn } from '../../../test/support/bank/hand-in.ts';

const IBAN = 'DE89370400440532013000';

let application: Application;
let client: Client;
beforeAll(async () => {
  application = await startApplication();
  client = application.live.client;
});
afterAll(() => application?.stop());

const get = async (path: string) => must(await client.get(path)).json;
const list = async (path: string) => (await get(path))['data'] as Json[];
const post = async (path: string, body: object) => must(await client.post(path, body)).json;
const send = (file: string | Buffer, type = 'application/xml', by = client) => handedIn(by, file, type);
const imported = async (file: string) => must(await send(file)).json;
const statement = (day: string, opening: string, closing: string, entries: readonly Written[]): WrittenStatement => ({
  iban: IBAN,
  day,
  opening,
  closing,
  entries,
});
const entries = (query = '') => list(`/v1/bank_entries?limit=100&order=asc${query}`);
const balanceOf = async (id: string) => (await get(`/v1/accounts/${id}`))['balance'];

describe('from nothing to a payout that is paid and one that comes back', () => {
  let bankAccount: string;
  let account: string;
  let paid: Json;
  let returned: Json;

  it('a first statement books its opening balance, which waits for a person', async () => {
    const holder = {
      currency: 'EUR',
      country: 'DE',
      holder: 'Rossum GmbH',
      bank_details: { iban: IBAN },
      cut_off: '14:30',
      time_zone: 'Europe/Berlin',
    };
    bankAccount = (await post('/v1/bank_accounts', holder))['id'] as string;
    account = (await post('/v1/accounts', { currency: 'EUR' }))['id'] as string;
    const document = await imported(
      camt([
        statement('2026-11-20', '1000.00', '1250.50', [
          {
            amount: '250.50',
            details: [{ text: `Top up ${depositReference(account)}`, name: 'Jan Novák', iban: IBAN }],
          },
        ]),
      ]),
    );
    expect(document).toMatchObject({
      object: 'statement_file',
      status: 'imported',
      statements_count: 1,
      skipped_count: 0,
    });
    const [opening, deposit] = await entries();
    expect(opening).toMatchObject({ kind: 'opening', status: 'unmatched', amount: 1000, amount_unassigned: 1000 });
    expect(deposit).toMatchObject({
      kind: 'entry',
      status: 'matched',
      direction: 'credit',
      amount_minor: 25_050,
      booked_on: '2026-11-20',
      counterparty: { name: 'Jan Novák', account_last4: '3000' },
      assignments: [{ to: account, amount: 250.5, reason: null, undone_by: null }],
    });
    expect(await balanceOf(account)).toBe(25_050);
    expect(await get(`/v1/bank_accounts/${bankAccount}`)).toMatchObject({ balance: 125_050 });
    expect(await list('/v1/bank_statements')).toMatchObject([{ proof: 'ok', new_count: 1, closing_balance: 125_050 }]);
  });

  it('is assigned in parts, and a part is undone', async () => {
    const [opening] = await entries('&status=unmatched');
    const path = `/v1/bank_entries/${opening?.['id'] as string}`;
    const too = await client.post(`${path}/assign`, { assignments: [{ to: account, amount: 1000.01 }] });
    expect(too.json['error']).toMatchObject({ code: 'bank_entry_assigned', param: 'assignments[0][amount]' });
    const parts = [{ to: account, amount: 900 }, { to: 'fees', amount: '40' }, { to: account }];
    const assigned = await post(`${path}/assign`, { assignments: parts, reason: 'Money of before' });
    expect(assigned).toMatchObject({ status: 'matched', amount_unassigned: 0 });
    expect(await balanceOf(account)).toBe(25_050 + 96_000);
    const part = (assigned['assignments'] as Json[])[1] as Json;
    const undone = await post(`${path}/unassign`, { transfer: part['transfer'] });
    expect(undone).toMatchObject({ status: 'unmatched', amount_unassigned: 40 });
    expect((undone['assignments'] as Json[])[1]).toMatchObject({
      to: 'fees',
      undone_by: expect.stringMatching(/^trf_/),
    });
    const again = await client.post(`${path}/unassign`, { transfer: part['transfer'] });
    expect(again.json['error']).toMatchObject({ code: 'resource_missing' });
    await post(`${path}/assign`, { assignments: [{ to: account }] });
    expect(await balanceOf(account)).toBe(125_050);
    expect(await list('/v1/audit_log?action=bank_entry.assigned')).toHaveLength(2);
  });

  it('a debit that names a payout pays it; the same file changes nothing', async () => {
    const recipient = await post('/v1/recipients', {
      name: 'Ada Lovelace',
      type: 'individual',
      currency: 'EUR',
      country: 'DE',
      iban: 'DE02120300000000202051',
    });
    const order = { currency: 'EUR', recipient: recipient['id'], account };
    paid = await post('/v1/payouts', { ...order, amount: 100 });
    returned = await post('/v1/payouts', { ...order, amount: 30 });
    const sent = (payout: Json) => (payout['id'] as string).replace('_', '').toUpperCase();
    const file = camt([
      statement('2026-11-23', '1250.50', '1119.50', [
        { amount: '-100.00', details: [{ endToEndId: sent(paid), name: 'Ada Lovelace' }] },
        { amount: '-30.00', details: [{ endToEndId: sent(returned) }] },
        { amount: '-1.00', details: [{ text: 'Account fee' }] },
      ]),
    ]);
    const first = await imported(file);
    expect(await get(`/v1/payouts/${paid['id'] as string}`)).toMatchObject({ status: 'paid' });
    expect(await get(`/v1/payouts/${returned['id'] as string}`)).toMatchObject({ status: 'paid' });
    expect(await list('/v1/bank_statements')).toMatchObject([{ proof: 'ok', unmatched_count: 1 }, {}]);
    expect(await imported(file)).toEqual(first);
    expect(await entries()).toHaveLength(5);
    const [settled] = await list('/v1/transfers?cause=payout_settlement&order=asc');
    expect(settled).toMatchObject({ from: 'house:in_transit', to: bankAccount, amount: 100 });
  });

  it('a credit that names a payout brings it back, as much as came', async () => {
    const id = returned['id'] as string;
    const sent = id.replace('_', '').toUpperCase();
    const back = { amount: '28.50', details: [{ endToEndId: sent, returned: 'AC04' }] };
    await imported(camt([statement('2026-11-24', '1119.50', '1148.00', [back])]));
    expect(await get(`/v1/payouts/${id}`)).toMatchObject({ status: 'returned', failure_code: 'account_closed' });
    expect(await balanceOf(account)).toBe(125_050 - 13_000 + 2_850);
    const [entry] = (await entries('&direction=credit')).slice(-1);
    expect(entry).toMatchObject({
      status: 'matched',
      remittance: { return_reason: 'AC04' },
      assignments: [{ to: id }],
    });
  });

  it('what contradicts is a conflict: the booking stands, and its money waits', async () => {
    const sent = (paid['id'] as string).replace('_', '').toUpperCase();
    const twice = { amount: '-100.00', details: [{ endToEndId: sent }] };
    await imported(camt([statement('2026-11-25', '1148.00', '1048.00', [twice])]));
    const [entry] = (await entries('&status=unmatched')).slice(-1);
    expect(entry).toMatchObject({
      amount: 100,
      conflict: expect.stringContaining('is paid, and the bank has booked it'),
    });
    expect(await get(`/v1/bank_accounts/${bankAccount}`)).toMatchObject({ balance: 104_800 });
    const types = (await list('/v1/events?types[]=bank_statement.*&types[]=bank_entry.*&limit=100')).map(
      ({ type }) => type,
    );
    expect(types).toEqual(
      expect.arrayContaining(['bank_entry.conflict_detected', 'bank_entry.unmatched', 'bank_entry.assigned']),
    );
  });

  it('a payment is paid by the reference that its payer names, with blanks and line breaks in it', async () => {
    const link = await post('/v1/payment_links', { amount: 12, currency: 'EUR', account });
    const reference = newReference();
    await application.submit(application.live.environmentId, {
      type: 'start_payment',
      link: link['id'] as string,
      method: 'bank_transfer',
      amount: null,
      token: newToken(),
      reference,
    });
    const spread = `inv 7 ${reference.slice(0, 4)} ${reference.slice(4, 9)}`;
    const text = `${spread}\n${reference.slice(9)} thanks`;
    await imported(
      camt([statement('2026-11-26', '1048.00', '1063.00', [{ amount: '15.00', details: [{ text, name: 'Eva' }] }])]),
    );
    const [payment] = await list('/v1/payments');
    expect(payment).toMatchObject({ reference, status: 'overpaid', amount_received: 15, payer: { name: 'Eva' } });
    const [entry] = (await entries('&status=matched')).slice(-1);
    expect(entry).toMatchObject({ assignments: [{ to: payment?.['id'], amount: 15 }] });
  });

  it('two references, an unknown one, or one of another currency are nobody’s', async () => {
    const other = (await post('/v1/accounts', { currency: 'USD' }))['id'] as string;
    const texts = [
      `${depositReference(account)} ${newReference()}`,
      newReference(),
      depositReference(other),
      depositReference(account).replace(/.$/, (last) => (last === '0' ? '1' : '0')),
    ];
    const lines = texts.map((text) => ({ amount: '1.00', details: [{ text }] }));
    await imported(camt([statement('2026-11-27', '1063.00', '1067.00', lines)]));
    const waiting = (await entries('&status=unmatched')).filter(({ booked_on: day }) => day === '2026-11-27');
    expect(waiting).toHaveLength(4);
    const conflicts = waiting.flatMap(({ conflict }) => conflict ?? []);
    expect(conflicts).toEqual([expect.stringContaining(`${other}, which is in USD, and the money is in EUR.`)]);
    expect(await list('/v1/bank_statements?proof=ok')).toHaveLength(6);
  });
});

describe('statements', () => {
  it('that differ from the ledger or from themselves say by how much', async () => {
    const wrong = statement('2026-11-28', '1067.00', '1069.00', [{ amount: '1.00' }]);
    await imported(camt([wrong]));
    expect((await list('/v1/bank_statements?proof=failed'))[0]).toMatchObject({ difference_minor: 100 });
    await imported(camt([statement('2026-12-01', '1079.00', '1079.00', [])]));
    // Nothing of that one is booked, so the ledger stands where the one before it ended.
    expect((await list('/v1/bank_statements?proof=gap'))[0]).toMatchObject({ difference_minor: 1_200 });
  });

  it('of other messages than the one that books are skipped', async () => {
    const report = statement('2026-11-27', '1.00', '2.00', [{ amount: '1.00' }]);
    expect(await imported(camt([report], 'camt.052'))).toMatchObject({ statements_count: 0, skipped_count: 1 });
  });
});

describe('a file that is refused books nothing', () => {
  it.each([
    ['no statement file', 'hello', 'statement_file_invalid'],
    ['nothing', '', 'statement_file_invalid'],
    [
      'cut off',
      camt([statement('2026-12-01', '1.00', '2.00', [{ amount: '1.00' }])]).slice(0, -40),
      'statement_file_invalid',
    ],
    [
      'of somebody else',
      camt([{ ...statement('2026-12-01', '1.00', '2.00', []), iban: 'DE02120300000000202051' }]),
      'bank_account_unknown',
    ],
    [
      'in another currency',
      camt([{ ...statement('2026-12-01', '1.00', '2.00', []), currency: 'USD' }]),
      'bank_account_unknown',
    ],
    [
      'without a number',
      camt([{ ...statement('2026-12-01', '1.00', '2.00', []), iban: '' }]),
      'statement_file_invalid',
    ],
  ])('%s', async (_, file, code) => {
    const before = await entries();
    const { status, json } = await send(file);
    expect([status, json['error']]).toMatchObject([400, { code }]);
    expect(await entries()).toEqual(before);
  });

  it('of an account that is closed: it is not to be added again', async () => {
    const iban = 'DE02100100100006820101';
    const { json: bank } = must(
      await client.post('/v1/bank_accounts', {
        currency: 'EUR',
        country: 'DE',
        holder: 'Rossum',
        bank_details: { iban },
        cut_off: '14:30',
        time_zone: 'Europe/Berlin',
      }),
    );
    must(await client.post(`/v1/bank_accounts/${bank['id'] as string}/close`, {}));
    const { status, json } = await send(camt([{ ...statement('2026-12-01', '1.00', '2.00', []), iban }]));
    expect([status, json['error']]).toMatchObject([400, { code: 'bank_account_closed', resource_id: bank['id'] }]);
    const empty = await send(camt([{ ...statement('2026-12-01', '1.00', '2.00', []), iban: '' }]));
    expect((empty.json['error'] as unknown as Json)['message']).toContain('Acct/Id has no number');
  });

  it('from a key without the scope, or for accounts only', async () => {
    const file = camt([statement('2026-12-01', '1.00', '2.00', [])]);
    const reader = await application.key({ mode: 'live', scopes: ['statement_files:read'] } as never);
    expect((await send(file, 'application/xml', reader.client)).status).toBe(403);
  });
});
