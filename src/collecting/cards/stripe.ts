/**
 * Cards through Stripe Checkout, over plain HTTPS. Must never see a card number, or let a key into an error. What
 * Stripe says is a fact only if amount, currency and metadata of the session fit what was ordered
 * (docs/decisions/0015). Next: `stripe-api.ts`, `stripe-amounts.ts`.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { Tree } from '../../platform/http/request/param.ts';
import { type Acquirer, AcquirerError, type CardFact, type CardOrder, NotificationRefused } from './acquirer.ts';
import { isStripeCurrency, toStripe } from './stripe-amounts.ts';
import { parseUrl } from '../../core/values/url.ts';
import { flag, inTime, member, parsed, safeUrl, StripeApi, text, whole, word } from './stripe-api.ts';

const TIMEOUT_MS = 10_000;
/** Stripe takes 30 minutes to 24 hours from when it gets the order: clocks differ, and requests take time. */
const MINUTE_MS = 60_000;
const SHORTEST_MS = 31 * MINUTE_MS;
const LONGEST_MS = (24 * 60 - 5) * MINUTE_MS;
/** Ends of our own making are rounded up to this, wished ones to the minute: an order repeated soon is the same to Stripe. */
const ROUNDED_MS = 10 * MINUTE_MS;
/** Sessions of one order that ended unpaid. A key is forgotten after a day or so, and a session lasts half an hour or more. */
const SESSIONS_PER_ORDER = 8;
const SIGNATURE_TOLERANCE_SECONDS = 300;
const SIGNATURE_HEADER_MAX_CHARACTERS = 4096;
/** Enough to know what one pays for; how long a name of a product may be, Stripe does not document. */
const DESCRIPTION_MAX_CHARACTERS = 250;
const PAYER_NAME_MAX_CHARACTERS = 140;
const SESSION_ID = /^cs_[A-Za-z0-9_]{1,250}$/;

export interface StripeOptions {
  /** `sk_…` or a restricted `rk_…` that may write Checkout Sessions; its second word decides between live and sandbox. */
  readonly secretKey: string;
  /** `whsec_…` of the endpoint that Stripe notifies. */
  readonly webhookSecret: string;
  /** https, or http on this machine. Pages of a server of one's own are on its host. */
  readonly apiUrl?: string;
  readonly now?: () => number;
  /** For one call of ours, however many it makes of Stripe. */
  readonly timeoutMs?: number;
}

/** Throws if the key is none of Stripe's secret keys or the address is not safe for it; the message does not show it. */
export function createStripe(options: StripeOptions): Acquirer {
  const { secretKey, webhookSecret, apiUrl = 'https://api.stripe.com' } = options;
  const { now = Date.now, timeoutMs = TIMEOUT_MS } = options;
  const mode = /^[sr]k_(live|test)_\w+$/.exec(secretKey)?.[1];
  if (mode === undefined)
    throw new Error('The key of Stripe is no secret key: it begins with sk_ or rk_, live or test.');
  if (!/^whsec_\S+$/.test(webhookSecret)) throw new Error('The signing secret of Stripe begins with whsec_.');
  const livemode = mode === 'live';
  const { origin, host } = safeUrl(apiUrl);
  const hosts = [host === 'api.stripe.com' ? 'checkout.stripe.com' : host];
  const api = new StripeApi(origin, secretKey, timeoutMs);

  const retrieve = async (id: string, signal: AbortSignal) => {
    if (!SESSION_ID.test(id)) throw new AcquirerError('What was asked for is no id of a Checkout Session.');
    const session = sessionOf((await api.get(`/v1/checkout/sessions/${id}`, signal)).body, livemode);
    if (session.id !== id) throw new AcquirerError(`Asked for session ${id}, Stripe answered another.`);
    return session;
  };
  const sendable = (url: string | null): string => {
    const page = url === null ? null : parseUrl(url);
    const isSafe = page?.protocol === 'https:' || page?.origin === origin;
    if (page && isSafe && hosts.includes(page.host)) return page.href;
    const where = word(page?.host ?? '') ?? 'nowhere';
    throw new AcquirerError(`Stripe named a page on ${where}; it should be on ${hosts.join(' or ')}.`);
  };
  const ordered = async (order: CardOrder, signal: AbortSignal): Promise<{ id: string; url: string }> => {
    const form = orderForm(order, now());
    const base = `${order.paymentId}-${order.amount}-${createHash('sha256').update(form).digest('hex').slice(0, 16)}`;
    let key = base;
    for (let sessions = 0; sessions < SESSIONS_PER_ORDER; sessions++) {
      const answer = await api.post('/v1/checkout/sessions', form, key, signal);
      if (answer.status >= 400) {
        // Stripe keeps its own faults for a day as well: a repeated fault is asked for again under a new key, once a minute.
        const anew = `${base}-${Math.floor(now() / MINUTE_MS)}`;
        if (answer.replayed && key !== anew) {
          key = anew;
          continue;
        }
        // A merchant's slip in the address must not keep a payer from paying: Stripe then asks for one.
        if (order.customerEmail !== null && answer.parameter === 'customer_email')
          return ordered({ ...order, customerEmail: null }, signal);
        throw answer.fault();
      }
      const first = sessionOf(answer.body, livemode);
      // What is repeated was so then; the session may have ended since.
      const session = answer.replayed ? await retrieve(first.id, signal) : first;
      if (
        session.paymentId !== order.paymentId ||
        session.amount !== order.amount ||
        session.currency !== order.currency
      )
        throw new AcquirerError(`Session ${session.id} is not the one that was ordered.`);
      if (session.status === 'open') return { id: session.id, url: sendable(session.url) };
      if (session.status === 'complete') return { id: session.id, url: order.returnUrl };
      key = `${base}-${session.id.slice(-24)}`;
    }
    throw new AcquirerError(`Stripe opened no session for ${order.paymentId} after ${SESSIONS_PER_ORDER} others.`);
  };

  return {
    name: 'stripe',
    hosts,
    serves: (live) => live === livemode,
    supports: (currency, amount) =>
      amount === undefined ? isStripeCurrency(currency) : toStripe(amount, currency) !== null,
    createSession(order) {
      return inTime(timeoutMs, async (signal) => {
        if (order.livemode !== livemode) throw new AcquirerError('The key of Stripe is for the other mode.');
        return ordered(order, signal);
      });
    },
    session: (id) =>
      inTime(timeoutMs, async (signal) => {
        const session = await retrieve(id, signal);
        return factOf(session, session.status === 'open' ? sendable(session.url) : null);
      }),
    notification(rawBody, header, nowMs) {
      verify(webhookSecret, rawBody, header('stripe-signature'), nowMs);
      const event = parsed(rawBody.toString());
      const type = text(event, 'type');
      const outcome = OUTCOMES.get(type);
      if (outcome === undefined || flag(event, 'livemode') !== livemode) return null;
      const tree = member(member(event, 'data'), 'object');
      if (!isOurs(tree)) return null;
      const session = sessionOf(tree, livemode);
      const { status, paymentStatus } = session;
      if (outcome.status !== status || (outcome.payment !== undefined && outcome.payment !== paymentStatus))
        throw new AcquirerError(`${type} came with session ${session.id}, which says otherwise.`);
      if (type === 'checkout.session.async_payment_failed') return failed(session, 'declined');
      return factOf(session, null);
    },
    close: () => api.close(),
  };
}

/** The notifications that say something of a payment, and how the session in them must look. */
const OUTCOMES: ReadonlyMap<string | null, { readonly status: string; readonly payment?: string }> = new Map([
  // `unpaid` here: a payment that takes days, of which one of the next two will tell.
  ['checkout.session.completed', { status: 'complete' }],
  ['checkout.session.async_payment_succeeded', { status: 'complete', payment: 'paid' }],
  ['checkout.session.async_payment_failed', { status: 'complete', payment: 'unpaid' }],
  ['checkout.session.expired', { status: 'expired', payment: 'unpaid' }],
]);

/** The form of `POST /v1/checkout/sessions`. Money and names only from the order, nothing that Stripe could change at the till. */
function orderForm(order: CardOrder, nowMs: number): string {
  const amount = toStripe(order.amount, order.currency);
  if (amount === null)
    throw new AcquirerError(`Stripe does not take ${order.amount} minor units of ${order.currency}.`);
  const { paymentId, environmentId, customerEmail } = order;
  const expiresAtSeconds = expiry(order.expiresAtMs, nowMs);
  return new URLSearchParams({
    mode: 'payment',
    'line_items[0][quantity]': '1',
    'line_items[0][price_data][currency]': order.currency.toLowerCase(),
    'line_items[0][price_data][unit_amount]': String(amount),
    'line_items[0][price_data][product_data][name]': cut(order.description, DESCRIPTION_MAX_CHARACTERS) || paymentId,
    // Stripe's own exchange would take another currency and amount than the page showed.
    'adaptive_pricing[enabled]': 'false',
    client_reference_id: paymentId,
    'metadata[payment]': paymentId,
    'metadata[environment]': environmentId,
    'metadata[amount]': String(order.amount),
    'metadata[currency]': order.currency,
    'payment_intent_data[metadata][payment]': paymentId,
    'payment_intent_data[metadata][environment]': environmentId,
    locale: order.language,
    success_url: order.returnUrl,
    cancel_url: order.cancelUrl,
    ...(customerEmail !== null && { customer_email: customerEmail }),
    ...(expiresAtSeconds !== null && { expires_at: String(expiresAtSeconds) }),
  }).toString();
}

/** Unix seconds within what Stripe takes; `null` leaves it at its own 24 hours. */
function expiry(wantedMs: number | null, nowMs: number): number | null {
  if (wantedMs === null || wantedMs - nowMs > LONGEST_MS) return null;
  const minutes =
    wantedMs - nowMs >= SHORTEST_MS
      ? Math.round(wantedMs / MINUTE_MS)
      : Math.ceil((nowMs + SHORTEST_MS) / ROUNDED_MS) * (ROUNDED_MS / MINUTE_MS);
  return minutes * 60;
}

/** Control characters as blanks, and at most so many characters. */
function cut(words: string, most: number): string {
  const plain = words.replace(/\p{Cc}+/gu, ' ').trim();
  return plain.length <= most ? plain : [...plain].slice(0, most).join('');
}

/** Other shops may have sessions of their own on the same account. */
function isOurs(tree: Tree): boolean {
  const metadata = member(tree, 'metadata');
  return text(metadata, 'payment') !== null && text(metadata, 'environment') !== null;
}

type Session = Readonly<ReturnType<typeof sessionOf>>;

/** The session in an answer. Throws unless what it says of money and payment is what was ordered, by its metadata. */
function sessionOf(tree: Tree, livemode: boolean) {
  const id = text(tree, 'id');
  const status = text(tree, 'status');
  const metadata = member(tree, 'metadata');
  const ordered = text(metadata, 'amount');
  const currency = text(metadata, 'currency');
  const paymentId = text(metadata, 'payment');
  const environmentId = text(metadata, 'environment');
  if (text(tree, 'object') !== 'checkout.session' || id === null || !SESSION_ID.test(id))
    throw new AcquirerError('Stripe sent something else than a Checkout Session.');
  if (status !== 'open' && status !== 'complete' && status !== 'expired')
    throw new AcquirerError(`Session ${id} has no status that is known.`);
  const isComplete = paymentId !== null && environmentId !== null && currency !== null;
  if (!isComplete || ordered === null || !/^\d{1,15}$/.test(ordered))
    throw new AcquirerError(`Session ${id} does not say what was ordered.`);
  const amount = BigInt(ordered);
  const total = whole(tree, 'amount_total');
  const misfit = (what: string) => new AcquirerError(`Session ${id} does not fit its order: ${what}.`);
  if (flag(tree, 'livemode') !== livemode) throw misfit('it is of the other mode');
  if (text(tree, 'client_reference_id') !== paymentId) throw misfit('it names two payments');
  if (text(tree, 'currency') !== currency.toLowerCase()) throw misfit('another currency');
  if (total === null || total !== toStripe(amount, currency)) throw misfit('another amount');
  const paymentStatus = text(tree, 'payment_status');
  const payerName = cut(text(member(tree, 'customer_details'), 'name') ?? '', PAYER_NAME_MAX_CHARACTERS) || null;
  return { id, status, paymentStatus, url: text(tree, 'url'), payerName, paymentId, environmentId, amount, currency };
}

function factOf(session: Session, url: string | null): CardFact {
  const { id: sessionId, status, paymentStatus, paymentId, environmentId, amount, currency, payerName } = session;
  if (status === 'open') return { kind: 'open', sessionId, url };
  if (status === 'expired') return failed(session, 'expired');
  if (paymentStatus === 'paid')
    return { kind: 'paid', sessionId, paymentId, environmentId, amount, currency, payerName };
  if (paymentStatus === 'unpaid') return { kind: 'open', sessionId, url: null };
  throw new AcquirerError(`Session ${sessionId} is complete, but not known to be paid or unpaid.`);
}

function failed({ id: sessionId, paymentId, environmentId }: Session, reason: 'expired' | 'declined'): CardFact {
  return { kind: 'failed', sessionId, paymentId, environmentId, reason };
}

/** Throws {@link NotificationRefused} unless one `v1` of `t=…,v1=…[,v1=…]` signs these bytes, and did so just now. */
function verify(secret: string, rawBody: Buffer, header: string | undefined, nowMs: number): void {
  if (header === undefined) throw new NotificationRefused('There is no Stripe-Signature.');
  if (header.length > SIGNATURE_HEADER_MAX_CHARACTERS) throw new NotificationRefused('Stripe-Signature is too long.');
  const parts = header.split(',').map((part) => part.trim());
  const valuesOf = (scheme: string) =>
    parts.filter((part) => part.startsWith(`${scheme}=`)).map((part) => part.slice(scheme.length + 1));
  const [seconds, ...more] = valuesOf('t');
  if (seconds === undefined || more.length > 0 || !/^\d{1,12}$/.test(seconds))
    throw new NotificationRefused('Stripe-Signature does not say one time.');
  const digest = createHmac('sha256', secret).update(`${seconds}.`).update(rawBody).digest();
  const fits = valuesOf('v1').map(
    (value) => /^[0-9a-f]{64}$/.test(value) && timingSafeEqual(Buffer.from(value, 'hex'), digest),
  );
  if (!fits.includes(true)) throw new NotificationRefused('No signature of Stripe fits the body.');
  if (Math.abs(nowMs / 1000 - Number(seconds)) > SIGNATURE_TOLERANCE_SECONDS)
    throw new NotificationRefused(`It was signed more than ${SIGNATURE_TOLERANCE_SECONDS} s from now.`);
}
