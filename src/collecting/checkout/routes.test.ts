/** Pages of payment links over real HTTP: every state, reached as a payer reaches it. What must not work: `safety.test.ts`. */
import { uuidOf } from '../../core/values/ids.ts';
import { MAX_HELD_MINOR } from '../../core/values/money.ts';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { type Application, startApplication } from '../../../test/support/harness/application.ts';
import { BANK_ACCOUNT, idIn, must } from '../../../test/support/harness/tenant-fixture.ts';
import type { Client, Json } from '../../../test/support/harness/http.ts';
import { Payer, pathOf, type Seen } from '../../../test/support/browser/payer.ts';
import type { Language, PageState } from './html/view.ts';

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const JPEG = Buffer.from('ffd8ffe000104a46494600', 'hex');

/** A part of the headline in each state, written here independently of the code. */
const NAMES: Readonly<Record<PageState, Readonly<Record<Language, string>>>> = {
  open: { en: 'Your payment', de: 'Ihre Zahlung', fr: 'Votre paiement', es: 'Su pago' },
  waiting: { en: 'Please transfer', de: 'Bitte überweisen', fr: 'à virer', es: 'a transferir' },
  partially_paid: { en: 'Still to be paid', de: 'Noch zu zahlen', fr: 'Reste à payer', es: 'Queda por pagar' },
  paid: { en: 'Paid', de: 'Bezahlt', fr: 'Payé', es: 'Pagado' },
  failed: { en: 'failed', de: 'fehlgeschlagen', fr: 'échoué', es: 'fallado' },
  expired: { en: 'has expired', de: 'abgelaufen', fr: 'expiré', es: 'caducado' },
  canceled: { en: 'canceled', de: 'zurückgezogen', fr: 'annulé', es: 'anulado' },
  used_up: { en: 'used up', de: 'verbraucht', fr: 'épuisé', es: 'agotado' },
};

let application: Application;
let client: Client;
let payer: Payer;

beforeAll(async () => {
  application = await startApplication();
  client = application.sandbox.client;
  payer = new Payer(application.address);
});
afterAll(async () => {
  payer?.close();
  await application?.stop();
});

interface Link {
  readonly id: string;
  readonly url: string;
  readonly account: string;
}
const link = async (body: object = {}, from = client) =>
  must(await from.post('/v1/payment_links', { amount: 250, currency: 'EUR', ...body })).json as unknown as Link;
const open = (body: object = {}) => ({ amount: undefined, amount_type: 'open', ...body });
const retrieve = async ({ id }: Link, from = client) => must(await from.get(`/v1/payment_links/${id}`)).json;
const payments = async ({ id }: Link, from = client) =>
  must(await from.get(`/v1/payments?payment_link=${id}&order=asc`)).json['data'] as readonly Json[];
const pay = async ({ id }: Link, body: object = {}) =>
  must(await client.post(`/v1/test_helpers/payment_links/${id}/pay`, body)).json as Json & { id: string };
const deactivate = async ({ id }: Link) => must(await client.post(`/v1/payment_links/${id}/deactivate`));
const balance = async ({ account }: Link) => must(await client.get(`/v1/accounts/${account}`)).json['balance'];
const ownAccount = async (currency = 'EUR') => idIn(await client.post('/v1/accounts', { currency }));
const inFours = (payment: Json | undefined) =>
  (payment as { reference: string }).reference.replace(/(.{4})(?=.)/g, '$1 ');
const at = (page: Seen) => page.path.replace(/\?.*/, '');
const values = (page: Seen) => page.forms.flatMap(({ buttons }) => buttons.map(({ value }) => value));

test('a page in Swiss francs shows a Swiss QR code, one in euro an EPC code, and one in dollars none', async () => {
  const crosses = async (currency: string) => {
    await ownAccount(currency);
    const { html } = await payer.start((await link({ currency })).url);
    return [html.includes('class="qr"'), /<path fill="#000" d="M[^>]*><path fill="#fff"/.test(html)];
  };
  expect([await crosses('CHF'), await crosses('EUR'), await crosses('USD')]).toEqual([
    [true, true],
    [true, false],
    [false, false],
  ]);
});

/** The page of each state, reached by the requests that lead to it. */
const STATES: Readonly<Record<PageState, () => Promise<Seen>>> = {
  open: async () => payer.open((await link(open())).url),
  waiting: async () => payer.start((await link()).url),
  partially_paid: async () => payer.press(await STATES.waiting(), 'partial'),
  paid: async () => payer.press(await STATES.waiting(), 'exact'),
  failed: async () => payer.press(await STATES.waiting(), 'fail'),
  expired: async () => {
    const own = (await application.key({ merchant: 'late' })).client;
    const { url } = await link({ expires_at: Math.floor(Date.now() / 1000) + 3600 }, own);
    must(await own.post('/v1/test_helpers/clock/advance', { seconds: 7200 }));
    return payer.open(url);
  },
  canceled: async () => {
    const made = await link();
    await deactivate(made);
    return payer.open(made.url);
  },
  used_up: async () => {
    const made = await link({ reusable: true, max_payments: 1 });
    await pay(made);
    return payer.open(made.url);
  },
};

describe('every state is reached, and called by its name in every language', () => {
  test.each(Object.keys(STATES) as PageState[])('%s', async (state) => {
    const page = await STATES[state]();
    expect([page.status, page.state, page.alert]).toEqual([200, state, null]);
    for (const [language, name] of Object.entries(NAMES[state])) {
      const asked = await payer.open(`${at(page)}?lang=${language}`);
      const preferred = await payer.open(at(page), { 'accept-language': `xx, ${language}-CH;q=0.9, en;q=0.1` });
      for (const shown of [asked, preferred]) {
        expect([shown.state, shown.words]).toEqual([state, expect.stringContaining(name)]);
        expect(shown.html).toContain(`<html lang="${language}">`);
        expect(shown.headers['vary']).toBe('Accept-Language');
      }
    }
  });
});

describe('what a payer is shown and can do', () => {
  it('open: what for, how much, until when; nothing else yet', async () => {
    const made = await link({ description: 'Garden table', reference: 'Invoice 4711', expires_at: 4_000_000_000 });
    const page = await payer.open(made.url);
    expect(page.words).toContain('Garden table');
    expect(page.words).toContain('Invoice 4711');
    expect(page.words).toContain('€250.00');
    expect(page.words).toContain('2096');
    expect(values(page)).toEqual(['bank_transfer']);
    expect(page.words).not.toContain('IBAN');
    expect(await payments(made)).toEqual([]);
  });

  it('waiting: bank details, a reference of its own, a code for banking apps, the bank to be simulated', async () => {
    const made = await link();
    const page = await payer.start(made.url);
    const [payment] = await payments(made);
    expect(payment).toMatchObject({ status: 'pending', amount: 250, method: 'bank_transfer' });
    expect(page.words).toContain('DE89 3704 0044 0532 0130 00');
    expect(page.words).toContain(inFours(payment));
    expect(page.html).toMatch(/<figure class="card scan"><svg /);
    expect(values(page)).toEqual(['exact', 'partial', 'twice', 'fail']);
    expect(at(page), 'a link for one payment keeps its address').toBe(pathOf(made.url));
  });

  it('partly paid: the rest is asked for, and paid', async () => {
    const made = await link({ account: await ownAccount() });
    const part = await payer.press(await payer.start(made.url), 'partial');
    expect(part.words).toContain('€125.00 of €250.00 has arrived');
    const paid = await payer.press(part, 'exact');
    expect(paid.state).toBe('paid');
    expect(await balance(made)).toBe(25_000);
    expect(await payments(made)).toMatchObject([{ status: 'succeeded', amount_received: 250 }]);
    expect(await retrieve(made)).toMatchObject({ status: 'completed', payments_count: 1 });
  });

  it('paid: a receipt, the merchant’s words, and where to go on', async () => {
    const after = { redirect: { url: 'https://shop.example.com/thanks?a=1' }, message: 'See you soon' };
    const made = await link({ description: 'Garden table', after_completion: after });
    expect((await payer.open(made.url)).words).not.toContain('See you soon');
    const page = await payer.press(await payer.start(made.url), 'exact');
    for (const words of ['Garden table', 'See you soon', 'Continue to shop.example.com', 'Paid on'])
      expect(page.words).toContain(words);
    expect(page.html).toContain('href="https://shop.example.com/thanks?a=1" rel="noreferrer"');
    expect(page.words).not.toContain('IBAN');
  });

  it('paid too much: says how much is too much', async () => {
    const made = await link();
    await pay(made, { amount: '300.50' });
    const page = await payer.open(made.url);
    expect([page.state, page.words]).toEqual(['paid', expect.stringContaining('€50.50 more than the amount')]);
  });

  it('paid twice: what came on top is a payment of its own, until it is sent back', async () => {
    const made = await link({ account: await ownAccount() });
    const page = await payer.press(await payer.start(made.url), 'twice');
    expect([page.state, page.words]).toEqual(['paid', expect.stringContaining('another €250.00 arrived')]);
    const [once, twice] = await payments(made);
    expect([once, twice]).toMatchObject([{ status: 'succeeded' }, { status: 'succeeded', duplicate_of: once?.['id'] }]);
    expect(await balance(made)).toBe(50_000);
    const third = await payer.press(page, 'twice');
    expect(third.words).toContain('another €500.00 arrived');
    must(await client.post(`/v1/payments/${twice?.['id'] as string}/refund`));
    expect((await payer.open(made.url)).words).toContain('another €250.00 arrived');
  });

  it('refunded: says so', async () => {
    const made = await link();
    const { id } = await pay(made);
    must(await client.post(`/v1/payments/${id}/refund`, { amount: 100 }));
    expect((await payer.open(made.url)).words).toMatch(/Refunded €100\.00/);
    must(await client.post(`/v1/payments/${id}/refund`));
    const page = await payer.open(made.url);
    expect([page.state, page.words]).toEqual(['paid', expect.stringContaining('Refunded €250.00')]);
  });

  it('partly paid, and a part sent back: given up, and begun again with another reference', async () => {
    const made = await link();
    await payer.press(await payer.start(made.url), 'partial');
    const [first] = await payments(made);
    must(await client.post(`/v1/payments/${first?.['id'] as string}/refund`, { amount: 50 }));
    const failed = await payer.open(made.url);
    expect([failed.state, values(failed)]).toEqual(['failed', ['bank_transfer']]);
    expect(failed.words).toContain('about the money that was received');
    const again = await payer.press(failed, 'bank_transfer');
    const [, second] = await payments(made);
    expect([again.state, again.words]).toEqual(['waiting', expect.stringContaining(inFours(second))]);
    expect((await payer.press(again, 'exact')).state).toBe('paid');
    expect(await payments(made)).toMatchObject([{ status: 'partially_paid' }, { status: 'succeeded' }]);
  });

  it('expired by the clock of the sandbox: at once, though it was opened just now', async () => {
    const own = (await application.key({ merchant: 'clock' })).client;
    const { url } = await link({ expires_at: Math.floor(Date.now() / 1000) + 3600 }, own);
    for (let i = 0; i < 3; i++) expect((await payer.open(url)).state).toBe('open');
    must(await own.post('/v1/test_helpers/clock/advance', { seconds: 7200 }));
    expect((await payer.open(url)).state).toBe('expired');
  });

  it('failed: can be begun again, with another reference', async () => {
    const made = await link();
    const failed = await payer.press(await payer.start(made.url), 'fail');
    expect(values(failed)).toEqual(['bank_transfer']);
    const again = await payer.press(failed, 'bank_transfer');
    expect(again.state).toBe('waiting');
    const [first, second] = await payments(made);
    expect([first, second]).toMatchObject([{ status: 'failed', failure_code: 'declined' }, { status: 'pending' }]);
    expect(second?.['reference']).not.toBe(first?.['reference']);
    expect((await payer.press(again, 'exact')).state).toBe('paid');
  });

  it('canceled while a payer waits: what was begun is withdrawn, what comes is taken', async () => {
    const made = await link({ account: await ownAccount() });
    const waiting = await payer.start(made.url);
    await deactivate(made);
    expect(await payer.open(made.url)).toMatchObject({ state: 'canceled', forms: [] });
    expect((await payer.press(waiting, 'exact')).state).toBe('paid');
    expect(await balance(made)).toBe(25_000);
    expect(await retrieve(made)).toMatchObject({ status: 'completed' });
  });

  it('ended while the page was open: the form begins nothing, the page says what happened', async () => {
    const made = await link();
    const stale = await payer.open(made.url);
    await deactivate(made);
    const answer = await payer.press(stale, 'bank_transfer');
    expect([answer.status, answer.state, answer.alert]).toEqual([200, 'canceled', null]);
    const paid = await link();
    const late = await payer.open(paid.url);
    await pay(paid);
    const answers = await payer.press(late, 'bank_transfer');
    expect([answers.status, answers.state, answers.alert]).toEqual([
      400,
      'paid',
      expect.stringContaining('paid already'),
    ]);
    expect(await payments(paid)).toHaveLength(1);
    expect(await payments(made)).toEqual([]);
  });

  it('open amount: what the payer types, in the way of the language', async () => {
    const made = await link(open({ minimum_amount: 5, maximum_amount: 2000, reusable: true }));
    const page = await payer.open(made.url);
    expect(page.words).toContain('Between €5.00 and €2,000.00');
    for (const [typed, wrong] of [
      ['', 'not an amount'],
      ['abc', 'not an amount'],
      ['-5', 'not an amount'],
      ['1e3', 'not an amount'],
      ['12.505', 'not an amount'],
      ['0', 'too small'],
      ['4.99', 'too small'],
      ['2000.01', 'too large'],
      ['99999999999999', 'too large'],
    ] as const) {
      const refused = await payer.press(page, 'bank_transfer', { amount: typed });
      expect([typed, refused.status, refused.state, refused.alert]).toEqual([
        typed,
        400,
        'open',
        expect.stringContaining(wrong),
      ]);
    }
    expect(await payments(made)).toEqual([]);
    for (const [language, typed, minor] of [
      ['en', '1,234.50', 123_450],
      ['de', '1.234,50', 123_450],
      ['fr', '12,5', 1_250],
      ['es', '12.50', 1_250],
    ] as const) {
      const asking = await payer.open(`${pathOf(made.url)}?lang=${language}`);
      const waiting = await payer.press(asking, 'bank_transfer', { amount: typed });
      expect(waiting.path, 'the language stays').toMatch(new RegExp(`[?]lang=${language}$`));
      expect((await payments(made)).at(-1)).toMatchObject({ amount_minor: minor });
    }
  });

  it('a reusable link: every payer has a page of their own', async () => {
    const made = await link({ reusable: true, account: await ownAccount() });
    const [one, two] = [await payer.start(made.url), await payer.start(made.url)];
    expect(new Set([at(one), at(two), pathOf(made.url)]).size).toBe(3);
    expect((await payer.press(one, 'exact')).state).toBe('paid');
    expect((await payer.open(at(two))).state).toBe('waiting');
    expect((await payer.open(made.url)).state).toBe('open');
    expect((await payer.press(await payer.press(two, 'fail'), 'bank_transfer')).state, 'begun again').toBe('waiting');
    expect(await retrieve(made)).toMatchObject({ payments_count: 1, open_payments_count: 1 });
    expect(await balance(made)).toBe(25_000);
  });

  it('an open amount: a stranger who starts keeps nobody from choosing, and changes no page of another', async () => {
    const made = await link(open({ account: await ownAccount() }));
    const honest = await payer.start(made.url, 'bank_transfer', { amount: '100' });
    const stranger = await payer.start(made.url, 'bank_transfer', { amount: '0.01' });
    const asking = await payer.open(made.url);
    expect([asking.state, values(asking)]).toEqual(['open', ['bank_transfer']]);
    expect(asking.html).toContain('name="amount"');
    expect(new Set([at(honest), at(stranger), pathOf(made.url)]).size).toBe(3);
    const shown = await payer.open(honest.path);
    expect([shown.state, shown.words]).toEqual(['waiting', expect.stringContaining('€100.00')]);
    expect(shown.words).toContain(inFours((await payments(made))[0]));
    const other = await payer.press(asking, 'bank_transfer', { amount: '30' });
    expect([other.state, other.words]).toEqual(['waiting', expect.stringContaining('€30.00')]);
    expect(await retrieve(made)).toMatchObject({ open_payments_count: 1, payments_count: 0 });
    expect((await payer.press(shown, 'exact')).state).toBe('paid');
    expect((await payer.open(made.url)).words).toContain('€100.00');
    expect(await payer.open(other.path)).toMatchObject({ state: 'used_up', forms: [] });
    expect(await payments(made)).toMatchObject([
      { amount: 100, status: 'succeeded', amount_received: 100 },
      { amount: 0.01, status: 'failed', failure_code: 'canceled' },
      { amount: 30, status: 'pending' },
    ]);
    expect(await balance(made)).toBe(10_000);
  });

  it('an open amount of which a part has come: who starts late goes on with it', async () => {
    const made = await link(open());
    const stale = await payer.open(made.url);
    await payer.press(await payer.start(made.url, 'bank_transfer', { amount: '100' }), 'partial');
    const late = await payer.press(stale, 'bank_transfer', { amount: '0.01' });
    expect([late.state, at(late)]).toEqual(['partially_paid', pathOf(made.url)]);
    expect(await payments(made)).toMatchObject([{ amount: 100, amount_received: 50 }]);
  });

  it('who comes back to a link for one payment goes on with the same', async () => {
    const made = await link();
    const [first, second] = [await payer.open(made.url), await payer.open(made.url)];
    await payer.press(first, 'bank_transfer');
    expect((await payer.press(second, 'bank_transfer')).state).toBe('waiting');
    expect(await payments(made)).toHaveLength(1);
  });

  it.each([
    ['GBP', ['31926819', '60-16-13']],
    ['USD', ['000123456789', '110000000']],
    ['JPY', ['000123456789', '¥250']],
    ['KWD', ['250.000']],
  ])('%s: an account of the sandbox, and no code of SEPA', async (currency, shown) => {
    const page = await payer.start((await link({ currency })).url);
    for (const text of shown) expect(page.words).toContain(text);
    expect(page.html).not.toContain('class="card scan"');
  });

  it('money that no account could hold: nothing is booked, and the page says so', async () => {
    const full = await ownAccount();
    const most = { amount: '9999999999999.99' };
    await application.sql('UPDATE accounts SET balance = $2 WHERE id = $1', [uuidOf(full), MAX_HELD_MINOR]);
    const made = await link({ ...most, account: full });
    const before = await balance(made);
    const page = await payer.press(await payer.start(made.url), 'exact');
    expect([page.status, page.state, page.alert]).toEqual([400, 'waiting', expect.stringContaining('did not work')]);
    expect(await balance(made)).toBe(before);
  });
});

describe('what settings and bank accounts say', () => {
  it('name, colour, logo and account of the merchant', async () => {
    const own = (await application.key({ merchant: 'painted' })).client;
    const made = await link({}, own);
    const plain = await payer.open(made.url);
    expect(plain.words).toContain('painted');
    expect(plain.html).not.toContain('<img');
    const account = { holder: 'Rossum s.r.o.', country: 'FR', bank_details: { iban: 'FR1420041010050500013M02606' } };
    const look = { name: 'Rossum & Söhne', accent_color: '#0A7C53', logo: PNG.toString('base64') };
    must(await own.post('/v1/settings', look));
    must(await own.post('/v1/bank_accounts', { ...BANK_ACCOUNT, ...account }));
    const page = await payer.start(made.url);
    for (const words of ['Rossum & Söhne', 'Rossum s.r.o.', 'FR14 2004 1010 0505 0001 3M02 606'])
      expect(page.words).toContain(words);
    expect(page.html).toContain(`<img src="${pathOf(made.url)}/logo" alt="">`);
    const sheet = await payer.open('/pay/assets/accent-0a7c53.css');
    expect(page.html).toContain('/pay/assets/accent-0a7c53.css');
    expect([sheet.status, sheet.headers['content-type'], sheet.html]).toEqual([
      200,
      'text/css; charset=utf-8',
      expect.stringContaining('#0a7c53'),
    ]);
  });

  it('the logo, byte for byte, and only as a picture', async () => {
    const own = (await application.key({ merchant: 'pictured' })).client;
    const { url } = await link({}, own);
    const logo = `${pathOf(url)}/logo`;
    expect((await payer.open(logo)).status).toBe(404);
    for (const [picture, type] of [
      [PNG, 'image/png'],
      [JPEG, 'image/jpeg'],
    ] as const) {
      must(await own.post('/v1/settings', { logo: picture.toString('base64') }));
      const { status, headers, bytes } = await payer.open(logo);
      expect([status, headers['content-type'], headers['x-content-type-options']]).toEqual([200, type, 'nosniff']);
      expect(bytes).toEqual(picture);
    }
    must(await own.post('/v1/settings', { logo: '' }));
    expect((await payer.open(logo)).status).toBe(404);
  });

  it('a live page shows the bank account that collects, and has no bank to simulate', async () => {
    const live = application.live.client;
    const bank = idIn(await live.post('/v1/bank_accounts', { ...BANK_ACCOUNT, holder: 'Live GmbH' }));
    const made = await link({}, live);
    const page = await payer.start(made.url);
    expect([page.state, values(page)]).toEqual(['waiting', []]);
    expect(page.words).toContain('Live GmbH');
    expect(page.words).not.toContain('Test mode');
    must(await live.post(`/v1/bank_accounts/${bank}`, { uses: ['payouts'] }));
    expect((await payer.open(made.url)).words).toContain('bank details cannot be shown');
    expect((await payer.open((await link({}, client)).url)).words).toContain('Test mode');
  });
});
