/**
 * What is hashed of a request never changes: a client that repeats a request of last month under its key must get the answer of last
 * month, and no refusal. The hashes were made once, on 25 November 2026. A hash that differs is a fault of the change, not of the test.
 */
import { hash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { readJson } from '../src/platform/http/request/json.ts';
import { readForm } from '../src/platform/http/request/form.ts';
import type { Tree } from '../src/platform/http/request/param.ts';
import { fingerprint } from '../src/write/fingerprint.ts';
import { ROUTES } from './support/harness/all-routes.ts';

const REST = '01jd3v9q4ne8v8k3w2m6r5t7xa';
const METADATA = { externalId: 'a', external_id: 'b', Zebra: 'c', '4711': 'd' };
const ADDRESS = { line1: 'Invalidenstraße 43', postal_code: '10115', city: 'Berlin', country: 'DE' };
const ORDER = {
  amount: '250.00',
  currency: 'eur',
  recipient: `rcp_${REST}`,
  statement_descriptor: 'Bursar',
  external_id: 'order-4711',
  scheduled_on: '2026-12-24',
  on_insufficient_funds: 'wait',
  wait_until_on: '2026-12-31',
  metadata: METADATA,
};

function printOf(operationId: string, tree: Tree): string {
  const route = ROUTES.find((each) => each.operationId === operationId);
  if (route?.body === undefined) throw new Error(`${operationId} takes no body.`);
  const body = route.body.parse(tree) as Readonly<Record<string, unknown>>;
  return hash('sha256', fingerprint(route.method, route.path, body), 'hex').slice(0, 24);
}
const ofJson = (operationId: string, body: object) => printOf(operationId, readJson(JSON.stringify(body), 8));

describe('the fingerprint of', () => {
  it.each<[string, object, string]>([
    ['createPayout', ORDER, '3cf0c0eea645eefc4c181b5e'],
    [
      'createPayout',
      { currency: 'EUR', recipient: `rcp_${REST}`, source_amount: 10, source_account: `acct_${REST}` },
      '67b3152a7a1a705f69f4ffe3',
    ],
    [
      'createPayoutBatch',
      { payouts: [ORDER, { ...ORDER, external_id: 'x' }], mode: 'partial', external_id: 'run' },
      '091a71b88268ac5fc0aa028c',
    ],
    ['updatePayout', { reference: '', scheduled_on: '2026-12-24', metadata: null }, '8dde054528ae3b7d115c7d9e'],
    ['updatePayoutRules', { hold_new_recipients_hours: 24, approvals_required: 2 }, '2e9e023c753e15d76b782575'],
    [
      'createRecipient',
      {
        name: 'Ada Lovelace',
        latin_name: 'Ada',
        type: 'individual',
        currency: 'EUR',
        country: 'DE',
        bank_details: { iban: 'de89 3704 0044 0532 0130 00' },
        address: ADDRESS,
        metadata: METADATA,
      },
      'd91532e69d34ef20ab565ec6',
    ],
    [
      'createRecipient',
      {
        name: 'Ada',
        type: 'individual',
        currency: 'USD',
        country: 'US',
        account_number: '000123456789',
        routing_number: '110000000',
      },
      'f0ce04f60da76488b575d4a7',
    ],
    [
      'createStandingOrder',
      {
        amount: 5,
        currency: 'EUR',
        recipient: `rcp_${REST}`,
        interval: 'month',
        starts_on: '2026-12-31',
        statement_descriptor: 'Rent',
      },
      '19c6ba530506933344210bee',
    ],
    [
      'createPaymentLink',
      {
        amount_type: 'open',
        minimum_amount: 5,
        currency: 'EUR',
        customer_email: 'ada@example.com',
        max_payments: 3,
        reusable: true,
        after_completion: { redirect: { url: 'https://shop.example.com/thanks' }, message: 'Thank you' },
        metadata: METADATA,
      },
      'a30129e1adfb0c1b321aabef',
    ],
    [
      'createExpectedPayment',
      { amount: '119.00', currency: 'EUR', payer: 'Example AG', due_on: '2026-12-20' },
      'fbc8bd5375ea7b4f77d7c3bc',
    ],
    [
      'createQuote',
      { sell_currency: 'EUR', buy_currency: 'USD', amount: 100, fixed_side: 'buy', expires_in: 60 },
      '9001ec6b066de6ea3fa256f7',
    ],
    [
      'createExchange',
      { sell_currency: 'EUR', buy_currency: 'USD', amount: 100, sell_account: `acct_${REST}` },
      'd3d7e00e97ec13890ac5c577',
    ],
    [
      'createBankAccount',
      {
        currency: 'EUR',
        country: 'DE',
        holder: 'Example GmbH',
        holder_address: ADDRESS,
        bank_details: { iban: 'DE02 1203 0000 0000 2020 51' },
        cut_off: '14:30',
        time_zone: 'Europe/Berlin',
        booked_by: 'camt.052',
        on_drift: 'stop_exports',
        metadata: METADATA,
      },
      'edad206107b6c52c839f914d',
    ],
    [
      'updateBankAccount',
      { paid_by: 'status', reversal_sign: 'original', charges: 'by_hand', uses: ['payouts'] },
      'aa1c8eb94d92665d88082285',
    ],
    [
      'createBankRule',
      { name: 'Cards', transaction_code: 'PMNT-CCRD-*', min_amount: '1', currency: 'EUR', to: 'fees' },
      'fd0454c5bdb99333bbf76e14',
    ],
    [
      'assignBankEntry',
      { assignments: [{ to: 'fees', amount: 1 }], reason: 'Fee of November' },
      'e2b5557c62f0f3469b508359',
    ],
    [
      'assignBankEntryBatch',
      { entries: [{ entry: `be_${REST}`, to: 'fees' }], reason: 'Fees of November' },
      'c5cf7641b54c22cef392ce5d',
    ],
    [
      'createWebhookEndpoint',
      { url: 'https://hooks.example.com/', enabled_events: ['payout.*'], ordered: true },
      '7a9c2fefd63488417525b22a',
    ],
    ['replayWebhookEndpoint', { after_sequence: 7, only: 'all' }, '0cd8751c7dda47e47f7c2dc3'],
    [
      'updateSettings',
      { name: 'Example', accent_color: '#0a7c53', payment_reminder_days: 3, metadata: METADATA },
      '8c181e32a52c473e61d238d0',
    ],
    [
      'createKey',
      { name: 'payroll', scopes: ['payouts:write'], allowed_ips: ['192.0.2.0/24'] },
      '52587aaeb502c528719d7f79',
    ],
    ['rollKey', { expires_in: 3600 }, '4b791937647ad4318886ea5d'],
    ['resendEvent', { webhook_endpoint: `we_${REST}` }, 'a48b6a32b15e28c0e468dd3a'],
    ['updateExchangeSettings', { position_limit: 100_000, markups: { EUR_USD: 40 } }, '1c761fa61583754a969c59c0'],
    [
      'createFeeRule',
      { on: 'exchange', currency: 'EUR', buy_currency: 'USD', amount: 0.25, basis_points: 140 },
      '5b036d92a00d07719fcb24a3',
    ],
  ])('%s %#', (operationId, body, expected) => {
    expect(ofJson(operationId, body)).toBe(expected);
  });

  it('a form is that of the same JSON', () => {
    const form = 'payouts[0][amount]=250&payouts[0][currency]=EUR&payouts[0][external_id]=a&payouts[0][metadata][aB]=c';
    const item = { amount: 250, currency: 'EUR', external_id: 'a', metadata: { aB: 'c' } };
    const recipient = { recipient: `rcp_${REST}` };
    const written = readForm(`${form}&payouts[0][recipient]=${recipient.recipient}`, 8);
    expect(printOf('createPayoutBatch', written)).toBe(
      ofJson('createPayoutBatch', { payouts: [{ ...item, ...recipient }] }),
    );
  });

  it('control: another value, another member and another name make another one', () => {
    const one = ofJson('createPayout', ORDER);
    expect(ofJson('createPayout', { ...ORDER, wait_until_on: '2027-01-01' })).not.toBe(one);
    expect(ofJson('createPayout', { ...ORDER, metadata: { ...METADATA, externalId: 'b' } })).not.toBe(one);
    const renamed = { ...METADATA, external_id: undefined, externalID: 'b' };
    expect(ofJson('createPayout', { ...ORDER, metadata: renamed })).not.toBe(one);
  });
});
