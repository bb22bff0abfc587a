/** The queue of entries without a place: suggestions with their reasons, many assigned at once, money sent back to who sent it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { camt, type Written } from '../../../test/support/bank/camt.ts';
import { type Application, startApplication } from '../../../test/support/harness/application.ts';
import { eventually } from '../../../test/support/harness/eventually.ts';
import type { Client, Json } from '../../../test/support/harness/http.ts';
import { must } from '../../../test/support/harness/tenant-fixture.ts';
import { auditDatabase } from '../../../test/support/model/audit.ts';
import { depositReference } from '../../core/rails/creditor-reference.ts';
import { newReference, newToken } from '../../collecting/payments/tokens.ts';
import { handedIn } from '../../../test/support/bank/hand-in.ts';

const IBAN = 'DE89370400440532013000';
const EVA = { name: 'Eva Nováková', iban: 'NL91ABNA0417164300' } as const;

let application: Application;
let client: Client;
let account: string;
const get = async (path: string) => must(await client.get(path)).json;
const post = async (path: string, body: object) => must(await client.post(path, body)).json;
const queue = async (query = '') =>
  (await get(`/v1/bank_entries?status=unmatched&limit=100${query}`))['data'] as Json[];
const idOf = ({ id }: Json | undefined = {}) => id as string;

/** Each file is of a day of its own: without balances, the same of the same day would wait. */
const onDay = (n: number): string => new Date(Date.UTC(2026, 5, n)).toISOString().slice(0, 10);
let files = 0;
/** Entries of a bank; what each became, in order. */
async function reported(...entries: readonly Written[]): Promise<Json[]> {
  files += 1;
  const numbered = entries.map((entry, n) => ({ reference: `F${files}-${n}`, ...entry }));
  const statement = { iban: IBAN, day: onDay(files), id: `N${files}`, entries: numbered };
  const file = camt([statement], 'camt.054');
  must(await handedIn(client, file));
  const { data } = await get(`/v1/bank_entries?limit=${entries.length}`);
  return (data as Json[]).toReversed();
}

beforeAll(async () => {
  application = await startApplication();
  client = application.sandbox.client;
  account = idOf(await post('/v1/accounts', { currency: 'EUR' }));
  await post(`/v1/test_helpers/accounts/${account}/fund`, { amount: 1_000 });
  const bank = {
    currency: 'EUR',
    country: 'DE',
    holder: 'Rossum',
    bank_details: { iban: IBAN },
    booked_by: 'camt.054',
  };
  await post('/v1/bank_accounts', { ...bank, cut_off: '14:30', time_zone: 'Europe/Berlin' });
});
afterAll(() => application?.stop());

async function started(amount: number): Promise<{ readonly id: string; readonly reference: string }> {
  const link = idOf(await post('/v1/payment_links', { amount, currency: 'EUR', account }));
  const reference = newReference();
  const start = {
    type: 'start_payment',
    link,
    method: 'bank_transfer',
    amount: null,
    token: newToken(),
    reference,
  } as const;
  const { id } = JSON.parse(await application.submit(application.sandbox.environmentId, start)) as { id: string };
  return { id, reference };
}
/** With another check digit, which is wrong whatever the reference is: one digit less or more would be right once in 97. */
const mistyped = (reference: string) =>
  reference.replace(/^RF(\d)/, (_, digit: string) => `RF${(Number(digit) + 1) % 10}`);
const suggested = (entry: Json | undefined) =>
  ((entry?.['suggestions'] ?? []) as Json[]).map(({ to, reasons }) => [to, (reasons as unknown as string[]).join(' ')]);
const inQueue = async (entry: Json | undefined) => (await queue()).find(({ id }) => id === entry?.['id']);
const suggestionsOf = async (entry: Json | undefined) => ((await inQueue(entry))?.['suggestions'] ?? []) as Json[];

it('a reference as EndToEndId, or under Prtry, pays its payment as a structured one does; another beside it leads nowhere', async () => {
  const [one, two, three, four] = [await started(11), await started(12), await started(13), await started(14)];
  const entries = await reported(
    { amount: '11.00', details: [{ endToEndId: one.reference }] },
    { amount: '12.00', details: [{ proprietary: two.reference.toLowerCase(), text: 'Danke' }] },
    { amount: '13.00', details: [{ endToEndId: three.reference, creditorReference: four.reference }] },
    { amount: '14.00', details: [{ endToEndId: mistyped(four.reference), creditorReference: four.reference }] },
  );
  expect(entries.map(({ status, assignments }) => [status, (assignments as unknown as Json[])[0]?.['to']])).toEqual([
    ['matched', one.id],
    ['matched', two.id],
    ['unmatched', undefined],
    ['matched', four.id],
  ]);
});

describe('suggestions', () => {
  it('for a typing error, two references, an amount', async () => {
    const [one, other] = [await started(31), await started(32)];
    const swapped = one.reference.replace(/(.)(.)$/, '$2$1');
    const [typed, two, amount] = await reported(
      { amount: '31.00', details: [{ text: swapped === one.reference ? mistyped(one.reference) : swapped }] },
      { amount: '5.00', details: [{ text: `${other.reference} ${depositReference(account)}` }] },
      { amount: '32.00', details: [{ text: 'thanks' }] },
    );
    expect(suggested(await inQueue(typed))).toEqual([[one.id, 'reference amount']]);
    expect(new Map(suggested(await inQueue(two)) as [string, string][])).toEqual(
      new Map([
        [other.id, 'reference'],
        [account, 'reference'],
      ]),
    );
    expect(suggested(await inQueue(amount))).toEqual([[other.id, 'amount']]);
  });

  it('a credit that names several is divided among all of them, ready to be assigned in one call, and never by itself', async () => {
    const [one, other, third] = [await started(31.5), await started(32), await started(33)];
    const [parts, text, unequal] = await reported(
      {
        amount: '100.00',
        details: [
          { amount: '31.50', text: one.reference },
          { amount: '40.00', text: depositReference(account) },
          { amount: '28.50', text: 'thanks' },
        ],
      },
      { amount: '65.00', details: [{ text: `${other.reference}, ${third.reference}` }] },
      { amount: '66.00', details: [{ text: `${other.reference}, ${third.reference}` }] },
    );
    for (const each of [parts, text, unequal]) expect(each).toMatchObject({ status: 'unmatched', assignments: [] });
    const [split] = await suggestionsOf(parts);
    expect(split).toEqual({
      to: null,
      amount: 71.5,
      amount_minor: 7_150,
      reasons: ['reference', 'amount'],
      assignments: [
        { to: one.id, amount: 31.5 },
        { to: account, amount: 40 },
      ],
    });
    const assigned = await post(`/v1/bank_entries/${idOf(parts)}/assign`, { assignments: split?.['assignments'] });
    expect(assigned).toMatchObject({ status: 'unmatched', amount_unassigned: 28.5 });
    const [whole] = await suggestionsOf(text);
    const assignments = whole?.['assignments'] as Json[];
    expect(new Map(assignments.map(({ to, amount }) => [to, amount]))).toEqual(
      new Map([
        [other.id, 32],
        [third.id, 33],
      ]),
    );
    // 66 is not what the two wait for: one suggestion each, and no division.
    expect(new Set((await suggestionsOf(unequal)).map(({ to }) => to))).toEqual(new Set([other.id, third.id]));
    expect(await post(`/v1/bank_entries/${idOf(text)}/assign`, { assignments })).toMatchObject({ status: 'matched' });
    expect(await get(`/v1/payments/${third.id}`)).toMatchObject({ status: 'succeeded' });
  });

  it('for an account and a name that sent money before', async () => {
    const [first] = await reported({ amount: '7.00', details: [EVA] });
    expect(suggested(await inQueue(first))).toEqual([]);
    await post(`/v1/bank_entries/${idOf(first)}/assign`, { assignments: [{ to: account }] });
    const [same, named] = await reported(
      { amount: '8.00', details: [EVA] },
      { amount: '9.00', details: [{ name: 'EVA NOVAKOVA' }] },
    );
    expect(suggested(await inQueue(same))).toEqual([[account, 'account name']]);
    expect(suggested(await inQueue(named))).toEqual([[account, 'name']]);
  });

  it('for money that comes back and quotes nothing, and for a debit', async () => {
    const ada = { name: 'Ada', type: 'individual', currency: 'EUR', country: 'DE', iban: 'DE02120300000000202051' };
    const recipient = idOf(await post('/v1/recipients', ada));
    const order = { currency: 'EUR', account, recipient };
    const [paid, sent] = [
      idOf(await post('/v1/payouts', { ...order, amount: 41 })),
      idOf(await post('/v1/payouts', { ...order, amount: 43 })),
    ];
    await post('/v1/payment_files', {});
    for (const id of [sent, paid])
      await eventually(`${id} is in a file`, async () => (await get(`/v1/payouts/${id}`))['status'] === 'in_transit');
    await reported({ amount: '-41.00', details: [{ endToEndId: paid.replace('_', '').toUpperCase() }] });
    expect((await get(`/v1/payouts/${paid}`))['status']).toBe('paid');
    const [back, debit] = await reported(
      { amount: '41.00', details: [{ name: 'Ada', iban: ada.iban, returned: 'AC04' }] },
      { amount: '-43.00', details: [{ name: 'Ada' }] },
    );
    expect(suggested(await inQueue(back))).toEqual([[paid, 'return amount account name']]);
    expect(suggested(await inQueue(debit))).toEqual([[sent, 'amount name']]);
    const to = (entry: Json | undefined, target: string) => ({ entry: idOf(entry), to: target });
    const assigned = await post('/v1/bank_entries/assign/batch', { entries: [to(back, paid), to(debit, sent)] });
    expect(assigned['data']).toMatchObject([{ status: 'matched' }, { status: 'matched' }]);
    expect((await get(`/v1/payouts/${paid}`))['status']).toBe('returned');
    expect((await get(`/v1/payouts/${sent}`))['status']).toBe('paid');
  });

  /** Payouts of one amount to one recipient, in a file. */
  async function underWay(amount: number, count: number): Promise<readonly string[]> {
    const eva = { name: 'Eva', type: 'individual', currency: 'EUR', country: 'NL', iban: 'NL02ABNA0123456789' };
    const order = { currency: 'EUR', account, amount, recipient: idOf(await post('/v1/recipients', eva)) };
    const ids: string[] = [];
    for (let n = 0; n < count; n += 1) ids.push(idOf(await post('/v1/payouts', order)));
    await post('/v1/payment_files', {});
    for (const id of ids)
      await eventually(`${id} is in a file`, async () => (await get(`/v1/payouts/${id}`))['status'] === 'in_transit');
    return ids;
  }
  const outgoing = (id: string) => id.replace('_', '').toUpperCase();
  const assignmentsOf = (entry: Json | undefined) =>
    ((entry?.['suggestions'] ?? []) as Json[]).map(({ assignments }) => assignments);

  it('for a payout named in words come first, without others of its amount', async () => {
    const [one = '', two = ''] = await underWay(51, 2);
    const words = `Auftrag ${outgoing(two).replace(/(.{9})/g, '$1 ')} erledigt`;
    const [named, silent] = await reported(
      { amount: '-51.00', details: [{ text: words, name: 'Eva' }] },
      { amount: '-51.00', details: [{ name: 'Eva' }] },
    );
    expect(suggested(await inQueue(named))).toEqual([[two, 'reference amount']]);
    expect(suggested(await inQueue(silent)).map(([to]) => to)).toEqual(expect.arrayContaining([one, two]));
    await post('/v1/bank_entries/assign/batch', { entries: [{ entry: idOf(named), to: two }] });
    const [back] = await reported({ amount: '50.40', details: [{ text: `Rückgabe ${two}`, returned: 'AC04' }] });
    expect(suggested(await inQueue(back))).toEqual([[two, 'reference']]);
    const [other] = await reported({
      amount: '51.00',
      details: [{ text: `Zu ${one}`, returned: 'AC04', name: 'Eva' }],
    });
    expect(suggested(await inQueue(other))).toEqual([]);
  });

  it('for a debit with charges are the payout and the fees, and the entry shows what the bank says of amounts', async () => {
    const [one = '', two = '', three = '', four = ''] = await underWay(61, 4);
    const charges =
      '<Chrgs><Rcrd><Amt Ccy="EUR">0.80</Amt><CdtDbtInd>DBIT</CdtDbtInd><ChrgInclInd>true</ChrgInclInd><Tp><Cd>COMM</Cd></Tp></Rcrd></Chrgs>';
    const exchange =
      '<CcyXchg><SrcCcy>EUR</SrcCcy><TrgtCcy>USD</TrgtCcy><UnitCcy>EUR</UnitCcy><XchgRate>1.0846</XchgRate></CcyXchg>';
    const ordered = `<AmtDtls><InstdAmt><Amt Ccy="USD">66.16</Amt>${exchange}</InstdAmt></AmtDtls>`;
    const instructed = '<AmtDtls><InstdAmt><Amt Ccy="EUR">61.00</Amt></InstdAmt></AmtDtls>';
    const [named, within, silent] = await reported(
      { amount: '-61.90', details: [{ endToEndId: outgoing(one) }] },
      { amount: '-61.70', details: [{ endToEndId: outgoing(two), more: instructed }] },
      { amount: '-61.80', details: [{ more: ordered + charges }] },
    );
    const split = (payout: string, fee: number) => [
      { to: payout, amount: 61 },
      { to: 'fees', amount: fee },
    ];
    expect(assignmentsOf(await inQueue(named))).toEqual([split(one, 0.9)]);
    expect(assignmentsOf(await inQueue(within))).toEqual([[{ to: 'fees', amount: 0.7 }]]);
    const shown = await inQueue(silent);
    expect(assignmentsOf(shown)).toEqual(expect.arrayContaining([split(three, 0.8), split(four, 0.8)]));
    expect(shown).toMatchObject({
      charges: [{ amount: 0.8, amount_minor: 80, currency: 'EUR', code: 'COMM', included: true }],
      instructed: { amount: 66.16, amount_minor: 6616, currency: 'USD' },
      exchange: { source_currency: 'EUR', target_currency: 'USD', unit_currency: 'EUR', rate: '1.0846' },
    });
    expect(named).toMatchObject({ charges: [], instructed: null, exchange: null });
    await post(`/v1/bank_entries/${idOf(named)}/assign`, { assignments: split(one, 0.9) });
    await post(`/v1/bank_entries/${idOf(within)}/assign`, { assignments: [{ to: 'fees' }] });
    expect((await get(`/v1/payouts/${one}`))['status']).toBe('paid');
    expect((await get(`/v1/payouts/${two}`))['status']).toBe('paid');
  });

  it('for more than was sent, with our id, are the payout and the rest', async () => {
    const [one = ''] = await underWay(71, 1);
    await reported({ amount: '-71.00', details: [{ endToEndId: outgoing(one) }] });
    const [back] = await reported({ amount: '71.25', details: [{ endToEndId: outgoing(one), returned: 'AC04' }] });
    const [first] = assignmentsOf(await inQueue(back));
    expect(first).toEqual([
      { to: one, amount: 71 },
      { to: 'fees', amount: 0.25 },
    ]);
  });

  it('are none of what is not the caller’s, nor of another currency', async () => {
    const other = application.otherSandbox.client;
    expect((await other.get('/v1/bank_entries?status=unmatched')).json).toEqual({ data: [] });
  });
});

describe('many at once', () => {
  it('all of them or none, and the fault is named', async () => {
    const [one, two] = await reported({ amount: '1.00' }, { amount: '2.00' });
    const entries = [
      { entry: idOf(one), to: account },
      { entry: idOf(two), to: account, amount: '2.01' },
    ];
    const refused = await client.post('/v1/bank_entries/assign/batch', { entries });
    expect(refused.json['error']).toMatchObject({ code: 'bank_entry_assigned', param: 'entries[1][amount]' });
    expect((await get(`/v1/bank_entries/${idOf(one)}`))['status']).toBe('unmatched');
    const done = await post('/v1/bank_entries/assign/batch', {
      entries: entries.map(({ entry, to }) => ({ entry, to })),
      reason: 'x',
    });
    expect(done['data']).toMatchObject([
      { id: idOf(one), status: 'matched' },
      { id: idOf(two), status: 'matched' },
    ]);
    const again = await client.post('/v1/bank_entries/assign/batch', { entries: [{ entry: idOf(one), to: 'fees' }] });
    expect(again.json['error']).toMatchObject({ code: 'bank_entry_assigned' });
  });
});

describe('sent back', () => {
  it('as a payout to the IBAN that it came from, without a fee', async () => {
    await post('/v1/fee_rules', { on: 'payout', amount: '0.50', currency: 'EUR' });
    const before = (await get(`/v1/accounts/${account}`))['balance'];
    const [entry] = await reported({ amount: '12.34', details: [{ ...EVA, text: 'by mistake' }] });
    const returned = await post(`/v1/bank_entries/${idOf(entry)}/return`, { reason: 'Nobody asked for it' });
    expect(returned).toMatchObject({ status: 'matched', assignments: [{ to: account, amount: 12.34 }] });
    const payout = await get(`/v1/payouts/${returned['return_payout'] as string}`);
    expect(payout).toMatchObject({
      amount: 12.34,
      reference: 'Return by mistake',
      fees: [],
      metadata: { bank_entry: idOf(entry) },
      destination: { name: EVA.name, last4: '4300' },
    });
    expect((await get(`/v1/accounts/${account}`))['balance']).toBe(before);
    const again = await client.post(`/v1/bank_entries/${idOf(entry)}/return`, {});
    expect(again.json['error']).toMatchObject({ code: 'bank_entry_assigned' });
  });

  it('and counted for limits per recipient, by the account of the sender', async () => {
    const limit = must(await client.post('/v1/limits', { currency: 'EUR', amount: 10, per: 'recipient' })).json;
    const details = [{ ...EVA, text: 'by mistake' }];
    const entries = await reported(
      { amount: '6.00', details },
      { amount: '4.00', details },
      { amount: '0.01', details },
    );
    const codes = [];
    for (const entry of entries) {
      const { json } = await client.post(`/v1/bank_entries/${idOf(entry)}/return`, { reason: 'Nobody asked for it' });
      codes.push((json['error'] as Json | undefined)?.['code']);
    }
    expect(codes).toEqual([undefined, undefined, 'limit_exceeded']);
    must(await client.send('DELETE', `/v1/limits/${limit['id'] as string}`, '', {}));
  });

  it('not without a sender, and not what went out', async () => {
    const [nameless, debit] = await reported({ amount: '1.00' }, { amount: '-1.00' });
    const fault = async (entry: Json | undefined) =>
      (await client.post(`/v1/bank_entries/${idOf(entry)}/return`, {})).json['error'];
    expect(await fault(nameless)).toMatchObject({ code: 'sender_unknown', param: 'recipient' });
    expect(await fault(debit)).toMatchObject({ code: 'bank_entry_not_returnable' });
  });
});

it('the statement of an account says who paid, and for what', async () => {
  const id = idOf(await post('/v1/accounts', { currency: 'EUR' }));
  const text = `Miete November ${depositReference(id)}`;
  const [, waiting] = await reported(
    { amount: '19.00', details: [{ ...EVA, text }] },
    { amount: '7.00', details: [{ name: 'Grace & Co', text: 'Nebenkosten' }] },
  );
  await post(`/v1/bank_entries/${idOf(waiting)}/assign`, { assignments: [{ to: id }] });
  const link = idOf(await post('/v1/payment_links', { amount: 5, currency: 'EUR', account: id }));
  await post(`/v1/test_helpers/payment_links/${link}/pay`, {});
  const lines = async (by = client) =>
    (must(await by.get(`/v1/accounts/${id}/statement`)).json['lines'] as Json[]).map((line) => [
      line['cause'],
      line['counterparty_name'],
      line['text'],
    ]);
  const [paid, assigned, payment] = await lines();
  expect([paid, assigned]).toEqual([
    ['bank_entry', EVA.name, text],
    ['bank_assignment', 'Grace & Co', 'Nebenkosten'],
  ]);
  expect(payment).toEqual(['payment', expect.any(String), null]);
  const csv = must(await client.get(`/v1/accounts/${id}/statement?format=csv`)).text;
  expect(csv).toContain(`${EVA.name},${text}`);
  const xml = must(await client.get(`/v1/accounts/${id}/statement?format=camt.053`)).text;
  expect(xml).toContain('<Nm>Grace &amp; Co</Nm></Pty></Dbtr></RltdPties><RmtInf><Ustrd>Nebenkosten</Ustrd></RmtInf>');
  const reader = await application.key({ scopes: ['accounts:read'] });
  expect((await lines(reader.client)).flatMap(([, ...words]) => words)).toEqual([null, null, null, null, null, null]);
});

it('as CSV', async () => {
  const { text } = await client.send('GET', '/v1/bank_entries?status=unmatched', '', { accept: 'text/csv' });
  expect(text.split('\r\n')[0]).toContain('suggestions');
});

it('the books agree in the end', async () => expect(await auditDatabase(application.databaseUrl)).toEqual([]));
