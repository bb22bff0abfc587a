/**
 * A bank on ordinary days: customers who pay again and again, fees, payouts, an amount that somebody pays twice. And the sources that a company
 * has its statements from. Pure. Who tells them: `src/bank/imports/ordinary-sources.test.ts`.
 */
import type { BankLine } from '../../../src/bank/statements/booking.ts';
import { NOTHING_EXPLAINED } from '../../../src/bank/statements/fields.ts';
import type { StatementHead } from '../../../src/bank/statements/slice.ts';
import { remainder97 } from '../../../src/core/rails/creditor-reference.ts';
import { randomOf } from './overlapping-statements.ts';

export const DAYS = 10;
const OPENING = 100_000n;
const dayOf = (n: number): string => `2026-03-${String(n + 10).padStart(2, '0')}`;
const hex = (text: string): string => Buffer.from(text.padEnd(32, '.')).toString('hex').slice(0, 64);

/** Of a bank in Germany or France. `account`: as it stands in the IBAN, behind the bank. */
function ibanOf(country: 'DE' | 'FR', account: number): string {
  const number =
    country === 'DE' ? `37040044${53_201_300 + account}`.padEnd(18, '0') : `200410100${account}`.padEnd(23, '7');
  return `${country}${String(98 - remainder97(`${number}${country}00`)).padStart(2, '0')}${number}`;
}

export interface BankEntry {
  readonly day: number;
  /** Minor units, debits below zero. */
  readonly amount: bigint;
  readonly payer: string | null;
  readonly endToEndId: string | null;
}

/** What the bank booked. `isEmptied`: whatever is there at the end of a day goes to another account (cash pooling). */
export function bookedBy(seed: number, { isEmptied = false, least = 7 } = {}): readonly BankEntry[] {
  const random = randomOf(seed);
  const all: BankEntry[] = [];
  for (let day = 0; day < DAYS; day += 1) {
    for (let count = least + random(10); count > 0; count -= 1) {
      const kind = random(10);
      const number = `2026-${day}${String(count).padStart(2, '0')}`;
      const id = random(2) === 0 ? null : `Re-${number}-Warehouse`;
      const payer = ibanOf('DE', random(12));
      const usual = [999n, 1_999n, 4_990n][random(3)] as bigint;
      const entry =
        kind < 4
          ? { day, amount: usual, payer, endToEndId: random(3) === 0 ? 'Monthly-Subscription' : id }
          : kind < 8
            ? { day, amount: BigInt(1_000 + random(100_000)), payer, endToEndId: id }
            : {
                day,
                amount: -BigInt(1_000 + random(80_000)),
                payer: ibanOf('FR', random(5)),
                endToEndId: `Po-${number}-Supplier`,
              };
      all.push(entry);
      if (random(12) === 0) all.push(entry);
    }
    all.push({ day, amount: -35n, payer: null, endToEndId: null });
    const left = sumOf(all.filter((each) => each.day === day));
    if (isEmptied) all.push({ day, amount: -left, payer: 'POOL', endToEndId: null });
  }
  return all;
}

export interface Source {
  readonly name: string;
  readonly references: 'real' | 'own' | 'none';
  /** Whether it says end-to-end ids, and accounts of the other side. */
  readonly says: 'all' | 'ids' | 'nothing';
  /** How it writes these; otherwise as the bank knows them. */
  readonly writes?: 'capitals' | 'no signs' | 'beginnings' | 'national numbers';
  /** Days of a statement. */
  readonly days: number;
  /** Days before them that it repeats. */
  readonly repeats?: number;
  /** Its opening balance has the day before. */
  readonly opensBefore?: boolean;
  /** What was booked on days without a statement stands in the next one, which is not about these days. */
  readonly skips?: readonly number[];
  /** Its balances have the day behind the entries. */
  readonly isLate?: boolean;
  /** Parts of a day: statements that follow on, or pages. */
  readonly parts?: number;
  readonly isPaged?: boolean;
}

export interface Reported {
  readonly head: StatementHead;
  readonly lines: readonly BankLine[];
}

const sumOf = (entries: readonly BankEntry[]): bigint => entries.reduce((sum, { amount }) => sum + amount, 0n);

/** The statements of a source, in the order of time. */
export function statementsOf(all: readonly BankEntry[], source: Source): readonly Reported[] {
  const {
    name,
    days,
    repeats = 0,
    opensBefore = false,
    parts = 1,
    isPaged = false,
    skips = [],
    isLate = false,
  } = source;
  const reported: Reported[] = [];
  for (let from = 0; from < DAYS; from += days) {
    if (skips.includes(from)) continue;
    let first = Math.max(0, from - repeats);
    while (skips.includes(first - 1)) first -= 1;
    const until = Math.min(DAYS, from + days);
    const nominal = isLate ? from + 1 : skips.length > 0 ? from : first;
    const here = [...all.entries()].filter(([, { day }]) => day >= first && day < until);
    let opening = OPENING + sumOf(all.filter(({ day }) => day < first));
    for (let part = 0; part < parts; part += 1) {
      const [begin, end] = [part, part + 1].map((n) => Math.floor((here.length * n) / parts));
      const entries = here.slice(begin, end);
      const sum = sumOf(entries.map(([, each]) => each));
      const series = hex(isPaged ? `${name} ${from}` : `${name} ${from} ${part}`);
      // As the import cuts the days of a page that begins or ends with an interim balance.
      const [earliest, latest] = [entries[0]?.[1].day ?? first, entries.at(-1)?.[1].day ?? until - 1];
      const startsOn = isPaged && part > 0 ? dayOf(earliest) : dayOf(opensBefore ? first - 1 : nominal);
      const closedOn = isPaged && part < parts - 1 ? dayOf(latest) : dayOf(isLate ? until : until - 1);
      reported.push({
        head: {
          message: 'camt.053',
          reference: `${name} ${from}`,
          sequence: null,
          page: isPaged ? part + 1 : null,
          startsOn,
          openedOn: startsOn,
          opening,
          closedOn,
          closing: opening + sum,
          entriesCount: entries.length,
          sum,
          series,
          entriesFrom: dayOf(earliest) < startsOn ? dayOf(earliest) : null,
          entriesUntil: null,
          periodFrom: null,
          periodUntil: null,
          messageInFile: 1,
          identity: hex(`${name} ${from} ${part}`),
        },
        lines: entries.map(([at, each], n) => lineOf(each, { at, position: n + 1, source })),
      });
      opening += sum;
    }
  }
  return reported;
}

function lineOf(
  { day, amount, payer, endToEndId }: BankEntry,
  { at, position, source }: { readonly at: number; readonly position: number; readonly source: Source },
): BankLine {
  const references = { real: `R${at}`, own: `${source.name}${at}`, none: null };
  return {
    position,
    direction: amount > 0n ? 'credit' : 'debit',
    amount: amount > 0n ? amount : -amount,
    bookedOn: dayOf(day),
    valueOn: null,
    explanation: {
      ...NOTHING_EXPLAINED,
      bankReference: references[source.references],
      endToEndId: source.says === 'nothing' ? null : written(endToEndId, source),
      account: source.says === 'all' ? accountOf(payer, source) : null,
    },
    payouts: [],
    file: null,
    references: [],
  };
}

/** Where an MT940 cuts. */
const CUT = 16;
function written(id: string | null, { writes }: Source): string | null {
  if (writes === 'capitals') return id?.toUpperCase() ?? null;
  if (writes === 'no signs') return id?.replaceAll('-', '') ?? null;
  return writes === 'beginnings' ? (id?.slice(0, CUT) ?? null) : id;
}

/** German ones without the bank, others whole. */
function accountOf(payer: string | null, { writes }: Source): string | null {
  if (payer === null || writes !== 'national numbers') return payer;
  return payer.startsWith('DE') ? payer.slice(-10) : payer.slice(4);
}
