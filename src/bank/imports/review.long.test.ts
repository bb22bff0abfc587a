/**
 * What a bank says twice is booked once, and what is not certain waits: over HTTP, by files, on a real database. Each story has a bank account of
 * its own. Which entries are new: `src/core/deduplication/plan.test.ts`.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { camt, type Written, type WrittenDetail, type WrittenStatement } from '../../../test/support/bank/camt.ts';
import { handedIn } from '../../../test/support/bank/hand-in.ts';
import { type Application, startApplication } from '../../../test/support/harness/application.ts';
import type { Client, Json } from '../../../test/support/harness/http.ts';
import { must } from '../../../test/support/harness/tenant-fixture.ts';
import { auditDatabase } from '../../../test/support/model/audit.ts';

let application: Application;
let client: Client;
const get = async (path: string) => must(await client.get(path)).json;
const list = async (path: string) => (await get(path))['data'] as Json[];

beforeAll(async () => {
  application = await startApplication();
  client = application.sandbox.client;
});
afterAll(async () => {
  expect(await auditDatabase(application.databaseUrl)).toEqual([]);
  await application.stop();
});

let accounts = 0;
/** Another one with each call. Source: ISO 13616, check digits. */
function newIban(): string {
  accounts += 1;
  const account = `12030000${String(accounts).padStart(10, '0')}`;
  return `DE${String(98n - (BigInt(`${account}131400`) % 97n)).padStart(2, '0')}${account}`;
}

class Bank {
  id = '';
  readonly iban = newIban();

  static async open(bookedBy = 'camt.053'): Promise<Bank> {
    const bank = new Bank();
    const body = { currency: 'EUR', country: 'DE', holder: 'Rossum', booked_by: bookedBy, time_zone: 'Europe/Berlin' };
    const made = await client.post('/v1/bank_accounts', {
      ...body,
      cut_off: '14:30',
      bank_details: { iban: bank.iban },
    });
    bank.id = must(made).json['id'] as string;
    return bank;
  }

  /** Tells a statement. Answers it as it is then. */
  async tell(said: Omit<WrittenStatement, 'iban'>, message: Parameters<typeof camt>[1] = 'camt.053'): Promise<Json> {
    const document = must(await handedIn(client, camt([{ iban: this.iban, ...said }], message))).json;
    const [statement] = await list(`/v1/bank_statements?bank_account=${this.id}&limit=1`);
    expect(statement?.['statement_file']).toBe(document['id']);
    return statement as Json;
  }

  /** Amounts of the entries that were booked, as they came. */
  async booked(): Promise<number[]> {
    const entries = await list(`/v1/bank_entries?bank_account=${this.id}&limit=100&order=asc`);
    return entries.flatMap(({ kind, direction, amount_minor: amount }) =>
      kind === 'entry' ? [direction === 'credit' ? (amount as number) : -(amount as number)] : [],
    );
  }

  balance = async () => (await get(`/v1/bank_accounts/${this.id}`))['balance'];
}

const paid = (amount: string, reference: string | undefined, name: string): Written => ({
  amount,
  ...(reference !== undefined && { reference }),
  details: [{ name, iban: 'NL91ABNA0417164300' }],
});
const DAY = '2026-03-10';
const day = (entries: readonly Written[], fields: Partial<WrittenStatement> = {}) => {
  const sum = entries.reduce((total, { amount }) => total + Number(amount), 0);
  return { id: 'S', day: DAY, opening: '0.00', closing: sum.toFixed(2), entries, ...fields };
};

async function agreed(entry: Json | undefined, what: 'void' | 'unvoid'): Promise<void> {
  const id = entry?.['id'] as string;
  must(await client.post(`/v1/bank_entries/${id}/${what}`, { reason: 'Wrong' }));
  must(await client.post(`/v1/test_helpers/bank_entries/${id}/approve`));
}

describe('the same day from a second source', () => {
  it.each<[string, readonly Written[]]>([
    ['without references', [paid('10.00', undefined, 'Ada'), paid('5.00', undefined, 'Bob')]],
    ['with references of its own', [paid('10.00', 'P1', 'Ada'), paid('5.00', 'P2', 'Bob')]],
    ['with NONREF', [paid('10.00', 'NONREF', 'Ada'), paid('5.00', 'NONREF', 'Bob')]],
  ])('%s books nothing', async (_, again) => {
    const bank = await Bank.open();
    await bank.tell(day([paid('10.00', 'R1', 'Ada'), paid('5.00', 'R2', 'Bob')]));
    expect(await bank.tell(day(again, { id: 'portal' }))).toMatchObject({
      status: 'imported',
      new_count: 0,
      proof: 'ok',
    });
    expect([await bank.booked(), await bank.balance()]).toEqual([[1_000, 500], 1_500]);
    // The day after follows on, and equal entries are new there.
    const next = { id: 'next', day: '2026-03-11', opening: '15.00', closing: '25.00' };
    expect(await bank.tell({ ...next, entries: [paid('10.00', undefined, 'Ada')] })).toMatchObject({ new_count: 1 });
  });
});

it('a like entry of the second statement of a day is booked', async () => {
  const bank = await Bank.open();
  await bank.tell(day([paid('10.00', undefined, 'Ada')]));
  const second = day([paid('10.00', undefined, 'Ada')], { id: 'S2', opening: '10.00', closing: '20.00' });
  expect(await bank.tell(second)).toMatchObject({ new_count: 1, proof: 'ok' });
  expect(await bank.booked()).toEqual([1_000, 1_000]);
});

it('waits where an entry that it tells may be booked behind the statement that it overlaps', async () => {
  const bank = await Bank.open();
  const entry = (amount: string, on: string, reference?: string, detail: WrittenDetail = {}): Written => ({
    amount,
    day: `2026-03-${on}`,
    ...(reference !== undefined && { reference }),
    details: [detail],
  });
  const [ada, cyd] = [{ iban: 'NL91ABNA0417164300' }, { iban: 'BE68539007547034' }];
  const tell = async (id: string, from: string, to: string, [opening, closing]: [number, number], entries: Written[]) =>
    bank.tell({
      id,
      day: `2026-03-${to}`,
      opening: opening.toFixed(2),
      closing: closing.toFixed(2),
      entries,
      ...(from !== to && { openedOn: `2026-03-${from}` }),
    });
  await tell('first', '05', '05', [99, 100], [entry('1.00', '05')]);
  await tell('day', '14', '14', [101, 91], [entry('-10.00', '14', undefined, cyd)]);
  // By days of value. Its first entry is taken for that of the 14th, which is out of sight of the next statement.
  await tell(
    'value',
    '12',
    '14',
    [103, 91],
    [
      entry('-10.00', '13', 'R3', { ...cyd, endToEndId: 'Y' }),
      entry('10.00', '14', 'R5', ada),
      entry('-1.00', '14', 'R6', ada),
      entry('-10.00', '15', 'R7', { ...cyd, endToEndId: 'X' }),
      entry('-1.00', '14', 'R4', ada),
    ],
  );
  const before = await bank.booked();
  expect(before.filter((amount) => amount === -1_000)).toHaveLength(2);
  const last = await tell(
    'last',
    '10',
    '13',
    [100, 102],
    [
      entry('10.00', '13', 'R0'),
      entry('-10.00', '12', 'R0', { endToEndId: 'Y' }),
      ...Array.from({ length: 3 }, () => entry('1.00', '10', 'R0')),
      entry('-1.00', '13', 'R4'),
    ],
  );
  expect(last).toMatchObject({ status: 'needs_review', new_count: 0 });
  expect(await bank.booked()).toEqual(before);
});

describe('a statement that is not certain', () => {
  it('waits, is shown with its entries, and a person decides, once', async () => {
    const bank = await Bank.open();
    await bank.tell(day([paid('10.00', undefined, 'Ada'), paid('5.00', undefined, 'Bob')]));
    const other = day([paid('10.00', undefined, 'Ada'), paid('7.00', undefined, 'Cyd')], { id: 'other' });
    const statement = await bank.tell(other);
    expect(statement).toMatchObject({ status: 'needs_review', waiting_count: 2, new_count: 0 });
    expect(await bank.booked()).toEqual([1_000, 500]);
    const id = statement['id'] as string;
    expect(await list(`/v1/bank_statements?status=needs_review&bank_account=${bank.id}`)).toMatchObject([{ id }]);
    expect(await list(`/v1/events?types[]=bank_statement.needs_review&limit=1`)).toMatchObject([
      { data: { object: { id } } },
    ]);
    expect(await list(`/v1/bank_statements/${id}/waiting_entries?after=1`)).toMatchObject([
      { position: 2, amount_minor: 700, counterparty: { name: 'Cyd' }, booked_on: DAY },
    ]);
    for (const [body, code] of [
      [{ reading: 5, reason: 'x' }, 'parameter_invalid'],
      [{ new_entries: '2-1', reason: 'x' }, 'parameter_invalid'],
      [{ new_entries: '3', reason: 'x' }, 'parameter_invalid'],
      [{ reading: 1, new_entries: '2', reason: 'x' }, 'parameter_conflict'],
      [{ new_entries: '2' }, 'parameter_missing'],
    ] as const) {
      const refused = await client.post(`/v1/bank_statements/${id}/review`, body);
      expect([body, (refused.json['error'] as Json)['code']]).toEqual([body, code]);
    }
    const decided = { new_entries: '2', reason: 'By phone' };
    const key = { idempotencyKey: 'review-1' };
    must(await client.post(`/v1/bank_statements/${id}/review`, decided, key));
    must(await client.post(`/v1/bank_statements/${id}/review`, decided, key));
    const again = await client.post(`/v1/bank_statements/${id}/review`, decided);
    expect(again.json['error']).toMatchObject({ code: 'bank_statement_reviewed', current_status: 'imported' });
    expect(await get(`/v1/bank_statements/${id}`)).toMatchObject({
      status: 'imported',
      new_count: 1,
      waiting_count: 0,
    });
    expect(await bank.booked()).toEqual([1_000, 500, 700]);
    expect(await list('/v1/audit_log?action=bank_statement.reviewed&limit=1')).toMatchObject([
      { subject: id, details: { new_entries: '2', reason: 'By phone' } },
    ]);
    expect(await list(`/v1/bank_statements/${id}/waiting_entries`)).toEqual([]);
  });

  it('is decided by a later one: a copy with references, or the days around it', async () => {
    const bank = await Bank.open();
    await bank.tell(day([paid('10.00', undefined, 'Ada')]));
    // It begins where the day began, or where something is missing.
    const week = { id: 'week', day: '2026-03-10', opening: '3.00', closing: '13.00' };
    const waiting = await bank.tell({ ...week, entries: [paid('10.00', undefined, 'Ada')] });
    expect(waiting).toMatchObject({ status: 'needs_review' });
    await bank.tell(
      day([], { id: 'between', opening: '10.00', closing: '3.00', entries: [paid('-7.00', 'R7', 'Bob')] }),
    );
    expect(await get(`/v1/bank_statements/${waiting['id'] as string}`)).toMatchObject({
      status: 'imported',
      new_count: 1,
    });
    expect([await bank.booked(), await bank.balance()]).toEqual([[1_000, -700, 1_000], 1_300]);
  });

  it('is decided once the entry in whose place it has another one is voided', async () => {
    const bank = await Bank.open();
    await bank.tell(day([paid('10.00', 'R1', 'Ada'), paid('5.00', 'R2', 'Bob')]));
    const again = await bank.tell(day([paid('10.00', 'R1', 'Ada'), paid('7.00', 'R3', 'Cyd')]));
    expect(again).toMatchObject({ status: 'needs_review', proof: 'drift', difference_minor: 200 });
    const [, bob] = await list(`/v1/bank_entries?bank_account=${bank.id}&order=asc`);
    await agreed(bob, 'void');
    const path = `/v1/bank_statements/${again['id'] as string}`;
    expect(await get(path)).toMatchObject({ status: 'imported', new_count: 1, proof: 'ok' });
    expect([await bank.booked(), await bank.balance()]).toEqual([[1_000, 500, 700], 1_700]);
    await agreed(bob, 'unvoid');
    expect(await get(path)).toMatchObject({ proof: 'drift', difference_minor: -500 });
    expect(await bank.balance()).toBe(2_200);
  });

  it('does not add up: nothing of it is booked, and a person may take it all the same', async () => {
    const bank = await Bank.open();
    const statement = await bank.tell(day([paid('10.00', 'R1', 'Ada')], { closing: '11.00' }));
    expect(statement).toMatchObject({ status: 'needs_review', proof: 'failed', difference_minor: 100 });
    expect(await bank.booked()).toEqual([]);
    must(
      await client.post(`/v1/bank_statements/${statement['id'] as string}/review`, {
        reading: 1,
        reason: 'The bank says so',
      }),
    );
    expect(await get(`/v1/bank_statements/${statement['id'] as string}`)).toMatchObject({
      status: 'imported',
      proof: 'failed',
    });
    expect(await bank.booked()).toEqual([1_000]);
  });
});

describe('a review', () => {
  it('takes nothing for new that is in the opening balance of the ledger', async () => {
    const bank = await Bank.open();
    const early = await bank.tell(day([paid('10.00', 'R1', 'Ada')], { closing: '11.00' }));
    await bank.tell({
      id: 'S2',
      day: '2026-03-12',
      opening: '11.00',
      closing: '16.00',
      entries: [paid('5.00', 'R2', 'Bob')],
    });
    // The later one begins the ledger, and so the earlier one is not a question any more.
    expect(await get(`/v1/bank_statements/${early['id'] as string}`)).toMatchObject({
      status: 'before_opening',
      new_count: 0,
      waiting_count: 0,
    });
    expect(await bank.balance()).toBe(1_600);
  });

  it('is not needed once the statement was issued again, and names entries that wait alone', async () => {
    const bank = await Bank.open();
    const wrong = await bank.tell(day([paid('10.00', 'R1', 'Ada')], { closing: '11.00' }));
    await bank.tell(day([paid('10.00', 'R1', 'Ada'), paid('1.00', 'R2', 'Bob')]));
    expect(await get(`/v1/bank_statements/${wrong['id'] as string}`)).toMatchObject({
      status: 'superseded',
      waiting_count: 0,
    });
    expect(await bank.booked()).toEqual([1_000, 100]);
    expect(await list(`/v1/bank_statements/${wrong['id'] as string}/waiting_entries`)).toEqual([]);
  });
});

it('a statement that says its closing balance only is known again in the whole one', async () => {
  const bank = await Bank.open();
  const entries = [paid('5.00', 'R1', 'Ada')];
  await bank.tell(
    day([], { id: 'S0', day: '2026-03-09', opening: '0.00', closing: '1.00', entries: [paid('1.00', 'R0', 'Bob')] }),
  );
  const { opening: _, ...closes } = day(entries, { id: 'half', closing: '6.00' });
  expect(await bank.tell(closes)).toMatchObject({ new_count: 1 });
  expect(await bank.tell(day(entries, { opening: '1.00', closing: '6.00' }))).toMatchObject({
    status: 'imported',
    new_count: 0,
  });
  expect(await bank.balance()).toBe(600);
});

it('a gap ends with a statement over the days that were missing', async () => {
  const bank = await Bank.open();
  const [first, missing, last] = [paid('5.00', 'R1', 'Ada'), paid('5.00', 'R2', 'Bob'), paid('5.00', 'R3', 'Cyd')];
  await bank.tell(day([first]));
  const gap = await bank.tell({ id: 'S12', day: '2026-03-12', opening: '10.00', closing: '15.00', entries: [last] });
  expect(gap).toMatchObject({ proof: 'gap' });
  const entries = [
    { ...first, day: DAY },
    { ...missing, day: '2026-03-11' },
    { ...last, day: '2026-03-12' },
  ];
  const whole = { id: 'whole', day: '2026-03-12', opening: '0.00', closing: '15.00', entries };
  await bank.tell({ ...whole, openedOn: DAY });
  expect(await get(`/v1/bank_statements/${gap['id'] as string}`)).toMatchObject({ proof: 'ok' });
  expect(await bank.balance()).toBe(1_500);
});

it('reports of a day that each begin with it add what is new, equal entries too', async () => {
  const bank = await Bank.open('camt.052');
  const report = (id: string, ...entries: readonly Written[]) => bank.tell(day(entries, { id }), 'camt.052');
  const [ada, bob] = [paid('10.00', undefined, 'Ada'), paid('5.00', undefined, 'Bob')];
  await report('r1', ada);
  await report('r2', ada, ada);
  expect(await report('r3', ada, bob, ada)).toMatchObject({ status: 'imported', new_count: 1 });
  expect(await report('r4', bob, ada, ada)).toMatchObject({ status: 'imported', new_count: 0 });
  expect(await bank.booked()).toEqual([1_000, 1_000, 500]);
});

it('without balances what is like an entry of another file waits, and the rest is booked', async () => {
  const bank = await Bank.open('camt.054');
  const notice = (id: string, ...entries: readonly Written[]) => bank.tell({ id, day: DAY, entries }, 'camt.054');
  await notice('N1', paid('10.00', 'R1', 'Ada'));
  expect(await notice('N2', paid('10.00', 'R1', 'Ada'), paid('3.00', 'R3', 'Bob'))).toMatchObject({
    status: 'imported',
    new_count: 1,
  });
  const doubtful = await notice('N3', paid('10.00', 'P9', 'Ada'), paid('4.00', 'R4', 'Bob'));
  const other = await client.post(`/v1/bank_statements/${doubtful['id'] as string}/review`, {
    new_entries: '2',
    reason: 'x',
  });
  expect((other.json['error'] as Json)['message']).toContain('entries that wait, in rising order: 1.');
  expect(doubtful).toMatchObject({ status: 'needs_review', new_count: 1, waiting_count: 1 });
  expect(doubtful['readings']).toEqual([
    { entries: '1', count: 1 },
    { entries: '', count: 0 },
  ]);
  const id = doubtful['id'] as string;
  must(await client.post(`/v1/bank_statements/${id}/review`, { reading: 2, reason: 'The same payment' }));
  expect(await get(`/v1/bank_statements/${id}`)).toMatchObject({ status: 'imported', new_count: 1 });
  expect(await bank.booked()).toEqual([1_000, 300, 400]);
});

it('messages of one file are compared with one another as files are, also when it is decided again', async () => {
  const bank = await Bank.open('camt.054');
  const notice = (id: string, ...entries: readonly Written[]) =>
    camt([{ iban: bank.iban, id, day: DAY, entries }], 'camt.054').replace(/<\?xml[^>]*>/, '');
  const equal = paid('10.00', undefined, 'Ada');
  const file = [notice('N1', equal, equal), notice('N2', equal, paid('3.00', 'R3', 'Bob'))].join('\n');
  must(await handedIn(client, file));
  const waiting = () => list(`/v1/bank_statements?bank_account=${bank.id}&status=needs_review`);
  expect(await waiting()).toMatchObject([{ reference: 'N2', new_count: 1, waiting_count: 1 }]);
  expect(await bank.booked()).toEqual([1_000, 1_000, 300]);
  must(await handedIn(client, notice('N3', paid('4.00', 'R4', 'Cyd'))));
  expect(await waiting()).toMatchObject([{ reference: 'N2', waiting_count: 1 }]);
  expect(await bank.booked()).toEqual([1_000, 1_000, 300, 400]);
});

it('a statement that is issued again without an entry drifts at once and names it, until the entry is voided', async () => {
  const bank = await Bank.open();
  await bank.tell(day([paid('10.00', 'R1', 'Ada'), paid('5.00', 'R2', 'Bob')]));
  const [, bob] = await list(`/v1/bank_entries?bank_account=${bank.id}&order=asc`);
  const first = (await list(`/v1/bank_statements?bank_account=${bank.id}`))[0]?.['id'];
  expect(await bank.tell(day([paid('10.00', 'R1', 'Ada')]))).toMatchObject({
    status: 'imported',
    proof: 'drift',
    difference_minor: -500,
    missing_entries: [bob?.['id']],
    supersedes: first,
  });
  const [drifting] = await list(`/v1/bank_statements?bank_account=${bank.id}&limit=1`);
  await agreed(bob, 'void');
  expect(await get(`/v1/bank_statements/${drifting?.['id'] as string}`)).toMatchObject({
    proof: 'ok',
    difference_minor: null,
  });
});

it('notifications come first, and the opening balance is less what they have brought', async () => {
  const bank = await Bank.open('camt.054');
  await bank.tell({ id: 'N1', day: '2026-03-09', entries: [paid('10.00', 'R1', 'Ada')] }, 'camt.054');
  must(await client.post(`/v1/bank_accounts/${bank.id}`, { booked_by: 'camt.053' }));
  await bank.tell(day([paid('5.00', 'R2', 'Bob')], { opening: '100.00', closing: '105.00' }));
  expect(await bank.balance()).toBe(10_500);
  const [opening] = (await list(`/v1/bank_entries?bank_account=${bank.id}`)).filter(({ kind }) => kind === 'opening');
  expect(opening).toMatchObject({ amount_minor: 9_000 });
  const document = must(
    await handedIn(
      client,
      camt([{ iban: bank.iban, ...day([paid('2.00', 'R0', 'Cyd')], { id: 'old', day: '2026-03-01' }) }]),
    ),
  ).json;
  expect(document['notes']).toEqual([expect.stringContaining('Begin with the oldest statement')]);
});

it('two files of one day at once: whichever is first, nothing is booked twice, and the rest waits', async () => {
  const bank = await Bank.open();
  const entries = (id: string) => Array.from({ length: 300 }, (_, n) => paid('1.00', `${id}${n}`, `P${n}`));
  const files = ['A', 'B'].map((id) => camt([{ iban: bank.iban, ...day(entries(id), { id }) }]));
  for (const reply of await Promise.all(files.map((file) => handedIn(client, file)))) must(reply);
  expect(await bank.balance()).toBe(30_000);
});
