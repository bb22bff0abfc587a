/**
 * Money is conserved and every change is told (T1 and T24 of the bar): random commands against a model, first as a pure
 * fold, then through the write path on real PostgreSQL. Every form has control runs that must fail.
 */
import { AssertionError } from 'node:assert';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Command } from '../src/write/commands.ts';
import { throws } from '../src/testing/arbitraries.ts';
import { books } from '../src/testing/books.ts';
import { rehearseOnDatabase } from '../src/testing/rehearsal-on-database.ts';
import { REAL, rehearse, type Tally } from '../src/testing/rehearsal.ts';
import { startWriting, type Tamper, type Writing } from '../src/testing/writer.ts';
import { MUTANTS } from './mutants/ledger.ts';

/** 25 commands each on average: together 100,000, as many as 2,000 times 50. */
const RUNS = 4200;

const COMMANDS: readonly Command['type'][] = [
  'create_account',
  'update_account',
  'close_account',
  'fund_account',
  'create_transfer',
  'create_recipient',
  'update_recipient',
  'archive_recipient',
  'create_quote',
  'create_exchange',
  'update_exchange',
  'create_payout',
  'update_payout',
  'cancel_payout',
  'step_payout',
  'create_payout_batch',
  'advance_clock',
];

describe('the fold of decisions', () => {
  it('agrees with the model and the books after each of 100,000 commands', { timeout: 120_000 }, () => {
    const tally: Tally = new Map();
    fc.assert(
      fc.property(throws(50), (dice) => rehearse(dice, REAL, tally)),
      { numRuns: RUNS },
    );

    const seen = (outcome: string) => tally.get(outcome) ?? 0;
    const all = [...tally.values()].reduce((sum, count) => sum + count, 0);
    expect(all).toBeGreaterThan(90_000);
    for (const command of COMMANDS) {
      expect([command, seen(`${command} accepted`) >= 50]).toEqual([command, true]);
      expect([command, seen(`${command} dry run`) >= 1]).toEqual([command, true]);
    }
    const codes = new Set([...tally.keys()].map((outcome) => outcome.slice(outcome.indexOf(' ') + 1)));
    expect([...codes].toSorted()).toEqual([
      'accepted',
      'account_closed',
      'account_currency_mismatch',
      'account_missing',
      'account_not_empty',
      'account_same',
      'amount_invalid',
      'amount_too_large',
      'amount_too_small',
      'balance_insufficient',
      'balance_too_large',
      'batch_invalid',
      'currency_pair_invalid',
      'dry run',
      'external_id_used',
      'parameter_invalid',
      'payout_not_cancelable',
      'payout_state_invalid',
      'quote_already_used',
      'quote_expired',
      'quote_mismatch',
      'rate_unavailable',
      'recipient_archived',
      'recipient_currency_mismatch',
      'resource_missing',
      'scheduled_for_invalid',
    ]);
  });

  it.each(MUTANTS)('control: notices a ledger that $name', { timeout: 60_000 }, ({ subject, noticed }) => {
    const property = fc.property(throws(50), (dice) => rehearse(dice, subject));
    const { failed, errorInstance } = fc.check(property, { numRuns: RUNS, endOnFailure: true });
    expect(failed).toBe(true);
    expect((errorInstance as Error).cause).toBeInstanceOf(AssertionError); // it was noticed, it did not just break
    expect((errorInstance as Error).message).toMatch(noticed);
  });
});

describe('the write path on PostgreSQL', () => {
  let writing: Writing;
  beforeAll(async () => {
    writing = await startWriting();
  });
  afterAll(() => writing?.stop());

  it('answers and stores what the model says, and the books are right', { timeout: 120_000 }, async () => {
    let accepted = 0;
    await fc.assert(
      fc.asyncProperty(throws(50), async (dice) => {
        accepted += await rehearseOnDatabase(dice, writing);
      }),
      { numRuns: 100 },
    );
    expect(accepted).toBeGreaterThan(700);
    expect(writing.faults).toEqual([]);
    expect(await books(writing.url)).toEqual([]);
  });

  const never =
    (name: string): Tamper =>
    (statement, run) =>
      statement.name === name ? Promise.resolve({ rows: [] }) : run(statement);
  it.each<[string, Tamper]>([
    ['writes no transfers', never('insert_transfers')],
    ['writes no balances', never('update_accounts')],
    ['writes no events', never('insert_events')],
    ['forgets how payouts went on', never('update_payouts')],
    ['forgets batches', never('update_payout_batches')],
    ['does not move the sequence on', never('update_environments')],
  ])('control: notices a path that %s', { timeout: 60_000 }, async (_, tamper) => {
    const broken = await startWriting();
    broken.tamper = tamper;
    const { failed } = await fc.check(
      fc.asyncProperty(throws(50), async (dice) => {
        await rehearseOnDatabase(dice, broken);
        expect(await books(broken.url)).toEqual([]);
      }),
      { numRuns: 20, endOnFailure: true },
    );
    await broken.stop();
    expect(failed).toBe(true);
  });

  it('control: notices dry runs that are carried out', { timeout: 60_000 }, async () => {
    const { failed } = await fc.check(
      fc.asyncProperty(throws(50), async (dice) => {
        await rehearseOnDatabase(dice, writing, (environmentId, command) => writing.send(environmentId, command));
      }),
      { numRuns: 20, endOnFailure: true },
    );
    expect(failed).toBe(true);
  });
});
