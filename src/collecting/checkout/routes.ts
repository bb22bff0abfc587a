/**
 * The routes of the hosted page. Amount, currency and state come from the database, never from the browser. A POST
 * becomes a command, and a redirect to the page. HTML: `html/render.ts`. Cards: `card-routes.ts`.
 */
import { currencyOf } from '../../core/values/currencies.ts';
import { RequestError } from '../../core/values/errors.ts';
import { isAwaited } from '../../core/payments.ts';
import { parseAmount } from '../../core/values/money.ts';
import type { PaymentMethod } from '../../core/rails/payment-schemes.ts';
import type { Row, Statement } from '../../platform/db/wire/statement.ts';
import type { Page, PageAnswer, PageCall } from '../../platform/http/page.ts';
import type { ResponseCache } from '../../platform/http/cache/response-cache.ts';
import type { CardCheckout } from './card-checkout.ts';
import type { Csrf } from './csrf.ts';
import { logoOf, type Opened, openedFrom, openToken } from './sql.ts';
import { stateOf, versionOf, viewOf } from './view.ts';
import { MAX_CHARACTERS, readAmount } from './html/amounts.ts';
import { assetNamed } from './html/assets.ts';
import { languageOf } from './html/languages.ts';
import { renderFault, renderPage } from './html/render.ts';
import { codeOf } from './html/account.ts';
import type { Language, NoticeCode, PageView } from './html/view.ts';
import { receiptOf, writeReceipt } from './receipt.ts';
import { pngOf } from '../payments/code-picture.ts';
import type { FailPayment, ReceivePayment, StartPayment } from '../payments/decide.ts';
import { factsOf, OUTCOMES } from '../payments/sandbox-bank.ts';
import type { PaymentSeals } from '../payments/sealing.ts';
import type { PageStatus } from './status-stream.ts';
import { isToken, newReference, newToken } from '../payments/tokens.ts';

export interface PageParts {
  rows(statement: Statement): Promise<readonly Row[]>;
  readonly seals: PaymentSeals;
  /** Sends a command down the write path; `null` when it was accepted, else the code of its refusal. */
  send(environmentId: string, command: PageCommand, requestId: string): Promise<string | null>;
  readonly csrf: Csrf;
  readonly cards: CardCheckout | null;
  readonly status: PageStatus;
  /** Only for showing a page; a POST reads the database. */
  readonly responseCache: ResponseCache;
  readonly now: () => number;
}

export type PageCommand = StartPayment | ReceivePayment | FailPayment;

const HTML = 'text/html; charset=utf-8';
const IMMUTABLE = 'public, max-age=31536000, immutable';
/** Short, because the settings may get another picture under the same path. */
const LOGO_CACHE = 'private, max-age=300';

/** The notice on the page by the code of a refusal. */
const NOTICES: Readonly<Record<string, NoticeCode>> = {
  amount_invalid: 'amount_invalid',
  amount_too_small: 'amount_too_small',
  amount_too_large: 'amount_too_large',
};

export function paymentPages(parts: PageParts): Page[] {
  const ours = async (call: PageCall) => {
    await open(parts, call);
    return isOurs(parts, call);
  };
  const shared = (call: PageCall) =>
    parts.responseCache(keyOf(call), async () => {
      const opened = await open(parts, call);
      return { answer: show(parts, call, opened, null), environmentId: opened.environmentId };
    });
  return [
    { method: 'GET', path: '/pay/:token', share: keyOf, handle: shared },
    { method: 'POST', path: '/pay/:token', isOurs: ours, handle: (call) => start(parts, call) },
    { method: 'POST', path: '/pay/:token/simulate', isOurs: ours, handle: (call) => simulate(parts, call) },
    {
      method: 'GET',
      path: '/pay/:token/status',
      streams: true,
      handle: async (call) => {
        const opened = await open(parts, call);
        const stream = parts.status({
          environmentId: opened.environmentId,
          shown: call.query('version') ?? '',
          look: async () => versionOf(await open(parts, call)),
        });
        return { status: 200, body: '', contentType: 'text/event-stream', stream };
      },
    },
    {
      method: 'GET',
      path: '/pay/:token/code.png',
      handle: async (call) => {
        const { currency, payment, state } = viewed(parts, call, await open(parts, call));
        const code =
          payment !== null && (state === 'waiting' || state === 'partially_paid') && codeOf(currency, payment);
        if (!code) throw notFound();
        return { status: 200, body: pngOf(code), contentType: 'image/png' };
      },
    },
    {
      method: 'GET',
      path: '/pay/:token/receipt.pdf',
      handle: async (call) => {
        const view = viewed(parts, call, await open(parts, call));
        if (view.state !== 'paid' || view.payment === null) throw notFound();
        const logo = view.merchant.logo === null ? null : await logoFor(parts, call);
        const body = await writeReceipt(receiptOf(view, view.payment, logo, call.query('zone')));
        const headers = { 'Content-Disposition': `attachment; filename="${view.payment.rf}.pdf"` };
        return { status: 200, body, contentType: 'application/pdf', headers };
      },
    },
    {
      method: 'GET',
      path: '/pay/:token/logo',
      handle: async (call) => {
        const logo = await logoFor(parts, call);
        if (logo === null) throw notFound();
        const body = Buffer.from(logo, 'base64');
        const contentType = body[0] === 0xff ? 'image/jpeg' : 'image/png';
        return { status: 200, body, contentType, headers: { 'Cache-Control': LOGO_CACHE } };
      },
    },
    {
      method: 'GET',
      path: '/pay/assets/:name',
      handle: async (call) => {
        const asset = assetNamed(call.params['name'] ?? '');
        if (!asset) throw notFound();
        return { status: 200, ...asset, headers: { 'Cache-Control': IMMUTABLE } };
      },
    },
  ];
}

/** The page for a failure: an unknown address, too many requests, our own fault. */
export function faultPage(call: Pick<PageCall, 'query' | 'header'>, status: number): PageAnswer {
  const language = languageFor(call);
  const fault = status === 429 ? 'too_many' : status >= 500 ? 'unavailable' : 'not_found';
  return { status, body: renderFault(language, fault), contentType: HTML, headers: { Vary: 'Accept-Language' } };
}

/** Throws `path_unknown`, both for text that is no token and for a token that opens nothing. */
export async function open({ rows, seals }: Pick<PageParts, 'rows' | 'seals'>, call: PageCall): Promise<Opened> {
  const token = tokenOf(call);
  const [row] = isToken(token) ? await rows(openToken(seals.lookUpsOf(token))) : [];
  if (!row) throw notFound();
  return openedFrom(row, seals);
}

/** The logo of the environment that the token belongs to, as base64. */
async function logoFor({ rows, seals }: PageParts, call: PageCall): Promise<string | null> {
  const [row] = isToken(tokenOf(call)) ? await rows(logoOf(seals.lookUpsOf(tokenOf(call)))) : [];
  return (row?.['logo'] as string | null | undefined) ?? null;
}

/** What the page shows to whoever only looks at it. */
function viewed(parts: PageParts, call: PageCall, opened: Opened): PageView {
  const method = 'bank_transfer' as const;
  const hasCard = parts.cards?.takes(opened.livemode, opened.link.currency) ?? false;
  const [token, language] = [tokenOf(call), languageFor(call)];
  return viewOf(opened, { token, language, csrf: '', notice: null, typed: null, hasCard, method });
}

/** The cache key: everything a page depends on except the state of its environment and the time. */
const keyOf = (call: PageCall) => `${call.url} ${call.header('accept-language') ?? ''}`;

function show(
  { csrf, cards, now }: PageParts,
  call: PageCall,
  opened: Opened,
  notice: NoticeCode | null,
  token = tokenOf(call),
): PageAnswer {
  const hasCard = cards?.takes(opened.livemode, opened.link.currency) ?? false;
  const language = languageFor(call);
  const method: PaymentMethod | null = call.query('method') === 'bank_transfer' ? 'bank_transfer' : null;
  const typed = notice?.startsWith('amount_') ? (call.form('amount') ?? '').slice(0, MAX_CHARACTERS) : null;
  const shown = { token, language, csrf: csrf.tokenFor(token, now()), notice, typed, hasCard, method };
  const view = viewOf(opened, shown);
  const headers: Record<string, string> = { Vary: 'Accept-Language' };
  if (hasCard && cards) headers['Content-Security-Policy'] = cards.policy;
  return { status: notice === null ? 200 : 400, body: renderPage(view), contentType: HTML, headers };
}

async function start(parts: PageParts, call: PageCall): Promise<PageAnswer> {
  const opened = await open(parts, call);
  const { link, environmentId, livemode } = opened;
  const refuse = (notice: NoticeCode) => show(parts, call, opened, notice);
  if (!isOurs(parts, call)) return refuse('form_expired');
  const method = call.form('method') === 'card' ? 'card' : 'bank_transfer';
  const cards = parts.cards?.takes(livemode, link.currency) ? parts.cards : null;
  if (method === 'card' && cards === null) return refuse('card_unavailable');
  const started = opened.payment !== null && isAwaited(opened.payment) ? opened.payment : null;
  const amount = link.amount ?? started?.amount ?? chosen(call, link.currency);
  if (typeof amount === 'string') return refuse(amount);
  const token = newToken();
  const isShared = !link.reusable && link.amount !== null; // all go on with the same payment, on the link's page
  const isStarted = !isShared && started !== null; // the payment has a page of its own already
  if (isStarted && stateOf(opened) !== 'waiting') return explain(parts, call, 'payment_link_ended');
  if (!isStarted) {
    const command = { type: 'start_payment', link: link.id, method, amount, token, reference: newReference() } as const;
    const refused = await parts.send(environmentId, command, call.requestId);
    if (refused !== null) return explain(parts, call, refused);
  }
  // None was begun where one that has money goes on.
  const [begun] = isShared || isStarted ? [] : await parts.rows(openToken(parts.seals.lookUpsOf(token)));
  const own = begun ? token : tokenOf(call);
  const page = `/pay/${own}`;
  if (cards === null || method !== 'card') return goTo(page, call, isStarted ? 'bank_transfer' : undefined);
  const now = begun ? openedFrom(begun, parts.seals) : await open(parts, call);
  const session = await cards.begin(now, page, languageFor(call), call.requestId);
  return session === null ? show(parts, call, now, 'card_unavailable', own) : redirect(session);
}

/** The page as it is now, with a notice why no payment was started. An ended link needs none: its page says so. */
async function explain(parts: PageParts, call: PageCall, refused: string): Promise<PageAnswer> {
  const opened = await open(parts, call);
  const isEnded = refused === 'payment_link_ended';
  const isPaid = ['paid', 'used_up'].includes(stateOf(opened));
  const notice = isEnded ? (isPaid ? 'already_paid' : null) : (NOTICES[refused] ?? 'try_again');
  return show(parts, call, opened, notice);
}

/** The amount that a payer typed, in minor units, or the notice about its fault. */
function chosen(call: PageCall, code: string): bigint | NoticeCode {
  const written = readAmount(call.form('amount') ?? '', languageFor(call));
  const currency = currencyOf(code);
  const minor = written === null || !currency ? null : parseAmount(written, currency);
  if (typeof minor === 'bigint') return minor;
  const fault = minor?.code;
  return fault === 'amount_too_large' || fault === 'amount_too_small' ? fault : 'amount_invalid';
}

async function simulate(parts: PageParts, call: PageCall): Promise<PageAnswer> {
  const opened = await open(parts, call);
  const { environmentId, livemode, payment } = opened;
  const outcome = OUTCOMES.find((each) => each === call.form('outcome'));
  if (livemode || payment === null || outcome === undefined) throw notFound();
  if (!isOurs(parts, call)) return show(parts, call, opened, 'form_expired');
  let refused: string | null = null;
  for (const [number, fact] of factsOf(payment, outcome).entries()) {
    refused ??= await parts.send(environmentId, fact, `${call.requestId}.${number}`);
  }
  if (refused !== null) return show(parts, call, await open(parts, call), 'try_again');
  return goTo(`/pay/${tokenOf(call)}`, call);
}

function isOurs({ csrf, now }: PageParts, call: PageCall): boolean {
  return !call.isForeign && csrf.accepts(call.form('csrf'), tokenOf(call), now());
}

/** A redirect after a POST, so that a reload sends nothing twice. */
export function goTo(page: string, call: PageCall, method?: PaymentMethod): PageAnswer {
  const query = new URLSearchParams({
    ...(call.query('lang') !== undefined && { lang: languageFor(call) }),
    ...(method !== undefined && { method }),
  });
  return redirect(query.size === 0 ? page : `${page}?${query.toString()}`);
}

const redirect = (to: string): PageAnswer => ({ status: 303, body: '', contentType: HTML, headers: { Location: to } });

export function languageFor(call: Pick<PageCall, 'query' | 'header'>): Language {
  return languageOf(call.query('lang'), call.header('accept-language'));
}

export const tokenOf = (call: PageCall): string => call.params['token'] ?? '';

export function notFound(): RequestError {
  return new RequestError('path_unknown', 'No such page.');
}
