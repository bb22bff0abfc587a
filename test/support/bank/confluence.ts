/**
 * What confluence is tested with: facts of a bank as files bring them, plots of payouts, and a world that takes them in. Pure. Who tells
 * stories with it: `src/bank/statements/confluence.test.ts`.
 */
import { expect } from 'vitest';
import { houseOf } from '../../../src/core/house-accounts.ts';
import { idAs } from '../../../src/core/values/ids.ts';
import { apply, State } from '../../../src/core/state.ts';
import type { BankLine } from '../../../src/bank/statements/booking.ts';
import type { StatementHead } from '../../../src/bank/statements/slice.ts';
import { likenessOf } from '../../../src/core/deduplication/likeness.ts';
import { planOf } from '../../../src/core/deduplication/plan.ts';
import { entriesIn } from './memory-books.ts';
import { wholeOf } from '../../../src/bank/imports/lines.ts';
import { type Command, decide } from '../../../src/write/slices.ts';
import { BANK, bankAccount, paymentFile, FILE, instruction, wholeStatement } from '../harness/bank-literals.ts';
import { ACCOUNT, account, AT, BEFORE, environment, idAt, payout, recipient, seededIds } from '../harness/literals.ts';
import { type BankEntry, NOTHING_EXPLAINED } from '../../../src/bank/statements/fields.ts';

export const DOCUMENT = idAt('sf', 1);
export const AMOUNT = 1_000n;
export const FUNDS = 1_000_000n;

interface OfPayout {
  readonly payout: number;
  /** The bank contradicts itself, so that what it says of this payout keeps its order. */
  readonly isOrdered?: true;
}

/** A fact about one payout: a message, or a booking. `isWhole`: a booking of the file as a whole. */
export type Fact = OfPayout &
  (
    | { readonly status: string; readonly reason: string | null }
    | {
        readonly n: number;
        readonly amount: bigint;
        readonly isDebit: boolean;
        readonly isWhole?: boolean;
        /** Of a credit: written by the payee. */
        readonly isUnsigned?: boolean;
      }
  );

export type Plot = (payout: number) => readonly Fact[];
export const says = (payout: number, status: string, reason: string | null = null): Fact => ({
  payout,
  status,
  reason,
});
export const books = (payout: number, n: number, amount: bigint): Fact => ({
  payout,
  n,
  amount: amount < 0n ? -amount : amount,
  isDebit: amount < 0n,
});

/** The payee quotes the EndToEndId in a transfer of his own. */
export const quotes = (payout: number, n: number, amount: bigint): Fact => ({
  ...books(payout, n, amount),
  isUnsigned: true,
});

const inOrder = (...facts: readonly Fact[]): readonly Fact[] => facts.map((fact) => ({ ...fact, isOrdered: true }));

/** What may happen to a payout, in the order in which it happens. */
export const PLOTS: Readonly<Record<string, Plot>> = {
  'nothing is heard': () => [],
  'is accepted': (p) => [says(p, 'ACTC'), says(p, 'ACSP')],
  'is paid': (p) => [says(p, 'ACSP'), books(p, 1, -AMOUNT)],
  'is rejected': (p) => [says(p, 'ACTC'), says(p, 'RJCT', 'AC04')],
  'comes back': (p) => [books(p, 1, -AMOUNT), books(p, 2, AMOUNT)],
  'comes back in part': (p) => [books(p, 1, -AMOUNT), books(p, 2, 900n)],
  'comes back in parts': (p) => [books(p, 1, -AMOUNT), books(p, 2, 300n), books(p, 3, 600n)],
  'has a payee that does not match': (p) => [says(p, 'RVNM'), books(p, 1, -AMOUNT)],
  'is called a duplicate': (p) => [says(p, 'RJCT', 'DU01'), books(p, 1, -AMOUNT)],
  'is booked twice': (p) => [books(p, 1, -AMOUNT), books(p, 2, -AMOUNT)],
  'is booked with another amount': (p) => [books(p, 1, -AMOUNT - 1n)],
  'is executed by message': (p) => [says(p, 'ACSC')],
  'is executed, then booked': (p) => [says(p, 'ACSP'), says(p, 'ACSC'), books(p, 1, -AMOUNT)],
  'is executed, booked, and comes back': (p) => [says(p, 'ACSC'), books(p, 1, -AMOUNT), books(p, 2, AMOUNT)],
  'is executed, and comes back in part': (p) => [says(p, 'ACSC'), books(p, 2, 300n)],
  'is rejected, and something comes back': (p) => [says(p, 'RJCT', 'AC04'), books(p, 2, AMOUNT)],
  'is paid, and quoted with a cent': (p) => [books(p, 1, -AMOUNT), quotes(p, 2, 1n)],
  'is quoted with all of it': (p) => [books(p, 1, -AMOUNT), quotes(p, 2, AMOUNT)],
  'comes back twice, and is booked twice': (p) => [
    books(p, 1, -AMOUNT),
    books(p, 2, AMOUNT),
    books(p, 3, -AMOUNT),
    books(p, 4, AMOUNT),
  ],
  'is booked twice, and given back': (p) =>
    inOrder(books(p, 1, -AMOUNT), books(p, 3, -AMOUNT), quotes(p, 5, 1n), books(p, 2, AMOUNT)),
  'comes back, and is booked again': (p) => inOrder(books(p, 1, -AMOUNT), books(p, 2, AMOUNT), books(p, 3, -AMOUNT)),
  'is rejected, booked, and given back': (p) =>
    inOrder(says(p, 'RJCT', 'AC04'), books(p, 3, -AMOUNT), books(p, 2, AMOUNT)),
  'is rejected, given back, and booked': (p) =>
    inOrder(says(p, 'RJCT', 'AC04'), books(p, 2, AMOUNT), books(p, 3, -AMOUNT)),
  'is rejected, and accepted': (p) => inOrder(says(p, 'RJCT', 'AC04'), says(p, 'ACSP')),
};
export const PAYOUTS = Number(process.env['CONFLUENCE_PAYOUTS'] ?? Object.keys(PLOTS).length);
export const CONTRADICTION: Plot = (p) => [says(p, 'RJCT', 'AC04'), books(p, 1, -AMOUNT)];

export const poOf = (n: number) => idAt('po', n + 1);
export const hex = (text: string) => Buffer.from(text.padEnd(32, '.')).toString('hex').slice(0, 64);
const EXPLANATION = { ...NOTHING_EXPLAINED, returnReason: 'AC04' };

const payoutOf = ({ explanation }: BankEntry) => explanation.bankReference?.split(' ')[0];

/** Facts as a file brings them: messages in one command, bookings as a statement of their own. */
function commandsOf(facts: readonly Fact[], file: number): Command[] {
  const answers = facts.flatMap((fact) =>
    'status' in fact
      ? [{ payout: poOf(fact.payout), file: FILE, status: fact.status, reason: fact.reason, reasonText: null }]
      : [],
  );
  const reported = new Set<string>();
  const lines = facts.flatMap((fact): BankLine[] => {
    if ('status' in fact) return [];
    const { payout: p, n, amount, isDebit, isWhole = false, isUnsigned = false } = fact;
    const bankReference = `${p} ${n}`;
    if (reported.has(bankReference)) return []; // one file says it once
    reported.add(bankReference);
    return [
      {
        position: reported.size,
        direction: isDebit ? 'debit' : 'credit',
        amount,
        bookedOn: null,
        valueOn: null,
        explanation: { ...EXPLANATION, bankReference, endToEndId: bankReference },
        payouts: isWhole ? [] : [{ payout: poOf(p), amount, isReturn: !isUnsigned }],
        file: isWhole ? FILE : null,
        references: [],
      },
    ];
  });
  const nobody = {
    entriesFrom: null,
    entriesUntil: null,
    periodFrom: null,
    periodUntil: null,
    page: null,
    startsOn: null,
    openedOn: null,
    opening: null,
    closedOn: null,
    closing: null,
  };
  const identity = hex(`file ${file}`);
  const statement: StatementHead = {
    ...nobody,
    message: 'camt.054',
    reference: String(file),
    sequence: null,
    entriesCount: lines.length,
    sum: 0n,
    identity,
    series: identity,
    messageInFile: 1,
  };
  return [
    { type: 'note_bank_answers', document: DOCUMENT, answers },
    wholeStatement(statement, lines, { document: idAt('sf', file + 1) }),
  ];
}

export class World {
  readonly state = new State(environment(0n, BEFORE));
  #atMs = AT;

  constructor() {
    const document = {
      sha256: '00',
      status: 'importing',
      sizeBytes: 1n,
      statementsCount: 0,
      skippedCount: 0,
      notes: [],
      importedAt: null,
    } as const;
    this.state.put({ object: 'statement_file', id: DOCUMENT, ...document, createdAt: 0 });
    this.state.put(bankAccount({ booksFrom: '2026-01-01', paidBy: 'status' }));
    this.state.put(account({ balance: FUNDS }));
    this.state.put(recipient());
    this.state.put(
      paymentFile({ status: 'sealed', sealedAt: 1, payoutsCount: PAYOUTS, total: AMOUNT * BigInt(PAYOUTS) }),
    );
    for (let n = 0; n < PAYOUTS; n += 1) {
      this.state.put(payout({ id: poOf(n), amount: AMOUNT, status: 'in_transit', inTransitAt: BEFORE }));
      this.state.put(instruction({ id: idAs('bi', poOf(n)), position: n + 1 }));
    }
  }

  send(command: Command): void {
    this.#atMs += 1_000;
    const decision = decide(command, this.state, { atMs: this.#atMs, ids: seededIds(this.#atMs), actor: 'worker' });
    if (!decision.accepted) throw new Error(decision.refusal.message);
    apply(this.state, decision.changes, { actor: 'worker', requestId: null, idempotencyKey: null });
    expect(this.bank).toBe(
      this.entries.reduce((sum, each) => sum + (each.direction === 'credit' ? each.amount : -each.amount), 0n),
    );
  }

  /** As the import does: a debit of the whole file is that of its payouts that are under way. */
  sendWhole(command: Command): void {
    if (command.type === 'import_bank_entries') {
      // Lines of one command stand for bookings one after the other; a file is booked once.
      const { statement, document } = command;
      const reported = { ...statement, document, entries: command.lines.map((line) => likenessOf(line)) };
      const { added, waiting } = planOf(reported, {
        booksFrom: null,
        statements: [],
        behind: [],
        entries: entriesIn(this.state, BANK),
      });
      expect(waiting.count).toBe(0);
      const isNew = ({ position }: BankLine) => added.has(position);
      const lines = command.lines.filter(isNew);
      return this.send({
        ...command,
        lines: lines.map((line) => (line.file === null ? line : wholeOf(line, this.#underWay))),
      });
    }
    this.send(command);
    for (const { id: entry, amount, paymentFile, assignments } of this.entries) {
      if (paymentFile === null || assignments.length > 0) continue;
      const { payouts } = wholeOf({ amount, payouts: [] }, this.#underWay);
      if (payouts.length === 0) continue;
      const targets = [{ to: paymentFile, amount: null, payouts }];
      this.send({ type: 'assign_bank_entry', entry, targets, reason: null });
    }
  }

  get #underWay() {
    return [...this.state.tables.payout.values()].flatMap(({ id, status, amount }) =>
      status === 'in_transit' || this.#isUnbooked(id) ? [{ payout: id, amount }] : [],
    );
  }

  #isUnbooked(payout: string): boolean {
    return this.state.tables.bank_instruction.get(idAs('bi', payout))?.unbooked === true;
  }

  get entries() {
    return [...this.state.tables.bank_entry.values()];
  }

  get bank(): bigint {
    return this.state.tables.bank_account.get(BANK)?.balance as bigint;
  }

  /** What a house account holds. */
  house(kind: string): bigint {
    return this.state.transfers.reduce((sum, { debitAccount, creditAccount, amount }) => {
      if (houseOf(creditAccount)?.kind === kind) return sum + amount;
      return houseOf(debitAccount)?.kind === kind ? sum - amount : sum;
    }, 0n);
  }

  /** All that must not depend on the order. */
  get end(): object {
    const { tables } = this.state;
    return {
      bank: this.bank,
      account: tables.account.get(ACCOUNT)?.balance,
      unmatched: this.house('unmatched'),
      inTransit: this.house('in_transit'),
      outside: this.house('bank'),
      unbooked: [...tables.bank_instruction.values()].map(({ unbooked }) => unbooked),
      payouts: [...tables.payout.values()].map((each) => [each.status, each.failureCode, each.amountReturned]),
      secondDebits: [...tables.bank_instruction.values()].map(({ secondDebits }) => secondDebits.length),
      // Of two equal bookings either may be the one too many.
      entries: this.entries.map((each) => `${payoutOf(each)} ${each.direction} ${each.amount} ${each.status}`).sort(),
    };
  }
}

/** Tells the facts in files: `order` says which comes when, `cuts` where a file ends, `again` which are ordered once more. */
export interface Telling {
  readonly order: readonly number[];
  readonly sizes: readonly number[];
  readonly again: readonly number[];
}

export function filesOf(facts: readonly Fact[], { order, sizes, again }: Telling): Fact[][] {
  const places = facts.map((_, index) => order[index % order.length] ?? 0);
  for (const payout of new Set(facts.flatMap((fact) => (fact.isOrdered === true ? fact.payout : [])))) {
    const indexes = facts.flatMap((fact, index) => (fact.payout === payout ? index : []));
    const sorted = indexes.map((index) => places[index] as number).sort((a, b) => a - b);
    for (const [n, index] of indexes.entries()) places[index] = sorted[n] as number;
  }
  const ordered = facts.map((fact, index) => [places[index] as number, fact] as const).sort((a, b) => a[0] - b[0]);
  const files: Fact[][] = [];
  for (let at = 0, n = 0; at < ordered.length; n += 1) {
    const size = sizes[n % sizes.length] as number;
    files.push(ordered.slice(at, at + size).map(([, fact]) => fact));
    at += size;
  }
  const repeated = again.flatMap((at) => files[at % Math.max(1, files.length)] ?? []);
  return [...files, repeated, facts.filter((_, index) => index % 3 === 0)];
}

export function ended(
  files: readonly (readonly Fact[])[],
  change: (command: Command) => Command = (command) => command,
): World {
  const world = new World();
  for (const [n, facts] of files.entries())
    for (const command of commandsOf(facts, n)) world.sendWhole(change(command));
  return world;
}
