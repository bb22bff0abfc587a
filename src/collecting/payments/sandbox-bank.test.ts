/** The sandbox bank: accounts that look like each country's, and the facts it reports. Over HTTP: `collecting/checkout/routes.test.ts`. */
import { isValidBIC, isValidIBAN } from 'ibantools';
import { describe, expect, it } from 'vitest';
import type { Payment } from './fields.ts';
import { payment } from '../../../test/support/harness/literals.ts';
import { factsOf, OUTCOMES, SANDBOX_PAYER, sandboxAccount } from './sandbox-bank.ts';

const amounts = (of: Payment, outcome: (typeof OUTCOMES)[number]) =>
  factsOf(of, outcome).map((fact) => (fact.type === 'receive_payment' ? fact.amount : fact.reason));

describe('what it reports', () => {
  const waiting = payment({ amount: 250_00n, received: 0n, status: 'pending' });
  const partly = payment({ amount: 250_00n, received: 100_01n, status: 'partially_paid' });
  const paid = payment({ amount: 250_00n, received: 250_00n, status: 'succeeded' });
  it.each<[string, Payment, readonly (readonly unknown[])[]]>([
    ['of one that waits', waiting, [[250_00n], [125_00n], [250_00n, 250_00n], ['declined']]],
    ['of one that is partly paid', partly, [[149_99n], [74_99n], [149_99n, 250_00n], ['declined']]],
    ['of one that is paid', paid, [[250_00n], [125_00n], [250_00n], ['declined']]],
    ['of one cent', payment({ amount: 1n, received: 0n }), [[1n], [1n], [1n, 1n], ['declined']]],
  ])('%s', (_, of, reported) => {
    expect(OUTCOMES.map((outcome) => amounts(of, outcome))).toEqual(reported);
  });

  it('is about this payment, by bank transfer, from the invented payer', () => {
    for (const fact of factsOf(waiting, 'twice'))
      expect(fact).toMatchObject({ payment: waiting.id, method: 'bank_transfer', session: null, ...SANDBOX_PAYER });
    expect(isValidIBAN(SANDBOX_PAYER.payerIban)).toBe(true);
  });
});

it('has a valid account for every currency, in the holder’s name', () => {
  for (const currency of ['EUR', 'CHF', 'GBP', 'USD', 'AUD', 'INR', 'MXN', 'JPY', 'KWD']) {
    const { account_holder: holder, iban, bic, account_number: number, clabe } = sandboxAccount(currency, 'Rossum');
    expect(holder).toBe('Rossum');
    expect([iban, number, clabe].filter(Boolean), currency).toHaveLength(1);
    if (iban !== undefined) expect(isValidIBAN(iban), currency).toBe(true);
    if (bic !== undefined) expect(isValidBIC(bic), currency).toBe(true);
  }
});
