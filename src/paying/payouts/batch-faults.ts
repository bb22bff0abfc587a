/**
 * All faults of the items of a payout batch at once. `orderPayout` (`decide.ts`) decides whether a payout can be made and stops at the
 * first fault; this finds the others of an item that it refuses or that could not be read. Pure. Next: `batch.ts`.
 */
import type { Account } from '../../core/account.ts';
import { isRefusal } from '../../core/decision.ts';
import type { Draft } from '../../core/draft.ts';
import type { CsvPlace, ItemFault, Refusal } from '../../core/values/errors.ts';
import { openAccountNamed, payingAccount } from '../../core/ledger.ts';
import { refusedPayingAccount } from '../../core/company.ts';
import { formatMoney, MAX_BALANCE_MINOR } from '../../core/values/money.ts';
import { destinationOf } from '../../core/rails/destination.ts';
import { feeFor } from '../../core/fee-rules.ts';
import type { Payee } from '../recipients/match-decide.ts';
import { keptFor } from './waiting.ts';
import { checkPlannedDay } from './waiting.ts';
import { externalIdUsed, feeRuleOf, payableRecipient, type PayoutOrder } from './decide.ts';

/** One fault of an item, by the item's own names. */
export type Fault = Omit<ItemFault, 'index'>;

/** What could be read of an item. What is left out could not. */
export type Readable = Partial<
  Pick<PayoutOrder, 'amount' | 'currency' | 'account' | 'bankAccount' | 'externalId' | 'scheduledOn' | 'conversion'> &
    Pick<NamedOrder, 'recipient' | 'payee'>
>;

/** An order to a payee, who is known by name and account. */
export interface NamedOrder extends Omit<PayoutOrder, 'recipient'> {
  readonly payee: Payee;
  /** Which recipient is meant, if the item says it. */
  readonly recipient: string | null;
}

/** An item of a batch: the order, or its faults and the parameters that could be read. */
export type BatchItem = PayoutOrder | NamedOrder | FaultyItem;
export interface FaultyItem {
  readonly faults: readonly Fault[];
  readonly read: Readable;
}

/** Where the items stand in a CSV file: the names in its header, and the line of each item. */
export interface Places {
  readonly columns: readonly string[];
  readonly lines: readonly number[];
}

/** Where the fault of an item stands; nothing without a file. */
export function placeOf(places: Places | null, index: number, param: string | undefined): CsvPlace {
  const line = places?.lines[index];
  if (places === null || line === undefined) return {};
  const at = param === undefined ? -1 : places.columns.indexOf(param);
  return { line, ...(at >= 0 && { column: at + 1, column_name: param as string }) };
}

export function faultFrom({ code, message, details }: Refusal): Fault {
  const { param, resource_id, available_minor } = details;
  return {
    ...(param !== undefined && { param }),
    code,
    message,
    ...(resource_id !== undefined && { resource_id }),
    ...(available_minor !== undefined && { available_minor }),
  };
}

export function distinct(faults: readonly Fault[]): readonly Fault[] {
  const key = ({ code, param = '' }: Fault) => `${code} ${param}`;
  return faults.filter((fault, index) => faults.findIndex((other) => key(other) === key(fault)) === index);
}

/** What is wrong with what an item says of recipient, account, external id and day, each looked at for itself. */
export function statedFaults(draft: Draft, item: Readable): readonly Fault[] {
  const { recipient = null, currency, bankAccount = null, externalId = null, scheduledOn = null } = item;
  const taken = externalId === null ? undefined : draft.state.externalIds.get(externalId);
  const found = [
    recipient === null ? null : payableRecipient(draft, recipient, currency),
    accountOf(draft, item),
    currency === undefined ? null : refusedPayingAccount(draft, bankAccount, currency),
    taken === undefined ? null : externalIdUsed(taken),
    checkPlannedDay(scheduledOn, draft.atMs),
  ];
  return found.flatMap((each) => (each !== null && isRefusal(each) ? [faultFrom(each)] : []));
}

/** `null`: which account is meant could not be read, or the exchange of the item opens it. */
function accountOf(draft: Draft, { account: id, currency, conversion }: Readable): Account | Refusal | null {
  if (id === undefined || (conversion && id === null)) return null;
  if (currency !== undefined) return payingAccount(draft, id, currency, 'account');
  return id === null ? null : openAccountNamed(draft, id, null, 'account');
}

/** What stands twice where a row was copied by mistake. Instalments have days of their own. */
export function orderKey({ recipient, amount, currency, reference, scheduledOn, conversion }: PayoutOrder): string {
  const paid = amount ?? `${conversion?.amount ?? ''} from ${conversion?.quote ?? conversion?.sellCurrency}`;
  return JSON.stringify([recipient, String(paid), currency, reference, scheduledOn]);
}

export const repeats = (first: number): Fault => ({
  code: 'payout_repeated',
  message: `Item ${first} of the batch pays the same to the same payee, with the same reference. If both are meant, send allow_repeated=true.`,
});

export const usedByItem = (first: number): Fault => ({
  param: 'external_id',
  code: 'external_id_used',
  message: `Item ${first} of the batch has this external_id.`,
});

/** More than any payout. */
const LIFT = MAX_BALANCE_MINOR;

/**
 * What a batch needs of each account. A dry account is lifted: the draft goes on as if the money were there, so that later items are
 * judged too. A draft with a lifted account must be refused; {@link shortages} has a fault for each.
 */
export class Funds {
  private readonly draft: Draft;
  private readonly lifted = new Map<
    string,
    { readonly index: number; readonly lifts: bigint; readonly kept: bigint }
  >();
  private readonly unmade: { readonly index: number; readonly account: string; readonly amount: bigint }[] = [];

  constructor(draft: Draft) {
    this.draft = draft;
  }

  get hasLifted(): boolean {
    return this.lifted.size > 0;
  }

  lift(account: string, index: number): void {
    const found = this.draft.find('account', account) as Account;
    const before = this.lifted.get(account) ?? { index, lifts: 0n, kept: keptFor(this.draft, found) };
    this.lifted.set(account, { ...before, lifts: before.lifts + 1n });
    this.draft.update({ ...found, balance: found.balance + LIFT, waiting: null });
  }

  /** An item that is not made for another reason, and would need money all the same. */
  add(index: number, item: Readable): void {
    if (item.conversion) return; // its money comes from another account, and how much only its price says
    const { amount, currency } = item;
    const account = accountOf(this.draft, item);
    if (typeof amount !== 'bigint' || currency === undefined || account === null || isRefusal(account)) return;
    this.unmade.push({ index, account: account.id, amount: amount + this.feeOf(item, amount, currency) });
  }

  private feeOf({ recipient: id = null }: Readable, amount: bigint, currency: string): bigint {
    const recipient = id === null ? undefined : this.draft.find('recipient', id);
    return recipient === undefined ? 0n : feeFor(feeRuleOf(this.draft, currency, destinationOf(recipient)), amount);
  }

  /** One fault an account that does not hold enough for all items, at the first item that it does not reach. */
  shortages(): readonly ItemFault[] {
    const ids = new Set([...this.lifted.keys(), ...this.unmade.map(({ account }) => account)]);
    return [...ids].flatMap((id) => this.shortage(id) ?? []);
  }

  private shortage(id: string): ItemFault | null {
    const before = this.draft.state.tables.account.get(id) as Account;
    const { currency, balance: held } = before;
    const dry = this.lifted.get(id);
    const { index: dryAt, lifts, kept } = dry ?? { index: undefined, lifts: 0n, kept: keptFor(this.draft, before) };
    const free = kept < held ? held - kept : 0n;
    let needed = held + lifts * LIFT - (this.draft.find('account', id) as Account).balance;
    let index = dryAt;
    for (const item of this.unmade.filter(({ account }) => account === id)) {
      needed += item.amount;
      if (needed > free) index ??= item.index;
    }
    if (index === undefined) return null;
    return {
      index,
      param: 'amount',
      code: 'balance_insufficient',
      message: `Account ${id} holds ${formatMoney(held, currency)}${kept === 0n ? '' : `, and ${formatMoney(kept, currency)} is kept for payouts that wait`}; the batch as a whole needs ${formatMoney(needed, currency)} of it.`,
      account: id,
      available_minor: free,
      ...(needed <= Number.MAX_SAFE_INTEGER && { needed_minor: needed }),
    };
  }
}
