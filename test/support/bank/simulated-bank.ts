/**
 * A bank that knows nothing but the payment files it is handed (pain.001): it accepts, rejects, asks for the name of the payee, executes and
 * sends back, and says so as banks do, in pain.002 and camt. What it did is its own truth, to be compared. Next: `rehearsal.ts`.
 */
import { createHash } from 'node:crypto';
import { SaxesParser } from 'saxes';
import { camt, type Written, type WrittenDetail, type WrittenStatement } from './camt.ts';
import { pain002, type WrittenAnswer } from './pain002.ts';

/** What becomes of a payment. */
export type Fate = 'paid' | 'paid_to_another_name' | 'rejected' | 'returned' | 'returned_in_part' | 'returned_in_parts';

interface Payment {
  readonly endToEndId: string;
  readonly amount: bigint;
  readonly creditor: string;
  readonly fate: Fate;
}

interface Order {
  readonly messageId: string;
  readonly debtor: string;
  readonly day: string;
  readonly payments: readonly Payment[];
}

type Message = 'camt.052' | 'camt.053' | 'camt.054';

export interface KeptAccount {
  /** IBAN, or a number that is none. */
  readonly number: string;
  readonly currency: string;
  /** Minor units. */
  balance: bigint;
  /** Books a file as one entry. */
  readonly booksWhole?: boolean;
}

/** What the first payments of a file meet, one each, so that a small file meets all of it. */
const FIRST: readonly Fate[] = [
  'rejected',
  'returned',
  'returned_in_part',
  'returned_in_parts',
  'paid_to_another_name',
  'paid',
];

/** Behind the first ones by the id, so that the same payment always fares the same: most are paid. */
function fateOf(endToEndId: string, position: number): Fate {
  const first = FIRST[position];
  if (first !== undefined) return first;
  const [byte = 0] = createHash('sha256').update(endToEndId).digest();
  if (byte < 20) return 'rejected';
  if (byte < 40) return 'returned';
  if (byte < 50) return 'returned_in_part';
  if (byte < 60) return 'returned_in_parts';
  return byte < 80 ? 'paid_to_another_name' : 'paid';
}

const REASONS = ['AC04', 'AC06', 'AM09', 'MD07', 'BE05'] as const;
const reasonOf = ({ endToEndId }: Payment) => REASONS[endToEndId.charCodeAt(20) % REASONS.length] as string;

/** What comes back of a payment, in the parts in which it comes. */
function partsBack({ fate, amount }: Payment): bigint[] {
  if (fate === 'returned') return [amount];
  if (fate === 'returned_in_part') return [amount - 1n];
  return fate === 'returned_in_parts' ? [amount / 3n, amount - amount / 3n] : [];
}

const major = (minor: bigint): string => {
  const digits = String(minor < 0n ? -minor : minor).padStart(3, '0');
  return `${minor < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
};
const minor = (text: string): bigint => {
  const [whole = '0', cents = ''] = text.split('.');
  return BigInt(whole) * 100n + BigInt(cents.padEnd(2, '0'));
};

/** The payments of a file, from its XML alone. */
function orderIn(xml: string): Order {
  const path: string[] = [];
  const found = { messageId: '', debtor: '', day: '' };
  const payments: Payment[] = [];
  let payment = { endToEndId: '', amount: 0n, creditor: '' };
  const parser = new SaxesParser({ xmlns: false });
  parser.on('opentag', ({ name }) => void path.push(name));
  parser.on('text', (text) => {
    const at = path.slice(-3).join('/');
    if (at.endsWith('GrpHdr/MsgId')) found.messageId = text;
    if (at.endsWith('ReqdExctnDt/Dt')) found.day = text;
    if (path.includes('DbtrAcct') && (at.endsWith('Id/IBAN') || at.endsWith('Othr/Id'))) found.debtor = text;
    if (at.endsWith('PmtId/EndToEndId')) payment.endToEndId = text;
    if (at.endsWith('Amt/InstdAmt')) payment.amount = minor(text);
    if (at.endsWith('Cdtr/Nm')) payment.creditor = text;
  });
  parser.on('closetag', ({ name }) => {
    path.pop();
    if (name !== 'CdtTrfTxInf') return;
    payments.push({ ...payment, fate: fateOf(payment.endToEndId, payments.length) });
    payment = { endToEndId: '', amount: 0n, creditor: '' };
  });
  parser.write(xml).close();
  return { ...found, payments };
}

/** Money that somebody sends. Minor units. */
export interface Credit {
  readonly amount: bigint;
  /** The bank's own. */
  readonly reference: string;
  readonly detail: WrittenDetail;
}

/** One entry of the bank, with what it says of it. */
interface Booking {
  readonly amount: bigint;
  readonly written: Omit<Written, 'amount'>;
}

export class SimulatedBank {
  readonly accounts: readonly KeptAccount[];
  /** By the end-to-end id, as this bank was given it. */
  readonly fates = new Map<string, { readonly fate: Fate; readonly amount: bigint; readonly back: bigint }>();
  readonly #taken = new Set<string>();
  readonly #orders: Order[] = [];

  constructor(accounts: readonly KeptAccount[]) {
    this.accounts = accounts;
  }

  /** Takes a payment file. Answers with reports: first that it came, then of each payment. A file that came before is refused. */
  take(xml: string): string[] {
    const order = orderIn(xml);
    const { messageId, payments } = order;
    if (this.#taken.has(messageId)) return [pain002({ messageId, status: 'RJCT', reason: 'DU01' })];
    this.#taken.add(messageId);
    this.#orders.push(order);
    for (const payment of payments) {
      const back = partsBack(payment).reduce((sum, part) => sum + part, 0n);
      this.fates.set(payment.endToEndId, { fate: payment.fate, amount: payment.amount, back });
    }
    const answers = payments.flatMap((payment): WrittenAnswer[] => {
      const { endToEndId, fate } = payment;
      if (fate === 'rejected') return [{ endToEndId, status: 'RJCT', reason: reasonOf(payment) }];
      if (fate === 'paid_to_another_name') return [{ endToEndId, status: 'RVNM' }];
      return [];
    });
    return [
      pain002({ messageId, status: 'ACTC' }),
      pain002({ messageId, group: { status: 'PART' }, answers }),
      pain002({ messageId, group: { status: 'ACSP' } }),
    ];
  }

  /** The day before the first: what the accounts hold. */
  begin(day: string, messageOf: (account: KeptAccount) => Message): string[] {
    return this.accounts.map((account) => {
      const balance = major(account.balance);
      const message = messageOf(account);
      const head = this.#headOf(account, day);
      // A notification has no balances.
      if (message === 'camt.054') return camt([{ ...head, entries: [{ amount: balance }] }], message);
      return camt([{ ...head, opening: balance, closing: balance, entries: [] }], message);
    });
  }

  /** Money comes in on a day: its reports. Days go in order, and what is executed comes behind them. */
  receive(number: string, day: string, credits: readonly Credit[]): string[] {
    const account = this.accounts.find((each) => each.number === number);
    if (!account) throw new Error(`This bank does not keep ${number}.`);
    return this.#reportsOf(
      account,
      day,
      credits.map(({ amount, reference, detail }) => ({ amount, written: { reference, details: [detail] } })),
    );
  }

  /** Executes what was taken: the reports of the day of execution, then those of the day on which money came back. */
  execute(nextDay: string): string[] {
    const documents: string[] = [];
    for (const account of this.accounts) {
      const orders = this.#orders.filter(({ debtor }) => debtor === account.number);
      const [day = nextDay] = orders.map((order) => order.day);
      documents.push(
        ...this.#reportsOf(
          account,
          day,
          orders.flatMap((order) => debitsOf(order, account)),
        ),
      );
      documents.push(
        ...this.#reportsOf(
          account,
          nextDay,
          orders.flatMap(({ payments }) => payments.flatMap(creditsOf)),
        ),
      );
    }
    return documents;
  }

  #headOf({ number, currency }: KeptAccount, day: string): Pick<WrittenStatement, 'iban' | 'currency' | 'day'> {
    return { iban: number, currency, day };
  }

  /** The same bookings as report of the day, as notifications, and as a statement of two pages. */
  #reportsOf(account: KeptAccount, day: string, bookings: readonly Booking[]): string[] {
    const opening = account.balance;
    const sum = (some: readonly Booking[]) => some.reduce((total, { amount }) => total + amount, 0n);
    const half = Math.ceil(bookings.length / 2);
    const pages = [bookings.slice(0, half), bookings.slice(half)] as const;
    const middle = opening + sum(pages[0]);
    account.balance = opening + sum(bookings);
    const head = this.#headOf(account, day);
    const entriesOf = (some: readonly Booking[]): Written[] =>
      some.map(({ amount, written }) => ({ amount: major(amount), ...written }));
    const [from, between, to] = [opening, middle, account.balance].map(major) as [string, string, string];
    const page = (number: 1 | 2): WrittenStatement => ({
      ...head,
      page: number,
      opening: number === 1 ? from : between,
      closing: number === 1 ? between : to,
      codes: number === 1 ? ['OPBD', 'ITBD'] : ['ITBD', 'CLBD'],
      entries: entriesOf(pages[number - 1] as readonly Booking[]),
    });
    const notifications = pages.map((some, at) => ({ ...head, id: `N${day}-${at}`, entries: entriesOf(some) }));
    const report = {
      ...head,
      opening: from,
      closing: to,
      codes: ['OPBD', 'ITBD'] as const,
      entries: entriesOf(bookings),
    };
    return [
      camt([page(1)]),
      camt([page(2)]),
      camt([report], 'camt.052'),
      ...notifications.map((each) => camt([each], 'camt.054')),
    ];
  }
}

/** What the bank debits for a file: each payment, or all that it executes in one entry. */
function debitsOf({ messageId, payments }: Order, { booksWhole = false }: KeptAccount): Booking[] {
  const executed = payments.filter(({ fate }) => fate !== 'rejected');
  if (booksWhole) {
    const total = executed.reduce((sum, { amount }) => sum + amount, 0n);
    const batch = { paymentInformationId: messageId, count: executed.length };
    return [{ amount: -total, written: { reference: `B${messageId.slice(-8)}`, batch } }];
  }
  return executed.map(({ endToEndId, amount, creditor }) => ({
    amount: -amount,
    written: { details: [{ endToEndId, name: creditor }] },
  }));
}

function creditsOf(payment: Payment): Booking[] {
  const { endToEndId, creditor } = payment;
  const detail: WrittenDetail = { endToEndId, name: creditor, returned: reasonOf(payment) };
  return partsBack(payment).map((amount) => ({ amount, written: { details: [detail] } }));
}
