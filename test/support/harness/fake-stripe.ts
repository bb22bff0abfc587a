/**
 * A Stripe for tests: a real HTTP server on loopback with the two calls that Bursar makes, as strict about them as Stripe,
 * the page a payer is sent to, and signed notifications. It can be told to misbehave. No part of it may be shared with
 * the connector it tests, or both could be wrong together. Source: docs.stripe.com/api (checkout sessions, errors,
 * idempotent requests), /webhooks/signature, /currencies.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Fields = Record<string, unknown>;

export interface FakeSession extends Fields {
  id: string;
  amount_total: number;
  currency: string;
  client_reference_id: string | null;
  expires_at: number;
  livemode: boolean;
  metadata: Record<string, string>;
  payment_status: string;
  status: string;
  url: string | null;
}

/** `server_error` is kept under the key, as Stripe does; the others never reach the session. */
export type Misbehaviour =
  | 'none'
  | 'server_error'
  | 'hang'
  | 'stall'
  | 'garbage'
  | 'html'
  | 'huge'
  | 'reset'
  | 'redirect';

export interface FakeRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Notification {
  readonly body: string;
  readonly signature: string;
}

export interface FakeStripe {
  readonly url: string;
  readonly sessions: ReadonlyMap<string, FakeSession>;
  /** Calls of the API in order; visits of the page are not among them. */
  readonly requests: FakeRequest[];
  misbehaviour: Misbehaviour;
  /** Milliseconds that a new session takes to make. */
  delayMs: number;
  /** Where notifications of what happens on the page and below go; `null`: nowhere. */
  notifyUrl: string | null;
  /** The payer pays; `later`: with a method that takes days, of which {@link settle} tells. */
  pay(id: string, options?: { readonly later?: boolean; readonly name?: string | null }): Promise<void>;
  settle(id: string, isPaid: boolean): Promise<void>;
  expire(id: string): Promise<void>;
  /** An event with the session as it is now, the given members of either replaced. */
  event(type: string, id: string, changes?: Fields, ofSession?: Fields): string;
  sign(body: string, options?: { readonly secret?: string; readonly atSeconds?: number }): Notification;
  /** Sends it to `notifyUrl` and gives the status of the answer. */
  send(notification: Notification): Promise<number>;
  stop(): Promise<void>;
}

export interface FakeStripeOptions {
  readonly secretKey: string;
  readonly webhookSecret: string;
  readonly now?: () => number;
}

const NO_DECIMALS = 'bif clp djf gnf jpy kmf krw mga pyg rwf ugx vnd vuv xaf xof xpf'.split(' ');
const ENDING: Readonly<Record<string, number>> = { isk: 100, ugx: 100, bhd: 10, jod: 10, kwd: 10, omr: 10, tnd: 10 };
const LOCALES = ['auto', 'en', 'de', 'fr', 'es'];
/** Every parameter that this fake knows; Stripe has more, but Bursar sends no others. */
const PARAMETERS = [
  /^mode$/,
  /^line_items\[0\]\[quantity\]$/,
  /^line_items\[0\]\[price_data\]\[(?:currency|unit_amount|product_data\]\[name)\]$/,
  /^adaptive_pricing\[enabled\]$/,
  /^client_reference_id$/,
  /^(?:payment_intent_data\[metadata\]|metadata)\[[^\]]{1,40}\]$/,
  /^(?:customer_email|locale|success_url|cancel_url|expires_at)$/,
];

class Refusal extends Error {
  readonly status: number;
  readonly error: Fields;
  constructor(status: number, message: string, error: Fields = {}) {
    super(message);
    this.status = status;
    this.error = { message, type: 'invalid_request_error', ...error };
  }
}

export async function startFakeStripe(options: FakeStripeOptions): Promise<FakeStripe> {
  const { secretKey, webhookSecret, now = Date.now } = options;
  const livemode = secretKey.includes('_live_');
  const sessions = new Map<string, FakeSession>();
  const kept = new Map<string, { readonly body: string; answer: { status: number; json: string } | null }>();
  const requests: FakeRequest[] = [];

  const answer = (response: ServerResponse, status: number, json: string, headers: Record<string, string> = {}) => {
    const own = { 'content-type': 'application/json', 'request-id': `req_${randomBytes(7).toString('hex')}` };
    // Any server may send these first.
    response.writeContinue();
    response.writeEarlyHints({ link: '</v1>; rel=preconnect' });
    response.writeHead(status, { ...own, ...headers }).end(json);
  };

  const current = (id: string): FakeSession => {
    const session = sessions.get(id);
    if (!session)
      throw new Refusal(404, `No such checkout.session: ${id}`, { code: 'resource_missing', param: 'session' });
    if (session.status === 'open' && session.expires_at * 1000 <= now()) ended(session);
    return session;
  };

  const create = (form: URLSearchParams): FakeSession => {
    const order = readOrder(form, livemode, now());
    const id = `cs_${livemode ? 'live' : 'test'}_${randomBytes(29).toString('hex')}`;
    const session: FakeSession = {
      id,
      object: 'checkout.session',
      adaptive_pricing: { enabled: form.get('adaptive_pricing[enabled]') !== 'false' },
      allow_promotion_codes: null,
      amount_subtotal: order.amount,
      amount_total: order.amount,
      automatic_tax: { enabled: false, liability: null, provider: null, status: null },
      cancel_url: form.get('cancel_url'),
      client_reference_id: form.get('client_reference_id'),
      created: Math.floor(now() / 1000),
      currency: order.currency,
      customer: null,
      customer_details: null,
      customer_email: form.get('customer_email'),
      expires_at: order.expiresAt,
      livemode,
      locale: form.get('locale'),
      metadata: membersOf(form, 'metadata'),
      mode: 'payment',
      payment_intent: null,
      payment_method_types: ['card'],
      payment_status: 'unpaid',
      status: 'open',
      success_url: form.get('success_url'),
      ui_mode: 'hosted_page',
      url: `${fake.url}/c/pay/${id}#fidkdWxOYHwnPyd1blpxYHZxWjA0`,
    };
    sessions.set(id, session);
    return session;
  };

  const post = async ({ headers, body }: FakeRequest, response: ServerResponse) => {
    const key = headers['idempotency-key'];
    if (typeof key === 'string') {
      if (key.length > 255) throw new Refusal(400, 'Idempotency keys are at most 255 characters.');
      const known = kept.get(key);
      if (known && known.body !== body)
        throw new Refusal(400, `Keys can only be used with the same parameters: ${key}`, { type: 'idempotency_error' });
      if (known && known.answer === null)
        throw new Refusal(409, 'Another request with this key is in progress.', {
          type: 'idempotency_error',
          code: 'idempotency_key_in_use',
        });
      if (known?.answer)
        return answer(response, known.answer.status, known.answer.json, { 'idempotent-replayed': 'true' });
      kept.set(key, { body, answer: null });
    }
    try {
      if (fake.delayMs > 0) await new Promise((resolve) => setTimeout(resolve, fake.delayMs));
      const broken = fake.misbehaviour === 'server_error';
      const json = broken
        ? JSON.stringify({ error: { message: 'An unknown error occurred', type: 'api_error' } })
        : JSON.stringify(create(new URLSearchParams(body)));
      const done = { status: broken ? 500 : 200, json };
      if (typeof key === 'string') kept.set(key, { body, answer: done });
      answer(response, done.status, done.json);
    } catch (error) {
      // What fails in validation is not kept.
      if (typeof key === 'string') kept.delete(key);
      throw error;
    }
  };

  const call = async (request: FakeRequest, response: ServerResponse) => {
    authorize(request.headers.authorization, secretKey);
    if (!/^\d{4}-\d\d-\d\d(?:\.[a-z]+)?$/.test(String(request.headers['stripe-version'])))
      throw new Refusal(400, 'Invalid Stripe API version.');
    const id = /^\/v1\/checkout\/sessions\/([^/?]+)$/.exec(request.path)?.[1];
    if (request.method === 'GET' && id !== undefined) {
      if (fake.misbehaviour === 'server_error')
        throw new Refusal(500, 'An unknown error occurred', { type: 'api_error' });
      return answer(response, 200, JSON.stringify(current(decodeURIComponent(id))));
    }
    if (request.method !== 'POST' || request.path !== '/v1/checkout/sessions')
      throw new Refusal(404, `Unrecognized request URL (${request.method}: ${request.path}).`);
    if (request.headers['content-type'] !== 'application/x-www-form-urlencoded')
      throw new Refusal(400, 'Invalid request: send a form.');
    return post(request, response);
  };

  const page = async (path: string, response: ServerResponse) => {
    const [, id = '', action] = /^\/c\/pay\/(\w+)(?:\/(\w+))?$/.exec(path) ?? [];
    const session = current(id);
    if (session.status !== 'open') return html(response, 'This session is over', '<p>You can close this page.</p>');
    if (action === 'pay' || action === 'later') {
      await fake.pay(id, { later: action === 'later' });
      return response.writeHead(303, { location: String(session['success_url']) }).end();
    }
    if (action === 'cancel') return response.writeHead(303, { location: String(session['cancel_url']) }).end();
    const link = (name: string, words: string) => `<li><a id="${name}" href="/c/pay/${id}/${name}">${words}</a></li>`;
    const declined = action === 'decline' ? '<p role="alert">Your card was declined.</p>' : '';
    const due = `<p id="due">${session.amount_total} ${session.currency}</p>`;
    const links = `${link('pay', 'Pay')}${link('later', 'Pay by debit')}${link('decline', 'Decline')}${link('cancel', 'Cancel')}`;
    return html(response, 'A test of Stripe', `${declined}${due}<ul>${links}</ul>`);
  };

  const serve = async (request: FakeRequest, response: ServerResponse) => {
    try {
      if (!request.path.startsWith('/v1/')) return await page(request.path, response);
      requests.push(request);
      if (!misbehaves(fake.misbehaviour, response)) await call(request, response);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      answer(response, error.status, JSON.stringify({ error: error.error }));
    }
  };

  const server = createServer((incoming, response) => {
    void read(incoming).then(
      (request) => serve(request, response),
      () => incoming.destroy(), // who asked has gone
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  const change = async (id: string, type: string, changes: Partial<FakeSession>) => {
    const session = current(id);
    Object.assign(session, changes);
    if (session.status !== 'open') session.url = null;
    if (fake.notifyUrl !== null) await fake.send(fake.sign(fake.event(type, id)));
  };

  const fake: FakeStripe = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sessions,
    requests,
    misbehaviour: 'none',
    delayMs: 0,
    notifyUrl: null,
    pay(id, { later = false, name = 'Ada Payer' } = {}) {
      if (current(id).status !== 'open') throw new Error('this session takes no payment');
      return change(id, 'checkout.session.completed', {
        status: 'complete',
        payment_status: later ? 'unpaid' : 'paid',
        payment_intent: `pi_${randomBytes(12).toString('hex')}`,
        customer_details: { address: null, email: 'ada@example.com', name, phone: null },
      });
    },
    settle(id, isPaid) {
      const type = `checkout.session.async_payment_${isPaid ? 'succeeded' : 'failed'}`;
      return change(id, type, { payment_status: isPaid ? 'paid' : 'unpaid' });
    },
    expire: (id) => change(id, 'checkout.session.expired', { status: 'expired' }),
    event(type, id, changes = {}, ofSession = {}) {
      const event = {
        id: `evt_${randomBytes(12).toString('hex')}`,
        object: 'event',
        api_version: '2026-10-28.endive',
        created: Math.floor(now() / 1000),
        data: { object: { ...current(id), ...ofSession } },
        livemode,
        pending_webhooks: 1,
        request: { id: null, idempotency_key: null },
        type,
      };
      return JSON.stringify({ ...event, ...changes }, null, 2);
    },
    sign(body, { secret = webhookSecret, atSeconds = Math.floor(now() / 1000) } = {}) {
      const v1 = createHmac('sha256', secret).update(`${atSeconds}.${body}`).digest('hex');
      return { body, signature: `t=${atSeconds},v1=${v1},v0=${'0'.repeat(64)}` };
    },
    async send({ body, signature }) {
      if (fake.notifyUrl === null) throw new Error('nobody is notified');
      const headers = { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': signature };
      return (await fetch(fake.notifyUrl, { method: 'POST', headers, body })).status;
    },
    stop() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  return fake;
}

function ended(session: FakeSession): void {
  session.status = 'expired';
  session.url = null;
}

async function read(incoming: IncomingMessage): Promise<FakeRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk);
  const { method = '', url: path = '', headers } = incoming;
  return { method, path, headers, body: Buffer.concat(chunks).toString() };
}

function html(response: ServerResponse, title: string, body: string): void {
  response
    .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
    .end(`<!doctype html><html lang="en"><title>${title}</title><h1>${title}</h1>${body}</html>`);
}

/** Like Stripe, it repeats a part of the key: whoever logs its sentences logs that. Here it is all of it. */
function authorize(given: string | undefined, secretKey: string): void {
  if (given === undefined) throw new Refusal(401, 'You did not provide an API key.');
  const basic = `Basic ${Buffer.from(`${secretKey}:`).toString('base64')}`;
  if (given !== `Bearer ${secretKey}` && given !== basic) throw new Refusal(401, `Invalid API Key provided: ${given}`);
}

function readOrder(form: URLSearchParams, livemode: boolean, nowMs: number) {
  for (const name of form.keys()) {
    if (!PARAMETERS.some((known) => known.test(name)))
      throw new Refusal(400, `Received unknown parameter: ${name}`, { code: 'parameter_unknown', param: name });
    if (form.getAll(name).length > 1) throw invalid(name, 'was sent twice');
  }
  if (need(form, 'mode') !== 'payment') throw invalid('mode', 'is payment here');
  if (need(form, 'line_items[0][quantity]') !== '1') throw invalid('line_items[0][quantity]', 'is 1 here');
  need(form, 'line_items[0][price_data][product_data][name]');
  const currency = need(form, 'line_items[0][price_data][currency]');
  if (!/^[a-z]{3}$/.test(currency)) throw invalid('line_items[0][price_data][currency]', 'is no currency');
  const unit = 'line_items[0][price_data][unit_amount]';
  const text = need(form, unit);
  if (!/^\d+$/.test(text)) throw invalid(unit, 'is no whole number', 'parameter_invalid_integer');
  const amount = Number(text);
  if (amount > 999_999_999_999) throw invalid(unit, 'is too large', 'amount_too_large');
  if (amount < (NO_DECIMALS.includes(currency) ? 1 : 50)) throw invalid(unit, 'is too small', 'amount_too_small');
  if (amount % (ENDING[currency] ?? 1) !== 0) throw invalid(unit, `is not divisible by ${ENDING[currency]}`);
  for (const name of ['success_url', 'cancel_url']) {
    if (!URL.canParse(need(form, name))) throw invalid(name, 'is no address', 'url_invalid');
    if (livemode && !form.get(name)?.startsWith('https:')) throw invalid(name, 'must be https in live mode');
  }
  const email = form.get('customer_email');
  if (email !== null && !/^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(email))
    throw invalid('customer_email', `is no address: ${email}`, 'email_invalid');
  if (!LOCALES.includes(form.get('locale') ?? 'auto')) throw invalid('locale', 'is not known');
  if ((form.get('client_reference_id') ?? '').length > 200) throw invalid('client_reference_id', 'is too long');
  for (const [name, value] of form)
    if (value.length > 500 && name.includes('metadata')) throw invalid(name, 'is too long');
  return { amount, currency, expiresAt: expiry(form.get('expires_at'), nowMs) };
}

function expiry(text: string | null, nowMs: number): number {
  const nowSeconds = nowMs / 1000;
  if (text === null) return Math.floor(nowSeconds) + 86_400;
  const least = nowSeconds + 30 * 60;
  if (!/^\d+$/.test(text) || Number(text) < least || Number(text) > nowSeconds + 86_400)
    throw invalid('expires_at', 'must be 30 minutes to 24 hours from creation');
  return Number(text);
}

function membersOf(form: URLSearchParams, object: string): Record<string, string> {
  const named = [...form].filter(([name]) => name.startsWith(`${object}[`));
  return Object.fromEntries(named.map(([name, value]) => [name.slice(object.length + 1, -1), value]));
}

function need(form: URLSearchParams, param: string): string {
  const value = form.get(param);
  if (value) return value;
  throw new Refusal(400, `Missing required param: ${param}.`, { code: 'parameter_missing', param });
}

function invalid(param: string, what: string, code?: string): Refusal {
  return new Refusal(400, `${param} ${what}.`, { param, ...(code !== undefined && { code }) });
}

function misbehaves(how: Misbehaviour, response: ServerResponse): boolean {
  const json = { 'content-type': 'application/json' };
  if (how === 'none' || how === 'server_error') return false;
  if (how === 'stall') response.writeHead(200, json).write('{"id":');
  if (how === 'garbage') response.writeHead(200, json).end('{"id": "cs_test_1", ');
  if (how === 'html') response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>');
  if (how === 'huge') response.writeHead(200, json).end(`{"id":"${'a'.repeat(300_000)}"}`);
  if (how === 'reset') response.socket?.resetAndDestroy();
  if (how === 'redirect') response.writeHead(307, { ...json, location: '/v1/elsewhere' }).end('{}');
  return true;
}
