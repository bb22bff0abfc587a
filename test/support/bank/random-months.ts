/**
 * Random months of a bank that keeps its own books: statements in any order, some twice; entries that find a place by themselves, by hand, in
 * part, or lose it again. Every report says what the bank's books say, each month begins where the one before ended, and what found no
 * place is what entries say. Controls: books that are a cent off, and damage in the database, are noticed. Two banks:
 * `src/bank/reconciliation/months.soak.test.ts`; more: `test/long/months.test.ts`.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { camt, type Written, type WrittenStatement } from './camt.ts';
import { type Chance, newSeed, seeded } from '../generators/seeded.ts';
import { type Application, startApplication } from '../harness/application.ts';
import type { Client, Json } from '../harness/http.ts';
import { must } from '../harness/tenant-fixture.ts';
import { depositReference } from '../../../src/core/rails/creditor-reference.ts';
import { formatMinor } from '../../../src/core/values/money.ts';
import { DAY_MS, dayStartMs, isoDay } from '../../../src/core/values/time.ts';
import { handedIn } from './hand-in.ts';

/** Statements of a file. */
const A_FILE = 7;
const TODAY = isoDay(Date.now());
/** This month and the two before it, the oldest first. */
const MONTHS = [2, 1, 0].map((back) => {
  const [year, month] = TODAY.split('-').map(Number) as [number, number];
  return new Date(Date.UTC(year, month - 1 - back, 1)).toISOString().slice(0, 7);
});

let application: Application;
let client: Client;

const post = async (path: string, body: object) => must(await client.post(path, body)).json;
const get = async (path: string) => must(await client.get(path)).json;

/** What the bank knows of a month. Minor units. */
interface Kept {
  opening: bigint;
  closing: bigint;
  in: bigint;
  out: bigint;
  deposits: bigint;
  charges: bigint;
  /** Came, and went, without saying for what. */
  strangeIn: bigint;
  strangeOut: bigint;
}

interface World {
  readonly bank: string;
  readonly books: Map<string, Kept>;
  /** Of the first opening balance. */
  readonly begun: bigint;
  /** What a person has assigned, and not taken back. All of it now. */
  assigned: { in: bigint; out: bigint };
}

const times = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n));

/** Days of the bank with their entries, in order; and its books. */
function history(chance: Chance, begun: bigint, reference: string, iban: string) {
  const books = new Map<string, Kept>();
  let balance = begun;
  let entries = 0;
  const statements: WrittenStatement[] = [];
  const firstMs = dayStartMs(`${MONTHS[0] as string}-01`);
  for (let atMs = firstMs; isoDay(atMs) <= TODAY; atMs += DAY_MS * (1 + Math.floor(chance() * 9))) {
    const day = isoDay(atMs);
    const month = day.slice(0, 7);
    const opening = balance;
    const kept = books.get(month) ?? emptyMonth(opening);
    books.set(month, kept);
    const written = times(Math.floor(chance() * 6), (): Written => {
      const amount = 1n + BigInt(Math.floor(chance() * 100_000));
      const kind =
        (['deposits', 'charges', 'strangeIn', 'strangeOut'] as const)[Math.floor(chance() * 4)] ?? 'deposits';
      const isIn = kind === 'deposits' || kind === 'strangeIn';
      kept[kind] += amount;
      kept[isIn ? 'in' : 'out'] += amount;
      balance += isIn ? amount : -amount;
      kept.closing = balance;
      return {
        amount: `${isIn ? '' : '-'}${formatMinor(amount, 2)}`,
        reference: `R${(entries += 1)}`,
        ...(kind === 'charges' && { code: 'PMNT-MDOP-CHRG' }),
        details: [{ text: kind === 'deposits' ? reference : 'Hello', name: 'Somebody' }],
      };
    });
    statements.push({
      iban,
      day,
      opening: formatMinor(opening, 2),
      closing: formatMinor(balance, 2),
      entries: written,
    });
  }
  for (const [at, month] of MONTHS.entries()) {
    // Nothing was booked, so nothing changed.
    if (!books.has(month)) books.set(month, emptyMonth(books.get(MONTHS[at - 1] as string)?.closing ?? begun));
  }
  return { books, statements };
}

const emptyMonth = (opening: bigint): Kept => {
  const nothing = { in: 0n, out: 0n, deposits: 0n, charges: 0n, strangeIn: 0n, strangeOut: 0n };
  return { opening, closing: opening, ...nothing };
};

const IBANS = ['DE89370400440532013000', 'DE02120300000000202051', 'DE75512108001245126199', 'DE12500105170648489890'];

async function worldOf(chance: Chance, n: number): Promise<World> {
  const iban = IBANS[n % IBANS.length] as string;
  for (const { id, bank_details: details } of (await get('/v1/bank_accounts?status=open'))['data'] as Json[]) {
    if ((details as { iban: string }).iban === iban) throw new Error(`${id as string} is used already`);
  }
  const holder = { currency: 'EUR', country: 'DE', holder: 'Rossum', cut_off: '14:30', time_zone: 'UTC' };
  const bank = (await post('/v1/bank_accounts', { ...holder, bank_details: { iban } }))['id'] as string;
  const account = (await post('/v1/accounts', { currency: 'EUR' }))['id'] as string;
  await post(`/v1/test_helpers/accounts/${account}/fund`, { amount: 5_000_000 });
  const begun = BigInt(Math.floor(chance() * 1_000_000));
  const { books, statements: all } = history(chance, begun, depositReference(account), iban);
  const [first, ...later] = all as [WrittenStatement, ...WrittenStatement[]];
  const order = later.map((each) => [chance(), each] as const).sort(([one], [other]) => one - other);
  const repeated = later.filter(() => chance() < 0.2);
  const sent = [...order.map(([, each]) => each), ...repeated];
  const files = [
    [first],
    ...times(Math.ceil(sent.length / A_FILE), (at) => sent.slice(at * A_FILE, (at + 1) * A_FILE)),
  ];
  for (const statements of files) {
    must(await handedIn(client, camt(statements)));
  }
  const world: World = { bank, books, begun, assigned: { in: 0n, out: 0n } };
  await placeSome(world, chance, account);
  return world;
}

/** A person places what waits, all or a part of it, and takes some of it back. Two people void an entry, and find that it was right. */
async function placeSome(world: World, chance: Chance, account: string): Promise<void> {
  for (const entry of (await get(`/v1/bank_entries?status=unmatched&bank_account=${world.bank}&limit=100`))[
    'data'
  ] as Json[]) {
    if (chance() < 0.4) continue;
    const { id, amount_minor: whole, direction } = entry as { id: string; amount_minor: number; direction: string };
    const part = chance() < 0.5 ? BigInt(whole) : 1n + BigInt(Math.floor(chance() * whole));
    const to = chance() < 0.5 ? account : 'fees';
    await post(`/v1/bank_entries/${id}/assign`, { assignments: [{ to, amount: formatMinor(part, 2) }] });
    const after = chance();
    if (after < 0.3) await post(`/v1/bank_entries/${id}/unassign`, {});
    else if (after < 0.5 && entry['kind'] === 'entry') await voidAndBack(id);
    else world.assigned[direction === 'credit' ? 'in' : 'out'] += part;
  }
}

/** Its money leaves its place, and comes again without one. */
async function voidAndBack(id: string): Promise<void> {
  for (const what of ['void', 'unvoid']) {
    await post(`/v1/bank_entries/${id}/${what}`, { reason: what });
    await post(`/v1/test_helpers/bank_entries/${id}/approve`, {});
  }
}

interface Shown {
  readonly status: string;
  readonly opening_balance: number;
  readonly closing_balance: number;
  readonly in: { readonly amount_minor: number };
  readonly out: { readonly amount_minor: number };
  readonly places: Readonly<Record<string, { readonly in_minor: number; readonly out_minor: number }>>;
  readonly unmatched: Readonly<
    Record<'opening' | 'closing', { readonly in_minor: number; readonly out_minor: number }>
  >;
  readonly proof: { readonly status: string };
}

/** Where the reports differ from the books of the bank, in words; none is right. */
async function differences({ bank, books, begun, assigned }: World): Promise<string[]> {
  const wrong: string[] = [];
  const waiting = { in: begun, out: 0n };
  for (const month of MONTHS) {
    const kept = books.get(month) as Kept;
    const report = (await get(`/v1/bank_accounts/${bank}/reconciliation?month=${month}`)) as unknown as Shown;
    const isNow = month === MONTHS.at(-1);
    const same = (what: string, found: number, expected: bigint) => {
      if (BigInt(found) !== expected) wrong.push(`${month}: ${what} is ${found}, and the bank knows ${expected}`);
    };
    same('opening', report.opening_balance, kept.opening);
    same('in', report.in.amount_minor, kept.in);
    same('out', report.out.amount_minor, kept.out);
    same('closing', report.closing_balance, kept.closing);
    same('opening + in - out', report.opening_balance + report.in.amount_minor - report.out.amount_minor, kept.closing);
    for (const side of ['in', 'out'] as const) {
      const found = Object.values(report.places).reduce((sum, each) => sum + each[`${side}_minor`], 0);
      same(`unmatched ${side} at first`, report.unmatched.opening[`${side}_minor`], waiting[side]);
      const before = waiting[side];
      waiting[side] += side === 'in' ? kept.strangeIn : kept.strangeOut;
      if (isNow) waiting[side] -= assigned[side];
      same(`unmatched ${side} in the end`, report.unmatched.closing[`${side}_minor`], waiting[side]);
      same(`what found a place, ${side}`, found, kept[side] - (waiting[side] - before));
    }
    if (!isNow) same('charges', report.places['fees']?.out_minor ?? 0, kept.charges);
    if (!isNow) same('deposits', report.places['accounts']?.in_minor ?? 0, kept.deposits);
    if (report.proof.status !== 'ok') wrong.push(`${month}: the proof is ${report.proof.status}`);
  }
  const entries = (await get(`/v1/bank_entries?status=unmatched&bank_account=${bank}&limit=100`))['data'] as Json[];
  const open = (direction: string) =>
    entries
      .filter((each) => each['direction'] === direction)
      .reduce((sum, each) => sum + BigInt(Math.round((each['amount_unassigned'] as number) * 100)), 0n);
  if (open('credit') !== waiting.in || open('debit') !== waiting.out) wrong.push('entries say other sums');
  return wrong;
}

/** The cases of so many banks. */
export function randomMonths(worlds: number, seed = newSeed()): void {
  beforeAll(async () => {
    application = await startApplication();
    client = application.sandbox.client;
  });
  afterAll(() => application?.stop());

  let last: World;

  it(`${worlds} banks, seed ${seed}: reports say what their books say`, async () => {
    const chance = seeded(seed);
    for (let n = 0; n < worlds; n += 1) {
      if (n >= IBANS.length && n % IBANS.length === 0) {
        await application.stop();
        application = await startApplication();
        client = application.sandbox.client;
      }
      last = await worldOf(chance, n);
      expect(await differences(last)).toEqual([]);
    }
  });

  it('control: books that are a cent off are noticed', async () => {
    const books = new Map(last.books);
    const month = MONTHS[1] as string;
    const kept = books.get(month) as Kept;
    books.set(month, { ...kept, strangeIn: kept.strangeIn + 1n });
    expect(await differences({ ...last, books })).toContainEqual(expect.stringContaining('unmatched in in the end'));
  });

  it.each([
    [
      'an entry that is gone',
      "DELETE FROM bank_entries WHERE id = (SELECT id FROM bank_entries WHERE bank_account_id = $1 AND kind = 'entry' LIMIT 1)",
    ],
    [
      'an entry of another amount',
      "UPDATE bank_entries SET amount = amount + 1 WHERE id = (SELECT id FROM bank_entries WHERE bank_account_id = $1 AND kind = 'entry' LIMIT 1)",
    ],
    [
      'an entry of another day',
      "UPDATE bank_entries SET booked_on = booked_on - 40 WHERE id = (SELECT id FROM bank_entries WHERE bank_account_id = $1 AND kind = 'entry' ORDER BY id DESC LIMIT 1)",
    ],
    [
      'a place that was lost',
      "UPDATE bank_entries SET assignments = '[]' WHERE id = (SELECT id FROM bank_entries WHERE bank_account_id = $1 AND kind = 'entry' AND jsonb_array_length(assignments) = 1 AND assignments->0->>'undoneBy' IS NULL ORDER BY id LIMIT 1)",
    ],
  ])('control: %s is noticed', async (_, damage) => {
    const [row] = await application.sql('SELECT id FROM bank_accounts ORDER BY id DESC LIMIT 1');
    await application.sql('CREATE TABLE kept_entries AS SELECT * FROM bank_entries');
    await application.sql(damage, [row?.['id']]);
    expect((await differences(last)).length).toBeGreaterThan(0);
    await application.sql('DELETE FROM bank_entries');
    await application.sql('INSERT INTO bank_entries SELECT * FROM kept_entries');
    await application.sql('DROP TABLE kept_entries');
    expect(await differences(last)).toEqual([]);
  });
}
