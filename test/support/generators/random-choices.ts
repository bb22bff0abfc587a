/**
 * What a throw of the dice is, what it can name, and the small helpers that give numbers a meaning. Shared by the two
 * halves of the random commands: `arbitraries.ts` and `arbitrary-payments.ts`.
 */
import { currencyOf } from '../../../src/core/values/currencies.ts';
import type { Prefix } from '../../../src/core/values/ids.ts';
import { formatMinor } from '../../../src/core/values/money.ts';
import type { Command } from '../../../src/write/slices.ts';
import { idAt } from '../harness/literals.ts';

/** Two, none and three decimals. */
export const CURRENCIES = ['EUR', 'USD', 'JPY', 'KWD'] as const;

export interface Item {
  readonly pick: number;
  readonly currency: number;
  readonly amount: bigint;
  readonly variant: number;
}

export interface Throw extends Item {
  readonly type: MoneyCommand['type'];
  readonly other: number;
  readonly items: readonly Item[];
  readonly dryRun: boolean;
}

/** Commands that move money or change what it moves by; those of webhooks and settings do neither. */
export type MoneyCommand = Exclude<
  Command,
  {
    readonly type:
      | `${string}_webhook_${string}`
      | 'resend_event'
      | 'note_parked_delivery'
      | 'update_settings'
      | 'create_recipient_batch'
      | `redact_${string}`
      | 'update_payout_rules'
      | 'update_exchange_settings'
      | 'create_limit'
      | 'delete_limit'
      | `approve_${string}`
      | `reject_${string}`
      | `${string}_key`
      | `${string}_user`
      | 'end_user_sessions'
      | 'note_sign_in'
      | `${string}_standing_order`
      | `${string}_bank_account`
      | `${string}_statement_file`
      | `${string}_bank_entry`
      | `${string}_bank_rule`
      | 'sign_reconciliation'
      | 'remind_payment'
      | 'issue_statement'
      | `${string}_expected_payment`
      | 'note_overdue'
      | 'credit_by_bank'
      | `${string}_bank_entries`
      | `${string}_payment_file`
      | 'open_payment_files'
      | 'note_bank_answers'
      | 'note_file_answer'
      | 'keep_entry_details'
      | 'bring_entry_details'
      | `${string}_bank_statement`
      | 'resolve_payout'
      | 'claim_payouts'
      | 'release_payouts'
      | 'note_restore'
      | 'note_rotation';
  }
>;

/** What commands can name, oldest first. */
export interface Known {
  readonly accounts: readonly string[];
  readonly recipients: readonly string[];
  readonly payouts: readonly string[];
  readonly batches: readonly string[];
  readonly exchanges: readonly string[];
  readonly quotes: readonly string[];
  readonly links: readonly string[];
  readonly payments: readonly string[];
  readonly fees: readonly string[];
  /** Of an account, a recipient, a link or a payment. */
  currencyOf(id: string): string;
  /** Of a payment, in minor units. */
  sumsOf(payment: string): Sums;
  /** A UUID that nothing else has: tokens are unique in the whole database. */
  fresh(): string;
}

export interface Sums {
  readonly amount: bigint;
  readonly received: bigint;
  readonly refunded: bigint;
}

/** One of them, or an id that nothing has. */
export function choose(prefix: Prefix, ids: readonly string[], pick: number): string {
  return pick === 15 ? idAt(prefix, 999) : (ids[pick % Math.max(ids.length, 1)] ?? idAt(prefix, 999));
}

export const currencyAt = (n: number): string => CURRENCIES[n > 10 ? n % CURRENCIES.length : n % 2] as string;
export const metadataOf = (variant: number) => [undefined, { k: 'a' }, { k: 'b' }, { k: '' }][variant % 4];

/** Text of an amount in major units, mostly right. */
export function textOf(amount: bigint, currency: string, variant: number): string {
  if (variant === 31) return '1e3';
  if (variant === 30) return '0.00';
  if (variant === 29) return '9'.repeat(16);
  return formatMinor(amount, currencyOf(currency)?.exponent ?? 2);
}
