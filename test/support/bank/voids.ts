/** What tests share in which two people void entries of a bank: lines, commands, and what of the books is not as the entries say. */
import { wholeStatement, statementHead, BANK } from '../harness/bank-literals.ts';
import type { Outcome } from '../harness/given.ts';
import { ACCOUNT, idAt } from '../harness/literals.ts';
import type { BankLine } from '../../../src/bank/statements/booking.ts';
import { type BankEntry, NOTHING_EXPLAINED, unassigned } from '../../../src/bank/statements/fields.ts';
import { payoutOfClosing } from '../../../src/bank/statements/parts.ts';
import type { MovedPart } from '../../../src/bank/statements/void-decide.ts';
import { fingerprintOfStatus } from '../../../src/bank/statements/voiding.ts';
import type { Actor } from '../../../src/core/actor.ts';
import { houseOf, sideOfBankAccount } from '../../../src/core/house-accounts.ts';
import type { State } from '../../../src/core/state.ts';

export const key = (n: number) => ({ actor: idAt('key', n) as Actor, lineage: [idAt('key', n)] });
export const [ONE, OTHER, THIRD] = [key(1), key(2), key(3)];

export const line = (n: number, fields: Partial<BankLine> = {}): BankLine => ({
  position: n,
  direction: 'credit',
  amount: 500n,
  bookedOn: '2026-03-13',
  valueOn: null,
  explanation: NOTHING_EXPLAINED,
  payouts: [],
  file: null,
  references: [],
  ...fields,
});
export const imported = (lines: readonly BankLine[], identity = 'bb') =>
  wholeStatement(statementHead({ identity, series: identity, entriesCount: lines.length }), lines);

export const entriesIn = ({ tables }: State): BankEntry[] => [...tables.bank_entry.values()];
export const onlyOf = ({ state }: Outcome): BankEntry => entriesIn(state)[0] as BankEntry;
export const reason = 'Booked twice';
export const ask = ({ id: entry }: BankEntry) => ({ type: 'void_bank_entry', entry, reason }) as const;
export const askBack = ({ id: entry }: BankEntry) => ({ type: 'unvoid_bank_entry', entry, reason }) as const;
export const assign = ({ id: entry }: BankEntry, to: string, amount: string | null = null) =>
  ({ type: 'assign_bank_entry', entry, targets: [{ to, amount, payouts: [] }], reason: null }) as const;
export const unassign = ({ id: entry }: BankEntry, of: string) =>
  ({ type: 'unassign_bank_entry', entry, of, transfer: null, reason: null }) as const;

/** Of what is seen in this state. */
export function approve({ transfers }: State, entry: BankEntry) {
  const moved = entry.assignments
    .filter(({ undoneBy }) => undoneBy === null)
    .map((part): MovedPart => {
      const { to, transfer } = part;
      const found = transfers.find(({ id }) => id === transfer);
      const payout = to.startsWith('po_') ? to : transfer === null ? payoutOfClosing(part) : null;
      const fees = new Set(['payment', 'payment_fee']);
      const next = transfers.find(
        (each) => found && each.id > found.id && each.causeId === found.causeId && fees.has(each.cause),
      );
      const fee = next?.cause === 'payment_fee' && next.createdAt === found?.createdAt ? next.id : null;
      const payment = to.startsWith('pay_') && found ? { id: found.causeId as string, fee } : null;
      return { to, transfer, cause: found?.cause ?? null, payouts: payout === null ? [] : [payout], payment };
    });
  const { pendingChanges: pending } = entry;
  const fingerprint = pending === null ? 'none' : fingerprintOfStatus(entry, pending);
  return { type: 'approve_bank_entry', entry: entry.id, bankAccount: BANK, fingerprint, parts: moved } as const;
}
/** What one has asked for of the first entry, a second person approves. */
export const agreed = (asked: Outcome, by = OTHER) => asked.when(approve(asked.state, onlyOf(asked)), by);

/** One asks to void the entry of this index, and another one approves it. */
export function voided(done: Outcome, index = 0): Outcome {
  const entry = ({ state }: Outcome) => entriesIn(state)[index] as BankEntry;
  const asked = done.when(ask(entry(done)), ONE);
  return asked.refusal ? asked : asked.when(approve(asked.state, entry(asked)), OTHER);
}

/** What a side of transfers comes to: credits less debits. */
export function sumsOf({ transfers }: State): ReadonlyMap<string, bigint> {
  const sums = new Map<string, bigint>();
  const add = (id: string, amount: bigint) => {
    const name = houseOf(id)?.kind ?? id;
    sums.set(name, (sums.get(name) ?? 0n) + amount);
  };
  for (const { debitAccount, creditAccount, amount } of transfers) {
    add(debitAccount, -amount);
    add(creditAccount, amount);
  }
  return sums;
}

/** What of the books is not as the entries say. */
export function faultsOf(state: State): string[] {
  const sums = sumsOf(state);
  const entries = entriesIn(state);
  const signed = (each: BankEntry, amount: bigint) => (each.direction === 'credit' ? amount : -amount);
  const held = entries.reduce((sum, each) => sum + (each.status === 'voided' ? 0n : signed(each, each.amount)), 0n);
  const waiting = entries.reduce((sum, each) => sum + signed(each, unassigned(each)), 0n);
  const customer = state.tables.account.get(ACCOUNT)?.balance ?? 0n;
  const checks = {
    'all sums to nothing': [...sums.values()].reduce((sum, each) => sum + each, 0n) === 0n,
    'the bank account is the sum of the entries that count': state.tables.bank_account.get(BANK)?.balance === held,
    'its side too': (sums.get(sideOfBankAccount(BANK)) ?? 0n) === -held,
    'unmatched is what has no place': (sums.get('unmatched') ?? 0n) === waiting,
    'the account is the sum of its transfers': (sums.get(ACCOUNT) ?? 0n) === customer && customer >= 0n,
  };
  return Object.entries(checks).flatMap(([name, isSo]) => (isSo ? [] : name));
}

/** One asks for it; if that is taken, another person approves it. */
export function tried(now: Outcome, command: ReturnType<typeof ask> | ReturnType<typeof askBack>): Outcome {
  const asked = now.when(command, ONE);
  const entry = asked.state.tables.bank_entry.get(command.entry) as BankEntry;
  return entry.pendingChanges === null ? asked : asked.when(approve(asked.state, entry), OTHER);
}
