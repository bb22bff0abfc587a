/** From what a token opened to what the page shows: its state, and when its version changes. Over HTTP: `routes.test.ts`. */
import { describe, expect, it } from 'vitest';
import type { Opened } from './sql.ts';
import { stateOf, versionOf, viewOf } from './view.ts';

const NOW_MS = Date.UTC(2026, 10, 21);
const BANK = { account_holder: 'Rossum', iban: 'DE89370400440532013000' };

type OpenedPayment = NonNullable<Opened['payment']>;
const payment = (changes: Partial<OpenedPayment> = {}): OpenedPayment => ({
  object: 'payment',
  id: 'pay_01jd3v9q4ne8v8k3w2m6r5t7xa',
  link: 'plink_01jd3v9q4ne8v8k3w2m6r5t7xa',
  account: 'acct_01jd3v9q4ne8v8k3w2m6r5t7xa',
  currency: 'EUR',
  amount: 250_00n,
  received: 0n,
  refunded: 0n,
  fees: [],
  status: 'pending',
  method: 'bank_transfer',
  reference: 'RF18539007547034',
  session: null,
  duplicates: 0n,
  paidAt: null,
  duplicateOf: null,
  failureCode: null,
  transfer: null,
  refund: null,
  remindAt: null,
  dueAt: null,
  token: null,
  payerName: null,
  payerIban: null,
  createdAt: NOW_MS,
  ...changes,
});
const PAID = payment({ status: 'succeeded', received: 250_00n, paidAt: NOW_MS });
const PARTLY = payment({ status: 'partially_paid', received: 100_00n });
const FAILED = payment({ status: 'failed', failureCode: 'expired' });
const REPLACED = payment({ status: 'failed', failureCode: 'canceled' });
const REFUNDED = payment({ status: 'refunded', received: 250_00n, refunded: 250_00n });

const opened = (link: Partial<Opened['link']> = {}, of: Partial<Opened> = {}): Opened => ({
  environmentId: 'env_01jd3v9q4ne8v8k3w2m6r5t7xa',
  livemode: false,
  nowMs: NOW_MS,
  merchant: 'Rossum',
  hasLogo: false,
  accent: null,
  company: { email: null, phone: null, address: null, legalUrl: null, privacyUrl: null },
  bank: null,
  payment: null,
  ...of,
  link: {
    object: 'payment_link',
    id: 'plink_01jd3v9q4ne8v8k3w2m6r5t7xa',
    url: 'https://pay.example.com/pay/t',
    account: 'acct_01jd3v9q4ne8v8k3w2m6r5t7xa',
    received: 0n,
    endedAt: null,
    endedAs: null,
    token: 't',
    createdAt: NOW_MS,
    status: 'active',
    amount: 250_00n,
    minimum: null,
    maximum: null,
    currency: 'EUR',
    reusable: false,
    maxPayments: null,
    paymentsCount: 0,
    openCount: 0,
    description: null,
    reference: null,
    customerEmail: null,
    redirectUrl: null,
    message: null,
    expiresAt: null,
    ...link,
  },
});
const request = {
  token: 't',
  language: 'en',
  csrf: 'c',
  notice: null,
  typed: null,
  hasCard: false,
  method: null,
} as const;

describe('state', () => {
  const over = { expiresAt: NOW_MS };
  const ended = { paymentsCount: 1, status: 'completed' } as const;
  it.each<[string, Opened, ReturnType<typeof stateOf>]>([
    ['a new link', opened(), 'open'],
    ['begun', opened({ openCount: 1 }, { payment: payment() }), 'waiting'],
    ['partly paid', opened({ openCount: 1 }, { payment: PARTLY }), 'partially_paid'],
    ['paid', opened(ended, { payment: PAID }), 'paid'],
    ['overpaid', opened(ended, { payment: { ...PAID, status: 'overpaid', received: 300_00n } }), 'paid'],
    ['sent back', opened(ended, { payment: REFUNDED }), 'paid'],
    ['failed', opened({}, { payment: FAILED }), 'failed'],
    ['another start took its place', opened({}, { payment: REPLACED }), 'waiting'],
    ['another has paid in its place', opened(ended, { payment: REPLACED }), 'used_up'],
    ['the last millisecond', opened({ expiresAt: NOW_MS + 1 }), 'open'],
    ['its end has come', opened(over), 'expired'],
    ['its end has come while a payer waits', opened({ ...over, openCount: 1 }, { payment: payment() }), 'expired'],
    ['its end has come, partly paid', opened({ ...over, openCount: 1 }, { payment: PARTLY }), 'partially_paid'],
    ['its end has come, paid', opened({ ...over, ...ended }, { payment: PAID }), 'paid'],
    ['its end has come, failed', opened(over, { payment: FAILED }), 'expired'],
    ['the worker was there', opened({ ...over, status: 'expired' }), 'expired'],
    ['canceled', opened({ status: 'canceled' }), 'canceled'],
    ['canceled before its end', opened({ ...over, status: 'canceled' }), 'canceled'],
    ['canceled while a payer waits', opened({ status: 'canceled', openCount: 1 }, { payment: payment() }), 'canceled'],
    ['canceled, paid', opened({ status: 'canceled' }, { payment: PAID }), 'paid'],
    ['reusable', opened({ reusable: true, paymentsCount: 7, openCount: 9 }), 'open'],
    ['more have started than can pay', opened({ reusable: true, maxPayments: 3, openCount: 9 }), 'open'],
    ['all places paid', opened({ reusable: true, maxPayments: 1, ...ended }), 'used_up'],
    [
      'one of those who wait',
      opened({ reusable: true, maxPayments: 1, openCount: 1 }, { payment: payment() }),
      'waiting',
    ],
    ['who waits where all others have paid', opened({ ...ended, reusable: true }, { payment: payment() }), 'used_up'],
    ['who failed where all others have paid', opened({ ...ended, reusable: true }, { payment: FAILED }), 'used_up'],
  ])('%s: %#', (_, of, state) => {
    expect(stateOf(of)).toBe(state);
  });
});

describe('version', () => {
  const before = opened({ openCount: 1 }, { payment: payment() });
  it.each<[string, Opened]>([
    ['a part came', { ...before, payment: PARTLY }],
    ['all of it came', { ...before, payment: PAID }],
    ['the method changed', { ...before, payment: payment({ method: 'card' }) }],
    ['it failed', { ...before, payment: FAILED }],
    ['the link was canceled', opened({ status: 'canceled', openCount: 1 }, { payment: payment() })],
    ['its end came', opened({ expiresAt: NOW_MS, openCount: 1 }, { payment: payment() })],
    ['nothing was begun', opened()],
  ])('is another when %s', (_, after) => {
    expect(versionOf(after)).not.toBe(versionOf(before));
  });

  it.each<[string, Opened]>([
    ['more came', { ...before, payment: { ...PARTLY, received: 101_00n } }],
    ['a duplicate came', { ...before, payment: { ...PARTLY, duplicates: 1n } }],
    ['a part was sent back', { ...before, payment: { ...PARTLY, refunded: 1n } }],
  ])('is another when %s', (_, after) => {
    expect(versionOf(after)).not.toBe(versionOf({ ...before, payment: PARTLY }));
  });

  it('stays when somebody else pays, and as time goes by', () => {
    const reusable = opened({ reusable: true, paymentsCount: 1 });
    expect(versionOf(opened({ reusable: true, paymentsCount: 2, openCount: 5 }))).toBe(versionOf(reusable));
    expect(versionOf({ ...before, nowMs: NOW_MS + 1 })).toBe(versionOf(before));
  });
});

describe('view', () => {
  const waiting = opened({ openCount: 1 }, { payment: payment() });
  it('shows the account of the settings, an invented one in a sandbox, none in a live environment', () => {
    const bankOf = (of: Opened) => viewOf(of, request).payment?.bank;
    expect(bankOf({ ...waiting, bank: BANK })).toEqual(BANK);
    expect(bankOf({ ...waiting, bank: BANK, livemode: true })).toEqual(BANK);
    expect(bankOf(waiting)).toMatchObject({ account_holder: 'Rossum', bank_name: 'Sandbox Bank' });
    expect(bankOf({ ...waiting, livemode: true })).toBeNull();
  });

  it('offers what there is', () => {
    const methodsOf = (of: Opened, hasCard: boolean) => viewOf(of, { ...request, hasCard }).methods;
    expect(methodsOf(opened(), true)).toEqual({ bankTransfer: true, card: true });
    expect(methodsOf(opened({}, { livemode: true }), true)).toEqual({ bankTransfer: false, card: true });
    expect(methodsOf(opened({}, { livemode: true }), false)).toEqual({ bankTransfer: false, card: false });
  });

  it('shows the bank details to who was sent to an acquirer and asks for them', () => {
    const byCard = { ...waiting, payment: payment({ method: 'card' }) };
    expect(viewOf(byCard, request).payment?.method).toBe('card');
    expect(viewOf(byCard, { ...request, method: 'bank_transfer' }).payment?.method).toBe('bank_transfer');
  });

  it('names its own path, and the logo below it where there is one', () => {
    expect(viewOf(opened(), request)).toMatchObject({ path: '/pay/t', merchant: { logo: null } });
    expect(viewOf(opened({}, { hasLogo: true }), request).merchant.logo).toBe('/pay/t/logo');
  });
});
