/** Suggestions over many entries and many candidates of one amount: none is compared with each. What is suggested: `unmatched.long.test.ts`. */
import { expect, it } from 'vitest';
import { BANK } from '../../../test/support/harness/bank-literals.ts';
import { idAt } from '../../../test/support/harness/literals.ts';
import { countCalls } from '../../../test/support/measure/text-work.ts';
import { type BankEntry, NOTHING_EXPLAINED } from '../statements/fields.ts';
import { Candidates, soughtIn, suggestionsFor } from './suggestions.ts';

const entryAt = (n: number): BankEntry => ({
  object: 'bank_entry',
  id: idAt('be', n),
  bankAccount: BANK,
  statement: idAt('bs', 1),
  kind: 'entry',
  direction: 'credit',
  amount: 500n,
  currency: 'EUR',
  status: 'unmatched',
  pendingChanges: null,
  bookedOn: null,
  valueOn: null,
  paymentFile: null,
  returnPayout: null,
  assignments: [],
  conflict: null,
  explanation: { ...NOTHING_EXPLAINED, name: `Ada ${n}`, text: 'RF18 '.repeat(400), returnReason: 'AC04' },
  identity: 'aa',
  ordinal: n,
  createdAt: 0,
});

function suggestedWith(count: number) {
  const { count: names, stop } = countCalls('normalize', (text) => /^Ada \d+$/.test(text));
  const numbers = Array.from({ length: count }, (_, n) => n);
  const payout = (n: number) => ({
    id: idAt('po', n),
    status: 'paid' as const,
    currency: 'EUR',
    name: `Ada ${n}`,
    account: null,
    amount: 500n,
    open: 0n,
  });
  const candidates = new Candidates({
    payments: [],
    accounts: [],
    payouts: numbers.map(payout),
    namedPayouts: [],
    earlier: numbers.map((n) => ({ ...payout(n), direction: 'credit' as const, to: 'fees' })),
  });
  const found = numbers.map((n) => suggestionsFor(soughtIn(entryAt(n)), candidates));
  stop();
  return { found, names: names() };
}

it('each name is read once, and a payout of the same name is found among many of the same amount', () => {
  const [some, more] = [suggestedWith(300), suggestedWith(600)];
  expect([some.names, more.names]).toEqual([3 * 300, 3 * 600]);
  expect(more.found.map(([first]) => first?.to)).toEqual(Array.from({ length: 600 }, (_, n) => idAt('po', n)));
  expect(more.found[599]?.[0]?.reasons).toEqual(['return', 'amount', 'name']);
  expect(more.found.every(({ length }) => length === 5)).toBe(true);
});
