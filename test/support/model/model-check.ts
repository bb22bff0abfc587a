/**
 * The fold of the write path without the path: random commands through `decide` and `apply`, each held against the model
 * and against books kept from the transfers alone. Throws at the first thing that is not as it must be. What decides and
 * applies is handed in, so that control runs can hand in something broken. Next: `model.ts`, `test/soak/mutants/`.
 */
import assert from 'node:assert/strict';
import type { Reply } from '../../../src/core/decision.ts';
import { sequenceOf } from '../../../src/core/values/ids.ts';
import { houseAccount, HOUSE_KINDS, houseOf } from '../../../src/core/house-accounts.ts';
import { MAX_BALANCE_MINOR } from '../../../src/core/values/money.ts';
import type { Event, StoredObject } from '../../../src/core/objects.ts';
import type { Transfer } from '../../../src/core/transfer.ts';
import type { Account } from '../../../src/core/account.ts';
import { apply, type Change, State } from '../../../src/core/state.ts';
import { decide } from '../../../src/write/slices.ts';
import { commandOf } from '../generators/arbitraries.ts';
import type { MoneyCommand, Throw } from '../generators/random-choices.ts';
import { account, AT, environment, idAt, paymentLink, recipient, seededIds } from '../harness/literals.ts';
import { Model } from './model.ts';
import { batchCounts } from './model-batches.ts';
import type { Made, ModelAccount, ModelPayout } from './model-objects.ts';
import { agreeOnPayments } from './model-check-payments.ts';

/** What is tested: the real functions, or a mutant's. */
export interface Subject {
  readonly decide: typeof decide;
  readonly apply: typeof apply;
}
export const REAL: Subject = { decide, apply };

/** How often each command came to what, or each event was told, for proof that a run was worth something. */
export type Tally = Map<string, number>;

const ORIGIN = { actor: 'worker' as const, requestId: null, idempotencyKey: null };

const EMPTY = account({ id: idAt('acct', 4), balance: 0n });
const BRIEF = { reusable: true, maxPayments: 2, expiresAt: AT + 20_000 } as const;

/**
 * An environment at work: two accounts with money, one nearly full, one that can be closed; a recipient in each of two
 * currencies; links for one payment, for any number, and for two before long.
 */
export const OPENING: readonly StoredObject[] = [
  account({ id: idAt('acct', 1), balance: 100_000n }),
  account({ id: idAt('acct', 2), balance: 50_000n, currency: 'USD' }),
  account({ id: idAt('acct', 3), balance: MAX_BALANCE_MINOR - 2_000n, currency: 'USD' }),
  EMPTY,
  recipient({ id: idAt('rcp', 1) }),
  recipient({ id: idAt('rcp', 2), currency: 'USD', name: 'Ada', bankSummary: null }),
  paymentLink(),
  paymentLink({ id: idAt('plink', 2), token: 'another', amount: null, maximum: 200_000n, reusable: true }),
  paymentLink({ id: idAt('plink', 3), token: 'brief', account: EMPTY.id, ...BRIEF }),
];

export function checkModel(choices: readonly Throw[], subject: Subject = REAL, tally?: Tally, reported?: Tally): void {
  const state = new State(environment());
  const model = new Model();
  const ledger = new Ledger();
  for (const object of OPENING) {
    state.put(Object.freeze(object));
    model.know(object);
    if (object.object === 'account') ledger.carryOver(object);
  }
  for (const [n, each] of choices.entries()) {
    const atMs = AT + (n + 1) * 1000 + model.clockOffsetMs;
    const command = commandOf(each, model.known, atMs);
    try {
      const outcome = step(command, each.dryRun, atMs, { state, model, ledger, subject, reported });
      count(tally, `${command.type} ${outcome}`);
      agree(state, model, ledger);
    } catch (error) {
      const text = JSON.stringify(command, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value));
      throw new Error(`Command ${n + 1}${each.dryRun ? ' (dry run)' : ''} ${text}: ${(error as Error).message}`, {
        cause: error,
      });
    }
  }
}

interface Stage {
  readonly state: State;
  readonly model: Model;
  readonly ledger: Ledger;
  readonly subject: Subject;
  readonly reported: Tally | undefined;
}

function count(tally: Tally | undefined, what: string): void {
  tally?.set(what, (tally.get(what) ?? 0) + 1);
}

function step(command: MoneyCommand, dryRun: boolean, atMs: number, stage: Stage): string {
  const { state, model, ledger, subject } = stage;
  const expectation = model.expect(command, atMs);
  const before = traceOf(state);
  const decision = subject.decide(command, state, { atMs, ids: seededIds(atMs), actor: 'worker' });
  assert.deepEqual(traceOf(state), before, 'deciding changes nothing');
  const outcome = decision.accepted ? 'accepted' : decision.refusal.code;
  assert.equal(outcome, 'refused' in expectation ? expectation.refused : 'accepted', 'the outcome is the model’s');
  if (!decision.accepted || 'refused' in expectation) return outcome;
  if (dryRun) return 'dry run';

  for (const change of decision.changes) freeze(change);
  expectation.accepted(madeBy(decision.reply, decision.changes));
  const { events, moves } = model.effects;
  const transfers = decision.changes.flatMap((change) => (change.kind === 'transfer' ? [change.transfer] : []));
  const reported = decision.changes.flatMap((change) => (change.kind === 'event' ? [change.event] : []));
  assert.deepEqual(transfers.map(moveOf), moves, 'the transfers are the model’s');
  assert.deepEqual(
    reported.map((event) => `${event.type} ${event.object.id}`),
    events,
    'the events are the model’s',
  );
  for (const event of reported)
    if (event.type === 'account.created') ledger.open(event.object.id, (event.object as Account).currency);
  for (const event of reported) count(stage.reported, event.type);
  checkEvents(reported, state.environment.lastSequence, atMs, ledger.record(transfers));
  subject.apply(state, decision.changes, ORIGIN);
  return outcome;
}

/** Which objects a state holds, by identity: they are frozen, so nothing else can differ. */
function traceOf(state: State): unknown[] {
  const { tables, transfers, events, externalIds, environment } = state;
  const objects = Object.values(tables).flatMap((table) => [...table.values()]);
  return [new Set(objects), transfers.length, events.length, externalIds.size, state.created.size, environment];
}

function freeze(change: Change): void {
  if (change.kind === 'object') Object.freeze(change.object);
  if (change.kind === 'event') Object.freeze(Object.freeze(change.event).object);
  if (change.kind === 'transfer') Object.freeze(change.transfer);
}

function madeBy(reply: Reply, changes: readonly Change[]): Made {
  if (reply.object === 'exchange') return { id: reply.id, buyAccount: reply.buyAccount };
  if (reply.object === 'payout' && reply.exchange !== null) {
    return { id: reply.id, exchange: reply.exchange, buyAccount: reply.account };
  }
  if (reply.object === 'payment_link') return { id: reply.id, account: reply.account };
  if (reply.object === 'payment') return { id: reply.id, ...refundIn(changes) };
  if (reply.object !== 'payout_batch_results') return { id: reply.id };
  const payouts = reply.results.map((result) => (result.status === 'created' ? result.payout.id : null));
  return { id: reply.batch.id, payouts };
}

/** The payout of a refund and whom it is for. */
function refundIn(changes: readonly Change[]): Pick<Made, 'refund' | 'recipient'> {
  for (const change of changes) {
    if (change.kind !== 'object' || change.object.object !== 'payout') continue;
    return { refund: change.object.id, recipient: change.object.recipient };
  }
  return {};
}

function moveOf({ debitAccount, creditAccount, amount, cause }: Transfer): string {
  return `${houseOf(debitAccount)?.kind ?? debitAccount}>${houseOf(creditAccount)?.kind ?? creditAccount} ${amount} ${cause}`;
}

/** A balance that changed, as the transfers have it. */
interface BalanceChange {
  readonly account: string;
  readonly transfer: string;
  readonly before: bigint;
  readonly after: bigint;
}

/** In sequence, at the instant, each with an id that carries its sequence; and one `balance.updated` a changed balance. */
function checkEvents(events: readonly Event[], last: bigint, atMs: number, changed: readonly BalanceChange[]): void {
  for (const [n, event] of events.entries()) {
    assert.equal(event.sequence, last + BigInt(n) + 1n, 'the sequence has no gap');
    assert.equal(sequenceOf(event.id), event.sequence, 'the id carries the sequence');
    assert.equal(event.createdAt, atMs);
  }
  const updates = events.filter((event) => event.type === 'balance.updated');
  const reported = updates.map(({ object, previous, transfer }) => {
    return { account: object.id, transfer, before: previous?.['balance'], after: (object as Account).balance };
  });
  assert.deepEqual(reported, changed, 'one balance.updated for every balance that a transfer changed');
}

/** Books kept from transfers alone: every account, house accounts included, is a sum. */
class Ledger {
  private readonly sums = new Map<string, bigint>();
  private readonly currencies = new Map<string, string>();
  private readonly paidIn = new Map<string, bigint>();

  /** An account from before the run: what it holds came from the bank. */
  carryOver({ id, currency, balance }: Account): void {
    this.open(id, currency);
    this.add(id, balance);
    this.add(houseAccount('bank', currency), -balance);
  }

  open(id: string, currency: string): void {
    if (this.currencies.has(id)) return;
    this.sums.set(id, 0n);
    this.currencies.set(id, currency);
    for (const kind of HOUSE_KINDS) this.currencies.set(houseAccount(kind, currency), currency);
  }

  record(transfers: readonly Transfer[]): BalanceChange[] {
    return transfers.flatMap((transfer) => {
      const { debitAccount, creditAccount, amount } = transfer;
      assert.ok(amount > 0n && debitAccount !== creditAccount, 'a transfer moves something somewhere');
      if (transfer.cause === 'payment') {
        const payment = transfer.causeId as string;
        this.paidIn.set(payment, this.cameInFor(payment) + amount);
      }
      return [
        this.side(transfer, debitAccount, -amount, transfer.debitBalanceAfter),
        this.side(transfer, creditAccount, amount, transfer.creditBalanceAfter),
      ].filter((change) => change !== null);
    });
  }

  private side(
    { id: transfer, currency, cause }: Transfer,
    account: string,
    amount: bigint,
    reported: bigint | null,
  ): BalanceChange | null {
    assert.equal(this.currencies.get(account), currency, 'both accounts are of the transfer’s currency');
    const before = this.sums.get(account) ?? 0n;
    const after = this.add(account, amount);
    if (houseOf(account)) {
      assert.equal(reported, null, 'a house account keeps no balance');
      return null;
    }
    assert.equal(reported, after, 'a transfer tells the balance after it');
    assert.ok(after >= 0n, 'no balance is below zero');
    const isOrdered = ['funding', 'transfer', 'exchange'].includes(cause);
    assert.ok(!isOrdered || amount < 0n || after <= MAX_BALANCE_MINOR, 'no order leads to a balance above the largest');
    return { account, transfer, before, after };
  }

  private add(account: string, amount: bigint): bigint {
    const sum = (this.sums.get(account) ?? 0n) + amount;
    this.sums.set(account, sum);
    return sum;
  }

  balance(account: string): bigint | undefined {
    return this.sums.get(account);
  }

  /** Sum of the transfers that a payment caused. */
  cameInFor(payment: string): bigint {
    return this.paidIn.get(payment) ?? 0n;
  }

  /** Debits equal credits: all accounts of a currency, house accounts included, come to zero. */
  assertBalanced(): void {
    const totals = new Map<string, bigint>();
    for (const [id, sum] of this.sums) {
      const currency = this.currencies.get(id) as string;
      totals.set(currency, (totals.get(currency) ?? 0n) + sum);
    }
    for (const [currency, total] of totals) assert.equal(total, 0n, `debits equal credits in ${currency}`);
  }
}

/** State, model and books say the same. */
function agree(state: State, model: Model, ledger: Ledger): void {
  ledger.assertBalanced();
  assert.equal(state.tables.account.size, model.accounts.size);
  for (const [id, { balance, status, currency, name, metadata }] of state.tables.account) {
    assert.equal(balance, ledger.balance(id), `the balance of ${id} is the sum of its transfers`);
    assert.ok(balance >= 0n && (status === 'open' || balance === 0n), 'a closed account is empty');
    const { tag, ...known } = model.accounts.get(id) as ModelAccount;
    assert.deepEqual({ balance, open: status === 'open', currency, name }, known, `account ${id} is the model’s`);
    assert.equal(metadata['k'], tag);
  }
  const tables = state.tables;
  assert.equal(tables.payout.size, model.payouts.size);
  const transit = new Map<string, bigint>();
  for (const [id, payout] of tables.payout) {
    const { status, batch, amount, account: from, transfer, reversal, endedAt, failureCode, currency } = payout;
    const { status: wanted, batch: of, amount: much, account: payer } = model.payouts.get(id) as ModelPayout;
    assert.deepEqual([status, batch, amount, from], [wanted, of, much, payer], `payout ${id} is the model’s`);
    const { fee, funded } = model.payouts.get(id) as ModelPayout;
    const charged = payout.fees.map((each) => [each.amount, each.transfer !== null, each.reversal !== null]);
    const isBack = funded && ['failed', 'canceled'].includes(status);
    assert.deepEqual(charged, fee === 0n ? [] : [[fee, funded, isBack]], `the fees of ${id} are the model’s`);
    const isOpen = status === 'pending' || status === 'in_transit';
    assert.equal(endedAt === null, isOpen || status === 'waiting');
    assert.equal(transfer !== null, (model.payouts.get(id) as ModelPayout).funded);
    assert.equal(reversal !== null, transfer !== null && ['failed', 'canceled', 'returned'].includes(status));
    assert.equal(failureCode !== null, ['failed', 'returned'].includes(status));
    if (isOpen) transit.set(currency, (transit.get(currency) ?? 0n) + amount);
  }
  for (const [currency, amount] of transit) {
    assert.equal(ledger.balance(houseAccount('in_transit', currency)), amount, 'in_transit holds the open payouts');
  }
  assert.equal(tables.payout_batch.size, model.batches.size);
  for (const [id, batch] of tables.payout_batch) {
    const { openCount: open, failedCount: failed, rejectedCount: rejected, payoutsCount: created, status } = batch;
    assert.deepEqual(
      { open, failed, rejected, created, status },
      batchCounts(model, id),
      `batch ${id} counts its payouts`,
    );
    assert.equal(batch.completedAt === null, open > 0);
  }
  for (const [id, quote] of tables.exchange_quote) assert.equal(quote.exchangeId !== null, model.quotes.get(id)?.used);
  for (const [id, each] of tables.recipient) assert.equal(each.status === 'active', model.recipients.get(id)?.active);
  agreeOnPayments(state, model, (payment) => ledger.cameInFor(payment));
  assert.deepEqual(new Set(state.externalIds.keys()), model.externalIds);
  assert.equal(state.environment.clockOffsetMs, model.clockOffsetMs);
}
