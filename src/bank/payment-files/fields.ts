/** Payment files, field by field: the file, the instruction of each payout, and the bytes. */
import * as field from '../../core/fields.ts';
import { strictObject } from '../../core/values/json-schema.ts';
import { type BankReason, bankReasonSchema } from '../../core/bank-answer.ts';
import { CATEGORY_PURPOSES } from '../../core/rails/purposes.ts';

/** How the names of the payees in a file compare with those of their accounts. */
export interface PayeeChecks {
  readonly match_count: number;
  readonly close_match_count: number;
  readonly no_match_count: number;
  readonly not_possible_count: number;
  /** Those that are no match, in the order of the file, {@link MOST_PAYEES} at most. */
  readonly payouts: readonly string[];
}
export const MOST_PAYEES = 100;

const countSchema = { type: 'integer' } as const;
const PAYEE_CHECKS_SCHEMA = {
  ...strictObject('How the names of its payees compare with those of their accounts (verification of payee).', {
    match_count: { ...countSchema, description: 'Payouts whose name is that of the account.' },
    close_match_count: { ...countSchema, description: 'Payouts whose name is nearly that of the account.' },
    no_match_count: { ...countSchema, description: 'Payouts whose name is another one.' },
    not_possible_count: { ...countSchema, description: 'Payouts of which the bank of the account did not say.' },
    payouts: {
      type: 'array',
      items: { type: 'string' },
      description: `The first ${MOST_PAYEES} payouts that are no \`match\`; their \`payee_check\` says more.`,
    },
  }),
  type: ['object', 'null'] as const,
};

export const FILE_STATUSES = ['claiming', 'sealed', 'abandoning', 'abandoned'] as const;

/** Payments that leave one bank account by one route on one day, of one category, booked in one way. */
export const PAYMENT_FILE = field.objectType('payment_file', 'pf', {
  bankAccount: field.id('ba', { column: 'bank_account_id' }),
  status: field.oneOf(FILE_STATUSES, {
    description:
      '`claiming` while it takes payouts, then `sealed`: it can be downloaded and never changes. `abandoning` while its payouts are set free, then `abandoned`.',
    mutable: true,
  }),
  route: field.code({ description: 'How its payments travel.', example: 'sepa' }),
  profile: field.code({ description: 'The dialect it is written in.', example: 'de_dk' }),
  currency: field.currency({ description: 'ISO 4217 code.' }),
  executionOn: field.day({ description: 'The day on which the bank should execute it.', example: '2026-11-23' }),
  categoryPurpose: field.oneOfOrNull(CATEGORY_PURPOSES, {
    description: 'The category by which banks process it (ISO 20022), such as `SALA` for a salary.',
  }),
  batchBooking: field.flag({
    description:
      'Whether it asks your bank to book it as one entry (`BtchBookg`), so that statements show no single payment.',
  }),
  payoutsCount: field.count({ description: 'Number of payouts in it.', mutable: true }),
  total: field.sum('total', { description: 'Sum of the payouts, major units.', mutable: true }),
  /** It takes only payouts that name its bank account: others leave from the usual one. */
  onlyNamed: field.flag({ hidden: true }),
  messageId: field.code({
    description: 'Its id at the bank (`MsgId`), never used twice.',
    example: 'PF01JD3V9Q4NE8V8K3W2M6R5T7XA',
  }),
  sha256: field.textOrNull({ description: 'SHA-256 of its bytes, in hex.', mutable: true }),
  sizeBytes: field.countOrNull({ description: 'Size in bytes.', mutable: true }),
  reason: field.textOrNull({ description: 'Why it was abandoned.', mutable: true }),
  createdBy: field.actor(),
  sealedAt: field.instantOrNull({ description: 'When it was sealed.', mutable: true }),
  answeredAt: field.instantOrNull({
    description: 'When the bank first reported on a payout in it. From then on it cannot be abandoned.',
    mutable: true,
  }),
  bankReason: field.jsonOrNull<BankReason>(bankReasonSchema('The reason that the bank gave for the whole of it.'), {
    mutable: true,
  }),
  payeeCheck: field.jsonOrNull<PayeeChecks>(PAYEE_CHECKS_SCHEMA, { mutable: true }),
  abandonedAt: field.instantOrNull({ description: 'When its last payout was set free.', mutable: true }),
});
export type PaymentFile = field.ObjectOf<typeof PAYMENT_FILE>;

/** What of an entry about a payout waits in `unmatched`. */
export interface WaitingEntry {
  /** Uuid. */
  readonly entry: string;
  /** Minor units. */
  readonly amount: string;
  readonly reason: string | null;
}

export const INSTRUCTION_STATUSES = ['claimed', 'released', 'unfiled'] as const;

/** A payout at its bank. It has the uuid of the payout, so a payout is in one file at a time. `unfiled`: it never was in a file. */
export const BANK_INSTRUCTION = field.objectType('bank_instruction', 'bi', {
  file: field.idOrNull('pf', { column: 'file_id', mutable: true }),
  /** From 1, as in the file. */
  position: field.count({ mutable: true }),
  status: field.oneOf(INSTRUCTION_STATUSES, { mutable: true }),
  /** The last status that the bank gave it (ISO 20022: ACSP, RJCT, …). */
  answer: field.textOrNull({ mutable: true }),
  /** Those by which it said more than that it has looked: each once, so that what is reported again is no news. */
  answers: field.json<readonly string[]>({}, { mutable: true }),
  /** Why: of a rejection or a return. ISO 20022, or the bank's own word. */
  reason: field.textOrNull({ mutable: true }),
  reasonText: field.textOrNull({ mutable: true }),
  /** Paid by a message of the bank; its debit is not booked yet. */
  unbooked: field.flag({ mutable: true }),
  /** Credits by which it came back before its debit was reported, or in vain. */
  early: field.json<readonly WaitingEntry[]>({}, { mutable: true }),
  /** Debits of a payout that was paid, or had ended, already. What comes back closes them first. */
  secondDebits: field.json<readonly WaitingEntry[]>({}, { mutable: true }),
});
export type BankInstruction = field.ObjectOf<typeof BANK_INSTRUCTION>;

/** The bytes of a sealed file; its id is that of the file. */
export const PAYMENT_FILE_CONTENT = field.objectType('payment_file_content', 'bfc', {
  /** Compressed with gzip, in base64; sealed at rest. */
  content: field.text({ hidden: true }),
});
export type PaymentFileContent = field.ObjectOf<typeof PAYMENT_FILE_CONTENT>;

/** What an export puts into a file. */
export interface Planned
  extends Pick<
    PaymentFile,
    | 'bankAccount'
    | 'route'
    | 'executionOn'
    | 'currency'
    | 'categoryPurpose'
    | 'batchBooking'
    | 'onlyNamed'
    | 'payoutsCount'
    | 'total'
  > {}

export const HELD_REASONS = [
  'frozen',
  'exports_stopped',
  'held',
  'scheduled',
  'no_bank_account',
  'not_payable',
] as const;

/** Payouts that do not leave, and why. */
export interface Held {
  readonly reason: (typeof HELD_REASONS)[number];
  readonly currency: string;
  readonly payoutsCount: number;
  /** Minor units. */
  readonly total: bigint;
  /** The reason in words, and the first payout that it concerns. */
  readonly message: string;
}

/** What a bank account lacks, by what is known of it, for all that has left or is to leave. */
export interface Shortfall {
  readonly bankAccount: string;
  readonly currency: string;
  /** Minor units, as these all. */
  readonly balance: bigint;
  readonly missing: bigint;
}

declare module '../../core/objects.ts' {
  interface Stored {
    readonly payment_file: PaymentFile;
    readonly bank_instruction: BankInstruction;
    readonly payment_file_content: PaymentFileContent;
  }
  interface Unannounced {
    readonly bank_instruction: BankInstruction;
    readonly payment_file_content: PaymentFileContent;
  }
}

declare module '../../core/decision.ts' {
  interface Replies {
    readonly payment_file_export: {
      readonly object: 'payment_file_export';
      readonly id: string;
      readonly planned: readonly Planned[];
      readonly files: readonly PaymentFile[];
      readonly held: readonly Held[];
      readonly shortfalls: readonly Shortfall[];
    };
  }
}
