/**
 * The account to transfer to, the remaining amount, the reference, and for EUR and CHF a QR code: inline SVG, black on white in
 * every colour scheme, because cameras need that. Its content: `core/rails/banking-code.ts`.
 */
import { showAmount, typedAmount } from './amounts.ts';
import { withoutBlanks } from '../../../core/rails/blanks.ts';
import { bankingCode, type BankingCode, crossOf } from '../../../core/rails/banking-code.ts';
import { referenceFor } from '../../../core/rails/qr-bill.ts';
import { foreign, html, type Html, type Value } from './html.ts';
import type { PagePayment, PageView } from './view.ts';
import { BANK_FIELDS, type BankField, type Words } from './words-en.ts';
import QRCode from 'qrcode';

/** Minor units still to be paid. */
export function remaining({ amount, received }: PagePayment): bigint {
  return received < amount ? amount - received : 0n;
}

/** In groups of four, as people read and compare numbers. */
export function inFours(text: string): string {
  return text.replace(/(.{4})(?=.)/g, '$1 ');
}

export function account(view: PageView, payment: PagePayment, words: Words): Html {
  const { bank } = payment;
  const { currency, language } = view;
  if (bank === null) return html`<p class="card">${words.noBankDetails(foreign(view.merchant.name))}</p>`;
  const amount = remaining(payment);
  const reference = referenceFor(bank['iban'], payment.rf);
  const row = (label: string, shown: Value, copied: string, hint: Html | null = null) =>
    html`<div><dt>${label}</dt><dd><span class="value">${shown}</span><button class="copy" type="button" hidden data-copy="${copied}" aria-label="${words.copyOf(label)}">${words.copy}</button></dd>${hint}</div>`;
  const rows = BANK_FIELDS.map((field) => {
    const value = bank[field];
    return value !== undefined && row(words.bankFields[field], shownAs(field, value), copiedAs(field, value));
  });
  const hint = html`<dd class="muted">${words.rfHint}</dd>`;
  return html`<section class="card account" aria-labelledby="details"><h2 id="details">${words.bankDetails}</h2><dl class="details">
${rows}${row(words.amount, showAmount(amount, currency, language), typedAmount(amount, currency, language))}${row(words.rf, inFours(reference), reference, hint)}
</dl></section>`;
}

function shownAs(field: BankField, value: string): Value {
  if (field === 'iban') return foreign(inFours(withoutBlanks(value)));
  if (field === 'sort_code') return foreign(value.replace(/^(\d\d)(\d\d)(\d\d)$/, '$1-$2-$3'));
  if (field === 'bsb') return foreign(value.replace(/^(\d{3})(\d{3})$/, '$1-$2'));
  return foreign(value);
}

/** Without blanks: some banks cut an IBAN at the length of their field. */
function copiedAs(field: BankField, value: string): string {
  return field === 'iban' ? withoutBlanks(value) : value;
}

/** The QR code; `null` where there is none for such a transfer. */
export function scan({ currency, path }: PageView, payment: PagePayment, words: Words): Html | null {
  const code = codeOf(currency, payment);
  if (code === null) return null;
  const picture = `${path}/code.png`;
  return html`<figure class="card scan">${qrSvg(code, words.qr)}<figcaption class="muted"><span class="on-desk">${words.qrHint}</span><span class="on-phone">${words.qrHintOnPhone}</span></figcaption>
<p class="tools"><button class="button second" type="button" hidden data-share="${picture}">${words.openInApp}</button><a class="button second" href="${picture}" download="payment.png">${words.savePicture}</a></p></figure>`;
}

/** What the code of a payment that waits says to a banking app; `null` where there is none for such a transfer. */
export function codeOf(currency: string, payment: PagePayment): BankingCode | null {
  return bankingCode(payment.bank ?? {}, { currency, amount: remaining(payment), rf: payment.rf });
}

/** Modules of white around the code, by ISO 18004. */
const QUIET = 4;
/** Most pictures cached, about 3 MB. Making one takes about 1.2 ms, and a waiting page is shown again and again. */
const KEPT = 500;
const kept = new Map<string, Picture>();

interface Picture {
  /** Modules a side, with the quiet zone. */
  readonly side: number;
  readonly drawing: Html;
}

/**
 * `label` is for screen readers. One byte segment at level M, in the smallest version that fits. Throws when none does.
 */
export function qrSvg(code: BankingCode, label: string): Html {
  const { side, drawing } = pictureOf(code);
  return html`<svg class="qr" viewBox="0 0 ${side} ${side}" role="img" aria-label="${label}">${drawing}</svg>`;
}

/** The least recently used picture is dropped first: a `Map` keeps the order in which keys were set. */
function pictureOf({ payload, hasCross }: BankingCode): Picture {
  const known = kept.get(payload);
  if (known) kept.delete(payload);
  else if (kept.size >= KEPT) kept.delete(kept.keys().next().value as string);
  const picture = known ?? draw(payload, hasCross);
  kept.set(payload, picture);
  return picture;
}

/** One stroke a run of black modules, with relative moves: a third of the bytes of a rectangle a module. */
function draw(payload: string, hasCross: boolean): Picture {
  const segment = { data: Buffer.from(payload), mode: 'byte' } as const;
  const { size, data } = QRCode.create([segment], { errorCorrectionLevel: 'M' }).modules;
  let path = '';
  for (let row = 0; row < size; row++) {
    let end = -1;
    for (let column = 0; column < size; column++) {
      if (data[row * size + column] === 0) continue;
      const start = column;
      while (column + 1 < size && data[row * size + column + 1] !== 0) column++;
      path += end < 0 ? `M${start + QUIET} ${row + QUIET}.5` : `m${start - end} 0`;
      end = column + 1;
      path += `h${end - start}`;
    }
  }
  const side = size + 2 * QUIET;
  const background = html`<path fill="#fff" d="M0 0h${side}v${side}H0z"/>`;
  const cross = hasCross && crossOf(size, QUIET).map(({ fill, d }) => html`<path fill="${fill}" d="${d}"/>`);
  return { side, drawing: html`${background}<path stroke="#000" shape-rendering="crispEdges" d="${path}"/>${cross}` };
}
