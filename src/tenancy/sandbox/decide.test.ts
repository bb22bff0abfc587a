/** The decision that moves a sandbox clock, given / when / then. */
import { expect, it } from 'vitest';
import { bankAccount } from '../../../test/support/harness/bank-literals.ts';
import { given } from '../../../test/support/harness/given.ts';
import { AT, idAt } from '../../../test/support/harness/literals.ts';
import { MAX_CLOCK_AHEAD_MS } from './decide.ts';

const advance = (seconds: number) => ({ type: 'advance_clock', seconds }) as const;

it('moves the clock on, from where it was, without an event', () => {
  const outcome = given().when(advance(90));
  outcome.thenAccepts({
    reply: { object: 'clock', id: idAt('env', 1), offsetMs: 90_000, nowMs: AT + 90_000 },
    events: [],
    transfers: [],
  });
  outcome.when(advance(10)).thenAccepts({ reply: { offsetMs: 100_000 } });
  expect(outcome.state.environment.clockOffsetMs).toBe(100_000);
});

it('notes the last export before a cut-off that it moves over, where one would have been made', () => {
  const bank = (n: number, fields: object) => bankAccount({ id: idAt('ba', n), exports: 'before_cut_off', ...fields });
  const accounts = [bank(1, {}), bank(2, { exports: 'by_hand' }), bank(3, { status: 'closed' })];
  const outcome = given(...accounts).when(advance(7 * 86_400));
  const [first, ...others] = accounts.map(({ id }) => outcome.state.tables.bank_account.get(id)?.passedWindowAt);
  expect(first).toBeGreaterThan(AT);
  expect(others).toEqual([null, null]);
  const { state } = outcome.when(advance(1));
  expect(state.tables.bank_account.get(idAt('ba', 1))?.passedWindowAt).toBe(first);
});

it('goes ten years ahead and no further, all advances together', () => {
  given()
    .when(advance(MAX_CLOCK_AHEAD_MS / 1000))
    .thenAccepts({ reply: { offsetMs: MAX_CLOCK_AHEAD_MS } })
    .when(advance(1))
    .thenRefuses('parameter_invalid', { param: 'seconds' });
});
