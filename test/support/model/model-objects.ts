/** What the model keeps of each object, and what it says of a command. Who keeps it: `model.ts`, `model-payments.ts`. */
import type { Code } from '../../../src/core/values/errors.ts';
import type { Metadata } from '../../../src/core/objects.ts';
import type { PaymentMethod } from '../../../src/core/rails/payment-schemes.ts';
import type { PaymentFailure, PaymentLink } from '../../../src/collecting/payments/fields.ts';
import type { PayoutStatus } from '../../../src/paying/payouts/fields.ts';

/** What an accepted command must have done: events `type id` and transfers `debit>credit amount cause`, in order. */
export interface Effects {
  readonly events: string[];
  readonly moves: string[];
}

/** Ids that the service chose, from its answer. */
export interface Made {
  readonly id: string;
  readonly buyAccount?: string;
  /** Of a payout from another currency: its exchange. */
  readonly exchange?: string;
  /** Of a link: the one credited, which may be new. */
  readonly account?: string;
  /** Of a refund: its payout, and the recipient, which may be new. */
  readonly refund?: string;
  readonly recipient?: string;
  /** By item of a batch; `null` for a rejected one. */
  readonly payouts?: readonly (string | null)[];
}

export type Expectation = { readonly refused: Code } | { readonly accepted: (made: Made) => void };

export interface ModelAccount {
  readonly currency: string;
  balance: bigint;
  open: boolean;
  name: string | null;
  tag: string | undefined;
}
export interface ModelPayout {
  readonly account: string;
  readonly amount: bigint;
  /** Charged with it; 0n: nothing. */
  readonly fee: bigint;
  readonly batch: string | null;
  /** The last day on which it waits for money; `null`: it had it at once. */
  readonly waitsUntil: string | null;
  funded: boolean;
  status: PayoutStatus;
  tag: string | undefined;
}
export interface ModelBatch {
  readonly items: string[];
  readonly rejected: number;
}

export interface ModelLink {
  readonly account: string;
  readonly currency: string;
  readonly asked: Pick<PaymentLink, 'amount' | 'minimum' | 'maximum'>;
  readonly reusable: boolean;
  maxPayments: number | null;
  status: PaymentLink['status'];
  expiresAt: number | null;
  description: string | null;
  tag: string | undefined;
}
export interface ModelPayment {
  readonly link: string;
  readonly amount: bigint;
  readonly duplicateOf: string | null;
  readonly credits: bigint[];
  /** Charged with each. */
  readonly fees: bigint[];
  /** Payouts that refund it; those that came back count for nothing. */
  readonly refunds: string[];
  method: PaymentMethod;
  failure: PaymentFailure | null;
  session: string | null;
  payer: { readonly name: string | null; readonly iban: string | null };
  /** When waiting ends, if nothing comes. */
  readonly patienceEnds: number;
  tag: string | undefined;
}

/** Metadata of the commands of the tests has one key, `k`. */
export const tagged = (before: string | undefined, metadata: Metadata | undefined): string | undefined =>
  metadata?.['k'] === undefined ? before : metadata['k'] || undefined;
export const isEnded = (status: PayoutStatus) => !['waiting', 'pending', 'in_transit'].includes(status);

/** As many single cancels as payouts of the batch are pending. */
export function cancelAll(
  batch: ModelBatch | undefined,
  payouts: ReadonlyMap<string, ModelPayout>,
  cancel: (id: string) => Expectation,
): Expectation {
  const pending = batch?.items.filter((id) => ['waiting', 'pending'].includes(payouts.get(id)?.status ?? '')) ?? [];
  if (pending.length === 0) return { refused: batch ? 'payout_not_cancelable' : 'resource_missing' };
  const canceled = pending.map(cancel);
  return {
    accepted: (made) => {
      for (const each of canceled) if ('accepted' in each) each.accepted(made);
    },
  };
}
