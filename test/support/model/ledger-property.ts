/**
 * Money is conserved and every change is told (T1 and T24 of the bar): random commands against a model, first as a pure
 * fold, then through the write path on real PostgreSQL. Every form has control runs that must fail. Twelve thousand commands:
 * `test/soak/ledger.property.test.ts`; a hundred thousand: `test/long/ledger.property.test.ts`.
 */
import { AssertionError } from 'node:assert';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EventType } from '../../../src/core/event-types.ts';
import type { Command } from '../../../src/write/slices.ts';
import { throws } from '../generators/arbitraries.ts';
import { PAYMENT_COMMANDS } from '../generators/arbitrary-payments.ts';
import { auditDatabase } from './audit.ts';
import type { Throw } from '../generators/random-choices.ts';
import { checkModelOnDatabase } from './model-check-on-database.ts';
import { REAL, checkModel, type Tally } from './model-check.ts';
import { startWriting, type Tamper, type Writing } from '../harness/writer.ts';
import { MUTANTS } from '../../soak/mutants/ledger.ts';
import { PAYMENT_MUTANTS } from '../../soak/mutants/payments.ts';

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
  'cancel_payout_batch',
  ...PAYMENT_COMMANDS,
  'advance_clock',
  'create_fee',
  'delete_fee',
];

/** What links and payments can come to: each must have been seen, often. */
const REPORTED: readonly EventType[] = [
  'payment_link.updated',
  'payment_link.completed',
  'payment_link.expired',
  'payment_link.canceled',
  'payment.pending',
  'payment.partially_paid',
  'payment.succeeded',
  'payment.duplicate',
  'payment.failed',
  'payment.refunded',
  'payment.updated',
];

/** The same choices every time, since what must have been seen is counted; `npm run soak -- t1` makes new ones. */
const SEED = 1;

/**
 * The first run of the seed that notices what is rarely noticed. A small size begins its control there. If the choices have changed since,
 * it goes on until another run notices it.
 */
const NOTICED_IN_RUN: Readonly<Record<string, number>> = {
  'pays in another currency without taking the source': 127,
  'keeps the fee of a payout that came to nothing': 174,
  'forgets what fee a quote promised': 135,
  'takes up what waits and debits nobody': 134,
  'takes up what has waited too long': 398,
  'uses a quote twice': 307,
  'takes an external id twice': 203,
  'does not see what payouts refund': 23,
  'lets a payment that failed keep its place': 51,
  'lets a payment that is refunded keep its place': 34,
  'books a session again when it is told again': 38,
  'expects the rest of what was sent back': 48,
  'lets a payer choose less than the least': 48,
  'keeps a refund that came back': 23,
  'forgets the fee of a payout': 27,
  'gives a quote a unit too much': 23,
  'keeps a quote unused': 23,
  'binds a payer to the amount that another chose': 216,
};

export interface LedgerSize {
  /** Runs of the fold. A run has 25 commands on average. */
  readonly runs: number;
  /** So often at least must each command have been accepted, and each event been told. */
  readonly often: number;
  /** Runs on PostgreSQL. */
  readonly databaseRuns: number;
  /** A small size begins a control where it is known to be noticed; else each control makes its own choices. */
  readonly isSmall: boolean;
}

/** The tests. */
export function ledgerProperty({ runs, often, databaseRuns, isSmall }: LedgerSize): void {
  /** Where the control of that name begins, and how long it goes on. */
  const control = (name: string, numRuns: number) => ({
    numRuns,
    endOnFailure: true,
    ...(isSmall && { seed: SEED, path: String((NOTICED_IN_RUN[name] ?? 1) - 1) }),
  });

  describe('the fold of decisions', () => {
    it('agrees with the model and the books after each command', () => {
      const [tally, reported]: [Tally, Tally] = [new Map(), new Map()];
      fc.assert(
        fc.property(throws(50), (choices) => checkModel(choices, REAL, tally, reported)),
        { numRuns: runs, seed: SEED },
      );

      const seen = (outcome: string) => tally.get(outcome) ?? 0;
      const all = [...tally.values()].reduce((sum, count) => sum + count, 0);
      expect(all).toBeGreaterThan(runs * 21);
      for (const type of REPORTED) expect([type, (reported.get(type) ?? 0) >= often]).toEqual([type, true]);
      for (const command of COMMANDS) {
        expect([command, seen(`${command} accepted`) >= often]).toEqual([command, true]);
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
        'expires_at_invalid',
        'external_id_used',
        'fee_exists',
        'parameter_conflict',
        'parameter_invalid',
        'payment_link_ended',
        'payment_state_invalid',
        'payout_not_cancelable',
        'payout_state_invalid',
        'quote_already_used',
        'quote_expired',
        'quote_mismatch',
        'rate_unavailable',
        'recipient_archived',
        'recipient_currency_mismatch',
        'refund_recipient_missing',
        'refund_too_large',
        'resource_missing',
        'scheduled_on_invalid',
      ]);
    });

    it.each([...MUTANTS, ...PAYMENT_MUTANTS])('control: notices a ledger that $name', ({ name, subject, noticed }) => {
      const property = fc.property(throws(50), (choices) => checkModel(choices, subject));
      const { failed, errorInstance } = fc.check(property, control(name, 4_200));
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

    it('answers and stores what the model says, and the books are right', async () => {
      let accepted = 0;
      await fc.assert(
        fc.asyncProperty(throws(50), async (choices) => {
          accepted += await checkModelOnDatabase(choices, writing);
        }),
        { numRuns: databaseRuns, seed: SEED },
      );
      expect(accepted).toBeGreaterThan(databaseRuns * 7);
      expect(writing.faults).toEqual([]);
      expect(await auditDatabase(writing.url)).toEqual([]);
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
      ['forgets what payments received', never('update_payments')],
      ['forgets how often links were paid', never('update_payment_links')],
      ['does not see what links wait for', never('load_waiting_payments')],
      ['does not see what payouts refund', never('load_payments_of_payouts')],
      ['does not move the sequence on', never('update_environments')],
    ])('control: notices a path that %s', async (name, tamper) => {
      const broken = await startWriting();
      broken.tamper = tamper;
      const { failed } = await fc.check(
        fc.asyncProperty(throws(50), async (choices) => {
          await checkModelOnDatabase(choices, broken);
          expect(await auditDatabase(broken.url)).toEqual([]);
        }),
        // What a run must throw to notice the rarest of them comes once in 35 runs.
        control(name, 1_000),
      );
      await broken.stop();
      expect(failed).toBe(true);
    });

    /** An acquirer tells twice of a session whose money came on top: the payment it is a duplicate of does not show it. */
    const REPORTED_TWICE: readonly Throw[] = (
      [
        ['start_payment', 0],
        ['receive_payment', 0],
        ['receive_payment', 10],
        ['receive_payment', 10],
      ] as const
    ).map(([type, other]) => {
      return { type, other, pick: 0, currency: 0, amount: 1n, variant: 0, items: [], dryRun: false };
    });

    it('control: notices a path that does not see what sessions brought', async () => {
      await checkModelOnDatabase(REPORTED_TWICE, writing);
      const broken = await startWriting();
      broken.tamper = never('load_payments_of_sessions');
      await expect(checkModelOnDatabase(REPORTED_TWICE, broken)).rejects.toThrow('the accounts are the model’s');
      expect(await auditDatabase(broken.url)).toEqual([expect.stringMatching(/session is booked once/)]);
      await broken.stop();
    });

    it('control: notices dry runs that are carried out', async () => {
      const { failed } = await fc.check(
        fc.asyncProperty(throws(50), async (choices) => {
          await checkModelOnDatabase(choices, writing, (environmentId, command) =>
            writing.send(environmentId, command),
          );
        }),
        control('carries out dry runs', 20),
      );
      expect(failed).toBe(true);
    });
  });
}
