/**
 * What whoever tries a batch is shown beside its payouts: sums, what becomes of the accounts, and rows that look as if they stood twice. It
 * decides nothing. Pure. On the wire: `tried-schema.ts`; what was paid in the days before: `paid-before.ts`.
 */
import type { Draft } from '../../core/draft.ts';
import { sumOf } from '../../core/fees.ts';
import type { ItemResult, Payout } from './fields.ts';

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

export interface RepeatedItem {
  readonly index: number;
  /** The first item that pays the same. */
  readonly first: number;
}

export interface TriedBatch {
  /** In the order in which currencies come. */
  readonly totals: readonly TriedTotal[];
  /** `null`: whoever asks may not see balances. */
  readonly accounts: readonly TriedAccount[] | null;
  readonly repeated: readonly RepeatedItem[];
}

export function triedBatch(draft: Draft, results: readonly ItemResult[], seesBalances: boolean): TriedBatch {
  return {
    totals: totalsOf(results.flatMap((result) => (result.status === 'created' ? [result.payout] : []))),
    accounts: seesBalances ? accountsOf(draft) : null,
    repeated: repeatedIn(results),
  };
}

export function totalsOf(payouts: readonly Payout[]): readonly TriedTotal[] {
  const totals = new Map<string, TriedTotal>();
  for (const { currency, amount, fees, release } of payouts) {
    const before = totals.get(currency) ?? { currency, count: 0, amount: 0n, fees: 0n, heldCount: 0, heldBy: [] };
    const reasons = release?.status === 'held' ? release.reasons : [];
    totals.set(currency, {
      currency,
      count: before.count + 1,
      amount: before.amount + amount,
      fees: before.fees + sumOf(fees),
      heldCount: before.heldCount + (release?.status === 'held' ? 1 : 0),
      heldBy: [...new Set([...before.heldBy, ...reasons])],
    });
  }
  return [...totals.values()];
}

/** As they were before the batch and as they would be after it: exchanges and fees are in the difference. */
function accountsOf(draft: Draft): readonly TriedAccount[] {
  const changed = draft.changes.flatMap((change) =>
    change.kind === 'object' && change.object.object === 'account' ? [change.object.id] : [],
  );
  return [...new Set(changed)].flatMap((id) => {
    const after = draft.find('account', id);
    if (after === undefined) return [];
    const before = draft.state.tables.account.get(id)?.balance ?? 0n;
    return [{ account: id, currency: after.currency, before, after: after.balance }];
  });
}

/**
 * Items that pay the same amount to the same recipient on the same day as an item before, whatever their reference: a row that was copied, and its
 * text changed. Where names and accounts repeat with their reference, it is a fault already (`batch.ts`). Instalments have days of their own.
 */
export function repeatedIn(results: readonly ItemResult[]): readonly RepeatedItem[] {
  const firsts = new Map<string, number>();
  return results.flatMap((result, index) => {
    if (result.status !== 'created') return [];
    const { recipient, amount, currency, scheduledOn } = result.payout;
    const key = JSON.stringify([recipient, String(amount), currency, scheduledOn]);
    const first = firsts.get(key);
    if (first !== undefined) return [{ index, first }];
    firsts.set(key, index);
    return [];
  });
}
