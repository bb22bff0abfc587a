/**
 * What is accepted when a payout is made is exported, valid in the schemas of its market, and nothing else is: the creation, the dry run of a
 * recipient (`paying/recipients/payable.ts`) and the export (`bank/payment-files/payable.ts`) give one answer for random payments.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../test/support/generators/random-cases.ts';
import { invalidIn, orders, type RandomOrder, schemasOf } from '../../../test/support/bank/payment-files.ts';
import { ISO20022 } from '../../../test/support/bank/public-samples.ts';
import { bankAccount } from '../../../test/support/harness/bank-literals.ts';
import { given } from '../../../test/support/harness/given.ts';
import { account, payoutOrder, PAYOUT, recipient, RECIPIENT } from '../../../test/support/harness/literals.ts';
import { judge, paymentOf } from '../../bank/payment-files/payable.ts';
import { outgoingId } from '../../iso20022/write/identifiers.ts';
import { writePain001 } from '../../iso20022/write/pain001.ts';
import { judgeOf } from '../../iso20022/write/payable.ts';
import { payableAt } from '../recipients/payable.ts';

const RUNS = runs(150);
const MAX = 999_999_999_999_999n;

/** The bank account that pays in the currency of the order. */
function bankOf({ profile, debtor, currency }: RandomOrder) {
  const {
    object: _o,
    id: _i,
    balance: _b,
    booksFrom: _f,
    status: _s,
    createdAt: _c,
    closedAt: _cl,
    metadata: _m,
    ...fields
  } = bankAccount();
  return { ...fields, profile, currency, country: debtor.country, bankDetails: debtor.details };
}

/** As the database gives it to the export. */
const dueOf = ({ creditor, amount, currency, reference, speed }: RandomOrder) => ({
  id: PAYOUT,
  amount,
  currency,
  reference,
  referenceType: null,
  speed,
  categoryPurpose: null,
  purpose: null,
  batchBooking: false,
  bankAccount: null,
  creditor: { ...creditor, recipient: RECIPIENT, address: creditor.address as never, bankDetails: '' },
});

function answers(order: RandomOrder) {
  const { creditor, currency, amount, reference, speed } = order;
  const { details, ...who } = creditor;
  const payee = recipient({ ...who, currency, bankDetails: details });
  const bank = bankOf(order);
  const made = given(account({ currency, balance: MAX }), payee)
    .when({ type: 'create_bank_account', ...bank, metadata: undefined })
    .when({ type: 'create_payout', order: payoutOrder({ amount, currency, reference, speed }), settlementDelayMs: 0 });
  const exported = judge(bankAccount(bank), dueOf(order), () => details);
  return { made, exported, payee, bank };
}

const accepted: { readonly schemas: readonly string[]; readonly xml: string }[] = [];

describe('one answer', () => {
  it(`of creation, dry run and export, for ${RUNS} random payments`, () => {
    let refused = 0;
    fc.assert(
      fc.property(orders, (order) => {
        const { made, exported, bank } = answers(order);
        const isMade = made.refusal === null || made.refusal === undefined;
        if (!isMade) expect(['payout_not_payable', 'amount_too_large']).toContain(made.refusal?.code);
        expect(exported.route !== null).toBe(isMade);
        const { environment } = made.state;
        const { country, details } = order.creditor;
        const at = { ...order.creditor, country, details, currency: order.currency, bankAccount: null };
        const asked = payableAt(judgeOf(environment, order.currency), at).speeds.find(
          ({ speed }) => speed === order.speed,
        );
        // A recipient is asked about without a payment: a QR-IBAN wants a reference, which that one has.
        const isAboutPayment = ['amount', 'reference'].includes(made.refusal?.details?.param ?? '');
        expect(asked?.errors.length === 0).toBe(isMade || isAboutPayment);
        if (exported.route === null) {
          refused += 1;
          return;
        }
        const payment = paymentOf(dueOf(order), () => details);
        const id = outgoingId(PAYOUT).replace('PO', 'BF');
        const file = {
          profile: order.profile,
          messageId: id,
          paymentInformationId: id,
          createdAtMs: Date.UTC(2026, 10, 24),
          debtor: { ...order.debtor, name: bank.holder, address: null },
          executionOn: '2026-11-24',
          route: exported.route,
          categoryPurpose: null,
          batchBooking: false,
          currency: order.currency,
          count: 1,
          sum: payment.amount,
          payments: [payment],
        };
        accepted.push({ schemas: schemasOf(file), xml: [...writePain001(file)].join('') });
      }),
      { numRuns: RUNS },
    );
    expect(refused).toBeGreaterThan(RUNS / 10);
    expect(accepted.length).toBeGreaterThan(RUNS / 10);
  });

  it.skipIf(ISO20022 === undefined)('and what is accepted is valid in its market', { timeout: 120_000 }, async () => {
    for (const schema of new Set(accepted.flatMap(({ schemas }) => schemas))) {
      const documents = accepted.filter(({ schemas }) => schemas.includes(schema)).map(({ xml }) => xml);
      expect([schema, await invalidIn(ISO20022 as string, schema, documents.slice(0, 1_000))]).toEqual([schema, []]);
    }
  });
});

describe('where no bank account pays in the currency', () => {
  const create = { type: 'create_payout', order: payoutOrder(), settlementDelayMs: 0 } as const;
  const rules = {
    type: 'update_payout_rules',
    frozen: undefined,
    holdNewRecipientsHours: undefined,
    holdBankAccounts: undefined,
    approvalsRequired: undefined,
    waitingPayouts: undefined,
    timeZone: undefined,
  } as const;
  it('a sandbox takes the payout', () => void given(account(), recipient()).when(create).thenAccepts({}));
  it('and refuses it once it judges as live does', () =>
    void given(account(), recipient())
      .when({ ...rules, routes: 'live' })
      .when(create)
      .thenRefuses('payout_not_payable', { param: 'currency' }));
  it('and takes it again afterwards', () =>
    void given(account(), recipient())
      .when({ ...rules, routes: 'live' })
      .when({ ...rules, routes: 'sandbox' })
      .when(create)
      .thenAccepts({}));
  it('live refuses it', () => {
    expect(judgeOf({ livemode: true, payoutRules: null, payingBanks: [] }, 'EUR').isStrict).toBe(true);
    expect(judgeOf({ livemode: false, payoutRules: null, payingBanks: [] }, 'EUR').isStrict).toBe(false);
  });
});
