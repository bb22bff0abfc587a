/**
 * Every state in every language: well formed, accessible in what markup decides, saying what it must, and with hostile text
 * the same structure as with harmless text.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exampleAmount } from './amounts.ts';
import { ASSETS } from './assets.ts';
import { renderFault, renderPage, WORDS } from './render.ts';
import { LANGUAGES, type Language, type NoticeCode, type PagePayment, type PageState, type PageView } from './view.ts';
import type { Fault } from './words-en.ts';
import {
  all,
  attribute,
  classed,
  type Node,
  plainText,
  read,
  shape,
  tags,
  textOf,
} from '../../../../test/support/browser/markup.ts';

// --- views

const NOW = Date.UTC(2026, 10, 21, 12);
const PAYMENT: PagePayment = {
  amount: 123_450n,
  received: 0n,
  refunded: 0n,
  status: 'pending',
  method: 'bank_transfer',
  rf: 'RF18539007547034',
  bank: {
    account_holder: 'Acme Handels GmbH',
    iban: 'DE89370400440532013000',
    bic: 'COBADEFFXXX',
    bank_name: 'Die Bank',
  },
  duplicates: 0n,
  paidAtMs: null,
};
const PAID: PagePayment = { ...PAYMENT, received: 123_450n, status: 'succeeded', paidAtMs: NOW - 1000 };
const VIEW: PageView = {
  language: 'en',
  path: '/pay/aB3dE6gH9jK2mN5pQ8sT1vW4',
  version: 'open',
  csrf: 'c5rf',
  livemode: true,
  nowMs: NOW,
  merchant: { name: 'Acme GmbH', logo: null, accent: null },
  company: { email: null, phone: null, address: null, legalUrl: null, privacyUrl: null },
  state: 'open',
  notice: null,
  typed: null,
  currency: 'EUR',
  amount: 123_450n,
  minimum: null,
  maximum: null,
  description: 'Sourdough for beginners',
  reference: 'Invoice 4711',
  expiresAtMs: NOW + 3_600_000,
  methods: { bankTransfer: true, card: true },
  payment: null,
  after: { redirectUrl: null, message: null },
};
const OPEN_AMOUNT = { amount: null, minimum: 500n, maximum: 50_000n } as const;
const CASES: Readonly<Record<string, Partial<PageView>>> = {
  open: {},
  'open in test mode': { livemode: false },
  'open amount': OPEN_AMOUNT,
  'open amount, wrong': { ...OPEN_AMOUNT, notice: 'amount_too_small' },
  'open without a way to pay': { methods: { bankTransfer: false, card: false } },
  waiting: { state: 'waiting', payment: PAYMENT },
  'waiting in test mode': { state: 'waiting', payment: PAYMENT, livemode: false },
  'waiting for a card': { state: 'waiting', payment: { ...PAYMENT, method: 'card' } },
  'waiting without bank details': { state: 'waiting', payment: { ...PAYMENT, bank: null } },
  'partly paid': {
    state: 'partially_paid',
    payment: { ...PAYMENT, received: 100_000n, status: 'partially_paid' },
    livemode: false,
  },
  paid: {
    state: 'paid',
    payment: PAID,
    after: { redirectUrl: 'https://shop.example/thanks?a=1&b=2', message: 'Thank\nyou' },
  },
  'paid too much in test mode': {
    state: 'paid',
    livemode: false,
    payment: { ...PAID, received: 133_450n, status: 'overpaid', duplicates: 777n },
  },
  refunded: { state: 'paid', payment: { ...PAID, refunded: 123_450n, status: 'refunded' } },
  failed: { state: 'failed', payment: { ...PAYMENT, status: 'failed' } },
  'failed, open amount': { ...OPEN_AMOUNT, state: 'failed', payment: { ...PAYMENT, status: 'failed' } },
  expired: { state: 'expired' },
  canceled: { state: 'canceled', payment: PAYMENT },
  'used up': { state: 'used_up', notice: 'already_paid' },
};
const page = (changes: Partial<PageView>, language: Language = 'en') =>
  read(renderPage({ ...VIEW, ...changes, language }));

/** What holds for every page, of payments and of faults. */
function expectSound(document: Node, language: Language): void {
  expect(tags(document, 'html').map((each) => attribute(each, 'lang'))).toEqual([language]);
  expect(tags(document, 'h1')).toHaveLength(1);
  expect(tags(document, 'main')).toHaveLength(1);
  expect(textOf(tags(document, 'title')[0]).trim()).not.toBe('');
  const ids = all(document, ({ attributes }) => attributes.has('id')).map((each) => attribute(each, 'id') as string);
  expect(new Set(ids).size).toBe(ids.length);
  for (const node of all(document, () => true)) {
    for (const name of node.attributes.keys()) expect(name).not.toMatch(/^(?:style$|on)/);
    for (const name of ['aria-labelledby', 'aria-describedby', 'for']) {
      for (const id of (attribute(node, name) ?? '').split(' ').filter(Boolean)) expect(ids).toContain(id);
    }
  }
  for (const script of tags(document, 'script')) expect([textOf(script), attribute(script, 'defer')]).toEqual(['', '']);
  expect(tags(document, 'style', 'iframe', 'base', 'object')).toEqual([]);
  for (const link of tags(document, 'link', 'script')) {
    const name =
      /^\/pay\/assets\/([a-z0-9.-]+)$/.exec(attribute(link, 'href') ?? attribute(link, 'src') ?? '')?.[1] ?? '';
    expect(ASSETS.has(name), name).toBe(true);
  }
  const visible = tags(document, 'input').filter((input) => attribute(input, 'type') !== 'hidden');
  const labels = tags(document, 'label').map((label) => attribute(label, 'for'));
  expect(visible.map((input) => attribute(input, 'id'))).toEqual(labels);
  const current = tags(document, 'a').filter((link) => attribute(link, 'aria-current') !== undefined);
  expect(current.map((link) => attribute(link, 'hreflang'))).toEqual([language]);
  expect(
    tags(document, 'nav')
      .flatMap((nav) => tags(nav, 'a'))
      .map((link) => attribute(link, 'lang')),
  ).toEqual([...LANGUAGES]);
}

describe.each(LANGUAGES)('in %s', (language) => {
  it.each(Object.entries(CASES))('%s is sound', (_name, changes) => {
    const document = page(changes, language);
    expectSound(document, language);
    const state = changes.state ?? 'open';
    expect(textOf(tags(document, 'title')[0])).toBe(`${WORDS[language].title[state]} · Acme GmbH`);
    for (const form of tags(document, 'form')) {
      expect(attribute(form, 'method')).toBe('post');
      expect(attribute(form, 'action')).toMatch(new RegExp(`^${VIEW.path}(?:/simulate)?\\?lang=${language}$`));
      const hidden = tags(form, 'input').filter((input) => attribute(input, 'name') === 'csrf');
      expect(hidden.map((input) => attribute(input, 'value'))).toEqual(['c5rf']);
      for (const button of tags(form, 'button')) {
        expect(['bank_transfer', 'card', 'exact', 'partial', 'twice', 'fail']).toContain(attribute(button, 'value'));
      }
    }
    for (const button of tags(document, 'button')) expect(textOf(button)).not.toBe('');
  });

  it.each(['not_found', 'too_many', 'unavailable'] as const)('the page for %s is sound', (fault: Fault) => {
    const document = read(renderFault(language, fault));
    expectSound(document, language);
    expect(textOf(tags(document, 'h1')[0])).toBe(WORDS[language].fault[fault].title);
    expect(tags(document, 'form', 'script')).toEqual([]);
  });

  it.each(['form_expired', 'already_paid', 'card_unavailable', 'try_again', 'amount_invalid'] as NoticeCode[])(
    'says %s as an alert, once',
    (notice) => {
      for (const changes of [{}, OPEN_AMOUNT, { state: 'waiting', payment: PAYMENT } as const]) {
        const alerts = all(page({ ...changes, notice }, language), (node) => attribute(node, 'role') === 'alert');
        const said = WORDS[language].notice[notice].replace('{}', exampleAmount('EUR', language));
        expect(alerts.map(textOf)).toEqual([said]);
      }
    },
  );
});

const rowsOf = (document: Node) =>
  new Map(
    tags(document, 'dl')
      .flatMap((list) => tags(list, 'div'))
      .map((row) => [textOf(tags(row, 'dt')[0]), plainText(tags(row, 'dd')[0])] as const),
  );
const values = (document: Node, name: string) =>
  tags(document, 'button')
    .filter((button) => attribute(button, 'name') === name)
    .map((button) => attribute(button, 'value'));
const headline = (changes: Partial<PageView>, language: Language = 'en') =>
  plainText(tags(page(changes, language), 'h1')[0]);

describe('open', () => {
  it('says what is to be paid, to whom, for what and until when', () => {
    const document = page({}, 'de');
    expect(headline({}, 'de')).toBe('Ihre Zahlung 1.234,50 €');
    expect(plainText(tags(document, 'header')[0])).toContain('Acme GmbH');
    expect(plainText(tags(document, 'main')[0])).toContain('Sourdough for beginners');
    expect(rowsOf(document).get('Betrifft')).toBe('Invoice 4711');
    expect(rowsOf(document).get('Gültig bis')).toBe('21. November 2026 um 13:00 UTC');
    expect(tags(document, 'time').map((each) => attribute(each, 'datetime'))).toEqual(['2026-11-21T13:00:00.000Z']);
    expect(tags(document, 'input').map((input) => attribute(input, 'name'))).toEqual(['csrf']);
  });

  it('offers the ways there are', () => {
    expect(values(page({}), 'method')).toEqual(['bank_transfer', 'card']);
    expect(values(page({ methods: { bankTransfer: true, card: false } }), 'method')).toEqual(['bank_transfer']);
    expect(values(page({ methods: { bankTransfer: false, card: true } }), 'method')).toEqual(['card']);
    const none = page({ methods: { bankTransfer: false, card: false } });
    expect([values(none, 'method'), tags(none, 'form')]).toEqual([[], []]);
    expect(textOf(tags(none, 'main')[0])).toContain('There is no way to pay here');
  });

  it('asks for an amount and says the bounds in words, tied to the field', () => {
    const field = (changes: Partial<PageView>) => {
      const document = page({ ...OPEN_AMOUNT, ...changes }, 'fr');
      const input = all(document, (node) => attribute(node, 'id') === 'amount')[0] as Node;
      const said = (attribute(input, 'aria-describedby') ?? '').split(' ').filter(Boolean);
      return { input, said: said.map((id) => plainText(all(document, (node) => attribute(node, 'id') === id)[0])) };
    };
    const { input, said } = field({});
    expect([attribute(input, 'inputmode'), attribute(input, 'name')]).toEqual(['decimal', 'amount']);
    expect(said).toEqual(['Entre 5,00 € et 500,00 €.']);
    expect(field({ maximum: null }).said).toEqual(['Au moins 5,00 €.']);
    expect(field({ minimum: null }).said).toEqual(['Au plus 500,00 €.']);
    expect(field({ minimum: null, maximum: null }).said).toEqual([]);
    const wrong = field({ notice: 'amount_too_large' });
    expect(wrong.said).toEqual(['Ce montant est trop élevé.', 'Entre 5,00 € et 500,00 €.']);
    expect([attribute(wrong.input, 'aria-invalid'), attribute(input, 'aria-invalid')]).toEqual(['true', undefined]);
  });
});

describe('waiting', () => {
  it('has everything a transfer needs, in groups of four to read and without blanks to copy', () => {
    const document = page(CASES['waiting'] as Partial<PageView>);
    const rows = rowsOf(document);
    expect([...rows].slice(2).map(([label, value]) => [label, value.replace(/Copy$/, '')])).toEqual([
      ['Account holder', 'Acme Handels GmbH'],
      ['IBAN', 'DE89 3704 0044 0532 0130 00'],
      ['BIC', 'COBADEFFXXX'],
      ['Bank', 'Die Bank'],
      ['Amount', '€1,234.50'],
      ['Payment reference', 'RF18 5390 0754 7034'],
    ]);
    const copied = all(document, ({ attributes }) => attributes.has('data-copy'));
    expect(copied.map((button) => attribute(button, 'data-copy'))).toEqual([
      'Acme Handels GmbH',
      'DE89370400440532013000',
      'COBADEFFXXX',
      'Die Bank',
      '1234.50',
      'RF18539007547034',
    ]);
    for (const button of copied)
      expect([attribute(button, 'type'), attribute(button, 'hidden')]).toEqual(['button', '']);
    expect(headline(CASES['waiting'] as Partial<PageView>)).toBe('Please transfer €1,234.50');
  });

  it('has a QR code for EUR and nothing else, with a text for whom does not see it', () => {
    const codes = (changes: Partial<PageView>) => classed(page({ ...CASES['waiting'], ...changes }), 'qr');
    expect(codes({}).map((svg) => [attribute(svg, 'role'), attribute(svg, 'aria-label')])).toEqual([
      ['img', WORDS.en.qr],
    ]);
    expect(codes({ currency: 'CHF' })).toEqual([]);
    expect(codes({ payment: { ...PAYMENT, bank: { account_holder: 'Acme', account_number: '31926819' } } })).toEqual(
      [],
    );
  });

  it.each([
    ['sort_code', '601613', '60-16-13'],
    ['bsb', '062000', '062-000'],
    ['account_number', '31926819', '31926819'],
    ['routing_number', '110000000', '110000000'],
    ['ifsc', 'HDFC0004051', 'HDFC0004051'],
    ['clabe', '032180000118359719', '032180000118359719'],
  ] as const)('shows a %s', (field, value, shown) => {
    const bank = { account_holder: 'Acme Ltd', [field]: value };
    const document = page({ ...CASES['waiting'], payment: { ...PAYMENT, bank } });
    expect(rowsOf(document).get(WORDS.en.bankFields[field])).toBe(`${shown}Copy`);
  });

  it('for a card has no bank details, and ways on', () => {
    const document = page(CASES['waiting for a card'] as Partial<PageView>);
    expect(textOf(tags(document, 'main')[0])).not.toMatch(/IBAN|RF18/);
    expect(classed(document, 'qr')).toEqual([]);
    expect(headline(CASES['waiting for a card'] as Partial<PageView>)).toBe(
      'Your card payment is being confirmed €1,234.50',
    );
    expect(values(document, 'method')).toEqual(['card', 'bank_transfer']);
  });

  it('lets a payer choose the other way, with the amount already chosen', () => {
    const amounts = (changes: Partial<PageView>) =>
      tags(page({ ...CASES['waiting'], ...changes }, 'de'), 'input')
        .filter((input) => attribute(input, 'name') === 'amount')
        .map((input) => attribute(input, 'value'));
    expect(amounts({})).toEqual([]);
    expect(amounts(OPEN_AMOUNT)).toEqual(['1234,50']);
    expect(values(page({ ...CASES['waiting'] }), 'method')).toEqual(['card']);
    expect(values(page({ ...CASES['waiting'], methods: { bankTransfer: true, card: false } }), 'method')).toEqual([]);
  });

  it('keeps showing bank details to who chose them, in other languages too', () => {
    const links = (changes: Partial<PageView>) =>
      tags(page(changes), 'a')
        .map((link) => attribute(link, 'href'))
        .filter((href) => href?.includes('?lang='))
        .slice(0, 2);
    expect(links(CASES['waiting'] as Partial<PageView>)).toEqual([
      `${VIEW.path}?lang=en&method=bank_transfer`,
      `${VIEW.path}?lang=en&method=bank_transfer`,
    ]);
    expect(links(CASES['waiting for a card'] as Partial<PageView>)).toEqual([
      `${VIEW.path}?lang=en`,
      `${VIEW.path}?lang=en`,
    ]);
  });
});

describe('partly paid', () => {
  const changes = CASES['partly paid'] as Partial<PageView>;
  it('asks for the rest only, in words, figures and code', () => {
    const document = page(changes);
    expect(headline(changes)).toBe('Still to be paid €234.50');
    expect(plainText(tags(document, 'main')[0])).toContain('€1,000.00 of €1,234.50 has arrived.');
    expect(rowsOf(document).get('Amount')).toBe('€234.50Copy');
    expect(values(document, 'method')).toEqual([]);
    const code = (each: Partial<PageView>) => attribute(classed(page(each), 'qr')[0]?.children[1] as Node, 'd');
    const whole = { ...PAYMENT, amount: 23_450n };
    expect(code(changes)).toBe(code({ state: 'waiting', payment: whole }));
    expect(code(changes)).not.toBe(code({ state: 'waiting', payment: PAYMENT }));
  });
});

describe('the company', () => {
  const known = {
    email: 'billing@acme.example',
    phone: '+49 (30) 901820',
    address: {
      line1: 'Invalidenstraße 43',
      line2: null,
      postal_code: '10115',
      city: 'Berlin',
      state: null,
      country: 'DE',
    },
    legalUrl: 'https://acme.example/legal',
    privacyUrl: 'https://acme.example/privacy?a="',
  };
  const shown = (company: PageView['company'], language: Language = 'en') => {
    const [section] = classed(page({ company }, language), 'company');
    return section && [textOf(section), ...tags(section, 'a').map((link) => attribute(link, 'href'))];
  };
  it('stands below the page as an envelope has it, with its links', () => {
    expect(shown(known, 'de')).toEqual([
      expect.stringMatching(/Acme GmbH\s*Invalidenstraße 43\s*10115 Berlin\s*Deutschland.*Impressum.*Datenschutz/s),
      'mailto:billing@acme.example',
      'tel:+4930901820',
      'https://acme.example/legal',
      'https://acme.example/privacy?a=%22',
    ]);
    const address = {
      ...known.address,
      line2: 'Suite 5',
      postal_code: '94103',
      city: 'San Francisco',
      state: 'CA',
      country: 'US',
    };
    expect(shown({ ...known, address })?.[0]).toMatch(/Suite 5\s*San Francisco CA 94103\s*United States/);
  });
  it('is silent where the settings are, and leads to no address that runs', () => {
    expect(shown(VIEW.company)).toBeUndefined();
    const bad = { ...known, legalUrl: 'javascript:alert(1)', privacyUrl: 'data:text/html,x' };
    expect(shown(bad)?.slice(1)).toEqual(['mailto:billing@acme.example', 'tel:+4930901820']);
    const mail = { ...known, email: '"a?bcc=x"@acme.example' };
    expect(shown(mail)?.[1]).toBe('mailto:%22a%3Fbcc%3Dx%22@acme.example');
  });
});

describe('one way to pay', () => {
  it('asks no question', () => {
    const headings = (methods: PageView['methods']) => tags(page({ methods }), 'h2').map(textOf);
    expect(headings({ bankTransfer: true, card: true })).toEqual(['How would you like to pay?']);
    expect(headings({ bankTransfer: true, card: false })).toEqual([]);
    expect(values(page({ methods: { bankTransfer: true, card: false } }), 'method')).toEqual(['bank_transfer']);
  });
});

describe('a refused amount', () => {
  it('stays in its field, as text', () => {
    const field = (typed: string | null) =>
      tags(page({ ...OPEN_AMOUNT, notice: 'amount_invalid', typed }), 'input')
        .filter((input) => attribute(input, 'name') === 'amount')
        .map((input) => attribute(input, 'value'));
    expect(field('12,5O"><b>')).toEqual(['12,5O"><b>']);
    expect(field(null)).toEqual([undefined]);
  });

  it.each([
    ['EUR', 'This is not an amount. Please enter digits, such as 12.50.', 'decimal'],
    ['JPY', 'This is not an amount. Please enter digits, such as 1250.', 'numeric'],
  ])('is asked for again with the decimals of the currency: %s', (currency, said, keys) => {
    const document = page({ ...OPEN_AMOUNT, currency, notice: 'amount_invalid', typed: '12.5.0' });
    const [field] = tags(document, 'input').filter((input) => attribute(input, 'name') === 'amount');
    expect(attribute(field!, 'inputmode')).toBe(keys);
    expect(all(document, (node) => attribute(node, 'role') === 'alert').map(textOf)).toEqual([said]);
  });
});

describe('paid', () => {
  it('is a receipt', () => {
    const document = page(CASES['paid'] as Partial<PageView>, 'es');
    expect([...rowsOf(document)]).toEqual([
      ['Pagado a', 'Acme GmbH'],
      ['Concepto', 'Invoice 4711'],
      ['Fecha de pago', '21 de noviembre de 2026 a las 11:59 UTC'],
      ['Forma de pago', 'Transferencia'],
      ['Referencia del pago', 'RF18 5390 0754 7034'],
    ]);
    expect(tags(document, 'h2').map(textOf)).toEqual(['Recibo']);
    expect(headline(CASES['paid'] as Partial<PageView>, 'es')).toBe('Pagado 1234,50 €');
    expect(tags(document, 'form')).toEqual([]);
    expect(textOf(tags(document, 'main')[0])).toContain('Thank\nyou');
  });

  it('leads on to the merchant, naming the host, and never to something that runs', () => {
    const link = (redirectUrl: string) => {
      const main = tags(
        page({ state: 'paid', payment: PAID, after: { redirectUrl, message: null } }),
        'main',
      )[0] as Node;
      const node = tags(main, 'a').find((each) => attribute(each, 'download') === undefined);
      return node && [attribute(node, 'href'), textOf(node)];
    };
    expect(link('https://shop.example/thanks?a=1&b="')).toEqual([
      'https://shop.example/thanks?a=1&b=%22',
      'Continue to shop.example',
    ]);
    expect(link('https://shop.example@evil.example/')).toEqual([
      'https://shop.example@evil.example/',
      'Continue to evil.example',
    ]);
    for (const url of ['javascript:alert(1)', 'data:text/html,x', '/local', 'not a url'])
      expect(link(url)).toBeUndefined();
  });

  it('says what came on top, and what was given back', () => {
    const text = plainText(tags(page(CASES['paid too much in test mode'] as Partial<PageView>), 'main')[0]);
    expect(text).toContain('€100.00 more than the amount was received.');
    expect(text).toContain('another €7.77 arrived');
    expect(headline(CASES['refunded'] as Partial<PageView>)).toBe('Refunded €1,234.50');
    const partly = page({ state: 'paid', payment: { ...PAID, refunded: 1_000n } });
    expect(rowsOf(partly).get('Refunded')).toBe('€10.00');
    const exact = plainText(tags(page(CASES['paid'] as Partial<PageView>), 'main')[0]);
    expect(exact).not.toMatch(/more than|another|Refunded|Received/);
  });
});

describe('what has ended', () => {
  it.each([
    ['expired', 'This payment link has expired', 'ask Acme GmbH for a new one'],
    ['canceled', 'This payment link was canceled', 'Acme GmbH has withdrawn it'],
    ['used_up', 'This payment link has been used up', 'send no money for it. If you have sent some already'],
  ] as const)('%s says so and takes nothing', (state, title, text) => {
    const document = page({ state, livemode: false, payment: PAYMENT });
    expect(textOf(tags(document, 'h1')[0])).toBe(title);
    expect(plainText(tags(document, 'main')[0])).toContain(text);
    expect(tags(document, 'form')).toEqual([]);
    expect(textOf(tags(document, 'main')[0])).not.toMatch(/IBAN|RF18/);
    expect(rowsOf(document).get('Amount')).toBe('€1,234.50');
  });

  it('a failed payment may be begun again', () => {
    expect(values(page(CASES['failed'] as Partial<PageView>), 'method')).toEqual(['bank_transfer', 'card']);
    expect(tags(page(CASES['failed, open amount'] as Partial<PageView>), 'label')).toHaveLength(1);
    expect(tags(page({ ...CASES['failed'], methods: { bankTransfer: false, card: false } }), 'form')).toEqual([]);
  });
});

describe('the sandbox', () => {
  const outcomes = (changes: Partial<PageView>) => values(page(changes), 'outcome');
  const all4 = ['exact', 'partial', 'twice', 'fail'];
  it('has a panel where a bank would report something, and a badge', () => {
    expect(outcomes(CASES['waiting in test mode'] as Partial<PageView>)).toEqual(all4);
    expect(outcomes(CASES['partly paid'] as Partial<PageView>)).toEqual(all4.slice(0, 3)); // what came cannot fail
    expect(outcomes(CASES['paid too much in test mode'] as Partial<PageView>)).toEqual(['twice']);
    for (const state of ['open', 'failed', 'expired', 'canceled', 'used_up'] as PageState[]) {
      const document = page({ state, livemode: false, payment: PAYMENT });
      expect(values(document, 'outcome'), state).toEqual([]);
      expect(textOf(classed(document, 'badge')[0])).toBe('Test mode');
    }
  });

  it('live has neither', () => {
    for (const [name, changes] of Object.entries(CASES)) {
      const document = page({ ...changes, livemode: true });
      expect([values(document, 'outcome'), classed(document, 'badge'), classed(document, 'test')], name).toEqual([
        [],
        [],
        [],
      ]);
    }
  });
});

describe('the live status', () => {
  it('is listened to where something may still come', () => {
    const live = (changes: Partial<PageView>) => attribute(tags(page(changes), 'body')[0] as Node, 'data-live');
    expect(live({ version: 'a b&c' })).toBe(`${VIEW.path}/status?version=a%20b%26c`);
    expect(live(CASES['waiting'] as Partial<PageView>)).not.toBe('');
    expect(live(CASES['partly paid'] as Partial<PageView>)).not.toBe('');
    expect(live(CASES['paid too much in test mode'] as Partial<PageView>)).not.toBe('');
    for (const state of ['paid', 'failed', 'expired', 'canceled', 'used_up'] as const) {
      expect(live({ state, payment: PAID }), state).toBe('');
    }
  });
});

describe('hostile text', () => {
  const texts = (text: string): Partial<PageView> => ({
    merchant: { name: text, logo: null, accent: null },
    description: text,
    reference: text,
    csrf: text,
    version: 'x',
    after: { redirectUrl: null, message: text },
  });
  const bank = (text: string) => ({
    account_holder: text,
    iban: `DE89${text}`,
    bic: text,
    bank_name: text,
    sort_code: text,
  });
  const hostile = fc.oneof(
    fc.constantFrom(
      '</script><script>alert(1)</script>',
      '"><img src=x onerror=alert(1)>',
      '\u202e</title>',
      "' onx='",
      '<!--',
      '&lt;',
      '$&',
    ),
    fc.string({ unit: fc.constantFrom(...'<>"\'`&;#/=-! \n\u0000\u202eax0'), minLength: 1, maxLength: 40 }),
  );

  it('changes nothing but text, in every state', () => {
    fc.assert(
      fc.property(
        hostile,
        fc.constantFrom(...Object.keys(CASES)),
        fc.constantFrom(...LANGUAGES),
        (text, name, language) => {
          const changes = CASES[name] as Partial<PageView>;
          const pageWith = (words: string) => {
            const payment = changes.payment && {
              ...changes.payment,
              ...(changes.payment.bank && { bank: bank(words) }),
            };
            // A currency without a QR code: its picture would differ, as it should.
            return page(
              { ...changes, ...texts(words), ...(payment !== undefined && { payment }), currency: 'CHF' },
              language,
            );
          };
          const document = pageWith(text);
          expect(shape(document)).toBe(shape(pageWith('harmless')));
          const shown = text.replace(/\u0000/g, '\ufffd');
          expect(tags(document, 'bdi').filter((each) => textOf(each) === shown).length).toBeGreaterThanOrEqual(3);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('links no colour that is none, and shows a logo by its address only', () => {
    const document = page({ merchant: { name: 'Acme', logo: '/pay/x/logo"onerror="', accent: '#fff"><script>' } });
    expect(tags(document, 'link').map((link) => attribute(link, 'rel'))).toEqual(['icon', 'stylesheet']);
    expect(tags(document, 'img').map((img) => [...img.attributes])).toEqual([
      [
        ['src', '/pay/x/logo"onerror="'],
        ['alt', ''],
      ],
    ]);
    const accent = tags(page({ merchant: { name: 'Acme', logo: null, accent: '#0F766E' } }), 'link').at(-1) as Node;
    expect(attribute(accent, 'href')).toBe('/pay/assets/accent-0f766e.css');
  });
});
