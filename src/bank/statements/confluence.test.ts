/**
 * Confluence: whatever a bank reports about payouts, in whatever order, in however many files and how often, ends in the same states, balances
 * and matched entries as the ordered story. Where a bank contradicts itself (rejected and booked), the payout ends as it was first reported,
 * and the money of both stories is where it can be seen: `unmatched`. More of it: CONFLUENCE=2000 CONFLUENCE_PAYOUTS=100. Pure.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isRelease, runs } from '../../../test/support/generators/random-cases.ts';
import {
  AMOUNT,
  books,
  CONTRADICTION,
  DOCUMENT,
  ended,
  type Fact,
  filesOf,
  FUNDS,
  PAYOUTS,
  type Plot,
  PLOTS,
  poOf,
  says,
  type World,
} from '../../../test/support/bank/confluence.ts';
import { ACCOUNT } from '../../../test/support/harness/literals.ts';
import type { Command } from '../../write/slices.ts';
import type { BankLine } from './booking.ts';

const RUNS = runs(25);
const telling = fc.record({
  order: fc.array(fc.nat(1_000_000), { minLength: 40, maxLength: 40 }),
  sizes: fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 }),
  again: fc.array(fc.nat(20), { maxLength: 3 }),
});
const plots = (names: readonly string[]) =>
  fc.array(fc.constantFrom(...names), { minLength: PAYOUTS, maxLength: PAYOUTS });
const names = Object.keys(PLOTS);
const factsOf = (story: readonly string[]) => story.flatMap((name, n) => (PLOTS[name] as Plot)(n));

const property = (change?: (command: Command) => Command) =>
  fc.property(plots(names), telling, (story, how) => {
    const facts = factsOf(story);
    expect(ended(filesOf(facts, how), change).end).toEqual(ended(facts.map((fact) => [fact])).end);
  });

describe('reports of a bank in any order, split and repeated', () => {
  it(`${RUNS} stories end as the ordered ones`, { timeout: 600_000 }, () => fc.assert(property(), { numRuns: RUNS }));

  it('each plot ends as it should', () => {
    const world = ended([factsOf(names.slice(0, PAYOUTS))]);
    const states = [...world.state.tables.payout.values()].map(({ status }) => status);
    expect(Object.fromEntries(names.map((name, n) => [name, states[n]]))).toEqual({
      'nothing is heard': 'in_transit',
      'is accepted': 'in_transit',
      'is paid': 'paid',
      'is rejected': 'failed',
      'comes back': 'returned',
      'comes back in part': 'returned',
      'comes back in parts': 'returned',
      'has a payee that does not match': 'paid',
      'is called a duplicate': 'paid',
      'is booked twice': 'paid',
      'is booked with another amount': 'in_transit',
      'is executed by message': 'paid',
      'is executed, then booked': 'paid',
      'is executed, booked, and comes back': 'returned',
      'is executed, and comes back in part': 'returned',
      'is rejected, and something comes back': 'failed',
      'is paid, and quoted with a cent': 'paid',
      'is quoted with all of it': 'paid',
      'comes back twice, and is booked twice': 'returned',
      'is booked twice, and given back': 'paid',
      'comes back, and is booked again': 'returned',
      'is rejected, booked, and given back': 'failed',
      'is rejected, given back, and booked': 'failed',
      'is rejected, and accepted': 'failed',
    });
  });

  it('where a bank contradicts itself, the payout ends as first reported, and every cent is seen', () => {
    const [rejected, booked] = CONTRADICTION(0) as [Fact, Fact];
    const first = ended([[rejected], [booked]]);
    const second = ended([[booked], [rejected]]);
    const stateOf = ({ state }: World) => state.tables.payout.get(poOf(0))?.status;
    expect([stateOf(first), stateOf(second)]).toEqual(['failed', 'paid']);
    // Credited back and debited by the bank: what the bank took lies in unmatched.
    expect([first.bank, first.house('unmatched'), first.state.tables.account.get(ACCOUNT)?.balance]).toEqual([
      -AMOUNT,
      -AMOUNT,
      FUNDS + AMOUNT,
    ]);
    expect([second.bank, second.house('unmatched'), second.state.tables.account.get(ACCOUNT)?.balance]).toEqual([
      -AMOUNT,
      0n,
      FUNDS,
    ]);
    expect(first.entries[0]?.conflict).toContain('is failed, and the bank has booked it');
    expect(second.state.tables.statement_file.get(DOCUMENT)?.notes.join()).toContain('has rejected it');
  });

  /** What becomes of each payout of a file that is booked as a whole. */
  const fates = fc
    .array(fc.constantFrom('is paid', 'is rejected', 'comes back'), { minLength: PAYOUTS, maxLength: PAYOUTS })
    .filter((story) => story.some((fate) => fate !== 'is rejected'));
  function wholeStory(story: readonly string[]): Fact[] {
    const rejected = story.flatMap((fate, n) => (fate === 'is rejected' ? [says(n, 'RJCT', 'AC04')] : []));
    const back = story.flatMap((fate, n) => (fate === 'comes back' ? [books(n, 2, AMOUNT)] : []));
    const total = AMOUNT * BigInt(PAYOUTS - rejected.length);
    return [...rejected, { payout: PAYOUTS, n: 1, amount: total, isDebit: true, isWhole: true }, ...back];
  }
  const wholeProperty = (change?: (command: Command) => Command) =>
    fc.property(fates, telling, (story, how) => {
      const facts = wholeStory(story);
      expect(ended(filesOf(facts, how), change).end).toEqual(ended(facts.map((fact) => [fact])).end);
    });

  it('of a file that is booked as a whole end as the ordered ones', { timeout: 600_000 }, () =>
    fc.assert(wholeProperty(), { numRuns: RUNS }),
  );

  it('control: notices that a debit does not wait for what is rejected later', () => {
    const forgetful = (command: Command): Command =>
      command.type === 'import_bank_entries'
        ? { ...command, lines: command.lines.map((line) => ({ ...line, file: null })) }
        : command;
    expect(fc.check(wholeProperty(forgetful), { numRuns: 300, endOnFailure: true }).failed).toBe(true);
  });

  it('and each payout of it ends as it should', () => {
    const story = Array.from({ length: PAYOUTS }, (_, n) => ['is paid', 'is rejected', 'comes back'][n % 3] as string);
    const { state, bank } = ended([wholeStory(story)]);
    const states = [...state.tables.payout.values()].map(({ status }) => status);
    const expected = { 'is paid': 'paid', 'is rejected': 'failed', 'comes back': 'returned' } as const;
    expect(states).toEqual(story.map((fate) => expected[fate as keyof typeof expected]));
    expect(bank).toBe(-AMOUNT * BigInt(states.filter((each) => each === 'paid').length));
  });

  it('a file whose payments were executed by message is booked as a whole', () => {
    const messages = Array.from({ length: PAYOUTS }, (_, n) => says(n, n % 2 === 0 ? 'ACSC' : 'ACSP'));
    const whole: Fact = { payout: PAYOUTS, n: 1, amount: AMOUNT * BigInt(PAYOUTS), isDebit: true, isWhole: true };
    for (const files of [
      [messages, [whole]],
      [[whole], messages],
    ]) {
      const world = ended(files);
      expect(new Set([...world.state.tables.payout.values()].map(({ status }) => status))).toEqual(new Set(['paid']));
      expect([world.house('in_transit'), world.house('bank'), world.house('unmatched')]).toEqual([
        -AMOUNT * BigInt(PAYOUTS),
        0n,
        0n,
      ]);
    }
  });

  const broken: readonly (readonly [string, (command: Command) => Command])[] = [
    [
      'whoever is paid makes a payout returned',
      (command) => {
        if (command.type !== 'import_bank_entries') return command;
        const signed = (line: BankLine): BankLine => ({
          ...line,
          payouts: line.payouts.map((each) => ({ ...each, isReturn: true })),
        });
        return { ...command, lines: command.lines.map(signed) };
      },
    ],
    [
      'what comes back before its debit is forgotten',
      (command) => {
        if (command.type !== 'import_bank_entries') return command;
        return {
          ...command,
          lines: command.lines.map((line) => (line.direction === 'credit' ? { ...line, payouts: [] } : line)),
        };
      },
    ],
    [
      'a second debit is forgotten',
      (command) => {
        if (command.type !== 'import_bank_entries') return command;
        const isSecond = ({ explanation }: BankLine) => explanation.bankReference?.endsWith(' 3') === true;
        const lines = command.lines.map((line) => (isSecond(line) ? { ...line, payouts: [] } : line));
        return { ...command, lines };
      },
    ],
    [
      'entries are not known again',
      (command) => {
        if (command.type !== 'import_bank_entries') return command;
        const { identity } = command.statement;
        return {
          ...command,
          lines: command.lines.map((line) => ({
            ...line,
            explanation: {
              ...line.explanation,
              bankReference: `${line.explanation.bankReference} ${identity.slice(0, 24)}`,
              endToEndId: `${line.explanation.bankReference} ${identity.slice(0, 24)}`,
            },
          })),
        };
      },
    ],
    [
      'a duplicate is taken for a rejection',
      (command) => {
        if (command.type !== 'note_bank_answers') return command;
        return {
          ...command,
          answers: command.answers.map((each) => (each.reason === 'DU01' ? { ...each, reason: 'AC04' } : each)),
        };
      },
    ],
  ];
  it.runIf(isRelease).each(broken)('control: notices that %s', (_, change) => {
    expect(fc.check(property(change), { numRuns: 300, endOnFailure: true }).failed).toBe(true);
  });
});
