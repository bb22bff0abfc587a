/** Every write of the API, each with two good values for every parameter. Who asks: `test/long/idempotency-reuse.test.ts`. */
import {
  bankCases,
  bankEntryCases,
  paymentFileCases,
  bankRuleCases,
  closingCases,
  expectedPaymentCases,
  reviewCases,
} from './write-cases-of-bank.ts';
import { accessCases } from './write-cases-of-access.ts';
import { approvalCases } from './write-cases-of-approvals.ts';
import { RECIPIENT } from '../harness/tenant-fixture.ts';

/** A PNG of one pixel. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

type Body = Readonly<Record<string, unknown>>;

/** The request with every optional parameter, and for each parameter another good value. */
export interface Case {
  readonly path: string;
  readonly body: Body;
  readonly others: Body;
  /** Parameters that cannot stand in the same request as the rest. */
  readonly apart?: Body;
  /** Parameters that, alone, are refused before the key is looked at. */
  readonly early?: readonly string[];
  /** A parameter without which another takes on its default: that one is named instead. */
  readonly instead?: Readonly<Record<string, string>>;
}
/** A case for every write. `id`: of an object by its short name, as `test/long/idempotency-reuse.test.ts` makes them. */
export const casesWith = (id: (name: string) => string): Case[] => {
  const [eur, eur2, eur3, usd, usd2] = [id('eur'), id('eur2'), id('eur3'), id('usd'), id('usd2')];
  const [rcp, rcp2, quo, quo2, exc] = [id('rcp'), id('rcp2'), id('quo'), id('quo2'), id('exc')];
  const toAda = { currency: 'EUR', recipient: rcp };
  const [po, po3, po4] = [id('po'), id('po3'), id('po4')];
  const metadata = { a: '1', b: '2' };
  const other = { a: '1', b: '3' };
  const [rf, otherRf] = ['RF48ONE1', 'RF18539007547034'];
  const texts = { reference: rf, statement_descriptor: 'One', metadata };
  const codes = { category_purpose: 'SALA', purpose: 'SALA' };
  const terms = { ...codes, bank_account: id('ba') };
  const run = { mode: 'partial', external_id: 'one', ...terms, batch_booking: true, metadata };
  const otherCodes = { category_purpose: 'SUPP', purpose: 'GDDS' };
  const otherTerms = { ...otherCodes, bank_account: id('ba_gbp') };
  const otherTexts = { reference: otherRf, statement_descriptor: 'Two', metadata: other };
  const today = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  const later = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10);
  const holder = { address: { city: 'Berlin', country: 'DE' }, latin_name: 'Ada', ...terms };
  const otherHolder = { address: { city: 'Potsdam', country: 'DE' }, latin_name: 'Ada King', ...otherTerms };
  const recipient = { ...RECIPIENT, ...holder, email: 'ada@example.com', bic: 'COBADEFFXXX', metadata };
  const price = { sell_currency: 'EUR', buy_currency: 'USD', amount: '10', fixed_side: 'buy' };
  const prices = { sell_currency: 'GBP', buy_currency: 'CHF', amount: '10.01', fixed_side: 'sell' };
  const inAYear = Math.floor(Date.now() / 86_400_000) * 86_400 + 366 * 86_400;
  const wordsOf = (text: string) => ({ description: text, reference: text, after_completion: { message: text } });
  const words = { ...wordsOf('One'), customer_email: 'one@example.com' };
  const otherWords = { ...wordsOf('Two'), customer_email: 'two@example.com' };
  // No bank account takes collections in this currency, of which pages would have to show one.
  return [
    {
      path: '/v1/accounts',
      body: { currency: 'EUR', name: 'One', metadata },
      others: { currency: 'USD', name: 'Two', metadata: other },
    },
    { path: `/v1/accounts/${eur3}`, body: { name: 'One', metadata }, others: { name: '', metadata: other } },
    { path: `/v1/test_helpers/accounts/${eur3}/fund`, body: { amount: '5' }, others: { amount: '5.01' } },
    {
      path: '/v1/transfers',
      body: { from: eur, to: eur2, amount: '1', description: 'One', metadata },
      others: { from: eur3, to: eur3, amount: '2', description: 'Two', metadata: other },
    },
    {
      path: '/v1/recipients',
      body: recipient,
      // Another country needs another account: a test of its own, below.
      others: {
        name: 'Bob',
        type: 'company',
        currency: 'USD',
        iban: 'DE02120300000000202051',
        bic: 'DEUTDEFF',
        email: 'bob@example.com',
        ...otherHolder,
        metadata: other,
      },
    },
    {
      path: '/v1/recipients/batch',
      body: { recipients: [recipient] },
      others: { recipients: [{ ...recipient, name: 'Bob' }] },
    },
    {
      path: `/v1/recipients/${rcp2}`,
      body: { name: 'Ada King', email: 'ada@example.com', iban: 'DE02120300000000202051', ...holder, metadata },
      others: { name: 'Ada', email: 'bob@example.com', iban: RECIPIENT.iban, ...otherHolder, metadata: other },
    },
    {
      path: '/v1/exchanges/quote',
      body: { ...price, expires_in: 60, metadata },
      others: { ...prices, expires_in: 61, metadata: other },
    },
    {
      path: '/v1/exchanges',
      body: { ...price, sell_account: eur, buy_account: usd, metadata },
      others: { ...prices, sell_account: eur2, buy_account: usd2, metadata: other },
      apart: { quote: quo2 },
    },
    { path: '/v1/exchanges', body: { quote: quo }, others: { quote: quo2 } },
    { path: `/v1/exchanges/${exc}`, body: { metadata }, others: { metadata: other } },
    {
      path: '/v1/payouts',
      body: {
        amount: '3',
        currency: 'EUR',
        recipient: rcp,
        account: eur,
        ...texts,
        reference_type: 'rf',
        external_id: 'one',
        scheduled_on: today,
        speed: 'standard',
        ...terms,
        on_insufficient_funds: 'wait',
      },
      others: {
        amount: '3.01',
        currency: 'USD',
        recipient: rcp2,
        account: eur2,
        ...otherTexts,
        reference_type: 'text',
        external_id: 'two',
        scheduled_on: later,
        speed: 'instant',
        ...otherTerms,
        on_insufficient_funds: 'refuse',
      },
    },
    {
      path: '/v1/payouts',
      body: { amount: '3', currency: 'EUR', recipient: rcp, on_insufficient_funds: 'wait', wait_until_on: today },
      others: { wait_until_on: later },
    },
    {
      path: '/v1/payouts',
      body: { amount: '3', currency: 'EUR', recipient: rcp, source_currency: 'USD', source_account: usd },
      others: { source_currency: 'GBP', source_account: usd2 },
    },
    {
      path: '/v1/payouts',
      body: { ...toAda, source_account: usd, source_amount: '3' },
      others: { source_amount: '4' },
    },
    { path: '/v1/payouts', body: { ...toAda, quote: id('quo3') }, others: { quote: id('quo4') } },
    {
      path: `/v1/payouts/${po}`,
      body: { metadata, reference: rf, reference_type: 'rf', scheduled_on: today, ...terms },
      others: { metadata: other, reference: otherRf, reference_type: 'text', scheduled_on: later, ...otherTerms },
    },
    {
      path: `/v1/test_helpers/payouts/${po3}/fail`,
      body: { failure_code: 'no_account' },
      others: { failure_code: 'account_closed' },
    },
    {
      path: `/v1/test_helpers/payouts/${po4}/return`,
      body: { failure_code: 'no_account' },
      others: { failure_code: 'account_closed' },
    },
    {
      path: '/v1/payouts/batch',
      body: { payouts: [{ amount: '1', ...toAda }], ...run, create_recipients: true, allow_repeated: true },
      others: {
        payouts: [{ amount: '1', currency: 'EUR', recipient: rcp2 }],
        mode: 'atomic',
        external_id: 'two',
        ...otherTerms,
        batch_booking: false,
        metadata: other,
        create_recipients: false,
        allow_repeated: false,
      },
    },
    {
      path: '/v1/standing_orders',
      body: {
        amount: '3',
        currency: 'EUR',
        recipient: rcp,
        account: eur,
        speed: 'standard',
        interval: 'month',
        interval_count: 2,
        starts_on: '2098-01-31',
        ends_on: '2099-01-31',
        ...texts,
        reference_type: 'rf',
        ...codes,
      },
      others: {
        amount: '3.01',
        currency: 'USD',
        recipient: rcp2,
        account: eur2,
        speed: 'instant',
        interval: 'week',
        interval_count: 3,
        starts_on: '2098-02-01',
        ends_on: '2099-02-01',
        count: 3,
        ...otherTexts,
        reference_type: 'text',
        ...otherCodes,
      },
      early: ['count'],
    },
    {
      path: `/v1/standing_orders/${id('so')}`,
      body: { amount: '3', ends_on: '2099-01-31', ...texts, reference_type: 'rf', ...codes },
      others: { amount: '3.01', ends_on: '2099-02-01', count: 3, ...otherTexts, reference_type: 'text', ...otherCodes },
      early: ['count'],
    },
    {
      path: '/v1/payment_links',
      body: { amount: '3', currency: 'EUR', account: eur, reusable: true, expires_at: inAYear, ...words, metadata },
      others: {
        amount: '3.01',
        currency: 'USD',
        account: eur2,
        reusable: false,
        max_payments: 5,
        expires_at: inAYear + 1,
        ...otherWords,
        metadata: other,
        amount_type: 'open',
      },
      early: ['amount_type'],
    },
    {
      path: '/v1/payment_links',
      body: { amount_type: 'open', currency: 'EUR', minimum_amount: '1', maximum_amount: '9' },
      others: { minimum_amount: '2', maximum_amount: '8' },
    },
    {
      path: `/v1/payment_links/${id('plink')}`,
      body: { max_payments: 50, expires_at: inAYear, ...words, metadata },
      others: { max_payments: 51, expires_at: inAYear + 1, ...otherWords, metadata: other },
    },
    {
      path: `/v1/test_helpers/payment_links/${id('plink')}/pay`,
      body: { amount: '10' },
      others: { amount: '10.01' },
    },
    { path: `/v1/payments/${id('pay')}`, body: { metadata }, others: { metadata: other } },
    {
      path: `/v1/payments/${id('pay')}/refund`,
      body: { amount: '1', recipient: rcp },
      others: { amount: '1.01', recipient: rcp2 },
    },
    {
      path: '/v1/settings',
      body: {
        name: 'One',
        logo: PIXEL,
        accent_color: '#000000',
        payment_reminder_days: 3,
        daily_statements: true,
        contact_email: 'billing@shop.example',
        contact_phone: '+49 30 901820',
        address: { city: 'Berlin', country: 'DE' },
        legal_url: 'https://shop.example/legal',
        privacy_url: 'https://shop.example/privacy',
        metadata,
      },
      others: {
        name: 'Two',
        metadata: other,
        logo: '',
        accent_color: '#ffffff',
        payment_reminder_days: 4,
        daily_statements: false,
        contact_email: 'help@shop.example',
        contact_phone: '+49 30 901821',
        address: { city: 'Potsdam', country: 'DE' },
        legal_url: null,
        privacy_url: 'https://shop.example/data',
      },
    },
    ...accessCases(id),
    ...approvalCases(id),
    {
      path: '/v1/settings/payouts',
      body: {
        frozen: false,
        hold_new_recipients_hours: 0,
        hold_bank_accounts: false,
        approvals_required: 1,
        routes: 'sandbox',
        waiting_payouts: 'in_order',
        time_zone: 'UTC',
      },
      others: {
        time_zone: 'Europe/Berlin',
        frozen: true,
        hold_new_recipients_hours: 1,
        hold_bank_accounts: true,
        approvals_required: 2,
        routes: 'live',
        waiting_payouts: 'may_be_passed',
      },
    },
    {
      path: '/v1/settings/exchanges',
      body: { base_currency: 'EUR', position_limit: '1000000', markups: { EUR_USD: 25 } },
      others: { base_currency: 'USD', position_limit: '2000000', markups: { EUR_USD: 26 } },
    },
    {
      path: '/v1/limits',
      body: { currency: 'USD', amount: '10', count: 5, per: 'account', account: usd, action: 'hold' },
      others: { currency: 'EUR', all_currencies: true, amount: '11', count: 6, account: usd2, action: 'refuse' },
      apart: { per: 'key', key: id('key'), recipient: rcp },
      early: ['per', 'key', 'recipient'],
    },
    ...bankCases(id('ba')),
    ...closingCases(id('ba_stopped'), id('ba_gbp'), id('sha_august')),
    ...expectedPaymentCases([eur, eur2]),
    ...bankRuleCases([id('ba_gbp'), id('ba_gbp2')], eur),
    ...paymentFileCases(id('pf'), [id('ba_gbp'), id('ba_gbp2')]),
    ...bankEntryCases(id, [rcp, rcp2], [eur, eur2]),
    ...reviewCases(id('be_right'), id('be_voided'), id('bs')),
    {
      path: '/v1/fee_rules',
      body: { on: 'payout', currency: 'EUR', scheme: 'sepa', amount: '0.25', basis_points: 10 },
      others: { on: 'payment', currency: 'USD', scheme: 'local', amount: '0.26', basis_points: 11 },
      early: ['on'],
    },
    {
      path: '/v1/fee_rules',
      body: { on: 'exchange', buy_currency: 'USD', basis_points: 10 },
      others: { buy_currency: 'EUR' },
    },
    {
      path: '/v1/fee_rules',
      body: { on: 'payment', method: 'card', payment_link: id('plink'), basis_points: 10 },
      others: { method: 'bank_transfer', payment_link: id('plink2') },
    },
    { path: '/v1/test_helpers/clock/advance', body: { seconds: 1 }, others: { seconds: 2 } },
    { path: '/v1/test_helpers/restore', body: { skip: 1 }, others: { skip: 2 } },
  ];
};
