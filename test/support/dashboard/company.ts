/**
 * A small company and its bank, for the story of a month: whom it pays, what it expects, and a bank that knows nothing but the files it is
 * handed. The bank counts by itself, so that what it ends with is a number that no answer of the service has made. The story:
 * `test/long/dashboard-company.test.ts`.
 */
import { STAFF } from '../../../src/cli/remote/demo-company.ts';
import { camt, type Written } from '../bank/camt.ts';
import { pain002 } from '../bank/pain002.ts';

const DAY_MS = 86_400_000;

/** `2026-10-31` → `2026-11-01`. */
export const dayAfter = (day: string, days = 1): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);

/** Behind the whole story and the first days of the month after it, whatever day it is: 31 days and two weeks. */
const BEHIND_DAYS = 45;

/**
 * The first day of the newest month that has begun so long ago. So all of the story lies behind the present, and at most 76 days: events stay
 * 90.
 */
export const firstDayBefore = (nowMs: number): string =>
  `${new Date(nowMs - BEHIND_DAYS * DAY_MS).toISOString().slice(0, 7)}-01`;

/** `2026-10-01` → `2026-11-01`. */
export const monthAfter = (first: string): string => `${dayAfter(first, 31).slice(0, 7)}-01`;

/** `1190.00` → `119000n`. */
const minorOf = (amount: string): bigint => BigInt(amount.replace('.', ''));

export const sumOf = (amounts: readonly bigint[]): bigint => amounts.reduce((sum, each) => sum + each, 0n);

/** `119000n` → `1190.00`; with a mark between thousands as people read it, `1,190.00`. */
export function majorOf(minor: bigint, thousands = ''): string {
  const digits = String(minor < 0n ? -minor : minor).padStart(3, '0');
  const whole = digits.slice(0, -2).replaceAll(/\B(?=(?:\d{3})+$)/g, thousands);
  return `${minor < 0n ? '-' : ''}${whole}.${digits.slice(-2)}`;
}

export const SALARIES = STAFF.map(({ payee, salary }) => ({
  name: payee.name,
  iban: payee.bank_details['iban'] ?? '',
  minor: minorOf(salary),
}));

/** As a payroll program of that country writes it: points between thousands, and a comma. */
export function payrollCsv(text: string): Buffer {
  const amount = (minor: bigint) => majorOf(minor, ' ').replace('.', ',').replaceAll(' ', '.');
  const rows = SALARIES.map(({ name, iban, minor }) => `${name};${iban};${amount(minor)};${text}`);
  return Buffer.from(`\uFEFFEmpfänger;IBAN;Betrag;Verwendungszweck\r\n${rows.join('\r\n')}\r\n`);
}

/** An entry, minor units; below zero money leaves. */
export interface Booking extends Omit<Written, 'amount'> {
  readonly minor: bigint;
}

interface Payment {
  readonly endToEndId: string;
  readonly name: string;
  readonly minor: bigint;
}

export interface Order {
  readonly messageId: string;
  /** The day on which it is to be executed. */
  readonly day: string;
  readonly booksWhole: boolean;
  readonly payments: readonly Payment[];
}

const textIn = (xml: string, pattern: RegExp): string => {
  const [, found] = pattern.exec(xml) ?? [];
  if (found === undefined) throw new Error(`A payment file without ${pattern.source}`);
  return found;
};

export class CompanyBank {
  readonly #iban: string;
  /** Of the newest statement. */
  day: string;
  balance: bigint;

  constructor(iban: string, day: string, balance: bigint) {
    this.#iban = iban;
    this.day = day;
    this.balance = balance;
  }

  /** What a payment file (pain.001) asks for, from its XML alone. */
  orderIn(xml: string): Order {
    const payments = xml.split('<CdtTrfTxInf>').slice(1);
    return {
      messageId: textIn(xml, /<MsgId>([^<]+)</),
      day: textIn(xml, /<ReqdExctnDt>\s*<Dt>([^<]+)</),
      booksWhole: textIn(xml, /<BtchBookg>([^<]+)</) === 'true',
      payments: payments.map((each) => ({
        endToEndId: textIn(each, /<EndToEndId>([^<]+)</),
        name: textIn(each, /<Cdtr>\s*<Nm>([^<]+)</),
        minor: minorOf(textIn(each, /<InstdAmt Ccy="EUR">(\d+\.\d\d)</)),
      })),
    };
  }

  /** Its report that all of the file is accepted. */
  accepted({ messageId }: Order): string {
    return pain002({ messageId, group: { status: 'ACSP' } });
  }

  debitsOf({ messageId, booksWhole, payments }: Order): readonly Booking[] {
    const minor = -sumOf(payments.map((each) => each.minor));
    const batch = { paymentInformationId: messageId, count: payments.length };
    if (booksWhole) return [{ minor, batch }];
    return payments.map((each) => ({
      minor: -each.minor,
      details: [{ endToEndId: each.endToEndId, name: each.name }],
    }));
  }

  /** The money of the payment of that amount comes back. Banks write names in their own letters. */
  returnOf({ payments }: Order, minor: bigint, reason: string): Booking {
    const payment = payments.find((each) => each.minor === minor);
    if (payment === undefined) throw new Error(`The file does not pay ${minor}.`);
    const { endToEndId, name } = payment;
    return { minor, details: [{ endToEndId, name, returned: reason }] };
  }

  /** The statement of a day. Days go in order. */
  statement(day: string, bookings: readonly Booking[]): string {
    if (day <= this.day) throw new Error(`A statement of ${day} behind that of ${this.day}`);
    const opening = majorOf(this.balance);
    this.balance += sumOf(bookings.map(({ minor }) => minor));
    this.day = day;
    const entries = bookings.map(({ minor, ...written }) => ({ ...written, amount: majorOf(minor) }));
    return camt([{ iban: this.#iban, day, opening, closing: majorOf(this.balance), entries }]);
  }
}
