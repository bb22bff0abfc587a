/** The head of a statement: its days, its balances and what makes it the same as another one. Pure. Next: `planning.ts`. */
import { createHash, type Hash } from 'node:crypto';
import type { Stored } from '../../core/objects.ts';
import { DAY_MS, dayStartMs, isoDay } from '../../core/values/time.ts';
import type { BalanceItem, Page, StatementItem } from '../../iso20022/read/items.ts';
import type { BankMessage } from '../statements/fields.ts';
import type { StatementHead } from '../statements/slice.ts';
import type { Days } from './bringing.ts';
import { instantMs, localDay } from './local-days.ts';

/** A statement that is being read. */
export interface OpenStatement {
  readonly item: StatementItem;
  readonly message: BankMessage;
  readonly messagePage: Page | null;
  /** Which message of its file it stands in, from 1. */
  readonly messageInFile: number;
  /** With the days of the bank account. */
  readonly balances: BalanceItem[];
  /** Put together from pages (`pages.ts`). */
  isJoined: boolean;
  entries: number;
  /** The first and the last booking day of its entries. */
  days: EntryDays;
  /** Of its entries, minor units. */
  sum: bigint;
  /** Of what its entries say. */
  readonly digest: Hash;
}

/** `undefined`: of no entry; `null`: one does not say its day. */
type EntryDays = Days | null | undefined;

/** Of the days before and of one more. */
export const withDay = (days: Days | null | undefined, day: string): Days => ({
  from: days == null || day < days.from ? day : days.from,
  to: days == null || day > days.to ? day : days.to,
});

export function headOf(
  open: OpenStatement,
  { id: bankAccount, timeZone }: Pick<Stored['bank_account'], 'id' | 'timeZone'>,
): StatementHead {
  const { item, message, balances, entries, sum, digest } = open;
  const ends = endsOf(balances);
  const { opening, closing } = ends;
  const [begins, until, created] = [item.from, item.to, item.created].map((each) => localDay(each, timeZone));
  const page = pageOf(open, ends);
  const sequence = item.electronicSequence ?? item.legalSequence;
  // Numbers begin again each year. Without a number the day tells: some banks give all their statements one id.
  const isNumbered = sequence !== null || page !== null;
  const day = closing?.day ?? opening?.day ?? until ?? created ?? null;
  const time = isNumbered ? (day?.slice(0, 4) ?? null) : day;
  const series = sha256([bankAccount, message, item.id, sequence, time]);
  const amounts = amountsOf(ends, {
    page,
    isLast: open.isJoined ? true : ((item.page ?? open.messagePage)?.last ?? null),
    sum,
  });
  const marks = [series, page, item.from, item.to, opening?.day, amounts[0], closing?.day, amounts[1], entries, sum];
  return {
    message,
    reference: item.id,
    sequence: sequence === null ? null : String(sequence),
    page,
    ...daysOf(open, { ends, page, begins: begins ?? null, until: until ?? null }),
    ...periodOf(item, timeZone),
    openedOn: opening?.day ?? null,
    opening: amounts[0],
    closing: amounts[1],
    entriesCount: entries,
    sum,
    series,
    messageInFile: open.messageInFile,
    identity: sha256([...marks, digest.digest('hex')]),
  };
}

/** The balances that it begins and ends with. */
type Ends = Readonly<Record<'opening' | 'closing', BalanceItem | undefined>>;

/**
 * Pages begin and end with interim balances (`ITBD`). One alone says where an intraday report stands. A statement over several days may
 * have balances of each day: it begins with the first, and ends with the last.
 */
function endsOf(balances: readonly BalanceItem[]): Ends {
  const of = (code: string) =>
    balances
      .filter((each) => each.code === code)
      .toSorted((one, other) => (one.day ?? '').localeCompare(other.day ?? ''));
  const interim = of('ITBD');
  const closed = of('CLBD').at(-1);
  const [opened = of('PRCD')[0]] = of('OPBD');
  const opening = opened ?? (closed !== undefined || interim.length > 1 ? interim[0] : undefined);
  const last = interim.at(-1);
  return { opening, closing: closed ?? (last === opening ? undefined : last) };
}

/** A statement that both begins and ends on a page of a message, or in one message of SWIFT MT, is no part of another one. */
function pageOf({ item, message, messagePage }: OpenStatement, { opening, closing }: Ends): number | null {
  const isWhole = [opening, closing].every((each) => each !== undefined && each.code !== 'ITBD');
  const own = isWhole && message.startsWith('mt') ? null : item.page;
  const page = own ?? (isWhole ? null : messagePage);
  return page === null ? null : Number(page.number);
}

interface Counted {
  readonly page: number | null;
  /** `null`: not said. */
  readonly isLast: boolean | null;
  /** Of its entries, minor units. */
  readonly sum: bigint;
}

/**
 * Opening and closing balance. Some banks say only where a statement ends. And within a day, some report only what is new, with the balance of
 * the day before. Both begin where they end less their entries; whether nothing is missing in between the ledger shows. A page that repeats the
 * balances of the whole has those at which it stands: the first page the opening balance, and the last page the closing balance.
 */
function amountsOf(
  { opening, closing }: Ends,
  { page, isLast, sum }: Counted,
): readonly [bigint | null, bigint | null] {
  const [from, to] = [opening?.amount ?? null, closing?.amount ?? null];
  if (from !== null && to !== null && page !== null && from + sum !== to) {
    const isOfWhole = opening?.code !== 'ITBD' && closing?.code !== 'ITBD' && (page > 1 || isLast === false);
    return isOfWhole ? [page === 1 ? from : null, isLast === true ? to : null] : [from, to];
  }
  if (to === null || page !== null) return [from, to];
  const isLate = opening?.code === 'PRCD' && closing?.code === 'ITBD' && opening.amount + sum !== to;
  return [opening === undefined || isLate ? to - sum : from, to];
}

interface Said {
  readonly ends: Ends;
  readonly page: number | null;
  /** What it says of its period. */
  readonly begins: string | null;
  readonly until: string | null;
}

/** A page of several days is about those of its entries only, where an interim balance says what stands between it and the next one. */
function daysOf(
  { days }: OpenStatement,
  { ends: { opening, closing }, page, begins, until }: Said,
): Pick<StatementHead, 'startsOn' | 'closedOn' | 'entriesFrom' | 'entriesUntil'> {
  const openedOn = opening?.code === 'PRCD' ? dayAfter(opening.day) : (opening?.day ?? null);
  const isEndAlone = opening === undefined && closing !== undefined && page === null;
  const alone = days === undefined ? closing?.day : days?.from;
  const startsOn = begins ?? (isEndAlone ? (alone ?? null) : openedOn);
  const closedOn = closing?.day ?? until;
  const isCut = (balance: BalanceItem | undefined) => page !== null && balance?.code === 'ITBD';
  const { from: first, to: last } = days ?? { from: null, to: null };
  const own = {
    startsOn: isCut(opening) ? (first ?? startsOn) : startsOn,
    closedOn: isCut(closing) ? (last ?? closedOn) : closedOn,
  };
  const isBefore = first !== null && own.startsOn !== null && first < own.startsOn;
  const isAfter = last !== null && own.closedOn !== null && last > own.closedOn;
  return { ...own, entriesFrom: isBefore ? first : null, entriesUntil: isAfter ? last : null };
}

function periodOf({ from, to }: StatementItem, timeZone: string): Pick<StatementHead, 'periodFrom' | 'periodUntil'> {
  const [periodFrom, periodUntil] = [from, to].map((each) => instantMs(each, timeZone));
  const isSaid = periodFrom != null && periodUntil != null && periodFrom < periodUntil;
  return isSaid ? { periodFrom, periodUntil } : { periodFrom: null, periodUntil: null };
}

const dayAfter = (day: string | null): string | null => day && isoDay(dayStartMs(day) + DAY_MS);

const sha256 = (parts: readonly unknown[]): string =>
  createHash('sha256')
    .update(JSON.stringify(parts.map((part) => (typeof part === 'bigint' ? String(part) : part))))
    .digest('hex');
