/** Bank accounts, files for banks and what banks report, with usual values. Next: `literals.ts`. */
import type { PaymentFile, BankInstruction } from '../../../src/bank/payment-files/fields.ts';
import { idAs } from '../../../src/core/values/ids.ts';
import type { BankLine } from '../../../src/bank/statements/booking.ts';
import type { KeepEntryDetails } from '../../../src/bank/statements/details-decide.ts';
import { type ImportBankEntries, NOTHING_WAITS } from '../../../src/bank/statements/decide.ts';
import { NOTHING_EXPLAINED } from '../../../src/bank/statements/fields.ts';
import type { StatementHead } from '../../../src/bank/statements/slice.ts';
import { Positions } from '../../../src/core/deduplication/positions.ts';
import type { Stored } from '../../../src/core/objects.ts';
import { idAt, PAYOUT } from './literals.ts';

export const BANK = 'ba_01jd3v9q4ng8v8k3w2m6r5t7xa';
export const FILE = idAt('pf', 1);
export const INSTRUCTION = idAs('bi', PAYOUT);

export const bankAccount = (fields: Partial<Stored['bank_account']> = {}): Stored['bank_account'] => ({
  object: 'bank_account',
  id: BANK,
  name: null,
  currency: 'EUR',
  country: 'DE',
  holder: 'Rossum',
  holderAddress: null,
  bankDetails: { iban: 'DE89370400440532013000' },
  uses: ['payouts', 'collections'],
  pendingChanges: null,
  profile: 'de_dk',
  calendar: 'target',
  holidays: [],
  cutOff: '14:30',
  timeZone: 'Europe/Berlin',
  bookedBy: 'camt.053',
  payeeCheck: 'on',
  exports: 'by_hand',
  paidBy: 'booking',
  reversalSign: 'own',
  charges: 'to_fees',
  onDrift: 'warn',
  stoppedBy: null,
  driftDifference: null,
  booksVersion: 0,
  passedWindowAt: null,
  balance: 0n,
  status: 'open',
  metadata: {},
  booksFrom: null,
  closedAt: null,
  createdAt: 0,
  ...fields,
});
export const paymentFile = (fields: Partial<PaymentFile> = {}): PaymentFile => ({
  object: 'payment_file',
  id: FILE,
  bankAccount: BANK,
  status: 'claiming',
  route: 'sepa',
  profile: 'de_dk',
  currency: 'EUR',
  executionOn: '2026-03-16',
  categoryPurpose: null,
  batchBooking: false,
  onlyNamed: false,
  payoutsCount: 0,
  total: 0n,
  messageId: 'BF1',
  sha256: null,
  sizeBytes: null,
  reason: null,
  createdBy: null,
  sealedAt: null,
  answeredAt: null,
  bankReason: null,
  payeeCheck: null,
  abandonedAt: null,
  createdAt: 0,
  ...fields,
});
export const instruction = (fields: Partial<BankInstruction> = {}): BankInstruction => ({
  object: 'bank_instruction',
  id: INSTRUCTION,
  file: FILE,
  position: 1,
  status: 'claimed',
  answer: null,
  answers: [],
  reason: null,
  reasonText: null,
  unbooked: false,
  early: [],
  secondDebits: [],
  createdAt: 0,
  ...fields,
});

/** Of a camt.053 of one day that says no balances. */
export const statementHead = (fields: Partial<StatementHead> = {}): StatementHead => ({
  message: 'camt.053',
  reference: 'S',
  sequence: null,
  page: null,
  startsOn: '2026-03-13',
  openedOn: null,
  opening: null,
  closedOn: '2026-03-13',
  closing: null,
  entriesCount: 1,
  sum: 0n,
  series: 'aa',
  messageInFile: 1,
  identity: 'bb',
  entriesFrom: null,
  entriesUntil: null,
  periodFrom: null,
  periodUntil: null,
  ...fields,
});

/** A statement of which each line is new, in one command. */
export const wholeStatement = (
  statement: StatementHead,
  lines: readonly Omit<BankLine, 'position'>[],
  fields: Partial<ImportBankEntries> = {},
): ImportBankEntries => ({
  type: 'import_bank_entries',
  document: idAt('sf', 1),
  bankAccount: BANK,
  statement,
  plan: { ...NOTHING_WAITS, added: Positions.upTo(lines.length).text, booksVersion: null },
  heldBefore: 0n,
  lines: lines.map((line, at) => ({ ...line, position: at + 1 })),
  waiting: [],
  waited: null,
  isLast: true,
  ...fields,
});

/** A statement whose one entry waits for a person. */
export function waitingStatement(statement: StatementHead, fields: Partial<ImportBankEntries> = {}): ImportBankEntries {
  const line: BankLine = {
    position: 1,
    direction: 'credit',
    amount: 1n,
    bookedOn: statement.startsOn,
    valueOn: null,
    explanation: NOTHING_EXPLAINED,
    payouts: [],
    file: null,
    references: [],
  };
  const readings = [{ entries: '1', count: 1 }];
  const plan = { ...NOTHING_WAITS, added: '', readings, waitingCount: 1, booksVersion: null };
  return wholeStatement(statement, [], { plan, waiting: [line], ...fields });
}

/** Details of an entry that wait for it. */
export const keptDetails = (document: string, bankAccount = BANK): KeepEntryDetails => ({
  type: 'keep_entry_details',
  document,
  bankAccount,
  details: [
    {
      message: 'camt.054',
      direction: 'credit',
      amount: 500n,
      bookedOn: '2026-11-20',
      mark: '00'.repeat(16),
      isExact: true,
      isNaming: false,
      transactions: [
        {
          amount: '500',
          name: 'Eva',
          account: null,
          text: 'Thanks',
          endToEndId: null,
          references: [],
          to: null,
          transfer: null,
        },
      ],
    },
  ],
});
