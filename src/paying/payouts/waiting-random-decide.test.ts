/**
 * Random payouts, batches, money that comes and goes, cancels, last days and changes of the rule on one account. What is known beside its
 * balance always equals a recount, and in order no payout gets money that an older one waits for. Controls: a count that is not kept, and
 * a payout that passes, are noticed.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { FeeRule } from '../../core/fee-rules.ts';
import { NO_RULES } from '../../core/payout-rules.ts';
import type { State } from '../../core/state.ts';
import { DAY_MS } from '../../core/values/time.ts';
import type { Command } from '../../write/slices.ts';
import { given, givenAt } from '../../../test/support/harness/given.ts';
import { AT, ACCOUNT, account, idAt, payoutOrder, recipient } from '../../../test/support/harness/literals.ts';
import type { PayoutOrder } from './decide.ts';
import type { Payout } from './fields.ts';

const OTHER = account({ id: idAt('acct', 2), balance: 1_000_000n });
const FEE: FeeRule = {
  id: idAt('fee', 1),
  on: 'payout',
  currency: 'EUR',
  buyCurrency: null,
  scheme: null,
  method: null,
  paymentLink: null,
  fixed: 7n,
  basisPoints: 0,
  createdAt: AT,
};

/** More often those that let others happen. */
const KINDS = 'pay wait wait batch fund fund fund fund come come come go cancel fail day rule'.split(' ');
interface Step {
  readonly kind: string;
  readonly amount: number;
  readonly which: number;
}
const steps = fc.array(
  fc.record<Step>({ kind: fc.constantFrom(...KINDS), amount: fc.integer({ min: 1, max: 500 }), which: fc.nat(50) }),
  { minLength: 40, maxLength: 100 },
);

const waitingOf = ({ tables }: State): readonly Payout[] =>
  [...tables.payout.values()].filter(({ status }) => status === 'waiting').sort((a, b) => (a.id < b.id ? -1 : 1));
const needOf = ({ amount, fees }: Payout) => fees.reduce((sum, fee) => sum + fee.amount, amount);
const sum = (payouts: readonly Payout[]) => payouts.reduce((total, each) => total + needOf(each), 0n);

function commandOf({ kind, amount, which }: Step, state: State): Command | null {
  const money = BigInt(amount);
  const order = (fields: Partial<PayoutOrder>) => payoutOrder({ amount: money, account: ACCOUNT, ...fields });
  const waits = order({ waiting: { until: null } });
  const settlementDelayMs = 3000;
  const transfer = (from: string, to: string, cents: number): Command => {
    const text = `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
    return { type: 'create_transfer', from, to, amount: text, description: null, metadata: undefined };
  };
  if (kind === 'pay') return { type: 'create_payout', order: order({}), settlementDelayMs };
  if (kind === 'wait') return { type: 'create_payout', order: waits, settlementDelayMs };
  if (kind === 'batch') {
    const orders = [waits, order({}), order({ waiting: { until: null }, amount: money * 2n })];
    const rest = { places: null, externalId: null, metadata: undefined, settlementDelayMs };
    return { type: 'create_payout_batch', mode: which % 2 === 0 ? 'partial' : 'atomic', orders, ...rest };
  }
  if (kind === 'come') return transfer(OTHER.id, ACCOUNT, amount * 2);
  if (kind === 'go') return transfer(ACCOUNT, OTHER.id, amount);
  const payouts = [...state.tables.payout.values()];
  const chosen = payouts[which % Math.max(payouts.length, 1)];
  const queue = waitingOf(state);
  if (kind === 'fund') {
    const payout = queue[which % Math.max(queue.length, 1)]?.id;
    return payout === undefined ? null : { type: 'fund_payout', payout, settlementDelayMs };
  }
  if (chosen === undefined) return null;
  if (kind === 'cancel') return { type: 'cancel_payout', payout: chosen.id };
  return { type: 'step_payout', payout: chosen.id, to: 'failed', failureCode: 'account_closed', nextDelayMs: null };
}

interface Tally {
  funded: number;
  refused: number;
  passed: number;
  expired: number;
}
const nothing = (): Tally => ({ funded: 0, refused: 0, passed: 0, expired: 0 });

/**
 * Throws where the account is wrong about what waits, or money was taken that an older payout waits for. `tamper`: what a fault would do
 * after a command. `load`: what older ones need, as `write/load-waiting.ts` reads it for each batch.
 */
function check(
  all: readonly Step[],
  tally: Tally,
  tamper: (state: State, before: State) => void = () => undefined,
  load: (older: readonly Payout[]) => bigint = sum,
): void {
  const { state } = given(account({ balance: 0n }), OTHER, recipient());
  state.environment = { ...state.environment, fees: [FEE] };
  let atMs = AT;
  for (const each of all) {
    atMs += each.kind === 'day' ? 31 * DAY_MS : 60_000;
    if (each.kind === 'rule') {
      const waitingPayouts = each.which % 3 === 0 ? 'may_be_passed' : 'in_order';
      state.environment = { ...state.environment, payoutRules: { ...NO_RULES, waitingPayouts } };
    }
    const command = each.kind === 'day' || each.kind === 'rule' ? null : commandOf(each, state);
    const before = waitingOf(state);
    const isInOrder = state.environment.payoutRules?.waitingPayouts !== 'may_be_passed';
    state.neededBefore.clear();
    for (const [at, { id }] of before.entries()) state.neededBefore.set(id, load(before.slice(0, at)));
    if (command !== null) {
      const known = new Map(state.tables.payout);
      const { state: snapshot } = given(...known.values());
      const outcome = Object.assign(givenAt(atMs, recipient()), { state }).when(command);
      tamper(state, snapshot);
      if (outcome.refusal?.code === 'balance_insufficient') tally.refused += 1;
      const { balance = 0n } = state.tables.account.get(ACCOUNT) ?? {};
      for (const after of state.tables.payout.values()) {
        const was = known.get(after.id);
        if (was?.status === 'waiting' && after.status === 'failed') tally.expired += 1;
        const tookMoney = after.transfer !== null && (was?.transfer ?? null) === null && after.status === 'pending';
        if (!tookMoney) continue;
        if (was !== undefined) tally.funded += 1;
        // What it left must do for all that are older and wait.
        const older = sum(before.filter(({ id }) => id < after.id));
        if (balance < older) tally.passed += 1;
        if (isInOrder) expect(balance).toBeGreaterThanOrEqual(older);
      }
    }
    const queue = waitingOf(state);
    const expected = queue.length === 0 ? null : { count: queue.length, amount: String(sum(queue)) };
    expect(state.tables.account.get(ACCOUNT)?.waiting).toEqual(expected);
  }
}

const RUNS = { seed: 1, numRuns: 150 };

it('what is known of what waits is true, and in order nothing is passed', () => {
  const tally = nothing();
  fc.assert(
    fc.property(steps, (all) => check(all, tally)),
    RUNS,
  );
  expect(tally.funded).toBeGreaterThan(100);
  expect(tally.refused).toBeGreaterThan(100);
  expect(tally.passed).toBeGreaterThan(20); // where the rule lets them
  expect(tally.expired).toBeGreaterThan(20);
});

const put = (state: State, fields: object) =>
  state.put({ ...(state.tables.account.get(ACCOUNT) ?? account()), ...fields });
const ended = (state: State, before: State, as: Payout['status']) =>
  [...state.tables.payout.values()].find(
    ({ id, status }) => status === as && before.tables.payout.get(id)?.status === 'waiting',
  );

it.each([
  ['canceled', 'canceled'],
  ['made pending', 'pending'],
  ['ended after its last day', 'failed'],
] as const)('control: a service that goes on counting what was %s is noticed', (_, status) => {
  const tamper = (state: State, before: State) => {
    const gone = ended(state, before, status);
    if (gone) put(state, { waiting: { count: 1, amount: String(needOf(gone)) } });
  };
  const property = fc.property(steps, (all) => check(all, nothing(), tamper));
  expect(() => fc.assert(property, { ...RUNS, endOnFailure: true })).toThrow(/Property failed/);
});

it('control: a service that does not know what older ones need is noticed', () => {
  const property = fc.property(steps, (all) => check(all, nothing(), undefined, () => 0n));
  expect(() => fc.assert(property, { ...RUNS, endOnFailure: true })).toThrow(/Property failed/);
});
