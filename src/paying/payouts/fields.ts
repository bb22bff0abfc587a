/** Payouts and payout batches, field by field. Types, rows, JSON and schemas follow from these lists. */
import { exampleId } from '../../core/values/ids.ts';
import { type Destination, destinationText, destinationIn } from '../../core/rails/destination.ts';
import type { Code, Refusal } from '../../core/values/errors.ts';
import { FAILURE_CODES, isFailureCode } from '../../core/rails/failures.ts';
import { feesField } from '../../core/fees.ts';
import * as field from '../../core/fields.ts';
import type { Share } from '../../core/limits.ts';
import type { Limit, PayoutRules } from '../../core/payout-rules.ts';
import { expectedArrival, PAYMENT_SCHEMES, type Speed, SPEEDS } from '../../core/rails/payment-schemes.ts';
import { CATEGORY_PURPOSES } from '../../core/rails/purposes.ts';
import { REFERENCE_TYPES } from '../../core/rails/structured-references.ts';
import { nullableText, strictObject } from '../../core/values/json-schema.ts';
import { isoDay, unixSeconds } from '../../core/values/time.ts';
import { bankAnswerField } from '../../core/bank-answer.ts';
import { fingerprintOf } from './fingerprints.ts';

export const PAYOUT_STATUSES = ['waiting', 'pending', 'in_transit', 'paid', 'failed', 'canceled', 'returned'] as const;
export type PayoutStatus = (typeof PAYOUT_STATUSES)[number];

/** `ended`: what was held when the payout ended waits for nobody any more. It is shown so, and kept as `held`. */
export const RELEASE_STATUSES = ['held', 'approved', 'rejected', 'ended'] as const;
export type ReleaseStatus = (typeof RELEASE_STATUSES)[number];

/** What a second person has to do with a payout. Instants are milliseconds. */
export interface Release {
  readonly status: Exclude<ReleaseStatus, 'ended'>;
  /** `new_recipient`, `changed_recipient`, or the id of a limit. */
  readonly reasons: readonly string[];
  readonly approvalsRequired: number;
  /** `proof`: of a person who signed with a passkey what was on the screen. */
  readonly approvals: readonly { readonly by: string; readonly at: number; readonly proof?: string }[];
  readonly rejection: { readonly by: string; readonly at: number; readonly reason: string | null } | null;
}

/** As it is shown. Statements tell it with `RELEASE_STATUS` (sql.ts). */
const stateOf = (release: Release, status: PayoutStatus): ReleaseStatus =>
  release.status !== 'held' || status === 'pending' || status === 'waiting' ? release.status : 'ended';

const APPROVAL = { type: 'object', properties: { actor: { type: 'string' }, at: { type: 'integer' } } };
const SIGNED =
  'Of an approval by a passkey: the SHA-256, in base64url, that it signed, over a nonce and the ids and fingerprints of all that was approved with it.';
const proof = { type: 'string', description: SIGNED };
const PROVEN = { ...APPROVAL, properties: { ...APPROVAL.properties, proof } };
const release: field.Field<Release | null> = {
  column: field.jsonOrNull<Release>({}, { mutable: true }).column,
  shown: () => ({
    schemas: {
      release: {
        ...strictObject('Set if a rule held the payout, which stays `pending` until it is approved.', {
          status: {
            type: 'string',
            enum: ['held', 'approved', 'rejected', 'ended'],
            description: '`ended`: the payout was canceled, or failed, before anybody decided.',
          },
          reasons: {
            type: 'array',
            items: { type: 'string' },
            description: '`new_recipient`, `changed_recipient`, or the id of the exceeded limit.',
          },
          approvals_required: { type: 'integer' },
          approvals: { type: 'array', items: PROVEN, description: 'Who approved, and when.' },
          rejection: {
            type: ['object', 'null'],
            properties: { ...APPROVAL.properties, reason: { type: ['string', 'null'] } },
          },
          changed_by: {
            type: 'array',
            items: { type: 'string' },
            description:
              'Everybody who changed what leaves, such as its reference or its day, also before it was held. A change voids approvals.',
          },
          fingerprint: {
            type: ['string', 'null'],
            description:
              'It stands for all that leaves: amount, account, recipient and bank details, texts, purposes, bank account, day and speed. An approval sends it.',
          },
        }),
        type: ['object', 'null'],
      },
    },
    json(value, object) {
      if (value === null) return '"release":null';
      const { reasons, approvalsRequired, approvals, rejection } = value;
      const payout = object as unknown as Payout;
      return `"release":${JSON.stringify({
        status: stateOf(value, payout.status),
        reasons,
        approvals_required: approvalsRequired,
        approvals: approvals.map(({ by, at, ...proven }) => ({ actor: by, at: unixSeconds(at), ...proven })),
        rejection: rejection && { actor: rejection.by, at: unixSeconds(rejection.at), reason: rejection.reason },
        changed_by: payout.changedBy ?? [],
        fingerprint: fingerprintOf(payout),
      })}`;
    },
  }),
};

const textColumn = <V>(encode: (value: V) => string | null, decode: (stored: unknown) => V) =>
  ({ type: 'text', name: null, mutable: false, encode, decode }) as const;

const destination: field.Field<Destination | null> = {
  column: textColumn(
    (value) => value && destinationText(value),
    (stored) => (stored === null ? null : destinationIn(stored as string)),
  ),
  shown: () => ({
    schemas: {
      destination: {
        ...strictObject(
          'Where it goes: the recipient at the time of creation. `null` on payouts that are older than this member.',
          {
            name: { type: 'string', description: 'Name of the account holder.' },
            scheme: { type: 'string', enum: PAYMENT_SCHEMES, description: 'How the money travels.' },
            country: { type: 'string', description: 'Country of the bank account.' },
            bank: nullableText(
              'BIC, or the number of bank and branch (routing number, sort code and so on), if known.',
            ),
            last4: { type: 'string', description: 'The last four characters of the account.' },
          },
        ),
        type: ['object', 'null'],
      },
    },
    json: (value) => `"destination":${value === null ? 'null' : destinationJson(value)}`,
  }),
};
/** Word by word as in `events/log/event-codec.ts`. */
const destinationJson = ({ name, scheme, country, bank, last4 }: Destination): string =>
  `{"name":${JSON.stringify(name)},"scheme":"${scheme}","country":"${country}","bank":${bank === null ? 'null' : `"${bank}"`},"last4":"${last4}"}`;

/** Null in the table for most: a column that is null takes no room. */
const speed: field.Field<Speed> = {
  ...field.oneOf(SPEEDS, {
    description:
      'How fast it should arrive: `instant` within seconds at any hour, `urgent` on the day on which it leaves.',
  }),
  column: textColumn(
    (value) => (value === 'standard' ? null : value),
    (stored) => (stored as Speed | null) ?? 'standard',
  ),
};

const SUM_RETURNED = field.sum('amount_returned', {
  description:
    'What came back so far, major units. A payout is `returned` from the first part on: less than its amount came back less charges, or a part of it.',
  mutable: true,
});
/** Null in the table while nothing came back. */
const amountReturned: field.Field<bigint> = {
  ...SUM_RETURNED,
  column: {
    ...SUM_RETURNED.column,
    encode: (value) => (value === 0n ? null : value),
    decode: (stored) => (stored as bigint | null) ?? 0n,
  },
};

/** From the day on which the bank executes it; where that is not known, from the day it left, or is to leave. */
function arrivalJson(payout: Payout): string {
  const { destination: to, currency, speed: asked, createdAt } = payout;
  if (to === null) return 'null';
  const leaves = payout.inTransitAt === null ? payout.scheduledOn : isoDay(payout.inTransitAt);
  const day = payout.expectedExecutionOn ?? leaves ?? isoDay(createdAt);
  return `"${expectedArrival({ scheme: to.scheme, currency, speed: asked }, day)}"`;
}

export const PAYOUT = field.objectType('payout', 'po', {
  amount: field.money(),
  currency: field.currency(),
  recipient: field.id('rcp', {
    column: 'recipient_id',
    schema: {
      type: ['string', 'null'],
      description: '`null` where it pays a salary, bonus or pension, for a key without `payroll:read`.',
    },
  }),
  account: field.id('acct', { column: 'account_id', description: 'Account debited.' }),
  status: field.oneOf(PAYOUT_STATUSES, {
    example: 'pending',
    description: '`waiting`: it waits for money, and nothing has been debited.',
    mutable: true,
  }),
  reference: field.textOrNull({ description: 'Text for the recipient.', mutable: true }),
  referenceType: field.oneOfOrNull(REFERENCE_TYPES, {
    description:
      'What the reference is: words (`text`), or a structured reference with check digits. `null` without a reference.',
    example: 'text',
    mutable: true,
  }),
  statementDescriptor: field.textOrNull({ description: 'Short text for the recipient’s statement.' }),
  externalId: field.textOrNull({ description: 'Your own id.' }),
  scheduledOn: field.dayOrNull({ description: 'The day on which it should leave.', mutable: true }),
  speed,
  categoryPurpose: field.oneOfOrNull(CATEGORY_PURPOSES, {
    description: 'The category by which banks process it (ISO 20022), such as `SALA` for a salary.',
    mutable: true,
  }),
  purpose: field.textOrNull({ description: 'What the payee is told that it is for (ISO 20022).', mutable: true }),
  bankAccount: field.idOrNull('ba', {
    column: 'bank_account_id',
    description: 'Your bank account that pays. `null`: none is named, and the oldest open one of its currency pays.',
    mutable: true,
  }),
  waitUntilOn: field.dayOrNull({ description: 'The last day on which it waits for money, or waited.' }),
  destination,
  expectedExecutionOn: field.dayOrNull({
    description:
      'The day on which your bank executes it, by its cut-off and calendar. `null` while it waits for money or approval, and if no bank account pays in its currency.',
    mutable: true,
  }),
  expectedArrivalOn: field.derived(
    'expected_arrival_on',
    { type: ['string', 'null'], format: 'date', description: 'The day by which it should arrive.' },
    (payout: never): string => arrivalJson(payout),
  ),
  batch: field.idOrNull('pob', { column: 'batch_id', description: 'The batch it was created in.' }),
  standingOrder: field.idOrNull('so', { column: 'standing_order_id', description: 'The standing order that made it.' }),
  exchange: field.idOrNull('exc', { column: 'exchange_id', description: 'The exchange that was booked with it.' }),
  fees: feesField('Its fees.', { mutable: true }),
  transfer: field.idOrNull('trf', {
    column: 'transfer_id',
    description: 'The transfer that debited the account; null while it waits for money.',
    example: exampleId('trf'),
    mutable: true,
  }),
  reversal: field.idOrNull('trf', {
    column: 'reversal_id',
    description: 'The transfer that credited the account back.',
    mutable: true,
  }),
  amountReturned,
  refundOf: field.idOrNull('pay', { description: 'The payment that it refunds.' }),
  failureCode: field.textOrNull({
    schema: {
      type: ['string', 'null'],
      enum: [...Object.keys(FAILURE_CODES), null],
      description: 'Why it failed or came back.',
    },
    mutable: true,
  }),
  failureMessage: field.derived(
    'failure_message',
    { type: ['string', 'null'], description: 'The failure code in words.' },
    ({ failureCode }: { failureCode: string | null }) =>
      failureCode !== null && isFailureCode(failureCode) ? JSON.stringify(FAILURE_CODES[failureCode]) : 'null',
  ),
  /** `null`: its bank has said nothing. */
  bankAnswer: bankAnswerField,
  release,
  inTransitAt: field.instantOrNull({ description: 'When it left.', mutable: true }),
  endedAt: field.instantOrNull({ description: 'When it became paid, failed, canceled or returned.', mutable: true }),
  createdBy: field.actor(),
  /** Everybody who changed what leaves, once each; `null`: nobody. */
  changedBy: field.jsonOrNull<readonly string[]>({}, { hidden: true, mutable: true }),
  metadata: field.metadata({ mutable: true, sparse: true }),
  recipientVersion: field.count({ hidden: true }),
  /** When the settlement worker takes the next step; `null` is never. */
  dueAt: field.instantOrNull({ hidden: true, mutable: true }),
  /** What it has used of limits; `null`: nothing counts it. */
  shares: field.jsonOrNull<readonly Share[]>({}, { column: 'limit_shares', hidden: true, mutable: true }),
});
export type Payout = field.ObjectOf<typeof PAYOUT>;

export const BATCH_STATUSES = ['processing', 'completed', 'completed_with_failures'] as const;
export const BATCH_MODES = ['atomic', 'partial'] as const;

export const PAYOUT_BATCH = field.objectType('payout_batch', 'pob', {
  status: field.oneOf(BATCH_STATUSES, { mutable: true }),
  mode: field.oneOf(BATCH_MODES),
  externalId: field.textOrNull({ description: 'Your own id; or `csv-` and 32 hex digits, made of a CSV file.' }),
  categoryPurpose: field.oneOfOrNull(CATEGORY_PURPOSES, {
    description: 'The category by which banks process it (ISO 20022), such as `SALA` for a salary.',
  }),
  purpose: field.textOrNull({ description: 'What the payee is told that it is for (ISO 20022).' }),
  bankAccount: field.idOrNull('ba', {
    column: 'bank_account_id',
    description: 'Your bank account that pays. `null`: none is named, and the oldest open one of its currency pays.',
  }),
  batchBooking: field.flagOrNull({
    description:
      'Whether your bank is asked to book its payouts as one entry. `null`: salaries, bonuses and pensions as one, others one by one.',
  }),
  payoutsCount: field.count({ description: 'Payouts created.' }),
  rejectedCount: field.count({ description: 'Items rejected (partial mode).' }),
  openCount: field.count({ description: 'Payouts still pending or in transit.', mutable: true }),
  failedCount: field.count({ description: 'Payouts failed or canceled.', mutable: true }),
  completedAt: field.instantOrNull({ description: 'When the last payout ended.', mutable: true }),
  metadata: field.metadata(),
});
export type PayoutBatch = field.ObjectOf<typeof PAYOUT_BATCH>;

/** An item that no payout was made of: what could be read of it, and why not. `amount` in minor units, as text. */
export interface RejectedItem {
  readonly index: number;
  readonly code: Code;
  readonly param: string | null;
  /** `null`: it quotes what could not be read, which is not kept. */
  readonly message: string | null;
  readonly externalId: string | null;
  readonly recipient: string | null;
  readonly amount: string | null;
  readonly currency: string | null;
}

/** A batch as it is created. The rejected items go into its row and are not loaded again with it: it changes with each of its payouts. */
export interface NewPayoutBatch extends PayoutBatch {
  readonly rejectedItems: readonly RejectedItem[];
}

export type ItemResult =
  /** `match`: of an item to a payee, whether it was a recipient before. */
  | { readonly status: 'created'; readonly payout: Payout; readonly match?: 'found' | 'new' | undefined }
  | { readonly status: 'rejected'; readonly refusal: Refusal };

/** Of all payouts in one currency. Amounts in minor units. */
export interface TriedTotal {
  readonly currency: string;
  readonly count: number;
  readonly amount: bigint;
  /** A payout is charged in its own currency. */
  readonly fees: bigint;
  readonly heldCount: number;
  /** What holds them: `new_recipient`, `changed_recipient`, and ids of limits, each once. */
  readonly heldBy: readonly string[];
}

/** An account that the batch debits, or opens. Balances in minor units. */
export interface TriedAccount {
  readonly account: string;
  readonly currency: string;
  readonly before: bigint;
  readonly after: bigint;
}

/** `first`: the first item that pays the same. */
export type RepeatedItem = Readonly<Record<'index' | 'first', number>>;

export interface TriedBatch {
  /** In the order in which currencies come. */
  readonly totals: readonly TriedTotal[];
  /** `null`: whoever asks may not see balances. */
  readonly accounts: readonly TriedAccount[] | null;
  readonly repeated: readonly RepeatedItem[];
}

declare module '../../core/objects.ts' {
  interface Stored {
    readonly payout: Payout;
    readonly payout_batch: PayoutBatch;
  }
}

declare module '../../core/decision.ts' {
  interface Replies {
    readonly payout_batch_results: {
      readonly object: 'payout_batch_results';
      readonly id: string;
      readonly batch: PayoutBatch;
      readonly results: readonly ItemResult[];
      /** Of a dry run. */
      readonly tried: TriedBatch | null;
    };
    /** Of many at once: how many may leave now, and how many wait for one more approval. */
    readonly payout_approval: {
      readonly object: 'payout_approval';
      /** Of its environment. */
      readonly id: string;
      readonly approvedCount: number;
      readonly heldCount: number;
    };
    /** A limit that somebody wants to delete, and that stays for now. */
    readonly kept_limit: { readonly object: 'kept_limit'; readonly id: string };
    readonly payout_batch_cancellation: {
      readonly object: 'payout_batch_cancellation';
      readonly id: string;
      readonly batch: PayoutBatch;
      readonly canceledCount: number;
      readonly keptCount: number;
    };
  }
}

declare module '../../core/objects.ts' {
  interface Announced {
    /** With the id of its environment. */
    readonly payout_rules: { readonly object: 'payout_rules'; readonly id: string; readonly rules: PayoutRules };
    readonly limit: {
      readonly object: 'limit';
      readonly id: string;
      readonly limit: Limit;
      readonly rules: PayoutRules;
      readonly atMs: number;
      /** `null`: nobody has counted. */
      readonly used: 0 | null;
    };
  }
}
