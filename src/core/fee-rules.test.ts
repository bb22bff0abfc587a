/** What a fee comes to, and which rule is taken. In the ledger's model: `test/soak/ledger.property.test.ts`. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { idAt } from '../../test/support/harness/literals.ts';
import { amountWithin, feeFor, type FeeRule, feeRulesFromJson, feeRulesToJson, ruleFor } from './fee-rules.ts';

const rule = (n: number, terms: Partial<FeeRule> = {}): FeeRule => ({
  id: idAt('fee', n),
  on: 'payout',
  currency: null,
  scheme: null,
  buyCurrency: null,
  method: null,
  paymentLink: null,
  fixed: 0n,
  basisPoints: 100,
  createdAt: 0,
  ...terms,
});

describe('what a fee comes to', () => {
  it.each([
    [0n, 100, 10_000n, 100n],
    [25n, 0, 10_000n, 25n],
    [25n, 10, 10_000n, 35n],
    [0n, 1, 4_999n, 0n], // 0.4999
    [0n, 1, 5_000n, 1n], // 0.5 goes up
    [0n, 10_000, 7n, 7n],
  ])('%s fixed and %s basis points of %s are %s', (fixed, basisPoints, amount, fee) => {
    expect(feeFor(rule(1, { fixed, basisPoints }), amount)).toBe(fee);
  });

  it('is nothing without a rule', () => {
    expect(feeFor(null, 10_000n)).toBe(0n);
    expect(amountWithin(null, 10_000n)).toBe(10_000n);
  });

  it('the amount within a total is the largest that fits with its fee', () => {
    const terms = fc.record({ fixed: fc.bigInt(0n, 300n), basisPoints: fc.nat(10_000) });
    fc.assert(
      fc.property(terms, fc.bigInt(1n, 9_007_199_254_740_991n), (given, total) => {
        const taken = rule(1, given);
        const amount = amountWithin(taken, total);
        expect(amount).toBeGreaterThanOrEqual(0n);
        if (amount > 0n) expect(amount + feeFor(taken, amount)).toBeLessThanOrEqual(total);
        expect(amount + 1n + feeFor(taken, amount + 1n)).toBeGreaterThan(total);
      }),
      { numRuns: 2000 },
    );
  });

  it('what a fee was added to comes out again', () => {
    const terms = fc.record({ fixed: fc.bigInt(0n, 300n), basisPoints: fc.nat(10_000) });
    fc.assert(
      fc.property(terms, fc.bigInt(1n, 10n ** 15n), (given, amount) => {
        const taken = rule(1, given);
        expect(amountWithin(taken, amount + feeFor(taken, amount))).toBe(amount);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('which rule is taken', () => {
  const general = rule(1);
  const euro = rule(2, { currency: 'EUR' });
  const sepa = rule(3, { scheme: 'sepa' });
  const both = rule(4, { currency: 'EUR', scheme: 'sepa' });
  const rules = [euro, both, general, sepa, rule(5, { on: 'exchange' })];
  it.each([
    ['EUR', 'sepa', both],
    ['CHF', 'sepa', sepa],
    ['EUR', 'swift', euro],
    ['CHF', 'local', general],
  ] as const)('a payout in %s by %s', (currency, scheme, taken) => {
    expect(ruleFor(rules, { on: 'payout', currency, scheme })).toBe(taken);
    expect(ruleFor(rules.toReversed(), { on: 'payout', currency, scheme })).toBe(taken);
  });

  it('a link comes before a method, and a method before a currency', () => {
    const [link, card, eur] = [
      rule(1, { on: 'payment', paymentLink: idAt('plink', 1) }),
      rule(2, { on: 'payment', method: 'card', currency: 'EUR' }),
      rule(3, { on: 'payment', currency: 'EUR' }),
    ];
    const came = { on: 'payment', currency: 'EUR', method: 'card' } as const;
    expect(ruleFor([eur, card, link], { ...came, paymentLink: idAt('plink', 1) })).toBe(link);
    expect(ruleFor([eur, card, link], { ...came, paymentLink: idAt('plink', 2) })).toBe(card);
    expect(ruleFor([eur, link], { ...came, paymentLink: idAt('plink', 2) })).toBe(eur);
    expect(ruleFor([link], { ...came, paymentLink: idAt('plink', 2) })).toBeNull();
  });
});

it('rules come back from their JSON, and the same text is read once', () => {
  const rules = [rule(1, { currency: 'KWD', fixed: 9_007_199_254_740_993n }), rule(2, { scheme: 'local' })];
  const json = feeRulesToJson(rules);
  expect(feeRulesFromJson(json)).toEqual(rules);
  expect(feeRulesFromJson(json)).toBe(feeRulesFromJson(json));
  expect([feeRulesToJson([]), feeRulesFromJson(null)]).toEqual([null, []]);
});
