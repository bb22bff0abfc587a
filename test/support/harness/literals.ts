/**
 * Objects as literals, for tests of decisions: each with fields that are right, of which a test names only those it is
 * about. Ids are readable in their order: `idAt('acct', 1)` is older than `idAt('acct', 2)`, and both are older than what
 * `seededIds` makes. Never random, no clock. Next: `given.ts`.
 */
import { NO_FX } from '../../../src/core/fx.ts';
import type { Actor } from '../../../src/core/actor.ts';
import { encodeId, type IdSource, type Prefix } from '../../../src/core/values/ids.ts';
import type { Environment } from '../../../src/core/objects.ts';
import type { Limit } from '../../../src/core/payout-rules.ts';
import type { WebhookEndpoint } from '../../../src/events/webhooks/fields.ts';
import type { Payment, PaymentLink } from '../../../src/collecting/payments/fields.ts';
import type { Recipient } from '../../../src/paying/recipients/fields.ts';
import type { Account } from '../../../src/core/account.ts';
import type { ApiKey } from '../../../src/tenancy/keys/fields.ts';
import type { Payout, PayoutBatch } from '../../../src/paying/payouts/fields.ts';
import { DAY_MS } from '../../../src/core/values/time.ts';
import type { StandingOrder } from '../../../src/paying/standing-orders/fields.ts';
import type { CreatePaymentLink } from '../../../src/collecting/payments/link-decide.ts';
import type { PayoutOrder } from '../../../src/paying/payouts/decide.ts';
import { UNRESTRICTED, UNUSED } from './keys.ts';
import { API_VERSION } from '../../../src/core/values/version.ts';

/** Whose commands tests decide, where it does not matter. */
export const ACTOR: Actor = 'worker';
/** The fixed instant of tests: 14 March 2026, 09:30 UTC. */
export const AT = Date.UTC(2026, 2, 14, 9, 30);
/** When what a test is given was made. */
export const BEFORE = AT - DAY_MS;

/** Bytes of a UUIDv7 at `atMs` with an 18-bit counter behind the time, so that ids sort by both. */
function bytesAt(atMs: number, counter: number): Uint8Array {
  const bytes = new Uint8Array(16);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(atMs) << 16n);
  bytes[6] = 0x70 | (counter >> 14);
  bytes[7] = (counter >> 6) & 0xff;
  bytes[8] = 0x80 | (counter & 0x3f);
  return bytes;
}

/** The id of the n-th given object of a type. Nothing that a decision makes has it. */
export function idAt(prefix: Prefix, n: number): string {
  return encodeId(prefix, bytesAt(BEFORE, n));
}

/** A sandbox whose newest event has this sequence. */
export function environment(lastSequence = 0n, lastAtMs = AT): Environment {
  return {
    id: idAt('env', 1),
    livemode: false,
    lastSequence,
    lastAtMs,
    clockOffsetMs: 0,
    endpointsVersion: 0n,
    payoutRules: null,
    fees: [],
    payingBanks: [],
    fx: NO_FX,
  };
}

/** Ids that count up, the same in every run. */
export function seededIds(atMs = AT): IdSource {
  let counter = 0;
  return {
    next: (prefix) => encodeId(prefix, bytesAt(atMs, ++counter)),
    event: (sequence) => {
      const bytes = bytesAt(atMs, ++counter);
      bytes[11] = Number(sequence >> 32n);
      new DataView(bytes.buffer).setUint32(12, Number(sequence & 0xffff_ffffn));
      return encodeId('evt', bytes);
    },
  };
}

export const ACCOUNT = idAt('acct', 1);
export const RECIPIENT = idAt('rcp', 1);
export const PAYOUT = idAt('po', 1);
export const BATCH = idAt('pob', 1);
export const ENDPOINT = idAt('we', 1);
export const LINK = idAt('plink', 1);
export const PAYMENT = idAt('pay', 1);

/** An open EUR account that holds 1,000.00. */
export function account(fields: Partial<Account> = {}): Account {
  return {
    object: 'account',
    id: ACCOUNT,
    currency: 'EUR',
    balance: 100_000n,
    name: null,
    status: 'open',
    metadata: {},
    createdAt: BEFORE,
    closedAt: fields.status === 'closed' ? BEFORE : null,
    waiting: null,
    ...fields,
  };
}

/** Ada in Germany, paid in EUR. */
export function recipient(fields: Partial<Recipient> = {}): Recipient {
  return {
    object: 'recipient',
    id: RECIPIENT,
    version: 3,
    name: 'Ada Lovelace',
    type: 'individual',
    currency: 'EUR',
    country: 'DE',
    email: null,
    bankDetails: { iban: 'DE89370400440532013000' },
    address: null,
    latinName: null,
    categoryPurpose: null,
    purpose: null,
    bankAccount: null,
    duplicateOf: null,
    bankSummary: 'sepa\u001f\u001f3000',
    bankDetailsChangedAt: null,
    changedAt: null,
    status: 'active',
    createdBy: 'cli',
    metadata: {},
    createdAt: BEFORE,
    ...fields,
  };
}

/** A pending payout of 250.00 EUR to Ada, alone. */
export function payout(fields: Partial<Payout> = {}): Payout {
  return {
    object: 'payout',
    id: PAYOUT,
    account: ACCOUNT,
    recipient: RECIPIENT,
    recipientVersion: 3,
    amount: 25_000n,
    currency: 'EUR',
    status: 'pending',
    transfer: idAt('trf', 1),
    reversal: null,
    amountReturned: 0n,
    fees: [],
    refundOf: null,
    batch: null,
    reference: null,
    referenceType: null,
    statementDescriptor: null,
    externalId: null,
    scheduledOn: null,
    speed: 'standard',
    categoryPurpose: null,
    purpose: null,
    bankAccount: null,
    expectedExecutionOn: null,
    destination: { name: 'Ada Lovelace', scheme: 'sepa', country: 'DE', bank: null, last4: '3000' },
    waitUntilOn: null,
    standingOrder: null,
    exchange: null,
    failureCode: null,
    bankAnswer: null,
    release: null,
    shares: null,
    createdBy: ACTOR,
    changedBy: null,
    metadata: {},
    dueAt: AT,
    inTransitAt: null,
    endedAt: null,
    createdAt: BEFORE,
    ...fields,
  };
}

/** What one payout needs: 250.00 EUR to the recipient, from the oldest open account. */
export function payoutOrder(fields: Partial<PayoutOrder> = {}): PayoutOrder {
  return {
    amount: 25_000n,
    currency: 'EUR',
    recipient: RECIPIENT,
    account: null,
    reference: null,
    statementDescriptor: null,
    externalId: null,
    scheduledOn: null,
    metadata: undefined,
    ...fields,
  };
}

/** An active standing order of 250.00 EUR to Ada, every month from the day of the tests on. */
export function standingOrder(fields: Partial<StandingOrder> = {}): StandingOrder {
  return {
    object: 'standing_order',
    id: idAt('so', 1),
    amount: 25_000n,
    currency: 'EUR',
    recipient: RECIPIENT,
    account: ACCOUNT,
    speed: 'standard',
    status: 'active',
    pausedReason: null,
    canceledReason: null,
    interval: 'month',
    intervalCount: 1,
    first: '2026-03-14',
    last: null,
    count: null,
    next: '2026-03-14',
    runsCount: 0,
    failedCount: 0,
    skippedCount: 0,
    lastRun: null,
    lastPayout: null,
    lastFailure: null,
    reference: null,
    referenceType: null,
    statementDescriptor: null,
    categoryPurpose: null,
    purpose: null,
    endedAt: null,
    orderedBy: ACTOR,
    createdBy: ACTOR,
    metadata: {},
    plannedIndex: 0,
    failuresInARow: 0,
    dueAt: Date.UTC(2026, 2, 14),
    createdAt: BEFORE,
    ...fields,
  };
}

/** An atomic batch of two payouts, both still open. */
export function payoutBatch(fields: Partial<PayoutBatch> = {}): PayoutBatch {
  return {
    object: 'payout_batch',
    id: BATCH,
    status: 'processing',
    mode: 'atomic',
    externalId: null,
    categoryPurpose: null,
    purpose: null,
    bankAccount: null,
    batchBooking: null,
    payoutsCount: 2,
    rejectedCount: 0,
    openCount: 2,
    failedCount: 0,
    metadata: {},
    createdAt: BEFORE,
    completedAt: null,
    ...fields,
  };
}

/** An active link that asks for one payment of 250.00 EUR. */
export function paymentLink(fields: Partial<PaymentLink> = {}): PaymentLink {
  const { status = 'active' } = fields;
  return {
    object: 'payment_link',
    id: LINK,
    token: 'token of the link',
    url: 'https://pay.example.com/pay/link',
    account: ACCOUNT,
    currency: 'EUR',
    amount: 25_000n,
    minimum: null,
    maximum: null,
    reusable: false,
    maxPayments: null,
    status,
    paymentsCount: 0,
    openCount: 0,
    received: 0n,
    description: null,
    reference: null,
    customerEmail: null,
    redirectUrl: null,
    message: null,
    metadata: {},
    expiresAt: null,
    endedAt: status === 'active' ? null : BEFORE,
    endedAs: null,
    createdAt: BEFORE,
    ...fields,
  };
}

/** A payment of 250.00 EUR by bank transfer that waits for its money. */
export function payment(fields: Partial<Payment> = {}): Payment {
  return {
    object: 'payment',
    id: PAYMENT,
    link: LINK,
    token: 'token of the payment',
    reference: 'RF18539007547034',
    account: ACCOUNT,
    method: 'bank_transfer',
    currency: 'EUR',
    amount: 25_000n,
    received: 0n,
    refunded: 0n,
    status: 'pending',
    duplicateOf: null,
    failureCode: null,
    payerName: null,
    payerIban: null,
    session: null,
    transfer: null,
    refund: null,
    fees: [],
    metadata: {},
    dueAt: (fields.status ?? 'pending') === 'pending' ? AT + 14 * DAY_MS : null,
    remindAt: null,
    paidAt: null,
    createdAt: BEFORE,
    ...fields,
  };
}

/** The n-th key, of the command line: a family of its own. It works, and no power is taken from it. */
export function apiKey(n: number, fields: Partial<ApiKey> = {}): ApiKey {
  const id = idAt('key', n);
  return {
    object: 'key',
    id,
    prefix: 'sk_test_',
    last4: 'abcd',
    hash: 'cd'.repeat(32),
    secretId: null,
    name: 'payroll',
    version: API_VERSION,
    ...UNRESTRICTED,
    ...UNUSED,
    lineage: [id],
    createdAt: BEFORE,
    ...fields,
  };
}

/** An enabled endpoint that asks for everything, with one secret. */
export function webhookEndpoint(fields: Partial<WebhookEndpoint> = {}): WebhookEndpoint {
  return {
    object: 'webhook_endpoint',
    id: ENDPOINT,
    url: 'https://hooks.example.com/',
    enabledEvents: ['*'],
    description: null,
    version: API_VERSION,
    ordered: false,
    status: 'enabled',
    disabledReason: fields.status === 'disabled' ? 'requested' : null,
    firstFailedAt: null,
    headers: [],
    secrets: [{ sealed: 'v1.first', expiresAt: null }],
    metadata: {},
    createdAt: BEFORE,
    deletedAt: null,
    ...fields,
  };
}

/** A command that asks for 250.00 EUR, once, with nothing else said. */
export function createPaymentLink(fields: Partial<CreatePaymentLink> = {}): CreatePaymentLink {
  return {
    type: 'create_payment_link',
    token: 'token',
    url: 'https://pay.example.com/pay/token',
    account: null,
    currency: 'EUR',
    asked: { amount: 25_000n, minimum: null, maximum: null },
    reusable: false,
    maxPayments: null,
    description: null,
    reference: null,
    customerEmail: null,
    redirectUrl: null,
    message: null,
    expiresAtMs: null,
    metadata: undefined,
    hasCard: false,
    ...fields,
  };
}

export const LIMIT = idAt('lim', 1);
/** 500.00 EUR a day of the environment. */
export const dayLimit = (fields: Partial<Limit> = {}): Limit => ({
  id: LIMIT,
  currency: 'EUR',
  allCurrencies: false,
  amount: 50_000n,
  count: null,
  per: 'environment',
  of: null,
  action: 'refuse',
  createdAt: AT,
  ...fields,
});
