/** The rules in force are compared with the audit log, whole limits too; entries and rows from before `all_currencies` are read as they were meant. */
import { describe, expect, it } from 'vitest';
import { SaidRules } from './payout-rules.ts';

const ID = 'lim_1';
const of = { count: null, per: 'environment', of: null, action: 'refuse' };
const log = (fields: object) => {
  const said = new SaidRules();
  said.note('limit.created', ID, JSON.stringify({ ...of, amount_minor: '100', currency: 'EUR', ...fields }));
  return said;
};
const row = (fields: object) =>
  JSON.stringify({ limits: [{ id: ID, ...of, amount: '100', currency: 'EUR', ...fields }] });
const OLD_COUNT = { currency: null, amount_minor: null, amount: null, count: 3 };

describe('a limit', () => {
  it.each([
    ['in all currencies', { all_currencies: true }, { allCurrencies: true }],
    ['in one', { all_currencies: false }, { allCurrencies: false }],
    ['from before, written anew since', {}, { allCurrencies: false }],
    ['from before', {}, {}],
    ['of a count, from before', OLD_COUNT, { ...OLD_COUNT, allCurrencies: true }],
  ])('%s is the one of the log', (_, said, stored) => {
    expect(log(said).differencesTo(row(stored))).toEqual([]);
  });

  it('that was loosened past the log is found', () => {
    expect(log({ all_currencies: true }).differencesTo(row({ allCurrencies: false }))).toEqual([
      {
        object: ID,
        expected: 'refuse 100 all in EUR - environment -, as the audit log says',
        found: 'refuse 100 EUR - environment -',
      },
    ]);
    expect(log({}).differencesTo(row({ allCurrencies: true }))).toHaveLength(1);
  });
});
