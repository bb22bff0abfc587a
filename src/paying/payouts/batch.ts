/**
 * A payout batch: one command with many changes. `atomic` creates all payouts or names every fault; `partial` answers
 * item by item. Items are decided in order; each sees the changes of those before it. Pure. Faults: `batch-faults.ts`.
 */
import { assert } from '../../core/values/assert.ts';
import { type Decision, isRefusal } from '../../core/decision.ts';
import { type ItemFault, type Refusal, refusal, missing } from '../../core/values/errors.ts';
import { sumOf } from '../../core/fees.ts';
import { newMetadata } from '../../core/metadata.ts';
import type { Metadata } from '../../core/objects.ts';
import type { Draft } from '../../core/draft.ts';
import { Payees } from '../recipients/match-decide.ts';
import { orderPayout, cancelPayout, type PayoutOrder } from './decide.ts';
import {
  type BatchItem,
  distinct,
  type Fault,
  faultFrom,
  Funds,
  type NamedOrder,
  orderKey,
  placeOf,
  type Places,
  type Readable,
  repeats,
  statedFaults,
  usedByItem,
} from './batch-faults.ts';
import type {
  ItemResult,
  NewPayoutBatch,
  Payout,
  PayoutBatch,
  RejectedItem,
  RepeatedItem,
  TriedAccount,
  TriedBatch,
  TriedTotal,
} from './fields.ts';

export interface CreatePayoutBatch
  extends Partial<Pick<PayoutBatch, 'categoryPurpose' | 'purpose' | 'bankAccount' | 'batchBooking'>> {
  readonly type: 'create_payout_batch';
  readonly orders: readonly BatchItem[];
  /** Where they stand in a CSV file; `null`: in none. */
  readonly places: Places | null;
  readonly mode: 'atomic' | 'partial';
  /** Payees that are no recipients become ones, each in the commit of its payout. Without it they are faults. */
  readonly mayCreateRecipients?: boolean;
  /** Whether the same may be paid twice to a payee. */
  readonly mayRepeat?: boolean;
  readonly externalId: string | null;
  /** Whether the external id is made of a file that came without one (decision 0091). */
  readonly isFileId?: boolean;
  readonly metadata: Metadata | undefined;
  readonly settlementDelayMs: number | null;
  /** A dry run, which is answered with sums and warnings; `null`, or left out: none. */
  readonly tried?: { readonly seesBalances: boolean } | null;
}

/** Refuses `external_id_used` and, in atomic mode, `batch_invalid`. */
export function createPayoutBatch(draft: Draft, command: CreatePayoutBatch): Decision {
  const { externalId } = command;
  const taken = externalId === null ? undefined : draft.state.externalIdsOfBatches.get(externalId);
  if (taken !== undefined) {
    const details = { param: 'external_id', resource_id: taken };
    const message = command.isFileId
      ? `The same file was sent before, as payout batch ${taken}. To pay it once more, give an external_id that was not used.`
      : `Payout batch ${taken} has this external_id. Another batch needs another external_id.`;
    return refusal('external_id_used', message, details);
  }
  return command.mode === 'atomic' ? allOrNothing(draft, command) : itemByItem(draft, command);
}

function allOrNothing(draft: Draft, command: CreatePayoutBatch): Decision {
  const { orders, places } = command;
  const id = draft.newId('pob');
  const making = makingOf(draft, command, id);
  const funds = new Funds(draft);
  const externalIds = new Map<string, number>();
  const results: ItemResult[] = [];
  const errors: ItemFault[] = [];
  for (const [index, item] of orders.entries()) {
    const { externalId = null } = 'faults' in item ? item.read : item;
    const first = externalId === null ? undefined : externalIds.get(externalId);
    const twice = first === undefined ? [] : [usedByItem(first)];
    if (externalId !== null && first === undefined) externalIds.set(externalId, index);
    const made = make(making, item, index, twice, (account) => funds.lift(account, index));
    if (isMade(made)) {
      results.push(made);
      continue;
    }
    funds.add(index, 'faults' in item ? item.read : item);
    errors.push(...made.map((fault) => ({ index, ...fault })));
  }
  errors.push(...funds.shortages());
  if (errors.length === 0) {
    assert(!funds.hasLifted, 'money that is not there is a fault');
    return created(draft, command, id, results);
  }
  const named = errors
    .sort((a, b) => a.index - b.index)
    .map((fault) => ({ ...fault, ...placeOf(places, fault.index, fault.param) }));
  const message = `The batch of ${orders.length} has ${named.length === 1 ? 'a fault' : `${named.length} faults`}; nothing was created. errors names each item of payouts that is wrong.`;
  const refused = refusal('batch_invalid', message, { param: 'payouts', errors: named });
  return orders.some((item) => 'faults' in item) ? { ...refused, isUnrecorded: true } : refused;
}

function itemByItem(draft: Draft, command: CreatePayoutBatch): Decision {
  const { orders, places } = command;
  const id = draft.newId('pob');
  const making = makingOf(draft, command, id);
  const externalIds = new Map<string, number>();
  const results = orders.map((item, index): ItemResult => {
    const { externalId = null } = 'faults' in item ? item.read : item;
    const first = externalId === null ? undefined : externalIds.get(externalId);
    const made = make(making, item, index, first === undefined ? [] : [usedByItem(first)]);
    if (!isMade(made)) return { status: 'rejected', refusal: rejection(made, index, places) };
    if (externalId !== null) externalIds.set(externalId, index);
    return made;
  });
  return created(draft, command, id, results);
}

/** What the items of a batch share while their payouts are made. */
interface Making {
  readonly draft: Draft;
  readonly batch: string;
  readonly settlementDelayMs: number | null;
  readonly payees: Payees;
  /** By what is paid to payees, the first item that pays it; `null`: it may be paid twice. */
  readonly paid: Map<string, number> | null;
}

function makingOf(draft: Draft, command: CreatePayoutBatch, batch: string): Making {
  const { settlementDelayMs, mayCreateRecipients = false, mayRepeat = false } = command;
  const payees = new Payees(draft, mayCreateRecipients);
  return { draft, batch, settlementDelayMs, payees, paid: mayRepeat ? null : new Map() };
}

type Made = Extract<ItemResult, { readonly status: 'created' }>;

/** The payout of an item, or all its faults. `known`: those within the batch. `onDry`: goes on where an account is dry. */
function make(
  making: Making,
  item: BatchItem,
  index: number,
  known: readonly Fault[],
  onDry?: (account: string) => void,
): Made | readonly Fault[] {
  const { draft, batch, settlementDelayMs } = making;
  const faultsBeside = (read: Readable) => [...payeeFaults(making, read), ...statedFaults(draft, read)];
  if ('faults' in item) return distinct([...item.faults, ...known, ...faultsBeside(item.read)]);
  if (known.length > 0) return distinct([...known, ...faultsBeside(item)]);
  const mark = draft.mark();
  const named = 'payee' in item ? addressed(making, item, index) : { order: item };
  if (!('order' in named)) return distinct([...named, ...statedFaults(draft, item)]);
  const { order, ...matched } = named;
  let made = orderPayout(draft, order, batch, settlementDelayMs);
  const dry = isRefusal(made) && made.code === 'balance_insufficient' ? made.details.resource_id : undefined;
  if (onDry && dry !== undefined) {
    onDry(dry);
    made = orderPayout(draft, order, batch, settlementDelayMs);
  }
  if (!isRefusal(made)) return { status: 'created', payout: made, ...matched };
  if (!onDry) draft.takeBack(mark); // in partial mode nobody becomes a recipient without a payout
  return distinct([faultFrom(made), ...statedFaults(draft, item)]);
}

/** The order with the id of the payee's recipient, which may be made here; or why it has none. */
function addressed(
  { payees, paid }: Making,
  { payee, ...item }: NamedOrder,
  index: number,
): { readonly order: PayoutOrder; readonly match: Made['match'] } | readonly Fault[] {
  const to = payees.recipientOf(payee, item.recipient);
  if (isRefusal(to)) return [faultFrom(to)];
  const order = { ...item, recipient: to.id };
  const key = orderKey(order);
  const first = paid?.get(key);
  if (first !== undefined) return [repeats(first)];
  paid?.set(key, index);
  return { order, match: to.isNew ? 'new' : 'found' };
}

function payeeFaults({ payees }: Making, { payee, recipient = null }: Readable): readonly Fault[] {
  const found = payee === undefined ? null : payees.find(payee, recipient);
  return found === null || typeof found === 'string' ? [] : [faultFrom(found)];
}

const isMade = (made: Made | readonly Fault[]): made is Made => 'status' in made;

/** The refusal of one item: its first fault, and all faults if there are more. */
function rejection(faults: readonly Fault[], index: number, places: Places | null): Refusal {
  const errors = faults.map((fault): ItemFault => ({ index, ...fault, ...placeOf(places, index, fault.param) }));
  const { index: _, code, message, account: _account, needed_minor: _needed, ...details } = errors[0] as ItemFault;
  return refusal(code, message, errors.length > 1 ? { ...details, errors } : details);
}

function created(draft: Draft, command: CreatePayoutBatch, id: string, results: readonly ItemResult[]): Decision {
  const payoutsCount = results.filter(({ status }) => status === 'created').length;
  const batch: NewPayoutBatch = {
    object: 'payout_batch',
    id,
    status: payoutsCount > 0 ? 'processing' : 'completed_with_failures',
    mode: command.mode,
    // A file of which nothing was paid may be sent again.
    externalId: command.isFileId && payoutsCount === 0 ? null : command.externalId,
    categoryPurpose: command.categoryPurpose ?? null,
    purpose: command.purpose ?? null,
    bankAccount: command.bankAccount ?? null,
    batchBooking: command.batchBooking ?? null,
    payoutsCount,
    rejectedCount: results.length - payoutsCount,
    openCount: payoutsCount,
    failedCount: 0,
    metadata: newMetadata(command.metadata),
    createdAt: draft.atMs,
    completedAt: payoutsCount > 0 ? null : draft.atMs,
    rejectedItems: results.flatMap((result, index) =>
      result.status === 'created' ? [] : rejectedItem(command.orders[index] as BatchItem, result.refusal, index),
    ),
  };
  draft.create(batch, 'payout_batch.created');
  if (payoutsCount === 0) draft.emit('payout_batch.completed', batch);
  const tried = command.tried ? triedBatch(draft, results, command.tried.seesBalances) : null;
  return { object: 'payout_batch_results', id, batch, results, tried };
}

/** What whoever tries a batch is shown beside its payouts. It decides nothing. */
function triedBatch(draft: Draft, results: readonly ItemResult[], seesBalances: boolean): TriedBatch {
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

/** What is kept of a rejected item. What a malformed text was is not: it may be anything, such as a person's name. */
function rejectedItem(item: BatchItem, { code, message, details }: Refusal, index: number): RejectedItem {
  const isMalformed = 'faults' in item;
  const { externalId = null, recipient = null, amount, currency = null } = isMalformed ? item.read : item;
  return {
    index,
    code,
    param: details.param ?? null,
    message: isMalformed ? null : message,
    externalId,
    recipient,
    amount: typeof amount === 'bigint' ? String(amount) : null,
    currency,
  };
}

/**
 * Cancels the pending payouts of a batch; payouts that have left stay. The environment's lock is held, so of a cancel and a step of the
 * bank exactly one wins. Refuses `payout_not_cancelable` if no payout is pending, and like a single cancel: then all stay.
 */
export function cancelPayoutBatch(
  draft: Draft,
  { batch: id }: { readonly type: 'cancel_payout_batch'; readonly batch: string },
): Decision {
  const batch = draft.find('payout_batch', id);
  if (!batch) return missing('payout batch', id);
  const pending = draft.payoutsOf(id).filter(({ status }) => status === 'pending' || status === 'waiting');
  if (pending.length === 0) {
    const message = `Payout batch ${id} is ${batch.status}; none of its payouts is waiting or pending.`;
    return refusal('payout_not_cancelable', message, { current_status: batch.status, allowed: ['waiting', 'pending'] });
  }
  for (const { id: payout } of pending) {
    const canceled = cancelPayout(draft, { type: 'cancel_payout', payout });
    if (isRefusal(canceled)) return canceled;
  }
  const after = draft.find('payout_batch', id) as PayoutBatch;
  const canceledCount = pending.length;
  const keptCount = batch.payoutsCount - canceledCount;
  return { object: 'payout_batch_cancellation', id, batch: after, canceledCount, keptCount };
}
