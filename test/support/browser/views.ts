/**
 * What a payment page can show, as views: every state with what matters in it, hostile and overlong text among them. Next:
 * `test/long/small/pages.test.ts`, which looks at them in a browser.
 */
import type { PagePayment, PageView } from '../../../src/collecting/checkout/html/view.ts';

const NOW = Date.UTC(2026, 10, 21, 12);
const BANK = {
  account_holder: 'Café Zoë & Söhne GmbH',
  iban: 'DE89370400440532013000',
  bic: 'COBADEFFXXX',
  bank_name: 'Commerzbank',
};
const PAYMENT: PagePayment = {
  amount: 123_450n,
  received: 0n,
  refunded: 0n,
  status: 'pending',
  method: 'bank_transfer',
  rf: 'RF18539007547034',
  bank: BANK,
  duplicates: 0n,
  paidAtMs: null,
};
const PAID: PagePayment = { ...PAYMENT, received: 123_450n, status: 'succeeded', paidAtMs: NOW - 1000 };

const ADDRESS = {
  line1: 'Invalidenstraße 43',
  line2: null,
  postal_code: '10115',
  city: 'Berlin',
  state: null,
  country: 'DE',
};
const VIEW: Omit<PageView, 'path' | 'language'> = {
  version: 'one',
  csrf: 'proof-of-the-form',
  livemode: true,
  nowMs: NOW,
  merchant: { name: 'Café Zoë', logo: '/pay/logo.svg', accent: '#0b6e4f' },
  company: {
    email: 'hello@zoe.example',
    phone: '+49 30 901820',
    address: ADDRESS,
    legalUrl: 'https://zoe.example/legal',
    privacyUrl: 'https://zoe.example/privacy',
  },
  state: 'open',
  notice: null,
  typed: null,
  currency: 'EUR',
  amount: 123_450n,
  minimum: null,
  maximum: null,
  description: 'Sourdough for beginners, two days',
  reference: 'Invoice 4711',
  expiresAtMs: NOW + 3_600_000,
  methods: { bankTransfer: true, card: true },
  payment: null,
  after: { redirectUrl: null, message: null },
};

const LONG = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft';
const RIGHT_TO_LEFT = 'مقهى زوي (حيفا) Ltd.';
const HOSTILE = `<script>document.title='taken'</script><img src=x onerror=alert(1)>"'\u202Egnp.exe`;

/** By name, as `/pay/<name>`. */
export const VIEWS = {
  open: {},
  'open-amount': { amount: null, minimum: 500n, maximum: 50_000n },
  'open-amount-refused': { amount: null, minimum: 500n, maximum: 50_000n, notice: 'amount_too_small', typed: '4,99' },
  'open-notice': { notice: 'form_expired', merchant: { ...VIEW.merchant, accent: '#ffe600' } },
  waiting: { state: 'waiting', payment: PAYMENT },
  'waiting-sandbox': {
    state: 'waiting',
    payment: PAYMENT,
    livemode: false,
    methods: { bankTransfer: true, card: false },
  },
  'waiting-other-currency': {
    state: 'waiting',
    currency: 'USD',
    merchant: { name: 'Night Shift', logo: null, accent: '#000000' },
    payment: {
      ...PAYMENT,
      bank: { account_holder: 'Night Shift Inc.', routing_number: '021000021', account_number: '000123456789' },
    },
  },
  'waiting-card': { state: 'waiting', payment: { ...PAYMENT, method: 'card' } },
  'partly-paid': {
    state: 'partially_paid',
    livemode: false,
    payment: { ...PAYMENT, received: 23_450n, status: 'partially_paid' },
  },
  paid: {
    state: 'paid',
    payment: PAID,
    after: { redirectUrl: 'https://shop.example/thanks', message: 'Thank you. Bring an apron.' },
  },
  'paid-too-much': {
    state: 'paid',
    livemode: false,
    payment: { ...PAID, received: 130_000n, status: 'overpaid', duplicates: 123_450n },
  },
  failed: { state: 'failed', payment: { ...PAYMENT, status: 'failed' } },
  expired: { state: 'expired' },
  canceled: { state: 'canceled' },
  'used-up': { state: 'used_up', merchant: { name: 'Pastel', logo: null, accent: '#f5d5e0' } },
  long: {
    state: 'waiting',
    livemode: false,
    currency: 'IDR',
    merchant: { name: LONG, logo: '/pay/logo.svg', accent: '#808080' },
    company: {
      email: `${LONG}@${LONG}.example`,
      phone: '+49 30 901820 901820 901820 901820',
      address: { line1: LONG, line2: LONG, postal_code: '10115', city: LONG, state: null, country: 'DE' },
      legalUrl: `https://${LONG}.example`,
      privacyUrl: null,
    },
    description: `${LONG} ${LONG}\n${LONG}`,
    reference: LONG,
    payment: { ...PAYMENT, amount: 99_999_999_999_999n, bank: { ...BANK, account_holder: LONG, bank_name: LONG } },
  },
  'no-decimals': {
    currency: 'JPY',
    amount: null,
    minimum: 500n,
    maximum: 1_234_567n,
    notice: 'amount_invalid',
    typed: '12.50',
    methods: { bankTransfer: true, card: false },
  },
  'three-decimals': {
    state: 'partially_paid',
    currency: 'KWD',
    payment: {
      ...PAYMENT,
      amount: 1_234_567n,
      received: 234_067n,
      status: 'partially_paid',
      bank: { account_holder: 'Café Zoë W.L.L.', iban: 'KW81CBKU0000000000001234560101', bic: 'CBKUKWKWXXX' },
    },
    methods: { bankTransfer: true, card: false },
  },
  'right-to-left': {
    state: 'waiting',
    merchant: { name: RIGHT_TO_LEFT, logo: null, accent: '#1d4ed8' },
    company: { ...VIEW.company, address: { ...ADDRESS, line1: 'רחוב הרצל 12', city: 'חיפה' } },
    description: RIGHT_TO_LEFT,
    reference: 'חשבונית 4711 (2026)',
    payment: { ...PAYMENT, bank: { ...BANK, account_holder: RIGHT_TO_LEFT } },
    methods: { bankTransfer: true, card: false },
  },
  hostile: {
    state: 'waiting',
    merchant: { name: HOSTILE, logo: null, accent: '#ff0000' },
    company: {
      email: `${HOSTILE}@x.example`,
      phone: HOSTILE,
      address: { line1: HOSTILE, line2: HOSTILE, postal_code: HOSTILE, city: HOSTILE, state: HOSTILE, country: 'US' },
      legalUrl: 'javascript:alert(1)',
      privacyUrl: 'data:text/html,<script>alert(1)</script>',
    },
    description: HOSTILE,
    reference: HOSTILE,
    payment: { ...PAYMENT, bank: { ...BANK, account_holder: HOSTILE, bank_name: HOSTILE } },
  },
} as const satisfies Readonly<Record<string, Partial<PageView>>>;

export type ViewName = keyof typeof VIEWS;

export function viewNamed(name: ViewName, language: PageView['language']): PageView {
  return { ...VIEW, ...VIEWS[name], path: `/pay/${name}`, language };
}

/** What the code of `waiting` says to a banking app: EPC069-12, version 002. Written by hand, line by line. */
export const EPC_OF_WAITING = [
  'BCD',
  '002',
  '1',
  'SCT',
  'COBADEFFXXX',
  'Café Zoë & Söhne GmbH',
  'DE89370400440532013000',
  'EUR1234.50',
  '',
  'RF18539007547034',
].join('\n');
