/** The safety of the hosted pages over real HTTP: forms of strangers, values of the browser, markup of a merchant, leaks. */
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY_MS } from '../../core/values/time.ts';
import { type Application, SERVER_SECRET, startApplication } from '../../../test/support/harness/application.ts';
import { BANK_ACCOUNT, must } from '../../../test/support/harness/tenant-fixture.ts';
import type { Client, Json } from '../../../test/support/harness/http.ts';
import { Payer, pathOf, type Seen, tokenIn } from '../../../test/support/browser/payer.ts';
import { csrf } from './csrf.ts';
import { newToken } from '../payments/tokens.ts';

const EVIL = `"'></p></title><script>alert(1)</script><img src=x onerror=alert(1)>&lt;\``;
const POLICY =
  "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

let application: Application;
let client: Client;
let payer: Payer;
const logged: string[] = [];
/** Every token that a test has seen. */
const tokens = new Set<string>();

beforeAll(async () => {
  const log = pino({ level: 'trace' }, { write: (line: string) => void logged.push(line) });
  application = await startApplication({ log });
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
const link = async (body: object = {}, from = client) => {
  const made = must(await from.post('/v1/payment_links', { amount: 250, currency: 'EUR', ...body })).json;
  tokens.add(tokenIn(made['url'] as string));
  return made as unknown as Link;
};
const payments = async ({ id }: Link, from = client) =>
  must(await from.get(`/v1/payments?payment_link=${id}&order=asc`)).json['data'] as readonly Json[];
const started = async (body: object = {}) => {
  const made = await link(body);
  const page = await payer.start(made.url);
  tokens.add(tokenIn(page.path));
  return { made, page };
};
const csrfIn = (page: Seen) => page.forms[0]?.hidden['csrf'] as string;

describe('a form of another site starts nothing, and the page says so', () => {
  const begin = async (made: Link, fields: Record<string, string> | string, headers: Record<string, string> = {}) => {
    const answer = await payer.ask('POST', `/pay/${tokenIn(made.url)}`, { body: fields, headers });
    return { answer, begun: (await payments(made)).length };
  };
  const method = 'bank_transfer';
  const REFUSED = { status: 400, state: 'open', alert: expect.stringContaining('nothing was sent') };

  it('with its own token it does begin', async () => {
    const made = await link();
    const { answer, begun } = await begin(made, { csrf: csrfIn(await payer.open(made.url)), method });
    expect([answer.status, answer.headers.location, begun]).toEqual([303, pathOf(made.url), 1]);
  });

  it.each<[string, (made: Link) => Promise<string | undefined>]>([
    ['none', async () => undefined],
    ['an empty one', async () => ''],
    ['an invented one', async () => Buffer.alloc(32).toString('base64url')],
    ['that of another page', async () => csrfIn(await payer.open((await link()).url))],
    ['that of the day before yesterday', async ({ url }) => of(url, Date.now() - 2 * DAY_MS)],
    ['that of tomorrow', async ({ url }) => of(url, Date.now() + DAY_MS)],
    [
      'one of another server',
      async ({ url }) =>
        csrf({ current: SERVER_SECRET.toUpperCase(), previous: [] }).tokenFor(tokenIn(url), Date.now()),
    ],
    ['its own, cut', async ({ url }) => csrfIn(await payer.open(url)).slice(0, -1)],
    ['its own, with more', async ({ url }) => `${csrfIn(await payer.open(url))}A`],
    ['characters of many bytes', async ({ url }) => 'é'.repeat(csrfIn(await payer.open(url)).length / 2)],
  ])('%s', async (_, token) => {
    const made = await link();
    const given = await token(made);
    const { answer, begun } = await begin(made, { method, ...(given !== undefined && { csrf: given }) });
    expect(answer).toMatchObject(REFUSED);
    expect(begun).toBe(0);
    expect((await payer.press(answer, method)).state, 'the page that is shown then can be used').toBe('waiting');
  });
  const of = (url: string, atMs: number) => csrf({ current: SERVER_SECRET, previous: [] }).tokenFor(tokenIn(url), atMs);

  it('yesterday’s is still taken: a page may stay open over midnight', async () => {
    const made = await link();
    const { answer } = await begin(made, { method, csrf: of(made.url, Date.now() - DAY_MS) });
    expect(answer.status).toBe(303);
  });

  it.each([
    ['Sec-Fetch-Site: cross-site', { 'sec-fetch-site': 'cross-site' }],
    ['Sec-Fetch-Site: same-site', { 'sec-fetch-site': 'same-site' }],
    ['Origin of another site', { origin: 'https://evil.example' }],
  ])('%s', async (_, headers) => {
    const made = await link();
    const { answer, begun } = await begin(made, { csrf: csrfIn(await payer.open(made.url)), method }, headers);
    expect([answer, begun]).toEqual([expect.objectContaining(REFUSED), 0]);
  });

  it('fields sent twice, JSON, and bodies that are none', async () => {
    const made = await link();
    const token = csrfIn(await payer.open(made.url));
    const form = `csrf=${token}&method=bank_transfer`;
    for (const [body, headers] of [
      [`csrf=x&${form}`, {}],
      [form, { 'content-type': 'text/plain' }],
      [JSON.stringify({ csrf: token, method }), { 'content-type': 'application/json' }],
      [`${form}&%zz=1`, {}],
      ['', {}],
    ] as const) {
      const { answer, begun } = await begin(made, body, headers);
      expect([body, answer, begun]).toEqual([body, expect.objectContaining(REFUSED), 0]);
    }
  });

  it('nor does the bank report anything', async () => {
    const { made, page } = await started();
    const simulate = `${pathOf(made.url)}/simulate`;
    for (const [token, headers] of [
      ['', {}],
      [csrfIn(await payer.open((await link()).url)), {}],
      [csrfIn(page), { 'sec-fetch-site': 'cross-site' }],
    ] as const) {
      const answer = await payer.ask('POST', simulate, { body: { csrf: token, outcome: 'exact' }, headers });
      expect(answer).toMatchObject({ ...REFUSED, state: 'waiting' });
    }
    expect(await payments(made)).toMatchObject([{ status: 'pending', amount_received: 0 }]);
    expect((await payer.press(page, 'exact')).state).toBe('paid');
  });

  it('reading never begins anything', async () => {
    const made = await link();
    const query = `?method=bank_transfer&csrf=${csrfIn(await payer.open(made.url))}`;
    for (const verb of ['GET', 'HEAD']) expect((await payer.ask(verb, pathOf(made.url) + query)).status).toBe(200);
    expect(await payments(made)).toEqual([]);
  });
});

describe('values of the browser do not decide about money', () => {
  it('an amount, a currency, an account, a status of its own are passed over', async () => {
    const made = await link();
    const wishes = { amount: '0.01', currency: 'JPY', account: 'acct_x', status: 'succeeded', link: 'plink_x' };
    await payer.press(await payer.open(made.url), 'bank_transfer', wishes);
    expect(await payments(made)).toMatchObject([
      { amount: 250, currency: 'EUR', account: made.account, status: 'pending', amount_received: 0 },
    ]);
    const page = await payer.open(made.url);
    await payer.press(page, 'partial', { amount: '250.00' });
    expect(await payments(made)).toMatchObject([{ status: 'partially_paid', amount_received: 125 }]);
  });

  it('outcomes that the bank does not know, and a bank where nobody has begun: not found', async () => {
    const { made, page } = await started();
    const simulate = `${pathOf(made.url)}/simulate`;
    for (const outcome of ['', 'refund', 'EXACT', '__proto__'])
      expect((await payer.ask('POST', simulate, { body: { csrf: csrfIn(page), outcome } })).status).toBe(404);
    const open = await link();
    const early = { body: { csrf: csrfIn(await payer.open(open.url)), outcome: 'exact' } };
    expect((await payer.ask('POST', `${pathOf(open.url)}/simulate`, early)).status).toBe(404);
    expect(await payments(made)).toMatchObject([{ amount_received: 0 }]);
  });

  it('a live page has no bank to simulate, whatever is sent', async () => {
    const live = application.live.client;
    must(await live.post('/v1/bank_accounts', BANK_ACCOUNT));
    const made = await link({}, live);
    await payer.start(made.url);
    const token = csrf({ current: SERVER_SECRET, previous: [] }).tokenFor(tokenIn(made.url), Date.now());
    for (const outcome of ['exact', 'partial', 'twice', 'fail']) {
      const body = { csrf: token, outcome };
      expect((await payer.ask('POST', `${pathOf(made.url)}/simulate`, { body })).status).toBe(404);
    }
    expect(await payments(made, live)).toMatchObject([{ status: 'pending', amount_received: 0 }]);
    expect(must(await live.get(`/v1/accounts/${made.account}`)).json).toMatchObject({ balance: 0 });
  });

  it('a card is not offered, and not taken, where no acquirer is', async () => {
    const made = await link();
    const page = await payer.open(made.url);
    const answer = await payer.ask('POST', pathOf(made.url), { body: { csrf: csrfIn(page), method: 'card' } });
    expect([answer.status, answer.alert]).toEqual([400, expect.stringContaining('Card payments are not available')]);
    expect(await payments(made)).toEqual([]);
    expect((await payer.ask('POST', '/pay/notifications/stripe', { body: '{}' })).status).toBe(404);
  });
});

describe('text of a merchant stays text', () => {
  it.each(['en', 'de', 'fr', 'es'])('in every field, in every state (%s)', async (lang) => {
    const own = (await application.key({ merchant: `hostile ${lang}` })).client;
    const name = EVIL.slice(0, 70);
    must(await own.post('/v1/settings', { name }));
    must(await own.post('/v1/bank_accounts', { ...BANK_ACCOUNT, holder: name }));
    const redirect = { url: `https://shop.example.com/"><script>alert(1)</script>?a='onerror='#\`` };
    const texts = { description: EVIL, reference: EVIL, after_completion: { redirect, message: EVIL } };
    const made = await link({ ...texts, amount_type: 'open', amount: undefined }, own);
    const open = await payer.open(`${pathOf(made.url)}?lang=${lang}`);
    const refused = await payer.press(open, 'bank_transfer', { amount: EVIL });
    const waiting = await payer.press(open, 'bank_transfer', { amount: '9,99' });
    const partly = await payer.press(waiting, 'partial');
    const paid = await payer.press(partly, 'twice');
    for (const page of [open, refused, waiting, partly, paid]) {
      expect(page.html).not.toMatch(/<script>|<img|onerror=alert\(1\)>|<\/p><\/title>/);
      expect(page.html.match(/<script/g), 'only our own').toHaveLength(1);
      for (const text of [EVIL, name]) expect(page.words).toContain(text);
    }
    for (const page of [waiting, partly]) expect(page.words.split(name).length).toBeGreaterThan(3);
    expect(paid.html).toContain('href="https://shop.example.com/%22%3E%3Cscript%3Ealert(1)%3C/script%3E?a=%27onerror');
  });

  it('nothing is inline, no cookie is set, and nothing comes from elsewhere', async () => {
    const { page } = await started({ description: EVIL });
    expect(page.html).not.toMatch(/<style|\sstyle=|<[^>]*\son\w+=|javascript:/i);
    expect(page.headers).not.toHaveProperty('set-cookie');
    expect(page.html.match(/(?:src|href|action)="(?!\/pay\/|\?lang=)[^"]*"/g)).toBeNull();
    expect(page.html).not.toMatch(/type="(?:password|number|tel)"|autocomplete="cc-/);
  });
});

describe('pages that are not found', () => {
  it('tokens that open nothing and what is no token: one and the same page', async () => {
    const unknown = await payer.open(`/pay/${newToken()}`);
    expect([unknown.status, unknown.state, unknown.headers['content-type']]).toEqual([
      404,
      null,
      'text/html; charset=utf-8',
    ]);
    expect(unknown.words).toContain('There is no payment page here');
    const { made } = await started();
    const token = tokenIn(made.url);
    const odd = [
      token.slice(0, -1),
      `${token}A`,
      `${token}%00`,
      `%00${token.slice(1)}`,
      token.toLowerCase() === token ? token.toUpperCase() : token.toLowerCase(),
      `'; DROP TABLE payments --`.replaceAll(' ', '%20'),
      '%F0%9F%92%B8',
      'é'.repeat(24),
      'a'.repeat(400),
      '..%2f..%2fetc',
      'assets',
      made.id,
    ];
    for (const each of odd) {
      const path = encodeURI(decodeURIComponent(each)) === each ? each : encodeURI(each).replaceAll('%25', '%');
      const answer = await payer.open(`/pay/${path}`);
      expect([each, answer.status, answer.words]).toEqual([each, 404, unknown.words]);
    }
    for (const below of ['status', 'logo', 'return', 'nothing'])
      expect((await payer.open(`/pay/${newToken()}/${below}`)).status).toBe(404);
    for (const way of ['', '/simulate'])
      expect((await payer.ask('POST', `/pay/${newToken()}${way}`, { body: { csrf: 'x' } })).status).toBe(404);
    const german = await payer.open(`/pay/${newToken()}`, { 'accept-language': 'de' });
    expect(german.words).not.toBe(unknown.words);
  });

  it('what a reset has emptied', async () => {
    const own = (await application.key({ merchant: 'emptied' })).client;
    const [one, several] = [await link({}, own), await link({ reusable: true }, own)];
    const page = await payer.start(several.url);
    tokens.add(tokenIn(page.path));
    must(await own.post('/v1/test_helpers/reset'));
    expect((await payer.send(page, 'exact')).status).toBe(404);
    for (const path of [pathOf(one.url), pathOf(several.url), page.path])
      expect((await payer.open(path)).status).toBe(404);
  });
});

describe('headers', () => {
  it('a page of money is not framed, followed, kept or read by others', async () => {
    const { made, page } = await started();
    const headers = {
      'cache-control': 'no-store',
      'content-security-policy': POLICY,
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex, nofollow',
    };
    expect(page.headers).toMatchObject(headers);
    expect((await payer.open(`/pay/${newToken()}`)).headers).toMatchObject(headers);
    const sent = await payer.send(page, 'exact');
    expect([sent.status, sent.headers]).toEqual([303, expect.objectContaining(headers)]);
    const head = await payer.ask('HEAD', pathOf(made.url));
    expect([head.status, head.bytes.length, head.headers]).toEqual([200, 0, expect.objectContaining(headers)]);
    const length = Number(head.headers['content-length']);
    expect(length).toBe((await payer.open(made.url)).bytes.length);
    expect((await payer.ask('DELETE', pathOf(made.url))).status).toBe(405);
  });

  it('style and script are kept for ever under names that change with them', async () => {
    const { page } = await started();
    const names = [...page.html.matchAll(/(?:src|href)="(\/pay\/assets\/[^"]+)"/g)].map(([, path]) => path as string);
    expect(names).toHaveLength(3);
    for (const name of names) {
      const { status, headers, bytes } = await payer.open(name);
      expect([name, status, headers['cache-control']]).toEqual([name, 200, 'public, max-age=31536000, immutable']);
      expect(headers['content-type']).toMatch(/^(?:text\/css|text\/javascript|image\/svg\+xml)/);
      expect(bytes.length).toBeGreaterThan(100);
    }
    const wrong = ['page.css', 'accent-zzzzzz.css', 'accent-0a7c5.css', '__proto__', 'constructor', '..%2fview.ts'];
    for (const name of wrong) expect((await payer.open(`/pay/assets/${name}`)).status, name).toBe(404);
  });
});

it('no token has come into the log, and requests have', () => {
  const text = logged.join('');
  expect(text).toContain('/pay/:token');
  expect(tokens.size).toBeGreaterThan(20);
  for (const token of tokens) expect(text).not.toContain(token);
});
