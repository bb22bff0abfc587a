/**
 * The parts inside `main`, by state. Values go into `html` templates only. The account and its QR code: `account.ts`.
 */
import type { PaymentMethod } from '../../../core/rails/payment-schemes.ts';
import { account, remaining, scan } from './account.ts';
import { exampleAmount, hasDecimals, MAX_CHARACTERS, showAmount, showInstant, typedAmount } from './amounts.ts';
import { linkable } from './company.ts';
import { foreign, html, type Html, type Value } from './html.ts';
import { receiptAmount, receiptRows, type ReceiptRow } from './receipt.ts';
import type { NoticeCode, PagePayment, PageState, PageView } from './view.ts';
import type { Words } from './words-en.ts';

/** Everything inside `main`. */
export function sections(view: PageView, words: Words): Value {
  const { payment } = view;
  const about = summary(view, words);
  const actions = [body(view, words), simulator(view, words)];
  if (payment === null || !showsAccount(view)) return [notice(view, words), about, actions];
  return html`${notice(view, words)}
<div class="column">${about}</div>
<div class="column">${actions}</div>`;
}

/** Whether the page shows the account to transfer to, beside the summary. */
export function showsAccount({ state, payment }: PageView): boolean {
  return (
    (state === 'waiting' || state === 'partially_paid') && payment?.method === 'bank_transfer' && payment.bank !== null
  );
}

function body(view: PageView, words: Words): Value {
  const { payment, state } = view;
  switch (state) {
    case 'open':
    case 'failed':
      return starter(view, words);
    case 'waiting':
    case 'partially_paid':
      if (payment === null) return null;
      return [payment.method === 'bank_transfer' && transfer(view, payment, words), otherWay(view, payment, words)];
    case 'paid':
    case 'expired':
    case 'canceled':
    case 'used_up':
      return null;
  }
}

/** The account and its code: the account first where the page is read on the phone that pays, the code first on a desk. */
const transfer = (view: PageView, payment: PagePayment, words: Words): Value => [
  account(view, payment, words),
  scan(view, payment, words),
];

/** The notice on top. One about the amount stands at the amount's field instead. */
function notice({ notice: code, ...view }: PageView, words: Words): Html | null {
  if (code === null || (code.startsWith('amount_') && asksAmount(view))) return null;
  return html`<p class="alert" role="alert">${noticeText(code, view, words)}</p>`;
}

function noticeText(code: NoticeCode, { currency, language }: Omit<PageView, 'notice'>, words: Words): string {
  return words.notice[code].replace('{}', exampleAmount(currency, language));
}

function summary(view: PageView, words: Words): Html {
  const { state, description } = view;
  return html`<section class="card">
${MARKS[state]}<h1>${headline(view, words)}</h1>
${description !== null && html`<p class="text">${foreign(description)}</p>`}
${facts(view, words)}
${state === 'paid' ? afterPaying(view, words) : status(view, words)}
</section>`;
}

const mark = (kind: string, path: Html) =>
  html`<svg class="mark ${kind}" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><circle cx="12" cy="12" r="10"/>${path}</svg>`;
const CROSS = mark('bad', html`<path d="M9 9l6 6m0-6l-6 6"/>`);
const CLOCK = mark('', html`<path d="M12 7v5l3 2"/>`);
const BAR = mark('', html`<path d="M8 12h8"/>`);
/** The mark beside the headline; the headline says the same in words. */
const MARKS: Readonly<Record<PageState, Html | null>> = {
  open: null,
  waiting: null,
  partially_paid: null,
  paid: mark('good', html`<path d="M7.5 12.5l3 3 6-7"/>`),
  failed: CROSS,
  expired: CLOCK,
  canceled: BAR,
  used_up: BAR,
};

function headline(view: PageView, words: Words): Value {
  const { state, payment } = view;
  const kind =
    state === 'waiting' && payment?.method === 'card'
      ? 'card_waiting'
      : state === 'paid' && payment?.status === 'refunded'
        ? 'refunded'
        : state;
  const amount = headlineAmount(view);
  if (amount === null) return words.headline[kind];
  const sum = moneyOf(view)(amount);
  return html`<span class="lead">${words.headline[kind]}</span> <span class="${sizeOf(sum)}">${sum}</span>`;
}

/** A long amount is set smaller, so that no line ends between two of its digits. */
const sizeOf = ({ length }: string) => (length > 17 ? 'sum longest' : length > 12 ? 'sum long' : 'sum');

const moneyOf =
  ({ currency, language }: PageView) =>
  (minor: bigint) =>
    showAmount(minor, currency, language);

/** The amount in the headline: to be paid, or paid. Other states show it among the facts. */
function headlineAmount({ state, amount, payment }: PageView): bigint | null {
  if (state === 'open') return amount;
  if (payment === null) return state === 'paid' ? amount : null;
  if (state === 'waiting') return payment.amount;
  if (state === 'partially_paid') return remaining(payment);
  if (state !== 'paid') return null;
  return receiptAmount(payment);
}

function facts(view: PageView, words: Words): Html | null {
  const { state, payment, reference, expiresAtMs } = view;
  const money = moneyOf(view);
  const rows: Value[] = [];
  const row = (label: string, value: Value) => rows.push(html`<div><dt>${label}</dt><dd>${value}</dd></div>`);
  const asked = payment?.amount ?? view.amount;
  if (headlineAmount(view) === null && asked !== null) row(words.amount, money(asked));
  if (state === 'paid' && payment !== null) {
    for (const { label, value } of receiptRows(view, payment, words)) row(label, receiptValue(value, view));
  } else if (reference !== null) row(words.regarding, foreign(reference));
  if (state !== 'paid' && state !== 'partially_paid' && payment !== null && payment.received > 0n) {
    row(words.received, money(payment.received));
  }
  if (expiresAtMs !== null && (state === 'open' || state === 'waiting' || state === 'partially_paid')) {
    const left = html`<span class="left" data-until="${expiresAtMs}" data-text="${words.timeLeft}"></span>`;
    row(words.validUntil, [instant(expiresAtMs, view), left]);
  }
  if (rows.length === 0) return null;
  return html`${state === 'paid' && html`<h2 class="receipt">${words.receipt}</h2>`}<dl class="facts">${rows}</dl>`;
}

function receiptValue(value: ReceiptRow['value'], view: PageView): Value {
  if ('atMs' in value) return instant(value.atMs, view);
  return value.isForeign ? foreign(value.text) : value.text;
}

/** In UTC, because the server does not know the payer's time zone. The script shows it in that zone. */
function instant(atMs: number, { language }: PageView): Html {
  return html`<time datetime="${new Date(atMs).toISOString()}">${showInstant(atMs, language)}</time>`;
}

function status(view: PageView, words: Words): Html | null {
  const { state, payment } = view;
  if (state === 'open') return null;
  if (state !== 'waiting' && state !== 'partially_paid') {
    const hasMoney = payment !== null && payment.received > 0n;
    const said = hasMoney && state === 'failed' ? words.givenUp : words.ended[state as keyof Words['ended']];
    return html`<p class="text">${said(foreign(view.merchant.name))}</p>`;
  }
  const money = moneyOf(view);
  const said =
    payment !== null && state === 'partially_paid'
      ? words.partlyPaid(money(payment.received), money(payment.amount))
      : payment?.method === 'card'
        ? words.cardWaiting
        : words.waiting;
  return html`<div class="status"><span class="dot" aria-hidden="true"></span><div><p>${said}</p><a class="check" href="${addressOf(view)}">${words.checkAgain}</a></div></div>`;
}

function afterPaying(view: PageView, words: Words): Value {
  const { payment, after, merchant } = view;
  const name = foreign(merchant.name);
  const more = payment === null ? 0n : payment.received - payment.amount;
  const duplicates = payment?.duplicates ?? 0n;
  const money = moneyOf(view);
  const url = linkable(after.redirectUrl);
  return [
    more > 0n && payment?.status === 'overpaid' && html`<p class="text">${words.overpaid(money(more), name)}</p>`,
    duplicates > 0n && html`<p class="text">${words.duplicates(money(duplicates), name)}</p>`,
    after.message !== null && html`<p class="text">${foreign(after.message)}</p>`,
    url !== null &&
      html`<p class="next"><a class="button" href="${url.href}" rel="noreferrer">${words.continueTo(url.host)}</a></p>`,
    payment !== null && receiptTools(view, words),
  ];
}

/** Printing needs a script. The script adds the payer's time zone to the address of the document. */
function receiptTools({ path, language }: PageView, words: Words): Html {
  return html`<p class="tools"><button class="button second" type="button" hidden data-print>${words.print}</button><a class="button second" href="${path}/receipt.pdf?lang=${language}" download data-zoned>${words.download}</a></p>`;
}

/** `method` keeps the bank details in view for a payer who was sent to pay by card. */
export function addressOf({ path, methods, payment, language }: PageView, other = language): string {
  const method = methods.card && payment?.method === 'bank_transfer' ? '&method=bank_transfer' : '';
  return `${path}?lang=${other}${method}`;
}

function asksAmount({ state, amount, methods }: Omit<PageView, 'notice'>): boolean {
  return (state === 'open' || state === 'failed') && amount === null && (methods.bankTransfer || methods.card);
}

/** The form that starts a payment, or another one after a failed payment. */
function starter(view: PageView, words: Words): Html | null {
  const { methods, state, merchant } = view;
  if (!methods.bankTransfer && !methods.card) {
    return state === 'open' ? html`<p class="card">${words.noWay(foreign(merchant.name))}</p>` : null;
  }
  const buttons = [
    methods.bankTransfer && methodButton('bank_transfer', words.payBy.bank_transfer, 'button'),
    methods.card && methodButton('card', words.payBy.card, methods.bankTransfer ? 'button second' : 'button'),
  ];
  const notes = [
    methods.bankTransfer && html`<p class="muted">${words.payByNote.bank_transfer}</p>`,
    methods.card && html`<p class="muted">${words.payByNote.card}</p>`,
  ];
  const inside = html`${form(view, '', [asksAmount(view) && amountField(view, words), buttons])}
${notes}`;
  const isChoice = methods.bankTransfer && methods.card;
  if (!isChoice) return html`<section class="card" aria-label="${words.title.open}">${inside}</section>`;
  return html`<section class="card" aria-labelledby="how"><h2 id="how">${words.how}</h2>
${inside}</section>`;
}

function amountField(view: PageView, words: Words): Html {
  const code = view.notice?.startsWith('amount_') ? view.notice : null;
  const hint = bounds(view, words);
  const keys = hasDecimals(view.currency) ? 'decimal' : 'numeric';
  const wrong = code !== null && noticeText(code, view, words);
  const describedBy = [code !== null && 'amount-error', hint !== null && 'amount-hint'].filter(Boolean).join(' ');
  return html`<div class="${code !== null && 'wrong'}"><label for="amount">${words.amount}</label>
<div class="field"><input id="amount" name="amount" inputmode="${keys}" autocomplete="off" maxlength="${MAX_CHARACTERS}" required${view.typed !== null && html` value="${view.typed}"`} aria-describedby="${describedBy}"${code !== null && INVALID}><span>${view.currency}</span></div>
${wrong !== false && html`<p class="error" id="amount-error" role="alert">${wrong}</p>`}
${hint !== null && html`<p class="muted hint" id="amount-hint">${hint}</p>`}</div>`;
}
const INVALID = html` aria-invalid="true"`;

function bounds(view: PageView, words: Words): string | null {
  const { minimum, maximum } = view;
  const money = moneyOf(view);
  if (minimum !== null && maximum !== null) return words.between(money(minimum), money(maximum));
  if (minimum !== null) return words.atLeast(money(minimum));
  return maximum === null ? null : words.atMost(money(maximum));
}

/** While no money has come, a payer may choose another method. */
function otherWay(view: PageView, payment: PagePayment, words: Words): Html | null {
  const { bankTransfer, card } = view.methods;
  if (payment.received > 0n) return null;
  const byCard = payment.method === 'card';
  const buttons = [
    byCard && card && methodButton('card', words.cardAgain, 'button second'),
    byCard && bankTransfer && methodButton('bank_transfer', words.insteadBy.bank_transfer, 'button second'),
    !byCard && card && methodButton('card', words.insteadBy.card, 'button second'),
  ].filter((button) => button !== false);
  if (buttons.length === 0) return null;
  // Of an open amount the form needs the amount; this payer chose it before.
  const chosen = typedAmount(payment.amount, view.currency, view.language);
  const amount = view.amount === null && html`<input type="hidden" name="amount" value="${chosen}">`;
  return html`<section class="card other" aria-labelledby="other"><h2 id="other">${words.otherWay}</h2>${form(view, '', [amount, buttons])}</section>`;
}

/** The sandbox's panel: what a bank would report. */
function simulator(view: PageView, words: Words): Html | null {
  const { livemode, state, payment } = view;
  if (livemode || payment?.method !== 'bank_transfer') return null;
  const button = (outcome: keyof Words['outcome'], label: string) =>
    html`<button class="button" name="outcome" value="${outcome}">${label}</button>`;
  const { exact, partial, twice, fail } = words.outcome;
  const buttons =
    state === 'paid'
      ? button('twice', words.onceMore)
      : (state === 'waiting' || state === 'partially_paid') && [
          button('exact', exact),
          button('partial', partial),
          button('twice', twice),
          state === 'waiting' && button('fail', fail),
        ];
  if (buttons === false) return null;
  return html`<section class="card test" aria-labelledby="simulate"><h2 id="simulate">${words.simulate}</h2>
<p>${words.simulateNote}</p>${form(view, '/simulate', buttons)}</section>`;
}

function methodButton(method: PaymentMethod, label: string, kind: string): Html {
  return html`<button class="${kind}" name="method" value="${method}">${label}</button>`;
}

function form(view: PageView, below: string, inside: Value): Html {
  return html`<form method="post" action="${view.path}${below}?lang=${view.language}"><input type="hidden" name="csrf" value="${view.csrf}">${inside}</form>`;
}
